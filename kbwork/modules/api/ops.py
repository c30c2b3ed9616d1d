"""Run several operations in one transaction; read what changed."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import InvalidInput, Problem, Stale
from kbwork.base.model import Input, Int, Text
from kbwork.core.events import feed
from kbwork.core.operations import nested
from kbwork.core.operations.declare import read, write
from kbwork.db.tx import Read, Write


class BatchCall(Input):
    op: Text
    """Id of the operation, such as `issues.create`."""
    input: Any = None
    """Its input, any JSON that it takes; `{}` unless given."""


class ApiBatch(Input):
    ops: Annotated[list[BatchCall], Field(max_length=50)]
    """Run in order."""


class Batch(TypedDict):
    """Each operation's answer, in order."""

    results: list[Any]
    """What each operation answered, any JSON, in their order."""


@write(
    "api.batch",
    scope=("api:read", "api:write"),
    words=(
        "bulk, several calls at once, multiple operations, in one go, atomic, all or nothing, "
        "transaction, combine"
    ),
    emits_any=True,
    essential=True,
    undo="each operation in it is undone for itself",
    example={"ops": [{"op": "labels.save", "input": {"name": "regression"}}, {"op": "labels.list"}]},
)
def batch(tx: Write, args: ApiBatch) -> Batch:
    """Run up to 50 operations in one transaction: all commit, or on the first error none do.

    Each needs its own scope and right. The error is the failing operation's own, with its `index` and `op` beside.
    A batch in a batch, and operations that answer a job or wait for the outside, are refused (422).
    """
    results = []
    for index, call in enumerate(args.ops):
        try:
            results.append(_one(tx, call))
        except Problem as problem:
            problem.detail = f"Operation {index} ({call.op}): {problem.detail}"
            problem.extra |= {"index": index, "op": call.op}
            raise
    return Batch(results=results)


class ApiChanges(Input):
    since: Annotated[Int, Field(ge=0)] | None = 0
    """A `next`, an `x-kb-seq` or an event's `seq`; 0 begins at the oldest kept event."""
    limit: Annotated[Int, Field(ge=1, le=500)] | None = 100
    """Events to scan."""


class Changes(TypedDict):
    """Events that the caller may hear of, oldest first. `next` also skips the others."""

    events: list[feed.Event]
    """Events that the caller may hear of, oldest first."""
    next: int
    """What to pass as `since` in the next call; events that the caller may not hear of are skipped."""
    more: bool
    """Whether there are events behind these."""


@read(
    "api.changes",
    scope="api:read",
    words=(
        "poll for events, stream of events, sync to another system, what changed since, "
        "feed for integrations, webhook"
    ),
    example={"since": 0, "limit": 100},
)
def changes(tx: Read, args: ApiChanges) -> Changes:
    """Read the events after a sequence number; repeat with `since` = `next` while `more` is true.

    A `since` older than what is kept is 409 `stale` with `oldest`: fetch what you need anew and go on from there.
    """
    page = feed.page(tx, args.since or 0, args.limit or 100)
    if page.oldest is not None:
        raise Stale(f"Events before {page.oldest} are no longer kept; fetch a snapshot.", oldest=page.oldest)
    return Changes(events=page.events, next=page.next, more=page.more)


def _one(tx: Write, call: BatchCall) -> Any:
    if call.input is not None and not isinstance(call.input, dict):
        raise InvalidInput("`input` should be an object.", field="input")
    return nested.run(tx, call.op, call.input or {})
