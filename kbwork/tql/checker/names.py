"""Finds what the names of a text mean: fields, people, projects, lanes. Faults gather, five at most."""

from collections.abc import Iterable

from kbwork.base.text import fold, nearest_words
from kbwork.tql import tree as t
from kbwork.tql.checker.deleted_fields import DeletedField
from kbwork.tql.errors import Fault, SuggestedFix, TextSpan
from kbwork.tql.fields import CATEGORIES, FieldDef, FieldKind
from kbwork.tql.names import (
    AS_WRITTEN,
    MeantName,
    MeantNames,
    NamedThing,
    NameLookup,
    OwnFieldDef,
    alike,
    bears,
    find,
    known_as,
    shown,
)
from kbwork.tql.normal_form import normal, parts_of, written
from kbwork.tql.words import FOREIGN

Steps = list[tuple[str, str]]
"""The fields that a path goes through, each with the source that it leads to."""
STEPS = 3
"""Of a path, the field at its end not counted."""


class Misnamed(Exception):
    """A term names what is not there or does not fit; `fault` says what. The next term is checked all the same."""

    def __init__(
        self,
        span: TextSpan,
        message: str,
        expected: Iterable[str] = (),
        suggestions: Iterable[SuggestedFix] = (),
    ) -> None:
        super().__init__(message)
        self.fault = Fault(span, message, tuple(expected), tuple(suggestions), "tql-name")


