"""References to attributes: a name, or a path such as `/address/city`."""

import re
from typing import Any

Path = tuple[str, ...]

KIND: Path = ("kind",)
"""The attribute that stands for all kinds of the context."""
KEY: Path = ("key",)
_BROKEN = re.compile(r"~(?![01])")


def path(reference: object) -> Path | None:
    """The names along the way; None where the reference is malformed."""
    if not isinstance(reference, str) or reference in ("", "/"):
        return None
    if not reference.startswith("/"):
        return (reference,)
    parts = reference[1:].split("/")
    if not all(parts) or _BROKEN.search(reference):
        return None
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def find(attributes: dict[str, Any], at: Path) -> Any:
    """What lies there, or None. Only objects are walked into."""
    value: Any = attributes
    for name in at:
        if type(value) is not dict:
            return None
        value = value.get(name)
    return value
