"""Pages as other modules read them: articles of a knowledge base, for those who ask in the name of nobody, such as a
desk; and the text of a page that the caller sees."""

import re
from typing import NamedTuple

from kbwork.base.text import folded
from kbwork.db.tx import Read
from kbwork.modules.desk import Articles, ArticleText
from kbwork.modules.pages import access


class Article(NamedTuple):
    """A page as readers from outside see it."""

    id: str
    title: str
    slug: str
    body: str
    updated_at: int
    score: int = 0
    """How many words of what was asked it has."""


_OPEN = (
    "p.space = s.id and s.key = :space and s.kind = 'kb' and s.deleted_at is null and s.archived_at is null"
    " and p.deleted_at is null and p.archived_at is null and p.state = 'published'"
    " and not exists (with recursive up (id, parent) as (select p.id, p.parent union all"
    " select q.id, q.parent from up join page q on q.id = up.parent)"
    " select 1 from up join page_limit x on x.page = up.id and x.level = 'view')"
)
"""The condition on `page p` and `space s`: narrowed to nobody, by itself or from above."""
_SHORT = 2
_MOST_WORDS = 20
_EXCERPT_CHARS = 200
_BEFORE = 60
_COLUMNS = "p.id, p.title, p.slug, p.body, p.updated_at"
_NEWEST = f"select {_COLUMNS} from space s, page p where {_OPEN} order by p.updated_at desc, p.id"
_BY_WORDS = (
    f"with kept as materialized (select {_COLUMNS}, folded(p.title) as title_key, folded(p.body) as body_key"
    f" from space s, page p where {_OPEN})"
    f" select * from (select {_COLUMNS}, {{}} as fits from kept p) p where p.fits > 0"
    " order by p.fits desc, p.updated_at desc, p.id"
)
"""Anybody may ask: each text is folded once, not for each of the words."""


def articles(tx: Read, space: str, text: str, limit: int = 20) -> list[Article]:
    """Those of a knowledge base that have words of a text: those with more of them first, where one in a title counts
    for two more; all where the text has none. Words of a letter or two count where there are no others."""
    words = _words(text)
    fits = " + ".join(
        f"(instr(p.title_key, :word{number}) > 0) * 2 + (instr(p.body_key, :word{number}) > 0)"
        for number in range(len(words))
    )
    rows = tx.tuples(
        (_BY_WORDS.format(fits) if words else _NEWEST) + " limit :limit",
        space=space.strip().upper(),
        limit=limit,
        **{f"word{number}": folded(word) for number, word in enumerate(words)},
    )
    return [_article(row) for row in rows]


def _words(text: str) -> list[str]:
    every = list(dict.fromkeys(re.findall(r"\w+", text)))
    return ([word for word in every if len(word) > _SHORT] or every)[:_MOST_WORDS]


def article(tx: Read, space: str, ident: str) -> Article | None:
    """One of them, by its id or a slug that it has or had."""
    rows = tx.tuples(
        f"select {_COLUMNS} from space s, page p where {_OPEN} and p.id in (select cast(:id as integer)"
        " union all select g.page from page_slug g where g.space = s.id and g.slug = :id)",
        space=space.strip().upper(),
        id=ident.strip(),
    )
    return _article(rows[0]) if rows else None


def page_text(tx: Read, ref: str) -> Article | None:
    """A page that the caller sees, as readers see it; by its id or `<space>/<slug>`."""
    row = access.find(tx, ref)
    if row is None:
        return None
    return Article(str(row["id"]), row["title"], row["slug"], row["body"], row["updated_at"])


def _article(row: tuple[object, ...]) -> Article:
    ident, title, slug, body, at, *more = row
    return Article(
        str(ident), str(title), str(slug), str(body), int(str(at)), int(str(more[0])) if more else 0
    )


def _found(tx: Read, space: str, text: str, limit: int) -> list[ArticleText]:
    return [_told(one, text) for one in articles(tx, space, text, limit)]


def _got(tx: Read, space: str, ident: str) -> ArticleText | None:
    found = article(tx, space, ident)
    return _told(found) if found is not None else None


def _told(found: Article, text: str = "") -> ArticleText:
    """With the piece around the first of the words that were looked for, or its beginning."""
    flat = " ".join(found.body.split())
    small = flat.lower()
    at = min((place for word in _words(text) if (place := small.find(word.lower())) >= 0), default=0)
    begin = max(0, at - _BEFORE)
    excerpt = flat[begin : begin + _EXCERPT_CHARS]
    return ArticleText(
        id=found.id,
        title=found.title,
        text=found.body,
        excerpt=f"…{excerpt}" if begin else excerpt,
        score=found.score,
    )


def _any(tx: Read, space: str) -> bool:
    return bool(articles(tx, space, "", 1))


ARTICLES = Articles(home=__name__, search=_found, get=_got, any=_any)
