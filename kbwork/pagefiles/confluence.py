"""Spaces that Confluence exported as HTML: an index with the tree, a file for each page, attachments in folders."""

from pathlib import PurePosixPath
from urllib.parse import unquote

from bs4 import Tag

from kbwork.base.text import cleaned
from kbwork.pagefiles import documents
from kbwork.pagefiles.found import MOST_PAGES, FoundFile, FoundPages, ImportRefused
from kbwork.pagefiles.front_matter import one_line
from kbwork.pagefiles.tree import Forest, PageNode

_MAIN = "main-content"
_BESIDE = ("images/", "styles/")
"""Signs and colours of the pages, which nobody wrote."""


def index_of(entries: dict[str, bytes]) -> str | None:
    """The path of the index, where this is such an export."""
    found = [path for path in entries if PurePosixPath(path).name == "index.html"]
    pages = [data for path, data in entries.items() if path.endswith(".html") and path not in found]
    if found and any(b'id="main-content"' in data for data in pages):
        return min(found, key=lambda path: path.count("/"))
    return None


def read(entries: dict[str, bytes], index: str) -> FoundPages:
    """Raises ImportRefused."""
    root = index.removesuffix("index.html")
    held = {path.removeprefix(root): data for path, data in entries.items() if path.startswith(root)}
    files: list[FoundFile] = []
    renamed: dict[str, str] = {}
    nodes: dict[str, PageNode] = {}
    for path, data in held.items():
        if path.endswith(".html") and path != "index.html":
            nodes[path] = _page(path, data, files, renamed)
        if len(nodes) > MOST_PAGES:
            raise ImportRefused(f"{MOST_PAGES} pages are brought in at once at most.", large=True)
    beside = {
        path: data
        for path, data in held.items()
        if path not in nodes and path != "index.html" and not path.startswith(_BESIDE)
    }
    tops = _tree(documents.text_of(held["index.html"], index), nodes)
    return Forest(tops, beside, files).found(renamed=renamed)


def _page(path: str, data: bytes, files: list[FoundFile], renamed: dict[str, str]) -> PageNode:
    soup = documents.soup_of(documents.text_of(data, path))
    title = soup.find(id="title-text") or soup.find("title")
    words = one_line(title.get_text() if isinstance(title, Tag) else "")
    space, colon, rest = words.partition(" : ")
    main = next((one for one in (soup.find(id=_MAIN), soup.find("body")) if isinstance(one, Tag)), soup)
    for link in soup.find_all("a", href=True):
        href = unquote(str(link["href"]).partition("?")[0])
        name = " ".join(cleaned(link.get_text().replace("\0", "")).split())
        if href.startswith("attachments/") and "." in name and "/" not in name:
            renamed.setdefault(href, name)
    for picture in main.find_all("img", attrs={"data-image-src": True}):
        picture["src"] = picture["data-image-src"]
    stem = PurePosixPath(path).stem
    return PageNode(
        (rest if colon and space else words) or stem, path, documents.markdown(str(main), files, path)
    )


def _tree(html: str, nodes: dict[str, PageNode]) -> list[PageNode]:
    """The pages at the top; those that the index does not name come behind."""
    tops: list[PageNode] = []
    placed: set[str] = set()
    for link in documents.soup_of(html).find_all("a", href=True):
        path = unquote(str(link["href"]).partition("#")[0].partition("?")[0])
        if path not in nodes or path in placed:
            continue
        placed.add(path)
        above = _above(link, nodes, placed - {path})
        (nodes[above].children if above is not None else tops).append(nodes[path])
    return tops + [node for path, node in nodes.items() if path not in placed]


def _above(link: Tag, nodes: dict[str, PageNode], placed: set[str]) -> str | None:
    """The page in whose item of the list an item stands."""
    own = link.find_parent("li")
    item = own.find_parent("li") if isinstance(own, Tag) else None
    if not isinstance(item, Tag):
        return None
    first = item.find("a", href=True)
    path = unquote(str(first["href"]).partition("#")[0].partition("?")[0]) if isinstance(first, Tag) else ""
    return path if path in placed and path in nodes else None
