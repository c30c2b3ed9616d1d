"""What a rule runs for: the event, time or state that set it off, and the issue that this is about."""

import json
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import IssueRow, RuleRunRow
from kbwork.db.tx import Read, Row
from kbwork.modules import fields, issues
from kbwork.modules.issues import engine

TIME = "schedule"
BUTTON = "button"
STATE = "state"
HOOK = "hook"
OUTSIDE = "anonymous"
"""Who sends a request: nobody that is known here."""
_FACTS = {
    "assignees": "assignee",
    "labels": "label",
    "due_date": "due",
    "start_date": "start",
    "visibility_level": "level",
}
"""What events call a field that conditions call otherwise."""


@dataclass(slots=True)
class Occasion:
    """One time that a rule is set off."""

    event: str
    actor: str
    subject: str | None
    seq: int | None = None
    depth: int = 1
    payload: dict[str, Any] = field(default_factory=dict)
    _found: list[fields.conditions.Case | None] = field(default_factory=list)

    @property
    def issue_id(self) -> int | None:
        """The internal number of the issue that it is about."""
        if self.subject is None:
            return None
        kind, ref = ref_of(self.subject)
        return int(ref) if kind == "issue" else None

    def issue(self, seen: Read) -> IssueRow | None:
        """The issue that it is about, if that is seen."""
        return None if self.issue_id is None else issues.find(seen, f"issue:{self.issue_id}")

    def case(self, seen: Read) -> fields.conditions.Case | None:
        """What conditions ask, found out once; None where it is about no issue that is seen."""
        if not self._found:
            row = self.issue(seen)
            self._found.append(
                None if row is None else engine.standing_of(seen, row, changed=self._changed(seen)).case
            )
        return self._found[0]

    def _changed(self, seen: Read) -> frozenset[int | str]:
        """The fields that the event changed: own ones by their id. What a request from outside says changed none."""
        if self.seq is None:
            return frozenset()
        own = {f"values.{one.key}": one.id for one in fields.catalogue(seen).values()}
        names = set(self.payload.get("changes", {}))
        if self.event == "issue.transitioned":
            names.add("status")
        return frozenset(own.get(name, _FACTS.get(name, name)) for name in names)

    def label(self, seen: Read) -> str:
        """How the log calls it, for those who see it."""
        if self.subject is None:
            return ""
        if self.issue_id is not None and (row := seen.stored("issue", [self.issue_id])) is not None:
            return issues.key_of(seen, row)
        found = visibility.find(seen, self.subject)
        return found.title if found is not None else self.subject


def of_event(row: Row, depth: int, payload: dict[str, Any]) -> Occasion:
    """What happened, as one of the events."""
    return Occasion(row["kind"], row["actor"], row["subject"], row["seq"], depth, payload)


def of_run(seen: Read, run: RuleRunRow) -> Occasion:
    """What a queued run is for, as its author reads it now."""
    payload: dict[str, Any] = json.loads(run["payload"]) if run["payload"] is not None else {}
    if run["seq"] is not None:
        row = seen.one(f"select {feed.COLUMNS} from events e where e.seq = :seq", seq=run["seq"])
        payload = feed.payload(seen, row) if row is not None else {}
    return Occasion(run["event"], run["actor"], run["subject"], run["seq"], run["depth"], payload)
