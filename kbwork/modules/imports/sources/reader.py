"""Reads a source in a process of its own: `python -m kbwork.modules.imports.sources.reader SOURCE FILE OUT [-]`.

OUT becomes a file of records, whole or not at all; the answer on stdout is a `ReaderAnswer` as JSON. With `-` a JSON
object of `ReaderOptions` is on stdin. The serving process never opens a file of somebody else with a library for
databases.
"""

import errno
import importlib
import json
import os
import signal
import sys
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from kbwork.modules.imports.records import ReaderAnswer
from kbwork.modules.imports.sources import SOURCES
from kbwork.modules.imports.sources.collector import RecordCollector
from kbwork.modules.imports.sources.refusal import SourceRefused
from kbwork.modules.imports.validation_message import unfit

_MOST_BYTES = 20_000_000_000
MOST_MEMORY = 8_000_000_000
_MOST_SECONDS = 3_600
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@with_config(ConfigDict(extra="forbid", strict=True))
class ReaderOptions(TypedDict, total=False):
    """What may be said about a file."""

    place: str
    """Where the source is, in ids (`csv:<place>#12`): the same for files that bring the same things again. Without it
    the name of the file."""
    columns: dict[str, str]
    """Of a table: column -> field it goes to, `values` for a field of its own, empty for none."""
    erased: list[str]
    """Ids of members who were erased: what the file calls them is left out."""


_OPTIONS = TypeAdapter(ReaderOptions)


def read(source: str, file: Path, out: Path, options: ReaderOptions) -> ReaderAnswer:
    """What `file` holds; `out` is there afterwards unless it is refused."""
    try:
        _look(source, file)
        with RecordCollector(out) as into:
            into.columns = options.get("columns", {})
            into.erased = frozenset(options.get("erased", ()))
            reader = importlib.import_module(f"kbwork.modules.imports.sources.{source}")
            place = into.line(options.get("place") or file.stem, "place", "file")
            reader.read(file, place, into)
            return into.finish()
    except SourceRefused as error:
        return {"refused": str(error), "full": False}
    except (MemoryError, RecursionError):
        return {
            "refused": "the file needs more memory than an import may use: bring it in in parts",
            "full": False,
        }
    except OSError as error:
        full = error.errno in _FULL
        return {
            "refused": f"the file cannot be {'written' if full else 'read'}: {error.strerror}",
            "full": full,
        }


def _look(source: str, file: Path) -> None:
    if source not in SOURCES:
        raise SourceRefused(f"{source} is not read: one of {', '.join(SOURCES)}")
    if not file.is_file():
        raise SourceRefused("there is no such file")
    size = file.stat().st_size
    if size == 0:
        raise SourceRefused("the file is empty")
    if size > _MOST_BYTES:
        raise SourceRefused(f"the file has {size:,} bytes; at most {_MOST_BYTES:,} are read")


def _bound() -> None:
    """What a file makes grow, or go on, without end ends this process, not the machine."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on every system

    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(_MOST_SECONDS)

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft > MOST_MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))


def _too_long(*_: object) -> None:
    raise SourceRefused(f"reading takes longer than {_MOST_SECONDS // 60} minutes: bring it in in parts")


def main(argv: list[str]) -> int:
    """Read one source."""
    source, file, out = argv[:3]
    os.umask(0o077)
    _bound()
    try:
        options = _OPTIONS.validate_json(sys.stdin.buffer.read()) if argv[3:] == ["-"] else ReaderOptions()
        answer = read(source, Path(file), Path(out), options)
    except ValidationError as error:
        answer = {"refused": unfit(error, "options"), "full": False}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
