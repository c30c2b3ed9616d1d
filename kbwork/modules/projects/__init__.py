"""Projects: where issues live, under one key, with their people, types and settings."""

from kbwork.modules.projects import access, audience, issue_access, placement
from kbwork.modules.projects.audience import RATED
from kbwork.modules.projects.issue_access import ISSUE_RESTORABLE, ISSUE_SEEN
from kbwork.modules.projects.lifecycle.delete import unmake
from kbwork.modules.projects.model import ProjectKey
from kbwork.modules.projects.ports import ContentPart, CopiedIssues, OfferedTypes, OfferedViews, given
from kbwork.modules.projects.project_members import member_set
from kbwork.modules.projects.queries import LAST_NUMBER

USES = ("members", "trash")
TABLES = (
    "project",
    "project_count",
    "project_key",
    "project_member",
    "project_status",
    "project_template",
    "project_type",
)
__all__ = [
    "ISSUE_RESTORABLE",
    "ISSUE_SEEN",
    "LAST_NUMBER",
    "RATED",
    "TABLES",
    "USES",
    "ContentPart",
    "CopiedIssues",
    "OfferedTypes",
    "OfferedViews",
    "ProjectKey",
    "access",
    "audience",
    "given",
    "issue_access",
    "member_set",
    "placement",
    "unmake",
]
