"""One request to `/mcp` that was let in."""

import json
from collections.abc import Mapping
from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidJson
from kbwork.core.operations.call import Credentials

VISIT = "kbwork.mcp"
"""The key of the scope under which the server finds the Visit."""


@dataclass(frozen=True, slots=True)
class McpRequest:
    """One request that was let in."""

    credentials: Credentials
    caller: Caller
    modules: frozenset[str] | None
    """The modules asked for with `?modules=`; None is all."""


def as_body(arguments: Mapping[str, Any]) -> bytes:
    """The body that REST would be sent. Raises InvalidJson for what is no JSON text."""
    try:
        return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode()
    except (UnicodeEncodeError, RecursionError):
        raise InvalidJson("The arguments hold half a character, or nest too deep.") from None
