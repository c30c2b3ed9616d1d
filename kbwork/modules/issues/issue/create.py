"""Making an issue."""

from typing import Any

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, WorkflowRefused
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.operations.validate import validate
from kbwork.core.ports.files import name_uploads
from kbwork.core.things import rank_keys
from kbwork.db.rows import (
    ComponentRow,
    IssueRow,
    IssueTypeRow,
    LabelRow,
    LaneRow,
    ProjectRow,
    RelationKindRow,
)
from kbwork.db.tx import Read, Write
from kbwork.issuefields import SIMPLE
from kbwork.modules import components, fields, types, workflows
from kbwork.modules.issues import access, ports, queries
from kbwork.modules.issues.events import (
    IssueAssigned,
    IssueBlocked,
    IssueCreated,
    IssueRelated,
    IssueUnblocked,
)
from kbwork.modules.issues.issue import resolve
from kbwork.modules.issues.issue.rich_text import document
from kbwork.modules.issues.model import Imported, Issue, IssuesCreate, RelationInput
from kbwork.modules.issues.people.watch import add_watcher
from kbwork.modules.issues.ports import Checklists
from kbwork.modules.issues.relations import relation_kinds, relations
from kbwork.modules.issues.structure import numbers
from kbwork.modules.issues.templates import templates
from kbwork.modules.issues.transitions import automatic, engine
from kbwork.modules.projects import access as projects
from kbwork.modules.workflows import lanes


@write(
    "issues.create",
    scope="issues:write",
    words=(
        "new issue, file a bug, report a problem, open a ticket, log a defect, add a task, "
        "write a story, new epic, feature request, raise an incident, request, add a todo, "
        "something is broken"
    ),
    emits=[IssueCreated, IssueAssigned, IssueRelated, IssueBlocked, IssueUnblocked],
    example={"project": "WEB", "title": "The cart forgets its vouchers", "type": "bug", "labels": ["bug"]},
)
def create(tx: Write, args: IssuesCreate) -> Issue:
    """Make an issue: the next key of its project, in the start lane of its workflow, reported and watched by you.

    Assignees are active members who see it and agents, and watch it too. Where `assignees` is left out, its components
    and the project's `default_assignee` say who gets it: with `rotation` the people of the project take turns.
    Whatever is unknown is 422 naming the nearest; labels of one group exclude each other. Members and reporters of the
    project make issues. `uploads` are as with attachments.expect.
    """
    project = projects.as_set_up(tx, args.project)
    access.require_maker(tx, project)
    if args.imported is not None and (not tx.caller.admin or "admin" not in tx.caller.scopes):
        raise NotAllowed("`imported` is for admins with the scope admin.")
    if args.external and (known := _external(tx, project["id"], args.external)) is not None:
        return known
    items: list[dict[str, Any]] = []
    checklists: list[int] = []
    if args.template is not None:
        args, items, checklists = _filled(tx, args, project)
    made = _make(tx, args, project)
    issue = made.issue
    if args.imported is None:
        for companion in tx.registry.of(Checklists):
            companion.begin(tx, issue, checklists)
    if items:
        under = [{"parent": f"issue:{issue}"} | item for item in items]
        nested.run(tx, "issues.create_tree", {"project": project["key"], "items": under})
    name_uploads(tx, f"issue:{issue}", args.uploads)
    return queries.new(tx, made)


def create_from_outside(
    tx: Write, project: ProjectRow, args: IssuesCreate, *, asked: bool, reporter: str | None = None
) -> int:
    """A customer asks for something: whoever asks has judged that they may. Answers the number of the issue. Where
    somebody else writes it down, `reporter` says who asked.

    What a template says of the issue itself counts, but for what customers do not see; it makes no others. Fields that
    the layout requires must be there where a form `asked` for them.
    """
    projects.require_open(project)
    checklists: list[int] = []
    if args.template is not None:
        args, _, checklists = _filled(tx, args, project)
        args = args.model_copy(update=dict.fromkeys(_OF_MEMBERS))
    issue = _make(tx, args, project, asked=asked).issue
    if reporter is not None:
        tx.update("issue", issue, reporter=reporter)
    for companion in tx.registry.of(Checklists):
        companion.begin(tx, issue, checklists)
    return issue


