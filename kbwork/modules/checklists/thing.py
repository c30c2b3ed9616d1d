"""Check items as subjects, so that an issue can be made of one."""

from kbwork.base.text import whole_number
from kbwork.core.things.thing import Promotable, PromotionSource, Revertible, Subject, Thing
from kbwork.db.rows import CheckItemRow
from kbwork.db.tx import Read, Write
from kbwork.modules import issues
from kbwork.modules.checklists import ops, queries


def _find(tx: Read, ref: str) -> Subject | None:
    row = _row(tx, ref)
    if row is None:
        return None
    issue = issues.get(tx, f"issue:{row['issue']}")
    key = issues.key_of(tx, issue)
    return Subject(f"check:{row['id']}", "check", row["text"], f"/issues/{key}", key)


def _editable(tx: Read, ref: str) -> bool:
    row = _row(tx, ref)
    return row is not None and issues.may_edit(tx, issues.get(tx, f"issue:{row['issue']}"))


def _source(tx: Read, ref: str) -> PromotionSource | None:
    row = _row(tx, ref)
    return PromotionSource(row["text"][:500], "", f"issue:{row['issue']}") if row is not None else None


def _promoted(tx: Write, ref: str, issue: int) -> None:
    """The item names what was made of it, where whoever did may edit it."""
    if not _editable(tx, ref):
        return
    item = tx.stored("check_item", [int(ref)])
    assert item is not None
    on = issues.get(tx, f"issue:{item['issue']}")
    ops.change(tx, on, item, {"promoted": issue})


def _row(tx: Read, ref: str) -> CheckItemRow | None:
    number = whole_number(ref)
    return queries.item(tx, number) if number is not None else None


CHECK = Thing(
    name="check",
    scope="issues:read",
    home=__name__,
    seen=queries.SEEN,
    find=_find,
    undo=Revertible(editable=_editable),
    promotion=Promotable(
        source=_source,
        promoted=_promoted,
    ),
)
