"""JSON schemas of JSON flags: checked in bounded time, with linear-time patterns, and without fetching anything."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from kbwork.flagengine.clauses.patterns import compiled

_MOST_CHARS = 8_000
"""Of a schema: whether it is one is found out in some hundred milliseconds."""
_MOST_SCHEMAS = 3
"""Different ones in one request."""
_MOST_STEPS = 50_000
"""Keywords looked at in one request, for all values together: a quarter of a second."""
_CHARS_A_STEP = 500
_TOO_MUCH = (
    "checking values by it takes too long: it refers to itself, or has too many alternatives or values"
)
_CHARS = 500
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class SchemaChecker:
    """Schemas and values of one request, within its bounds."""

    def __init__(self) -> None:
        self._left = _MOST_STEPS
        self._checked: dict[str, str | None] = {}

    def fits(self, schema: dict[str, Any], values: tuple[Any, ...]) -> str | None:
        """What of a schema is wrong, or of these values does not fit it. None: all is well."""
        if (fault := self._fault(schema)) is not None:
            return fault
        found = (_told(partial(self._validate, schema, value)) for value in values)
        return next((fault for fault in found if fault is not None), None)

    def _fault(self, schema: dict[str, Any]) -> str | None:
        text = json.dumps(schema)
        if text not in self._checked:
            self._checked[text] = self._look(schema, text)
        return self._checked[text]

    def _look(self, schema: dict[str, Any], text: str) -> str | None:
        if len(text) > _MOST_CHARS:
            return f"it has more than {_MOST_CHARS:,} characters"
        if len(self._checked) >= _MOST_SCHEMAS:
            return f"a request has at most {_MOST_SCHEMAS} different ones"
        if schema.get("$schema", _DIALECT) != _DIALECT:
            return f"it is of another dialect than {_DIALECT}"
        if text.count('"$schema"') > ("$schema" in schema):
            return "`$schema` stands inside it: it is known at the top alone"
        if '"$id"' in text:
            return "`$id` is not known here: refer to parts of it by `#/$defs/...`"
        from jsonschema import Draft202012Validator  # noqa: PLC0415 - 0.1 s, seldom needed

        return _told(lambda: Draft202012Validator.check_schema(schema, format_checker=None)) or _told(
            lambda: _read_patterns(schema)
        )

    def _validate(self, schema: dict[str, Any], value: Any) -> None:
        from referencing import Registry  # noqa: PLC0415 - 0.1 s, seldom needed

        nothing: Registry[Any] = Registry()  # an address in `$ref` is never fetched
        self._bounded()(schema, registry=nothing).validate(value)

    def _bounded(self) -> Any:
        """A validator that stops when the steps of the request are used up."""
        from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - likewise

        own = {"pattern": _pattern, "patternProperties": _pattern_properties, "uniqueItems": _unique_items}
        checks = {**Draft202012Validator.VALIDATORS, **own}
        return validators.extend(
            Draft202012Validator, {name: self._counted(check) for name, check in checks.items()}
        )

    def _counted(self, check: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any) -> Any:
            instance = args[2]
            self._left -= 1 + (len(instance) // _CHARS_A_STEP if type(instance) is str else 0)
            if self._left < 0:
                raise _TooMuch
            return check(*args)

        return step


class _TooMuch(Exception):
    """A check that would not end soon."""


def _told(check: Callable[[], None]) -> str | None:
    """What a check raises, in words. What the library itself stumbles over is the schema's fault too."""
    import re2  # noqa: PLC0415 - likewise
    from jsonschema import SchemaError, ValidationError  # noqa: PLC0415 - likewise
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - likewise

    try:
        check()
    except (ValidationError, SchemaError) as error:
        place = "/".join(str(part) for part in error.absolute_path)
        return f"{error.message[:_CHARS]}{f' at /{place}' if place else ''}"
    except Unresolvable as error:
        return f"it refers to {str(error.ref)[:_CHARS]!r}, which is not in it"
    except re2.error as error:
        why = error.args[0]  # in the bytes of the pattern
        told = why.decode(errors="replace") if isinstance(why, bytes) else why
        return f"it has a pattern that cannot be used: {told}"[:_CHARS]
    except (RecursionError, _TooMuch):
        return _TOO_MUCH
    except (ArithmeticError, ValueError) as error:
        return f"it cannot be used: {error}"[:_CHARS]
    return None


def _read_patterns(value: Any) -> None:
    """Raises re2.error for a pattern anywhere in a schema that cannot be used."""
    if type(value) is list:
        for one in value:
            _read_patterns(one)
    elif type(value) is dict:
        for name, one in value.items():
            if name == "pattern" and type(one) is str:
                compiled(one)
            elif name == "patternProperties" and type(one) is dict:
                for pattern in one:
                    compiled(pattern)
            _read_patterns(one)


def _fault(text: str) -> Any:
    from jsonschema import ValidationError  # noqa: PLC0415 - likewise

    return ValidationError(text)


def _pattern(_: Any, pattern: Any, instance: Any, __: Any) -> Iterator[Any]:
    if type(instance) is str and compiled(pattern).search(instance) is None:
        yield _fault(f"{instance[:100]!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: dict[str, Any], instance: Any, _: Any) -> Iterator[Any]:
    if type(instance) is not dict:
        return
    for pattern, wanted in patterns.items():
        for name, value in instance.items():
            if compiled(pattern).search(name) is not None:
                yield from validator.descend(value, wanted, path=name, schema_path=pattern)


def _unique_items(_: Any, wanted: Any, instance: Any, __: Any) -> Iterator[Any]:
    """The library's own compares each with each where they cannot be sorted."""
    if wanted is True and type(instance) is list:
        seen = {json.dumps(one, sort_keys=True) for one in instance}
        if len(seen) < len(instance):
            yield _fault("the items are not unique")
