"""One stream of NATS, as far as an outbox needs it. The library is an extra of the package (`kbwork[outbox]`) and is
imported where it is used.
"""

import asyncio
import contextlib
import json
import ssl
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.db.connection import Unusable
from kbwork.outbox.messages import EventMessage, StreamEnd
from kbwork.settings import OutboxSettings

if TYPE_CHECKING:
    from nats.aio.client import Client

_CONNECT_S = 3
_ANSWER_S = 5.0
_HEADERS_BYTES = 1024
"""More than those of one message have."""
_AFTER = "kbwork-after"
_ORG = "kbwork-org"
_LIBRARY = "NATS needs a library that is missing: pip install 'kbwork[outbox]'"


class StreamMoved(Exception):
    """It does not end where it was thought to end: it is to be looked at again."""


@dataclass(frozen=True, slots=True)
class StreamName:
    """What a stream is called, and the beginning of what its messages are called."""

    org: str
    stream: str
    subject: str

    @classmethod
    def of(cls, at: OutboxSettings, org: str) -> "StreamName":
        return cls(org, at.stream or f"kbwork-{org}", at.subject or f"kbwork.{org}")


class EventStream:
    """A connection to it. Each call raises Unusable with one line that says what to do."""

    def __init__(self, client: "Client", name: StreamName, place: str) -> None:
        self._client = client
        self._name = name
        self._sequence = 0
        self._most_bytes = client.max_payload
        self._last = ""
        """The name of its last message; empty: only its number is known."""
        self.place = place
        """In words, without a secret."""

    @classmethod
    async def connected(cls, at: OutboxSettings, org: str) -> "EventStream":
        """Over the first server that answers."""
        name, refused = StreamName.of(at, org), ""
        try:
            from nats.aio.client import Client  # noqa: PLC0415 - an extra
        except ImportError:
            raise Unusable(_LIBRARY) from None
        known = await asyncio.to_thread(_known, at)
        for server in at.servers:
            client = Client()
            try:
                with _clear(server):
                    async with asyncio.timeout(2 * _CONNECT_S):
                        await client.connect(
                            [server],
                            name=f"kbwork outbox of {org}",
                            allow_reconnect=False,
                            max_reconnect_attempts=1,
                            reconnect_time_wait=0,
                            connect_timeout=_CONNECT_S,
                            error_cb=_heard,
                            **known,
                        )
                return cls(client, name, f"{name.stream} at {server}")
            except Unusable as error:
                refused = refused or str(error)
                await _closed(client)
        raise Unusable(refused)

    async def close(self) -> None:
        await _closed(self._client)

    async def end(self) -> StreamEnd | None:
        """Where it ends; None: it is not there."""
        from nats.js.errors import NotFoundError  # noqa: PLC0415 - an extra

        with _clear(self.place):
            try:
                info = await self._client.jetstream(timeout=_ANSWER_S).stream_info(self._name.stream)
            except NotFoundError:
                return None
            return await self._end_of(info)

    async def look(self, *, after: int) -> StreamEnd:
        """Where it ends, to go on there. A stream that is not there is made: it gets the events behind this one."""
        from nats.js.errors import NotFoundError  # noqa: PLC0415 - an extra

        with _clear(self.place):
            try:
                info = await self._client.jetstream(timeout=_ANSWER_S).stream_info(self._name.stream)
            except NotFoundError:
                info = await self._made(after)
            if info.config.retention not in (None, "limits"):
                raise Unusable(
                    f"{self.place} cannot be used: it forgets what was read; its retention should be limits"
                )
            end = await self._end_of(info)
            if end.told is None:
                end = await self._taken(end, info.config, after)
        self._sequence, self._last = end.sequence, ""
        largest = info.config.max_msg_size or 0
        self._most_bytes = min(largest, self._client.max_payload) if largest > 0 else self._client.max_payload
        return end

    async def _end_of(self, info: Any) -> StreamEnd:
        from nats.js.errors import NotFoundError  # noqa: PLC0415 - an extra

        end = StreamEnd(
            sequence=info.state.last_seq,
            first=info.state.first_seq,
            after=int((info.config.metadata or {}).get(_AFTER, "0")),
            age_s=info.config.max_age or 0.0,
        )
        if info.state.messages:
            with contextlib.suppress(NotFoundError):
                return await self._last_of(end)
        return end

    async def _made(self, after: int) -> Any:
        from nats.js.api import StreamConfig  # noqa: PLC0415 - an extra

        return await self._client.jetstream(timeout=_ANSWER_S).add_stream(
            StreamConfig(
                name=self._name.stream,
                subjects=[f"{self._name.subject}.>"],
                description=f"Events of {self._name.org}, laid here by kbwork",
                metadata={_AFTER: str(after), _ORG: self._name.org},
            )
        )

    async def _last_of(self, end: StreamEnd) -> StreamEnd:
        """Raises NotFoundError where it holds none of ours."""
        jetstream = self._client.jetstream(timeout=_ANSWER_S)
        found = await jetstream.get_last_msg(self._name.stream, f"{self._name.subject}.>")
        org, _, seq = (found.headers or {}).get("Nats-Msg-Id", "").rpartition(":")
        try:
            told = json.loads(found.data or b"")
            event = (int(seq), str(told["kind"]), str(told["subject"]), int(told["created_at"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Unusable(
                f"{self.place} cannot be used: its last message below {self._name.subject} is no event of kbwork; name"
                " another outbox.stream and outbox.subject"
            ) from None
        return replace(end, name=org, told=event)

    async def _taken(self, end: StreamEnd, config: Any, after: int) -> StreamEnd:
        """An empty one that nobody took yet is ours from now on."""
        owner = (config.metadata or {}).get(_ORG)
        if owner == self._name.org:
            return end
        if owner is not None:
            raise Unusable(
                f"{self.place} cannot be used: it is of the org {owner}; name another outbox.stream"
            )
        await self._write(config, after)
        return replace(end, after=after)

    async def begin_behind(self, after: int) -> None:
        """Have it say that what is up to this event was there once, and does not come again."""
        with _clear(self.place):
            info = await self._client.jetstream(timeout=_ANSWER_S).stream_info(self._name.stream)
            await self._write(info.config, after)

    async def _write(self, config: Any, after: int) -> None:
        config.metadata = dict(config.metadata or {}) | {_AFTER: str(after), _ORG: self._name.org}
        await self._client.jetstream(timeout=_ANSWER_S).update_stream(config)

    async def send(self, messages: Sequence[EventMessage]) -> list[int]:
        """Lay some there, none twice, none without the one before it; answers the numbers of those without a payload,
        which was too much. Raises StreamMoved.

        Each names the one before it, so that the answer to the last is an answer to all.
        """
        cut = []
        with _clear(self.place):
            for number, message in enumerate(messages, 1):
                body = message.body
                if len(body) + _HEADERS_BYTES > self._most_bytes:
                    body = message.stub
                    cut.append(message.seq)
                headers = self._headers(message, self._sequence + number - 1)
                subject = f"{self._name.subject}.{message.kind}"
                if number < len(messages):
                    await self._client.publish(subject, body, headers=headers)
                else:
                    await self._settled(
                        await self._client.request(subject, body, timeout=_ANSWER_S, headers=headers),
                        self._sequence + number,
                    )
        return cut

    def _headers(self, message: EventMessage, before: int) -> dict[str, str]:
        """The number of the one before it is asked for, too: a server may know a name that it no longer holds."""
        ident = f"{self._name.org}:{message.seq}"
        found = {
            "Nats-Msg-Id": ident,
            "Nats-Expected-Stream": self._name.stream,
            "Nats-Expected-Last-Sequence": str(before),
        }
        if self._last:
            found["Nats-Expected-Last-Msg-Id"] = self._last
        self._last = ident
        return found

    async def _settled(self, answer: Any, expected: int) -> None:
        told = json.loads(answer.data)
        if (error := told.get("error")) is not None:
            if error.get("err_code") in _MOVED:
                raise StreamMoved
            raise Unusable(f"{self.place} takes no more: {error.get('description', 'it says not why')}")
        if told.get("duplicate") or told.get("seq") != expected:
            raise StreamMoved
        self._sequence = expected


_MOVED = (10070, 10071, 10060)
"""Wrong last message, wrong last number, another stream."""


def _known(at: OutboxSettings) -> dict[str, Any]:
    """How to sign in, and whom to believe."""
    found: dict[str, Any] = {}
    if at.ca or any(server.startswith("tls://") for server in at.servers):
        try:
            found["tls"] = ssl.create_default_context(cafile=at.ca or None)
        except OSError as error:
            raise Unusable(f"outbox.ca: {at.ca} cannot be read: {error.strerror or error}") from None
    return found | (_credentials(Path(at.credentials)) if at.credentials else {})


def _credentials(path: Path) -> dict[str, Any]:
    """Of a file: that of NATS, with a key in it; a name and a password, a line each; or a token alone."""
    try:
        if path.stat().st_mode & 0o077:
            raise Unusable(f"{path} can be read by others: chmod 600 {path}")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if "-----BEGIN NATS USER JWT-----" in text:
        if find_spec("nkeys") is None:
            raise Unusable(_LIBRARY)
        return {"user_credentials": str(path)}
    match text.split():
        case [user, password]:
            return {"user": user, "password": password}
        case [token]:
            return {"token": token}
    raise Unusable(f"{path} should hold NATS credentials, or a name and a password, a line each, or a token")


async def _heard(_: Exception) -> None:
    """Whoever waits for an answer is told, too."""


async def _closed(client: "Client") -> None:
    with contextlib.suppress(Exception):  # it is gone already, in whatever way
        async with asyncio.timeout(_CONNECT_S):
            await client.close()


@contextlib.contextmanager
def _clear(place: str) -> Iterator[None]:
    """What NATS refuses in one line that says what to do."""
    import nats.errors  # noqa: PLC0415 - an extra
    import nats.js.errors  # noqa: PLC0415

    try:
        yield
    except nats.js.errors.ServiceUnavailableError:
        raise Unusable(f"{place} has no JetStream: start nats-server with it (-js)") from None
    except nats.js.errors.APIError as error:
        raise Unusable(f"{place} cannot be used: {error.description or error}") from None
    except nats.errors.NoRespondersError:
        raise Unusable(f"{place} does not take these subjects: look at those of the stream") from None
    except (nats.errors.NoServersError, nats.errors.ConnectionClosedError, TimeoutError, OSError) as error:
        why = f": {error}" if isinstance(error, ssl.SSLError) else ""
        raise Unusable(f"{place} cannot be reached{why}: look at outbox.servers") from None
    except nats.errors.Error as error:
        said = str(error).removeprefix("nats: ").strip("'")
        hint = "; look at outbox.credentials" if "uthorization" in said or "ermission" in said else ""
        raise Unusable(f"{place} refuses: {said}{hint}") from None
