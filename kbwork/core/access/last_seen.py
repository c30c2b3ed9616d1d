"""Who was seen when: gathered in memory, written down once a minute."""

import datetime
import ipaddress

from kbwork.base.dataclasses import replace
from kbwork.base.events import DomainEvent
from kbwork.core.access.callers import IDLE_S
from kbwork.core.access.identify import GRANT, grant_of
from kbwork.db.tx import Write

Seen = dict[tuple[str, str], tuple[int, str | None, int]]


class KeySeen(DomainEvent):
    """A key was used from another network than the last time."""

    kind = "key.seen"
    audience = "audit"


def month_of(now: int) -> str:
    """`YYYY-MM` of a moment, in UTC."""
    return datetime.datetime.fromtimestamp(now, datetime.UTC).strftime("%Y-%m")


def write_down(tx: Write, seen: Seen) -> None:
    """Last use of keys, grants and sessions, when customers were seen, and a key's calls of the month.

    No undo: nobody did anything.
    """
    for (kind, ident), (at, address, calls) in seen.items():
        if kind == "session":
            tx.execute(
                "update session set last_seen_at = :at, idle_until = :idle, address = :address where id = :id",
                at=at,
                idle=at + IDLE_S,
                address=address,
                id=ident,
            )
            owner = "select member from session where id = :id"
        elif kind == "customer":
            _mark_customer(tx, int(ident), at)
            continue
        elif ident.startswith(GRANT):
            _mark_grant(tx, grant_of(ident), at, address)
            continue
        else:
            _tell_network(tx, ident, address)
            tx.execute(
                "update key set last_used_at = :at, last_address = :address where id = :id",
                at=at,
                address=address,
                id=ident,
            )
            tx.execute(
                "insert into key_calls values (:id, :month, :calls) on conflict do update set calls = calls + :calls",
                id=ident,
                month=month_of(at),
                calls=calls,
            )
            owner = "select owner from key where id = :id"
        tx.execute(
            f"update member set last_seen_at = :at where id = ({owner}) and coalesce(last_seen_at, 0) < :at",
            at=at,
            id=ident,
        )


def _mark_customer(tx: Write, customer: int, at: int) -> None:
    tx.execute("update customer set last_seen_at = :at where id = :id", at=at, id=customer)


def _mark_grant(tx: Write, grant: int, at: int, address: str | None) -> None:
    """What a client does is no sign of life of its member: it may work at night."""
    tx.execute(
        "update oauth_grant set last_used_at = :at, last_address = :address where id = :id",
        at=at,
        address=address,
        id=grant,
    )


def _tell_network(tx: Write, key: str, address: str | None) -> None:
    """A use from a new network goes into the audit log, with the address where the log has one."""
    row = tx.one("select name, last_address from key where id = :id", id=key)
    if row is None or row["last_address"] is None or address is None:
        return
    if _network(row["last_address"]) == _network(address):
        return
    caller = tx.caller
    tx.caller = replace(caller, address=address)
    try:
        tx.emit(KeySeen(subject=f"key:{key}", payload={"name": row["name"]}))
    finally:
        tx.caller = caller


def _network(address: str) -> str:
    """The /24 of an IPv4 address, the /64 of an IPv6 one: what one household or office has."""
    bits = 64 if ":" in address else 24
    try:
        return str(ipaddress.ip_network(f"{address}/{bits}", strict=False))
    except ValueError:
        return address
