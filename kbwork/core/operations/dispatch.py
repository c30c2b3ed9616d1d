"""One path for every door: operation, caller, scope, rate, input, handler, answer."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import to_json

from kbwork.base.caller import ANONYMOUS, Caller
from kbwork.base.clock import Clock, monotonic
from kbwork.base.errors import (
    ElevationNeeded,
    InsufficientScope,
    Internal,
    NotAllowed,
    NotFound,
    Problem,
    Unauthenticated,
)
from kbwork.base.model import Input
from kbwork.core import org_settings
from kbwork.core.access import identify
from kbwork.core.events.bus import Bus
from kbwork.core.events.presence import PresenceBoard
from kbwork.core.operations import etag, idempotency, strict_json
from kbwork.core.operations.call import AuthorizedCall, Credentials, OperationResult, Pass, begin_task
from kbwork.core.operations.declare import Operation, Rendered
from kbwork.core.operations.external import External, Fetch
from kbwork.core.operations.limits import Limits, nobody_at
from kbwork.core.operations.registry import Registry
from kbwork.core.operations.validate import KeptInputs, validate
from kbwork.core.ports.rights import end_unfounded
from kbwork.core.seal import Seal
from kbwork.core.things.undo import keep_record, records
from kbwork.db.database import Database
from kbwork.db.tx import DryRun, OverBudget, Read, TooSlow, Write
from kbwork.db.writer import Group

if TYPE_CHECKING:
    from kbwork.core.mail.lines import MailLines

log = logging.getLogger("kbwork.dispatch")
T = TypeVar("T")
_MANY_CALLERS = 10_000
ADMIN_KEY = "Sign in with `kbwork login --admin`, or make a key with everything on the page /keys."
"""How an admin gets a key that does what needs the scope admin."""


class Dispatcher:
    """Runs operations for callers. Doors hold one and nothing below it."""

    def __init__(
        self, registry: Registry, database: Database, limits: Limits, clock: Clock, fetch: Fetch | None = None
    ) -> None:
        self.registry = registry
        self.database = database
        self.bus = Bus()
        self.seal = Seal(database.master_key)
        self.clock = clock
        self.seen: dict[tuple[str, str], tuple[int, str | None, int]] = {}
        """(`key`, `session` or `customer`, id) -> (when last, address, calls since); the worker writes it down."""
        self._limits = limits
        self.fetch = fetch
        self.lines: MailLines | None = None
        """What asks mail servers for operations; set by whoever starts the server."""
        self._known: dict[bytes, tuple[int, identify.Known]] = {}
        """Digest of a token -> the state of access at which it was looked up, and what was found."""
        self._passes: dict[tuple[object, ...], Pass] = {}
        """(digest of a token, where it was shown) -> what was judged of it."""
        self._off: frozenset[str] | None = None
        self._answers = etag.Answers()
        self._documents = etag.DocumentAnswers()
        self._inputs = KeptInputs()
        self._texts = etag.AnswerTexts()
        self.presence: PresenceBoard = database.beside("presence", PresenceBoard)
        self._running: dict[bytes, tuple[asyncio.Lock, int]] = {}
        database.listen(self._committed)
        database.add_swap_participant(self)
        for op_id in registry.threaded:
            database.start_on_thread(op_id)

    # -- before the body is read ------------------------------------------------------------------------

    def admit(self, op_id: str, who: Credentials, known: Pass | None = None) -> AuthorizedCall:
        """Judge operation, caller, module, scope and rate, in this order: which modules are on is the org's affair.

        `known` is the pass that they got before, if they are the same. Raises NotFound, Unauthenticated,
        InsufficientScope, RateLimited, or Busy while the data are exchanged.
        """
        self.database.require_open()
        op, access, now = self.registry.require(op_id), self.database.access, self.clock.now()
        if who.token is None or op.public:
            known = None
            caller = self.identify(who, public=op.public)
            self._authorize(op, caller)
        else:
            if known is None or not known.holds(now) or self.database.access_moved(known.access):
                known = self._pass(who, now)
            caller = known.caller
            if op_id not in known.opens:
                self._authorize(op, caller)
                known.opens.add(op_id)
            if op.road != "read":  # what is read tells nobody in which request
                caller = self._on_request(caller, who)
        self._count(caller, now)
        bucket = nobody_at(who.address) if caller.role == "anonymous" else caller.ident
        return AuthorizedCall(op, caller, who, access, bucket, self._limits.take(bucket, op.rate), known)

    def _authorize(self, op: Operation, caller: Caller) -> None:
        if op.module in self.modules_off():
            raise NotFound(f"The module {op.module} is switched off in this org.")
        authorize(op, caller)

    def _pass(self, who: Credentials, now: int) -> Pass:
        """What was found of a token from one place, as long as it holds. Raises Unauthenticated."""
        token, access = who.token, self.database.access
        assert token is not None
        digest = hashlib.sha256(token.encode(errors="surrogateescape")).digest()
        place = (digest, who.address, who.browser, who.mcp)  # a page without a device has a new one each time
        found = self._passes.get(place)
        if found is not None and found.holds(now) and not self.database.access_moved(found.access):
            return found
        caller = self._known_caller(who)
        known = self._known[digest][1]
        if len(self._passes) >= _MANY_CALLERS:
            self._end_passes()
        made = Pass(
            self._on_request(caller, who._replace(request=None, device=None, client=None)), known, access
        )
        self._passes[place] = made
        return made

    def judged_again(self, call: AuthorizedCall) -> Caller:
        """The caller of an admitted call as they are now: the body may have been long on its way.

        Who showed no token is nobody, or a part of the server, and stays so. Raises what `admit` raises.
        """
        if call.who.token is None or not self.database.access_moved(call.access):
            return call.caller
        caller = self.identify(call.who, public=call.op.public)
        authorize(call.op, caller)
        return caller

    def identify(self, who: Credentials, *, public: bool = False) -> Caller:
        """The caller behind a token. Where no sign-in is asked, one that is not known is nobody."""
        caller = ANONYMOUS
        if who.token is not None:
            try:
                caller = self._known_caller(who)
            except Unauthenticated:
                if not public:
                    raise
        elif not public:
            raise Unauthenticated(
                "Send a key or session as `Authorization: Bearer ...`; make one on the page /keys"
            )
        return self._on_request(caller, who)

    def session_lives_s(self, token: str) -> int:
        """How long a session that has just begun may live."""
        return self.database.read_now(lambda tx: identify.session_lives_s(tx, token))

    def _on_request(self, caller: Caller, who: Credentials) -> Caller:
        return caller.within(
            address=who.address,
            request=who.request,
            browser=who.browser,
            device=who.device,
            client=who.client,
        )

    def _known_caller(self, who: Credentials) -> Caller:
        token = who.token
        assert token is not None
        if token.startswith(identify.CONNECTED) and not who.mcp:
            raise Unauthenticated("This token is for /mcp alone; elsewhere send a key or session.")
        now = self.clock.now()
        name = hashlib.sha256(token.encode(errors="surrogateescape")).digest()
        access = (
            self.database.access
        )  # before the look: what is found may be newer than this says, never older
        at, known = self._known.get(name, (access, None))
        if known is None or self.database.access_moved(at) or identify.stale(known, now):
            known = self.database.read_now(lambda tx: identify.lookup(tx, token))
            if len(self._known) >= _MANY_CALLERS:
                self._known.clear()
            self._known[name] = (access, known)
        return identify.admit_address(known, who.address, now)

    def count_nobody(self, address: str | None) -> dict[str, str]:
        """Count a request without sign-in that is no operation; answers its headers. Raises RateLimited."""
        return self._limits.take(nobody_at(address), "public")

    def count_found(self, address: str | None) -> None:
        """What `count_nobody` took was there for them, as the many pictures of a page are: it counts as a read instead.
        Raises RateLimited."""
        self._limits.give_back(nobody_at(address), "public")
        self._limits.take(nobody_at(address), "read")

    def _count(self, caller: Caller, now: int) -> None:
        """Who called when, and how often: the worker writes it down."""
        if caller.member is not None:
            place = ("key", caller.key) if caller.key else ("session", caller.session or "")
            _, _, calls = self.seen.get(place, (0, None, 0))
            self.seen[place] = (now, caller.address, calls + 1)
        elif caller.customer is not None:
            self.seen["customer", str(caller.customer)] = (now, caller.address, 1)

    def modules_off(self) -> frozenset[str]:
        """The modules that an admin switched off."""
        if self._off is None:
            self._off = self.database.read_now(org_settings.modules_off)
        return self._off

    def _committed(self, group: Group) -> None:
        """What was kept in memory about callers ends at once when their tables change."""
        if group.tables & identify.CALLER_TABLES or "setting" in group.tables:
            self._forget()
        self.bus.notify(group)

    def _forget(self) -> None:
        self._known.clear()
        self._end_passes()
        self._off = None
        self._answers.clear()
        self._documents.clear()
        self._texts.clear()
        self._inputs.clear()

    def _end_passes(self) -> None:
        """Doors may hold on to one, so that forgetting them is not enough."""
        for known in self._passes.values():
            known.end()
        self._passes.clear()

    async def pause(self) -> None:
        """Nothing of its own runs here."""

    def close(self) -> None:
        """Who was seen in the data that go is of no interest to those that come, nor who is where."""
        self.seen = {}
        self.presence.clear()

    def resume(self) -> None:
        self._forget()

    # -- the call -----------------------------------------------------------------------------------

    async def run(
        self, call: AuthorizedCall, body: bytes, *, key: str | None = None, if_none_match: str | None = None
    ) -> OperationResult:
        """The answer to an admitted call, perhaps one made before. `key` is its Idempotency-Key. Raises a Problem."""
        self.database.require_open()
        found = self.at_once(call, body, if_none_match)
        return found or await self.make(call, body, key=key, if_none_match=if_none_match)

    async def make(
        self, call: AuthorizedCall, body: bytes, *, key: str | None = None, if_none_match: str | None = None
    ) -> OperationResult:
        """The answer to an admitted call that `at_once` has none for; as `run`."""
        op, caller = call.op, self.judged_again(call)
        if op.kept:
            check_person(op, caller, self.clock.now())
            return await self._look(call, body, if_none_match)
        value = strict_json.parse(body)
        args = validate(op.input, value)
        check_person(op, caller, self.clock.now())
        if op.road != "read" and caller.request is None:  # judged by an operation that reads
            caller = self._on_request(caller, call.who)
            call = call._replace(caller=caller)
        ticket = None
        if key is not None and op.cls != "read":
            ticket = idempotency.ticket(caller, key, op.id, strict_json.canonical(value))
            if op.repeatable:
                ticket = None
        if op.road == "read":
            return await self._ask(call, args, if_none_match)
        if op.road == "write":
            return await self._change(call, args, ticket, if_none_match)
        return await self._outside(op, caller, args, (ticket, if_none_match))

    def at_once(self, call: AuthorizedCall, body: bytes, if_none_match: str | None) -> OperationResult | None:
        """The answer to a read that is kept, or made before the loop has to go on; None for whatever else.

        The minute is for what the clock moves in answers: days that pass, cursors that end. Raises a Problem.
        """
        op, caller = call.op, call.caller
        if not op.kept or self.database.access_moved(call.access):
            return None
        now = self.clock.now()
        check_person(op, caller, now)
        seq, version = self.database.seq, (self.database.version, now // 60)
        made = self._answers.get((caller.ident, op.id, body), version) or self._made_at_once(
            call, body, version
        )
        return None if made is None else self._told(call, made, seq, if_none_match)

    def _told(
        self, call: AuthorizedCall, made: Rendered, seq: int, if_none_match: str | None
    ) -> OperationResult:
        """What is answered, put together unless the caller has it."""
        return _unless_known(
            etag.of_digest(made.digest),
            lambda: self._texts.of(call.caller.ident, call.op.id, made),
            seq,
            if_none_match,
        )

    def _made_at_once(self, call: AuthorizedCall, body: bytes, version: etag.Version) -> Rendered | None:
        """An answer from a document that is kept or made now; None where there is no time for that, or who may do what
        is being changed."""
        op, caller, access = call.op, call.caller, call.access
        if self.database.is_slow(op.id):
            return None
        value = strict_json.parse(body)
        asked = (caller.ident, op.id, to_json(value)) if op.render is not None else None
        if asked is not None and (kept := self._documents.get(asked, access, self.database.holds)):
            return kept
        args = validate(op.input, value) if asked is None else self._inputs.of(asked, op.input, value)
        try:
            made = self.database.read_at_once(lambda tx: _rendered(tx, op, args), caller, name=op.id)
        except OverBudget:
            return None
        if self.database.access_moved(access):
            return None
        if asked is not None and made.entry is not None:
            self._documents.put(asked, access, made)
            return made
        text = self._texts.of(caller.ident, op.id, made)
        return self._answers.put((caller.ident, op.id, body), version, made, text)

    async def _look(self, call: AuthorizedCall, body: bytes, if_none_match: str | None) -> OperationResult:
        """A read that had no time on the loop: its answer is kept."""
        op = call.op
        version, seq = (self.database.version, self.clock.now() // 60), self.database.seq
        args = validate(op.input, strict_json.parse(body))

        async def read(caller: Caller) -> Rendered:
            with _ended_in_time(op):
                return await self.database.read_on_thread(lambda tx: _rendered(tx, op, args).whole(), caller)

        made = await self.read_as(lambda: self.judged_again(call), read)
        self._answers.put((call.caller.ident, op.id, body), version, made, made.text())
        return self._told(call, made, seq, if_none_match)

    async def _ask(self, call: AuthorizedCall, args: Input, if_none_match: str | None) -> OperationResult:
        """A read whose answer the clock decides too; with `wait_seconds` it is asked again at each commit."""
        op = call.op
        ends = monotonic() + (getattr(args, "wait_seconds", None) or 0 if op.waits else 0)
        if op.waits:
            await begin_task()
        while True:
            seq = self.database.seq
            answer = await self.read_as(
                lambda: self.judged_again(call),
                lambda caller: self._read(op, caller, lambda tx: op.fn(tx, args)),
            )
            left = ends - monotonic()
            if left <= 0 or not op.waits or _ended(answer) or not await self.bus.wait(left):
                break
        body = to_json(answer)
        return _tagged(body, seq, if_none_match) if op.cls == "read" else OperationResult(body, seq)

    async def read_as(self, who: Callable[[], Caller], read: Callable[[Caller], Awaitable[T]]) -> T:
        """What is read with the rights that its caller has when it was read: a snapshot may be newer than they are.

        `who` says who the caller is now. Raises what `who` and `read` raise.
        """
        while True:
            access, caller = self.database.access, who()
            found = await read(caller)
            if not self.database.access_moved(access) or who() == caller:
                return found

    async def _read(self, op: Operation, caller: Caller, read: Callable[[Read], T]) -> T:
        with _ended_in_time(op):
            return await self.database.read(read, caller, name=op.id)

    async def _change(
        self, call: AuthorizedCall, args: Input, ticket: idempotency.Ticket | None, if_none_match: str | None
    ) -> OperationResult:
        """A write: a kept answer, or the handler, in one savepoint with all it leaves."""
        op = call.op
        given = await self._foreseen(op, call.caller, args)

        def one(tx: Write) -> tuple[bytes, int, bool]:
            self._judge_in(tx, call)
            if ticket is not None and (kept := idempotency.find(tx, ticket, self.seal)) is not None:
                return kept, tx.seq, True
            if isinstance(given, Problem):
                raise given
            try:
                answer = to_json(run_in(tx, op, given))
            except DryRun as dry:
                raise DryRun((to_json(dry.answer), self.database.seq, False)) from None
            if ticket is not None:
                idempotency.keep(tx, ticket, answer, self.seal)
            return answer, tx.seq, False

        body, seq, replayed = await self.database.write(one, call.caller, essential=op.essential)
        if replayed:
            self._limits.give_back(call.bucket, op.rate)
        return (
            _tagged(body, seq, if_none_match)
            if op.cls == "read"
            else OperationResult(body, seq, replayed=replayed)
        )

    async def carried(self, call: AuthorizedCall, value: dict[str, Any]) -> list[str]:
        """Ids of the operations that a call would run and does not name. Raises what its input raises."""
        find = call.op.carries
        if find is None:
            return []
        args = validate(call.op.input, value)
        return await self.database.read(lambda tx: find(tx, args), self.judged_again(call), name=call.op.id)

    async def _foreseen(self, op: Operation, caller: Caller, args: Input) -> Input | Problem:
        """What the write gets, or what refuses it unless it was done before."""
        found_out = op.foresee
        if found_out is None:
            return args
        try:
            return await self.database.read(lambda tx: found_out(tx, args), caller, name=op.id)
        except TooSlow:
            return Internal(
                "Finding out what it is about took too long; narrow it", internal=f"{op.id} looked for 10 s"
            )
        except Problem as refusal:
            return refusal

    def _judge_in(self, tx: Write, call: AuthorizedCall) -> None:
        """Where access moved since the call was admitted, its caller is looked up again in this transaction."""
        token = call.who.token
        if token is None or call.caller.role == "anonymous" or not tx.access_moved(call.access):
            return
        caller = identify.admit_address(identify.lookup(tx, token), call.who.address, tx.now)
        tx.caller = self._on_request(caller, call.who)
        authorize(call.op, tx.caller)
        check_person(call.op, tx.caller, tx.now)

    def external(
        self,
        caller: Caller,
        change: Callable[[Callable[[Write], Any]], Callable[[Write], Any]],
        answered: Callable[[Write, Any], None] | None = None,
    ) -> External:
        """What somebody waits with for the outside."""
        out = External(self.database, caller, change, self.fetch, answered)
        out.lines = self.lines
        return out

    async def _outside(
        self,
        op: Operation,
        caller: Caller,
        args: Input,
        asked: tuple[idempotency.Ticket | None, str | None],
    ) -> OperationResult:
        """An operation that waits: with a key, one at a time. What concludes it keeps its answer."""
        ticket, if_none_match = asked
        await begin_task()
        if ticket is None:
            out = self.external(caller, lambda fn: _wrapped(op, fn))
            answer = to_json(await op.fn(out, args))
            seq = self.database.seq
            return _tagged(answer, seq, if_none_match) if op.cls == "read" else OperationResult(answer, seq)
        kept: list[bytes] = []

        def keep(tx: Write, answer: Any) -> None:
            kept[:] = [to_json(answer)]
            idempotency.keep(tx, ticket, kept[0], self.seal)

        async with self._alone(ticket.digest):
            before = await self.database.write(
                lambda tx: idempotency.find(tx, ticket, self.seal), caller, essential=True
            )
            if before is not None:
                return OperationResult(before, self.database.seq, replayed=True)
            answer = await op.fn(self.external(caller, lambda fn: _wrapped(op, fn), keep), args)
            if not kept:  # it had no effect of its own, such as a look at a page elsewhere
                await self.database.write(lambda tx: keep(tx, answer), caller, essential=True)
            return OperationResult(kept[0], self.database.seq)

    @contextlib.asynccontextmanager
    async def _alone(self, digest: bytes) -> AsyncIterator[None]:
        """One at a time for each key; the lock goes with the last who waits for it."""
        lock, holders = self._running.get(digest, (asyncio.Lock(), 0))
        self._running[digest] = (lock, holders + 1)
        try:
            async with lock:
                yield
        finally:
            _, holders = self._running[digest]
            if holders == 1:
                del self._running[digest]
            else:
                self._running[digest] = (lock, holders - 1)


@contextlib.contextmanager
def _ended_in_time(op: Operation) -> Iterator[None]:
    try:
        yield
    except TooSlow:
        raise Internal(
            "This read took too long and was stopped; narrow it", internal=f"{op.id} ran 10 s"
        ) from None


def _rendered(tx: Read, op: Operation, args: Input) -> Rendered:
    """The answer to a read, of documents that are kept where its operation does that."""
    found = op.render(tx, args) if op.render is not None else None
    if found is None:
        body = to_json(op.fn(tx, args))
        found = Rendered(etag.digest(body), body)
    return found


def _tagged(body: bytes, seq: int, if_none_match: str | None) -> OperationResult:
    """The answer of a read with the ETag of its body."""
    return _unless_known(etag.of(body), lambda: body, seq, if_none_match)


def _unless_known(
    tag: str, text: Callable[[], bytes], seq: int, if_none_match: str | None
) -> OperationResult:
    """The answer of a read, or none where the caller has it already."""
    if etag.matches(if_none_match, tag):
        return OperationResult(b"", seq, tag, fresh=False)
    return OperationResult(text(), seq, tag)


def authorize(op: Operation, caller: Caller) -> None:
    """May this caller do this kind of thing? Raises Unauthenticated, InsufficientScope or NotAllowed."""
    if op.public:
        return
    if caller.role == "anonymous":
        raise Unauthenticated(
            "Send a key or session as `Authorization: Bearer ...`; make one on the page /keys"
        )
    if not caller.scopes.intersection(op.scopes):
        needed = " or ".join(op.scopes)
        raise InsufficientScope(
            "Components inside the server alone may do this."
            if op.system
            else f"This needs the scope {needed}; your {_what(caller)} does not hold it.{_way_to_admin(op, caller)}",
            scopes=list(op.scopes),
        )
    require_module(op.module, caller)


def require_module(module: str, caller: Caller) -> None:
    """Raises NotAllowed for a connected client that was not given this module."""
    if not caller.holds(module):
        raise NotAllowed(f"You were connected without the module {module}: connect again to ask for it.")


def _what(caller: Caller) -> str:
    if caller.key is not None:
        return "grant" if caller.key.startswith(identify.GRANT) else "key"
    return f"role ({caller.role})"


def _way_to_admin(op: Operation, caller: Caller) -> str:
    """How an admin whose key leaves these rights out gets one that has them."""
    if op.scopes != ("admin",) or caller.key is None or not caller.admin:
        return ""
    return f" {ADMIN_KEY}"


def check_person(op: Operation, caller: Caller, now: int) -> None:
    """What only people may do, and what asks them to confirm. Raises NotAllowed or ElevationNeeded."""
    if caller.guest and not op.guests:
        raise NotAllowed("Guests may not do this.")
    if caller.projects is not None and op.scopes == ("admin",):
        raise NotAllowed("A key that is limited to projects does not change the org.")
    if op.people == "session" and caller.session is None and not op.public:
        raise NotAllowed("Only a person who is signed in may do this; a key cannot.")
    if op.people == "people" and caller.kind not in ("human", "key"):
        raise NotAllowed("Only a person may do this, by a session or a personal key.")
    if op.elevated and caller.elevated_until <= now:
        raise ElevationNeeded(
            "Confirm that it is you: sign in again or call auth.elevate; it holds for ten minutes. Keys cannot."
        )


def run_in(tx: Write, op: Operation, args: Input) -> Any:
    """Run a write's handler in this savepoint and keep its undo record."""
    return _wrapped(op, lambda inner: op.fn(inner, args))(tx)


def run_as_operation(tx: Write, op: Operation, fn: Callable[[Write], Any], whole: str) -> Any:
    """Run one transaction of what an operation began and a job goes on with; `whole` takes all of it back."""
    return _wrapped(op, fn, whole)(tx)


def _wrapped(op: Operation, fn: Callable[[Write], Any], whole: str | None = None) -> Callable[[Write], Any]:
    def run(tx: Write) -> Any:
        outer = (tx.op, tx.may_emit, tx.images, tx.events, tx.recording)
        part = tx.recording
        tx.op, tx.may_emit, tx.images, tx.events = op.id, op.may_emit, [], []
        tx.recording = part or records(op)
        try:
            answer = fn(tx)
            if not part:
                keep_record(tx, op, whole)
                end_unfounded(tx)
            done = (tx.images, tx.events)
        finally:
            tx.op, tx.may_emit, tx.images, tx.events, tx.recording = outer
        if part:  # what is done inside another operation is taken back with it
            tx.images += done[0]
            tx.events += done[1]
        return answer

    return run


def _ended(answer: Any) -> bool:
    return isinstance(answer, dict) and answer.get("ended_at") is not None
