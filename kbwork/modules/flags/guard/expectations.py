"""What a saved check expects, and whether a snapshot holds to it."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.db.rows import FlagCheckRow, FlagEnvironmentRow, FlagProjectRow
from kbwork.db.tx import Read
from kbwork.flagengine.contexts import Context, excess
from kbwork.flagengine.json_values import is_number
from kbwork.flagengine.reasons import Detail
from kbwork.flagengine.snapshot import Snapshot
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import patch
from kbwork.modules.flags.definition.content import meta_of
from kbwork.modules.flags.delivery import snapshots
from kbwork.modules.flags.model import Json

_VALUE = {"value"}
"""The one member of an object that says of a value what it is, where it might be taken for an index."""


def require_context(context: Json) -> None:
    """Raises InvalidInput for what is no context, or for one that is too large."""
    if (fault := excess(context)) is not None:
        raise InvalidInput(f"`context` should be {fault}.", field="context")
    if Context(context).kinds is None:
        raise InvalidInput(
            "`context` should be an object with a key of text; of the kind multi, an object of such by kind.",
            field="context",
        )


def require_possible(tx: Read, project: FlagProjectRow, expected: Json) -> None:
    """Raises NotFound for a flag that is not there, Conflict for one that is archived, InvalidInput for what it never
    serves."""
    for key, wanted in expected.items():
        flag = access.flag(tx, project, key)
        patch.require_live(flag)
        variations = meta_of(flag)["variations"]
        place = _index(wanted)
        if wanted is None or (place is not None and 0 <= place < len(variations)):
            continue
        if place is None and any(_same(one["value"], _value(wanted)) for one in variations):
            continue
        raise InvalidInput(
            f"{key} has no such variation: say an index, 0 to {len(variations) - 1}, one of its values, or null for the"
            ' caller\'s default; a number is an index unless it is told as {"value": 5}.',
            field=f"expected.{key}",
        )


def broken(snapshot: Snapshot, check: FlagCheckRow) -> list[str]:
    """The flags of a check that serve its context something else."""
    context = Context(json.loads(check["context"]))
    expected: Json = json.loads(check["expected"])
    return [
        key for key, wanted in expected.items() if not _holds(snapshot.evaluate(key, context, None), wanted)
    ]


def broken_now(tx: Read, environment: FlagEnvironmentRow, checks: list[FlagCheckRow]) -> dict[int, list[str]]:
    """The same of several checks of an environment, as it serves now, by the id of the check."""
    if not checks:
        return {}
    snapshot = snapshots.of(tx, environment)
    return {check["id"]: broken(snapshot, check) for check in checks}


def _holds(found: Detail, wanted: Any) -> bool:
    if wanted is None:
        return found.variation is None
    place = _index(wanted)
    if place is not None:
        return found.variation == place
    return found.variation is not None and _same(found.value, _value(wanted))


def _index(wanted: Any) -> int | None:
    """A whole number names a variation by its place."""
    return int(wanted) if is_number(wanted) and wanted == int(wanted) else None


def _value(wanted: Any) -> Any:
    return wanted["value"] if isinstance(wanted, dict) and wanted.keys() == _VALUE else wanted


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one: true is not 1, and 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
