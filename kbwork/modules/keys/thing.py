"""Keys as subjects: their owner and admins see them."""

from kbwork.core.things.thing import Subject, Thing
from kbwork.db.rows import KeyRow
from kbwork.db.tx import Read
from kbwork.modules.keys import queries


def _find(tx: Read, ref: str) -> Subject | None:
    row = tx.one("select * from key where id = :id", KeyRow, id=ref)
    if row is None or not (tx.caller.admin or row["owner"] == tx.caller.member):
        return None
    return Subject(f"key:{ref}", "key", row["name"], "/keys", queries.state(row, tx.now))


KEY = Thing(
    name="key",
    scope="keys:read",
    home=__name__,
    seen="exists (select 1 from key k where k.id = :ref and (k.owner = :kb_me or :kb_admin))",
    find=_find,
    of_org=True,
)
