"""The words of attachments."""

from typing import ClassVar, NotRequired

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class Attachment(TypedDict):
    """A file on a subject. `content_type` is told by its bytes; `size` is in bytes."""

    id: str
    """Id of the file."""
    name: str
    """Name of the file."""
    content_type: str
    """Media type, as its bytes and name tell, such as `image/png`."""
    size: int
    """Its size in bytes."""
    subject: str
    """What it hangs on, such as `issue:WEB-1`."""
    created_at: int
    """When it was added, in Unix seconds."""
    created_by: str
    """Who added it: a member's id or `agent:<name>`."""


class AttachmentContent(TypedDict):
    """A file with its bytes in base64, or with a link to them, and then `data` is empty."""

    id: str
    """Id of the file."""
    name: str
    """Name of the file."""
    content_type: str
    """Media type, such as `image/png`."""
    data: str
    """Its bytes as base64; empty where `url` leads to them."""
    url: NotRequired[str]
    """Link to its bytes, good for five minutes; with `as_url` alone."""


class ExpectedFile(TypedDict):
    """A file that is on its way to a subject, and will hang there."""

    id: str
    """Id that the file will have."""
    name: str
    """Name of the file."""
    size: int
    """How many bytes it will have."""
    arrived: int
    """How many of them are here."""
    subject: str
    """What it will hang on, such as `comment:5`."""
    upload: str | None
    """Id of the upload, for whoever sends it and nobody else."""
    created_at: int
    """When it was named there, in Unix seconds."""
    created_by: str
    """Who sends it: a member's id or `agent:<name>`."""
    expires_at: int
    """When it is given up unless it is here, in Unix seconds."""


class _AttachmentEvent(DomainEvent):
    """Something that happened to a file."""

    about: ClassVar[dict[str, str]] = {"attachment": "attachment"}


class AttachmentAdded(_AttachmentEvent):
    kind = "attachment.added"
    inverse = "attachment.deleted"
    scope = "attachments:read"


class AttachmentExpected(_AttachmentEvent):
    """It is on its way; `attachment` is the id that it will have."""

    kind = "attachment.expected"
    scope = "attachments:read"


class AttachmentGivenUp(_AttachmentEvent):
    """It was on its way and will not come, with a `reason`: `expired`, `cancelled`, `used` elsewhere, or `refused`."""

    kind = "attachment.given_up"
    scope = "attachments:read"


class AttachmentDeleted(_AttachmentEvent):
    """It went to the trash, or with `reason` `retention` for good."""

    kind = "attachment.deleted"
    inverse = "attachment.restored"
    scope = "attachments:read"


class AttachmentRestored(_AttachmentEvent):
    kind = "attachment.restored"
    inverse = "attachment.deleted"
    scope = "attachments:read"


class AttachmentPurged(DomainEvent):
    """It is gone for good."""

    kind = "attachment.purged"
    audience = "admin"
    scope = "activity:read"
