"""Copying a project: what it is made of at once, its issues by a job."""

from contextlib import suppress
from typing import Annotated, Literal

from pydantic import Field

from kbwork.base.errors import InsufficientScope, InvalidInput, Problem
from kbwork.base.model import Input, Name, Started
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.references import ProjectRef
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Write
from kbwork.modules.projects import access, queries
from kbwork.modules.projects.model import ProjectCreated, ProjectKey
from kbwork.modules.projects.ops import create
from kbwork.modules.projects.ports import CopiedIssues
from kbwork.modules.projects.templates import content
from kbwork.modules.projects.templates.content import ProjectContent

MOST = 10_000
_SLICE = 50
With = Literal["members", "boards", "views", "rules", "templates", "milestones", "issues"]


class ProjectsCopy(Input):
    key: ProjectRef
    new_key: ProjectKey
    """Key of the copy: 2 to 10 capitals and digits, the first a letter."""
    name: Name
    """What the copy is called."""
    with_: Annotated[list[With], Field(max_length=7)] | None = Field(None, alias="with")
    """What else comes along; parts of modules that are not there add nothing."""


@write(
    "projects.copy",
    scope="projects:write",
    words="clone a project, same setup as, project like the last one, duplicate a project",
    emits=[ProjectCreated],
    guests=False,
    example={"key": "WEB", "new_key": "SHOP", "name": "Shop", "with": ["members", "issues"]},
)
def copy(tx: Write, args: ProjectsCopy) -> Started:
    """Make a project like another one, which you lead; answers the job that copies what takes longer.

    Types, settings, labels, components and layouts are the same, and so is a shared view that it opens with, not one
    on the project, which stays there; with `templates` its issue templates, with
    `boards` its boards, whose conditions say of the copy what they said of the project, with `members` its people.
    With `issues` the job copies those that you see and that are not archived, parents first, each in the start lane
    and reported by you, 10,000 at most (422); its result names those that could not be made in `skipped`, with the
    reason. Taking it back sends the new project to the trash.
    """
    source = access.project(tx, args.key)
    named = args.with_ or []
    keys = _issues(tx, source) if "issues" in named else []
    found = content.of_project(tx, source)
    for part in ("templates", "boards"):
        if part not in named:
            found.pop(part, None)
    made = nested.run(
        tx,
        create,
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
    if views := queries.default_views(tx, {target["id"]: source["default_view"]}):
        # It may have become one that no project opens with, or not be one to be asked by whoever copies.
        with suppress(InvalidInput, InsufficientScope), tx.attempt():
            nested.run(tx, "projects.update", {"key": target["key"], "default_view": views[target["id"]]})
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


def _issues(tx: Write, source: ProjectRow) -> list[int]:
    """The internal numbers of what the caller sees, parents before children, in their order."""
    found = _declared(tx).pick(tx, source, MOST + 1)
    if len(found) > MOST:
        raise InvalidInput(f"{source['key']} has more than {MOST:,} issues.", field="with")
    return found


def _declared(tx: Write) -> CopiedIssues:
    found: list[CopiedIssues] = tx.registry.of(CopiedIssues)
    return found[0]


def _bring_people(tx: Write, source: ProjectRow, target: ProjectRow) -> None:
    for row in tx.all(
        "select who, role from project_member where project = :id order by who", id=source["id"]
    ):
        if tx.stored("project_member", [target["id"], row["who"]]) is None:
            tx.insert("project_member", project=target["id"], who=row["who"], role=row["role"])


def _step(tx: Write, job: RunningJob) -> Next:
    """The next fifty issues, as whoever started it. What they do not see any more is left out."""
    args, issues = job.args, _declared(tx)
    with impersonate.as_starter(tx, args["who"]):
        made, skipped = dict(args["made"]), list(args["skipped"])
        for ident in args["issues"][args["at"] : args["at"] + _SLICE]:
            try:
                with tx.attempt():
                    copied = issues.copy(tx, args["project"], ident, made)
            except Problem as refusal:
                skipped.append({"key": issues.key(tx, ident), "reason": refusal.detail})
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


COPY = JobKind(kind="projects.copy", home=__name__, step=_step)
