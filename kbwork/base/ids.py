"""The one source of chance: tokens, ids and codes, and how secrets are kept."""

import hashlib
import itertools
import secrets
import string

_PROCESS = secrets.token_hex(3)
_REQUESTS = itertools.count(secrets.randbelow(1 << 24))
_NAMES = (string.ascii_lowercase + string.digits).translate({ord(one): None for one in "01lo"})
_NAME_OF_BYTE = (_NAMES * 8).encode()
"""32 letters and digits, so that each stands for as many bytes; those left out look alike."""
_CODE = "BCDFGHJKLMNPQRSTVWXZ23456789"  # no vowels, no look-alikes: read aloud and typed by hand


def token(prefix: str) -> str:
    """A bearer token: the prefix and 256 random bits as 43 base64url characters."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What is stored of a token: its SHA-256. The token has 256 random bits, so no salt is needed."""
    return hashlib.sha256(secret.encode()).digest()


def member_id() -> str:
    """`m_` and 12 lower-case letters and digits."""
    return "m_" + short(12)


def short(length: int = 16) -> str:
    """A random name of lower-case letters and digits, with five bits of chance in each."""
    return secrets.token_bytes(length).translate(_NAME_OF_BYTE).decode()


def salt() -> str:
    """What hashes are salted with: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def request_id() -> str:
    """The name of one request, which is no secret: six random hexadecimal digits of this process, six that count."""
    return f"{_PROCESS}{next(_REQUESTS) & 0xFFFFFF:06x}"


def code(length: int) -> str:
    """A random code that a person types; each character carries 4.8 bits."""
    return "".join(secrets.choice(_CODE) for _ in range(length))


def number() -> int:
    """A random number of 16 digits, which every JSON reader keeps: nobody meets it a second time."""
    return 10**15 + secrets.randbelow(8 * 10**15)


def random_bytes(length: int) -> bytes:
    """Bytes from the operating system's source of chance."""
    return secrets.token_bytes(length)
