"""Propose how a text may go on at the cursor."""

import re
from collections.abc import Iterable

from kbwork.base.dataclasses import dataclass
from kbwork.base.model import Id, Input, Text
from kbwork.base.text import fold
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql.fields import functions_for, shape_of
from kbwork.modules.tql.model import Proposed, TqlCompletion
from kbwork.modules.tql.names.db_names import DbNames
from kbwork.modules.tql.run import Tql
from kbwork.modules.tql.sources import sources
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import NamedThing, shown
from kbwork.tql.normal_form import quoted
from kbwork.tql.operators import operators
from kbwork.tql.parser.tokens import Token, TokenKind, tokens
from kbwork.tql.words import (
    AGGREGATES,
    COLLECTIONS,
    FUNCTIONS,
    ISSUE_RELATIONS,
    QUANTIFIERS,
    RELATIONS,
    UNITS,
    WHEN,
)

MOST = 50
_WORD = re.compile(r"""(?:["'][^"']*|[@#]?[\w.-]*)$""")
_BARE = re.compile(r"[A-Za-z_]\w*(-[A-Za-z_]\w*)*")
_JOINS = ("and", "or", "order by", "group by", "select", "limit", "as of")


class TqlComplete(Input):
    tql: Tql
    cursor: Id
    """Where the cursor stands: characters from the beginning."""
    project: Text | None = None
    """Key of a project: its lanes, components and own fields only, beside the org's."""


@dataclass(frozen=True, slots=True)
class CompletableField:
    """What a field takes."""

    name: str
    kind: FieldKind
    domain: str
    choices: tuple[str, ...] = ()
    tracked: bool = True


@dataclass(frozen=True, slots=True)
class Proposal:
    insert: str
    kind: Proposed
    detail: str | None = None


@read(
    "tql.complete",
    scope="search:read",
    words="autocomplete a query, what can I type next",
    example={"tql": "status = in", "cursor": 11, "project": "WEB"},
)
def complete(tx: Read, args: TqlComplete) -> list[TqlCompletion]:
    """Propose what may stand at the cursor: fields, operators, names that you see, functions, clauses; 50 at most.

    `insert` goes in place of the characters between `from` and `to`.
    """
    end = min(args.cursor, len(args.tql))
    before = args.tql[:end]
    match = _WORD.search(before)
    word = match[0] if match is not None else ""
    begin = end - len(word)
    place = _Place(tx, before[:begin], args.project)
    wanted = fold(word.strip("\"'"))
    found: list[TqlCompletion] = []
    for proposal in place.proposals(word):
        label = proposal.insert.strip()
        if _begins(label, wanted):
            found.append(
                {
                    "insert": proposal.insert,
                    "label": label,
                    "kind": proposal.kind,
                    "detail": proposal.detail,
                    "from": begin,
                    "to": end,
                }
            )
    return found[:MOST]


def _begins(label: str, wanted: str) -> bool:
    form = fold(label.strip("\"'"))
    return form.startswith(wanted) or (len(wanted) > 1 and any(w.startswith(wanted) for w in form.split()))


