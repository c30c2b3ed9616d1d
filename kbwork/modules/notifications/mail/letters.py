"""Letters of the inbox: one for each subject, or one for all of them."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kbwork.base.dataclasses import dataclass, replace
from kbwork.core import org_settings, signed_links
from kbwork.core.mail.letters import letter
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.tx import Read
from kbwork.modules.notifications.model import Notification, NotificationEvent, Reason

PURPOSE = "letters of the inbox"
ALL = "all"
"""What stands in a link in the place of a reason."""
_TEMPLATES = Path(__file__).parent / "templates"
_FOOT = "\n\n--\nYou get this letter {{why}}, from {{org}}.\nTurn such letters off: {{page}}\n"
ONE = LetterKind(
    home=__name__,
    key="notifications.inbox",
    about="To a member, about one thing in their inbox.",
    subject="{{title}}",
    variables=("title", "content", "why", "org", "page"),
    required=("content", "page"),
    links=("page",),
    folder=_TEMPLATES,
    file="inbox",
    body="{{content}}" + _FOOT,
)
MANY = LetterKind(
    home=__name__,
    key="notifications.digest",
    about="To a member, about all that is new in their inbox.",
    subject="{{number}} new for you in {{org}}",
    variables=("number", "content", "why", "org", "page"),
    required=("content", "page"),
    links=("page",),
    folder=_TEMPLATES,
    file="inbox",
    body="{{content}}" + _FOOT,
)
WHY: dict[Reason, str] = {
    "approval": "about an approval that you are asked for, or asked for",
    "assigned": "when something is assigned to you",
    "mentioned": "when you are mentioned",
    "replied": "when somebody replies to you",
    "invited": "when you are added to a project or team",
    "shared": "when something is shared with you",
    "agent": "when your agent asks you something",
    "due": "when a date of yours is near",
    "sla": "when a promised time is near",
    "rule": "when a rule tells you something",
    "report": "when a report is ready for you",
    "watching": "about what you watch",
}
ALL_WHY = "about anything in your inbox"


@dataclass(frozen=True, slots=True)
class LetterPart:
    """One subject in a letter, with what happened, oldest first."""

    title: str
    page: str
    why: str
    lines: list[str]


def for_one(tx: Read, member: str, entry: Notification) -> Letter:
    """A letter about one subject: all of them are one thread."""
    token = signed_links.sign_for_good(tx, PURPOSE, member, entry["reason"])
    values = _values(tx, [entry], WHY[entry["reason"]], token) | {"title": entry["title"]}
    named = hashlib.sha256(f"{entry['subject']} {member}".encode()).hexdigest()[:24]
    return replace(
        letter(ONE, values),
        about=entry["subject"],
        unsubscribe=values["page"],
        one_click=True,
        thread=f"inbox.{named}",
    )


def for_many(tx: Read, member: str, entries: Sequence[Notification]) -> Letter:
    """A digest."""
    token = signed_links.sign_for_good(tx, PURPOSE, member, ALL)
    number = "1 thing is" if len(entries) == 1 else f"{len(entries)} things are"
    values = _values(tx, entries, ALL_WHY, token) | {"number": number}
    return replace(letter(MANY, values), unsubscribe=values["page"], one_click=True)


def _values(tx: Read, entries: Sequence[Notification], why: str, token: str) -> dict[str, Any]:
    """What stands in the text; the page ends such letters."""
    origin = mail.origin(tx)
    return {
        "parts": [_part(tx, entry, origin) for entry in entries],
        "org": org_settings.get(tx, "org.name"),
        "why": why,
        "page": f"{origin}/unsubscribe?t={quote(token, safe='')}",
    }


def _part(tx: Read, entry: Notification, origin: str) -> LetterPart:
    return LetterPart(
        title=entry["title"],
        page=f"{origin}{entry['path']}",
        why=WHY[entry["reason"]],
        lines=[_line(tx, event) for event in reversed(entry["events"])],
    )


def _line(tx: Read, event: NotificationEvent) -> str:
    if event["seq"] is None:
        return event["summary"]
    if event["actor"] == "system":
        return f"The server {event['summary']}"
    name = (
        tx.value(
            "select name from member where id = :who union all"
            " select name from customer where 'customer:' || id = :who",
            who=event["actor"],
        )
        or event["actor"]
    )
    return f"{name} {event['summary']}"
