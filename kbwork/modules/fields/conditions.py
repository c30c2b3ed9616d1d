"""The conditions of layouts and workflows: read when one is saved, asked when an issue is made, changed or moved.

A condition is `{all: [...]}`, `{any: [...]}`, `{field, op, value}`, `{role}` or `{tql}`. It is kept with the field's id
and with the ids of options and people, so that it holds on when they are renamed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from kbwork import issuefields
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, TqlName, TqlSyntax
from kbwork.base.text import did_you_mean, folded
from kbwork.core.access import visibility
from kbwork.core.ports.query import TYPED
from kbwork.db.tx import Read
from kbwork.modules.fields.catalogue import OwnField, named, pick
from kbwork.modules.fields.model import CHOICES, COMPUTED, REFERENCES, TEXTS, Kind, Stored
from kbwork.modules.fields.values.parse import Slot, one_element
from kbwork.modules.projects import access

MOST = 50
MOST_DEEP = 5
MOST_VALUES = 100
MOST_CHARS = 20_000
OPS = ("=", "!=", "<", "<=", ">", ">=", "~", "in", "empty", "not_empty")
FACTS = tuple(sorted(field.name for field in issuefields.FIELDS if field.condition))
"""Fields that every issue has and that a condition may ask for beside own ones."""
ROLES = ("owner", "admin", "member", "guest", "lead", "reporter", "viewer")
_ORDERED: frozenset[Kind] = frozenset({"number", "money", "duration", "rating", "date", "datetime"})
_WITHOUT_VALUE = ("empty", "not_empty", "changed")

Condition = dict[str, Any]
_K = TypeVar("_K")
_V = TypeVar("_V")
Facts = Mapping[str, Any]
"""A fact of the issue as it is to be: a text or number, a list of them, or None; names are those of `FACTS`."""


@dataclass(frozen=True, slots=True)
class ConditionScope:
    """Where conditions stand, and so what they may ask. `name` begins a sentence."""

    name: str
    queries: bool = False
    """The issue is stored when they are asked: `{tql}` may be."""
    changes: bool = False
    """Something may have changed by then: the comparison `changed` may stand."""


LAYOUT = ConditionScope("A layout")


class WhenAsked(Mapping[_K, _V]):
    """What is found out when something of it is asked for, and once: most rules ask for nothing."""

    def __init__(self, find: Callable[[], Mapping[_K, _V]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> Mapping[_K, _V]:
        return self._find()

    def __getitem__(self, key: _K) -> _V:
        return self._found[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, slots=True)
class Case:
    """What a condition is asked about: the caller, the project, the values by field id and the issue's other fields.

    `issue` is the stored one, which `{tql}` asks; `changed` names the fields, by id or fact, that this call changes.
    Values and facts may be found out `WhenAsked`, which is before the issue changes.
    """

    tx: Read
    project: int
    values: Mapping[int, Sequence[Stored]]
    facts: Facts
    issue: int | None = None
    changed: frozenset[int | str] = frozenset()
    names: str = TYPED
    """What the names of the texts that `{tql}` asks meant when these were kept."""


class ConditionReader:
    """Reads conditions as callers write them. Raises InvalidInput at the path of what does not fit."""

    def __init__(self, tx: Read, fields: Mapping[int, OwnField], place: ConditionScope = LAYOUT) -> None:
        self._tx = tx
        self._fields = fields
        self._place = place
        self._count = 0

    def read(self, given: Any, path: str, deep: int = 1) -> Condition:
        """The condition as it is kept."""
        self._count += 1
        if self._count > MOST or deep > MOST_DEEP:
            raise InvalidInput(
                f"{self._place.name} has at most {MOST} conditions, {MOST_DEEP} deep in each other.",
                field=path,
            )
        if not isinstance(given, dict):
            raise InvalidInput("A condition is an object.", field=path)
        if set(given) == {"tql"}:
            return {"tql": self._query(given["tql"], f"{path}.tql")}
        for name in ("all", "any"):
            if set(given) == {name}:
                return {name: self._each(given[name], f"{path}.{name}", deep)}
        if set(given) == {"role"}:
            return {"role": self._role(given["role"], f"{path}.role")}
        if "field" in given and "op" in given and set(given) <= {"field", "op", "value"}:
            return self._comparison(given, path)
        raise InvalidInput("A condition is {all}, {any}, {field, op, value}, {role} or {tql}.", field=path)

    def _query(self, text: Any, path: str) -> str:
        if not self._place.queries:
            raise InvalidInput(
                "The issue is not there yet when this is asked: say it with `field`, `op` and `value`.",
                field=path,
            )
        return query(self._tx, text, path)

    def _each(self, given: Any, path: str, deep: int) -> list[Condition]:
        if not isinstance(given, list):
            raise InvalidInput("A list of conditions stands here.", field=path)
        return [self.read(each, f"{path}[{number}]", deep + 1) for number, each in enumerate(given)]

    def _role(self, role: Any, path: str) -> str:
        team = isinstance(role, str) and role.startswith("team:")
        if role in ROLES or (
            team and (role == "team:admins" or visibility.find_named(self._tx, role) is not None)
        ):
            return str(role)
        raise InvalidInput(
            f"There is no role {str(role)[:100]!r}.", field=path, allowed=[*ROLES, "team:<id>"]
        )

    def _comparison(self, given: Condition, path: str) -> Condition:
        name, op = given["field"], given["op"]
        self._require_op(op, path)
        if (op in _WITHOUT_VALUE) != ("value" not in given):
            raise InvalidInput(
                "Every comparison but `empty`, `not_empty` and `changed` has a value.", field=f"{path}.value"
            )
        if not isinstance(name, str):
            raise InvalidInput("The field is named by its key.", field=f"{path}.field")
        fact = name.strip().lower()
        if fact in FACTS and not named(self._fields.values(), name):
            return _about_fact(fact, given, path)
        return self._about_own(name, given, path)

    def _require_op(self, op: Any, path: str) -> None:
        allowed = [*OPS, "changed"] if self._place.changes else list(OPS)
        if op == "changed" and not self._place.changes:
            raise InvalidInput(
                "Where this is asked, nothing has changed yet.", field=f"{path}.op", allowed=allowed
            )
        if op not in allowed:
            raise InvalidInput(
                f"There is no comparison {str(op)[:100]!r}.", field=f"{path}.op", allowed=allowed
            )

    def _about_own(self, name: str, given: Condition, path: str) -> Condition:
        field = self._own(name, path)
        op = given["op"]
        if op in _WITHOUT_VALUE:
            return {"field": field.id, "op": op}
        if not _comparable(field.kind, op):
            raise InvalidInput(f"{field.name} cannot be compared by `{op}`.", field=f"{path}.op")
        slot = Slot(self._tx, field, f"{path}.value", frozenset(option.id for option in field.options))
        if op == "~":
            return {"field": field.id, "op": op, "value": _text(given["value"], slot.path)}
        if op == "in":
            wanted = [one_element(slot, each).value for each in _list(given["value"], slot.path)]
            return {"field": field.id, "op": op, "value": wanted}
        return {"field": field.id, "op": op, "value": one_element(slot, given["value"]).value}

    def _own(self, name: str, path: str) -> OwnField:
        if not named(self._fields.values(), name) and (hint := did_you_mean(name, FACTS)):
            text = f"There is no field {name[:100]!r} here.{hint}"
            raise InvalidInput(text, field=f"{path}.field", allowed=list(FACTS))
        return pick(self._fields.values(), name, path=f"{path}.field", missing="No field here is called")


def query(tx: Read, text: Any, path: str) -> str:
    """A text in the query language in its normal form. Raises InvalidInput, TqlSyntax or TqlName."""
    if not isinstance(text, str) or not text.strip() or len(text) > MOST_CHARS:
        raise InvalidInput(
            f"A condition in the query language is a text of at most {MOST_CHARS:,} characters.", field=path
        )
    if tx.registry.language is None:
        raise InvalidInput("This comes with TQL: say it with `field`, `op` and `value`.", field=path)
    return str(tx.registry.language.checked(tx, text))


def _comparable(kind: Kind, op: str) -> bool:
    if kind in REFERENCES or kind in COMPUTED:
        return False
    if op == "~":
        return kind in TEXTS
    return op in ("=", "!=", "in") or kind in _ORDERED


def _about_fact(fact: str, given: Condition, path: str) -> Condition:
    op = given["op"]
    if op in _WITHOUT_VALUE:
        return {"field": fact, "op": op}
    if op == "~":
        return {"field": fact, "op": op, "value": _text(given["value"], f"{path}.value")}
    if op == "in":
        return {
            "field": fact,
            "op": op,
            "value": [_scalar(v, path) for v in _list(given["value"], f"{path}.value")],
        }
    return {"field": fact, "op": op, "value": _scalar(given["value"], path)}


def _text(given: Any, path: str) -> str:
    if not isinstance(given, str) or not given.strip() or len(given) > 500:
        raise InvalidInput("The words to look for are a text of at most 500 characters.", field=path)
    return given


def _list(given: Any, path: str) -> list[Any]:
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_VALUES:
        raise InvalidInput(f"`in` has a list of 1 to {MOST_VALUES} values.", field=path)
    return given


def _scalar(given: Any, path: str) -> str | int | float:
    if isinstance(given, bool) or not isinstance(given, str | int | float) or len(str(given)) > 500:
        raise InvalidInput("It is compared with a text or a number.", field=f"{path}.value")
    return given


def holds(condition: Condition, case: Case) -> bool:
    """Whether a kept condition is true. What is missing makes a comparison false, and its opposite true."""
    if "all" in condition:
        return all(holds(each, case) for each in condition["all"])
    if "any" in condition:
        return any(holds(each, case) for each in condition["any"])
    if "role" in condition:
        tx, role = case.tx, condition["role"]
        return bool(role in (tx.caller.role, access.role_in(tx, case.project), *visibility.teams(tx)))
    if "tql" in condition:
        return fits(case.tx, condition["tql"], case.issue, case.names)
    return _compared(condition, case)


def fits(tx: Read, text: str, issue: int | None, names: str) -> bool:
    """Whether a stored issue fits a text that is kept with what its names meant, as the caller sees it. What they
    cannot ask is not so."""
    language = tx.registry.language
    if language is None or issue is None:
        return False
    eyes = tx.as_caller(tx.caller)  # what was found out before an edit may not hold behind it
    try:
        return bool(language.matches(eyes, text, issue, names))
    except (TqlName, TqlSyntax):  # a name in it is gone, or is none that the caller sees
        return False


def _compared(condition: Condition, case: Case) -> bool:
    have = _present(condition["field"], case)
    op = condition["op"]
    if op == "changed":
        return condition["field"] in case.changed
    if op in _WITHOUT_VALUE:
        return bool(have) is (op == "not_empty")
    wanted = condition["value"]
    if op == "!=":
        return not any(_equal(each, wanted) for each in have)
    return any(_HOLDS[op](each, wanted) for each in have)


def _present(name: int | str, case: Case) -> list[Any]:
    if isinstance(name, int):
        return [value.value for value in case.values.get(name, ())]
    fact = case.facts.get(name)
    if fact is None or fact == "":
        return []
    return list(fact) if isinstance(fact, list | tuple) else [fact]


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return folded(one) == folded(other)
    return bool(one == other)


def _ordered(judge: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Numbers with numbers and texts, such as days, with texts."""
    return lambda one, other: isinstance(one, str) == isinstance(other, str) and judge(one, other)


