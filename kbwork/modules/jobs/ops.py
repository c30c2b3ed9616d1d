"""Look at jobs, wait for one, stop one."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.model import Id, Input, Int, Text
from kbwork.core.operations.declare import read, write
from kbwork.db.rows import JobRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.jobs import queries

State = Literal["queued", "running", "done", "failed", "cancelled"]
_MOST = 1000


class Job(TypedDict):
    """Long work. `result` is what the operation would have answered, once it is done."""

    id: int
    """Id of the job."""
    kind: str
    """What it does, such as `projects.copy`."""
    state: State
    """How far it is."""
    progress: float
    """The part that is done, 0 to 1."""
    message: str
    """What it is at, in words; empty: nothing said."""
    result: Any
    """What it answers, any JSON, once it is done; null until then."""
    error: str | None
    """Why it failed; null: it did not."""
    by: str
    """Who started it."""
    created_at: int
    """When it was started, in Unix seconds."""
    ended_at: int | None
    """When it ended, in Unix seconds; null: it has not."""


class JobsGet(Input):
    id: Id
    """Id of the job."""
    wait_seconds: Annotated[Int, Field(ge=0, le=25)] | None = None
    """Wait so long at most; answers earlier when the job ends."""


@read(
    "jobs.get",
    scope="api:read",
    words="is the job done, progress, how far, wait for it to finish",
    waits=True,
    cached=False,
    example={"id": 1, "wait_seconds": 0},
)
def get(tx: Read, args: JobsGet) -> Job:
    """Look at a job. Its starter and admins see it."""
    return _shown(_get(tx, args.id))


class JobsList(Input):
    state: State | None = None
    """Only those in this state."""
    kind: Text | None = None
    """Only those that do this, such as `projects.copy`."""
    all: bool | None = None
    """Everybody's; for admins."""


@read(
    "jobs.list",
    scope="api:read",
    words="background jobs, what is running, failed jobs, tasks of the server, queue",
    cached=False,
    example={},
)
def list_(tx: Read, args: JobsList) -> list[Job]:
    """List your jobs of the last 30 days, newest first, 1,000 at most; admins may list everybody's (else 403)."""
    where, binds = [], dict[str, Any]()
    if tx.caller.modules is not None:
        held = [kind for kind in tx.registry.jobs if tx.caller.holds(queries.module_of_kind(tx, kind))]
        where.append("kind in (select value from json_each(:held))")
        binds["held"] = json_array(held)
    if args.all and not tx.caller.admin:
        raise NotAllowed("Everybody's jobs are for admins; leave `all` out for your own.")
    if not args.all:
        where.append("by = :me")
        binds["me"] = tx.caller.me()
    for name in ("state", "kind"):
        if value := getattr(args, name):
            where.append(f"{name} = :{name}")
            binds[name] = value
    condition = f"where {' and '.join(where)}" if where else ""
    return [
        _shown(row)
        for row in tx.all(f"select * from job {condition} order by id desc limit {_MOST}", JobRow, **binds)
    ]


class JobsCancel(Input):
    id: Id
    """Id of the job."""


@write(
    "jobs.cancel",
    scope="api:write",
    words="stop a background job, abort, kill a job",
    undo="what was stopped stays stopped",
    example={"id": 1},
)
def cancel(tx: Write, args: JobsCancel) -> Job:
    """Stop a job before its next step; what was committed stays. One that ended is 409."""
    row = _get(tx, args.id)
    if row["state"] not in ("queued", "running"):
        raise Conflict(f"The job {args.id} is {row['state']} already.")
    tx.execute(
        "update job set state = 'cancelled', ended_at = :now, lease_until = null, message = :message where id = :id",
        now=tx.now,
        message="cancelled",
        id=args.id,
    )
    return _shown(_get(tx, args.id))


def _get(tx: Read, job: int) -> JobRow:
    row = tx.one("select * from job where id = :id", JobRow, id=job)
    seen = row is not None and (row["by"] == tx.caller.member or tx.caller.admin)
    if row is None or not seen or not tx.caller.holds(queries.module_of_kind(tx, row["kind"])):
        raise NotFound(f"There is no job {job} that you can see.")
    return row


def _shown(row: JobRow) -> Job:
    return Job(
        id=row["id"],
        kind=row["kind"],
        state=row["state"],
        progress=row["progress"],
        message=row["message"],
        result=json.loads(row["result"]) if row["result"] is not None else None,
        error=row["error"] if row["state"] != "done" else None,
        by=row["by"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )
