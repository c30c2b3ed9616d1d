"""Writes that waited for the network: each with its own outcome, and each done once."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.errors import IdempotencyMismatch, InvalidInput, Problem, Stale
from kbwork.base.model import Input, Int, Text
from kbwork.core.jobs.kinds import Schedule
from kbwork.core.operations import idempotency, nested, strict_json
from kbwork.core.operations.call import CLIENT_CHARS
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.sync import conflicts
from kbwork.modules.sync.model import PushedChange

_KEPT_S = 14 * 86400
_SLICE = 5000

Printable = Annotated[str, Field(min_length=1, max_length=CLIENT_CHARS, pattern=r"^[ -~]+$")]


class PushedWrite(Input):
    id: Printable
    """Yours, and another one for each write of this `client`: the same again is not done again."""
    op: Text
    """Id of the operation, such as `issues.update`."""
    input: Any = None
    """Its input, any JSON that it takes; `{}` unless given."""
    base_seq: Annotated[Int, Field(ge=0)]
    """The `seq` of what the client had when the person wrote: what others changed behind it is looked at."""


class SyncPush(Input):
    client: Printable
    """The installation that writes, as in the header `X-KB-Client`; it comes back as `origin` in the events."""
    writes: Annotated[list[PushedWrite], Field(max_length=200)]
    """Done in this order."""


class PushResult(TypedDict):
    """What became of one write."""

    id: str
    """That of the write."""
    state: Literal["done", "repeated", "conflict", "refused"]
    """`done` now, or before (`repeated`); `conflict`: others changed the same; `refused`: as the call alone is."""
    subject: str | None
    """What it was about, such as `issue:57`: of something new, which it became; null where nothing was told of any."""
    seq: int | None
    """Its last event, as in `x-kb-seq`; null where it told nothing."""
    output: Any
    """What the operation answered, any JSON, where it is `done`; else null."""
    changes: list[PushedChange]
    """In a `conflict`: what others made of the same fields."""
    current: Any
    """In a `conflict` over an `if_seq` or the like: the thing as it is now, any JSON; else null."""
    problem: str | None
    """Where it is not done: the type of the problem without its path, such as `workflow-refused`."""
    detail: str | None
    """Where it is not done: why not, and what to mend."""


class Pushed(TypedDict):
    """The outcomes, in the order of the writes."""

    results: list[PushResult]
    """One for each write, in their order."""
    seq: int
    """The last event: all that was done is in a delta up to here."""


@write(
    "sync.push",
    scope="api:write",
    words=(
        "offline queue, outbox, send writes made without network, replay edits, reconcile, conflict, "
        "merge offline changes"
    ),
    emits_any=True,
    undo="each write in it is undone for itself",
    example={
        "client": "laptop-7f3a",
        "writes": [
            {"id": "1", "op": "issues.update", "input": {"key": "WEB-1", "priority": "high"}, "base_seq": 0}
        ],
    },
)
def push(tx: Write, args: SyncPush) -> Pushed:
    """Do up to 200 writes that waited, in order: each stands or falls alone, unlike in api.batch.

    Each needs its own scope and right. An `id` that was done is not done again for 14 days, so send what got no answer
    again as it is. Where somebody else changed the same field behind `base_seq`, nothing is written and the result is a
    `conflict`: show both, and send what the person decides with a new `base_seq`. Lists conflict only where one side
    takes away what the other added. Reads, batches and what answers a job or waits for the outside are refused.
    """
    last = tx.seq
    for place, asked in enumerate(args.writes):
        if asked.base_seq > last:
            raise InvalidInput(
                f"The last event is {last}: no client can have {asked.base_seq}.",
                field=f"writes[{place}].base_seq",
            )
    outer = tx.caller
    tx.caller = outer.of_client(args.client)
    try:
        results = [_one(tx, args.client, asked) for asked in args.writes]
    finally:
        tx.caller = outer
    return Pushed(results=results, seq=tx.seq)


def _one(tx: Write, client: str, asked: PushedWrite) -> PushResult:
    try:
        ticket = _ticket(tx, client, asked)
        if (known := _done_before(tx, ticket)) is not None:
            return _result(asked, "repeated", subject=known["subject"], seq=known["seq"])
        with tx.attempt():
            return _run(tx, asked, ticket)
    except conflicts.Conflicting as found:
        return _result(asked, "conflict", changes=found.changes, problem="conflict", detail=found.detail)
    except Stale as problem:
        current = problem.extra.get("current")
        return _result(asked, "conflict", current=current, problem=problem.slug, detail=problem.detail)
    except Problem as problem:
        if problem.later or problem.status >= 500:
            raise  # it is of the server, not of this write: all of them may be sent again
        return _result(asked, "refused", problem=problem.slug, detail=problem.detail)


def _run(tx: Write, asked: PushedWrite, ticket: idempotency.Ticket) -> PushResult:
    """Do it and remember that. Raises a Problem, or Conflicting; then the savepoint takes it back."""
    last = tx.seq
    if tx.registry.require(asked.op).road == "read":
        raise InvalidInput(f"{asked.op} writes nothing: ask it by itself.", field="op")
    if asked.input is not None and not isinstance(asked.input, dict):
        raise InvalidInput("`input` should be an object.", field="input")
    output = nested.run(tx, asked.op, asked.input or {})
    told = conflicts.require_none(tx, asked.base_seq, last)
    subject, seq = _subject(tx, asked.op, told), tx.seq if told else None
    tx.execute(
        "insert into pushed_write (digest, call, at, subject, seq) values (:digest, :call, :at, :subject, :seq)",
        digest=ticket.digest,
        call=ticket.call,
        at=tx.trusted_now,
        subject=subject,
        seq=seq,
    )
    return _result(asked, "done", output=output, subject=subject, seq=seq)


def _subject(tx: Read, op: str, told: list[Row]) -> str | None:
    """What a write was about: of what it told, the first that its own module tells."""
    modules, own = tx.registry.event_modules, tx.registry.require(op).module
    first = next((row for row in told if modules.get(row["kind"]) == own), told[0] if told else None)
    return first["subject"] if first is not None else None


def _ticket(tx: Write, client: str, asked: PushedWrite) -> idempotency.Ticket:
    body = strict_json.canonical(asked.input or {})
    return idempotency.ticket(tx.caller, f"{len(client)} {client} {asked.id}", asked.op, body)


def _done_before(tx: Read, ticket: idempotency.Ticket) -> Row | None:
    """Raises IdempotencyMismatch where another write had this id."""
    row = tx.one("select call, subject, seq from pushed_write where digest = :digest", digest=ticket.digest)
    if row is not None and row["call"] != ticket.call:
        raise IdempotencyMismatch("This `id` went with another operation or input; take a new one.")
    return row


def _result(
    asked: PushedWrite, state: Literal["done", "repeated", "conflict", "refused"], **said: Any
) -> PushResult:
    nothing = PushResult(
        id=asked.id,
        state=state,
        subject=None,
        seq=None,
        output=None,
        changes=[],
        current=None,
        problem=None,
        detail=None,
    )
    return {**nothing, **said}  # type: ignore[typeddict-item]  # the names are those above


_OLD = "select digest from pushed_write where at <= :before"


def _due(tx: Read) -> bool:
    return bool(tx.value(f"select exists ({_OLD})", before=tx.trusted_now - _KEPT_S))


def _trim(tx: Write) -> None:
    tx.execute(
        f"delete from pushed_write where digest in ({_OLD} limit :most)",
        before=tx.trusted_now - _KEPT_S,
        most=_SLICE,
    )


TRIM = Schedule(name="sync.pushed_trim", home=__name__, every_s=3600, run=_trim, due=_due)
