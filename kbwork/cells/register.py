"""The orgs of a folder: each is a folder below it, and goes by the names that its settings say."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from kbwork.base.dataclasses import dataclass
from kbwork.settings import Settings, SettingsError, load

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")
_SETTINGS = "kbwork.toml"
_DATA = "kbwork-data"


@dataclass(frozen=True, slots=True)
class CellFolder:
    """One org."""

    name: str
    path: Path
    hosts: frozenset[str]
    """The names by which it is asked, in lower case."""
    base_url: str
    """Its address as its settings say it; empty: they do not."""
    config: Path | None
    data: Path
    stops: bool
    """Whether its own settings say when it stops."""
    trusts: bool
    """Whether they name proxies."""
    trouble: str | None = None
    """Why it cannot be started."""


class CellRegister:
    """All of a folder. What did not change is not read again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, tuple[int, CellFolder]] = {}
        self.by_host: dict[str, CellFolder] = {}
        self.by_name: dict[str, CellFolder] = {}

    def read(self) -> None:
        """Look again. It may be called on a thread."""
        found: dict[str, CellFolder] = {}
        known: dict[str, tuple[int, CellFolder]] = {}
        with os.scandir(self.folder) as entries:
            names = sorted(one.name for one in entries if _NAME.fullmatch(one.name) and one.is_dir())
        for name in names:
            stamp = _stamp(self.folder / name / _SETTINGS)
            before = self._known.get(name)
            cell = before[1] if before is not None and before[0] == stamp else _cell(self.folder / name)
            if cell is not None:
                found[name] = cell
                known[name] = stamp, cell
        by_host: dict[str, CellFolder] = {}
        for cell in found.values():
            for host in cell.hosts:
                by_host.setdefault(host, cell)
        self._known, self.by_name, self.by_host = known, found, by_host


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _cell(path: Path) -> CellFolder | None:
    """None for a folder that is none: it has no settings and no data, and its name is no host name."""
    config = path / _SETTINGS
    try:
        settings = load(config, {}) if config.exists() else Settings()
    except SettingsError as error:
        return CellFolder(
            path.name,
            path,
            frozenset({path.name.lower()}),
            "",
            config,
            path / _DATA,
            stops=False,
            trusts=False,
            trouble=str(error),
        )
    named = urlsplit(settings.server.base_url).hostname
    hosts = {host.lower() for host in (named, *settings.server.hosts) if host}
    if not hosts and "." not in path.name:
        return None
    return CellFolder(
        path.name,
        path,
        frozenset(hosts or {path.name.lower()}),
        settings.server.base_url,
        config if config.exists() else None,
        path / settings.server.data,
        stops=settings.server.idle_stop_minutes > 0,
        trusts=bool(settings.server.trusted_proxies),
    )
