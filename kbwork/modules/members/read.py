"""Look at the people of the org."""

from collections.abc import Sequence
from typing import Any, Literal

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Text
from kbwork.core.access import scopes, visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import Rendered, read
from kbwork.core.operations.documents import eyes_of
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read
from kbwork.modules.members import queries
from kbwork.modules.members.documents import DOCUMENTS, MemberEyes
from kbwork.modules.members.model import Member

_ORDER = "order by lower(m.name), m.id limit :most"


class _SortedRow(MemberRow):
    sorted: str


class MembersList(Input):
    q: Text | None = None
    """Words in name, handle or, for who may see it, address."""
    role: Text | None = None
    """Only those with this role in the org."""
    team: Id | None = None
    """Members of this team; 0 stands for the admins."""
    state: Literal["active", "deactivated", "all"] | None = None
    """`active` unless given; `all` has the invited and the erased, too."""
    cursor: Cursor | None = None
    limit: Limit | None = None


def _listed(tx: Read, args: MembersList) -> Rendered | None:
    if tx.caller.guest:
        return None
    where, binds = _page(tx, args)
    rows = tx.tuples(f"select lower(m.name), m.id from member m where {where} {_ORDER}", **binds)
    shown = [ident for _, ident in rows[: pagination.limit(args)]]
    return DOCUMENTS.paged(tx, eyes_of(tx, MemberEyes), shown, _after(tx, args, rows))


@read(
    "members.list",
    scope="members:read",
    words=(
        "all users, people, colleagues, staff, who works here, who is an admin, guests, "
        "who is on vacation, who is away, out of office, absent, on holiday, how many users, "
        "find a person"
    ),
    example={"q": "ana", "state": "active"},
    render=_listed,
)
def list_(tx: Read, args: MembersList) -> Paged[Member]:
    """List the people of the org, by name. Guests see those with whom they share a project, a team or an issue.

    An unknown role is 422; a team that you do not see has no members.
    """
    where, binds = _page(tx, args)
    rows = tx.all(
        f"select m.*, lower(m.name) as sorted from member m where {where} {_ORDER}", _SortedRow, **binds
    )
    following = _after(tx, args, [(row["sorted"], row["id"]) for row in rows])
    return Paged[Member](items=queries.shown(tx, rows[: pagination.limit(args)]), next=following)


def _page(tx: Read, args: MembersList) -> tuple[str, dict[str, Any]]:
    """(the condition on `member m` of those from the beginning of a page, what it and `_ORDER` bind)."""
    where, binds = _filter(tx, args)
    if (at := pagination.place(tx, args)) is not None:
        where.append("(lower(m.name), m.id) > (:name, :id)")
        binds |= {"name": at[0], "id": at[1]}
    binds["most"] = pagination.limit(args) + 1
    return " and ".join(where), binds


def _after(tx: Read, args: MembersList, places: Sequence[tuple[Any, ...]]) -> str | None:
    """The cursor behind a page, given the places in the order of those on it and of the one behind them."""
    most = pagination.limit(args)
    return pagination.cursor(tx, args, list(places[most - 1])) if len(places) > most else None


class MembersGet(Input):
    id: Text
    """Member id, e-mail address, `@handle` or `me`."""


def _one(tx: Read, args: MembersGet) -> Rendered | None:
    if tx.caller.guest:
        return None
    row = queries.by_ref(tx, args.id, missing=NotFound)
    told = DOCUMENTS.texts(tx, eyes_of(tx, MemberEyes), [row["id"]])
    return Rendered(told.digest, told.items[0], told.entry)


@read(
    "members.get",
    scope="members:read",
    words=(
        "who is this, profile of a person, contact, email of a colleague, is she away, "
        "time zone of a colleague"
    ),
    example={"id": "@ana"},
    render=_one,
)
def get(tx: Read, args: MembersGet) -> Member:
    """Look at one member. Guests find people whom they share something with, and nobody by address (404)."""
    return queries.shown(tx, [queries.by_ref(tx, args.id, missing=NotFound)])[0]


def _filter(tx: Read, args: MembersList) -> tuple[list[str], dict[str, Any]]:
    where, binds = [queries.MEMBER_SEEN], dict(visibility.binds(tx))
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
