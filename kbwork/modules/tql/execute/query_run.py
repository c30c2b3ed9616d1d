"""Running a query: rows page by page, straight from the tables where SQL can order them, else all at once."""

from collections.abc import Callable, Iterator
from typing import Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import InvalidInput, TqlTooSlow
from kbwork.db.deadline import within_deadline
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.tql.compile import full_text, order_by
from kbwork.modules.tql.compile.frame import NotCompilable
from kbwork.modules.tql.compile.query import TOP, compiled
from kbwork.modules.tql.execute import groups, time_limit
from kbwork.modules.tql.execute.output import Cells, header
from kbwork.modules.tql.items.loaders import LoadedItem
from kbwork.modules.tql.items.world import world
from kbwork.modules.tql.model import TqlColumn
from kbwork.modules.tql.query_parser import RunnableQuery, nodes
from kbwork.modules.tql.sources import sources
from kbwork.tql import tree as t
from kbwork.tql.evaluator.rows import rows as result_rows
from kbwork.tql.fields import FieldKind
from kbwork.tql.items import Item

COUNTED = 10_000
MOST_ROWS = 50_000
"""So many rows may come together before they are ordered or grouped."""
MOST_GROUPS = 10_000


@dataclass(frozen=True, slots=True)
class ResultPage:
    """`next` is the place behind the last row, None at the end."""

    columns: list[TqlColumn]
    rows: list[list[Any]]
    subjects: list[str] | None
    total: int | None
    next: list[Any] | None


