"""Pages take comments and files: who says something on one, who hears it, who adds files."""

from typing import Any

from kbwork.base.errors import Conflict
from kbwork.core.access import visibility
from kbwork.core.access.grants import Level, at_least
from kbwork.core.ports.comments import Commentable, CommentTarget
from kbwork.core.ports.files import Fileable, FileTarget
from kbwork.db.rows import PageRow
from kbwork.db.tx import Read, Write, json_array
from kbwork.modules.pages import access, queries


class PageCommentTarget(CommentTarget):
    """A page that takes comments."""

    who_may = "You may see this page and not comment on it: that needs the right to comment."

    def __init__(self, tx: Read, row: PageRow) -> None:
        self._tx = tx
        self.row = row
        self.subject = f"page:{row['id']}"
        self._space = access.space_of(tx, row)
        self.project = self._space["project"]

    @property
    def path(self) -> str:
        return queries.path(self.row["id"])

    @property
    def told(self) -> dict[str, Any]:
        return {"page": str(self.row["id"]), "space": self._space["key"]}

    def _may(self, wanted: Level) -> bool:
        return at_least(access.level_of(self._tx, self.row), wanted)

    def may_comment(self) -> bool:
        return self._may("comment")

    def may_edit(self) -> bool:
        return self._may("edit")

    def may_moderate(self) -> bool:
        return self._may("manage")

    def require_open(self) -> None:
        if why := access.closed(self._tx, self.row):
            raise Conflict(why)

    def audience(self, whos: list[str], *, internal: bool) -> list[str]:
        return audience(self._tx, self.row["id"], whos)

    def touch(self, tx: Write) -> None:
        """A page's time is that of its text."""

    def follow(self, tx: Write, who: str) -> None:
        tx.execute(
            "insert into page_watcher (page, who, children) values (:page, :who, 0) on conflict do nothing",
            page=self.row["id"],
            who=who,
        )


_BEHIND = """
select value as who, value as member from json_each(:whos) where instr(value, ':') = 0
union all
select 'team:' || t.team, t.member from json_each(:whos) w
  join team_member t on w.value glob 'team:*' and t.team = cast(substr(w.value, 6) as integer)
union all
select w.value, a.owner from json_each(:whos) w
  join agent a on w.value glob 'agent:*' and a.name = substr(w.value, 7)
"""
_MOST_ASKED = 200
"""People of teams whose sight is asked for: of a larger team the first count."""


def audience(tx: Read, page: int, whos: list[str]) -> list[str]:
    """Those of these members, teams and agents of whom somebody active sees the page."""
    found: dict[str, bool] = {}
    sees: dict[str, bool] = {}
    for who, member in tx.tuples(_BEHIND, whos=json_array(whos)):
        if found.get(who) or (member not in sees and len(sees) >= _MOST_ASKED):
            continue
        if member not in sees:
            sees[member] = access.find(visibility.as_member(tx, member), str(page)) is not None
        found[who] = sees[member]
    return [who for who in whos if found.get(who)]


def _target(tx: Read, ref: str) -> PageCommentTarget | None:
    row = access.find(tx, ref)
    return PageCommentTarget(tx, row) if row is not None else None


def _on(condition: str) -> str:
    return f"exists (select 1 from page p where p.id = cast(:ref as integer) and {condition})"


def _file_target(tx: Read, ref: str) -> FileTarget | None:
    row = access.find(tx, ref)
    if row is None:
        return None
    level = access.level_of(tx, row)
    return FileTarget(
        f"page:{row['id']}",
        adds=at_least(level, "comment"),
        edits=at_least(level, "edit"),
        project=access.space_of(tx, row)["project"],
        closed=access.closed(tx, row),
    )


def _file_told(tx: Read, ref: str) -> dict[str, Any]:
    row = tx.stored("page", [int(ref)])
    return {"page": ref, "space": access.space_of(tx, row)["key"]} if row is not None else {}


COMMENTABLE = Commentable(
    target=_target,
    seen=_on(access.SEEN),
    known=_on(f"({access.SEEN} or {access.RESTORABLE})"),
    speaks=_on(access.SPEAKS),
    moderates=_on(access.MANAGES),
)
FILEABLE = Fileable(
    target=_file_target,
    told=_file_told,
    who_adds="on a page whoever may comment there",
    seen=COMMENTABLE.seen,
    known=COMMENTABLE.known,
    adds=COMMENTABLE.speaks,
    edits=_on(access.EDITS),
)
