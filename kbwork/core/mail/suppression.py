"""Addresses that mail came back from for good: what is for them is held, until an admin releases them."""

from kbwork.base.events import DomainEvent
from kbwork.db.rows import MailSuppressedRow
from kbwork.db.tx import Read, Write

HELD = "Mail to this address came back for good."
_REASON_CHARS = 300


class MailBounced(DomainEvent):
    """Mail to an address came back for good: nothing is sent there until it is released."""

    kind = "mail.bounced"
    audience = "admin"


def key_of(address: str) -> str:
    """The same address however it is written."""
    return address.strip().lower()


def is_suppressed(tx: Read, address: str) -> bool:
    return tx.value("select 1 from mail_suppressed where address = :key", key=key_of(address)) is not None


def every(tx: Read) -> list[MailSuppressedRow]:
    return tx.all("select * from mail_suppressed order by at desc, address", MailSuppressedRow)


def suppress(tx: Write, address: str, reason: str) -> None:
    """Send nothing there from now on: what waits for it is held."""
    key, reason = key_of(address), reason[:_REASON_CHARS]
    if not tx.execute(
        "insert into mail_suppressed (address, reason, at) values (:key, :reason, :now) on conflict do nothing",
        key=key,
        reason=reason,
        now=tx.now,
    ):
        return
    tx.execute(
        "update mail set state = 'held', error = :error where state = 'queued' and lower(address) = :key",
        error=HELD,
        key=key,
    )
    tx.emit(MailBounced(subject="org:1", payload={"to": key, "error": reason}))


def release(tx: Write, address: str) -> bool:
    """Mail may go there again; what was held stays so until it is sent again. False where it was not suppressed."""
    return bool(tx.execute("delete from mail_suppressed where address = :key", key=key_of(address)))
