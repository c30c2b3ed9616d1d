"""Look at issue types, make and change one, say which a project has."""

from typing import Annotated

from pydantic import Field, StringConstraints

from kbwork.base.errors import Conflict, InUse, InvalidInput
from kbwork.base.model import Id, Input, Int, Name, Text
from kbwork.base.text import folded
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import IssueTypeRow, ProjectRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.projects import access, issue_access
from kbwork.modules.types import queries
from kbwork.modules.types.model import IssueType, TypeSaved
from kbwork.modules.types.replacement import TYPES

TypeKey = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]


class TypesList(Input):
    project: ProjectRef | None = None


@read(
    "types.list",
    scope="projects:read",
    words="which issue types exist, bug story epic task, kinds of issues",
    example={"project": "WEB"},
)
def list_(tx: Read, args: TypesList) -> list[IssueType]:
    """List the issue types, the highest level first; with a project those it has, in its order.

    Guests see the types that their projects use.
    """
    if args.project:
        return shown(tx, queries.of_project(tx, access.project(tx, args.project)["id"]))
    found = _every(tx)
    return [row for row in found if row["projects"]] if tx.caller.guest else found


class TypesSave(Input):
    key: TypeKey
    """An unknown one makes a type."""
    name: Name
    """What people read, unique without case."""
    icon: Text | None = None
    """Name of its icon."""
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    """Colour as `#rrggbb`."""
    level: Annotated[Int, Field(ge=-2, le=5)] | None = None
    """2 initiative, 1 epic, 0 work, -1 sub-task; 0 unless given."""
    workflow: Id | None = None
    """The workflow of its issues where a project has no other for them; null: the project's."""
    description: Text | None = None
    """When to use it."""
    template: Text | None = None
    """A template of the org for issues of this type, by name or id, which forms offer first; null: none."""


@write(
    "types.save",
    scope="admin",
    words="new issue type, add a type such as incident, icon of a type, rename a type",
    emits=[TypeSaved],
    example={"key": "pull-request", "name": "Pull request", "icon": "git-pull-request"},
)
def save(tx: Write, args: TypesSave) -> list[IssueType]:
    """Make an issue type, or change one: fields that are not named stay. Answers all types.

    A name is unique without case (409), null takes workflow and template off. The level of a type in use changes only
    where every parent and child still fits, its workflow only where that has the lanes in which its issues stand (409;
    workflows.assign says where they go). A draft is no workflow yet, and a template is of the org and the type (422).
    """
    TYPES.make_room(tx, args.key, args.name)
    row = tx.one("select * from issue_type where key = :key", IssueTypeRow, key=args.key)
    if taken := named.taken(tx, "issue_type", args.name, row["id"] if row else None):
        raise Conflict(f"The type {taken['key']} has the name {args.name!r}; names are unique without case.")
    if (
        args.workflow is not None
        and tx.one("select 1 from workflow where id = :id and not draft", id=args.workflow) is None
    ):
        raise InvalidInput(f"There is no workflow {args.workflow} in force.", field="workflow")
    if row is not None and row["heir"] is not None:
        raise Conflict(
            f"The type {args.key} is going: its issues become of another. Wait, or take another key."
        )
    if row is None:
        _make(tx, args)
    else:
        _change(tx, row, args)
    return _every(tx)


class TypesProjectsSet(Input):
    project: ProjectRef
    types: Annotated[list[Text], Field(min_length=1, max_length=100)]
    """All types that its issues may have, in order."""
    default: Text | None = None
    """Key or name of the one that a new issue has."""


@write(
    "types.projects_set",
    scope="projects:write",
    words="issue types of a project, which types a project uses, allow epics",
    emits=[TypeSaved],
    example={"project": "WEB", "types": ["task", "bug", "epic"], "default": "task"},
)
def projects_set(tx: Write, args: TypesProjectsSet) -> list[IssueType]:
    """Say which types a project has; for its leads and admins. Taking one off that issues have is 409."""
    project = access.project(tx, args.project)
    access.require_lead(tx, project)
    access.require_open(project)
    known = queries.every(tx)
    wanted = list(
        {
            row["id"]: row for row in (queries.by_name(known, name, field="types") for name in args.types)
        }.values()
    )
    had = queries.of_project(tx, project["id"])
    _require_unused(tx, project, [row for row in had if row["id"] not in {w["id"] for w in wanted}])
    default = _default(wanted, args.default, project["default_type"])
    keys = {row["id"]: row["key"] for row in known}
    changes = named.changes(
        {"types": [row["key"] for row in had], "default": keys[project["default_type"]]},
        {"types": [row["key"] for row in wanted], "default": keys[default]},
    )
    if changes:
        _write(tx, project["id"], had, wanted)
        tx.update("project", project["id"], default_type=default)
        tx.emit(
            TypeSaved(
                subject=f"project:{project['key']}",
                heard_by="seen",
                payload={"project": project["key"]},
                changes=changes,
            )
        )
    return shown(tx, queries.of_project(tx, project["id"]))


def _every(tx: Read) -> list[IssueType]:
    return shown(tx, queries.every(tx))


