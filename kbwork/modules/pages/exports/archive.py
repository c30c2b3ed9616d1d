"""Pages and what hangs on them as one file: by itself, or as an archive."""

import datetime
import io
import zipfile
from collections.abc import Iterator

from kbwork.base.dataclasses import dataclass
from kbwork.modules.pages.exports import as_markdown, names
from kbwork.modules.pages.exports.material import ExportMaterial


@dataclass(frozen=True, slots=True)
class ExportFile:
    """What is fetched."""

    name: str
    data: bytes


def made(material: ExportMaterial, form: str) -> ExportFile:
    """One page is a file; several, or one with files beside it, are an archive."""
    parts = list(_parts(material, form))
    name = material.pages[0].place[0]
    if len(parts) == 1:
        return ExportFile(f"{name}.{form}", parts[0][1])
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, at in parts:
            time = datetime.datetime.fromtimestamp(at, datetime.UTC).timetuple()[:6]
            entry = zipfile.ZipInfo(path, time)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return ExportFile(f"{name}.zip", held.getvalue())


def _parts(material: ExportMaterial, form: str) -> Iterator[tuple[str, bytes, int]]:
    """(path, bytes, time)."""
    for page, data in zip(material.pages, _documents(material, form), strict=True):
        yield names.page_path(page, f".{form}"), data, page.updated_at
    if form == "md":
        at = material.pages[0].updated_at
        for file in material.files.values():
            yield names.file_path(file), file.data, at


def _documents(material: ExportMaterial, form: str) -> Iterator[bytes]:
    """Each page, in order."""
    if form in ("docx", "pdf"):
        from kbwork.modules.pages.exports.formats import as_docx, as_pdf  # noqa: PLC0415 - a start reads no HTML
        from kbwork.modules.pages.exports.formats.blocks import blocks  # noqa: PLC0415 - likewise

        write = as_docx.written if form == "docx" else as_pdf.written
        for page, found in zip(material.pages, blocks(material, f".{form}"), strict=True):
            yield write(page, found, material)
        return
    for page in material.pages:
        if form == "html":
            from kbwork.modules.pages.exports.formats import as_html  # noqa: PLC0415 - likewise

            yield as_html.written(page, material).encode()
        else:
            yield as_markdown.written(page, material.files).encode()
