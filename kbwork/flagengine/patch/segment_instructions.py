"""The instructions on a segment: who is in it, who is not, and by which rules."""

from collections.abc import Callable
from typing import Any, Final

from kbwork.flagengine.contexts import USER
from kbwork.flagengine.patch import checks, flag_instructions
from kbwork.flagengine.patch.apply import Definition, Instruction, Table
from kbwork.flagengine.patch.checks import PatchContext, Wrong

Given = dict[str, Any]


def new(salt: str) -> Definition:
    """The body of a segment that nobody is in."""
    return {
        "included": [],
        "excluded": [],
        "includedContexts": [],
        "excludedContexts": [],
        "rules": [],
        "salt": salt,
    }


def _add(name: str) -> Callable[[Definition, Given, PatchContext], None]:
    def apply(segment: Definition, given: Given, world: PatchContext) -> None:
        kind, keys = _keys(given)
        held = _held(segment, name, kind)
        world.allowance.spend(len(held), "values")
        _put(segment, name, kind, list(dict.fromkeys([*held, *keys])))

    return apply


def _remove(name: str) -> Callable[[Definition, Given, PatchContext], None]:
    def apply(segment: Definition, given: Given, world: PatchContext) -> None:
        kind, keys = _keys(given)
        gone, held = frozenset(keys), _held(segment, name, kind)
        world.allowance.spend(len(held), "values")
        _put(segment, name, kind, [key for key in held if key not in gone])

    return apply


def _keys(given: Given) -> tuple[str, list[str]]:
    return checks.kind(given.get("contextKind"), "contextKind"), checks.some_keys(given["values"], "values")


def _held(segment: Definition, name: str, kind: str) -> list[str]:
    if kind == USER:
        users: list[str] = segment[name]
        return users
    entries: list[dict[str, Any]] = segment[f"{name}Contexts"]
    return next((entry["values"] for entry in entries if entry["contextKind"] == kind), [])


def _put(segment: Definition, name: str, kind: str, keys: list[str]) -> None:
    """Users stand in a list of their own, other kinds in entries; an empty entry goes."""
    checks.items(keys, "values", most=checks.MOST_VALUES)
    if kind == USER:
        segment[name] = keys
        return
    entries = segment[f"{name}Contexts"]
    mine = next((entry for entry in entries if entry["contextKind"] == kind), None)
    if mine is None:
        entries.append({"contextKind": kind, "values": keys})
        checks.items(entries, "contextKind", most=checks.MOST_ENTRIES)
    else:
        mine["values"] = keys
    segment[f"{name}Contexts"] = [entry for entry in entries if entry["values"]]


def _add_rule(segment: Definition, given: Given, world: PatchContext) -> None:
    rules = segment["rules"]
    if len(rules) >= checks.MOST_RULES:
        raise Wrong("", f"a segment has at most {checks.MOST_RULES} rules")
    plain = {name: value for name, value in given.items() if name != "kind"}
    rules.append(checks.segment_rule(plain, "", world, {rule["ruleId"] for rule in rules}))


def _remove_rule(segment: Definition, given: Given, _: PatchContext) -> None:
    left = [rule for rule in segment["rules"] if rule["ruleId"] != given["ruleId"]]
    if len(left) == len(segment["rules"]):
        known = checks.some_of([rule["ruleId"] for rule in left])
        raise Wrong(
            "ruleId",
            f"is {checks.shown(given['ruleId'])}, and the segment has no such rule; its rules are: {known}",
        )
    segment["rules"] = left


def _replace_rules(segment: Definition, given: Given, world: PatchContext) -> None:
    segment["rules"] = checks.segment_rules(given["rules"], "rules", world)


def _replace_body(segment: Definition, given: Given, world: PatchContext) -> None:
    """A key may be sent along, so that a segment can be sent as it was made; without a name it keeps its own."""
    found = checks.members(given["body"], "body", (), ("key", "name", *checks.BODY))
    key, called = found.get("key"), found.get("name")
    if key is not None and key != world.segment:
        raise Wrong(
            "body.key", f"is {checks.shown(key)}: a segment keeps its key, {checks.shown(world.segment)}"
        )
    if called is not None:
        segment["name"] = flag_instructions.name(called, "body.name")
    plain = {name: one for name, one in found.items() if name not in ("key", "name")}
    segment |= checks.body(plain, "body", world, segment["salt"])


INSTRUCTIONS: Final[Table] = {
    "addIncludedTargets": Instruction(_add("included"), ("values",), ("contextKind",)),
    "removeIncludedTargets": Instruction(_remove("included"), ("values",), ("contextKind",)),
    "addExcludedTargets": Instruction(_add("excluded"), ("values",), ("contextKind",)),
    "removeExcludedTargets": Instruction(_remove("excluded"), ("values",), ("contextKind",)),
    "addRule": Instruction(_add_rule, ("clauses",), ("weight", "bucketBy", "rolloutContextKind", "ruleId")),
    "removeRule": Instruction(_remove_rule, ("ruleId",)),
    "replaceRules": Instruction(_replace_rules, ("rules",)),
    "replaceBody": Instruction(_replace_body, ("body",)),
    **{
        kind: flag_instructions.INSTRUCTIONS[kind]
        for kind in ("updateName", "updateDescription", "addTags", "removeTags")
    },
}
