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
    """Id of the key."""
    name: str
    """What its owner calls it."""
    kind: Literal["personal", "agent"]
    """Whether it acts as its owner or as an agent."""
    agent: str | None
    """Name of the agent; null for a personal key."""
    owner: str
    """Id of the member whose key it is."""
    last4: str
    """Last four characters of its secret."""
    scopes: list[str]
    """What it may do, such as `issues:write`."""
    projects: list[str]
    """Keys of the projects it sees; empty: all that its owner sees."""
    networks: list[str]
    """Networks it may call from; empty: everywhere."""
    created_at: int
    """When it was made, in Unix seconds."""
    expires_at: int | None
    """When it ends, in Unix seconds; null: when it is revoked."""
    last_used_at: int | None
    """When it last called, in Unix seconds; null: never."""
    last_address: str | None
    """Network address it last called from; null: none."""
    calls_month: int
    """Calls of this month, in UTC."""
    state: Literal["active", "rotating", "expired", "revoked"]
    """`rotating` while the secret before the last one still works."""


class KeyWithSecret(ApiKey):
    """A key with its secret, which is shown this once."""

    secret: str
    """The secret to call with, as `Authorization: Bearer <secret>`."""


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
