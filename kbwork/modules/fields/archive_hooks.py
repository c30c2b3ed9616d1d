"""Own fields told for the archive of a project, and restored: values are named as their kind of field asks."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from kbwork.base.text import folded, numbered
from kbwork.core.operations import nested
from kbwork.core.ports.archive import ArchiveHook, ArchiveNames, ArchiveReferences
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import FieldOptionRow, FieldRow
from kbwork.db.tx import Read, Row, json_array
from kbwork.modules.fields import ops
from kbwork.modules.fields.layouts import ops as layouts
from kbwork.modules.fields.values.display import values_of

_PATHS = ("select", "multi_select", "cascade")
_NUMBERS = ("number", "money")
_WHOLE = ("bool", "datetime", "duration", "rating")
_TEXTS = ("text", "paragraph", "date", "url", "page", "asset")
_PLAIN = (*_PATHS, *_WHOLE, "number", "text", "paragraph", "date", "url")
"""Kinds whose values are told in `values` as well: a later import of the same file sees whether they changed."""


class _Fields:
    """The fields of a data file, and what their options are called."""

    def __init__(self, tx: Read) -> None:
        self.fields = {
            row["id"]: row for row in tx.all("select * from field where deleted_at is null", FieldRow)
        }
        options = tx.all(
            "select * from field_option where heir is null order by field, position, id", FieldOptionRow
        )
        self._options: dict[int | None, FieldOptionRow] = {row["id"]: row for row in options}

    def options(self, field: int) -> list[FieldOptionRow]:
        """The options of a field, those above before those below."""
        own = [row for row in self._options.values() if row["field"] == field]
        return sorted(own, key=lambda row: len(self.path(row["id"])))

    def path(self, option: int) -> list[str]:
        """An option's name behind those that it stands under; empty for one that is gone."""
        found: list[str] = []
        at = self._options.get(option)
        while at is not None and len(found) < 10:
            found.insert(0, at["name"])
            at = self._options.get(at["parent"])
        return found


def _known(tx: Read) -> _Fields:
    found: _Fields = tx.memoized("archived fields", partial(_Fields, tx))
    return found


# -- told -----------------------------------------------------------------------------------------------------


def told_element(names: ArchiveNames, field: int, value: Any) -> tuple[str, Any] | None:
    """An element of a value by names, with the key of its field; None for what is not there any more."""
    known = _known(names.tx)
    row = known.fields.get(field)
    found = _element(names, known, row, value) if row is not None else None
    return (row["key"], found) if row is not None and found is not None else None


def _element(names: ArchiveNames, known: _Fields, field: FieldRow, value: Any) -> Any:
    kind = field["kind"]
    if kind in _PATHS:
        return known.path(int(value)) or None
    if kind in ("member", "members"):
        return names.who(str(value))
    if kind == "team":
        return names.team(int(value))
    return names.issue(int(value)) if kind == "issue" else value


def _told_value(names: ArchiveNames, row: Row) -> Any:
    found = told_element(names, row["field"], row["value"])
    if found is None:
        return None
    return {"field": found[0], "position": row["position"], "value": found[1], "unit": row["unit"]}


def _plain_values(names: ArchiveNames, issues: list[int]) -> Mapping[int, Any]:
    kinds = {field["key"]: field["kind"] for field in _known(names.tx).fields.values()}
    return {
        issue: {name: value for name, value in values.items() if kinds.get(name) in _PLAIN}
        for issue, values in values_of(names.tx, issues).items()
    }


def _told_fields(names: ArchiveNames, projects: list[int]) -> Mapping[int, Any]:
    """The fields that its issues may have."""
    known, (project,) = _known(names.tx), projects
    found = []
    for field in known.fields.values():
        own = json.loads(field["projects"])
        if field["home"] == "issue" and (not own or project in own):
            found.append(_told_field(names, known, field))
    return {project: found}