def _filled(
    tx: Read, args: IssuesCreate, project: ProjectRow
) -> tuple[IssuesCreate, list[dict[str, Any]], list[int]]:
    """What a template says, with what is given besides; the issues to make under it, and its checklists."""
    given = args.model_dump(exclude_unset=True, by_alias=True)
    template = given.pop("template")
    value, items, checklists = templates.filled(tx, template, project, given)
    found = validate(IssuesCreate, value | {"template": template}, about="template: ")
    assert isinstance(found, IssuesCreate)
    return found, items, checklists


_OF_MEMBERS = ("assignees", "parent", "relations", "uploads")
"""Inputs that name what members see."""


def _make(tx: Write, args: IssuesCreate, project: ProjectRow, *, asked: bool = True) -> queries.NewIssue:
    resolve.require_known(args)
    issue_type = _type(tx, project, args.type)
    columns = _columns(tx, args, project, issue_type)
    columns |= _standing(tx, args, project["id"], issue_type["id"])
    labels = resolve.label_rows(tx, project["id"], args.labels or [])
    owned = components.by_names(tx, project["id"], args.components or [])
    assignees = _assignees(tx, args, project, owned)
    values = _values(tx, args, columns, assignees, asked=asked)
    related = _relations(tx, args.relations or [])
    with tx.new_thing():
        issue = _insert(tx, columns, args)
        for label in labels:
            tx.insert("issue_label", issue=issue, label=label["id"])
        for component in owned:
            tx.insert("issue_component", issue=issue, component=component["id"])
        fields.begin(tx, issue, values)
        for position, who in enumerate(assignees):
            tx.insert("issue_assignee", issue=issue, who=who, position=position)
    if args.imported is None:
        engine.require_enterable(tx, queries.stored(tx, issue))
        resolve.require_assignees_see(tx, project["id"], assignees)
    watchers = _watch(tx, issue, assignees, author=args.imported is None)
    parts = _parts(tx, assignees, labels, owned, watchers)
    made = queries.NewIssue(issue, parts, values, tx.touches("issue", issue))
    _tell(tx, issue, project, (args, issue_type, assignees))
    ports.sprint_changed(tx, issue, None, args.sprint)
    for kind, turned, other in related:
        row = queries.stored(tx, issue)
        relations.add(tx, kind, *((other, row) if turned else (row, other)))
    if args.imported is None:
        automatic.run_automatic(tx, issue)
    return made


def _watch(tx: Write, issue: int, assignees: list[str], *, author: bool) -> set[str]:
    """Its author and those who have it watch it from now on; answers the members among them."""
    reasons = dict.fromkeys(assignees, "assignee") | ({tx.caller.actor: "author"} if author else {})
    return {who for who, reason in reasons.items() if add_watcher(tx, issue, who, reason)}


def _parts(
    tx: Read, assignees: list[str], labels: list[LabelRow], owned: list[ComponentRow], watchers: set[str]
) -> queries.IssueParts:
    """What hangs on it, in the order in which it is read."""
    return queries.IssueParts(
        assignees=assignees,
        labels=[row["name"] for row in sorted(labels, key=_by_name)],
        components=[row["name"] for row in sorted(owned, key=lambda row: (row["name_key"], row["id"]))],
        past_sprints=[],
        watchers=len(watchers),
        watching=tx.caller.member in watchers,
        starred=False,
        request=None,
    )


def _by_name(label: LabelRow) -> tuple[bytes, int]:
    """As SQLite compares names: without case as far as they are ASCII."""
    return label["name"].encode().lower(), label["id"]


def _external(tx: Read, project: int, external: str) -> Issue | None:
    """The issue that the sender made before. Raises Conflict where the caller does not see it."""
    found = tx.value(
        "select id from issue where project = :project and external = :external",
        project=project,
        external=external,
    )
    if found is None:
        return None
    row = access.find(tx, f"issue:{found}")
    if row is None:
        raise Conflict(f"The issue with the external id {external!r} is in the trash, or not for you to see.")
    return queries.shown(tx, [row])[0]


