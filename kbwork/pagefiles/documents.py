"""HTML as Markdown: headings, lists, tasks, tables, code, links, pictures, quotes. What runs or is asked elsewhere by
itself goes; a link leads to the web, to mail, or to something beside it."""

import base64
import binascii
import re
from typing import Any, ClassVar

import nh3
from bs4 import BeautifulSoup, Tag, UnicodeDammit
from markdownify import ATX, MarkdownConverter

from kbwork.base.text import cleaned
from kbwork.pagefiles.found import FoundFile, ImportRefused

FILE = "kbwork-file:"
"""The address of a picture that was found in the document itself: its number stands behind."""
_TAGS = {
    "a", "article", "b", "blockquote", "br", "caption", "code", "dd", "del", "div", "dl", "dt", "em", "figcaption",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "kbd", "li", "main", "ol", "p", "pre", "q",
    "s", "samp", "section", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "ul",
}  # fmt: skip
_DROPPED = {
    "script", "style", "title", "template", "noscript", "iframe", "object", "svg", "math", "textarea", "select",
    "button", "audio", "video", "canvas",
}  # fmt: skip
_ATTRIBUTES = {
    "*": {"class"},
    "a": {"href"},
    "img": {"src", "alt"},
    "input": {"type", "checked"},
    "ol": {"start"},
    "td": {"colspan"},
    "th": {"colspan"},
    "pre": {"data-syntaxhighlighter-params", "data-language", "lang"},
    "code": {"data-language", "data-lang"},
}
_SCHEMES = {"http", "https", "mailto", "tel", "data", FILE.rstrip(":")}
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_LINKED = ("http:", "https:", "mailto:", "tel:")
_PICTURE = re.compile(r"data:image/(png|jpe?g|gif|webp|svg\+xml);base64,", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s?([\w+#.-]{1,30})")
_MEANS = re.compile(r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|~~")
"""What would mean something in Markdown."""
_BEGINS = re.compile(
    r"(^|\n)([ \t]*)(#{1,6}(?=\s|$)|[>+|-](?=\s|$)|-(?=-)|=(?==)|[0-9]{1,9}(?=[.)](?:\s|$)))"
)
_TICKS = re.compile(r"`+")
_BLANKS = re.compile(r"\n{3,}")


def text_of(data: bytes, source: str) -> str:
    """HTML in the letters that it says it has. Raises ImportRefused."""
    found = UnicodeDammit(data, is_html=True).unicode_markup
    if found is None or "\0" in found:
        raise ImportRefused(f"{source} is no text that can be read.")
    return str(found)


def soup_of(html: str) -> BeautifulSoup:
    """As it came."""
    return BeautifulSoup(html, "lxml")


def markdown(html: str, files: list[FoundFile], source: str) -> str:
    """The Markdown of some HTML; pictures that stand in it are added to the files."""
    clean = nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel=None,
    )
    soup = soup_of(clean)
    for picture in soup.find_all("img"):
        src = str(picture.get("src") or "")
        if src.startswith("data:"):
            ident = embedded(src, files, source)
            picture["src"] = f"{FILE}{ident}" if ident is not None else ""
    for item in soup.find_all("li"):
        _mark_task(soup, item)
    return _BLANKS.sub("\n\n", cleaned(_Converter().convert_soup(soup))).strip("\n")


def embedded(src: str, files: list[FoundFile], source: str) -> int | None:
    """The number of a picture that stands in an address; None for what is none."""
    match = _PICTURE.match(src)
    if match is None:
        return None
    try:
        data = base64.b64decode("".join(src[match.end() :].split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    kind = match[1].lower().removesuffix("+xml").replace("jpeg", "jpg")
    files.append(FoundFile(f"picture-{len(files) + 1}.{kind}", source, data))
    return len(files) - 1


def _mark_task(soup: BeautifulSoup, item: Tag) -> None:
    """Some tools say by classes alone that an item has a box to tick."""
    parent = item.parent
    around = set(parent.get("class") or []) if parent is not None else set()
    if item.find("input", recursive=False) is not None:
        return
    if "inline-task-list" in around:
        done = "checked" in (item.get("class") or [])
    elif "to-do-list" in around:
        done = item.find(class_="checkbox-on") is not None
    else:
        return
    box = soup.new_tag("input", type="checkbox")
    if done:
        box["checked"] = ""
    item.insert(0, box)


class _Converter(MarkdownConverter):
    """As Markdown is written here."""

    _OPTIONS: ClassVar[dict[str, Any]] = {
        "heading_style": ATX,
        "bullets": "-",
        "newline_style": "backslash",
        "table_infer_header": True,
    }

    def __init__(self) -> None:
        super().__init__(**self._OPTIONS, code_language_callback=_language)

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """What people wrote means itself."""
        text = _MEANS.sub(lambda found: f"\\{found[0]}", text)
        return _BEGINS.sub(_meant, text)

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        href = str(el.get("href") or "").strip()
        if "_noformat" in parent_tags or not text.strip() or not _leads(href) or href.startswith("#"):
            return text
        before, after = " " * text.startswith(" "), " " * text.endswith(" ")
        return f"{before}[{' '.join(text.split())}]({_address(href)}){after}"

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        src = str(el.get("src") or "").strip()
        alt = self.escape(" ".join(str(el.get("alt") or "").split())[:500], parent_tags)
        return f"![{alt}]({_address(src)})" if src.startswith(FILE) or (src and _leads(src)) else alt

    def convert_input(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if el.get("type") != "checkbox" or "li" not in parent_tags:
            return ""
        return "[x] " if el.has_attr("checked") else "[ ] "

    def convert_li(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        task = re.match(r"\s*\[([ x])\]\s*", text) if el.find("input") is not None else None
        text = f"[{task[1]}] {text[task.end() :]}" if task is not None else text
        return str(super().convert_li(el, text, parent_tags))  # type: ignore[misc]  # its types lack these

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        inner = text.strip("\n")
        return f"\n\n{fence}{_language(el)}\n{inner}\n{fence}\n\n" if inner.strip() else ""

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        cell = " ".join(text.replace("\\\n", " ").split()).replace("|", "\\|")
        return str(super().convert_td(el, cell, parent_tags))  # type: ignore[misc]  # likewise

    convert_th = convert_td
    convert_main = MarkdownConverter.convert_div  # type: ignore[attr-defined]  # likewise
    convert_figure = MarkdownConverter.convert_div  # type: ignore[attr-defined]  # likewise
    convert_strike = MarkdownConverter.convert_del  # type: ignore[attr-defined]  # likewise


def _meant(found: re.Match[str]) -> str:
    sign = found[3]
    return found[1] + found[2] + (sign + "\\" if sign.isdigit() else "\\" + sign)


def _language(el: Tag) -> str:
    """The language of some code, where it is said in one of the usual ways."""
    inner = el.find("code")
    for one in (el, inner, el.parent):
        if not isinstance(one, Tag):
            continue
        for name in ("data-language", "data-lang", "lang"):
            if re.fullmatch(r"[\w+#.-]{1,30}", str(one.get(name) or "")):
                return str(one[name])
        said = " ".join([*(one.get("class") or []), str(one.get("data-syntaxhighlighter-params") or "")])
        match = _LANGUAGE.search(said)
        if match is not None:
            return match[1]
    return ""


def _leads(href: str) -> bool:
    """Whether it is an address that a page may lead to: on the web, or beside it."""
    match = _SCHEME.match(href)
    return bool(href) and (match is None or href.lower().startswith(_LINKED))


def _address(href: str) -> str:
    """As it stands in a link."""
    href = href.replace("\n", "").replace("<", "%3C").replace(">", "%3E")
    return f"<{href}>" if re.search(r"[\s()]", href) else href


def heading_off(body: str) -> tuple[str, str]:
    """(words, rest) of a text that begins with a heading of the first level; else no words and the text."""
    match = re.match(r"\s*#[ \t]+([^\n]{1,2000})(?:\n|\Z)", body)
    if match is None:
        return "", body
    words = re.sub(r"[ \t]#+[ \t]*$", "", match[1]).strip()
    return re.sub(r"\\(?=[\\`*_\[\]<#~])", "", words), body[match.end() :].lstrip("\n")


def whole_title(soup: BeautifulSoup) -> str:
    found = soup.find("title")
    return found.get_text() if isinstance(found, Tag) else ""