def shown(tx: Read, rows: list[IssueTypeRow]) -> list[IssueType]:
    """Types with the projects that have them and how many issues are of them, as far as the caller sees."""
    ids = json_array(row["id"] for row in rows)
    projects: dict[int, list[str]] = {}
    for row in tx.all(
        f"select pt.type, p.key from project_type pt join project p on p.id = pt.project where {access.SEEN}"
        " and pt.type in (select value from json_each(:ids)) order by p.key",
        ids=ids,
        **visibility.binds(tx),
    ):
        projects.setdefault(row["type"], []).append(row["key"])
    counts = {row["what"]: row["issues"] for row in tx.all(_COUNTS, **visibility.binds(tx))}
    templates = set(tx.column("select id from issue_template where project is null"))
    return [
        IssueType(
            key=row["key"],
            name=row["name"],
            icon=row["icon"],
            color=row["color"],
            level=row["level"],
            workflow=row["workflow"],
            template=row["template"] if row["template"] in templates else None,
            description=row["description"],
            projects=projects.get(row["id"], []),
            issues=counts.get(row["id"], 0),
        )
        for row in rows
    ]


_COUNTS = issue_access.counted("i.type", "project_count")


def _make(tx: Write, args: TypesSave) -> None:
    tx.insert(
        "issue_type",
        key=args.key,
        name=args.name,
        name_key=folded(args.name),
        icon=args.icon or "circle",
        color=(args.color or "#5f6b7a").lower(),
        level=args.level or 0,
        workflow=args.workflow,
        template=_template(tx, None, args.template) if args.template else None,
        description=args.description or "",
    )
    tx.emit(TypeSaved(subject="org:1", payload={"key": args.key, "name": args.name}))


def _change(tx: Write, row: IssueTypeRow, args: TypesSave) -> None:
    wanted = args.filled("name", "icon", "description", "level", color=str.lower)
    if args.given("workflow"):
        wanted["workflow"] = args.workflow
    if args.given("template"):
        wanted["template"] = _template(tx, row, args.template) if args.template else None
    changed = named.diff(row, wanted)
    if "level" in changed:
        _require_level_fits(tx, row, int(args.level or 0))
    if "workflow" in changed:
        _require_lanes(tx, row, args.workflow)
    if changed:
        tx.update("issue_type", row["id"], name_key=folded(args.name), **changed)
        payload = {"key": row["key"], "name": args.name}
        tx.emit(TypeSaved(subject="org:1", payload=payload, changes=named.changes(row, changed)))


def _require_level_fits(tx: Read, row: IssueTypeRow, level: int) -> None:
    bad = tx.value(queries.UNFIT, id=row["id"], level=level)
    if bad:
        raise Conflict(
            f"{bad} parents or children of {row['name']} would not fit the level {level} any more."
        )


def _require_lanes(tx: Read, row: IssueTypeRow, workflow: int | None) -> None:
    """Where the type decides, its issues stand in lanes of the workflow that it is to have."""
    lane = tx.one(
        "select l.name, w.name as workflow from issue i join project p on p.id = i.project"
        " join lane l on l.id = i.lane join workflow w on w.id = coalesce(:workflow, p.workflow)"
        " left join project_type pt on pt.project = p.id and pt.type = i.type"
        " where i.type = :type and pt.workflow is null"
        " and not exists (select 1 from json_each(w.lanes) where value = i.lane) limit 1",
        type=row["id"],
        workflow=workflow,
    )
    if lane is not None:
        raise Conflict(
            f"Issues of the type {row['name']} stand in {lane['name']}, which {lane['workflow']} has not:"
            " say with workflows.assign where they go, project by project."
        )


def _template(tx: Read, row: IssueTypeRow | None, ref: str) -> int:
    """A template of the org for issues of this type. Raises InvalidInput."""
    found = tx.value(
        "select id from issue_template where project is null and type is :type"
        " and (name_key = :name or cast(id as text) = :name)",
        type=row["id"] if row is not None else None,
        name=folded(ref.strip()),
    )
    if found is None:
        raise InvalidInput(
            f"The org has no template {ref[:100]!r} for issues of this type: make it with issues.template_save.",
            field="template",
        )
    return int(found)


def _require_unused(tx: Read, project: ProjectRow, gone: list[IssueTypeRow]) -> None:
    for row in gone:
        uses = tx.value(
            "select count(*) from issue where type = :type and project = :project",
            type=row["id"],
            project=project["id"],
        )
        if uses:
            raise InUse(f"{uses} issues of {project['key']} are of the type {row['name']}.", uses=uses)


def _default(wanted: list[IssueTypeRow], name: str | None, present: int) -> int:
    if name:
        return int(queries.by_name(wanted, name, field="default")["id"])
    ids = [int(row["id"]) for row in wanted]
    return present if present in ids else ids[0]


def _write(tx: Write, project: int, had: list[IssueTypeRow], wanted: list[IssueTypeRow]) -> None:
    ids = {row["id"] for row in had}
    for row in had:
        if row["id"] not in {w["id"] for w in wanted}:
            tx.delete("project_type", (project, row["id"]))
    for position, row in enumerate(wanted):
        if row["id"] in ids:
            tx.update("project_type", (project, row["id"]), position=position)
        else:
            tx.insert("project_type", project=project, type=row["id"], position=position)
