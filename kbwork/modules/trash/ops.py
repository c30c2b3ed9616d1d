"""Look into the trash, bring things back, purge them."""

from itertools import islice
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import NotFound, Problem
from kbwork.base.model import Cursor, Id, Input, Limit, Paged, Started, Text, When
from kbwork.core import named, org_settings
from kbwork.core.access import impersonate, visibility
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.operations.dispatch import authorize, check_person
from kbwork.core.references import ProjectRef
from kbwork.core.things.thing import Trashable, ref_of
from kbwork.db.rows import TrashRow
from kbwork.db.tx import Read, Write
from kbwork.modules.trash import entries, purge_jobs
from kbwork.modules.trash.model import TrashEntry

_DAY_S = 86400
Ids = Annotated[list[Id], Field(min_length=1, max_length=1000)]


class TrashList(Input):
    kind: Text | None = None
    """`issue`, `comment`, `project` and so on."""
    project: ProjectRef | None = None
    space: Text | None = None
    """Key of a space: what was deleted in it."""
    by: Text | None = None
    """Who deleted it."""
    q: Text | None = None
    """Words in the title."""
    cursor: Cursor | None = None
    limit: Limit | None = None


@read(
    "trash.list",
    scope="activity:read",
    words="what was deleted, recycle bin, show the trash, deleted tickets, recently deleted",
    example={"kind": "issue"},
)
def list_(tx: Read, args: TrashList) -> Paged[TrashEntry]:
    """List what was deleted and you may bring back, the latest first.

    What lies there for `trash_days` of the org's settings is purged; `purge_at` says when.
    """
    where, binds = ["1"], dict[str, Any]()
    for column, value in _filters(tx, args).items():
        where.append(f"t.{column} = :{column}")
        binds[column] = value
    for number, word in enumerate((args.q or "").split()[:20]):
        where.append(f"instr(folded(t.title), folded(:word{number})) > 0")
        binds[f"word{number}"] = word
    if (at := pagination.place(tx, args)) is not None:
        where.append("(t.deleted_at, t.id) < (:at, :id)")
        binds |= {"at": at[0], "id": at[1]}
    most = pagination.limit(args)
    found = entries.walk(tx, " and ".join(where), binds, newest_first=True, some=most + 1)
    rows = list(islice(found, most + 1))
    after = None
    if len(rows) > most:
        last = rows[most - 1]
        after = pagination.cursor(tx, args, [last["deleted_at"], last["id"]])
    return {"items": [_shown(tx, row) for row in rows[:most]], "next": after}


class TrashRestore(Input):
    ids: Ids
    """Entries, from `trash.list`."""
    parent: Text | None = None
    """Where to put it when its old place is gone: an issue for a sub-issue; an empty text for none."""


class NotRestored(TypedDict):
    """An entry that stays where it is, and why."""

    id: int
    """Id of the entry."""
    reason: str
    """Why it stays."""


class Restored(TypedDict):
    """The subjects that are back, and the entries that are not."""

    restored: list[str]
    """Subjects that are back."""
    failed: list[NotRestored]
    """Entries that stay, with the reason."""


@write(
    "trash.restore",
    scope="activity:write",
    words=(
        "undelete, bring back, recover a deleted ticket, deleted by mistake, restore an issue, "
        "get it back, restore a deleted project"
    ),
    emits_any=True,
    example={"ids": [1]},
)
def restore(tx: Write, args: TrashRestore) -> Restored:
    """Bring things back to where they were, with their keys and what went with them. Each stands for itself.

    Whoever could delete a thing may bring it back, with a key that has the scope for deleting it. Where its parent or
    place is gone it stays in the trash, with the reason, unless `parent` names another. A name that was taken since
    gets a number.
    """
    answer = Restored(restored=[], failed=[])
    for ident in dict.fromkeys(args.ids):
        try:
            with tx.attempt():
                answer["restored"].append(_restore(tx, ident, args.parent))
        except Problem as problem:
            answer["failed"].append(NotRestored(id=ident, reason=problem.detail))
    return answer


class TrashPurge(Input):
    ids: Ids
    """Entries, from `trash.list`."""


class PurgedCount(TypedDict):
    purged: int
    """Entries that are gone for good."""


