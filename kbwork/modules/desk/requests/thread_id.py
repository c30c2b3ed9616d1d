"""What tells letters of a request from others: a word in their headers and in the address that answers go to.

It is signed, so that nobody makes one up for a request of which no letter was sent to them.
"""

import hashlib
import hmac
import re

from kbwork.db.tx import Read

_MAC_SIGNS = 20
_WORD = re.compile(r"<?request-(\d{1,15})\.([0-9a-f]{20})@")
_PLUS = re.compile(r"\+r(\d{1,15})\.([0-9a-f]{20})@")


def word(tx: Read, issue: int) -> str:
    """The thread of the letters of a request."""
    return f"request-{issue}.{_mac(tx, issue)}"


def reply_to(tx: Read, address: str | None, issue: int) -> str | None:
    """The desk's address for answers, with the request in it."""
    if address is None:
        return None
    local, at, host = address.rpartition("@")
    return f"{local.partition('+')[0]}+r{issue}.{_mac(tx, issue)}{at}{host}"


def named(tx: Read, texts: list[str]) -> int | None:
    """The request that headers name, or addresses that a mail went to."""
    for text in texts:
        for pattern in (_WORD, _PLUS):
            for issue, mac in pattern.findall(text.lower()):
                if hmac.compare_digest(mac, _mac(tx, int(issue))):
                    return int(issue)
    return None


def bare(address: str) -> str:
    """An address without what stands behind a plus."""
    local, at, host = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{host}"


def _mac(tx: Read, issue: int) -> str:
    return hmac.new(tx.secret, f"desk request\0{issue}".encode(), hashlib.sha256).hexdigest()[:_MAC_SIGNS]
