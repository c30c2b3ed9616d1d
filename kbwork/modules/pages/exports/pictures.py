"""Pictures as a document takes them: read in a process of their own, since whoever sent them may mean harm."""

import io

from kbwork.base.dataclasses import dataclass
from kbwork.modules.attachments import made_smaller
from kbwork.modules.pages.exports.material import ExportedFile

_WIDTH = 1280


@dataclass(frozen=True, slots=True)
class PrintedPicture:
    """A picture as PNG."""

    data: bytes
    width: int
    height: int


def printed(file: ExportedFile) -> PrintedPicture | None:
    """None where it cannot be read."""
    from PIL import Image  # noqa: PLC0415 - exports are rare

    small = made_smaller(file.data, _WIDTH)
    if not small:
        return None
    held = io.BytesIO()
    with Image.open(io.BytesIO(small)) as picture:
        picture.save(held, "PNG")
        return PrintedPicture(held.getvalue(), *picture.size)
