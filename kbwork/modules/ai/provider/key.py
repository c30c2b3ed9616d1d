"""The org's key of a provider: sealed in the file, never shown again, and gone when the address is another."""

from typing import Annotated

from pydantic import StringConstraints

from kbwork.base.model import Input, Name
from kbwork.core.operations.declare import destructive, write
from kbwork.core.seal import Seal
from kbwork.db.rows import AiProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai import policy
from kbwork.modules.ai.model import AIKeyRevoked, AIKeySet, AIPolicy, Slug

NONE = {"secret": None, "key_last4": None, "key_label": None, "key_at": None}
"""The columns of a provider without a key."""
_UNDO = "a key is not taken back: set it again"
_SHORT = 8
"""Of a key with fewer signs no end is kept: it would be half of it."""
_MEND = "Set the key of this provider again: ai.key_set."


class AiKeySet(Input):
    provider: Slug
    """Id of the provider."""
    secret: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,1024}$")]
    """Its API key. It is stored sealed, and never shown again."""
    label: Name | None = None
    """What you call the key."""


@write(
    "ai.key_set",
    scope="admin",
    words="store an API key of a model, set the provider's secret, new key for AI, rotate the AI key",
    undo=_UNDO,
    emits=[AIKeySet],
    example={"provider": "local", "secret": "not-a-real-key", "label": "Trial"},
)
def key_set(tx: Write, args: AiKeySet) -> AIPolicy:
    """Store the key by which the server asks a provider, in the place of the one that is there. For admins."""
    row = policy.require_provider(tx, args.provider)
    tx.update(
        "ai_provider",
        row["id"],
        secret=Seal(tx.secret).seal(args.secret.encode(), _place(row)),
        key_last4=args.secret[-4:] if len(args.secret) >= _SHORT else None,
        key_label=args.label,
        key_at=tx.now,
        updated_at=tx.now,
    )
    told = {"provider": row["id"]} | ({"label": args.label} if args.label else {})
    tx.emit(AIKeySet(subject="org:1", payload=told))
    return policy.shown(tx)


class AiKeyRevoke(Input):
    id: Slug
    """Id of the provider."""


@destructive(
    "ai.key_revoke",
    scope="admin",
    words="remove the API key of a provider, AI key leaked, forget the secret of a model",
    undo=_UNDO,
    emits=[AIKeyRevoked],
    example={"id": "local"},
)
def key_revoke(tx: Write, args: AiKeyRevoke) -> AIPolicy:
    """Forget the key of a provider: nothing is asked by it any more. Where there is none nothing happens. For admins.

    The vendor still takes it: revoke it there as well.
    """
    row = policy.require_provider(tx, args.id)
    if row["secret"] is not None:
        tx.update("ai_provider", row["id"], **NONE, updated_at=tx.now)
        tell_revoked(tx, row)
    return policy.shown(tx)


def tell_revoked(tx: Write, row: AiProviderRow) -> None:
    """Its key is gone, if it had one; nothing of it stays in the log of the file."""
    if row["secret"] is not None:
        tx.shred()
        tx.emit(AIKeyRevoked(subject="org:1", payload={"provider": row["id"]}))


def of(tx: Read, row: AiProviderRow) -> str | None:
    """By which it is asked; None where it takes none. Raises MasterKeyLost."""
    if not row["needs_key"] or row["secret"] is None:
        return None
    return Seal(tx.secret).open(row["secret"], _place(row), _MEND).decode()


def _place(row: AiProviderRow) -> str:
    return f"ai_provider:{row['id']}"
