"""What setting a change back would do: row by row, and where somebody changed something since."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.access import visibility
from kbwork.core.things import row_subjects, undo
from kbwork.core.things.row_subjects import NOTHING, RowSubjects
from kbwork.core.things.thing import Thing, ref_of
from kbwork.db.tx import Read, Row

GONE = "it is gone"
UNSEEN = "you do not see it any more"
BARRED = "you may not change it now, or it is gone"


@dataclass(slots=True)
class UndoStep:
    """One row to set back. `before` None: it goes; `after` None: it comes back; else columns change."""

    table: str
    place: list[Any]
    before: Row | None
    after: Row | None
    subject: str
    trash: bool = False
    back: bool = False
    """It goes to the trash; it comes out of it."""
    named: RowSubjects = NOTHING

    @property
    def wakes(self) -> bool:
        """It comes back from the archive."""
        before, after = self.before or {}, self.after or {}
        return before.get("archived_at", 0) is None and after.get("archived_at") is not None

    @property
    def whole(self) -> bool:
        """Whether a thing comes or goes, and not what is in it."""
        return self.trash or self.back


@dataclass(slots=True)
class UndoPlan:
    """All steps, the newest change first; what stands against them, and what cannot be set back."""

    steps: list[UndoStep] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    """Subject -> why it stays as it is."""
    left: set[str] = field(default_factory=set)
    """What rows are of that stay as they are."""
    returning: set[str] = field(default_factory=set)
    """What comes back from the trash or the archive."""
    unfit: dict[str, str] = field(default_factory=dict)
    """Those of `kept` that would not fit what is there now."""

    def leave(self, step: UndoStep, why: str) -> None:
        """Leave a row as it is."""
        self.kept[step.subject] = why
        self.left.update((step.subject, *step.named.of))

    def without(self, unfit: dict[str, str]) -> "UndoPlan":
        """The plan but for these subjects, which stay as they are, each for its reason."""
        rest = UndoPlan(
            kept=dict(self.kept), left=set(self.left), returning=self.returning, unfit=self.unfit | unfit
        )
        for step in self.steps:
            if step.subject in unfit:
                rest.leave(step, unfit[step.subject])
            else:
                rest.steps.append(step)
        return rest

    @property
    def against(self) -> str | None:
        """Why it would come to nothing; None where it would not."""
        if self.conflicts:
            return "something changed since"
        return next(iter(self.kept.values()), None) if not self.steps else None


def plan(tx: Read, record: Row, told: list[Row], ahead: dict[str, Row | None] | None = None) -> UndoPlan:
    """How to take a record back. `told` are its events.

    `ahead` are rows as the undoing of later changes leaves them, by table and key: of the records of one whole.
    """
    found = UndoPlan()
    kinds = visibility.things(tx)
    trashed = frozenset().union(*(kind.trashed for kind in kinds.values()))
    volatile = frozenset().union(*(kind.undo.volatile for kind in kinds.values()))
    present = {kind.table: kind.undo.present for kind in kinds.values() if kind.undo.present is not None}
    subjects = {str(row["subject"]): None for row in told}
    ahead = {} if ahead is None else ahead
    images = [
        (table, place, undo.unpacked(before), undo.unpacked(after))
        for table, place, before, after in json.loads(record["images"])
    ]
    made = {
        row_subjects.own_subject(tx, table, place)
        for table, place, before, _ in images
        if before is None and table in trashed
    }
    for table, place, then, after in reversed(images):
        as_now = present.get(table) if then is not None else None
        before = as_now(tx, place, then, record["last_seq"]) if as_now is not None else then
        step = UndoStep(table, place, before, after, next(iter(subjects)))
        mark = json.dumps([table, place])
        now = ahead[mark] if mark in ahead else row_of(tx, step)
        step.named = row_subjects.subjects_of_row(tx, table, place, (now, before, after))
        owner = next((one for one in (*step.named.of, *step.named.near) if one in subjects), None)
        if before is None and made and table not in trashed and (owner is None or made & step.named.all):
            continue  # it goes to the trash, and comes back, with the thing that it hangs on
        step.subject = owner or step.subject
        step.trash = table in trashed and (before is None or _came_back(before, after))
        step.back = before is not None and table in trashed and before.get("deleted_at", 0) is None
        if step.whole:
            step.subject = row_subjects.own_subject(tx, table, place) or step.subject
        why = None
        if step.subject not in found.returning:
            why = _untouchable(tx, step, now, found.returning, record["last_seq"])
        if not _is_of_held_modules(tx, step, owner, told):
            why = BARRED
        if why is not None:
            found.leave(step, why)
            continue
        found.conflicts += _conflicts(step, now, volatile)
        found.steps.append(step)
        ahead[mark] = None if before is None else (now or {}) | before
        if step.back or step.wakes:
            found.returning.add(step.subject)
    return found


def _is_of_held_modules(tx: Read, step: UndoStep, owner: str | None, told: list[Row]) -> bool:
    """Whether what a row is of, and what was told of it, are of modules that the caller was given.

    Of a row that is of no thing, such as a lane, the events of the change say of which module it is.
    """
    if tx.caller.modules is None:
        return True
    if not step.named.of and len(visibility.of_held_modules(tx, told)) < len(told):
        return False
    subjects = (step.subject, *step.named.of, owner or step.subject)
    return all(visibility.holds(tx, ref_of(one)[0]) for one in subjects)


def _came_back(before: Row, after: Row | None) -> bool:
    """Whether the change took it out of the trash."""
    return after is not None and before.get("deleted_at") is not None and after.get("deleted_at", 0) is None


def row_of(tx: Read, step: UndoStep) -> Row | None:
    """The row as it is now."""
    return tx.stored(step.table, step.place)


def _untouchable(tx: Read, step: UndoStep, now: Row | None, returning: set[str], since: int) -> str | None:
    """Why this row is left as it is."""
    if step.before is not None and step.after is not None and now is None:
        return GONE
    if not step.back and _in_trash(tx, step, now, returning):
        return GONE
    kind = visibility.things(tx).get(ref_of(step.subject)[0])
    if kind is None or _may(tx, step, kind, since):
        return None
    return UNSEEN if step.table in kind.undo.personal else BARRED


def _may(tx: Read, step: UndoStep, kind: Thing, since: int) -> bool:
    """Whether the caller may set this row back: that of the subject, of its part, or of another that it is of too.

    What is archived is changed by nobody, but with another, such as a child when its parent goes: where nothing was
    told of it since, that was so.
    """
    name, ref = ref_of(step.subject)
    if step.table in kind.undo.personal:
        return kind.find(tx, ref) is not None
    may = kind.undo.wakeable if step.wakes or _is_as_it_was(tx, step, kind, since) else kind.undo.editable
    if step.whole and kind.trash is not None:
        may = kind.trash.deletable
    gone = step.after is None and step.table == kind.table  # it comes back itself: nobody may change it yet
    if may is None or gone or may(tx, ref):
        return True
    if step.whole:
        return False
    ends = [
        end for end in step.named.of[1:] if ref_of(end)[0] == name
    ]  # a relation belongs to both of its ends
    return _of_a_part(tx, step) or any(may(tx, ref_of(end)[1]) for end in ends)


def _is_as_it_was(tx: Read, step: UndoStep, kind: Thing, since: int) -> bool:
    """Whether the thing is archived, and was when the change was made."""
    if kind.undo.wakeable is None or step.table not in kind.trashed:
        return False
    row = row_of(tx, step)
    told = "select 1 from events where subject = :subject and seq > :since and kind glob :kinds limit 1"
    return (
        row is not None
        and row.get("archived_at") is not None
        and tx.value(told, subject=step.subject, since=since, kinds=f"{ref_of(step.subject)[0]}.*") is None
    )


def _in_trash(tx: Read, step: UndoStep, now: Row | None, returning: set[str]) -> bool:
    """Whether the thing that the row is of lies in the trash, and nothing here brings it back before."""
    whose = step.named.of[0] if step.named.of else None
    if whose is None or whose in returning:
        return False
    name, ref = ref_of(whose)
    kind = visibility.things(tx)[name]
    if step.table in kind.trashed:
        return now is not None and now["deleted_at"] is not None
    return any(
        row is not None and row["deleted_at"] is not None
        for row in (tx.stored(table, [ref]) for table in kind.trashed)
    )


def _of_a_part(tx: Read, step: UndoStep) -> bool:
    """Whether the row is of something that hangs on what was told of, such as a comment, and the caller may change
    that: who said a thing takes back a change of it where the issue is not theirs to edit."""
    for kind in visibility.things(tx).values():
        tracked = kind.tracked.get(step.table)
        if tracked is None or tracked.subject == ref_of(step.subject)[0] or step.whole:
            continue
        ref = str(step.place[0])
        if step.table in kind.undo.personal:
            return kind.find(tx, ref) is not None
        return kind.undo.editable is not None and kind.undo.editable(tx, ref)
    return False


def _conflicts(step: UndoStep, now: Row | None, volatile: frozenset[str]) -> list[dict[str, Any]]:
    """The columns of this row that somebody changed since."""
    if step.after is None:
        return [_conflict(step, "", "its place is taken")] if now is not None else []
    if now is None:
        return []
    changed = [
        name
        for name, became in step.after.items()
        if name not in volatile and not undo.is_still(now[name], became)
    ]
    return [_conflict(step, name, f"{name} was changed since") for name in changed]


def _conflict(step: UndoStep, column: str, message: str) -> dict[str, Any]:
    return {"path": f"{step.subject}.{column or step.table}", "message": message}
