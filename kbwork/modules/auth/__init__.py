"""Signing in, and the caller's own credentials: sessions, second factor, device codes, the sign-in policy."""

from kbwork.modules.auth.passwords import hashed, require_fitting, store, verified

USES = ("keys", "members")
TABLES = ("session", "credential", "recovery_code", "attempt", "known_device", "challenge", "device_code")
__all__ = ["TABLES", "USES", "hashed", "require_fitting", "store", "verified"]
