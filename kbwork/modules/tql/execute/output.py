"""Values as the shapes hold them: lane names, type keys, days as text, lists for what has several."""

import datetime
from typing import Any

from kbwork.db.tx import Read
from kbwork.modules.tql.model import TqlColumn
from kbwork.modules.tql.names import domains as names
from kbwork.tql import tree as t
from kbwork.tql.fields import FieldKind
from kbwork.tql.kinds import kind_of
from kbwork.tql.normal_form import normal


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
        return names.shown(self._tx, domain, found)
