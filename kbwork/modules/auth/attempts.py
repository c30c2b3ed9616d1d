"""Failed attempts: counted per account and per peer in the data file, so that a restart forgets none.

Browsers that a member signed in from before are counted apart from strangers, so that neither lock the other out.
The count is taken in the transaction that judges an attempt: of many at once no more are judged than allowed.
Asking for a link by mail is counted beside them, so that nobody's mailbox is flooded.
"""

from typing import NamedTuple

from kbwork.base import ids
from kbwork.base.errors import RateLimited
from kbwork.base.peers import peer_of
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth.model import AuthFailed

WINDOW_S = 15 * 60
PER_ACCOUNT = 10
"""From one address: no other is shut out by it."""
PER_ADDRESS = 50
MANY = 100
"""After so many on an account, from wherever, each address has one: who guesses from very many has few guesses."""
PER_ACCOUNT_KNOWN = 50
"""From all browsers together that the member signed in from before."""
ASKED_WINDOW_S = 3600
ASKED_PER_ACCOUNT = 10
"""Links of one sort that are mailed to an account in an hour, whoever asks."""
ASKED_FROM_ADDRESS = 3
"""Of these, asked for from one address: no other is shut out by it."""
_DEVICES_KEPT = 20


class _Count(NamedTuple):
    """What an attempt is filed under, and after how many failures there is no room for another."""

    account: bytes
    most: int
    peer: str | None
    """Where PER_ADDRESS holds too; None: it does not."""


def account(email: str) -> bytes:
    """What attempts on an address are filed under, whether somebody has it or not."""
    return ids.digest("account:" + email.strip().lower())


def account_of(member: Row) -> bytes:
    """The same for a stored member; one without an address is filed under the id."""
    return account(member["email"] or member["id"])


def require_room(tx: Read, account: bytes, member: str | None) -> None:
    """Raises RateLimited after too many failures of such callers as this one, strangers or known browsers."""
    count = _count(tx, account, member)
    if count.peer is None:
        _require(tx, "account = :account", count.most, account=count.account)
        return
    many = _since(tx, "account = :account", MANY, WINDOW_S, account=count.account) is not None
    most = 1 if many else count.most
    _require(tx, "account = :account and address = :address", most, account=count.account, address=count.peer)
    _require(tx, "address = :address", PER_ADDRESS, address=count.peer)


def asked(tx: Write, email: str, purpose: str) -> None:
    """Count that a link was asked for, whether somebody has the address or not. Raises RateLimited after too many
    links to it, and after too many failures from the caller's address, among which this one counts.
    """
    account = ids.digest(f"asked {purpose}:{email.strip().lower()}")
    peer = peer_of(tx.caller.address) if tx.caller.address is not None else None
    _require_fewer_asked(tx, "account = :account", ASKED_PER_ACCOUNT, account=account)
    if peer is not None:
        here = "account = :account and address = :address"
        _require_fewer_asked(tx, here, ASKED_FROM_ADDRESS, account=account, address=peer)
        _require(tx, "address = :address", PER_ADDRESS, address=peer)
    _add(tx, account, peer)


def _require_fewer_asked(tx: Read, which: str, most: int, **binds: bytes | str) -> None:
    oldest = _since(tx, which, most, ASKED_WINDOW_S, **binds)
    if oldest is not None:
        wait_s = oldest + ASKED_WINDOW_S - tx.now
        told = "Links were asked for often enough: look into the mailbox, and among what was sorted out there"
        raise RateLimited(f"{told}; or ask again in {in_words(wait_s)}.", retry_after_s=wait_s)


def _count(tx: Read, account: bytes, member: str | None) -> _Count:
    if member is not None and _known(tx, member):
        return _Count(ids.digest(f"known browsers:{member}"), PER_ACCOUNT_KNOWN, None)
    address = tx.caller.address
    return _Count(account, PER_ACCOUNT, peer_of(address) if address is not None else None)


def _require(tx: Read, which: str, most: int, **binds: bytes | str) -> None:
    oldest = _since(tx, which, most, WINDOW_S, **binds)
    if oldest is not None:
        wait_s = oldest + WINDOW_S - tx.now
        raise RateLimited(f"Too many failed attempts; try again in {in_words(wait_s)}.", retry_after_s=wait_s)


def _since(tx: Read, which: str, most: int, window_s: int, **binds: bytes | str) -> int | None:
    """When the first of the latest so many failures was; None where there are fewer."""
    found: int | None = tx.value(
        f"select at from attempt where {which} and at > :since order by at desc limit 1 offset :skip",
        since=tx.now - window_s,
        skip=most - 1,
        **binds,
    )
    return found


def in_words(wait_s: int) -> str:
    """A wait as a person says it."""
    return f"{wait_s} s" if wait_s <= 90 else f"{-(-wait_s // 60)} minutes"


def failed(tx: Write, account: bytes, member: str | None, method: str, **told: str) -> None:
    """Count a failure and tell the audit log; what is `told` of it stands there."""
    count = _count(tx, account, member)
    _add(tx, count.account, count.peer)
    subject = f"member:{member}" if member is not None else "org:1"
    tx.emit(AuthFailed(subject=subject, payload={"method": method, "client": client(tx), **told}))


def _add(tx: Write, account: bytes, peer: str | None) -> None:
    tx.execute(
        "insert into attempt (account, address, at) values (:account, :address, :now)",
        account=account,
        address=peer,
        now=tx.now,
    )


def forgive(tx: Write, account: bytes) -> None:
    """Forget the failures on an account from the caller's address. Those from elsewhere are of others."""
    address = tx.caller.address
    if address is not None:
        tx.execute(
            "delete from attempt where account = :account and address = :address",
            account=account,
            address=peer_of(address),
        )


def client(tx: Read) -> str:
    """What signs in, as far as it says."""
    return "browser" if tx.caller.browser else "program"


def _known(tx: Read, member: str) -> bool:
    device = tx.caller.device
    if device is None:
        return False
    found = tx.one(
        "select 1 from known_device where member = :member and digest = :digest",
        member=member,
        digest=ids.digest(device),
    )
    return found is not None


def remember_device(tx: Write, member: str) -> None:
    """This browser signed in; the last 20 are kept."""
    device = tx.caller.device
    if device is None:
        return
    tx.execute(
        "insert into known_device values (:member, :digest, :now) on conflict do update set at = :now",
        member=member,
        digest=ids.digest(device),
        now=tx.now,
    )
    tx.execute(
        "delete from known_device where member = :member and digest not in"
        " (select digest from known_device where member = :member order by at desc, digest limit :most)",
        member=member,
        most=_DEVICES_KEPT,
    )


def forget_device(tx: Write, member: str) -> None:
    """This browser signed out on purpose: whoever uses it next is a stranger to the member."""
    device = tx.caller.device
    if device is not None:
        tx.execute(
            "delete from known_device where member = :member and digest = :digest",
            member=member,
            digest=ids.digest(device),
        )


def forget_devices(tx: Write, member: str) -> None:
    """Forget a member's browsers, all but the one that calls."""
    device = tx.caller.device
    tx.execute(
        "delete from known_device where member = :member and digest is not :digest",
        member=member,
        digest=ids.digest(device) if device is not None else None,
    )
