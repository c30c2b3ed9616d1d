"""Pages as rows and as answers."""

import json
from typing import Any, Literal

from kbwork.core.access import visibility
from kbwork.db.rows import PageRow, PageVersionRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.pages import access
from kbwork.modules.pages.model import Page, PageLimits
from kbwork.modules.pages.people import visits
from kbwork.modules.spaces import PageCounts, PageSummary
from kbwork.modules.spaces import queries as spaces
from kbwork.pagefiles import markdown

_ASKED = "p.id in (select value from json_each(:ids))"
_CHILDREN = (
    f"select p.parent as id, count(*) as number from page p where p.parent in (select value from json_each(:ids))"
    f" and p.archived_at is null and {access.SEEN} group by p.parent"
)
_BACKLINKS = (
    "select g.page as id, count(distinct l.page) as number from json_each(:ids) a"
    " join page_slug g on g.page = a.value"
    " join page_link l on l.kind = 'page' and l.space = g.space and l.slug = g.slug and l.page <> g.page"
    f" join page p on p.id = l.page where {access.SEEN} group by g.page"
)
_COMMENTS = (
    "select cast(substr(subject, 6) as integer) as id, count(*) as number,"
    " sum(parent is null and resolved_at is null and not stub) as threads from comment"
    " where subject in (select 'page:' || value from json_each(:ids)) and deleted_at is null and not stub"
    " group by subject"
)
_LABELS = (
    "select u.page, l.name from page_label u join label l on l.id = u.label"
    " where u.page in (select value from json_each(:ids)) order by lower(l.name), l.id"
)
_WATCHES = "select 1 from page_watcher where page = :page and who = :who"
Format = Literal["md", "doc", "both"]


def stored(tx: Read, ident: int) -> PageRow:
    """One that is there."""
    row = tx.stored("page", [ident])
    assert row is not None
    return row


def version(tx: Read, page: int, number: int) -> PageVersionRow | None:
    """What a page was."""
    return tx.stored("page_version", [page, number])


def summaries(tx: Read, rows: list[PageRow]) -> list[PageSummary]:
    """Rows that the caller sees, in their order."""
    ids = json_array(row["id"] for row in rows)
    sight = visibility.binds(tx)
    below = children(tx, [row["id"] for row in rows])
    opened = visits.counts(tx, [row["id"] for row in rows])
    backlinks = _numbers(tx, _BACKLINKS, ids=ids, **sight)
    said = {row["id"]: row for row in tx.all(_COMMENTS, ids=ids)} if visibility.reads(tx, "comment") else {}
    labels: dict[int, list[str]] = {}
    for page, name in tx.tuples(_LABELS, ids=ids):
        labels.setdefault(page, []).append(name)
    keys = spaces.keys(tx, {row["space"] for row in rows})
    levels = access.levels(tx, rows)
    above = access.lines(tx, [row["id"] for row in rows])
    narrowed = _narrowed(tx, {page for line in above.values() for page in line})
    parents = seen(tx, {row["parent"] for row in rows if row["parent"] is not None})
    return [
        PageSummary(
            id=str(row["id"]),
            space=keys[row["space"]],
            parent=str(row["parent"]) if row["parent"] in parents else None,
            title=row["title"],
            slug=row["slug"],
            icon=row["icon"],
            cover=row["cover"],
            labels=labels.get(row["id"], []),
            properties=json.loads(row["properties"]),
            owner=row["owner"],
            state="archived" if row["archived_at"] is not None else row["state"],
            has_draft=row["draft"] is not None and levels[row["id"]] in ("edit", "manage"),
            version=row["version"],
            locked=bool(row["locked"]),
            restricted=not narrowed.isdisjoint(above[row["id"]]),
            verified_until=row["verified_until"],
            verified_by=row["verified_by"],
            counts=PageCounts(
                comments=said[row["id"]]["number"] if row["id"] in said else 0,
                open_threads=said[row["id"]]["threads"] if row["id"] in said else 0,
                views_30d=opened.get(row["id"], 0),
                children=below.get(row["id"], 0),
                backlinks=backlinks.get(row["id"], 0),
            ),
            created_at=row["created_at"],
            created_by=row["created_by"],
            updated_at=row["updated_at"],
            updated_by=row["updated_by"],
            my_level=levels[row["id"]],
            path=path(row["id"]),
            seq=row["seq"],
        )
        for row in rows
    ]


