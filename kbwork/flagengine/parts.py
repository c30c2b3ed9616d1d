"""Readers of the parts of a flag or a segment as they are stored. Broken ones raise Malformed; `evaluate` reads them
when it reaches them."""

from collections.abc import Mapping
from typing import Any, Final

from kbwork.flagengine import references
from kbwork.flagengine.contexts import USER
from kbwork.flagengine.json_values import index, is_number

LISTS: Final = (("included", "includedContexts", True), ("excluded", "excludedContexts", False))
"""(list of users, lists by kind, what being there means), in the order in which they are looked at."""


class Malformed(Exception):
    """What was reached cannot be evaluated; the text says why."""


def is_there(flag: Any) -> bool:
    """Whether a flag can be asked for: it is there, not archived, and not just what another one rests on."""
    if type(flag) is not dict:
        return flag is not None
    return flag.get("archived") is not True and flag.get("hidden") is not True


def salt_of(owner: Mapping[str, Any]) -> str:
    """What a flag or a segment is hashed with."""
    salt = owner.get("salt")
    return salt if type(salt) is str else ""


def hash_key_of(owner: Mapping[str, Any], key: str) -> str:
    """By which key a flag or a segment is hashed: its own, or that which it had before it was renamed."""
    found = owner.get("hashKey")
    return found if type(found) is str else key


def kind_of(kind: Any) -> Any:
    """A kind of context as it is named; none is `user`. No context has one that is not text."""
    return USER if kind is None else kind


def list_of(owner: dict[str, Any], name: str) -> list[Any]:
    """A list of an object; none is an empty one."""
    found = owner.get(name)
    if found is None:
        return []
    if type(found) is not list:
        raise Malformed(f"{name} is not a list")
    return found


def rollout_of(rollout: Any) -> dict[str, Any]:
    """A rollout, with at least one slice."""
    slices = rollout.get("variations") if type(rollout) is dict else None
    if type(slices) is not list or not slices:
        raise Malformed("neither a variation nor a rollout with slices is served")
    found: dict[str, Any] = rollout
    return found


def slice_of(part: Any) -> dict[str, Any]:
    """One slice of a rollout."""
    if type(part) is not dict:
        raise Malformed("a slice of the rollout is not an object")
    return part


def weight_of(part: dict[str, Any]) -> int | float:
    """The weight of a slice, or of a segment's rule."""
    weight: Any = part.get("weight")
    if not is_number(weight):
        raise Malformed("a weight is no number")
    number: int | float = weight
    return number


def bucket_path(bucket_by: Any) -> references.Path:
    """Where the attribute stands that a rollout goes by; none is the key."""
    at = references.KEY if bucket_by is None else references.path(bucket_by)
    if at is None:
        raise Malformed(f"bucketBy is no reference to an attribute: {bucket_by!r}")
    return at


def clause_path(clause: dict[str, Any]) -> references.Path:
    """Where the attribute stands that a clause looks at."""
    at = references.path(clause.get("attribute"))
    if at is None:
        raise Malformed(f"attribute is no reference: {clause.get('attribute')!r}")
    return at


def variation_of(flag: dict[str, Any], place: Any) -> tuple[int, Any]:
    """(index, value). Raises Malformed where the flag has no such variation."""
    number = index(place)
    variations = list_of(flag, "variations")
    if number is None or not 0 <= number < len(variations) or type(variations[number]) is not dict:
        raise Malformed(f"the flag has no variation {place!r}")
    return number, variations[number].get("value")
