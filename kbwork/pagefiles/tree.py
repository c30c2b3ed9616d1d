"""Pages as they are found in folders: what stands below what, in which order, and what their texts mean."""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import folded
from kbwork.pagefiles import documents, links, markdown
from kbwork.pagefiles.found import (
    MOST_PAGES,
    TOKEN,
    FoundFile,
    FoundPage,
    FoundPages,
    ImportRefused,
    file_token,
    page_token,
)
from kbwork.pagefiles.front_matter import FrontMatter
from kbwork.pagefiles.links import Named

_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|svg|bmp|avif)$", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9]{1,18})")


@dataclass(slots=True, eq=False)
class PageNode:
    """A page on its way."""

    title: str
    path: str
    """Where it lies in the archive; a folder without a page ends with a slash."""
    body: str = ""
    head: FrontMatter = field(default_factory=FrontMatter)
    children: list["PageNode"] = field(default_factory=list)
    names: tuple[str, ...] = ()
    """By what else texts name it."""
    stands_for: str = ""
    """The folder whose page it is; empty: none."""

    @property
    def folder(self) -> str:
        return str(PurePosixPath(self.path).parent).removeprefix(".")


def natural(name: str) -> list[tuple[int, str]]:
    """An order in which 2 comes before 10."""
    return [
        (int(part), "") if number % 2 else (-1, part)
        for number, part in enumerate(_DIGITS.split(folded(name)))
    ]


class Forest:
    """All pages of an archive, and the files that lie beside them."""

    def __init__(self, tops: list[PageNode], beside: dict[str, bytes], files: list[FoundFile]) -> None:
        """`beside`: what is no page, by its path. `files`: what was found in documents already."""
        self._nodes: list[tuple[PageNode, int | None]] = []
        self._beside = beside
        self._files = files
        self._named: dict[str, int] = {}
        self._list(tops)
        self._numbers = {node.path: number for number, (node, _) in enumerate(self._nodes)}
        self._by_name: dict[str, list[int]] = {}
        self._by_title: dict[str, list[int]] = {}
        for number, (node, _) in enumerate(self._nodes):
            for name in {stem(node.path), *node.names}:
                self._by_name.setdefault(folded(name), []).append(number)
            self._by_title.setdefault(markdown.slug(node.title), []).append(number)
        self._folders = {
            node.stands_for: number for number, (node, _) in enumerate(self._nodes) if node.stands_for
        }
        self._paths = {folded(path): path for path in (*beside, *self._numbers)}
        self._last: dict[str, list[str]] = {}
        for path in beside:
            self._last.setdefault(folded(PurePosixPath(path).name), []).append(path)
        self._spaces = {node.head.space for node, _ in self._nodes if node.head.space}

    def _list(self, tops: list[PageNode]) -> None:
        waiting: list[tuple[PageNode, int | None]] = [(node, None) for node in tops[::-1]]
        while waiting:
            node, parent = waiting.pop()
            if len(self._nodes) >= MOST_PAGES:
                raise ImportRefused(f"{MOST_PAGES} pages are brought in at once at most.", large=True)
            self._nodes.append((node, parent))
            waiting += [(child, len(self._nodes) - 1) for child in node.children[::-1]]

    def found(self, *, renamed: dict[str, str] | None = None, ordered: bool = False) -> FoundPages:
        """The pages with what they name. `renamed`: what files are called; `ordered`: pages have the order in which
        the text of the one above names them."""
        pages: list[FoundPage] = []
        for node, parent in self._nodes:
            body = links.rewritten(node.body, partial(self._meant, node, renamed or {}))
            pages.append(
                FoundPage(
                    title=node.title,
                    body=body,
                    source=node.path,
                    parent=parent,
                    icon=node.head.icon,
                    labels=node.head.labels,
                    properties=node.head.properties,
                    draft=node.head.draft,
                )
            )
        for path in self._beside:
            if path not in self._named and pages:
                pages[self._near(path)].files.append(self._file(path, renamed or {}))
        return FoundPages(_as_named(pages) if ordered else pages, self._files)

    def _near(self, path: str) -> int:
        """The page beside whose folder a file lies that no text names; the first where there is none."""
        above = (self._folders.get(str(one)) for one in PurePosixPath(path).parents)
        return next((number for number in above if number is not None), 0)

    def _file(self, path: str, renamed: dict[str, str]) -> int:
        number = self._named.get(path)
        if number is None:
            name = renamed.get(path) or PurePosixPath(path).name
            if path.startswith("files/"):  # an export of ours has the id before the name
                name = re.sub(r"^a_[A-Za-z0-9_]{22}-", "", name)
            self._files.append(FoundFile(name, path, self._beside[path]))
            number = self._named[path] = len(self._files) - 1
        return number

    def _meant(self, node: PageNode, renamed: dict[str, str], named: Named) -> str | None:
        if named.target.startswith(documents.FILE):
            ident = named.target.removeprefix(documents.FILE)
            known = re.fullmatch("[0-9]{1,6}", ident) and int(ident) < len(self._files)
            return f"![{named.words}](/files/{file_token(int(ident))})" if known else named.words
        page, path = self._wiki(node, named.target) if named.wiki else self._path(node, named.target)
        if page is not None:
            return _page_link(page, named)
        if path is None:
            return None
        number = self._file(path, renamed)
        shown = named.picture and (not named.wiki or _PICTURE.search(path) is not None)
        words = named.words or (PurePosixPath(path).name if not shown else "")
        return f"{'!' * shown}[{words}](/files/{file_token(number)})"

    def _path(self, node: PageNode, target: str) -> tuple[int | None, str | None]:
        """(number of a page, path of a file) that a link leads to."""
        ident = links.notion_ident(target)
        if ident is not None:
            found = self._by_name.get(ident, [])
            return (found[0] if found else None), None
        start = "" if target.startswith("/") else node.folder
        steps: list[str] = []
        for step in f"{start}/{target}".split("/"):
            if step == ".." and steps:
                steps.pop()
            elif step not in ("", ".", ".."):
                steps.append(step)
        return self._at("/".join(steps))

    def _at(self, path: str) -> tuple[int | None, str | None]:
        for one in (path, f"{path}.md"):
            known = one if one in self._numbers or one in self._beside else self._paths.get(folded(one))
            if known is not None:
                return (self._numbers[known], None) if known in self._numbers else (None, known)
        return self._folders.get(path), None

    def _wiki(self, node: PageNode, target: str) -> tuple[int | None, str | None]:
        """What a name in double brackets means: a path, the end of one, or a title."""
        if not target:
            return None, None
        space, slash, rest = target.partition("/")
        if slash and space.strip().upper() in self._spaces:
            target = rest.strip()
        if node.head.space:
            titled = self._by_title.get(markdown.slug(target), [])
            stems = [one for one in self._by_name.get(markdown.slug(target), []) if one not in titled]
            return (next(iter([*stems, *titled]), None)), None
        for found in (self._at(target.strip("/")), self._path(node, target)):
            if found != (None, None):
                return found
        last = folded(PurePosixPath(target).name)
        end = "/" + folded(target.strip("/"))
        pages = [
            one
            for one in self._by_name.get(last.removesuffix(".md"), [])
            if "/" not in target or folded("/" + self._nodes[one][0].path).removesuffix(".md").endswith(end)
        ]
        if pages:
            return min(pages, key=lambda one: self._nodes[one][0].path.count("/")), None
        files = [
            one for one in self._last.get(last, []) if "/" not in target or folded("/" + one).endswith(end)
        ]
        if files:
            return None, min(files, key=lambda one: one.count("/"))
        return next(iter(self._by_title.get(markdown.slug(target), [])), None), None


