"""Which modules of the org are on."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import did_you_mean
from kbwork.core import org_settings
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Write
from kbwork.modules.org import queries
from kbwork.modules.org.model import ALWAYS_ON, Org, OrgModulesChanged

Names = Annotated[list[Text], Field(max_length=100)]


class OrgModulesSet(Input):
    on: Names | None = None
    """Names of modules to switch on."""
    off: Names | None = None
    """Names of modules to switch off."""


@write(
    "org.modules_set",
    scope="admin",
    words="enable a module, turn off a feature of kbwork, switch off assets, hide modules",
    emits=[OrgModulesChanged],
    example={"off": ["comments"]},
)
def modules_set(tx: Write, args: OrgModulesSet) -> Org:
    """Switch modules on and off. For admins.

    A module that is off hides its operations (404); nothing of it is lost. Those that others rest on, such as issues
    and members, cannot be off (422); an unknown name, or one in both lists, is 422.
    """
    wanted: dict[str, bool] = {}
    for field, on in (("on", True), ("off", False)):
        for number, name in enumerate(getattr(args, field) or []):
            _require_switch(tx, name, on=on, field=f"{field}[{number}]")
            if wanted.setdefault(name, on) != on:
                raise InvalidInput(f"{name} cannot be on and off at once.", field=f"off[{number}]")
    changes: dict[str, Any] = {}
    for name, on in wanted.items():
        before = not org_settings.module_off(tx, name)
        if before != on:
            org_settings.put(tx, f"module.{name}", on)
            changes[name] = (before, on)
    if changes:
        tx.emit(OrgModulesChanged(subject="org:1", changes=changes))
    return queries.shown(tx)


def _require_switch(tx: Read, name: str, *, on: bool, field: str) -> None:
    """Raises InvalidInput for a module that is not there, or that cannot be off."""
    known = tx.registry.modules
    if name not in known:
        text = f"There is no module {name!r} in this version.{did_you_mean(name, known)}"
        raise InvalidInput(text, field=field, allowed=sorted(set(known) - ALWAYS_ON))
    if name in ALWAYS_ON and not on:
        raise InvalidInput(
            f"The module {name} cannot be off: others rest on it.",
            field=field,
            allowed=sorted(set(known) - ALWAYS_ON),
        )
