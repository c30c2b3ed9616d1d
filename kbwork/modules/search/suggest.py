"""The palette: what somebody may mean while they type."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.model import Input, Int, Text
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.ports.search import Searchable, Suggested
from kbwork.core.things.thing import ref_of
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.projects import access
from kbwork.modules.search import hits, name_index
from kbwork.modules.search import search_terms as asking
from kbwork.modules.search.kinds import documents, kinds, readable
from kbwork.modules.search.model import Suggestion

_LOOKED_AT = 60


class SearchSuggest(Input):
    q: Annotated[str, Field(max_length=200)]
    context: Text | None = None
    """The subject where somebody is: issues of the same project come first."""
    limit: Annotated[Int, Field(ge=1, le=50)] | None = None
    """12 unless given."""


@read("search.suggest", scope="search:read", threaded=True, example={"q": "vou", "context": "project:WEB"})
def suggest(tx: Read, args: SearchSuggest) -> list[Suggestion]:
    """Suggest what somebody may mean: an issue by key, then titles, projects, people and operations by name.

    The last word may be the beginning of one. Only what you see is suggested, and operations that your scopes allow.
    """
    words = asking.read(args.q)
    if not words.words:
        return []
    most = args.limit or 12
    sorts = (
        _by_key(tx, args.q),
        _titled(tx, words, args.context, most),
        _projects(tx, words.words),
        _people(tx, words.words),
        _commands(tx, words.words),
    )
    once: dict[tuple[str, str], Suggestion] = {}
    for one in itertools.chain(*sorts):
        once.setdefault((one["kind"], one["id"]), one)
        if len(once) == most:
            break
    return list(once.values())


def _by_key(tx: Read, text: str) -> list[Suggestion]:
    row = hits.by_key(tx, text)
    kind = kinds(tx)[row["kind"]] if row is not None else None
    if row is None or kind is None or kind.suggested is None:
        return []
    sql = f"select {_named(kind, kind.suggested)} from {kind.rows} where {kind.ref} = :ref"
    return list(_suggestions(row["kind"], tx.tuples(sql, ref=row["ref"])))


def _named(kind: Searchable, suggested: Suggested) -> str:
    return f"{suggested.id} as id, {kind.heading} as title, {suggested.hint} as hint"


def _suggestions(kind: str, named: Iterable[tuple[Any, ...]]) -> Iterator[Suggestion]:
    for ident, title, hint in named:
        yield Suggestion(kind=kind, id=str(ident), title=title, hint=hint)


def _titled(tx: Read, words: asking.SearchTerms, context: str | None, most: int) -> Iterator[Suggestion]:
    """Of each kind the newest of those whose title has all the words, the project of the context first."""
    for name, kind in kinds(tx).items():
        if kind.suggested is None or not readable(tx, name):
            continue
        rows = tx.tuples(
            "select id, title, hint from ("
            f"select {_named(kind, kind.suggested)}, {kind.project_key} as project, {kind.category} as category,"
            f" kb_text.rowid as n from {documents(name)} cross join {kind.rows}"
            f" where {kind.ref} = kb_doc.ref and not ({kind.archived}) and ({kind.seen})"
            " order by kb_text.rowid desc limit :looked_at)"
            " order by project is :here desc, category is 'done', n desc limit :most",
            match=asking.matching(words, column="title : "),
            here=_project(tx, context),
            looked_at=_LOOKED_AT,
            most=most,
            **visibility.binds(tx),
        )
        yield from _suggestions(name, rows)


def _project(tx: Read, context: str | None) -> str | None:
    """The key of the project that a subject is of."""
    found = visibility.find(tx, visibility.canonical(tx, context)) if context else None
    if found is None:
        return None
    if found.kind == "project":
        return ref_of(found.id)[1]
    return found.path.rpartition("/")[2].rpartition("-")[0] or None


def _projects(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    if "projects:read" not in tx.caller.scopes:
        return
    seen = access.roles(tx)
    for row in name_index.projects(tx).find(words):
        if row["id"] in seen:
            yield Suggestion(kind="project", id=row["key"], title=row["name"], hint=row["key"])


def _people(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    if "members:read" not in tx.caller.scopes:
        return
    for row in within_deadline(tx, name_index.people(tx).find(words)):
        if not tx.caller.guest or members.seen(tx, row["id"]) is not None:
            yield Suggestion(kind="member", id=row["id"], title=row["name"], hint=f"@{row['handle']}")


def _commands(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    """Operations by name; one letter or digit is too little to mean one."""
    if min(map(len, words)) < 2:
        return
    for op in name_index.operations(tx.registry).find(words):
        if tx.caller.scopes.intersection(op.scopes):
            yield Suggestion(kind="command", id=op.id, title=op.summary, hint=op.id)
