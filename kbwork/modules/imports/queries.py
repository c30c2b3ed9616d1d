"""Imports as rows and in their shape."""

import json
from typing import Any, Literal

from kbwork.base.errors import Conflict
from kbwork.core import named
from kbwork.core.seal import Seal
from kbwork.db.rows import ImportRow
from kbwork.db.tx import Read, Write
from kbwork.modules.imports.model import Import, ImportDone, Level, Mapping

DONE = ImportDone(projects=0, issues=0, comments=0, attachments=0, worklogs=0, pages=0, members=0)
MOST_LOGGED = 10_000
_UNREAD = "{}"
"""What was found in a file that was not read."""
_FULL = f"select 1 from import_log where import = :id limit 1 offset {MOST_LOGGED - 1}"


class ImportJobRow(ImportRow):
    """An import with what its job is at."""

    job_state: Literal["queued", "running", "done", "failed", "cancelled"] | None
    job_kind: str | None


_SELECT = "select m.*, j.state as job_state, j.kind as job_kind from import m left join job j on j.id = m.job"


def get(tx: Read, ident: int) -> ImportJobRow:
    """An import as a row, its state as its job left it. Raises NotFound."""
    row = tx.one(f"{_SELECT} where m.id = :id", ImportJobRow, id=ident)
    return _settled(named.known(row, "import", ident, "imports.list"))


def every(tx: Read) -> list[ImportJobRow]:
    """The latest hundred, the last first."""
    return [_settled(row) for row in tx.all(f"{_SELECT} order by m.id desc limit 100", ImportJobRow)]


def _settled(row: ImportJobRow) -> ImportJobRow:
    """A run whose job failed, was stopped by itself, or ended so long ago that it is forgotten is no run any more; nor
    is a fetch whose job failed or was stopped one that goes on."""
    stopped = row["state"] == "open" and fetches(row) and row["job_state"] in ("failed", "cancelled")
    if stopped or (row["state"] == "running" and not working(row)):
        row["state"] = "cancelled" if row["job_state"] == "cancelled" else "failed"
    return row


RUNNING, UNDOING, FETCHING = "imports.run", "imports.undo", "imports.fetch"
"""The kinds of jobs that bring things in, take them back, and get them from another server first."""


def working(row: ImportJobRow) -> bool:
    """Whether a job is at it."""
    return row["job_state"] in ("queued", "running")


def fetches(row: ImportJobRow) -> bool:
    """Whether its latest job gets what is to come in from another server, in whatever state that is."""
    return row["job_kind"] == FETCHING


def require_alone(tx: Read, ident: int, kind: str) -> None:
    """Raises Conflict while a job of this kind is at another import: one would take away what the other finds there, or
    what another server answers to both."""
    other = tx.one(
        "select i.id, i.job from import i join job j on j.id = i.job"
        " where j.kind = :kind and j.state in ('queued', 'running') and i.id <> :ident limit 1",
        kind=kind,
        ident=ident,
    )
    if other is not None:
        doing = {UNDOING: "being taken back", FETCHING: "being fetched"}.get(kind, "coming in")
        raise Conflict(f"Import {other['id']} is {doing} (job {other['job']}): wait for it, then try again.")


def require(row: ImportJobRow, *states: str) -> None:
    """Raises Conflict where the import is in another state, or a job is at it."""
    if working(row):
        raise Conflict(
            f"Import {row['id']} is at work (job {row['job']}): wait for it, or stop it with imports.cancel."
        )
    if row["state"] not in states:
        raise Conflict(
            f"Import {row['id']} is {row['state']}; this is for one that is {' or '.join(states)}."
        )


def require_fetched(row: ImportJobRow) -> None:
    """Raises Conflict where what was to be got from another server is not here."""
    if fetches(row) and row["job_state"] != "done":
        raise Conflict(
            f"What import {row['id']} should bring in was not fetched, as its job (jobs.get) and imports.log say:"
            " mend it, and open it anew with imports.open."
        )


def require_read(row: ImportJobRow) -> None:
    """Raises Conflict where it is not known what the file holds: nobody read it, or it could not be read."""
    if row["found"] == _UNREAD:
        raise Conflict(
            f"The file of import {row['id']} was not read: read it with imports.probe, or, where that is refused,"
            " send another one and open it anew with imports.open."
        )


def shown(row: ImportJobRow) -> Import:
    """An import in its shape."""
    found: dict[str, Any] = json.loads(row["found"])
    return Import(
        id=row["id"],
        source=row["source"],
        state=row["state"],
        found=found,
        mapping=json.loads(row["mapping"]),
        losses=json.loads(row["losses"]),
        done=ImportDone(**{**DONE, **json.loads(row["done"])}),
        errors=row["errors"],
        job=row["job"],
        created_by=row["created_by"],
        created_at=row["created_at"],
    )


def begin(tx: Write, source: str, upload: str, project: str | None) -> int:
    """An import of the caller's, of which nothing is known yet; answers its id."""
    return tx.insert(
        "import",
        source=source,
        upload=upload,
        project=project,
        state="open",
        found=_UNREAD,
        mapping="{}",
        losses="[]",
        highest="{}",
        done="{}",
        errors=0,
        cursor=0,
        tally="{}",
        created_by=tx.caller.me(),
        created_at=tx.now,
    )


def mapping_of(row: ImportRow) -> Mapping:
    """What becomes of the source's words, every part there."""
    empty = Mapping(projects={}, names={}, types={}, statuses={}, fields={}, members={}, skip=[])
    return Mapping(**{**empty, **json.loads(row["mapping"])})


def said(row: ImportRow) -> Mapping:
    """As `mapping_of`, without the columns of a table that were taken for what they look like."""
    mapping = mapping_of(row)
    guessed = json.loads(row["found"]).get("guessed", [])
    fields = {column: field for column, field in mapping["fields"].items() if column not in guessed}
    return Mapping(**{**mapping, "fields": fields})


def put(tx: Write, ident: int, **columns: Any) -> None:
    """Change columns of an import, those that are objects as JSON. Undo does not follow it."""
    kept = {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
        for name, value in columns.items()
    }
    tx.execute(
        f"update import set {', '.join(f'{name} = :{name}' for name in kept)} where id = :id",
        id=ident,
        **kept,
    )


def log(  # noqa: PLR0913 - the columns of a line, the last by name
    tx: Write, ident: int, level: Level, source: str, message: str, *, subject: str | None = None
) -> None:
    """Write down what was left out or is not as it was. Errors count; of each import ten thousand lines are kept."""
    if level == "error":
        tx.execute("update import set errors = errors + 1 where id = :id", id=ident)
    if tx.value(_FULL, id=ident) is not None:
        return
    tx.execute(
        "insert into import_log (import, at, level, source, message, subject)"
        " values (:import, :now, :level, :source, :message, :subject)",
        now=tx.now,
        level=level,
        source=source,
        message=message[:4000],
        subject=subject,
        **{"import": ident},
    )


def sealed(tx: Read, ident: int, secrets: dict[str, str]) -> bytes | None:
    """What signs in at the source, sealed for this import."""
    return Seal(tx.secret).seal(json.dumps(secrets).encode(), f"import:{ident}") if secrets else None


def opened(tx: Read, row: ImportRow) -> dict[str, str]:
    """What was sealed for this import. Raises MasterKeyLost."""
    assert row["secret"] is not None
    found: dict[str, str] = json.loads(
        Seal(tx.secret).open(
            row["secret"], f"import:{row['id']}", "Open the import anew, or put the old master.key back."
        )
    )
    return found
