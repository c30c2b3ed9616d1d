"""Failed attempts: counted per account and per peer in the data file, so that a restart forgets none.

The count is taken in the transaction that judges an attempt: of many at once no more are judged than allowed.
"""

from kbwork.base import ids
from kbwork.base.errors import RateLimited
from kbwork.base.peers import peer_of
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth.model import AuthFailed

WINDOW_S = 15 * 60
PER_ACCOUNT = 10
PER_ADDRESS = 50
_DEVICES_KEPT = 20


def account(email: str) -> bytes:
    """What attempts on an address are filed under, whether somebody has it or not."""
    return ids.digest("account:" + email.strip().lower())


def account_of(member: Row) -> bytes:
    """The same for a stored member; one without an address is filed under the id."""
    return account(member["email"] or member["id"])


def require_room(tx: Read, account: bytes, member: str | None) -> None:
    """Raises RateLimited after too many failures; never for a browser that this member signed in from before."""
    if member is not None and _known(tx, member):
        return
    _require(tx, "account", account, PER_ACCOUNT)
    peer = _peer(tx)
    if peer is not None:
        _require(tx, "address", peer, PER_ADDRESS)


def _require(tx: Read, column: str, value: bytes | str, most: int) -> None:
    oldest = tx.value(
        f"select at from attempt where {column} = :value and at > :since order by at desc limit 1 offset :skip",
        value=value,
        since=tx.now - WINDOW_S,
        skip=most - 1,
    )
    if oldest is not None:
        wait_s = oldest + WINDOW_S - tx.now
        raise RateLimited(f"Too many failed attempts; try again in {in_words(wait_s)}.", retry_after_s=wait_s)


def _peer(tx: Read) -> str | None:
    """Whom the address of this request stands for."""
    address = tx.caller.address
    return peer_of(address) if address is not None else None


def in_words(wait_s: int) -> str:
    """A wait as a person says it."""
    return f"{wait_s} s" if wait_s <= 90 else f"{-(-wait_s // 60)} minutes"


def failed(tx: Write, account: bytes, member: str | None, method: str) -> None:
    """Count a failure and tell the audit log."""
    tx.execute(
        "insert into attempt (account, address, at) values (:account, :address, :now)",
        account=account,
        address=_peer(tx),
        now=tx.now,
    )
    subject = f"member:{member}" if member is not None else "org:1"
    tx.emit(AuthFailed(subject=subject, payload={"method": method, "client": client(tx)}))


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


def forget_devices(tx: Write, member: str) -> None:
    """Forget a member's browsers, all but the one that calls."""
    device = tx.caller.device
    tx.execute(
        "delete from known_device where member = :member and digest is not :digest",
        member=member,
        digest=ids.digest(device) if device is not None else None,
    )
