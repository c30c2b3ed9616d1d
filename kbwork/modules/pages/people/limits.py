"""To whom pages are narrowed, and what of it stays when a page goes elsewhere or is copied."""

from typing import Literal

from kbwork.base.errors import NotAllowed
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.model import PageLimits

LEVELS: tuple[Literal["view", "edit"], ...] = ("view", "edit")


def put(tx: Write, row: PageRow, wanted: PageLimits) -> None:
    """Narrow a page to these, and its owner; where none are named it is as its place."""
    tx.execute("delete from page_limit where page = :page", page=row["id"])
    held: list[tuple[str, str]] = [(level, who) for level in LEVELS for who in wanted[level]]
    if held:
        held.append(("owner", row["owner"]))
    for level, who in held:
        tx.execute(
            "insert into page_limit (page, level, who) values (:page, :level, :who)",
            page=row["id"],
            level=level,
            who=who,
        )


def require_leave(tx: Read, above: int | None, to: int | None) -> None:
    """Raises NotAllowed where what stood below the page `above` goes below `to`, out of what narrows it there, and the
    caller may not take that off."""
    for page in _left(tx, above, to):
        if not access.may_narrow(tx, queries.stored(tx, page)):
            raise NotAllowed(
                "A page above it is narrowed to some people, and elsewhere others would come to it: those who manage"
                " the space, and the owner of that page, take it out."
            )


def require_owned(tx: Read, row: PageRow, *, narrowed: bool = False) -> None:
    """Raises NotAllowed where the caller may not narrow a page, or take that off, as its next owner may. `narrowed`:
    only of one that is."""
    if access.may_narrow(tx, row) or (narrowed and not _narrowing(tx, [row["id"]])):
        return
    raise NotAllowed(
        "Its owner says who sees and changes a page: those who manage the space, and whoever owns it now, give it to"
        " somebody else."
    )


def keep(tx: Write, copy: PageRow, source: int, *, along: bool = False) -> None:
    """Narrow a copy to its owner and those whom all let in that narrows its source and not the place of the copy; where
    what stands above the source was copied `along`, that is narrowed by itself."""
    seeing: list[set[str]] = []
    changing: list[set[str]] = []
    for page in _narrowing(tx, [source]) if along else _left(tx, source, copy["parent"]):
        held = queries.limits(tx, page)
        may_change = {*held["edit"], queries.stored(tx, page)["owner"]}
        if held["edit"]:
            changing.append(may_change)
        if held["view"]:
            seeing.append({*held["view"], *may_change})
    # Whoever is named for changes sees the page too: only those stand there whom all let see it.
    put(
        tx,
        copy,
        PageLimits(
            view=_in_all(seeing, copy["owner"]),
            edit=_in_all([*changing, *seeing], copy["owner"]) if changing else [],
        ),
    )


def _in_all(named: list[set[str]], owner: str) -> list[str]:
    """Who is in each of these; its owner alone where nobody is, since none named would be everybody."""
    return sorted(set.intersection(*named)) or [owner] if named else []


def _left(tx: Read, source: int | None, to: int | None) -> list[int]:
    """The narrowed pages among one and those above it that another does not stand below."""
    lines = access.lines(tx, [page for page in (source, to) if page is not None])
    there = lines[to] if to is not None else []
    return _narrowing(tx, [page for page in lines.get(source or 0, []) if page not in there])


def _narrowing(tx: Read, pages: list[int]) -> list[int]:
    return tx.column(
        "select distinct page from page_limit where page in (select value from json_each(:ids)) order by page",
        ids=json_array(pages),
    )
