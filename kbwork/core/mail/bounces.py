"""Mail that came back: told by a mail server that refuses an address, or by a report about a letter of ours (RFC 3464).

A report counts for a letter that it names by its Message-ID, which only its reader and the servers on the way know, and
for the address that the letter went to: nobody makes one up to silence another.
"""

import re

from kbwork.base.patterns import pattern
from kbwork.core.mail import suppression
from kbwork.db.tx import Read, Write

_STATUS = pattern(r"(?<![\d.])5\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_FAILED = pattern(r"^action:\s*failed", re.IGNORECASE | re.MULTILINE)
_FOR_NOW = pattern(r"(?<![\d.])4\.\d{1,3}\.\d{1,3}(?![\d.])")
_MESSAGE = pattern(r"<[^<>\s]{5,200}@[^<>\s]{1,200}>")
_OURS = pattern(r"relay|authenti|sender|spam|policy|blocked|blacklist|rate|quota|full", re.IGNORECASE)
_MOST_CHARS = 200_000
_MOST_MESSAGES = 50


def is_of_address(code: int, said: str) -> bool:
    """Whether a recipient that is refused for good is no address, rather than one that takes nothing from us, or now:
    the enhanced status says it (RFC 3463), or the words."""
    if (status := _STATUS.search(said)) is not None:
        return (status[1] == "1" and status[2] not in ("7", "8")) or (status[1], status[2]) == ("2", "1")
    return code in (550, 551, 553, 554) and _OURS.search(said) is None


def heard(tx: Write, text: str) -> bool:
    """Take in what may be a report that a letter came back for good; answers whether it was one."""
    found = _letter(tx, text[:_MOST_CHARS])
    if found is None:
        return False
    suppression.suppress(tx, *found)
    return True


def _letter(tx: Read, text: str) -> tuple[str, str] | None:
    """The address that is no more, and why."""
    status = _STATUS.search(text)
    if status is None and (_FAILED.search(text) is None or _FOR_NOW.search(text) is not None):
        return None
    if status is not None and not is_of_address(550, status[0]):
        return None
    for message in dict.fromkeys(_MESSAGE.findall(text)[:_MOST_MESSAGES]):
        address: str | None = tx.value("select address from mail where message_id = :id", id=message)
        if address is not None:
            return address, f"It came back: {status[0] if status is not None else 'delivery failed'}"
    return None
