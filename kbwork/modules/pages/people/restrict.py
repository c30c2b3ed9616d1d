"""Narrowing pages to some people."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.base.text import whole_number
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import Page, PageLimits, PageRef, PageRestricted
from kbwork.modules.pages.people import limits
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
    if not access.may_narrow(tx, row):
        raise NotAllowed("A page is narrowed by those who manage its space, and by its owner.")
    spaces.require_open(access.space_of(tx, row))
    held = queries.limits(tx, row["id"])
    before = PageLimits(view=sorted(held["view"]), edit=sorted(held["edit"]))
    after = PageLimits(
        view=before["view"] if args.view is None else _identities(tx, args.view, "view"),
        edit=before["edit"] if args.edit is None else _identities(tx, args.edit, "edit"),
    )
    changes: dict[str, Any] = {}
    for level in limits.LEVELS:
        if before[level] != after[level]:
            changes[level] = (before[level], after[level])
    if not changes:
        return queries.shown(tx, row)
    limits.put(tx, row, after)
    if access.find(tx, str(row["id"])) is None:
        raise Conflict("That would hide the page from you: name yourself too.")
    seq = tx.emit(PageRestricted(subject=f"page:{row['id']}", payload=queries.told(tx, row), changes=changes))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    return queries.one(tx, row["id"])


def _identities(tx: Read, refs: list[str], field: str) -> list[str]:
    return sorted({_identity(tx, ref, field) for ref in refs})


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
