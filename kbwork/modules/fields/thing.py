"""Fields as subjects, and what must hold after undo set one, an option or a value back."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.core.access import visibility
from kbwork.core.things.synced import SyncedKind
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.tx import Read, Tracked
from kbwork.modules.fields import delete, queries, validation
from kbwork.modules.fields.catalogue import catalogue
from kbwork.modules.fields.model import MOST_FIELDS, FieldPurged
from kbwork.modules.projects import access

_REF = "(f.key = :ref or f.id = cast(:ref as integer))"
_OPTION = "exists (select 1 from field_option o where o.id = v.value and o.field = v.field)"
_NUMBER = "typeof(v.value) in ('integer', 'real') and v.unit is"
_DAY = "v.value glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'"
_FITS = f"""
case f.kind
  when 'number' then {_NUMBER} null when 'money' then {_NUMBER} not null
  when 'select' then v.position = 0 and {_OPTION} when 'multi_select' then {_OPTION} when 'cascade' then {_OPTION}
  when 'date' then {_DAY} when 'url' then v.value glob 'http*://*'
  when 'member' then v.position = 0 and v.value glob 'm_*' when 'members' then v.value glob 'm_*'
  when 'bool' then v.value in (0, 1) when 'rating' then v.value between 1 and 5
  when 'datetime' then typeof(v.value) = 'integer' when 'duration' then typeof(v.value) = 'integer'
  when 'team' then typeof(v.value) = 'integer' when 'issue' then typeof(v.value) = 'integer'
  else typeof(v.value) = 'text'
end
"""
"""The condition on `field f` and `issue_value v`: the value has the form of the field's kind."""


def _find(tx: Read, ref: str) -> Subject | None:
    row = tx.one(
        f"select f.key, f.name from field f where {_REF} and {queries.SEEN}", ref=ref, **visibility.binds(tx)
    )
    return Subject(f"field:{row['key']}", "field", row["name"], f"/fields/{row['key']}") if row else None


def _editable(tx: Read, ref: str) -> bool:
    """Admins keep all fields, and who leads all the projects of one keeps its options."""
    found = next((field for field in queries.seen(tx) if ref in (field.key, str(field.id))), None)
    return found is not None and may_keep(tx, found.projects)


def may_keep(tx: Read, projects: tuple[int, ...]) -> bool:
    """Whether the caller may set the options of a field that is for these projects."""
    if tx.caller.admin and tx.caller.projects is None:
        return True
    return bool(projects) and all(access.at_least(tx, project, "lead") for project in projects)


def _deletable(tx: Read, ref: str) -> bool:
    there = tx.value(f"select 1 from field f where {_REF}", ref=ref)
    return there is not None and tx.caller.admin and tx.caller.projects is None


def _check_field(tx: Read, place: list[Any]) -> None:
    """A field that was set back has a name of its own and room, and its values have the form of its kind."""
    row = tx.stored("field", place)
    if row is None or row["deleted_at"] is not None:
        return
    validation.require_free(tx, row)
    if len(catalogue(tx)) > MOST_FIELDS:
        raise Conflict(f"There are {MOST_FIELDS} fields already: delete one first.")
    unfit = tx.value(
        "select count(distinct v.issue) from issue_value v join field f on f.id = v.field"
        f" where f.id = :id and not ({_FITS})",
        id=row["id"],
    )
    if unfit:
        raise Conflict(
            f"{unfit} issues have a value in {row['name']} that does not fit the kind {row['kind']}."
        )


def _check_option(tx: Read, place: list[Any]) -> None:
    """An option that came back has a name of its own; one that went is used nowhere."""
    row = tx.stored("field_option", place)
    if row is not None and row["heir"] is not None:
        return
    if row is None:
        uses = tx.value(
            "select count(distinct v.issue) from field f join issue_value v on v.field = f.id and v.value = :id"
            " where f.kind in ('select', 'multi_select', 'cascade')",
            id=place[0],
        )
        if uses:
            raise Conflict(f"{uses} issues have the option now.")
        return
    doubles = tx.value(
        "select 1 from field_option where field = :field and name_key = :name_key and parent is :parent and id <> :id"
        " and heir is null",
        **{name: row[name] for name in ("field", "name_key", "parent", "id")},
    )
    if doubles is not None:
        raise Conflict(f"Another option is called {row['name']!r} now.")


def _check_value(tx: Read, place: list[Any]) -> None:
    """A value that was set back is of a field that is there, has the form of its kind as it is now, and its option."""
    unfit = tx.one(
        "select f.name, f.deleted_at from issue_value v join field f on f.id = v.field"
        " where v.issue = :issue and v.field = :field and v.position = :position"
        f" and (f.deleted_at is not null or not ({_FITS}))",
        issue=place[0],
        field=place[1],
        position=place[2],
    )
    if unfit is not None and unfit["deleted_at"] is not None:
        raise Conflict("A field that it had a value in is gone, or lies in the trash.")
    if unfit is not None:
        raise Conflict(f"What it held in {unfit['name']} is not there any more, or does not fit its kind.")


FIELD = Thing(
    name="field",
    scope="projects:read",
    home=__name__,
    seen=f"exists (select 1 from field f where {_REF} and {queries.SEEN})",
    find=_find,
    parts={"field_option": ("field",), "issue_value": ("field",)},
    tracked={"field": Tracked("field", "id", {})},
    rests_on=frozenset({"field", "field_option", "field_layout"}),
    undo=Revertible(
        editable=_editable,
        checks={"field": _check_field, "field_option": _check_option, "issue_value": _check_value},
    ),
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"field"}),
        restorable="exists (select 1 from field f where f.id = cast(:ref as integer) and f.deleted_at is not null)"
        " and :kb_admin and :kb_member",
        deleted_by="fields.delete",
        restore=delete.restore,
        purge=delete.purge,
        purged=FieldPurged,
    ),
)

FIELDS = SyncedKind(
    home=__name__,
    kind="field",
    scope="projects:read",
    columns=(
        "key",
        "name",
        "kind",
        "on",
        "options",
        "projects",
        "types",
        "default",
        "formula",
        "min",
        "max",
        "pattern",
    ),
    rows=lambda tx: queries.shown(tx, queries.seen(tx)),
)
