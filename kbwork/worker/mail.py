"""The sender: hands queued letters to the mail server, some over one connection, and marks each when it was taken.

It marks after the handing over, so a process that dies in between sends that letter again, under the same Message-ID.
"""

import asyncio
import logging
import ssl
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kbwork.base.caller import SYSTEM
from kbwork.base.clock import monotonic
from kbwork.base.errors import UpstreamFailed
from kbwork.core.mail import sender
from kbwork.core.mail.server import MailServer, MailServerUnreachable, Refusal
from kbwork.core.ports import mail
from kbwork.db.database import Database
from kbwork.db.rows import MailRow
from kbwork.db.tx import Write
from kbwork.db.writer import Group
from kbwork.worker import places
from kbwork.worker.periodic import PeriodicTask
from kbwork.worker.trust import client_context

if TYPE_CHECKING:
    from kbwork.worker.mail_folder import MailFolder
    from kbwork.worker.smtp import SmtpConnection

log = logging.getLogger("kbwork.mail")
T = TypeVar("T")
AT_ONCE = 20
DEADLINE_S = 120.0
"""How long opening a connection, or one letter, may take in all."""
_TICK_S = 1.0
_SWEEP_S = 600.0
_REST_S = 10.0
REFUSED = "The mail server is not reached: it has no address that is public and answers there"


class MailSender:
    """One for the process. Without a server it notes that no mail is sent, and goes on to sweep what is old."""

    def __init__(
        self,
        database: Database,
        server: MailServer | None,
        *,
        origin: str,
        tls: ssl.SSLContext | None = None,
        allowed: Collection[str] = (),
    ) -> None:
        """`server` is that of the settings, which goes before one that an admin saved; `origin` is what stands before
        the path of a page; `tls` checks the mail server's certificate, where the machine's own authorities shall not;
        `allowed` are the private places, as `host:port`, that a saved server may be at.
        """
        self._database = database
        self._settings_server = server
        self._server = server
        self._allowed = frozenset(place.lower() for place in allowed)
        self._origin = origin
        self._tls = tls
        self._rounds = PeriodicTask(self._round, name="mail", log=log, every_s=_TICK_S)
        self._resting = False
        self._line: SmtpConnection | MailFolder | None = None
        self._swept_at = monotonic()
        database.listen(self._heard)
        database.add_swap_participant(self)

    def start(self) -> None:
        """Begin on the running loop."""
        self._rounds.start()

    async def stop(self) -> None:
        """Stop behind the letter that is under way."""
        await self._rounds.stop()

    async def pause(self) -> None:
        """End behind the letter that is under way, or cut its line where that takes long; begin no other."""
        self._resting = True
        try:
            async with asyncio.timeout(_REST_S):
                await self._rounds.pause()
        except TimeoutError:
            if self._line is not None:
                self._line.cut()
            await self._rounds.pause()

    def close(self) -> None:
        """Nothing runs any more."""

    def resume(self) -> None:
        self._resting = False
        self._rounds.resume()

    def _heard(self, group: Group) -> None:
        if not group.tables.isdisjoint(("mail", "mail_sender")):
            self._rounds.notify()

    @property
    def _pausing(self) -> bool:
        return self._rounds.stopping or self._resting or self._database.fenced

    async def _round(self) -> None:
        if self._database.fenced:
            return
        await self._note()
        if monotonic() - self._swept_at >= _SWEEP_S:
            await self._sweep()
        while self._server is not None and not self._pausing:
            if not await self._database.read(mail.is_due, SYSTEM, name="mail"):
                return
            server, rows = await self._write(self._take)
            if server is None:
                return
            await self._send(server, rows)

    def _take(self, tx: Write) -> tuple[MailServer | None, list[MailRow]]:
        """The letters that go next, by the server that holds as they are taken: what is long goes on for hours."""
        server = self._settings_server or sender.server(tx)
        return server, mail.take(tx, AT_ONCE) if server is not None else []

    async def _note(self) -> None:
        """Write down what operations ask about this server, where that is not what stands there."""
        stands, saved = await self._database.read(
            lambda tx: (mail.as_set_up(tx), sender.server(tx)), SYSTEM, name="mail"
        )
        server = self._server = self._settings_server or saved
        source: mail.Source = "none" if server is None else "saved"
        noted = mail.SetUp(
            sends=int(server is not None),
            domain=stands["domain"] if server is None else server.domain,
            origin=self._origin,
            source="settings" if self._settings_server is not None else source,
            place="" if server is None else server.place,
        )
        if noted != stands:
            await self._write(lambda tx: mail.set_up(tx, noted))

    async def _sweep(self) -> None:
        self._swept_at = monotonic()
        if await self._database.read(mail.is_old, SYSTEM, name="mail"):
            await self._write(mail.sweep)

    async def _send(self, server: MailServer, rows: list[MailRow]) -> None:
        """Hand these over by one connection, as far as it holds."""
        try:
            line = self._line = await opened(server, self._allowed, self._tls)
        except MailServerUnreachable as error:
            for row in rows:
                await self._mark(row, Refusal(str(error)))
            return
        left = list(rows)
        try:
            await _bounded(line, line.open)
            over = False
            while left and not over and not self._pausing:
                refusal = await _bounded(line, partial(line.send, left[0]))
                over = refusal is not None and refusal.over
                await self._mark(left.pop(0), refusal)
        except MailServerUnreachable as error:
            for row in [left.pop(0) for _ in rows]:
                await self._mark(row, Refusal(str(error)))
        finally:
            await asyncio.to_thread(line.close)
            self._line = None
            if left:
                await self._write(lambda tx: mail.give_back(tx, left))

    async def _mark(self, row: MailRow, refusal: Refusal | None) -> None:
        if refusal is None:
            await self._write(lambda tx: mail.sent(tx, row))
            return
        log.warning("mail %s was not taken, try %s: %s", row["id"], row["tries"], refusal.error)
        if refusal.bounced:
            await self._write(lambda tx: mail.bounced(tx, row, refusal.error))
            return
        await self._write(lambda tx: mail.refused(tx, row, refusal.error, final=refusal.final))

    async def _write(self, fn: Callable[[Write], T]) -> T:
        def inside(tx: Write) -> T:
            tx.op = "mail.send"
            return fn(tx)

        return await self._database.write(inside, SYSTEM, essential=True)


