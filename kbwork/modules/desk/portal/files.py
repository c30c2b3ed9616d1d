"""Files of a customer's requests: send one, get one."""

import base64

from pydantic import Field

from kbwork.base.errors import NotFound, TooLarge
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Write
from kbwork.modules.attachments import Attachment, AttachmentContent, blobs, queries
from kbwork.modules.attachments import files as attached
from kbwork.modules.desk.model import NOT_TAKEN_BACK
from kbwork.modules.desk.portal.own_account import me
from kbwork.modules.desk.portal.requests import RequestRef, require_open
from kbwork.modules.desk.requests import files, rows


class DeskPortalUpload(Input):
    key: RequestRef
    name: attached.FileName
    """What it is called, at most 255 bytes; folders before it are cut."""
    data: attached.Base64 = Field(repr=False)
    """Its bytes as base64, at most 10 MB."""
    content_type: attached.MediaType | None = None
    """A hint, where neither the bytes nor the name tell."""


@write(
    "desk.portal_upload",
    scope="desk:portal",
    words="attach a file to my request, send a screenshot to support, upload as a customer",
    undo=NOT_TAKEN_BACK,
    emits=[],
    example={"key": "WEB-6", "name": "order.txt", "data": "TnVtYmVyIDE3Cg=="},
)
async def portal_upload(out: External, args: DeskPortalUpload) -> Attachment:
    """Hang a file on a request of yours: whoever sees the request sees it. One that is locked or archived takes none
    (409), nor one that has a hundred; 100 MB in a day are enough of one customer (409). Above 10 MB it is 413.
    """

    def look(tx: Read) -> None:
        require_open(tx, rows.find(tx, me(tx)["id"], args.key))

    def hang(tx: Write) -> Attachment:
        request = rows.find(tx, me(tx)["id"], args.key)
        require_open(tx, request)
        return queries.shown(tx, files.hang(tx, request, file))

    await out.read(look)
    file = await out.thread(attached.taken, args.name, args.data, args.content_type)
    return await out.conclude(hang, essential=False)


class DeskPortalViewFile(Input):
    key: RequestRef
    id: Text
    """Id of the file, from the request."""


@write(
    "desk.portal_view_file",
    scope="desk:portal",
    words="open a file of my request, download what support sent me",
    undo="it changes nothing",
    emits=[],
    threaded=True,
    example={"key": "WEB-6", "id": "a_0123456789abcdefghijkl"},
)
def portal_view_file(tx: Read, args: DeskPortalViewFile) -> AttachmentContent:
    """Get a file of a request of yours: one that its customers sent, or that hangs on what was said to them. Any other,
    such as one on an internal note, is 404. One of more than 10 MB is 413.
    """
    request = rows.find(tx, me(tx)["id"], args.key)
    row = files.find(tx, request, args.id)
    if row is None:
        raise NotFound(f"There is no file {args.id[:100]!r} on it.")
    if row["size"] > attached.MOST_DATA_BYTES:
        raise TooLarge("It is too large to be sent so: ask for it by mail.")
    data = base64.b64encode(blobs.data(tx, row)).decode()
    return AttachmentContent(id=row["id"], name=row["name"], content_type=row["content_type"], data=data)
