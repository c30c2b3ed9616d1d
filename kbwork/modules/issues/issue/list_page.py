"""How a page of a list of issues is read: what is looked at is bounded by the page, not by how many issues there are.

Where an index has the issues in the order asked for, the page is read off it, and few that a filter leaves are sorted.
Where neither holds, what the caller sees is sorted, if that is not too much.
"""

import json
import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read, json_array
from kbwork.modules.projects import ISSUE_SEEN, issue_access
from kbwork.modules.workflows import lanes

MOST_SORTED = 200_000
"""So many issues are put in order by sorting, which takes half a second."""
_LOOKED_AT = 10_000
"""So many of an index are looked at for a page, before what fits is sorted instead."""
_SORTING = 4
"""To sort an issue costs as much as to look at so many along an index."""
_FEW_PROJECTS = 50
"""Of so many projects the counts are added up before anything is read."""
_LAST = "~"
_PRIORITY = "case i.priority when 'urgent' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3"


@dataclass(frozen=True, kw_only=True)
class Sort:
    """An order of issues; those that are equal in it go by their ids."""

    up: tuple[str, ...]
    down: tuple[str, ...]
    """What is compared, where it ascends and where it descends: missing values come last in both."""
    column: str | None = None
    """The column by which an index of each project has its issues in this order."""
    index: str | None = None
    """That index, with `id` behind the column."""


def _plain(*columns: str, **more: Any) -> Sort:
    return Sort(up=columns, down=columns, **more)


