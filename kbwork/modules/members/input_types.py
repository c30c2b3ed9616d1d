"""Handles and time zones as inputs: what they may hold, and which are kept back."""

import zoneinfo
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.text import nearest
from kbwork.core.access import callers
from kbwork.db.tx import Read


def _handle(text: str) -> str:
    handle = text.strip().removeprefix("@").lower()
    if not callers.HANDLE.match(handle) or handle.startswith("m_"):
        raise PydanticCustomError(
            "handle",
            "should be 1 to 39 of a-z, 0-9, dot, dash and underscore, and begin with a letter or digit",
        )
    return handle


Handle = Annotated[str, Field(max_length=60), AfterValidator(_handle)]
"""What stands behind the `@`, in lower case."""


@cache
def zones() -> frozenset[str]:
    """The IANA time zones that are known here."""
    return frozenset(zoneinfo.available_timezones())


def _zone(text: str) -> str:
    name = text.strip()
    if name not in zones():
        close = nearest(name, zones())
        hint = f"; did you mean {close}?" if close else ""
        raise PydanticCustomError("zone", "should be a time zone such as Europe/Berlin{hint}", {"hint": hint})
    return name


Zone = Annotated[str, Field(max_length=100), AfterValidator(_zone)]
"""An IANA time zone, such as `Europe/Berlin`."""


def require_handle_free(tx: Read, handle: str, *, but: str = "") -> None:
    """Raises InvalidInput for a handle that is kept back, Conflict for one that a member, team or agent has."""
    if handle in callers.RESERVED:
        raise InvalidInput(f"@{handle} is kept back; take another handle.", field="handle")
    if callers.handle_taken(tx, handle, but=but):
        raise Conflict(f"The handle @{handle} is taken; handles are unique over members, teams and agents.")
