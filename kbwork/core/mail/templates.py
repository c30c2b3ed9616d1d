"""What letters say: `<name>.txt` and `<name>.html` of a module's folder, or a text of an admin's in their place."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.patterns import pattern
from kbwork.core import org_settings
from kbwork.core.ports.extension import Extension
from kbwork.db.rows import MailTemplateRow
from kbwork.db.tx import Read

if TYPE_CHECKING:
    from jinja2 import Environment

BUILT_IN = "en"
"""The language of the built-in texts."""
_PLACE = pattern(r"\{\{(.*?)\}\}", re.DOTALL)
_PAGE = pattern(r"https?://[^\s<>\"'{}]+")
_PIECE = pattern(r"\{\{.*?\}\}|https?://[^\s<>\"'{}]+", re.DOTALL)
_ADDRESS = pattern(r"://|\bwww\.|\bmailto:|[\w-]\.[a-z]{2,}[/?#:]|@", re.IGNORECASE)
"""By this a word is an address, of a page or of somebody."""
_OPENS = pattern("([^/.@?=&#%:{}]*[<(\\[\"'\u201e\u201c\u2018\u00ab\u00bb])?")
_CLOSES = pattern("[>)\\]\"'\u201c\u201d\u2019\u00ab\u00bb.,;:!?]*")
"""What may stand right before and behind a link."""
_GAPS = pattern(r"\n{3,}")
_FRAME = (
    '<!DOCTYPE html>\n<html lang="{locale}">\n<head><meta charset="utf-8"><title>{subject}</title></head>\n'
    '<body style="font-family: sans-serif; font-size: 14px; line-height: 1.4; color: #1c1c1c">\n{body}\n'
    "</body>\n</html>\n"
)


@cache
def _environment(folder: Path) -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape  # noqa: PLC0415 - only a letter needs it

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@dataclass(frozen=True, kw_only=True)
class LetterKind(Extension):
    """A kind of letter that admins may word otherwise. Declared by the module that writes it."""

    key: str
    about: str
    """When it is sent."""
    subject: str
    """As it is built in, with `{{name}}` where a variable stands."""
    variables: tuple[str, ...]
    required: tuple[str, ...] = ()
    """Those without which the letter is of no use, such as its link."""
    links: tuple[str, ...] = ()
    """Those that are addresses of pages, which mostly let in whoever has them."""
    folder: Path | None = None
    file: str = ""
    """Where the built-in text is a file, and the HTML another one."""
    body: str = ""
    """The built-in text in the same words, where it is no file, or one with conditions."""

    def built_in(self) -> str:
        """The built-in text with `{{name}}` where a variable stands."""
        if self.folder is None or self.body:
            return self.body
        names = {name: "{{" + name + "}}" for name in self.variables}
        return _environment(self.folder).get_template(f"{self.file}.txt").render(names)


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What a letter is made of where an admin worded its kind: the kind, its variables, the reader's language."""

    template: LetterKind
    values: Mapping[str, str] = field(default_factory=dict)
    locale: str | None = None


def built_in(kind: LetterKind, values: Mapping[str, Any]) -> tuple[str, str | None]:
    """(plain text, HTML) of a letter as it is built in."""
    if kind.folder is None:
        return put(kind.body, values), None
    environment = _environment(kind.folder)
    return (
        environment.get_template(f"{kind.file}.txt").render(values),
        environment.get_template(f"{kind.file}.html").render(values),
    )


def own(tx: Read, template: LetterKind, locale: str | None) -> MailTemplateRow | None:
    """An admin's text for a reader: of their language, its wider one, or that of the org."""
    at_home: str = org_settings.get(tx, "org.locale")
    wanted = [one for one in (locale, at_home) if one]
    for name in dict.fromkeys(name for one in wanted for name in (one, one.partition("-")[0])):
        found: MailTemplateRow | None = tx.stored("mail_template", [template.key, name])
        if found is not None:
            return found
    return None


def write(row: MailTemplateRow, values: Mapping[str, str]) -> tuple[str, str, str]:
    """(subject, plain text, HTML): each variable is put in once, as it is, and as text in the HTML."""
    subject = put(row["subject"], values)
    text = _GAPS.sub("\n\n", put(row["body"], values)).strip() + "\n"
    paragraphs = [_paragraph(one, values) for one in _GAPS.sub("\n\n", row["body"]).strip().split("\n\n")]
    body = "\n".join(f"<p>{one}</p>" for one in paragraphs if one.strip())
    return subject, text, _FRAME.format(locale=_escaped(row["locale"]), subject=_escaped(subject), body=body)


def names_in(text: str) -> list[str]:
    """The variables that stand in a text, known or not."""
    return [found.strip() for found in _PLACE.findall(text)]


def inside_address(kind: LetterKind, text: str) -> str | None:
    """A variable that would leave as part of another address, or be broken by what stands around it."""
    for name in dict.fromkeys((*kind.links, *kind.required)):
        for word in _PLACE.sub(lambda found: "{{" + found[1].strip() + "}}", text).split():
            before, place, after = word.partition("{{" + name + "}}")
            while place:
                if not _apart(before, after, link=name in kind.links):
                    return name
                more, place, after = after.partition("{{" + name + "}}")
                before += more
    return None


def _apart(before: str, after: str, *, link: bool) -> bool:
    if link:
        return _OPENS.fullmatch(before) is not None and _CLOSES.fullmatch(after) is not None
    return _ADDRESS.search(before) is None and _ADDRESS.search(after) is None


def put(text: str, values: Mapping[str, str]) -> str:
    """A text with each variable put in once."""
    return _PLACE.sub(lambda found: values.get(found[1].strip(), ""), text)


def _paragraph(text: str, values: Mapping[str, str]) -> str:
    """As HTML, in which pages can be followed."""
    found, at = [], 0
    for piece in _PIECE.finditer(text):
        found.append(_lines(text[at : piece.start()]))
        name = _PLACE.fullmatch(piece[0])
        value = piece[0] if name is None else values.get(name[1].strip(), "")
        page = _PAGE.fullmatch(value) is not None
        found.append(f'<a href="{_escaped(value)}">{_escaped(value)}</a>' if page else _lines(value))
        at = piece.end()
    found.append(_lines(text[at:]))
    return "".join(found)


def _lines(text: str) -> str:
    return _escaped(text).replace("\n", "<br>\n")


def _escaped(text: str) -> str:
    from html import escape  # noqa: PLC0415 - only a letter needs it

    return escape(text)
