"""The typed pass: a tree whose every name is found, every operator fits, or all that is wrong, five at most.

Times stay as they are written and functions are not run: a checked tree may be kept and asked again tomorrow.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from kbwork.base.dataclasses import dataclass, replace
from kbwork.tql import tree as t
from kbwork.tql.checker.names import Misnamed, Steps
from kbwork.tql.checker.terms import TermChecker
from kbwork.tql.errors import TextSpan, TqlError
from kbwork.tql.fields import FieldKind
from kbwork.tql.kinds import kind_of, target_of
from kbwork.tql.names import AS_WRITTEN, MeantName, MeantNames, NameLookup, OwnFieldDef, meant_by
from kbwork.tql.parser.query import parse, parse_expr, parse_value

T = TypeVar("T")
FORMULAS = 20
"""Formulas that one text may lead to, those in formulas counted."""


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that can be run. `source` is what it is about, `notices` what the asker should know."""

    query: t.QueryNode
    source: str
    notices: tuple[str, ...] = ()
    renamed: tuple[tuple[TextSpan, str], ...] = ()
    """Where the text has a former name, and the present one as it is written."""
    meant: tuple[tuple[TextSpan, MeantName], ...] = ()
    """What its names mean, for who keeps the text."""

    def present(self, text: str) -> str:
        """The text, with the present name where it has a former one; all else stays as it is written."""
        return _present(text, dict(self.renamed))


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """A value that can be computed, and what its names mean; `present` is its text with present names."""

    value: t.Value
    present: str
    meant: tuple[tuple[TextSpan, MeantName], ...] = ()


def _present(text: str, renamed: Mapping[TextSpan, str]) -> str:
    for span, name in sorted(renamed.items(), reverse=True):
        text = f"{text[: span.start]}{name}{text[span.end :]}"
    return text


def check(
    text: str, names: NameLookup, source: str = "issues", meant: MeantNames = AS_WRITTEN
) -> CheckedQuery:
    """Reads and checks a query, one that was kept with what its names meant then. Raises TqlError."""
    checker = _QueryChecker(text, names, source)
    checker.meant = meant
    query = checker.nested(parse(text, names.sources.asked), source)
    checker.finish()
    said = query.source.name if query.source else source
    if query.source is not None and query.source.name == source != "table":
        query = replace(query, source=None)
    told = tuple(checker.notices), tuple(checker.renamed.items()), tuple(sorted(checker.found.items()))
    return CheckedQuery(query, said, *told)


def check_expr(
    text: str, names: NameLookup, source: str = "issues", meant: MeantNames = AS_WRITTEN
) -> t.Expr | None:
    """Reads and checks a condition; None for an empty text. Raises TqlError."""
    checker = _QueryChecker(text, names, source)
    checker.meant = meant
    expr = parse_expr(text, names.sources.asked)
    typed = None if expr is None else checker.expr(expr)
    checker.finish()
    return typed


def check_value(text: str, names: NameLookup, source: str = "issues") -> t.Value:
    """Reads and checks a formula. Raises TqlError."""
    return checked_value(text, names, source).value


def checked_value(
    text: str, names: NameLookup, source: str = "issues", meant: MeantNames = AS_WRITTEN
) -> CheckedValue:
    """As `check_value`, with what its names mean."""
    checker = _QueryChecker(text, names, source)
    checker.meant = meant
    value = parse_value(text, names.sources.asked)
    checker.gathers = True
    typed = checker.guarded(checker.free, value)
    checker.finish()
    return CheckedValue(typed, _present(text, checker.renamed), tuple(sorted(checker.found.items())))


