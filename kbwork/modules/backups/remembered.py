"""What a restore remembers of things that the data which come lack: a later one that brings them back, as of a newer
backup or of the copy that was laid aside, lets in nobody who was shut out, and nothing that was changed or had ended.

What the data have they tell themselves. So of each thing one of both knows how it stands, and never the two.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from kbwork.db.tx import Read, Write, json_array


class _Place(NamedTuple):
    """Where things of a kind stand."""

    table: str
    which: str
    """What says there which one it is, as SQL."""
    of: str | None
    """What says so of a row that is remembered; None: it is remembered by that alone."""


_BY_TIME = "id || ' ' || created_at"
PLACES = {
    "revoked_keys": _Place("key", "id", None),
    "deactivated": _Place("member", "id", None),
    "erased": _Place("member", "id", None),
    "revoked_invites": _Place("invite", "id", None),
    "keys": _Place("key", "id", "id"),
    "invites": _Place("invite", "id", "id"),
    "credentials": _Place("member", "id", "member"),
    "recovery_codes": _Place("member", "id", "member"),
    "customers": _Place("customer", "id", "id"),
}
FLAG_PLACES = {
    "environments": _Place("flag_environment", "id", "id"),
    "sdk_keys": _Place("sdk_key", "hex(digest)", "digest"),
    "triggers": _Place("flag_trigger", "hex(digest)", "digest"),
    "flag_schedule": _Place("flag_schedule", _BY_TIME, None),
    "flag_change": _Place("flag_change", _BY_TIME, None),
    "flag_plan": _Place("flag_plan", _BY_TIME, None),
}
_BYTES = "hex"


def read(tx: Read) -> dict[str, list[Any]]:
    """What is remembered, by kind."""
    rows = tx.all("select kind, held from carried_over")
    found = {row["kind"]: json.loads(row["held"], object_hook=_bytes) for row in rows}
    return {kind: found.get(kind, []) for kind in (*PLACES, *FLAG_PLACES)}


def keep(tx: Write, held: Mapping[str, list[Any]]) -> None:
    """Remember of all that was known, by kind, what these data lack, and nothing else."""
    tx.execute("delete from carried_over")
    for kind, things in held.items():
        place = (PLACES | FLAG_PLACES)[kind]
        names = [_name(thing if place.of is None else thing[place.of]) for thing in things]
        there = set(
            tx.column(
                f"select {place.which} from {place.table}"
                f" where {place.which} in (select value from json_each(:names))",
                names=json_array(names),
            )
        )
        if left := [thing for thing, name in zip(things, names, strict=True) if name not in there]:
            tx.execute(
                "insert into carried_over (kind, held) values (:kind, :held)",
                kind=kind,
                held=json.dumps(left, default=_hex, ensure_ascii=False),
            )


def number_behind(tx: Write, given: Mapping[str, int]) -> None:
    """Have no number that a table gave be given once more: what is remembered goes by it."""
    known = {row["name"]: row["seq"] for row in tx.all("select name, seq from sqlite_sequence")}
    tables = set(tx.column("select name from sqlite_schema where type = 'table'"))
    for table, number in given.items():
        if table not in known and table in tables:
            tx.execute(
                "insert into sqlite_sequence (name, seq) values (:table, :number)", table=table, number=number
            )
        elif known.get(table, number) < number:
            tx.execute(
                "update sqlite_sequence set seq = :number where name = :table", table=table, number=number
            )


def _name(value: Any) -> Any:
    return value.hex().upper() if isinstance(value, bytes) else value


def _hex(value: object) -> dict[str, str]:
    assert isinstance(value, bytes)
    return {_BYTES: value.hex()}


def _bytes(found: dict[str, Any]) -> Any:
    return bytes.fromhex(found[_BYTES]) if found.keys() == {_BYTES} else found
