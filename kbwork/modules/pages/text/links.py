"""What the texts of pages name, as rows."""

from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write
from kbwork.pagefiles import markdown
from kbwork.pagefiles.markdown import TextName


def keep(tx: Write, row: PageRow) -> None:
    """Note what the text of a page names, in place of what it named. Undo leaves it; it is noted anew then."""
    tx.execute("delete from page_link where page = :page", page=row["id"])
    for one in markdown.named(row["body"]):
        space, slug, ref = _meant(tx, row, one)
        if one.kind == "issue" and ref is None:
            continue
        tx.execute(
            "insert into page_link (page, kind, space, slug, ref, words)"
            " values (:page, :kind, :space, :slug, :ref, :words)",
            page=row["id"],
            kind=one.kind,
            space=space,
            slug=slug,
            ref=ref,
            words=one.words,
        )


def _meant(tx: Read, row: PageRow, one: TextName) -> tuple[int | None, str | None, str | None]:
    """(space, slug) of a page, or a reference. A space that is not there is none: nothing is found by it."""
    if one.kind == "page":
        return *place(tx, row["space"], one.words), None
    if one.kind == "mention":
        return None, None, folded(one.words)
    kind, ref = ref_of(visibility.canonical(tx, one.words))
    return None, None, f"issue:{ref}" if kind == "issue" else None


def place(tx: Read, space: int, words: str) -> tuple[int | None, str]:
    """(space, slug) that `[[Title]]` or `[[space/slug]]` means, written in this space. `|` begins what is shown."""
    target = words.partition("|")[0].partition("#")[0].strip()
    key, slash, slug = target.partition("/")
    if (
        slash
        and (other := tx.value("select id from space where key = :key", key=key.strip().upper())) is not None
    ):
        return other, markdown.slug(slug)
    return space, markdown.slug(target)
