"""The kinds of things that are searched, and which rows of the index are theirs."""

from functools import cache

from kbwork.core.access import visibility
from kbwork.core.operations.registry import Registry
from kbwork.core.ports.search import Searchable
from kbwork.db.tx import Read


def kinds(tx: Read) -> dict[str, Searchable]:
    """By name, in their order."""
    return _declared(tx.registry)


@cache
def _declared(registry: Registry) -> dict[str, Searchable]:
    return {kind.name: kind.search for kind in registry.in_order if kind.search is not None}


def readable(tx: Read, name: str) -> bool:
    """Whether the caller may search this kind."""
    found = kinds(tx).get(name)
    return found is not None and visibility.reads(tx, name) and found.scopes <= tx.caller.scopes


def documents(kind: str) -> str:
    """What stands behind `from`: the documents `kb_doc` of a kind that fit `:match`, by their number in the index
    `kb_text`.

    A condition can follow, and `order by kb_text.rowid`.
    """
    return (
        "search_text kb_text cross join search_doc kb_doc on kb_doc.id = kb_text.rowid"
        f" and kb_doc.kind = '{kind}' and kb_text.search_text match :match"
    )


def matching(kind: str) -> str:
    """A select of what stands behind the colon of the things of a kind that fit `:match`."""
    return f"select kb_doc.ref from {documents(kind)}"
