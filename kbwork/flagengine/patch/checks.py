"""Reading what is to be stored, strictly: everything is there, known and of its type, and can match something.

Each reader answers the part as it is stored, with its defaults, or raises Wrong with the place of what is wrong.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kbwork.flagengine import contexts, references
from kbwork.flagengine.buckets import TOTAL
from kbwork.flagengine.clauses import patterns
from kbwork.flagengine.clauses.dates import instant
from kbwork.flagengine.clauses.operators import OPERATORS, SEGMENT_MATCH
from kbwork.flagengine.clauses.versions import version
from kbwork.flagengine.contexts import USER
from kbwork.flagengine.json_values import index, is_endless, is_number

_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
LONGEST_KEY: Final = 1024
"""Characters of a context's key in a list."""
LONGEST_TEXT: Final = 2000
MOST_VALUES: Final = 100_000
"""Keys of one list."""
MOST_RULES: Final = 500
MOST_CLAUSES: Final = 100
MOST_TARGETS: Final = 1000
MOST_ENTRIES: Final = 100
MOST_PREREQUISITES: Final = 100
LATEST_MS: Final = 253_402_300_799_000
"""The last moment that can be written as text."""
BODY: Final = ("included", "excluded", "includedContexts", "excludedContexts", "rules", "salt")
"""What a segment is, but for its names."""
_PATTERN: Final = 2_000
"""Reading a pattern takes as long as going through so many keys."""
_SHOWN: Final = 100
"""Characters of a value that a message quotes."""
_NAMED: Final = 10
"""Names that a message lists."""


