"""Providers as rows: what is kept of each, sealed where it is secret, and whether people may use it."""

import json
from typing import cast

from kbwork.base.errors import Conflict, NotFound
from kbwork.core import org_settings
from kbwork.core.own_address import own_address
from kbwork.core.seal import Seal
from kbwork.db.rows import ProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth.providers.model import Kind, OidcSettings, SignInProvider

RETURN_PATH = "/signin/oidc"
_MEND = "Save the provider again with its secret (auth.provider_save), or put the old master.key back."


def every(tx: Read) -> list[ProviderRow]:
    """All providers, oldest first."""
    return tx.all("select * from provider order by created_at, id", ProviderRow)


def find(tx: Read, provider: str) -> ProviderRow | None:
    """The provider with this id."""
    return tx.one("select * from provider where id = :id", ProviderRow, id=provider)


def require_usable(tx: Read, provider: str) -> ProviderRow:
    """The provider, where people may sign in by it. Raises NotFound, the same for all that are not to be used."""
    row = find(tx, provider)
    if row is None or not is_usable(tx, row):
        raise NotFound(
            f"There is no sign-in provider {provider!r} here; auth.providers lists those that are used."
        )
    return row


def is_usable(tx: Read, row: ProviderRow) -> bool:
    """Whether it is on, and the policy has it among its methods."""
    return bool(row["enabled"]) and row["id"] in org_settings.get(tx, "auth.methods")


def finds_members(tx: Read) -> bool:
    """Whether people may come in by some provider that nobody linked yet: it finds them by their address."""
    return any(is_usable(tx, row) and settings_of(row).link_by_email for row in every(tx))


def end_ways(tx: Write, provider: str) -> None:
    """Who is on the way by it, or waits for the second factor behind it, begins again: it is another one now."""
    tx.execute(
        "delete from challenge where :id in (json_extract(data, '$.provider'), json_extract(data, '$.method'))",
        id=provider,
    )


def end_trust(tx: Write) -> None:
    """No provider's word for a second factor counts any more in open sessions, which do not say whose word it was:
    who comes by another that is still believed signs in again."""
    tx.execute("update session set factor = 0 where factor = 1")


def settings_of(row: ProviderRow) -> OidcSettings:
    """How it is reached."""
    return OidcSettings.model_validate(json.loads(row["settings"]))


def secret_of(tx: Read, row: ProviderRow) -> str | None:
    """The secret that this server has there. Raises MasterKeyLost."""
    if row["secret"] is None:
        return None
    return Seal(tx.secret).open(row["secret"], place(row["id"]), _MEND).decode()


def place(provider: str) -> str:
    """What a sealed secret is bound to."""
    return f"provider:{provider}"


def return_address(tx: Read, provider: str) -> str:
    """Where the provider sends people back to, each to its own, so that none can pass off another's answer as its own.

    Raises Conflict where nothing is served.
    """
    origin = own_address(tx).origin
    if not origin:
        raise Conflict("This server has no address to come back to.")
    return f"{origin}{RETURN_PATH}/{provider}"


def shown(tx: Read) -> list[SignInProvider]:
    """All of them for admins, and for others what the sign-in page shows."""
    told = tx.caller.admin and "admin" in tx.caller.scopes
    return [_one(row, told=told) for row in every(tx) if told or is_usable(tx, row)]


def _one(row: ProviderRow, *, told: bool) -> SignInProvider:
    return SignInProvider(
        id=row["id"],
        kind=cast(Kind, row["kind"]),
        label=row["label"],
        enabled=bool(row["enabled"]),
        create_members=bool(row["create_members"]),
        settings=json.loads(row["settings"]) if told else None,
        has_secret=row["secret"] is not None if told else None,
    )
