"""What happens to issues."""

from typing import Any, ClassVar

from kbwork.base.events import DomainEvent


class IssueCreated(DomainEvent):
    kind = "issue.created"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    inverse = "issue.deleted"


class IssueUpdated(DomainEvent):
    kind = "issue.updated"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}


class IssueAssigned(DomainEvent):
    kind = "issue.assigned"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"added": payload["removed"], "removed": payload["added"]}


class IssueTransitioned(DomainEvent):
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


class IssueParentChanged(DomainEvent):
    kind = "issue.parent_changed"
    names: ClassVar[dict[str, str]] = {"parent": "issue", "from": "issue", "to": "issue"}

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from": payload["to"], "to": payload["from"]}


class IssueDeleted(DomainEvent):
    """It went to the trash, and `children` of those below along with it."""

    kind = "issue.deleted"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    counts: ClassVar[dict[str, str]] = {"children": "issue"}
    inverse = "issue.restored"


class IssueRestored(DomainEvent):
    kind = "issue.restored"
    names: ClassVar[dict[str, str]] = {"parent": "issue"}
    counts: ClassVar[dict[str, str]] = {"children": "issue"}
    inverse = "issue.deleted"


class IssuePurged(DomainEvent):
    """It is gone for good."""

    kind = "issue.purged"
    audience = "admin"
    scope = "activity:read"


class IssueRelated(DomainEvent):
    kind = "issue.related"
    part = "relation"
    inverse = "issue.unrelated"
    names: ClassVar[dict[str, str]] = {"other": "issue"}


class IssueUnrelated(DomainEvent):
    kind = "issue.unrelated"
    inverse = "issue.related"
    names: ClassVar[dict[str, str]] = {"other": "issue"}


class IssueBlocked(DomainEvent):
    """Open issues block it from now on. `by` is the one that did it."""

    kind = "issue.blocked"
    inverse = "issue.unblocked"
    names: ClassVar[dict[str, str]] = {"by": "issue"}


class IssueUnblocked(DomainEvent):
    """No open issue blocks it any more."""

    kind = "issue.unblocked"
    inverse = "issue.blocked"
    names: ClassVar[dict[str, str]] = {"by": "issue"}


class RelationKindSaved(DomainEvent):
    kind = "relation_kind.saved"
    part = "key"
    inverse = "relation_kind.deleted"
    audience = "members"
    scope = "issues:read"


class RelationKindDeleted(DomainEvent):
    kind = "relation_kind.deleted"
    inverse = "relation_kind.saved"
    audience = "members"
    scope = "issues:read"


class IssueLinked(DomainEvent):
    kind = "issue.linked"
    part = "url"
    inverse = "issue.unlinked"


class IssueUnlinked(DomainEvent):
    kind = "issue.unlinked"
    inverse = "issue.linked"


class IssueWatched(DomainEvent):
    kind = "issue.watched"
    inverse = "issue.unwatched"


class IssueUnwatched(DomainEvent):
    kind = "issue.unwatched"
    inverse = "issue.watched"


class IssueVoted(DomainEvent):
    kind = "issue.voted"
    inverse = "issue.unvoted"


class IssueUnvoted(DomainEvent):
    kind = "issue.unvoted"
    inverse = "issue.voted"


class IssueRanked(DomainEvent):
    kind = "issue.ranked"
    names: ClassVar[dict[str, str]] = {"after": "issue", "before": "issue", "board": "board"}


class IssueMoved(DomainEvent):
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


class IssueConverted(DomainEvent):
    kind = "issue.converted"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from_type": payload["to_type"], "to_type": payload["from_type"]}


class IssueMerged(DomainEvent):
    """It is closed as a duplicate of `into`, which has what hung on it."""

    kind = "issue.merged"
    names: ClassVar[dict[str, str]] = {"into": "issue"}


class IssueSplit(DomainEvent):
    """Some of it became issues of their own: `parts` are their keys."""

    kind = "issue.split"


class IssueArchived(DomainEvent):
    """It was put aside; no `children` went along."""

    kind = "issue.archived"
    inverse = "issue.unarchived"


class IssueUnarchived(DomainEvent):
    kind = "issue.unarchived"
    inverse = "issue.archived"


class IssueLocked(DomainEvent):
    kind = "issue.locked"
    inverse = "issue.unlocked"


class IssueUnlocked(DomainEvent):
    kind = "issue.unlocked"
    inverse = "issue.locked"


class IssueLevelChanged(DomainEvent):
    kind = "issue.level_changed"

    @classmethod
    def turned(cls, payload: dict[str, Any], changes: dict[str, Any], ago_s: int) -> dict[str, Any]:
        return payload | {"from": payload["to"], "to": payload["from"]}


class TemplateSaved(DomainEvent):
    """A template of issues, of a project or of the org."""

    kind = "template.saved"
    part = "template"
    inverse = "template.deleted"
    scope = "issues:read"


class TemplateDeleted(DomainEvent):
    kind = "template.deleted"
    inverse = "template.saved"
    scope = "issues:read"


CREATION_EVENTS = (IssueCreated, IssueAssigned, IssueRelated, IssueBlocked, IssueUnblocked)
