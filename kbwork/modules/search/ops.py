"""Search everything the caller may see, suggest while they type, and say what they looked at last."""

import re
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import NotFound, Problem
from kbwork.base.model import Cursor, Input, Limit, Text
from kbwork.core import paging, visibility
from kbwork.core.jobs import enqueue
from kbwork.core.operation import read, write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.search import hits, reindex, typos
from kbwork.modules.search.asked import Asked, matching, nearly
from kbwork.modules.search.asked import read as read_asked
from kbwork.modules.search.model import SearchHit

_QUERY = re.compile(r"[=<>~]|\b(in|was|changed|is (not )?empty)\b")
_MOST_BY_QUERY = 2000
Kinds = Annotated[list[Text], Field(max_length=20)]


class SearchQuery(Input):
    q: Annotated[str, Field(min_length=1, max_length=2000)]
    """Words, "phrases", -without, and `kind:`, `in:` (a project), `by:` (a person) and `is:` (`open`, `done`, `mine`,
    `unassigned`, `archived`). A query in the query language is taken for one."""
    kinds: Kinds | None = None
    """`issue`, `comment`, `attachment`; all unless given."""
    project: Text | None = None
    space: Text | None = None
    semantic: bool | None = None
    """By meaning, where the org has a provider for it; else words."""
    cursor: Cursor | None = None
    limit: Limit | None = None


class Found(TypedDict):
    """Hits, best first. `facets`: how many of each kind, project and category, of the best 2,000.

    `tql` is the same as a query, where one was typed or could be.
    """

    items: list[SearchHit]
    facets: dict[str, dict[str, int]]
    next: str | None
    tql: str | None


@read("search.query", scope="search:read", threaded=True, example={"q": "vouchers is:open", "project": "WEB"})
def query(tx: Read, args: SearchQuery) -> Found:
    """Search titles, texts, comments and files that you may see. What was written is found by the next call.

    Case and accents do not matter; all words must occur, the last one as a beginning. An issue whose key it is comes
    first; newer things, and yours, come before others that fit as well. Where nothing fits, words that are a letter or
    two away are looked for. An archived issue is found with `is:archived`.
    """
    if args.space:
        raise NotFound(f"There is no space {args.space!r} that you can see.")
    kinds = hits.require_kinds(args.kinds)
    project = hits.project_of(tx, args.project)
    rows, words, tql = _rows(tx, args.q, kinds, project)
    facets = _facets(rows)
    if (at := paging.place(tx, args)) is not None:
        rows = [row for row in rows if (row["rank"], row["n"]) < (at[0], at[1])]
    most = paging.limit(args)
    page = rows[:most]
    after = paging.cursor(tx, args, [page[-1]["rank"], page[-1]["n"]]) if len(rows) > most else None
    return Found(
        items=[hits.shown(tx, row, words, "key" if row["rank"] >= _KEY else None) for row in page],
        facets=facets,
        next=after,
        tql=tql,
    )


_KEY = 1000.0
"""The rank of what was called by its key."""


class SearchRecent(Input):
    kinds: Kinds | None = None
    limit: Limit | None = None


@read("search.recent", scope="search:read", cached=False, example={"limit": 10})
def recent(tx: Read, args: SearchRecent) -> list[SearchHit]:
    """List the issues that you looked at or changed last, the latest first."""
    if args.kinds is not None and "issue" not in hits.require_kinds(args.kinds):
        return []
    rows = tx.all(
        "select subject, max(at) as at from ("
        " select subject, at from mark where member = :me and subject glob 'issue:*'"
        " union all"
        " select subject, at from (select subject, at from events where actor = :me and subject glob 'issue:*'"
        "  order by seq desc limit 500)"
        ") group by subject order by at desc limit 400",
        me=tx.caller.me(),
    )
    found: list[SearchHit] = []
    for row in rows:
        subject = visibility.find(tx, row["subject"])
        if subject is None:
            continue
        key = subject.path.rpartition("/")[2]
        one = hits.by_key(tx, key)
        if one is not None:
            found.append(hits.shown(tx, one | {"rank": 0.0, "at": row["at"]}, [], "recent"))
        if len(found) == paging.limit(args):
            break
    return found


class SearchReindex(Input):
    kinds: Kinds | None = None


class Started(TypedDict):
    job: int


@write("search.reindex", scope="admin", example={})
def reindex_(tx: Write, args: SearchReindex) -> Started:
    """Make the index anew from what is there; answers the job that does. Search goes on meanwhile."""
    kinds = [kind for kind in hits.require_kinds(args.kinds) or hits.KINDS if kind in hits.KINDS]
    return Started(job=enqueue(tx, reindex.REINDEX.kind, {"kinds": kinds, "at": 0}, message="Indexing"))


def _rows(
    tx: Read, text: str, kinds: list[str], project: int | None
) -> tuple[list[Row], list[str], str | None]:
    """(what fits, the words to mark, the same as a query)."""
    if (answer := _by_query(tx, text)) is not None:
        return answer
    asked = read_asked(text)
    search = hits.Search(tx, asked, kinds=kinds, project=project)
    words = asked.words
    rows = search.rows(matching(asked), words)
    if not rows and words and not asked.without and all(len(phrase) == 1 for phrase in asked.phrases):
        groups = [typos.near(tx, word) or [word] for word in words]
        rows = search.rows(nearly(groups), [word for group in groups for word in group])
        words = [word for group in groups for word in group] if rows else words
    named = hits.by_key(tx, text)
    if named is not None:
        rows = [named, *(row for row in rows if row["n"] != named["n"])]
    return rows, words, _as_query(asked) if rows else None


def _by_query(tx: Read, text: str) -> tuple[list[Row], list[str], str] | None:
    """What a query of the query language finds; None where the text is none."""
    language = tx.registry.language
    if language is None or "issues:read" not in tx.caller.scopes or _QUERY.search(text) is None:
        return None
    try:
        normal = language.checked(tx, text)
        found = language.issues(tx, text, _MOST_BY_QUERY)
    except Problem:  # it is no query: then it is words
        return None
    rows = []
    for place, ident in enumerate(found):
        subject = visibility.find(tx, f"issue:{ident}")
        row = hits.by_key(tx, subject.path.rpartition("/")[2]) if subject is not None else None
        if row is not None:
            rows.append(row | {"rank": float(-place)})
    return rows, [], normal


def _as_query(asked: Asked) -> str | None:
    """The search as a query over issues, where it says no more than that can."""
    if asked.filters.keys() - {"in", "is"} or not asked.phrases:
        return None
    words = " ".join(
        " ".join(phrase) if len(phrase) == 1 else f'"{" ".join(phrase)}"' for phrase in asked.phrases
    )
    parts = [f'text ~ "{words}{"*" if asked.open_end else ""}"'.replace('""', '"')]
    parts += [f"project = {key.upper()}" for key in asked.filters.get("in", [])]
    parts += [state.lower() for state in asked.filters.get("is", [])]
    return " and ".join(parts)


def _facets(rows: list[Row]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {"kind": {}, "project": {}, "category": {}}
    for row in rows:
        for name, counts in found.items():
            counts[row[name]] = counts.get(row[name], 0) + 1
    return found
