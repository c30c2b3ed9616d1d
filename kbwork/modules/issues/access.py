"""The issues that the caller sees, and who may change, move, comment on and delete one.

The condition on which one is seen, `ISSUE_SEEN`, is in `projects/issue_access.py`: counts of projects need it too.
"""

from kbwork.base.errors import NotAllowed
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.db.rows import IssueRow, ProjectRow
from kbwork.db.tx import Read
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.projects import access as projects


def get(tx: Read, key: str) -> IssueRow:
    """The issue with this key, former key, `issue:<n>` or number. Raises NotFound where the caller does not see it."""
    return named.seen(find(tx, key), "issue", key)


def of_key(tx: Read, key: str) -> int | None:
    """The internal number of the issue with this key; its project may have gone by another. None where the caller sees
    none."""
    name, _, digits = key.strip().upper().rpartition("-")
    project, number = projects.by_key(tx).get(name), whole_number(digits)
    if project is None or number is None:
        return None
    found: int | None = tx.value(
        f"select i.id from issue i where i.project = :project and i.number = :number and {ISSUE_SEEN}",
        project=project,
        number=number,
        **visibility.binds(tx),
    )
    return found


def find(tx: Read, key: str) -> IssueRow | None:
    """As `get`, or None."""
    ident = ident_of(tx, key)
    if ident is None:
        return None
    return tx.one(
        f"select i.* from issue i where i.id = :id and {ISSUE_SEEN}",
        IssueRow,
        id=ident,
        **visibility.binds(tx),
    )


def is_seen_by(tx: Read, who: str, issue: int) -> bool:
    """Whether this member sees the issue, with all that their role may."""
    theirs = visibility.as_member(tx, who)
    found = theirs.value(
        f"select 1 from issue i where i.id = :id and {ISSUE_SEEN}", id=issue, **visibility.binds(theirs)
    )
    return found is not None


def ident_of(tx: Read, key: str) -> int | None:
    """The internal number behind a key, a former key (of issue or project), `issue:<n>` or `issue:WEB-1`."""
    text = key.strip().upper().removeprefix("ISSUE:")
    if (ident := whole_number(text)) is not None:
        return ident
    project, dash, digits = text.rpartition("-")
    number = whole_number(digits)
    if not dash or number is None:
        return None
    found: int | None = tx.value(
        "select coalesce(i.id, f.issue) from project_key k"
        " left join issue i on i.project = k.project and i.number = :number"
        " left join former_number f on f.project = k.project and f.number = :number where k.key = :key",
        key=project,
        number=number,
    )
    return found


def edits(tx: Read, row: IssueRow, role: projects.Role | None) -> bool:
    """Members of the project edit all its issues, its reporters their own; nobody edits an archived one."""
    return role in ("lead", "member") or (role == "reporter" and row["reporter"] == tx.caller.member)


def moves(role: projects.Role | None) -> bool:
    """Members of the project say where its issues are and what becomes of them; its reporters write their own."""
    return role in ("lead", "member")


def comments(row: IssueRow, role: projects.Role | None) -> bool:
    """Members and reporters comment; a locked issue takes comments from leads only, an archived one likewise."""
    if row["locked"] or row["archived_at"] is not None:
        return role == "lead"
    return role in ("lead", "member", "reporter")


def deletes(tx: Read, row: IssueRow, role: projects.Role | None) -> bool:
    """Leads delete any issue, members what they reported; guests none."""
    own = row["reporter"] == tx.caller.member and not tx.caller.guest
    return role == "lead" or (role == "member" and own)


def may_edit(tx: Read, row: IssueRow) -> bool:
    """`edits`, with the caller's role."""
    return edits(tx, row, projects.role_in(tx, row["project"]))


def may_comment(tx: Read, row: IssueRow) -> bool:
    """`comments`, with the caller's role."""
    return comments(row, projects.role_in(tx, row["project"]))


def may_delete(tx: Read, row: IssueRow) -> bool:
    """`deletes`, with the caller's role."""
    return deletes(tx, row, projects.role_in(tx, row["project"]))


def may_move(tx: Read, row: IssueRow) -> bool:
    """`moves`, with the caller's role."""
    return moves(projects.role_in(tx, row["project"]))


def require_edit(tx: Read, row: IssueRow, key: str) -> None:
    """Raises NotAllowed naming the role that is missing."""
    if not may_edit(tx, row):
        raise NotAllowed(f"You may see {key} and not change it: that needs the role member in its project.")


def require_move(tx: Read, row: IssueRow, key: str) -> None:
    """Raises NotAllowed naming the role that is missing."""
    require_edit(tx, row, key)
    if not may_move(tx, row):
        raise NotAllowed(f"You may edit {key}, but this needs the role member in its project.")


def require_maker(tx: Read, project: ProjectRow) -> None:
    """The caller may make issues in this project. Raises NotAllowed, or Conflict where it is archived."""
    if not projects.at_least(tx, project["id"], "reporter"):
        raise NotAllowed(
            f"You may see {project['key']} and make no issues in it: that needs the role reporter."
        )
    projects.require_open(project)
