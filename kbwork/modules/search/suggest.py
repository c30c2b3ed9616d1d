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
from kbwork.db.tx import Read, json_array
from kbwork.modules import members
from kbwork.modules.projects import access
from kbwork.modules.search import hits, name_index, title_words
from kbwork.modules.search import search_terms as asking
from kbwork.modules.search.kinds import documents, forms, readable
from kbwork.modules.search.model import Suggestion

_LOOKED_AT = 60


class SearchSuggest(Input):
    q: Annotated[str, Field(max_length=200)]
    """The beginning of what somebody types."""
    context: Text | None = None
    """The subject where somebody is: issues of the same project come first."""
    limit: Annotated[Int, Field(ge=1, le=50)] | None = None
    """12 unless given."""


@read(
    "search.suggest",
    scope="search:read",
    words="autocomplete, command palette, quick jump, go to, type ahead",
    threaded=True,
    example={"q": "vou", "context": "project:WEB"},
)
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
    kind = forms(tx)[row["form"]] if row is not None else None
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
    for form, kind in forms(tx).items():
        if kind.suggested is None or not readable(tx, form):
            continue
        name = form[0]
        fits = f"{kind.ref} = kb_doc.ref and not ({kind.archived}) and ({kind.seen})"
        few = kind.suggested.few(tx, _LOOKED_AT) if kind.suggested.few is not None else None
        wanted = title_words.wanted(tx, words) if few is not None else None
        refs, match = "[]", ""
        if few is None or wanted is None:
            found, number, match = documents(name), "kb_text.rowid", title_words.titled(tx, words)
        else:
            found = f"json_each(:refs) kb_one cross join search_doc kb_doc on kb_doc.kind = '{name}'"
            found, number = f"{found} and kb_doc.ref = kb_one.value", "kb_doc.id"
            refs = json_array(_among(tx, name, f"{kind.rows} where {fits}", (few, kind.heading), wanted))
        if refs == "[]" and not match:
            continue
        # what is told of a thing is read for those alone that are told
        rows = tx.tuples(
            f"select {_named(kind, kind.suggested)} from (select * from ("
            f"select kb_doc.ref as kb_ref, {number} as kb_n, {kind.project_key} is :here as kb_here,"
            f" {kind.category} is 'done' as kb_done from {found} cross join {kind.rows}"
            f" where {fits} order by {number} desc limit :looked_at)"
            " order by kb_here desc, kb_done, kb_n desc limit :most)"
            f" cross join {kind.rows} where {kind.ref} = kb_ref order by kb_here desc, kb_done, kb_n desc",
            match=match,
            refs=refs,
            here=_project(tx, context),
            looked_at=_LOOKED_AT,
            most=most,
            **visibility.binds(tx),
        )
        yield from _suggestions(name, rows)


def _among(tx: Read, kind: str, rows: str, few: tuple[str, str], wanted: title_words.Wanted) -> list[Any]:
    """The references of those of a few things whose titles have the words; `few` is a select of them, and the title."""
    ids, title = few
    found = tx.tuples(
        # `+`: a number that is known for one would not be looked for in the index, since a reference may be a text
        f"select kb_doc.ref, {title} from ({ids}) kb_few cross join search_doc kb_doc"
        f" on kb_doc.kind = :kind and kb_doc.ref = +kb_few.id cross join {rows} order by kb_doc.id desc",
        kind=kind,
        **visibility.binds(tx),
    )
    return list(itertools.islice((ref for ref, text in found if wanted.has(text)), _LOOKED_AT))


def _project(tx: Read, context: str | None) -> str | None:
    """The key of the project that a subject is of."""
    found = visibility.find_named(tx, visibility.canonical(tx, context)) if context else None
    if found is None:
        return None
    if found.kind == "project":
        return ref_of(found.id)[1]
    return found.path.rpartition("/")[2].rpartition("-")[0] or None


def _projects(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    if not visibility.reads(tx, "project"):
        return
    seen = access.roles(tx)
    for row in name_index.projects(tx).find(words):
        if row["id"] in seen:
            yield Suggestion(kind="project", id=row["key"], title=row["name"], hint=row["key"])


def _people(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    if not visibility.reads(tx, "member"):
        return
    for row in within_deadline(tx, name_index.people(tx).find(words)):
        if not tx.caller.guest or members.seen(tx, row["id"]) is not None:
            yield Suggestion(kind="member", id=row["id"], title=row["name"], hint=f"@{row['handle']}")


def _commands(tx: Read, words: list[str]) -> Iterator[Suggestion]:
    """Operations by name; one letter or digit is too little to mean one."""
    if min(map(len, words)) < 2:
        return
    for op in name_index.operations(tx.registry).find(words):
        if tx.caller.scopes.intersection(op.scopes) and tx.caller.holds(op.module):
            yield Suggestion(kind="command", id=op.id, title=op.summary, hint=op.id)
