"""The words of keys."""

from typing import Annotated, Literal

from pydantic import StringConstraints
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent

AgentName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,38}$")]
"""An agent's name: lower-case letters, digits and `-`, 39 characters at most."""


class ApiKey(TypedDict):
    """A key, without its secret.

    `projects` limits it to these, `networks` to calls from there; empty: no limit. A project that is gone, or that you
    do not see any more, reads `(gone)`. `rotating` while the secret before
    the last one still works. `last_used_at` and `calls_month` (of this month, UTC) may lag by a minute.
    """

    id: str
    name: str
    kind: Literal["personal", "agent"]
    agent: str | None
    owner: str
    last4: str
    scopes: list[str]
    projects: list[str]
    networks: list[str]
    created_at: int
    expires_at: int | None
    last_used_at: int | None
    last_address: str | None
    calls_month: int
    state: Literal["active", "rotating", "expired", "revoked"]


class KeyWithSecret(ApiKey):
    """A key with its secret, which is shown this once."""

    secret: str


class KeyCreated(DomainEvent):
    kind = "key.created"
    audience = "audit"


class KeyUpdated(DomainEvent):
    kind = "key.updated"
    audience = "audit"


class KeyRotated(DomainEvent):
    kind = "key.rotated"
    audience = "audit"


class KeyRevoked(DomainEvent):
    kind = "key.revoked"
    audience = "audit"
