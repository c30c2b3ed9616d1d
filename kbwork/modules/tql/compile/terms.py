"""Conditions as SQL. A missing value makes a comparison false, and its opposite true."""

from functools import singledispatchmethod
from typing import Any

from kbwork.core.ports.query_source import Rows
from kbwork.modules.tql.compile.context import Const
from kbwork.modules.tql.compile.frame import NotCompilable, Scope, Test, flag, opposite
from kbwork.modules.tql.compile.history import HistoryCompiler
from kbwork.modules.tql.compile.values import NOBODY, fixed
from kbwork.modules.tql.items import mentions, relations
from kbwork.modules.tql.names.db_names import ident_of
from kbwork.tql import tree as t
from kbwork.tql.fields import NAMED, FieldKind
from kbwork.tql.kinds import kind_of

_TIMES = frozenset({FieldKind.TIME, FieldKind.DAY})
_MOST_ENDS = 2000
"""Other ends of a mention that are looked up one by one; of more, each row is asked what it names."""
_UP = "{table} {low} on {low}.id = {walk}.id join {table} {far} on {far}.id = {low}.parent"
_DOWN = "{table} {far} on {far}.parent = {walk}.id"


class TermCompiler(HistoryCompiler):
    """Makes SQL of a condition on the row at hand."""

    def condition(self, expr: t.Expr) -> str:
        """True, or else false or null. Raises NotCompilable."""
        return self._said(expr)

    def inside(self, scope: Scope) -> "TermCompiler":
        """For conditions on another row."""
        return TermCompiler(self.frame, scope)

    def where(self, query: t.QueryNode | None, scope: Scope) -> str:
        """The condition of a query in brackets, with sight."""
        sight = self.frame.seen(scope.source, scope.row)
        if query is None or query.where is None:
            return sight
        return f"{sight} and ({self.inside(scope).condition(query.where)})"

    @singledispatchmethod
    def _said(self, expr: t.Expr) -> str:
        raise NotCompilable

    @_said.register
    def _and_said(self, expr: t.AndNode) -> str:
        return f"({' and '.join(self._said(term) for term in expr.terms)})" if expr.terms else "1"

    @_said.register
    def _or_said(self, expr: t.OrNode) -> str:
        return f"({' or '.join(self._said(term) for term in expr.terms)})"

    @_said.register
    def _not_said(self, expr: t.NotNode) -> str:
        return opposite(self._said(expr.term))

    @_said.register
    def _view_said(self, expr: t.ViewNode) -> str:
        return self._said(expr.term)

    @_said.register
    def _decided_said(self, expr: t.DecidedNode) -> str:
        return str(int(expr.holds))

    @_said.register
    def _flag_said(self, expr: t.FlagNode) -> str:
        return f"({flag(self.frame, self.scope, expr.name)})"

    @_said.register
    def _compare_said(self, expr: t.CompareNode) -> str:
        if fixed(expr.left) and fixed(expr.right):
            return str(int(self.frame.evaluator.matches(expr, NOBODY)))
        if expr.op == "!=":
            return opposite(self._equal(expr.left, expr.right))
        return self._equal(expr.left, expr.right) if expr.op == "=" else self._ordered(expr)

    def _equal(self, left: t.Value, right: t.Value) -> str:
        target = kind_of(left)
        if fixed(left):
            if target.kind in _TIMES:
                raise NotCompilable
            left, right = right, left
        if _is_spelled(target) and fixed(right):
            return self._one_of_texts(left, self.frame.evaluator.values(right, NOBODY))
        rows, other = self.value(left), self.value(right)
        assert isinstance(rows, Rows)
        if isinstance(other, Const):
            return self.frame.some(rows, self.equal(target, other.values)) + self._implied(left, other)
        return self._pairs(rows, other, (target, kind_of(right)), "=")

    def _one_of_texts(self, left: t.Value, values: tuple[Any, ...]) -> str:
        found = [self.held_by_text(left, str(value), exact=True) for value in values]
        return f"({' or '.join(found)})" if found else "0"

    def _implied(self, left: t.Value, other: Const) -> str:
        """What follows from a category and lets an index of what is open be used."""
        plain = isinstance(left, t.ColumnNode) and left.name == "category" and not left.steps
        if not plain or self.frame.as_of is not None or "done" in other.values:
            return ""
        return f" and {self.scope.row}.category <> 'done'"

    def _ordered(self, expr: t.CompareNode) -> str:
        target = kind_of(expr.left)
        if fixed(expr.left):
            if target.kind in _TIMES:
                raise NotCompilable
            turned: dict[str, t.Op] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
            return self._ordered(t.CompareNode(expr.right, turned[expr.op], expr.left))
        rows, other = self.value(expr.left), self.value(expr.right)
        assert isinstance(rows, Rows)
        if isinstance(other, Const):
            return self.frame.some(rows, self.more_or_less(target, expr.op, other.values))
        return self._pairs(rows, other, (target, kind_of(expr.right)), expr.op)

    def _pairs(self, rows: Rows, other: Rows, kinds: tuple[t.ColumnNode, t.ColumnNode], op: str) -> str:
        """Two values of the row against each other. Raises NotCompilable for those that are written in two ways."""
        left, right = kinds
        _need_alike(left, right)
        return self.frame.some(
            rows,
            lambda one: self.frame.some(other, lambda two: f"{one} {op} {two}", aside=False),
            aside=False,
        )

    @_said.register
    def _within_said(self, expr: t.WithinNode) -> str:
        target = kind_of(expr.left)
        rows = self.value(expr.left)
        ends = [(op, end) for op, end in ((">=", expr.range.low), ("<=", expr.range.high)) if end is not None]
        if isinstance(rows, Const):
            raise NotCompilable
        tests = [self._bound(target, op, end) for op, end in ends]
        aside = None if all(fixed(end) for _, end in ends) else False
        found = self.frame.some(rows, lambda one: " and ".join(test(one) for test in tests), aside=aside)
        return opposite(found) if expr.negated else found

    def _bound(self, target: t.ColumnNode, op: Any, end: t.Value) -> Test:
        other = self.value(end)
        if isinstance(other, Const):
            return self.more_or_less(target, op, other.values)
        _need_alike(target, kind_of(end))
        return lambda one: self.frame.some(other, lambda two: f"{one} {op} {two}", aside=False)

    @_said.register
    def _match_said(self, expr: t.MatchNode) -> str:
        found = self.held_by_text(expr.left, expr.pattern, exact=False)
        return opposite(found) if expr.negated else found

    @_said.register
    def _text_said(self, expr: t.TextNode) -> str:
        return self.held_by_text(t.ColumnNode("text", FieldKind.TEXT), expr.pattern, exact=False)

    @_said.register
    def _empty_said(self, expr: t.EmptyNode) -> str:
        there = self._there(expr.left)
        return there if expr.negated else opposite(there)

    def _there(self, value: t.Value) -> str:
        rows = self.value(value)
        if isinstance(rows, Const):
            return str(int(bool(rows.values)))
        if isinstance(value, t.ColumnNode) and value.name in ("text", "comment"):
            raise NotCompilable
        return self.frame.some(rows, lambda one: f"{one} is not null", aside=False)

    @_said.register
    def _member_said(self, expr: t.MemberNode) -> str:
        found = self._in(expr.left, expr.set)
        return opposite(found) if expr.negated else found

    @_said.register
    def _has_said(self, expr: t.HasNode) -> str:
        if expr.mode != "all":
            found = self._in(expr.left, expr.set)
            return found if expr.mode == "any" else opposite(found)
        if isinstance(expr.set, t.ListedNode):
            each = [self._in(expr.left, t.ListedNode((value,))) for value in expr.set.values]
        elif isinstance(expr.set, t.CallNode) and fixed(expr.set):
            rows, target = self.value(expr.left), kind_of(expr.left)
            assert isinstance(rows, Rows)
            values = self.frame.evaluator.values(expr.set, NOBODY)
            each = [self.frame.some(rows, self.equal(target, (value,))) for value in values]
        else:
            raise NotCompilable
        return f"({' and '.join(each)})" if each else "1"

    def _in(self, left: t.Value, values: t.Set) -> str:
        if fixed(left):
            raise NotCompilable
        if isinstance(values, t.NestedNode):
            return self._in_query(left, values.query)
        if isinstance(values, t.CallNode):
            return self._equal(left, values)
        plain = [value for value in values.values if fixed(value) and not isinstance(value, t.NothingNode)]
        moving = [value for value in values.values if not fixed(value)]
        found = [self._equal(left, value) for value in moving]
        if any(isinstance(value, t.NothingNode) for value in values.values):
            found.append(opposite(self._there(left)))
        known = Const(tuple(one for v in plain for one in self.frame.evaluator.values(v, NOBODY)))
        if plain and _is_spelled(kind_of(left)):
            found.append(self._one_of_texts(left, known.values))
        elif plain:
            rows = self.value(left)
            assert isinstance(rows, Rows)
            said = self.frame.some(rows, self.equal(kind_of(left), known.values))
            found.append(f"({said}{self._implied(left, known)})")
        return f"({' or '.join(found)})" if found else "0"

    def _in_query(self, left: t.Value, query: t.QueryNode) -> str:
        """Among the things of a query, or the values of its one column."""
        source = query.source.name if query.source is not None else self.scope.source
        source = "issues" if source == "requests" else source
        target, rows = kind_of(left), self.value(left)
        if source not in self.frame.sources or not isinstance(rows, Rows):
            raise NotCompilable
        scope = Scope(source, self.frame.row("n"))
        inner = self.inside(scope)
        given = Rows(f"{scope.row}.id")
        if query.select:
            selected = query.select[0].value
            found = inner.value(selected)
            _need_alike(target, kind_of(selected))
            if not isinstance(found, Rows):
                raise NotCompilable
            given = found
        elif target.kind is FieldKind.SUBJECT:
            raise NotCompilable
        tables, where = f"{self.frame.table(scope)} {scope.row}", self.where(query, scope)
        if given.tables:
            tables = f"{tables} join {given.tables}"
            where = f"{where} and {given.inner} = {given.outer} and {given.where}"
        return self.frame.some(
            rows, lambda one: f"{one} in (select {given.expr} from {tables} where {where})"
        )

    @_said.register
    def _call_said(self, expr: t.CallNode) -> str:
        """A function that gives issues."""
        if not fixed(expr) or self.scope.source != "issues":
            raise NotCompilable
        found = self.frame.evaluator.values(expr, NOBODY)
        ids = [ident for key in found if (ident := ident_of(self.frame.tx, "issue", str(key))) is not None]
        return self.frame.among(f"{self.scope.row}.id", ids)

    @_said.register
    def _was_said(self, expr: t.WasNode) -> str:
        return self.was(expr)

    @_said.register
    def _changed_said(self, expr: t.ChangedNode) -> str:
        return self.changed(expr)

    @_said.register
    def _unchanged_said(self, expr: t.UnchangedNode) -> str:
        return self.unchanged(expr)

    # -- other things ------------------------------------------------------------------------------------

    @_said.register
    def _parts_said(self, expr: t.PartsNode) -> str:
        collection = self.frame.sources.collections.get(expr.collection)
        if collection is None or self.scope.source != "issues":
            raise NotCompilable
        part, row = Scope(collection.source, self.frame.row("n")), self.scope.row
        sight = self.frame.seen(part.source, part.row)
        inner = None if expr.query is None or expr.query.where is None else expr.query.where
        held = "1" if inner is None else self.inside(part).condition(inner)
        if expr.quantifier == "any" and self.frame.aside and collection.sided is not None:
            linked, issue = (said.format(part=part.row) for said in collection.sided)
            return f"{row}.id in (select {issue} from {linked} where {sight} and ({held}))"
        tables = collection.tables.format(part=part.row)
        link = collection.link.format(part=part.row, row=row)
        if expr.quantifier == "count":
            assert expr.op is not None
            number = self.frame.bind(expr.number)
            return f"(select count(*) from {tables} where {link} and {sight} and ({held})) {expr.op} {number}"
        fails = opposite(held) if expr.quantifier == "all" else f"({held})"
        there = f"exists (select 1 from {tables} where {link} and {sight} and {fails})"
        return there if expr.quantifier == "any" else f"not {there}"

    @_said.register
    def _related_said(self, expr: t.RelatedNode) -> str:
        declared = self.frame.sources[self.scope.source].declared
        if expr.relation in mentions.RELATIONS:
            return self._mentioned(expr)
        if not declared.domain:
            raise NotCompilable
        far = Scope(self.scope.source, self.frame.row("n"))
        test = self.frame.seen(far.source, far.row)
        if isinstance(expr.to, t.NestedNode):
            test = self.where(expr.to.query, far)
        elif expr.to is not None:
            test += f" and {self._named(expr.to, far)}"
        if expr.relation in ("under", "above") and declared.depth:
            found = self._walked(expr, far, test)
        elif self.scope.source != "issues":
            found = self._declared(expr, far, test)
        else:
            found = self._linked(expr, far, test)
        return opposite(found) if expr.negated else found

    def _named(self, ends: t.ListedNode, far: Scope) -> str:
        keys = [str(key) for end in ends.values for key in self.frame.evaluator.values(end, NOBODY)]
        domain = self.frame.sources[far.source].declared.domain
        ids = [ident for key in keys if (ident := ident_of(self.frame.tx, domain, key)) is not None]
        return self.frame.among(f"{far.row}.id", ids)

    def _declared(self, expr: t.RelatedNode, far: Scope, test: str) -> str:
        """Along a relation that the source declares."""
        make = self.frame.sources[far.source].declared.relations.get(expr.relation)
        if make is None:
            raise NotCompilable
        ends = make(self.frame, self.scope.row)
        tables = f"{ends.tables} join {self.frame.table(far)} {far.row} on {far.row}.id = {ends.expr}"
        rows = Rows("1", tables, ends.outer, ends.inner, f"{ends.where} and {test}")
        return self.frame.some(rows, lambda _expr: "1")

    def _mentioned(self, expr: t.RelatedNode) -> str:
        """The other ends first: what is named, or names, is looked up for them. Raises NotCompilable for any end."""
        if expr.to is None:
            raise NotCompilable
        tx, source = self.frame.tx, self.scope.source
        found: set[int] = set()
        for other, ends in self._ends_of(expr.to, expr.kind).items():
            found |= mentions.holding(tx, expr.relation, source, other, ends)
        return self.frame.among(f"{self.scope.row}.id", sorted(found))

    def _ends_of(self, to: t.ListedNode | t.NestedNode, other: str) -> dict[str, list[int]]:
        """By source, those that the caller sees. Raises NotCompilable where they are very many."""
        tx, by_source = self.frame.tx, dict[str, list[int]]()
        if isinstance(to, t.NestedNode):
            far = Scope("issues" if other == "requests" else other, self.frame.row("n"))
            if not mentions.others(tx, far.source):
                raise NotCompilable
            sql = f"select {far.row}.id from {self.frame.table(far)} {far.row} where {self.where(to.query, far)}"
            ends = tx.column(f"{sql} limit {_MOST_ENDS + 1}", **self.frame.all_binds)
            if len(ends) > _MOST_ENDS:
                raise NotCompilable
            return {far.source: ends}
        for end in to.values:
            keyed = self.frame.sources.keyed(end.domain) if isinstance(end, t.RefNode) else None
            for key in self.frame.evaluator.values(end, NOBODY) if keyed is not None else ():
                ident = ident_of(tx, keyed.declared.domain, str(key)) if keyed is not None else None
                if ident is not None and keyed is not None and mentions.others(tx, keyed.name):
                    by_source.setdefault(keyed.name, []).append(ident)
        return {name: mentions.seen(tx, name, idents) for name, idents in by_source.items()}

    @property
    def _depth(self) -> int:
        return self.frame.sources[self.scope.source].declared.depth

    def _linked(self, expr: t.RelatedNode, far: Scope, test: str) -> str:
        found = []
        for way in relations.ways(self.frame.tx, expr.relation, expr.kind):
            here, there = ("dst", "src") if way.turned else ("src", "dst")
            link = self.frame.row("r")
            tables = f"relation {link} join issue {far.row} on {far.row}.id = {link}.{there}"
            where = f"{link}.kind = {self.frame.bind(way.kind)} and {test}"
            rows = Rows("1", tables, f"{self.scope.row}.id", f"{link}.{here}", where)
            found.append(self.frame.some(rows, lambda _expr: "1"))
        return f"({' or '.join(found)})" if found else "0"

    def _walked(self, expr: t.RelatedNode, far: Scope, test: str) -> str:
        """Under or above, along parents that the caller sees. From ends that are named it walks once for all rows."""
        walk, low, most = self.frame.row("w"), self.frame.row("n"), self.frame.bind(self._depth)
        row, upward, table = self.scope.row, expr.relation == "under", self.frame.table(far)
        sight = self.frame.seen(far.source, f"{walk}f")
        if isinstance(expr.to, t.ListedNode):
            start = f"select {far.row}.id, 0 from {table} {far.row} where {test}"
            step = self._walk_step(walk, low, upward=not upward)
            body = f"with recursive {walk} (id, depth) as ({start} union {step} where {walk}.depth < {most}"
            return f"{row}.id in ({body} and {sight}) select id from {walk} where depth > 0)"
        step = self._walk_step(walk, low, upward=upward)
        body = f"with recursive {walk} (id, depth) as (select {row}.id, 0 union {step} where {walk}.depth < {most}"
        found = f"select 1 from {walk} join {table} {far.row} on {far.row}.id = {walk}.id"
        return f"exists ({body} and {sight}) {found} where {walk}.depth > 0 and {test})"

    def _walk_step(self, walk: str, low: str, *, upward: bool) -> str:
        table = self.frame.table(self.scope)
        joined = (_UP if upward else _DOWN).format(table=table, walk=walk, low=low, far=f"{walk}f")
        return f"select {walk}f.id, {walk}.depth + 1 from {walk} join {joined}"


def _need_alike(left: t.ColumnNode, right: t.ColumnNode) -> None:
    """Raises NotCompilable for two values of a row that the tables write in two ways."""
    plain = left.kind is right.kind and left.domain != "priority"
    if not plain or _is_spelled(left):
        raise NotCompilable


def _is_spelled(target: t.ColumnNode) -> bool:
    """Texts and words without a list are equal whatever their case and accents."""
    return target.kind is FieldKind.TEXT or (target.kind in NAMED and not target.domain)
