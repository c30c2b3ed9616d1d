"""The wire formats by the kind of provider."""

import re
from collections.abc import Callable
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.core.operations.external import ServiceCall
from kbwork.modules.ai.model import ModelEntry, ProviderKind
from kbwork.modules.ai.wire import anthropic, openai
from kbwork.modules.ai.wire.exchange import ModelAnswer, entries, members
from kbwork.modules.ai.wire.question import ModelQuestion

MOST_LISTED = 2000
_IDENT = re.compile(r"[!-~]{1,200}")
_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class WireFormat:
    """How a provider is asked, and how its answers are read."""

    question: Callable[[str, str | None, ModelQuestion], tuple[str, ServiceCall]]
    answer: Callable[[Any], ModelAnswer]
    listing: Callable[[str, str | None], tuple[str, ServiceCall]]
    model: Callable[[dict[str, Any]], ModelEntry]


_FORMATS: dict[ProviderKind, WireFormat] = {
    "anthropic": WireFormat(anthropic.question, anthropic.answer, anthropic.listing, anthropic.model),
    "openai": WireFormat(openai.question, openai.answer, openai.listing, openai.model),
}


def of(kind: ProviderKind) -> WireFormat:
    return _FORMATS[kind]


def models(wire: WireFormat, told: Any) -> list[ModelEntry]:
    """What a provider lists, each once. Entries whose id no request could name are left out. Raises Unreadable."""
    found: dict[str, ModelEntry] = {}
    for one in entries(members(told).get("data"))[:MOST_LISTED]:
        if isinstance(one, dict) and isinstance(one.get("id"), str) and _IDENT.fullmatch(one["id"]):
            entry = wire.model(one)
            entry["name"] = " ".join(entry["name"].split())[:_NAME_CHARS] or entry["id"]
            found.setdefault(entry["id"], entry)
    return list(found.values())
