"""Projects in their archive: settings, types, people, and how they were said to be doing."""

from typing import Annotated, Any, Literal

from pydantic import Field

from kbwork.core.ports.archive import (
    HUNG,
    SEVERAL,
    Amount,
    ArchivedLine,
    ArchivedList,
    Count,
    Day,
    Id,
    Key,
    Long,
    Member,
    Person,
    Short,
    Time,
    Word,
    exact,
    few,
    keyed,
    named,
    stored,
)

_CURRENCY = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
_BUDGET = exact("KbzBudget", {"hours": Amount | None, "money": Amount | None, "currency": _CURRENCY | None})

PROJECTS = ArchivedLine(
    file="projects.jsonl",
    place=20,
    once="select * from project where id = :project",
    columns={
        "name": Word,
        "description": Long,
        "kind": Literal["software", "business", "desk", "personal"],
        "icon": Short | None,
        "color": Short | None,
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
        "key": Key,
        "lead": Member | None,
        "modules": stored(keyed(bool)),
        "default_type": named("issue_type", word=Id),
        "workflow": named("workflow", "name"),
        "budget": stored(_BUDGET) | None,
        "labels": stored(few(Word)),
        "triage": bool,
        "former_keys": HUNG,
        "types": HUNG,
        "members": HUNG,
        "statuses": HUNG,
        "layouts": HUNG,
        "templates": HUNG,
        "views": HUNG,
        "words.lanes": HUNG,
        "words.types": HUNG,
        "words.fields": HUNG,
        "words.workflows": HUNG,
        "words.relation_kinds": HUNG,
    },
)
FORMER_KEYS = ArchivedList(
    line="projects.jsonl",
    name="former_keys",
    table="project_key",
    by="project",
    order="key",
    where="key not in (select key from project where id = :project)",
    bare=True,
    restored=False,
    columns={"key": Key},
)
TYPES = ArchivedList(
    line="projects.jsonl",
    name="types",
    table="project_type",
    by="project",
    order="position",
    columns={"type": named("issue_type", word=Id), "workflow": named("workflow", "name") | None},
)
"""`workflow` is the type's own one there."""
MEMBERS = ArchivedList(
    line="projects.jsonl",
    name="members",
    table="project_member",
    by="project",
    order="who",
    most=SEVERAL,
    columns={"who": Member, "role": Literal["lead", "member", "reporter", "viewer"]},
)
STATUSES = ArchivedList(
    line="projects.jsonl",
    name="statuses",
    table="project_status",
    by="project",
    order="at, id",
    most=SEVERAL,
    columns={
        "health": Literal["on_track", "at_risk", "off_track", "paused"],
        "body": Long,
        "author": Person,
        "at": Time,
        "facts": stored(dict[str, Any]),
    },
)
