"""What a chat platform is to kbwork: proof of what it sends, what that says, and how it wants to be answered."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal, NamedTuple

from kbwork.base.dataclasses import dataclass

WINDOW_S = 300
"""What was signed longer ago is refused, and so is what was signed later than that from now."""
Headers = dict[str, str]
"""By small names."""


class LateAnswer(NamedTuple):
    """An answer that goes out as a call of its own. `call`: an address, or a method of the platform."""

    call: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """What somebody says to kbwork: a command, or a message of which a request is to be made."""

    id: str
    """The platform's name for it: one is taken once, however often it comes."""
    user: str
    name: str
    text: str
    channel: str = ""
    kind: Literal["command", "message"] = "command"
    answers: str | None = None
    """Where the answer goes that cannot be given at once; None: it is the answer to the request."""
    thread: str | None = None
    """Beneath which message, there."""


@dataclass(frozen=True, slots=True)
class SharedLinks:
    """Addresses that somebody wrote, to be shown with what is behind them."""

    id: str
    user: str
    channel: str
    message: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Greeting:
    """The platform asks whether somebody is there, and wants exactly this answer."""

    reply: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PostLine:
    """What a channel hears of an issue."""

    key: str
    title: str
    url: str
    told: str
    """Who did what, in words."""


Incoming = ChatMessage | SharedLinks | Greeting | None
"""None: nothing that kbwork has an answer to."""


class ChatPlatform(ABC):
    """One of them. What comes from there is text of others: nobody believes it without `proof`, or runs it with one."""

    name: ClassVar[str]

    @abstractmethod
    def checked_secret(self, secret: str) -> str:
        """Raises InvalidInput for what cannot be one."""

    @abstractmethod
    def proof(self, secret: str, headers: Headers, body: bytes, now: int) -> str | None:
        """What proves that the platform sent it just now: a text that no other request has. None: nothing does."""

    @abstractmethod
    def read(self, headers: Headers, body: bytes) -> Incoming:
        """What it says. Raises ValueError, KeyError or TypeError for what it never sends."""

    @abstractmethod
    def reply(self, text: str) -> dict[str, Any]:
        """An answer, seen by whoever asked alone where the platform can."""

    @abstractmethod
    def post(self, line: PostLine) -> dict[str, Any]:
        """What is posted to a channel."""

    def late(self, message: ChatMessage, text: str) -> LateAnswer | None:
        """An answer that cannot be given at once; None: it can."""
        return None
