"""What fills in the placeholders of actions."""

from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.rows import RuleRow
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.automation.engine.occasion import Occasion
from kbwork.modules.automation.rule import actions
from kbwork.modules.issues import effects

_DEEPEST = 6
"""So many names lead to a value at most."""


class _Known(dict[str, str]):
    """Placeholders by name: what an event does not say is empty."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or actions.of_event(str(name))

    def __missing__(self, name: str) -> str:
        return ""


@dataclass(slots=True)
class Variables:
    """Of one run, as its author reads it."""

    tx: Read
    rule: RuleRow
    occasion: Occasion

    def of(self, issue: int | None) -> dict[str, str]:
        """Those of an action that is run for this issue; without those of an issue where there is none."""
        known = _Known(self._general())
        mine = self._issue(self.occasion.issue_id)
        known |= self._issue(issue) or mine
        known |= {f"trigger.{name}": mine[name] for name in ("issue", "key", "title") if name in mine}
        return known

    def _issue(self, issue: int | None) -> dict[str, str]:
        row = issues.find(self.tx, f"issue:{issue}") if issue is not None else None
        return effects.variables(self.tx, row) if row is not None else {}

    def _general(self) -> dict[str, str]:
        tx, occasion = self.tx, self.occasion
        return {
            "actor": occasion.actor,
            "actor.name": _name(tx, occasion.actor),
            "event": occasion.event,
            "me": tx.caller.actor,
            "me.name": _name(tx, tx.caller.actor),
            "rule": self.rule["name"],
            "subject": occasion.subject or "",
            **(_named("payload", occasion.payload) if occasion.seq is None else _told(occasion.payload)),
        }


def _name(tx: Read, who: str) -> str:
    return str(tx.value("select name from member where id = :id", id=who) or who)


def _told(payload: dict[str, Any]) -> dict[str, str]:
    """What the event says, as `payload.to` and `changes.status.from`."""
    found = _named("payload", {name: value for name, value in payload.items() if name != "changes"})
    for field, sides in payload.get("changes", {}).items():
        if isinstance(sides, dict):
            found |= {f"changes.{field}.{side}": _text(sides.get(side)) for side in ("from", "to")}
    return found


def _named(beginning: str, said: dict[str, Any], deep: int = 1) -> dict[str, str]:
    """Each value by the names that lead to it, as `payload.pull.title`."""
    found: dict[str, str] = {}
    for name, value in said.items():
        found[f"{beginning}.{name}"] = _text(value)
        if isinstance(value, dict) and deep < _DEEPEST:
            found |= _named(f"{beginning}.{name}", value, deep + 1)
    return found


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value)
    if isinstance(value, dict):
        return ""
    return "" if value is None else str(value)
