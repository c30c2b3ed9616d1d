"""Issues take comments: who says something on one, and who hears it."""

from functools import cached_property
from typing import Any

from kbwork.core.ports.comments import Commentable, CommentTarget
from kbwork.db.rows import IssueRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, event_payloads, queries
from kbwork.modules.issues.people import audience, watch
from kbwork.modules.projects import ISSUE_RESTORABLE, ISSUE_SEEN
from kbwork.modules.projects import access as projects


class IssueCommentTarget(CommentTarget):
    """An issue that takes comments."""

    takes_notes = True
    who_may = (
        "You may see this and not comment on it: that needs the role member or reporter there, and that of a lead"
        " where it is locked or archived."
    )

    def __init__(self, tx: Read, row: IssueRow) -> None:
        self._tx = tx
        self.row = row
        self.subject = f"issue:{row['id']}"
        self.project = row["project"]

    @cached_property
    def key(self) -> str:
        return queries.key_of(self._tx, self.row)

    @property
    def path(self) -> str:
        return f"/issues/{self.key}"

    @property
    def told(self) -> dict[str, Any]:
        return {"key": self.key, "project": self.key.rpartition("-")[0]}

    def may_comment(self) -> bool:
        return access.may_comment(self._tx, self.row)

    def may_edit(self) -> bool:
        return access.may_edit(self._tx, self.row)

    def may_moderate(self) -> bool:
        return projects.at_least(self._tx, self.row["project"], "lead")

    def require_open(self) -> None:
        project = self._tx.stored("project", [self.row["project"]])
        assert project is not None
        projects.require_open(project)

    def audience(self, whos: list[str], *, internal: bool) -> list[str]:
        return audience.among(self._tx, whos, self.row, internal=internal)

    def touch(self, tx: Write) -> None:
        event_payloads.touch(tx, self.row["id"])

    def follow(self, tx: Write, who: str) -> None:
        watch.add_watcher(tx, self.row["id"], who, "commented")


def _target(tx: Read, ref: str) -> IssueCommentTarget | None:
    row = access.find(tx, ref)
    return IssueCommentTarget(tx, row) if row is not None else None


def _on(condition: str) -> str:
    return f"exists (select 1 from issue i where i.id = cast(:ref as integer) and {condition})"


COMMENTABLE = Commentable(
    target=_target,
    seen=_on(ISSUE_SEEN),
    known=_on(f"({ISSUE_SEEN} or {ISSUE_RESTORABLE})"),
    speaks=_on("i.project in (select value from json_each(:kb_speaks))"),
    moderates=_on("i.project in (select value from json_each(:kb_lead))"),
)
