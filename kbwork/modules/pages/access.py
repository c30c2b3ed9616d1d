"""Who may see and do what with a page.

A page has the rights of its space, and those that were given on it or on a page above it. A page that is narrowed to
some people narrows all that stands below it; admins see and change it all the same.
"""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.access.grants import Level, at_least, wider
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import access as grants
from kbwork.modules.spaces import access as spaces

DEEPEST = 20
"""Levels of a tree."""
_UP = (
    "exists (with recursive up (id, parent) as (select p.id, p.parent union all"
    " select q.id, q.parent from up join page q on q.id = up.parent)"
    " select 1 from up where up.id in (select value from json_each({0})))"
)
_GIVEN = (
    "{0} <> '[]' and exists (select 1 from space x where x.id = p.space and x.deleted_at is null"
    " and x.kind <> 'personal') and " + _UP
)
_BARRED = f":kb_page_barred <> '[]' and {_UP.format(':kb_page_barred')}"
_CAPPED = f":kb_page_capped <> '[]' and {_UP.format(':kb_page_capped')}"


def _may(level: str, spaces_of: str) -> str:
    return (
        f"(p.space in (select value from json_each({spaces_of})) or ({_GIVEN.format(f':kb_page_{level}')}))"
        f" and not ({_BARRED})"
    )


EDITS = f"({_may('edits', ':kb_space_edits')} and not ({_CAPPED}))"
"""The condition on `page p`, wherever it is: the caller may change it as far as its place goes."""
SPEAKS = f"({_may('speaks', ':kb_space_speaks')})"
"""As `EDITS`: they may comment on it."""
MANAGES = f"({_may('manages', ':kb_space_manages')} and not ({_CAPPED}))"
SEEN = (
    f"p.deleted_at is null and {_may('seen', ':kb_spaces')}"
    f" and (p.state <> 'draft' or p.created_by = :kb_me or {EDITS})"
)
"""The condition on `page p`: the caller sees it."""
RESTORABLE = f"p.deleted_at is not null and {EDITS}"
"""The condition on `page p`: it lies in the trash, and the caller may bring it back."""


@dataclass(frozen=True, slots=True)
class PageRights:
    """What was given on pages to the caller, and which pages are narrowed to others."""

    given: dict[int, Level]
    barred: frozenset[int]
    """They see none of these, nor what stands below."""
    capped: frozenset[int]
    """They change none of these, nor what stands below."""

    @property
    def plain(self) -> bool:
        """Whether each page has the rights of its space."""
        return not (self.given or self.barred or self.capped)


def rights(tx: Read) -> PageRights:
    """Kept until access changes."""
    found: PageRights = tx.cached(
        ("page rights", tx.caller.ident, tx.caller.role, tx.caller.projects), lambda: _rights(tx)
    )
    return found


def _rights(tx: Read) -> PageRights:
    caller = tx.caller
    if caller.member is None or caller.role == "anonymous":
        return PageRights({}, frozenset(), frozenset())
    given = (
        {} if caller.projects is not None else {int(ref): one for ref, one in grants.held(tx, "page").items()}
    )
    if caller.admin:
        return PageRights(given, frozenset(), frozenset())
    named: dict[int, dict[str, set[str]]] = {}
    for row in tx.all("select page, level, who from page_limit"):
        named.setdefault(row["page"], {}).setdefault(row["level"], set()).add(row["who"])
    me = grants.identities(tx)
    barred, capped = set(), set()
    for page, by_level in named.items():
        changing = by_level.get("edit", set()) | by_level["owner"]
        if "view" in by_level and page not in given and me.isdisjoint(by_level["view"] | changing):
            barred.add(page)
        if "edit" in by_level and not at_least(given.get(page), "edit") and me.isdisjoint(changing):
            capped.add(page)
    return PageRights(given, frozenset(barred), frozenset(capped))


def binds(tx: Read) -> dict[str, Any]:
    """What these conditions bind beside what those on spaces do."""
    held = rights(tx)

    def holding(wanted: Level) -> str:
        return json_array(page for page, level in held.given.items() if at_least(level, wanted))

    return {
        "kb_page_seen": json_array(held.given),
        "kb_page_speaks": holding("comment"),
        "kb_page_edits": holding("edit"),
        "kb_page_manages": holding("manage"),
        "kb_page_barred": json_array(sorted(held.barred)),
        "kb_page_capped": json_array(sorted(held.capped)),
    }


