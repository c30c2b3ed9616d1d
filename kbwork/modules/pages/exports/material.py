"""What goes into an export: pages as the caller sees them, files that their texts name, what was said on them."""

import json
import re
from collections import Counter
from collections.abc import Iterable

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict
from kbwork.core import org_settings, own_address
from kbwork.core.access import visibility
from kbwork.db.rows import AttachmentRow, PageRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.attachments import access as files
from kbwork.modules.attachments import blobs
from kbwork.modules.pages import access, queries
from kbwork.modules.pages.tree.children import below, nested

MOST_PAGES = 500
MOST_CHARS = 10_000_000
MOST_FILE_BYTES = 50_000_000
MOST_FILES = 500
_MOST_COMMENTS = 5000
_FILE = re.compile(r"/files/([A-Za-z0-9_]{1,64})(?![A-Za-z0-9_])")
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What a document shows: none of them runs anything."""
_LINKS = (
    "select distinct l.page, l.words, g.page from page_link l join page_slug g on g.space = l.space"
    " and g.slug = l.slug where l.kind = 'page' and l.page in (select value from json_each(:ids))"
)
_COMMENTS = (
    "select c.subject, coalesce(m.name, c.author) as author, c.body, c.created_at, c.parent is not null as reply"
    " from comment c left join member m on m.id = c.author"
    " where c.subject in (select 'page:' || value from json_each(:ids))"
    " and c.deleted_at is null and not c.stub and c.internal = 0"
    " order by c.subject, coalesce(c.parent, c.id), c.created_at, c.id limit :most"
)


@dataclass(frozen=True, slots=True)
class SaidOnPage:
    """A comment on a page."""

    author: str
    at: int
    body: str
    reply: bool


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file that a text names."""

    id: str
    name: str
    type: str
    data: bytes

    @property
    def shown(self) -> bool:
        """It is a picture that a document shows."""
        return self.type in PICTURES


@dataclass(frozen=True, slots=True)
class ExportedPage:
    """A page as readers see it."""

    id: int
    place: tuple[str, ...]
    """The slugs of the pages above it that are exported too, and its own."""
    title: str
    body: str
    head: dict[str, object]
    """What else is known of it: icon, labels and properties, where it has them."""
    updated_at: int
    said: list[SaidOnPage]
    links: dict[str, int]
    """The pages that the words in its `[[...]]` mean, as far as the caller sees them."""


@dataclass(frozen=True, slots=True)
class ExportMaterial:
    """All that goes into one export, the page itself first, each right behind what it stands below."""

    pages: list[ExportedPage]
    files: dict[str, ExportedFile]
    origin: str
    """Where this server is found; empty: nowhere."""


def material(tx: Read, ref: str, *, children: bool, comments: bool, pictures: bool) -> ExportMaterial:
    """Of a page that the caller sees, with those below it where `children`. With `pictures` other files stay where they
    are. Raises NotFound, or Conflict where it is too much at once."""
    row = access.page(tx, ref)
    rows = [row]
    if children:
        rows += nested(below(tx, row["space"], row["id"], access.DEEPEST), row["id"])
    if len(rows) > MOST_PAGES:
        raise Conflict(f"{MOST_PAGES} pages are exported at once at most.")
    if sum(len(one["body"]) for one in rows) > MOST_CHARS:
        raise Conflict("These pages hold more text than is exported at once: take fewer of them.")
    said = _said(tx, rows) if comments and visibility.reads(tx, "comment") else {}
    links = _links(tx, [one["id"] for one in rows])
    places: dict[int, tuple[str, ...]] = {}
    beside: dict[int | None, int] = {}
    pages: list[ExportedPage] = []
    for one, summary in zip(rows, queries.summaries(tx, rows), strict=True):
        above = places.get(one["parent"] or 0, ())
        places[one["id"]] = (*above, one["slug"])
        head = {"icon": one["icon"], "labels": summary["labels"], "properties": json.loads(one["properties"])}
        if children:  # by these who brings the pages back finds their order, and what their texts name
            beside[one["parent"]] = beside.get(one["parent"], 0) + 1
            head |= {"order": beside[one["parent"]], "space": summary["space"]}
        pages.append(
            ExportedPage(
                id=one["id"],
                place=places[one["id"]],
                title=one["title"],
                body=one["body"],
                head={name: value for name, value in head.items() if value},
                updated_at=one["updated_at"],
                said=said.get(one["id"], []),
                links=links.get(one["id"], {}),
            )
        )
    texts = [text for one in pages for text in (one.body, *(said.body for said in one.said))]
    return ExportMaterial(pages, _files(tx, texts, pictures=pictures), own_address.own_address(tx).origin)


def _said(tx: Read, rows: list[PageRow]) -> dict[int, list[SaidOnPage]]:
    found: dict[int, list[SaidOnPage]] = {}
    for row in tx.all(_COMMENTS, ids=json_array(one["id"] for one in rows), most=_MOST_COMMENTS):
        found.setdefault(int(row["subject"].removeprefix("page:")), []).append(
            SaidOnPage(row["author"], row["created_at"], row["body"], bool(row["reply"]))
        )
    return found


def _links(tx: Read, pages: list[int]) -> dict[int, dict[str, int]]:
    rows = tx.tuples(_LINKS, ids=json_array(pages))
    seen = queries.seen(tx, {target for _, _, target in rows})
    found: dict[int, dict[str, int]] = {}
    for page, words, target in rows:
        if target in seen:
            found.setdefault(page, {})[words] = target
    return found


def named_files(text: str) -> Iterable[str]:
    """The ids of the files that a text names, as in `![A map](/files/...)`."""
    return (match[1] for match in _FILE.finditer(text)) if "/files/" in text else ()


def _files(tx: Read, texts: list[str], *, pictures: bool) -> dict[str, ExportedFile]:
    """Those that the caller sees and whose bytes are here. Raises Conflict."""
    if not visibility.reads(tx, "attachment") or org_settings.module_off(tx, "attachments"):
        return {}
    wanted = Counter(ident for text in texts for ident in named_files(text))
    if wanted.total() > MOST_FILES:  # each is put in wherever it stands
        raise Conflict(f"These pages name more than {MOST_FILES} files: take fewer of them.")
    rows = [row for ident in wanted if (row := files.find(tx, ident)) is not None]
    rows = [row for row in rows if not pictures or row["content_type"] in PICTURES]
    if sum(row["size"] * wanted[row["id"]] for row in rows) > MOST_FILE_BYTES:
        raise Conflict("The files in these pages hold more than 50 MB: take fewer pages.")
    return {row["id"]: found for row in rows if (found := _file(tx, row)) is not None}


def _file(tx: Read, row: AttachmentRow) -> ExportedFile | None:
    data = blobs.find(tx, row)
    return ExportedFile(row["id"], row["name"], row["content_type"], data) if data is not None else None
