"""Taking an import back: what it made, and nobody changed since, goes for good; the rest stays and is listed."""

from collections.abc import Callable
from typing import Any

from kbwork.base.clock import monotonic
from kbwork.base.errors import Conflict, Problem
from kbwork.base.model import Id, Input, Started
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations import nested
from kbwork.core.operations.declare import destructive
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.things.thing import ref_of
from kbwork.core.things.undo import new_token
from kbwork.db.rows import FieldRow, ImportItemRow, IssueTypeRow, LaneRow
from kbwork.db.tx import ConstraintViolated, Read, Write, json_array
from kbwork.modules import projects, trash
from kbwork.modules.imports import imported_items, kept_records, queries
from kbwork.modules.imports.model import ImportUndone

DAYS = 30
SLICE_S = 0.012
_AT_ONCE = 100
_COMMENTS = 4
"""So many of an issue go at once, so that nobody waits for one with hundreds."""
_LISTED = 1000
_ORDER = (
    *(
        "past",
        "issue",
        "comment",
        "relation",
        "attachment",
        "label",
        "component",
        "template",
        "field",
        "project",
    ),
    *("type", "workflow", "lane", "relation_kind"),
)
"""Which things go first: what hangs on an issue goes with it, a project goes when it is empty, and what it spoke with
goes behind it."""


class _Along(Exception):
    """It stays with what it hangs on, and is not listed beside."""


class ImportsUndo(Input):
    id: Id
    """Id of the import."""


@destructive(
    "imports.undo",
    scope="admin",
    words="take back an import, revert the migration, imported wrongly",
    emits_any=True,
    undo="what an import made is gone for good",
    example={"id": 1},
)
def undo(tx: Write, args: ImportsUndo) -> Started:
    """Take an import back, within 30 days: what it made and nobody changed since goes for good; answers the job.

    What somebody changed stays, with what hangs on it, and the job's result lists it under `kept`. Labels,
    components, types, own fields, lanes, workflows and the project that it made go where nothing is left in them.
    What it changed on things that were there before stays as it is. The same file can come in again. One at work,
    or that made nothing, is 409, and so it is while another one comes in.
    """
    row = queries.get(tx, args.id)
    queries.require(row, "done", "failed", "cancelled")
    ended_at = row["ended_at"] or row["created_at"]
    if ended_at < tx.now - DAYS * 86400:
        raise Conflict(f"Import {args.id} is older than {DAYS} days: it stays.")
    made = tx.value("select count(*) from import_item where import = :id", id=args.id)
    if row["state"] == "undone" or (row["cursor"] == 0 and not made):
        raise Conflict(f"Import {args.id} brought nothing in: there is nothing to take back.")
    queries.require_alone(tx, args.id, queries.RUNNING)
    _awaken(tx, args.id)
    asked = {
        "import": args.id,
        "who": impersonate.caller_args(tx.caller),
        "phase": 0,
        "below": None,
        "made": made,
        "gone": {},
        "kept": [],
    }
    job = enqueue(tx, UNDO.kind, asked, message="Taking it back")
    queries.put(tx, args.id, job=job)
    return Started(job=job)


def _awaken(tx: Write, ident: int) -> None:
    """A project that the import made archived, as it was at the source, is open while it is taken back."""
    made = tx.column(
        "select project from import_item where import = :id and subject glob 'project:*'", id=ident
    )
    for project in made:
        if tx.value("select archived_at from project where id = :id", id=project) is not None:
            tx.update("project", project, archived_at=None)


def _step(tx: Write, job: RunningJob) -> Next:
    """Some things of one sort, the last first."""
    args = dict(job.args)
    left: list[ImportItemRow] = []

    def take(inner: Write) -> None:
        left[:] = _some(inner, args)
        ends = monotonic() + SLICE_S
        while left and monotonic() < ends:
            if not _gone(inner, left[0], args):
                break
            args["below"] = left.pop(0)["id"]

    with impersonate.as_starter(tx, args["who"]):
        tx.brought_by = args["import"]
        tx.recording = True  # nothing in it is a change of its own that undo takes back
        try:
            if args["phase"] == len(_ORDER):
                return Next(result=_finish(tx, args), message="Taken back")
            run_as_operation(tx, tx.registry.require("imports.undo"), take, new_token(tx))
        finally:
            tx.brought_by, tx.recording = None, False
    if not left and not _some(tx, args):
        args |= {"phase": args["phase"] + 1, "below": None}
    done = sum(args["gone"].values()) + len(args["kept"])
    return Next(
        args=args,
        progress=min(1.0, done / max(1, args["made"])),
        message=f"{done:,} of {args['made']:,} taken back",
    )


