"""Templates of issues: what a new one is to have, and the issues to make under it."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound, located
from kbwork.base.model import Id, Input, Name, Text
from kbwork.base.text import folded
from kbwork.core import named, zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.operations.validate import validate
from kbwork.db.rows import IssueTemplateRow, ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules import types
from kbwork.modules.issues.events import TemplateDeleted, TemplateSaved
from kbwork.modules.issues.ports import Checklists
from kbwork.modules.issues.templates import placeholders
from kbwork.modules.projects import access as projects
from kbwork.modules.projects import audience

MOST = 200
_NOT_OURS = ("project", "template", "imported", "external")


class IssueTemplate(TypedDict):
    """What a new issue is to have: `input` and each child's are inputs of issues.create with `{{...}}` in texts."""

    id: int
    """Id of the template."""
    project: str | None
    """Key of the project it belongs to; null: the org."""
    name: str
    """What it is called."""
    type: str
    """Key of the issue type it is for."""
    input: dict[str, Any]
    """Fields as for `issues.create`, with `{{...}}` in texts."""
    children: list[dict[str, Any]]
    """Issues to make below: `ref`, `blocks` and `input` of each."""
    checklists: list[int]
    """Ids of checklist templates that a new issue gets."""


class TemplateChild(Input):
    ref: Annotated[str, Field(min_length=1, max_length=100)]
    """A name of yours for it, by which others here call it."""
    blocks: Annotated[list[Text], Field(max_length=200)] | None = None
    """Refs of other children that it blocks."""
    input: dict[str, Any]
    """As for `issues.create`, with `{{...}}` in texts."""


class IssuesTemplates(Input):
    project: Text | None = None
    """Those that an issue of this project may be made with."""


@read(
    "issues.templates",
    scope="issues:read",
    words="which issue templates exist, bug report template, templates for tickets",
    example={"project": "WEB"},
)
def templates(tx: Read, args: IssuesTemplates) -> list[IssueTemplate]:
    """List the templates of the org and of the projects that you see, by name."""
    project = projects.project(tx, args.project)["id"] if args.project else None
    return shown(tx, project)


class IssuesTemplateSave(Input):
    id: Id | None = None
    """The template to change; left out: make one."""
    project: Text | None = None
    """Key of the project it belongs to; left out or null: the org. Decided when it is made."""
    name: Name
    """What people choose it by."""
    type: Text
    """Key or name of the issue type it is for."""
    input: dict[str, Any]
    """As for issues.create, with `{{title}}`, `{{body}}`, `{{me}}`, `{{me.name}}`, `{{project.key}}`,
    `{{project.name}}`, `{{today}}` and `{{today+7d}}` in texts."""
    children: Annotated[list[TemplateChild], Field(max_length=199)] | None = None
    """Issues to make under it; `parent` in their input may name another child's `ref`."""
    checklists: Annotated[list[Id], Field(max_length=20)] | None = None
    """Templates of checklists; one that is gone since is left out."""


@write(
    "issues.template_save",
    scope="projects:write",
    words="new issue template, bug report template, form for bugs, standard text for tickets",
    emits=[TemplateSaved],
    example={
        "project": "WEB",
        "name": "Defect",
        "type": "bug",
        "input": {"body": "Seen by {{me.name}} on {{today}}", "due_date": "{{today+7d}}"},
        "children": [{"ref": "test", "input": {"title": "Test for: {{title}}", "type": "subtask"}}],
    },
)
def template_save(tx: Write, args: IssuesTemplateSave) -> list[IssueTemplate]:
    """Make a template, or change one. Leads keep those of their project, admins the org's.

    Inputs are checked as issues.create checks them once the placeholders are filled in; names of labels and people are
    looked up when an issue is made. A name is unique in its project without case (409).
    """
    project = projects.project(tx, args.project) if args.project else None
    row = _kept(tx, args.id) if args.id is not None else None
    if row is not None:
        project = tx.stored("project", [row["project"]]) if row["project"] is not None else None
    _require_keeper(tx, project)
    columns = _columns(tx, args, project)
    home = project["id"] if project else None
    if taken := named.taken(tx, "issue_template", args.name, args.id, "project is :home", home=home):
        raise Conflict(f"There is a template {taken['name']!r} already; names are unique without case.")
    if row is None:
        if tx.value("select count(*) from issue_template") >= MOST:
            raise Conflict(f"An org has {MOST} templates at most.")
        ident = tx.insert("issue_template", project=home, updated_at=tx.now, **columns)
        audience.tell(tx, TemplateSaved, home, payload=_about(ident, args.name, project))
    elif named.diff(row, columns):
        tx.update("issue_template", row["id"], updated_at=tx.now, **columns)
        told, changes = _about(row["id"], args.name, project), named.changes(row, columns, ("name",))
        audience.tell(tx, TemplateSaved, home, payload=told, changes=changes)
    return shown(tx, None)


class IssuesTemplateDelete(Input):
    id: Id
    """Id of the template, from `issues.templates`."""


@destructive(
    "issues.template_delete",
    scope="projects:write",
    words="remove an issue template",
    emits=[TemplateDeleted],
    example={"id": 1},
)
def template_delete(tx: Write, args: IssuesTemplateDelete) -> list[IssueTemplate]:
    """Take a template away; issues made with it stay as they are."""
    row = _kept(tx, args.id)
    project = tx.stored("project", [row["project"]]) if row["project"] is not None else None
    _require_keeper(tx, project)
    tx.delete("issue_template", row["id"])
    audience.tell(tx, TemplateDeleted, row["project"], payload=_about(row["id"], row["name"], project))
    return shown(tx, None)


