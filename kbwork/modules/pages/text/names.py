"""Slugs of pages: one for each in its space, and those that they had, which go on leading to them."""

from kbwork.base.text import numbered
from kbwork.db.tx import Read, Write
from kbwork.modules.pages.text import markdown

_MOST_CHARS = 90


def free(tx: Read, space: int, title: str, page: int | None = None) -> str:
    """A slug for a title that no other page of the space has or had."""
    wanted = markdown.slug(title)
    taken = "select page from page_slug where space = :space and slug = :slug"
    for slug in numbered(wanted, _MOST_CHARS, "-"):
        held = tx.value(taken, space=space, slug=slug)
        if held is None or held == page:
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
