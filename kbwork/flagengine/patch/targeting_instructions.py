"""The instructions on a flag's configuration in one environment: who gets what."""

from collections.abc import Callable
from typing import Any, Final

from kbwork.flagengine.json_values import index
from kbwork.flagengine.patch import checks
from kbwork.flagengine.patch.apply import Definition, Instruction, Table
from kbwork.flagengine.patch.checks import PatchContext, Wrong

Given = dict[str, Any]


def new(variations: int, *, off: int | None, on: int, salt: str) -> Definition:
    """The configuration of a new flag: off, serving `off`, and `on` to everybody once it is switched on."""
    assert variations > on >= 0
    return {
        "on": False,
        "offVariation": off,
        "fallthrough": {"variation": on},
        "targets": [],
        "rules": [],
        "prerequisites": [],
        "trackEvents": False,
        "salt": salt,
    }


def _switch(on: bool) -> Callable[[Definition, Given, PatchContext], None]:
    def apply(config: Definition, _: Given, __: PatchContext) -> None:
        config["on"] = on

    return apply


def _off_variation(config: Definition, given: Given, world: PatchContext) -> None:
    place = given["variation"]
    config["offVariation"] = None if place is None else checks.variation(place, "variation", world.variations)


def _fallthrough(config: Definition, given: Given, world: PatchContext) -> None:
    config["fallthrough"] = checks.served(given, "", world)


def _add_targets(config: Definition, given: Given, world: PatchContext) -> None:
    """A key moves here from wherever it stood."""
    kind, place, keys = _targeted(config, given, world)
    for target in config["targets"]:
        if target["contextKind"] == kind and target["variation"] != place:
            target["values"] = _without(target["values"], keys)
    mine = _target(config, kind, place)
    if mine is None:
        mine = {"contextKind": kind, "variation": place, "values": []}
        config["targets"] = checks.items([*config["targets"], mine], "targets", most=checks.MOST_TARGETS)
    mine["values"] = checks.items(
        list(dict.fromkeys([*mine["values"], *keys])), "values", most=checks.MOST_VALUES
    )
    _settle(config)


def _remove_targets(config: Definition, given: Given, world: PatchContext) -> None:
    kind, place, keys = _targeted(config, given, world)
    mine = _target(config, kind, place)
    if mine is not None:
        mine["values"] = _without(mine["values"], keys)
    _settle(config)


def _targeted(config: Definition, given: Given, world: PatchContext) -> tuple[str, int, list[str]]:
    world.allowance.spend(sum(len(target["values"]) for target in config["targets"]), "values")
    kind = checks.kind(given.get("contextKind"), "contextKind")
    place = checks.variation(given["variation"], "variation", world.variations)
    return kind, place, checks.some_keys(given["values"], "values")


def _target(config: Definition, kind: str, place: int) -> dict[str, Any] | None:
    found = (one for one in config["targets"] if (one["contextKind"], one["variation"]) == (kind, place))
    return next(found, None)


def _settle(config: Definition) -> None:
    """Targets without keys go, and what was to end of those that are not there."""
    config["targets"] = [target for target in config["targets"] if target["values"]]
    if "expiring" in config:
        there = {(one["contextKind"], one["variation"]): set(one["values"]) for one in config["targets"]}
        _put_expiring(
            config,
            [
                one
                | {
                    "values": [
                        key
                        for key in one["values"]
                        if key in there.get((one["contextKind"], one["variation"]), ())
                    ]
                }
                for one in config["expiring"]
            ],
        )


def _put_expiring(config: Definition, entries: list[dict[str, Any]]) -> None:
    """By time; a configuration of which nothing ends does not speak of it."""
    found = sorted((one for one in entries if one["values"]), key=lambda one: one["at"])
    if found:
        config["expiring"] = checks.items(found, "expiring", most=checks.MOST_TARGETS)
    else:
        config.pop("expiring", None)


