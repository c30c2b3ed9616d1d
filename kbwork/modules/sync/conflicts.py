"""Whether two changed the same: what a write tells beside what others told since it was thought of.

Events say which fields changed, from what to what. So no operation declares anything for it, and what a write sets
going elsewhere counts like what it was asked for.
"""

from collections.abc import Iterator
from typing import Any

from pydantic_core import to_json

from kbwork.core.events import feed
from kbwork.db.tx import Read, Row
from kbwork.modules.sync.model import PushedChange

_SHOWN = 20
_MOST = 1000
"""Events of one subject that are looked at: where there were more, it is taken to have changed."""


class Conflicting(Exception):  # both are right
    """Others changed the same behind what the writer knew."""

    def __init__(self, changes: list[PushedChange], detail: str) -> None:
        super().__init__(detail)
        self.changes = changes
        self.detail = detail


def require_none(tx: Read, base: int, last: int) -> list[Row]:
    """The events that a write has told, all behind `last`. Raises Conflicting where they change what others changed
    behind `base`, and before it."""
    told = _stored(tx, "e.seq > :last", last=last)
    mine = [row for row in told if "changes" in row["told"] and not row["told"].get("auto")]
    if not mine:
        return told
    _require_kept(tx, base, last)
    found: list[PushedChange] = []
    for subject in dict.fromkeys(row["subject"] for row in mine):
        others = _of_others(tx, subject, base, last)
        for row in mine:
            if row["subject"] == subject:
                found += _met(tx, row, others)
    if found:
        names = ", ".join(dict.fromkeys(change["field"] for change in found))
        raise Conflicting(found[:_SHOWN], f"Others changed the same meanwhile: {names}.")
    return told


def _require_kept(tx: Read, base: int, last: int) -> None:
    oldest = tx.value("select min(seq) from events")
    if base + 1 < min(oldest, last + 1):
        raise Conflicting(
            [], f"What happened before {oldest} is no longer kept: look at it, and write it anew."
        )


def _of_others(tx: Read, subject: str, base: int, last: int) -> list[Row]:
    """What others told of a subject in between."""
    rows = _stored(
        tx,
        "e.subject = :subject and e.seq > :base and e.seq <= :last and not (e.actor = :me and e.origin is :client)",
        subject=subject,
        base=base,
        last=last,
        me=tx.caller.actor,
        client=tx.caller.client,
    )
    if len(rows) > _MOST:
        raise Conflicting(
            [], f"{subject} changed more than {_MOST} times meanwhile: look at it, and write it anew."
        )
    return [row for row in rows if "changes" in row["told"]]


def _stored(tx: Read, which: str, **binds: Any) -> list[Row]:
    """Events with what they tell the caller, oldest first; one more than the most where there are more."""
    rows = tx.all(
        f"select {feed.COLUMNS} from events e where {which} order by e.seq limit :most",
        most=_MOST + 1,
        **binds,
    )
    for row in rows:
        row["told"] = feed.payload(tx, row)
    return rows


def _met(tx: Read, mine: Row, others: list[Row]) -> Iterator[PushedChange]:
    """What others made of the fields that an event changes."""
    same = [row for row in others if _part(tx, row) == _part(tx, mine)]
    for name, sides in mine["told"]["changes"].items():
        theirs = [row for row in same if name in row["told"]["changes"]]
        if theirs and _clash(sides, [row["told"]["changes"][name] for row in theirs]):
            last = theirs[-1]
            yield PushedChange(
                subject=mine["subject"],
                field=name,
                value=last["told"]["changes"][name].get("to"),
                actor=last["actor"],
                created_at=last["at"],
                seq=last["seq"],
            )


def _part(tx: Read, row: Row) -> tuple[str | None, Any]:
    """Of which part of its subject an event tells."""
    kind = tx.registry.events.get(row["kind"])
    if kind is None or kind.part is None:
        return None, None
    return row["kind"], row["told"].get(kind.part)


def _clash(mine: dict[str, Any], theirs: list[dict[str, Any]]) -> bool:
    """Whether a change undoes what others made of a field, given their changes in order."""
    if "to" not in mine or "to" not in theirs[0]:
        return True  # of long texts only the sizes are told
    if mine["from"] is None and mine["to"] is None:
        return True  # what personal fields hold, and what they refer to, is not told
    if isinstance(mine["from"], list) and isinstance(mine["to"], list):
        added, removed = _net(theirs)
        was, is_now = _set(mine["from"]), _set(mine["to"])
        return bool((was - is_now) & added or (is_now - was) & removed)
    return bool(theirs[0]["from"] != mine["from"])


def _net(changes: list[dict[str, Any]]) -> tuple[set[bytes], set[bytes]]:
    """(what was added to a list, what was taken away), all in all."""
    added: set[bytes] = set()
    removed: set[bytes] = set()
    for change in changes:
        was, is_now = _set(change["from"]), _set(change["to"])
        added = added - (was - is_now) | (is_now - was)
        removed = removed - (is_now - was) | (was - is_now)
    return added, removed


def _set(values: Any) -> set[bytes]:
    return {to_json(value) for value in values or ()}
