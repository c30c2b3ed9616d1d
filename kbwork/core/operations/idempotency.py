"""Kept answers: the same key within 24 hours has one effect, in the transaction of that effect."""

import hashlib
import json

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import IdempotencyMismatch, InvalidInput
from kbwork.core.access import scopes
from kbwork.core.seal import Seal
from kbwork.db.tx import Write

KEPT_S = 24 * 3600
_MOST = 255


@dataclass(frozen=True, slots=True)
class Ticket:
    """One caller's key for one call, as digests: neither the key nor the body is stored."""

    digest: bytes
    call: bytes


def ticket(caller: Caller, key: str, op_id: str, canonical_body: bytes) -> Ticket:
    """Raises InvalidInput for a key that is empty, too long or not printable ASCII."""
    if not 1 <= len(key) <= _MOST or any(not 32 <= ord(c) < 127 for c in key):
        raise InvalidInput(
            f"Idempotency-Key should be 1 to {_MOST} printable ASCII characters", field="Idempotency-Key"
        )
    call = hashlib.sha256(op_id.encode() + b"\0" + canonical_body).digest()[:16]
    who = _who(caller) if caller.role != "anonymous" else call.hex()
    return Ticket(hashlib.sha256(f"{who}\0{key}".encode()).digest()[:16], call)


def _who(caller: Caller) -> str:
    """The member or the agent. A personal key that may do less than its owner is a caller of its own, as is an agent by
    what its key or grant may do: none is ever answered with what another was told."""
    if caller.kind == "agent" and caller.via:
        return f"{caller.via} {_limits(caller)}"
    narrow = caller.projects is not None or caller.scopes != scopes.of_role(caller.role)
    return caller.key if caller.key is not None and narrow else caller.actor


def _limits(caller: Caller) -> str:
    """What an agent may do, so that the key that takes the place of another goes on where that was."""
    parts = (caller.scopes, caller.projects, caller.modules)
    return json.dumps([sorted(part) if part is not None else None for part in parts])


def find(tx: Write, wanted: Ticket, seal: Seal) -> bytes | None:
    """The answer kept under this ticket. Raises IdempotencyMismatch when the key went with another call."""
    row = tx.one("select call, answer, at from idempotency where digest = :digest", digest=wanted.digest)
    if row is None:
        return None
    if row["at"] <= tx.trusted_now - KEPT_S:
        tx.execute("delete from idempotency where digest = :digest", digest=wanted.digest)
        return None
    if row["call"] != wanted.call:
        raise IdempotencyMismatch("This Idempotency-Key went with another operation or body; take a new one")
    mend = "Look whether the call had its effect; send what is left to do with a new Idempotency-Key."
    return seal.open(row["answer"], "answer", mend)


def keep(tx: Write, wanted: Ticket, answer: bytes, seal: Seal) -> None:
    """Keep the answer, sealed: it may hold a secret that is shown once."""
    tx.execute(
        "insert into idempotency (digest, call, at, answer) values (:digest, :call, :at, :answer)",
        digest=wanted.digest,
        call=wanted.call,
        at=tx.trusted_now,
        answer=seal.seal(answer, "answer"),
    )


def sweep(tx: Write) -> None:
    """Forget what is older than a day, a slice at a time."""
    tx.execute(
        "delete from idempotency where id in (select id from idempotency where at <= :before order by id limit 5000)",
        before=tx.now - KEPT_S,
    )
