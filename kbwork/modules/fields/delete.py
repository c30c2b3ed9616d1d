"""Taking a field away, bringing it back from the trash, and purging it; its values go and come with it."""

import itertools
import json

from kbwork.base.model import Input, Text
from kbwork.base.text import folded
from kbwork.core.operations.declare import destructive
from kbwork.core.things.cascade import Cascade
from kbwork.core.things.thing import Trashed, ref_of
from kbwork.db.rows import FieldRow
from kbwork.db.tx import Read, Write
from kbwork.modules import trash
from kbwork.modules.fields import event_payloads, queries, validation
from kbwork.modules.fields.catalogue import catalogue
from kbwork.modules.fields.layouts import rules
from kbwork.modules.fields.model import Field, FieldDeleted, FieldRestored
from kbwork.modules.projects import access

SPAN = "field:{}"
"""What the history of values calls a field, by its id."""
_SLICE = 500
_SET_RULES = "update field_layout set rules = :rules where project = :project and type = :type"


class FieldsDelete(Input):
    key: Text
    """Key, id or name of the field."""


@destructive(
    "fields.delete",
    scope="admin",
    words="remove a custom field",
    emits=[FieldDeleted],
    example={"key": "severity"},
)
def delete(tx: Write, args: FieldsDelete) -> list[Field]:
    """Put a field with its values and options into the trash. Answers the fields that are left.

    It is gone from issues and layouts at once, and comes back to them with its values by trash.restore or undo. Its key
    stays taken for ever.
    """
    field = queries.get(tx, args.key)
    tx.update("field", field.id, deleted_at=tx.now)
    project = field.projects[0] if len(field.projects) == 1 else None
    trash.put(tx, f"field:{field.id}", field.name, project=project)
    event_payloads.emit(tx, FieldDeleted, [field])
    return queries.shown(tx, queries.seen(tx))


def restore(tx: Write, thing: Trashed) -> None:
    """Bring a field back with its values; a name that was taken since gets a number. Raises Conflict without room."""
    validation.require_room(tx)
    row = tx.stored("field", [int(thing.ref)])
    assert row is not None
    name = _free_name(tx, row)
    tx.update("field", row["id"], deleted_at=None, name=name, name_key=folded(name))
    event_payloads.emit(tx, FieldRestored, [catalogue(tx)[row["id"]]])


def _free_name(tx: Read, row: FieldRow) -> str:
    names = (row["name"] if number == 1 else f"{row['name']} {number}" for number in itertools.count(1))
    return next(name for name in names if validation.beside(tx, row | {"name": name}) is None)


def purge(tx: Write, ref: str) -> bool:
    """Remove what a field held and what was told of it, some hundred rows at a time; False while there is more.

    Its row stays without content, so that its key does. What else an issue's events say stays.
    """
    ident = int(ref)
    key = tx.value("select key from field where id = :id", id=ident)
    if not (_purge_held(tx, ident) and _forget(tx, str(key))):
        return False
    for place, kept in queries.rules_of_layouts(tx):
        left = [rule for each in kept if (rule := rules.without(each, ident)) is not None]
        if left != kept:
            tx.execute(_SET_RULES, rules=json.dumps(left), project=place[0], type=place[1])
    tx.execute("delete from field_option where field = :id", id=ident)
    tx.execute("delete from field_count where field = :id", id=ident)
    tx.execute(
        "update field set name = '', name_key = '', description = '', projects = '[]', types = '[]', preset = '[]',"
        " formula = null, pattern = null where id = :id",
        id=ident,
    )
    return True


def _purge_held(tx: Write, ident: int) -> bool:
    values = tx.execute(
        "delete from issue_value where (issue, field, position) in"
        " (select issue, field, position from issue_value where field = :id limit :most)",
        id=ident,
        most=_SLICE,
    )
    spans = tx.execute(
        "delete from span where id in (select id from span where field = :name limit :most)",
        name=SPAN.format(ident),
        most=_SLICE,
    )
    return values < _SLICE and spans < _SLICE


def _forget(tx: Write, key: str) -> bool:
    """Its events, which stand under the org and projects, and its values in those of issues."""
    members = (f'$.changes."values.{key}"', "$.dropped.values")
    return trash.forget_members(tx, f"field:{key}", "issue.*", members) and trash.forget(tx, f"field:{key}")


def _purge_values(tx: Write, subject: str) -> None:
    """The values of an issue go for good with it, and the layouts of a project."""
    kind, ref = ref_of(subject)
    if kind == "issue":
        tx.execute("delete from issue_value where issue = :id", id=int(ref))
    elif kind == "project":
        project = access.purged(tx, ref)
        tx.execute("delete from field_count where project = :id", id=project)
        tx.execute("delete from field_layout where project = :id", id=project)


VALUES = Cascade(name="values", home=__name__, purge=_purge_values)
