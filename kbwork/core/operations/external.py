"""What an operation holds that waits for the outside: it reads and writes in steps, and holds no transaction."""

import asyncio
import contextlib
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import Conflict, Internal, StorageFull, UpstreamFailed
from kbwork.core.operations import turns
from kbwork.core.own_programs import OwnProgram
from kbwork.db.connection import Unusable
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write

if TYPE_CHECKING:
    from kbwork.core.mail.lines import MailLines

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What a page elsewhere answered. `url` is where it came from after redirects; `body` is cut to what was asked."""

    url: str
    status: int
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """How a service is asked that answers programs: it is not followed elsewhere, and its answer counts as a whole."""

    form: dict[str, str] | None = None
    """Fields that are sent; None: it is only asked."""
    authorization: str | None = None
    headers: dict[str, str] | None = None
    """Besides those that every call has."""
    most_bytes: int | None = None
    """The largest answer that counts; None: as large as the guard lets in for all."""
    cut: bool = False
    """Whether an answer counts as far as it came: what is larger is cut there, and so is what ends early or late."""
    deadline_s: float | None = None
    """So long it may take in all; None: as long as the guard gives to all."""
    content: bytes | None = None
    """What is sent in the place of fields; `headers` say what it is."""
    secure: bool = False
    """Whether it is asked by https alone, unless the operator lists its place."""


class Fetch(Protocol):
    """Gets a page, or calls a service, through the guard. Raises InvalidInput for an address that is none,
    UpstreamFailed for all else."""

    def __call__(self, url: str, call: ServiceCall | None = None, /) -> Awaitable[FetchedPage]: ...


class External:
    """Handed to `async def` operations. Each `write` is a savepoint of its own, as durable as any."""

    def __init__(
        self,
        database: Database,
        caller: Caller,
        change: Callable[[Callable[[Write], Any]], Callable[[Write], Any]],
        fetch: Fetch | None = None,
        answered: Callable[[Write, Any], None] | None = None,
    ) -> None:
        self._database = database
        self._change = change
        self._fetch = fetch
        self._answered = answered
        self.lines: MailLines | None = None
        """To mail servers, where this server asks any."""
        self.caller = caller

    async def read(self, fn: Callable[[Read], T]) -> T:
        """One snapshot."""
        return await self._database.read(fn, self.caller, name="outside")

    async def write(self, fn: Callable[[Write], T], *, essential: bool = True) -> T:
        """One savepoint, with the events and undo of any write."""
        wrapped: Callable[[Write], T] = self._change(fn)
        return await self._database.write(wrapped, self.caller, essential=essential)

    async def conclude(self, fn: Callable[[Write], T], *, essential: bool = True) -> T:
        """The write that ends the operation; what `fn` answers is what the operation answers.

        That answer is kept under the call's Idempotency-Key in the savepoint of its effect, so that a retry after a
        crash has the one or neither. None is no answer: the operation goes on to refuse, and nothing is kept.
        """

        def last(tx: Write) -> T:
            answer = fn(tx)
            if answer is not None and self._answered is not None:
                self._answered(tx, answer)
            return answer

        return await self.write(last, essential=essential)

    async def swap(self, last: Callable[[Read], T], lay: Callable[[T], Path], kept: Path) -> None:
        """Serve other data from now on: see Database.exchange. Raises Conflict with what was refused."""
        try:
            await self._database.swap(last, lay, kept)
        except Unusable as error:
            raise Conflict(str(error)) from None

    async def thread(self, fn: Callable[..., T], *args: Any) -> T:
        """Work that would hold the loop up for a moment: files, rendering."""
        return await asyncio.to_thread(fn, *args)

    async def in_turn(self, fn: Callable[..., T], *args: Any, among: turns.TurnPool = turns.PEOPLE) -> T:
        """Work that takes a core for a while, as a hash of a password does: see `turns`. Raises Busy."""
        return await among.run(fn, *args)

    async def file_work(self, work: str, **arguments: Any) -> Any:
        """Work on whole files in a process of its own: see kbwork.db.archives.file_worker.

        Raises Conflict with what it refused, or StorageFull.
        """
        answer = await self.process(
            "kbwork.db.archives.file_worker", work, given=json.dumps(arguments).encode()
        )
        if "refused" in answer:
            raise (StorageFull if answer["full"] else Conflict)(answer["refused"])
        return answer["done"]

    async def process(self, module: str, *argv: str, given: bytes = b"") -> Any:
        """Run a module of ours in a process of its own; answers the JSON that it prints. Raises Internal."""
        program = OwnProgram(module, argv, os.environ)
        waiting = ThreadPoolExecutor(1, "kbwork-process")  # what takes an hour holds up no other thread
        talk = asyncio.get_running_loop().run_in_executor(waiting, program.communicate, given)
        waiting.shutdown(wait=False)
        try:
            done = await asyncio.shield(talk)
        except BaseException:
            program.kill()
            with contextlib.suppress(Exception):
                await talk
            raise
        if done.returncode != 0:
            text = done.stderr.decode(errors="replace")[-2000:]
            raise Internal("Work in another process failed; the log has more.", internal=text)
        return json.loads(done.stdout)

    @contextlib.contextmanager
    def alone(self, what: str) -> Iterator[None]:
        """Nobody else does this meanwhile. Raises Conflict while somebody does."""
        doing = self._database.doing
        if what in doing:
            raise Conflict(f"Wait a moment: {what} already.")
        doing.add(what)
        try:
            yield
        finally:
            doing.discard(what)

    async def rest(self, seconds: float) -> None:
        """Let some time pass, and hold nobody up."""
        await asyncio.sleep(seconds)

    @property
    def mail_lines(self) -> "MailLines":
        """Mail servers and mailboxes elsewhere. Raises UpstreamFailed."""
        if self.lines is None:
            raise UpstreamFailed("This server makes no requests to elsewhere")
        return self.lines

    async def fetch(self, url: str) -> FetchedPage:
        """Get a page elsewhere, through the one guard of outgoing requests."""
        if self._fetch is None:
            raise UpstreamFailed("This server makes no requests to elsewhere")
        return await self._fetch(url)

    async def ask(self, url: str, call: ServiceCall) -> FetchedPage:
        """Call a service elsewhere, through the same guard. Raises UpstreamFailed, also where it answers too much."""
        if self._fetch is None:
            raise UpstreamFailed("This server makes no requests to elsewhere")
        return await self._fetch(url, call)
