"""From the manual's Markdown to clean HTML with a way to each heading."""

import re
from typing import TYPE_CHECKING

from kbwork.base.dataclasses import dataclass

if TYPE_CHECKING:
    from markupsafe import Markup

_HEADING = re.compile(r"<h([1-4])>(.*?)</h\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_PICTURE = re.compile(r'<img src="(pictures/[a-z-]+)-light\.webp"')
_IMAGE = re.compile(r"<img [^>]*>")
PICTURE_SIZE = (1280, 800)
"""Width and height of each picture, so that nothing moves when one comes."""
_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "hr", "img", "li", "ol", "p", "pre", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href"},
    "code": {"class"},
    "td": {"align"},
    "th": {"align"},
    "ol": {"start"},
    "img": {"src", "alt"},
}


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page: its title, its body without it, and the second-level headings as (anchor, words)."""

    title: str
    html: str
    contents: list[tuple[str, str]]


def page(source: str) -> RenderedPage:
    """A page whose first line is its title."""
    found: list[tuple[str, str]] = []
    title = ""

    def anchored(match: re.Match[str]) -> str:
        nonlocal title
        level, inner = match[1], match[2]
        words = _TAG.sub("", inner)
        if level == "1":
            title = words
            return ""
        if level == "2":
            found.append((anchor(words), words))
        return f'<h{level} id="{anchor(words)}">{inner}</h{level}>'

    html = _HEADING.sub(anchored, clean(source))
    return RenderedPage(title, html, found)


def clean(source: str) -> str:
    """HTML of Markdown, with the tags and attributes of a manual alone."""
    import cmarkgfm  # noqa: PLC0415 - the manual is read seldom
    import nh3  # noqa: PLC0415 - likewise

    html = cmarkgfm.github_flavored_markdown_to_html(source)
    html = re.sub(r'<pre lang="([a-z]+)"><code>', r'<pre><code class="\1">', html)
    html = nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, link_rel=None, url_schemes={"http", "https"})
    return _IMAGE.sub(_in_both_themes, html)


def _in_both_themes(match: re.Match[str]) -> str:
    """A picture of the manual as the theme of the reader has it; no other image is shown."""
    found = _PICTURE.match(match[0])
    if found is None:
        return ""
    width, height = PICTURE_SIZE
    dark = f'<source srcset="{found[1]}-dark.webp" media="(prefers-color-scheme: dark)">'
    sized = f'<img width="{width}" height="{height}" loading="lazy" {match[0].removeprefix("<img ")}'
    return f"<picture>{dark}{sized}</picture>"


def anchor(words: str) -> str:
    """`full-disk` for "Full disk"."""
    return re.sub(r"[^a-z0-9._]+", "-", words.lower()).strip("-")


def inline(source: str) -> "Markup":
    """One line of a docstring: code in backticks is code, all else is text."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - comes with jinja2

    parts = source.split("`")
    if len(parts) % 2 == 0:
        return escape(source)
    pieces = [
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    ]
    return Markup("").join(pieces)
