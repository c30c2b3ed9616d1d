"""One flag or segment of LaunchDarkly in our words, as it is stored here; or why it cannot be said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from kbwork.flagengine import references
from kbwork.flagengine.clauses.operators import SEGMENT_MATCH
from kbwork.flagengine.contexts import USER
from kbwork.flagengine.patch import checks, flag_instructions
from kbwork.flagengine.patch.checks import PatchContext
from kbwork.launchdarkly.evaluate import targets
from kbwork.launchdarkly.export import ExportedEnvironment

Json = dict[str, Any]

_KEY = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,128}")
_RULE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KINDS: dict[type, str] = {bool: "bool", str: "string", int: "number", float: "number"}
_LISTS = ("included", "excluded")


class NotConvertible(Exception):
    """There is no word for it; the text says what."""


def meta_of(key: str, told: Json) -> Json:
    """What a flag is everywhere, of that what the file tells. Raises Wrong and NotConvertible."""
    if not _KEY.fullmatch(key):
        raise NotConvertible("its key should be 1 to 128 letters, digits, dots, dashes and underscores")
    kinds = {_KINDS.get(type(one["value"]), "json") for one in told["variations"]}
    if len(kinds) > 1:
        raise NotConvertible(f"its variations are of several kinds: {', '.join(sorted(kinds))}")
    kind = kinds.pop() if kinds else "bool"
    variations = flag_instructions.variations(told["variations"], "variations", kind, None, PatchContext())
    meta: Json = {"kind": kind, "variations": variations, "archived": bool(told.get("archived"))}
    if "name" in told:
        meta["name"] = checks.text(told["name"] or key, "name", most=flag_instructions.LONGEST_NAME, least=1)
    if "description" in told:
        meta["description"] = checks.text(told["description"], "description")
    if "tags" in told:
        meta["tags"] = flag_instructions.tags(told["tags"], "tags")
    if "temporary" in told:
        meta["temporary"] = told["temporary"]
    if "clientSideAvailability" in told:
        meta["clientSide"] = bool(told["clientSideAvailability"].get("usingEnvironmentId"))
    if "defaults" in told:
        given = {"on": told["defaults"].get("onVariation"), "off": told["defaults"].get("offVariation")}
        meta["defaults"] = flag_instructions.defaults(given, "defaults", len(variations))
    return meta


def body_of(key: str, segment: Json, world: PatchContext) -> Json:
    """A segment but for its name, with its salt where the file has one. Raises Wrong and NotConvertible."""
    if not _KEY.fullmatch(key):
        raise NotConvertible("its key should be 1 to 128 letters, digits, dots, dashes and underscores")
    if segment.get("unbounded"):
        raise NotConvertible("it is unbounded: who is in it is not in the file")
    if len(segment.get("name") or "") > flag_instructions.LONGEST_NAME:
        raise NotConvertible(f"its name should have at most {flag_instructions.LONGEST_NAME} characters")
    raw: Json = {"rules": [], "salt": segment.get("salt") or None}
    for name in _LISTS:
        raw |= _listed(segment, name)
    listed = segment.get("rules") or []
    for number, (ident, rule) in enumerate(zip(_rule_ids(listed), listed, strict=True)):
        raw["rules"].append(_at(f"rules[{number}]", partial(_segment_rule, ident, rule, raw["salt"])))
    return {name: value for name, value in checks.body(raw, "", world, "").items() if value != ""}


def _segment_rule(ident: str, rule: Json, salt: str | None) -> Json:
    made: Json = {"ruleId": ident, "clauses": _clauses(rule)}
    if rule.get("weight") is None:
        return made
    if salt is None:
        raise NotConvertible("takes a share, and the file does not have the segment's salt")
    kind = rule.get("rolloutContextKind") or None
    made |= {"weight": rule["weight"], "rolloutContextKind": kind or USER}
    if by := rule.get("bucketBy"):
        made["bucketBy"] = _bucket_by(by, kind)
    return made


def _listed(segment: Json, name: str) -> Json:
    """Keys of users in one list, those of other kinds in one entry each."""
    keys: dict[str, list[str]] = {USER: list(segment.get(name) or [])}
    for entry in segment.get(f"{name}Contexts") or []:
        keys.setdefault(entry.get("contextKind") or USER, []).extend(entry.get("values") or [])
    found = {kind: [key for key in dict.fromkeys(values) if key] for kind, values in keys.items()}
    users = found.pop(USER)
    others = [{"contextKind": kind, "values": values} for kind, values in found.items() if values]
    return {name: users, f"{name}Contexts": others}


def config_of(flag: Json, place: ExportedEnvironment, world: PatchContext) -> Json:
    """A configuration as it is stored. Raises Wrong and NotConvertible."""
    salt = flag.get("salt") or None
    listed = flag.get("rules") or []
    named = enumerate(zip(_rule_ids(listed), listed, strict=True))
    rules = [_at(f"rules[{number}]", partial(_rule, ident, rule)) for number, (ident, rule) in named]
    through = _at("fallthrough", partial(_served, flag.get("fallthrough") or {}))
    if salt is None and any("rollout" in one for one in (*rules, through)):
        raise NotConvertible("it has a rollout, and the file does not have its salt")
    for key in segments_of(rules):
        if key not in world.segments:
            left = "is left out" if key in place.segments else "is not in the file"
            raise NotConvertible(f"its rules ask for the segment {key}, which {left}")
    for one in flag.get("prerequisites") or []:
        if one.get("key") not in world.flags:
            raise NotConvertible(f"it waits for the flag {one.get('key')}, which is left out or archived")
    raw = {
        "on": bool(flag.get("on")),
        "offVariation": flag.get("offVariation"),
        "fallthrough": through,
        "targets": _targets(flag),
        "rules": rules,
        "prerequisites": [
            {"key": one["key"], "variation": one.get("variation")} for one in flag.get("prerequisites") or []
        ],
        "trackEvents": bool(flag.get("trackEvents")),
        "salt": salt,
    }
    made = checks.config(raw, "", world, "")
    if salt is None:
        del made["salt"]
    return made


def _targets(flag: Json) -> list[Json]:
    """Each key of a kind in the first list that has it, which is the one that decides."""
    found, seen = [], set[tuple[str, str]]()
    for target in targets(flag):
        kind = target.get("contextKind") or USER
        keys = [key for key in dict.fromkeys(target["values"]) if key and (kind, key) not in seen]
        seen.update((kind, key) for key in keys)
        if keys:
            found.append({"contextKind": kind, "variation": target.get("variation"), "values": keys})
    return found


def _rule(ident: str, rule: Json) -> Json:
    return {
        "id": ident,
        "description": rule.get("description") or "",
        "clauses": _clauses(rule),
        **_served(rule),
        "trackEvents": bool(rule.get("trackEvents")),
    }


def _at(place: str, made: Callable[[], Json]) -> Json:
    """What is made there. Raises NotConvertible with the place."""
    try:
        return made()
    except NotConvertible as error:
        raise NotConvertible(f"{place} {error}") from None


def _rule_ids(rules: Iterable[Json]) -> list[str]:
    """Of each its own, so that a second run finds the same rule; where it has none that fits, one by its place."""
    found: list[str] = []
    for number, rule in enumerate(rules, 1):
        ident = rule.get("id") or rule.get("_id") or ""
        if not _RULE_ID.fullmatch(ident) or ident in found:
            ident = f"rule-{number}"
        found.append(ident)
    return found


def _served(source: Json) -> Json:
    if source.get("variation") is not None:
        return {"variation": source["variation"]}
    rollout = source.get("rollout")
    if rollout is None:
        raise NotConvertible("serves neither a variation nor a rollout")
    if rollout.get("kind") == "experiment" or rollout.get("experimentAllocation"):
        raise NotConvertible("serves an experiment")
    if rollout.get("seed") is not None:
        raise NotConvertible("has a rollout with a seed")
    kind = rollout.get("contextKind") or None
    slices = [
        {"variation": one.get("variation"), "weight": one.get("weight")}
        for one in rollout.get("variations") or []
    ]
    made: Json = {"variations": slices, "contextKind": kind or USER}
    if by := rollout.get("bucketBy"):
        made["bucketBy"] = _bucket_by(by, kind)
    return {"rollout": made}


def _clauses(rule: Json) -> list[Json]:
    if not rule.get("clauses"):
        raise NotConvertible("has no clauses, and would match everybody")
    return [_clause(clause) for clause in rule["clauses"]]


def _clause(clause: Json) -> Json:
    kind = clause.get("contextKind") or None
    made = {
        "contextKind": kind or USER,
        "op": clause.get("op") or "",
        "values": clause.get("values") or [],
        "negate": bool(clause.get("negate")),
    }
    if made["op"] != SEGMENT_MATCH:
        made["attribute"] = _reference(clause.get("attribute") or "", kind)
    return made


def _bucket_by(text: str, kind: str | None) -> str:
    found = _reference(text, kind)
    if references.path(found) == references.KIND:
        raise NotConvertible("goes by the kind of the context, which has one bucket for all")
    return found


def _reference(text: str, kind: str | None) -> str:
    """A reference to an attribute: without a kind theirs is a name as it stands, slashes and all."""
    if kind or not text.startswith("/"):
        return text
    return "/" + text.replace("~", "~0").replace("/", "~1")


def segments_of(rules: Iterable[Json]) -> set[str]:
    """The segments that rules ask for."""
    return {
        key
        for rule in rules
        for clause in rule["clauses"]
        if clause["op"] == SEGMENT_MATCH
        for key in clause["values"]
        if isinstance(key, str)
    }