class _Place:
    """What stands before the cursor, and so what may stand at it."""

    def __init__(self, tx: Read, text: str, project: str | None) -> None:
        self._names = DbNames(tx)
        self._declared = sources(tx)
        self._project = self._names.project(project) if project else None
        self._tokens = [token for token in tokens(text)[0] if token.kind is not TokenKind.END]
        self._source = self._source_here()

    def proposals(self, word: str) -> Iterable[Proposal]:
        last = self._back(1)
        if word.startswith("@"):
            return self._people()
        if word.startswith("#"):
            return [
                Proposal(f"#{named.name}", "value") for named in self._named("label") if _bare(named.name)
            ]
        if last is None or last.is_word("and", "or", "not", "where", "having") or last.is_sign("!"):
            return self._conditions()
        if last.is_sign("("):
            return self._in_bracket()
        return self._in_clause(last) if self._clause() else self._behind(last)

    def _behind(self, last: Token) -> Iterable[Proposal]:
        """Behind a field its operators, behind an operator its values, behind a value what joins."""
        if last.is_word("from") and len(self._tokens) < 3:
            return [Proposal(f"{name} ", "source") for name in self._declared.asked]
        before = self._back(2)
        if before is not None and before.is_word("from") and last.value.lower() in self._names.sources.asked:
            return [*self._conditions(), *_joins()[2:]]
        field = self._compared()
        if field is not None:
            return self._values(field)
        known = self._field_before(1)
        if known is not None and not self._is_value(1):
            return self._operators(known)
        return self._behind_value(last)

    def _behind_value(self, last: Token) -> Iterable[Proposal]:
        if self._past() is not None:
            return [
                *(Proposal(f"{when} ", "keyword") for when in WHEN),
                Proposal("by ", "keyword"),
                *_joins(),
            ]
        if last.is_word(*(name.split()[-1] for name in COLLECTIONS)):
            return [Proposal(f"{name} (", "keyword") for name in QUANTIFIERS]
        if last.is_word(*(name.split()[-1] for name in RELATIONS)):
            return [Proposal(name, "keyword") for name in ("any", "none", "(")]
        return _joins()

    # -- what may stand --------------------------------------------------------------------------------

    def _conditions(self) -> Iterable[Proposal]:
        yield from self._fields()
        for name in self._names.sources[self._source].flags:
            yield Proposal(name, "flag")
        if self._source in ("issues", "requests"):
            for name in ISSUE_RELATIONS:
                yield Proposal('rel("' if name == "rel" else f"{name} ", "relation")
            for name, (_, module) in COLLECTIONS.items():
                if not module or self._names.has(module):
                    yield Proposal(f"{name} ", "collection")
            for function in FUNCTIONS.values():
                if function.gives == "issues" and (not function.module or self._names.has(function.module)):
                    yield Proposal(f"{function.name}(", "function", function.call)
        elif self._source in self._declared:
            relations = self._declared[self._source].relations
            yield from (Proposal(f"{name} ", "relation") for name in relations)
        yield Proposal("not ", "keyword")

    def _fields(self) -> Iterable[Proposal]:
        seen: set[str] = set()
        for name, field in self._names.sources[self._source].table.items():
            said = field.name if name == field.name.lower() else name
            if said not in seen and (not field.module or self._names.has(field.module)):
                seen.add(said)
                yield Proposal(f"{said} ", "field", field.kind.value)
        for own in self._names.own(self._source):
            if self._project is None or not own.projects or self._project in own.projects:
                yield Proposal(f"{own.key} ", "field", own.name)

    def _operators(self, field: CompletableField) -> Iterable[Proposal]:
        for operator in operators(field.kind, field.domain, tracked=field.tracked):
            yield Proposal(f"{operator} (" if operator.endswith("in") else f"{operator} ", "operator")

    def _values(self, field: CompletableField) -> Iterable[Proposal]:
        for choice in field.choices:
            yield Proposal(f"{choice} ", "value")
        if field.domain == "person":
            yield from self._people()
        elif field.domain and not field.choices:
            for named in self._named(field.domain):
                name = shown(field.domain, named, self._names.sources)
                plain = _bare(name) or field.domain in self._names.sources.keyed
                yield Proposal(f"{name if plain else quoted(name)} ", "value", _detail(field.domain, named))
        if field.kind is FieldKind.BOOL:
            yield from (Proposal(f"{name} ", "value") for name in ("true", "false"))
        if field.kind in (FieldKind.TIME, FieldKind.DAY):
            for said in ("today", "yesterday", "tomorrow", "-7d", "-30d", "+7d"):
                yield Proposal(f"{said} ", "value")
        if field.kind is FieldKind.DURATION:
            yield from (Proposal(f"1{unit} ", "value") for unit in UNITS)
        for call in functions_for(self._names, field.kind, field.domain):
            name, _, takes = call.partition("(")
            yield Proposal(f"{name}() " if takes == ")" else f"{name}(", "function", call)
        yield Proposal("empty ", "value")

    def _people(self) -> Iterable[Proposal]:
        for named in self._named("person"):
            name = shown("person", named, self._names.sources)
            if name.startswith("@"):
                yield Proposal(f"{name} ", "value", named.name)

    def _named(self, domain: str) -> Iterable[NamedThing]:
        said: set[str] = set()
        for named in self._names.some(domain):
            elsewhere = self._project and named.places and self._project not in named.places
            name = shown(domain, named, self._names.sources)
            if name not in said and not (elsewhere and domain in ("status", "component", "label")):
                said.add(name)
                yield named

    def _in_bracket(self) -> Iterable[Proposal]:
        """A list of values, the argument of a function, or a condition."""
        field = self._compared(2)
        return self._values(field) if field is not None else self._conditions()

    def _in_clause(self, last: Token) -> Iterable[Proposal]:
        clause = self._clause()
        if clause == "limit":
            return (
                [Proposal(number, "value") for number in ("10", "50")] if last.is_word("limit") else _joins()
            )
        if last.is_sign(",") or last.is_word("by", "select"):
            aggregates = (
                [] if clause == "group" else [Proposal(f"{name}(", "function") for name in AGGREGATES]
            )
            return [*self._fields(), *aggregates]
        if clause == "order":
            return [*(Proposal(f"{name} ", "keyword") for name in ("desc", "asc", "empty first")), *_joins()]
        return _joins()

    # -- where the cursor stands -----------------------------------------------------------------------

    def _back(self, steps: int) -> Token | None:
        return self._tokens[-steps] if len(self._tokens) >= steps else None

    def _clause(self) -> str:
        """The clause that the cursor stands in; empty in a condition."""
        depth = 0
        for at in range(len(self._tokens) - 1, -1, -1):
            token = self._tokens[at]
            depth += token.is_sign(")") - token.is_sign("(")
            if depth < 0:
                return ""
            if depth == 0 and token.is_word("select", "group", "order", "limit"):
                return token.value.lower()
        return ""

    def _compared(self, steps: int = 1) -> CompletableField | None:
        """The field whose value stands next: behind its operator, or in its list."""
        token = self._back(steps)
        while token is not None and token.is_sign(",", "("):
            steps += 1
            token = self._back(steps)
            while token is not None and steps < len(self._tokens) and not token.is_sign(",", "(", "=", "!="):
                if token.is_word("in", "all", "any", "none"):
                    break
                steps += 1
                token = self._back(steps)
        if token is None or not (
            token.is_sign("=", "!=", "<", "<=", ">", ">=", ":")
            or token.is_word("in", "was", "to", "from", "all", "any", "none", "not")
        ):
            return None
        return self._field_before(steps + 1)

    def _field_before(self, steps: int) -> CompletableField | None:
        """The field that ends so many tokens back, words of its operator left aside."""
        token = self._back(steps)
        while token is not None and token.is_word("not", "has", "was", "changed", "is", "in"):
            steps += 1
            token = self._back(steps)
        if token is None or token.kind not in (TokenKind.WORD, TokenKind.STRING):
            return None
        source = self._source
        dot, owner = self._back(steps + 1), self._back(steps + 2)
        if dot is not None and owner is not None and dot.is_sign("."):
            step = self._names.sources[source].table.get(owner.value.lower())
            source = step.to if step is not None and step.to else source
        return self._field(source, token.value)

    def _field(self, source: str, name: str) -> CompletableField | None:
        field = self._names.sources[source].table.get(name.lower())
        if field is not None:
            return CompletableField(field.name, field.kind, field.domain, field.choices, field.tracked)
        form = fold(name)
        for own in self._names.own(source):
            if form in (fold(own.key), fold(own.name)):
                shape = shape_of(self._names, own, source)
                if shape is not None:
                    return CompletableField(own.key, shape.kind, shape.domain, shape.choices, shape.tracked)
        return None

    def _is_value(self, steps: int) -> bool:
        """Whether the word so many tokens back is what something is compared with."""
        before = self._back(steps + 1)
        return before is not None and (
            before.is_sign("=", "!=", "<", "<=", ">", ">=", ":", ",") or before.is_word("was", "to", "in")
        )

    def _past(self) -> Token | None:
        """The word `was` or `changed` of the term at the cursor."""
        for token in reversed(self._tokens):
            if token.is_word("was", "changed"):
                return token
            if token.is_word("and", "or") or token.is_sign("("):
                return None
        return None

    def _source_here(self) -> str:
        """What the bracket that the cursor stands in is about."""
        sources = ["issues"]
        for at, token in enumerate(self._tokens):
            before = self._tokens[at - 1] if at else None
            if token.is_sign("("):
                sources.append(self._source_of_bracket(at, sources[-1]))
            elif token.is_sign(")") and len(sources) > 1:
                sources.pop()
            elif (
                before is not None
                and before.is_word("from")
                and token.value.lower() in self._names.sources.asked
            ):
                sources[-1] = token.value.lower()
        return sources[-1] if sources[-1] in self._names.sources else "issues"

    def _source_of_bracket(self, at: int, outer: str) -> str:
        """Parts of a collection have fields of their own."""
        for token in reversed(self._tokens[max(0, at - 4) : at]):
            for name, (source, _) in COLLECTIONS.items():
                if token.is_word(name.split()[-1]) and self._tokens[at - 1].kind is not TokenKind.SIGN:
                    return source
        return outer


def _joins() -> list[Proposal]:
    return [Proposal(f"{word} ", "keyword") for word in _JOINS]


def _bare(name: str) -> bool:
    return _BARE.fullmatch(name) is not None or name.startswith("@")


def _detail(domain: str, named: NamedThing) -> str | None:
    return named.name if domain == "asset" else ", ".join(named.places[:5]) or None
