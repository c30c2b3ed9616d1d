"""Look at the people of the org."""

from typing import Any, Literal

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Text
from kbwork.core.access import scopes, visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read
from kbwork.modules.members import queries
from kbwork.modules.members.model import Member

_COLUMNS = "m.*, lower(m.name) as sorted"


class _SortedRow(MemberRow):
    sorted: str


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
    if (at := pagination.place(tx, args)) is not None:
        where.append("(lower(m.name), m.id) > (:name, :id)")
        binds |= {"name": at[0], "id": at[1]}
    most = pagination.limit(args)
    rows = tx.all(
        f"select {_COLUMNS} from member m where {' and '.join(where)} order by lower(m.name), m.id limit :most",
        _SortedRow,
        most=most + 1,
        **binds,
    )
    last = rows[most - 1] if len(rows) > most else None
    following = pagination.cursor(tx, args, [last["sorted"], last["id"]]) if last is not None else None
    return Paged[Member](items=queries.shown(tx, rows[:most]), next=following)


class MembersGet(Input):
    id: Text
    """Member id, e-mail address, `@handle` or `me`."""


@read("members.get", scope="members:read", example={"id": "@ana"})
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
