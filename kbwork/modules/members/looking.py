"""Look at the people of the org, and find whom to mention."""

from typing import Any, Literal

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Text
from kbwork.core import paging, scopes, visibility
from kbwork.core.operation import read
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row
from kbwork.modules.members import queries
from kbwork.modules.members.model import Member, Mentionable

_MOST_MENTIONABLE = 50
_COLUMNS = "m.*, lower(m.name) as sorted"


class MembersList(Input):
    q: Text | None = None
    """Words in name, handle or, for who may see it, address."""
    role: Text | None = None
    team: Id | None = None
    """Members of this team; 0 stands for the admins."""
    state: Literal["active", "deactivated", "all"] | None = None
    """`active` unless given; `all` has the invited and the erased, too."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@read("members.list", scope="members:read", example={"q": "ana", "state": "active"})
def list_(tx: Read, args: MembersList) -> Paged[Member]:
    """List the people of the org, by name. Guests see those with whom they share a project, a team or an issue.

    An unknown role is 422; a team that you do not see has no members.
    """
    where, binds = _filter(tx, args)
    if (at := paging.place(tx, args)) is not None:
        where.append("(lower(m.name), m.id) > (:name, :id)")
        binds |= {"name": at[0], "id": at[1]}
    most = paging.limit(args)
    rows = tx.all(
        f"select {_COLUMNS} from member m where {' and '.join(where)} order by lower(m.name), m.id limit :most",
        most=most + 1,
        **binds,
    )
    last = rows[most - 1] if len(rows) > most else None
    following = paging.cursor(tx, args, [last["sorted"], last["id"]]) if last is not None else None
    return Paged[Member](items=queries.shown(tx, rows[:most]), next=following)


class MembersGet(Input):
    id: Text
    """Member id, e-mail address, `@handle` or `me`."""


@read("members.get", scope="members:read", example={"id": "@ana"})
def get(tx: Read, args: MembersGet) -> Member:
    """Look at one member. Guests find people whom they share something with, and nobody by address (404)."""
    return queries.shown(tx, [queries.by_ref(tx, args.id, missing=NotFound)])[0]


class MembersMentionable(Input):
    subject: Text
    """What the mention would stand on, such as `issue:12` or `WEB-12`."""
    q: Text | None = None
    """How name or handle begin, or words in the name."""


@read("members.mentionable", scope="members:read", example={"subject": "issue:1", "q": "an"})
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


def _filter(tx: Read, args: MembersList) -> tuple[list[str], dict[str, Any]]:
    where, binds = [queries.SEEN], dict(visibility.binds(tx))
    state = args.state or "active"
    if state != "all":
        where.append("m.state = :state")
        binds["state"] = state
    if args.role is not None:
        if args.role not in scopes.ROLES:
            raise InvalidInput(f"There is no role {args.role!r}.", field="role", allowed=list(scopes.ROLES))
        where.append("m.role = :role")
        binds["role"] = args.role
    if args.team == 0:
        where.append("m.role in ('owner', 'admin') and not :kb_guest")
    elif args.team is not None:
        where.append(
            "exists (select 1 from team_member tm join team t on t.id = tm.team"
            f" where tm.member = m.id and t.id = :team and {queries.TEAM_SEEN})"
        )
        binds["team"] = args.team
    for number, word in enumerate((args.q or "").lower().split()):
        where.append(
            f"(instr(lower(m.name), :q{number}) or instr(lower(m.handle), :q{number})"
            f" or (not :kb_guest and instr(lower(coalesce(m.email, '')), :q{number})))"
        )
        binds[f"q{number}"] = word.removeprefix("@") or word
    return where, binds


def _short(tx: Read, ref: str) -> str:
    """The subject of a short reference such as `WEB-12`. Raises NotFound."""
    for kind in visibility.kinds(tx).values():
        if kind.references is not None and kind.scope in tx.caller.scopes and not ref_of(ref)[0]:
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
        f"select m.id, m.name from member m where m.state = 'active' and {queries.SEEN}"
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
