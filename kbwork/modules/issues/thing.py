"""Issues as subjects, and which of their columns have a history."""

from typing import Any

from kbwork.core.access import visibility
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.core.things.thing import Revertible, Subject, Thing, Trashable
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Row, Tracked, Write
from kbwork.issuefields import FIELDS
from kbwork.modules.issues import access, event_payloads, ports, queries
from kbwork.modules.issues.commentable import COMMENTABLE
from kbwork.modules.issues.events import IssuePurged, IssueRanked
from kbwork.modules.issues.issue.documents import DOCUMENTS
from kbwork.modules.issues.lifecycle import delete, undo_checks
from kbwork.modules.issues.relations.material import READABLE
from kbwork.modules.issues.searchable import SEARCHABLE
from kbwork.modules.issues.structure import rank_place, rank_room
from kbwork.modules.projects import ISSUE_RESTORABLE, ISSUE_SEEN
from kbwork.modules.projects import access as projects


def _find(tx: Read, ref: str) -> Subject | None:
    ident = access.ident_of(tx, ref)
    row = tx.one(
        "select i.id, i.number, i.title, l.name as lane, p.key from issue i join project p on p.id = i.project"
        f" join lane l on l.id = i.lane where i.id = :id and {ISSUE_SEEN}",
        id=ident,
        **visibility.binds(tx),
    )
    if row is None:
        return None
    key = f"{row['key']}-{row['number']}"
    return Subject(
        f"issue:{row['id']}",
        "issue",
        f"{key} {row['title']}",
        f"/issues/{key}",
        row["lane"],
        bare=row["title"],
    )


def _editable(tx: Read, ref: str) -> bool:
    row = access.find(tx, ref)
    return row is not None and row["archived_at"] is None and _wakeable(tx, ref)


def _wakeable(tx: Read, ref: str) -> bool:
    row = access.find(tx, ref)
    if row is None or not access.may_edit(tx, row):
        return False
    project = tx.stored("project", [row["project"]])
    return project is not None and project["archived_at"] is None


def _deletable(tx: Read, ref: str) -> bool:
    row = tx.one("select * from issue where id = :id", IssueRow, id=int(ref))
    if row is None:
        return False
    if row["deleted_at"] is None and (row["archived_at"] is not None or access.find(tx, ref) is None):
        return False  # one that was archived went there with its parent, and comes back with it
    return access.may_delete(tx, row)


def _stamp(tx: Write, ref: str, seq: int, kind: str) -> None:
    tx.execute("update issue set seq = :seq where id = :id", seq=seq, id=int(ref))
    if kind != IssueRanked.kind:
        event_payloads.touch(tx, int(ref))
        ports.reconsider_approvals(tx, int(ref))


def _present(tx: Read, place: list[Any], before: Row, since: int) -> Row:
    """The rank that it had, where that stands now."""
    row = tx.stored("issue", place)
    project = before.get("project", row and row["project"])
    if "rank" not in before or project is None:
        return before
    return before | {"rank": rank_room.present(tx, project, place[0], before["rank"], since)}


def _retold(tx: Read, ref: str, kind: str, payload: Row) -> Row:
    if kind != IssueRanked.kind:
        return payload
    return payload | rank_place.told_back(tx, queries.stored(tx, int(ref)))


def _reference(tx: Read, ref: str) -> str | None:
    ident = access.ident_of(tx, ref) if "-" in ref else None
    return f"issue:{ident}" if ident is not None else None


def _file_target(tx: Read, ref: str) -> FileTarget | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    edits = access.may_edit(tx, row)
    adds = edits or access.may_comment(tx, row)
    return FileTarget(
        f"issue:{row['id']}", adds=adds, edits=edits, project=row["project"], closed=_files_closed(tx, row)
    )


def _files_closed(tx: Read, row: IssueRow) -> str | None:
    if row["archived_at"] is not None:
        return "The issue is archived: bring it back before changing its files."
    project = tx.stored("project", [row["project"]])
    assert project is not None
    return projects.closed(project)


def _file_told(tx: Read, ref: str) -> dict[str, Any]:
    row = tx.stored("issue", [int(ref)])
    return event_payloads.common_payload(tx, row) if row is not None else {}


FILEABLE = Fileable(
    target=_file_target,
    told=_file_told,
    who_adds="on an issue that needs the role member or reporter",
    seen=COMMENTABLE.seen,
    known=COMMENTABLE.known,
    adds=COMMENTABLE.speaks,
    edits="exists (select 1 from issue i where i.id = cast(:ref as integer)"
    " and (i.project in (select value from json_each(:kb_works))"
    " or i.project in (select value from json_each(:kb_speaks)) and i.reporter = :kb_me))",
    touch=lambda tx, ref: event_payloads.touch(tx, int(ref)),
)

ISSUE = Thing(
    name="issue",
    document=DOCUMENTS,
    scope="issues:read",
    home=__name__,
    seen="exists (select 1 from issue i where i.id = cast(:ref as integer)"
    f" and ({ISSUE_SEEN} or {ISSUE_RESTORABLE}))",
    find=_find,
    references=_reference,
    comments=COMMENTABLE,
    files=FILEABLE,
    search=SEARCHABLE,
    ai=READABLE,
    order=1,
    parts={
        "check_item": ("issue",),
        "former_number": ("issue",),
        "issue_vote": ("issue",),
        "issue_watcher": ("issue",),
        "relation": ("src", "dst"),
        "web_link": ("issue",),
    },
    tracked={
        "issue": Tracked(
            "issue",
            "id",
            {field.column: field.history for field in FIELDS if field.column and field.history},
        ),
        "issue_assignee": Tracked("issue", "issue", {"who": "assignee"}),
        "issue_component": Tracked("issue", "issue", {"component": "component"}),
        "issue_value": Tracked("issue", "issue", {"value": "field"}, numbered=True),
        "issue_label": Tracked("issue", "issue", {"label": "label"}),
    },
    undo=Revertible(
        editable=_editable,
        wakeable=_wakeable,
        stamp=_stamp,
        present=_present,
        retold=_retold,
        personal=frozenset({"issue_vote", "issue_watcher"}),
        fits=undo_checks.require_fitting,
        volatile=frozenset(
            {
                "seq",
                "updated_at",
                "rank",
                "comments",
                "internal_comments",
                "votes",
                "attachments",
                "links",
                "children",
                "relations",
                "blockers",
                "checks",
                "checks_done",
            }
        ),
    ),
    trash=Trashable(
        deletable=_deletable,
        tables=frozenset({"issue"}),
        restorable=f"exists (select 1 from issue i where i.id = cast(:ref as integer) and {ISSUE_RESTORABLE})",
        deleted_by="issues.delete",
        restore=delete.restore,
        purge=delete.purge,
        purged=IssuePurged,
    ),
)