def _type(tx: Read, project: ProjectRow, name: str | None) -> IssueTypeRow:
    rows = types.of_project(tx, project["id"])
    if name:
        return types.by_name(rows, name)
    return next((row for row in rows if row["id"] == project["default_type"]), rows[0])


def _columns(tx: Read, args: IssuesCreate, project: ProjectRow, issue_type: IssueTypeRow) -> dict[str, Any]:
    """What the issue says of itself."""
    simple = {field.column: getattr(args, field.input) for field in SIMPLE}
    resolve.require_days_fit(simple)
    if args.sprint is not None:
        ports.require_sprint(tx, args.sprint, project["id"])
    parent = resolve.parent_row(tx, args.parent, issue_type["level"])["id"] if args.parent else None
    return {
        "project": project["id"],
        "type": issue_type["id"],
        "title": args.title,
        "body": args.body or "",
        "body_doc": document(args.body, args.body_doc),
        "priority": args.priority or "none",
        "parent": parent,
        "sprint": args.sprint,
        "level_no": issue_type["level"],
        "level": resolve.level_of(tx, args.level),
        "source": args.source,
        "external": args.external,
    } | simple


_BROUGHT_BY_NOBODY = Imported()


def _standing(tx: Read, args: IssuesCreate, project: int, issue_type: int) -> dict[str, Any]:
    """The lane and the times that go with it. An import may stand in any lane of the workflow."""
    graph = workflows.of_issue_type(tx, project, issue_type)
    lane = graph.start
    if args.status and args.imported is not None:
        lane = _any_lane(graph, lanes.by_name(tx, args.status))
    elif args.status:
        lane = _next_lane(graph, lanes.by_name(tx, args.status))
    was = args.imported or _BROUGHT_BY_NOBODY
    done = lane["category"] == "done"
    if (was.outcome or was.done_at) and not done:
        raise InvalidInput("Only an issue in a done lane has an outcome.", field="imported.outcome")
    created_at = was.created_at if was.created_at is not None else tx.now
    done_at = (was.done_at if was.done_at is not None else tx.now) if done else None
    return {
        "lane": lane["id"],
        "category": lane["category"],
        "outcome": (was.outcome or lane["outcome"]) if done else None,
        "reporter": resolve.person_or_name(tx, was.author) if was.author else tx.caller.actor,
        "created_at": created_at,
        "created_by": resolve.person_or_name(tx, was.author) if was.author else tx.caller.actor,
        "updated_at": was.updated_at if was.updated_at is not None else created_at,
        "status_at": done_at or created_at,
        "started_at": tx.now if lane["category"] == "in_progress" and args.imported is None else None,
        "done_at": done_at,
    }


def _next_lane(graph: workflows.WorkflowGraph, lane: LaneRow) -> LaneRow:
    """The start, or a lane to which a transition leads from it; whether that is open is asked when it is there."""
    ways = [step.to for step in graph.steps(graph.start["key"])]
    if lane["id"] in (graph.start["id"], *(way["id"] for way in ways)):
        return lane
    known = ", ".join(dict.fromkeys(way["key"] for way in ways)) or "nowhere"
    raise WorkflowRefused(
        f"No transition of {graph.name} leads from {graph.start['name']} to {lane['name']}; from there: {known}.",
        rule="no-transition",
    )


def _any_lane(graph: workflows.WorkflowGraph, lane: LaneRow) -> LaneRow:
    """A lane of the workflow, whether or not a transition leads there from the start."""
    if not graph.has(lane["id"]):
        raise InvalidInput(
            f"The workflow {graph.name} has no lane {lane['name']}.",
            field="status",
            allowed=[one["key"] for one in graph.lanes],
        )
    return lane