def _expire_targets(config: Definition, given: Given, world: PatchContext) -> None:
    """Those that are targets; another time of theirs is forgotten."""
    kind, place, keys = _targeted(config, given, world)
    mine = _target(config, kind, place)
    if missing := _without(keys, mine["values"] if mine is not None else []):
        raise Wrong("values", f"has {checks.shown(missing[0])}, which is no target of this variation")
    kept = [
        one | {"values": _without(one["values"], keys)}
        if (one["contextKind"], one["variation"]) == (kind, place)
        else one
        for one in config.get("expiring", [])
    ]
    if given["at"] is not None:
        at = checks.moment(given["at"], "at")
        kept.append({"contextKind": kind, "variation": place, "values": keys, "at": at})
    _put_expiring(config, kept)


def ended(config: Definition, now_ms: int) -> Definition:
    """The configuration without the targets whose time has come."""
    left = {**config, "targets": [dict(one) for one in config["targets"]]}
    for one in config.get("expiring", []):
        target = _target(left, one["contextKind"], one["variation"])
        if one["at"] <= now_ms and target is not None:
            target["values"] = _without(target["values"], one["values"])
    _settle(left)
    return left


def _without(values: list[str], keys: list[str]) -> list[str]:
    gone = frozenset(keys)
    return [value for value in values if value not in gone]


def _replace_targets(config: Definition, given: Given, world: PatchContext) -> None:
    config["targets"] = checks.targets(given["targets"], "targets", world)
    _settle(config)


def _add_rule(config: Definition, given: Given, world: PatchContext) -> None:
    rules = config["rules"]
    if len(rules) >= checks.MOST_RULES:
        raise Wrong("", f"a flag has at most {checks.MOST_RULES} rules")
    before = given.get("beforeRuleId")
    place = len(rules) if before is None else _place(config, before, "beforeRuleId")
    plain: Given = {
        name: given[name] for name in ("clauses", "description", "variation", "rollout") if name in given
    }
    plain["id"] = checks.rule_id(given.get("ruleId"), "ruleId", world, {rule["id"] for rule in rules})
    made = checks.rule(plain, "", world)
    rules.insert(place, made)


def _place(config: Definition, name: Any, path: str) -> int:
    """Where the rule of this id stands."""
    for place, rule in enumerate(config["rules"]):
        if rule["id"] == name and type(name) is str:
            return place
    known = checks.some_of([rule["id"] for rule in config["rules"]])
    raise Wrong(path, f"is {checks.shown(name)}, and the flag has no such rule here; its rules are: {known}")


def _rule(config: Definition, given: Given) -> dict[str, Any]:
    found: dict[str, Any] = config["rules"][_place(config, given["ruleId"], "ruleId")]
    return found


def _remove_rule(config: Definition, given: Given, _: PatchContext) -> None:
    del config["rules"][_place(config, given["ruleId"], "ruleId")]


def _rule_serves(config: Definition, given: Given, world: PatchContext) -> None:
    rule = _rule(config, given)
    serves = checks.served(given, "", world)
    rule.pop("variation", None)
    rule.pop("rollout", None)
    rule |= serves


def _rule_description(config: Definition, given: Given, _: PatchContext) -> None:
    _rule(config, given)["description"] = checks.text(given["description"], "description")


def _add_clauses(config: Definition, given: Given, world: PatchContext) -> None:
    rule = _rule(config, given)
    rule["clauses"] = checks.items(
        rule["clauses"] + checks.clauses(given["clauses"], "clauses", world),
        "clauses",
        most=checks.MOST_CLAUSES,
    )


def _remove_clauses(config: Definition, given: Given, _: PatchContext) -> None:
    rule = _rule(config, given)
    count, gone = len(rule["clauses"]), set[int]()
    for place, one in enumerate(checks.items(given["clauseIndexes"], "clauseIndexes", most=count, least=1)):
        number = index(one)
        if number is None or not 0 <= number < count:
            raise Wrong(
                f"clauseIndexes[{place}]", f"should be an index of the rule's clauses, 0 to {count - 1}"
            )
        gone.add(number)
    if len(gone) == count:
        raise Wrong(
            "clauseIndexes", "names every clause: a rule needs one; take the rule away with removeRule"
        )
    rule["clauses"] = [one for place, one in enumerate(rule["clauses"]) if place not in gone]


