"""Codes by the clock (RFC 6238): six digits, 30 seconds a step, one step of tolerance each way."""

import base64
import hashlib
import hmac
import struct
from urllib.parse import quote, urlencode

STEP_S = 30
DIGITS = 6
SECRET_BYTES = 20


def code_at(secret: bytes, step: int) -> str:
    """The code of one step of the clock."""
    digest = hmac.new(secret, struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 15
    number = struct.unpack(">I", digest[offset : offset + 4])[0] & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def step_of(secret: bytes, code: str, now: int, *, after: int) -> int | None:
    """The step that a code belongs to, if it is a near one behind the step `after`, which was the last one used."""
    typed, present = code.encode(), now // STEP_S
    found = None
    for step in (present - 1, present, present + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), typed) and step > after and found is None:
            found = step
    return found


def base32(secret: bytes) -> str:
    """As authenticator apps take it by hand."""
    return base64.b32encode(secret).decode().rstrip("=")


def uri(secret: bytes, *, issuer: str, account: str) -> str:
    """`otpauth://...`, for a QR code."""
    label = quote(f"{issuer}:{account}", safe="@:")
    query = {
        "secret": base32(secret),
        "issuer": issuer,
        "algorithm": "SHA1",
        "digits": DIGITS,
        "period": STEP_S,
    }
    return f"otpauth://totp/{label}?{urlencode(query, quote_via=quote)}"