class QueryRun:
    """One query of one caller. `fields`: columns where the text selects none."""

    def __init__(self, tx: Read, asked: RunnableQuery, fields: list[t.Value] | None = None) -> None:
        self.tx = tx
        self.asked = asked
        self.query = _without_aliases(asked.query)
        self.source = "issues" if asked.source == "requests" else asked.source
        self.gathers = bool(self.query.group) or any(_gathers(item.value) for item in self.query.select)
        with time_limit.bounded(tx, self.query):  # what texts hold is looked up here
            self.compiled = compiled(tx, self.query, asked.source)
            self._scores = self._weighed()
        self._items = list(self.query.select) or [
            t.ItemNode(value) for value in fields or _defaults(tx, self.source)
        ]
        self._cells = Cells(tx)
        self._loader = world(tx).items.of(self.source)

    def page(self, most: int, place: list[Any] | None) -> ResultPage:
        """So many rows behind a place. Raises TqlTooSlow."""
        with time_limit.bounded(self.tx, self.query):
            if self.gathers:
                return self._groups(most, place)
            keys = self._keys()
            if keys is None or self.compiled.rest:
                return self._sorted(most, place)
            return self._straight(keys, most, place)

    def count(self) -> int:
        """How many rows or groups there are."""
        with time_limit.bounded(self.tx, self.query):
            if self.gathers:
                return len(self._bundled())
            found = sum(1 for _ in self._fitting()) if self.compiled.rest else self._number(None)
            return found if self.query.limit is None else min(found, self.query.limit)

    def ids(self, most: int) -> list[int]:
        """The internal ids of the rows in their order."""
        limit = most if self.query.limit is None else min(most, self.query.limit)
        with time_limit.bounded(self.tx, self.query):
            keys = self._keys()
            if keys is not None and not self.compiled.rest:
                return [row["id"] for row in self._select(keys, limit, None)]
            return [thing.at for thing in self._ordered()[:limit]]

    def narrow(self, said: str, value: Any) -> None:
        """Only the rows for which this holds: a condition over `{row}`, of the source's table, and `{value}`."""
        plan = self.compiled
        held = said.format(row=TOP, value=plan.frame.bind(value))
        self.compiled = replace(plan, sight=f"{plan.sight} and ({held})")

    def fitting(self) -> tuple[str, dict[str, Any]]:
        """A select of the `id` of each row that fits, to stand in a statement of the asker's, and what it binds."""
        plan = self.compiled
        if not plan.rest:
            return f"select {TOP}.id from {plan.table} where {plan.where}", plan.frame.all_binds
        with time_limit.bounded(self.tx, self.query):
            found = json_array(thing.at for thing in self._fitting())
        return "select value as id from json_each(:tql_fitting)", {"tql_fitting": found}

    def values(self, ids: list[int], value: t.Value) -> dict[int, list[Any]]:
        """The values that these rows have, as a cell would show each."""
        evaluator = self.compiled.frame.evaluator
        answer = {}
        for thing in self._loader.take(ids):
            found = evaluator.plain(evaluator.values(value, thing))
            several = found if isinstance(found, tuple) else () if found is None else (found,)
            answer[thing.at] = [self._cells.one_of(value, one) for one in several]
        return answer

    def hidden(self) -> int:
        """How many issues beyond the caller's sight fit; told to admins only, for others 0."""
        caller, plan = self.tx.caller, self.compiled
        if not caller.admin or caller.projects is not None or self.source != "issues" or plan.rest:
            return 0
        beyond = (
            f"{TOP}.deleted_at is null and {TOP}.project in (select id from project where deleted_at is null"
            f" and id not in (select value from json_each(:kb_projects))) and not {plan.frame.seen(self.source, TOP)}"
        )
        parts = " and ".join(
            [beyond, *(f"({part.sql})" for part in plan.parts), f"{TOP}.archived_at is null"]
        )
        sql = f"select count(*) from (select 1 from {plan.table} where {parts} limit {COUNTED})"
        with time_limit.bounded(self.tx, self.query):
            return int(self.tx.value(sql, **plan.frame.all_binds))

    # -- straight from the tables ------------------------------------------------------------------------

    def _keys(self) -> list[order_by.SortKey] | None:
        """What SQL sorts by; None where it cannot."""
        if self._scores is not None:
            return None
        try:
            return order_by.keys(self.compiled, self._order())
        except NotCompilable:
            return None

    def _order(self) -> tuple[t.OrderNode, ...]:
        """As the text says; else by rank inside one project, else the latest change first."""
        if self.query.order or self.source != "issues":
            return self.query.order
        name = "rank" if _one_project(self.query.where) else "updated"
        kind = FieldKind.TEXT if name == "rank" else FieldKind.TIME
        return (t.OrderNode(t.ColumnNode(name, kind, tracked=False), name == "updated"),)

    def _weighed(self) -> dict[int, float] | None:
        """How well rows fit, where words are all that is asked for and few enough have them to be weighed."""
        pattern = _pattern(self.query.where)
        if pattern is None or self.query.order or self.gathers or self.source != "issues":
            return None
        few = len(full_text.matching(self.tx, full_text.TEXT_OF_ISSUES, pattern)) <= full_text.WEIGHED
        return full_text.scores(self.tx, pattern) if few else None

    def _straight(self, keys: list[order_by.SortKey], most: int, place: list[Any] | None) -> ResultPage:
        given = place[0] if place else 0
        left = most if self.query.limit is None else min(most, self.query.limit - given)
        found = self._select(keys, left + 1, place[1:] if place else None) if left > 0 else []
        more = len(found) > left and (self.query.limit is None or given + left < self.query.limit)
        found = found[:left]
        at = [given + left, *(found[-1][f"k{n}"] for n in range(len(keys)))] if more and found else None
        total = len(found) if place is None and not more else self._number(COUNTED)
        things = self._loader.take(row["id"] for row in found)
        return self._told(things, self._bounded_total(total), at)

    def _select(self, keys: list[order_by.SortKey], most: int, place: list[Any] | None) -> list[Row]:
        plan = self.compiled
        where = plan.where
        if place is not None:
            where += f" and {order_by.behind(plan, keys, place)}"
        columns = ", ".join(f"{key.sql} as k{n}" for n, key in enumerate(keys))
        return self.tx.all(
            f"select {TOP}.id, {columns} from {plan.table} where {where} order by {order_by.said(keys)}"
            " limit :tql_most",
            tql_most=most,
            **plan.frame.all_binds,
        )

    def _number(self, most: int | None) -> int:
        """How many rows fit; one more than `most` where there are more."""
        plan = self.compiled
        bound = f" limit {most + 1}" if most is not None else ""
        sql = f"select count(*) from (select 1 from {plan.table} where {plan.where}{bound})"
        return int(self.tx.value(sql, **plan.frame.all_binds))

    def _bounded_total(self, total: int) -> int | None:
        if self.query.limit is not None:
            total = min(total, self.query.limit)
        return total if total <= COUNTED else None

    # -- all at once -------------------------------------------------------------------------------------

    def _fitting(self) -> Iterator[LoadedItem]:
        """The rows that fit, by id. Raises TqlTooSlow where too many come together."""
        plan = self.compiled
        ids = self.tx.column(
            f"select {TOP}.id from {plan.table} where {plan.where} order by {TOP}.id limit :tql_most",
            tql_most=MOST_ROWS + 1,
            **plan.frame.all_binds,
        )
        if len(ids) > MOST_ROWS:
            raise TqlTooSlow(
                f"More than {MOST_ROWS:,} rows would have to be looked at. {time_limit.told(self.query)}"
            )
        rest = t.AndNode(plan.rest)
        evaluator = plan.frame.evaluator
        for thing in within_deadline(self.tx, self._loader.take(ids)):
            if evaluator.matches(rest, thing):
                yield thing

    def _ordered(self) -> list[LoadedItem]:
        """All rows that fit, in order."""
        found = list(self._fitting())
        scores = self._scores
        if scores is not None:
            return sorted(found, key=lambda thing: (scores.get(thing.at, 0.0), -thing.at))
        order = self._order()
        if order and order[-1].descending:
            found.reverse()
        plain = replace(self.query, source=None, where=None, select=(), order=order, limit=None, as_of=None)
        by_id = {thing.id: thing for thing in found}
        items: Iterator[Item] = within_deadline(self.tx, found)
        return [by_id[row[0]] for row in result_rows(plain, items, world(self.tx))]

    def _sorted(self, most: int, place: list[Any] | None) -> ResultPage:
        found = self._ordered()[: self.query.limit]
        begin = 0
        if place:
            begin, last = place
            known = next((at for at, thing in enumerate(found) if thing.at == last), None)
            begin = begin if known is None else known + 1
        shown = found[begin : begin + most]
        more = begin + most < len(found)
        at = [begin + most, shown[-1].at] if more and shown else None
        return self._told(shown, self._bounded_total(len(found)), at)

    def _told(self, things: list[LoadedItem], total: int | None, at: list[Any] | None) -> ResultPage:
        evaluator = self.compiled.frame.evaluator
        rows = [
            [
                self._cells.cell(item.value, evaluator.plain(evaluator.values(item.value, thing)))
                for item in self._items
            ]
            for thing in things
        ]
        subjects = [thing.subject for thing in things]
        return ResultPage([header(item.value, item.name) for item in self._items], rows, subjects, total, at)

    # -- groups ------------------------------------------------------------------------------------------

    def _bundled(self) -> list[tuple[Any, ...]]:
        found = groups.gathered_rows(self.tx, self.compiled, self.query)
        if found is None:
            items: Iterator[Item] = iter(self._fitting())
            found = result_rows(replace(self.query, where=None), items, world(self.tx))
        if len(found) > MOST_GROUPS:
            raise TqlTooSlow(
                f"There are more than {MOST_GROUPS:,} groups: group by less, or narrow the query."
            )
        return found

    def _groups(self, most: int, place: list[Any] | None) -> ResultPage:
        found = self._bundled()
        begin = place[0] if place else 0
        selected = [item for item in self.query.select if item.value not in self.query.group]
        named = {item.value: item.name for item in self.query.select}
        columns = [header(by, named.get(by, "")) for by in self.query.group]
        columns += [self._header(item) for item in selected]
        makers: list[tuple[Callable[[t.Value, Any], Any], t.Value]] = [
            *((self._cells.one_of, by) for by in self.query.group),
            *((self._cells.cell, item.value) for item in selected),
        ]
        shown = found[begin : begin + most]
        rows = [[make(value, cell) for (make, value), cell in zip(makers, row, strict=True)] for row in shown]
        at = [begin + most] if begin + most < len(found) else None
        return ResultPage(columns, rows, None, self._bounded_total(len(found)), at)

    def _header(self, item: t.ItemNode) -> TqlColumn:
        made = header(item.value, item.name)
        several = any(isinstance(by, t.ColumnNode) and by.many for by in self.query.group)
        if several and isinstance(item.value, t.AggregateNode) and item.value.name == "count":
            made["note"] = "One with several values stands in each of its groups."
        return made


