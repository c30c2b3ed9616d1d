"""`GET /api/v1/stream`: the same events as `api.changes`, in the same order, as server-sent events."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs

from pydantic_core import to_json
from starlette.types import Receive, Scope, Send

from kbwork.api import stream_rows
from kbwork.api.http.endpoint import Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Head
from kbwork.api.http.site import Site
from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import (
    Busy,
    Conflict,
    InsufficientScope,
    InvalidInput,
    NotAllowed,
    RateLimited,
    Unauthenticated,
)
from kbwork.base.text import did_you_mean
from kbwork.core.events import feed, own_news, presence
from kbwork.core.events.bus import Bus, settle
from kbwork.core.operations.call import Credentials
from kbwork.db.database import Database
from kbwork.db.tx import Read
from kbwork.settings import StreamSettings

T = TypeVar("T")
_BATCH = 50
"""Read in one go, within the time that a read has on the loop."""
_STIR_S = 0.2
_STIR_EACH_S = 0.0005
"""Who comes and goes is told together: so long, and for each open stream so much longer, is waited for more."""
_NOW = 1 << 53
"""Stands for the latest event in a query that names none."""
_PARAMETERS = frozenset({"since", "kinds", "subjects", "tql", "plain", "rows"})
_OF_ROWS = frozenset({"projects", "closed_days", "access"})
_NUMBERS = {"since": "sequence number"}
_SHARED_BYTES = 4 * 1024 * 1024
"""What is kept for those who are woken next; they come in the order in which they were woken last."""


class EventStreamEndpoint(Endpoint):
    """Open streams, counted by member and key; they end when the caller's rights do."""

    log = logging.getLogger("kbwork.stream")

    def __init__(self, site: Site, limits: StreamSettings) -> None:
        super().__init__(site)
        self._limits = limits
        self._open: dict[str, int] = {}
        self._listening: set[_Listener] = set()
        self._parts = _Parts(site.dispatcher.database)
        self._ended = False
        self._cuts = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stirred = False
        """The bell is about to be rung, since somebody came or went."""
        self._news = own_news.NewsBoard(site.dispatcher.database, site.dispatcher.registry)
        self._presence = site.dispatcher.presence
        self._presence.listen(self._stir)
        site.dispatcher.database.add_swap_participant(self)

    @property
    def figures(self) -> dict[str, int]:
        """What the metrics show."""
        return {"open": sum(self._open.values())}

    def end_all(self) -> None:
        """End every stream at once: the server stops."""
        self._ended = True
        self.close()

    async def pause(self) -> None:
        """Streams are read from until the last moment."""

    def close(self) -> None:
        """End those that are open: what they tell of goes."""
        self._cuts += 1
        for listener in list(self._listening):
            listener.end()

    def resume(self) -> None:
        """Whoever comes back is let in."""

    def _stir(self) -> None:
        """Somebody came or went: called on any thread."""
        if self._listening and self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop ended: nobody listens
                self._loop.call_soon_threadsafe(self._ring_soon)

    def _ring_soon(self) -> None:
        if not self._stirred:
            self._stirred = True
            wait_s = _STIR_S + _STIR_EACH_S * len(self._listening)
            asyncio.get_running_loop().call_later(wait_s, self._ring)

    def _ring(self) -> None:
        self._stirred = False
        self._dispatcher.bus.ring()

    async def answer(self, request: AsgiRequest) -> int:
        if request.scope["method"] != "GET":
            raise wrong_method("The stream is read with GET.", "GET")
        who = request.head.credentials()
        caller = self._caller(who)
        wanted = _wanted(request.scope, request.head)
        if wanted.rows is not None:
            stream_rows.authorize_for(self._dispatcher.registry, caller, wanted.rows)
        place = caller.key or caller.me()
        self._require_room(caller, place)
        self._open[place] = self._open.get(place, 0) + 1
        try:
            await self._run(who, wanted, request.receive, request.send)
        finally:
            self._open[place] -= 1
            if not self._open[place]:
                del self._open[place]
        return 200

    def _caller(self, who: Credentials) -> Caller:
        caller = self._dispatcher.identify(who)
        if "api:read" not in caller.scopes:
            raise InsufficientScope("The stream needs the scope api:read.", scopes=["api:read"])
        return caller

    def _require_room(self, caller: Caller, place: str) -> None:
        most = self._limits.per_key if caller.key else self._limits.per_member
        if self._open.get(place, 0) >= most:
            raise RateLimited(f"At most {most} streams at once; close one first.", retry_after_s=5)
        if sum(self._open.values()) >= self._limits.all:
            raise Busy("Too many streams are open; try again later.", retry_after_s=30)

    async def _run(self, who: Credentials, wanted: "_Wanted", receive: Receive, send: Send) -> None:
        cuts = self._cuts
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                    (b"x-content-type-options", b"nosniff"),
                ],
            }
        )
        self._loop = asyncio.get_running_loop()
        listener = _Listener(self._dispatcher.bus)
        gone = asyncio.create_task(_until_gone(receive))
        gone.add_done_callback(listener.end)
        self._listening.add(listener)
        try:
            if not self._ended and cuts == self._cuts:
                with contextlib.suppress(Busy):  # the data are exchanged: it ends
                    await self._events(who, wanted, send, listener)
        finally:
            self._listening.discard(listener)
            left = gone.done()
            gone.cancel()
        if not left:
            await send({"type": "http.response.body", "body": b""})

    async def _events(self, who: Credentials, wanted: "_Wanted", send: Send, listener: "_Listener") -> None:
        """Say hello, tell what happens, and say why it ends where that is for the caller's rights."""
        seq = self._dispatcher.database.seq
        place = _Place(min(wanted.events.since, seq))  # what is committed while hello is on its way is told
        hello: dict[str, Any] = {"seq": seq, "server": "kbwork"}
        try:
            if wanted.rows is not None:
                begun = await self._read_as(who, "stream.rows", lambda tx: _begun(tx, wanted))
                place = _Place(begun.since, begun.told)
                hello |= {"seq": begun.seq, "access": begun.access}
            told = self._presence.number if presence.is_wanted(wanted.events) else None
            heard, news = self._news.number, await self._own_news(who, wanted)
            await _say(send, wanted.message("hello", hello))
            await self._follow(who, wanted, send, listener, _Told(place, told, heard, news))
        except (Unauthenticated, InsufficientScope, NotAllowed, Conflict) as ended:
            await _say(send, wanted.message("bye", {"reason": ended.slug}))

    async def _follow(
        self, who: Credentials, wanted: "_Wanted", send: Send, listener: "_Listener", before: "_Told"
    ) -> None:
        """Send what there is, then wait for the bell; a comment line every 15 s keeps the road open."""
        place, told, heard, news = before
        while not listener.ended:
            part = await self._dispatcher.read_as(
                lambda: self._caller(who), partial(self._parts.after, place, wanted)
            )
            if part.text:
                await _say(send, part.text)
            if part.ends:
                return
            place = part.next
            if part.more or place.since < self._dispatcher.database.seq:
                continue
            self._presence.expire(self._dispatcher.clock.now())
            if told is not None and told != self._presence.number:
                told = await self._tell_presence(who, told, wanted, send)
                continue
            if heard != self._news.number:
                heard, known, news = self._news.number, news, await self._own_news(who, wanted)
                for kind, number in own_news.moved(known, news):
                    await _say(send, wanted.message(kind, {"number": number}))
                continue
            if not await listener.wait(self._limits.ping_seconds):
                await _say(send, b": ping")

    async def _read_as(self, who: Credentials, name: str, read: Callable[[Read], T]) -> T:
        return await self._dispatcher.read_as(
            lambda: self._caller(who),
            lambda caller: self._dispatcher.database.read(read, caller, name=name),
        )

    async def _own_news(self, who: Credentials, wanted: "_Wanted") -> own_news.Numbers:
        """What is the caller's own, as it stands."""
        if not self._news.asked_for(wanted.events, self._caller(who)):
            return {}
        return await self._read_as(who, "stream.news", lambda tx: self._news.numbers(tx, wanted.events))

    async def _tell_presence(self, who: Credentials, after: int, wanted: "_Wanted", send: Send) -> int:
        """Say who is where, of what changed behind this number; answers that of the last change."""
        found = await self._read_as(who, "presence", lambda tx: presence.news(tx, after, wanted.events))
        for one in found.things:
            await _say(send, wanted.message("presence", one))
        return found.number


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a stream is asked for."""

    events: feed.EventFilter
    plain: bool
    """Its messages have no names: the kind stands in the data."""
    rows: stream_rows.RowScopes | None
    """It tells deltas of these in place of events."""

    def message(self, kind: str, data: Mapping[str, Any], seq: int | None = None) -> bytes:
        number = b"id: %d\n" % seq if seq is not None else b""
        if self.plain:
            return b"%sdata: %s" % (number, to_json({"kind": kind, **data}))
        return b"%sevent: %s\ndata: %s" % (number, kind.encode(), to_json(data))


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a stream has told."""

    since: int
    told: stream_rows.RowsTold | None = None


