"""What a configuration serves: to somebody, or the same to everybody."""

from typing import Final

from kbwork.modules.flags.definition.content import packed
from kbwork.modules.flags.model import Json

NO_VALUE: Final = -1
"""The caller's default, as counts are stored and what serves is told."""
_SHORT: Final = 40
LISTS: Final = ("targets", "rules", "prerequisites")
"""What makes an answer depend on who asks."""


def to_all(config: Json) -> int | None:
    """The variation that everybody is served, or NO_VALUE; None where it depends on who asks."""
    off: int = NO_VALUE if config["offVariation"] is None else config["offVariation"]
    if not config["on"]:
        return off
    served = named(config["fallthrough"]).union(*map(named, (*config["targets"], *config["rules"])))
    if config["prerequisites"]:
        served.add(off)
    return served.pop() if len(served) == 1 else None


def named(serves: Json) -> set[int]:
    """The variations that a fallthrough, rule or target serves to somebody."""
    if "rollout" not in serves:
        return {serves["variation"]}
    return {part["variation"] for part in serves["rollout"]["variations"] if part["weight"]}


def called(variations: list[Json], variation: int) -> str:
    """What `to_all` answers, as somebody knows it who looks at the flag: by name, else by a value that is short."""
    if variation == NO_VALUE:
        return words(variation)
    one = variations[variation]
    value = packed(one["value"])
    return one["name"] or (value if len(value) <= _SHORT else words(variation))


def words(variation: int) -> str:
    """What `to_all` answers, for people."""
    return "the caller's default" if variation == NO_VALUE else f"variation {variation}"
