"""Assets take comments and files: of the members, who all see them and may change them."""

from typing import Any

from kbwork.core.ports.comments import Commentable, CommentTarget
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.db.rows import AssetRow
from kbwork.db.tx import Read, Write
from kbwork.modules.assets import queries
from kbwork.modules.projects import audience

THERE = "exists (select 1 from asset where asset.key = :ref)"
_HELD = "'assets:read' in (select value from json_each(:kb_scopes))"
_SEEN = f"{queries.SEEN} and {_HELD} and {THERE}"


class _AssetCommentTarget(CommentTarget):
    """An asset that takes comments."""

    who_may = "You may see this and not comment on it: assets are for members."
    project = None

    def __init__(self, tx: Read, row: AssetRow) -> None:
        self._tx = tx
        self._key = row["key"]
        self.subject = f"asset:{row['key']}"

    @property
    def path(self) -> str:
        return f"/assets/{self._key}"

    @property
    def told(self) -> dict[str, Any]:
        return {"asset": self._key}

    def may_comment(self) -> bool:
        return queries.may_change(self._tx)

    def may_edit(self) -> bool:
        return queries.may_change(self._tx)

    def may_moderate(self) -> bool:
        return self._tx.caller.admin and queries.may_change(self._tx)

    def require_open(self) -> None:
        """One that is retired is talked about still."""

    def audience(self, whos: list[str], *, internal: bool) -> list[str]:
        return audience.of_team(self._tx, whos, None)

    def touch(self, tx: Write) -> None:
        """An asset's time is that of its record."""

    def follow(self, tx: Write, who: str) -> None:
        """Assets are watched by nobody."""


def _target(tx: Read, ref: str) -> _AssetCommentTarget | None:
    row = _seen(tx, ref)
    return _AssetCommentTarget(tx, row) if row is not None else None


def _file_target(tx: Read, ref: str) -> FileTarget | None:
    row = _seen(tx, ref)
    if row is None:
        return None
    may = queries.may_change(tx)
    return FileTarget(f"asset:{row['key']}", adds=may, edits=may)


def _seen(tx: Read, ref: str) -> AssetRow | None:
    """The asset, where the caller sees it and may read assets."""
    return queries.find(tx, ref) if "assets:read" in tx.caller.scopes else None


COMMENTABLE = Commentable(target=_target, seen=_SEEN, known=_SEEN, speaks="1", moderates=":kb_admin")
FILEABLE = Fileable(
    target=_file_target,
    told=lambda tx, ref: {"asset": ref},
    who_adds="on an asset a member",
    seen=_SEEN,
    known=_SEEN,
    adds="1",
    edits="1",
)
