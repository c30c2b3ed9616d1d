"""Make, change and delete providers, and ask one which models it offers."""

import json
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Input, Name
from kbwork.base.urls import origin_of, parts_of
from kbwork.core import named
from kbwork.core.operations.declare import destructive, write
from kbwork.core.operations.external import External
from kbwork.db.rows import AiProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.ai import policy
from kbwork.modules.ai.model import (
    AIKeyRevoked,
    AIPolicy,
    AIProviderDeleted,
    AIProviderSaved,
    ModelEntry,
    ModelName,
    ProviderKind,
    ProviderModels,
    Slug,
)
from kbwork.modules.ai.provider import key
from kbwork.modules.ai.wire import exchange, formats

MOST = 50
"""Providers of one org."""
MOST_MODELS = 500
_TOLD = ("label", "kind", "base_url", "models", "default_model", "enabled", "needs_key", "browser")


class AiProviderSave(Input):
    id: Slug
    """Id of the provider, lower-case letters, digits and `-`; a new one makes it."""
    label: Name
    """What it is called."""
    kind: ProviderKind
    """The wire format that it speaks: `anthropic` (messages) or `openai` (chat completions)."""
    base_url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^https?://[!-~]+$")]
    """The address below which it is asked, such as `https://api.example.com/v1`."""
    default_model: Annotated[str, Field(max_length=200)]
    """The model that is asked where none is named, one of `models`; empty where there are none yet."""
    models: Annotated[list[ModelName], Field(max_length=MOST_MODELS)]
    """The models that may be picked; `ai.provider_models` says which there are."""
    enabled: bool
    """False: it is not asked."""
    needs_key: bool
    """False for local models that take no key."""
    browser: bool
    """Whether a browser may ask it with the person's own key."""


@write(
    "ai.provider_save",
    scope="admin",
    words=(
        "add a model provider, connect an LLM, use a local model, ollama, change the AI provider, "
        "allow a model, switch a provider off"
    ),
    undo=policy.UNDO,
    emits=[AIProviderSaved, AIKeyRevoked],
    example={
        "id": "local",
        "label": "Our own models",
        "kind": "openai",
        "base_url": "http://127.0.0.1:11434/v1",
        "default_model": "llama3.2",
        "models": ["llama3.2"],
        "enabled": True,
        "needs_key": False,
        "browser": False,
    },
)
def provider_save(tx: Write, args: AiProviderSave) -> AIPolicy:
    """Make a provider, or change one. For admins. Another `base_url` clears its key.

    Addresses in private networks are asked where the operator lists host and port in `outbound.allow` alone. An org has
    50 providers at most (409).
    """
    _require_address(args.base_url)
    if args.default_model not in (args.models or [""]):
        raise InvalidInput(
            "The default model is one of `models`.", field="default_model", allowed=args.models
        )
    columns = args.filled(
        "label",
        "kind",
        "base_url",
        "default_model",
        models=json.dumps,
        enabled=int,
        needs_key=int,
        browser=int,
    )
    row: AiProviderRow | None = tx.stored("ai_provider", [args.id])
    if row is None:
        if tx.value("select count(*) from ai_provider") >= MOST:
            raise Conflict(f"An org has {MOST} providers at most: delete one first.")
        tx.insert("ai_provider", id=args.id, **columns, created_at=tx.now, updated_at=tx.now)
        tx.emit(AIProviderSaved(subject="org:1", payload={"provider": args.id, "label": args.label}))
    elif named.diff(row, columns):
        _change(tx, row, columns)
    return policy.shown(tx)


def _change(tx: Write, row: AiProviderRow, columns: dict[str, Any]) -> None:
    moved = columns["base_url"] != row["base_url"]
    tx.update("ai_provider", row["id"], **columns, **(key.NONE if moved else {}), updated_at=tx.now)
    changes = named.changes(
        row, columns, _TOLD, models=json.loads, enabled=bool, needs_key=bool, browser=bool, base_url=_origin
    )
    tx.emit(AIProviderSaved(subject="org:1", payload={"provider": row["id"]}, changes=changes))
    if moved:
        key.tell_revoked(tx, row)


def _require_address(url: str) -> None:
    """Raises InvalidInput for what names no host, or holds more than a place."""
    parts = parts_of(url)
    if parts is None:
        raise InvalidInput("Write the address as https://example.com/v1.", field="base_url")
    if "@" in parts.netloc or parts.query or parts.fragment or url.endswith(("?", "#")):
        raise InvalidInput(
            "An address has neither a name and password nor anything behind `?` or `#`: the key is set by ai.key_set.",
            field="base_url",
        )


def _origin(url: str) -> str:
    """What events say of it: the rest may be a secret."""
    return origin_of(urlsplit(url))


class AiProviderDelete(Input):
    id: Slug
    """Id of the provider."""


@destructive(
    "ai.provider_delete",
    scope="admin",
    words="remove a model provider, stop using an LLM vendor",
    undo=policy.UNDO,
    emits=[AIProviderDeleted, AIKeyRevoked],
    example={"id": "local"},
)
def provider_delete(tx: Write, args: AiProviderDelete) -> AIPolicy:
    """Delete a provider with its key. What was used of it stays counted. For admins."""
    row = policy.require_provider(tx, args.id)
    tx.delete("ai_provider", row["id"])
    key.tell_revoked(tx, row)
    tx.emit(AIProviderDeleted(subject="org:1", payload={"provider": row["id"], "label": row["label"]}))
    return policy.shown(tx)


class AiProviderModels(Input):
    id: Slug
    """Id of the provider."""


@write(
    "ai.provider_models",
    scope="admin",
    words="which models does a provider have, list models, prices of models, context window, new models",
    undo="a look changes nothing",
    emits=[],
    repeatable=True,
    example={"id": "local"},
)
async def provider_models(out: External, args: AiProviderModels) -> ProviderModels:
    """Ask a provider which models it offers, whether or not it is on. For admins.

    Allowed ones that it lists no more stand behind the others, so that they can be taken out.
    """
    row, secret = await out.read(lambda tx: _look(tx, args.id))
    wire = formats.of(row["kind"])
    url, call = wire.listing(row["base_url"], secret)
    found = await exchange.ask(out, url, call, lambda told: formats.models(wire, told))
    return ProviderModels(provider=row["id"], models=_with_allowed(found, json.loads(row["models"])))


def _look(tx: Read, ident: str) -> tuple[AiProviderRow, str | None]:
    """Raises NotFound or MasterKeyLost."""
    row = policy.require_provider(tx, ident)
    return row, key.of(tx, row)


def _with_allowed(found: list[ModelEntry], allowed: list[str]) -> list[ModelEntry]:
    listed = {one["id"] for one in found}
    for one in found:
        one["allowed"] = one["id"] in allowed
    return found + [
        ModelEntry(id=ident, name=ident, allowed=True, context=None, price_in=None, price_out=None)
        for ident in allowed
        if ident not in listed
    ]
