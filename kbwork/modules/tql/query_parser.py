"""From a text to a checked tree, and from what is wrong with it to a refusal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from kbwork.base.errors import InsufficientScope, Problem, TqlName, TqlSyntax
from kbwork.base.text import nearest_words
from kbwork.db.tx import Read
from kbwork.modules.tql.compile.visibility import TABLES
from kbwork.modules.tql.items import functions
from kbwork.modules.tql.names import relations
from kbwork.modules.tql.names.db_names import DbNames
from kbwork.tql import tree as t
from kbwork.tql.checker.query import CheckedQuery, check, check_expr, check_value
from kbwork.tql.errors import Fault, SuggestedFix, TqlError
from kbwork.tql.kinds import kind_of
from kbwork.tql.parser.query import parse
from kbwork.tql.words import COLLECTIONS

T = TypeVar("T")
SCOPES = {
    "issues": "issues:read",
    "requests": "issues:read",
    "comments": "comments:read",
    "members": "members:read",
    "teams": "members:read",
    "projects": "projects:read",
    "versions": "issues:read",
    "pages": "pages:read",
    "table": "pages:read",
    "assets": "assets:read",
    "worklogs": "worklogs:read",
    "attachments": "attachments:read",
    "sprints": "sprints:read",
    "milestones": "projects:read",
    "releases": "projects:read",
    "companies": "issues:read",
    "spaces": "pages:read",
}
"""The scope that each source needs, whether it is named or a path leads to it."""
_AHEAD = {
    "mentions": "pages",
    "mentioned in": "pages",
}
"""Relations of which nothing is kept yet, and what they come with."""


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


def query(tx: Read, text: str, source: str = "issues") -> RunnableQuery:
    """Reads and checks a whole text. Raises TqlSyntax, TqlName or InsufficientScope."""
    return as_problem(lambda: unrefused(tx, text, source))


def unrefused(tx: Read, text: str, source: str = "issues") -> RunnableQuery:
    """As `query`, but raises TqlError for a text that is wrong."""
    said = parse(text)
    require_scopes(tx, said, said.source.name if said.source else source)  # before any name is looked up
    checked = check(text, DbNames(tx), source)
    _require_kept(tx, text, checked.query)
    if checked.source not in TABLES and checked.source != "requests":
        place = checked.query.source.span if checked.query.source else checked.query.span
        message = f"`from {checked.source}` cannot be asked yet."
        raise TqlError(text, [Fault(place, message, tuple(TABLES), sort="tql-name")])
    require_scopes(tx, checked.query, checked.source)
    return RunnableQuery(text, checked)


def condition(tx: Read, text: str) -> t.Expr | None:
    """Reads and checks a condition over issues; None for an empty text."""

    def read() -> t.Expr | None:
        require_source(tx, "issues")
        expr = check_expr(text, DbNames(tx))
        if expr is not None:
            _require_kept(tx, text, expr)
            require_scopes(tx, expr, "issues")
        return expr

    return as_problem(read)


def value(tx: Read, text: str, source: str = "issues") -> t.Value:
    """Reads and checks a value expression."""

    def read() -> t.Value:
        require_source(tx, source)
        found = check_value(text, DbNames(tx), source)
        _require_kept(tx, text, found)
        require_scopes(tx, found, source)
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
    """Raises InsufficientScope naming what the caller's key or role lacks for a source that the text names."""
    needed = {SCOPES[source]}
    for node in nodes(tree):
        if isinstance(node, t.SourceNode):
            needed.add(SCOPES[node.name])
        elif isinstance(node, t.PartsNode):
            needed.add(SCOPES.get(COLLECTIONS[node.collection][0], "issues:read"))
        elif isinstance(node, t.ColumnNode | t.FormulaNode):
            needed |= {SCOPES[source] for source in node.through}
            needed |= {_TOLD[node.name]} if node.name in _TOLD else set()
            needed |= {"assets:read"} if kind_of(node).domain == "asset" else set()
        elif isinstance(node, t.CallNode) and node.name in functions.SCOPES:
            needed.add(functions.SCOPES[node.name])
    _require(tx, needed)


def require_source(tx: Read, source: str) -> None:
    """Raises InsufficientScope where the caller may not read this source."""
    _require(tx, {SCOPES[source]})


def _require(tx: Read, needed: set[str]) -> None:
    lacking = sorted(needed - tx.caller.scopes)
    if lacking:
        raise InsufficientScope(f"This query also needs the scope {' and '.join(lacking)}.", scopes=lacking)


_TOLD = dict.fromkeys(("comment", "commented"), "comments:read")
"""Fields of issues that tell of another source, with its scope; how many comments there are stands on each issue."""


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
    if node.relation in _AHEAD:
        message = f"`{node.relation}` comes with the module {_AHEAD[node.relation]}, which is not there yet."
        return Fault(node.span, message, sort="tql-name")
    if node.relation != "rel" or relations.ways(tx, "rel", node.kind):
        return None
    known = relations.kinds(tx)
    near = nearest_words(node.kind, known)
    suggestions = tuple(SuggestedFix(f'"{node.kind}"', f'"{name}"') for name in near)
    message = f"There is no kind of relation called `{node.kind}`."
    return Fault(node.span, message, tuple(near or known), suggestions, "tql-name")
