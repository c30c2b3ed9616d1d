"""What mentions an issue."""

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import IssueRef
from kbwork.db.tx import Read, Row
from kbwork.modules import search
from kbwork.modules.issues import access
from kbwork.modules.issues.ports import IssueMentions
from kbwork.modules.issues.relations.named_in_texts import KEYS

_MOST_BACKLINKS = 200


_ABOUT = 160


class Backlink(TypedDict):
    """Something that mentions the issue."""

    subject: str
    """What mentions it: `issue:<n>`, `comment:<id>` or `page:<id>`."""
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
    """List what mentions an issue by its key or a former one: issues and comments, the newest first, then pages.

    200 at most are issues and comments, and as many pages.
    """
    row = access.get(tx, args.key)
    keys = tx.column(KEYS, id=row["id"])
    found = search.mentioning(tx, keys, _MOST_BACKLINKS)
    named = [
        _shown(tx, one, keys)
        for one in found
        if (one["kind"], one["id"]) != ("issue", row["id"]) and visibility.holds(tx, one["kind"])
    ]
    for mentions in tx.registry.of(IssueMentions):
        named += [
            Backlink(subject=one.subject, title=one.title, excerpt=one.excerpt)
            for one in mentions.of(tx, row["id"], _MOST_BACKLINKS)
        ]
    return named


def _shown(tx: Read, row: Row, keys: list[str]) -> Backlink:
    subject = visibility.find(tx, f"issue:{row['issue']}")
    assert subject is not None
    text = " ".join(row["text"].split())
    at = min((place for key in keys if (place := text.upper().find(key)) >= 0), default=0)
    start = max(0, at - _ABOUT // 2)
    return Backlink(
        subject=f"{row['kind']}:{row['id']}", title=subject.title, excerpt=text[start : start + _ABOUT]
    )
