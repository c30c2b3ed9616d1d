"""What happens to issues."""

from typing import Any, ClassVar

from kbwork.base.events import Event


class IssueCreated(Event):
    kind = "issue.created"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    inverse = "issue.deleted"


class IssueUpdated(Event):
    kind = "issue.updated"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}


class IssueAssigned(Event):
    kind = "issue.assigned"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"added": payload["removed"], "removed": payload["added"]}


class IssueTransitioned(Event):
    kind = "issue.transitioned"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        back = payload | {
            "transition": "undo",
            "from": payload["to"],
            "to": payload["from"],
            "from_category": payload["to_category"],
            "to_category": payload["from_category"],
            "outcome": changes["outcome"][1] if "outcome" in changes else payload["outcome"],
            "seconds_in_lane": ago_s,
        }
        back.pop("reopened", None)
        if back["from_category"] == "done" and back["to_category"] != "done":
            back["reopened"] = True
        return back


class IssueParentChanged(Event):
    kind = "issue.parent_changed"
    names: ClassVar[dict[str, str]] = {"parent": "issue", "from": "issue", "to": "issue"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from": payload["to"], "to": payload["from"]}


class IssueDeleted(Event):
    """It went to the trash, and `children` of those below along with it."""

    kind = "issue.deleted"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    counts: ClassVar[dict[str, str]] = {"children": "issue"}
    inverse = "issue.restored"


class IssueRestored(Event):
    kind = "issue.restored"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    counts: ClassVar[dict[str, str]] = {"children": "issue"}
    inverse = "issue.deleted"


class IssuePurged(Event):
    """It is gone for good."""

    kind = "issue.purged"
    audience = "admin"
    scope = "activity:read"


class IssueRelated(Event):
    kind = "issue.related"
    inverse = "issue.unrelated"
    names: ClassVar[dict[str, str]] = {"other": "issue"}


class IssueUnrelated(Event):
    kind = "issue.unrelated"
    inverse = "issue.related"
    names: ClassVar[dict[str, str]] = {"other": "issue"}


class IssueBlocked(Event):
    """Open issues block it from now on. `by` is the one that did it."""

    kind = "issue.blocked"
    inverse = "issue.unblocked"
    names: ClassVar[dict[str, str]] = {"by": "issue"}


class IssueUnblocked(Event):
    """No open issue blocks it any more."""

    kind = "issue.unblocked"
    inverse = "issue.blocked"
    names: ClassVar[dict[str, str]] = {"by": "issue"}


class RelationKindSaved(Event):
    kind = "relation_kind.saved"
    inverse = "relation_kind.deleted"
    audience = "members"
    scope = "issues:read"


class RelationKindDeleted(Event):
    kind = "relation_kind.deleted"
    inverse = "relation_kind.saved"
    audience = "members"
    scope = "issues:read"


class IssueLinked(Event):
    kind = "issue.linked"
    inverse = "issue.unlinked"


class IssueUnlinked(Event):
    kind = "issue.unlinked"
    inverse = "issue.linked"


class IssueWatched(Event):
    kind = "issue.watched"
    inverse = "issue.unwatched"


class IssueUnwatched(Event):
    kind = "issue.unwatched"
    inverse = "issue.watched"


class IssueVoted(Event):
    kind = "issue.voted"
    inverse = "issue.unvoted"


class IssueUnvoted(Event):
    kind = "issue.unvoted"
    inverse = "issue.voted"


class IssueRanked(Event):
    kind = "issue.ranked"
    names: ClassVar[dict[str, str]] = {"after": "issue", "before": "issue"}


class IssueMoved(Event):
    kind = "issue.moved"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        back = payload | {
            "from_project": payload["to_project"],
            "to_project": payload["from_project"],
            "old_key": payload["new_key"],
            "new_key": payload["old_key"],
            "key": payload["old_key"],
            "project": payload["from_project"],
        }
        back.pop("dropped", None)
        return back


class IssueConverted(Event):
    kind = "issue.converted"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from_type": payload["to_type"], "to_type": payload["from_type"]}


class IssueMerged(Event):
    """It is closed as a duplicate of `into`, which has what hung on it."""

    kind = "issue.merged"
    names: ClassVar[dict[str, str]] = {"into": "issue"}


class IssueSplit(Event):
    """Some of it became issues of their own: `parts` are their keys."""

    kind = "issue.split"


class IssueArchived(Event):
    """It was put aside; no `children` went along."""

    kind = "issue.archived"
    inverse = "issue.unarchived"


class IssueUnarchived(Event):
    kind = "issue.unarchived"
    inverse = "issue.archived"


class IssueLocked(Event):
    kind = "issue.locked"
    inverse = "issue.unlocked"


class IssueUnlocked(Event):
    kind = "issue.unlocked"
    inverse = "issue.locked"


class IssueLevelChanged(Event):
    kind = "issue.level_changed"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from": payload["to"], "to": payload["from"]}


class TemplateSaved(Event):
    """A template of issues, of a project or of the org."""

    kind = "template.saved"
    inverse = "template.deleted"
    scope = "issues:read"


class TemplateDeleted(Event):
    kind = "template.deleted"
    inverse = "template.saved"
    scope = "issues:read"


CREATION_EVENTS = (IssueCreated, IssueAssigned, IssueRelated, IssueBlocked, IssueUnblocked)
