"""Slugs of pages: one for each in its space, and those that they had, which go on leading to them."""

from collections.abc import Container, Iterable

from kbwork.base.text import numbered
from kbwork.db.tx import Read, Write
from kbwork.pagefiles import markdown

_MOST_CHARS = 90


def free(tx: Read, space: int, title: str, page: int | None = None) -> str:
    """A slug for a title that no other page of the space has or had."""
    return _free(tx, space, title, page, ())


def free_each(tx: Read, space: int, titles: Iterable[str]) -> list[str]:
    """The slugs that pages of these titles get when they are made one after the other."""
    found: dict[str, None] = {}
    for title in titles:
        found[_free(tx, space, title, None, found)] = None
    return list(found)


def _free(tx: Read, space: int, title: str, page: int | None, promised: Container[str]) -> str:
    taken = "select page from page_slug where space = :space and slug = :slug"
    for slug in numbered(markdown.slug(title), _MOST_CHARS, "-"):
        held = tx.value(taken, space=space, slug=slug)
        if slug not in promised and (held is None or held == page):
            return slug
    raise AssertionError("there is always another number")


def take(tx: Write, space: int, slug: str, page: int) -> None:
    """The slug leads to this page from now on. Undo leaves it so: it may stand in a link."""
    tx.execute(
        "insert into page_slug (space, slug, page) values (:space, :slug, :page) on conflict do nothing",
        space=space,
        slug=slug,
        page=page,
    )