def _told_field(names: ArchiveNames, known: _Fields, field: FieldRow) -> dict[str, Any]:
    types = names.tx.column(
        "select key from issue_type where id in (select value from json_each(:ids)) order by id",
        ids=field["types"],
    )
    elements = [(_element(names, known, field, value), unit) for value, unit in json.loads(field["preset"])]
    plain = ("key", "name", "kind", "description", "formula", "min", "max", "pattern")
    return {name: field[name] for name in plain} | {
        "types": types,
        "default": [[value, unit] for value, unit in elements if value is not None],
        "personal": bool(field["personal"]),
        "options": [
            {"path": known.path(one["id"]), "color": one["color"], "archived": bool(one["archived"])}
            for one in known.options(field["id"])
        ],
    }


def _told_layouts(names: ArchiveNames, projects: list[int]) -> Mapping[int, Any]:
    """Those that somebody laid out."""
    tx, (project,) = names.tx, projects
    saved = set(
        tx.column(
            "select t.key from field_layout l join issue_type t on t.id = l.type where project = :id",
            id=project,
        )
    )
    if not saved or tx.caller.member is None:
        return {}
    found: Any = layouts.layout(tx, layouts.FieldsLayout(project=names.project["key"]))
    told = ("type", "create", "edit", "required", "rules")
    return {
        project: [{name: names.told(one[name]) for name in told} for one in found if one["type"] in saved]
    }


# -- restored -------------------------------------------------------------------------------------------------


def restored_element(refs: ArchiveReferences, field: FieldRow, value: Any) -> Any:
    """An element of a field's value as it is kept; None where there is no such thing here."""
    kind = field["kind"]
    if kind in _PATHS:
        return _option(refs.tx, field["id"], value)
    if kind in ("member", "members"):
        return refs.member(value if isinstance(value, str) else None)
    if kind == "team":
        team = refs.team(value) if isinstance(value, str) else None
        return int(ref_of(team)[1]) if team else None
    if kind == "issue":
        return refs.issue(value) if isinstance(value, str) else None
    return value if _fits(kind, value) else None


def _option(tx: Read, field: int, path: Any) -> int | None:
    """The option behind the names of those that it stands under."""
    found: int | None = None
    for name in path if isinstance(path, list) else [path]:
        found = tx.value(
            "select id from field_option where field = :field and name_key = :name and parent is :parent"
            " and heir is null",
            field=field,
            name=folded(str(name)),
            parent=found,
        )
        if found is None:
            return None
    return found


def _fits(kind: str, value: Any) -> bool:
    """Whether a value is of the sort that fields of this kind keep."""
    if kind in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind in _WHOLE:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and kind in _TEXTS


def is_forgotten(refs: ArchiveReferences, field: FieldRow, issue: int) -> bool:
    """Whether a personal field holds nothing more: who reported the issue was erased."""
    reporter = (
        refs.tx.value("select reporter from issue where id = :id", id=issue) if field["personal"] else ""
    )
    return bool(field["personal"]) and refs.is_erased(str(reporter))


def _restore_values(refs: ArchiveReferences, issue: int, held: list[dict[str, Any]]) -> None:
    gone = set()
    for one in held:
        field = refs.field(one["field"])
        if field is not None and is_forgotten(refs, field, issue):
            continue
        value = restored_element(refs, field, one["value"]) if field is not None else None
        if field is None or value is None:
            gone.add(one["field"])
            continue
        refs.tx.execute(
            "insert into issue_value (issue, field, position, value, unit)"
            " values (:issue, :field, :position, :value, :unit) on conflict do nothing",
            issue=issue,
            field=field["id"],
            position=one["position"],
            value=value,
            unit=one["unit"],
        )
    if gone:
        refs.warn(f"Not here, and left out, is what these fields held: {', '.join(sorted(gone))}.")


def _restore_fields(refs: ArchiveReferences, project: int, fields: list[dict[str, Any]]) -> None:
    for field in fields:
        refs.attempt(f"The field {field['name']}", partial(_restore_field, refs, project, field))


