"""The page that looks for words in the manual and among the operations."""

from kbwork.api.pages.docs.docs_search import DocsPassage, find
from kbwork.api.pages.docs.manual import contents
from kbwork.api.pages.docs.markdown import anchor
from kbwork.api.pages.render import render
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse
from kbwork.contract import catalogue
from kbwork.contract.operation_search import OperationText

_MOST_CHARS = 200
_MOST_OPERATIONS = 5


async def show_search(visit: PageRequest) -> PageResponse:
    """Without words the form alone."""
    words = visit.query.text("q").strip()[:_MOST_CHARS]
    passages, operations = await visit.beside(lambda: _found(words)) if words else ([], [])
    return render(
        visit,
        "docs_search.html",
        groups=contents(),
        here="",
        title="Search the manual",
        words=words,
        passages=[(passage, _address(passage)) for passage in passages],
        operations=operations,
    )


def _found(words: str) -> tuple[list[DocsPassage], list[OperationText]]:
    return find(words), catalogue.find(words, _MOST_OPERATIONS)


def _address(passage: DocsPassage) -> str:
    return f"/docs/{passage.page}" + (f"#{anchor(passage.heading)}" if passage.heading else "")
