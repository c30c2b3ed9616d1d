"""The manual of the running version: hand-written pages, and lists that are read off the contract."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import kbwork
from kbwork.api.pages.docs import markdown
from kbwork.api.pages.docs.query_words import TITLE, query_words
from kbwork.api.pages.render import render_cached
from kbwork.api.pages.response import PageResponse, lasting
from kbwork.base.errors import NotFound
from kbwork.contract import load

_DOCS = Path(kbwork.__file__).parent / "docs"
_GENERATED = {"api": "API reference", "events": "Events", "changelog": "Changes", "tql-words": TITLE}
_BESIDE = {
    "grafana-dashboard.json": "application/json",
    "alert-rules.yml": "application/yaml; charset=utf-8",
}
"""Files that pages lead to, with their kinds."""
_PICTURES = "pictures"
CHANGES = ("Breaking", "Security", "Added", "Changed", "Fixed", "Removed")


@cache
def contents() -> list[dict[str, Any]]:
    """The groups of the left navigation: [{`title`, `pages`: [(name, title)]}]."""
    groups = json.loads((_DOCS / "contents.json").read_bytes())
    return [
        {"title": group["title"], "pages": [(name, _title(name)) for name in group["pages"]]}
        for group in groups
    ]


def show_page(name: str) -> PageResponse:
    """One page, or a file or picture that a page shows. Raises NotFound."""
    if name in _BESIDE:
        return _file(name, _BESIDE[name])
    if name in _pictures():
        return _file(name, "image/webp")
    return _index() if name == "" else _page(name)


@cache
def _pictures() -> frozenset[str]:
    """Screens of the app, as pages name them."""
    return frozenset(f"{_PICTURES}/{path.name}" for path in (_DOCS / _PICTURES).glob("*.webp"))


@cache
def _file(name: str, kind: str) -> PageResponse:
    return lasting((_DOCS / name).read_bytes(), kind)


@cache
def _index() -> PageResponse:
    return render_cached("docs_index.html", groups=contents(), here="", title="Manual", contents=[])


@cache
def _page(name: str) -> PageResponse:
    if name == "events":
        return render_cached("events.html", groups=contents(), here=name, title="Events", modules=events())
    text = markdown.page(made()[name]() if name in made() else _source(name))
    return render_cached(
        "docs_page.html",
        groups=contents(),
        here=name,
        title=text.title,
        html=text.html,
        contents=text.contents,
    )


def made() -> dict[str, Callable[[], str]]:
    """Pages that are read off what the version holds, each with what makes its Markdown."""
    return {"changelog": changelog, "tql-words": query_words}


def page_text(name: str) -> str | None:
    """A listed page as Markdown; None for a page that is made of the contract in another way."""
    path = _DOCS / f"{name}.md"
    return made()[name]() if name in made() else path.read_text(encoding="utf-8") if path.is_file() else None


def _source(name: str) -> str:
    """The Markdown of a page, or of a decision. Raises NotFound."""
    path = _DOCS / f"{name}.md"
    listed = {page for group in contents() for page, _ in group["pages"]}
    decision = name.startswith("decisions/") and path in (_DOCS / "decisions").glob("*.md")
    if (name not in listed and not decision) or not path.is_file():
        raise NotFound(f"The manual has no page {name!r}.")
    return path.read_text(encoding="utf-8")


def _title(name: str) -> str:
    if name in _GENERATED:
        return _GENERATED[name]
    first = (_DOCS / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip()


def changelog() -> str:
    """The page as Markdown. What changed, the weightiest first: the first word of each note says what sort it is."""
    parts = ["# Changes", f"What is new in {kbwork.__version__}."]
    for word in CHANGES:
        found = [note.removeprefix(word).lstrip(": ") for note in change_notes() if note.startswith(word)]
        if found:
            parts += [f"## {word}", *(f"- {note[:1].upper()}{note[1:]}" for note in found)]
    return "\n\n".join(parts) + "\n"


def change_notes() -> list[str]:
    """What changed since the last release, a line each: a word of `CHANGES` and what it is."""
    files = sorted((_DOCS / "changes").glob("*.md"))
    return [line for path in files for line in path.read_text(encoding="utf-8").splitlines() if line]


def events() -> dict[str, list[dict[str, Any]]]:
    """Module -> its event kinds with who hears of them and which operations emit them."""
    emitted: dict[str, list[str]] = {}
    for path, item in load("openapi.json")["paths"].items():
        for kind in item.get("post", {}).get("x-kb-events", ()):
            emitted.setdefault(kind, []).append(path.rpartition("/")[2])
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, event in load("events.json").items():
        row = {"kind": kind, **event, "operations": emitted.get(kind, [])}
        found.setdefault(event["module"], []).append(row)
    return dict(sorted(found.items()))
