"""Comments: what people say on a subject, in threads."""

from kbwork.modules.comments.access import (
    find,
    may_delete,
    may_edit,
    speaker,
    voices,
)
from kbwork.modules.comments.event_payloads import CommentHearers
from kbwork.modules.comments.mentions import mentioned, whom
from kbwork.modules.comments.ops import say_from_outside
from kbwork.modules.comments.queries import quoted
from kbwork.modules.comments.update import publish, update_from_outside, update_imported

USES = ("issues", "members", "projects", "trash")
TABLES = ("comment", "reaction")
__all__ = [
    "TABLES",
    "USES",
    "CommentHearers",
    "find",
    "may_delete",
    "may_edit",
    "mentioned",
    "publish",
    "quoted",
    "say_from_outside",
    "speaker",
    "update_from_outside",
    "update_imported",
    "voices",
    "whom",
]
