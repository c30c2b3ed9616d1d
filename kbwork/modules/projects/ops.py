"""Make a project, look at projects, change one's settings."""

import json
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Body, Day, Id, Input, Int, Name, Number, Text
from kbwork.base.text import did_you_mean, folded
from kbwork.core import named, org_settings
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write, with_columns
from kbwork.modules import members
from kbwork.modules.projects import access, project_members, queries
from kbwork.modules.projects.model import (
    MODULES,
    TYPES,
    Kind,
    Project,
    ProjectCreated,
    ProjectKey,
    ProjectMembersChanged,
    ProjectUpdated,
    Visibility,
)
from kbwork.modules.projects.ports import OfferedViews
from kbwork.modules.projects.templates import templates
from kbwork.modules.projects.templates.content import apply_content

ModuleNames = Annotated[list[Text], Field(max_length=50)]


class ProjectsCreate(Input):
    key: ProjectKey
    """2 to 10 capitals and digits, the first a letter; it is never given to another project."""
    name: Name
    """What people read."""
    template: Id | None = None
    """What it begins with, from projects.templates."""
    description: Body | None = None
    """What it is for, in Markdown."""
    lead: Text | None = None
    """Member who leads it, beside you."""
    visibility: Visibility | None = None
    """Who sees it; `org` unless given."""
    kind: Kind | None = None
    """Sort of project; `software` unless given."""
    modules: ModuleNames | None = None
    """Modules to switch on."""


@write(
    "projects.create",
    scope="projects:write",
    words="new project, start a project, set up a project, add a team space, new board",
    emits=[ProjectCreated],
    guests=False,
    example={"key": "SHOP", "name": "Shop", "description": "The shop and its blog"},
)
def create(tx: Write, args: ProjectsCreate) -> Project:
    """Make a project; you lead it.

    `visibility` is `org` unless given: every member works in it. `kind` is `software` unless given and decides the
    types; a `personal` project is always private and its owner's alone. A key that is or was in use is 409.
    """
    kind = args.kind or "software"
    if kind == "personal" and args.visibility not in (None, "private"):
        raise InvalidInput("A personal project is always private.", field="visibility", allowed=["private"])
    if tx.caller.projects is not None:
        raise NotAllowed("This key is limited to some projects and makes none.")
    content = templates.one(tx, args.template) if args.template is not None else None
    if tx.one("select 1 from project_key where key = :key", key=args.key) is not None:
        raise Conflict(f"The key {args.key} is or was in use; take another one.")
    lead = _leader(tx, args.lead) if args.lead else tx.caller.me()
    if kind == "personal" and lead != tx.caller.me():
        raise InvalidInput("A personal project is its owner's alone.", field="lead")
    types = _types(tx, kind)
    project = tx.insert(
        "project",
        key=args.key,
        name=args.name,
        description=args.description or (content.description if content else None) or "",
        kind=kind,
        lead=lead,
        visibility="private" if kind == "personal" else args.visibility or "org",
        modules=json.dumps(_modules(kind, args.modules)),
        default_type=types[0],
        default_assignee="none",
        workflow=_workflow(tx),
        labels="[]",
        triage=0,
        reporters_see="own",
        blockers="warn",
        created_at=tx.now,
        seq=0,
    )
    tx.insert("project_key", key=args.key, project=project)
    for position, issue_type in enumerate(types):
        tx.insert("project_type", project=project, type=issue_type, position=position)
    for who in dict.fromkeys((tx.caller.me(), lead)):
        tx.insert("project_member", project=project, who=who, role="lead")
    seq = tx.emit(ProjectCreated(subject=f"project:{args.key}", payload={"key": args.key, "name": args.name}))
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=project)
    if content is not None:
        apply_content(tx, access.project(tx, args.key), content)
    return one(tx, project)


class ProjectsGet(Input):
    key: ProjectRef


@read(
    "projects.get",
    scope="projects:read",
    words="details of a project, settings of a project, who leads the project, project lead",
    example={"key": "WEB"},
)
def get(tx: Read, args: ProjectsGet) -> Project:
    """Look at a project, by its key or a former one.

    Of a private project that is not theirs, admins see key, name and people.
    """
    return queries.shown(tx, [access.project(tx, args.key, named=True)])[0]


class ProjectsList(Input):
    q: Text | None = None
    """Words in key or name."""
    kind: Kind | None = None
    """Only those of this sort."""
    archived: bool | None = None
    """True: archived ones too."""
    mine: bool | None = None
    """True: those where you or a team of yours have a role."""
    label: Text | None = None
    """Only those with this label."""


