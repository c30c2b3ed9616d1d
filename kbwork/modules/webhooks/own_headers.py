"""Headers that a webhook's requests carry besides ours: their values are secrets."""

import json
import re
from collections.abc import Mapping

from kbwork.base.errors import InvalidInput
from kbwork.core.seal import Seal
from kbwork.db.rows import WebhookRow
from kbwork.db.tx import Read

MOST = 20
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE = re.compile(r"[!-~](?:[ -~]{0,1998}[!-~])?")
_OURS = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
    }
)
_MEND = "Give the headers of this webhook again: webhooks.save."


def checked(given: Mapping[str, str | None], kept: Mapping[str, str]) -> dict[str, str]:
    """Names and values; null stands for the value that is kept. Raises InvalidInput."""
    names = [name.lower() for name in given]
    found: dict[str, str] = {}
    for name, value in given.items():
        place = f"headers.{name}"
        if not _NAME.fullmatch(name):
            raise InvalidInput("A name of a header has letters, digits and `-`.", field="headers")
        if names.count(name.lower()) > 1:
            raise InvalidInput(f"{name} is there twice; case makes no other header.", field=place)
        if name.lower() in _OURS or name.lower().startswith("x-kb-"):
            raise InvalidInput(f"{name} is set by the server itself: choose another name.", field=place)
        if value is None and name not in kept:
            raise InvalidInput(f"No value of {name} is kept for this address: give one.", field=place)
        if value is not None and not _VALUE.fullmatch(value):
            raise InvalidInput(
                "A value has 1 to 2,000 signs of ASCII on one line, with no blank at its ends.", field=place
            )
        found[name] = kept[name] if value is None else value
    return found


def sealed(tx: Read, webhook: int, headers: Mapping[str, str]) -> bytes | None:
    return Seal(tx.secret).seal(json.dumps(headers).encode(), _place(webhook)) if headers else None


def of(tx: Read, row: WebhookRow) -> dict[str, str]:
    """Raises MasterKeyLost."""
    if row["headers"] is None:
        return {}
    found: dict[str, str] = json.loads(Seal(tx.secret).open(row["headers"], _place(row["id"]), _MEND))
    return found


def _place(webhook: int) -> str:
    return f"webhook:{webhook}:headers"
