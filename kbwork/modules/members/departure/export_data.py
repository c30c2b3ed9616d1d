"""All that is kept of a person as one archive."""

import contextlib
import io
import json
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from typing_extensions import Buffer

from kbwork.base.errors import Conflict, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core.access import impersonate
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob, enqueue
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports.media import Download, Media
from kbwork.core.ports.uploads import IncomingFile, UploadedFile
from kbwork.db.tx import Read, Write
from kbwork.modules import uploads
from kbwork.modules.members import access, queries
from kbwork.modules.members.departure import personal_data
from kbwork.modules.members.model import JobStarted, MemberDataExported
from kbwork.modules.members.profile.preferences import stored_preferences

MOST_BYTES = 100 * 1024 * 1024
_PATH = "/data-exports/"
_TYPE = "application/zip"
_JOB = "members.export_data"


class MembersExportData(Input):
    id: Text | None = None
    """Member id, e-mail address or `@handle`; left out: you."""


@write(
    "members.export_data",
    scope="members:write",
    words=(
        "download my data, gdpr, data subject access request, what do you know about me, personal data archive, "
        "take my data along"
    ),
    emits=[MemberDataExported],
    people="session",
    undo="what left the house stays out",
    example={},
)
def export_data(tx: Write, args: MembersExportData) -> JobStarted:
    """Have all that is kept of a person made into one archive: your own data, or, for admins, those of another.

    It is a ZIP file with the profile, the picture and, for each table, the rows that name the person as JSON lines:
    what they wrote, reported, are assigned, watch and chose, where they are signed in, and what they did. Rows about
    things that you do not see are counted and left out, and so are passwords, tokens and the like; of another person
    also drafts, stars and other things that are theirs alone. Files are told by name: attachments.get fetches them.

    The job's result says where it is fetched, by whoever started it, for a day: at most 100 MB (the job fails where it
    is more). While one is being made that one is answered. For others it needs an admin who has just confirmed that it
    is them, and for an owner another owner.
    """
    member = _asked(tx, args.id) if args.id is not None else tx.caller.me()
    running = tx.value(
        "select id from job where kind = :kind and by = :me and state in ('queued', 'running')"
        " and args ->> '$.member' = :member",
        kind=_JOB,
        me=tx.caller.actor,
        member=member,
    )
    if running is not None:
        return JobStarted(job=running)
    tx.emit(MemberDataExported(subject=f"member:{member}"))
    asked = {"member": member, "who": impersonate.caller_args(tx.caller)}
    return JobStarted(job=enqueue(tx, _JOB, asked, message="Gathering"))


def _asked(tx: Read, ref: str) -> str:
    """Whose data are asked for. Raises InvalidInput, NotAllowed, ElevationNeeded or Conflict."""
    row = queries.by_ref(tx, ref)
    if row["id"] != tx.caller.me():
        if not tx.caller.admin:
            raise NotAllowed("You take out your own data; those of others are for admins.")
        access.require_may_change(tx, row)
        access.require_confirmed(tx)
    return row["id"]


async def _make(out: External, job: RunningJob) -> Next:
    """Raises Conflict where it is too large, or whoever asked may not any more."""
    member, who = job.args["member"], job.args["who"]
    folder = await out.read(partial(_place, who=who))
    archive = await out.thread(_Archive, folder)
    try:
        counts: dict[str, Any] = {}
        for table in await out.read(lambda tx: personal_data.tables(tx, own=member == who["member"])):
            counts[table.name] = {"rows": 0, "left_out": 0}
            after: int | None = 0
            while after is not None:
                found = await out.read(partial(_rows, table=table, job=job, after=after))
                counts[table.name]["rows"] += len(found.rows)
                counts[table.name]["left_out"] += found.left_out
                await out.thread(archive.add, table.name, found.rows)
                after = found.after
        head, picture = await out.read(lambda tx: _about(_theirs(tx, who), member))
        file = await out.thread(archive.finish, head | {"tables": counts}, picture)
        await out.write(partial(_keep, file=file, who=who))
    except BaseException:
        archive.drop()
        raise
    return Next(result={"name": file.name, "url": _PATH + file.id, "size": file.size}, message="Ready")


EXPORT = JobKind(kind=_JOB, home=__name__, wait=_make)


