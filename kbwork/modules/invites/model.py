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
    """Id of the invite."""
    email: str
    """Address that was invited."""
    role: str
    """Role that they get."""
    teams: list[int]
    """Ids of the teams that they join."""
    projects: list[str]
    """Keys of the projects that they get a role in."""
    state: Literal["pending", "accepted", "revoked", "expired"]
    """Whether it can be accepted, was, or ended otherwise."""
    invited_by: str
    """Id of the member who made it."""
    created_at: int
    """When it was made, in Unix seconds."""
    expires_at: int
    """When it ends, in Unix seconds."""
    accepted_by: str | None
    """Id of the member whom it made; null: not accepted."""
    path: str | None
    """Path of the page that accepts it, with its token; null: told when it is made or sent again."""
    url: str | None
    """The same as a whole address; null: as `path`, or the server does not know its own."""


class InviteInfo(TypedDict):
    """What somebody is invited to, by whom, and how they may sign in."""

    org: str
    """Name of the org."""
    email: str
    """Address that was invited."""
    role: str
    """Role that they get."""
    by: str
    """Name of whoever invited them."""
    methods: list[str]
    """Ways to sign in here: `password`, `passkey`, `link` by mail, and ids of sign-in providers."""


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
