"""The format of chat completions, which many vendors and local runtimes speak."""

import json
from typing import Any
from urllib.parse import urlsplit

from kbwork.core.operations.external import ServiceCall
from kbwork.modules.ai.model import ModelEntry
from kbwork.modules.ai.wire.exchange import ModelAnswer, Unreadable, entries, members, price, tokens
from kbwork.modules.ai.wire.question import ModelQuestion


def _below(base_url: str, path: str) -> str:
    """A bare host is taken as its first version."""
    base = base_url.rstrip("/")
    return f"{base}{'' if urlsplit(base).path else '/v1'}/{path}"


def _bearer(key: str | None) -> str | None:
    return f"Bearer {key}" if key is not None else None


def question(base_url: str, key: str | None, asked: ModelQuestion) -> tuple[str, ServiceCall]:
    """(address, request)."""
    system = [{"role": "system", "content": asked.system}] if asked.system else []
    said = {
        "model": asked.model,
        "max_tokens": asked.max_tokens,
        "messages": system + [{"role": role, "content": content} for role, content in asked.messages],
        "stream": False,
    }
    call = ServiceCall(
        content=json.dumps(said).encode(),
        headers={"Content-Type": "application/json"},
        authorization=_bearer(key),
    )
    return _below(base_url, "chat/completions"), call


def answer(told: Any) -> ModelAnswer:
    """Raises Unreadable."""
    choices = entries(members(told).get("choices"))
    said = members(members(choices[0]).get("message")).get("content") if choices else None
    if isinstance(said, list):
        said = "".join(str(members(part).get("text", "")) for part in said)
    if not isinstance(said, str):
        raise Unreadable("no message has a text")
    usage = told["usage"] if isinstance(told.get("usage"), dict) else {}
    return ModelAnswer(said, tokens(usage.get("prompt_tokens")), tokens(usage.get("completion_tokens")))


def listing(base_url: str, key: str | None) -> tuple[str, ServiceCall]:
    """(address, request)."""
    return _below(base_url, "models"), ServiceCall(authorization=_bearer(key))


def model(one: dict[str, Any]) -> ModelEntry:
    """An entry of the list. Vendors name what they say beside the id each in their way."""
    name = one.get("name") or one.get("display_name")
    pricing = one["pricing"] if isinstance(one.get("pricing"), dict) else {}
    windows = (tokens(one.get(said)) for said in ("context_length", "context_window", "max_model_len"))
    return ModelEntry(
        id=one["id"],
        name=name if isinstance(name, str) and name else one["id"],
        allowed=False,
        context=next((found for found in windows if found), None),
        price_in=price(pricing.get("prompt")),
        price_out=price(pricing.get("completion")),
    )
