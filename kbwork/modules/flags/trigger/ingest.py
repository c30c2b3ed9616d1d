"""`POST /in/flag/<token>`: a trigger does what it does, in the name of whoever saved it."""

import json
from typing import Any

from typing_extensions import TypedDict

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import NotAllowed, NotFound, RateLimited
from kbwork.base.model import Input, Secret
from kbwork.core.access import impersonate
from kbwork.core.hooks import TokenHook
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagTriggerRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.change import submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.model import ChangeRequested, FlagUpdated, Json, Outcome

PATH = "/in/flag/"
_MINUTE_S = 60
_MOST_A_MINUTE = 10
_MOST_HEARD = 1000
"""Of more it forgets those that were not posted to lately."""


class FlagsIngest(Input):
    token: Secret
    """The token in the path that the request came to."""
    said: dict[str, Any]
    """What it says, which nobody looks at."""


class Triggered(TypedDict):
    outcome: Outcome
    """Whether it was applied, changed nothing, or waits for approval."""


@write(
    "flags.ingest",
    scope="system",
    words="a request from outside changes a flag",
    undo="a flag is changed back by hand",
    emits=[FlagUpdated, ChangeRequested],
    example={"token": "from-the-path", "said": {}},
)
def ingest(tx: Write, args: FlagsIngest) -> Triggered:
    """Do what the trigger does whose path a request came to. For the server itself.

    A token that opens none is 404. Where whoever saved it is gone, or may not change the flag any more, it is 403; an
    archived flag is 409. More than ten requests within a minute are 429.
    """
    row = _by_token(tx, args.token)
    if row is None:
        raise NotFound("No flag is changed here.")
    _require_room(tx, row["id"])
    flag, environment = tx.stored("flag", [row["flag"]]), tx.stored("flag_environment", [row["environment"]])
    assert flag is not None
    assert environment is not None
    project = tx.stored("flag_project", [flag["project"]])
    assert project is not None
    asked = RequestedChange(
        "flag", flag["key"], [instruction(row["action"], row["variation"])], f"Trigger {row['id']}"
    )
    with impersonate.as_starter(tx, json.loads(row["acting"])):
        _require_right(tx, project["key"])
        place = access.place(tx, access.editable_project(tx, project["key"]), environment["key"])
        became = submit.change_targeting(tx, place, asked)
    tx.execute(
        "update flag_trigger set used_at = :now, uses = uses + 1 where id = :id", now=tx.now, id=row["id"]
    )
    return Triggered(outcome=became.outcome)


def instruction(action: str, variation: int | None) -> Json:
    """The one thing that a trigger does."""
    if action == "variation":
        return {"kind": "updateFallthroughVariationOrRollout", "variation": variation}
    return {"kind": "turnFlagOn" if action == "on" else "turnFlagOff"}


def _require_right(tx: Read, project: str) -> None:
    """Raises NotAllowed where whoever saved the trigger may not do this any more; not even that they see it is told."""
    try:
        row = access.project(tx, project)
    except NotFound:
        row = None
    if row is None or "flags:write" not in tx.caller.scopes or not access.may_change(tx, row):
        raise NotAllowed("Whoever made this trigger may change the flag no more.")


@dataclass(slots=True)
class _Heard:
    """When each trigger was posted to within the last minute, whatever came of it."""

    times: dict[int, list[int]] = field(default_factory=dict)

    def lately(self, trigger: int, now: int) -> list[int]:
        return [at for at in self.times.get(trigger, ()) if now - _MINUTE_S < at <= now]

    def note(self, trigger: int, now: int) -> None:
        if len(self.times) >= _MOST_HEARD:
            self.times = {one: times for one in self.times if (times := self.lately(one, now))}
        self.times[trigger] = [*self.lately(trigger, now), now]


def _require_room(tx: Read, trigger: int) -> None:
    """Raises RateLimited."""
    heard: _Heard = tx.beside("flag triggers heard", _Heard)
    if len(heard.lately(trigger, tx.now)) >= _MOST_A_MINUTE:
        raise RateLimited(
            f"This trigger was posted to {_MOST_A_MINUTE} times within a minute.", retry_after_s=_MINUTE_S
        )
    heard.note(trigger, tx.now)


def _by_token(tx: Read, token: str) -> FlagTriggerRow | None:
    """That of a flag project which is not archived."""
    return tx.one(
        "select t.* from flag_trigger t join flag f on f.id = t.flag"
        " join flag_project p on p.id = f.project and p.archived_at is null where t.digest = :digest",
        FlagTriggerRow,
        digest=ids.digest(token),
    )


def _opens(tx: Read, token: str) -> bool:
    return _by_token(tx, token) is not None


HOOK = TokenHook(home=__name__, beginning=PATH, opens=_opens, op="flags.ingest")
