"""Lanes as the query language names them."""

import json
from collections.abc import Iterator

from kbwork.core.access import visibility
from kbwork.core.ports.query_source import QueryDomain, by_place
from kbwork.core.things.former_names import former_names
from kbwork.db.tx import Read
from kbwork.modules.projects import access
from kbwork.modules.workflows import lanes
from kbwork.tql.names import NamedThing

_WORKFLOWS = (
    "select distinct p.key, w.lanes from project p join project_type pt on pt.project = p.id"
    " join issue_type t on t.id = pt.type join workflow w on w.id = coalesce(pt.workflow, t.workflow, p.workflow)"
    f" where {access.SEEN} order by p.key"
)


def _lanes(tx: Read, _rest: str) -> Iterator[NamedThing]:
    """All lanes for members of the org; for guests those of the workflows of their projects."""
    places, former = _places(tx), former_names(tx, "lane")
    for row in lanes.rows(tx):
        keys = places.get(row["id"], ())
        if keys or not tx.caller.guest:
            yield NamedThing(
                str(row["id"]),
                row["name"],
                key=row["key"],
                former=former.get(row["id"], ()),
                category=row["category"],
                places=tuple(keys),
            )


def _places(tx: Read) -> dict[int, list[str]]:
    """Lane -> the keys of the projects in whose workflows it stands."""
    found: dict[int, list[str]] = {}
    for row in tx.all(_WORKFLOWS, **visibility.binds(tx)):
        for lane in json.loads(row["lanes"]):
            keys = found.setdefault(lane, [])
            if row["key"] not in keys:
                keys.append(row["key"])
    return found


def _shown(tx: Read, _rest: str, ident: str) -> str | None:
    known: dict[str, str] = tx.memoized(
        "tql lane names", lambda: {str(row["id"]): row["name"] for row in lanes.rows(tx)}
    )
    return known.get(ident)


def _ranks(tx: Read, _rest: str) -> dict[str, tuple[int, float, str]]:
    return by_place(row["id"] for row in lanes.rows(tx))


STATUS = QueryDomain(home=__name__, name="status", some=_lanes, seldom=True, shown=_shown, ranks=_ranks)
