"""`{{...}}` in canned replies: what may stand there, and what becomes of it. Customers read what is filled in, so it
says no more than the portal shows them."""

import re
from collections.abc import Callable

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean
from kbwork.core import zones
from kbwork.core.ports import mail
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.desk.requests import rows
from kbwork.modules.desk.requests.rows import OwnRequest
from kbwork.modules.workflows import lanes

_PLACE = re.compile(r"\{\{\s*([^{}]{0,100}?)\s*\}\}")


def _customer(tx: Read, request: OwnRequest) -> str:
    return str(tx.value("select name from customer where id = :id", id=request.row["customer"]))


def _type(tx: Read, request: OwnRequest) -> str:
    return tx.value("select name from request_type where id = :id", id=request.row["type"]) or ""


_FILLED: dict[str, Callable[[Read, OwnRequest], str]] = {
    "key": lambda tx, request: issues.key_of(tx, request.issue),
    "title": lambda tx, request: request.issue["title"],
    "status": lambda tx, request: lanes.one(tx, request.issue["lane"])["name"],
    "request_type": _type,
    "desk": lambda tx, request: request.desk["name"],
    "link": lambda tx, request: f"{mail.origin(tx)}/portal/requests/{issues.key_of(tx, request.issue)}",
    "customer.name": _customer,
    "customer.first_name": lambda tx, request: _customer(tx, request).split()[0],
    "me.name": lambda tx, request: rows.name_of(tx, tx.caller.me(), request.desk),
    "today": lambda tx, request: zones.today(tx).isoformat(),
}


def require_known(text: str) -> None:
    """Raises InvalidInput for a placeholder that is none."""
    for place in _PLACE.finditer(text):
        if place[1] not in _FILLED:
            near = did_you_mean(place[1], _FILLED, "{{{{{}}}}}".format)
            raise InvalidInput(
                f"There is no placeholder {{{{{place[1]}}}}}.{near}",
                field="text",
                allowed=[f"{{{{{name}}}}}" for name in _FILLED],
            )


def filled(tx: Read, text: str, request: OwnRequest) -> str:
    """The text for this request; what fills a place is not looked at for more of them."""
    return _PLACE.sub(lambda place: _FILLED[place[1]](tx, request), text)
