"""What was read from uploads: records, which lie beside them while an import needs them."""

import shutil
from pathlib import Path

from kbwork.base.clock import SystemClock
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.imports import queries
from kbwork.modules.imports.fetch import known_pages

KEPT_S = 24 * 3600
_READ = (
    "select id from import where state in ('probed', 'mapped', 'running') and created_at > :before"
    " or state = 'running'"
)


_SEALED = (
    "select m.id from import m join job j on j.id = m.job"
    f" where m.secret is not null and j.kind = '{queries.FETCHING}' and j.state in ('failed', 'cancelled')"
)
"""Imports whose fetch was given up by others than itself."""


def records(tx: Read, ident: int) -> Path:
    """The records of an import."""
    return uploads.folder(tx) / f"import-{ident}.jsonl"


def drop_records(tx: Read, ident: int) -> None:
    """The records of an import that is over go."""
    records(tx, ident).unlink(missing_ok=True)


def _old(tx: Read) -> list[Path]:
    """What lies there for longer than a day, by the machine's clock as far as it is trusted, but files of uploads."""
    names = uploads.lying(tx, min(SystemClock().now(), tx.now) - KEPT_S)
    kept = {records(tx, ident).name for ident in tx.column(_READ, before=tx.now - KEPT_S)}
    found = (uploads.folder(tx) / name for name in names if name not in kept)
    return [path for path in found if path.is_dir() or not path.name.startswith("u_")]


def _due(tx: Read) -> bool:
    return bool(_old(tx) or tx.column(_SEALED) or known_pages.old(tx))


def _sweep(tx: Write) -> None:
    known_pages.forget_old(tx)
    for ident in tx.column(_SEALED):
        queries.put(tx, ident, secret=None)
    for path in _old(tx):
        if path.is_dir():  # of work that was cut off
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


SWEEP = Schedule(name="imports.sweep", home=__name__, every_s=600, run=_sweep, due=_due)
