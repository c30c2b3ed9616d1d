"""Flags and change requests take comments: of everybody who sees them, for people talk before they decide."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.base.text import whole_number
from kbwork.core.access import visibility
from kbwork.core.ports.comments import Commentable, CommentTarget
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import FlagProjectRow, FlagRow
from kbwork.db.tx import Read, Write
from kbwork.modules.flags import access
from kbwork.modules.projects import access as projects
from kbwork.modules.projects import audience

_LEADS = ":kb_admin or fp.work_project in (select value from json_each(:kb_lead))"
_SPEAKS = "fp.work_project is null or fp.work_project in (select value from json_each(:kb_speaks))"
_HELD = "'flags:read' in (select value from json_each(:kb_scopes))"
IN_PROJECT = "fp.key = substr(:ref, 1, instr(:ref, '/') - 1)"
"""The condition on `flag_project fp`: a flag's or segment's reference begins with its key."""
NAMED = (
    "(f.key = :key or f.first_key = :key or f.id = (select a.flag from flag_alias a"
    " where a.project = f.project and a.key = :key and a.dropped_at is null))"
)
"""The condition on `flag f`: it is called so, or was."""
IN_CHANGE = "fp.id = (select fc.project from flag_change fc where fc.id = cast(:ref as integer))"
"""The condition on `flag_project fp`: this change request is of it."""


class _FlagCommentTarget(CommentTarget):
    """A flag that takes comments, or a change request."""

    who_may = (
        "You may see this and not comment on it: that needs the role reporter in the project that the flag project is"
        " tied to, and that of a lead where the flag or the flag project is archived."
    )

    def __init__(
        self, tx: Read, project: FlagProjectRow, subject: str, *, archived: bool, key: str | None = None
    ) -> None:
        self._tx = tx
        self._key = key
        self._flags = project
        self._archived = archived or project["archived_at"] is not None
        self.subject = subject
        self.project = project["work_project"]

    @property
    def path(self) -> str:
        kind, ref = ref_of(self.subject)
        at = self._flags["key"]
        return f"/flags/{at}/{self._key}" if kind == "flag" else f"/flags/{at}/changes/{ref}"

    @property
    def told(self) -> dict[str, Any]:
        return {"flag_project": self._flags["key"]}

    def may_comment(self) -> bool:
        if self._archived:
            return self.may_moderate()
        tied = self.project
        return tied is None or self._tx.caller.admin or projects.at_least(self._tx, tied, "reporter")

    def may_edit(self) -> bool:
        return access.may_change(self._tx, self._flags)

    def may_moderate(self) -> bool:
        tied = self.project
        return self._tx.caller.admin or (tied is not None and projects.at_least(self._tx, tied, "lead"))

    def open(self) -> bool:
        """Whether what is said there is still changed."""
        if self._archived:
            return False
        try:
            self.require_open()
        except Conflict:
            return False
        return True

    def require_open(self) -> None:
        tied = self._tx.stored("project", [self.project]) if self.project is not None else None
        if tied is not None:
            projects.require_open(tied)

    def audience(self, whos: list[str], *, internal: bool) -> list[str]:
        return audience.of_team(self._tx, whos, self.project)

    def touch(self, tx: Write) -> None:
        """A flag's time is that of its definition."""

    def follow(self, tx: Write, who: str) -> None:
        """Flags are followed by those who see them."""


def flag_editable(tx: Read, ref: str) -> bool:
    """Whether the caller may change what is on a flag now, as undo asks."""
    found = _flag(tx, ref)
    return found is not None and found.may_edit() and found.open()


def change_editable(tx: Read, ref: str) -> bool:
    """The same of a change request."""
    found = _change(tx, ref)
    return found is not None and found.may_edit() and found.open()


def _flag(tx: Read, ref: str) -> _FlagCommentTarget | None:
    key, _, name = ref.partition("/")
    project = _project(tx, "fp.key_folded = :key", key=key.strip().lower())
    if project is None:
        return None
    flag = tx.one(
        f"select f.* from flag f where f.project = :project and {NAMED}",
        FlagRow,
        project=project["id"],
        key=name,
    )
    if flag is None:
        return None
    return _FlagCommentTarget(
        tx,
        project,
        f"flag:{project['key']}/{flag['first_key']}",
        archived=bool(flag["archived"]),
        key=flag["key"],
    )


def _change(tx: Read, ref: str) -> _FlagCommentTarget | None:
    number = whole_number(ref)
    project = _project(tx, IN_CHANGE, ref=ref) if number is not None else None
    return (
        _FlagCommentTarget(tx, project, f"flag_change:{number}", archived=False)
        if project is not None
        else None
    )


def _project(tx: Read, where: str, **binds: Any) -> FlagProjectRow | None:
    """The flag project, where the caller sees it and may read flags."""
    if "flags:read" not in tx.caller.scopes:
        return None
    return tx.one(
        f"select fp.* from flag_project fp where {where} and {access.SEEN}",
        FlagProjectRow,
        **binds,
        **visibility.binds(tx),
    )


def _talk(target: Any, where: str) -> Commentable:
    def that(condition: str) -> str:
        return f"{_HELD} and exists (select 1 from flag_project fp where {where} and {access.SEEN} and ({condition}))"

    seen = that("1")
    return Commentable(target=target, seen=seen, known=seen, speaks=that(_SPEAKS), moderates=that(_LEADS))


ON_FLAGS = _talk(_flag, IN_PROJECT)
ON_CHANGES = _talk(_change, IN_CHANGE)
