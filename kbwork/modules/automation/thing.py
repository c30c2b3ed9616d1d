"""Rules as subjects: admins see them."""

from kbwork.base.text import whole_number
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.tx import Read


def _find(tx: Read, ref: str) -> Subject | None:
    number = whole_number(ref)
    row = tx.stored("rule", [number]) if number is not None and tx.caller.admin else None
    if row is None:
        return None
    return Subject(
        f"rule:{row['id']}",
        "rule",
        row["name"],
        f"/settings/rules/{row['id']}",
        "on" if row["enabled"] else "off",
    )


RULE = Thing(
    name="rule",
    scope="admin",
    home=__name__,
    seen="exists (select 1 from rule r where r.id = cast(:ref as integer) and :kb_admin)",
    find=_find,
    of_org=True,
)
