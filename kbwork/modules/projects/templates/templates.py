"""Templates of projects: what a new one begins with."""

import json
from typing import Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.operations.declare import destructive, read, write
from kbwork.db.rows import ProjectTemplateRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import access
from kbwork.modules.projects.model import ProjectTemplateDeleted, ProjectTemplateSaved
from kbwork.modules.projects.templates import content
from kbwork.modules.projects.templates.content import ProjectContent

MOST = 100


class ProjectTemplate(TypedDict):
    """What a new project begins with: types, settings, labels, components, layouts and issue templates."""

    id: int
    """Id of the template."""
    name: str
    """What people choose it by."""
    description: str
    """What it is for; empty: nothing said."""
    content: dict[str, Any]
    """What a project gets, as `projects.template_save` takes it."""
    built_in: bool
    """Whether it came with kbwork and stays as it is."""


class ProjectsTemplates(Input):
    pass


@read(
    "projects.templates",
    scope="projects:read",
    words="which project templates exist, templates to start from",
    example={},
)
def templates(tx: Read, args: ProjectsTemplates) -> list[ProjectTemplate]:
    """List the templates of projects, those that came with kbwork first."""
    return shown(tx)


class ProjectsTemplateSave(Input):
    id: Id | None = None
    """The template to change; left out: make one."""
    from_: Text | None = Field(None, alias="from")
    """Key of the project whose content it takes."""
    name: Name
    """What people choose it by, unique without case."""
    description: Text | None = None
    """What it is for."""
    content: ProjectContent | None = None
    """In place of `from`."""


@write(
    "projects.template_save",
    scope="admin",
    words="save a project as a template, new project template",
    emits=[ProjectTemplateSaved],
    example={"name": "Service", "content": {"types": ["task", "bug"], "labels": [{"name": "urgent"}]}},
)
def template_save(tx: Write, args: ProjectsTemplateSave) -> list[ProjectTemplate]:
    """Make a template of a project, or of content that is given; or change one.

    A new one needs `from` or `content` (422). A name is unique without case (409); built-in ones stay (409). What is in
    it is tried when a project is made with it.
    """
    row = _kept(tx, args.id) if args.id is not None else None
    columns = _columns(tx, args, row)
    if taken := named.taken(tx, "project_template", args.name, args.id):
        raise Conflict(f"There is a template {taken['name']!r} already; names are unique without case.")
    if row is None:
        if tx.value("select count(*) from project_template") >= MOST:
            raise Conflict(f"An org has {MOST} templates of projects at most.")
        ident = tx.insert("project_template", built_in=0, updated_at=tx.now, **columns)
        _tell(tx, ident, args.name, {})
    elif named.diff(row, columns):
        tx.update("project_template", row["id"], updated_at=tx.now, **columns)
        _tell(tx, row["id"], args.name, named.changes(row, columns, ("name", "description")))
    return shown(tx)


class ProjectsTemplateDelete(Input):
    id: Id
    """Id of the template, from `projects.templates`."""


@destructive(
    "projects.template_delete",
    scope="admin",
    words="remove a project template",
    emits=[ProjectTemplateDeleted],
    example={"id": 4},
)
def template_delete(tx: Write, args: ProjectsTemplateDelete) -> list[ProjectTemplate]:
    """Take a template away; projects made with it stay as they are. Built-in ones stay (409)."""
    row = _kept(tx, args.id)
    tx.delete("project_template", row["id"])
    tx.emit(ProjectTemplateDeleted(subject="org:1", payload={"template": row["id"], "name": row["name"]}))
    return shown(tx)


def shown(tx: Read) -> list[ProjectTemplate]:
    """Every template in its shape."""
    return [
        ProjectTemplate(
            id=row["id"],
            name=row["name"],
            description=row["description"],
            content=json.loads(row["content"]),
            built_in=bool(row["built_in"]),
        )
        for row in tx.all(
            "select * from project_template order by built_in desc, name_key, id", ProjectTemplateRow
        )
    ]


def one(tx: Read, ident: int) -> ProjectContent:
    """The content of a template. Raises NotFound."""
    return ProjectContent.model_validate(json.loads(_stored(tx, ident)["content"]))


def _stored(tx: Read, ident: int) -> ProjectTemplateRow:
    return named.known(
        tx.stored("project_template", [ident]), "project template", ident, "projects.templates"
    )


def _kept(tx: Read, ident: int) -> ProjectTemplateRow:
    row = _stored(tx, ident)
    if row["built_in"]:
        raise Conflict(f"{row['name']} came with kbwork and stays; make one of your own from a project.")
    return row


def _columns(tx: Read, args: ProjectsTemplateSave, row: ProjectTemplateRow | None) -> dict[str, Any]:
    if args.from_ is not None and args.content is not None:
        raise InvalidInput("Name one of `from` and `content`.", field="from")
    if args.from_ is not None:
        held = json.dumps(content.of_project(tx, access.project(tx, args.from_)), ensure_ascii=False)
    elif args.content is not None:
        held = json.dumps(args.content.model_dump(exclude_none=True), ensure_ascii=False)
    elif row is not None:
        held = row["content"]
    else:
        raise InvalidInput("A new template takes its content `from` a project, or `content`.", field="from")
    described = row["description"] if row is not None else ""
    return {
        "name": args.name,
        "name_key": folded(args.name),
        "description": described if args.description is None else args.description,
        "content": held,
    }


def _tell(tx: Write, ident: int, name: str, changes: dict[str, Any]) -> None:
    payload = {"template": ident, "name": name}
    tx.emit(ProjectTemplateSaved(subject="org:1", payload=payload, changes=changes))