class _Told(NamedTuple):
    """Where a stream stands when it says hello: whoever asks behind that for what they have no event of misses nothing
    between their answer and the stream."""

    place: _Place
    presence: int | None
    """The last change of who is where; None where nobody asks for it."""
    news: int
    own: own_news.Numbers


@dataclass(frozen=True, slots=True)
class _Part:
    """What is said next on a stream, as it goes out, and where the stream stands then."""

    text: bytes
    next: _Place
    more: bool
    ends: bool = False


class _Parts:
    """What streams say next. Those of one caller that stand at the same place share it until the next commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = -1
        self._made: dict[tuple[_Place, Caller, _Wanted], asyncio.Future[_Part | None]] = {}
        self._bytes = 0

    async def after(self, place: _Place, wanted: _Wanted, caller: Caller) -> _Part:
        name = place, caller, wanted
        while True:
            version = self._database.version  # before the read: what is found may be newer, never older
            if version != self._version or self._bytes > _SHARED_BYTES:
                self._version, self._made, self._bytes = version, {}, 0
            made = self._made.get(name)
            if made is None:
                return await self._make(name)
            part = await asyncio.shield(made)
            if part is not None:
                return part

    async def _make(self, name: tuple[_Place, Caller, _Wanted]) -> _Part:
        """Read it; those who ask meanwhile wait for it, and read themselves if this one fails."""
        place, caller, wanted = name
        reads = "stream" if wanted.rows is None else "stream.rows"
        made = asyncio.get_running_loop().create_future()
        shared = self._made
        shared[name] = made
        part = None
        try:
            part = await self._database.read(lambda tx: _part(tx, place, wanted), caller, name=reads)
            if shared is self._made:
                self._bytes += len(part.text)
            return part
        finally:
            made.set_result(part)
            if part is None:
                del shared[name]


class _Listener:
    """What a stream sleeps on: the bell, or its own end.

    Whatever ends a caller's rights is a commit, so the bell is also the time to look at them again.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._bell: asyncio.Future[bool] | None = None
        self.ended = False

    def end(self, _: object = None) -> None:
        self.ended = True
        if self._bell is not None:
            settle(self._bell, True)

    async def wait(self, seconds: float) -> bool:
        """Until something was committed or the stream ends; False when it was quiet for so long."""
        if self.ended:
            return True
        self._bell = asyncio.get_running_loop().create_future()
        return await self._bus.wait_on(self._bell, seconds)


