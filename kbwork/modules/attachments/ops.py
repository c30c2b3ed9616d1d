"""Hang a file on a subject, get it back, list what hangs there, take one away."""

import base64
from functools import partial

from kbwork.base import ids
from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.base.model import Input, Text
from kbwork.core import org_settings
from kbwork.core.jobs.kinds import enqueue
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, trash
from kbwork.modules.attachments import access, event_payloads, links, queries, targets
from kbwork.modules.attachments.content import blobs, files, text_extraction
from kbwork.modules.attachments.model import (
    Attachment,
    AttachmentAdded,
    AttachmentContent,
    AttachmentDeleted,
)


class AttachmentsAdd(Input):
    data: files.Base64
    """The bytes of the file, at most 10 MB."""
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
    emits=[AttachmentAdded],
    example={
        "subject": "issue:WEB-1",
        "name": "vouchers.csv",
        "data": "dm91Y2hlcixkYXkKQS0xLDIwMjYtMTEtMjAK",
    },
)
async def add(out: External, args: AttachmentsAdd) -> Attachment:
    """Hang a file on an issue, a comment, an asset, a project or the org. Whoever sees the subject sees it.

    On an issue whoever may edit it or comment there, on a comment its author, on an asset members, on a project its
    members, on the org admins (403); an archived issue or project takes none (409), and neither does a comment on a
    flag (422). A file on an internal note is internal. The content
    type is told by the bytes and the name. An empty file is one. Above 10 MB is 413; what is no base64, a name of more
    than 255 bytes and a file that `allowed_files` of the org leaves out are 422. The same bytes are stored once. Search
    reads texts at once and PDFs a little later. It runs alone, not inside a batch.
    """
    file = await out.thread(files.taken, args.name, args.data, args.content_type)
    return await out.conclude(partial(_add, subject=args.subject, file=file), essential=False)


def _add(tx: Write, subject: str, file: files.File) -> Attachment:
    on = targets.target(tx, subject)
    targets.require_add(tx, on)
    allowed = org_settings.get(tx, "org.allowed_files")
    if not files.fits(file.name, file.type, allowed):
        hint = allowed if not tx.caller.guest else None
        raise InvalidInput(f"This org takes no files such as {file.name}.", field="name", allowed=hint)
    blobs.keep(tx, file.hash, file.data)
    ident = "a_" + ids.short(22)
    tx.insert(
        "attachment",
        id=ident,
        subject=on.subject,
        name=file.name,
        content_type=file.type,
        size=len(file.data),
        hash=file.hash,
        created_at=tx.now,
        created_by=comments.speaker(tx),
    )
    row = queries.stored(tx, ident)
    if file.text is not None:
        tx.execute("insert into attachment_text values (:id, :text)", id=ident, text=file.text)
    elif file.type == text_extraction.PDF:
        enqueue(tx, text_extraction.READ.kind, {"attachment": ident}, message=f"Reading {file.name}")
    event_payloads.touch(tx, row)
    event_payloads.emit(tx, AttachmentAdded, row)
    return queries.shown(tx, row)


class AttachmentsGet(Input):
    id: Text
    """Id of the file."""
    as_url: bool | None = None
    """Answer a link instead of the bytes; it needs no sign-in and is good for five minutes."""


@read(
    "attachments.get",
    scope="attachments:read",
    words=(
        "download, open a file, fetch the attachment, read the attached log, view screenshot, link to a file"
    ),
    cached=False,
    threaded=True,
    example={"id": "a_0123456789abcdefghijkl"},
)
def get(tx: Read, args: AttachmentsGet) -> AttachmentContent:
    """Get a file: its bytes as base64, or with `as_url` a link to them under this server's address.

    A link is for whoever has it, for five minutes, and ends earlier where you lose sight of the file. What is behind it
    is always saved and never shown, so that HTML and SVG do no harm. Bytes that are not here, since the backup that was
    restored has none, are 404.
    """
    row = access.attachment(tx, args.id)
    answer = AttachmentContent(id=row["id"], name=row["name"], content_type=row["content_type"], data="")
    if args.as_url:
        return answer | {"url": links.link(tx, row)}
    return answer | {"data": base64.b64encode(blobs.data(tx, row)).decode()}


class AttachmentsList(Input):
    subject: Text
    """What they hang on, such as `issue:WEB-1`."""


@read(
    "attachments.list",
    scope="attachments:read",
    words="which files are attached, screenshots on an issue, attachments of a ticket, all files",
    example={"subject": "issue:WEB-1"},
)
def list_(tx: Read, args: AttachmentsList) -> list[Attachment]:
    """List the files on a subject, oldest first. Those on an issue's comments are listed with the comment."""
    on = targets.target(tx, args.subject)
    return [queries.shown(tx, row) for row in queries.on(tx, on.subject)]


class AttachmentsDelete(Input):
    id: Text
    """Id of the file."""


@destructive(
    "attachments.delete",
    scope="attachments:write",
    words="remove an attachment, delete a file, wrong screenshot",
    emits=[AttachmentDeleted],
    example={"id": "a_0123456789abcdefghijkl"},
)
def delete(tx: Write, args: AttachmentsDelete) -> Attachment:
    """Put a file into the trash; trash.restore brings it back.

    Whoever added it, those who may edit what it hangs on, and admins (403). On a comment that is its author and the
    leads of the project. Nothing is taken from an archived issue or project (409).
    """
    row = access.attachment(tx, args.id)
    on = targets.target(tx, row["subject"])
    if not access.may_delete(tx, row, on):
        raise NotAllowed("Whoever added a file deletes it, or whoever may edit what it hangs on.")
    targets.require_awake(on)
    tx.update("attachment", row["id"], deleted_at=tx.now)
    event_payloads.touch(tx, row)
    event_payloads.emit(tx, AttachmentDeleted, row)
    trash.put(tx, f"attachment:{row['id']}", row["name"], project=on.project)
    return queries.shown(tx, row)