SORTS: dict[str, Sort] = {
    "rank": _plain("i.rank", column="rank", index="issue_rank"),
    "created": _plain("i.created_at"),
    "updated": _plain("i.updated_at", column="updated_at", index="issue_project_updated"),
    "due": Sort(up=(f"coalesce(i.due_date, '{_LAST}')",), down=("coalesce(i.due_date, '')",)),
    "priority": Sort(up=(f"{_PRIORITY} else 4 end",), down=(f"{_PRIORITY} else -1 end",)),
    "status": _plain("l.position"),
    "key": _plain("p.key", "i.number", column="number", index="issue_number"),
    "title": _plain("lower(i.title)"),
}


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Issues that lie one behind the other in an index, or in the table, ordered by these columns."""

    how: str
    where: str
    columns: tuple[str, ...]
    behind: tuple[Any, ...] | None
    """The place in it from which on they are wanted."""
    fits: str = "1"
    """What the index does not know: the condition on `issue i` that it is of this stretch."""


@dataclass(frozen=True, kw_only=True)
class ListQuery:
    """What a list is asked for."""

    conditions: list[str]
    """On `issue i`, beside what the caller sees."""
    named: list[str]
    """Selects of ids, by an index, among which are all that fit."""
    binds: dict[str, Any]
    sort: str
    descending: bool
    project: int | None
    lane: int | None
    archived: bool
    awake: bool
    """The project that is named is known not to be archived."""


class _Words(NamedTuple):
    """What of a query is the same whoever asks it: lists are asked for often, and seldom in a new way."""

    keys: tuple[str, ...]
    sign: str
    direction: str
    sorts: str
    columns: str
    where: str
    awake: str
    beside: str


@lru_cache(1024)
def _words(sort: str, *, descending: bool, whole: bool, conditions: tuple[str, ...], awake: str) -> _Words:
    keys = SORTS[sort].down if descending else SORTS[sort].up
    sign, direction = ("<", "desc") if descending else (">", "asc")
    return _Words(
        keys=keys,
        sign=sign,
        direction=direction,
        sorts=", ".join(f"{key} as sort{number}" for number, key in enumerate(keys)),
        columns="i.*" if whole else "i.id",
        where=" and ".join([ISSUE_SEEN, *conditions]),
        awake=awake,
        beside="".join(
            f" cross join {table} {name} on {name}.id = i.{table}"
            for table, name in (("project", "p"), ("lane", "l"))
            if any(f"{name}." in part for part in (*keys, awake))
        ),
    )


@lru_cache(16)
def _numbers(text: str) -> tuple[int, ...]:
    """Of an array as it is bound."""
    return tuple(json.loads(text))


class ListPage:
    """One page: whole rows, each with what it is sorted by as `sort0` and so on, or tuples of the ids and that."""

    def __init__(
        self, tx: Read, asked: ListQuery, *, place: list[Any] | None, most: int, whole: bool = True
    ) -> None:
        self._tx, self._asked, self._place, self._most, self._whole = tx, asked, place, most, whole
        self._sort = SORTS[asked.sort]
        self._keys, self._sign, self._direction, self._sorts, *words = _words(
            asked.sort,
            descending=asked.descending,
            whole=whole,
            conditions=tuple(asked.conditions),
            awake="" if asked.archived or asked.awake else " and p.archived_at is null",
        )
        self._columns, self._where, self._awake, self._beside = words
        self._binds = asked.binds | {"most": most}
        if place is not None:
            self._binds |= {f"at{number}": value for number, value in enumerate(place)}
        self._full = [one for one in _numbers(asked.binds["kb_full"]) if asked.project in (None, one)]
        """The projects of which the caller sees all but what a level keeps from them."""

    def rows(self) -> list[Any]:
        """Raises InvalidInput where too many would have to be sorted."""
        if (ids := self._few()) is not None:
            return self._sorted(ids)
        found = None if self._filtered() else self._by_project()
        if found is None:
            found = self._walked(_LOOKED_AT)
        return self._all() if found is None else found

    def place(self, row: Any) -> list[Any]:
        """Where one of these stands in the order, as `place` says it."""
        if self._whole:
            return [*(row[f"sort{number}"] for number in range(len(self._keys))), row["id"]]
        return [*row[1:], row[0]]

    def _select(self, sql: str, **more: Any) -> list[Any]:
        select = self._tx.all if self._whole else self._tx.tuples
        return select(sql, **self._binds, **more)

    def _filtered(self) -> bool:
        """Whether many may have to be looked at between two that fit."""
        return bool(self._asked.named) or (self._asked.lane is not None and not self._lane_by_rank())

    def _lane_by_rank(self) -> bool:
        """Whether an index of the lanes of each project has this order."""
        return self._asked.lane is not None and self._asked.sort == "rank"

    def _all(self) -> list[Any]:
        number, ids = self._seen(MOST_SORTED)
        for named in self._asked.named:
            counted = self._count(named, MOST_SORTED)
            number, ids = min((counted, named), (number, ids))
        if number <= MOST_SORTED:
            return self._sorted(ids)
        found = self._by_project()
        if found is None:
            found = self._walked(None)
        if found is None:
            raise InvalidInput(
                f"Sorting by {self._asked.sort} would put more than {MOST_SORTED:,} issues in order:"
                f" name a project, an assignee, a sprint or a parent, {self._instead()}.",
                field="sort",
                allowed=list(SORTS),
            )
        return found

    def _instead(self) -> str:
        leave_out = self._asked.archived and self._asked.sort not in ("priority", "title")
        return "leave out what is archived, or sort by key" if leave_out else "or sort by key"

    # -- some are sorted ---------------------------------------------------------------------------------

    def _few(self) -> str | None:
        """A select of ids among which all are that fit, so few that they are sorted sooner than an index is walked
        along until there is a page of them; None where they are not known to be few."""
        ordered = self._full and not self._filtered() and self._ordered_by_project()
        if ordered:
            return None
        last = self._tx.value("select max(id) from issue") or 0
        few = math.isqrt(self._most * last // _SORTING)
        for ids in self._asked.named:
            if self._count(ids, few) <= few:
                return ids
        if len(self._full) > _FEW_PROJECTS:
            return None
        number, ids = self._seen(few)
        return ids if number <= few else None

    def _count(self, ids: str, most: int) -> int:
        sql = f"select count(*) from (select 1 from ({ids}) limit {most + 1})"
        return int(self._tx.value(sql, **self._binds))

    def _sorted(self, ids: str) -> list[Any]:
        found = self._tx.tuples(
            f"select i.id, {self._sorts} from ({ids}) n cross join issue i on i.id = n.id"
            f"{self._beside} where {self._where}{self._awake}{self._behind()} order by {self._order()} limit :most",
            **self._binds,
        )
        if not self._whole:
            return found
        # no more is sorted than what it goes by: rows are long
        rows = {
            row["id"]: row
            for row in self._tx.all(
                "select * from issue where id in (select value from json_each(:ids))",
                ids=json_array(ident for ident, *_ in found),
            )
        }
        names = [f"sort{number}" for number in range(len(self._keys))]
        return [rows[ident] | dict(zip(names, values, strict=True)) for ident, *values in found]

    def _behind(self) -> str:
        if self._place is None:
            return ""
        names = ", ".join(f":at{number}" for number in range(len(self._place)))
        return f" and ({', '.join((*self._keys, 'i.id'))}) {self._sign} ({names})"

    def _order(self) -> str:
        return ", ".join(f"{one} {self._direction}" for one in (*self._keys, "i.id"))

    # -- what the caller sees ----------------------------------------------------------------------------

    def _seen(self, most: int) -> tuple[int, str]:
        """(how many, a select of the ids) of all that the caller sees, and some others; of what no counts are kept, one
        more than `most` are counted at most."""
        number, parts = 0, self._loose()
        if parts:
            number = self._count(" union ".join(parts), most)
        if self._full:
            lane = self._asked.lane is not None
            sql = f"select coalesce(sum(issues), 0) from project_count where {'lane = :lane and ' if lane else ''}"
            number += self._tx.value(f"{sql}project in ({self._projects()})", **self._binds)
            there = "" if self._asked.archived else " and i.archived_at is null and i.deleted_at is null"
            by_lane = " indexed by issue_lane" if lane and there else ""
            ids = f"select i.id from issue i{by_lane} where i.project in ({self._projects()})"
            parts.append(f"{ids}{there}{' and i.lane = :lane' if by_lane else ''}")
        return number, " union ".join(parts) or "select null as id where 0"

    def _projects(self) -> str:
        """A select of the projects of which the caller sees all, of those that were asked for."""
        this = "p.id = :project and " if self._asked.project is not None else ""
        return f"select p.id from project p where {this}p.id in (select value from json_each(:kb_full)){self._awake}"

    def _loose(self) -> list[str]:
        """Selects of the ids of other issues, of which they see some."""
        whole = self._asked.project is not None and self._full
        return [] if whole else issue_access.elsewhere(self._tx)

    # -- along an index that each project has ------------------------------------------------------------

    def _ordered_by_project(self) -> bool:
        """Whether each project has an index in this order; those by rank and time leave out what is archived."""
        return self._sort.index is not None and (not self._asked.archived or self._sort.column == "number")

    def _by_project(self) -> list[Any] | None:
        if not self._full or not self._ordered_by_project():
            return None
        return self._merged() if self._asked.project is None else self._walked(None)

    def _merged(self) -> list[Any]:
        """One issue of each project waits in a queue, by their order: the first leaves it and lets its next one in."""
        column, by_key, direction = self._sort.column, self._sort.column == "number", self._direction
        keys = [f"sort{number}" for number in range(len(self._keys))]
        places = [*range(3, 3 + len(keys)), 2]
        ahead = f" and p.key {self._sign}= :at0" if by_key and self._place is not None else ""
        loose = " union ".join(self._loose())
        others = f"""
  union all
  select null, i.id, {", ".join(self._keys)} from ({loose}) n cross join issue i on i.id = n.id
    {self._beside} where i.project not in (select value from json_each(:kb_full))
    and {self._where}{self._awake}{self._behind()}"""
        return self._select(
            f"""
