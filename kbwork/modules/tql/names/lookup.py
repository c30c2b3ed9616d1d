"""Everything that has a name, as the caller sees it: people, projects, lanes, types, labels, teams, assets."""

import itertools
import json
from collections.abc import Iterator
from typing import Any

from kbwork.base.text import fold
from kbwork.core.access import visibility
from kbwork.db.tx import Read, Row
from kbwork.modules import assets, members
from kbwork.modules.labels import LABEL_SEEN
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.projects import ISSUE_SEEN, access
from kbwork.modules.workflows import lanes as lane_rows
from kbwork.tql.names import NamedThing

_WORKFLOWS = (
    "select distinct p.key, w.lanes from project p join project_type pt on pt.project = p.id"
    " join issue_type t on t.id = pt.type join workflow w on w.id = coalesce(pt.workflow, t.workflow, p.workflow)"
    f" where {access.SEEN} order by p.key"
)
_BARE_NAMES = """
with recursive told (name) as (
  select min(reporter) from issue where reporter > ''
  union all
  select (select min(i.reporter) from issue i where i.reporter > told.name) from told where told.name is not null
), written (name) as (
  select min(author) from comment where author > ''
  union all
  select (select min(c.author) from comment c where c.author > written.name) from written where written.name is not null
)
select name from told where name is not null union select name from written where name is not null limit 20000
"""
"""Walks the two indexes from name to name, so that it reads as many rows as there are names."""
_MOST_BARE = 20
_MOST_NEAR = 50


def people(tx: Read) -> Iterator[NamedThing]:
    """Members, those who left too, and for members of the org the agents."""
    guest = tx.caller.guest
    for row in tx.all(
        f"select m.id, m.name, m.handle, m.email from member m where {MEMBER_SEEN} order by m.name, m.id",
        **visibility.binds(tx),
    ):
        mail = "" if guest else row["email"] or ""
        yield NamedThing(row["id"], row["name"], key=row["id"], handle=row["handle"], mail=mail)
    if not guest:
        for row in tx.all("select name, label from agent order by name"):
            yield NamedThing(
                f"agent:{row['name']}", row["label"], key=f"agent:{row['name']}", handle=row["name"]
            )


def known_by_name(tx: Read, form: str) -> list[NamedThing]:
    """People who are a name only, such as imported authors, on issues and comments that the caller sees."""
    names: list[str] = tx.memoized("tql bare names", lambda: tx.column(_BARE_NAMES))
    near = [
        name
        for name in names
        if not name.startswith(("m_", "agent:", "key:")) and fold(name).startswith(form)
    ]
    found = []
    for name in near[:_MOST_BARE]:
        seen = tx.value(
            f"select exists (select 1 from issue i where i.reporter = :name and {ISSUE_SEEN})"
            " or exists (select 1 from comment c join issue i on i.id = cast(substr(c.subject, 7) as integer)"
            " where c.author = :name and c.internal = 0 and c.deleted_at is null"
            f" and substr(c.subject, 1, 6) = 'issue:' and {ISSUE_SEEN})",
            name=name,
            **visibility.binds(tx),
        )
        if seen:
            found.append(NamedThing(name, name))
    return found


def projects(tx: Read) -> Iterator[NamedThing]:
    """With their former keys; the archived ones too."""
    sight = visibility.binds(tx)
    former: dict[int, list[str]] = {}
    for row in tx.all(
        f"select k.project, k.key from project_key k join project p on p.id = k.project"
        f" where k.key <> p.key and {access.SEEN} order by k.key",
        **sight,
    ):
        former.setdefault(row["project"], []).append(row["key"])
    for row in tx.all(
        f"select p.id, p.key, p.name from project p where {access.SEEN} order by p.key", **sight
    ):
        old = tuple(former.get(row["id"], ()))
        yield NamedThing(str(row["id"]), row["name"], key=row["key"], former=old)


