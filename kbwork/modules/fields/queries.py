"""Fields as the caller sees them."""

import json
from typing import Any

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.text import did_you_mean
from kbwork.core.access import visibility
from kbwork.db.tx import Read, json_array
from kbwork.modules.fields.catalogue import OwnField, catalogue, named
from kbwork.modules.fields.model import Field, FieldOption
from kbwork.modules.fields.values import display, formulas
from kbwork.modules.projects import issue_access

_PROJECT_NAMED = (
    "(p.id in (select value from json_each(:kb_projects)) or p.id in (select value from json_each(:kb_named))"
    " or p.id in (select value from json_each(:kb_trash)))"
)
"""The condition on `project p`: its key may be told to the caller; admins know of private ones and of the trash."""

_LAID_OUT = """
exists (select 1 from project_type pt left join field_layout y on y.project = pt.project and y.type = pt.type
  where pt.project in (select value from json_each(:kb_projects))
  and (f.projects = '[]' or pt.project in (select value from json_each(f.projects)))
  and (f.types = '[]' or pt.type in (select value from json_each(f.types)))
  and (y.project is null or f.id in (select value from json_each(y.on_create))
    or f.id in (select value from json_each(y.on_edit))))
"""
_NAMED = (
    "((f.projects = '[]' or exists (select 1 from project p"
    f" where p.id in (select value from json_each(f.projects)) and {_PROJECT_NAMED}))"
    f" and (not :kb_guest or f.home in ('issue', 'worklog') and {_LAID_OUT}))"
)
SEEN = f"(f.deleted_at is null and {_NAMED})"
"""The condition on `field f`: members see the fields of all projects and of those that they see, guests such as are
laid out in theirs."""

_FIRST = (
    "issue_value v on v.issue = i.id and v.position ="
    " (select min(position) from issue_value w where w.issue = v.issue and w.field = v.field)"
)
_USES = issue_access.counted("v.field", "field_count", source=f"issue i cross join {_FIRST}")
"""The few issues that count one by one are looked for first: `cross` keeps that order, a value is no place to begin."""


def deleted(tx: Read) -> list[tuple[str, str]]:
    """(key, name) of the deleted fields that the caller saw. Of one that was purged the key is left."""
    found = tx.all(
        f"select f.key, f.name from field f where f.deleted_at is not null and {_NAMED} order by f.id",
        **visibility.binds(tx),
    )
    return [(row["key"], row["name"]) for row in found]


def seen(tx: Read, *, project: int | None = None, home: str | None = None) -> list[OwnField]:
    """The fields that the caller sees; with a project those that its issues, or what hangs on them, may have."""
    idents = set(
        tx.column(
            f"select f.id from field f where {SEEN} and (:home is null or f.home = :home)",
            home=home,
            **visibility.binds(tx),
        )
    )
    return [
        field
        for field in catalogue(tx).values()
        if field.id in idents and (project is None or not field.projects or project in field.projects)
    ]


def get(tx: Read, ref: str, *, field: str = "key") -> OwnField:
    """A field by key, id or name. Raises NotFound where the caller sees none, InvalidInput for the name of several."""
    known = seen(tx)
    found = named(known, ref)
    if len(found) == 1:
        return found[0]
    keys = [each.key for each in found]
    if found:
        raise InvalidInput(
            f"{ref!r} is the name of {' and '.join(keys)}: say it by key.", field=field, allowed=keys
        )
    hint = did_you_mean(ref, [each.key for each in known])
    raise NotFound(f"There is no field {ref!r} that you can see.{hint}")


def shown(tx: Read, fields: list[OwnField]) -> list[Field]:
    """Fields, which the caller sees, in their shape."""
    sight = visibility.binds(tx)
    uses = {row["what"]: row["issues"] for row in tx.all(_USES, **sight)} if fields else {}
    projects = named_projects(tx)
    types: dict[int, str] = tx.cached(
        "type-keys", lambda: {row["id"]: row["key"] for row in tx.all("select id, key from issue_type")}
    )
    return [
        Field(
            key=field.key,
            name=field.name,
            kind=field.kind,
            on=field.home,
            description=field.description,
            options=[_option(option) for option in field.options],
            projects=sorted(projects[ident] for ident in field.projects if ident in projects),
            types=[types[ident] for ident in field.types if ident in types],
            default=default(tx, field),
            formula=formulas.present(tx, field),
            min=field.min,
            max=field.max,
            pattern=field.pattern,
            personal=field.personal,
            used=uses.get(field.id, 0),
        )
        for field in fields
    ]


def default(tx: Read, field: OwnField) -> Any:
    """What a field holds where nothing is said, as it is answered."""
    return display.one(tx, field, field.preset)


def named_projects(tx: Read) -> dict[int, str]:
    """The keys of the projects that may be told to the caller, by id."""
    return {
        row["id"]: row["key"]
        for row in tx.all(f"select p.id, p.key from project p where {_PROJECT_NAMED}", **visibility.binds(tx))
    }


def used(tx: Read, field: int) -> int:
    """How many issues have a value, seen or not, those in the trash too."""
    return int(tx.value("select count(distinct issue) from issue_value where field = :field", field=field))


def option_uses(tx: Read, field: int, options: set[int]) -> dict[int, int]:
    """How many issues, seen or not, have each of these options."""
    rows = tx.all(
        "select value, count(distinct issue) as issues from issue_value"
        " where field = :field and value in (select value from json_each(:options)) group by value",
        field=field,
        options=json_array(options),
    )
    return {row["value"]: row["issues"] for row in rows}


def rules_of_layouts(tx: Read) -> list[tuple[tuple[int, int], list[dict[str, Any]]]]:
    """((project, type), rules) of every layout that has some."""
    rows = tx.all("select project, type, rules from field_layout where rules <> '[]' order by project, type")
    return [((row["project"], row["type"]), json.loads(row["rules"])) for row in rows]


def _option(option: Any) -> FieldOption:
    return FieldOption(
        id=option.id, name=option.name, color=option.color, archived=option.archived, parent=option.parent
    )