def _wanted(scope: Scope, head: Head) -> _Wanted:
    """The query of the stream. Raises InvalidInput naming the parameter."""
    query = {name: values[-1] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    rows = query.get("rows") == "1"
    known = _PARAMETERS | _OF_ROWS if rows else _PARAMETERS
    if unknown := sorted(set(query) - known):
        more = " without rows=1" if unknown[0] in _OF_ROWS else ""
        hint = did_you_mean(unknown[0], known)
        raise InvalidInput(f"The stream has no parameter {unknown[0]!r}{more}.{hint}", field=unknown[0])
    for name in ("plain", "rows"):
        if query.get(name, "0") not in ("0", "1"):
            raise InvalidInput(f"`{name}` should be 1 or 0.", field=name)
    if query.get("tql"):
        raise InvalidInput(
            "The stream cannot filter by TQL in this version; use kinds and subjects.", field="tql"
        )
    last = head.text("last-event-id")
    since = _number("since", last or query.get("since") or str(_NOW))
    assert since is not None
    events = feed.EventFilter(
        since=since, kinds=_words(query, "kinds") or (), subjects=_words(query, "subjects") or ()
    )
    scopes = None
    if rows:
        scopes = stream_rows.RowScopes(
            projects=_words(query, "projects"),
            closed_days=_number("closed_days", query.get("closed_days")),
            access=_number("access", query.get("access")),
        )
    return _Wanted(events, query.get("plain") == "1", scopes)


def _words(query: Mapping[str, str], name: str) -> tuple[str, ...] | None:
    if name not in query:
        return None
    return tuple(part.strip() for part in query[name].split(",") if part.strip())


def _number(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 16:
        raise InvalidInput(f"`{name}` should be a {_NUMBERS.get(name, 'number')}.", field=name)
    return int(text)


def _begun(tx: Read, wanted: _Wanted) -> stream_rows.RowsBegun:
    assert wanted.rows is not None
    since = wanted.events.since
    return stream_rows.begin(tx, None if since == _NOW else since, wanted.rows)


def _part(tx: Read, place: _Place, wanted: _Wanted) -> _Part:
    if wanted.rows is not None:
        assert place.told is not None
        found, told = stream_rows.delta(tx, place.since, wanted.rows, place.told)
        seq, more = found.pop("seq"), found.pop("more")
        tells = found["upserts"] or found["gone"] or found["reset"]
        text = wanted.message("rows", {"seq": seq, **found}, seq) if tells else b""
        return _Part(text, _Place(seq, told), more)
    page = feed.page(tx, place.since, _BATCH, wanted.events)
    if page.oldest is not None:
        gap = wanted.message("gap", {"oldest": page.oldest})
        return _Part(gap, _Place(page.next), more=False, ends=True)
    told_now = [wanted.message(event["kind"], event, event["seq"]) for event in page.events]
    return _Part(b"\n\n".join(told_now), _Place(page.next), page.more)


async def _say(send: Send, text: bytes) -> None:
    await send({"type": "http.response.body", "body": text + b"\n\n", "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
