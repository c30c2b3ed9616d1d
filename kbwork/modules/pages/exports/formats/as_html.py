"""A page as an HTML file that needs nothing else: no script, no address that is asked when it is opened."""

import base64
import re
from html import escape
from html.parser import HTMLParser
from typing import ClassVar

from kbwork.modules.pages.exports import names
from kbwork.modules.pages.exports.as_markdown import moment
from kbwork.modules.pages.exports.material import ExportedFile, ExportedPage, ExportMaterial, SaidOnPage
from kbwork.pagefiles import markdown

_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "input", "li", "ol",
    "p", "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt"},
    "input": {"type", "checked", "disabled"},
    "ol": {"start"},
    "td": {"align"},
    "th": {"align"},
}
_FILE = re.compile(r"/files/([A-Za-z0-9_]{1,64})(?:\?.*)?")
_PAGE = re.compile(r"/pages/([0-9]{1,18})")
_TAG = re.compile(
    rf"{markdown.CODE.pattern}|(?<![\\(])<(?=[A-Za-z/!?])(?!https?:|mailto:|[^\s<>@]{{1,200}}@)"
)
"""Code within a line, and what begins a tag: no address in angle brackets."""
_NAMED = re.compile(r"\[\[([^\[\]\n]{1,600})\]\]")
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0"
    " 1rem;overflow-wrap:anywhere}pre{overflow-x:auto;padding:.75rem;background:#8882}code{background:#8882}"
    "pre code{background:none}img{max-width:100%}table{border-collapse:collapse}td,th{border:1px solid #8888;"
    "padding:.25rem .5rem}blockquote{border-left:3px solid #8888;margin-left:0;padding-left:1rem}"
    "li:has(>input){list-style:none}article{margin:1rem 0}article.reply{margin-left:2rem}"
)
_DOCUMENT = (
    '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:;'
    " style-src 'unsafe-inline'\">\n"
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}{said}</body>\n</html>\n"
)


def written(page: ExportedPage, material: ExportMaterial) -> str:
    """The whole file."""
    said = "".join(_said(one, page, material) for one in page.said)
    return _DOCUMENT.format(
        title=escape(page.title),
        style=_STYLE,
        body=woven(page.body, page, material),
        said=f"<section>\n<h2>Comments</h2>\n{said}</section>\n" if said else "",
    )


def clean(text: str) -> str:
    """HTML of a Markdown text; tags in it are text."""
    import cmarkgfm  # noqa: PLC0415 - exports are rare
    import nh3  # noqa: PLC0415 - likewise

    html = cmarkgfm.github_flavored_markdown_to_html(_tags_as_text(text))
    return nh3.clean(
        html, tags=_TAGS, attributes=_ATTRIBUTES, link_rel=None, url_schemes={"http", "https", "mailto"}
    )


def _tags_as_text(text: str) -> str:
    if "<" not in text:
        return text
    lines = text.split("\n")
    for line, number in markdown.prose(text):
        if "<" in line:
            lines[number] = _TAG.sub(lambda found: found[0] if found[1] else f"\\{found[0]}", line)
    return "\n".join(lines)


def woven(text: str, page: ExportedPage, material: ExportMaterial) -> str:
    """HTML of a Markdown text, with its pictures in it, and links to where they lead from a file."""
    return _fed(_Weaver(page, material, ".html"), text)


def marked(text: str, page: ExportedPage, material: ExportMaterial, suffix: str) -> str:
    """The same for another sort of document, in files that end so: a picture is named as `file:<id>`."""
    return _fed(_Marker(page, material, suffix), text)


def _fed(weaver: "_Weaver", text: str) -> str:
    weaver.feed(clean(text))
    weaver.close()
    return "".join(weaver.made)


def _said(one: SaidOnPage, page: ExportedPage, material: ExportMaterial) -> str:
    kind = ' class="reply"' if one.reply else ""
    head = f"<p><strong>{escape(one.author)}</strong>, {moment(one.at)}</p>"
    return f"<article{kind}>\n{head}\n{woven(one.body, page, material)}</article>\n"


class _Weaver(HTMLParser):
    """Writes clean HTML anew. What it is fed with has been through a cleaner: here only addresses change."""

    _PLAIN: ClassVar[frozenset[str]] = frozenset({"a", "code", "pre"})

    def __init__(self, page: ExportedPage, material: ExportMaterial, suffix: str) -> None:
        super().__init__(convert_charrefs=True)
        self.made: list[str] = []
        self._page = page
        self._material = material
        self._paths = {one.id: names.page_path(one, suffix) for one in material.pages}
        self._plain = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        if tag == "img":
            self.made.append(self._picture(held))
            return
        if tag == "a" and "href" in held:
            held["href"] = self._address(held["href"])
        self._plain += tag in self._PLAIN
        said = "".join(
            f' {name}="{escape(value)}"' for name, value in held.items() if value or name != "href"
        )
        self.made.append(f"<{tag}{said}>")

    def handle_endtag(self, tag: str) -> None:
        self._plain -= tag in self._PLAIN
        self.made.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._plain or "[[" not in data:
            self.made.append(escape(data, quote=False))
            return
        behind = 0
        for match in _NAMED.finditer(data):
            self.made.append(escape(data[behind : match.start()], quote=False))
            self.made.append(self._named(match[1]))
            behind = match.end()
        self.made.append(escape(data[behind:], quote=False))

    def _named(self, words: str) -> str:
        target = self._page.links.get(" ".join(words.split()))
        shown = escape(words.rpartition("|")[2].strip() or words, quote=False)
        href = self._way_to(target) if target is not None else ""
        return f'<a href="{escape(href)}">{shown}</a>' if href else shown

    def _way_to(self, page: int) -> str:
        if page in self._paths:
            return names.way(self._page, self._paths[page])
        return f"{self._material.origin}/pages/{page}" if self._material.origin else ""

    def _address(self, href: str) -> str:
        if href.startswith("//") or not href.startswith("/"):
            return href if href.startswith(("#", "http:", "https:", "mailto:")) else ""
        page = _PAGE.fullmatch(href)
        if page is not None and int(page[1]) in self._paths:
            return self._way_to(int(page[1]))
        return self._material.origin + href if self._material.origin else ""

    def _picture(self, held: dict[str, str]) -> str:
        """In the file where it is one of ours that is seen; one from elsewhere is a link."""
        source, words = held.get("src", ""), escape(held.get("alt", ""))
        ours = _FILE.fullmatch(source)
        file = self._material.files.get(ours[1]) if ours is not None else None
        if file is not None and file.shown:
            return f'<img src="{self._source(file)}" alt="{words}">'
        href = self._address(source)
        return f'<a href="{escape(href)}">{words or escape(href)}</a>' if href and not self._plain else words

    def _source(self, file: ExportedFile) -> str:
        return f"data:{file.type};base64,{base64.b64encode(file.data).decode()}"


class _Marker(_Weaver):
    """Names pictures instead of putting them in."""

    def _source(self, file: ExportedFile) -> str:
        return f"file:{file.id}"
