"""What small named lists share: to find one by name, to keep names apart, to tell what changed.

A module keeps its own sentences, columns and events.
"""

from typing import TypeVar

from kbwork.base.errors import InvalidInput, NotFound

T = TypeVar("T")


def known(thing: T | None, kind: str, ref: object, shows: str = "", *, field: str = "") -> T:
    """The thing of this kind that `ref` means, if it is there. Raises NotFound, or InvalidInput at the `field` that
    names it; `shows` is the operation that lists what there is."""
    return _or_refuse(thing, f"There is no {kind} {ref!r}", shows, field)


def seen(thing: T | None, kind: str, ref: object, shows: str = "", *, field: str = "") -> T:
    """As `known`, of a kind of which the caller does not see all."""
    return _or_refuse(thing, f"There is no {kind} {ref!r} that you can see", shows, field)


def _or_refuse(thing: T | None, text: str, shows: str, field: str) -> T:
    if thing is not None:
        return thing
    text += f"; {shows} shows them." if shows else "."
    raise InvalidInput(text, field=field) if field else NotFound(text)
