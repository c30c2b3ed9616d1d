"""What of a contract would break a program that was written for an older one.

A call that was right stays right: an input may be wider, never narrower. An answer that was understood is understood:
it may hold more, and a list of words may grow, but what a program reads stays there and stays of its kind.
"""

from collections.abc import Iterator
from typing import Any, Final

from kbwork.base.dataclasses import dataclass

Schema = dict[str, Any]
_Pairs = frozenset[tuple[str, str]]
_LEAST: Final = ("minimum", "minLength", "minItems")
_MOST: Final = ("maximum", "maxLength", "maxItems", "maxProperties")
_FORMS: Final = ("pattern", "format")


@dataclass(frozen=True, slots=True)
class Break:
    """Something that a program may rely on, and may not any more."""

    what: str
    """An operation, a shape or a kind of event."""
    field: str
    """Dotted path of the field, `[]` behind that of a list; empty: it is the whole."""
    why: str

    def __str__(self) -> str:
        return f"{self.what}{' ' * bool(self.field)}{self.field}: {self.why}"


def breaks(old: dict[str, Any], new: dict[str, Any]) -> list[Break]:
    """What of a released contract does not hold any more. Both as `render.released` makes them."""
    taken = _Comparison(old["shapes"], new["shapes"], answers=False)
    given = _Comparison(new["shapes"], old["shapes"], answers=True)
    found = list(_events(old["events"], new["events"]))
    for name, was in old["operations"].items():
        if (now := new["operations"].get(name)) is None:
            found.append(Break(name, "", "is gone"))
            continue
        found += _rights(name, was, now)
        inputs = _resolved(was["input"], old["shapes"]), _resolved(now["input"], new["shapes"])
        found += _told(name, "the input", taken.unfit(*inputs))
        found += _told(name, "the answer", given.unfit(now["output"], was["output"]))
    return found + list(_shapes(old, new, taken, given))


def _shapes(
    old: dict[str, Any], new: dict[str, Any], taken: "_Comparison", given: "_Comparison"
) -> Iterator[Break]:
    """Of shapes that have kept their names, once for all operations that use them."""
    operations = old["operations"].values()
    inside = _reached([_resolved(one["input"], old["shapes"]) for one in operations], old["shapes"])
    answered = _reached([one["output"] for one in operations], old["shapes"])
    for name in sorted(old["shapes"].keys() & new["shapes"].keys()):
        was, now = old["shapes"][name], new["shapes"][name]
        if name in inside:
            yield from _told(name, "the input", taken.unfit(was, now))
        if name in answered:
            yield from _told(name, "the answer", given.unfit(now, was))


def _told(what: str, side: str, unfit: Iterator[tuple[str, str]]) -> Iterator[Break]:
    return (Break(what, path, f"{side} {why}") for path, why in unfit)


def _events(old: dict[str, str], new: dict[str, str]) -> Iterator[Break]:
    for kind, audience in old.items():
        if kind not in new:
            yield Break(kind, "", "is told no more")
        elif new[kind] != audience:
            yield Break(kind, "", f"is heard by {new[kind]}, not by {audience}")


