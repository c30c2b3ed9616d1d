"""The customer who calls."""

from kbwork.base.errors import Unauthenticated
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read


def me(tx: Read) -> CustomerRow:
    """Raises Unauthenticated where they were shut out in between."""
    ident = tx.caller.customer
    row = tx.stored("customer", [ident]) if ident is not None else None
    if row is None or row["blocked_at"] is not None:
        raise Unauthenticated("Sign in to the portal: desk.portal_login.")
    return row
