"""Webhooks as subjects: admins see them."""

from kbwork.base.text import whole_number
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.tx import Read
from kbwork.modules.webhooks import queries


def _find(tx: Read, ref: str) -> Subject | None:
    number = whole_number(ref)
    row = tx.stored("webhook", [number]) if number is not None and tx.caller.admin else None
    if row is None:
        return None
    return Subject(
        f"webhook:{row['id']}", "webhook", row["name"], f"/settings/webhooks/{row['id']}", queries.state(row)
    )


WEBHOOK = Thing(
    name="webhook",
    scope="admin",
    home=__name__,
    seen="exists (select 1 from webhook w where w.id = cast(:ref as integer) and :kb_admin)",
    find=_find,
    of_org=True,
)
