"""Uploads: files on their way in, whole or in pieces, kept for a day for whoever sent them."""

from kbwork.modules.uploads.kept import (
    folder,
    forget_sent,
    lying,
    mine,
    missing,
    path,
    remember,
    sent_whole,
    use_up,
)
from kbwork.modules.uploads.ports import UploadWatch

USES = ()
TABLES = ("upload",)
__all__ = [
    "TABLES",
    "USES",
    "UploadWatch",
    "folder",
    "forget_sent",
    "lying",
    "mine",
    "missing",
    "path",
    "remember",
    "sent_whole",
    "use_up",
]
