"""Narrowing pages to some people."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.access.grants import at_least
from kbwork.core.operations.declare import write
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import Page, PageRef, PageRestricted
from kbwork.modules.spaces import access as spaces

People = Annotated[list[Text], Field(max_length=200)]


class PagesRestrict(Input):
    id: PageRef
    view: People | None = None
    """Members and `team:<id>` who see it; `[]`: as its space. Left out: it stays."""
    edit: People | None = None
    """Members and `team:<id>` who change it; `[]`: as its space. Left out: it stays. They see it as well."""


@write(
    "pages.restrict",
    scope="pages:write",
    words=(
        "make a page private, hide a page, confidential document, only some people may see a page, "
        "limit who may edit a page, who may read this"
    ),
    emits=[PageRestricted],
    people="people",
    undo="who may see it is set anew",
    example={"id": "HAND/welcome", "view": ["@bo", "@cy"], "edit": []},
)
def restrict(tx: Write, args: PagesRestrict) -> Page:
    """Narrow a page, and all that stands below it, to some people; its owner and admins see and change it all the same.

    It narrows what the space gives and gives nobody more: whoever has no right there has none here. For those who
    manage the space, and the page's owner (403). What would hide the page from yourself is 409.
    """
    row = access.page(tx, args.id)
    manages = at_least(spaces.level_in(tx, row["space"]), "manage")
    if not manages and row["owner"] != tx.caller.member:
        raise NotAllowed("A page is narrowed by those who manage its space, and by its owner.")
    spaces.require_open(access.space_of(tx, row))
    before = limits(tx, row["id"])
    after = dict(before)
    for level, given in (("view", args.view), ("edit", args.edit)):
        if given is not None:
            after[level] = sorted({_identity(tx, ref, level) for ref in given})
    changes: dict[str, Any] = {
        level: (before[level], after[level]) for level in before if before[level] != after[level]
    }
    if not changes:
        return queries.shown(tx, row)
    _put(tx, row, after)
    if access.find(tx, str(row["id"])) is None:
        raise Conflict("That would hide the page from you: name yourself too.")
    seq = tx.emit(PageRestricted(subject=f"page:{row['id']}", payload=queries.told(tx, row), changes=changes))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    return queries.one(tx, row["id"])


def limits(tx: Read, page: int) -> dict[str, list[str]]:
    """Who is named on a page itself, by what for."""
    found: dict[str, list[str]] = {"view": [], "edit": []}
    for level, who in tx.tuples(
        "select level, who from page_limit where page = :page and level <> 'owner' order by level, who",
        page=page,
    ):
        found[level].append(who)
    return found


def _put(tx: Write, row: PageRow, wanted: dict[str, list[str]]) -> None:
    tx.execute("delete from page_limit where page = :page", page=row["id"])
    held = [(level, who) for level, whos in wanted.items() for who in whos]
    if held:
        held.append(("owner", row["owner"]))
    for level, who in held:
        tx.execute(
            "insert into page_limit (page, level, who) values (:page, :level, :who)",
            page=row["id"],
            level=level,
            who=who,
        )


def _identity(tx: Read, ref: str, field: str) -> str:
    """A member or team. Raises InvalidInput."""
    kind, rest = ref_of(ref.strip())
    if kind == "team":
        if rest == "admins":
            return "team:admins"
        row = tx.one(
            f"select t.id from team t where t.id = :id and {members.TEAM_SEEN}",
            id=whole_number(rest),
            **visibility.binds(tx),
        )
        return f"team:{named.known(row, 'team', ref, 'teams.list', field=field)['id']}"
    found = members.by_ref(tx, ref, field=field)
    if found["state"] != "active":
        raise InvalidInput(f"{found['name']} is no active member.", field=field)
    return str(found["id"])
