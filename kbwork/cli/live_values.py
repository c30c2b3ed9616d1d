"""What a server has for a field while it is typed: keys of projects, issues and flags, environments, people."""

from typing import Any

_TIMEOUT_S = 0.5
"""A shell waits for this; whoever types does not."""
_MOST = 50
_PEOPLE = frozenset(
    {"assignee", "assignees", "lead", "maintainers", "member", "owner", "reporter", "reviewer", "who"}
)


def live_values(module: str, field: str, begun: str, given: dict[str, str]) -> list[str]:
    """What may stand for a field of an operation of this module; nothing where no server says so in time.

    `begun` is what is typed of it, `given` what other options hold.
    """
    from kbwork.client.client import ApiClient
    from kbwork.client.errors import KbworkError

    asked = _asked(module, field, begun, given)
    if asked is None:
        return []
    op, fields, column, mark = asked
    try:
        with ApiClient(
            given.get("url"),
            key_file=given.get("key_file"),
            profile=given.get("profile"),
            timeout_s=_TIMEOUT_S,
        ) as client:
            client.retries = 0
            answer = client.call(op, fields)
    except KbworkError:
        return []
    rows = answer["items"] if isinstance(answer, dict) else answer
    return [mark + str(row[column]) for row in rows[:_MOST] if row.get(column)]


def _asked(
    module: str, field: str, begun: str, given: dict[str, str]
) -> tuple[str, dict[str, Any], str, str] | None:
    """(operation, its fields, the column that holds the values, the mark before them)."""
    project = given.get("project")
    if field in _PEOPLE or (module == "members" and field == "id"):
        return "members.list", {"q": begun.lstrip("@") or None, "limit": _MOST}, "handle", "@"
    if module == "flags" and field == "project":
        return "flags.projects", {}, "project", ""
    if module == "flags" and field in ("environment", "key"):
        many = {"environment": "flags.environments", "key": "flags.list"}[field]
        return (many, {"project": project}, "key", "") if project else None
    if field == "project" or (module == "projects" and field == "key"):
        return "projects.list", {}, "key", ""
    if (module, field) == ("issues", "key") or field in ("issue", "parent"):
        within = begun.rpartition("-")[0] or project
        return "issues.list", {"sort": "-updated", "limit": _MOST, "project": within}, "key", ""
    return None
