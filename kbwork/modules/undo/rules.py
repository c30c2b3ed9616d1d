"""What setting a change back would do: row by row, and where somebody changed something since."""

import json
from dataclasses import dataclass, field
from typing import Any

from kbwork.core import undo, visibility
from kbwork.core.subjects import ref_of
from kbwork.db.tx import Read, Row


@dataclass(slots=True)
class Step:
    """One row to set back. `before` None: it goes; `after` None: it comes back; else columns change."""

    table: str
    place: list[Any]
    before: Row | None
    after: Row | None
    subject: str
    trash: bool = False
    back: bool = False
    """It goes to the trash; it comes out of it."""

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
class Plan:
    """All steps, the newest change first; what stands against them, and what cannot be set back."""

    steps: list[Step] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)

    @property
    def against(self) -> str | None:
        """Why it would come to nothing; None where it would not."""
        if self.conflicts:
            return "something changed since"
        return next(iter(self.kept.values()), None) if not self.steps else None


def plan(tx: Read, record: Row, told: list[Row]) -> Plan:
    """How to take a record back. `told` are its events."""
    found = Plan()
    images = json.loads(record["images"])
    kinds = visibility.kinds(tx)
    trashed = frozenset().union(*(kind.trashed for kind in kinds.values()))
    volatile = frozenset().union(*(kind.volatile for kind in kinds.values()))
    returning: set[str] = set()
    ahead: dict[str, Row | None] = {}  # rows as the steps before, which changed them later, leave them
    made = {
        _itself(tx, table, place) for table, place, before, _ in images if before is None and table in trashed
    }
    for table, place, packed_before, packed_after in reversed(images):
        before, after = undo.unpacked(packed_before), undo.unpacked(packed_after)
        owner = _owner(tx, table, place, told)
        hangs = owner is None or owner in made
        if before is None and made and hangs and table not in trashed:
            continue  # it goes to the trash, and comes back, with the thing that it hangs on
        step = Step(table, place, before, after, owner or str(told[0]["subject"]))
        step.trash = table in trashed and (before is None or _came_back(before, after))
        step.back = before is not None and table in trashed and before.get("deleted_at", 0) is None
        if step.whole:
            step.subject = _itself(tx, table, place) or step.subject
        mark = json.dumps([table, place])
        now = ahead[mark] if mark in ahead else row_of(tx, step)
        why = None if step.subject in returning else _untouchable(tx, step, now)
        if why is not None:
            found.kept[step.subject] = why
            continue
        found.conflicts += _conflicts(step, now, volatile)
        found.steps.append(step)
        ahead[mark] = None if before is None else (now or {}) | before
        if step.back or step.wakes:
            returning.add(step.subject)
    return found


def _came_back(before: Row, after: Row | None) -> bool:
    """Whether the change took it out of the trash."""
    return after is not None and before.get("deleted_at") is not None and after.get("deleted_at", 0) is None


def row_of(tx: Read, step: Step) -> Row | None:
    """The row as it is now."""
    return tx.stored(step.table, step.place)


def _owner(tx: Read, table: str, place: list[Any], told: list[Row]) -> str | None:
    """The thing that the row is of, where the change told of it: its right decides. Else it is that of the first."""
    subjects = [row["subject"] for row in told]
    for kind in visibility.kinds(tx).values():
        if (tracked := kind.tracked.get(table)) is not None and f"{tracked.subject}:{place[0]}" in subjects:
            return f"{tracked.subject}:{place[0]}"
    return None


def _itself(tx: Read, table: str, place: list[Any]) -> str | None:
    """The thing that this row is, where its key is the row's."""
    for kind in visibility.kinds(tx).values():
        if table in kind.trashed and (tracked := kind.tracked.get(table)) is not None:
            return f"{tracked.subject}:{place[0]}"
    return None


def _untouchable(tx: Read, step: Step, now: Row | None) -> str | None:
    """Why this row is left as it is."""
    name, ref = ref_of(step.subject)
    kind = visibility.kinds(tx).get(name)
    if kind is None:
        return None
    may = kind.deletable if step.whole else kind.wakeable if step.wakes else kind.editable
    if step.table in kind.personal:
        return None if kind.find(tx, ref) is not None else "you do not see it any more"
    gone = step.after is None and step.table == kind.table  # it comes back itself: nobody may change it yet
    if may is not None and not gone and not may(tx, ref) and not _of_a_part(tx, step):
        return "you may not change it now, or it is gone"
    if step.before is not None and step.after is not None and now is None:
        return "it is gone"
    return None


def _of_a_part(tx: Read, step: Step) -> bool:
    """Whether the row is of something that hangs on what was told of, such as a comment, and the caller may change
    that: who said a thing takes back a change of it where the issue is not theirs to edit."""
    for kind in visibility.kinds(tx).values():
        tracked = kind.tracked.get(step.table)
        if tracked is None or tracked.subject == ref_of(step.subject)[0] or step.whole:
            continue
        ref = str(step.place[0])
        if step.table in kind.personal:
            return kind.find(tx, ref) is not None
        return kind.editable is not None and kind.editable(tx, ref)
    return False


def _conflicts(step: Step, now: Row | None, volatile: frozenset[str]) -> list[dict[str, Any]]:
    """The columns of this row that somebody changed since."""
    if step.after is None:
        return [_conflict(step, "", "its place is taken")] if now is not None else []
    if now is None:
        return []
    changed = [name for name, value in step.after.items() if name not in volatile and now[name] != value]
    return [_conflict(step, name, f"{name} was changed since") for name in changed]


def _conflict(step: Step, column: str, message: str) -> dict[str, Any]:
    return {"path": f"{step.subject}.{column or step.table}", "message": message}
