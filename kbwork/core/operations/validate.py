"""From a JSON object to an operation's input, or a problem that names the field and what would fit."""

from collections import OrderedDict
from typing import Any

from pydantic import ValidationError

from kbwork.base.errors import InvalidInput, UnknownField
from kbwork.base.model import EMAIL, Input
from kbwork.base.text import no_field

_MOST_KEPT = 256
"""Some 7 KB each, most of it what was found out of one: what its caller sees, for as long as it is not asked anew."""
_LONGEST_KEPT = 1000
"""Bytes of an input as JSON."""
_SHOWN = 20
_SHOWN_CHARS = 100  # of a name that somebody made up: what is said of it is no longer than that


def validate(model: type[Input], value: dict[str, Any], *, about: str = "") -> Input:
    """Raises UnknownField or InvalidInput with `errors` [{path, message, allowed?}]."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise _problem(model, error, about) from None


class KeptInputs:
    """(caller, op, input as JSON) -> that input, the least used dropped first: much is read again in the same words."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, bytes], Input] = OrderedDict()

    def of(self, asked: tuple[str, str, bytes], model: type[Input], value: dict[str, Any]) -> Input:
        """The input that was asked for, which nobody may change. Raises what `validate` does."""
        found = self._kept.get(asked)
        if found is not None:
            self._kept.move_to_end(asked)
            return found
        found = validate(model, value)
        if len(asked[2]) <= _LONGEST_KEPT:
            self._kept[asked] = found
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        self._kept.clear()


def _problem(model: type[Input], error: ValidationError, about: str) -> InvalidInput:
    found = error.errors(include_url=False)
    unknown = [e for e in found if e["type"] == "extra_forbidden"]
    if unknown:
        errors = [_unknown(model, e) for e in unknown[:_SHOWN]]
        return UnknownField(about + errors[0]["message"], errors=errors)
    errors = _merged([_wrong(e) for e in found])[:_SHOWN]
    first = errors[0]
    where = f"{first['path']}: " if first["path"] else ""
    return InvalidInput(f"{about}{where}{first['message']}", errors=errors)


def _unknown(model: type[Input], error: Any) -> dict[str, Any]:
    name = str(error["loc"][-1])[:_SHOWN_CHARS]
    known = sorted(_known_at(model, error["loc"][:-1]))
    return {"path": _path(error["loc"]), "message": no_field(name, known), "allowed": known}


def _known_at(model: type[Input], loc: tuple[Any, ...]) -> set[str]:
    """The field names of the model that this place is in; of the whole input where it cannot be told."""
    if not loc:
        return {field.alias or name for name, field in model.model_fields.items()}
    schema = model.model_json_schema()
    node: dict[str, Any] = schema
    for part in loc:
        node = _step(schema, node, part)
    return set(node.get("properties", {})) or set(model.model_fields)


def _step(schema: dict[str, Any], node: dict[str, Any], part: Any) -> dict[str, Any]:
    inner = node.get("items", {}) if isinstance(part, int) else node.get("properties", {}).get(part, {})
    for branch in inner.get("anyOf", [inner]):
        if "$ref" in branch:
            return dict(schema["$defs"][branch["$ref"].rsplit("/", 1)[1]])
        if branch.get("type") != "null":
            inner = branch
    return dict(inner)


_TEXTS = {
    "missing": "is required",
    "string_type": "should be a string",
    "int_type": "should be a whole number",
    "float_type": "should be a number",
    "bool_type": "should be true or false",
    "list_type": "should be a list",
    "dict_type": "should be an object",
    "model_type": "should be an object",
    "none_required": "should be null",
}
_SHAPES = {EMAIL: "should be an e-mail address, such as ada@example.org"}
"""What a pattern asks for, where people write it by hand."""
_EMPTY = "should be empty"


def _wrong(error: Any) -> dict[str, Any]:
    kind, context = error["type"], error.get("ctx", {})
    message = _TEXTS.get(kind) or error["msg"].replace("Input ", "").replace("Value error, ", "")
    if kind in ("string_too_long", "too_long"):
        message = f"holds at most {_counted(context['max_length'], error['input'])}"
    elif kind in ("string_too_short", "too_short"):
        message = f"should hold at least {_counted(context['min_length'], error['input'])}"
    elif kind == "string_pattern_mismatch":
        message = _SHAPES.get(context["pattern"]) or f"should match {context['pattern']}"
    answer: dict[str, Any] = {"path": _path(error["loc"]), "message": message}
    if kind == "literal_error":
        allowed = [part.strip().strip("'") for part in context["expected"].replace(" or ", ", ").split(", ")]
        shown = ", ".join(each for each in allowed if each)
        answer |= {"message": f"should be one of {shown}" if shown else _EMPTY, "allowed": allowed}
    return answer


def _counted(count: int, value: Any) -> str:
    """`1 character`, `20 entries`."""
    one, many = ("character", "characters") if isinstance(value, str) else ("entry", "entries")
    return f"{count} {one if count == 1 else many}"


def _merged(errors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry per path: the branches of a union are told together, but that of the empty text."""
    by_path: dict[str, dict[str, Any]] = {}
    filled = {error["path"] for error in errors if error["message"] != _EMPTY}
    for error in errors:
        if error["message"] == _EMPTY and error["path"] in filled:
            continue
        known = by_path.setdefault(error["path"], error)
        if known is not error and error["message"] not in known["message"]:
            known["message"] += " or " + error["message"]
    return list(by_path.values())


def _path(loc: tuple[Any, ...]) -> str:
    """`ops[3].input`; the names of union branches are left out."""
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not _branch(part):
            text += f".{part[:_SHOWN_CHARS]}" if text else part[:_SHOWN_CHARS]
    return text


def _branch(part: str) -> bool:
    return part in (
        "constrained-str",
        "str",
        "int",
        "bool",
        "float",
        "constrained-int",
        "constrained-float",
    ) or ("[" in part or part.startswith("literal"))
