"""How a project goes: what people say of it, and the facts that moved."""

import datetime
import json
from typing import Any

from typing_extensions import TypedDict

from kbwork.base.errors import NotAllowed, NotFound
from kbwork.base.model import Body, Id, Input, Text, When
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, Write
from kbwork.modules.projects import access, queries
from kbwork.modules.projects.issue_access import ISSUE_SEEN
from kbwork.modules.projects.model import (
    Health,
    ProjectStatus,
    ProjectStatusDeleted,
    ProjectStatusPosted,
)
from kbwork.modules.projects.progress import health

MOST = 200
_WEEK_S = 7 * 86400
_MOST_KEYS = 50


class ProjectsStatuses(Input):
    key: Text | None = None
    """A project; all that you see unless given."""
    since: When | None = None
    """Only what was said from this time on, in Unix seconds."""


@read(
    "projects.statuses",
    scope="projects:read",
    words="earlier project updates, last status report, read the weekly update",
    example={"key": "WEB"},
)
def statuses(tx: Read, args: ProjectsStatuses) -> list[ProjectStatus]:
    """List what was said of how projects go, the latest first, 200 at most."""
    project = access.project(tx, args.key)["id"] if args.key else None
    rows = tx.all(
        f"select s.*, p.key from project_status s join project p on p.id = s.project where {access.SEEN}"
        " and (:project is null or s.project = :project) and (:since is null or s.at >= :since)"
        " order by s.at desc, s.id desc limit :most",
        project=project,
        since=args.since,
        most=MOST,
        **visibility.binds(tx),
    )
    return [queries.status(row) for row in rows]


class ProjectsStatusPost(Input):
    key: ProjectRef
    health: Health
    """How it goes."""
    body: Body
    """How it goes in words, in Markdown."""
    notify: bool | None = None
    """True: it stands in the inboxes of the project's people."""


@write(
    "projects.status_post",
    scope="projects:write",
    words=(
        "post a project update, weekly status, report progress, at risk, on track, "
        "tell stakeholders, send status report, announce delay"
    ),
    emits=[ProjectStatusPosted],
    example={"key": "WEB", "health": "at_risk", "body": "The new cart waits for the payment provider."},
)
def status_post(tx: Write, args: ProjectsStatusPost) -> ProjectStatus:
    """Say how a project goes; whoever leads it does. The facts of the moment are kept beside.

    The latest one is the project's `health`.
    """
    project = access.project(tx, args.key)
    access.require_lead(tx, project)
    access.require_open(project)
    facts = health.counts(tx, project["id"])
    ident = tx.insert(
        "project_status",
        project=project["id"],
        health=args.health,
        body=args.body,
        author=tx.caller.actor,
        at=tx.now,
        facts=json.dumps(facts),
    )
    payload = {"key": project["key"], "status": ident, "health": args.health}
    with tx.telling(args.notify or None):
        tx.emit(ProjectStatusPosted(subject=f"project:{project['key']}", payload=payload))
    return _one(tx, ident)


class ProjectsStatusDelete(Input):
    id: Id
    """Id of the status, from `projects.statuses`."""


@destructive(
    "projects.status_delete",
    scope="projects:write",
    words="take back a status update, wrong project update",
    emits=[ProjectStatusDeleted],
    example={"id": 1},
)
def status_delete(tx: Write, args: ProjectsStatusDelete) -> list[ProjectStatus]:
    """Take back what was said of a project: whoever said it, its leads and admins. Answers what is left of it."""
    row = tx.one(
        "select s.*, p.key from project_status s join project p on p.id = s.project"
        f" where s.id = :id and {access.SEEN}",
        id=args.id,
        **visibility.binds(tx),
    )
    if row is None:
        raise NotFound(f"There is no status {args.id} that you can see; projects.statuses shows them.")
    if row["author"] != tx.caller.actor and not access.at_least(tx, row["project"], "lead"):
        raise NotAllowed("Only who said it, and the project's leads, take it back.")
    tx.delete("project_status", row["id"])
    payload = {"key": row["key"], "status": row["id"], "health": row["health"]}
    tx.emit(ProjectStatusDeleted(subject=f"project:{row['key']}", payload=payload))
    return statuses(tx, ProjectsStatuses(key=row["key"]))


class Fact(TypedDict):
    """Something that moved: how many issues, and the first keys."""

    fact: str
    """What happened to them: `made`, `started`, `closed`, `overdue` or `blocked`."""
    count: int
    """How many issues."""
    keys: list[str]
    """Keys of the first of them."""


class StatusDraft(TypedDict):
    """A text to begin with, and the facts in it."""

    text: str
    """A text to begin with, in Markdown."""
    facts: list[Fact]
    """What moved."""


class ProjectsStatusDraft(Input):
    key: ProjectRef
    since: When | None = None
    """The last status unless given, else a week ago."""


@write(
    "projects.status_draft",
    scope="ai:write",
    words=(
        "draft a status report, weekly report, summarize progress, release notes, "
        "what was achieved, prepare the update"
    ),
    example={"key": "WEB"},
)
def status_draft(tx: Read, args: ProjectsStatusDraft) -> StatusDraft:
    """Gather what moved in a project, as a text to begin a status with. Without an AI provider it is the facts alone.

    Counts and keys are of the issues that you see.
    """
    project = access.project(tx, args.key)
    since = args.since if args.since is not None else _since(tx, project["id"])
    facts = [_fact(tx, project, since, *asked) for asked in _FACTS]
    day = datetime.datetime.fromtimestamp(since, datetime.UTC).date()
    lines = [f"- {fact['fact']}: {fact['count']}" + _listed(fact["keys"]) for fact in facts]
    return StatusDraft(text=f"Since {day}:\n\n" + "\n".join(lines), facts=facts)


_FACTS = (
    ("made", "i.created_at >= :since"),
    ("started", "i.started_at >= :since and i.category <> 'done'"),
    ("closed", "i.done_at >= :since and i.category = 'done'"),
    ("overdue", "i.category <> 'done' and i.due_date < :today"),
    ("blocked", "i.category <> 'done' and i.blockers > 0"),
)


def _fact(tx: Read, project: ProjectRow, since: int, name: str, condition: str) -> Fact:
    binds: dict[str, Any] = {
        "project": project["id"],
        "since": since,
        "today": health.today(tx),
        **visibility.binds(tx),
    }
    where = f"i.project = :project and i.archived_at is null and {condition} and {ISSUE_SEEN}"
    count = tx.value(f"select count(*) from issue i where {where}", **binds)
    numbers = tx.column(
        f"select i.number from issue i where {where} order by i.updated_at desc, i.id desc limit :most",
        most=_MOST_KEYS,
        **binds,
    )
    return Fact(fact=name, count=count, keys=[f"{project['key']}-{number}" for number in numbers])


def _listed(keys: list[str]) -> str:
    return f" ({', '.join(keys[:10])}{', ...' if len(keys) > 10 else ''})" if keys else ""


def _since(tx: Read, project: int) -> int:
    found = tx.value("select max(at) from project_status where project = :id", id=project)
    return int(found) if found is not None else max(0, tx.now - _WEEK_S)


def _one(tx: Read, ident: int) -> ProjectStatus:
    row = tx.one(
        "select s.*, p.key from project_status s join project p on p.id = s.project where s.id = :id",
        id=ident,
    )
    assert row is not None
    return queries.status(row)