def _some(tx: Read, args: dict[str, Any]) -> list[ImportItemRow]:
    return tx.all(
        "select * from import_item where import = :id and subject glob :sort and id < :below"
        " order by id desc limit :most",
        ImportItemRow,
        id=args["import"],
        sort=f"{_ORDER[args['phase']]}:*",
        below=args["below"] if args["below"] is not None else 1 << 62,
        most=_AT_ONCE,
    )


def _gone(tx: Write, item: ImportItemRow, args: dict[str, Any]) -> bool:
    """Take one back, or note that it stays; False where there is more of it to remove."""
    sort = _ORDER[args["phase"]]
    try:
        with tx.attempt():
            done = _TAKE[sort](tx, item)
    except _Along:
        return True
    except (Problem, ConstraintViolated) as refused:
        why = refused.detail if isinstance(refused, Problem) else "Other things rest on it."
        if len(args["kept"]) < _LISTED:
            args["kept"].append({"subject": item["subject"], "source": item["external"], "reason": why})
        return True
    if done:
        imported_items.drop(tx, item["id"])
        args["gone"][sort] = args["gone"].get(sort, 0) + 1
    return done


def _require_untouched(tx: Read, item: ImportItemRow) -> None:
    """Raises Conflict where somebody changed it since."""
    if imported_items.changed_here(tx, item):
        raise Conflict("Somebody changed it since.")


def _issue(tx: Write, item: ImportItemRow) -> bool:
    row = tx.stored("issue", [_number(item)])
    if row is None:
        return True
    _require_untouched(tx, item)
    said = tx.column(
        "select id from comment where subject = :subject order by parent is null, id limit :most",
        subject=item["subject"],
        most=_COMMENTS + 1,
    )
    if not all(trash.purge(tx, f"comment:{ident}") for ident in said[:_COMMENTS]):
        return False
    return len(said) <= _COMMENTS and _purged(tx, item["subject"])


def _comment(tx: Write, item: ImportItemRow) -> bool:
    """A comment on what stays: on an issue that somebody changed it stays with it."""
    row = tx.stored("comment", [_number(item)])
    if row is None:
        return True
    if imported_items.hashed({"body": row["body"]}) != imported_items.sides(item)[1]:
        raise Conflict("Somebody changed it since.")
    issue = tx.one(
        "select * from import_item where subject = :subject", ImportItemRow, subject=row["subject"]
    )
    if issue is not None and issue["import"] == item["import"]:
        raise _Along
    if tx.value("select 1 from comment where parent = :id limit 1", id=row["id"]) is not None:
        raise Conflict("Others replied to it.")
    return _purged(tx, item["subject"])


def _past(tx: Write, item: ImportItemRow) -> bool:
    """It goes with its issue; an import of the same file finds that out by its issue."""
    return True


def _attachment(tx: Write, item: ImportItemRow) -> bool:
    """A file on what stays: on an issue that somebody changed, or a comment of it, it stays with it."""
    row = tx.stored("attachment", [_key(item)])
    if row is None:
        return True
    on = tx.one("select * from import_item where subject = :subject", ImportItemRow, subject=row["subject"])
    if on is not None and on["import"] == item["import"] and not row["subject"].startswith("project:"):
        raise _Along
    return _purged(tx, item["subject"])


def _relation(tx: Write, item: ImportItemRow) -> bool:
    """Relations went with their issues; on issues that stay they stay."""
    return True


def _label(tx: Write, item: ImportItemRow) -> bool:
    if tx.stored("label", [_number(item)]) is not None:
        if tx.value("select 1 from issue_label where label = :id limit 1", id=_number(item)) is not None:
            raise Conflict("Issues carry it.")
        nested.run(tx, "labels.delete", {"id": _number(item)})
    return True


def _component(tx: Write, item: ImportItemRow) -> bool:
    if tx.stored("component", [_number(item)]) is not None:
        if (
            tx.value("select 1 from issue_component where component = :id limit 1", id=_number(item))
            is not None
        ):
            raise Conflict("Issues have it.")
        nested.run(tx, "components.delete", {"id": _number(item)})
    return True


