"""Reading the text of PDFs for search, beside the requests and in a process of its own."""

import subprocess

from kbwork.core import own_programs
from kbwork.core.jobs.kinds import JobKind, Next, RunningJob
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments.content import blobs, files

PDF = "application/pdf"
MOST_S = 10
_READER = "kbwork.sentfiles.pdf_text"


async def _read(out: External, job: RunningJob) -> Next:
    """A file that is gone, or whose text cannot be had, is left without one."""
    ident: str = job.args["attachment"]
    data = await out.read(lambda tx: _bytes(tx, ident))
    if data is None:
        return Next(result={"characters": 0}, message="The file is gone")
    text = await out.thread(extracted, data)
    kept = await out.write(lambda tx: _keep(tx, ident, text))
    return Next(result={"characters": len(text) if kept else 0}, message="" if kept else "No text was found")


READ = JobKind(kind="attachments.read", home=__name__, wait=_read)


def extracted(data: bytes) -> str:
    """The text of a PDF, as much of it as is read in ten seconds; nothing of what cannot be read."""
    try:
        found = own_programs.run(_READER, given=data, most_s=MOST_S).stdout
    except subprocess.TimeoutExpired as late:
        found = late.stdout or b""
    return found.decode(errors="ignore").replace("\0", "")[: files.MOST_CHARS].strip()


def _bytes(tx: Read, ident: str) -> bytes | None:
    row = tx.stored("attachment", [ident])
    return blobs.find(tx, row) if row is not None else None


def _keep(tx: Write, ident: str, text: str) -> bool:
    """Write the text down, unless there is none, or no file any more."""
    if not text or tx.stored("attachment", [ident]) is None:
        return False
    tx.execute(
        "insert into attachment_text values (:id, :text) on conflict do update set text = excluded.text",
        id=ident,
        text=text,
    )
    return True
