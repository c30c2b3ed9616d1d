"""The text of an issue as it was: every title and body that it had."""

import difflib
from typing import NotRequired

from typing_extensions import TypedDict

from kbwork.base.errors import NotFound
from kbwork.base.model import Id, Input
from kbwork.core.operations import nested
from kbwork.core.operations.declare import read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRevisionRow, IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, preconditions, queries
from kbwork.modules.issues.events import IssueParentChanged, IssueUpdated
from kbwork.modules.issues.issue.update import update
from kbwork.modules.issues.model import Issue

MOST = 200
_MOST_LINES = 3000


class Revision(TypedDict):
    """Title and body as somebody wrote them. `diff` is the way from the asked revision to this one."""

    revision: int
    """Number of the revision, from 1."""
    at: int
    """When it was written, in Unix seconds."""
    who: str
    """Who wrote it: a member's id or `agent:<name>`."""
    title: str
    """Title as it was."""
    body: str
    """Description as it was, in Markdown."""
    diff: NotRequired[str | None]
    """Unified diff from the asked revision to this one; null where a text is too long."""


class IssuesRevisions(Input):
    key: IssueRef
    diff: Id | None = None
    """The revision to compare each one with."""


@read(
    "issues.revisions",
    scope="issues:read",
    words=(
        "earlier versions of the description, old text, diff of the description, "
        "what did it say before, text history, edits"
    ),
    threaded=True,
    example={"key": "WEB-1", "diff": 1},
)
def revisions(tx: Read, args: IssuesRevisions) -> list[Revision]:
    """List the texts that an issue had, the present one first and the 200 latest at most.

    The first revision is what its maker wrote. With `diff` each comes with a unified diff of title and body, or null
    where one of the two has more than 3,000 lines.
    """
    row = access.get(tx, args.key)
    found = _all(tx, row)
    if args.diff is not None:
        base = _one(found, args.diff)
        for revision in found:
            revision["diff"] = _diff(base, revision)
    return found


class IssuesRevisionRestore(Input):
    key: IssueRef
    revision: Id
    """Number of the revision to bring back."""


@write(
    "issues.revision_restore",
    scope="issues:write",
    words=(
        "bring the old description back, revert the text, undo an edit of the description, "
        "overwritten description"
    ),
    emits=[IssueUpdated, IssueParentChanged],
    example={"key": "WEB-1", "revision": 1},
)
def revision_restore(tx: Write, args: IssuesRevisionRestore) -> Issue:
    """Bring title and body back as they were in a revision; what was there since stays a revision.

    The rich form of the text is not kept in revisions: it is cleared, and shown from the Markdown.
    """
    row = preconditions.changeable(tx, args.key)
    wanted = _one(_all(tx, row), args.revision)
    key = f"issue:{row['id']}"
    nested.run(tx, update, {"key": key, "title": wanted["title"], "body": wanted["body"]})
    return queries.one(tx, row["id"])


def _all(tx: Read, row: IssueRow) -> list[Revision]:
    """The latest first. A row of the table is a text and who wrote over it, when."""
    kept = tx.all(
        "select * from (select * from issue_revision where issue = :id order by revision desc limit :most)"
        " order by revision",
        IssueRevisionRow,
        id=row["id"],
        most=MOST,
    )
    found = []
    who, at = row["created_by"], row["created_at"]
    if kept and kept[0]["revision"] > 1:  # who wrote the first that is shown stands on the one before
        who, at = kept[0]["who"], kept[0]["at"]
        del kept[0]
    for one in kept:
        found.append(Revision(revision=one["revision"], at=at, who=who, title=one["title"], body=one["body"]))
        who, at = one["who"], one["at"]
    number = found[-1]["revision"] + 1 if found else 1
    found.append(Revision(revision=number, at=at, who=who, title=row["title"], body=row["body"]))
    return found[::-1]


def _one(found: list[Revision], number: int) -> Revision:
    for revision in found:
        if revision["revision"] == number:
            return revision
    raise NotFound(f"There is no revision {number} among the {MOST} latest; issues.revisions shows them.")


def _diff(base: Revision, other: Revision) -> str | None:
    before, after = _lines(base), _lines(other)
    if max(len(before), len(after)) > _MOST_LINES:
        return None
    names = f"revision {base['revision']}", f"revision {other['revision']}"
    return "\n".join(difflib.unified_diff(before, after, *names, lineterm=""))


def _lines(revision: Revision) -> list[str]:
    return [revision["title"], "", *revision["body"].splitlines()]