_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "=": _equal,
    "<": _ordered(lambda one, other: one < other),
    "<=": _ordered(lambda one, other: one <= other),
    ">": _ordered(lambda one, other: one > other),
    ">=": _ordered(lambda one, other: one >= other),
    "~": lambda one, words: all(word in folded(str(one)) for word in folded(words).split()),
    "in": lambda one, several: any(_equal(one, each) for each in several),
}


def shown(
    condition: Condition, fields: Mapping[int, OwnField], present: Callable[[str], str] = str
) -> Condition:
    """A kept condition as it is answered: fields by key (null for one that was deleted), options by name, and texts in
    the query language with the names that `present` finds for them."""
    for name in ("all", "any"):
        if name in condition:
            return {name: [shown(each, fields, present) for each in condition[name]]}
    if "tql" in condition:
        return {"tql": present(condition["tql"])}
    if not isinstance(condition.get("field"), int):
        return dict(condition)
    field = fields.get(condition["field"])
    if field is None:
        return condition | {"field": None}
    answer = condition | {"field": field.key}
    if "value" in condition and condition["op"] != "~":
        wanted = condition["value"]
        several = isinstance(wanted, list)
        names = [_named(field, each) for each in (wanted if several else [wanted])]
        answer["value"] = names if several else names[0]
    return answer


