"""Scopes as people choose them: by area and side, or all of a sort at once."""

from collections.abc import Iterable

from kbwork.base.dataclasses import dataclass

_SHORT_NAMES = frozenset({"read", "write"})
"""The flag service's other names for `flags:read` and `flags:write`: choosing those is enough."""

_SPOKEN = {"ai": "AI", "api": "the feed of changes", "auth": "your account"}
"""Areas whose names say little to whoever reads them for the first time."""


@dataclass(frozen=True, slots=True)
class Groups:
    """What can be ticked: areas with their sides, and scopes that stand alone."""

    areas: dict[str, list[str]]
    """`issues` -> [`issues:read`, `issues:write`]"""
    single: list[str]


def in_use(scopes: Iterable[str], used: frozenset[str]) -> list[str]:
    """Those that open something today; all of them where none does."""
    every = list(scopes)
    return [scope for scope in every if scope in used] or every


def grouped(scopes: Iterable[str]) -> Groups:
    """Sorted by area, reading before writing."""
    areas: dict[str, list[str]] = {}
    single = []
    for scope in sorted(scopes):
        area, colon, _ = scope.partition(":")
        if colon:
            areas.setdefault(area, []).append(scope)
        elif scope not in _SHORT_NAMES:
            single.append(scope)
    return Groups(areas, single)


def chosen(rights: str, ticked: list[str], held: Iterable[str]) -> list[str]:
    """The scopes of a choice: `read`, `work` (reading and writing), `all`, or those that were ticked."""
    sides = {"read": (":read",), "work": (":read", ":write")}.get(rights)
    if sides is not None:
        return sorted(scope for scope in held if scope.endswith(sides))
    if rights == "all":
        return sorted(held)
    return ticked


def told(scopes: list[str]) -> str:
    """A list of scopes in a few words."""
    if "admin" in scopes:
        return f"admin and {len(scopes) - 1} more" if len(scopes) > 1 else "admin"
    if len(scopes) <= 3:
        return ", ".join(scopes) or "nothing"
    writes = sum(scope.endswith(":write") for scope in scopes)
    return f"reads {len(scopes) - writes} areas" + (f", writes {writes}" if writes else "")


def worded(scopes: list[str]) -> list[str]:
    """What scopes open, as sentences."""
    sides = {"read": "Read", "write": "Change"}
    found = []
    for side, verb in sides.items():
        names = [scope.partition(":")[0] for scope in sorted(scopes) if scope.endswith(f":{side}")]
        areas = [_SPOKEN.get(name, name) for name in names]
        if areas:
            found.append(f"{verb} {_listed(areas)}")
    if "admin" in scopes:
        found.append("Run the organisation: whatever an admin may do")
    return found


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
