"""Searches of GitHub and YouTrack as texts of this language, as far as they go."""

import re

from kbwork.base.patterns import pattern
from kbwork.modules.tql.translate.jql import Translation

_PART = re.compile(r'-?[\w.]+:(?:"[^"]*"|\S+)|"[^"]*"|\S+')
_STATES = {"open": "open", "closed": "done", "merged": "done", "archived": "archived", "locked": "locked"}
_GITHUB_FIELDS = {
    "author": "reporter",
    "assignee": "assignee",
    "label": "label",
    "milestone": "milestone",
    "project": "project",
    "type": "type",
    "created": "created",
    "updated": "updated",
    "closed": "closed",
    "comments": "comments",
    "commenter": "",
    "parent-issue": "parent",
}
_MISSING = {
    "assignee": "assignee",
    "label": "label",
    "milestone": "milestone",
    "type": "type",
    "parent-issue": "parent",
}
_SORTS = {"created": "created", "updated": "updated", "comments": "comments"}
_COMPARED = re.compile(r"(>=|<=|>|<)(.+)")


def from_github(text: str) -> Translation:
    """`is:open label:bug -label:wontfix author:@me created:>2026-01-01 sort:updated-desc words`."""
    found, words, order = Translation(), [], ""
    for part in _PART.findall(text):
        name, colon, value = part.partition(":")
        if part.startswith('"') or not colon:
            words.append(part)
        elif name == "sort":
            field, _, direction = value.partition("-")
            order = f"order by {_SORTS.get(field, 'updated')} {'asc' if direction == 'asc' else 'desc'}"
        else:
            term = _github_term(name.lstrip("-"), value, found)
            if term:
                found.said += ["and"] if found.said else []
                found.said.append(f"not ({term})" if name.startswith("-") else term)
    _with_words(found, words)
    found.said += [order] if order else []
    return found


def _github_term(name: str, value: str, found: Translation) -> str:
    plain = value.strip('"')
    if name in ("is", "state"):
        if plain in _STATES:
            return _STATES[plain]
        if plain not in ("issue", "pr"):
            found.notes.append(f"{name}:{plain} has no counterpart.")
        return ""
    if name == "no" and plain in _MISSING:
        return f"{_MISSING[plain]} is empty"
    field = _GITHUB_FIELDS.get(name)
    if not field:
        found.notes.append(f"{name}:{plain} has no counterpart and was left out.")
        return ""
    return _compared(field, plain)


def _compared(field: str, value: str) -> str:
    if value in ("*", ""):
        return f"{field} is not empty"
    if value in ("@me", "me"):
        return f"{field} = me()"
    low, dots, high = value.partition("..")
    if dots:
        return f"{field} = {_end(low)}..{_end(high)}"
    match = _COMPARED.fullmatch(value)
    if match is not None:
        return f"{field} {match[1]} {match[2]}"
    if field in ("assignee", "reporter"):
        return f"{field} = @{value.lstrip('@')}"
    return f"{field} = {_name(value)}"


def _end(value: str) -> str:
    return "" if value == "*" else value


def _name(value: str) -> str:
    if re.fullmatch(
        r"[A-Za-z_]\w*(?:-[A-Za-z_]\w*)*|\d+(?:\.\d+)?|\d{4}-\d\d(?:-\d\d)?|today|yesterday", value
    ):
        return value
    return '"' + value.replace("\\", "").replace('"', '\\"') + '"'


_YOUTRACK_FIELDS = {
    "project": "project",
    "in": "project",
    "for": "assignee",
    "assignee": "assignee",
    "by": "reporter",
    "reporter": "reporter",
    "created by": "reporter",
    "updater": "updater",
    "state": "status",
    "stage": "status",
    "type": "type",
    "priority": "priority",
    "tag": "label",
    "subsystem": "component",
    "fix versions": "release",
    "fix version": "release",
    "affected versions": "affects",
    "due date": "due",
    "created": "created",
    "updated": "updated",
    "resolved date": "closed",
    "estimation": "estimate",
    "subtask of": "parent",
    "parent for": "",
    "summary": "title",
    "description": "body",
    "commenter": "",
}
_NAMES = "|".join(sorted([*_YOUTRACK_FIELDS, "has"], key=len, reverse=True))
_SIGNS = {"unresolved": "open", "resolved": "done", "me": "assignee = me()", "unassigned": "unassigned"}
_PIECE = re.compile(r"\{[^}]*\}|#\S+|-#\S+|[^\s,#{}]+|,")
_FIELD_START = pattern(rf"(?:(?<=\s)|^)(-?)({_NAMES}):\s*", re.IGNORECASE)
_SORTED = pattern(rf"sort by:\s*({_NAMES}|votes|comments)(?:\s+(asc|desc))?", re.IGNORECASE)