def _page_link(page: int, named: Named) -> str:
    words = " ".join(re.sub(r"[\[\]|\n\0]", " ", re.sub(r"\\(.)", r"\1", named.words)).split())[:300]
    anchor = re.sub(r"[\[\]|\n\0]", " ", named.anchor)[:200].strip()
    return f"[[{page_token(page)}{'#' + anchor if anchor else ''}{'|' + words if words else ''}]]"


def stem(path: str) -> str:
    return PurePosixPath(path).name if path.endswith("/") else PurePosixPath(path).stem


def _as_named(pages: list[FoundPage]) -> list[FoundPage]:
    """Siblings in the order in which the page above them names them; those that it does not name stay behind."""
    below: dict[int | None, list[int]] = {}
    for number, page in enumerate(pages):
        below.setdefault(page.parent, []).append(number)
    for parent, children in below.items():
        if parent is not None:
            named = [int(one[2]) for one in TOKEN.finditer(pages[parent].body) if one[1] == "p"]
            places = {number: place for place, number in reversed(list(enumerate(named)))}
            children.sort(key=lambda one: places.get(one, len(named)))
    order: list[int] = []
    waiting = below.get(None, [])[::-1]
    while waiting:
        number = waiting.pop()
        order.append(number)
        waiting += below.get(number, [])[::-1]
    return renumbered(pages, order)


def renumbered(pages: list[FoundPage], order: list[int]) -> list[FoundPage]:
    """The same pages in another order, with what they name."""
    new = {old: number for number, old in enumerate(order)}

    def turned(match: re.Match[str]) -> str:
        return page_token(new[int(match[2])]) if match[1] == "p" else match[0]

    for page in pages:
        page.parent = new[page.parent] if page.parent is not None else None
        page.body = TOKEN.sub(turned, page.body)
    return [pages[old] for old in order]


def sort(nodes: Iterable[PageNode]) -> list[PageNode]:
    """Siblings: those that say their place first, then by their names."""
    return sorted(
        nodes, key=lambda one: (one.head.order is None, one.head.order or 0.0, natural(stem(one.path)))
    )
