"""Pages as the query language asks for them, how texts name them, and what their texts name."""

import re
from collections.abc import Iterator
from typing import Any

from kbwork.base.text import folded, whole_number
from kbwork.core.access import visibility
from kbwork.core.ports.query_source import (
    QueryDomain,
    QueryField,
    QueryFrame,
    QueryMentions,
    QueryNamed,
    QuerySource,
    Rows,
    TableNames,
    TextColumn,
)
from kbwork.db.tx import Read, json_array
from kbwork.modules.pages import access
from kbwork.modules.pages.people import visits
from kbwork.modules.pages.text import links
from kbwork.pagefiles import markdown
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.names import NamedThing
from kbwork.tql.sources import person

_MOST_NEAR = 50
_NO_SPACE = 0
"""No space has this number: texts that stand in none name a page with its space."""
_NAMED = re.compile(r"(?<![\w/])(?:page:|/?pages/)([0-9]{1,18})(?![\w/])")
_ABOVE = (
    "(with recursive up (id, parent) as (select {row}.id, {row}.parent union all"
    " select q.id, q.parent from up join page q on q.id = up.parent) select id from up)"
)
_LOOKED = "(select {row}m.at from mark {row}m where {row}m.member = :kb_me and {row}m.subject = 'page:' || {row}.id)"
_WATCHED = "exists (select 1 from page_watcher {row}w where {row}w.page = {row}.id and {row}w.who = :kb_me)"


def _labels(frame: QueryFrame, row: str) -> Rows:
    side = frame.row("u")
    order = f"(select name_key from label where id = {side}.label), {side}.label"
    return Rows(f"{side}.label", f"page_label {side}", f"{row}.id", f"{side}.page", order=order)


def _parent(frame: QueryFrame, row: str) -> Rows:
    """The page above it where the caller sees that."""
    far = frame.row("p")
    return Rows(f"{far}.id", f"page {far}", f"{row}.parent", f"{far}.id", frame.seen("pages", far))


def _views(frame: QueryFrame, row: str) -> Rows:
    since = frame.bind(visits.first_day(frame.tx, visits.COUNTED_DAYS))
    return Rows(
        f"(select count(*) from page_visit {row}v where {row}v.page = {row}.id and {row}v.day >= {since})"
    )


_PROPERTIES = "page {0}, json_each({0}.properties) {0}e"
_VALUES = (
    f"{_PROPERTIES}, json_each(iif({{0}}e.type = 'array', {{0}}e.value, json_array({{0}}e.value))) {{0}}v"
)
_VALUE = (
    "{0}e.key || '=' || iif({0}e.type in ('true', 'false'), {0}e.type,"
    " iif({0}v.type in ('true', 'false'), {0}v.type, {0}v.value))"
)
_PLAIN = "{0}e.type not in ('null', 'object') and {0}v.type not in ('null', 'object', 'array')"


def _properties(frame: QueryFrame, row: str) -> Rows:
    """Each by its name, and as `name=value` where that is plain."""
    side = frame.row("p")
    both = (
        f"(select {side}.id as id, {side}e.key as said from {_PROPERTIES.format(side)} union all"
        f" select {side}.id, {_VALUE.format(side)} from {_VALUES.format(side)} where {_PLAIN.format(side)})"
    )
    return Rows(f"{side}s.said", f"{both} {side}s", f"{row}.id", f"{side}s.id", order=f"{side}s.said")


PAGES = QuerySource(
    home=__name__,
    name="pages",
    table="page",
    row="p",
    seen=access.SEEN,
    scope="pages:read",
    module="pages",
    domain="page",
    subject="page:id",
    depth=access.DEEPEST,
    live="{row}.archived_at is null",
    defaults="id title space updated",
    flags={
        "mine": "({row}.owner = :kb_me or {row}.created_by = :kb_me)",
        "watched": _WATCHED,
        "starred": "exists (select 1 from star {row}s where {row}s.subject = 'page:' || {row}.id"
        " and {row}s.member = :kb_me)",
        "archived": "{row}.archived_at is not null",
        "locked": "{row}.locked = 1",
        "unread": f"({_WATCHED} and coalesce({_LOOKED}, 0) < {{row}}.updated_at)",
        "draft": "{row}.state = 'draft'",
        "restricted": f"exists (select 1 from page_limit {{row}}l where {{row}}l.page in {_ABOVE})",
    },
    fields=(
        QueryField(field=FieldDef("id", FieldKind.KEY, domain="page"), sql="{row}.id", certain=True),
        QueryField(field=FieldDef("title", FieldKind.TEXT), sql="{row}.title", certain=True),
        QueryField(
            field=FieldDef("text", FieldKind.TEXT),
            texts=(
                TextColumn("p.id", "p.title", "page p", index=("title", "p.id", "page")),
                TextColumn("p.id", "p.body", "page p", index=("body", "p.id", "page")),
            ),
        ),
        QueryField(
            field=FieldDef("space", FieldKind.NAME, domain="space", to="spaces"),
            sql="{row}.space",
            certain=True,
            order="(select s.key from space s where s.id = {0})",
        ),
        QueryField(
            field=FieldDef("parent", FieldKind.KEY, domain="page", to="pages"),
            sql=_parent,
            step="{row}.parent",
        ),
        QueryField(field=person("author"), sql="{row}.created_by"),
        QueryField(field=person("updater"), sql="{row}.updated_by"),
        QueryField(field=person("owner"), sql="{row}.owner"),
        QueryField(
            field=FieldDef("label", FieldKind.NAME, many=True, domain="label", aliases=("labels",)),
            sql=_labels,
        ),
        QueryField(
            field=FieldDef(
                "state", FieldKind.NAME, domain="page_state", choices=("draft", "published", "archived")
            ),
            sql="iif({row}.archived_at is not null, 'archived', {row}.state)",
            certain=True,
        ),
        QueryField(field=FieldDef("created", FieldKind.TIME), sql="{row}.created_at", certain=True),
        QueryField(field=FieldDef("updated", FieldKind.TIME), sql="{row}.updated_at", certain=True),
        QueryField(field=FieldDef("verified", FieldKind.TIME), sql="{row}.verified_until"),
        QueryField(field=FieldDef("views", FieldKind.NUMBER), sql=_views, certain=True),
        QueryField(field=FieldDef("version", FieldKind.NUMBER), sql="{row}.version", certain=True),
        QueryField(
            field=FieldDef("property", FieldKind.NAME, many=True),
            sql=_properties,
            texts=(
                TextColumn("p.id", "pe.key", _PROPERTIES.format("p")),
                TextColumn("p.id", _VALUE.format("p"), _VALUES.format("p"), _PLAIN.format("p")),
            ),
        ),
    ),
)


