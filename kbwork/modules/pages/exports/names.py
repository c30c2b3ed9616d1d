"""What the files of an export are called, and how one leads to another."""

import re

from kbwork.modules.pages.exports.material import ExportedFile, ExportedPage

FILES = "files"
"""The folder of an archive for what hangs on its pages. No page is there: see `page_path`."""
_ODD = re.compile(r"[^\w.-]+")
_NAME_CHARS = 80


def page_path(page: ExportedPage, suffix: str) -> str:
    """Where a page is in an archive: those below it are in a folder that is called as it is."""
    first, *rest = page.place
    return "/".join([f"{first}-page" if first == FILES else first, *rest]) + suffix


def file_path(file: ExportedFile) -> str:
    """Where a file is in an archive."""
    name = _ODD.sub("-", file.name).strip("-.")[-_NAME_CHARS:].lstrip("-.")
    return f"{FILES}/{file.id}-{name}" if name else f"{FILES}/{file.id}"


def way(page: ExportedPage, to: str) -> str:
    """A link from a page to something else in the archive."""
    return "../" * (len(page.place) - 1) + to
