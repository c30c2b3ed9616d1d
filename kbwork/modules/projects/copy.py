"""Copying a project: what it is made of at once, its issues by a job."""

from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InvalidInput, Problem
from kbwork.base.model import Input, Name, Started, Text
from kbwork.core.access import impersonate, visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.projects import access
from kbwork.modules.projects.model import ProjectCreated, ProjectKey
from kbwork.modules.projects.templates import content
from kbwork.modules.projects.templates.content import ProjectContent

MOST = 10_000
_SLICE = 50
With = Literal["members", "boards", "views", "rules", "templates", "milestones", "issues"]
_SAME = (
    "title",
    "body",
    "body_doc",
    "type",
    "priority",
    "labels",
    "components",
    "estimate",
    "start_date",
    "due_date",
    "level",
    "values",
)


class ProjectsCopy(Input):
    key: Text
    new_key: ProjectKey
    name: Name
    with_: Annotated[list[With], Field(max_length=7)] | None = Field(None, alias="with")
    """What else comes along; parts of modules that are not there add nothing."""


@write(
    "projects.copy",
    scope="projects:write",
    emits=[ProjectCreated],
    guests=False,
    example={"key": "WEB", "new_key": "SHOP", "name": "Shop", "with": ["members", "issues"]},
)
def copy(tx: Write, args: ProjectsCopy) -> Started:
    """Make a project like another one, which you lead; answers the job that copies what takes longer.

    Types, settings, labels, components and layouts are the same; with `templates` its issue templates, with `members`
    its people. With `issues` the job copies those that you see and that are not archived, parents first, each in the
    start lane and reported by you, 10,000 at most (422); its result names those that could not be made in `skipped`,
    with the reason. Taking it back sends the new project to the trash.
    """
    source = access.project(tx, args.key)
    named = args.with_ or []
    keys = _issues(tx, source) if "issues" in named else []
    found = content.of_project(tx, source)
    if "templates" not in named:
        found.pop("templates", None)
    made = nested.run(
        tx,
        "projects.create",
        {
            "key": args.new_key,
            "name": args.name,
            "kind": source["kind"],
            "description": source["description"],
            **({} if source["kind"] == "personal" else {"visibility": source["visibility"]}),
        },
    )
    target = access.project(tx, made["key"])
    content.apply_content(tx, target, ProjectContent.model_validate(found))
    if "members" in named:
        _bring_people(tx, source, target)
    args_of_job = {
        "who": impersonate.caller_args(tx.caller),
        "project": target["key"],
        "issues": keys,
        "at": 0,
        "made": {},
        "skipped": [],
    }
    return Started(job=enqueue(tx, COPY.kind, args_of_job, message=f"Copying {source['key']}"))


def _issues(tx: Write, source: Row) -> list[int]:
    """The internal numbers of what the caller sees, parents before children, in their order."""
    found: list[int] = tx.column(
        f"select i.id from issue i where i.project = :project and i.archived_at is null and {access.ISSUE_SEEN}"
        " order by i.level_no desc, i.rank, i.id limit :most",
        project=source["id"],
        most=MOST + 1,
        **visibility.binds(tx),
    )
    if len(found) > MOST:
        raise InvalidInput(f"{source['key']} has more than {MOST:,} issues.", field="with")
    return found


def _bring_people(tx: Write, source: Row, target: Row) -> None:
    for row in tx.all(
        "select who, role from project_member where project = :id order by who", id=source["id"]
    ):
        if tx.stored("project_member", [target["id"], row["who"]]) is None:
            tx.insert("project_member", project=target["id"], who=row["who"], role=row["role"])


def _step(tx: Write, job: RunningJob) -> Next:
    """The next fifty issues, as whoever started it. What they do not see any more is left out."""
    args = job.args
    with impersonate.as_starter(tx, args["who"]):
        made, skipped = dict(args["made"]), list(args["skipped"])
        for ident in args["issues"][args["at"] : args["at"] + _SLICE]:
            try:
                with tx.attempt():
                    copied = _copy(tx, args["project"], ident, made)
            except Problem as refusal:
                skipped.append({"key": _key_of(tx, ident), "reason": refusal.detail})
                continue
            if copied is not None:
                made[str(ident)] = copied
    at = args["at"] + _SLICE
    message = f"Copied {len(made)} of {len(args['issues'])} issues"
    if at >= len(args["issues"]):
        result = {"project": args["project"], "issues": len(made), "skipped": skipped}
        return Next(result=result, message=message)
    left = args | {"at": at, "made": made, "skipped": skipped}
    return Next(args=left, progress=at / len(args["issues"]), message=message)


def _copy(tx: Write, project: str, ident: int, made: dict[str, str]) -> str | None:
    subject = f"issue:{ident}"
    if visibility.find(tx, subject) is None:
        return None
    source = nested.run(tx, "issues.get", {"key": subject})
    value = {name: source[name] for name in _SAME if source[name] not in (None, "", [], {})}
    value |= {"project": project, "assignees": []}
    parent = tx.value("select parent from issue where id = :id", id=ident)
    if parent is not None and str(parent) in made:
        value["parent"] = made[str(parent)]
    return str(nested.run(tx, "issues.create", value)["key"])


def _key_of(tx: Read, ident: int) -> str:
    found = tx.one(
        "select p.key, i.number from issue i join project p on p.id = i.project where i.id = :id", id=ident
    )
    return f"{found['key']}-{found['number']}" if found is not None else f"issue:{ident}"


COPY = JobKind(kind="projects.copy", home=__name__, step=_step)
