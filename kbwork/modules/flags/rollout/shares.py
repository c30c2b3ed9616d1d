"""What a step serves: the variation to its share, the others to what is left as they had it before."""

from fractions import Fraction

from kbwork.base.errors import InvalidInput
from kbwork.flagengine.buckets import TOTAL
from kbwork.modules.flags.model import Json

_SERVES = ("variation", "rollout")


def served_at(config: Json, rule: str | None) -> Json | None:
    """What a rule serves, or the fallthrough; None where there is no such rule any more."""
    if rule is None:
        found: Json = config["fallthrough"]
        return found
    owner = next((one for one in config["rules"] if one["id"] == rule), None)
    return {name: owner[name] for name in _SERVES if name in owner} if owner is not None else None


def instruction(rule: str | None, served: Json) -> Json:
    """What puts it there."""
    if rule is None:
        return {"kind": "updateFallthroughVariationOrRollout", **served}
    return {"kind": "updateRuleVariationOrRollout", "ruleId": rule, **served}


def with_share(before: Json, variation: int, weight: int) -> Json:
    """What was served before, with this weight for the variation.

    Parts stay in their order, so that whoever has the variation keeps it while its share grows. Raises InvalidInput
    where nobody has another one.
    """
    rollout: Json = before.get("rollout") or {
        "variations": [
            {"variation": variation, "weight": 0},
            {"variation": before["variation"], "weight": TOTAL},
        ]
    }
    parts = [(one["variation"], one["weight"]) for one in rollout["variations"]]
    if not any(other == variation for other, _ in parts):
        parts.insert(0, (variation, 0))
    others = [(other, had) for other, had in parts if other != variation and had]
    if not others or before.get("variation") == variation:
        raise InvalidInput("Everybody there has this variation already.", field="variation")
    left = iter(_spread([had for _, had in others], TOTAL - weight))
    given = False
    found: list[Json] = []
    for other, had in parts:
        if other == variation:
            share, given = (0 if given else weight), True
        else:
            share = next(left) if had else 0
        if share:
            found.append({"variation": other, "weight": share})
    if len(found) == 1:
        return {"variation": found[0]["variation"]}
    return {"rollout": rollout | {"variations": found}}


def _spread(weights: list[int], total: int) -> list[int]:
    """The total in the proportions of the weights, in whole numbers: the largest remainders get what is over."""
    exact = [Fraction(one * total, sum(weights)) for one in weights]
    found = [int(one) for one in exact]
    by_rest = sorted(range(len(exact)), key=lambda place: found[place] - exact[place])
    for place in by_rest[: total - sum(found)]:
        found[place] += 1
    return found
