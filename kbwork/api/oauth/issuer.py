"""Where OAuth is at home: the address that its documents name, which must be https or this machine itself."""

from urllib.parse import parse_qs, urlsplit

from kbwork.api.http.hosts import LOOPBACK, bare
from kbwork.base.dataclasses import dataclass

RESOURCE = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"


@dataclass(frozen=True, slots=True)
class Issuer:
    """The address of this server, without a slash at its end; `fixed` where the operator has set it."""

    address: str
    fixed: bool

    def of(self, host: str | None) -> str | None:
        """The address to name to whoever asked for this `Host`, or None where OAuth is off.

        On the machine itself `localhost` and `127.0.0.1` are the same server, and clients compare texts.
        """
        parts = urlsplit(self.address)
        own = bare(parts.netloc)
        if own not in LOOPBACK:
            return self.address if parts.scheme == "https" else None
        asked = bare((host or "").lower())
        if self.fixed or asked not in LOOPBACK:
            return self.address
        return f"{parts.scheme}://{asked}" + (f":{parts.port}" if parts.port else "")


def challenge(home: str | None) -> str:
    """The `WWW-Authenticate` of the MCP door: where a client learns how to sign in."""
    return f'Bearer resource_metadata="{home}{METADATA}{RESOURCE}"' if home else "Bearer"


def asked_modules(home: str, resource: str) -> list[str] | None:
    """The modules that a resource indicator narrows `/mcp` to, `[]` for all; None where it names something else."""
    address, _, query = resource.partition("?")
    if address != home + RESOURCE or "#" in resource:
        return None
    fields = parse_qs(query, max_num_fields=10)
    if fields.keys() - {"modules"}:
        return None
    return [name.strip() for text in fields.get("modules", ()) for name in text.split(",") if name.strip()]
