"""When a change has to be approved, and by whom."""

from kbwork.base.errors import ApprovalNeeded, NotAllowed
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.db.rows import FlagChangeRow, FlagEnvironmentRow, FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.flags import access
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.definition.content import meta_of, packed
from kbwork.modules.flags.model import Json

_SETTING = "flags.agent_writes"


def as_agent(tx: Read) -> bool:
    """Whether the caller counts as an agent: keys and connected clients do, and so does automation."""
    return tx.caller.key is not None or tx.caller.kind in ("agent", "automation")


def needed(tx: Read, environment: FlagEnvironmentRow) -> bool:
    """Whether a change that the caller makes now has to be approved."""
    if environment["require_approval"]:
        return True
    return bool(environment["critical"]) and as_agent(tx) and agent_writes(tx) == "changeRequest"


def require_person_everywhere(tx: Read, project: FlagProjectRow, flag: FlagRow, after: Json) -> None:
    """Raises ApprovalNeeded where an agent would change what a critical environment serves by changing the flag itself.

    While it is switched on there that is a value of a variation, who sees it, an alias that is dropped, or that it is
    archived; while it is off,
    the value that is served then.
    """
    if not as_agent(tx) or agent_writes(tx) != "changeRequest":
        return
    before = meta_of(flag)
    values = [[packed(one["value"]) for one in meta["variations"]] for meta in (before, after)]
    changed = [place for place, value in enumerate(values[0]) if values[1][place : place + 1] != [value]]
    same = all(before[name] == after[name] for name in ("clientSide", "archived"))
    same = same and not set(before["aliases"]) - set(after["aliases"])
    if same and not changed:
        return
    serving = tx.value(
        "select e.key from flag_environment e join flag_config c on c.environment = e.id and c.flag = :flag"
        " where e.project = :project and e.critical"
        " and (c.config ->> '$.on' or c.config ->> '$.offVariation' in (select value from json_each(:changed)))"
        " order by e.id limit 1",
        flag=flag["id"],
        project=project["id"],
        changed=json_array(changed),
    )
    if serving is not None:
        raise ApprovalNeeded(
            f"{serving}, which is critical, serves what this would change of {flag['key']}: a person has to do it."
        )


def agent_writes(tx: Read) -> str:
    """What becomes of an agent's change to a critical environment."""
    found: str = org_settings.get(tx, _SETTING)
    return found


def set_agent_writes(tx: Write, value: str) -> None:
    """For admins."""
    org_settings.put(tx, _SETTING, value)


def require_bypass(tx: Read) -> None:
    """Raises NotAllowed where the caller may not pass approvals over: owners and admins may, by session or by a key of
    their own with the scope admin; agents never."""
    narrow = tx.caller.key is not None and "admin" not in tx.caller.scopes
    if not tx.caller.admin or narrow or tx.caller.kind in ("agent", "automation"):
        raise NotAllowed(
            "Approvals are passed over by owners and admins in person, or by a key of theirs with the scope admin."
        )


def require_reviewer(tx: Read, environment: FlagEnvironmentRow, change: FlagChangeRow) -> None:
    """Raises NotAllowed where the caller may not approve this change."""
    if not may_approve(environment, change, tx.caller.actor):
        raise NotAllowed(
            f"{environment['key']} does not let people approve their own changes: ask somebody else."
        )


def counted(tx: Read, place: ProjectEnvironment, change: FlagChangeRow) -> int:
    """How many people approve who may do so now: they are there, may change the project, and it is not their own."""
    approving = tx.column(
        "select distinct r.member from flag_review r join member m on m.id = r.member and m.state = 'active'"
        " where r.change = :change and r.decision = 'approve'",
        change=change["id"],
    )
    return sum(
        may_approve(place.environment, change, member)
        and access.may_change(visibility.as_member(tx, member), place.project)
        for member in approving
    )


def enough(tx: Read, place: ProjectEnvironment, change: FlagChangeRow) -> bool:
    """Whether as many people approve as the environment asks for now."""
    found = counted(tx, place, change)
    return bool(found >= place.environment["min_approvals"])


def may_approve(environment: FlagEnvironmentRow, change: FlagChangeRow, member: str) -> bool:
    """Whether somebody may approve this one, as far as it is not their own.

    Nobody approves their own where the environment asks for approval. What their agent asked for in an environment
    that asks for none of people they could have done themselves.
    """
    if change["requested_by"] != member or environment["allow_self_approval"]:
        return True
    return bool(change["as_agent"]) and not environment["require_approval"]
