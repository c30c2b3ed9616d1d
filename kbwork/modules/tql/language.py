"""The language as other modules use it: conditions on one issue, lists of issues, computed values."""

from collections.abc import Iterable, Mapping
from typing import Any

from kbwork.core.access.visibility import binds
from kbwork.core.ports.query import TYPED, QueryLanguage
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.tql import kept_names, query_parser
from kbwork.modules.tql.compile.query import TOP, Choice, compiled
from kbwork.modules.tql.execute.output import Cells
from kbwork.modules.tql.execute.query_run import QueryRun
from kbwork.modules.tql.items.world import world
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal

_LONE = Choice(aside=False, archived=True, lone=True)


def checked(tx: Read, text: str) -> str:
    _look_again(tx)
    expr = query_parser.condition(tx, text)
    return "" if expr is None else normal(expr)


def checked_value(tx: Read, text: str) -> str:
    _look_again(tx)
    return normal(query_parser.value(tx, text))


def names(tx: Read, conditions: Iterable[str], values: Iterable[str]) -> str:
    _look_again(tx)
    return kept_names.kept(tx, conditions, values)


def present(tx: Read, text: str, names: str) -> str:
    return query_parser.present(tx, text, kept_names.of(names, text))[0]


def present_value(tx: Read, text: str, names: str) -> str:
    return query_parser.present_value(tx, text, "issues", kept_names.of(names, text))


def issues(tx: Read, text: str, most: int, names: str = TYPED) -> list[int]:
    _look_again(tx)
    return QueryRun(tx, query_parser.query(tx, text, meant=kept_names.of(names, text))).ids(most)


def matches(tx: Read, text: str, issue: int, names: str = TYPED) -> bool:
    return issue in fitting(tx, text, [issue], names)


def fitting(tx: Read, text: str, issues: list[int], names: str = TYPED) -> set[int]:
    """Each condition looks at these issues alone, archived or not."""
    _look_again(tx)
    expr = query_parser.condition(tx, text, kept_names.of(names, text))
    plan = compiled(tx, t.QueryNode(where=expr), "issues", _LONE)
    there = tx.column(
        f"select {TOP}.id from {plan.table} where {TOP}.id in (select value from json_each(:tql_issues))"
        f" and {plan.where}",
        tql_issues=json_array(issues),
        **(binds(tx) | plan.frame.binds),
    )
    if not there:
        return set()
    rest, evaluator = t.AndNode(plan.rest), plan.frame.evaluator
    return {thing.at for thing in world(tx).items.of("issues").take(there) if evaluator.matches(rest, thing)}


def values(
    tx: Read, formulas: Mapping[str, str], issues: list[int], names: str = TYPED
) -> dict[int, dict[str, Any]]:
    """Issues that the caller does not see are left out."""
    _look_again(tx)
    found = {
        name: query_parser.value(tx, text, meant=kept_names.of(names, text))
        for name, text in formulas.items()
    }
    here = world(tx)
    evaluator = compiled(tx, t.QueryNode(), "issues").frame.evaluator
    cells = Cells(tx)
    return {
        thing.at: {name: cells.cell(value, evaluator.value(value, thing)) for name, value in found.items()}
        for thing in here.items.of("issues").take(issues)
    }


def _look_again(tx: Read) -> None:
    """What was read before in a transaction that writes may be other by now."""
    if isinstance(tx, Write):
        for key in list(tx.memo):
            name = key[0] if isinstance(key, tuple) else key
            if isinstance(name, str) and name.startswith("tql "):
                del tx.memo[key]


LANGUAGE = QueryLanguage(
    home=__name__,
    checked=checked,
    checked_value=checked_value,
    names=names,
    present=present,
    present_value=present_value,
    issues=issues,
    matches=matches,
    fitting=fitting,
    values=values,
)
