"""The bytes of one file out of a kbz file that was looked through before."""

import hashlib
import zipfile
import zlib
from pathlib import Path

from kbwork.modules import attachments
from kbwork.modules.imports.kbz.manifest import FILES


def content(archive: Path, sha256: str, size: int) -> bytes | None:
    """The bytes; None where they are not what they were when the file was looked through."""
    if size > attachments.MOST_BYTES:
        return None
    try:
        with zipfile.ZipFile(archive) as found, found.open(f"{FILES}{sha256}") as member:
            text = member.read(size + 1)
    except (OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error):
        return None
    return text if len(text) == size and hashlib.sha256(text).hexdigest() == sha256 else None