def _reorder(config: Definition, given: Given, _: PatchContext) -> None:
    by_id = {rule["id"]: rule for rule in config["rules"]}
    order = checks.items(given["ruleIds"], "ruleIds", most=checks.MOST_RULES)
    if len(order) != len(by_id) or not all(type(one) is str for one in order) or {*order} != by_id.keys():
        raise Wrong(
            "ruleIds", f"should name every rule once: {checks.some_of(by_id) if by_id else 'there is none'}"
        )
    config["rules"] = [by_id[name] for name in order]


def _replace_rules(config: Definition, given: Given, world: PatchContext) -> None:
    config["rules"] = checks.rules(given["rules"], "rules", world)


def _add_prerequisite(config: Definition, given: Given, world: PatchContext) -> None:
    wanted = checks.prerequisite(given, "", world)
    if _wanted(config, wanted["key"]) is not None:
        raise Wrong("key", f"is {wanted['key']!r}, which is a prerequisite already; use updatePrerequisite")
    listed = [*config["prerequisites"], wanted]
    config["prerequisites"] = checks.items(listed, "prerequisites", most=checks.MOST_PREREQUISITES)


def _update_prerequisite(config: Definition, given: Given, world: PatchContext) -> None:
    _need(config, given["key"]).update(checks.prerequisite(given, "", world))


def _remove_prerequisite(config: Definition, given: Given, _: PatchContext) -> None:
    config["prerequisites"].remove(_need(config, given["key"]))


def _wanted(config: Definition, key: Any) -> dict[str, Any] | None:
    return next((one for one in config["prerequisites"] if one["key"] == key), None)


def _need(config: Definition, key: Any) -> dict[str, Any]:
    found = _wanted(config, key)
    if found is None:
        known = checks.some_of([one["key"] for one in config["prerequisites"]])
        raise Wrong(
            "key", f"is {checks.shown(key)}, which is no prerequisite of the flag here; they are: {known}"
        )
    return found


def _track(config: Definition, given: Given, _: PatchContext) -> None:
    config["trackEvents"] = checks.truth(given["value"], "value")


def _replace(config: Definition, given: Given, world: PatchContext) -> None:
    """What is to end of targets stays where the new one does not speak of that."""
    ending = config.get("expiring", [])
    found = checks.config(given["config"], "config", world, config["salt"])
    if given["config"].get("expiring") is None and ending:
        found["expiring"] = ending
    config.clear()
    config.update(found)
    _settle(config)


INSTRUCTIONS: Final[Table] = {
    "turnFlagOn": Instruction(_switch(True)),
    "turnFlagOff": Instruction(_switch(False)),
    "updateOffVariation": Instruction(_off_variation, ("variation",)),
    "updateFallthroughVariationOrRollout": Instruction(_fallthrough, (), ("variation", "rollout")),
    "addTargets": Instruction(_add_targets, ("variation", "values"), ("contextKind",)),
    "removeTargets": Instruction(_remove_targets, ("variation", "values"), ("contextKind",)),
    "replaceTargets": Instruction(_replace_targets, ("targets",)),
    "expireTargets": Instruction(_expire_targets, ("variation", "values", "at"), ("contextKind",)),
    "addRule": Instruction(
        _add_rule, ("clauses",), ("variation", "rollout", "description", "ruleId", "beforeRuleId")
    ),
    "removeRule": Instruction(_remove_rule, ("ruleId",)),
    "updateRuleVariationOrRollout": Instruction(_rule_serves, ("ruleId",), ("variation", "rollout")),
    "updateRuleDescription": Instruction(_rule_description, ("ruleId", "description")),
    "addClauses": Instruction(_add_clauses, ("ruleId", "clauses")),
    "removeClauses": Instruction(_remove_clauses, ("ruleId", "clauseIndexes")),
    "reorderRules": Instruction(_reorder, ("ruleIds",)),
    "replaceRules": Instruction(_replace_rules, ("rules",)),
    "addPrerequisite": Instruction(_add_prerequisite, ("key", "variation")),
    "updatePrerequisite": Instruction(_update_prerequisite, ("key", "variation")),
    "removePrerequisite": Instruction(_remove_prerequisite, ("key",)),
    "updateTrackEvents": Instruction(_track, ("value",)),
    "replaceConfig": Instruction(_replace, ("config",)),
}
