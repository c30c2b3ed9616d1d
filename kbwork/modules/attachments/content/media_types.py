"""What sort of file some bytes are: told by the bytes, and by the name where the bytes leave it open."""

import codecs
import re
from functools import cache

UNKNOWN = "application/octet-stream"
TEXT = "text/plain"
_LOOKED_AT = 1024

_SIGNS: tuple[tuple[bytes, str], ...] = (
    (rb"\x89PNG\r\n\x1a\n", "image/png"),
    (rb"\xff\xd8\xff", "image/jpeg"),
    (rb"GIF8[79]a", "image/gif"),
    (rb"RIFF....WEBP", "image/webp"),
    (rb"RIFF....WAVE", "audio/wav"),
    (rb"RIFF....AVI ", "video/x-msvideo"),
    (rb"\x00...ftypavif", "image/avif"),
    (rb"\x00...ftyphei[cx]", "image/heic"),
    (rb"\x00...ftypqt", "video/quicktime"),
    (rb"\x00...ftypM4A", "audio/mp4"),
    (rb"\x00...ftyp", "video/mp4"),
    (rb"II\*\x00|MM\x00\*", "image/tiff"),
    (rb"\x00\x00\x01\x00", "image/vnd.microsoft.icon"),
    (rb"%PDF-", "application/pdf"),
    (rb"%!PS", "application/postscript"),
    (rb"\{\\rtf", "application/rtf"),
    (rb"PK\x03\x04|PK\x05\x06", "application/zip"),
    (rb"\x1f\x8b", "application/gzip"),
    (rb"BZh[1-9]1AY&SY", "application/x-bzip2"),
    (rb"\xfd7zXZ\x00", "application/x-xz"),
    (rb"\x28\xb5\x2f\xfd", "application/zstd"),
    (rb"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (rb"Rar!\x1a\x07", "application/vnd.rar"),
    (rb".{257}ustar[\x00 ]", "application/x-tar"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (rb"SQLite format 3\x00", "application/vnd.sqlite3"),
    (rb"\x1a\x45\xdf\xa3", "video/webm"),
    (rb"\x7fELF", "application/x-elf"),
    (rb"\x00asm", "application/wasm"),
)
"""How a file begins, and what it is then."""
_WEAK: tuple[tuple[bytes, str], ...] = (
    (rb"BM", "image/bmp"),
    (rb"MZ", "application/vnd.microsoft.portable-executable"),
    (rb"OggS", "application/ogg"),
    (rb"fLaC", "audio/flac"),
    (rb"ID3|\xff[\xf2\xf3\xfb]", "audio/mpeg"),
    (rb"wOFF", "font/woff"),
    (rb"wOF2", "font/woff2"),
)
"""The same, of what a text may begin with, too."""

_INSIDE: dict[str, dict[str, str]] = {
    "application/zip": {
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "epub": "application/epub+zip",
        "jar": "application/java-archive",
        "apk": "application/vnd.android.package-archive",
    },
    "application/x-ole-storage": {
        "doc": "application/msword",
        "xls": "application/vnd.ms-excel",
        "ppt": "application/vnd.ms-powerpoint",
        "msg": "application/vnd.ms-outlook",
        "msi": "application/x-msi",
    },
}
"""Containers, and what the ending of the name says is in them."""

_TEXTS = {
    "md": "text/markdown",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "ics": "text/calendar",
    "vcf": "text/vcard",
    "css": "text/css",
    "js": "text/javascript",
    "mjs": "text/javascript",
    "json": "application/json",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "xml": "application/xml",
    "eml": "message/rfc822",
    "html": "text/html",
    "htm": "text/html",
    "xhtml": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "txt": TEXT,
    "log": TEXT,
}
_READ_AS_TEXT = frozenset(_TEXTS.values()) - {"image/svg+xml"}
_TOLD_BY_BYTES = frozenset(found for _, found in _SIGNS + _WEAK).union(
    *(inside.values() for inside in _INSIDE.values())
)
_RUNS = frozenset(
    {"text/html", "text/xml", "text/javascript", "application/xhtml+xml", "application/xml", "image/svg+xml"}
)
"""What a browser would run or render: never taken on somebody's word."""

_NOT_SHOWN = re.compile(rb"\s+|<!--.*?-->", re.DOTALL)
_PROLOG = re.compile(rb"\s+|<!--.*?-->|<\?xml.*?\?>|<!doctype svg[^>]*>", re.IGNORECASE | re.DOTALL)
_PAGE = re.compile(rb"<(?:!doctype html|html|head|body|script|iframe|title|style)[\s>]", re.IGNORECASE)
_PICTURE = re.compile(rb"<svg[\s>]", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\s", re.IGNORECASE)
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_MARKED = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.IGNORECASE | re.DOTALL)


def media_type(text: str) -> str | None:
    """A media type in lower case, without what stands behind it; None for what is none."""
    found = text.partition(";")[0].strip().lower()
    return found if _TYPE.fullmatch(found) else None


def detect(data: bytes, name: str, claimed: str | None) -> str:
    """The type of a file.

    Bytes that have a sign decide. Else a text is what it looks like, its name ends in or its sender said, and bytes
    without a sign are what the sender said; what a browser would run is taken from the bytes and the name alone.
    """
    ending = name.rpartition(".")[2].lower()
    found = _signed(data, _SIGNS)
    if found is not None:
        return _INSIDE.get(found, {}).get(ending, found)
    if _is_text(data):
        return _markup(data) or _TEXTS.get(ending) or _said(claimed, _READ_AS_TEXT, "text/") or TEXT
    found = _signed(data, _WEAK)
    return found or _said(claimed, frozenset(), "application/", "font/", "model/", "chemical/") or UNKNOWN


def _signed(data: bytes, signs: tuple[tuple[bytes, str], ...]) -> str | None:
    return next((found for sign, found in _compiled(signs) if sign.match(data)), None)


@cache
def _compiled(signs: tuple[tuple[bytes, str], ...]) -> tuple[tuple[re.Pattern[bytes], str], ...]:
    """At the first file, as they are many."""
    return tuple((re.compile(sign, re.DOTALL), found) for sign, found in signs)


def searchable_text(data: bytes, content_type: str, most_chars: int) -> str | None:
    """What search reads of a text, cut to `most_chars`; None for what is no text."""
    if not content_type.startswith("text/") and content_type not in _READ_AS_TEXT:
        return None
    part = data[: most_chars * 4]
    text = part.decode("utf-16" if part.startswith(_WIDE) else _encoding(part), errors="replace")
    if content_type in _RUNS:
        text = _MARKED.sub(" ", text)
    return text.replace("\0", "").removeprefix("\ufeff")[:most_chars].strip()


def _encoding(part: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(part)  # its last character may be cut
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _is_text(data: bytes) -> bool:
    return data.startswith(_WIDE) or _BINARY.search(data, 0, 65_536) is None


def _markup(data: bytes) -> str | None:
    """Pages, pictures and data in angle brackets, told by how they begin."""
    begin = data[:_LOOKED_AT].removeprefix(codecs.BOM_UTF8)
    if _PAGE.match(begin, _behind(_NOT_SHOWN, begin)):
        return "text/html"
    if _PICTURE.match(begin, _behind(_PROLOG, begin)):
        return "image/svg+xml"
    return "application/xml" if _XML.match(begin) else None


def _behind(skipped: re.Pattern[bytes], begin: bytes) -> int:
    at = 0
    while part := skipped.match(begin, at):
        at = part.end()
    return at


def _said(claimed: str | None, known: frozenset[str], *families: str) -> str | None:
    """The sender's word, where nothing speaks against it."""
    if claimed is None or claimed in _RUNS:
        return None
    if claimed in _TOLD_BY_BYTES or not (claimed in known or claimed.startswith(families)):
        return None
    return claimed
