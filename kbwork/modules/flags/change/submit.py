"""The road of every change that somebody makes: it is tried, then applied, or asked for where that is needed."""

from typing import NamedTuple

from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Write
from kbwork.modules.flags.access import ProjectEnvironment
from kbwork.modules.flags.change import approvals, requests
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.definition import patch, store
from kbwork.modules.flags.definition.store import ChangeReason, Diff
from kbwork.modules.flags.guard import enforcement
from kbwork.modules.flags.model import FlagBypassed, FlagChange, Json, Outcome


class ChangeOutcome(NamedTuple):
    """What became of instructions: what differs then, and the request where there is one."""

    outcome: Outcome
    diff: Diff
    change: FlagChange | None = None


def change_targeting(
    tx: Write, place: ProjectEnvironment, asked: RequestedChange, *, bypass: bool = False
) -> ChangeOutcome:
    """Change the targeting of a flag, or a segment, in an environment. Instructions that change nothing leave no trace.

    Raises what `requests.tried` raises.
    """
    found = requests.tried(tx, place, asked)
    diff = found.diff
    if not diff:
        return ChangeOutcome("unchanged", diff)
    waits = approvals.needed(tx, place.environment)
    if waits and not bypass:
        change = requests.request(tx, place, asked, as_agent=approvals.as_agent(tx))
        return ChangeOutcome("changeRequest", diff, requests.one(tx, place, change["id"]))
    with enforcement.held(tx, [place.environment], bypass=bypass) as passed:
        requests.write(tx, place, asked, found, ChangeReason(asked.comment))
    if waits or passed:
        payload = {"environment": place.environment["key"], "comment": asked.comment}
        told = payload | {"checks": passed.get(place.environment["id"], [])}
        tx.emit(FlagBypassed(subject=requests.named(tx, place, asked.kind, asked.target), payload=told))
    return ChangeOutcome("applied", diff)


def change_flag(  # noqa: PLR0913 - what is changed, how, why, and whether checks count
    tx: Write,
    project: FlagProjectRow,
    flag: FlagRow,
    instructions: list[Json],
    comment: str = "",
    *,
    bypass: bool = False,
) -> Diff:
    """Change what a flag is everywhere; answers what differs.

    Raises what `patch.meta` raises, and ApprovalNeeded where a person has to do it.
    """
    after = patch.meta(tx, project, flag, instructions)
    approvals.require_person_everywhere(tx, project, flag, after)
    environments = store.environments_of(tx, project) if bypass else []
    with enforcement.held(tx, environments, bypass=True) as passed:
        diff = store.put_meta(tx, project, flag, after, ChangeReason(comment))
    for environment in environments:
        if checks := passed.get(environment["id"]):
            payload = {"environment": environment["key"], "comment": comment, "checks": checks}
            tx.emit(FlagBypassed(subject=store.name_of(project, flag), payload=payload))
    return diff
