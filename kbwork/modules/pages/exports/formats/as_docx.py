"""A page as a document for word processors."""

import io
import re
from typing import TYPE_CHECKING, Any

from kbwork.modules.pages.exports import pictures
from kbwork.modules.pages.exports.formats.blocks import Block, TextRun
from kbwork.modules.pages.exports.material import ExportedPage, ExportMaterial

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_INDENT_PT = 18
_DEEPEST = 8
_MOST_COLUMNS = 60
_WIDEST_PT = 430
_TALLEST_PT = 600
_PX_PT = 0.75


def written(page: ExportedPage, found: list[Block], material: ExportMaterial) -> bytes:
    """The whole file."""
    import docx  # noqa: PLC0415 - exports are rare

    document = docx.Document()
    document.core_properties.title = _plain(page.title)[:255]
    document.core_properties.author = ""
    document.core_properties.comments = ""
    for block in found:
        _add(document, block, material)
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def _add(document: "Document", block: Block, material: ExportMaterial) -> None:
    from docx.shared import Pt  # noqa: PLC0415 - with the document

    if block.kind == "heading":
        _say(document.add_heading(level=block.level), block.runs)
    elif block.kind == "rule":
        document.add_paragraph("* * *")
    elif block.kind == "table":
        _table(document, block)
    elif block.kind == "picture":
        _picture(document, block, material)
    else:
        paragraph = document.add_paragraph()
        level = min(block.level, _DEEPEST)
        if block.kind == "item":
            paragraph.paragraph_format.left_indent = Pt(_INDENT_PT * (level + 1))
            paragraph.paragraph_format.first_line_indent = Pt(-_INDENT_PT)
            paragraph.add_run(f"{block.marker}\t")
        else:
            paragraph.paragraph_format.left_indent = Pt(_INDENT_PT * level)
        _say(paragraph, block.runs, code=block.kind == "code")


def _say(paragraph: "Paragraph", runs: list[TextRun], *, code: bool = False) -> None:
    for run in runs:
        made = paragraph.add_run(_plain(run.text.rstrip("\n") if code else run.text))
        made.bold, made.italic = run.bold or None, run.italic or None
        if run.struck:
            made.font.strike = True
        if run.code or code:
            made.font.name = "Courier New"
        if run.href:
            _lead(paragraph, made, run.href)


def _lead(paragraph: "Paragraph", run: Any, href: str) -> None:
    """Let words be a link."""
    from docx.opc.constants import RELATIONSHIP_TYPE  # noqa: PLC0415 - with the document
    from docx.oxml import OxmlElement  # noqa: PLC0415 - likewise
    from docx.oxml.ns import qn  # noqa: PLC0415 - likewise

    ident = paragraph.part.relate_to(_plain(href), RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link: Any = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), ident)
    run.font.underline = True
    run._r.addprevious(link)  # noqa: SLF001 - the library has no links of its own
    link.append(run._r)  # noqa: SLF001 - likewise


def _table(document: "Document", block: Block) -> None:
    columns = min(max(map(len, block.rows), default=0), _MOST_COLUMNS)
    if not columns:
        return
    table = document.add_table(len(block.rows), columns, style="Table Grid")
    for row, cells in zip(table.rows, block.rows, strict=True):
        for cell, runs in zip(row.cells, cells, strict=False):
            _say(cell.paragraphs[0], runs)


def _picture(document: "Document", block: Block, material: ExportMaterial) -> None:
    from docx.shared import Pt  # noqa: PLC0415 - with the document

    found = pictures.printed(material.files[block.file])
    if found is None:
        _say(document.add_paragraph(), block.runs)
        return
    scale = min(_PX_PT, _WIDEST_PT / found.width, _TALLEST_PT / found.height)
    document.add_picture(io.BytesIO(found.data), Pt(found.width * scale), Pt(found.height * scale))


def _plain(text: str) -> str:
    return _NOT_XML.sub("", text)