def lanes(tx: Read) -> Iterator[NamedThing]:
    """All lanes for members of the org; for guests those of the workflows of their projects."""
    places = _places(tx)
    for row in lane_rows.rows(tx):
        keys = places.get(row["id"], ())
        if keys or not tx.caller.guest:
            yield NamedThing(
                str(row["id"]), row["name"], key=row["key"], category=row["category"], places=tuple(keys)
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


def types(tx: Read) -> Iterator[NamedThing]:
    """All types for members of the org; for guests those of their projects."""
    rows = tx.all(
        "select t.id, t.key, t.name from issue_type t where not :kb_guest or exists (select 1 from project_type pt"
        " where pt.type = t.id and pt.project in (select value from json_each(:kb_projects)))"
        " order by t.level desc, t.id",
        **visibility.binds(tx),
    )
    for row in rows:
        yield NamedThing(str(row["id"]), row["name"], key=row["key"])


def labels(tx: Read) -> Iterator[NamedThing]:
    """Those that are used most first."""
    return _placed(
        tx,
        "select l.id, l.name, p.key from label l left join project p on p.id = l.project"
        " left join (select label, sum(issues) as uses from label_count group by label) u on u.label = l.id"
        f" where {LABEL_SEEN} order by coalesce(u.uses, 0) desc, l.name_key, l.id",
    )


def components(tx: Read) -> Iterator[NamedThing]:
    return _placed(
        tx,
        "select c.id, c.name, p.key from component c join project p on p.id = c.project"
        f" where {access.SEEN} order by c.archived, c.name_key, c.id",
    )


def _placed(tx: Read, sql: str) -> Iterator[NamedThing]:
    for row in tx.all(sql, **visibility.binds(tx)):
        yield NamedThing(str(row["id"]), row["name"], places=(row["key"],) if row["key"] else ())


def teams(tx: Read) -> Iterator[NamedThing]:
    """The admins are a team of every org."""
    for row in team_rows(tx):
        yield NamedThing(str(row["id"]), row["name"], handle=row["handle"])
    if not tx.caller.guest:
        yield NamedThing("admins", "Admins", handle="admins")


def team_rows(tx: Read) -> list[Row]:
    """The teams that the caller sees."""
    return tx.all(
        f"select t.id, t.name, t.handle, t.parent from team t where {members.TEAM_SEEN} order by t.name, t.id",
        **visibility.binds(tx),
    )


def levels(tx: Read) -> Iterator[NamedThing]:
    """Who may see an issue: words, and teams."""
    for word in ("public", "project", "private"):
        yield NamedThing(word, word, key=word)
    for team in team_rows(tx):
        yield NamedThing(f"team:{team['id']}", team["name"], handle=team["handle"], key=f"team:{team['id']}")


def asset_types(tx: Read) -> Iterator[NamedThing]:
    sight = visibility.binds(tx)
    for row in tx.all(
        f"select id, key, name from asset_type where {assets.SEEN} order by position, id", **sight
    ):
        yield NamedThing(str(row["id"]), row["name"], key=row["key"])


def latest_assets(tx: Read) -> Iterator[NamedThing]:
    """Some that were changed last, to choose from."""
    return _assets(tx, "1 order by a.updated_at desc, a.id desc limit 300")


def asset(tx: Read, key: str) -> NamedThing | None:
    return next(_assets(tx, "a.key = :key", key=key.strip().upper()), None)


def assets_called(tx: Read, form: str) -> list[NamedThing]:
    """Those whose folded name begins so."""
    near = "substr(lower(a.name), 1, length(:form)) = :form or a.name glob '*[^ -~]*'"
    found = _assets(tx, f"({near}) order by length(a.name), a.id", form=form)
    return list(itertools.islice((one for one in found if fold(one.name).startswith(form)), _MOST_NEAR))


def _assets(tx: Read, near: str, **binds: Any) -> Iterator[NamedThing]:
    rows = tx.all(
        f"select a.key, a.name from asset a where {assets.SEEN} and {near}", **binds, **visibility.binds(tx)
    )
    return (NamedThing(row["key"], row["name"], key=row["key"]) for row in rows)


def names(tx: Read, domain: str) -> dict[Any, str]:
    """How things of these domains are answered, by internal id: types by key, lanes and labels by name."""
    found: dict[Any, str] = tx.memoized(
        ("tql shown", domain), lambda: {row["id"]: row["name"] for row in tx.all(_SHOWN[domain])}
    )
    return found


_SHOWN = {
    "type": "select id, key as name from issue_type",
    "status": "select id, name from lane",
    "label": "select id, name from label",
    "component": "select id, name from component",
    "team": "select id, name from team",
    "asset_type": "select id, key as name from asset_type",
}
