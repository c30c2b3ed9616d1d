"""The words of invites."""

import hashlib
from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

LIVES_S = 14 * 86400


class Invite(TypedDict):
    """An invitation. `path` leads to it and holds its token: only in the answer of create and resend. `url` is the
    same as a whole address, once the server has noted its own.
    """

    id: int
    email: str
    role: str
    teams: list[int]
    projects: list[str]
    state: Literal["pending", "accepted", "revoked", "expired"]
    invited_by: str
    created_at: int
    expires_at: int
    accepted_by: str | None
    path: str | None
    url: str | None


class InviteInfo(TypedDict):
    """What somebody is invited to, by whom, and how they may sign in."""

    org: str
    email: str
    role: str
    by: str
    methods: list[str]


class InviteCreated(DomainEvent):
    kind = "invite.created"
    audience = "admin"


class InviteAccepted(DomainEvent):
    kind = "invite.accepted"
    audience = "admin"


class InviteRevoked(DomainEvent):
    kind = "invite.revoked"
    audience = "admin"


def address_hash(email: str) -> str:
    """What stands for an address in events: who knows it can tell, nobody can read it."""
    return hashlib.sha256(email.lower().encode()).hexdigest()[:16]
