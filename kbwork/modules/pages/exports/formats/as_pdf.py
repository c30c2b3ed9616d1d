"""A page as a document for printers."""

import io
import unicodedata
from html import escape
from pathlib import Path
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.modules.pages.exports import pictures
from kbwork.modules.pages.exports.formats.blocks import Block, TextRun
from kbwork.modules.pages.exports.material import ExportedPage, ExportMaterial

FOLDERS = (
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts/dejavu-sans-fonts"),
    Path("/usr/share/fonts/dejavu"),
    Path("/usr/share/fonts/TTF"),
)
"""Where systems have DejaVu, which knows Latin, Greek, Cyrillic and many signs. Else there is Vera, which comes with
the library and knows Latin alone."""
_DEJAVU = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_OBLIQUE = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf", "DejaVuSans-BoldOblique.ttf")
_VERA = ("Vera.ttf", "VeraBd.ttf", "VeraIt.ttf", "VeraBI.ttf")
_SIZES = (22.0, 18.0, 15.0, 13.0, 12.0, 11.0, 11.0)
_INDENT_PT = 18
_DEEPEST = 8
_MOST_COLUMNS = 12
_CELL_CHARS = 1000
_LINE_CHARS = 84
_WIDEST_PT = 430
_TALLEST_PT = 600
_PX_PT = 0.75
_MARGIN_PT = 72


@dataclass(frozen=True, slots=True)
class PrintedFont:
    """A family by its name, and the signs that it has."""

    name: str
    signs: frozenset[int]


def written(page: ExportedPage, found: list[Block], material: ExportMaterial) -> bytes:
    """The whole file. Raises InvalidInput where no font has its letters."""
    from reportlab.lib.pagesizes import A4  # noqa: PLC0415 - exports are rare
    from reportlab.platypus import SimpleDocTemplate  # noqa: PLC0415 - likewise

    printer = _Printer(_font(), material)
    held = io.BytesIO()
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), _MARGIN_PT)
    SimpleDocTemplate(held, pagesize=A4, title=page.title, author="", invariant=1, **margins).build(
        [flowing for block in found for flowing in printer.flowing(block)]
    )
    return held.getvalue()


def _font() -> PrintedFont:
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415 - exports are rare
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415 - likewise

    name, files = _files()
    if name not in pdfmetrics.getRegisteredFontNames():
        faces = [f"{name}{part}" for part in ("", "-b", "-i", "-bi")]
        for face, file in zip(faces, files, strict=True):
            pdfmetrics.registerFont(TTFont(face, file))
        pdfmetrics.registerFontFamily(name, *faces)
    return PrintedFont(name, frozenset(pdfmetrics.getFont(name).face.charToGlyph))


def _files() -> tuple[str, list[str]]:
    import reportlab  # noqa: PLC0415 - exports are rare

    for number, folder in enumerate(FOLDERS):
        for names in (_OBLIQUE, _DEJAVU):
            if all((folder / name).is_file() for name in names):
                return f"dejavu{number}", [str(folder / name) for name in names]
    home = Path(reportlab.__file__).parent / "fonts"
    return "vera", [str(home / name) for name in _VERA]


