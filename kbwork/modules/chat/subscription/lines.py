"""What a channel hears of an event, in a line."""

from typing import Any

from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.ports import mail
from kbwork.core.things.thing import ref_of
from kbwork.db.rows import ChatSubscriptionRow
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.chat.platform.platforms import PostLine

_EXCERPT = 300


def of_event(seen: Read, row: ChatSubscriptionRow, seq: int) -> PostLine | None:
    """As the subscription's author may hear of it now; None where that is nothing any more."""
    found = seen.all(f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e where e.seq = :seq", seq=seq)
    heard = visibility.heard(seen, found)
    if not heard:
        return None
    event = heard[0]
    payload = feed.payload(seen, event)
    ident = int(ref_of(event["subject"])[1])
    issue = seen.stored("issue", [ident])
    if issue is None:
        return None
    key = issues.key_of(seen, issue)
    who = seen.value("select name from member where id = :id", id=event["actor"]) or event["actor"]
    told = _told(seen, event["kind"], payload, str(who))
    origin = row["origin"] or mail.origin(seen)
    return PostLine(key, issue["title"], f"{origin}/issues/{key}", told)


def _told(seen: Read, kind: str, payload: dict[str, Any], who: str) -> str:
    """Who did what."""
    if kind == "comment.created":
        body = seen.value(
            "select body from comment where id = :id and not internal", id=payload.get("comment")
        )
        text = " ".join(str(body or "").split())
        return f"{who} says: {text}" if len(text) <= _EXCERPT else f"{who} says: {text[:_EXCERPT]}…"
    if kind != "issue.updated":
        return f"{kind.removeprefix('issue.')} by {who}"
    changes = payload.get("changes", {})
    if "status" not in changes:
        return f"{', '.join(sorted(changes)).replace('_', ' ')} changed by {who}"
    return f"moved to {changes['status'].get('to')} by {who}"
