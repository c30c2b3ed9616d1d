"""The text of a letter that came as HTML alone. Nothing of its form is kept, and nothing in it is followed."""

import re

MOST_CHARS = 300_000
_UNSEEN = ("script", "style", "head", "title", "template", "noscript", "svg", "math", "object", "iframe")
_ENDS_LINE = frozenset(
    """
    address article blockquote br div dd dl dt footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul
    """.split()  # noqa: SIM905 - thirty names read better as a text
)
_BLANKS = re.compile(r"[ \t\r\f\v\xa0]+")
_GAPS = re.compile(r"\n{3,}")
_TAG_CHARS = 2000


def text_of(html: str) -> str:
    """Words and line ends, in one pass over what is there."""
    from html import unescape  # noqa: PLC0415 - 2 ms that no start needs

    html = html[:MOST_CHARS]
    found: list[str] = []
    at, unseen = 0, ""
    while at < len(html):
        begin = html.find("<", at)
        if begin < 0:
            begin = len(html)
        if not unseen and begin > at:
            found.append(unescape(html[at:begin]).replace("\n", " "))
        if begin == len(html):
            break
        at, name, closes = _tag(html, begin)
        if unseen:
            unseen = "" if closes and name == unseen else unseen
        elif name in _UNSEEN and not closes:
            unseen = name
        elif name in _ENDS_LINE:
            found.append("\n")
        elif not name:
            found.append(
                "<" if html[begin : begin + 4] != "<!--" and html[begin + 1 : begin + 2] not in "!?" else ""
            )
    lines = (_BLANKS.sub(" ", line).strip() for line in "".join(found).split("\n"))
    return _GAPS.sub("\n\n", "\n".join(lines)).strip()


def _tag(html: str, begin: int) -> tuple[int, str, bool]:
    """(where what follows begins, the name of the tag in small letters, whether it closes); none for what is no tag."""
    if html.startswith("<!--", begin):
        end = html.find("-->", begin + 4)
        return (end + 3 if end >= 0 else len(html)), "", False
    first = html[begin + 1 : begin + 2]
    if not (first.isalpha() or first in ("/", "!", "?")) or not first:
        return begin + 1, "", False
    end = html.find(">", begin, begin + _TAG_CHARS)
    if end < 0:
        end = html.find(">", begin)
        end = end if end >= 0 else len(html)
    inside = html[begin + 1 : min(end, begin + 40)]
    name = inside.lstrip("/").split(None, 1)[0] if inside.strip("/ \n\t") else ""
    return end + 1, name.rstrip("/").lower(), first == "/"
