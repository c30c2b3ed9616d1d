"""What a project of ours speaks with, laid here where it is missing: lanes, types, fields, relations and workflows; and
the project's own settings."""

import json
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

from kbwork.base.errors import Problem
from kbwork.base.model import folded
from kbwork.core.operations import nested
from kbwork.db.tx import ConstraintViolated, Row, Write, json_array
from kbwork.modules.imports.kbz import line_types
from kbwork.modules.imports.kbz.reference_map import ReferenceMap
from kbwork.modules.imports.load.record_content import OWN
from kbwork.modules.imports.mapping.free_names import numbered
from kbwork.modules.imports.model import Mapping

_MOST_NAME = 500
_GRAPH = ("key", "name", "from", "to")
_TRANSITION = (
    *_GRAPH,
    "who",
    "if",
    "check",
    "ask",
    "approvers",
    "needed",
    "self_approval",
    "watch",
    "then",
    "auto_when",
)
Made = Callable[[str, str, str], None]
"""Told what was made: sort, id at the source, subject."""
Warn = Callable[[str], None]


class ProjectPreparer:
    """Of one project, in one transaction. Things of the org that are here stay as they are."""

    def __init__(self, tx: Write, project: Row, mapping: Mapping, folk: ReferenceMap) -> None:
        self.tx = tx
        self._project = project
        self._mapping = mapping
        self._folk = folk

    def words(self, words: line_types.KbzWords, made: Made, warn: Warn) -> dict[str, int]:
        """Lay what is missing; answers the workflows by their names at the source."""
        for lane in words["lanes"]:
            self._lane(lane, made)
        for kind in words["types"]:
            self._type(kind, made)
        for field in words["fields"]:
            self._try(warn, f"The field {field['name']}", partial(self._field, field, made))
        for relation in words["relation_kinds"]:
            self._relation_kind(relation, made)
        found = {}
        for way in words["workflows"]:
            ident = self._try(warn, f"The workflow {way['name']}", partial(self._workflow, way, made, warn))
            if ident is not None:
                found[way["name"]] = ident
        self.tx.memo.clear()
        return found

    def settings(
        self, more: line_types.KbzProjectMore, workflows: dict[str, int], made: Made, warn: Warn
    ) -> None:
        """Make the project, which is new, what it was. Whoever imports it leads it as well."""
        self._types(more, workflows)
        self._columns(more, workflows, warn)
        self._people(more, warn)
        for told in more["statuses"]:
            self.tx.insert(
                "project_status",
                project=self._project["id"],
                health=told["health"],
                body=told["body"],
                author=self._folk.by(told["author"]),
                at=told["at"],
                facts=json.dumps(told["facts"], ensure_ascii=False),
            )
        self.tx.memo.clear()

    def arrangement(self, more: line_types.KbzProjectMore, made: Made, warn: Warn) -> None:
        """Layouts and templates, for which types, fields, labels and components must be there."""
        for layout in more["layouts"]:
            self._try(warn, f"The layout of {layout['type']}", partial(self._layout, layout))
        for view in more["views"]:
            self._try(warn, f"The view {view['name']}", partial(self._view, view))
        for template in more["templates"]:
            self._try(
                warn,
                f"The template {template['name']}",
                partial(self._template, template, made),
            )

    def _try(self, warn: Warn, what: str, lay: Callable[[], Any]) -> Any:
        """Lay one, or leave it out with a word."""
        try:
            with self.tx.attempt():
                return lay()
        except (Problem, ConstraintViolated) as refused:
            warn(f"{what} is left out: {refused.detail if isinstance(refused, Problem) else refused}")
            return None

    # -- words of the org ---------------------------------------------------------------------------------

    def _lane(self, lane: line_types.KbzLane, made: Made) -> None:
        key = self._mapping["statuses"].setdefault(lane["key"], lane["key"])
        row = self.tx.one(
            "select key from lane where heir is null and (key = :key or name_key = :name) order by key <> :key",
            key=key,
            name=folded(lane["name"]),
        )
        if row is not None:
            self._mapping["statuses"][lane["key"]] = row["key"]
            return
        names = ("name", "category", "color", "outcome", "wip", "stops_sla", "description")
        given: dict[str, Any] = {name: lane[name] for name in names}  # type: ignore[literal-required]  # names of above
        nested.run(self.tx, "lanes.save", _filled({"key": key} | given))
        made("lanes", f"lane/{lane['key']}", f"lane:{key}")

    def _type(self, kind: line_types.KbzType, made: Made) -> None:
        key = self._mapping["types"].setdefault(kind["key"], kind["key"]) or kind["key"]
        row = self.tx.one(
            "select key from issue_type where heir is null and (key = :key or name_key = :name) order by key <> :key",
            key=key,
            name=folded(kind["name"]),
        )
        if row is not None:
            self._mapping["types"][kind["key"]] = row["key"]
            return
        names = ("name", "icon", "color", "level", "description")
        given: dict[str, Any] = {name: kind[name] for name in names}  # type: ignore[literal-required]  # names of above
        nested.run(self.tx, "types.save", _filled({"key": key} | given))
        self._mapping["types"][kind["key"]] = key
        made("types", f"type/{kind['key']}", f"type:{key}")

    def _field(self, field: line_types.KbzOwnField, made: Made) -> None:
        if self._mapping["fields"].get(field["key"], OWN + field["key"]) == "":
            return
        row = self._folk.field(field["key"])
        if row is None or row["kind"] != field["kind"]:
            row = self._new_field(field, made)
        self._mapping["fields"][field["key"]] = OWN + row["key"]
        self._admit(row, field)
        self._options(row, field)

    def _new_field(self, field: line_types.KbzOwnField, made: Made) -> Row:
        """A field of this project alone, under a key that was never given out."""
        taken = set(self.tx.column("select key from field"))
        key = next(one for one in numbered(field["key"], 40, "_") if one not in taken)
        names = ("name", "kind", "description", "formula", "min", "max", "pattern", "personal")
        given: dict[str, Any] = {name: field[name] for name in names}  # type: ignore[literal-required]  # names of above
        given |= {
            "key": key,
            "projects": [self._project["key"]],
            "types": [self._folk.type(one) for one in field["types"]],
        }
        nested.run(self.tx, "fields.save", _filled(given))
        made("fields", f"field/{field['key']}", f"field:{key}")
        row = self.tx.one("select * from field where key = :key", key=key)
        assert row is not None
        return row

    def _admit(self, row: Row, field: line_types.KbzOwnField) -> None:
        """A field that is for some projects or types alone is for these too."""
        projects, types = json.loads(row["projects"]), json.loads(row["types"])
        if projects and self._project["id"] not in projects:
            self.tx.update("field", row["id"], projects=json_array([*projects, self._project["id"]]))
        wanted = self.tx.column(
            "select id from issue_type where key in (select value from json_each(:keys))",
            keys=json_array(self._folk.type(one) for one in field["types"]),
        )
        if types and (more := [one for one in wanted if one not in types]):
            self.tx.update("field", row["id"], types=json_array([*types, *more]))

    def _options(self, row: Row, field: line_types.KbzOwnField) -> None:
        """Options that are missing come behind those that are there."""
        position = self.tx.value(
            "select coalesce(max(position), -1) from field_option where field = :id", id=row["id"]
        )
        for option in field["options"]:
            if self._folk.option(row["id"], option["path"]) is not None:
                continue
            parent = self._folk.option(row["id"], option["path"][:-1]) if option["path"][:-1] else None
            position += 1
            self.tx.insert(
                "field_option",
                field=row["id"],
                name=option["path"][-1],
                name_key=folded(option["path"][-1]),
                color=option["color"],
                archived=int(option["archived"]),
                parent=parent,
                position=position,
            )
        if field["default"] and row["preset"] == "[]":
            elements = [(self._folk.element(row, value), unit) for value, unit in field["default"]]
            kept = [[value, unit] for value, unit in elements if value is not None]
            self.tx.update("field", row["id"], preset=json.dumps(kept, ensure_ascii=False))

    def _relation_kind(self, kind: line_types.KbzRelationKind, made: Made) -> None:
        known = self.tx.value(
            "select 1 from relation_kind where key = :key or lower(:name) in (lower(name), lower(inverse))",
            key=kind["key"],
            name=kind["name"],
        )
        if known is None:
            nested.run(self.tx, "issues.relation_kind_save", _filled(dict(kind)))
            made("relation_kinds", f"relation-kind/{kind['key']}", f"relation_kind:{kind['key']}")

    def _workflow(self, way: line_types.KbzWorkflow, made: Made, warn: Warn) -> int:
        """The one of the same name that is the same, else a new one."""
        wanted = self._wanted(way, warn)
        every = nested.run(self.tx, "workflows.list", {})
        for one in every:
            same = folded(one["name"]) == folded(way["name"]) and not one["draft"]
            if same and _graph(one, [lane["key"] for lane in one["lanes"]]) == _graph(
                wanted, wanted["lanes"]
            ):
                return int(one["id"])
        taken = {folded(one["name"]) for one in every}
        names = chain((way["name"],), numbered(f"{way['name']} ({self._project['key']})", _MOST_NAME, " "))
        wanted["name"] = next(name for name in names if folded(name) not in taken)
        saved = self._try(warn, f"What the workflow {way['name']} asks for", partial(self._saved, wanted))
        if saved is None:
            plain = [{name: step[name] for name in ("name", "from", "to")} for step in wanted["transitions"]]
            saved = self._saved(wanted | {"transitions": plain})
        made("workflows", f"workflow/{way['name']}", f"workflow:{saved}")
        return int(saved)

    def _saved(self, wanted: dict[str, Any]) -> int:
        return int(nested.run(self.tx, "workflows.save", wanted)["id"])

    def _wanted(self, way: line_types.KbzWorkflow, warn: Warn) -> dict[str, Any]:
        def lane(key: str) -> str:
            row = self._folk.lane(key)
            return str(row["key"]) if row is not None else key

        steps = []
        for step in way["transitions"]:
            own: dict[str, Any] = {name: one for name, one in step.items() if one is not None}
            own = self._peopled(way["name"], own, warn)
            own["from"] = [one if one == "*" else lane(one) for one in own.get("from", [])]
            own["to"] = lane(str(own.get("to", "")))
            own["ask"] = [self._asked(one) for one in own.get("ask", [])]
            steps.append(own)
        return {
            "name": way["name"],
            "start": lane(way["start"]),
            "lanes": list(dict.fromkeys(lane(one) for one in way["lanes"])),
            "transitions": steps,
        }

    def _peopled(self, way: str, step: dict[str, Any], warn: Warn) -> dict[str, Any]:
        """A transition with people of here. What was for some who are not here is for those who lead."""
        own: dict[str, Any] = self._folk.here(step, alone=True)
        if step.get("who") and not own["who"]:
            own["who"] = ["lead"]
            warn(f"{way}, {step.get('name')}: those who may go this way are not here: leads may.")
        if len(own.get("approvers", ())) < len(step.get("approvers", ())):
            own["needed"] = min(own.get("needed", 0), len(own["approvers"]))
            warn(f"{way}, {step.get('name')}: not all who approve it are here: {own['needed']} must agree.")
        return own

    def _asked(self, asked: dict[str, Any]) -> dict[str, Any]:
        row = self._folk.field(str(asked.get("field")))
        return asked | {"field": row["key"]} if row is not None else asked

    # -- the project --------------------------------------------------------------------------------------

    def _types(self, more: line_types.KbzProjectMore, workflows: dict[str, int]) -> None:
        ident = self._project["id"]
        for held in self.tx.column("select type from project_type where project = :id", id=ident):
            self.tx.delete("project_type", (ident, held))
        seen = set()
        for position, one in enumerate(more["types"]):
            kind = self.tx.value(
                "select id from issue_type where key = :key", key=self._folk.type(one["type"])
            )
            if kind is not None and kind not in seen:
                seen.add(kind)
                way = workflows.get(one["workflow"] or "")
                self.tx.insert("project_type", project=ident, type=kind, workflow=way, position=position)

    def _columns(self, more: line_types.KbzProjectMore, workflows: dict[str, int], warn: Warn) -> None:
        kind = self.tx.value(
            "select id from issue_type where key = :key", key=self._folk.type(more["default_type"])
        )
        lead = self._folk.member(more["lead"])
        personal = more["kind"] == "personal" and lead != self.tx.caller.me()
        if personal:
            warn("It was somebody's personal project: here it is a private one of the kind business.")
        same = (
            *(
                "icon",
                "color",
                "visibility",
                "default_assignee",
                "start_date",
                "due_date",
                "reporters_see",
                "blockers",
            ),
            *("auto_archive_days", "auto_close_days", "created_at"),
        )
        columns: dict[str, Any] = {name: more[name] for name in same}  # type: ignore[literal-required]  # names of above
        columns |= {
            "kind": "business" if personal else more["kind"],
            "lead": lead or self._project["lead"],
            "modules": json.dumps(more["modules"]),
            "budget": json.dumps(more["budget"]) if more["budget"] else None,
            "labels": json.dumps(more["labels"], ensure_ascii=False),
            "triage": int(more["triage"]),
            "numbers": max(more["numbers"], self._project["numbers"]),
        }
        if more["workflow"] in workflows:
            columns["workflow"] = workflows[more["workflow"]]
        if kind is not None:
            columns["default_type"] = kind
        self.tx.update("project", self._project["id"], **columns)

    def _people(self, more: line_types.KbzProjectMore, warn: Warn) -> None:
        held = set(
            self.tx.column("select who from project_member where project = :id", id=self._project["id"])
        )
        gone = []
        for one in more["members"]:
            who = self._folk.who(one["who"])
            if who is None or not who.startswith(("m_", "team:")):
                gone.append(one["who"])
            elif self._folk.is_erased(who):
                continue
            elif who not in held:
                held.add(who)
                self.tx.insert("project_member", project=self._project["id"], who=who, role=one["role"])
        if gone:
            warn(f"Nobody here is {', '.join(sorted(gone)[:20])}: they have no role in it.")

    def _layout(self, layout: line_types.KbzLayout) -> None:
        def fields(keys: list[str]) -> list[str]:
            return [row["key"] for key in keys if (row := self._folk.field(key)) is not None]

        value = {
            "project": self._project["key"],
            "type": self._folk.type(layout["type"]),
            "create": fields(layout["create"]),
            "edit": fields(layout["edit"]),
            "required": fields(layout["required"]),
            "rules": self._folk.here(layout["rules"], alone=True),
        }
        nested.run(self.tx, "fields.layout_save", value)

    def _view(self, view: line_types.KbzView) -> None:
        """A saved query goes with its project; it is the importer's."""
        names = ("name", "tql", "layout", "columns", "group_by", "sort", "icon")
        given: dict[str, Any] = {name: view[name] for name in names}  # type: ignore[literal-required]  # names of above
        nested.run(self.tx, "views.save", _filled(given | {"project": self._project["key"]}))

    def _template(self, template: line_types.KbzTemplate, made: Made) -> None:
        value = {
            "project": self._project["key"],
            "name": template["name"],
            "type": self._folk.type(template["type"]),
            "input": self._folk.here(template["input"], alone=True),
            "children": self._folk.here(template["children"], alone=True),
        }
        saved = nested.run(self.tx, "issues.template_save", value)
        ident = max(one["id"] for one in saved if one["project"] == self._project["key"])
        made("templates", f"template/{template['name']}", f"template:{ident}")


def _filled(value: dict[str, Any]) -> dict[str, Any]:
    """Without what is null or empty: an operation takes its own for that."""
    return {name: one for name, one in value.items() if one is not None and one != ""}


def _graph(way: dict[str, Any], lanes: list[str]) -> Any:
    """What two workflows that are the same have in common."""
    steps = [
        {name: step.get(name) or ([] if name not in _GRAPH else None) for name in _TRANSITION}
        for step in way["transitions"]
    ]
    return way["start"], lanes, steps
