"""Signing in, and the caller's own credentials: sessions, second factor, device codes, grants, the sign-in policy."""

from kbwork.modules.auth import attempts
from kbwork.modules.auth.links.command import link_by_command
from kbwork.modules.auth.passwords import hashed, require_fitting, store, verified
from kbwork.modules.auth.providers.stored import finds_members

USES = ("keys", "members")
TABLES = (
    "session",
    "credential",
    "recovery_code",
    "attempt",
    "known_device",
    "challenge",
    "passkey",
    "provider",
    "provider_link",
    "device_code",
    "oauth_client",
    "oauth_code",
    "oauth_grant",
    "oauth_token",
)
WRITES = ("agent",)
"""Tables of others that it writes itself."""
__all__ = [
    "TABLES",
    "USES",
    "WRITES",
    "attempts",
    "finds_members",
    "hashed",
    "link_by_command",
    "require_fitting",
    "store",
    "verified",
]