class Wrong(ValueError):
    """What was given cannot be stored. `path` is its place (`clauses[0].op`), the text says how to mend it."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} {why}" if path else why)
        self.path = path
        self.why = why


class Allowance:
    """How much work one request may still ask for: keys gone through, and patterns read."""

    __slots__ = ("_left",)

    def __init__(self, left: int = 5_000_000) -> None:
        self._left = left

    def spend(self, units: int, path: str) -> None:
        """Raises Wrong where that is more than is left."""
        self._left -= units
        if self._left < 0:
            raise Wrong(path, "is too much at once: send fewer instructions on long lists, with more in each")


@dataclass(frozen=True, slots=True)
class PatchContext:
    """What a change may refer to: the flag's variations, the environment's segments, the project's other flags, people.

    `fits` tells what of a JSON schema is wrong, or of these values does not fit it.
    """

    variations: int = 0
    segments: Collection[str] = ()
    segment: str = ""
    """Key of the segment that is changed."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """Key -> how many variations it has; without the flag itself."""
    new_id: Callable[[], str] = lambda: ""
    """Makes an id for a rule that comes without one."""
    people: Collection[str] = ()
    used: Collection[int] = ()
    """Variations of the flag that some environment serves, or another flag waits for."""
    fits: Callable[[dict[str, Any], tuple[Any, ...]], str | None] = lambda _, __: None
    allowance: Allowance = field(default_factory=Allowance, compare=False)


def shown(value: Any) -> str:
    """A value as messages quote it: text in quotes, all else as JSON, and of what is long the beginning."""
    if type(value) is str:
        return repr(value) if len(value) <= _SHOWN else f"{value[:_SHOWN]!r}..."
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= _SHOWN else f"{told[:_SHOWN]}..."


def some_of(names: Collection[str]) -> str:
    """Names as messages list them: the first, and how many more there are; `none` where there is none."""
    if not names:
        return "none"
    more = len(names) - _NAMED
    return ", ".join(list(names)[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def members(
    value: Any, path: str, needed: Collection[str] = (), optional: Collection[str] = ()
) -> dict[str, Any]:
    """An object with all that is needed and nothing that is not known."""
    if type(value) is not dict:
        raise Wrong(path, "should be an object")
    at = f"{path}." if path else ""
    for name in value:
        if name not in needed and name not in optional:
            known = ", ".join([*needed, *optional]) or "none"
            cut = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}..."
            raise Wrong(f"{at}{cut}", f"is not known here; the fields are: {known}")
    for name in needed:
        if name not in value:
            raise Wrong(f"{at}{name}", "is missing")
    return value


def items(value: Any, path: str, *, most: int, least: int = 0) -> list[Any]:
    """A list of so many items."""
    if type(value) is not list:
        raise Wrong(path, "should be a list")
    if len(value) < least:
        raise Wrong(path, f"should have at least {least} item{'s' * (least != 1)}")
    if len(value) > most:
        raise Wrong(path, f"should have at most {most:,} items")
    return value


def truth(value: Any, path: str) -> bool:
    """A boolean."""
    if type(value) is not bool:
        raise Wrong(path, "should be true or false")
    return value


def optional_truth(value: Any, path: str) -> bool:
    """A boolean that may be left out: then it is false."""
    return False if value is None else truth(value, path)


def text(value: Any, path: str, *, most: int = LONGEST_TEXT, least: int = 0) -> str:
    """Text of so many characters that people read: without U+0000, which no text of an operation holds."""
    found = _characters(value, path, most, least)
    if "\0" in found:
        raise Wrong(path, "cannot hold the character U+0000")
    return found


def optional_text(value: Any, path: str, *, most: int = LONGEST_TEXT) -> str:
    """Text that may be left out: then it is empty."""
    return "" if value is None else text(value, path, most=most)


def _characters(value: Any, path: str, most: int, least: int) -> str:
    if type(value) is not str:
        raise Wrong(path, "should be text")
    if len(value) < least:
        raise Wrong(path, "should not be empty")
    if len(value) > most:
        raise Wrong(path, f"should have at most {most:,} characters")
    return value


def name_of(value: Any, path: str) -> str:
    """An id that somebody chose."""
    if type(value) is not str or not _ID.fullmatch(value):
        raise Wrong(path, "should be 1 to 64 letters, digits, dots, dashes and underscores")
    return value


def texts(value: Any, path: str, *, most: int, longest: int) -> list[str]:
    """Texts that are not empty, each once, in their order; at least one."""
    found = items(value, path, most=most, least=1)
    return list(
        dict.fromkeys(text(one, f"{path}[{place}]", most=longest, least=1) for place, one in enumerate(found))
    )


def some_keys(value: Any, path: str) -> list[str]:
    """Keys of contexts as they are, each once, in their order; at least one."""
    found = items(value, path, most=MOST_VALUES, least=1)
    return list(
        dict.fromkeys(_characters(one, f"{path}[{place}]", LONGEST_KEY, 1) for place, one in enumerate(found))
    )


def variation(value: Any, path: str, count: int) -> int:
    """The index of a variation that is there."""
    number = index(value)
    if number is None:
        raise Wrong(path, "should be the index of a variation, a whole number from 0")
    if not 0 <= number < count:
        raise Wrong(path, f"is {shown(number)}, and the variations are 0 to {count - 1}")
    return number


def kind(value: Any, path: str) -> str:
    """A kind of context; none is `user`."""
    if value is None:
        return USER
    if not contexts.is_kind(value):
        raise Wrong(
            path, "should be a kind of context: letters, digits, dots, dashes and underscores, such as user"
        )
    found: str = value
    return found


def reference(value: Any, path: str) -> str:
    """A reference to an attribute."""
    if references.path(value) is None:
        why = "should name an attribute, such as country, or a path such as /address/city"
        raise Wrong(path, f"{why}{_malformed(value) if type(value) is str else ''}")
    found: str = value
    return found


def _malformed(reference: str) -> str:
    """What is wrong with a reference that is none."""
    if reference == "":
        return ""
    if reference == "/":
        return ": nothing stands behind the slash"
    if not all(reference[1:].split("/")):
        return f": {shown(reference)} has an empty part"
    return f": {shown(reference)} has a ~ without 0 or 1 behind it; ~0 stands for ~, and ~1 for /"


def require_finite(value: Any, path: str) -> None:
    """Raises Wrong for a number, also one within, that no double holds."""
    if is_endless(value):
        raise Wrong(path, "holds a number that is too large: they go up to 1.8e308")


def clause(value: Any, path: str, world: PatchContext) -> dict[str, Any]:
    """A clause, whose operator may match its values."""
    given = members(value, path, ("op", "values"), ("contextKind", "attribute", "negate"))
    op = given["op"]
    if type(op) is not str or (op != SEGMENT_MATCH and op not in OPERATORS):
        raise Wrong(f"{path}.op", f"should be one of {', '.join([*OPERATORS, SEGMENT_MATCH])}")
    found: dict[str, Any] = {"contextKind": kind(given.get("contextKind"), f"{path}.contextKind")}
    if op != SEGMENT_MATCH:
        found["attribute"] = reference(given.get("attribute"), f"{path}.attribute")
    elif given.get("attribute") is not None:
        raise Wrong(f"{path}.attribute", "should be left out: segmentMatch looks at no attribute")
    values = items(given["values"], f"{path}.values", most=MOST_VALUES, least=1)
    for place, one in enumerate(values):
        _matchable(op, one, f"{path}.values[{place}]", world)
    return found | {
        "op": op,
        "values": values,
        "negate": optional_truth(given.get("negate"), f"{path}.negate"),
    }


def _matchable(op: str, value: Any, path: str, world: PatchContext) -> None:
    """Raises Wrong for a value that the operator can never match."""
    require_finite(value, path)
    if op == "in":
        if type(value) is not str and type(value) is not bool and not is_number(value):
            raise Wrong(path, "should be text, a number, true or false")
    elif op in ("before", "after"):
        if instant(value) is None:
            raise Wrong(path, "should be a date such as 2026-03-01T09:00:00Z, or Unix milliseconds")
    elif op.startswith("semVer"):
        if version(value) is None:
            raise Wrong(path, "should be a version such as 2.1.0")
    elif op.startswith(("less", "greater")):
        if not is_number(value):
            raise Wrong(path, "should be a number")
    else:
        _matchable_text(op, value, path, world)


def _matchable_text(op: str, value: Any, path: str, world: PatchContext) -> None:
    if type(value) is not str:
        raise Wrong(path, "should be text")
    if op == SEGMENT_MATCH and value not in world.segments:
        raise Wrong(path, f"names the segment {shown(value)}, which this environment does not have")
    if op == "matches":
        world.allowance.spend(_PATTERN, path)
        try:
            patterns.check(value)
        except patterns.BadPattern as bad:
            raise Wrong(path, f"is no pattern that can be used: {bad}") from None


def clauses(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """The clauses of a rule: at least one, for a rule without would match everybody."""
    found = items(value, path, most=MOST_CLAUSES, least=1)
    return [clause(one, f"{path}[{place}]", world) for place, one in enumerate(found)]


def served(given: Mapping[str, Any], path: str, world: PatchContext) -> dict[str, Any]:
    """`variation` or `rollout` of an object, one of the two."""
    at = f"{path}." if path else ""
    if (given.get("variation") is None) == (given.get("rollout") is None):
        raise Wrong(path, "should serve a variation or a rollout, one of the two")
    if given.get("variation") is not None:
        return {"variation": variation(given["variation"], f"{at}variation", world.variations)}
    return {"rollout": rollout(given["rollout"], f"{at}rollout", world)}


def rollout(value: Any, path: str, world: PatchContext) -> dict[str, Any]:
    """A percentage rollout, whose weights are thousandths of a percent and sum to 100000."""
    given = members(value, path, ("variations",), ("bucketBy", "contextKind"))
    slices = []
    listed = items(given["variations"], f"{path}.variations", most=1000, least=1)
    for place, one in enumerate(listed):
        at = f"{path}.variations[{place}]"
        part = members(one, at, ("variation", "weight"))
        slices.append(
            {
                "variation": variation(part["variation"], f"{at}.variation", world.variations),
                "weight": weight(part["weight"], f"{at}.weight"),
            }
        )
    total = sum(part["weight"] for part in slices)
    if total != TOTAL:
        raise Wrong(f"{path}.variations", f"has weights that sum to {total}, and they should sum to {TOTAL}")
    found: dict[str, Any] = {
        "variations": slices,
        "contextKind": kind(given.get("contextKind"), f"{path}.contextKind"),
    }
    if given.get("bucketBy") is not None:
        found["bucketBy"] = reference(given["bucketBy"], f"{path}.bucketBy")
    return found


def weight(value: Any, path: str) -> int:
    """Thousandths of a percent."""
    number = index(value)
    if number is None or not 0 <= number <= TOTAL:
        raise Wrong(path, f"should be a whole number from 0 to {TOTAL}, in thousandths of a percent")
    return number


def rule(value: Any, path: str, world: PatchContext, taken: Collection[str] = ()) -> dict[str, Any]:
    """A rule of a flag."""
    given = members(value, path, ("clauses",), ("id", "description", "variation", "rollout", "trackEvents"))
    at = f"{path}." if path else ""
    return {
        "id": rule_id(given.get("id"), f"{at}id", world, taken),
        "description": optional_text(given.get("description"), f"{at}description"),
        "clauses": clauses(given["clauses"], f"{at}clauses", world),
        **served(given, path, world),
        "trackEvents": optional_truth(given.get("trackEvents"), f"{at}trackEvents"),
    }


def rule_id(value: Any, path: str, world: PatchContext, taken: Collection[str]) -> str:
    """The id of a new rule: the one that was chosen, or a new one."""
    if value is None:
        return world.new_id()
    if name_of(value, path) in taken:
        raise Wrong(path, f"is {value!r}, which another rule has")
    found: str = value
    return found


def rules(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """All rules of a flag, with ids that differ."""
    return _each_rule(value, path, world, rule, "id")


def _each_rule(
    value: Any,
    path: str,
    world: PatchContext,
    read: Callable[[Any, str, PatchContext, Collection[str]], dict[str, Any]],
    name: str,
) -> list[dict[str, Any]]:
    """All rules of a list; `read` reads one, given the ids before it, which stand under `name`."""
    found: list[dict[str, Any]] = []
    for place, one in enumerate(items(value, path, most=MOST_RULES)):
        found.append(read(one, f"{path}[{place}]", world, {other[name] for other in found}))
    return found


def targets(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """All targets of a flag: a key of one kind stands in one of them."""
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, str]] = set()
    for place, one in enumerate(items(value, path, most=MOST_TARGETS)):
        at = f"{path}[{place}]"
        given = members(one, at, ("variation", "values"), ("contextKind",))
        of = kind(given.get("contextKind"), f"{at}.contextKind")
        keys = some_keys(given["values"], f"{at}.values")
        if twice := next((key for key in keys if (of, key) in seen), None):
            raise Wrong(f"{at}.values", f"has {shown(twice)}, which another target of the kind {of} has")
        seen.update((of, key) for key in keys)
        served_by = variation(given["variation"], f"{at}.variation", world.variations)
        if any((other["contextKind"], other["variation"]) == (of, served_by) for other in found):
            raise Wrong(
                at, f"is a second target of the kind {of} and variation {served_by}: put their keys together"
            )
        found.append({"contextKind": of, "variation": served_by, "values": keys})
    return found


def moment(value: Any, path: str) -> int:
    """A time in Unix milliseconds, which may be written as `2026-03-01T09:00:00Z`."""
    found = instant(value)
    if found is None or not 0 <= found <= LATEST_MS:
        raise Wrong(path, "should be Unix milliseconds, or a time such as 2026-03-01T09:00:00Z")
    return int(found)


def expiring(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """Targets that end by themselves, and when."""
    found: list[dict[str, Any]] = []
    for place, one in enumerate(items(value, path, most=MOST_TARGETS)):
        at = f"{path}[{place}]"
        given = members(one, at, ("variation", "values", "at"), ("contextKind",))
        found.append(
            {
                "contextKind": kind(given.get("contextKind"), f"{at}.contextKind"),
                "variation": variation(given["variation"], f"{at}.variation", world.variations),
                "values": some_keys(given["values"], f"{at}.values"),
                "at": moment(given["at"], f"{at}.at"),
            }
        )
    return found


def prerequisite(given: Mapping[str, Any], path: str, world: PatchContext) -> dict[str, Any]:
    """`key` and `variation` of another flag of the project."""
    at = f"{path}." if path else ""
    key = text(given["key"], f"{at}key", least=1)
    if key not in world.flags:
        raise Wrong(f"{at}key", f"is {shown(key)}, and the project has no other flag of that key")
    return {"key": key, "variation": variation(given["variation"], f"{at}variation", world.flags[key])}


def prerequisites(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """All prerequisites of a flag, each flag once."""
    found: list[dict[str, Any]] = []
    for place, one in enumerate(items(value, path, most=MOST_PREREQUISITES)):
        at = f"{path}[{place}]"
        wanted = prerequisite(members(one, at, ("key", "variation")), at, world)
        if any(other["key"] == wanted["key"] for other in found):
            raise Wrong(f"{at}.key", f"is {wanted['key']!r}, which is a prerequisite already")
        found.append(wanted)
    return found


def config(value: Any, path: str, world: PatchContext, salt: str) -> dict[str, Any]:
    """A whole configuration of a flag in an environment. Its salt stays unless it brings another."""
    needed = ("on", "offVariation", "fallthrough", "targets", "rules", "prerequisites")
    given = members(value, path, needed, ("trackEvents", "salt", "version", "expiring"))
    at = f"{path}." if path else ""
    off = given["offVariation"]
    through = members(given["fallthrough"], f"{at}fallthrough", (), ("variation", "rollout"))
    found = {
        "on": truth(given["on"], f"{at}on"),
        "offVariation": None if off is None else variation(off, f"{at}offVariation", world.variations),
        "fallthrough": served(through, f"{at}fallthrough", world),
        "targets": targets(given["targets"], f"{at}targets", world),
        "rules": rules(given["rules"], f"{at}rules", world),
        "prerequisites": prerequisites(given["prerequisites"], f"{at}prerequisites", world),
        "trackEvents": optional_truth(given.get("trackEvents"), f"{at}trackEvents"),
        "salt": salt if given.get("salt") is None else text(given["salt"], f"{at}salt", most=100, least=1),
    }
    if given.get("expiring"):
        found["expiring"] = expiring(given["expiring"], f"{at}expiring", world)
    return found


def entries(value: Any, path: str) -> list[dict[str, Any]]:
    """Lists of keys by kind, of a segment; each kind once."""
    found: list[dict[str, Any]] = []
    for place, one in enumerate(items(value, path, most=MOST_ENTRIES)):
        at = f"{path}[{place}]"
        given = members(one, at, ("contextKind", "values"))
        of = kind(given["contextKind"], f"{at}.contextKind")
        if any(entry["contextKind"] == of for entry in found):
            raise Wrong(f"{at}.contextKind", f"is {of!r}, which stands there already")
        found.append({"contextKind": of, "values": some_keys(given["values"], f"{at}.values")})
    return found


def keys(value: Any, path: str) -> list[str]:
    """A list of keys, which may be empty."""
    return some_keys(value, path) if items(value, path, most=MOST_VALUES) else []


def segment_rule(value: Any, path: str, world: PatchContext, taken: Collection[str] = ()) -> dict[str, Any]:
    """A rule of a segment."""
    given = members(value, path, ("clauses",), ("ruleId", "weight", "bucketBy", "rolloutContextKind"))
    at = f"{path}." if path else ""
    found: dict[str, Any] = {
        "ruleId": rule_id(given.get("ruleId"), f"{at}ruleId", world, taken),
        "clauses": clauses(given["clauses"], f"{at}clauses", world),
    }
    if given.get("weight") is not None:
        found["weight"] = weight(given["weight"], f"{at}weight")
    if given.get("bucketBy") is not None:
        found["bucketBy"] = reference(given["bucketBy"], f"{at}bucketBy")
    if given.get("rolloutContextKind") is not None:
        found["rolloutContextKind"] = kind(given["rolloutContextKind"], f"{at}rolloutContextKind")
    return found


def segment_rules(value: Any, path: str, world: PatchContext) -> list[dict[str, Any]]:
    """All rules of a segment, with ids that differ."""
    return _each_rule(value, path, world, segment_rule, "ruleId")


def body(value: Any, path: str, world: PatchContext, salt: str) -> dict[str, Any]:
    """A whole segment, but for its names. Its salt stays unless it brings another."""
    given = {name: one for name, one in members(value, path, (), BODY).items() if one is not None}
    at = f"{path}." if path else ""
    lists: dict[str, Any] = {}
    for name in ("included", "excluded"):
        users, by_kind = keys(given.get(name, []), f"{at}{name}"), f"{name}Contexts"
        others = entries(given.get(by_kind, []), f"{at}{by_kind}")
        users += [key for entry in others if entry["contextKind"] == USER for key in entry["values"]]
        lists[name] = items(list(dict.fromkeys(users)), f"{at}{name}", most=MOST_VALUES)
        lists[by_kind] = [entry for entry in others if entry["contextKind"] != USER]
    return {
        **{name: lists[name] for name in BODY if name in lists},
        "rules": segment_rules(given.get("rules", []), f"{at}rules", world),
        "salt": text(given["salt"], f"{at}salt", most=100, least=1) if "salt" in given else salt,
    }
