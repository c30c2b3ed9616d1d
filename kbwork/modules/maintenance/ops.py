"""Looking over the server that runs, as `kbwork doctor` does beside it."""

import shutil
from pathlib import Path

from typing_extensions import TypedDict

from kbwork.base.model import Input
from kbwork.core.data_check import DataCheck, Finding
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.archives.check import check as faults
from kbwork.db.tx import Read

_LEAST_FREE_MB = 200
_MB = 1024 * 1024


class MaintenanceCheck(Input):
    deep: bool | None = None
    """Read the whole data file, too: its integrity and every reference in it. It takes a while where there is much."""


class CareFinding(TypedDict):
    """One thing that was looked at."""

    name: str
    """What it was, in one word, such as `backups`."""
    ok: bool
    """Whether it is as it should be."""
    detail: str
    """What was found, in one line; where it is not well, with what mends it."""


class CareFindings(TypedDict):
    """Everything that was looked at."""

    ok: bool
    """Whether all of it is as it should be."""
    checks: list[CareFinding]
    """Each thing that was looked at."""


@write(
    "maintenance.check",
    scope="admin",
    words="is the server healthy, doctor, health check, integrity, disk full, are backups taken, does mail go out",
    undo="a look changes nothing",
    example={},
)
async def check(out: External, args: MaintenanceCheck) -> CareFindings:
    """Look whether the server is as it should be: backups, jobs, mail, the clock, room on the disk.

    Each finding that is not well says what mends it. `deep` reads the whole data file while people work; one such look
    at a time (409). `kbwork doctor` looks at the settings and the rights of the folder besides.
    """
    findings, file = await out.read(_look)
    findings.append(await out.thread(_space, file))
    if args.deep:
        with out.alone("the data file is being read"):
            findings.extend(await out.thread(_file, file))
    return CareFindings(
        ok=all(one.well for one in findings),
        checks=[CareFinding(name=one.about, ok=one.well, detail=one.said) for one in findings],
    )


def _look(tx: Read) -> tuple[list[Finding], Path]:
    found = [finding for one in tx.registry.of(DataCheck) for finding in one.look(tx)]
    return found, tx.places.file


def _space(file: Path) -> Finding:
    free = shutil.disk_usage(file.parent).free // _MB
    if free < _LEAST_FREE_MB:
        return Finding("space", False, f"{free} MB are free: make room, or writes are refused")
    return Finding("space", True, "there is room on the disk")


def _file(file: Path) -> list[Finding]:
    found = [Finding("file", False, fault) for fault in faults(file)]
    return found or [Finding("file", True, "the data file is sound: integrity, foreign keys and schema")]