def _rights(name: str, was: Schema, now: Schema) -> Iterator[Break]:
    if now["class"] != was["class"]:
        yield Break(name, "", f"is of class {now['class']}, not {was['class']}")
    if more := sorted(set(now["scopes"]) - set(was["scopes"])):
        yield Break(name, "", f"asks for {', '.join(more)}, too")


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Whether each value of one schema is one of another."""

    shapes: dict[str, Schema]
    wider: dict[str, Schema]
    answers: bool
    """Whether it is about answers: there the first schema is the new one, fields may come, and words may."""

    def unfit(
        self, one: Schema, other: Schema, path: str = "", within: _Pairs = frozenset()
    ) -> Iterator[tuple[str, str]]:
        """(path, why) of what is in `one` and not in `other`. Shapes of one name are compared by themselves.

        `within`: pairs of shapes that are compared further up.
        """
        pair = (one.get("$ref", ""), other.get("$ref", ""))
        if all(pair):
            if pair[0] == pair[1] or pair in within:
                return
            within |= {pair}
        one, other = _resolved(one, self.shapes), _resolved(other, self.wider)
        if not other:
            return
        choices = _choices(other)
        for kind in _choices(one):
            yield from min(
                (list(self._unfit_kind(kind, choice, path, within)) for choice in choices), key=len
            )

    def _unfit_kind(self, one: Schema, other: Schema, path: str, within: _Pairs) -> Iterator[tuple[str, str]]:
        """Of schemas of one type each."""
        if "$ref" in one or "$ref" in other:
            yield from self.unfit(one, other, path, within)
            return
        if (words := _words(other)) is not None and not self.answers:
            lost = None if (held := _words(one)) is None else [word for word in held if word not in words]
            if lost is None or lost:
                yield path, f"takes {'any' if lost is None else _listed(lost)} no more"
            return
        if not _of_type(_type(one), _type(other)):
            yield path, f"{'may be' if self.answers else 'may not be'} {_type(one) or 'anything'}"
            return
        yield from self._bounds(one, other, path)
        if "items" in other:
            yield from self.unfit(one.get("items", {}), other["items"], f"{path}[]", within)
        if _type(other) == "object":
            yield from self._fields(one, other, path, within)

    def _bounds(self, one: Schema, other: Schema, path: str) -> Iterator[tuple[str, str]]:
        if self.answers:
            return
        for name in _LEAST:
            if name in other and one.get(name, 0) < other[name]:
                yield path, f"has {name} {other[name]}"
        for name in _MOST:
            if name in other and one.get(name, float("inf")) > other[name]:
                yield path, f"has {name} {other[name]}"
        for name in _FORMS:
            if name in other and one.get(name) != other[name]:
                yield path, f"has the {name} {other[name]}"

    def _fields(self, one: Schema, other: Schema, path: str, within: _Pairs) -> Iterator[tuple[str, str]]:
        held, known = one.get("properties", {}), other.get("properties", {})
        inner = f"{path}." if path else ""
        for name, schema in held.items():
            if name in known:
                yield from self.unfit(schema, known[name], inner + name, within)
            elif other.get("additionalProperties") is False and not self.answers:
                yield inner + name, "is gone"
        for name in known if self.answers else ():
            if name not in held:
                yield inner + name, "is gone"
        for name in other.get("required", ()):
            if name not in one.get("required", ()) and (name in held or not self.answers):
                yield inner + name, "may be missing" if self.answers else "is required"
        rest, wider = one.get("additionalProperties"), other.get("additionalProperties")
        if isinstance(rest, dict) and isinstance(wider, dict):
            yield from self.unfit(rest, wider, f"{inner}*", within)


def _reached(schemas: list[Schema], shapes: dict[str, Schema]) -> set[str]:
    """The names of shapes that these are made of."""
    found: set[str] = set()
    waiting: list[Any] = list(schemas)
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, list):
            waiting += schema
        elif isinstance(schema, dict):
            name = str(schema.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                waiting.append(shapes[name])
            waiting += schema.values()
    return found


def _resolved(schema: Schema, shapes: dict[str, Schema]) -> Schema:
    while "$ref" in schema:
        schema = shapes[schema["$ref"].rpartition("/")[2]]
    return schema


def _choices(schema: Schema) -> list[Schema]:
    """Its alternatives, each of one type."""
    if "anyOf" in schema:
        return [choice for one in schema["anyOf"] for choice in _choices(one)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    return [schema]


def _words(schema: Schema) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _type(schema: Schema) -> str | None:
    """Its type, be it said by its words alone."""
    if "type" in schema:
        found: str = schema["type"]
        return found
    words = _words(schema)
    return None if words is None else "string" if isinstance(words[0], str) else type(words[0]).__name__


def _of_type(one: str | None, other: str | None) -> bool:
    return other is None or one == other or (one, other) == ("integer", "number")


def _listed(words: list[Any]) -> str:
    return ", ".join(str(word) for word in words)
