"""Mail servers and mailboxes, asked at once for an operation: through the guard of addresses, on threads."""

import asyncio
import ssl
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.mail.lines import Pulled, PullOrder, RemoteMailbox
from kbwork.core.mail.server import MailServer, MailServerUnreachable
from kbwork.core.ports.mail import Letter
from kbwork.worker import addresses, mail_trial, places
from kbwork.worker.mail import opened
from kbwork.worker.trust import client_context

T = TypeVar("T")
_SEND_S = 60.0
_PULL_S = 120.0
_AT_ONCE = 8
_REFUSED = "There is nothing at this host and port that can be used"


class WorkerMailLines:
    """One for the process. `allowed` are the operator's exceptions as `host:port`."""

    def __init__(self, allowed: Iterable[str] = (), tls: ssl.SSLContext | None = None) -> None:
        """`tls` checks certificates, where the machine's own authorities shall not."""
        self._allowed = frozenset(place.lower() for place in allowed)
        self._tls = tls
        self._turns = asyncio.Semaphore(_AT_ONCE)

    def lists(self, host: str, port: int) -> bool:
        """Whether the operator lists this place."""
        return places.place(host, port) in self._allowed

    def require(self, host: str, port: int, *, field: str) -> None:
        """Raises InvalidInput."""
        spelt = addresses.literal(host)
        if spelt is not None and not addresses.is_public(spelt) and not self.lists(host, port):
            raise InvalidInput("Private networks are refused.", field=field)

    async def send(self, server: MailServer, to: str, letter: Letter, now: int) -> str:
        """Raises UpstreamFailed."""
        try:
            async with asyncio.timeout(_SEND_S), self._turns:
                line = await opened(server, self._allowed, self._tls)
                try:
                    return await _on_thread(partial(mail_trial.over, line, server, to, letter, now))
                finally:
                    line.cut()
        except MailServerUnreachable as error:
            raise UpstreamFailed(f"{server.place}: {error}.") from None
        except TimeoutError:
            raise UpstreamFailed(f"{server.place} did not answer in time.") from None

    async def pull(self, box: RemoteMailbox, order: PullOrder) -> Pulled:
        """Raises UpstreamFailed."""
        from kbwork.worker.mailbox import line_of  # noqa: PLC0415 - its packages are for servers that read mail

        try:
            async with asyncio.timeout(_PULL_S), self._turns:
                found = await places.checked(box.host, box.port, self._allowed, failed=_REFUSED)
                tls = self._tls if self._tls is not None else await asyncio.to_thread(client_context)
                line = line_of(box, found, tls)
                try:
                    return await _on_thread(partial(line.pull, order))
                finally:
                    line.cut()
        except TimeoutError:
            raise UpstreamFailed(f"{places.place(box.host, box.port)} did not answer in time.") from None
        except OSError as error:
            raise UpstreamFailed(f"{_REFUSED}.", internal=f"{type(error).__name__}: {error}") from None


async def _on_thread(fn: Callable[[], T]) -> T:
    """On a thread of its own: a mail server that never answers keeps none that others wait for."""
    waiting = ThreadPoolExecutor(1, "kbwork-mail")
    talk = asyncio.get_running_loop().run_in_executor(waiting, fn)
    waiting.shutdown(wait=False)
    return await talk
