"""From a text to a checked tree, and from what is wrong with it to a refusal."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from kbwork.base.dataclasses import dataclass, fields, is_dataclass
from kbwork.base.errors import InsufficientScope, Problem, TqlName, TqlSyntax
from kbwork.base.text import nearest_words
from kbwork.core.operations.dispatch import require_module
from kbwork.db.tx import Read
from kbwork.modules.tql.items import relations
from kbwork.modules.tql.names.db_names import DbNames
from kbwork.modules.tql.sources import Needed, sources
from kbwork.tql import tree as t
from kbwork.tql.checker.query import CheckedQuery, CheckedValue, check, check_expr, checked_value
from kbwork.tql.errors import Fault, SuggestedFix, TqlError
from kbwork.tql.kinds import kind_of
from kbwork.tql.names import AS_WRITTEN, MeantNames
from kbwork.tql.parser.query import parse
from kbwork.tql.words import COLLECTIONS

T = TypeVar("T")
_NOTHING = Needed("")
_SCOPES_AHEAD = {
    "table": "pages:read",
    **dict.fromkeys(("milestones", "releases"), "projects:read"),
    "worklogs": "worklogs:read",
}
"""What sources need that no module brings yet; all others what issues do."""


@dataclass(frozen=True, slots=True)
class RunnableQuery:
    """A text that can be run for this caller."""

    text: str
    checked: CheckedQuery

    @property
    def query(self) -> t.QueryNode:
        return self.checked.query

    @property
    def source(self) -> str:
        return self.checked.source


def query(tx: Read, text: str, source: str = "issues", meant: MeantNames = AS_WRITTEN) -> RunnableQuery:
    """Reads and checks a whole text. Raises TqlSyntax, TqlName, InsufficientScope or NotAllowed."""
    return as_problem(lambda: unrefused(tx, text, source, meant))


def unrefused(tx: Read, text: str, source: str = "issues", meant: MeantNames = AS_WRITTEN) -> RunnableQuery:
    """As `query`, but raises TqlError for a text that is wrong."""
    said = parse(text, sources(tx).language.asked)
    require_scopes(tx, said, said.source.name if said.source else source)  # before any name is looked up
    checked = check(text, DbNames(tx), source, meant)
    _require_kept(tx, text, checked.query)
    if checked.source not in sources(tx) and checked.source != "requests":
        place = checked.query.source.span if checked.query.source else checked.query.span
        message = f"`from {checked.source}` cannot be asked yet."
        raise TqlError(text, [Fault(place, message, tuple(sources(tx)), sort="tql-name")])
    require_scopes(tx, checked.query, checked.source)
    return RunnableQuery(text, checked)


def present(tx: Read, text: str, meant: MeantNames) -> tuple[str, tuple[str, ...]]:
    """A text by the present names of what it names and the caller sees, and what to know of it; as it is where it
    cannot be asked."""
    try:
        checked = query(tx, text, meant=meant).checked
    except Problem:
        return text, ()
    return checked.present(text), checked.notices


def present_value(tx: Read, text: str, source: str, meant: MeantNames) -> str:
    """As `present`, for a field or what is computed from fields."""
    if not meant:
        return text
    try:
        return computed(tx, text, source, meant).present
    except Problem:
        return text


def condition(tx: Read, text: str, meant: MeantNames = AS_WRITTEN) -> t.Expr | None:
    """Reads and checks a condition over issues; None for an empty text."""

    def read() -> t.Expr | None:
        require_source(tx, "issues")
        expr = check_expr(text, DbNames(tx), meant=meant)
        if expr is not None:
            _require_kept(tx, text, expr)
            require_scopes(tx, expr, "issues")
        return expr

    return as_problem(read)


def value(tx: Read, text: str, source: str = "issues", meant: MeantNames = AS_WRITTEN) -> t.Value:
    """Reads and checks a value expression."""
    return computed(tx, text, source, meant).value


def computed(tx: Read, text: str, source: str = "issues", meant: MeantNames = AS_WRITTEN) -> CheckedValue:
    """As `value`, with what its names mean."""

    def read() -> CheckedValue:
        require_source(tx, source)
        found = checked_value(text, DbNames(tx), source, meant)
        _require_kept(tx, text, found.value)
        require_scopes(tx, found.value, source)
        return found

    return as_problem(read)


def as_problem(read: Callable[[], T]) -> T:
    """What is wrong with a text as a refusal of the doors."""
    try:
        return read()
    except TqlError as wrong:
        raise problem(wrong) from None


def problem(wrong: TqlError) -> Problem:
    """`errors` tells all faults, the members beside it the first."""
    kind = TqlSyntax if wrong.sort == "tql-syntax" else TqlName
    told = [{"path": "tql", **fault} for fault in wrong.document()]
    first = {name: told[0][name] for name in ("position", "length", "expected", "suggestions")}
    return kind(told[0]["message"], errors=told, **first)


def nodes(node: Any, *, computed: bool = True) -> Iterator[t.Node]:
    """A tree's nodes, itself first; those of formulas too, or what the text itself says alone."""
    if isinstance(node, tuple):
        for one in node:
            yield from nodes(one, computed=computed)
    elif isinstance(node, t.Node):
        yield node
        assert is_dataclass(node)
        for field in fields(node) if computed or not isinstance(node, t.FormulaNode) else ():
            yield from nodes(getattr(node, field.name), computed=computed)


