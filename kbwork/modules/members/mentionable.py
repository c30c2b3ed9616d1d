"""Whom a mention on a subject may name."""

from kbwork.base.errors import NotFound
from kbwork.base.model import Input, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row
from kbwork.modules.members import queries
from kbwork.modules.members.model import Mentionable

_MOST_MENTIONABLE = 50


class MembersMentionable(Input):
    subject: Text
    """What the mention would stand on, such as `issue:12` or `WEB-12`."""
    q: Text | None = None
    """How name or handle begin, or words in the name."""


@read(
    "members.mentionable",
    scope="members:read",
    words="whom can I mention, autocomplete people, at mention",
    example={"subject": "issue:1", "q": "an"},
)
def mentionable(tx: Read, args: MembersMentionable) -> list[Mentionable]:
    """List whom a mention on a subject may name, those who see it first; at most 50.

    A member sees it by their own rights, a team where one of its members does, an agent where its owner does.
    """
    found = visibility.find(tx, args.subject)
    subject = found.id if found is not None else _short(tx, args.subject)
    sight = _Sight(tx, subject)
    answer = [*_members(tx, args.q, sight), *_teams(tx, args.q, sight), *_agents(tx, args.q, sight)]
    answer.sort(key=lambda one: not one["can_see"])
    return answer[:_MOST_MENTIONABLE]


class _Sight:
    """Who sees one subject; each member is asked once."""

    def __init__(self, tx: Read, subject: str) -> None:
        self._tx = tx
        self._subject = subject
        self._known: dict[str, bool] = {}

    def sees(self, member: str) -> bool:
        if member not in self._known:
            theirs = visibility.as_member(self._tx, member)
            self._known[member] = visibility.find(theirs, self._subject) is not None
        return self._known[member]


def _short(tx: Read, ref: str) -> str:
    """The subject of a short reference such as `WEB-12`. Raises NotFound."""
    for kind in visibility.things(tx).values():
        if kind.references is not None and visibility.reads(tx, kind.name) and not ref_of(ref)[0]:
            subject = kind.references(tx, ref)
            if subject is not None and visibility.find(tx, subject) is not None:
                return subject
    raise NotFound(f"There is no subject {ref!r} that you can see.")


_FITS = (
    "(:q = '' or instr(lower({0}.name), :q) = 1 or instr(lower({0}.name), ' ' || :q)"
    " or instr(lower({0}.{1}), :q) = 1)"
)


_BEST_FIRST = "order by instr(lower({0}.{1}), :q) <> 1, lower({0}.name), {0}.{2} limit :most"


def _members(tx: Read, q: str | None, sight: _Sight) -> list[Mentionable]:
    rows = _matching(
        tx,
        f"select m.id, m.name from member m where m.state = 'active' and {queries.MEMBER_SEEN}"
        f" and {_FITS.format('m', 'handle')} {_BEST_FIRST.format('m', 'handle', 'id')}",
        q,
    )
    return [Mentionable(kind="member", id=r["id"], name=r["name"], can_see=sight.sees(r["id"])) for r in rows]


def _teams(tx: Read, q: str | None, sight: _Sight) -> list[Mentionable]:
    rows = _matching(
        tx,
        f"select t.id, t.name from team t where {queries.TEAM_SEEN} and {_FITS.format('t', 'handle')}"
        f" {_BEST_FIRST.format('t', 'handle', 'id')}",
        q,
    )
    answer = []
    for row in rows:
        people = tx.column(
            "select tm.member from team_member tm join member m on m.id = tm.member"
            " where tm.team = :team and m.state = 'active' limit 200",
            team=row["id"],
        )
        seen = any(sight.sees(member) for member in people)
        answer.append(Mentionable(kind="team", id=f"team:{row['id']}", name=row["name"], can_see=seen))
    return answer


def _agents(tx: Read, q: str | None, sight: _Sight) -> list[Mentionable]:
    if tx.caller.guest:
        return []
    wanted = (q or "").strip().removeprefix("@").lower()
    rows = tx.all(
        "select a.name, a.label, a.owner from agent a join member m on m.id = a.owner"
        " where m.state = 'active' and (:q = '' or instr(a.name, :q) = 1 or instr(lower(a.label), :q))"
        " order by a.name limit :most",
        q=wanted,
        most=_MOST_MENTIONABLE,
    )
    return [
        Mentionable(kind="agent", id=f"agent:{r['name']}", name=r["label"], can_see=sight.sees(r["owner"]))
        for r in rows
    ]


def _matching(tx: Read, sql: str, q: str | None) -> list[Row]:
    wanted = (q or "").strip().removeprefix("@").lower()
    return tx.all(sql, q=wanted, most=_MOST_MENTIONABLE, **visibility.binds(tx))
