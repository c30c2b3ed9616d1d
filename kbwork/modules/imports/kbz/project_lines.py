"""A project of a data file as its line: its settings, people and words."""

import json
from dataclasses import replace
from typing import Any

from kbwork.base.caller import Caller
from kbwork.core.operations.validate import validate
from kbwork.db.tx import Read, Row
from kbwork.modules.imports.kbz import line_types
from kbwork.modules.imports.kbz.portable_names import Choices, PortableNames

_TYPES = """
select * from issue_type where heir is null and (id in (select type from project_type where project = :project)
  or id in (select type from issue where project = :project and deleted_at is null)
  or id in (select type from issue_template where project = :project)) order by level desc, id
"""
_WORKFLOWS = """
select * from workflow where draft_of is null and id in (select workflow from project where id = :project
  union select workflow from project_type where project = :project
  union select t.workflow from issue_type t join project_type p on p.type = t.id where p.project = :project) order by id
"""
_LANES = """
select * from lane where id in (select value from json_each(:known)) or id in (
  select lane from issue where project = :project and deleted_at is null
  union select cast(s.value as integer) from span s join issue i on s.subject = 'issue:' || i.id
  where i.project = :project and s.field = 'lane') order by position, id
"""
_KINDS = """
select * from relation_kind where id in (select r.kind from relation r
  join issue i on i.id in (r.src, r.dst) where i.project = :project) order by id
"""
_PLAIN = (
    "name",
    "description",
    "kind",
    "icon",
    "color",
    "visibility",
    "default_assignee",
    "start_date",
    "due_date",
    "reporters_see",
    "blockers",
    "auto_archive_days",
    "auto_close_days",
    "numbers",
    "archived_at",
    "created_at",
)


def caller(tx: Read, project: int) -> Caller:
    """Whose eyes see all of a project: an owner who is one of its people."""
    who = tx.value(
        "select who from project_member where project = :project and who glob 'm_*'"
        " order by role = 'lead' desc, who limit 1",
        project=project,
    )
    return Caller(member=who, role="owner", kind="human", scopes=frozenset({"admin"}))


def line(tx: Read, row: Row, naming: PortableNames, choices: Choices) -> line_types.KbzProject:
    """The line of a project."""
    inner = tx.as_caller(replace(tx.caller))
    names = {one["id"]: one["name"] for one in tx.all("select id, name from workflow")}
    types = {one["id"]: one["key"] for one in tx.all("select id, key from issue_type")}
    told: Any = {name: row[name] for name in _PLAIN} | {
        "key": row["key"],
        "lead": naming.who(row["lead"]),
        "modules": json.loads(row["modules"]),
        "default_type": types[row["default_type"]],
        "workflow": names[row["workflow"]],
        "budget": json.loads(row["budget"]) if row["budget"] else None,
        "labels": json.loads(row["labels"]),
        "triage": bool(row["triage"]),
        "former_keys": sorted(naming.keys - {row["key"]}),
        "types": [
            {"type": types[one["type"]], "workflow": names.get(one["workflow"])}
            for one in _of(tx, "select * from project_type where project = :project order by position", row)
        ],
        "members": _members(tx, row, naming),
        "statuses": [
            {
                "health": one["health"],
                "body": one["body"],
                "author": naming.by(one["author"]),
                "at": one["at"],
                "facts": json.loads(one["facts"]),
            }
            for one in _of(tx, "select * from project_status where project = :project order by at, id", row)
        ],
        "layouts": _layouts(inner, row, naming, types),
        "templates": _templates(tx, row, naming, types),
        "views": _views(tx, row, naming),
        "words": _words(inner, row, naming, choices),
    }
    found: line_types.KbzProject = told
    return found


def _of(tx: Read, sql: str, row: Row) -> list[Row]:
    return tx.all(sql, project=row["id"])


def _members(tx: Read, row: Row, naming: PortableNames) -> list[dict[str, Any]]:
    rows = _of(tx, "select * from project_member where project = :project order by who", row)
    return [{"who": who, "role": one["role"]} for one in rows if (who := naming.who(one["who"]))]


