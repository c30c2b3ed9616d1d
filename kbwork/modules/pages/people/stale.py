"""Pages that nobody looks after: not changed, not opened, or past the time for which they were checked."""

from kbwork.core.access import visibility
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Read
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.people import visits
from kbwork.modules.spaces import PageSummary

_MOST = 500
_UNCHANGED = "p.updated_at < :before and coalesce(p.verified_until, 0) <= :now"
_UNREAD = (
    "p.created_at < :before and coalesce((select o.day from page_opened o where o.page = p.id), 0) < :first"
)
_STALE = f"(p.verified_until <= :now or ({_UNCHANGED}) or ({_UNREAD}))"


def stale(tx: Read, space: SpaceRow, days: int) -> list[PageSummary]:
    """Those of a space that the caller sees, changed longest ago first."""
    if not visibility.holds(tx, "page"):
        return []
    rows = tx.all(
        "select p.* from page p where p.space = :space and p.archived_at is null and p.state = 'published'"
        f" and {_STALE} and {access.SEEN} order by p.updated_at, p.id limit :most",
        PageRow,
        space=space["id"],
        now=tx.now,
        before=tx.now - days * visits.DAY_S,
        first=visits.first_day(tx, days),
        most=_MOST,
        **visibility.binds(tx),
    )
    return queries.summaries(tx, rows)
