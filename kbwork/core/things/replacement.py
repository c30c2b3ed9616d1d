"""Taking a row away that issues still name: another takes its place with them, little at once, much by a job.

While the job runs, and for as long as that can be undone, the row stays, hidden, with an `heir` and the time at which
it left; then a sweep takes it.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.text import folded
from kbwork.core.access import impersonate, visibility
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, Schedule, enqueue
from kbwork.core.operations.dispatch import run_as_operation
from kbwork.core.things import undo
from kbwork.db.tx import ConstraintViolated, Read, Write

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Replacement:
    """How rows of one table go. The table has `key`, `name_key`, `heir` and `left_at`."""

    table: str
    column: str
    """The column of `issue` that names such a row."""
    op: str
    """The operation that takes one away."""
    move: Callable[[Write, Any, Any, int], int]
    """Lets so many issues at most name the second in place of the first; answers how many."""

    def going(self, tx: Read, key: str) -> Any:
        """One that was taken away and that issues still name."""
        return tx.one(
            f"select * from {self.table} where key = :key and heir is not null and {self._named()}",
            key=key.strip().lower(),
        )

    def held(self, tx: Read, row: Mapping[str, Any]) -> int:
        """How many issues name it, or one whose place it is to take."""
        found: int = tx.value(
            f"select count(*) from issue where {self.column} = :id"
            f" or {self.column} in (select id from {self.table} where heir = :id)",
            id=row["id"],
        )
        return found

    def seen(self, tx: Read, row: Mapping[str, Any], condition: str) -> int:
        """How many issues that name it hold to the condition on `issue i` that says who sees one."""
        found: int = tx.value(
            f"select count(*) from issue i where i.{self.column} = :id and {condition}",
            id=row["id"],
            **visibility.binds(tx),
        )
        return found

    def run(self, tx: Write, row: Mapping[str, Any], target: Mapping[str, Any] | None, held: int) -> None:
        """Take it away: with up to 200 issues now, with more by a job."""
        for before in tx.column(f"select id from {self.table} where heir = :id", id=row["id"]):
            if target is not None:
                tx.update(self.table, before, heir=target["id"])
            else:
                tx.delete(self.table, before)
        if target is None or held <= AT_ONCE:
            if target is not None:
                self.move(tx, row, target, AT_ONCE)
            tx.delete(self.table, row["id"])
            tx.memo.clear()
            return
        tx.update(self.table, row["id"], heir=target["id"], left_at=tx.now)
        args = {
            "who": impersonate.caller_args(tx.caller),
            "undo": undo.token_of(tx),
            "row": row["id"],
            "issues": held,
            "moved": 0,
        }
        enqueue(tx, self._kind, args, message=f"Moving {held} issues from {row['name']}")

    def make_room(self, tx: Write, key: str, name: str) -> None:
        """Those that went, and that no issue names, leave their key and name to a new one."""
        for ident in tx.column(
            f"select id from {self.table} where heir is not null and not {self._named()}"
            " and (key = :key or name_key = :name)",
            key=key,
            name=folded(name),
        ):
            tx.delete(self.table, ident)

    def job(self, home: str) -> JobKind:
        """The job that moves the next 200. A row that somebody brought back keeps what it has."""
        return JobKind(kind=self._kind, home=home, step=self._step)

    def sweep(self, home: str) -> Schedule:
        """The schedule that takes the rows that nobody can bring back any more."""
        over = f"heir is not null and not {self._named()} and left_at <= :now - {undo.KEPT_S}"

        def any_over(tx: Read) -> bool:
            return tx.value(f"select 1 from {self.table} where {over} limit 1", now=tx.now) is not None

        def take(tx: Write) -> None:
            for ident in tx.column(f"select id from {self.table} where {over}", now=tx.now):
                with contextlib.suppress(ConstraintViolated), tx.attempt():
                    tx.execute(f"delete from {self.table} where id = :id", id=ident)

        return Schedule(name=f"{self._module}.sweep", home=home, every_s=3600, run=take, due=any_over)

    def _step(self, tx: Write, job: RunningJob) -> Next:
        args = job.args
        row = tx.stored(self.table, [args["row"]])
        target = tx.stored(self.table, [row["heir"]]) if row is not None and row["heir"] is not None else None
        if row is None or target is None:
            return Next(result={"moved": args["moved"]}, message="Nothing is left to move")
        with impersonate.on_behalf_of(tx, args["who"]):
            moved = run_as_operation(
                tx,
                tx.registry.require(self.op),
                lambda inner: self.move(inner, row, target, AT_ONCE),
                args["undo"],
            )
        done = args["moved"] + moved
        message = f"Moved {done} of {args['issues']} issues"
        if moved < AT_ONCE:
            return Next(result={"moved": done}, message=message)
        progress = min(1.0, done / args["issues"])
        return Next(args=args | {"moved": done}, progress=progress, message=message)

    @property
    def _module(self) -> str:
        return self.op.partition(".")[0]

    @property
    def _kind(self) -> str:
        return f"{self._module}.empty"

    def _named(self) -> str:
        return f"exists (select 1 from issue i where i.{self.column} = {self.table}.id)"
