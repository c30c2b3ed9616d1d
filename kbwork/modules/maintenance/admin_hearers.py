"""What all admins are told of the server itself, and nobody else."""

from collections.abc import Iterator
from typing import Any

from kbwork.core.events.hearers import EventHearers, PossibleHearer
from kbwork.db.tx import Read, Row

_ADMINS = "select id from member where role in ('owner', 'admin') and state = 'active'"


def told_to_admins(home: str, kind: str, said: str) -> EventHearers:
    """Who hears of events of a kind about the org, and in which words."""
    return EventHearers(
        home=home, thing="org", hearers={kind: _admins}, said={kind: said}, watchers=lambda tx, ref: iter(())
    )


def _admins(tx: Read, _: Row, __: dict[str, Any]) -> Iterator[PossibleHearer]:
    yield from ((who, "watching") for who in tx.column(_ADMINS))