def from_youtrack(text: str) -> Translation:
    """`project: WEB #Unresolved for: me State: Open, {In Progress} sort by: updated desc words`."""
    found = Translation()
    order = _SORTED.search(text)
    body = text if order is None else f"{text[: order.start()]} {text[order.end() :]}"
    starts = list(_FIELD_START.finditer(body))
    at, words = 0, []
    for number, start in enumerate(starts):
        words += _signs(body[at : start.start()], found)
        at = starts[number + 1].start() if number + 1 < len(starts) else len(body)
        words += _signs(_youtrack_term(start, body[start.end() : at], found), found)
    words += _signs(body[at:], found)
    _with_words(found, words)
    if order is not None:
        name = order[1].lower()
        found.said.append(f"order by {_YOUTRACK_FIELDS.get(name, name)} {(order[2] or '').lower()}".strip())
    return found


def _youtrack_term(start: re.Match[str], values: str, found: Translation) -> str:
    """One field with its values; answers what stands behind them."""
    name = start[2].strip().lower()
    pieces = _PIECE.findall(values)
    taken: list[str] = []
    while pieces:
        taken.append(pieces.pop(0).strip("{}"))
        if pieces[:1] != [","]:
            break
        pieces.pop(0)
    field = _YOUTRACK_FIELDS.get(name, "")
    if name == "has":
        negated, plain = taken[0].startswith("-") if taken else False, (taken or [""])[0].lstrip("-").lower()
        term = f"{_YOUTRACK_FIELDS.get(plain, plain)} is {'' if negated else 'not '}empty"
    elif not field or not taken:
        found.notes.append(f"{name}: has no counterpart and was left out.")
        return " ".join(pieces)
    else:
        term = _alternatives(field, taken, pieces)
    _join(found, f"not ({term})" if start[1] else term)
    return " ".join(pieces)


def _alternatives(field: str, taken: list[str], pieces: list[str]) -> str:
    """`created: 2026-01 .. Today` is a range, `State: Open, Fixed` a list; `title: word` a search."""
    if pieces[:1] == [".."] and len(pieces) > 1:
        pieces.pop(0)
        taken[0] += f"..{pieces.pop(0)}"
    if field in ("title", "body"):
        return f'{field} ~ "{" ".join(taken)}"'
    negated = [value[1:] for value in taken if value.startswith("-")]
    terms = [_compared(field, _lowered(value)) for value in taken if not value.startswith("-")]
    terms += [f"not ({_compared(field, _lowered(value))})" for value in negated]
    return terms[0] if len(terms) == 1 else f"({' or '.join(terms)})"


def _lowered(value: str) -> str:
    return re.sub(r"(?i)\b(today|yesterday|tomorrow|me)\b", lambda match: match[0].lower(), value)


def _signs(text: str, found: Translation) -> list[str]:
    """`#Unresolved` is a term; all else are words."""
    words = []
    for piece in _PIECE.findall(text):
        plain = piece.lstrip("-").lstrip("#").strip("{}")
        if "#" not in piece[:2]:
            words += [] if piece == "," else [piece.strip("{}")]
            continue
        term = _SIGNS.get(plain.lower(), f"label = {_name(plain)}")
        _join(found, f"not ({term})" if piece.startswith("-") else term)
    return words


def _join(found: Translation, term: str) -> None:
    found.said += ["and"] if found.said else []
    found.said.append(term)


def _with_words(found: Translation, words: list[str]) -> None:
    """Words that stand alone are searched for."""
    if words:
        text = " ".join(words).replace("\\", " ").replace('"', '\\"')
        _join(found, f'text ~ "{text}"')
