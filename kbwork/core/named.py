"""What small named lists share: to refuse what is not there, to keep names apart, to tell what changed.

A module keeps its own sentences, columns and events.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from kbwork.base.errors import InvalidInput, NotFound
from kbwork.base.text import folded
from kbwork.db.tx import Read, Row

T = TypeVar("T")

FORMER_MEMBER = "former member"
"""What somebody is called who was erased, wherever a name was kept beside them."""


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


def taken(tx: Read, table: str, name: str, but: int | None, within: str = "1", **binds: Any) -> Row | None:
    """Another row than `but` that has this name without case, among those `within` the condition."""
    return tx.one(
        f"select * from {table} where name_key = :name_key and id is not :but and {within} limit 1",
        name_key=folded(name),
        but=but,
        **binds,
    )


def diff(row: Mapping[str, object], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the columns that would be other than they are."""
    return {name: value for name, value in wanted.items() if row[name] != value}


def changes(
    before: Mapping[str, object],
    after: Mapping[str, object],
    among: Iterable[str] | None = None,
    **shown: Callable[[Any], object],
) -> dict[str, Any]:
    """Field -> (before, after) of what differs `among` these, as events tell it; `shown` makes of what is kept what
    the shape has. `name_key` goes with the name and is not told."""
    names = [name for name in (after if among is None else among) if name in after and name != "name_key"]
    sides = {name: (before[name], after[name]) for name in names if before[name] != after[name]}
    return sides | {
        name: (shown[name](old), shown[name](new)) for name, (old, new) in sides.items() if name in shown
    }
