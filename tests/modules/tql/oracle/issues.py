"""Issues for the evaluator."""

from collections.abc import Iterable, Sequence
from typing import Any

from kbwork.db.tx import Row, json_array
from kbwork.modules import assets
from kbwork.modules.projects import ISSUE_SEEN
from kbwork.modules.tql.compile import field_history
from kbwork.modules.tql.items.relations import walked, ways
from kbwork.modules.tql.sources import sources
from kbwork.modules.workflows import lanes
from kbwork.tql.items import Item, Spell
from tests.modules.tql.oracle.loaders import Getter, ItemLoader, LoadedItem, Loader, beside, column, lists
from tests.modules.tql.oracle.own_fields import LEADS_TO, own_fields

COMMENT_SEEN = "c.deleted_at is null and (c.internal = 0 or not :kb_guest)"
_CHOICES = frozenset({"select", "multi_select", "cascade", "team"})


def _side(sql: str) -> Loader:
    """Lists of values by issue."""
    return lambda shelf, ids: lists(shelf.rows(sql, ids=json_array(ids), me=shelf.tx.caller.member or ""))


def _single(sql: str) -> Loader:
    """One value by issue."""

    def load(shelf: ItemLoader, ids: list[Any]) -> dict[Any, Any]:
        rows = shelf.rows(sql, ids=json_array(ids), me=shelf.tx.caller.member or "")
        return {row["id"]: row["value"] for row in rows}

    return load


def _up(shelf: ItemLoader, ids: list[Any]) -> dict[Any, tuple[Any, ...]]:
    return walked(shelf.tx, sources(shelf.tx)["issues"], ids, "under")


def _children(shelf: ItemLoader, ids: list[Any]) -> dict[Any, tuple[Any, ...]]:
    sql = (
        "select i.parent as id, i.id as value from issue i"
        f" where i.parent in (select value from json_each(:ids)) and {ISSUE_SEEN} order by i.rank, i.id"
    )
    return lists(shelf.rows(sql, ids=json_array(ids)))


_IN = "in (select value from json_each(:ids))"
_LOADERS: dict[str, Loader] = {
    "label": _side(
        "select u.issue as id, cast(u.label as text) as value from issue_label u join label l on l.id = u.label"
        f" where u.issue {_IN} order by u.issue, l.name_key, l.id"
    ),
    "component": _side(
        "select u.issue as id, cast(u.component as text) as value from issue_component u"
        f" join component c on c.id = u.component where u.issue {_IN} order by u.issue, c.name_key, c.id"
    ),
    "assignee": _side(
        f"select issue as id, who as value from issue_assignee where issue {_IN} order by issue, position"
    ),
    "watcher": _side(
        f"select issue as id, who as value from issue_watcher where issue {_IN} order by issue, who"
    ),
    "voter": _side(f"select issue as id, who as value from issue_vote where issue {_IN} order by issue, who"),
    "starrer": _side(
        f"select issue as id, member as value from star where issue {_IN} order by issue, member"
    ),
    "comments": _side(
        "select cast(substr(c.subject, 7) as integer) as id, c.id as value from comment c"
        f" where c.subject in (select 'issue:' || value from json_each(:ids)) and {COMMENT_SEEN}"
        " order by c.subject, c.created_at, c.id"
    ),
    "comment": _side(
        "select cast(substr(c.subject, 7) as integer) as id, c.body as value from comment c"
        f" where c.subject in (select 'issue:' || value from json_each(:ids)) and {COMMENT_SEEN}"
        " order by c.subject, c.created_at, c.id"
    ),
    "commented": _single(
        "select cast(substr(c.subject, 7) as integer) as id, max(c.created_at) as value from comment c"
        f" where c.subject in (select 'issue:' || value from json_each(:ids)) and {COMMENT_SEEN} group by c.subject"
    ),
    "mark": _single(
        "select cast(substr(subject, 7) as integer) as id, at as value from mark where member = :me"
        " and subject in (select 'issue:' || value from json_each(:ids))"
    ),
    "marked": _single(
        "select cast(substr(subject, 7) as integer) as id, seq as value from mark where member = :me"
        " and subject in (select 'issue:' || value from json_each(:ids))"
    ),
    "updater": _single(
        "select i.value as id, (select e.actor from events e where e.subject = 'issue:' || i.value"
        " and e.kind in ('issue.created', 'issue.updated', 'issue.transitioned') order by e.seq desc limit 1) as value"
        " from json_each(:ids) i"
    ),
    "blocking": _single(
        "select r.src as id, 1 as value from relation r join relation_kind k on k.id = r.kind and k.blocks"
        f" join issue i on i.id = r.dst where r.src {_IN} and i.category <> 'done' and {ISSUE_SEEN}"
    ),
    "ancestors": _up,
    "children": _children,
    "versions": _side(
        f"select issue as id, issue || '/' || revision as value from issue_revision where issue {_IN}"
        " order by issue, revision"
    ),
    "attachments": _side(
        "select cast(substr(subject, 7) as integer) as id, id as value from attachment"
        " where subject in (select 'issue:' || value from json_each(:ids)) and deleted_at is null order by subject, id"
    ),
    "checks": _side(
        f"select issue as id, id as value from check_item where issue {_IN} order by issue, position, id"
    ),
    "assets": _side(
        f"select l.issue as id, l.asset as value from asset_issue l where l.issue {_IN} and {assets.SEEN}"
        " order by l.issue, l.created_at, l.asset"
    ),
    "titles": lambda shelf, ids: _rows_by(
        shelf.rows(
            f"select issue as id, at, who, title from issue_revision where issue {_IN} order by issue, revision",
            ids=json_array(ids),
        )
    ),
}