def _theirs(tx: Read, who: dict[str, Any]) -> Read:
    """The data as whoever asked sees them now. Raises NotAllowed."""
    return tx.as_caller(impersonate.restore_caller(tx, who))


def _place(tx: Read, who: dict[str, Any]) -> Path:
    """Where the file will lie. Raises RateLimited or StorageFull."""
    uploads.require_place(_theirs(tx, who), MOST_BYTES)
    return uploads.folder(tx)


def _rows(
    tx: Read, table: personal_data.PersonalTable, job: RunningJob, after: int
) -> personal_data.PersonalRows:
    theirs = _theirs(tx, job.args["who"])
    member = job.args["member"]
    if member != theirs.caller.member and not theirs.caller.admin:
        raise NotAllowed("Data of others are for admins.")
    return personal_data.rows_of(theirs, table, member, after)


def _about(tx: Read, member: str) -> tuple[dict[str, Any], tuple[str, bytes] | None]:
    """(what stands at the head of it, the person's picture), as the caller sees them."""
    head = {
        "made_at": tx.now,
        "made_by": tx.caller.me(),
        "member": queries.one(tx, member),
        "preferences": stored_preferences(tx, member),
    }
    return head, queries.avatar(tx, member)


def _keep(tx: Write, file: UploadedFile, who: dict[str, Any]) -> None:
    with impersonate.as_starter(tx, who):
        uploads.require_place(tx, file.size)
        uploads.remember(tx, file)


class _Archive:
    """A ZIP file on its way: one entry for each table, written as the rows come."""

    def __init__(self, folder: Path) -> None:
        self._file = IncomingFile(folder)
        self._sink = _Sink(self._file.take)
        self._zip = zipfile.ZipFile(self._sink, "w", zipfile.ZIP_DEFLATED)
        self._open: tuple[str, Any] | None = None
        self._whole = False

    def add(self, table: str, rows: list[Any]) -> None:
        """Raises Conflict, or StorageFull."""
        if not rows:
            return
        if self._open is None or self._open[0] != table:
            self._end()
            self._open = table, self._zip.open(f"{table}.jsonl", "w", force_zip64=True)
        lines = (json.dumps(row, ensure_ascii=False, default=_plain) for row in rows)
        self._open[1].write("".join(f"{line}\n" for line in lines).encode())
        if self._file.size > MOST_BYTES:
            raise Conflict(
                f"These data are more than {MOST_BYTES // 1024**2} MB: ask for them in parts, by searches."
            )

    def finish(self, head: dict[str, Any], picture: tuple[str, bytes] | None) -> UploadedFile:
        """Raises StorageFull."""
        self._end()
        self._zip.writestr("index.json", json.dumps(head, ensure_ascii=False, indent=2))
        if picture is not None:
            self._zip.writestr(f"picture.{picture[0].partition('/')[2]}", picture[1])
        self._zip.close()
        file = self._file.finish(f"{head['member']['handle']}-data.zip")
        self._file.close(keep=True)
        self._whole = True
        return file

    def drop(self) -> None:
        """Nothing of it stays, unless it is whole: then a sweep takes it where nobody noted it."""
        if self._whole:
            return
        self._sink.over = True
        with contextlib.suppress(ValueError):  # an entry may be open still
            self._end()
        self._zip.close()
        self._file.close(keep=False)

    def _end(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


class _Sink(io.RawIOBase):
    """What an archive is written to that goes forward only."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        super().__init__()
        self._take = take
        self.over = False
        """Nothing is taken any more."""

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        taken = bytes(data)
        if not self.over:
            self._take(taken)
        return len(taken)


def _plain(value: object) -> str:
    """Bytes that are no secret, such as a checksum."""
    return value.hex() if isinstance(value, bytes) else str(value)


def _find(tx: Read, ref: str) -> Download | None:
    """The file, for whoever had it made."""
    row = uploads.kept_row(tx, ref)
    if row is None or row["member"] != tx.caller.member or uploads.expires_at(row) <= tx.now:
        return None
    path = uploads.path(tx, row["id"])
    return Download(row["name"], _TYPE, path) if path.is_file() else None


ARCHIVES = Media(path=_PATH, home=__name__, find=_find, threaded=True)
