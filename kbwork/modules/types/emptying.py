"""What is of a type that goes becomes of another: little at once, much by a job."""

import contextlib

from kbwork.base.model import folded
from kbwork.core import acting, undo, visibility
from kbwork.core.dispatch import run_part
from kbwork.core.jobs import Job, JobKind, Next, Schedule, enqueue
from kbwork.db.tx import Read, Resting, Row, Write
from kbwork.modules.projects.access import ISSUE_SEEN
from kbwork.modules.types.bearing import Bearer

AT_ONCE = 200
_EMPTY = "heir is not null and not exists (select 1 from issue i where i.type = issue_type.id)"


def going(tx: Read, key: str) -> Row | None:
    """A type that was taken away and that issues still have."""
    return tx.one(
        "select * from issue_type where key = :key and heir is not null"
        " and exists (select 1 from issue i where i.type = issue_type.id)",
        key=key.strip().lower(),
    )


def held(tx: Read, row: Row) -> int:
    """How many issues are of it, or of types that it is to take over from."""
    return int(
        tx.value(
            "select count(*) from issue where type = :id or type in (select id from issue_type where heir = :id)",
            id=row["id"],
        )
    )


def unseen(tx: Read, row: Row) -> int:
    """How many issues are of it that the caller does not see."""
    return int(
        tx.value(
            f"select count(*) from issue i where i.type = :id and not ({ISSUE_SEEN})",
            id=row["id"],
            **visibility.binds(tx),
        )
    )


def run(tx: Write, row: Row, target: Row | None, issues: int) -> None:
    """Take it away; up to 200 issues become of the target now, more by a job."""
    for before in tx.column("select id from issue_type where heir = :id", id=row["id"]):
        if target is not None:
            tx.update("issue_type", before, heir=target["id"])
        else:
            tx.delete("issue_type", before)
    if target is None or issues <= AT_ONCE:
        if target is not None:
            _convert(tx, row, target)
        tx.delete("issue_type", row["id"])
        tx.memo.clear()
        return
    tx.update("issue_type", row["id"], heir=target["id"], left_at=tx.now)
    args = {
        "who": acting.kept(tx.caller),
        "undo": undo.token_of(tx),
        "type": row["id"],
        "issues": issues,
        "moved": 0,
    }
    enqueue(tx, EMPTY.kind, args, message=f"Converting {issues} issues")


def make_room(tx: Write, key: str, name: str) -> None:
    """Types that went, and that no issue has, leave their key and name to a new one."""
    for row in tx.column(
        f"select id from issue_type where {_EMPTY} and (key = :key or name_key = :name)",
        key=key,
        name=folded(name),
    ):
        tx.delete("issue_type", row)


def _step(tx: Write, job: Job) -> Next:
    """The next 200. A type that somebody brought back keeps what it has."""
    args = job.args
    row = tx.stored("issue_type", [args["type"]])
    if row is None or row["heir"] is None:
        return Next(result={"moved": args["moved"]}, message="Nothing is left to convert")
    target = tx.stored("issue_type", [row["heir"]])
    assert target is not None
    with acting.named(tx, args["who"]):
        moved = run_part(
            tx,
            tx.registry.require("types.delete"),
            lambda inner: _convert(inner, row, target),
            args["undo"],
        )
    done = args["moved"] + moved
    message = f"Converted {done} of {args['issues']} issues"
    if moved < AT_ONCE:
        return Next(result={"moved": done}, message=message)
    return Next(args=args | {"moved": done}, progress=min(1.0, done / args["issues"]), message=message)


def _convert(tx: Write, row: Row, target: Row) -> int:
    """Up to 200 issues; answers how many."""
    bearers = [bearer.convert for bearer in tx.registry.of(Bearer) if bearer.convert is not None]
    return sum(convert(tx, row, target, AT_ONCE) for convert in bearers)


EMPTY = JobKind(kind="types.empty", home=__name__, step=_step)

_OVER = f"{_EMPTY} and left_at <= :now - {undo.KEPT_S}"


def _any_over(tx: Read) -> bool:
    return tx.value(f"select 1 from issue_type where {_OVER} limit 1", now=tx.now) is not None


def _sweep(tx: Write) -> None:
    """The rows of types that nobody can bring back any more."""
    for row in tx.column(f"select id from issue_type where {_OVER}", now=tx.now):
        with contextlib.suppress(Resting), tx.attempt():
            tx.execute("delete from issue_type where id = :id", id=row)


SWEEP = Schedule(name="types.sweep", home=__name__, every_s=3600, run=_sweep, due=_any_over)
