"""Links that need no sign-in: signed for one purpose, naming who they are of, good for five minutes or for good.

Whoever opens one sees what that member sees then, so that it lasts no longer than their sight.
"""

import base64
import hashlib
import hmac

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read

LIVES_S = 300
_MAC_BYTES = 16


@dataclass(frozen=True, slots=True)
class SignedLink:
    """What a link names, and the member who asked for it."""

    named: tuple[str, ...]
    member: str


def sign(tx: Read, purpose: str, *named: str) -> str:
    """The last part of a link's path, for the next five minutes. No name may hold a full stop."""
    text = ".".join((*named, str(tx.now + LIVES_S), tx.caller.me()))
    return f"{text}.{_mac(tx, purpose, text)}"


def verify(tx: Read, purpose: str, ref: str) -> SignedLink | None:
    """What such a part says; None where it was altered, is for something else, or is over."""
    text, _, mac = ref.rpartition(".")
    if not hmac.compare_digest(mac.encode(), _mac(tx, purpose, text).encode()):
        return None
    *named, until, member = text.split(".")
    return SignedLink(tuple(named), member) if int(until) > tx.now else None


def sign_for_good(tx: Read, purpose: str, *named: str) -> str:
    """The same for a letter, which is read years later: it does what may be done with it as often as one likes."""
    text = ".".join(named)
    return f"{text}.{_mac(tx, purpose, text)}"


def verify_for_good(tx: Read, purpose: str, ref: str) -> tuple[str, ...] | None:
    """What such a part names; None where it was altered, or is for something else."""
    text, _, mac = ref.rpartition(".")
    if not hmac.compare_digest(mac.encode(), _mac(tx, purpose, text).encode()):
        return None
    return tuple(text.split("."))


def _mac(tx: Read, purpose: str, text: str) -> str:
    found = hmac.new(tx.secret, f"{purpose}\0{text}".encode(), hashlib.sha256).digest()[:_MAC_BYTES]
    return base64.urlsafe_b64encode(found).decode().rstrip("=")
