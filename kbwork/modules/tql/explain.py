"""Say in plain words what a text finds, what each part of it costs, and why an issue is in or out."""

import re

from kbwork.base.errors import TqlTooSlow
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read, Row
from kbwork.modules import issues
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.compile.query import TOP, Compiled, ConditionPart, compiled
from kbwork.modules.tql.execute import time_limit
from kbwork.modules.tql.items.loaders import LoadedItem
from kbwork.modules.tql.items.world import world
from kbwork.modules.tql.model import TqlExplained, TqlPart
from kbwork.modules.tql.run import Tql
from kbwork.tql import tree as t
from kbwork.tql.normal_form import normal

_COUNTED = 10_000
_PATIENCE_S = 0.5
_USED = re.compile(
    r"(?:SEARCH|SCAN) (\w+)(?:.*?USING (?:COVERING )?(?:INDEX (\w+)|(INTEGER PRIMARY KEY|PRIMARY KEY)))?"
)


class TqlExplain(Input):
    tql: Tql
    key: Text | None = None
    """An issue: why it is in or out."""


@read(
    "tql.explain",
    scope="search:read",
    words=(
        "why is my query slow, why is the issue not found, performance of a query, "
        "what does the query mean, index"
    ),
    threaded=True,
    example={"tql": "project = WEB and open and status unchanged for 14d", "key": "WEB-1"},
)
def explain(tx: Read, args: TqlExplain) -> TqlExplained:
    """Explain a text: what it means, and for each of its conditions the index and how many rows it leaves by itself.

    `rows` counts what you see, to 10,000; null where a condition alone takes too long. With `key`, `matched` says of
    each condition whether it holds for that issue; one that you do not see is 404. Admins are told the SQL, too.
    """
    asked = query_parser.query(tx, args.tql)
    row = issues.get(tx, args.key) if args.key else None
    plan = compiled(tx, asked.query, asked.source)
    thing = world(tx).items.of("issues").take([row["id"]])[0] if row is not None else None
    before = _indexes(tx, plan, plan.sight)
    parts = [_part(tx, plan, part, before, thing) for part in plan.parts]
    with time_limit.bounded(tx, asked.query):
        text = _words(asked, plan) + (_why(tx, plan, parts, thing) if thing is not None else "")
    sql = f"select {TOP}.id from {plan.table} where {plan.where}" if tx.caller.admin else None
    return TqlExplained(text=text, parts=parts, sql=sql)


def _part(
    tx: Read, plan: Compiled, part: ConditionPart, before: set[str], thing: LoadedItem | None
) -> TqlPart:
    told = TqlPart(part=normal(part.term), index=_index(tx, plan, part, before), rows=_rows(tx, plan, part))
    if thing is not None and plan.scope.source == "issues":
        told["matched"] = plan.frame.evaluator.matches(part.term, thing)
    return told


def _rows(tx: Read, plan: Compiled, part: ConditionPart) -> int | None:
    """How many rows hold to this condition alone."""
    if part.sql is None:
        return None
    sql = f"select count(*) from (select 1 from {plan.table} where {plan.sight} and ({part.sql}) limit {_COUNTED})"
    try:
        with time_limit.bounded(tx, t.QueryNode(where=part.term), _PATIENCE_S):
            return int(tx.value(sql, **plan.frame.all_binds))
    except TqlTooSlow:
        return None


def _index(tx: Read, plan: Compiled, part: ConditionPart, before: set[str]) -> str:
    if part.sql is None:
        return "none: asked of each row"
    used = _indexes(tx, plan, f"{plan.sight} and ({part.sql})") - before
    return ", ".join(sorted(used)) or "none: read with the row"


def _indexes(tx: Read, plan: Compiled, where: str) -> set[str]:
    """The indexes that a condition looks into."""
    rows: list[Row] = tx.all(
        f"explain query plan select 1 from {plan.table} where {where}", **plan.frame.all_binds
    )
    found = set()
    for row in rows:
        match = _USED.search(row["detail"])
        if match is not None and (match[2] or match[3]):
            found.add(match[2] or f"{match[1]} by key")
    return {name for name in found if not name.startswith(("sqlite_autoindex", f"{TOP} "))}


def _words(asked: query_parser.RunnableQuery, plan: Compiled) -> str:
    query = asked.query
    what = {"requests": "requests"}.get(asked.source, asked.source)
    if not plan.parts:
        said = f"All {what} that you see"
    elif len(plan.parts) == 1:
        said = f"The {what} that you see for which this holds: {normal(plan.parts[0].term)}"
    else:
        said = f"The {what} that you see for which all of this holds: "
        said += "; ".join(normal(part.term) for part in plan.parts)
    if query.as_of is not None:
        said += f", as they were at {normal(query.as_of)}"
    if query.group:
        said += f", in groups by {', '.join(normal(by) for by in query.group)}"
    if query.order:
        said += f", sorted by {', '.join(normal(order) for order in query.order)}"
    if "archived_at is null" in plan.sight:
        said += "; archived ones are left out"
    notices = "".join(f" {notice}" for notice in asked.checked.notices)
    return f"{said}.{notices}"


def _why(tx: Read, plan: Compiled, parts: list[TqlPart], thing: LoadedItem) -> str:
    failing = [part["part"] for part in parts if not part.get("matched", True)]
    if failing:
        return f" {thing.id} is out: {'; '.join(failing)} does not hold."
    there = tx.value(
        f"select 1 from {plan.table} where {TOP}.id = :tql_issue and {plan.sight}",
        tql_issue=thing.at,
        **plan.frame.all_binds,
    )
    if plan.scope.source != "issues":
        return f" {thing.id} is an issue, and the text is about {plan.scope.source}."
    return f" {thing.id} is in." if there else f" {thing.id} is out: it is archived, or was not there then."
