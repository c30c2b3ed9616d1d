"""Which scopes exist, and which of them a role may hold (the narrower of role, key and right always wins)."""

from kbwork.base.errors import InvalidInput
from kbwork.base.text import did_you_mean

_BOTH = (
    "activity",
    "agents",
    "ai",
    "api",
    "assets",
    "attachments",
    "auth",
    "boards",
    "calendars",
    "comments",
    "exports",
    "flags",
    "forms",
    "git",
    "goals",
    "issues",
    "keys",
    "members",
    "notifications",
    "pages",
    "projects",
    "sprints",
    "worklogs",
)
_READ_ONLY = ("automation", "chat", "search")
_GUEST_BOTH = ("activity", "attachments", "auth", "comments", "issues", "notifications")
_GUEST_READ = ("api", "boards", "calendars", "members", "pages", "projects", "search", "worklogs")

MEMBER = frozenset(
    [f"{m}:{side}" for m in _BOTH for side in ("read", "write")]
    + [f"{m}:read" for m in _READ_ONLY]
    + ["read", "write"]
)
GUEST = frozenset(
    [f"{m}:{side}" for m in _GUEST_BOTH for side in ("read", "write")]
    + [f"{m}:read" for m in _GUEST_READ]
    + ["pages:write"]
)
ADMIN = MEMBER | {"admin"}
"""`read`, `write` and `admin` are the flag service's names; `admin` is one scope for both services."""

BY_ROLE: dict[str, frozenset[str]] = {"owner": ADMIN, "admin": ADMIN, "member": MEMBER, "guest": GUEST}
ROLES = ("owner", "admin", "member", "guest")


_FLAGS: dict[str, frozenset[str]] = {
    "read": frozenset({"flags:read"}),
    "write": frozenset({"read", "flags:read", "flags:write"}),
    "admin": frozenset({"read", "write", "flags:read", "flags:write"}),
}


def meant(asked: frozenset[str]) -> frozenset[str]:
    """What scopes of a key say: the names of the flag service stand for the same rights under ours."""
    return asked.union(*(_FLAGS[scope] for scope in asked if scope in _FLAGS))


def of_role(role: str) -> frozenset[str]:
    """All that a role may hold; nothing for a role that is not known."""
    return BY_ROLE.get(role, frozenset())


def check(asked: list[str], role: str) -> list[str]:
    """Scopes for a key of this role, sorted and once each. Raises InvalidInput naming the first that does not fit."""
    held = of_role(role)
    for scope in asked:
        if scope not in ADMIN:
            text = f"There is no scope {scope!r} for keys.{did_you_mean(scope, ADMIN)}"
            raise InvalidInput(text, field="scopes", allowed=sorted(held))
        if scope not in held:
            raise InvalidInput(
                f"The role {role} cannot hold the scope {scope}.", field="scopes", allowed=sorted(held)
            )
    return sorted(set(asked))
