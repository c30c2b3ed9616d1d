"""The link by which a customer rates a request: signed, for whoever asked alone, and good for a month."""

from typing import NamedTuple

from kbwork.base.errors import NotFound
from kbwork.base.text import whole_number
from kbwork.core import signed_links
from kbwork.core.ports import mail
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read
from kbwork.modules.desk.requests import rows
from kbwork.modules.desk.requests.rows import OwnRequest

LIVES_S = 30 * 86400
"""So long after it was closed a request is rated."""
_PURPOSE = "survey"
ENDED = "This link is over or mistyped: write on the request how it went."


class RatedRequest(NamedTuple):
    """A closed request, when it was closed, and whoever asked."""

    request: OwnRequest
    done_at: int
    customer: CustomerRow


def token(tx: Read, request: OwnRequest) -> str:
    """What opens the rating of a request for whoever asked."""
    return signed_links.sign_for_good(tx, _PURPOSE, str(request.issue["id"]), str(request.row["customer"]))


def address(tx: Read, request: OwnRequest) -> str:
    """Where it is rated."""
    return f"{mail.origin(tx)}/portal/survey?token={token(tx, request)}"


def opened(tx: Read, text: str) -> RatedRequest:
    """What a token opens now. Raises NotFound, the same for every other one."""
    named = signed_links.verify_for_good(tx, _PURPOSE, text)
    numbers = [whole_number(one) for one in named] if named is not None else []
    found = _closed(tx, *numbers) if len(numbers) == 2 else None
    if found is None:
        raise NotFound(ENDED)
    return found


def of_request(tx: Read, request: OwnRequest, customer: int) -> RatedRequest | None:
    """The request as this customer rates it; None where they may not, or not now."""
    return _closed(tx, request.issue["id"], customer)


def _closed(tx: Read, issue: int | None, customer: int | None) -> RatedRequest | None:
    """None where it is open, of others, out of sight, or closed too long ago, and where nobody is asked."""
    who = tx.stored("customer", [customer]) if customer is not None else None
    if issue is None or who is None or who["blocked_at"] is not None:
        return None
    try:
        request = rows.find(tx, who["id"], f"issue:{issue}")
    except NotFound:
        return None
    done_at = request.issue["done_at"]
    if not request.desk["survey"] or request.row["customer"] != who["id"]:
        return None
    if request.issue["category"] != "done" or done_at is None or tx.now > done_at + LIVES_S:
        return None
    return RatedRequest(request, done_at, who)
