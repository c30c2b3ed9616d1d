"""Views as rows and as answers."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.errors import Problem
from kbwork.base.text import folded
from kbwork.core.access import visibility
from kbwork.db.rows import ViewRow
from kbwork.db.tx import Read, Row
from kbwork.modules.tql import SavedViews, kept_names, query_parser
from kbwork.modules.views import access
from kbwork.modules.views.model import Subscription, View
from kbwork.tql.names import SavedText

_SHOWN = (
    "select v.*, p.key as project_key, s.every as subscribed from view v left join project p on p.id = v.project"
    " left join view_subscription s on s.view = v.id and s.member = :kb_me"
)


def rows(tx: Read, *, project: int | None = None, q: str = "", mine: bool = False) -> list[Row]:
    """The views that the caller sees, by name; each word of `q` stands in the name."""
    found = tx.all(
        f"{_SHOWN} where v.id in ({access.ALL_SEEN}) and (:project is null or v.project = :project)"
        " and (:mine = 0 or v.owner = :kb_me) order by v.name_key, v.id",
        project=project,
        mine=int(mine),
        **visibility.binds(tx),
    )
    words = folded(q).split()
    return [row for row in found if all(word in row["name_key"] for word in words)]


def one(tx: Read, ident: int) -> Row:
    """One that is there, with what answers show of it."""
    row = tx.one(f"{_SHOWN} where v.id = :id", id=ident, kb_me=tx.caller.member or "")
    assert row is not None
    return row


def shown(tx: Read, row: Row, count: Callable[[Row], int]) -> View:
    """A row of these as an answer; `count` tells how many rows it has."""
    texts = KeptTexts(tx, row)
    return View(
        id=row["id"],
        name=row["name"],
        tql=texts.tql,
        layout=row["layout"],
        columns=json.loads(texts.fields["columns"]),
        group_by=texts.fields["group_by"],
        subgroup_by=texts.fields["subgroup_by"],
        sort=texts.fields["sort"],
        project=row["project_key"],
        owner=row["owner"],
        shared=bool(row["shared"]),
        icon=row["icon"],
        external=row["external"],
        subscribed=row["subscribed"],
        count=count(row),
        notices=texts.notices,
    )


class KeptTexts:
    """The texts of a view by the present names of what they meant when they were kept; as they are where they cannot
    be asked."""

    def __init__(self, tx: Read, row: Mapping[str, Any]) -> None:
        self._tx = tx
        self._names = row["names"]
        self._source = ""
        self.tql: str = row["tql"]
        self.notices: list[str] = []
        try:
            asked = query_parser.query(tx, self.tql, meant=kept_names.of(self._names, self.tql))
            self.tql, self._source = asked.checked.present(self.tql), asked.source
            self.notices = list(asked.checked.notices)
        except Problem:
            pass
        columns, order = json.loads(row["columns"]), row["sort"] or ""
        field = order.removeprefix("-").strip()
        self.fields: dict[str, Any] = {
            "columns": json.dumps([self._value(one) for one in columns], ensure_ascii=False),
            "group_by": row["group_by"] and self._value(row["group_by"]),
            "subgroup_by": row["subgroup_by"] and self._value(row["subgroup_by"]),
            "sort": row["sort"] and f"{'-' if order.startswith('-') else ''}{self._value(field)}",
        }
        """Its columns, groups and order, as the row has them."""

    def _value(self, text: str) -> str:
        meant = kept_names.of(self._names, text)
        return query_parser.present_value(self._tx, text, self._source, meant) if self._source else text


def _text(tx: Read, name: str) -> SavedText | None:
    """What the view of a name asks; the caller's own before those of others, the oldest before later ones."""
    if not visibility.reads(tx, "view"):
        return None
    found = tx.one(
        f"select v.tql, v.names from view v where v.id in ({access.ALL_SEEN}) and v.name_key = :name"
        " order by v.owner <> :kb_me, v.id limit 1",
        name=folded(name),
        **visibility.binds(tx),
    )
    if found is None:
        return None
    return SavedText(found["tql"], kept_names.of(found["names"], found["tql"]))


SAVED = SavedViews(home=__name__, text=_text)


def subscriptions(tx: Read, row: ViewRow) -> list[Subscription]:
    """Who gets the view by mail: all of them for who may change that, else the caller alone."""
    found = tx.all(
        "select s.member, s.every, s.minute from view_subscription s join member m on m.id = s.member"
        " where s.view = :view and (:all or s.member = :me) order by lower(m.name), s.member",
        view=row["id"],
        me=tx.caller.member,
        all=int(access.may_subscribe_others(tx, row)),
    )
    return [Subscription(who=one["member"], every=one["every"], at=_clock(one["minute"])) for one in found]


def _clock(minute: int | None) -> str | None:
    return None if minute is None else f"{minute // 60:02d}:{minute % 60:02d}"
