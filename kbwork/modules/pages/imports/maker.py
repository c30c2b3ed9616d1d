"""Pages as they were found become pages."""

import re

from kbwork.base import ids
from kbwork.base.errors import InsufficientScope, InvalidInput
from kbwork.base.text import BODY_CHARS
from kbwork.core import org_settings
from kbwork.db.rows import PageRow, SpaceRow
from kbwork.db.tx import Write
from kbwork.modules import uploads
from kbwork.modules.attachments import add
from kbwork.modules.pages import create, queries
from kbwork.modules.pages.history.version_rows import PageText
from kbwork.modules.pages.imports.source import ReadPages
from kbwork.modules.pages.model import Page, PageCreated
from kbwork.modules.pages.text import labels, names
from kbwork.modules.spaces import access as spaces
from kbwork.pagefiles import markdown
from kbwork.pagefiles.found import TOKEN, FoundPage

_LINK = re.compile("\\[\\[\0p([0-9]{1,6})\0(#[^\\[\\]|\n]*)?(?:\\|([^\\[\\]\n]*))?\\]\\]")
_FILES = "attachments"


def made(tx: Write, space_ref: str, parent_ref: str | None, found: ReadPages) -> list[Page]:
    """Make them all. Raises what pages.create and attachments.add raise."""
    space = spaces.space(tx, space_ref)
    parent = create.place(tx, space, parent_ref)
    if found.files:
        _require_files(tx)
        uploads.require_place(tx, sum(file.size for file in found.files))
    slugs = names.free_each(tx, space["id"], [one.title for one in found.pages])
    files = ["a_" + ids.short(22) for _ in found.files]
    rows: list[PageRow] = []
    hung: set[int] = set()
    for one in found.pages:
        above = rows[one.parent] if one.parent is not None else parent
        row = _page(tx, space, above, one, _text(space, one, found.pages, slugs, files))
        rows.append(row)
        mine = dict.fromkeys([*one.files, *(int(t[2]) for t in TOKEN.finditer(one.body) if t[1] == "f")])
        for number in mine.keys() - hung:
            add.hang_on(tx, f"page:{row['id']}", found.files[number], ident=files[number])
        hung |= mine.keys()
    return queries.all_shown(tx, [queries.stored(tx, row["id"]) for row in rows])


def _require_files(tx: Write) -> None:
    """Raises InsufficientScope, or InvalidInput where the org has no files."""
    if org_settings.module_off(tx, _FILES):
        raise InvalidInput(
            "Files are switched off in this org: take them out of what you bring in.", field="data"
        )
    if "attachments:write" not in tx.caller.scopes:
        raise InsufficientScope(
            "There are files in it, for which this needs the scope attachments:write too.",
            scopes=["attachments:write"],
        )


def _page(tx: Write, space: SpaceRow, above: PageRow | None, one: FoundPage, body: str) -> PageRow:
    known, unknown = labels.known(tx, space["project"], one.labels)
    properties = one.properties | ({"labels": unknown} if unknown else {})
    row = create.make(
        tx,
        space,
        above,
        PageText(one.title, body, None),
        icon=one.icon,
        properties=create.properties_of(properties),
        state="draft" if one.draft else "published",
    )
    labels.put(tx, row["id"], known)
    seq = tx.emit(PageCreated(subject=f"page:{row['id']}", payload=queries.told(tx, row)))
    tx.execute("update page set seq = :seq where id = :id", seq=seq, id=row["id"])
    return row


def _text(space: SpaceRow, one: FoundPage, pages: list[FoundPage], slugs: list[str], files: list[str]) -> str:
    """The text of a page, with what it names by ids and addresses. Raises InvalidInput where that is too long."""

    def linked(match: re.Match[str]) -> str:
        number = int(match[1])
        title, anchor, words = pages[number].title, match[2] or "", match[3] or ""
        plain = markdown.slug(title) == slugs[number] and not re.search(r"[\[\]|#/\\]", title)
        target = title if plain else f"{space['key']}/{slugs[number]}"
        shown = words or ("" if plain else re.sub(r"[\[\]|]", " ", title).strip())
        return f"[[{target}{anchor}{'|' + shown if shown and shown != target else ''}]]"

    body = _LINK.sub(linked, one.body)
    body = TOKEN.sub(lambda match: files[int(match[2])] if match[1] == "f" else slugs[int(match[2])], body)
    if len(body) > BODY_CHARS:
        raise InvalidInput(f"{one.source} holds more than a million characters.", field="data")
    return body
