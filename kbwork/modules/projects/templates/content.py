"""What a project is made of beside its issues: taken off one as a template, and given to another."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput, located
from kbwork.base.model import Body, Id, Input, Int, Text
from kbwork.core.operations import nested
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects.ports import ContentPart, OfferedTypes

Several = Annotated[list[dict[str, Any]], Field(max_length=500)]


class ProjectContent(Input):
    """Inputs of the operations that make each part, without the project."""

    description: Body | None = None
    """What the project is for, in Markdown."""
    types: Annotated[list[Text], Field(max_length=100)] | None = None
    """Keys of types, in order; the first is the default."""
    workflow: Id | None = None
    """The one that its issues move along, which is in force; the org's default for new projects unless given."""
    workflows: Annotated[dict[str, Id], Field(max_length=100)] | None = None
    """Key of a type -> the workflow that its issues move along in place of that."""
    modules: dict[str, bool] | None = None
    """Modules on or off, by name."""
    default_assignee: Literal["none", "lead", "component", "rotation"] | None = None
    """Who gets a new issue that nobody was named for."""
    reporters_see: Literal["own", "all"] | None = None
    """Whether reporters see their own issues or all."""
    blockers: Literal["warn", "refuse"] | None = None
    """Whether an issue with open blockers may be closed with a warning, or not at all."""
    triage: bool | None = None
    """Whether new issues wait to be sorted first."""
    auto_archive_days: Int | None = None
    """Days after which closed issues that nobody changed are archived; null: never."""
    auto_close_days: Int | None = None
    """Days after which open issues that nobody changed are closed; null: never."""
    labels: Several | None = None
    """As for labels.save."""
    components: Several | None = None
    """As for components.save."""
    layouts: Several | None = None
    """As for fields.layout_save."""
    templates: Several | None = None
    """As for issues.template_save."""
    boards: Several | None = None
    """As for boards.save, with `columns` as for boards.columns_set and `quick_filters` as for boards.quick_filter_save;
    `{{project}}` in a condition stands for the key of the project."""


_SETTINGS = (
    "modules",
    "default_assignee",
    "reporters_see",
    "blockers",
    "triage",
    "auto_archive_days",
    "auto_close_days",
)


def of_project(tx: Read, project: ProjectRow) -> dict[str, Any]:
    """The content of a project, in the shape of ProjectContent."""
    key = project["key"]

    types = tx.column(
        "select t.key from project_type pt join issue_type t on t.id = pt.type where pt.project = :id"
        " order by t.id <> :default, pt.position",
        id=project["id"],
        default=project["default_type"],
    )
    found = {
        "description": project["description"],
        "types": types,
        "workflow": project["workflow"],
        "workflows": _own_workflows(tx, project["id"]),
        **{name: project[name] for name in _SETTINGS if name not in ("modules", "triage")},
        "modules": json.loads(project["modules"]),
        "triage": bool(project["triage"]),
        **{name: part.of(tx, key) for name, part in _parts(tx).items()},
    }
    return {name: value for name, value in found.items() if value not in (None, "", [], {})}


def apply_content(tx: Write, project: ProjectRow, content: ProjectContent) -> None:
    """Make all of it in a project, which the caller leads. Raises what is wrong with a part, at its place."""
    key = project["key"]
    if content.types:
        with located("content.types"):
            offered: list[OfferedTypes] = tx.registry.of(OfferedTypes)
            offered[0].offer(tx, key, content.types)
    _assign(tx, project["id"], content)
    settings = content.model_dump(include=set(_SETTINGS), exclude_none=True)
    if settings:
        with located("content"):
            nested.run(tx, "projects.update", {"key": key} | settings)
    for name, part in _parts(tx).items():
        for number, value in enumerate(getattr(content, name) or ()):
            with located(f"content.{name}[{number}]"):
                part.make(tx, {"project": key} | value)


def _parts(tx: Read) -> dict[str, ContentPart]:
    """What other modules declare, in the order of the content."""
    found: dict[str, ContentPart] = {part.name: part for part in tx.registry.of(ContentPart)}
    return {name: found[name] for name in ProjectContent.model_fields if name in found}


def _own_workflows(tx: Read, project: int) -> dict[str, int]:
    rows = tx.all(
        "select t.key, pt.workflow from project_type pt join issue_type t on t.id = pt.type"
        " where pt.project = :project and pt.workflow is not null order by t.id",
        project=project,
    )
    return {row["key"]: row["workflow"] for row in rows}


def _assign(tx: Write, project: int, content: ProjectContent) -> None:
    """A new project has no issues that would have to move."""
    in_force = tx.column("select id from workflow where draft = 0 order by id")
    if content.workflow is not None:
        _require_in_force(content.workflow, in_force, "content.workflow")
        tx.update("project", project, workflow=content.workflow)
    for key, workflow in (content.workflows or {}).items():
        place = f"content.workflows.{key}"
        _require_in_force(workflow, in_force, place)
        type_ = tx.value(
            "select t.id from project_type pt join issue_type t on t.id = pt.type"
            " where pt.project = :project and t.key = :key",
            project=project,
            key=key,
        )
        if type_ is None:
            raise InvalidInput(f"There is no type {key!r} in the project.", field=place)
        tx.update("project_type", (project, type_), workflow=workflow)


def _require_in_force(workflow: int, in_force: list[int], place: str) -> None:
    if workflow not in in_force:
        raise InvalidInput(f"There is no workflow {workflow} in force.", field=place, allowed=in_force)
