"""Imports as subjects: for admins."""

from kbwork.base.text import whole_number
from kbwork.core.things.thing import Subject, Thing
from kbwork.db.tx import Read


def _find(tx: Read, ref: str) -> Subject | None:
    if not tx.caller.admin:
        return None
    row = tx.one("select id, source, state from import where id = :id", id=whole_number(ref))
    if row is None:
        return None
    return Subject(
        f"import:{row['id']}", "import", f"Import from {row['source']}", f"/imports/{row['id']}", row["state"]
    )


IMPORT = Thing(
    name="import",
    scope="admin",
    home=__name__,
    seen=":kb_admin and exists (select 1 from import m where m.id = cast(:ref as integer))",
    find=_find,
    of_org=True,
)