def _defaults(tx: Read, source: str) -> list[t.Value]:
    return [
        t.ColumnNode(
            field.name, field.kind, (), field.domain, field.many, field.to, field.choices, field.tracked
        )
        for field in sources(tx)[source].defaults
    ]


def _gathers(value: t.Value) -> bool:
    return any(isinstance(node, t.AggregateNode) for node in nodes(value, computed=False))


def _pattern(where: t.Expr | None) -> str | None:
    """The words, where they are all that is asked for."""
    if isinstance(where, t.TextNode):
        return where.pattern
    if not isinstance(where, t.MatchNode) or where.negated:
        return None
    return where.pattern if where.left == t.ColumnNode("text", FieldKind.TEXT, tracked=False) else None


def _one_project(where: t.Expr | None) -> bool:
    """Whether all rows are of one project."""
    terms = where.terms if isinstance(where, t.AndNode) else (where,)
    return any(
        isinstance(term, t.CompareNode)
        and isinstance(term.left, t.ColumnNode)
        and (term.left.name, term.left.steps, term.op) == ("project", (), "=")
        for term in terms
    )


def _without_aliases(query: t.QueryNode) -> t.QueryNode:
    """Rows that are things have no columns by name: what an order names is put in its place."""
    if query.group or any(_gathers(item.value) for item in query.select):
        return query
    named = {item.name.lower(): item.value for item in query.select if item.name}
    if query.having is not None:
        raise InvalidInput("`having` is about groups: put the condition in front.", field="tql")
    order = tuple(
        replace(one, value=named[one.value.name.lower()]) if isinstance(one.value, t.AliasNode) else one
        for one in query.order
    )
    return replace(query, order=order)