def shown(tx: Read, row: PageRow, *, as_: Format = "both", section: tuple[int, int] | None = None) -> Page:
    """A page that the caller sees, with its text, or one section of that."""
    return _whole(tx, row, summaries(tx, [row])[0], as_, section)


def _whole(
    tx: Read, row: PageRow, summary: PageSummary, as_: Format = "both", section: tuple[int, int] | None = None
) -> Page:
    body = row["body"]
    if section is not None:
        body = "\n".join(body.split("\n")[section[0] : section[1]])
    whole = section is None and as_ in ("doc", "both")
    return Page(
        **summary,
        body=body if as_ != "doc" or row["body_doc"] is None else "",
        body_doc=row["body_doc"] if whole else None,
        headings=markdown.headings(body),
        watching=tx.one(_WATCHES, page=row["id"], who=watcher(tx)) is not None,
        limits=limits(tx, row["id"]) if access.may_narrow(tx, row) else None,
    )


def all_shown(tx: Read, rows: list[PageRow]) -> list[Page]:
    """Pages that the caller sees, with their texts, in their order."""
    return [_whole(tx, row, summary) for row, summary in zip(rows, summaries(tx, rows), strict=True)]


def watcher(tx: Read) -> str | None:
    """Who watches where the caller does; None: nobody can."""
    agent = tx.caller.kind == "agent" and tx.caller.via is not None
    return tx.caller.via if agent else tx.caller.member


def limits(tx: Read, page: int) -> PageLimits:
    """Who is named on a page itself, by what for: teams, then people by their names."""
    found = PageLimits(view=[], edit=[])
    for level, who in tx.tuples(
        "select l.level, l.who from page_limit l left join member m on m.id = l.who"
        " where l.page = :page and l.level <> 'owner' order by lower(m.name), l.who",
        page=page,
    ):
        found["view" if level == "view" else "edit"].append(who)
    return found


def one(tx: Read, ident: int) -> Page:
    """One that the caller sees, as it is now."""
    return shown(tx, stored(tx, ident))


def as_drafted(tx: Read, row: PageRow) -> PageRow:
    """A page with its changes that are not published yet, if there are some."""
    held = version(tx, row["id"], row["draft"]) if row["draft"] is not None else None
    return row if held is None else as_version(row, held)


def as_version(row: PageRow, held: PageVersionRow) -> PageRow:
    """A page with the text that it had."""
    return {
        **row,
        "title": held["title"],
        "body": held["body"],
        "body_doc": held["body_doc"],
        "version": held["version"],
    }


def children(tx: Read, pages: list[int]) -> dict[int, int]:
    """How many pages the caller sees right below each of these."""
    return _numbers(tx, _CHILDREN, ids=json_array(pages), **visibility.binds(tx))


def seen(tx: Read, pages: set[int]) -> set[int]:
    """Those of these pages that the caller sees."""
    if not pages:
        return set()
    return set(
        tx.column(
            f"select p.id from page p where {_ASKED} and {access.SEEN}",
            ids=json_array(pages),
            **visibility.binds(tx),
        )
    )


def path(ident: int) -> str:
    return f"/pages/{ident}"


def told(tx: Read, row: PageRow, **more: Any) -> Row:
    """What events say of a page."""
    space = access.space_of(tx, row)
    return {"title": row["title"], "space": space["key"], "version": row["version"], **more}


def _narrowed(tx: Read, pages: set[int]) -> frozenset[int]:
    return frozenset(
        tx.column(
            "select distinct page from page_limit where page in (select value from json_each(:ids))",
            ids=json_array(pages),
        )
    )


def _numbers(tx: Read, sql: str, **given: Any) -> dict[int, int]:
    return {row["id"]: row["number"] for row in tx.all(sql, **given)}
