"""Archives of folders with Markdown, HTML and documents: exports of ours and of Notion, vaults of Obsidian, and what
people put together."""

import csv
import io
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from kbwork.pagefiles import documents, single
from kbwork.pagefiles.found import MOST_PAGES, FoundFile, FoundPages, ImportRefused
from kbwork.pagefiles.front_matter import one_line
from kbwork.pagefiles.tree import Forest, PageNode, natural, sort

_DOCUMENTS = {".md": "md", ".markdown": "md", ".mdx": "md", ".html": "html", ".htm": "html", ".docx": "docx"}
_NOTION = re.compile(r"[ _-]([0-9a-f]{32})(_all)?$")
"""Behind the title of a page in an export of Notion."""
_OWN_PAGE = ("index", "_index", "readme")
"""Pages that stand for the folder in which they lie."""
_MOST_ROWS = 5000
_PROPERTY = re.compile(r"([^\n:]{1,100}): ?([^\n]{0,2000})(?:\n|\Z)")


def read(entries: dict[str, bytes]) -> FoundPages:
    """Raises ImportRefused."""
    entries = _without_root(entries)
    notion = any(_NOTION.search(PurePosixPath(path).stem) for path in entries)
    files: list[FoundFile] = []
    nodes: dict[str, PageNode] = {}
    beside: dict[str, bytes] = {}
    for path, data in entries.items():
        form = _DOCUMENTS.get(PurePosixPath(path).suffix.lower())
        if form is not None:
            nodes[path] = _page(path, data, form, files)
        elif notion and path.lower().endswith(".csv"):
            if f"{path[:-4]}_all.csv" not in entries:
                nodes[path] = _table(path, data)
        else:
            beside[path] = data
        if len(nodes) > MOST_PAGES:
            raise ImportRefused(f"{MOST_PAGES} pages are brought in at once at most.", large=True)
    if not nodes:
        raise ImportRefused("In the archive is no page: no .md, .html or .docx.")
    tops = _tree(nodes)
    if notion:
        _take_properties(nodes.values())
    return Forest(tops, beside, files).found(ordered=notion)


def _without_root(entries: dict[str, bytes]) -> dict[str, bytes]:
    """Without the folder that holds all of it."""
    while True:
        roots = {path.partition("/")[0] for path in entries}
        if len(roots) != 1 or any("/" not in path for path in entries):
            return entries
        entries = {path.partition("/")[2]: data for path, data in entries.items()}


def _page(path: str, data: bytes, form: str, files: list[FoundFile]) -> PageNode:
    found = single.read(form, data, path, files)
    stem = PurePosixPath(path).stem
    match = _NOTION.search(stem)
    name = stem[: match.start()] if match is not None else stem
    if stem.lower() in _OWN_PAGE and "/" in path:
        name = PurePosixPath(path).parent.name
    title, body = found.head.title, found.body
    if not title:
        title, body = documents.heading_off(body)
    if not title:
        title = found.said or name
    return PageNode(
        one_line(title) or name,
        path,
        body,
        found.head,
        names=((match[1], name) if match is not None else ()),
    )


def _table(path: str, data: bytes) -> PageNode:
    """A database of Notion as a table of Markdown."""
    stem = PurePosixPath(path).stem
    match = _NOTION.search(stem)
    title = stem[: match.start()] if match is not None else stem
    try:
        rows = list(csv.reader(io.StringIO(single.decoded(data, path), newline="")))
    except csv.Error:
        raise ImportRefused(f"{path} is no table that can be read.") from None
    if len(rows) > _MOST_ROWS:
        raise ImportRefused(f"The table {path} has more than {_MOST_ROWS:,} rows.", large=True)
    width = len(rows[0]) if rows else 0
    lines = [
        "| " + " | ".join(_cell(cell) for cell in (row + [""] * width)[:width]) + " |" for row in rows if row
    ]
    if lines:
        lines.insert(1, "|" + " --- |" * width)
    names = (match[1], title) if match is not None else ()
    return PageNode(one_line(title) or stem, path, "\n".join(lines), names=names)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def _tree(nodes: dict[str, PageNode]) -> list[PageNode]:
    """Let each page stand below the one of its folder; a folder without a page becomes one. Answers those
    at the top."""
    folders: dict[str, PageNode] = {}
    every = sorted({str(one) for path in nodes for one in PurePosixPath(path).parents} - {"."}, key=_depth)
    for path in sorted(nodes, key=natural):
        bare = path.removesuffix(PurePosixPath(path).suffix)
        without = _NOTION.sub("", bare)
        for folder in (bare, bare.removesuffix("_all"), without):
            if folder in every and folder not in folders:
                folders[folder] = nodes[path]
                break
    inner = {folder: _inner(folder, nodes) for folder in every if folder not in folders}
    folders |= {folder: node for folder, node in inner.items() if node is not None}
    made: list[PageNode] = []
    for folder in every:
        if folder not in folders:
            name = PurePosixPath(folder).name
            folders[folder] = PageNode(one_line(_NOTION.sub("", name)) or name, f"{folder}/")
            made.append(folders[folder])
    for folder, node in folders.items():
        node.stands_for = folder
    tops: list[PageNode] = []
    for node in [*nodes.values(), *made]:
        inside = node.stands_for and node.path.startswith(f"{node.stands_for}/")
        above = str(PurePosixPath(node.stands_for if inside else node.path).parent)
        parent = folders.get(above)
        (parent.children if parent is not None and parent is not node else tops).append(node)
    for one in [*nodes.values(), *made]:
        one.children = sort(one.children)
    return sort(tops)


def _depth(folder: str) -> tuple[int, str]:
    return folder.count("/"), folder


def _inner(folder: str, nodes: dict[str, PageNode]) -> PageNode | None:
    """A page in a folder that stands for it."""
    name = PurePosixPath(folder).name.lower()
    for path, node in nodes.items():
        at = PurePosixPath(path)
        if str(at.parent) == folder and at.stem.lower() in (*_OWN_PAGE, name):
            return node
    return None


def _take_properties(nodes: Iterable[PageNode]) -> None:
    """Pages of a database begin with what their row says."""
    for node in nodes:
        if not node.path.lower().endswith(".csv"):
            continue
        for child in node.children:
            at = 0
            found: dict[str, Any] = {}
            while (match := _PROPERTY.match(child.body, at)) is not None and len(found) < 100:
                found[one_line(match[1])] = match[2].strip()
                at = match.end()
            if found and (at >= len(child.body) or child.body[at] == "\n"):
                child.head.properties = {**found, **child.head.properties}
                child.body = child.body[at:].lstrip("\n")
