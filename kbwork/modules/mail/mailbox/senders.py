"""Whom a mailbox hears, by address and domain."""

import json

from kbwork.core.mail.suppression import key_of
from kbwork.db.rows import MailboxRow


def is_heard(box: MailboxRow, address: str) -> bool:
    """`deny` goes before `allow`, which lets everybody in where it is empty."""
    allow = json.loads(box["allow"])
    return not _in(json.loads(box["deny"]), address) and (not allow or _in(allow, address))


def is_named(box: MailboxRow, address: str) -> bool:
    """Whether `allow` lets them in, not by being empty."""
    return _in(json.loads(box["allow"]), address)


def _in(listed: list[str], address: str) -> bool:
    key = key_of(address)
    return key in listed or key.rpartition("@")[2] in listed