def levels(tx: Read, rows: list[PageRow]) -> dict[int, Level]:
    """What the caller may do with these pages, by their places; those that they do not see have none."""
    held, by_space = rights(tx), spaces.levels(tx)
    if held.plain:
        return {row["id"]: by_space[row["space"]] for row in rows if row["space"] in by_space}
    above = lines(tx, [row["id"] for row in rows])
    shared = _shared_spaces(tx, {row["space"] for row in rows}) if held.given else frozenset()
    found: dict[int, Level] = {}
    for row in rows:
        level = by_space.get(row["space"])
        for page in above[row["id"]] if row["space"] in shared else ():
            level = wider(level, held.given.get(page))
        if level is None or not held.barred.isdisjoint(above[row["id"]]):
            continue
        capped = at_least(level, "edit") and not held.capped.isdisjoint(above[row["id"]])
        found[row["id"]] = "comment" if capped else level
    return found


def level_of(tx: Read, row: PageRow) -> Level | None:
    """What the caller may do with a page, wherever it is."""
    return levels(tx, [row]).get(row["id"])


def lines(tx: Read, pages: list[int]) -> dict[int, list[int]]:
    """Each of these pages -> itself and all above it, the nearest first."""
    found: dict[int, list[int]] = {page: [] for page in pages}
    for page, above in tx.tuples(
        "with recursive up (page, id, depth) as (select value, value, 0 from json_each(:pages) union all"
        " select up.page, q.parent, up.depth + 1 from up join page q on q.id = up.id where q.parent is not null)"
        " select page, id from up order by page, depth",
        pages=json_array(pages),
    ):
        found[page].append(above)
    return found


def _shared_spaces(tx: Read, idents: set[int]) -> frozenset[int]:
    """Those in which rights on pages count."""
    return frozenset(
        tx.column(
            "select id from space where id in (select value from json_each(:ids)) and deleted_at is null"
            " and kind <> 'personal'",
            ids=json_array(idents),
        )
    )


def ident_of(tx: Read, ref: str) -> int | None:
    """The number of a page by its id, or by `<space>/<slug>`; seen or not."""
    ident = whole_number(ref.strip())
    if ident is not None:
        return ident
    key, slash, slug = ref.strip().partition("/")
    if not slash:
        return None
    found: int | None = tx.value(
        "select g.page from page_slug g join space s on s.id = g.space where s.key = :key and g.slug = :slug",
        key=key.strip().upper(),
        slug=slug.strip().lower(),
    )
    return found


def find(tx: Read, ref: str) -> PageRow | None:
    """The page that the caller sees, or None."""
    return tx.one(
        f"select p.* from page p where p.id = :id and {SEEN}",
        PageRow,
        id=ident_of(tx, ref),
        **visibility.binds(tx),
    )


def page(tx: Read, ref: str) -> PageRow:
    """As `find`. Raises NotFound."""
    row = find(tx, ref)
    if row is None:
        raise NotFound(f"There is no page {ref!r} that you can see; pages.list shows them.")
    return row


def editable(tx: Read, ref: str, wanted: Level = "edit", *, archived: bool = False) -> PageRow:
    """The page, where the caller may change it now. Raises NotFound, NotAllowed or Conflict."""
    row = page(tx, ref)
    require(tx, row, wanted, archived=archived)
    return row


def require(tx: Read, row: PageRow, wanted: Level = "edit", *, archived: bool = False) -> None:
    """Raises NotAllowed where the caller may not change it, Conflict where nobody may now."""
    held = level_of(tx, row)
    if not at_least(held, wanted):
        raise NotAllowed(f"You may see this page and not {wanted} it.")
    if row["locked"] and not at_least(held, "manage"):
        raise NotAllowed("This page is locked: only those who manage it change it.")
    spaces.require_open(space_of(tx, row))
    if row["archived_at"] is not None and not archived:
        raise Conflict("This page is archived: bring it back before changing it.")


def may_narrow(tx: Read, row: PageRow) -> bool:
    """Whether the caller may narrow it to some people."""
    return at_least(spaces.level_in(tx, row["space"]), "manage") or row["owner"] == tx.caller.member


def space_of(tx: Read, row: PageRow) -> SpaceRow:
    """The space that it is in."""
    found = tx.stored("space", [row["space"]])
    assert found is not None
    return found


def keep_owner(tx: Write, ident: int, owner: str) -> None:
    """Whoever has a page sees and changes it, however it is narrowed; whoever had it does so no more."""
    tx.execute(
        "update page_limit set who = :owner where page = :page and level = 'owner'", owner=owner, page=ident
    )


def closed(tx: Read, row: PageRow) -> str | None:
    """Why nothing on it may be changed now."""
    if row["archived_at"] is not None:
        return "The page is archived: bring it back before changing what is on it."
    return spaces.closed(space_of(tx, row))