def _rows_by(rows: list[Row]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(row)
    return found


def _parent(issue: LoadedItem) -> int | None:
    """The parent's id, where the caller sees it."""
    found = issue.shelf.take([issue.row["parent"]]) if issue.row["parent"] is not None else []
    return found[0].at if found else None


def _keyed(issue: LoadedItem, ident: int | None) -> str | None:
    found = issue.shelf.take([ident]) if ident is not None else []
    return found[0].id if found else None


def _root(issue: LoadedItem) -> int | None:
    """The topmost of those above it."""
    above: tuple[int, ...] = issue.side("ancestors") or ()
    return above[-1] if above else None


def _epic(issue: LoadedItem) -> int | None:
    above: tuple[int, ...] = issue.side("ancestors") or ()
    return next((one.at for one in issue.shelf.take(above) if one.row["level_no"] == 1), None)


def _text(issue: LoadedItem) -> tuple[str, ...]:
    said = issue.side("comment") if "comments:read" in issue.shelf.tx.caller.scopes else None
    return (issue.row["title"], issue.row["body"], *(said or ()))


def _comment_count(issue: LoadedItem) -> int:
    inner = 0 if issue.shelf.tx.caller.guest else issue.row["internal_comments"]
    return int(issue.row["comments"] + inner)


def _done_children(issue: LoadedItem) -> int:
    return sum(child.row["category"] == "done" for child in issue.shelf.take(issue.side("children") or ()))


def _progress(issue: LoadedItem) -> float | None:
    """The share of its children that are done, in percent; none where it has no children."""
    children = issue.side("children") or ()
    return 100 * _done_children(issue) / len(children) if children else None


def _between(end: str, begin: str) -> Getter:
    def length(issue: LoadedItem) -> int | None:
        last, first = issue.row[end], issue.row[begin]
        return None if last is None or first is None else int(last - first)

    return length


def _unread(issue: LoadedItem) -> bool:
    """The caller watches it, and it changed since they looked."""
    me = issue.shelf.tx.caller.member
    return me in (issue.side("watcher") or ()) and (issue.side("marked") or 0) < issue.row["seq"]


def _assets(issue: LoadedItem) -> tuple[str, ...]:
    return tuple(one.id for one in issue.shelf.library.shelf("assets").take(issue.side("assets") or ()))


def _has_me(name: str) -> Getter:
    return lambda issue: (issue.shelf.tx.caller.member or "") in (issue.side(name) or ())


_GETTERS: dict[str, Getter] = {
    "text": _text,
    "title": column("title"),
    "body": lambda issue: issue.row["body"] or None,
    "comment": beside("comment"),
    "project": lambda issue: str(issue.row["project"]),
    "type": lambda issue: str(issue.row["type"]),
    "status": lambda issue: str(issue.row["lane"]),
    "category": column("category"),
    "outcome": column("outcome"),
    "priority": column("priority"),
    "level": lambda issue: issue.row["level"] or "project",
    "source": column("source"),
    "external": column("external"),
    "reporter": column("reporter"),
    "creator": column("created_by"),
    "estimate": column("estimate"),
    "rank": column("rank"),
    "level_no": column("level_no"),
    "votes": column("votes"),
    "number": column("number"),
    "id": column("id"),
    "spent": lambda _issue: 0,
    "created": column("created_at"),
    "updated": column("updated_at"),
    "started": column("started_at"),
    "closed": column("done_at"),
    "status_since": column("status_at"),
    "archived_at": column("archived_at"),
    "start": column("start_date"),
    "due": column("due_date"),
    "viewed": beside("mark"),
    "asset": _assets,
    "checks": column("checks"),
    "checks_done": column("checks_done"),
    "label": beside("label"),
    "component": beside("component"),
    "assignee": beside("assignee"),
    "watcher": beside("watcher"),
    "voter": beside("voter"),
    "updater": beside("updater"),
    "commented": beside("commented"),
    "comments": _comment_count,
    "watchers": lambda issue: len(issue.side("watcher") or ()),
    "children": lambda issue: len(issue.side("children") or ()),
    "children_done": _done_children,
    "progress": _progress,
    "age": lambda issue: issue.shelf.tx.now - issue.row["created_at"],
    "cycle": _between("done_at", "started_at"),
    "lead": _between("done_at", "created_at"),
    "key": lambda issue: issue.id,
    "parent": lambda issue: _keyed(issue, issue.row["parent"]),
    "root": lambda issue: _keyed(issue, _root(issue)),
    "epic": lambda issue: _keyed(issue, _epic(issue)),
    "blocked": lambda issue: issue.row["blockers"] > 0,
    "blocking": lambda issue: issue.row["category"] != "done" and bool(issue.side("blocking")),
    "watched": _has_me("watcher"),
    "voted": _has_me("voter"),
    "starred": _has_me("starrer"),
    "archived": lambda issue: issue.row["archived_at"] is not None,
    "locked": lambda issue: bool(issue.row["locked"]),
    "restricted": lambda issue: issue.row["level"] not in (None, "public"),
    "unread": _unread,
}


class IssueLoader(ItemLoader):
    """All issues that were looked at."""

    sql = (
        "select i.*, p.key as project_key from issue i join project p on p.id = i.project"
        f" where i.id in (select value from json_each(:ids)) and {ISSUE_SEEN}"
    )
    every = f"select i.id from issue i where {ISSUE_SEEN} order by i.id"
    name_of = staticmethod(lambda row: f"{row['project_key']}-{row['number']}")
    dated = True
    getters = _GETTERS
    loaders = _LOADERS
    followers = {  # noqa: RUF012 - a table of the class, which nobody changes
        "parent": ("issues", _parent),
        "root": ("issues", _root),
        "epic": ("issues", _epic),
        "project": ("projects", column("project")),
        "asset": ("assets", beside("assets")),
        "reporter": ("members", column("reporter")),
        "creator": ("members", column("created_by")),
        **{name: ("members", beside(name)) for name in ("assignee", "watcher", "voter", "updater")},
    }

    def loader(self, name: str) -> Loader:
        if name.startswith("past:"):
            return lambda shelf, ids: _spells(shelf, name.removeprefix("past:"), ids)
        if name.startswith("cf."):
            return lambda shelf, ids: _own(shelf, name, ids)
        if name.startswith("raw:"):
            return lambda shelf, ids: _raw(shelf, name.removeprefix("raw:"), ids)
        return super().loader(name)

    def getter(self, name: str) -> Getter | None:
        return (lambda issue: issue.side(name)) if name.startswith("cf.") else super().getter(name)

    def way(self, name: str) -> tuple[str, Getter] | None:
        own = own_fields(self.tx).get(name)
        if own is None:
            return super().way(name)
        return LEADS_TO[own.kind], lambda issue: issue.side(f"raw:{name}") or ()

    def spells(self, thing: LoadedItem, name: str) -> Sequence[Spell]:
        found: Sequence[Spell] = thing.side(f"past:{name}") or ()
        return found

    def related(self, thing: LoadedItem, relation: str, kind: str) -> Iterable[Item]:
        if relation in ("under", "above"):
            held = walked(self.tx, sources(self.tx)["issues"], [thing.at], relation)
            return self.take(held.get(thing.at, ()))
        found: list[int] = []
        for way in ways(self.tx, relation, kind):
            here, there = ("dst", "src") if way.turned else ("src", "dst")
            found += self.tx.column(
                f"select {there} from relation where {here} = :id and kind = :kind order by id",
                id=thing.at,
                kind=way.kind,
            )
        return self.take(found)

    def parts(self, thing: LoadedItem, collection: str) -> Iterable[Item]:
        source, name = {
            "children": ("issues", "children"),
            "comments": ("comments", "comments"),
            "watchers": ("members", "watcher"),
            "versions": ("versions", "versions"),
            "attachments": ("attachments", "attachments"),
            "checks": ("checks", "checks"),
            "linked assets": ("assets", "assets"),
        }[collection]
        return self.library.shelf(source).take(thing.side(name) or ())


def _spells(shelf: ItemLoader, name: str, ids: list[Any]) -> dict[Any, Any]:
    if name == "title":
        return _titles(shelf, ids)
    past = field_history.past_of(shelf.tx, name)
    if past is None:
        return {}
    found = field_history.spells_of(shelf.tx, past, ids)
    if name == "category":
        categories = {str(lane["id"]): lane["category"] for lane in lanes.rows(shelf.tx)}
        found = {
            one: field_history.joined(
                [Spell(categories.get(s.value, ""), s.begin, s.end, s.by) for s in spells]
            )
            for one, spells in found.items()
        }
    own = own_fields(shelf.tx).get(name)
    if name == "parent" or (own is not None and own.kind == "issue"):
        return _with_keys(shelf, found)
    return found


def _with_keys(shelf: ItemLoader, found: dict[int, list[Spell]]) -> dict[int, list[Spell]]:
    """Issues by their keys; one that the caller does not see is told as empty."""
    idents = {int(spell.value) for spells in found.values() for spell in spells}
    keys = {one.at: one.id for one in shelf.take(idents)}
    return {
        one: [Spell(keys.get(int(s.value)), s.begin, s.end, s.by) for s in spells]
        for one, spells in found.items()
    }


def _titles(shelf: ItemLoader, ids: list[Any]) -> dict[Any, list[Spell]]:
    """Titles by the revisions: each holds what was written over, when and by whom."""
    found = {}
    for thing in shelf.take(ids):
        begin, by, spells = thing.row["created_at"], thing.row["created_by"], []
        for row in thing.side("titles") or ():
            spells.append(Spell(row["title"], begin, row["at"], by))
            begin, by = row["at"], row["who"]
        found[thing.at] = field_history.joined([*spells, Spell(thing.row["title"], begin, None, by)])
    return found


def _own(shelf: ItemLoader, name: str, ids: list[Any]) -> dict[Any, Any]:
    """The values of an own field as the language compares them."""
    field = own_fields(shelf.tx).get(name)
    raw: dict[int, tuple[Any, ...]] = {one: shelf.side(f"raw:{name}", one) or () for one in ids}
    kind = "" if field is None else field.kind
    if kind in _CHOICES:
        return {one: tuple(str(value) for value in values) for one, values in raw.items()}
    if kind == "bool":
        return {one: tuple(bool(value) for value in values) for one, values in raw.items()}
    if kind in ("issue", "asset"):
        far = shelf if kind == "issue" else shelf.library.shelf("assets")
        keys = {one.at: one.id for one in far.take(value for values in raw.values() for value in values)}
        return {one: tuple(keys[value] for value in values if value in keys) for one, values in raw.items()}
    return raw


def _raw(shelf: ItemLoader, name: str, ids: list[Any]) -> dict[Any, Any]:
    """The values of an own field as they are kept; for assets their numbers."""
    field = own_fields(shelf.tx).get(name)
    if field is not None and field.kind == "asset":
        sql = (
            "select v.issue as id, a.id as value from issue_value v join asset a on a.key = v.value"
            f" where v.field = :field and v.issue {_IN} and {assets.SEEN}"
        )
        return lists(shelf.rows(sql, ids=json_array(ids), field=field.id))
    rows = shelf.rows(
        "select issue as id, value from issue_value where field = :field"
        " and issue in (select value from json_each(:ids)) order by issue, position",
        ids=json_array(ids),
        field=field.id if field is not None else 0,
    )
    return lists(rows)
