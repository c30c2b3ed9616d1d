"""The mail server as others know it: how it is reached, and what is said where it takes no mail."""

from email.utils import parseaddr
from typing import Literal

from kbwork.base.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailServer:
    """The mail server, as the operator names it."""

    host: str
    port: int
    security: Literal["starttls", "tls", "none"]
    user: str
    password_file: str
    sender: str
    folder: str = ""
    """Where letters are written in the place of a mail server."""
    password: str = ""
    """Where it is not in a file."""
    guarded: bool = False
    """An admin named it, not the operator: it may be in no private network that the operator does not list."""

    @property
    def place(self) -> str:
        """What it is called where it takes no mail."""
        return self.folder or f"{self.host}:{self.port}"

    @property
    def domain(self) -> str:
        """The domain of the sender's address: ids of messages are of it."""
        return parseaddr(self.sender)[1].rpartition("@")[2] or "localhost"


class MailServerUnreachable(Exception):
    """There is no connection over which mail could go; the text says why. None of it was tried."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a letter was not taken. `final`: not if it comes again either. `over`: nothing more goes over this line."""

    error: str
    final: bool = False
    over: bool = False
    bounced: bool = False
    """There is no such address: nothing more is to be sent there."""
