"""Documents of word processors as Markdown, by way of HTML."""

import io
from typing import Any
from xml.parsers.expat import ExpatError

import mammoth

from kbwork.pagefiles import archive, documents
from kbwork.pagefiles.found import FoundFile, ImportRefused

_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Code'] => pre:separator('\\n')"
_MOST_FILES = 500
_ENDINGS = {"image/jpeg": "jpg", "image/svg+xml": "svg"}


def markdown(data: bytes, files: list[FoundFile], source: str) -> str:
    """The text of a document; pictures in it are added to the files. Raises ImportRefused."""
    held = archive.unpacked(data, within=source)
    if "word/document.xml" not in held:
        raise ImportRefused(f"{source} is no document of a word processor (.docx).")

    def picture(image: Any) -> dict[str, str]:
        """A picture that lies elsewhere is not fetched."""
        try:
            with image.open() as file:
                content = file.read()
        except Exception:  # whatever is wrong with one picture, the text is taken
            return {"src": ""}
        kind = str(image.content_type or "image/png")
        ending = _ENDINGS.get(kind, kind.rpartition("/")[2][:8])
        files.append(FoundFile(f"picture-{len(files) + 1}.{ending}", source, content))
        if len(files) > _MOST_FILES:
            raise ImportRefused(f"{source} holds more than {_MOST_FILES} pictures.", large=True)
        return {"src": f"{documents.FILE}{len(files) - 1}"}

    try:
        told = mammoth.convert_to_html(
            io.BytesIO(data), convert_image=mammoth.images.img_element(picture), style_map=_STYLES
        )
    except (KeyError, ValueError, IndexError, AttributeError, TypeError, OSError, ExpatError):
        raise ImportRefused(f"{source} is no document that can be read: it is broken.") from None
    return documents.markdown(told.value, files, source)