@read(
    "projects.list",
    scope="projects:read",
    words="all projects, which projects exist, my projects, portfolio",
    example={},
)
def list_(tx: Read, args: ProjectsList) -> list[Project]:
    """List the projects that you see, by name."""
    where = [f"({access.SEEN} or p.deleted_at is null and p.id in (select value from json_each(:kb_named)))"]
    binds: dict[str, Any] = dict(visibility.binds(tx))
    if not args.archived:
        where.append("p.archived_at is null")
    if args.kind:
        where.append("p.kind = :kind")
        binds["kind"] = args.kind
    if args.mine:
        where.append(
            "exists (select 1 from project_member m where m.project = p.id"
            " and (m.who = :kb_me or m.who in (select value from json_each(:kb_teams))))"
        )
    if args.label:
        where.append("exists (select 1 from json_each(p.labels) where folded(value) = :label)")
        binds["label"] = folded(args.label)
    for number, word in enumerate(folded(args.q or "").split()):
        where.append(f"(instr(folded(p.name), :q{number}) or instr(folded(p.key), :q{number}))")
        binds[f"q{number}"] = word
    rows = tx.all(
        f"select p.* from project p where {' and '.join(where)} order by lower(p.name), p.id",
        ProjectRow,
        **binds,
    )
    return queries.shown(tx, rows)


