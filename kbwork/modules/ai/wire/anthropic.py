"""The format of messages: a system text of its own, and an answer in blocks."""

import json
from typing import Any

from kbwork.core.operations.external import ServiceCall
from kbwork.modules.ai.model import ModelEntry
from kbwork.modules.ai.wire.exchange import ModelAnswer, Unreadable, entries, members, tokens
from kbwork.modules.ai.wire.question import ModelQuestion

_VERSION = "2023-06-01"


def _headers(key: str | None) -> dict[str, str]:
    return {"anthropic-version": _VERSION} | ({"x-api-key": key} if key is not None else {})


def _below(base_url: str, path: str) -> str:
    return f"{base_url.rstrip('/').removesuffix('/v1')}/v1/{path}"


def question(base_url: str, key: str | None, asked: ModelQuestion) -> tuple[str, ServiceCall]:
    """(address, request)."""
    said: dict[str, Any] = {
        "model": asked.model,
        "max_tokens": asked.max_tokens,
        "messages": [{"role": role, "content": content} for role, content in asked.messages],
    }
    if asked.system:
        said["system"] = asked.system
    headers = {"Content-Type": "application/json", **_headers(key)}
    return _below(base_url, "messages"), ServiceCall(content=json.dumps(said).encode(), headers=headers)


def answer(told: Any) -> ModelAnswer:
    """Raises Unreadable."""
    blocks = [members(block) for block in entries(members(told).get("content"))]
    texts = [text for block in blocks if isinstance(text := block.get("text"), str)]
    if not texts:
        raise Unreadable("no block is a text")
    usage = told["usage"] if isinstance(told.get("usage"), dict) else {}
    return ModelAnswer("".join(texts), tokens(usage.get("input_tokens")), tokens(usage.get("output_tokens")))


def listing(base_url: str, key: str | None) -> tuple[str, ServiceCall]:
    """(address, request)."""
    return _below(base_url, "models?limit=1000"), ServiceCall(headers=_headers(key))


def model(one: dict[str, Any]) -> ModelEntry:
    """An entry of the list."""
    name = one.get("display_name")
    return ModelEntry(
        id=one["id"],
        name=name if isinstance(name, str) and name else one["id"],
        allowed=False,
        context=tokens(one.get("max_input_tokens")) or tokens(one.get("context_window")),
        price_in=None,
        price_out=None,
    )
