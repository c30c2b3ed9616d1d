"""Name uploads on a subject that are still on their way."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput, TooLarge
from kbwork.base.model import Input, Text
from kbwork.core import org_settings
from kbwork.core.access import impersonate
from kbwork.core.operations import nested
from kbwork.core.operations.declare import write
from kbwork.core.ports.files import MOST_BYTES, FilesToCome, FileTarget
from kbwork.db.rows import UploadRow
from kbwork.db.tx import Read, Write
from kbwork.modules import comments, uploads
from kbwork.modules.attachments import targets
from kbwork.modules.attachments.content import files
from kbwork.modules.attachments.expected import arrivals, rows
from kbwork.modules.attachments.model import AttachmentExpected, ExpectedFile


class AttachmentsExpect(Input):
    subject: Text
    """What they are to hang on: `issue:WEB-1`, `comment:<id>`, or whatever else takes files."""
    uploads: Annotated[list[Text], Field(min_length=1, max_length=20)]
    """Ids of files of at most 100 MB each that you send to `/files/upload`, whole or not."""


@write(
    "attachments.expect",
    scope="attachments:write",
    words="attach a file that is still uploading, attach when the upload is done, pending upload, upload in background",
    emits=[AttachmentExpected],
    undo="whoever sends a file stops it: DELETE of its upload",
    example={"subject": "issue:WEB-1", "uploads": ["u_0123456789abcdefghijkl"]},
)
def expect(tx: Write, args: AttachmentsExpect) -> list[ExpectedFile]:
    """Name files on a subject that you are still sending; each hangs there by itself as soon as all of it is here.

    Whoever sees the subject sees meanwhile what comes and how much of it is here (attachments.expected). Your own
    uploads alone (404), to where you may add files (as with attachments.add), and each to one place (409); what hangs
    then is judged again, with what you may do at that time. Named there before, it is no change. An upload of more
    than 100 MB is 413, one with a name that `allowed_files` of the org leaves out is 422. It ends without a file when
    you take the upload back or use it elsewhere, when it is not here a day after it began, or when you may not add it
    any more; your upload stays yours then, as long as it is kept.
    """
    on = targets.target(tx, args.subject)
    targets.require_add(tx, on)
    named = list(dict.fromkeys(args.uploads))
    for ident in named:
        _expect(tx, on, ident)
    return [rows.shown(tx, row) for ident in named if (row := rows.of_upload(tx, ident)) is not None]


def _expect(tx: Write, on: FileTarget, ident: str) -> None:
    upload = uploads.mine(tx, ident)
    known = rows.of_upload(tx, ident)
    if known is not None:
        if known["subject"] == on.subject:
            return
        raise Conflict(f"The upload {ident} was named on something else already: send the file once more.")
    name = files.name_of(upload["name"])
    _require_fitting(tx, upload, name)
    row = rows.put(
        tx,
        upload=ident,
        attachment="a_" + ids.short(22),
        subject=on.subject,
        name=name,
        who=json.dumps(impersonate.caller_args(tx.caller)),
        created_by=comments.speaker(tx),
        created_at=tx.now,
    )
    rows.tell(tx, AttachmentExpected, row, upload["size"])
    if upload["arrived"] is None:
        arrivals.begin(tx, ident)


def _require_fitting(tx: Read, upload: UploadRow, name: str) -> None:
    """Raises TooLarge, or InvalidInput where no file of this name is taken, whatever is in it."""
    if upload["size"] > MOST_BYTES:
        raise TooLarge(f"A file holds at most 100 MB; this upload has {upload['size']} bytes.")
    allowed = org_settings.get(tx, "org.allowed_files")
    by_name = all("/" not in entry for entry in allowed)
    if by_name and not files.fits(name, "", allowed):
        hint = allowed if not tx.caller.guest else None
        raise InvalidInput(f"This org takes no files such as {name}.", field="uploads", allowed=hint)


def _named(tx: Write, subject: str, named: list[str]) -> None:
    nested.run(tx, expect, {"subject": subject, "uploads": named}, about="uploads: ")


TO_COME = FilesToCome(home=__name__, named=_named)
