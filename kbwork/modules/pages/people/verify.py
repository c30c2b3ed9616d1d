"""Pages that count as checked until a time, and telling their owners when that is over."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict
from kbwork.base.model import Input, Int
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations.declare import write
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import Page, PageRef, PageVerified

DAYS = 90
_DAY_S = 86_400
_EVERY_S = 60
_AT_ONCE = 100
_OVER = (
    "p.verified_until <= :now and p.deleted_at is null and p.archived_at is null"
    " and not exists (select 1 from page_lapse l where l.page = p.id and l.until = p.verified_until)"
)


class PagesVerify(Input):
    id: PageRef
    days: Annotated[Int, Field(ge=0, le=3650)] | None = None
    """For so many days it counts as checked, 90 unless given; 0 takes it back."""


@write(
    "pages.verify",
    scope="pages:write",
    words="mark a page as checked, this article is up to date, approve a document, verify content, still correct",
    emits=[PageVerified],
    example={"id": "HAND/welcome", "days": 90},
)
def verify(tx: Write, args: PagesVerify) -> Page:
    """Say that a page is right as it stands, for so many days. Then its owner is told to look at it again.

    What is changed meanwhile leaves that as it is: a slip of the pen costs no check. For whoever may edit it (403); a
    page that was never published has nothing to be checked (409).
    """
    row = access.editable(tx, args.id)
    if row["state"] == "draft":
        raise Conflict("This page was never published: there is nothing that readers could rely on.")
    days = DAYS if args.days is None else args.days
    until = tx.now + days * _DAY_S if days else None
    who = tx.caller.actor if days else None
    if (row["verified_until"], row["verified_by"]) != (until, who):
        tx.update("page", row["id"], verified_until=until, verified_by=who)
        changes = {"verified_until": (row["verified_until"], until), "verified_by": (row["verified_by"], who)}
        seq = tx.emit(
            PageVerified(
                subject=f"page:{row['id']}",
                payload=queries.told(tx, row, over=False),
                changes={name: sides for name, sides in changes.items() if sides[0] != sides[1]},
            )
        )
        tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    return queries.one(tx, row["id"])


def _any_over(tx: Read) -> bool:
    return tx.one(f"select 1 from page p where {_OVER} limit 1", now=tx.now) is not None


def _tell(tx: Write) -> None:
    rows = tx.all(
        f"select p.* from page p where {_OVER} order by p.verified_until, p.id limit :most",
        PageRow,
        now=tx.now,
        most=_AT_ONCE,
    )
    for row in rows:
        tx.execute(
            "insert into page_lapse (page, until) values (:page, :until)"
            " on conflict (page) do update set until = :until",
            page=row["id"],
            until=row["verified_until"],
        )
        tx.emit(PageVerified(subject=f"page:{row['id']}", payload=queries.told(tx, row, over=True)))


LAPSE = Schedule(name="pages.lapse", home=__name__, every_s=_EVERY_S, run=_tell, due=_any_over)