with recursive queue (project, id, {", ".join(keys)}) as (
  select p.id, n.id, {"p.key, n.number" if by_key else f"n.{column}"}
    from project p cross join issue n on n.id = {self._next("p.id", self._first())}
    where p.id in ({self._projects()}){ahead}
  {others if loose else ""}
  union all
  select q.project, n.id, {"q.sort0, n.number" if by_key else f"n.{column}"}
    from queue q cross join issue n on n.id = {self._next("q.project", self._following())}
  order by {", ".join(f"{place} {direction}" for place in places)} limit :most
)
select {self._columns}, {", ".join(keys)} from queue q cross join issue i on i.id = q.id
"""
        )

    def _next(self, project: str, behind: str) -> str:
        """The first issue of a project that fits, behind a place."""
        there = "" if self._asked.archived else " and i.archived_at is null"
        index = "issue_lane" if self._lane_by_rank() else self._sort.index
        order = f"i.{self._sort.column} {self._direction}, i.id {self._direction}"
        return (
            f"(select i.id from issue i indexed by {index} where i.project = {project}{behind}"
            f" and i.deleted_at is null{there} and {self._where} order by {order} limit 1)"
        )

    def _first(self) -> str:
        if self._place is None:
            return ""
        if self._sort.column == "number":
            before_all = 0 if self._sign == ">" else 1 << 62
            return f" and i.number {self._sign} iif(p.key = :at0, :at1, {before_all})"
        return f" and (i.{self._sort.column}, i.id) {self._sign} (:at0, :at1)"

    def _following(self) -> str:
        if self._sort.column == "number":
            return f" and i.number {self._sign} q.sort1"
        return f" and (i.{self._sort.column}, i.id) {self._sign} (q.sort0, q.id)"

    # -- along one index ---------------------------------------------------------------------------------

    def _walked(self, most: int | None) -> list[Any] | None:
        """The first that fit along an index; None where none has this order, and where more than so many would have to
        be looked at."""
        stretches = self._stretches()
        if stretches is None:
            return None
        found: list[Any] = []
        for stretch in stretches:
            found += self._along(stretch, self._most - len(found), most)
            if len(found) == self._most:
                break
            if most is not None:
                most -= self._length(stretch, most)
                if most <= 0:
                    return None
        return found

    def _along(self, stretch: _Stretch, left: int, most: int | None) -> list[Any]:
        if most is None and not self._beside:
            where, order = self._walk(stretch)
            return self._select(
                f"select {self._columns}, {self._sorts} from issue i {stretch.how}"
                f" where {where} and {stretch.fits} and {self._where} order by {order} limit :left",
                left=left,
                **_places(stretch),
            )
        return self._select(
            f"select {self._columns}, {self._sorts} from ({self._ids(stretch)}) n cross join issue i on i.id = n.id"
            f"{self._beside} where {stretch.fits} and {self._where}{self._awake} limit :left",
            left=left,
            looked_at=-1 if most is None else most,
            **_places(stretch),
        )

    def _length(self, stretch: _Stretch, most: int) -> int:
        sql = f"select count(*) from ({self._ids(stretch)})"
        return int(self._tx.value(sql, looked_at=most, **self._binds, **_places(stretch)))

    def _ids(self, stretch: _Stretch) -> str:
        where, order = self._walk(stretch)
        return f"select id from issue {stretch.how} where {where} order by {order} limit :looked_at"

    def _walk(self, stretch: _Stretch) -> tuple[str, str]:
        """(where it is wanted, in which order)."""
        where = stretch.where
        if stretch.behind is not None:
            names = ", ".join(f":{name}" for name in _places(stretch))
            where += f" and ({', '.join(stretch.columns)}) {self._sign} ({names})"
        return where, ", ".join(f"{column} {self._direction}" for column in stretch.columns)

    def _stretches(self) -> Iterable[_Stretch] | None:
        """The pieces of an index in which the issues lie in this order, from the place on; None where none has it."""
        asked, name = self._asked, self._asked.sort
        place = tuple(self._place) if self._place is not None else None
        there = "archived_at is null and deleted_at is null"
        if asked.project is not None and self._ordered_by_project():
            within, column = "project = :project", str(self._sort.column)
            if column == "number":
                return [_Stretch("indexed by issue_number", within, ("number",), place and place[1:2])]
            index = self._sort.index
            if self._lane_by_rank():
                index, within = "issue_lane", f"{within} and lane = :lane"
            return [_Stretch(f"indexed by {index}", f"{within} and {there}", (column, "id"), place)]
        if name in ("created", "updated") and not asked.archived:
            if name == "updated" and "updated_since" in self._binds:
                there += " and updated_at >= :updated_since"
            return [_Stretch(f"indexed by issue_{name}", there, (f"{name}_at", "id"), place)]
        if name == "due":
            return _by_due(place)
        return self._by_lane(place) if name == "status" else None

    def _by_lane(self, place: tuple[Any, ...] | None) -> list[_Stretch] | None:
        """One lane behind the other."""
        rows = lanes.rows(self._tx)[:: -1 if self._asked.descending else 1]
        rows = [row for row in rows if self._asked.lane in (None, row["id"])]
        if len({row["position"] for row in rows}) < len(rows):
            return None
        found = []
        for row in rows:
            at = place[1:] if place is not None and row["position"] == place[0] else None
            passed = place is not None and (row["position"] < place[0]) != self._asked.descending
            if at is not None or not passed:
                where = f"lane = {row['id']} and deleted_at is null"
                found.append(_Stretch("indexed by issue_lane_uses", where, ("id",), at))
        return found


def _by_due(place: tuple[Any, ...] | None) -> list[_Stretch]:
    """Those that are due, and behind them the others, by their ids."""
    dated, behind = place is None or place[0] not in ("", _LAST), None
    found = []
    if dated:
        where = "due_date is not null and deleted_at is null"
        found.append(_Stretch("indexed by issue_due_any", where, ("due_date", "id"), place))
    elif place is not None:
        behind = place[1:]
    return [*found, _Stretch("not indexed", "1", ("id",), behind, "i.due_date is null")]


def _places(stretch: _Stretch) -> dict[str, Any]:
    return {f"from{number}": value for number, value in enumerate(stretch.behind or ())}
