"""Projects restored from an archive: one that was just made becomes what it was. Whoever brings it in leads it too."""

import json
from typing import Any

from kbwork.core.ports.archive import ArchiveHook, ArchiveReferences

_SAME = (
    *(
        "icon",
        "color",
        "visibility",
        "default_assignee",
        "start_date",
        "due_date",
        "reporters_see",
        "blockers",
    ),
    *("auto_archive_days", "auto_close_days", "created_at"),
)


def _restore(refs: ArchiveReferences, project: int, line: dict[str, Any]) -> None:
    row = refs.project
    lead = refs.member(line["lead"])
    personal = line["kind"] == "personal" and lead != refs.tx.caller.me()
    if personal:
        refs.warn("It was somebody's personal project: here it is a private one of the kind business.")
    columns = {name: line[name] for name in _SAME} | {
        "kind": "business" if personal else line["kind"],
        "lead": lead or row["lead"],
        "modules": json.dumps(line["modules"]),
        "budget": json.dumps(line["budget"]) if line["budget"] else None,
        "labels": json.dumps(line["labels"], ensure_ascii=False),
        "triage": int(line["triage"]),
        "numbers": max(line["numbers"], row["numbers"]),
    }
    for column, table in (("workflow", "workflow"), ("default_type", "issue_type")):
        if (found := refs.named(table, line[column])) is not None:
            columns[column] = found
    refs.tx.update("project", project, **columns)


def _restore_types(refs: ArchiveReferences, project: int, types: list[dict[str, Any]]) -> None:
    for held in refs.tx.column("select type from project_type where project = :id", id=project):
        refs.tx.delete("project_type", (project, held))
    seen = set()
    for position, row in enumerate(refs.rows("types", types)):
        if row["type"] not in seen:
            seen.add(row["type"])
            refs.tx.insert("project_type", project=project, position=position, **row)


def _restore_members(refs: ArchiveReferences, project: int, members: list[dict[str, Any]]) -> None:
    held = set(refs.tx.column("select who from project_member where project = :id", id=project))
    gone = []
    for one in members:
        who = refs.who(one["who"])
        if who is None or not who.startswith(("m_", "team:")):
            gone.append(one["who"])
        elif who not in held and not refs.is_erased(who):
            held.add(who)
            refs.tx.insert("project_member", project=project, who=who, role=one["role"])
    if gone:
        refs.warn(f"Nobody here is {', '.join(sorted(gone)[:20])}: they have no role in it.")


def _restore_default_view(refs: ArchiveReferences, project: int, names: list[str]) -> None:
    """The view of that name that came with it; where it was left out that was said."""
    for name in names[:1]:
        view = refs.tx.value(
            "select id from view where project = :project and name = :name and deleted_at is null order by id limit 1",
            project=project,
            name=name,
        )
        refs.tx.update("project", project, default_view=view)


TYPES = ArchiveHook(home=__name__, line="projects.jsonl", name="types", restored=_restore_types)
LINE = ArchiveHook(home=__name__, line="projects.jsonl", restored=_restore)
MEMBERS = ArchiveHook(home=__name__, line="projects.jsonl", name="members", restored=_restore_members)
DEFAULT_VIEW = ArchiveHook(
    home=__name__, line="projects.jsonl", name="default_view", restored=_restore_default_view
)
