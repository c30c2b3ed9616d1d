"""Undo records: the before-images of one operation's rows, kept for a day beside its events.

What a row became is kept to see whether it is so still; of a long value its digest says that.
"""

import hashlib
from typing import Any

from pydantic_core import to_json

from kbwork.base import ids
from kbwork.core.operations.declare import Operation
from kbwork.core.things import row_subjects
from kbwork.db.deferred import Appended
from kbwork.db.tx import Row, Write, json_array

KEPT_S = 24 * 3600
_TEXTS = frozenset({str, bytes})
_LONG = 100
"""Values of more letters or bytes are told by their digests where a row became so: much of a record is such."""


_RECORDS = Appended(
    "undo",
    "insert into undo (token, seq, last_seq, op, member, via, at, why_not, part_of, images) values"
    " (?, ?, ?, ?, ?, ?, ?, ?, ?, jsonb(?))",
    frozenset({"undo"}),
)
_RECORDS_ABOUT = Appended(
    "undo_about",
    "insert into undo_about (what, record) select value, ?1 from json_each(?2)",
    frozenset({"undo_about"}),
)


def records(op: Operation) -> bool:
    """Whether what it does is one change; a batch is as many as it runs operations."""
    return not (op.emits_any and op.undo is not None)


def keep_record(tx: Write, op: Operation, part_of: str | None = None) -> str | None:
    """Keep what an operation that told of a change would need to be taken back; answers its token.

    `part_of` is the token of a whole that takes several transactions.
    """
    if not tx.events or tx.caller.member is None or not records(op):
        tx.memo.pop("undo-token", None)
        return None
    token = token_of(tx)
    tx.memo.pop("undo-token")
    tx.append(
        _RECORDS,
        token,
        tx.events[0][0],
        tx.events[-1][0],
        op.id,
        tx.caller.member,
        tx.caller.via,
        tx.now,
        op.undo,
        part_of,
        "[]" if op.undo else to_json([_packed(image) for image in tx.images]).decode(),
    )
    if op.undo is None:
        _keep_about(tx)
    return token


def _keep_about(tx: Write) -> None:
    """Which things the rows of the record are of, so that purging one finds it, but for those of which its events tell:
    mostly all of them."""
    told = {event.subject for _, event in tx.events}
    if about := row_subjects.subjects_of_rows(tx, tx.images) - told:
        tx.append(_RECORDS_ABOUT, tx.events[0][0], json_array(sorted(about)))


def token_of(tx: Write) -> str:
    """The token that the running operation's record will have, for its answer."""
    return str(tx.memoized("undo-token", lambda: new_token(tx)))


def new_token(tx: Write) -> str:
    """A token for a change that is to be taken back as one.

    What is guessed by nobody stands behind the number of the last event, so that the index of tokens grows at its end.
    """
    return f"u_{tx.seq:010x}{ids.short(20)}"


def _packed(image: tuple[str, list[object], Row | None, Row | None]) -> list[object]:
    table, place, before, after = image
    return [table, place, _plain(before), _shortened(after)]


def _plain(row: Row | None) -> Row | None:
    """Bytes as {"hex": ...}: JSON has none."""
    if row is None or bytes not in map(type, row.values()):
        return row
    return {name: {"hex": value.hex()} if isinstance(value, bytes) else value for name, value in row.items()}


def _shortened(row: Row | None) -> Row | None:
    """As `_plain`, and what is long as {"digest": ...}."""
    if row is None:
        return None
    long = {
        name: {"digest": _digest(value)}
        for name, value in row.items()
        if type(value) in _TEXTS and len(value) > _LONG
    }
    return _plain(row | long if long else row)


def _digest(value: str | bytes) -> str:
    whole = value if isinstance(value, bytes) else value.encode()
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


def unpacked(row: Row | None) -> Row | None:
    """A row of a record; a value of which the digest alone was kept stays {"digest": ...}."""
    if row is None:
        return None
    return {
        name: bytes.fromhex(value["hex"]) if isinstance(value, dict) and "hex" in value else value
        for name, value in row.items()
    }


def is_still(now: Any, became: Any) -> bool:
    """Whether a column holds what the change left in it, as `unpacked` has that."""
    if isinstance(became, dict):
        return isinstance(now, str | bytes) and _digest(now) == became["digest"]
    return bool(now == became)


def sweep(tx: Write) -> None:
    """Forget what is older than a day, a slice at a time."""
    tx.execute(
        "delete from undo where seq in (select seq from undo where at <= :before order by seq limit 5000)",
        before=tx.now - KEPT_S,
    )
