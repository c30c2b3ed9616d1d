"""Projects in their archive: settings, types, people, and how they were said to be doing."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.core.ports import archive
from kbwork.core.ports.archive import HUNG, SEVERAL, Amount, ArchivedList, Count, Day, Time, named, stored

_CURRENCY = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
_BUDGET = archive.exact(
    "KbzBudget", {"hours": Amount | None, "money": Amount | None, "currency": _CURRENCY | None}
)

PROJECTS = archive.ArchivedLine(
    file="projects.jsonl",
    place=20,
    thing="project",
    # numbers: LAST_NUMBER of the module, in words of its own, since no module starts for a manifest
    once="select p.*, max(p.numbers, coalesce((select max(number) from issue where project = p.id), 0)) as numbers"
    " from project p where p.id = :project",
    columns={
        "name": archive.Word,
        "description": archive.Long,
        "kind": Literal["software", "business", "desk", "personal"],
        "icon": archive.Short | None,
        "color": archive.Short | None,
        "visibility": Literal["org", "members", "private"],
        "default_assignee": Literal["none", "lead", "component", "rotation"],
        "start_date": Day | None,
        "due_date": Day | None,
        "reporters_see": Literal["own", "all"],
        "blockers": Literal["warn", "refuse"],
        "auto_archive_days": Count | None,
        "auto_close_days": Count | None,
        "numbers": Annotated[int, Field(ge=0, le=2**31 - 1)],
        "archived_at": Time | None,
        "created_at": Time,
        "key": archive.Key,
        "lead": archive.Member | None,
        "modules": stored(archive.keyed(bool)),
        "default_type": named("issue_type", word=archive.Id),
        "workflow": named("workflow", "name"),
        "budget": stored(_BUDGET) | None,
        "labels": stored(archive.few(archive.Word)),
        "triage": bool,
        "former_keys": HUNG,
        "types": HUNG,
        "members": HUNG,
        "statuses": HUNG,
        "layouts": HUNG,
        "templates": HUNG,
        "views": HUNG,
        "default_view": HUNG,
        "boards": HUNG,
        "words.lanes": HUNG,
        "words.types": HUNG,
        "words.fields": HUNG,
        "words.workflows": HUNG,
        "words.relation_kinds": HUNG,
    },
)
FORMER_KEYS = ArchivedList(
    "projects.jsonl",
    "former_keys",
    table="project_key",
    order="key",
    where="key not in (select key from project where id = :project)",
    bare=True,
    restored=False,
    columns={"key": archive.Key},
)
TYPES = ArchivedList(
    "projects.jsonl",
    "types",
    table="project_type",
    order="position",
    columns={"type": named("issue_type", word=archive.Id), "workflow": named("workflow", "name") | None},
)
"""`workflow` is the type's own one there."""
MEMBERS = ArchivedList(
    "projects.jsonl",
    "members",
    table="project_member",
    order="who",
    most=SEVERAL,
    columns={"who": archive.Member, "role": Literal["lead", "member", "reporter", "viewer"]},
)
STATUSES = ArchivedList(
    "projects.jsonl",
    "statuses",
    table="project_status",
    order="at, id",
    most=SEVERAL,
    columns={
        "health": Literal["on_track", "at_risk", "off_track", "paused"],
        "body": archive.Long,
        "author": archive.Person,
        "at": Time,
        "facts": stored(dict[str, Any]),
    },
)
DEFAULT_VIEW = ArchivedList(
    "projects.jsonl",
    "default_view",
    table="view",
    where="id = (select default_view from project where id = :project) and deleted_at is null",
    bare=True,
    late=True,
    since=3,
    columns={"name": archive.Word},
)
"""The view on it that it opens with, by its name: at most one, which comes when the views are there."""
