"""What is wrong with a field, as the person at the form reads it."""

import copy
import re
from typing import Any

from kbwork.base.errors import Problem

_SHAPES = {
    "email": "Write it as name@example.com.",
    "agent": "Write it in small letters, digits and hyphens, such as build-bot.",
}
"""Field -> the form that it has, in words."""
_ASKED = {"project.name": "project", "project.key": "project"}
"""What an operation takes -> the field of a form that asks for it, where that is called otherwise."""
_EMPTY = frozenset(
    ("is required", "should hold at least 1 character", "should hold at least one visible character")
)
_SHORT = re.compile(r"should hold at least (\d+) characters")


def in_words(problem: Problem) -> Problem:
    """The same refusal without patterns and types in its texts."""
    errors = problem.extra.get("errors", [])
    told = [
        {**error, "path": _ASKED.get(error["path"], error["path"]), "message": _told(error)}
        for error in errors
    ]
    if told == errors:
        return problem
    made = copy.copy(problem)
    made.extra = {**problem.extra, "errors": told}
    first = errors[0]
    if problem.detail in (first["message"], f"{first['path']}: {first['message']}"):
        made.detail = f"{_label(told[0]['path'])}: {told[0]['message']}"
    return made


def _told(error: dict[str, Any]) -> str:
    message = str(error["message"])
    if message in _EMPTY:
        return "Write something here."
    if message.startswith(("should match ", "should be an e-mail address")):
        return _SHAPES.get(error["path"], "This is not of the form that it should have.")
    if found := _SHORT.fullmatch(message):
        return f"Write at least {found[1]} characters."
    return message


def _label(path: str) -> str:
    return {"email": "E-mail address", "org": "Organisation"}.get(path, path.capitalize())
