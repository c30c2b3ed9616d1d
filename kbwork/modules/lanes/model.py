"""The events of lanes; their shape stands with workflows, which hold them."""

from kbwork.base.events import DomainEvent


class LaneSaved(DomainEvent):
    kind = "lane.saved"
    part = "key"
    inverse = "lane.deleted"
    audience = "members"
    scope = "projects:read"


class LaneDeleted(DomainEvent):
    kind = "lane.deleted"
    inverse = "lane.saved"
    audience = "members"
    scope = "projects:read"