class NameChecker:
    """One check of one text. `source` is the one whose fields are in sight; it changes inside brackets."""

    def __init__(self, text: str, names: NameLookup, source: str) -> None:
        self.text = text
        self.names = names
        self.source = source
        self.faults: list[Fault] = []
        self.notices: list[str] = []
        self.renamed: dict[TextSpan, str] = {}
        """Where this text has a former name, and the present one as it is written."""
        self.meant: MeantNames = AS_WRITTEN
        """What its names meant when it was kept."""
        self.found: dict[TextSpan, MeantName] = {}
        """What they mean now."""
        self.terms = 0
        """How many terms, one in the other, this stands in."""
        self.untracked: dict[str, None] = {}
        """Fields of this text that have no history."""

    def said(self, span: TextSpan) -> str:
        return self.text[span.start : span.end]

    def need_module(self, module: str, what: str, span: TextSpan) -> None:
        if module and not self.names.has(module):
            raise Misnamed(span, f"{what} comes with the module {module}, which is not there yet.")

    def column(self, field: t.FieldNode | t.WordNode | t.StringNode) -> t.ColumnNode | t.FormulaNode:
        """The field that is meant. Raises Misnamed with those that look like it, DeletedField inside a term."""
        path = field.path if isinstance(field, t.FieldNode) else (field.text,)
        try:
            found = self._walk(path, field.span)
        except DeletedField as deleted:
            if self.terms:
                raise
            self.note_deleted(deleted)
            return t.FormulaNode(f"cf.{deleted.name}", t.NothingNode(), span=field.span)
        if found is None:
            raise self._no_field(path, field.span)
        if isinstance(found, t.ColumnNode) and not found.tracked and not found.steps:
            self.untracked[found.name] = None
        return found

    def formula(self, own: OwnFieldDef, steps: Steps, span: TextSpan) -> t.FormulaNode:
        raise NotImplementedError

    def maybe_column(self, value: t.Value) -> t.ColumnNode | t.FormulaNode | None:
        """The field that a bare word or path names, or None: then it is a name."""
        meant = self.meant.get(value.span)
        if meant is not None and meant.domain:
            return None
        if isinstance(value, t.FieldNode):
            return self._walk(value.path, value.span)
        return self._by_word((value.text,), value.span) if isinstance(value, t.WordNode) else None

    def column_of_issue(self, value: t.Value) -> t.ColumnNode | t.FormulaNode | None:
        """The field of the issue to which comments and the like belong: `comments any (author = reporter)`."""
        if not isinstance(value, t.WordNode) or "issue" not in self.names.sources[self.source].table:
            return None
        return self._by_word(("issue", value.text), value.span)

    def quoted_column(self, value: t.StringNode) -> t.ColumnNode | t.FormulaNode | None:
        """The field that a text names where fields are listed, or None: then it is a text."""
        return self._by_word((value.text,), value.span)

    def note(self, notice: str) -> None:
        if notice not in self.notices:
            self.notices.append(notice)

    def note_deleted(self, deleted: DeletedField) -> None:
        self.note(f"The field {deleted.name} was deleted: it is empty everywhere.")

    def _by_word(self, path: tuple[str, ...], span: TextSpan) -> t.ColumnNode | t.FormulaNode | None:
        """The field that a word names which may as well be something else."""
        try:
            return self._walk(path, span)
        except DeletedField:
            return None

    def _walk(self, path: tuple[str, ...], span: TextSpan) -> t.ColumnNode | t.FormulaNode | None:
        """The field of this path, or the own one that it named when the text was kept."""
        meant = self.meant.get(span)
        if meant is not None and not meant.domain:
            found = self._steps(meant.ids, span)
            if found is not None and path != meant.ids and not self._still(path, span, meant.ids):
                self.renamed[span] = normal(found)
        else:
            found = self._steps(path, span)
        if found is not None and "cf" in (kept := parts_of(found)) and kept != path:
            self.found[span] = MeantName("", kept)
        return found

    def _still(self, path: tuple[str, ...], span: TextSpan, meant: tuple[str, ...]) -> bool:
        """Whether a path leads where it did."""
        try:
            found = self._steps(path, span, read=False)
        except (Misnamed, DeletedField):
            return False
        return found is not None and parts_of(found) == meant

    def _steps(
        self, path: tuple[str, ...], span: TextSpan, *, read: bool = True
    ) -> t.ColumnNode | t.FormulaNode | None:
        """Where a path leads; `read`: a formula at its end is read."""
        source = self.source
        steps: Steps = []
        while True:
            own, taken = self._own(source, path, span)
            field = self.names.sources[source].table.get(path[0].lower()) if own is None else None
            if own is not None and own.formula and len(path) == taken and read:
                return self.formula(own, steps, span)
            if field is not None:
                self.need_module(field.module, f"The field {field.name}", span)
                found = self._column(field, steps, span)
            elif own is not None:
                found = self._own_column(own, steps, span)
            else:
                self._require_not_deleted(source, path)
                return None
            path = path[taken:]
            if not path:
                return found
            if not found.to:
                kind = "computed" if own is not None and own.formula else found.kind
                message = (
                    f"`{found.name}` is {kind}; a path goes on from a person, an issue or another thing."
                )
                raise Misnamed(span, message)
            if len(steps) == STEPS:
                raise Misnamed(span, f"A path has at most {STEPS} steps.")
            steps.append((found.name, found.to))
            source = found.to

    def _require_not_deleted(self, source: str, path: tuple[str, ...]) -> None:
        """Raises DeletedField where the path names a field that was there: `key`, `cf.key` or `project.key`."""
        said = path[-1] if len(path) == 1 or (len(path) == 2 and self._leads(path[0])) else ""
        form = fold(said)
        if form and any(form in (fold(own.key), fold(own.name)) for own in self.names.deleted(source)):
            raise DeletedField(said)

    def _leads(self, word: str) -> bool:
        return fold(word) == "cf" or any(
            fold(word) == fold(one.key) for one in self.names.begins("project", word)
        )

    def _column(self, field: FieldDef, steps: Steps, span: TextSpan) -> t.ColumnNode:
        tracked = field.tracked and not steps
        return t.ColumnNode(
            field.name,
            field.kind,
            tuple(name for name, _ in steps),
            field.domain,
            field.many,
            field.to,
            field.choices,
            tracked,
            tuple(to for _, to in steps),
            span=span,
        )

    def _own_column(self, own: OwnFieldDef, steps: Steps, span: TextSpan) -> t.ColumnNode:
        return t.ColumnNode(
            f"cf.{own.key}",
            own.kind,
            tuple(name for name, _ in steps),
            own.domain,
            own.many,
            own.to,
            tracked=own.tracked and not steps,
            through=tuple(to for _, to in steps),
            span=span,
        )

    def _own(self, source: str, path: tuple[str, ...], span: TextSpan) -> tuple[OwnFieldDef | None, int]:
        """An own field by `cf.key`, by `project.key`, or by its name alone where the catalogue has none such, and how
        many names of the path say so."""
        first, found, taken = fold(path[0]), list[OwnFieldDef](), 1
        if first == "cf" and len(path) > 1:
            found, taken = self._called(source, fold(path[1])), 2
        elif first not in self.names.sources[source].table:
            below = self._called(source, fold(path[1])) if len(path) > 1 else []
            found, taken = [own for own in below if first in map(fold, own.projects)], 2
            if not found:
                found, taken = self._called(source, first), 1
        if len(found) > 1:
            keys = [f'cf["{own.key}"]' for own in found]
            suggestions = [SuggestedFix(self.said(span), key) for key in keys]
            raise Misnamed(span, f"Several fields are called so: {', '.join(keys)}.", keys, suggestions)
        return (found[0], taken) if found else (None, 1)

    def _called(self, source: str, name: str) -> list[OwnFieldDef]:
        """By key, which may stand behind that of a type, or else by name."""
        own = self.names.own(source)
        return (
            [field for field in own if fold(field.key) == name]
            or [field for field in own if fold(field.key).endswith(f".{name}")]
            or [field for field in own if fold(field.name) == name]
        )

    def _no_field(self, path: tuple[str, ...], span: TextSpan) -> Misnamed:
        name = ".".join(path)
        known = [*self.names.sources[self.source].names, *(own.key for own in self.names.own(self.source))]
        near = nearest_words(name, known)
        meant = f"; did you mean `{near[0]}`?" if near else f" of {self.source}."
        suggestions = [SuggestedFix(self.said(span), field) for field in near]
        if "-" in name:
            suggestions.append(SuggestedFix(self.said(span), name.replace("-", " - "), "to calculate"))
        return Misnamed(span, f"There is no field `{name}`{meant}", near, suggestions)

    def ref(self, domain: str, text: str, span: TextSpan) -> t.RefNode:
        """The thing of this name. Raises Misnamed where none or several are called so."""
        meant = self.meant.get(span)
        if meant is not None and meant.domain == domain:
            kept = self._kept(meant, text, span)
            if kept is not None:
                self.found[span] = meant
                return kept
        found = find(self.names, domain, text)
        if not found and domain == "status":
            found = self._lanes_of(text)
            if found:
                return self.named(domain, tuple(lane.id for lane in found), found[0].category, span)
        if not found:
            raise self._nobody(domain, text, span)
        spellings = list(dict.fromkeys(shown(domain, named, self.names.sources) for named in found))
        if len({fold(name) for name in spellings}) > 1 or (len(found) > 1 and self._is_single(domain)):
            raise self._several(domain, spellings, span)
        if not known_as(found[0], text):
            self.note(f"{text} is called {spellings[0]} now.")
            self.renamed[span] = written(domain, spellings[0], self.names.sources)
        self._remember(domain, found, span)
        return self.named(domain, tuple(named.id for named in found), spellings[0], span)

    def _remember(self, domain: str, found: list[NamedThing], span: TextSpan) -> None:
        """What a text that is kept means here. Keys of things are never given again, and need no remembering."""
        ids = frozenset(named.id for named in found)
        if domain not in self.names.sources.keyed and self.names.things(domain, ids):
            self.found[span] = MeantName(domain, tuple(named.id for named in found))

    def _kept(self, meant: MeantName, text: str, span: TextSpan) -> t.RefNode | None:
        """What the name meant, with all that are called so now where one of them still is; None where none is seen."""
        domain = meant.domain
        there = list(self.names.things(domain, frozenset(meant.ids)))
        if not there:
            if not self.names.gone(domain, frozenset(meant.ids)):
                return None
            self.note(f"{text} was deleted: nothing has it.")
            return self.named(domain, (_NOTHING,), text, span)
        near = self.names.begins(domain, text)
        if any(bears(named, text) for named in there):
            known = {named.id for named in there}
            there += [named for named in near if bears(named, text) and named.id not in known]
        spellings = list(dict.fromkeys(shown(domain, named, self.names.sources) for named in there))
        if len({fold(name) for name in spellings}) > 1:
            self.note(f"{text} is called {' and '.join(spellings)} now.")
            return self.named(domain, tuple(named.id for named in there), text, span)
        self._tell_present(domain, text, span, there, spellings[0])
        return self.named(domain, tuple(named.id for named in there), spellings[0], span)

    def _tell_present(
        self, domain: str, text: str, span: TextSpan, there: list[NamedThing], name: str
    ) -> None:
        """The present name, where the text would not be understood so if it were typed now."""
        ids = {named.id for named in there}
        typed = {named.id for named in find(self.names, domain, text)}
        taken = fold(text) != fold(name) and any(
            fold(named.name) == fold(text) and named.id not in ids
            for named in self.names.begins(domain, text)
        )
        if typed != ids or taken or not known_as(there[0], text):
            self.note(f"{text} is called {name} now.")
            self.renamed[span] = written(domain, name, self.names.sources)

    def named(self, domain: str, ids: tuple[str, ...], name: str, span: TextSpan) -> t.RefNode:
        """The name of things that were found."""
        sources = self.names.sources
        kind = FieldKind.KEY if domain in sources.keyed else FieldKind.NAME
        kind = FieldKind.PERSON if domain == "person" else kind
        return t.RefNode(domain, ids, name, kind, written(domain, name, sources), span=span)

    def _is_single(self, domain: str) -> bool:
        """Whether two of a name are two; elsewhere one name is one thing in several projects."""
        return domain in _ONE_EACH or domain in self.names.sources.keyed

    def _lanes_of(self, text: str) -> list[NamedThing]:
        category = fold(text).replace(" ", "_").replace("-", "_")
        lanes = self.names.some("status") if category in CATEGORIES else ()
        return [lane for lane in lanes if lane.category == category]

    def _nobody(self, domain: str, text: str, span: TextSpan) -> Misnamed:
        sources = self.names.sources
        near = {shown(domain, named, sources): named.places for named in alike(self.names, domain, text)}
        what = {"person": "nobody", "issue": "no issue"}.get(domain, f"no {domain.replace('_', ' ')}")
        message = f"There is {what} called so in what you see"
        if near:
            message += f"; near: {', '.join(_placed(name, places) for name, places in near.items())}"
        said = self.said(span)
        quote = '"' if said.startswith('"') or any(" " in name for name in near) else ""
        suggestions = [SuggestedFix(said, f"{quote}{name}{quote}") for name in near]
        foreign = FOREIGN.get(fold(text))
        if foreign:
            suggestions.insert(0, SuggestedFix(said, *foreign))
        return Misnamed(span, f"{message}.", near, suggestions)

    def _several(self, domain: str, spellings: list[str], span: TextSpan) -> Misnamed:
        people = domain == "person"
        what = f"{_COUNT.get(len(spellings), 'Several')} {'people' if people else 'names'} match"
        said = self.said(span)
        suggestions = [SuggestedFix(said, name if people else f'"{name}"') for name in spellings[:10]]
        return Misnamed(span, f"{what}: {', '.join(spellings[:10])}.", spellings[:10], suggestions)


_NOTHING = "0"
"""An id that no thing has."""
_ONE_EACH = frozenset({"person", "project", "team", "view"})
_COUNT = {2: "Two", 3: "Three"}


def _placed(name: str, places: tuple[str, ...]) -> str:
    return f"`{name}` ({', '.join(places)})" if places else f"`{name}`"
