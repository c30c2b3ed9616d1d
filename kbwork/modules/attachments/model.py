"""The words of attachments."""

from typing import ClassVar, NotRequired

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent


class Attachment(TypedDict):
    """A file on a subject. `content_type` is told by its bytes; `size` is in bytes."""

    id: str
    name: str
    content_type: str
    size: int
    subject: str
    created_at: int
    created_by: str


class AttachmentContent(TypedDict):
    """A file with its bytes in base64, or with a link to them, and then `data` is empty."""

    id: str
    name: str
    content_type: str
    data: str
    url: NotRequired[str]


class _AttachmentEvent(DomainEvent):
    """Something that happened to a file."""

    about: ClassVar[dict[str, str]] = {"attachment": "attachment"}


class AttachmentAdded(_AttachmentEvent):
    kind = "attachment.added"
    inverse = "attachment.deleted"
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