# -- names -------------------------------------------------------------------------------------------------


def _latest(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """Some that were changed last, to choose from."""
    return _pages(tx, "p.archived_at is null order by p.updated_at desc, p.id desc limit 300")


def _meant(tx: Read, start: str) -> list[NamedThing]:
    """The one with this id or slug, with its space or without; else those whose titles begin so."""
    ident = whole_number(start.strip())
    if ident is not None or "/" in start:
        found = list(_pages(tx, "p.id = :id", id=ident if ident is not None else access.ident_of(tx, start)))
        if found:
            return [NamedThing(found[0].id, found[0].name, key=found[0].key, former=(start.strip(),))]
    slug = markdown.slug(start)
    near = (
        "(p.slug = :slug or substr(folded(p.title), 1, length(:form)) = :form) order by length(p.title), p.id"
    )
    return list(_pages(tx, f"{near} limit {_MOST_NEAR}", slug=slug, form=folded(start)))


def _pages(tx: Read, near: str, **binds: Any) -> Iterator[NamedThing]:
    if not visibility.reads(tx, "page"):
        return iter(())
    rows = tx.all(
        f"select p.id, p.title, p.slug from page p where {access.SEEN} and {near}",
        **binds,
        **visibility.binds(tx),
    )
    return (NamedThing(str(row["id"]), row["title"], key=str(row["id"]), handle=row["slug"]) for row in rows)


_TITLES = TableNames("page", "title")
PAGE = QueryDomain(
    home=__name__,
    name="page",
    some=_latest,
    begins=_meant,
    scopes=frozenset({"pages:read"}),
    ranks=_TITLES.ranks,
)


# -- what texts name ---------------------------------------------------------------------------------------


def _needles(tx: Read, page: int) -> list[str]:
    slugs = tx.column(
        "select s.key || '/' || g.slug from page_slug g join space s on s.id = g.space where g.page = :page",
        page=page,
    )
    return [f"page:{page}", f"pages/{page}", *slugs]


def _named(tx: Read, text: str) -> Iterator[int]:
    """By an id as a subject or in an address, or by space and slug in double brackets."""
    yield from (int(one[1]) for one in _NAMED.finditer(text))
    for one in markdown.named(text) if "[[" in text else ():
        if one.kind == "page":
            space, slug = links.place(tx, _NO_SPACE, one.words)
            yield from tx.column(
                "select page from page_slug where space = :space and slug = :slug", space=space, slug=slug
            )


NAMED = QueryNamed(home=__name__, source="pages", needles=_needles, named=_named)
_TO_PAGES = (
    "page_link l join page_slug g on g.space = l.space and g.slug = l.slug"
    " where l.kind = 'page' and l.page <> g.page"
)
_TO_ISSUES = "page_link l where l.kind = 'issue'"
_ISSUE = "cast(substr(l.ref, 7) as integer)"


def _pages_named(tx: Read, pages: list[int]) -> dict[int, list[int]]:
    return _ends(tx, f"select distinct l.page, g.page from {_TO_PAGES} and l.page in {{0}}", pages)


def _pages_naming(tx: Read, pages: list[int]) -> list[int]:
    return tx.column(
        f"select distinct l.page from {_TO_PAGES} and g.page in (select value from json_each(:ids))",
        ids=json_array(pages),
    )


def _issues_named(tx: Read, pages: list[int]) -> dict[int, list[int]]:
    return _ends(tx, f"select distinct l.page, {_ISSUE} from {_TO_ISSUES} and l.page in {{0}}", pages)


def _pages_naming_issues(tx: Read, issues: list[int]) -> list[int]:
    return tx.column(
        f"select distinct l.page from {_TO_ISSUES} and l.ref in (select 'issue:' || value from json_each(:ids))",
        ids=json_array(issues),
    )


def _ends(tx: Read, sql: str, pages: list[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    asked = sql.format("(select value from json_each(:ids))")
    for page, end in tx.tuples(f"{asked} order by 1, 2", ids=json_array(pages)):
        found.setdefault(page, []).append(end)
    return found


LINKS = QueryMentions(home=__name__, source="pages", to="pages", named=_pages_named, naming=_pages_naming)
ISSUE_LINKS = QueryMentions(
    home=__name__, source="pages", to="issues", named=_issues_named, naming=_pages_naming_issues
)
