"""A checked query as one statement: its condition with sight, its order, and what SQL leaves to the evaluator."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read
from kbwork.modules.projects import issue_access
from kbwork.modules.tql.compile.context import CompileContext
from kbwork.modules.tql.compile.field_history import is_word
from kbwork.modules.tql.compile.frame import NotCompilable, Scope
from kbwork.modules.tql.compile.terms import TermCompiler
from kbwork.modules.tql.compile.values import NOBODY, fixed
from kbwork.modules.tql.names.db_names import ident_of
from kbwork.modules.tql.query_parser import nodes
from kbwork.modules.tql.sources import sources
from kbwork.tql import tree as t
from kbwork.tql.fields import FieldKind

FEW = 3_000
"""So many candidates are tested one by one; for more, side tables are read first."""
_PAGE = 50
TOP = "n0"


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """One of the conditions that all must hold, as the text says it and as SQL. `rows`: a guess, None where unknown."""

    term: t.Expr
    sql: str | None
    rows: int | None
    drives: bool = False


@dataclass(frozen=True, slots=True)
class Compiled:
    """`rest` is what the evaluator must still ask of each row."""

    frame: CompileContext
    scope: Scope
    parts: tuple[ConditionPart, ...]
    sight: str

    @property
    def rest(self) -> tuple[t.Expr, ...]:
        return tuple(part.term for part in self.parts if part.sql is None)

    @property
    def where(self) -> str:
        return " and ".join([self.sight, *(f"({part.sql})" for part in self.parts if part.sql is not None)])

    @property
    def table(self) -> str:
        return f"{self.frame.table(self.scope)} {self.scope.row}"


@dataclass(frozen=True, slots=True)
class Choice:
    """How a query is to be compiled.

    `aside`: how side tables are looked at; unless given, the estimates decide.
    `archived`: whether archived things are among the rows; unless given, where the text speaks of them or names some.
    `lone`: the statement is about one row, which is named beside it.
    """

    aside: bool | None = None
    archived: bool | None = None
    lone: bool = False


_OPEN = Choice()


def compiled(tx: Read, query: t.QueryNode, source: str, choice: Choice = _OPEN) -> Compiled:
    """The query's condition."""
    requests = source == "requests"
    source = "issues" if requests else source
    frame = CompileContext(tx, instant(tx, query), lone=choice.lone)
    scope = Scope(source, TOP)
    terms = query.where.terms if isinstance(query.where, t.AndNode) else (query.where,) if query.where else ()
    guesses = [_guess(tx, term) if source == "issues" else None for term in terms]
    driver = min((guess for guess in guesses if guess is not None), default=FEW + 1)
    parts = []
    for term, guess in zip(terms, guesses, strict=True):
        drives = guess is not None and guess == driver
        known = drives if driver <= FEW else guess is None
        frame.aside = known if choice.aside is None else choice.aside
        parts.append(ConditionPart(term, _said(frame, scope, term), guess, drives))
    sight = frame.seen(source, TOP)
    if requests:
        sight += f" and {TOP}.id in (select issue from customer_request)"
    live = frame.sources[source].declared.live
    everything = _speaks_of_archived(query) if choice.archived is None else choice.archived
    if live and not everything:
        sight += f" and {live.format(row=TOP)}"
    if source == "issues":
        sight += "" if everything else _live(query)
        if frame.as_of is not None:
            sight += f" and {TOP}.created_at <= {frame.bind(frame.as_of)}"
        among = issue_access.few(tx, _PAGE) if driver > FEW and not choice.lone else None
        sight += f" and {TOP}.id in ({among})" if among is not None else ""
    return Compiled(frame, scope, tuple(parts), sight)


def instant(tx: Read, query: t.QueryNode) -> int | None:
    """The instant that the whole query looks back to; of a day or period its end."""
    if query.as_of is None:
        return None
    found = CompileContext(tx).evaluator.values(query.as_of, NOBODY)
    return int(found[0].last) if found else None


def _said(frame: CompileContext, scope: Scope, term: t.Expr) -> str | None:
    kept = dict(frame.binds)
    try:
        return TermCompiler(frame, scope).condition(term)
    except NotCompilable:
        frame.binds.clear()
        frame.binds.update(kept)
        return None


def _live(query: t.QueryNode) -> str:
    """Archived issues stay away, and with them those of archived projects that are not named."""
    said = f" and {TOP}.archived_at is null"
    if not any(
        isinstance(node, t.ColumnNode) and node.name == "project" for node in nodes(query, computed=False)
    ):
        said += f" and {TOP}.project not in (select id from project where archived_at is not null)"
    return said


def _speaks_of_archived(query: t.QueryNode) -> bool:
    for node in nodes(query, computed=False):
        if isinstance(node, t.FlagNode) and node.name == "archived":
            return True
        if (
            isinstance(node, t.ColumnNode)
            and node.name in ("archived", "archived_at", "key", "id", "state")
            and not node.steps
        ):
            return any(node in nodes(part) for part in (query.where, query.having) if part is not None)
    return False


def _guess(tx: Read, term: t.Expr) -> int | None:
    """How many issues a condition leaves, where a count says so quickly."""
    if isinstance(term, t.FlagNode) and term.name in ("mine", "watched"):
        column = {"mine": "assignee", "watched": "watcher"}[term.name]
        return _counted(tx, column, [tx.caller.member or ""])
    if isinstance(term, t.RelatedNode) and isinstance(term.to, t.ListedNode):
        return FEW if term.relation in ("under", "above") else 100
    if isinstance(term, t.CallNode):
        return 100
    if not isinstance(term, t.CompareNode | t.MemberNode) or (
        isinstance(term, t.MemberNode) and term.negated
    ):
        return None
    left = term.left
    plain = (
        isinstance(left, t.ColumnNode)
        and not left.steps
        and (isinstance(term, t.MemberNode) or term.op == "=")
    )
    if not plain or not isinstance(left, t.ColumnNode):
        return None
    return _of_values(tx, left.name, term.right if isinstance(term, t.CompareNode) else term.set)


def _of_values(tx: Read, name: str, right: t.Value | t.Set) -> int | None:
    if isinstance(right, t.NestedNode):
        return None
    values = right.values if isinstance(right, t.ListedNode) else (right,)
    if not all(fixed(one) and not isinstance(one, t.NothingNode) for one in values):
        return None
    evaluator = CompileContext(tx).evaluator
    known = [one for value in values for one in evaluator.values(value, NOBODY)]
    if name in ("key", "id"):
        return len(known)
    return _counted(tx, name, known)


def _counted(tx: Read, name: str, values: list[Any]) -> int | None:
    field = sources(tx)["issues"].fields.get(name)
    if field is None or not field.counted or len(values) > 50:
        return None
    if field.field.kind is FieldKind.KEY:
        values = [ident_of(tx, field.field.domain, str(one)) for one in values]
    elif not is_word(field.field):
        values = [int(one) for one in values]
    return sum(int(tx.value(field.counted, id=one, few=FEW + 1)) for one in values)
