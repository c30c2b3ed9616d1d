"""Get a file back, list what hangs on a subject, take a file away."""

import base64

from kbwork.base.errors import NotAllowed, TooLarge
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import destructive, read
from kbwork.db.tx import Read, Write
from kbwork.modules import trash
from kbwork.modules.attachments import access, event_payloads, links, queries, targets
from kbwork.modules.attachments.content import blobs, files
from kbwork.modules.attachments.model import Attachment, AttachmentContent, AttachmentDeleted


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
    is always saved and never shown, so that HTML and SVG do no harm. With `?w=320` behind it, a picture is shown, and
    smaller. A file of more than 10 MB goes by a link alone (413). Bytes that are not here, since the backup that was
    restored has none, are 404.
    """
    row = access.attachment(tx, args.id)
    answer = AttachmentContent(id=row["id"], name=row["name"], content_type=row["content_type"], data="")
    if args.as_url:
        return answer | {"url": links.link(tx, row)}
    if row["size"] > files.MOST_DATA_BYTES:
        raise TooLarge("As base64 a file goes up to 10 MB: ask for a link with `as_url`, which takes any.")
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
    """List the files on a subject, oldest first. Those on an issue's comments are listed with the comment.

    A picture stands smaller at `/files/<id>?w=320`, for whoever is signed in and sees it. What is still on its way is
    in attachments.expected.
    """
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
    event_payloads.touch(tx, row["subject"])
    event_payloads.emit(tx, AttachmentDeleted, row)
    trash.put(tx, f"attachment:{row['id']}", row["name"], project=on.project)
    return queries.shown(tx, row)
