"""Assets as subjects."""

from kbwork.core.things.thing import Revertible, Subject, Thing
from kbwork.db.tx import Read
from kbwork.modules.assets import ops, queries, type_fields
from kbwork.modules.assets.commentable import COMMENTABLE, FILEABLE, THERE
from kbwork.modules.assets.searchable import SEARCHABLE


def _find(tx: Read, ref: str) -> Subject | None:
    row = queries.find(tx, ref)
    if row is None:
        return None
    return Subject(
        f"asset:{row['key']}",
        "asset",
        f"{row['key']} {row['name']}",
        f"/assets/{row['key']}",
        row["status"],
        bare=row["name"],
    )


ASSET = Thing(
    name="asset",
    table="asset",
    scope="assets:read",
    home=__name__,
    seen=queries.SEEN,
    find=_find,
    binds=queries.binds,
    of_org=True,
    there=THERE,
    comments=COMMENTABLE,
    files=FILEABLE,
    search=SEARCHABLE,
    order=6,
    undo=Revertible(
        editable=lambda tx, ref: queries.may_change(tx),
        volatile=frozenset({"updated_at", "numbers"}),
        checks={"asset_type": type_fields.after_undo, "asset_value": ops.after_undo},
    ),
)
