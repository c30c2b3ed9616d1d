"""What a restore carries over: whoever was shut out stays out, and no number of an event is given twice."""

from dataclasses import dataclass, field
from typing import Any

from kbwork.core.jobs import enqueue
from kbwork.db.tx import Read, Write, marks
from kbwork.modules.backups.model import BackupRestored

_ENDED = "select id from member where state = :state order by id"
ERASE = "members.erase"


@dataclass(frozen=True, slots=True)
class Since:
    """What the data that go have and the backup may not: who and what was shut out."""

    revoked_keys: list[str] = field(default_factory=list)
    deactivated: list[str] = field(default_factory=list)
    erased: list[str] = field(default_factory=list)
    revoked_invites: list[int] = field(default_factory=list)
    seq: int = 0


def since(tx: Read) -> Since:
    """Read off the data that are about to go."""
    return Since(
        revoked_keys=tx.column("select id from key where revoked_at is not null order by id"),
        deactivated=tx.column(_ENDED, state="deactivated"),
        erased=tx.column(_ENDED, state="erased"),
        revoked_invites=tx.column("select id from invite where state <> 'pending' order by id"),
        seq=tx.value("select value from counter where name = 'seq'"),
    )


def settle(tx: Write, held: Since, told: dict[str, Any]) -> None:
    """Void what opens the restored data, shut out again who was, and tell of it."""
    for table in ("session", "device_code", "challenge", "oauth_code", "oauth_token", "idempotency"):
        tx.execute(f"delete from {table}")
    tx.execute("update oauth_grant set revoked_at = :now where revoked_at is null", now=tx.now)
    tx.execute(
        "update key set revoked_at = :now where revoked_at is null and id in (select value from json_each(:ids))",
        now=tx.now,
        ids=marks(held.revoked_keys),
    )
    tx.execute(
        "update member set state = 'deactivated' where state in ('invited', 'active')"
        " and id in (select value from json_each(:ids))",
        ids=marks([*held.deactivated, *held.erased]),
    )
    tx.execute(
        "update invite set state = 'revoked' where state = 'pending' and id in (select value from json_each(:ids))",
        ids=marks(held.revoked_invites),
    )
    owner = tx.value(
        "select id from member where role = 'owner' and state = 'active' order by created_at limit 1"
    )
    for member in held.erased:
        if tx.value("select state from member where id = :id", id=member) not in (None, "erased"):
            enqueue(tx, ERASE, {"member": member, "by": owner}, by="system", message="Erasing again")
    tx.emit(BackupRestored(subject="org:1", payload=told))
