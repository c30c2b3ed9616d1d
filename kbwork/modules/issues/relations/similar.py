"""Issues that are like another one."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Body, Input, Int, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules import search
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import Issue
from kbwork.modules.projects import access as projects


class Similar(TypedDict):
    """An issue, and how like it is: 1 where it has all the words."""

    issue: Issue
    """An issue that is alike."""
    score: float
    """How like it is, 0 to 1; 1 where it has all the words."""


class IssuesSimilar(Input):
    key: Text | None = None
    """An issue that is there; or say a title."""
    title: Text | None = None
    """Title to compare with."""
    body: Body | None = None
    """Text to compare with, beside the title."""
    project: Text | None = None
    """Only issues of this one."""
    limit: Annotated[Int, Field(ge=1, le=50)] | None = None
    """5 unless given."""


@read(
    "issues.similar",
    scope="issues:read",
    words=(
        "is there already a ticket, find duplicates, same problem reported before, "
        "already reported, known bug, existing issue, look alike"
    ),
    threaded=True,
    example={"title": "The cart forgets vouchers"},
)
def similar(tx: Read, args: IssuesSimilar) -> list[Similar]:
    """Find issues that say the same, best first: duplicates before they are made.

    Words of the title count most; an issue with less than a fifth of them is none. Only what you see is found,
    archived ones too.
    """
    if (args.key is None) == (args.title is None):
        raise InvalidInput("Name one of `key` and `title`.", field="key")
    row = access.get(tx, args.key) if args.key is not None else None
    title, body = (row["title"], row["body"]) if row is not None else (args.title or "", args.body or "")
    project = projects.project(tx, args.project)["id"] if args.project else None
    but = row["id"] if row is not None else None
    scores = dict(search.alike(tx, title, body, but=but, project=project)[: args.limit or 5])
    shown = {issue["id"]: issue for issue in queries.shown(tx, [queries.stored(tx, one) for one in scores])}
    return [Similar(issue=shown[one], score=score) for one, score in scores.items()]