def _layouts(tx: Read, row: Row, naming: PortableNames, types: dict[int, str]) -> list[dict[str, Any]]:
    """Those that somebody laid out."""
    saved = {
        types[kind] for kind in tx.column("select type from field_layout where project = :p", p=row["id"])
    }
    if not saved or tx.caller.member is None:
        return []
    asked = tx.registry.require("fields.layout")
    found = asked.fn(tx, validate(asked.input, {"project": row["key"]}))
    return [
        {name: naming.told(one[name]) for name in ("type", "create", "edit", "required", "rules")}
        for one in found
        if one["type"] in saved
    ]


def _templates(tx: Read, row: Row, naming: PortableNames, types: dict[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": one["name"],
            "type": types[one["type"]],
            "input": naming.told(json.loads(one["input"])),
            "children": naming.told(json.loads(one["children"])),
        }
        for one in _of(tx, "select * from issue_template where project = :project order by id", row)
    ]


def _views(tx: Read, row: Row, naming: PortableNames) -> list[dict[str, Any]]:
    plain = ("name", "tql", "layout", "group_by", "sort", "icon", "created_at")
    rows = _of(tx, "select * from view where project = :project and deleted_at is null order by id", row)
    return [
        {name: one[name] for name in plain}
        | {"owner": naming.by(one["owner"]), "columns": json.loads(one["columns"])}
        for one in rows
    ]


def _words(tx: Read, row: Row, naming: PortableNames, choices: Choices) -> dict[str, Any]:
    ways = _of(tx, _WORKFLOWS, row)
    known = {ident for way in ways for ident in json.loads(way["lanes"])}
    lanes = tx.all(_LANES, project=row["id"], known=json.dumps(sorted(known)))
    return {
        "lanes": [_plain(one, line_types.KbzLane) | {"stops_sla": bool(one["stops_sla"])} for one in lanes],
        "types": [_plain(one, line_types.KbzType) for one in _of(tx, _TYPES, row)],
        "fields": [_field(tx, one, naming, choices) for one in _fields(row, choices)],
        "workflows": _workflows(tx, {way["id"] for way in ways}, naming),
        "relation_kinds": [
            _plain(one, line_types.KbzRelationKind)
            | {"directed": bool(one["directed"]), "blocks": bool(one["blocks"])}
            for one in _of(tx, _KINDS, row)
        ],
    }


def _plain(row: Row, shape: Any) -> dict[str, Any]:
    """The columns that a line has under the same name."""
    return {name: row[name] for name in shape.__annotations__}


def _fields(row: Row, choices: Choices) -> list[Row]:
    """The fields that its issues may have."""
    found = []
    for field in choices.fields.values():
        projects = json.loads(field["projects"])
        if field["home"] == "issue" and (not projects or row["id"] in projects):
            found.append(field)
    return found


def _field(tx: Read, field: Row, naming: PortableNames, choices: Choices) -> dict[str, Any]:
    types = tx.column(
        "select key from issue_type where id in (select value from json_each(:ids)) order by id",
        ids=field["types"],
    )
    plain = ("key", "name", "kind", "description", "formula", "min", "max", "pattern")
    return {name: field[name] for name in plain} | {
        "types": types,
        "default": choices.preset(field),
        "personal": bool(field["personal"]),
        "options": [
            {"path": choices.path(one["id"]), "color": one["color"], "archived": bool(one["archived"])}
            for one in choices.options(field["id"])
        ],
    }


def _workflows(tx: Read, wanted: set[int], naming: PortableNames) -> list[dict[str, Any]]:
    asked = tx.registry.require("workflows.list")
    return [
        {
            "name": one["name"],
            "start": one["start"],
            "lanes": [lane["key"] for lane in one["lanes"]],
            "transitions": naming.told(one["transitions"]),
        }
        for one in asked.fn(tx, validate(asked.input, {}))
        if one["id"] in wanted
    ]
