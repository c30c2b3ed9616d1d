"""The pages of a space that nobody looks after."""

from typing import Annotated

from pydantic import Field

from kbwork.base.model import Input, Int
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.spaces import access
from kbwork.modules.spaces.model import SpaceRef
from kbwork.modules.spaces.ports import PageSummary, content

DAYS = 180


class SpacesStale(Input):
    key: SpaceRef
    days: Annotated[Int, Field(ge=1, le=3650)] | None = None
    """For so many days nobody changed or opened them; left out: the `review_days` of the space, or 180."""


@read(
    "spaces.stale",
    scope="pages:read",
    words="outdated pages, old documents, pages that nobody reads, what needs a review, clean up a wiki, stale docs",
    threaded=True,
    example={"key": "HAND", "days": 180},
)
def stale(tx: Read, args: SpacesStale) -> list[PageSummary]:
    """List the published pages of a space that nobody changed for so many days, nobody opened for as long, or whose
    check is over, those that were changed longest ago first.

    A page that counts as checked is not listed for its age, but where nobody opens it. Archived pages are left out;
    500 at most are answered.
    """
    row = access.space(tx, args.key)
    return content(tx).stale(tx, row, args.days or row["review_days"] or DAYS)
