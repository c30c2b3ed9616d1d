"""Keys: what programs sign in with. A key's rights are its scopes, cut by what its owner may do now."""

from kbwork.modules.keys.model import ApiKey, KeyCreated, KeyRevoked
from kbwork.modules.keys.queries import revoke, shown

USES = ("projects",)
TABLES = ("key", "key_calls", "agent")
__all__ = ["TABLES", "USES", "ApiKey", "KeyCreated", "KeyRevoked", "revoke", "shown"]
