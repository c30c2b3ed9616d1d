"""Issues: the unit of work, with its assignees, labels and place in the hierarchy."""

from kbwork.modules.issues.access import find, issue, may_comment, may_edit
from kbwork.modules.issues.documents import document
from kbwork.modules.issues.making import touch, watch
from kbwork.modules.issues.parts import person_or_name
from kbwork.modules.issues.queries import key_of
from kbwork.modules.issues.renewing import recall, relate, renew, reserve
from kbwork.modules.issues.standing import MOVES, move_lane

USES = (
    "assets",
    "components",
    "fields",
    "labels",
    "members",
    "projects",
    "search",
    "trash",
    "types",
    "workflows",
)
TABLES = (
    "issue",
    "former_number",
    "issue_assignee",
    "issue_revision",
    "issue_template",
    "issue_vote",
    "issue_watcher",
    "relation",
    "relation_kind",
    "unsettled",
    "web_link",
)
__all__ = [
    "MOVES",
    "TABLES",
    "USES",
    "document",
    "find",
    "issue",
    "key_of",
    "may_comment",
    "may_edit",
    "move_lane",
    "person_or_name",
    "recall",
    "relate",
    "renew",
    "reserve",
    "touch",
    "watch",
]
