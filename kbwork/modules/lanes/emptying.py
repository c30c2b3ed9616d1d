"""Emptying a lane that goes: its issues move to another one, little at once, much by a job."""

import contextlib

from kbwork.base.model import folded
from kbwork.core import acting, undo, visibility
from kbwork.core.dispatch import run_part
from kbwork.core.jobs import Job, JobKind, Next, Schedule, enqueue
from kbwork.db.tx import Read, Resting, Row, Write
from kbwork.modules import issues
from kbwork.modules.projects.access import ISSUE_SEEN

AT_ONCE = 200
_EMPTY = "heir is not null and not exists (select 1 from issue i where i.lane = lane.id)"


def going(tx: Read, key: str) -> Row | None:
    """A lane that was taken away and in which issues still stand."""
    return tx.one(
        "select * from lane where key = :key and heir is not null"
        " and exists (select 1 from issue i where i.lane = lane.id)",
        key=key.strip().lower(),
    )


def held(tx: Read, lane: Row) -> int:
    """How many issues stand in it, or in lanes that it is to take over from."""
    return int(
        tx.value(
            "select count(*) from issue where lane = :id or lane in (select id from lane where heir = :id)",
            id=lane["id"],
        )
    )


def seen(tx: Read, lane: Row) -> int:
    """How many issues the caller sees in it."""
    return int(
        tx.value(
            f"select count(*) from issue i where i.lane = :id and {ISSUE_SEEN}",
            id=lane["id"],
            **visibility.binds(tx),
        )
    )


def run(tx: Write, lane: Row, target: Row | None, issues_held: int) -> None:
    """Take it away, with all that stands in it moved to the target: up to 200 issues now, more by a job."""
    for before in tx.column("select id from lane where heir = :id", id=lane["id"]):
        if target is not None:
            tx.update("lane", before, heir=target["id"])
        else:
            tx.delete("lane", before)
    if target is None or issues_held <= AT_ONCE:
        if target is not None:
            issues.move_lane(tx, lane, target, AT_ONCE)
        tx.delete("lane", lane["id"])
        tx.memo.clear()
        return
    tx.update("lane", lane["id"], heir=target["id"], left_at=tx.now)
    args = {
        "who": acting.kept(tx.caller),
        "undo": undo.token_of(tx),
        "lane": lane["id"],
        "issues": issues_held,
        "moved": 0,
    }
    enqueue(tx, EMPTY.kind, args, message=f"Emptying {lane['name']}")


def make_room(tx: Write, key: str, name: str) -> None:
    """Lanes that went, and are empty, leave their key and name to a new one."""
    for lane in tx.column(
        f"select id from lane where {_EMPTY} and (key = :key or name_key = :name)",
        key=key,
        name=folded(name),
    ):
        tx.delete("lane", lane)


def _step(tx: Write, job: Job) -> Next:
    """The next 200. A lane that somebody brought back keeps what it has."""
    args = job.args
    lane = tx.stored("lane", [args["lane"]])
    if lane is None or lane["heir"] is None:
        return Next(result={"moved": args["moved"]}, message="Nothing is left to move")
    target = tx.stored("lane", [lane["heir"]])
    assert target is not None
    with acting.named(tx, args["who"]):
        moved = run_part(
            tx,
            tx.registry.require("lanes.delete"),
            lambda inner: issues.move_lane(inner, lane, target, AT_ONCE),
            args["undo"],
        )
    done = args["moved"] + moved
    message = f"Moved {done} of {args['issues']} issues"
    if moved < AT_ONCE:
        return Next(result={"moved": done}, message=message)
    return Next(args=args | {"moved": done}, progress=min(1.0, done / args["issues"]), message=message)


EMPTY = JobKind(kind="lanes.empty", home=__name__, step=_step)

_OVER = f"{_EMPTY} and left_at <= :now - {undo.KEPT_S}"


def _any_over(tx: Read) -> bool:
    return tx.value(f"select 1 from lane where {_OVER} limit 1", now=tx.now) is not None


def _sweep(tx: Write) -> None:
    """The rows of lanes that nobody can bring back any more."""
    for lane in tx.column(f"select id from lane where {_OVER}", now=tx.now):
        with contextlib.suppress(Resting), tx.attempt():
            tx.execute("delete from lane where id = :id", id=lane)


SWEEP = Schedule(name="lanes.sweep", home=__name__, every_s=3600, run=_sweep, due=_any_over)
