"""The client for programs that wait on their own threads."""

from types import TracebackType
from typing import Self

from kbwork.flags.core import Core


class Client(Core):
    """Feature flags for one environment; see `Core` for the calls and `Options` for the arguments.

    Make one for the program and close it at the end: that sends what was counted.
    """

    def ready(self, timeout_ms: int | None = None) -> bool:
        """Wait for the first snapshot, `init_timeout_ms` at most; False where none came, and it goes on trying.

        A snapshot from the disk counts once the service is known to be out of reach.
        """
        return self._wait(timeout_ms)

    def flush(self, timeout_s: float | None = 10.0) -> bool:
        """Send what was counted now; False where it took longer."""
        return self._flush(timeout_s)

    def close(self) -> None:
        """Send what was counted, and stop. Flags are answered still, as they are."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