def _restore_field(refs: ArchiveReferences, project: int, field: dict[str, Any]) -> None:
    if refs.is_left_out("field", field["key"]):
        return
    row = refs.field(field["key"])
    if row is None or row["kind"] != field["kind"]:
        row = _new_field(refs, field)
    refs.become("field", field["key"], row["key"])
    _admit(refs, project, row, field)
    _add_options(refs, row, field)


def _new_field(refs: ArchiveReferences, field: dict[str, Any]) -> FieldRow:
    """A field of this project alone, under a key that was never given out."""
    taken = set(refs.tx.column("select key from field"))
    key = next(one for one in numbered(field["key"], 40, "_") if one not in taken)
    names = ("name", "kind", "description", "formula", "min", "max", "pattern", "personal")
    given = {name: field[name] for name in names if field[name] is not None and field[name] != ""}
    given |= {
        "key": key,
        "projects": [refs.project["key"]],
        "types": [refs.key("issue_type", one) for one in field["types"]],
    }
    nested.run(refs.tx, ops.save, given)
    refs.made("fields", f"field/{field['key']}", f"field:{key}")
    row = refs.tx.one("select * from field where key = :key", FieldRow, key=key)
    assert row is not None
    return row


def _admit(refs: ArchiveReferences, project: int, row: FieldRow, field: dict[str, Any]) -> None:
    """A field that is for some projects or types alone is for these too."""
    projects, types = json.loads(row["projects"]), json.loads(row["types"])
    if projects and project not in projects:
        refs.tx.update("field", row["id"], projects=json_array([*projects, project]))
    wanted = refs.tx.column(
        "select id from issue_type where key in (select value from json_each(:keys))",
        keys=json_array(refs.key("issue_type", one) for one in field["types"]),
    )
    if types and (more := [one for one in wanted if one not in types]):
        refs.tx.update("field", row["id"], types=json_array([*types, *more]))


def _add_options(refs: ArchiveReferences, row: FieldRow, field: dict[str, Any]) -> None:
    """Options that are missing come behind those that are there."""
    tx = refs.tx
    position = tx.value(
        "select coalesce(max(position), -1) from field_option where field = :id", id=row["id"]
    )
    missing = (one for one in field["options"] if _option(tx, row["id"], one["path"]) is None)
    for place, option in enumerate(missing, start=position + 1):
        tx.insert(
            "field_option",
            field=row["id"],
            name=option["path"][-1],
            name_key=folded(option["path"][-1]),
            color=option["color"],
            archived=int(option["archived"]),
            parent=_option(tx, row["id"], option["path"][:-1]),
            position=place,
        )
    if field["default"] and row["preset"] == "[]":
        elements = [(restored_element(refs, row, value), unit) for value, unit in field["default"]]
        kept = [[value, unit] for value, unit in elements if value is not None]
        tx.update("field", row["id"], preset=json.dumps(kept, ensure_ascii=False))


def _restore_layouts(refs: ArchiveReferences, _project: int, layouts: list[dict[str, Any]]) -> None:
    for layout in layouts:
        refs.attempt(f"The layout of {layout['type']}", partial(_restore_layout, refs, layout))


def _restore_layout(refs: ArchiveReferences, layout: dict[str, Any]) -> None:
    def fields(keys: list[str]) -> list[str]:
        return [row["key"] for key in keys if (row := refs.field(key)) is not None]

    value = {
        "project": refs.project["key"],
        "type": refs.key("issue_type", layout["type"]),
        **{name: fields(layout[name]) for name in ("create", "edit", "required")},
        "rules": refs.here(layout["rules"], alone=True),
    }
    nested.run(refs.tx, layouts.layout_save, value)


FIELDS = ArchiveHook(
    home=__name__, line="projects.jsonl", name="words.fields", gathered=_told_fields, restored=_restore_fields
)
LAYOUTS = ArchiveHook(
    home=__name__, line="projects.jsonl", name="layouts", gathered=_told_layouts, restored=_restore_layouts
)
PLAIN = ArchiveHook(home=__name__, line="issues.jsonl", name="values", gathered=_plain_values)
HELD = ArchiveHook(
    home=__name__, line="issues.jsonl", name="held", told=_told_value, restored=_restore_values
)
