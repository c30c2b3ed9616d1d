"""What a client is told when it is made."""

import logging
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

from kbwork.flags.hooks import EvaluationHook
from kbwork.flags.sources import FlagOrigin

BASE_URL = "http://127.0.0.1:8080"


class ClientOptions(TypedDict, total=False):
    """The arguments of a client, all by keyword; `Options` says what each does and what stands where it is left out."""

    sdk_key: str | None
    client_id: str | None
    previous_sdk_key: str | None
    base_url: str
    init_timeout_ms: int
    send_events: bool
    flush_interval_ms: int
    private_attributes: Sequence[str]
    cache_path: str | Path | None
    proxy: str | None
    ca_path: str | Path | None
    offline: bool
    source: FlagOrigin | None
    hooks: Sequence[EvaluationHook]
    logger: logging.Logger | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Raises ValueError for what cannot be, and TypeError for one name where a list belongs: those are mistakes in the
    program, found where they are made."""

    sdk_key: str | None = None
    """Of a back end, `srv_...`; or `client_id`, one of the two, where there is a service to ask."""
    client_id: str | None = None
    """Of an app, `cli_...`: it sees only the flags that are for apps."""
    previous_sdk_key: str | None = None
    """The key before this one, while both hold: what `cache_path` keeps may be sealed for it."""
    base_url: str = BASE_URL
    """Where the service is."""
    init_timeout_ms: int = 5_000
    """So long `ready` waits for the first snapshot."""
    send_events: bool = True
    """Whether counts of evaluations are sent."""
    flush_interval_ms: int = 300_000
    """How often they are."""
    private_attributes: Sequence[str] = ()
    """Names, or paths such as `/address/city`, of attributes that never leave."""
    cache_path: str | Path | None = None
    """A file that keeps the last snapshot as it came, for a start without the service."""
    proxy: str | None = None
    """The proxy by which the service is asked, `http://name:password@host:port`; the environment names none."""
    ca_path: str | Path | None = None
    """A file of certificates, in PEM, that the service is checked by instead of the system's."""
    offline: bool = False
    """Nothing is asked nor sent: what `cache_path` keeps is served, else defaults."""
    source: FlagOrigin | None = None
    """Flags from elsewhere, `TestData` or `FileData`; nobody is asked, and nothing is sent."""
    hooks: Sequence[EvaluationHook] = ()
    """Called before and after each evaluation."""
    logger: logging.Logger | None = None
    """Where the client says what goes wrong: the logger `kbwork.flags`."""

    def __post_init__(self) -> None:
        if isinstance(self.private_attributes, str):  # its letters would be taken for names
            raise TypeError(f"private_attributes should be a list, such as [{self.private_attributes!r}]")
        if self.has_key or self.asks:
            self._check_key()
        for address, name in ((self.base_url, "base_url"), (self.proxy, "proxy")):
            _check_address(address, name)
        if self.ca_path is not None:
            self.trusted()
        for name, least in (("init_timeout_ms", 0), ("flush_interval_ms", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} should be at least {least}")

    def _check_key(self) -> None:
        if (self.sdk_key is None) == (self.client_id is None):
            raise ValueError("name an sdk_key or a client_id, one of the two")
        if not self.credential.isascii() or not self.credential.isprintable() or " " in self.credential:
            raise ValueError("the key holds characters that no key has")

    @property
    def asks(self) -> bool:
        """Whether the service is asked, and told."""
        return not self.offline and self.source is None

    @property
    def has_key(self) -> bool:
        """Whether one was named; without it there is nobody to ask."""
        return self.sdk_key is not None or self.client_id is not None

    @property
    def credential(self) -> str:
        """What is sent with each request."""
        found = self.sdk_key or self.client_id
        if not found:
            raise ValueError("the key is empty")
        return found

    @property
    def log(self) -> logging.Logger:
        """Where the client says what goes wrong."""
        return self.logger or logging.getLogger("kbwork.flags")

    def trusted(self) -> ssl.SSLContext:
        """By which certificates the service is checked. Raises ValueError where the file holds none."""
        try:
            return ssl.create_default_context(cafile=None if self.ca_path is None else str(self.ca_path))
        except OSError as error:  # that of TLS is one, too
            raise ValueError(f"ca_path names no file of certificates: {error}") from None


def _check_address(address: str | None, name: str) -> None:
    if address is None:
        return
    parts = urlsplit(address)
    schemes = ("http", "https") if name == "base_url" else ("http",)
    if parts.scheme not in schemes or not parts.hostname:
        example = "https://work.example" if name == "base_url" else "http://proxy.example:3128"
        raise ValueError(f"{name} should be an address such as {example}")
