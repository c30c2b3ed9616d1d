"""Another data file in the place of one that nobody has open: in one step, with the old one kept beside it."""

import contextlib
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from kbwork.db.connection import FolderLocked, Unusable
from kbwork.db.folder import sync
from kbwork.db.holders import holders, named

ASIDE = "restoring"
"""The folder in which new data are made ready; what a restore that was cut off left there goes at the next start."""
_KEPT = "kbwork-replaced-"
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS)


def kept_as(file: Path, at: int) -> Path:
    """Where the old file stays that was replaced at this time."""
    return file.with_name(f"{_KEPT}{at}.db")


@contextlib.contextmanager
def steady(folder: Path, *, alone: bool = False) -> Iterator[None]:
    """While this lasts no file of the folder takes another's place; `alone`, nobody else is inside.

    A connection that lived through an exchange would take the log of the new file for its own. Raises FolderLocked.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise FolderLocked(
            f"another program reads {folder}, such as `kbwork backup`: try again when it has ended"
            if alone
            else f"other data are being put into {folder}: try again in a moment"
        ) from None
    try:
        yield
    finally:
        os.close(handle)


def put_in_place(new: Path, file: Path, kept: Path | None) -> None:
    """Let `new` be `file` from now on; what was there stays as `kept`. Nobody has either of them open.

    Cut off at any point, `file` is the old one whole or the new one whole. Raises Unusable, and then it is the old one.
    """
    with steady(file.parent, alone=True):
        for path in (new, file):
            _require_closed(path)
        try:
            sync(new)
            if kept is not None:
                _keep(file, kept)
            new.rename(file)
            sync(file.parent)
        except OSError as error:
            raise Unusable(f"{file} cannot be replaced: {error.strerror}") from None


def put_back(kept: Path, file: Path) -> None:
    """The old file again, where the new one cannot be served."""
    with steady(file.parent, alone=True):
        for end in ("-wal", "-shm"):
            Path(f"{file}{end}").unlink(missing_ok=True)
        kept.rename(file)
        sync(file.parent)


def tidy(folder: Path, file: Path) -> None:
    """What an exchange left that was cut off: data half ready, and a second name of the file that is served still."""
    shutil.rmtree(folder / ASIDE, ignore_errors=True)
    for kept in folder.glob(f"{_KEPT}*.db"):
        if file.exists() and kept.samefile(file):
            kept.unlink()


def _require_closed(path: Path) -> None:
    """SQLite takes the log away with the last connection: where one lies, somebody has the file open."""
    log = Path(f"{path}-wal")
    if log.exists():
        found = named(holders(path))
        who = f"another program has {path} open{found and ': '}{found}"
        raise Unusable(f"{log} is there still: {who}; try again when it has ended")
    Path(f"{path}-shm").unlink(missing_ok=True)


def _keep(file: Path, kept: Path) -> None:
    try:
        os.link(file, kept)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        shutil.copyfile(file, kept)
        kept.chmod(0o600)
        sync(kept)
    sync(file.parent)