async def opened(
    server: MailServer, allowed: Collection[str], tls: ssl.SSLContext | None
) -> "SmtpConnection | MailFolder":
    """What letters go over. Raises MailServerUnreachable for a place that an admin may not name, or that has no
    address."""
    from kbwork.worker.mail_folder import MailFolder  # noqa: PLC0415 - its packages are for servers that send mail
    from kbwork.worker.smtp import SmtpConnection  # noqa: PLC0415 - likewise

    if server.folder:
        return MailFolder(server.folder, server.sender)
    context = tls if tls is not None else await asyncio.to_thread(client_context)
    if not server.guarded:
        return SmtpConnection(server, context)
    try:
        found = await places.checked(server.host, server.port, allowed, failed=REFUSED)
    except UpstreamFailed as failure:
        log.warning("%s", failure.internal)
        raise MailServerUnreachable(failure.detail) from None
    except OSError as error:
        raise MailServerUnreachable(f"{type(error).__name__}: {error}") from None
    return SmtpConnection(server, context, found)


async def _bounded(line: "SmtpConnection | MailFolder", fn: Callable[[], T]) -> T:
    """Run it on a thread; where it takes too long the line is cut, which ends it."""
    task = asyncio.create_task(asyncio.to_thread(fn))
    done, _ = await asyncio.wait({task}, timeout=DEADLINE_S)
    if not done:
        line.cut()
    return await task
