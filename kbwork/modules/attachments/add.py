"""Hang a file on a subject: its bytes come with the call, or were sent before."""

from functools import partial

from pydantic import Field

from kbwork.base import ids
from kbwork.base.dataclasses import replace
from kbwork.base.errors import Conflict, InvalidInput, TooLarge
from kbwork.base.model import Input, Text
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.core.ports.files import MOST_BYTES, FileTarget
from kbwork.db.rows import AttachmentRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, uploads
from kbwork.modules.attachments import event_payloads, queries, targets
from kbwork.modules.attachments.content import blobs, files, stage, text_extraction
from kbwork.modules.attachments.expected import rows as expected
from kbwork.modules.attachments.model import Attachment, AttachmentAdded, AttachmentGivenUp


class AttachmentsAdd(Input):
    data: files.Base64 = Field(repr=False)
    """The bytes of the file, at most 10 MB; empty where `upload` names it."""
    upload: Text | None = None
    """Id of a file of at most 100 MB that you sent to `/files/upload`; it is used up."""
    name: files.FileName
    """What it is called, at most 255 bytes; folders before it are cut."""
    subject: Text
    """What it hangs on: `issue:WEB-1`, `comment:<id>`, `asset:LAP-1`, `project:WEB` or `org:1`."""
    content_type: files.MediaType | None = None
    """A hint, where neither the bytes nor the name tell."""


@write(
    "attachments.add",
    scope="attachments:write",
    words=(
        "attach a file, upload a screenshot, add a picture, log file, pdf, image, document, "
        "put a file on an issue"
    ),
    emits=[AttachmentAdded, AttachmentGivenUp],
    example={
        "subject": "issue:WEB-1",
        "name": "vouchers.csv",
        "data": "dm91Y2hlcixkYXkKQS0xLDIwMjYtMTEtMjAK",
    },
)
async def add(out: External, args: AttachmentsAdd) -> Attachment:
    """Hang a file on an issue, a comment, an asset, a project or the org. Whoever sees the subject sees it.

    Its bytes come as `data`, or by `upload` where it is larger: send it to `/files/upload` first, in pieces where the
    line is bad, and name here what that answered, with `data` empty.

    On an issue whoever may edit it or comment there, on a comment its author, on an asset members, on a project its
    members, on the org admins (403); an archived issue or project takes none (409), and neither does a comment on a
    flag (422). A file on an internal note is internal. The content type is told by the bytes and the name. An empty
    file is one. Above 10 MB of `data`, or 100 MB of an upload, is 413; an upload that is not whole is 409:
    attachments.expect takes it. What is no base64, a name of more than 255 bytes and a file that `allowed_files` of the
    org leaves out are 422. The same bytes are stored once. Search reads texts at once, the first megabyte of a large
    one, and PDFs of up to 10 MB a little later. It runs alone, not inside a batch.
    """
    if args.upload is None:
        file = await out.thread(files.taken, args.name, args.data, args.content_type)
        return await out.conclude(partial(_add, subject=args.subject, file=file), essential=False)
    if args.data:
        raise InvalidInput(
            "Give the bytes as `data`, or name what you sent by `upload`, with `data` empty.", field="data"
        )
    return await _add_sent(out, args, args.upload)


async def _add_sent(out: External, args: AttachmentsAdd, ident: str) -> Attachment:
    """A small file goes in with its row; the bytes of a large one are written before."""
    row = await out.read(lambda tx: uploads.sent_whole(tx, ident))
    if row["size"] > MOST_BYTES:
        raise TooLarge(f"A file holds at most 100 MB; this upload has {row['size']} bytes.")
    path = await out.read(lambda tx: uploads.path(tx, ident))
    try:
        file = await out.thread(files.sent, path, args.name, args.content_type, row)
        await out.read(lambda tx: require_taken(tx, targets.target(tx, args.subject), file))
        pieces = await stage.stage(out, path, file.hash, file.size)
    except FileNotFoundError:  # somebody used it up meanwhile
        raise uploads.missing(ident) from None

    def use(tx: Write) -> Attachment:
        expected.give_up(tx, ident, "used")
        uploads.use_up(tx, ident)
        return _add(tx, args.subject, replace(file, pieces=pieces))

    try:
        answer = await out.conclude(use, essential=False)
    except BaseException:
        if pieces is not None:
            await out.write(lambda tx: blobs.drop(tx, pieces))
        raise
    await out.thread(partial(path.unlink, missing_ok=True))
    return answer


def require_taken(tx: Read, on: FileTarget, file: files.File) -> None:
    """Raises NotAllowed, Conflict or InvalidInput where the caller may not hang this file there."""
    targets.require_add(tx, on)
    allowed = org_settings.get(tx, "org.allowed_files")
    if not files.fits(file.name, file.type, allowed):
        hint = allowed if not tx.caller.guest else None
        raise InvalidInput(f"This org takes no files such as {file.name}.", field="name", allowed=hint)


def _add(tx: Write, subject: str, file: files.File) -> Attachment:
    return queries.shown(tx, hang_on(tx, subject, file))


def hang_on(tx: Write, subject: str, file: files.File, *, ident: str | None = None) -> AttachmentRow:
    """The caller hangs a file on a subject, as by attachments.add. `ident`: the id that was promised."""
    on = targets.target(tx, subject)
    require_taken(tx, on, file)
    return hang(tx, on.subject, file, by=comments.speaker(tx), ident=ident)


def hang_from_outside(tx: Write, subject: str, file: files.File) -> AttachmentRow:
    """A customer hangs a file on a thing that is theirs: whoever asks has judged that. Raises InvalidInput for one that
    the org does not take."""
    if not files.fits(file.name, file.type, org_settings.get(tx, "org.allowed_files")):
        raise InvalidInput(f"Files such as {file.name} are not taken here.", field="name")
    return hang(tx, subject, file, by=tx.caller.actor)


def hang(tx: Write, subject: str, file: files.File, *, by: str, ident: str | None = None) -> AttachmentRow:
    """Hang a file on a subject, and tell. `ident`: the id that was promised."""
    if file.data is not None:
        blobs.keep(tx, file.hash, file.data)
    elif file.pieces is not None:
        blobs.link(tx, file.hash, file.size, file.pieces)
    elif not blobs.is_here(tx, file.hash, file.size):
        raise Conflict("The same file was taken away while this one came in: try again.")
    ident = ident or "a_" + ids.short(22)
    tx.insert(
        "attachment",
        id=ident,
        subject=subject,
        name=file.name,
        content_type=file.type,
        size=file.size,
        hash=file.hash,
        created_at=tx.now,
        created_by=by,
    )
    row = queries.stored(tx, ident)
    if file.text is not None:
        tx.execute("insert into attachment_text values (:id, :text)", id=ident, text=file.text)
    elif file.type == text_extraction.PDF and file.size <= files.MOST_DATA_BYTES:
        enqueue(tx, text_extraction.READ.kind, {"attachment": ident}, message=f"Reading {file.name}")
    event_payloads.touch(tx, row["subject"])
    event_payloads.emit(tx, AttachmentAdded, row)
    return row
