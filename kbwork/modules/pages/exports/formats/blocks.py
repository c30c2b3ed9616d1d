"""A page as a row of blocks, which a word processor and a printer take in the same way."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Literal

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import Conflict
from kbwork.modules.pages.exports.as_markdown import moment
from kbwork.modules.pages.exports.formats.as_html import marked
from kbwork.modules.pages.exports.material import ExportedPage, ExportMaterial

MOST = 20_000
"""Paragraphs and cells of one export: what it takes to lay them out is some seconds."""
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_KINDS = {"strong": "bold", "em": "italic", "del": "struck", "code": "code"}


@dataclass(frozen=True, slots=True)
class TextRun:
    """Words that look alike."""

    text: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    href: str = ""


@dataclass(slots=True)
class Block:
    """A heading, a paragraph, a point of a list, a picture, a table."""

    kind: Literal["heading", "text", "item", "code", "rule", "picture", "table"]
    runs: list[TextRun] = field(default_factory=list)
    level: int = 0
    """Of a heading, 0 is the title; else how far it stands in."""
    marker: str = ""
    """What stands before a point of a list."""
    file: str = ""
    """Id of the picture."""
    rows: list[list[list[TextRun]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def blocks(material: ExportMaterial, suffix: str) -> list[list[Block]]:
    """Of each page title, text and what was said. Raises Conflict where they are too many."""
    found: list[list[Block]] = []
    number = 0
    for page in material.pages:
        found.append([])
        for block in _all(page, material, suffix):
            found[-1].append(block)
            number += 1 + sum(map(len, block.rows))
            if number > MOST:
                raise Conflict("These pages are too long for such a document: take them as `md` or `html`.")
    return found


def _all(page: ExportedPage, material: ExportMaterial, suffix: str) -> Iterator[Block]:
    yield Block("heading", [TextRun(page.title)])
    yield from _parsed(marked(page.body, page, material, suffix), 0)
    if page.said:
        yield Block("heading", [TextRun("Comments")], 2)
    for one in page.said:
        level = 1 if one.reply else 0
        yield Block("text", [TextRun(one.author, bold=True), TextRun(f", {moment(one.at)}")], level)
        yield from _parsed(marked(one.body, page, material, suffix), level + 1)


def _parsed(html: str, level: int) -> list[Block]:
    parser = _BlockParser(level)
    parser.feed(html)
    parser.close()
    parser.end()
    return parser.made


class _BlockParser(HTMLParser):
    """Fed with HTML that was cleaned."""

    def __init__(self, level: int) -> None:
        super().__init__(convert_charrefs=True)
        self.made: list[Block] = []
        self._level = level
        self._lists: list[int | None] = []
        """The number of the next point; None: they have none."""
        self._block: Block | None = None
        self._cell: list[TextRun] | None = None
        self._looks: list[str] = []
        self._hrefs: list[str] = []

    def end(self) -> None:
        """What was begun is a block."""
        block, self._block = self._block, None
        if block is not None and (block.runs or block.kind == "item"):
            while block.kind != "code" and block.runs and not block.runs[-1].text.strip():
                block.runs.pop()
            self.made.append(block)

    def _begin(self, kind: Any, level: int | None = None, marker: str = "") -> None:
        self.end()
        self._block = Block(
            kind, level=self._level + len(self._lists) if level is None else level, marker=marker
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        if tag in _HEADINGS:
            self._begin("heading", _HEADINGS[tag])
        elif tag in ("ul", "ol"):
            self.end()
            start = held.get("start", "1")
            self._lists.append((int(start) if start.isdecimal() else 1) if tag == "ol" else None)
        elif tag == "li":
            self._point()
        elif tag == "p":
            if self._block is None or self._block.kind != "item" or self._block.runs:
                self._begin("text")
        elif tag == "pre":
            self._begin("code")
        elif tag == "blockquote":
            self.end()
            self._level += 1
        elif tag in ("strong", "em", "del", "code", "th"):
            self._looks.append("bold" if tag == "th" else _KINDS[tag])
        elif tag == "a":
            self._hrefs.append(held.get("href", ""))
        self._put(tag, held)

    def _put(self, tag: str, held: dict[str, str]) -> None:
        """What stands by itself, and tables."""
        if tag == "hr":
            self.end()
            self.made.append(Block("rule"))
        elif tag == "br":
            self._say("\n")
        elif tag == "img":
            self._picture(held.get("src", ""), held.get("alt", ""))
        elif tag == "input":
            self._say("[x]" if "checked" in held else "[ ]")
        elif tag == "table":
            self.end()
            self.made.append(Block("table"))
        elif tag == "tr" and self.made:
            self.made[-1].rows.append([])
        elif tag in ("td", "th") and self.made and self.made[-1].rows:
            self._cell = []
            self.made[-1].rows[-1].append(self._cell)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("strong", "em", "del", "code", "th") and self._looks:
            self._looks.pop()
        if tag == "a" and self._hrefs:
            self._hrefs.pop()
        if tag in ("td", "th"):
            self._cell = None
        if tag in ("ul", "ol") and self._lists:
            self.end()
            self._lists.pop()
        if tag == "blockquote":
            self.end()
            self._level -= 1
        if tag in (*_HEADINGS, "p", "li", "pre"):
            self.end()

    def handle_data(self, data: str) -> None:
        block = self._block
        if block is not None and block.kind == "code":
            self._say(data)
        elif data.strip() or self._cell is not None or (block is not None and block.runs):
            self._say(data.replace("\n", " "))

    def _point(self) -> None:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        level = self._level + max(0, len(self._lists) - 1)
        self._begin("item", level, f"{number}." if number is not None else "\u2022")

    def _picture(self, source: str, words: str) -> None:
        if self._cell is not None or not source.startswith("file:"):
            self._say(words)
            return
        level = self._level + len(self._lists)
        self.end()
        self.made.append(Block("picture", [TextRun(words)], level, file=source.removeprefix("file:")))

    def _say(self, text: str) -> None:
        looks = dict.fromkeys(self._looks, True)
        run = TextRun(text, **looks, href=self._hrefs[-1] if self._hrefs else "")
        if self._cell is not None:
            self._cell.append(run)
            return
        if self._block is None:
            self._begin("text")
        assert self._block is not None
        self._block.runs.append(run)
