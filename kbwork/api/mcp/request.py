"""One request to `/mcp` that was let in."""

from dataclasses import dataclass

from kbwork.base.caller import Caller
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
