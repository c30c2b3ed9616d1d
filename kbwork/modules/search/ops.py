"""Search everything the caller may see, suggest while they type, and say what they looked at last."""

import re
from collections import Counter
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Problem
from kbwork.base.model import Cursor, Input, Limit, Started, Text
from kbwork.core.access import visibility
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read, write
from kbwork.core.ports.query import TYPED
from kbwork.core.references import ProjectRef
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.search import hits, reindex, typos
from kbwork.modules.search.excerpts import SearchedWords
from kbwork.modules.search.kinds import kinds as searched
from kbwork.modules.search.model import SearchHit
from kbwork.modules.search.search_terms import SearchTerms, matching, nearly
from kbwork.modules.search.search_terms import read as read_asked

_QUERY = re.compile(r"[=<>~]|\b(in|was|changed|is (not )?empty)\b")
_MOST_BY_QUERY = 2000
Kinds = Annotated[list[Text], Field(max_length=20)]


class SearchQuery(Input):
    q: Annotated[str, Field(min_length=1, max_length=2000)]
    """Words, "phrases", -without, and `kind:`, `in:` (a project), `by:` (a person) and `is:` (`open`, `done`, `mine`,
    `unassigned`, `archived`). A query in the query language is taken for one."""
    kinds: Kinds | None = None
    """`issue`, `page`, `comment`, `attachment`, `asset`, `project`, `space`, `member`, `team`, `label`, `view`,
    `board`, `flag`; all unless given."""
    project: ProjectRef | None = None
    space: Text | None = None
    """Key of a space: pages of it, and what is on them."""
    semantic: bool | None = None
    """By meaning, where the org has a provider for it; else words."""
    cursor: Cursor | None = None
    limit: Limit | None = None


class Found(TypedDict):
    """Hits, best first. `facets`: how many of each kind, project and category, of the best 2,000.

    `tql` is the same as a query, where one was typed or could be.
    """

    items: list[SearchHit]
    """Hits of this page, best first."""
    facets: dict[str, dict[str, int]]
    """Hits of each kind, project and category, of the best 2,000."""
    next: str | None
    """What to pass as `cursor` for the next page; null: this is the last."""
    tql: str | None
    """The same in the query language; null: it cannot be said there."""


@read(
    "search.query",
    scope="search:read",
    words=(
        "search, find, full text, look for, search everything, tickets mentioning, "
        "where did we talk about, containing a word, find a customer's ticket, about a topic, "
        "google"
    ),
    threaded=True,
    example={"q": "vouchers is:open", "project": "WEB"},
)
def query(tx: Read, args: SearchQuery) -> Found:
    """Search issues, pages, comments, files, assets, projects, spaces, people, teams, labels, views, boards and flags.

    Only what you see is found, and what was written by the next call. Case and accents do not matter; all words must
    occur, the last one as a beginning. An issue whose key it is comes first; newer things, and yours, come before
    others that fit as well. Where nothing fits, words that are a letter or two away are looked for. What is archived
    or retired with all that is on it, and people who left, are found with `is:archived`.
    """
    kinds = hits.require_kinds(tx, args.kinds)
    project = hits.project_of(tx, args.project)
    rows, wanted, tql = _rows(tx, args.q, kinds, project, hits.space_of(tx, args.space))
    facets = _facets(rows)
    if (at := pagination.place(tx, args)) is not None:
        rows = [row for row in rows if (row["rank"], row["n"]) < (at[0], at[1])]
    most = pagination.limit(args)
    page = rows[:most]
    after = pagination.cursor(tx, args, [page[-1]["rank"], page[-1]["n"]]) if len(rows) > most else None
    return Found(
        items=hits.shown(tx, page, wanted),
        facets=facets,
        next=after,
        tql=tql,
    )


class SearchRecent(Input):
    kinds: Kinds | None = None
    """`issue`; all unless given."""
    limit: Limit | None = None


