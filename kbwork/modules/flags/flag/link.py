"""Flags and the issues that they belong to."""

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.flags import access
from kbwork.modules.flags.definition import store
from kbwork.modules.flags.dry_run import Tried, done
from kbwork.modules.flags.model import FlagLinked, FlagProjectRef, FlagRef, Ref
from kbwork.modules.projects import ISSUE_SEEN

_MOST = 100


class FlagsLink(Tried):
    project: FlagProjectRef
    key: FlagRef
    issue: Ref
    """Key of an issue."""
    on: bool
    """Whether it belongs to the flag from now on, or no more."""


@write(
    "flags.link",
    scope="flags:write",
    words="link a flag to an issue, connect a flag with a ticket, which ticket is the flag for",
    undo="link it again, or take the link away",
    emits=[FlagLinked],
    example={"project": "web", "key": "checkout", "issue": "WEB-1", "on": True},
)
def link(tx: Write, args: FlagsLink) -> list[str]:
    """Say that a flag belongs to an issue, or no more. Answers the keys of the issues that you see on it.

    A flag has at most 100 (422). Asking for what is so already changes nothing.
    """
    project = access.editable_project(tx, args.project)
    flag = access.flag(tx, project, args.key)
    if "issues:read" not in tx.caller.scopes:
        raise NotFound(f"There is no issue {args.issue} that you can see: the key lacks issues:read.")
    issue = issues.get(tx, f"issue:{args.issue}")
    place = (flag["id"], issue["id"])
    held = tx.stored("flag_issue", list(place)) is not None
    if args.on and not held:
        attach(tx, project, flag, issue["id"], field="issue")
    elif held and not args.on:
        tx.delete("flag_issue", place)
        _tell(tx, project, flag, issue["id"], on=False)
    return done(args, linked(tx, flag["id"]))


def attach(tx: Write, project: FlagProjectRow, flag: FlagRow, issue: int, *, field: str) -> None:
    """An issue that is not on a flag belongs to it from now on.

    Raises InvalidInput at `field` where the flag has as many as it may.
    """
    if tx.value("select count(*) from flag_issue where flag = :id", id=flag["id"]) >= _MOST:
        raise InvalidInput(f"A flag belongs to at most {_MOST} issues.", field=field)
    tx.insert("flag_issue", flag=flag["id"], issue=issue)
    _tell(tx, project, flag, issue, on=True)


def _tell(tx: Write, project: FlagProjectRow, flag: FlagRow, issue: int, *, on: bool) -> None:
    tx.emit(FlagLinked(subject=store.name_of(project, flag), payload={"issue": issue, "on": on}))


def linked(tx: Read, flag: int) -> list[str]:
    """The keys of the issues that the caller sees on a flag."""
    if "issues:read" not in tx.caller.scopes:
        return []
    return tx.column(
        "select p.key || '-' || i.number from flag_issue f join issue i on i.id = f.issue"
        f" join project p on p.id = i.project where f.flag = :flag and {ISSUE_SEEN} order by i.id",
        flag=flag,
        **visibility.binds(tx),
    )
