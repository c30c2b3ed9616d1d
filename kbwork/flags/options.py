"""What a client is told when it is made."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

BASE_URL = "http://127.0.0.1:8080"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Raises ValueError for what cannot be: that is a mistake in the program, found where it is made."""

    sdk_key: str | None = None
    """Of a back end, `srv_...`; or `client_id`, one of the two."""
    client_id: str | None = None
    """Of an app, `cli_...`: it sees only the flags that are for apps."""
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
    logger: logging.Logger | None = None

    def __post_init__(self) -> None:
        if (self.sdk_key is None) == (self.client_id is None):
            raise ValueError("name an sdk_key or a client_id, one of the two")
        if not self.credential.isascii() or not self.credential.isprintable() or " " in self.credential:
            raise ValueError("the key holds characters that no key has")
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("base_url should be an address such as https://work.example")
        for name, least in (("init_timeout_ms", 0), ("flush_interval_ms", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} should be at least {least}")

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