@read(
    "search.recent",
    scope="search:read",
    words=(
        "recently viewed, what did I look at, last opened, my recent tickets, where was I, history of mine"
    ),
    cached=False,
    example={"limit": 10},
)
def recent(tx: Read, args: SearchRecent) -> list[SearchHit]:
    """List the issues that you looked at or changed last, the latest first."""
    if args.kinds is not None and "issue" not in hits.require_kinds(tx, args.kinds):
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
    found: list[Row] = []
    for row in rows:
        kind, ref = ref_of(row["subject"])
        found += [one | {"at": row["at"]} for one in hits.by_refs(tx, kind, [ref])]
        if len(found) == pagination.limit(args):
            break
    return hits.shown(tx, found, SearchedWords([]), "recent")


class SearchReindex(Input):
    kinds: Kinds | None = None
    """As in search.query; all unless given."""


@write(
    "search.reindex",
    scope="admin",
    words="rebuild the index, search is broken, search finds nothing",
    example={},
)
def reindex_(tx: Write, args: SearchReindex) -> Started:
    """Make the index anew from what is there; answers the job that does. Search goes on meanwhile."""
    wanted = hits.require_kinds(tx, args.kinds)
    kinds = [kind for kind in wanted or searched(tx) if kind in searched(tx)]
    return Started(job=enqueue(tx, reindex.REINDEX.kind, {"kinds": kinds, "at": 0}, message="Indexing"))


def _rows(
    tx: Read, text: str, kinds: list[str], project: ProjectRow | None, space: str | None
) -> tuple[list[Row], SearchedWords, str | None]:
    """(what fits, what to mark, the same as a query over issues).

    A query finds issues: where other kinds alone are asked for, its text is words.
    """
    issues = space is None and (not kinds or "issue" in kinds)
    if issues and (answer := _by_query(tx, text, project)) is not None:
        return answer
    asked = read_asked(text)
    search = hits.Search(tx, asked, kinds=kinds, project=project, space=space)
    wanted = SearchedWords([[word] for word in asked.words], open_end=asked.open_end)
    rows = search.rows(matching(asked), wanted)
    if not rows and asked.words and not asked.without and all(len(phrase) == 1 for phrase in asked.phrases):
        groups = typos.groups(tx, asked.words)
        wanted = SearchedWords(groups)
        rows = search.rows(nearly(groups), wanted)
    named = hits.by_key(tx, text) if issues else None
    if named is not None and (project is None or named["project"] == project["key"]):
        rows = [named, *(row for row in rows if row["subject"] != named["subject"])]
    return rows, wanted, _as_query(asked, project) if rows and issues else None


def _by_query(tx: Read, text: str, project: ProjectRow | None) -> tuple[list[Row], SearchedWords, str] | None:
    """What a query of the query language finds, in this project; None where the text is none."""
    language = tx.registry.language
    if language is None or not visibility.reads(tx, "issue") or _QUERY.search(text) is None:
        return None
    try:
        normal = language.checked(tx, text)
        if project is not None:
            normal = language.checked(tx, f'({normal}) and project = "{project["key"]}"')
        found = language.issues(tx, normal, _MOST_BY_QUERY, TYPED)
    except Problem:  # it is no query: then it is words
        return None
    return hits.by_refs(tx, "issue", found), SearchedWords([]), normal


def _as_query(asked: SearchTerms, project: ProjectRow | None) -> str | None:
    """The search as a query over issues, where it says no more than that can."""
    if asked.filters.keys() - {"in", "is"} or not asked.phrases:
        return None
    words = " ".join(
        " ".join(phrase) if len(phrase) == 1 else f'"{" ".join(phrase)}"' for phrase in asked.phrases
    )
    parts = [f'text ~ "{words}{"*" if asked.open_end else ""}"'.replace('""', '"')]
    keys = [key.upper() for key in asked.filters.get("in", [])] + (
        [project["key"]] if project is not None else []
    )
    parts += [f"project = {key}" for key in dict.fromkeys(keys)]
    parts += [state.lower() for state in asked.filters.get("is", [])]
    return " and ".join(parts)


def _facets(rows: list[Row]) -> dict[str, dict[str, int]]:
    return {
        name: dict(Counter(row[name] for row in rows if row[name] is not None))
        for name in ("kind", "project", "category")
    }
