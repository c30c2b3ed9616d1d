"""What the index finds, as far as the caller sees it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.patterns import pattern
from kbwork.core.access import visibility
from kbwork.core.ports.search import Searchable
from kbwork.core.things.thing import ref_of
from kbwork.db.deadline import within_deadline
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules import members
from kbwork.modules.projects import access
from kbwork.modules.search.excerpts import LOOKED_AT, SearchedWords, excerpt
from kbwork.modules.search.kinds import Form, by_form, forms, readable
from kbwork.modules.search.kinds import kinds as searched
from kbwork.modules.search.model import SearchHit, Why
from kbwork.modules.search.search_terms import SearchTerms

MOST_RANKED = 2000
KEY_RANK = 1000.0
"""The rank of what was called by its key."""
KEY = pattern(r"^\s*([a-z][a-z0-9]{1,9})[\s-]*(\d{1,15})\s*$", re.IGNORECASE)
_PLANNED = ("request",)
"""Kinds that are taken for ones to search, though nothing of theirs is found."""
_LAST = 1 << 62
"""Above the number of every document."""
_MONTH_S = 30 * 86400
_LONGEST_BYTES = 12_000
"""Where the kinds have more to say than this, they are asked in several statements. One above 16 kB would be parsed
anew each time."""


class Search:
    """One search: what fits, best first, and how many of each sort."""

    def __init__(
        self,
        tx: Read,
        asked: SearchTerms,
        *,
        kinds: list[str],
        project: ProjectRow | None,
        space: str | None = None,
    ) -> None:
        self._tx = tx
        self._asked = asked
        self._binds: dict[str, Any] = {}
        every = searched(tx)
        wanted = set(kinds or every) & set(asked.filters.get("kind", every))
        self._bind(project)
        if space is not None:
            self._binds["space"] = space
        narrowed = bool(asked.filters or self._binds)
        self._fits = {
            form: f"({kind.seen}){self._conditions(kind) if narrowed else f' and not ({kind.archived})'}"
            for form, kind in forms(tx).items()
            if form[0] in wanted and readable(tx, form)
        }

    def rows(self, match: str, wanted: SearchedWords) -> list[Row]:
        """The newest 2,000 that fit, best first: with the words in the title, the caller's own, the newer."""
        if not match or not self._fits:
            return []
        rows = self._newest(match)
        for row in within_deadline(self._tx, rows):
            row["rank"] = _rank(row, wanted)
        return sorted(rows, key=lambda row: (-row["rank"], -row["n"]))

    def _newest(self, match: str) -> list[Row]:
        """The sight is asked before anything is counted: what one does not see changes no answer.

        Of most searches the first 2,000 documents are seen: of these what is ranked and the sight are asked at once.
        """
        groups = self._tx.all(
            _documents(dict.fromkeys(form[0] for form in self._fits)), match=match, before=_LAST
        )
        found = [row for group in groups for row in self._rows(group, self._fits)]
        if sum(group["held"] for group in groups) < MOST_RANKED or len(found) == MOST_RANKED:
            return found
        before = min(group["last"] for group in groups)
        binds = {**self._binds, **visibility.binds(self._tx)}
        for select in _selects(self._tx, self._fits):
            groups = self._tx.all(select, match=match, before=before, **binds)
            found += [row for group in groups for row in self._rows(group, dict.fromkeys(self._fits, "1"))]
        return sorted(found, key=lambda row: -row["n"])[:MOST_RANKED]

    def _rows(self, group: Row, fits: Mapping[Form, str]) -> list[Row]:
        """Those of these documents for which holds what is said of their form."""
        refs = json.loads(group["refs"])
        numbers = dict(zip(refs, json.loads(group["numbers"]), strict=True))
        rows: list[Row] = []
        for form, some in by_form(self._tx, group["kind"], refs):
            if form in fits:
                rows += _details(self._tx, form, some, fits[form], **self._binds)
        for row in rows:
            row["n"] = numbers[row["ref"]]
        return rows

    def _bind(self, project: ProjectRow | None) -> None:
        filters = self._asked.filters
        projects = [access.project(self._tx, key)["id"] for key in filters.get("in", [])]
        if project is not None:
            projects.append(project["id"])
        if projects:
            self._binds["projects"] = json_array(projects)
        for number, ref in enumerate(filters.get("by", [])):
            self._binds[f"by{number}"] = _author(self._tx, ref)

    def _conditions(self, kind: Searchable) -> str:
        filters = self._asked.filters
        states = [state.lower() for state in filters.get("is", [])]
        found = [{"archived": kind.archived, **kind.states}.get(state, "0") for state in states]
        found += [f"{kind.author} = :by{number}" for number in range(len(filters.get("by", [])))]
        if "projects" in self._binds:
            found.append(f"{kind.project} in (select value from json_each(:projects))")
        if "space" in self._binds:
            found.append(f"{kind.space_key} = :space")
        if "archived" not in states:
            found.append(f"not ({kind.archived})")
        return "".join(f" and {one}" for one in found)