def _type(tx: Write, item: ImportItemRow) -> bool:
    key = _key(item)
    row = tx.one("select * from issue_type where key = :key and heir is null", IssueTypeRow, key=key)
    if row is None:
        return True
    if tx.value("select 1 from issue where type = :id limit 1", id=row["id"]) is not None:
        raise Conflict("Issues are of it.")
    others = tx.value(
        "select 1 from project_type where type = :id and project <> :project limit 1",
        id=row["id"],
        project=item["project"],
    )
    if others is not None:
        raise Conflict("Other projects have it.")
    nested.run(tx, "types.delete", {"key": key})
    return True


def _template(tx: Write, item: ImportItemRow) -> bool:
    if tx.stored("issue_template", [_number(item)]) is not None:
        nested.run(tx, "issues.template_delete", {"id": _number(item)})
    return True


def _field(tx: Write, item: ImportItemRow) -> bool:
    """A field that nothing holds a value of, and that no other project has since."""
    key = _key(item)
    row = tx.one("select * from field where key = :key and deleted_at is null", FieldRow, key=key)
    if row is None:
        return True
    if tx.value("select 1 from issue_value where field = :id limit 1", id=row["id"]) is not None:
        raise Conflict("Issues have values of it.")
    if row["projects"] != json_array([item["project"]]):
        raise Conflict("Other projects have it.")
    nested.run(tx, "fields.delete", {"key": key})
    if not _purged(tx, f"field:{row['id']}"):
        raise Conflict("There is more of it than goes at once.")
    tx.delete("field", row["id"])  # as it was never told of to anybody, its key is free again
    return True


def _workflow(tx: Write, item: ImportItemRow) -> bool:
    if tx.stored("workflow", [_number(item)]) is not None:
        nested.run(tx, "workflows.delete", {"id": _number(item)})
    return True


def _lane(tx: Write, item: ImportItemRow) -> bool:
    key = _key(item)
    row = tx.one("select * from lane where key = :key and heir is null", LaneRow, key=key)
    if row is None:
        return True
    used = tx.value(
        "select 1 from issue where lane = :id union all select 1 from workflow w, json_each(w.lanes) l"
        " where l.value = :id limit 1",
        id=row["id"],
    )
    if used is not None:
        raise Conflict("Issues or workflows have it.")
    nested.run(tx, "lanes.delete", {"key": key})
    return True


def _relation_kind(tx: Write, item: ImportItemRow) -> bool:
    key = _key(item)
    if tx.value("select 1 from relation_kind where key = :key", key=key) is not None:
        nested.run(tx, "issues.relation_kind_delete", {"key": key})
    return True


def _project(tx: Write, item: ImportItemRow) -> bool:
    row = tx.stored("project", [item["project"]])
    if row is None:
        return True
    if tx.value("select 1 from issue where project = :id limit 1", id=row["id"]) is not None:
        raise Conflict("Issues are in it.")
    _require_untouched(tx, item)
    return projects.unmake(tx, row)


_TAKE: dict[str, Callable[[Write, ImportItemRow], bool]] = {
    "past": _past,
    "attachment": _attachment,
    "template": _template,
    "field": _field,
    "workflow": _workflow,
    "lane": _lane,
    "relation_kind": _relation_kind,
    "issue": _issue,
    "comment": _comment,
    "relation": _relation,
    "label": _label,
    "component": _component,
    "type": _type,
    "project": _project,
}


def _purged(tx: Write, subject: str) -> bool:
    """Remove it for good, with what hangs on it and what was said of it; False while there is more."""
    if not trash.purge(tx, subject):
        return False
    tx.emit(trash.trashable(tx, subject).purged(subject=subject))
    return True


def _key(item: ImportItemRow) -> str:
    """What stands behind the sort in its subject."""
    return ref_of(item["subject"])[1]


def _number(item: ImportItemRow) -> int:
    return int(_key(item))


def _finish(tx: Write, args: dict[str, Any]) -> dict[str, Any]:
    queries.put(tx, args["import"], state="undone", secret=None)
    kept_records.drop_records(tx, args["import"])
    told = {"gone": args["gone"], "kept": len(args["kept"])}
    tx.emit(ImportUndone(subject=f"import:{args['import']}", payload=told))
    return {"import": args["import"], "gone": args["gone"], "kept": args["kept"]}


UNDO = JobKind(kind=queries.UNDOING, home=__name__, step=_step, emits=(ImportUndone,))
