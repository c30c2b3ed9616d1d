"""What is in an archive, within limits: none of its entries leads elsewhere, none grows without end."""

import io
import re
import stat
import unicodedata
import zipfile
import zlib
from pathlib import PurePosixPath

from kbwork.pagefiles.found import ImportRefused

MOST_ENTRIES = 5000
MOST_BYTES = 100_000_000
"""Of all entries, unpacked."""
MOST_RATIO = 200
_FREE_BYTES = 1_000_000
"""An entry up to this size may be packed as tightly as it likes."""
_MOST_PATH = 1000
_UTF8 = 0x800
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_JUNK = re.compile(r"(?:^|/)(?:__MACOSX|\.[^/]+|Thumbs\.db|desktop\.ini)(?:/|$)", re.IGNORECASE)
"""What systems and editors put beside what people wrote."""
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}


class Room:
    """How much more may be unpacked, over all archives that are opened."""

    def __init__(self) -> None:
        self.entries = MOST_ENTRIES
        self.bytes = MOST_BYTES


def unpacked(data: bytes, room: Room | None = None, *, within: str = "") -> dict[str, bytes]:
    """Path -> bytes, in the order of the archive. One that holds nothing but archives is opened, and they once more,
    as some tools pack their exports. Raises ImportRefused."""
    room = room or Room()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = _entries(archive, room, within)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, ValueError):
        raise ImportRefused(
            f"{within or 'The file'} is no archive that can be read: it is broken or cut."
        ) from None
    if not within and found and all(_is_archive(path, content) for path, content in found.items()):
        inner: dict[str, bytes] = {}
        for path, content in found.items():
            for name, one in unpacked(content, room, within=path).items():
                if inner.setdefault(name, one) is not one and inner[name] != one:
                    raise ImportRefused(f"The archives in it hold two entries that are called {name!r}.")
        return inner
    return found


def _is_archive(path: str, data: bytes) -> bool:
    return path.lower().endswith(".zip") and data[:4] == b"PK\x03\x04"


def _entries(archive: zipfile.ZipFile, room: Room, within: str) -> dict[str, bytes]:
    infos = archive.infolist()
    room.entries -= len(infos)
    if room.entries < 0:
        raise ImportRefused(f"An archive of pages holds {MOST_ENTRIES:,} entries at most.", large=True)
    found: dict[str, bytes] = {}
    for info in infos:
        path = _path(info)
        if info.is_dir() or path.endswith("/"):
            continue
        if path in found:
            raise ImportRefused(f"Two entries of the archive are called {path!r}.")
        content = _content(archive, info, path, room)
        if not _JUNK.search(path):
            found[path] = content
    if not found:
        raise ImportRefused(f"{within or 'The archive'} is empty.")
    return found


def _path(info: zipfile.ZipInfo) -> str:
    """Where an entry is, checked. Raises ImportRefused."""
    name = info.orig_filename
    if not info.flag_bits & _UTF8:
        name = _told(name)
    if "\0" in name or any(unicodedata.category(sign) == "Cc" for sign in name):
        raise ImportRefused(f"The name of the entry {name[:100]!r} holds signs that no name has.")
    path = unicodedata.normalize("NFC", name.replace("\\", "/"))
    if path.startswith("/") or _DRIVE.match(path):
        raise ImportRefused(f"The entry {path[:100]!r} has an absolute name.")
    if ".." in PurePosixPath(path).parts:
        raise ImportRefused(f"The entry {path[:100]!r} leads out of the archive.")
    if len(path) > _MOST_PATH:
        raise ImportRefused(f"The name of the entry {path[:100]!r} is longer than {_MOST_PATH:,} characters.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ImportRefused(f"The entry {path!r} is a symbolic link: put what it leads to there.")
    return "/".join(part for part in path.split("/") if part not in ("", ".")) + (
        "/" if path.endswith("/") else ""
    )


def _told(name: str) -> str:
    """Without a flag names are of the code page 437; many tools write UTF-8 all the same."""
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str, room: Room) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise ImportRefused(f"The entry {path!r} is encrypted.")
    if info.compress_type not in _METHODS:
        raise ImportRefused(f"The entry {path!r} is packed in a way that is not read here.")
    if info.file_size > _FREE_BYTES and info.file_size > MOST_RATIO * max(info.compress_size, 1):
        raise ImportRefused(f"The entry {path!r} grows to more than {MOST_RATIO} times its size.", large=True)
    room.bytes -= info.file_size
    if room.bytes < 0:
        raise ImportRefused(
            f"Unpacked the archive holds more than {MOST_BYTES // 1_000_000} MB, at the entry {path!r}.",
            large=True,
        )
    try:
        with archive.open(info) as file:
            found = file.read(info.file_size + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        raise ImportRefused(f"The entry {path!r} is broken.") from None
    if len(found) != info.file_size:
        raise ImportRefused(f"The entry {path!r} is not as long as it says.")
    return found