def shown(tx: Read, project: int | None) -> list[IssueTemplate]:
    """The templates that the caller sees, those that one project may use where it is named."""
    rows = tx.all(
        f"select x.*, t.key as type_key, p.key as project_key from issue_template x join issue_type t on t.id = x.type"
        f" left join project p on p.id = x.project where (x.project is null and not :kb_guest or {projects.SEEN})"
        " and (:project is null or x.project is null or x.project = :project) order by x.name_key, x.id",
        project=project,
        **visibility.binds(tx),
    )
    return [
        IssueTemplate(
            id=row["id"],
            project=row["project_key"],
            name=row["name"],
            type=row["type_key"],
            input=json.loads(row["input"]),
            children=json.loads(row["children"]),
            checklists=json.loads(row["checklists"]),
        )
        for row in rows
    ]


def filled(
    tx: Read, template: int, project: ProjectRow, given: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]], list[int]]:
    """Of a template, with what was given for it: an input of issues.create, the items of issues.create_tree under it,
    and templates of checklists.

    What is given counts, but a title or body that the template's own one takes up stands where that says. Raises
    NotFound for a template that the project may not use.
    """
    row = tx.one("select * from issue_template where id = :id", IssueTemplateRow, id=template)
    if row is None or row["project"] not in (None, project["id"]):
        raise NotFound(
            f"There is no issue template {template} for {project['key']}; issues.templates shows them."
        )
    known = _known(tx, project, given)
    today = zones.today(tx)
    stored = json.loads(row["input"])
    value = placeholders.rendered(stored, known, today)
    woven = [name for name in ("title", "body") if placeholders.holds(stored.get(name), name)]
    given = {name: given[name] for name in given if name not in woven}
    type_key = tx.value("select key from issue_type where id = :id", id=row["type"])
    children = placeholders.rendered(json.loads(row["children"]), known, today)
    items = [child["input"] | {"ref": child["ref"], "blocks": child["blocks"]} for child in children]
    return {"type": type_key} | value | given, items, json.loads(row["checklists"])


def _known(tx: Read, project: Mapping[str, Any], given: dict[str, Any]) -> dict[str, str]:
    me = tx.one("select id, name from member where id = :id", id=tx.caller.member or "")
    return {
        "title": given.get("title") or "",
        "body": given.get("body") or "",
        "me": me["id"] if me else "",
        "me.name": me["name"] if me else "",
        "project.key": project["key"],
        "project.name": project["name"],
    }


def _kept(tx: Read, ident: int) -> IssueTemplateRow:
    row = tx.one(
        f"select x.* from issue_template x left join project p on p.id = x.project"
        f" where x.id = :id and (x.project is null or {projects.SEEN})",
        IssueTemplateRow,
        id=ident,
        **visibility.binds(tx),
    )
    return named.seen(row, "issue template", ident, "issues.templates")


def _require_keeper(tx: Read, project: ProjectRow | None) -> None:
    if project is not None:
        projects.require_lead(tx, project)
        projects.require_open(project)
    elif not tx.caller.admin or tx.caller.projects is not None:
        raise NotAllowed("The org's templates are kept by admins; leads may make some for their project.")


def _columns(tx: Read, args: IssuesTemplateSave, project: ProjectRow | None) -> dict[str, Any]:
    usable = types.of_project(tx, project["id"]) if project else types.every(tx)
    _require_checklists(tx, args.checklists or [])
    _require_inputs(tx, args, project)
    children = [
        {"ref": child.ref, "blocks": child.blocks or [], "input": child.input}
        for child in args.children or []
    ]
    return {
        "name": args.name,
        "name_key": folded(args.name),
        "type": types.by_name(usable, args.type)["id"],
        "input": json.dumps(args.input, ensure_ascii=False),
        "children": json.dumps(children, ensure_ascii=False),
        "checklists": json.dumps(list(dict.fromkeys(args.checklists or ()))),
    }


def _require_checklists(tx: Read, named: list[int]) -> None:
    for checklists in tx.registry.of(Checklists):
        if (missing := checklists.missing(tx, named)) is not None:
            raise InvalidInput(f"There is no checklist template {missing}.", field="checklists")


def _require_inputs(tx: Read, args: IssuesTemplateSave, project: ProjectRow | None) -> None:
    """Raises InvalidInput where issues.create would not take what a template holds, at the place where it stands."""
    create = tx.registry.require("issues.create").input
    sample = project or {"key": "KEY", "name": "Project"}
    known = _known(tx, sample, {"title": "Title"})
    refs: set[str] = set()
    places = [
        ("input", args.input),
        *((f"children[{n}].input", c.input) for n, c in enumerate(args.children or [])),
    ]
    for number, child in enumerate(args.children or []):
        if child.ref in refs:
            raise InvalidInput(f"The ref {child.ref!r} stands there twice.", field=f"children[{number}].ref")
        refs.add(child.ref)
    for place, value in places:
        with located(place):
            if wrong := next((name for name in _NOT_OURS if name in value), None):
                raise InvalidInput(f"A template does not say {wrong!r}.", field=wrong)
            found = placeholders.rendered(value, known, zones.today(tx))
            validate(create, {"project": sample["key"], "title": "Title"} | found)


def _about(ident: int, name: str, project: ProjectRow | None) -> dict[str, Any]:
    return {"template": ident, "name": name, "project": project["key"] if project else None}
