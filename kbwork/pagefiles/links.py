"""What the text of a page names beside it: links, pictures and names in double brackets, found outside code."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from kbwork.base.dataclasses import dataclass
from kbwork.pagefiles import markdown

_DEST = r"(?:<[^<>\n]{0,2000}>|[^\s()<>]{1,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,500}){0,5})"
_TITLE = r"(?:[ \t]+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?"
_NAMED = re.compile(
    r"(?P<plain>\\.)"
    r"|(?P<code>`+)"
    r"|(?P<shown>!?)\[\[(?P<wiki>[^\[\]\n]{1,600})\]\]"
    rf"|!\[(?P<alt>[^\[\]\n]{{0,1000}})\]\([ \t]*(?P<picture>{_DEST}){_TITLE}[ \t]*\)"
    rf"|(?<!!)\[(?P<words>[^\[\]\n]{{0,1000}}(?:\[[^\[\]\n]{{0,500}}\][^\[\]\n]{{0,500}}){{0,3}})\]"
    rf"\([ \t]*(?P<link>{_DEST}){_TITLE}[ \t]*\)"
)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_REFERENCE = re.compile(rf"( {{0,3}}\[[^\[\]\n]{{1,500}}\]:[ \t]+)({_DEST})({_TITLE}[ \t]*)$")
_SHOWN = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a text names."""

    target: str
    """A path beside it, or words in double brackets."""
    anchor: str
    words: str
    """What is shown of it; empty: nothing was said."""
    picture: bool
    wiki: bool


Meant = Callable[[Named], str | None]
"""What stands in the place of what was named; None leaves it."""


def rewritten(body: str, meant: Meant) -> str:
    """A text whose names stand for something else."""
    if "[" not in body:
        return body
    lines = body.split("\n")
    for line, number in markdown.prose(body):
        if "[" in line:
            lines[number] = _line(line, meant)
    return "\n".join(lines)


def _line(line: str, meant: Meant) -> str:
    reference = _REFERENCE.match(line)
    if reference is not None:
        named = _beside(reference[2], "", picture=True)
        found = meant(named) if named is not None else None
        address = re.search(r"\(([^()]*)\)$", found) if found is not None else None
        return reference[1] + address[1] + reference[3] if address is not None else line
    made: list[str] = []
    at = 0
    while (match := _NAMED.search(line, at)) is not None:
        made.append(line[at : match.start()])
        end = match.end()
        if match["code"]:
            closing = re.compile(rf"(?<!`)`{{{len(match['code'])}}}(?!`)").search(line, end)
            end = closing.end() if closing is not None else end
            made.append(line[match.start() : end])
        else:
            made.append(_said(match, meant))
        at = end
    made.append(line[at:])
    return "".join(made)


def _said(match: re.Match[str], meant: Meant) -> str:
    if match["plain"]:
        return match[0]
    if match["wiki"]:
        target, bar, words = match["wiki"].partition("|")
        target, _, anchor = target.replace("\\", "").partition("#")
        shown = bool(match["shown"])
        words = "" if shown and _SHOWN.search(target) else words.strip()
        named: Named | None = Named(target.strip(), anchor.strip(), words if bar else "", shown, wiki=True)
    elif match["picture"]:
        named = _beside(match["picture"], match["alt"], picture=True)
    else:
        named = _beside(match["link"], match["words"], picture=False)
        inner = _line(match["words"], meant) if "](" in match["words"] else None
        if inner is not None:  # a picture that is a link: it is shown, and what it leads to stands behind
            named = (
                Named(named.target, named.anchor, "", picture=False, wiki=False)
                if named is not None
                else None
            )
            found = meant(named) if named is not None else None
            return f"{inner} {found}" if found is not None else f"[{inner}]({match['link']})"
    found = meant(named) if named is not None else None
    return match[0] if found is None else found


def _beside(dest: str, words: str, *, picture: bool) -> Named | None:
    """What a link names beside the page; None for what is elsewhere, or a place on the page itself."""
    dest = dest.removeprefix("<").removesuffix(">")
    if dest.startswith("#") or (_SCHEME.match(dest) and not _known(dest)):
        return None
    path, _, anchor = dest.partition("#")
    path = path if _known(dest) else unquote(path.partition("?")[0])
    return Named(path, unquote(anchor), words, picture, wiki=False) if path else None


def _known(dest: str) -> bool:
    """An address that means something in the archive itself."""
    return dest.startswith("kbwork-file:") or _NOTION.match(dest) is not None


_NOTION = re.compile(r"https://(?:www\.)?notion\.(?:so|site)/[^\s?#]*?([0-9a-f]{32})(?:[?#].*)?$")


def notion_ident(target: str) -> str | None:
    """The id of a page in an address of Notion."""
    match = _NOTION.match(target)
    return match[1] if match is not None else None
