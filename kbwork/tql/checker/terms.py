"""Checks conditions: each operator against the kind of its field, each name against what is there."""

from collections.abc import Callable
from functools import singledispatchmethod
from typing import TypeVar

from kbwork.base.dataclasses import replace
from kbwork.base.text import fold, nearest_words
from kbwork.tql import tree as t
from kbwork.tql.checker.deleted_fields import DeletedField, holds_without
from kbwork.tql.checker.names import Misnamed
from kbwork.tql.checker.values import ValueChecker
from kbwork.tql.errors import MOST, SuggestedFix, TextSpan, TqlError
from kbwork.tql.fields import NAMED, ORDERED, FieldKind
from kbwork.tql.kinds import kind_of, target_of
from kbwork.tql.names import NameLookup, SavedText
from kbwork.tql.normal_form import normal
from kbwork.tql.parser.query import parse
from kbwork.tql.words import COLLECTIONS, MENTIONS

T = TypeVar("T")
C = TypeVar("C", bound="TermChecker")
VIEWS = 5
"""Saved views that one text may lead to, those in views counted."""
_ISSUES = ("issues", "requests")
_ALIKE = {"issues": _ISSUES}


class TermChecker(ValueChecker):
    """Checks term by term: one that does not fit is noted and left as it was."""

    def __init__(self, text: str, names: NameLookup, source: str) -> None:
        super().__init__(text, names, source)
        self.views: tuple[str, ...] = ()
        """The views that this text stands in."""
        self.opened: list[str] = []
        """All views that were read for the whole text."""
        self.formulas: tuple[str, ...] = ()
        """The computed fields that this text stands in."""
        self.computed: list[str] = []
        """All of which the formula was read for the whole text."""

    def finish(self) -> None:
        """Raises TqlError for all that was wrong."""
        if self.faults:
            raise TqlError(self.text, self.faults)

    def expr(self, expr: t.Expr) -> t.Expr:
        """The condition with all names found."""
        match expr:
            case t.AndNode():
                return t.conjunction([self.expr(term) for term in expr.terms])
            case t.OrNode():
                return t.disjunction([self.expr(term) for term in expr.terms])
            case t.NotNode():
                return t.negation(self.expr(expr.term), expr.span)
        return self._one(expr)

    def guarded(self, check: Callable[[T], T], node: T) -> T:
        """What the check makes of the node; one that does not fit is noted, and stays."""
        try:
            return check(node)
        except Misnamed as wrong:
            self.faults.append(wrong.fault)
            if len(self.faults) >= MOST:
                raise TqlError(self.text, self.faults) from None
            return node

    def _one(self, term: t.Expr) -> t.Expr:
        self.terms += 1
        try:
            return self.guarded(self._term, term)
        except DeletedField as deleted:
            self.note_deleted(deleted)
            return t.DecidedNode(term, holds_without(term), span=term.span)
        finally:
            self.terms -= 1

    @singledispatchmethod
    def _term(self, term: t.Expr) -> t.Expr:
        raise TypeError(type(term))

    @_term.register
    def _check_compare(self, term: t.CompareNode) -> t.Expr:
        left = self.left(term.left)
        target = kind_of(left)
        if term.op not in {"=", "!="} and not _ordered(target):
            raise self._unfit(term.op, target, term.sign)
        right = self.fit(term.right, target)
        if isinstance(right, t.NothingNode) and term.op not in {"=", "!="}:
            raise Misnamed(
                term.right.span, f"`{term.op}` wants a value: nothing is more or less than `empty`."
            )
        return t.CompareNode(left, term.op, right, span=term.span, sign=term.sign)

    @_term.register
    def _check_match(self, term: t.MatchNode) -> t.Expr:
        left = self.left(term.left)
        target = kind_of(left)
        if target.kind is not FieldKind.TEXT:
            raise self._unfit("!~" if term.negated else "~", target, term.sign)
        return t.MatchNode(left, term.pattern, term.negated, span=term.span, sign=term.sign)

    @_term.register
    def _check_within(self, term: t.WithinNode) -> t.Expr:
        left = self.left(term.left)
        target = kind_of(left)
        if not _ordered(target):
            raise self._unfit("..", target, term.range.span)
        return t.WithinNode(left, self._range(term.range, target), term.negated, span=term.span)

    @_term.register
    def _check_member(self, term: t.MemberNode) -> t.Expr:
        left = self.left(term.left)
        values = self._set(term.set, kind_of(left))
        return t.MemberNode(left, values, term.negated, span=term.span)

    @_term.register
    def _check_has(self, term: t.HasNode) -> t.Expr:
        left = self.left(term.left)
        return t.HasNode(left, term.mode, self._set(term.set, kind_of(left)), span=term.span)

    @_term.register
    def _check_empty(self, term: t.EmptyNode) -> t.Expr:
        return t.EmptyNode(self.left(term.left), term.negated, span=term.span)

    @_term.register
    def _check_was(self, term: t.WasNode) -> t.Expr:
        left = self._tracked(term.left)
        values = self._value_or_set(term.values, left)
        self._fixed(*(held.length for held in term.held))
        return t.WasNode(
            left,
            values,
            term.negated,
            self._whens(term.when),
            self._actors(term.by),
            term.held,
            span=term.span,
        )

    @_term.register
    def _check_changed(self, term: t.ChangedNode) -> t.Expr:
        left = self._tracked(term.left)
        old, new = (None if value is None else self.fit(value, left) for value in (term.old, term.new))
        return t.ChangedNode(
            left, old, new, self._whens(term.when), self._actors(term.by), term.times, span=term.span
        )

    @_term.register
    def _check_unchanged(self, term: t.UnchangedNode) -> t.Expr:
        return t.UnchangedNode(self._tracked(term.left), term.length, span=term.span)

    @_term.register
    def _check_related(self, term: t.RelatedNode) -> t.Expr:
        here = self.names.sources[self.source].relations
        if self.source not in _ISSUES and term.relation not in here:
            raise Misnamed(term.span, f"`{term.relation}` is no relation of {self.source}.", here)
        if self.source in _ISSUES and term.relation in ("refers to", "referred by"):
            raise Misnamed(
                term.span,
                f"`{term.relation}` stands between assets; for those of an issue write `linked assets any (...)`.",
                ("linked assets",),
            )
        to = term.to
        mention = term.relation in MENTIONS
        if isinstance(to, t.NestedNode) and to.query.source is not None and not mention:
            raise Misnamed(to.query.source.span, f"`{term.relation}` says already what is looked at.")
        kind = term.kind
        if isinstance(to, t.ListedNode):
            to = t.ListedNode(tuple(self._end(end, mention=mention) for end in to.values), span=to.span)
        elif to is not None:
            if mention:
                kind = to.query.source.name if to.query.source is not None else self.source
            to = t.NestedNode(self.inside(to.query, self.source), span=to.span)
        return t.RelatedNode(term.relation, to, term.negated, kind, span=term.span)

    @_term.register
    def _check_parts(self, term: t.PartsNode) -> t.Expr:
        if self.source not in _ISSUES and term.collection not in self.names.sources[self.source].collections:
            raise Misnamed(term.span, f"`{term.collection}` are no parts of {self.source}.")
        source, module = COLLECTIONS[term.collection]
        self.need_module(module, f"`{term.collection}`", term.span)
        if term.query is not None and term.query.source is not None:
            raise Misnamed(term.query.source.span, f"`{term.collection}` says already what is looked at.")
        query = self.inside(term.query, source) if term.query else None
        return t.PartsNode(term.collection, term.quantifier, query, term.op, term.number, span=term.span)

    @_term.register
    def _check_flag(self, term: t.FlagNode) -> t.Expr:
        flags = self.names.sources[self.source].flags
        if term.name not in flags:
            quoted = SuggestedFix(term.name, f'"{term.name}"', "searches for the word")
            raise Misnamed(term.span, f"`{term.name}` says nothing about {self.source}.", flags, (quoted,))
        return term

    @_term.register
    def _check_key(self, term: t.KeyNode) -> t.Expr:
        """A key selects its thing, an issue where the project is known; else it was a word such as `utf-8`."""
        domain = self.names.sources[self.source].domain
        keyed = "key" in self.names.sources[self.source].table
        if domain and keyed and self.source not in _ISSUES and self.names.begins(domain, term.text):
            column = t.ColumnNode("key", FieldKind.KEY, domain=domain, tracked=False, span=term.span)
            return t.CompareNode(column, "=", self.fit(term, column), span=term.span)
        project = term.text.rpartition("-")[0]
        form = fold(project)
        known = any(
            form in (fold(named.key), *map(fold, named.former))
            for named in self.names.begins("project", project)
        )
        if not known or self.source not in _ISSUES:
            return t.TextNode(term.text, span=term.span)
        key = target_of(FieldKind.KEY, "issue")
        column = t.ColumnNode("key", FieldKind.KEY, domain="issue", tracked=False, span=term.span)
        return t.CompareNode(column, "=", self.fit(term, key), span=term.span)

    @_term.register
    def _check_text(self, term: t.TextNode) -> t.Expr:
        return term

    @_term.register
    def _check_view(self, term: t.ViewNode) -> t.Expr:
        return term

    @_term.register
    def _check_call(self, term: t.CallNode) -> t.Expr:
        if term.name == "view":
            return self._view(term)
        call = self.call(term)
        given = kind_of(call)
        if given.domain != "issue" or self.source not in _ISSUES:
            raise Misnamed(
                term.span, f"`{normal(term)}` is no condition on {self.source}; compare it with something."
            )
        return call

    def left(self, value: t.Value) -> t.Value:
        """The left side of a comparison: a field, or what is counted from fields."""
        return self.free(value)

    def inside(self, query: t.QueryNode, source: str) -> t.QueryNode:
        """A query in brackets: a condition on another source."""
        clauses = (query.select, query.group, query.having, query.order, query.limit, query.as_of)
        if any(clause for clause in clauses):
            raise Misnamed(
                query.span, "Only a condition stands in brackets; clauses belong to the whole text."
            )
        return self.nested(query, source)

    def nested(self, query: t.QueryNode, source: str) -> t.QueryNode:
        raise NotImplementedError

    def _view(self, call: t.CallNode) -> t.Expr:
        name = call.args[0] if len(call.args) == 1 else None
        if not isinstance(name, t.StringNode | t.WordNode | t.NumberNode):
            raise Misnamed(call.span, "It is written view(name).")
        if name.text.lower() in self.views:
            raise Misnamed(call.span, f"The view {name.text} leads back to itself.")
        self.opened.append(name.text)
        if len(self.opened) > VIEWS:
            raise Misnamed(call.span, f"A text leads to at most {VIEWS} views.")
        saved = self.names.view(name.text)
        if saved is None:
            raise Misnamed(call.span, f"There is no view {name.text} that you see.")
        query = parse(saved.text, self.names.sources.asked)
        if query.source is not None and query.source.name != self.source:
            raise Misnamed(
                call.span, f"The view {name.text} is about {query.source.name}, not {self.source}."
            )
        inside = self._inside_view(query, saved, (name.text, call.span))
        return t.ViewNode(name.text, inside, span=call.span)

    def _inside_view(self, query: t.QueryNode, saved: SavedText, called: tuple[str, TextSpan]) -> t.Expr:
        """The view's condition; what is wrong in it is told at the call, since its places are in another text."""
        (name, span), inner = called, self.below(saved.text, self.source)
        inner.meant = saved.meant
        inner.views = (*self.views, name.lower())
        try:
            expr = inner.expr(query.where) if query.where is not None else t.AndNode(())
            inner.finish()
        except TqlError as wrong:
            message = f"The view {name} cannot be asked: {wrong.faults[0].message}"
            raise Misnamed(span, message) from None
        return expr

    def below(self: C, text: str, source: str) -> C:
        """The check of a text that this one leads to, within the same bounds."""
        inner = type(self)(text, self.names, source)
        inner.notices = self.notices
        inner.views, inner.opened, inner.formulas, inner.computed = (
            self.views,
            self.opened,
            self.formulas,
            self.computed,
        )
        return inner

    def _end(self, end: t.Value, *, mention: bool) -> t.Value:
        domain = self.names.sources[self.source].domain or "issue"
        if isinstance(end, t.SubjectNode):
            named = end.kind == domain or (mention and end.kind in self.names.sources.keyed)
            return self.keyed(end) if named else end
        return self.fit(end, target_of(FieldKind.KEY, "issue" if mention else domain))

    def _range(self, bounds: t.RangeNode, target: t.ColumnNode) -> t.RangeNode:
        low = self.fit(bounds.low, target) if bounds.low else None
        high = self.fit(bounds.high, target) if bounds.high else None
        return t.RangeNode(low, high, span=bounds.span)

    def _set(self, values: t.Set, target: t.ColumnNode) -> t.Set:
        if isinstance(values, t.ListedNode):
            return t.ListedNode(tuple(self.fit(value, target) for value in values.values), span=values.span)
        if isinstance(values, t.CallNode):
            fitted = self.fit(values, target)
            assert isinstance(fitted, t.CallNode)
            return fitted
        return self._subquery(values, target)

    def _subquery(self, values: t.NestedNode, target: t.ColumnNode) -> t.NestedNode:
        """A query whose things, or whose one selected column, are of the target's kind."""
        query = values.query
        if len(query.select) > 1 or query.group or query.having or query.order or query.limit or query.as_of:
            raise Misnamed(values.span, "A set is a query with a condition and one `select` at most.")
        things = "members" if target.domain == "person" else self.names.sources.keyed.get(target.domain, "")
        source = target.to or things
        about = query.source or t.SourceNode(source, span=values.span)
        if not query.select and (not source or about.name not in {source, *_ALIKE.get(source, ())}):
            wanted = f"from {source}" if source else "select"
            raise Misnamed(
                values.span, f"This query does not give {target.kind}: say `{wanted}` in it.", (wanted,)
            )
        checked = self.nested(replace(query, source=about), about.name)
        if checked.select and not self.faults:
            self.need_fit(checked.select[0].value, target)
        return t.NestedNode(checked, span=values.span)

    def _value_or_set(self, values: t.Value | t.Set, target: t.ColumnNode) -> t.Value | t.Set:
        return (
            self._set(values, target)
            if isinstance(values, t.ListedNode | t.NestedNode)
            else self.fit(values, target)
        )

    def _whens(self, whens: tuple[t.WhenNode, ...]) -> tuple[t.WhenNode, ...]:
        time = target_of(FieldKind.TIME)
        return tuple(
            t.WhenNode(
                when.word,
                self._range(when.at, time) if isinstance(when.at, t.RangeNode) else self.fit(when.at, time),
            )
            for when in whens
        )

    def _actors(self, by: tuple[t.Value | t.Set, ...]) -> tuple[t.Value | t.Set, ...]:
        return tuple(self._value_or_set(who, target_of(FieldKind.PERSON, "person")) for who in by)

    def _tracked(self, left: t.Value) -> t.ColumnNode:
        column = self.column(left) if isinstance(left, t.FieldNode) else left
        if not isinstance(column, t.ColumnNode):
            raise Misnamed(left.span, "History is kept of fields, not of what is counted from them.")
        if column.steps:
            raise Misnamed(
                left.span, f"The history of `{normal(column)}` is kept there: ask for it in a query."
            )
        if not column.tracked:
            raise Misnamed(left.span, f"No history is kept of `{normal(column)}`.")
        return column

    def _fixed(self, *lengths: t.DurationNode) -> None:
        for length in lengths:
            if any(unit == "wd" for _, unit in length.parts):
                raise Misnamed(length.span, "Working days have no fixed length here; write d.")

    def _unfit(self, sign: str, target: t.ColumnNode, span: TextSpan) -> Misnamed:
        """An operator that this kind does not have, with those that it has."""
        name = normal(target) if target.name else "this"
        fit = _OPERATORS[target.kind]
        meant = {"~": "for texts", "!~": "for texts"}.get(sign, "for numbers and times")
        listed = ", ".join(f"`{operator}`" for operator in fit)
        near = nearest_words(sign, fit)
        return Misnamed(
            span,
            f"`{sign}` is {meant}; `{name}` is {target.kind}: use {listed}.",
            fit,
            [
                SuggestedFix(self.said(span), operator)
                for operator in near or fit[:1]
                if self.said(span) == sign
            ],
        )


def _ordered(target: t.ColumnNode) -> bool:
    return target.kind in ORDERED or (target.kind is FieldKind.NAME and target.domain == "priority")


_OPERATORS = (
    dict.fromkeys(ORDERED, ("=", "<", ">", ".."))
    | dict.fromkeys(NAMED, ("=", "!=", "in", "is empty"))
    | {FieldKind.TEXT: ("~", "!~", "=", "!="), FieldKind.BOOL: ("=", "!=")}
)
