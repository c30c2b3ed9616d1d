"""The material that a model is given of a subject: what the caller sees, nothing excluded, and bounded in size."""

import json
from typing import Any, Literal

from kbwork.base.errors import Problem
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.things.thing import Subject, ref_of
from kbwork.db.tx import Read, json_array
from kbwork.modules import search
from kbwork.modules.ai.context import exclusion, quotes

MOST_CHARS = 48_000
"""Of the material as JSON: some 12,000 tokens."""
_MOST_TEXT = 20_000
_MOST_COMMENTS = 200
_MOST_EVENTS = 200
_MOST_VALUE = 200
_PLAIN = (str, int, float, bool, type(None))
_QUIET = frozenset({"body", "body_doc", "parent", "rank"})
"""Fields whose changes are not told: long texts, and what names something else."""
Part = Literal["whole", "changes", "own"]
"""`own`: nothing that is near it, and nothing that is for the team alone: what comes of it is for others as well."""


def of(tx: Read, subject: Subject, part: Part, since: int = 0) -> str:
    """The material as JSON, without signs that could end the place where it stands in a prompt."""
    found: dict[str, Any] = {"subject": subject.id, "kind": subject.kind}
    found |= _texts(tx, subject, part)
    found["comments"] = _comments(tx, subject, part)
    if part == "changes":
        found["activity"] = _activity(tx, subject, since)
        found["comments"] = _since(found, found["activity"], found["comments"])
    found |= {"people": _people(tx, found)} if "members:read" in tx.caller.scopes else {}
    told = {name: value for name, value in found.items() if value not in ([], {}, None)}
    return _bounded(quotes.left_out(tx, told))


def _texts(tx: Read, subject: Subject, part: Part) -> dict[str, Any]:
    name, ref = ref_of(subject.id)
    kind = visibility.things(tx)[name]
    if kind.ai is not None and kind.ai.material is not None:
        return kind.ai.material(tx, ref, None if part == "own" else exclusion.readable(tx))
    text = search.text_of(tx, subject.id)
    if text is None:
        return {"title": subject.bare or subject.title}
    return {"title": text["title"] or subject.title, "body": text["body"] or ""}


def _comments(tx: Read, subject: Subject, part: Part) -> list[dict[str, Any]]:
    """What was said on it, oldest first, as far as the caller's scopes and sight go."""
    if visibility.things(tx)[subject.kind].comments is None:
        return []
    try:
        said: list[dict[str, Any]] = nested.look(tx, "comments.list", {"subject": subject.id})
    except Problem:  # no scope for it, or the module is off: it is unseen
        return []
    return [
        {"id": one["id"], "author": one["author"], "at": one["created_at"], "body": one["body"]}
        | ({"internal": True} if one["internal"] else {})
        for one in said
        if one["body"] and not (one["internal"] and part == "own")
    ]


def _activity(tx: Read, subject: Subject, since: int) -> list[dict[str, Any]]:
    """What happened after an event, without long texts and without the names of other things."""
    try:
        told: list[dict[str, Any]] = nested.look(
            tx, "activity.list", {"subject": subject.id, "since": max(0, since)}
        )
    except Problem:  # likewise
        return []
    return [
        {
            "seq": event["seq"],
            "kind": event["kind"],
            "actor": event["actor"],
            "at": event["created_at"],
            "changes": _changes(event["payload"]),
        }
        for event in told[-_MOST_EVENTS:]
        if not event["kind"].startswith("ai.")
    ]


def _changes(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        field: {side: value for side, value in sides.items() if _is_short(value)}
        for field, sides in payload.get("changes", {}).items()
        if field not in _QUIET and isinstance(sides, dict)
    }


def _is_short(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= 20 and all(map(_is_short, value))
    return isinstance(value, _PLAIN) and len(str(value)) <= _MOST_VALUE


def _since(
    found: dict[str, Any], activity: list[dict[str, Any]], comments: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The comments that are as new as the activity."""
    found.pop("body", None)
    first = min((one["at"] for one in activity), default=None)
    return [one for one in comments if first is not None and one["at"] >= first]


def _people(tx: Read, found: dict[str, Any]) -> dict[str, str]:
    """The names of the members in it."""
    text = json.dumps(found)
    ids = {part for part in text.split('"') if part.startswith("m_")}
    rows = tx.tuples(
        "select id, name from member where id in (select value from json_each(:ids))",
        ids=json_array(sorted(ids)),
    )
    return dict(rows)


def _bounded(found: dict[str, Any]) -> str:
    """Where it is too long, old comments go first, then the end of long texts; `cut` says what is missing."""
    cut: list[str] = []
    body = found.get("body")
    if isinstance(body, str) and len(body) > _MOST_TEXT:
        found["body"] = body[:_MOST_TEXT]
        cut.append(f"the body behind its first {_MOST_TEXT} characters")
    comments = found.get("comments", [])
    for one in comments:
        one["body"] = one["body"][:_MOST_TEXT]
    kept = comments[-_MOST_COMMENTS:]
    while kept and len(_json(found | {"comments": kept})) > MOST_CHARS:
        kept = kept[1 + len(kept) // 10 :]
    if len(kept) < len(comments):
        found["comments"] = kept
        cut.append(f"the {len(comments) - len(kept)} oldest comments")
    for name in ("activity", "children", "relations", "checklist", "links", "values", "body"):
        if len(_json(found)) > MOST_CHARS and name in found:
            value = found[name]
            found[name] = value[: len(value) // 4] if isinstance(value, str | list) else None
            cut.append(f"most of `{name}`")
    if cut:
        found["cut"] = cut
    text = _json(found)
    return (
        text
        if len(text) <= MOST_CHARS + 1000
        else _json({"title": str(found.get("title")), "cut": ["all else"]})
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
