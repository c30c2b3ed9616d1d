"""Work on whole files in a process of its own: `python -m kbwork.db.archives.file_worker WORK`.

Arguments and answer are JSON.

The serving process asks for it, so that copying, packing and checking a gigabyte neither holds its threads up nor opens
a second file with the library that serves the first. The answer is `{"done": ...}`, or `{"refused": "one line"}`.
"""

import contextlib
import errno
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kbwork.base.clock import SystemClock
from kbwork.base.dataclasses import asdict
from kbwork.db import migrate
from kbwork.db.archives import backup, bucket, event_days
from kbwork.db.archives.check import check
from kbwork.db.connection import Unusable


def take(file: str, to: str, label: dict[str, Any], key: str = "") -> dict[str, Any]:
    """Copy, check, pack and sign a data file; answers the manifest with size and checksum of the archive."""
    target = Path(to)
    copied = target.with_name(f"copy-{os.getpid()}.db")
    _clear(target.parent)
    try:
        backup.copy(Path(file), copied)
        manifest = backup.pack(copied, target, backup.ArchiveLabel(**label), key)
    finally:
        copied.unlink(missing_ok=True)
        Path(f"{copied}-journal").unlink(missing_ok=True)
    return asdict(manifest) | _of_archive(target)


def lay(archive: str, aside: str, key: str = "") -> dict[str, Any]:
    """Make the data of an archive ready in a folder of their own: unpacked, checked and of this version's schema.

    Answers the manifest and its origin. What is in that folder goes; where the archive is refused, all of it.
    """
    folder = Path(aside)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    file = folder / backup.FILE
    try:
        manifest = backup.unpack(Path(archive), file)
        made = backup.origin_of(Path(archive), key)
        backup.require_ours(file, Path(archive))
        _require_sound(file, archive)
        migrate.migrate(file, SystemClock(), copy=False)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return asdict(manifest) | {"origin": made}


def look(archive: str, key: str) -> dict[str, Any]:
    """The manifest of an archive and its origin."""
    return asdict(backup.read(Path(archive))) | {"origin": backup.origin_of(Path(archive), key)}


def describe(archive: str) -> dict[str, Any]:
    """The manifest of an archive with its size and checksum."""
    return asdict(backup.read(Path(archive))) | _of_archive(Path(archive))


def verify(archive: str, sha256: str | None, key: str = "") -> list[dict[str, Any]]:
    """What was looked at, one after the other."""
    path = Path(archive)
    found = []
    if sha256 is not None:
        same = path.exists() and backup.digest_of(path) == sha256
        detail = "as it was when it was taken" if same else "the archive is not the one that was taken"
        found.append(backup.ArchiveCheck("checksum", ok=same, detail=detail))
    return [asdict(one) for one in (*found, *backup.verify(path, path.parent, key))]


def _require_sound(file: Path, archive: str) -> None:
    if fault := next(check(file), None):
        raise backup.InvalidArchive(f"{archive} is not sound: {fault}")


def _of_archive(path: Path) -> dict[str, Any]:
    return {"archive_bytes": path.stat().st_size, "archive_sha256": backup.digest_of(path)}


def _clear(folder: Path) -> None:
    """What a process left that ended in the middle of its work."""
    for path in (*folder.glob("copy-*.db*"), *folder.glob("verify-*.db*")):
        owner = path.name.partition("-")[2].partition(".")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            path.unlink(missing_ok=True)
    for path in folder.glob("*.zip.part"):
        with contextlib.suppress(OSError):
            path.unlink()


WORK: dict[str, Callable[..., Any]] = {
    "take": take,
    "lay": lay,
    "look": look,
    "describe": describe,
    "verify": verify,
    "bucket_put": bucket.put,
    "bucket_get": bucket.get,
    "bucket_listed": bucket.listed,
    "bucket_remove": bucket.remove,
    "bucket_link": bucket.link,
    "export_days": event_days.export,
}


def main(argv: list[str]) -> int:
    """Do one piece of work."""
    arguments = json.load(sys.stdin)
    os.umask(0o077)
    try:
        answer = {"done": WORK[argv[0]](**arguments)}
    except (Unusable, OSError) as error:
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        answer = {"refused": str(error), "full": full or "disk is full" in str(error)}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
