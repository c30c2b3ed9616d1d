"""Flags that come from elsewhere than the service: from a test, or from a file."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from kbwork.flagengine.json_values import clean, loads
from kbwork.flags.forks import at_fork

Data = dict[str, Any]
_CLOSE_S: Final = 2.0


class SourceEars(NamedTuple):
    """Who serves what a source has. Both may be called from any thread."""

    changed: Callable[[Data], None]
    """With `flags` and `segments`, whole, each time."""
    failed: Callable[[str], None]
    """What there is cannot be read, and why; what was served stays."""


class FlagOrigin(Protocol):
    """One source may serve several clients."""

    def begin(self, ears: SourceEars) -> Callable[[], None]:
        """Tell what there is now, before this returns, and of each change; answers what ends it."""
        ...


class TestData:
    """Flags for tests, as they are told: `TestData({"new-checkout": True})`. Clients serve each change at once."""

    __test__ = False  # pytest collects by the name

    def __init__(self, values: dict[str, Any] | None = None) -> None:
        self._lock = threading.RLock()
        self._flags: Data = {}
        self._segments: Data = {}
        self._ears: list[SourceEars] = []
        for key, value in (values or {}).items():
            self._flags[key] = _plain(value)
        at_fork(self, TestData._forked)

    def set(self, key: str, value: Any) -> None:
        """Serve this value to everybody."""
        self.put(key, _plain(value))

    def set_for(self, key: str, context_key: str, value: Any, *, kind: str = "user") -> None:
        """Serve this value to one context, and to others what they get. Raises KeyError where the flag is unknown."""
        with self._lock:
            flag = clean(self._flags[key])
            others = [
                entry | {"values": [one for one in entry["values"] if one != context_key]}
                if entry.get("contextKind") == kind
                else entry
                for entry in flag.get("targets") or []
            ]
            variations = [*flag["variations"], {"value": value}]
            own = {"contextKind": kind, "variation": len(variations) - 1, "values": [context_key]}
            self.put(key, flag | {"variations": variations, "targets": [*others, own]})

    def put(self, key: str, flag: Data) -> None:
        """Serve a flag as snapshots have it: {`on`, `variations`, `fallthrough`, `rules`, ...}."""
        with self._lock:
            before = self._flags.get(key) or {}
            version = before.get("version")
            raised = version + 1 if type(version) is int else 1
            self._flags = self._flags | {key: {"version": raised} | flag}
            self._tell()

    def put_segment(self, key: str, segment: Data) -> None:
        """Serve a segment as snapshots have it."""
        with self._lock:
            self._segments = self._segments | {key: segment}
            self._tell()

    def remove(self, key: str) -> None:
        """Serve no such flag any more."""
        with self._lock:
            self._flags = {name: flag for name, flag in self._flags.items() if name != key}
            self._tell()

    def begin(self, ears: SourceEars) -> Callable[[], None]:
        """See `FlagOrigin`."""
        with self._lock:
            self._ears.append(ears)
            ears.changed(self._data())

        def end() -> None:
            with self._lock:
                if ears in self._ears:
                    self._ears.remove(ears)

        return end

    def _forked(self) -> None:
        """In the child: what another thread held is held for ever."""
        self._lock = threading.RLock()

    def _data(self) -> Data:
        return {"flags": self._flags, "segments": self._segments}

    def _tell(self) -> None:
        for ears in list(self._ears):
            ears.changed(self._data())


class FileData:
    """Flags from files of JSON, read again when one of them changes.

    A file is an object with any of `values` (key: what everybody gets), `flags` and `segments` (as snapshots have
    them). A later file wins over an earlier one. While one cannot be read, what was served stays.
    """

    def __init__(self, *paths: str | Path, reload_ms: int | None = 1_000) -> None:
        """`reload_ms`: how often it is looked whether one has changed; None: they are read once.

        Raises ValueError where no file is named, or for a time that cannot be.
        """
        if not paths:
            raise ValueError("name a file of flags")
        if reload_ms is not None and reload_ms < 1:
            raise ValueError("reload_ms should be at least 1")
        self._paths = [Path(path) for path in paths]
        self._every_s = None if reload_ms is None else reload_ms / 1000

    def begin(self, ears: SourceEars) -> Callable[[], None]:
        """See `FlagOrigin`."""
        seen = self._seen()
        self._read(ears)
        if self._every_s is None:
            return _nothing
        stop = threading.Event()
        watching = threading.Thread(
            target=self._watch, args=(ears, seen, stop), name="kbwork-flags-files", daemon=True
        )
        watching.start()

        def end() -> None:
            stop.set()
            if watching is not threading.current_thread():
                watching.join(_CLOSE_S)

        return end

    def _watch(self, ears: SourceEars, seen: list[object], stop: threading.Event) -> None:
        while not stop.wait(self._every_s):
            now = self._seen()
            if now != seen:
                seen = now
                self._read(ears)

    def _read(self, ears: SourceEars) -> None:
        """All files, or none of them."""
        flags: Data = {}
        segments: Data = {}
        for path in self._paths:
            try:
                found = _parts(path.read_bytes())
            except (OSError, ValueError, RecursionError) as error:
                ears.failed(f"the flags in {path} cannot be used: {error}")
                return
            flags |= {key: _plain(value) for key, value in found["values"].items()} | found["flags"]
            segments |= found["segments"]
        ears.changed({"flags": flags, "segments": segments})

    def _seen(self) -> list[object]:
        """What tells a file from the one before, by the file system."""
        return [_stamp(path) for path in self._paths]


def _parts(content: bytes) -> dict[str, Data]:
    """Raises ValueError where it is no file of flags."""
    data = loads(content)
    if type(data) is not dict:
        raise ValueError("it is no JSON object")
    found: dict[str, Data] = {}
    for name in ("values", "flags", "segments"):
        part = data.get(name) or {}
        if type(part) is not dict:
            raise ValueError(f"`{name}` should be an object by key")
        found[name] = part
    if not any(name in data for name in found):
        raise ValueError("it has neither `values` nor `flags`")
    return found


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError as error:
        return type(error).__name__
    return found.st_mtime_ns, found.st_size, found.st_ino


def _plain(value: Any) -> Data:
    """A flag that serves this value to everybody."""
    return {"version": 1, "on": True, "fallthrough": {"variation": 0}, "variations": [{"value": value}]}


def _nothing() -> None:
    """There is nothing to end."""
