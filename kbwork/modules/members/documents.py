"""Members as JSON, for all but guests, who are shown teams and people by what they share with them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pydantic_core import to_json

from kbwork.core.operations.documents import Eyes, Made, ThingDocuments, split
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.members import queries
from kbwork.modules.members.model import Member, Status

_STATUS_BYTES = 500


class _Facts(NamedTuple):
    """What decides which of their documents somebody is shown, and what is asked beside it."""

    member: str
    passing: Status | None
    """The status, where it ends by itself."""


class MemberEyes(Eyes):
    """By whether they know who has a second factor: admins of all, everybody of themselves."""

    __slots__ = ("_admin", "_me")

    def __init__(self, tx: Read) -> None:
        assert not tx.caller.guest
        self._me = tx.caller.member
        self._admin = tx.caller.admin

    def shown(self, facts: _Facts) -> bool:
        return self._admin or facts.member == self._me


def _made(tx: Read, _: MemberEyes, members: list[str]) -> Iterator[Made]:
    rows = tx.all(
        "select * from member where id in (select value from json_each(:ids))",
        MemberRow,
        ids=json_array(members),
    )
    for row, member in zip(rows, queries.shown(tx, rows), strict=True):
        status = queries.status(row)
        passes = status is not None and status.get("until") is not None
        facts = _Facts(row["id"], status if passes else None)
        yield Made(row["id"], facts, _pieces(member, passes=passes), _STATUS_BYTES * passes)


def _pieces(member: Member, *, passes: bool) -> tuple[bytes, ...]:
    """The whole, or with room for a status that passes."""
    if not passes:
        return (to_json(member),)
    first, last = split(member, "status")
    return (b'%b,"status":' % to_json(first)[:-1], b",%b" % to_json(last)[1:])


def _statuses(tx: Read, members: dict[str, _Facts]) -> Mapping[str, tuple[bytes, ...]]:
    """What they are up to, unless that is over."""
    return {member: (to_json(queries.lasting(tx, facts.passing)),) for member, facts in members.items()}


DOCUMENTS = ThingDocuments(
    kind="member",
    table="member",
    key="id",
    parts={"credential": ("member",), "passkey": ("member",), "team_member": ("member",)},
    make=_made,
    fill=_statuses,
)
