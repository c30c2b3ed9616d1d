"""What mentions an issue."""

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read, Row
from kbwork.modules import search
from kbwork.modules.issues import access

_MOST_BACKLINKS = 200


_ABOUT = 160


class Backlink(TypedDict):
    """Something that mentions the issue."""

    subject: str
    """What mentions it: `issue:<n>` or `comment:<id>`."""
    title: str
    """Title of what mentions it."""
    excerpt: str
    """The text around the mention."""


class IssuesBacklinks(Input):
    key: IssueRef


@read(
    "issues.backlinks",
    scope="issues:read",
    words="where is this issue mentioned, what refers to this, references, who links here",
    threaded=True,
    example={"key": "WEB-1"},
)
def backlinks(tx: Read, args: IssuesBacklinks) -> list[Backlink]:
    """List the issues and comments that mention an issue by its key or a former one, the newest first, 200 at most."""
    row = access.get(tx, args.key)
    keys = tx.column(
        "select k.key || '-' || n.number from (select project, number from issue where id = :id union all"
        " select project, number from former_number where issue = :id) n join project_key k on k.project = n.project",
        id=row["id"],
    )
    found = search.mentioning(tx, keys, _MOST_BACKLINKS)
    return [
        _shown(tx, one, keys)
        for one in found
        if (one["kind"], one["id"]) != ("issue", row["id"]) and visibility.holds(tx, one["kind"])
    ]


def _shown(tx: Read, row: Row, keys: list[str]) -> Backlink:
    subject = visibility.find(tx, f"issue:{row['issue']}")
    assert subject is not None
    text = " ".join(row["text"].split())
    at = min((place for key in keys if (place := text.upper().find(key)) >= 0), default=0)
    start = max(0, at - _ABOUT // 2)
    return Backlink(
        subject=f"{row['kind']}:{row['id']}", title=subject.title, excerpt=text[start : start + _ABOUT]
    )
