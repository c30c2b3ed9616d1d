"""Values as the shapes hold them: lane names, type keys, days as text, lists for what has several."""

import datetime
from typing import Any

from kbwork.db.tx import Read
from kbwork.modules.tql.model import TqlColumn
from kbwork.modules.tql.names import lookup
from kbwork.modules.tql.names.db_names import own_fields
from kbwork.tql import tree as t
from kbwork.tql.fields import FieldKind
from kbwork.tql.kinds import kind_of
from kbwork.tql.normal_form import normal

DEFAULTS = {
    "issues": "key type title status priority assignee due updated",
    "comments": "id on author text created",
    "assets": "key name type status owner created updated",
    "attachments": "id name kind size author created",
    "projects": "key name kind lead visibility label health start due archived_at created",
    "members": "name handle email role team state title zone created",
}
"""What is told of a source where nothing is selected."""


def header(value: t.Value, name: str = "") -> TqlColumn:
    """What stands above a column."""
    said = name or (value.name if isinstance(value, t.ColumnNode) and not value.steps else normal(value))
    title = name or said[:1].upper() + said[1:].replace("_", " ")
    target = kind_of(value)
    kind = "list" if isinstance(value, t.AggregateNode) and value.name == "list" else target.kind.name.lower()
    return TqlColumn(name=said, kind=kind, title=title)


class Cells:
    """Makes cells of the evaluator's plain values."""

    def __init__(self, tx: Read) -> None:
        self._tx = tx

    def cell(self, value: t.Value, found: Any) -> Any:
        """`found`: None, one value or a tuple."""
        target = kind_of(value)
        listed = isinstance(value, t.AggregateNode) and value.name == "list"
        if isinstance(found, tuple) or target.many or listed:
            several = found if isinstance(found, tuple) else () if found is None else (found,)
            return [told for one in several if (told := self._one(target, one)) is not None]
        return None if found is None else self._one(target, found)

    def one_of(self, value: t.Value, found: Any) -> Any:
        """One value of what may have several, such as the key of a group."""
        return None if found is None else self._one(kind_of(value), found)

    def _one(self, target: t.ColumnNode, found: Any) -> Any:
        if isinstance(found, datetime.date):
            return found.isoformat()
        if target.kind in (FieldKind.NAME, FieldKind.SUBJECT) and target.domain:
            return self._named(target.domain, found)
        return found

    def _named(self, domain: str, found: Any) -> Any:
        text = str(found)
        if domain == "project":
            return self._projects().get(text)
        if domain.startswith("field:"):
            return self._options(domain).get(text, text)
        if domain in ("type", "status", "label", "component", "asset_type"):
            return lookup.names(self._tx, domain).get(int(text) if text.isdigit() else text)
        return None if domain == "level" and found == "project" else found

    def _projects(self) -> dict[str, str]:
        known: dict[str, str] = self._tx.memoized(
            "tql project keys", lambda: {one.id: one.key for one in lookup.projects(self._tx)}
        )
        return known

    def _options(self, domain: str) -> dict[str, str]:
        own = own_fields(self._tx).get(f"cf.{domain.removeprefix('field:')}")
        return {} if own is None else {str(option.id): option.name for option in own.options}
