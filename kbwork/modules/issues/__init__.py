"""Issues: the unit of work, with its assignees, labels and place in the hierarchy."""

from kbwork.modules.issues import event_payloads, preconditions
from kbwork.modules.issues.access import find, get, ident_of, may_comment, may_edit, require_move
from kbwork.modules.issues.commentable import IssueCommentTarget
from kbwork.modules.issues.event_payloads import touch
from kbwork.modules.issues.events import CREATION_EVENTS, IssueRanked
from kbwork.modules.issues.issue import resolve, synced
from kbwork.modules.issues.issue.archive_hooks import restored_document
from kbwork.modules.issues.issue.create import create, create_from_outside
from kbwork.modules.issues.issue.imported import (
    date_imported,
    finish_imported,
    relate_imported,
    update_imported,
)
from kbwork.modules.issues.issue.resolve import MOST_ASSIGNEES, person_or_name
from kbwork.modules.issues.issue.rich_text import document
from kbwork.modules.issues.lifecycle.delete import discard
from kbwork.modules.issues.model import (
    PRIORITIES,
    Issue,
    IssueFlag,
    IssueFlagState,
    IssuesCreate,
    Priority,
)
from kbwork.modules.issues.people.watch import add_watcher
from kbwork.modules.issues.ports import (
    Approvals,
    Checklists,
    Flags,
    IssueMention,
    IssueMentions,
    IssueRemarks,
    Sprints,
)
from kbwork.modules.issues.queries import by_ids, key_of, stored
from kbwork.modules.issues.structure import rank_place
from kbwork.modules.issues.structure.numbers import reserve as reserve_numbers
from kbwork.modules.issues.templates import placeholders
from kbwork.modules.issues.transitions import automatic, effects, engine
from kbwork.modules.issues.transitions.status import TRANSITION_EVENTS, move_lane

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
    "issue_lost",
    "issue_rank_shift",
    "issue_revision",
    "issue_template",
    "issue_vote",
    "issue_watcher",
    "relation",
    "relation_kind",
    "unsettled",
    "web_link",
)
WRITES = ("issue_component", "issue_label", "project")
"""Tables of others that it writes itself."""
__all__ = [
    "CREATION_EVENTS",
    "MOST_ASSIGNEES",
    "PRIORITIES",
    "TABLES",
    "TRANSITION_EVENTS",
    "USES",
    "WRITES",
    "Approvals",
    "Checklists",
    "Flags",
    "Issue",
    "IssueCommentTarget",
    "IssueFlag",
    "IssueFlagState",
    "IssueMention",
    "IssueMentions",
    "IssueRanked",
    "IssueRemarks",
    "IssuesCreate",
    "Priority",
    "Sprints",
    "add_watcher",
    "automatic",
    "by_ids",
    "create",
    "create_from_outside",
    "date_imported",
    "discard",
    "document",
    "effects",
    "engine",
    "event_payloads",
    "find",
    "finish_imported",
    "get",
    "ident_of",
    "key_of",
    "may_comment",
    "may_edit",
    "move_lane",
    "person_or_name",
    "placeholders",
    "preconditions",
    "rank_place",
    "relate_imported",
    "require_move",
    "reserve_numbers",
    "resolve",
    "restored_document",
    "stored",
    "synced",
    "touch",
    "update_imported",
]
