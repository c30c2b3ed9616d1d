"""Say what a page elsewhere calls itself."""

import re
from urllib.parse import urljoin, urlsplit

from typing_extensions import TypedDict

from kbwork.base.errors import UpstreamFailed
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External, FetchedPage

_MOST_CHARS = 500
_MOST_URL_CHARS = 2000
_CHARSET = re.compile(r"charset=[\"']?([A-Za-z0-9._-]{1,40})")


class SubjectsUnfurl(Input):
    url: Text
    """The address of a page, http or https."""


class Unfurled(TypedDict):
    """What a page says of itself; null where it says nothing."""

    title: str | None
    """Its title; null: not said."""
    text: str | None
    """Its description; null: not said."""
    image: str | None
    """Address of its picture; null: not said."""
    site: str | None
    """Name of the site; null: not said."""


@write(
    "subjects.unfurl",
    scope="search:read",
    words="link preview, title of a web page, what is behind a url",
    undo="a look at a page changes nothing here",
    example={"url": "https://example.com/"},
)
async def unfurl(out: External, args: SubjectsUnfurl) -> Unfurled:
    """Say what a page elsewhere calls itself: title, text, picture and site, from its own description.

    It is read without cookies, its first 64 KB, within five seconds. An address that is none, has a name or password
    in it, or spells out one of a private network is 422. A page that cannot be read says nothing: all is null, and
    the answer does not tell why. A picture's address is where the page says it is; it was not looked at.
    """
    try:
        page = await out.fetch(args.url)
    except UpstreamFailed:
        return _SILENT
    if not 200 <= page.status < 300:
        return _SILENT
    media_type = page.headers.get("content-type", "").partition(";")[0].strip().lower()
    host = urlsplit(page.url).hostname
    if media_type.startswith("image/"):
        return Unfurled(title=None, text=None, image=_address(page.url, page.url), site=host)
    if media_type not in ("text/html", "application/xhtml+xml", ""):
        return Unfurled(title=None, text=None, image=None, site=host)
    from kbwork.core.page_head import PageHead  # noqa: PLC0415 - the parser of pages takes 4 ms, and is seldom needed

    found = PageHead()
    found.feed(_decoded(page))
    found.close()
    said = found.said
    return Unfurled(
        title=_line(said.get("title") or "".join(found.title)),
        text=_line(said.get("text")),
        image=_address(page.url, said.get("image")),
        site=_line(said.get("site")) or host,
    )


_SILENT = Unfurled(title=None, text=None, image=None, site=None)


def _decoded(page: FetchedPage) -> str:
    named = _CHARSET.search(page.headers.get("content-type", "")) or _CHARSET.search(
        page.body[:2048].decode("latin-1")
    )
    try:
        return page.body.decode(named[1] if named else "utf-8", errors="replace")
    except (LookupError, ValueError):
        return page.body.decode("utf-8", errors="replace")


def _line(text: str | None) -> str | None:
    """One line of visible characters, at most 500."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text or "").split())
    return line[:_MOST_CHARS] or None


def _address(base: str, found: str | None) -> str | None:
    """The address of a picture, made whole; only http and https."""
    if not found:
        return None
    try:
        whole = urljoin(base, found.strip())
        parts = urlsplit(whole)
    except ValueError:
        return None
    fits = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    return whole if fits and len(whole) <= _MOST_URL_CHARS and whole.isprintable() else None
