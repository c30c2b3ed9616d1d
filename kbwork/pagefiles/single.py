"""One document: Markdown, HTML, or of a word processor."""

import codecs
import re

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import cleaned
from kbwork.pagefiles import documents, front_matter
from kbwork.pagefiles.found import FoundFile, ImportRefused
from kbwork.pagefiles.front_matter import FrontMatter

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_EMBEDDED = re.compile(r"(?<=\]\()(data:image/[a-z+.-]{1,20};base64,[A-Za-z0-9+/=]+)(?=\))", re.IGNORECASE)


@dataclass(slots=True)
class SingleDocument:
    """What one file holds."""

    body: str
    head: FrontMatter = field(default_factory=FrontMatter)
    said: str = ""
    """What else it calls itself, where nothing better is there."""


def read(form: str, data: bytes, source: str, files: list[FoundFile]) -> SingleDocument:
    """Raises ImportRefused."""
    if form == "md":
        head, body = front_matter.cut(decoded(data, source), source)

        def placed(match: re.Match[str]) -> str:
            ident = documents.embedded(match[1], files, source)
            return match[1] if ident is None else f"{documents.FILE}{ident}"

        return SingleDocument(_EMBEDDED.sub(placed, body) if "](data:" in body else body, head)
    if form == "docx":
        from kbwork.pagefiles import word  # noqa: PLC0415 - it takes a moment to import

        return SingleDocument(word.markdown(data, files, source))
    html = documents.text_of(data, source)
    said = documents.whole_title(documents.soup_of(html))
    return SingleDocument(documents.markdown(html, files, source), said=" ".join(cleaned(said).split()))


def decoded(data: bytes, source: str) -> str:
    """A text in UTF-8, or in what it says or seems to be. Raises ImportRefused."""
    for mark, letters in _MARKS:
        if data.startswith(mark):
            try:
                text = data[len(mark) :].decode(letters)
            except UnicodeDecodeError:
                raise ImportRefused(f"{source} is no text that can be read.") from None
            break
    else:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    if "\0" in text:
        raise ImportRefused(f"{source} is no text that can be read.")
    return cleaned(text.replace("\r\n", "\n").replace("\r", "\n"))
