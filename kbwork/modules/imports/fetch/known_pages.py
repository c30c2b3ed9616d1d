"""Pages that were fetched before and lie in an upload still: their server is asked only whether they changed.

They are kept as long as the upload, for a day: long enough for a trial and what follows it. Of each list, the last page
is not among them: what comes behind it changes nothing of what it holds.
"""

import hashlib
import re
from pathlib import Path

from kbwork.base.dataclasses import dataclass
from kbwork.core.operations.external import FetchedPage
from kbwork.db.rows import ImportPageRow
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports.fetch import service
from kbwork.modules.imports.fetch.service import RepositoryPage

_ETAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e]{1,200}"\Z')
_KEPT_S = 3 * 86400
"""As long as fetching takes, and a day behind that."""
_OLD = "select id from import where created_at <= :before"


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page, and the upload that it lies in."""

    file: Path
    row: ImportPageRow


def find(tx: Read, url: str) -> KnownPage | None:
    """The page of this address as it was fetched last, of those that are here."""
    rows = tx.all(
        "select p.*, i.upload from import_page p join import i on i.id = p.import"
        " where p.url = :url order by p.import desc limit 3",
        _PlacedRow,
        url=url,
    )
    for row in rows:
        file = uploads.path(tx, row["upload"])
        if file.is_file() and file.stat().st_size >= row["start"] + row["size"]:
            return KnownPage(file, row)
    return None


class _PlacedRow(ImportPageRow):
    upload: str


def unchanged(known: KnownPage, answer: FetchedPage) -> FetchedPage | None:
    """The page that the answer says did not change; None where it is not what it was."""
    row = known.row
    try:
        with known.file.open("rb") as file:
            file.seek(row["start"])
            body = file.read(row["size"])
    except FileNotFoundError:
        return None
    if _digest(body) != row["digest"]:
        return None
    link = f'<{service.origin(answer.url)}{row["next"]}>; rel="next"'
    return FetchedPage(answer.url, 200, {"etag": row["etag"], "link": link, **answer.headers}, body)


def is_one(page: RepositoryPage) -> bool:
    """Whether a page can be asked for so, the next time."""
    return page.next is not None and page.etag is not None and _ETAG.match(page.etag) is not None


def remember(tx: Write, ident: int, url: str, page: RepositoryPage, start: int) -> None:
    """Take down where in its upload an import has a page."""
    tx.execute(
        "insert into import_page (import, url, etag, next, start, size, digest)"
        " values (:import, :url, :etag, :next, :start, :size, :digest)"
        " on conflict (url, import) do update set etag = excluded.etag, next = excluded.next, start = excluded.start,"
        " size = excluded.size, digest = excluded.digest",
        url=url,
        etag=page.etag,
        next=page.next,
        start=start,
        size=len(page.body),
        digest=_digest(page.body),
        **{"import": ident},
    )


def old(tx: Read) -> bool:
    """Whether some are kept whose upload is gone."""
    asked = f"select 1 from import_page where import in ({_OLD}) limit 1"
    return tx.value(asked, before=tx.now - _KEPT_S) is not None


def forget_old(tx: Write) -> None:
    tx.execute(f"delete from import_page where import in ({_OLD})", before=tx.now - _KEPT_S)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()