def _selects(tx: Read, fits: Mapping[Form, str]) -> Iterator[str]:
    """Statements for the newest documents for which holds what is said of their form."""
    together: dict[str, list[str]] = {}
    length = 0
    for form, condition in fits.items():
        kind = forms(tx)[form]
        case = f"exists (select 1 from {kind.rows} where {kind.ref} = kb_doc.ref and {condition})"
        if together and length + len(case) > _LONGEST_BYTES:
            yield _fitting(together)
            together, length = {}, 0
        together.setdefault(form[0], []).append(case)
        length += len(case)
    yield _fitting(together)


def _fitting(cases: Mapping[str, list[str]]) -> str:
    said = " ".join(f"when '{name}' then {' or '.join(either)}" for name, either in cases.items())
    return _documents(cases, f"case kb_doc.kind {said} end")


def _documents(kinds: Iterable[str], condition: str = "1") -> str:
    """The newest documents of some kinds that fit `:match`, by kind: their numbers, and what they are of."""
    names = ", ".join(f"'{kind}'" for kind in kinds)
    return (
        "select kind, count(*) as held, min(n) as last, json_group_array(n) as numbers, json_group_array(ref) as refs"
        " from (select kb_text.rowid as n, kb_doc.kind, kb_doc.ref"
        " from search_text kb_text cross join search_doc kb_doc on kb_doc.id = kb_text.rowid"
        " where kb_text.search_text match :match and kb_text.rowid < :before"
        f" and kb_doc.kind in ({names}) and {condition}"
        f" order by kb_text.rowid desc limit {MOST_RANKED}) group by kind"
    )


def _details(tx: Read, form: Form, refs: list[Any], condition: str, **binds: Any) -> list[Row]:
    """What is ranked and counted of those of these things that fit."""
    found = forms(tx)[form]
    rows = tx.all(
        "select :kind as kind, :kind || ':' || kb_one.value as subject, kb_one.value as ref,"
        f" {found.heading} as heading, {found.own} as own, {found.at} as at, {found.project_key} as project,"
        f" {found.space_key} as space,"
        f" {found.status} as status, {found.category} as category"
        f" from json_each(:refs) kb_one cross join {found.rows} where {found.ref} = kb_one.value and ({condition})",
        kind=form[0],
        refs=json_array(refs),
        **binds,
        **visibility.binds(tx),
    )
    return [row | {"form": form} for row in _of_held_modules(tx, rows)]


def _of_held_modules(tx: Read, rows: list[Row]) -> list[Row]:
    """Those that hang on nothing of a module that the caller was not given, as files on comments do."""
    if tx.caller.modules is None:
        return rows
    seen = visibility.fitting(tx, (row["subject"] for row in rows), lambda kind: kind.seen)
    return [row for row in rows if row["subject"] in seen]


def _author(tx: Read, ref: str) -> str:
    if "members:read" not in tx.caller.scopes:
        return ref
    row = members.find(tx, ref if ref == "me" or "@" in ref else f"@{ref}")
    return str(row["id"]) if row is not None else ref


def _rank(row: Row, wanted: SearchedWords) -> float:
    """Words in the title weigh most, then being the caller's own; a month weighs a fifth of a point.

    How rare a word is does not count: that would tell of what the caller does not see.
    """
    titled = wanted.share(row["heading"]) if row["heading"] else 0.0
    return round(4.0 * titled + float(row["own"]) + float(row["at"]) / _MONTH_S / 5, 6)


