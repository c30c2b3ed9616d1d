"""Issues that are like another one, and what mentions it."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Input, Int, Text
from kbwork.core import visibility
from kbwork.core.operation import read
from kbwork.db.tx import Read, Row
from kbwork.modules import search
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects

_MOST_BACKLINKS = 200
_ABOUT = 160


class Similar(TypedDict):
    """An issue, and how like it is: 1 where it has all the words."""

    issue: Issue
    score: float


class IssuesSimilar(Input):
    key: Text | None = None
    """An issue that is there; or say a title."""
    title: Text | None = None
    body: Body | None = None
    project: Text | None = None
    """Only issues of this one."""
    limit: Annotated[Int, Field(ge=1, le=50)] | None = None
    """5 unless given."""


@read("issues.similar", scope="issues:read", threaded=True, example={"title": "The cart forgets vouchers"})
def similar(tx: Read, args: IssuesSimilar) -> list[Similar]:
    """Find issues that say the same, best first: duplicates before they are made.

    Words of the title count most; an issue with less than a fifth of them is none. Only what you see is found,
    archived ones too.
    """
    if (args.key is None) == (args.title is None):
        raise InvalidInput("Name one of `key` and `title`.", field="key")
    row = access.issue(tx, args.key) if args.key is not None else None
    title, body = (row["title"], row["body"]) if row is not None else (args.title or "", args.body or "")
    project = projects.project(tx, args.project)["id"] if args.project else None
    but = row["id"] if row is not None else None
    scores = dict(search.alike(tx, title, body, but=but, project=project)[: args.limit or 5])
    shown = {issue["id"]: issue for issue in queries.shown(tx, [queries.stored(tx, one) for one in scores])}
    return [Similar(issue=shown[one], score=score) for one, score in scores.items()]


class Backlink(TypedDict):
    """Something that mentions the issue."""

    subject: str
    title: str
    excerpt: str


class IssuesBacklinks(Input):
    key: Text


@read("issues.backlinks", scope="issues:read", threaded=True, example={"key": "WEB-1"})
def backlinks(tx: Read, args: IssuesBacklinks) -> list[Backlink]:
    """List the issues and comments that mention an issue by its key or a former one, the newest first, 200 at most."""
    row = access.issue(tx, args.key)
    keys = tx.column(
        "select k.key || '-' || n.number from (select project, number from issue where id = :id union all"
        " select project, number from former_number where issue = :id) n join project_key k on k.project = n.project",
        id=row["id"],
    )
    found = search.mentioning(tx, keys, _MOST_BACKLINKS)
    return [_shown(tx, one, keys) for one in found if (one["kind"], one["id"]) != ("issue", row["id"])]


def _shown(tx: Read, row: Row, keys: list[str]) -> Backlink:
    subject = visibility.find(tx, f"issue:{row['issue']}")
    assert subject is not None
    text = " ".join(row["text"].split())
    at = min((place for key in keys if (place := text.upper().find(key)) >= 0), default=0)
    start = max(0, at - _ABOUT // 2)
    return Backlink(
        subject=f"{row['kind']}:{row['id']}", title=subject.title, excerpt=text[start : start + _ABOUT]
    )