class _Printer:
    """Lays blocks out in one font."""

    def __init__(self, font: PrintedFont, material: ExportMaterial) -> None:
        self._font = font
        self._material = material

    def flowing(self, block: Block) -> list[Any]:
        """What a page is filled with."""
        from reportlab.platypus import HRFlowable, Paragraph  # noqa: PLC0415 - with the document

        if block.kind == "rule":
            return [HRFlowable(width="100%", spaceBefore=6, spaceAfter=6)]
        if block.kind == "table":
            return self._table(block)
        if block.kind == "picture":
            return self._picture(block)
        if block.kind == "heading":
            size = _SIZES[min(block.level, len(_SIZES) - 1)]
            return [Paragraph(f"<b>{self._markup(block.runs)}</b>", self._style(0, size=size, heading=True))]
        return self._text(block)

    def _text(self, block: Block) -> list[Any]:
        from reportlab.platypus import Paragraph, Preformatted, Spacer  # noqa: PLC0415 - with the document

        if block.kind == "code":
            text = self._said(block.text.rstrip("\n"))
            style = self._style(block.level, size=8.5)
            return [Preformatted(text, style, maxLineLength=_LINE_CHARS, newLineChars=""), Spacer(1, 6)]
        if block.kind == "item":
            style = self._style(block.level + 1)
            return [Paragraph(self._markup(block.runs), style, bulletText=self._said(block.marker))]
        return [Paragraph(self._markup(block.runs), self._style(block.level))]

    def _style(self, level: int, *, size: float = 10.5, heading: bool = False) -> Any:
        from reportlab.lib.styles import ParagraphStyle  # noqa: PLC0415 - with the document

        indent = _INDENT_PT * min(level, _DEEPEST)
        return ParagraphStyle(
            "",
            fontName=self._font.name,
            fontSize=size,
            leading=size * 1.35,
            leftIndent=indent,
            bulletIndent=max(0, indent - _INDENT_PT),
            bulletFontName=self._font.name,
            spaceBefore=10 if heading else 0,
            spaceAfter=5,
            keepWithNext=int(heading),
        )

    def _markup(self, runs: list[TextRun]) -> str:
        return "".join(map(self._marked, runs))

    def _marked(self, run: TextRun) -> str:
        text = escape(self._said(run.text)).replace("\n", "<br/>")
        for name, on in (("b", run.bold), ("i", run.italic), ("strike", run.struck)):
            text = f"<{name}>{text}</{name}>" if on else text
        if run.code:
            text = f'<font backColor="#eeeeee">{text}</font>'
        if run.href:
            text = f'<a href="{escape(run.href)}" color="#0b57d0">{text}</a>'
        return text

    def _said(self, text: str) -> str:
        """A text in signs of the font: a picture sign is written out by its name. Raises InvalidInput for letters that
        it does not have, or that run from right to left, which would come out as another text."""
        if text.isascii():
            return text.replace("\t", "    ")
        made = []
        for sign in text.replace("\t", "    "):
            category = unicodedata.category(sign)
            if unicodedata.bidirectional(sign) in ("R", "AL") or (
                ord(sign) not in self._font.signs and category[0] in "LN"
            ):
                raise InvalidInput(
                    f"The page has {sign!r}, which no font of this server prints: take it as `docx` or `html`, or let"
                    " the fonts of DejaVu be installed.",
                    field="format",
                )
            if ord(sign) in self._font.signs or sign == "\n":
                made.append(sign)
            elif category[0] in "SP":
                made.append(f"[{unicodedata.name(sign, 'sign').lower()}]")
            elif category[0] == "Z":
                made.append(" ")
        return "".join(made)

    def _table(self, block: Block) -> list[Any]:
        from reportlab.lib import colors  # noqa: PLC0415 - with the document
        from reportlab.platypus import Paragraph, Spacer, Table  # noqa: PLC0415 - likewise

        columns = max(map(len, block.rows), default=0)
        if not columns:
            return []
        style = self._style(0, size=9)
        long = any(sum(len(run.text) for run in cell) > _CELL_CHARS for row in block.rows for cell in row)
        if long or columns > _MOST_COLUMNS:
            return [Paragraph(" | ".join(map(self._markup, row)), style) for row in block.rows]
        rows = [
            [Paragraph(self._markup(cell), style) for cell in (*row, *([[]] * (columns - len(row))))]
            for row in block.rows
        ]
        grid = [("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        return [
            Table(rows, [_WIDEST_PT / columns] * columns, style=grid, repeatRows=0, splitInRow=1),
            Spacer(1, 6),
        ]

    def _picture(self, block: Block) -> list[Any]:
        from reportlab.platypus import Image, Paragraph, Spacer  # noqa: PLC0415 - with the document

        found = pictures.printed(self._material.files[block.file])
        if found is None:
            return [Paragraph(self._markup(block.runs), self._style(block.level))]
        scale = min(_PX_PT, _WIDEST_PT / found.width, _TALLEST_PT / found.height)
        return [Image(io.BytesIO(found.data), found.width * scale, found.height * scale), Spacer(1, 6)]