class _QueryChecker(TermChecker):
    """Checks a query: its source, its condition, then its clauses."""

    gathers = False
    """Whether many rows become one here, so that aggregates may stand."""

    def nested(self, query: t.QueryNode, source: str) -> t.QueryNode:
        """A whole query about its own source, or else about this one."""
        outer = self.source
        if query.source is not None:
            found = len(self.faults)
            self.guarded(self._there, query.source)
            if len(self.faults) > found:
                return query  # nothing that it holds has a name yet
            source = query.source.name
        self.source = source
        try:
            return self._checked(query)
        finally:
            self.source = outer

    def aggregate(self, value: t.AggregateNode) -> t.AggregateNode:
        if not self.gathers:
            message = (
                f"`{value.name}` counts rows: it stands in select, having and order by, never in itself."
            )
            raise Misnamed(value.span, message)
        self.gathers = False
        try:
            share = self.expr(value.share) if value.share is not None else None
            of = self.free(value.of) if value.of is not None else None
        finally:
            self.gathers = True
        kind = kind_of(of).kind if of is not None else FieldKind.NUMBER
        empty = isinstance(of, t.FormulaNode) and isinstance(of.inside, t.NothingNode)
        if (
            not empty
            and value.name not in {"count", "list"}
            and kind not in _SUMMED.get(value.name, _SUMMABLE)
        ):
            raise Misnamed(value.span, f"`{value.name}` is for numbers and lengths of time; this is {kind}.")
        return t.AggregateNode(value.name, of, share, value.distinct, value.most, span=value.span)

    def formula(self, own: OwnFieldDef, steps: Steps, span: TextSpan) -> t.FormulaNode:
        """A computed field; what is wrong in its formula is told here, since its places are in another text."""
        if own.key in self.formulas:
            raise Misnamed(span, f"The formula of `{own.key}` leads back to itself.")
        self.computed.append(own.key)
        if len(self.computed) > FORMULAS:
            raise Misnamed(span, f"A text leads to at most {FORMULAS} formulas.")
        inner = self.below(own.formula, steps[-1][1] if steps else self.source)
        inner.meant = meant_by(own.names, own.formula)
        inner.formulas, inner.gathers = (*self.formulas, own.key), True
        try:
            inside = inner.free(parse_value(own.formula, self.names.sources.asked))
            inner.finish()
        except Misnamed as wrong:
            raise self._uncomputed(own, span, wrong.fault.message) from None
        except TqlError as wrong:
            raise self._uncomputed(own, span, wrong.faults[0].message) from None
        through = tuple(to for _, to in steps)
        return t.FormulaNode(
            f"cf.{own.key}", inside, tuple(name for name, _ in steps), through, own.only, span=span
        )

    def _uncomputed(self, own: OwnFieldDef, span: TextSpan, message: str) -> Misnamed:
        return Misnamed(span, f"`{own.key}` cannot be computed: {message}")

    def _there(self, source: t.SourceNode) -> t.SourceNode:
        self.need_module(self.names.sources[source.name].module, f"`{source.name}`", source.span)
        return source

    def _checked(self, query: t.QueryNode) -> t.QueryNode:
        outer = self.gathers, self.aliases
        self.gathers, self.aliases = False, {}
        where = self.expr(query.where) if query.where is not None else None
        group = self._each(self.free, query.group)
        as_of = None if query.as_of is None else self.guarded(self._time_of, query.as_of)
        self.gathers = True
        select = self._each(self._item, query.select)
        self.aliases = {item.name.lower(): self._kind(item.value) for item in select if item.name}
        having = self.expr(query.having) if query.having is not None else None
        order = self._each(self._order, query.order)
        self.gathers, self.aliases = outer
        if as_of is not None and self.untracked:
            self.notices.append(f"No history is kept of {', '.join(self.untracked)}: read as of now.")
        return t.QueryNode(
            query.source, where, select, group, having, order, query.limit, as_of, span=query.span
        )

    def _each(self, check: Callable[[T], T], nodes: tuple[T, ...]) -> tuple[T, ...]:
        return tuple(self.guarded(check, node) for node in nodes)

    def _kind(self, value: t.Value) -> FieldKind:
        """The kind of a column, or of nothing where the column did not fit and was noted."""
        return FieldKind.NUMBER if self.faults else kind_of(value).kind

    def _time_of(self, value: t.Value) -> t.Value:
        return self.fit(value, target_of(FieldKind.TIME))

    def _item(self, item: t.ItemNode) -> t.ItemNode:
        return t.ItemNode(self.free(item.value), item.name, span=item.span)

    def _order(self, order: t.OrderNode) -> t.OrderNode:
        return t.OrderNode(self.free(order.value), order.descending, order.empty_first, span=order.span)


_SUMMABLE = frozenset({FieldKind.NUMBER, FieldKind.DURATION})
_SUMMED = {name: _SUMMABLE | {FieldKind.TIME, FieldKind.DAY} for name in ("min", "max")}
