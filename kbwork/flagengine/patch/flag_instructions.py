"""The instructions on what a flag is everywhere: its names, its variations, who may see it."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

from kbwork.flagengine.json_values import EXACT, clean, is_number
from kbwork.flagengine.patch import checks
from kbwork.flagengine.patch.apply import Definition, Instruction, Table
from kbwork.flagengine.patch.checks import PatchContext, Wrong

Given = dict[str, Any]

KINDS: Final = ("bool", "string", "number", "json")
MOST_VARIATIONS: Final = 100
MOST_TAGS: Final = 100
LONGEST_NAME: Final = 500
LONGEST_TAG: Final = 64
LONGEST_VALUE: Final = 65_536
FIELDS: Final = (
    "name",
    "description",
    "tags",
    "maintainers",
    "temporary",
    "clientSide",
    "variations",
    "defaults",
)
"""What a flag is everywhere, beside its kind and schema."""
_CHARS_A_UNIT: Final = 2
"""Of a value that is compared: it takes as long as going through a key."""
_SEVERAL_WAYS: Final = re.compile(r"[0-9](?:[.eE]|[0-9]{15})|\\ud")
"""In JSON: a number, or half a character, that may stand in another value in another way."""
_WORDS = {"bool": "true or false", "string": "text", "number": "a number"}


def variations(
    value: Any, path: str, kind: str, schema: dict[str, Any] | None, world: PatchContext
) -> list[dict[str, Any]]:
    """All variations of a flag, whose values are of its kind and differ."""
    found: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for place, one in enumerate(checks.items(value, path, most=MOST_VARIATIONS, least=1)):
        at = f"{path}[{place}]"
        given = checks.members(one, at, ("value",), ("name", "description"))
        found.append(_variation(given, at, kind, schema, world))
        first = seen.setdefault(_canonical(found[-1]["value"]), place)
        if first != place:
            raise Wrong(f"{at}.value", f"is the value of variation {first}")
    return found


def defaults(value: Any, path: str, count: int) -> dict[str, int]:
    """What a new environment serves, `on` and `off`."""
    given = checks.members(value, path, ("on", "off"))
    return {name: checks.variation(given[name], f"{path}.{name}", count) for name in ("on", "off")}


def name(value: Any, path: str) -> str:
    """What people call it: on one line, and not blank."""
    return checks.text(" ".join(checks.text(value, path).split()), path, most=LONGEST_NAME, least=1)


def tags(value: Any, path: str) -> list[str]:
    """Tags in order, which may be none."""
    if not checks.items(value, path, most=MOST_TAGS):
        return []
    return sorted(checks.texts(value, path, most=MOST_TAGS, longest=LONGEST_TAG))


def maintainers(value: Any, path: str, world: PatchContext) -> list[str]:
    """Ids of members, which may be none."""
    if not checks.items(value, path, most=MOST_TAGS):
        return []
    found = checks.texts(value, path, most=MOST_TAGS, longest=LONGEST_TAG)
    for place, one in enumerate(found):
        if one not in world.people:
            raise Wrong(
                f"{path}[{place}]",
                f"is {checks.shown(one)}, which is no id of a member; members.list shows them",
            )
    return found


def schema(value: Any, path: str, kind: str, world: PatchContext) -> dict[str, Any] | None:
    """A JSON schema for the variations of a JSON flag."""
    if value is None:
        return None
    if kind != "json":
        raise Wrong(path, f"is for JSON flags, and this one is {kind}")
    if type(value) is not dict:
        raise Wrong(path, "should be a JSON schema, an object, or null")
    checks.require_finite(value, path)
    _require_short(value, path)
    if fault := world.fits(value, ()):
        raise Wrong(path, f"is no JSON schema: {fault}")
    return value


def _variation(
    given: Given, path: str, kind: str, schema: dict[str, Any] | None, world: PatchContext
) -> dict[str, Any]:
    at = f"{path}." if path else ""
    return {
        "value": _value(given["value"], f"{at}value", kind, schema, world),
        "name": checks.optional_text(given.get("name"), f"{at}name", most=LONGEST_NAME),
        "description": checks.optional_text(given.get("description"), f"{at}description"),
    }


def _value(value: Any, path: str, kind: str, schema: dict[str, Any] | None, world: PatchContext) -> Any:
    fits = {
        "bool": type(value) is bool,
        "string": type(value) is str,
        "number": is_number(value),
        "json": True,
    }
    if not fits[kind]:
        raise Wrong(path, f"should be {_WORDS[kind]}: the flag's kind is {kind}")
    checks.require_finite(value, path)
    _require_short(value, path)
    if schema is not None and (fault := world.fits(schema, (value,))):
        raise Wrong(path, f"does not fit the flag's JSON schema: {fault}")
    return value


def _require_short(value: Any, path: str) -> None:
    if len(json.dumps(value)) > LONGEST_VALUE:
        raise Wrong(path, f"should have at most {LONGEST_VALUE:,} characters as JSON")


def _require_new(meta: Definition, value: Any, world: PatchContext, *, but: int | None = None) -> None:
    """Raises Wrong where another variation has the same value: nobody could tell them apart."""
    mine = _canonical(value)
    for place, other in enumerate(meta["variations"]):
        if place == but:
            continue
        theirs = _canonical(other["value"])
        world.allowance.spend(len(theirs) // _CHARS_A_UNIT, "value")
        if theirs == mine:
            raise Wrong("value", f"is the value of variation {place}")


def _canonical(value: Any) -> str:
    """The same text for what the engine reads as the same: 1 is 1.0, and true is neither."""
    text = json.dumps(value, sort_keys=True)
    if _SEVERAL_WAYS.search(text) is None:
        return text
    return json.dumps(_one_way(clean(value)), sort_keys=True)


def _one_way(value: Any) -> Any:
    """Whole numbers as integers, as far as these are exact."""
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) <= EXACT else value
    if kind is list:
        return [_one_way(one) for one in value]
    return {name: _one_way(one) for name, one in value.items()} if kind is dict else value


def _name(meta: Definition, given: Given, _: PatchContext) -> None:
    meta["name"] = name(given["value"], "value")


def _description(meta: Definition, given: Given, _: PatchContext) -> None:
    meta["description"] = checks.text(given["value"], "value")


def _add_tags(meta: Definition, given: Given, _: PatchContext) -> None:
    added = sorted({*meta["tags"], *_some_tags(given)})
    meta["tags"] = checks.items(added, "values", most=MOST_TAGS)


def _remove_tags(meta: Definition, given: Given, _: PatchContext) -> None:
    gone = _some_tags(given)
    meta["tags"] = [tag for tag in meta["tags"] if tag not in gone]


def _some_tags(given: Given) -> list[str]:
    return checks.texts(given["values"], "values", most=MOST_TAGS, longest=LONGEST_TAG)


def _add_maintainers(meta: Definition, given: Given, world: PatchContext) -> None:
    checks.items(given["values"], "values", most=MOST_TAGS, least=1)
    added = maintainers(given["values"], "values", world)
    meta["maintainers"] = checks.items(
        list(dict.fromkeys([*meta["maintainers"], *added])), "values", most=MOST_TAGS
    )


def _remove_maintainers(meta: Definition, given: Given, _: PatchContext) -> None:
    gone = _some_tags(given)
    meta["maintainers"] = [one for one in meta["maintainers"] if one not in gone]


def _set(name: str, value: bool) -> Callable[[Definition, Given, PatchContext], None]:
    def apply(meta: Definition, _: Given, __: PatchContext) -> None:
        meta[name] = value

    return apply


def _add_variation(meta: Definition, given: Given, world: PatchContext) -> None:
    made = _variation(given, "", meta["kind"], meta["schema"], world)
    _require_new(meta, made["value"], world)
    meta["variations"] = checks.items([*meta["variations"], made], "variations", most=MOST_VARIATIONS)


def _update_variation(meta: Definition, given: Given, world: PatchContext) -> None:
    place = checks.variation(given["index"], "index", len(meta["variations"]))
    # null is a value, but neither a name nor a description
    changed = {name: given[name] for name in ("name", "description") if given.get(name) is not None}
    changed |= {"value": given["value"]} if "value" in given else {}
    if not changed:
        raise Wrong("", "should have a value, a name or a description to change")
    made = _variation(meta["variations"][place] | changed, "", meta["kind"], meta["schema"], world)
    if "value" in changed:
        _require_new(meta, made["value"], world, but=place)
    meta["variations"][place] = made


def _update_defaults(meta: Definition, given: Given, _: PatchContext) -> None:
    count = len(meta["variations"])
    meta["defaults"] = {
        "on": checks.variation(given["onVariation"], "onVariation", count),
        "off": checks.variation(given["offVariation"], "offVariation", count),
    }


def _update_schema(meta: Definition, given: Given, world: PatchContext) -> None:
    found = schema(given["schema"], "schema", meta["kind"], world)
    if found is not None:
        for place, one in enumerate(meta["variations"]):
            if fault := world.fits(found, (one["value"],)):
                raise Wrong("schema", f"is one that variation {place} does not fit: {fault}")
    meta["schema"] = found


def _remove_alias(meta: Definition, given: Given, _: PatchContext) -> None:
    aliases = meta.get("aliases", [])
    if given["key"] not in aliases:
        raise Wrong(
            "key",
            f"is {checks.shown(given['key'])}, and the flag has no such alias; they are: {checks.some_of(aliases)}",
        )
    meta["aliases"] = [one for one in aliases if one != given["key"]]


def _replace(meta: Definition, given: Given, world: PatchContext) -> None:
    found = checks.members(given["meta"], "meta", FIELDS, ("schema", "kind"))
    kind = meta["kind"]
    if found.get("kind") not in (None, kind):
        raise Wrong("meta.kind", f"should stay {kind}: a flag keeps its kind")
    fits = schema(found.get("schema"), "meta.schema", kind, world)
    listed = variations(found["variations"], "meta.variations", kind, fits, world)
    gone = [place for place in world.used if place >= len(listed)]
    if gone:
        raise Wrong("meta.variations", f"leaves out variation {min(gone)}, which is still served somewhere")
    meta |= {
        "name": name(found["name"], "meta.name"),
        "description": checks.text(found["description"], "meta.description"),
        "tags": tags(found["tags"], "meta.tags"),
        "maintainers": maintainers(found["maintainers"], "meta.maintainers", world),
        "temporary": checks.truth(found["temporary"], "meta.temporary"),
        "clientSide": checks.truth(found["clientSide"], "meta.clientSide"),
        "variations": listed,
        "defaults": defaults(found["defaults"], "meta.defaults", len(listed)),
        "schema": fits,
    }


INSTRUCTIONS: Final[Table] = {
    "updateName": Instruction(_name, ("value",)),
    "updateDescription": Instruction(_description, ("value",)),
    "addTags": Instruction(_add_tags, ("values",)),
    "removeTags": Instruction(_remove_tags, ("values",)),
    "addMaintainers": Instruction(_add_maintainers, ("values",)),
    "removeMaintainers": Instruction(_remove_maintainers, ("values",)),
    "makeFlagTemporary": Instruction(_set("temporary", True)),
    "makeFlagPermanent": Instruction(_set("temporary", False)),
    "turnOnClientSideAvailability": Instruction(_set("clientSide", True)),
    "turnOffClientSideAvailability": Instruction(_set("clientSide", False)),
    "addVariation": Instruction(_add_variation, ("value",), ("name", "description")),
    "updateVariation": Instruction(_update_variation, ("index",), ("value", "name", "description")),
    "updateDefaultVariations": Instruction(_update_defaults, ("onVariation", "offVariation")),
    "updateJsonSchema": Instruction(_update_schema, ("schema",)),
    "removeAlias": Instruction(_remove_alias, ("key",)),
    "archiveFlag": Instruction(_set("archived", True)),
    "restoreFlag": Instruction(_set("archived", False)),
    "replaceMeta": Instruction(_replace, ("meta",)),
}
