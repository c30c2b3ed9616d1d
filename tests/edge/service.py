"""An edge in front of a world, or of a service that answers as it is told."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbwork.base.clock import Clock
from kbwork.edge.delivery import EdgeDelivery, EdgeOptions
from kbwork.settings import LimitSettings, Settings
from tests.api.sdk.requests import Answered, ask
from tests.conftest import World
from tests.modules.calls import eventually
from tests.servers import EdgeServer

DAY_S = 86400
UNLIMITED = Settings(limits=LimitSettings(enabled=False))


@dataclass
class Edge:
    """One at work. `front` is it as a world, to be asked in the same words as one."""

    folder: Path
    upstream: str
    keys: list[str]
    stale_s: int = DAY_S
    settings: Settings = field(default_factory=lambda: UNLIMITED)
    clock: Clock | None = None
    server: EdgeServer | None = None

    @property
    def key_file(self) -> Path:
        return self.folder / "keys"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def spool(self) -> Path:
        return self.state / "spool"

    @property
    def delivery(self) -> EdgeDelivery:
        assert self.server is not None
        return self.server.app.delivery

    @property
    def front(self) -> World:
        assert self.server is not None
        made: Any = World(self.folder, self.clock, {})  # type: ignore[arg-type]  # it is asked for its address alone
        made.url = self.server.url
        return made  # type: ignore[no-any-return]

    def write_keys(self, *keys: str) -> None:
        """From now on the file names these."""
        self.keys = list(keys)
        part = self.key_file.with_suffix(".part")
        part.touch(0o600)
        part.write_text("# of the tests\n\n" + "\n".join(keys) + "\n")
        part.replace(self.key_file)

    def reread(self) -> None:
        """As SIGHUP does."""
        assert self.server is not None
        self.server.call(self.delivery.ask)

    def ask(self, method: str, path: str, body: bytes | object = b"", key: str | None = None) -> Answered:
        return ask(self.front, method, path, body, key=key)

    def health(self, path: str = "/readyz") -> tuple[int, list[dict[str, Any]]]:
        """The status, and how it stands with each key."""
        found = self.ask("GET", path)
        return found.status, found.json["keys"]

    def states(self) -> list[str]:
        return [one["state"] for one in self.health()[1]]

    def has(self, version: int) -> bool:
        """Whether it serves this one by every key."""
        return all(one["version"] == version for one in self.health()[1])

    def figures(self) -> dict[str, float]:
        """What the metrics tell of it."""
        lines = self.ask("GET", "/metrics").body.decode().splitlines()
        told = (line.split(" ") for line in lines if line.startswith("kbwork_edge"))
        return {name.removeprefix("kbwork_edge_"): float(value) for name, value in told}

    @contextmanager
    def serving(self) -> Iterator["Edge"]:
        """At work, for as long as it lasts; what it keeps stays."""
        self.write_keys(*self.keys)
        options = EdgeOptions(self.upstream, self.key_file, self.state, self.stale_s)
        with EdgeServer(options, self.settings, self.clock) as self.server:
            yield self

    def ready(self) -> None:
        """Wait until every key is served."""
        eventually(lambda: self.health()[0] == 200)


def spooled(edge: Edge) -> list[dict[str, Any]]:
    """The batches that wait, the oldest first."""
    return [json.loads(path.read_bytes()) for path in sorted(edge.spool.glob("*.json"))]