def require_scopes(tx: Read, tree: t.Node, source: str) -> None:
    """Raises InsufficientScope naming what the caller's key or role lacks for a source that the text names, NotAllowed
    naming the module that a connected client lacks."""
    declared, needed = sources(tx), {need_of(tx, source)}
    for node in nodes(tree):
        if isinstance(node, t.SourceNode):
            needed.add(need_of(tx, node.name))
        elif isinstance(node, t.PartsNode):
            needed.add(need_of(tx, COLLECTIONS[node.collection][0]))
        elif isinstance(node, t.ColumnNode | t.FormulaNode):
            needed |= {need_of(tx, source) for source in node.through}
            needed |= {
                declared.of_fields.get(node.name, _NOTHING),
                declared.of_keys.get(kind_of(node).domain, _NOTHING),
            }
        elif isinstance(node, t.CallNode):
            needed.add(declared.of_functions.get(node.name, _NOTHING))
    _require(tx, needed - {_NOTHING})


def require_source(tx: Read, source: str) -> None:
    """Raises InsufficientScope or NotAllowed where the caller may not read this source."""
    _require(tx, {need_of(tx, source)})


def _require(tx: Read, needed: set[Needed]) -> None:
    lacking = sorted({one.scope for one in needed} - tx.caller.scopes)
    if lacking:
        raise InsufficientScope(f"This query also needs the scope {' and '.join(lacking)}.", scopes=lacking)
    for module in sorted({one.module for one in needed if one.module}):
        require_module(module, tx.caller)


def need_of(tx: Read, source: str) -> Needed:
    """What a source needs, whether it is named or a path leads to it."""
    declared = sources(tx).get(source)
    return Needed(_SCOPES_AHEAD.get(source, "issues:read")) if declared is None else declared.needed


def _require_kept(tx: Read, text: str, tree: t.Node) -> None:
    """Raises TqlError for relations that are not there."""
    faults = []
    for node in nodes(tree):
        if isinstance(node, t.RelatedNode):
            fault = _unrelated(tx, node)
            faults += [] if fault is None else [fault]
    if faults:
        raise TqlError(text, faults)


def _unrelated(tx: Read, node: t.RelatedNode) -> Fault | None:
    if node.relation != "rel" or relations.ways(tx, "rel", node.kind):
        return None
    known = relations.kinds(tx)
    near = nearest_words(node.kind, known)
    suggestions = tuple(SuggestedFix(f'"{node.kind}"', f'"{name}"') for name in near)
    message = f"There is no kind of relation called `{node.kind}`."
    return Fault(node.span, message, tuple(near or known), suggestions, "tql-name")
