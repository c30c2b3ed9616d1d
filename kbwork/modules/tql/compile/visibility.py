"""How sight is said of each row that a statement looks at."""

import re

from kbwork.modules import assets, comments, members
from kbwork.modules.attachments import access as file_access
from kbwork.modules.members import MEMBER_SEEN
from kbwork.modules.projects import ISSUE_SEEN, access

COMMENT_SEEN = "c.deleted_at is null and (c.internal = 0 or not :kb_guest)"
"""The condition on `comment c` of an issue that is seen."""


def seen(source: str, row: str) -> str:
    """The condition that the caller sees this row of a source.

    It is no place to start a search: a plus before a column keeps its indexes for what the text says.
    """
    said, name = _SEEN[source]
    said = _renamed(said, name, row)
    return f"({re.sub(_DRIVING.format(row=row), rf'+{row}.', said)})"


def _renamed(sql: str, name: str, row: str) -> str:
    """The condition about another row."""
    return re.sub(rf"\b{name}\.", f"{row}.", sql)


_DRIVING = r"(?<!\+)\b{row}\.(?=(?:project|reporter|level|id in|internal)\b)"
_SEEN = {
    "issues": (ISSUE_SEEN, "i"),
    "comments": (comments.SEEN_ON_ISSUES, "c"),
    "assets": (assets.SEEN, "a"),
    "attachments": (file_access.FILE_SEEN, "f"),
    "checks": ("1", "k"),
    "members": (MEMBER_SEEN, "m"),
    "teams": (members.TEAM_SEEN, "t"),
    "projects": (access.SEEN, "p"),
    "versions": ("1", "v"),
}
"""Checks and versions are looked at as parts of an issue that is seen."""
TABLES = {
    "issues": "issue",
    "comments": "comment",
    "assets": "asset",
    "attachments": "attachment",
    "checks": "check_item",
    "members": "member",
    "teams": "team",
    "projects": "project",
    "versions": "issue_revision",
}
"""Source -> its table."""
