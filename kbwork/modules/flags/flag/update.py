"""Changing a flag by instructions."""

from typing_extensions import TypedDict

from kbwork.base.errors import Stale
from kbwork.base.model import Int
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access, answers
from kbwork.modules.flags.change import approvals, submit
from kbwork.modules.flags.change.requests import RequestedChange
from kbwork.modules.flags.change.submit import ChangeOutcome
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import (
    UNDO,
    ChangeRequested,
    Flag,
    FlagArchived,
    FlagBypassed,
    FlagChange,
    FlagProjectRef,
    FlagRef,
    FlagRestored,
    FlagUpdated,
    Instructions,
    Json,
    Outcome,
    Ref,
    Remark,
)


class FlagsUpdate(Tried):
    project: FlagProjectRef
    key: FlagRef
    environment: Ref | None = None
    """For instructions on targeting; those on the flag itself go without."""
    instructions: Instructions
    """What is to be done, in order, all or nothing."""
    comment: Remark | None = None
    """Stands in the history, and in the change request where there is one."""
    versions: dict[str, Int] | None = None
    """The versions that were read, by `flag` for the flag itself and by environment: where one of them moved since,
    the change is refused."""
    bypass: bool | None = None
    """Pass the approval over, and checks that are enforced: owners and admins may, and it is in the audit log."""


class FlagUpdate(TypedDict):
    """What became of instructions. `diff` is what they change, or would once they are approved, by `flag` or by
    environment: [{`path`, `from`, `to`}], of lists of more than a hundred keys [{`path`, `added`, `removed`}]."""

    outcome: Outcome
    """Whether it was applied, changed nothing, or waits for approval."""
    flag: Flag
    """The flag as it is now."""
    diff: Json
    """{`path`, `from`, `to`} of each place that changes, of long lists {`path`, `added`, `removed`}, by `flag` or by
    environment."""
    change: FlagChange | None
    """The change request; null: none was made."""


@write(
    "flags.update",
    scope="flags:write",
    words=(
        "turn the flag on, turn off a feature, switch on, switch off, enable, disable, toggle, "
        "flip, roll out to ten percent of users, rollout percentage, ramp up, target users, "
        "release to customers, kill a feature, give a customer the feature, targeting rule, "
        "dark launch"
    ),
    undo=UNDO,
    emits=[FlagUpdated, FlagArchived, FlagRestored, FlagBypassed, ChangeRequested],
    example={
        "project": "web",
        "key": "checkout",
        "environment": "test",
        "instructions": [{"kind": "turnFlagOn"}],
        "comment": "Try it",
    },
)
def update(tx: Write, args: FlagsUpdate) -> FlagUpdate:
    """Change a flag by ordered instructions, all or nothing: its targeting in one environment, or the flag itself.

    Where the environment asks for approval, or an agent changes a critical one, the answer is a change request. What a
    flag is everywhere changes at once; an agent that would change what a critical environment serves so is refused (409
    `approval-needed`). An instruction that does not fit is 422 with its place; an archived flag takes `restoreFlag`
    alone (409); prerequisites that would wait for each other in a circle are 409; so is what breaks a check that is
    enforced (`flags.checks`), and a version of `versions` that moved (`stale`, with the `current` flag).
    """
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    _require_unmoved(tx, project, flag, args.versions or {})
    if args.bypass:
        approvals.require_bypass(tx)
    if args.environment is None:
        diff = submit.change_flag(
            tx, project, flag, args.instructions, args.comment or "", bypass=bool(args.bypass)
        )
        became = ChangeOutcome("applied" if diff else "unchanged", diff)
    else:
        place = access.place(tx, project, args.environment)
        asked = RequestedChange("flag", flag["key"], args.instructions, args.comment or "")
        became = submit.change_targeting(tx, place, asked, bypass=bool(args.bypass))
    answer = FlagUpdate(
        outcome=became.outcome,
        flag=answers.flag(tx, project, flag["key"]),
        diff={args.environment or "flag": became.diff} if became.diff else {},
        change=became.change,
    )
    return done(args, answer)


def _require_unmoved(tx: Read, project: FlagProjectRow, flag: FlagRow, versions: dict[str, int]) -> None:
    """Raises Stale where the flag moved on from what the caller read."""
    if not versions:
        return
    now = {"flag": flag["version"]} | {
        row["key"]: row["version"]
        for row in tx.all(
            "select e.key, c.version from flag_config c join flag_environment e on e.id = c.environment"
            " where c.flag = :flag",
            flag=flag["id"],
        )
    }
    moved = sorted(name for name, version in versions.items() if now.get(name) != version)
    if moved:
        raise Stale(
            f"The flag moved on in {', '.join(moved)}; look at it again.",
            current=answers.flag(tx, project, flag["key"]),
        )