def by_key(tx: Read, text: str) -> Row | None:
    """The thing whose key this is, with a blank or nothing in place of the dash too, as `rows` has it."""
    found = KEY.match(text)
    if found is None:
        return None
    kind, ref = ref_of(visibility.canonical(tx, f"{found[1]}-{found[2]}"))
    rows = by_refs(tx, kind, [ref])
    return rows[0] | {"rank": KEY_RANK} if rows else None


def by_refs(tx: Read, kind: str, refs: list[Any]) -> list[Row]:
    """These things of a kind, as far as they are seen, in this order, as `rows` has them: the first ranks 0, the next
    less."""
    if kind not in searched(tx):
        return []
    rows: list[Row] = []
    for form, some in by_form(tx, kind, refs):
        if readable(tx, form):
            rows += _details(tx, form, some, forms(tx)[form].seen)
    places = {str(ref): place for place, ref in enumerate(refs)}
    for row in rows:
        row["n"] = places[str(row["ref"])]
    return [row | {"rank": 0.0 - row["n"]} for row in sorted(rows, key=lambda row: row["n"])]


def shown(tx: Read, rows: list[Row], wanted: SearchedWords, why: Why | None = None) -> list[SearchHit]:
    """Found rows in their shape; without `why` each says for itself what it was found by."""
    said: dict[str, Row] = {}
    for form in dict.fromkeys(row["form"] for row in rows):
        kind = forms(tx)[form]
        texts = tx.all(
            f"select :kind || ':' || kb_one.value as subject, {kind.title} as title,"
            f" substr({kind.body}, 1, {LOOKED_AT + 1}) as body, {kind.path} as path,"
            f" {kind.within} as within from json_each(:refs) kb_one cross join {kind.rows}"
            f" where {kind.ref} = kb_one.value",
            kind=form[0],
            refs=json_array(row["ref"] for row in rows if row["form"] == form),
            **visibility.binds(tx),
        )
        said |= {text["subject"]: text for text in texts}
    return [_hit(row, said[row["subject"]], wanted, why) for row in rows]


def text_of(tx: Read, subject: str) -> Row | None:
    """The title, the whole text and the project's key of a thing, where it is searched and the caller sees it."""
    kind, ref = ref_of(subject)
    found = by_refs(tx, kind, [ref])
    if not found:
        return None
    said = forms(tx)[found[0]["form"]]
    return tx.one(
        f"select {said.title} as title, {said.body} as body, {said.project_key} as project"
        f" from json_each(:refs) kb_one cross join {said.rows} where {said.ref} = kb_one.value",
        refs=json_array([found[0]["ref"]]),
        **visibility.binds(tx),
    )


def _hit(row: Row, said: Row, wanted: SearchedWords, why: Why | None) -> SearchHit:
    if why is None and row["rank"] >= KEY_RANK:
        why = "key"
    elif why is None:
        why = "title" if wanted.share(said["title"]) == 1.0 else "text"
    return SearchHit(
        subject=row["subject"],
        kind=row["kind"],
        title=said["title"],
        excerpt=excerpt(said["body"], wanted),
        path=said["path"],
        project=row["project"],
        space=row["space"],
        within=said["within"],
        status=row["status"],
        score=round(row["rank"], 4),
        updated_at=row["at"],
        why=why,
    )


def project_of(tx: Read, key: str | None) -> ProjectRow | None:
    """Raises NotFound where the caller does not see it."""
    if not key:
        return None
    if visibility.find_named(tx, f"project:{key}") is None:
        raise NotFound(f"There is no project {key!r} that you can see.")
    return access.project(tx, key)


def space_of(tx: Read, key: str | None) -> str | None:
    """The key of a space of pages. Raises NotFound where the caller does not see it."""
    found = visibility.find_named(tx, f"space:{key}") if key else None
    if key and found is None:
        raise NotFound(f"There is no space {key!r} that you can see.")
    return ref_of(found.id)[1] if found is not None else None


def require_kinds(tx: Read, kinds: list[str] | None) -> list[str]:
    """Kinds that the index knows. Raises InvalidInput for another."""
    for kind in kinds or ():
        if kind not in searched(tx) and kind not in _PLANNED:
            raise InvalidInput(
                f"There is no kind {kind!r} to search.", field="kinds", allowed=list(searched(tx))
            )
    return kinds or []
