"""Where a client's snapshots come from, and how it stands with that."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from kbwork.flagengine import Snapshot
from kbwork.flags.options import Options
from kbwork.flags.sources import Data, FlagOrigin, SourceEars


@dataclass(frozen=True, slots=True)
class Served:
    """A snapshot, and which version of the environment it is."""

    snapshot: Snapshot
    version: int


@dataclass(frozen=True, slots=True)
class ClientStatus:
    """How a client stands with the service."""

    connected: bool
    """The stream of changes is open."""
    age_ms: int | None
    """So long ago the service last said that what is served is so; None where it never did."""
    last_error: str | None
    """What went wrong last; None where all is well again."""


class Feed(Protocol):
    """What brings snapshots."""

    @property
    def status(self) -> ClientStatus: ...

    def start(self) -> None: ...

    def close(self) -> None: ...

    def forget(self) -> None:
        """Behind a fork, in the child: what it had begun goes on in the parent alone."""
        ...

    def renewed(self) -> "Feed":
        """The same, to be started in the child."""
        ...


class SourceFeed:
    """Snapshots of a source that is no service."""

    def __init__(
        self,
        source: FlagOrigin,
        options: Options,
        *,
        changed: Callable[[Served], None],
        settled: Callable[[], None],
    ) -> None:
        self._source = source
        self._options = options
        self._changed, self._settled = changed, settled
        self._end: Callable[[], None] | None = None
        self._version = 0
        self._read_at: float | None = None
        self._last_error: str | None = None
        self._over = False

    def start(self) -> None:
        """Serve what there is."""
        self._end = self._source.begin(SourceEars(self._take, self._fail))
        self._settled()

    def close(self) -> None:
        self._over = True
        if self._end is not None:
            self._end()

    def forget(self) -> None:
        self._over = True

    def renewed(self) -> "SourceFeed":
        made = SourceFeed(self._source, self._options, changed=self._changed, settled=self._settled)
        made._version = self._version
        return made

    @property
    def status(self) -> ClientStatus:
        age_ms = None if self._read_at is None else round((monotonic() - self._read_at) * 1000)
        return ClientStatus(
            connected=age_ms is not None and not self._over, age_ms=age_ms, last_error=self._last_error
        )

    def _take(self, data: Data) -> None:
        if self._over:
            return
        self._version += 1
        self._read_at, self._last_error = monotonic(), None
        whole = {"format": 1, "environment": {"version": self._version}, **data}
        self._changed(Served(Snapshot.of(whole), self._version))

    def _fail(self, text: str) -> None:
        if not self._over and text != self._last_error:
            self._last_error = text
            self._options.log.warning("%s", text)


class Silence:
    """Where there is neither a service nor a source: every call answers its default."""

    def begin(self, _: SourceEars) -> Callable[[], None]:
        return lambda: None