class BudgetInput(Input):
    hours: Number | None = None
    """Hours to spend; null: no limit."""
    money: Number | None = None
    """Money to spend, in `currency`; null: no limit."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None
    """Code of three letters, such as `EUR`."""


class ProjectsUpdate(Input):
    key: ProjectRef
    name: Name | None = None
    """What people read."""
    description: Body | None = None
    """What it is for, in Markdown."""
    lead: Text | None = None
    """Member who leads it; they get the role lead."""
    visibility: Visibility | None = None
    """Who works in it: every member (`org`), those with a role and admins (`members`), or those with a role alone."""
    icon: Text | None = None
    """Name of its icon."""
    color: Text | None = None
    """Colour of it."""
    default_type: Text | None = None
    """Key or name of the type that a new issue has."""
    default_assignee: Literal["none", "lead", "component", "rotation"] | None = None
    """Who gets a new issue that nobody was named for."""
    estimate_scale: Id | None = None
    """Not offered by this version."""
    calendar: Id | None = None
    """Not offered by this version."""
    budget: BudgetInput | None = None
    """What may be spent; null: no limit."""
    start_date: Day | Literal[""] | None = None
    """First day, `YYYY-MM-DD`; an empty text clears it."""
    due_date: Day | Literal[""] | None = None
    """Last day, `YYYY-MM-DD`; an empty text clears it."""
    labels: Annotated[list[Name], Field(max_length=50)] | None = None
    """Words that projects are found by, the whole list."""
    modules: dict[str, bool] | None = None
    """Name to on or off; those that are not named stay."""
    reporters_see: Literal["own", "all"] | None = None
    """Whether reporters see their own issues or all."""
    blockers: Literal["warn", "refuse"] | None = None
    """Whether an issue with open blockers may be closed with a warning, or not at all."""
    auto_archive_days: Annotated[Int, Field(ge=1, le=3650)] | None = None
    """Closed issues that nobody changed for so many days are archived, once a day; null: never."""
    auto_close_days: Annotated[Int, Field(ge=1, le=3650)] | None = None
    """Open ones are closed as cancelled. Those with open issues below, or that only an approval closes, stay."""
    triage: bool | None = None
    """Whether new issues wait to be sorted first."""
    default_view: Id | None = None
    """The view that its issues are opened with: one on the project, or a shared one that is on none; null: none."""


_PLAIN = (
    "name",
    "description",
    "visibility",
    "default_assignee",
    "reporters_see",
    "blockers",
    "icon",
    "color",
)
_CLEARED_BY_NULL = ("auto_archive_days", "auto_close_days", "default_view")


@write(
    "projects.update",
    scope="projects:write",
    words=(
        "rename a project, change the project lead, make a project private, project deadline, "
        "budget, project settings, who gets new tickets, default assignee, "
        "description of a project, auto-close, default view of a project"
    ),
    emits=[ProjectUpdated, ProjectMembersChanged],
    example={"key": "WEB", "name": "Web shop"},
)
def update(tx: Write, args: ProjectsUpdate) -> Project:
    """Change a project's settings; fields that are not named stay, an empty string clears a text or a day.

    For its leads and admins. A change that changes nothing is no event. A `lead` who has not that role yet gets it,
    which is told as by projects.member_set and likewise for people alone (403); undo leaves them the role. A
    `default_view` that is deleted, or shared no more, is not shown until it is there again.
    """
    project = access.project(tx, args.key)
    access.require_lead(tx, project)
    access.require_open(project)
    changes = _changes(tx, project, args)
    changed = named.diff(project, changes)
    if not changed:
        return one(tx, project["id"])
    tx.update("project", project["id"], **changed)
    if "lead" in changed and changed["lead"] is not None:
        project_members.make_lead(tx, project, changed["lead"])
    told = {
        field: (_told(tx, field, project[field]), _told(tx, field, value)) for field, value in changed.items()
    }
    seq = tx.emit(
        ProjectUpdated(subject=f"project:{project['key']}", payload={"key": project["key"]}, changes=told)
    )
    tx.execute("update project set seq = :seq where id = :id", seq=seq, id=project["id"])
    return one(tx, project["id"])


def one(tx: Read, project: int) -> Project:
    """A project by its internal id."""
    row = tx.one("select * from project where id = :id", ProjectRow, id=project)
    assert row is not None
    return queries.shown(tx, [row])[0]


def _changes(tx: Read, project: ProjectRow, args: ProjectsUpdate) -> dict[str, Any]:
    """Columns and their new values; equal ones are left in."""
    cleared = args.filled("icon", "color", "start_date", "due_date")
    changes = args.filled(*_PLAIN) | {name: value or None for name, value in cleared.items()}
    changes |= _cleared_by_null(args)
    if args.default_view is not None:
        offered: list[OfferedViews] = tx.registry.of(OfferedViews)
        offered[0].require(tx, project, args.default_view)
    changes |= args.filled(
        labels=lambda names: json.dumps(list(dict.fromkeys(names)), ensure_ascii=False),
        modules=lambda on: json.dumps(json.loads(project["modules"]) | _known_modules(on)),
        triage=int,
        default_type=partial(_default_type, tx, project),
        lead=lambda ref: _leader(tx, ref) if ref else None,
    )
    _require_fitting(project, changes)
    return changes


def _cleared_by_null(args: ProjectsUpdate) -> dict[str, Any]:
    """The fields that null clears. Scales and calendars cannot be named yet: there are none."""
    changes: dict[str, Any] = {name: getattr(args, name) for name in _CLEARED_BY_NULL if args.given(name)}
    for name in ("estimate_scale", "calendar"):
        if getattr(args, name) is not None:
            raise InvalidInput(f"There is no {name.replace('_', ' ')} {getattr(args, name)}.", field=name)
    if args.given("budget"):
        changes["budget"] = args.budget.model_dump_json() if args.budget else None
    return changes


def _require_fitting(project: ProjectRow, changes: dict[str, Any]) -> None:
    after = with_columns(project, changes)
    if project["kind"] == "personal" and (
        after["visibility"] != "private" or after["lead"] != project["lead"]
    ):
        raise InvalidInput("A personal project stays private and its owner's.", field="visibility")
    if after["start_date"] and after["due_date"] and after["start_date"] > after["due_date"]:
        raise InvalidInput("It cannot be due before it starts.", field="due_date")


def _told(tx: Read, field: str, value: Any) -> Any:
    """A changed value as the shape shows it."""
    if field == "default_type":
        return tx.value("select key from issue_type where id = :id", id=value)
    if field in ("labels", "modules", "budget"):
        return json.loads(value) if value else None
    if field == "description":
        return {"size": len(value or "")}
    return bool(value) if field == "triage" else value


def _leader(tx: Read, ref: str) -> str:
    """A member who may lead. Raises InvalidInput for guests and people who left."""
    row = members.by_ref(tx, ref, field="lead")
    if row["state"] != "active" or row["role"] == "guest":
        raise InvalidInput(f"{row['name']} cannot lead: leads are active members, not guests.", field="lead")
    return str(row["id"])


def _types(tx: Read, kind: str) -> list[int]:
    """The types of a new project: those the org set, else those of its kind; ones that were deleted are left out."""
    wanted = org_settings.get(tx, "org.issue_defaults").get("types") or TYPES[kind]
    known = {row["key"]: row["id"] for row in tx.all("select id, key from issue_type where heir is null")}
    found = [known[key] for key in wanted if key in known]
    return found or [next(iter(known.values()))]


def _workflow(tx: Read) -> int:
    wanted = org_settings.get(tx, "org.issue_defaults").get("workflow")
    found: int = tx.value(
        "select id from workflow where id = :wanted or builtin = 1 order by id = :wanted desc limit 1",
        wanted=wanted,
    )
    return found


def _modules(kind: str, on: list[str] | None) -> dict[str, bool]:
    named = _known_modules(dict.fromkeys(on or (), True))
    return {"desk": kind == "desk"} | named


def _known_modules(named: dict[str, bool]) -> dict[str, bool]:
    for name in named:
        if name not in MODULES:
            text = f"There is no module {name!r} for projects.{did_you_mean(name, MODULES)}"
            raise InvalidInput(text, field="modules", allowed=list(MODULES))
    return named


def _default_type(tx: Read, project: ProjectRow, name: str) -> int:
    rows = tx.all(
        "select t.id, t.key, t.name from project_type pt join issue_type t on t.id = pt.type"
        " where pt.project = :project",
        project=project["id"],
    )
    for row in rows:
        if name.lower() in (row["key"].lower(), row["name"].lower()):
            return int(row["id"])
    raise InvalidInput(
        f"{project['key']} has no type {name!r}.", field="default_type", allowed=[r["key"] for r in rows]
    )
