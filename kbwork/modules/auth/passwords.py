"""Passwords: which are taken, argon2id, and the same time for an address that nobody has."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from kbwork.base.errors import InvalidInput, Unauthenticated
from kbwork.core import org_settings
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth.guessable import is_guessable

if TYPE_CHECKING:
    from argon2 import PasswordHasher

_NOBODY = "$argon2id$v=19$m=65536,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$QvmbxYHdrHGTNlKBI6FG8FqoZ5vPcG7MDqHA6xvGKGM"
MOST = 256


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher  # noqa: PLC0415 - a server that starts has no password to look at

    return PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=1)


def hashed(password: str) -> str:
    """The hash to store. Takes 100 ms and 64 MiB: an operation has it made in turn (`External.in_turn`)."""
    return _hasher().hash(password)


def verified(stored: str | None, password: str) -> bool:
    """Whether the password is the one that was stored; as slow where nothing is stored, and as `hashed`."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 - likewise

    try:
        _hasher().verify(stored or _NOBODY, password[: MOST * 4])
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def require_fitting(tx: Read, password: str, own: Iterable[str | None]) -> None:
    """Raises InvalidInput where the password is shorter than the policy asks, longer than 256 characters, or soon
    guessed. `own` is what names whose it will be, beside the org: name, handle and address, as far as there are some.
    """
    least = int(org_settings.get(tx, "auth.password_min"))
    if not least <= len(password) <= MOST:
        raise InvalidInput(f"A password holds {least} to {MOST} characters.", field="password")
    if is_guessable(password, [text for text in (*own, org_settings.get(tx, "org.name")) if text]):
        raise InvalidInput(
            "This password is soon guessed: it is little more than common words, rows of the keyboard or digits, or"
            " what names you or your org. Take a short sentence, or four words that have nothing to do with each"
            " other.",
            field="password",
        )


def store(tx: Write, member: str, password_hash: str) -> None:
    """Set a member's password."""
    if tx.one("select 1 from credential where member = :member", member=member) is None:
        tx.insert("credential", member=member, password=password_hash, changed_at=tx.now)
    else:
        tx.update("credential", member, password=password_hash, changed_at=tx.now)


def own_password(tx: Read) -> Row:
    """The caller's member and password. Raises Unauthenticated where the session was ended meanwhile."""
    row = tx.one(
        "select m.id, m.email, m.name, m.handle, c.password from session s join member m on m.id = s.member"
        " left join credential c on c.member = m.id where s.id = :session",
        session=tx.caller.session,
    )
    if row is None:
        raise Unauthenticated("This session ended meanwhile: sign in again.")
    return row
