"""How fields and layouts follow when an issue type goes."""

import json

from kbwork.db.rows import FieldRow, IssueTypeRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules import types


def _uses(tx: Read, row: IssueTypeRow) -> int:
    """Fields that are for this type alone: without it they would be for all."""
    return sum(json.loads(each["types"]) == [row["id"]] for each in _limited(tx, row))


def _adopt(tx: Write, row: IssueTypeRow, target: IssueTypeRow) -> None:
    """The other type has its fields, and its layout in projects where that type has none of its own."""
    for field in _limited(tx, row):
        admitted = dict.fromkeys((*json.loads(field["types"]), target["id"]))
        tx.update("field", field["id"], types=json_array(admitted))
    for layout in tx.all("select * from field_layout where type = :id order by project", id=row["id"]):
        if tx.stored("field_layout", [layout["project"], target["id"]]) is None:
            tx.insert("field_layout", **layout | {"type": target["id"]})


def _leave(tx: Write, row: IssueTypeRow) -> None:
    for field in _limited(tx, row):
        left = [type_ for type_ in json.loads(field["types"]) if type_ != row["id"]]
        tx.update("field", field["id"], types=json_array(left))
    for project in tx.column("select project from field_layout where type = :id", id=row["id"]):
        tx.delete("field_layout", (project, row["id"]))


def _limited(tx: Read, row: IssueTypeRow) -> list[FieldRow]:
    """The fields that are for some types, of which this is one; deleted ones too."""
    return tx.all(
        "select * from field where exists (select 1 from json_each(types) where value = :id) order by id",
        FieldRow,
        id=row["id"],
    )


TYPED = types.TypeReferences(home=__name__, uses=_uses, adopt=_adopt, leave=_leave)
