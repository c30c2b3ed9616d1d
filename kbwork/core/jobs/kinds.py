"""Long work beside the requests: kinds of jobs, and schedules that start them."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.events import DomainEvent
from kbwork.db.tx import Read, Write


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """Work that outlives a request.

    `step` changes data in one transaction and answers the next step's arguments, or None when the job is done;
    `wait` (async) may call the outside instead. `result` is what `jobs.get` shows at the end.
    """

    kind: str
    home: str
    step: "Callable[[Write, RunningJob], Next] | None" = None
    wait: "Callable[[Any, RunningJob], Awaitable[Next]] | None" = None
    emits: tuple[type[DomainEvent], ...] = ()


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job that is running: its arguments and how often it was tried."""

    id: int
    kind: str
    args: dict[str, Any]
    tries: int


@dataclass(frozen=True, slots=True)
class Next:
    """What a step leaves: arguments for the next one, or a result when there is none."""

    args: dict[str, Any] | None = None
    result: Any = None
    progress: float = 0.0
    message: str = ""
    wait_s: int = 0
    """So many seconds it rests before the next step, two hours at most, and takes no worker meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """Something that happens every so many seconds, once per time, whoever asks."""

    name: str
    home: str
    every_s: int
    run: Callable[[Write], None]
    due: Callable[[Read], bool] | None = None
    """A cheap look that says whether there is anything to do: most seconds there is not."""
    on_time: bool = False
    """Whether it goes by the clock as it is. Others end or forget things: they go by the time that is trusted."""


def enqueue(tx: Write, kind: str, args: dict[str, Any], *, by: str | None = None, message: str = "") -> int:
    """Queue a job in this transaction; answers its id."""

    job = tx.insert(
        "job",
        kind=kind,
        state="queued",
        args=json.dumps(args, ensure_ascii=False),
        progress=0.0,
        message=message,
        by=by or tx.caller.actor,
        created_at=tx.now,
        run_at=tx.now,
        tries=0,
    )
    tx.images.pop()  # a queued job is no change of its own that undo would take back
    tx.wake()
    return job
