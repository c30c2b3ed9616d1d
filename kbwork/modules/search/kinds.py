"""The kinds of things that are searched, and which rows of the index are theirs."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.operations.registry import Registry
from kbwork.core.ports.search import Searchable, SearchableByHost
from kbwork.core.things.thing import Hosts, Thing, chains
from kbwork.db.tx import Read

Form = tuple[str, ...]
"""The name of a kind, with those of the kinds that its things hang on: `("attachment", "comment", "issue")`."""


def kinds(tx: Read) -> dict[str, Searchable | SearchableByHost]:
    """By name, in their order."""
    return _declared(tx.registry)


def forms(tx: Read) -> dict[Form, Searchable]:
    """How things are found, of each kind and of whatever they hang on."""
    return _forms(tx.registry)


@cache
def _declared(registry: Registry) -> dict[str, Searchable | SearchableByHost]:
    return {kind.name: kind.search for kind in registry.in_order if kind.search is not None}


@cache
def _forms(registry: Registry) -> dict[Form, Searchable]:
    found: dict[Form, Searchable] = {}
    for kind in registry.in_order:
        for hosts in chains(kind, registry.in_order):
            search = kind.search.on(hosts) if isinstance(kind.search, SearchableByHost) else kind.search
            if search is not None:
                found[_form(kind, hosts)] = search
    return found


def _form(kind: Thing, hosts: Hosts) -> Form:
    return (kind.name, *(host.name for host in hosts))


def by_form(tx: Read, name: str, refs: list[Any]) -> Iterator[tuple[Form, list[Any]]]:
    """Things of a kind apart, by what they hang on; those of which nothing is found there are left out."""
    kind = visibility.things(tx)[name]
    for hosts, some in visibility.by_hosts(tx, kind, refs):
        if (form := _form(kind, hosts)) in forms(tx):
            yield form, some


def readable(tx: Read, form: Form) -> bool:
    """Whether the caller may search things of this kind, where they hang on such."""
    return visibility.reads(tx, form[0]) and forms(tx)[form].scopes <= tx.caller.scopes


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
