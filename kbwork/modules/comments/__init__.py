"""Comments: what people say on a subject, in threads."""

from kbwork.modules.comments.access import SEEN, find, may_delete, may_edit, require_open, speaker, voices
from kbwork.modules.comments.changing import reword

USES = ("issues", "members", "projects", "trash")
TABLES = ("comment", "reaction")
__all__ = [
    "SEEN",
    "TABLES",
    "USES",
    "find",
    "may_delete",
    "may_edit",
    "require_open",
    "reword",
    "speaker",
    "voices",
]