def _named(field: OwnField, value: Any) -> Any:
    if field.kind == "bool":
        return bool(value)
    if field.kind not in CHOICES:
        return value
    path = [option.name for option in field.path(value)]
    return path if field.kind == "cascade" else (path[-1] if path else None)


def comparisons(condition: Condition) -> Iterator[Condition]:
    """Each comparison in a kept condition."""
    for each in (*condition.get("all", ()), *condition.get("any", ())):
        yield from comparisons(each)
    if "field" in condition:
        yield condition


def texts(condition: Condition) -> Iterator[str]:
    """Each text in the query language in a kept condition."""
    for each in (*condition.get("all", ()), *condition.get("any", ())):
        yield from texts(each)
    if "tql" in condition:
        yield condition["tql"]


def names_of(tx: Read, conditions: Iterable[str]) -> str:
    """What the names of texts in the query language mean now, to be kept beside them."""
    language = tx.registry.language
    return TYPED if language is None else str(language.names(tx, conditions, ()))


def presented(tx: Read, names: str) -> Callable[[str], str]:
    """Puts present names into a text that is kept with what its names meant."""
    language = tx.registry.language
    return str if language is None else lambda text: str(language.present(tx, text, names))


def words(answered: Condition) -> str:
    """A condition, as `shown` answers it, in one line."""
    for name, between in (("all", " and "), ("any", " or ")):
        if name in answered:
            inner = between.join(words(each) for each in answered[name])
            return f"({inner})" if len(answered[name]) > 1 else inner
    if "role" in answered:
        return f"you are {answered['role']}"
    if "tql" in answered:
        return str(answered["tql"])
    name, op = answered["field"] or "a field that is gone", answered["op"]
    if op in _WITHOUT_VALUE:
        return f"{name} {'is' if op != 'changed' else 'has'} {op.replace('_', ' ')}"
    value = answered["value"]
    shown_value = ", ".join(map(str, value)) if isinstance(value, list) else value
    return f"{name} {op} {shown_value}"
