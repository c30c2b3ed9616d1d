"""What operations ask of mail servers at once. The worker hands in what does it, since only it may wait for them."""

from collections.abc import Sequence
from typing import Literal, Protocol

from kbwork.base.dataclasses import dataclass
from kbwork.core.mail.server import MailServer
from kbwork.core.ports.mail import Letter


@dataclass(frozen=True, slots=True)
class RemoteMailbox:
    """A mailbox elsewhere, with its password opened."""

    protocol: Literal["imap", "pop"]
    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    user: str
    password: str
    folder: str


@dataclass(frozen=True, slots=True)
class RemoteMail:
    """One mail as it lay there; None in the place of one that is too large to be taken."""

    uid: str
    raw: bytes | None


@dataclass(frozen=True, slots=True)
class Pulled:
    """What came of one look into a mailbox. `waiting` counts what was not taken before, `mails` among it."""

    mails: Sequence[RemoteMail]
    waiting: int


@dataclass(frozen=True, slots=True)
class PullOrder:
    """What is asked of a mailbox: at most so many mails that are not `known`, once `settled` were marked as read."""

    known: frozenset[str]
    settled: tuple[str, ...]
    delete: bool
    most: int


class MailLines(Protocol):
    """Blocks nobody: each call has threads and a time of its own. What mail servers say goes into the words."""

    def require(self, host: str, port: int, *, field: str) -> None:
        """Raises InvalidInput for a host that spells out an address of a private network, and no name at all."""

    def lists(self, host: str, port: int) -> bool:
        """Whether the operator lists this place as one that may be private."""

    async def send(self, server: MailServer, to: str, letter: Letter, now: int) -> str:
        """Hand a letter over at once; answers what was said to it. Raises UpstreamFailed with how to mend it."""

    async def pull(self, box: RemoteMailbox, order: PullOrder) -> Pulled:
        """Look into a mailbox. Raises UpstreamFailed with words for an admin."""
