"""What happened, in a few words."""

import json
from collections.abc import Callable
from typing import Any

from kbwork.core.access import visibility
from kbwork.core.events.hearers import EventHearers
from kbwork.db.tx import Read
from kbwork.modules import analytics, comments
from kbwork.modules.notifications.entries import KeptEvent
from kbwork.modules.notifications.model import Reason

_CHARS = 200
_QUOTE_CHARS = 60
_PLAIN = {
    "comment.resolved": "resolved the thread",
    "issue.created": "made it",
    "issue.deleted": "put it into the trash",
    "issue.restored": "brought it back from the trash",
    "issue.blocked": "made it wait for another issue",
    "issue.unblocked": "freed it: nothing blocks it any more",
    "issue.archived": "archived it",
    "issue.unarchived": "brought it back from the archive",
    "issue.locked": "locked it",
    "issue.unlocked": "unlocked it",
    "issue.merged": "merged it into another issue",
    "issue.split": "made issues of parts of it",
    "issue.related": "related it to another issue",
    "issue.level_changed": "changed who sees it",
    "issue.parent_changed": "moved it below another issue",
    "attachment.added": "added a file",
    "project.status_posted": "said how it goes",
    "change.requested": "asks for this change to be approved",
    "change.cancelled": "gave the change up",
}
"""Kinds of events of which nothing else is said."""


def of_event(tx: Read, kind: str, payload: dict[str, Any], reason: Reason) -> str:
    """To be read behind the name of who did it; `payload` as its reader may hear it."""
    if reason == "mentioned" and kind.startswith("issue."):
        return "mentioned you in its description"
    if (say := _SAID.get(kind)) is not None:
        return say(tx, payload, reason)[:_CHARS]
    if (plain := _PLAIN.get(kind)) is not None:
        return plain
    found: list[EventHearers] = tx.registry.of(EventHearers)
    said = next((one.said[kind] for one in found if kind in one.said), None)
    if said is None:
        return f"did this: {kind}"
    return "mentioned you in its text" if reason == "mentioned" else _with_note(said, payload)[:_CHARS]


def of_day(event: KeptEvent) -> str:
    day, _, ahead = (event["day"] or "").partition("/")
    days = int(ahead)
    if days < 0:
        return f"It was due on {day}"
    if days == 0:
        return "It is due today"
    return f"It is due tomorrow, on {day}" if days == 1 else f"It is due in {days} days, on {day}"


def _commented(tx: Read, payload: dict[str, Any], reason: Reason) -> str:
    what = {"mentioned": "mentioned you", "agent": "asks you", "replied": "replied"}.get(reason, "commented")
    comment = visibility.find(tx, f"comment:{payload.get('comment')}")
    if comment is None:
        return what
    quote = comments.quoted(tx, payload["comment"])
    short = quote if len(quote) <= _QUOTE_CHARS else f"{quote[: _QUOTE_CHARS - 1].rstrip()}…"
    about = f' on "{short}"' if quote else ""
    return f"{what}{about}: {comment.title}"


def _assigned(_: Read, payload: dict[str, Any], reason: Reason) -> str:
    if reason == "assigned":
        return "assigned it to you"
    return "gave it to somebody else" if payload.get("added") else "took it from who had it"


def _moved(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return f"moved it from {payload.get('from')} to {payload.get('to')}"


def _updated(_: Read, payload: dict[str, Any], __: Reason) -> str:
    names = [name.replace("_", " ") for name in payload.get("changes", {})]
    return f"changed {', '.join(names)}" if names else "changed it"


def _project(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return f"moved it to {payload.get('to_project')}: it is {payload.get('new_key')} now"


def _reviewed(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return "approved the change" if payload.get("decision") == "approve" else "declined the change"


def _applied(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return (
        "applied the change"
        if payload.get("status") == "applied"
        else "could not apply the change: it fits no more"
    )


def _asked(tx: Read, payload: dict[str, Any], _: Reason) -> str:
    return _with_note(f"asks you to agree that it moves to {_lane(tx, payload)}", payload)


def _approved(tx: Read, payload: dict[str, Any], _: Reason) -> str:
    return _with_note(f"agreed that it moves to {_lane(tx, payload)}", payload)


def _rejected(tx: Read, payload: dict[str, Any], _: Reason) -> str:
    return _with_note(f"refused that it moves to {_lane(tx, payload)}", payload)


def _cancelled(tx: Read, payload: dict[str, Any], _: Reason) -> str:
    what = f"ended the request to move it to {_lane(tx, payload)}"
    return f"{what}: {payload['why']}" if "why" in payload else what


def _lane(tx: Read, payload: dict[str, Any]) -> str:
    key = str(payload.get("to_status"))
    return str(tx.value("select name from lane where key = :key", key=key) or key)


def _with_note(what: str, payload: dict[str, Any]) -> str:
    return f"{what}: {payload['note']}" if payload.get("note") else what


def _joined(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return f"added you as {payload.get('role')}"


def _switched_off(_: Read, payload: dict[str, Any], __: Reason) -> str:
    return f"switched it off: {payload.get('error')}"


def _ran(tx: Read, payload: dict[str, Any], _: Reason) -> str:
    """The first rows, for those who may ask for them; others know its name."""
    if "error" in payload:
        return f"could not run it: {payload['error']}"
    kept = tx.value("select last_result from report where id = :id", id=payload.get("report"))
    if kept is None or not analytics.is_whole(tx.caller):
        return "ran it"
    result = json.loads(kept)
    rows = "; ".join(", ".join(map(_value, row)) for row in result["rows"])
    return f"ran it: {', '.join(result['columns'])}: {rows}" if rows else "ran it: no rows"


def _value(value: Any) -> str:
    return "-" if value is None else " ".join(str(value).split())


_SAID: dict[str, Callable[[Read, dict[str, Any], Reason], str]] = {
    "approval.approved": _approved,
    "approval.cancelled": _cancelled,
    "approval.rejected": _rejected,
    "approval.requested": _asked,
    "comment.created": _commented,
    "comment.updated": _commented,
    "issue.assigned": _assigned,
    "issue.transitioned": _moved,
    "issue.updated": _updated,
    "issue.moved": _project,
    "change.reviewed": _reviewed,
    "change.applied": _applied,
    "project.members_changed": _joined,
    "report.ran": _ran,
    "rule.disabled": _switched_off,
    "team.members_changed": _joined,
    "webhook.disabled": _switched_off,
}
