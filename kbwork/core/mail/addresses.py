"""Whom a mail says that it is from. A header that can be read in two ways names nobody: mail servers check one reading,
and what acts on the other would take a stranger for a member.
"""

import re
from email.utils import parseaddr

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BETWEEN = re.compile(r'[\s"(),:;<>\[\\\]]+')
_OF_FORM = re.compile(r'["\\<>\s]+')


def of_sender(header: str) -> tuple[str, str]:
    """(name, address) of a header From as it came, with its encoded words; neither where it names several addresses, or
    comments in it are nested deeper than anybody writes."""
    pieces = _BETWEEN.split(_QUOTED.sub(" ", header))
    found = {piece.lower(): piece for piece in pieces if "@" in piece.strip("@")}
    try:
        name, _ = parseaddr(header)
    except RecursionError:
        return "", ""
    if len(found) != 1 or "<@" in header:
        return "", ""
    return name, next(iter(found.values()))


def as_header(name: str, address: str) -> str:
    """Both as one header, of which the address is read again whatever the name holds."""
    called = _OF_FORM.sub(" ", name).strip()
    return f'"{called}" <{address}>' if called else address


def domain(address: str) -> str:
    return address.rpartition("@")[2].strip("<>. ").lower()