def _assignees(tx: Read, args: IssuesCreate, project: ProjectRow, owned: list[ComponentRow]) -> list[str]:
    """Who is named, or, where the input says nothing of it, who gets new issues here."""
    if args.assignees is not None or args.imported is not None:
        return resolve.assignee_ids(tx, args.assignees or [], bare=args.imported is not None)
    decided, who = components.taker(owned)
    if not decided:
        who = _taker(tx, project)
    active = who is not None and visibility.role_of(tx, who) != "anonymous"
    return [who] if who is not None and active else []


def _values(
    tx: Read, args: IssuesCreate, columns: dict[str, Any], assignees: list[str], *, asked: bool
) -> fields.Resolved:
    """What own fields hold: what is given, and what fields and layout fill in. An import brings what it brings; where
    nobody was `asked`, nothing is missing."""
    place = (columns["project"], columns["type"])
    given = fields.resolve(tx, *place, args.values or {})
    if args.imported is not None or not fields.catalogue(tx):
        return given
    facts = resolve.facts(tx, columns, assignees=assignees, labels=args.labels or [])
    values = fields.defaults(tx, *place, given, facts)
    if asked:
        fields.required(tx, *place, values, facts)
    return values


def _taker(tx: Read, project: ProjectRow) -> str | None:
    """Who gets what nobody was named for, as the project says."""
    if project["default_assignee"] == "lead":
        return str(project["lead"]) if project["lead"] else None
    if project["default_assignee"] != "rotation":
        return None
    people = tx.column(
        "select m.id from project_member p join member m on m.id = p.who and m.state = 'active'"
        " where p.project = :project and p.role in ('lead', 'member') order by m.created_at, m.id",
        project=project["id"],
    )
    made = numbers.following(tx, project["id"]) - 1
    return str(people[made % len(people)]) if people else None


def _relations(tx: Read, named: list[RelationInput]) -> list[tuple[RelationKindRow, bool, IssueRow]]:
    """(kind, turned, other end) of the relations that it is to have. Raises InvalidInput."""
    found = []
    for relation in named:
        kind, turned = relation_kinds.by_name(tx, relation.kind, field="relations")
        other = access.find(tx, relation.key)
        if other is None:
            raise InvalidInput(f"There is no issue {relation.key!r} that you can see.", field="relations")
        found.append((kind, turned, other))
    return found


def _insert(tx: Write, columns: dict[str, Any], args: IssuesCreate) -> int:
    """Give it a number and a place at the end of its project's order."""
    project = columns["project"]
    wanted = args.imported.number if args.imported else None
    free = wanted is not None and (
        tx.value(
            "select 1 from issue where project = :project and number = :number union all"
            " select 1 from former_number where project = :project and number = :number",
            project=project,
            number=wanted,
        )
        is None
    )
    brought = wanted if free else None
    number = numbers.given(brought) if brought else numbers.following(tx, project)
    issue = tx.insert("issue", number=number, rank=rank_keys.of_number(number), seq=tx.seq + 1, **columns)
    if not brought:
        numbers.gave(tx, project, number)
    return issue


def _tell(
    tx: Write, issue: int, project: ProjectRow, made: tuple[IssuesCreate, IssueTypeRow, list[str]]
) -> None:
    args, issue_type, assignees = made
    row = queries.stored(tx, issue)
    common: dict[str, Any] = {"key": f"{project['key']}-{row['number']}", "project": project["key"]}
    if args.imported is not None:
        common["import"] = 0
    lane = lanes.one(tx, row["lane"])
    tx.emit(
        IssueCreated(
            subject=f"issue:{issue}",
            payload=common
            | {
                "title": row["title"],
                "type": issue_type["key"],
                "status": lane["name"],
                "assignees": assignees,
                "parent": queries.key_of(tx, queries.stored(tx, row["parent"])) if row["parent"] else None,
            }
            | ({"source": row["source"]} if row["source"] else {})
            | ({"template": args.template} if args.template is not None else {}),
        )
    )
    if assignees and args.imported is None:
        tx.emit(
            IssueAssigned(
                subject=f"issue:{issue}",
                payload=common | {"added": assignees, "removed": []},
                changes={"assignees": ([], assignees)},
            )
        )
