"""The operations of triggers: list, make or change, delete."""

from typing import Any

from kbwork.base import ids
from kbwork.base.errors import InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Id, Input, Int
from kbwork.core import own_address
from kbwork.core.access import impersonate
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import FlagProjectRow, FlagRow, FlagTriggerRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    EnvironmentRef,
    FlagProjectRef,
    FlagRef,
    FlagTriggerSaved,
    Json,
    Ref,
)
from kbwork.modules.flags.trigger import ingest
from kbwork.modules.flags.trigger.answers import FlagTrigger, TriggerAction, of_project, one

_MOST = 20
_WHY = "a trigger that was deleted is made anew, at another address"


class FlagsTriggers(Input):
    project: FlagProjectRef
    key: Ref | None = None
    """Of this flag alone."""


@read(
    "flags.triggers",
    scope="flags:read",
    words="kill switch url, flag webhook in, which alerts turn flags off, inbound hooks of a flag",
    example={"project": "web", "key": "checkout"},
)
def triggers(tx: Read, args: FlagsTriggers) -> list[FlagTrigger]:
    """List the triggers of flags, without their addresses: those are shown once."""
    project = access.project(tx, args.project)
    flag = access.flag(tx, project, args.key) if args.key is not None else None
    return of_project(tx, project, flag)


class FlagsTriggerSave(Tried):
    project: FlagProjectRef
    key: FlagRef
    environment: EnvironmentRef
    action: TriggerAction
    """What a post to it does: switch the flag on, or off, or serve a variation where no target and no rule fits."""
    variation: Int | None = None
    """With `variation`: its index."""
    id: Id | None = None
    """Of the trigger that changes; left out: a new one."""


@write(
    "flags.trigger_save",
    scope="flags:write",
    words=(
        "turn a flag off from monitoring, alert switches the feature off, kill switch webhook, url that toggles it, "
        "connect an alarm with a flag"
    ),
    undo=_WHY,
    emits=[FlagTriggerSaved],
    example={"project": "web", "key": "checkout", "environment": "test", "action": "off", "id": 1},
)
def trigger_save(tx: Write, args: FlagsTriggerSave) -> FlagTrigger:
    """Make an address that does one thing with a flag when it is posted to, or change what one does.

    `url` is shown once: whoever knows it may do that, without a key. It acts in the name of whoever saved it last, with
    what they may do then: where their change would wait for approval, so does this; rules and proposals make none
    (403). A flag has at most 20 (422). What could not be done now is refused now (409, 422).
    """
    place = access.place(tx, access.editable_project(tx, args.project), args.environment)
    if tx.caller.key is None and approvals.as_agent(tx):
        raise NotAllowed("It would act as the person behind you: triggers are made by people, and by keys.")
    flag = access.flag(tx, place.project, args.key)
    before = _stored(tx, place.project, args.id) if args.id is not None else None
    if before is not None and before["flag"] != flag["id"]:
        raise NotFound(f"The flag {flag['key']} has no trigger {args.id}; flags.triggers shows them.")
    if (args.variation is not None) != (args.action == "variation"):
        raise InvalidInput(
            "`variation` is said with the action variation, and with no other.", field="variation"
        )
    requests.tried(
        tx, place, RequestedChange("flag", flag["key"], [ingest.instruction(args.action, args.variation)])
    )
    columns: dict[str, Any] = {
        "environment": place.environment["id"],
        "action": args.action,
        "variation": args.variation,
        "acting": packed(impersonate.caller_args(tx.caller)),
        "created_by": tx.caller.actor,
    }
    url = None
    if before is None:
        ident, url = _make(tx, flag, columns)
    else:
        ident = before["id"]
        tx.update("flag_trigger", ident, **columns)
    _tell(tx, place, flag, {"trigger": ident, "action": args.action})
    return done(args, one(tx, place.project, ident, url))


class FlagsTriggerDelete(Tried):
    project: FlagProjectRef
    id: Id
    """Id of the trigger, from `flags.triggers`."""


@destructive(
    "flags.trigger_delete",
    scope="flags:write",
    words="revoke a kill switch url, remove a flag trigger, the trigger address leaked",
    undo=_WHY,
    emits=[FlagTriggerSaved],
    example={"project": "web", "id": 1},
)
def trigger_delete(tx: Write, args: FlagsTriggerDelete) -> list[FlagTrigger]:
    """Delete a trigger: its address opens nothing any more. Answers those that are left in the flag project."""
    project = access.editable_project(tx, args.project)
    row = _stored(tx, project, args.id)
    flag, environment = tx.stored("flag", [row["flag"]]), tx.stored("flag_environment", [row["environment"]])
    assert flag is not None
    assert environment is not None
    tx.delete("flag_trigger", row["id"])
    _tell(tx, ProjectEnvironment(project, environment), flag, {"trigger": row["id"], "deleted": True})
    return done(args, of_project(tx, project))


def _make(tx: Write, flag: FlagRow, columns: dict[str, Any]) -> tuple[int, str]:
    """Its id, and the address. Raises InvalidInput where the flag has too many."""
    if tx.value("select count(*) from flag_trigger where flag = :id", id=flag["id"]) >= _MOST:
        raise InvalidInput(f"A flag has at most {_MOST} triggers.", field="key")
    token = ids.token("")
    ident = tx.insert(
        "flag_trigger", flag=flag["id"], digest=ids.digest(token), created_at=tx.now, uses=0, **columns
    )
    return ident, f"{own_address.own_address(tx).origin}{ingest.PATH}{token}"


def _stored(tx: Read, project: FlagProjectRow, ident: int) -> FlagTriggerRow:
    """Raises NotFound."""
    row = tx.stored("flag_trigger", [ident])
    flag = tx.stored("flag", [row["flag"]]) if row is not None else None
    if row is None or flag is None or flag["project"] != project["id"]:
        raise NotFound(
            f"The flag project {project['key']} has no trigger {ident}; flags.triggers shows them."
        )
    return row


def _tell(tx: Write, place: ProjectEnvironment, flag: FlagRow, payload: Json) -> None:
    payload = {"environment": place.environment["key"], **payload}
    tx.emit(FlagTriggerSaved(subject=store.name_of(place.project, flag), payload=payload))