@destructive(
    "trash.purge",
    scope="admin",
    words="delete permanently, remove for good, wipe",
    emits_any=True,
    people="people",
    undo="what is purged is gone",
    example={"ids": [1]},
)
def purge(tx: Write, args: TrashPurge) -> PurgedCount:
    """Remove things for good: their rows, what hangs on them, their history and what events say of them.

    The events themselves stay, with empty payloads. What cannot be brought back by you either is 404. All of it leaves
    the trash at once; what is much, such as a project, goes in steps behind that.
    """
    rows = [_entry(tx, ident) for ident in dict.fromkeys(args.ids)]
    purge_jobs.begin(tx, rows)
    return PurgedCount(purged=len(rows))


class TrashEmpty(Input):
    kinds: Annotated[list[Text], Field(max_length=50)] | None = None
    """All kinds unless given."""
    before: When | None = None
    """Only what was deleted before this time."""


@destructive(
    "trash.empty",
    scope="admin",
    words="empty the trash, free space, delete everything for good",
    people="people",
    undo="what is purged is gone",
    example={"kinds": ["issue"]},
)
def empty(tx: Write, args: TrashEmpty) -> Started:
    """Purge all that trash.list shows you, or some kinds of it; answers the job that does.

    What others deleted where you see nothing, such as in a private project, stays until its time: it is theirs.
    """
    before = args.before if args.before is not None else tx.now + 1
    found = {"who": impersonate.caller_args(tx.caller), "kinds": args.kinds, "before": before, "purged": 0}
    return Started(job=enqueue(tx, purge_jobs.EMPTY.kind, found, message="Emptying the trash"))


def _filters(tx: Read, args: TrashList) -> dict[str, object]:
    found: dict[str, object] = {}
    if args.kind:
        found["kind"] = args.kind
    if args.project:
        found["project"] = _project(tx, args.project)
    if args.by:
        found["deleted_by"] = _identity(tx, args.by)
    if args.space:
        found["space"] = _space(tx, args.space)
    return found


def _project(tx: Read, key: str) -> int:
    """Raises NotFound where the caller does not see it, by sight or by scope."""
    found = named.seen(visibility.find_named(tx, f"project:{key}"), "project", key)
    return int(tx.value("select project from project_key where key = :key", key=ref_of(found.id)[1]))


def _space(tx: Read, key: str) -> int:
    """As `_project`."""
    found = named.seen(visibility.find_named(tx, f"space:{key}"), "space", key)
    return int(tx.value("select id from space where key = :key", key=ref_of(found.id)[1]))


def _identity(tx: Read, ref: str) -> str:
    """Who is meant: `@ana` or an address stands for a member that the caller sees, else it is taken as it is."""
    found = visibility.find_named(tx, visibility.canonical(tx, ref))
    return ref_of(found.id)[1] if found is not None and found.kind == "member" else ref


def _entry(tx: Read, ident: int) -> TrashRow:
    """Raises NotFound for what is not there, or could not be brought back by the caller."""
    row = next(entries.walk(tx, "t.id = :id", {"id": ident}, newest_first=True, some=1), None)
    if row is None:
        raise NotFound(f"There is nothing {ident} in the trash that you may bring back; trash.list shows it.")
    return row


def _restore(tx: Write, ident: int, parent: str | None) -> str:
    row = _entry(tx, ident)
    kind = entries.trashable(tx, row["subject"])
    _require_may(tx, kind)
    entries.take(tx, row["subject"])
    kind.restore(tx, entries.trashed(row, parent))
    tx.memo.clear()
    return str(row["subject"])


def _require_may(tx: Read, kind: Trashable) -> None:
    """Bringing a thing back asks what deleting it asks. Raises InsufficientScope or NotAllowed."""
    op = tx.registry.require(kind.deleted_by)
    authorize(op, tx.caller)
    check_person(op, tx.caller, tx.now)


def _may(tx: Read, kind: Trashable) -> bool:
    try:
        _require_may(tx, kind)
    except Problem:
        return False
    return True


def _shown(tx: Read, row: TrashRow) -> TrashEntry:
    days = org_settings.get(tx, "org.retention")["trash_days"]
    return TrashEntry(
        id=row["id"],
        subject=row["subject"],
        kind=ref_of(row["subject"])[0],
        title=row["title"],
        deleted_at=row["deleted_at"],
        deleted_by=row["deleted_by"],
        purge_at=row["deleted_at"] + days * _DAY_S if days is not None else None,
        items=1 + row["contents"],
        can_restore=_may(tx, entries.trashable(tx, row["subject"])) and _place_is_open(tx, row),
    )


def _place_is_open(tx: Read, row: TrashRow) -> bool:
    """Whether the project that it was in takes changes: an archived one does not."""
    project = tx.stored("project", [row["project"]]) if row["kind"] != "project" else None
    return project is None or project["archived_at"] is None
