"""Customers as subjects: whoever works at their desks sees them."""

from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read
from kbwork.modules.desk.access import CUSTOMER_SEEN


def _find(tx: Read, ref: str) -> Subject | None:
    number = whole_number(ref)
    row = tx.one(
        f"select c.* from customer c where c.id = :id and {CUSTOMER_SEEN}",
        CustomerRow,
        id=number,
        **visibility.binds(tx),
    )
    if row is None:
        return None
    state = "blocked" if row["blocked_at"] is not None else None
    return Subject(f"customer:{row['id']}", "customer", row["name"], f"/customers/{row['id']}", state)


CUSTOMER = Thing(
    name="customer",
    scope="issues:read",
    home=__name__,
    seen=f"exists (select 1 from customer c where c.id = cast(:ref as integer) and {CUSTOMER_SEEN})",
    find=_find,
    rests_on=frozenset({"desk"}),
)
