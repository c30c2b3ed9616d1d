"""Whether a graph can be lived in: every lane is reached from the start, and from each a way leads to a done one."""

from collections.abc import Sequence

from kbwork.base.errors import InvalidInput
from kbwork.db.rows import LaneRow
from kbwork.modules.workflows.model import Kept


def require_sound(lanes: Sequence[LaneRow], start: LaneRow, transitions: Sequence[Kept]) -> None:
    """Raises InvalidInput naming the first lane that cannot be reached, or from which nothing can be finished."""
    ways = _ways(lanes, transitions)
    done = [lane["key"] for lane in lanes if lane["category"] == "done"]
    if not done:
        raise InvalidInput("A workflow has a done lane, in which its issues end.", field="lanes")
    reached = _reached([start["key"]], ways)
    back: dict[str, set[str]] = {}
    for key, nexts in ways.items():
        for other in nexts:
            back.setdefault(other, set()).add(key)
    ending = _reached(done, back)
    for number, lane in enumerate(lanes):
        if lane["key"] not in reached:
            raise InvalidInput(
                f"No way leads from {start['name']} to {lane['name']}: add a transition, or leave the lane out.",
                field=f"lanes[{number}]",
            )
        if lane["key"] not in ending:
            raise InvalidInput(
                f"From {lane['name']} no way leads to a done lane: issues would stay there for good.",
                field=f"lanes[{number}]",
            )


def _ways(lanes: Sequence[LaneRow], transitions: Sequence[Kept]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {lane["key"]: set() for lane in lanes}
    for transition in transitions:
        for key in list(found) if "*" in transition["from"] else transition["from"]:
            found.setdefault(key, set()).add(transition["to"])
    return found


def _reached(begin: Sequence[str], ways: dict[str, set[str]]) -> set[str]:
    found, ahead = set(begin), list(begin)
    while ahead:
        for lane in ways.get(ahead.pop(), ()):
            if lane not in found:
                found.add(lane)
                ahead.append(lane)
    return found
