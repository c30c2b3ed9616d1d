"""Check a text without running it, and list the fields that texts may name."""

from dataclasses import fields as parts_of
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operation import read
from kbwork.db.tx import Read
from kbwork.modules.tql import reading
from kbwork.modules.tql.asking import Tql
from kbwork.modules.tql.model import TqlChecked, TqlField
from kbwork.modules.tql.names import DbNames
from kbwork.modules.tql.sight import TABLES
from kbwork.tql import tree as t
from kbwork.tql.check import check_value
from kbwork.tql.errors import TqlError
from kbwork.tql.fields import CATALOGUE, NAMED, FieldDef, Kind
from kbwork.tql.kinds import kind_of
from kbwork.tql.names import OwnField, shown
from kbwork.tql.normal import normal
from kbwork.tql.words import FUNCTIONS, SOURCES

_MOST_VALUES = 50
OPERATORS: dict[Kind, tuple[str, ...]] = {
    Kind.TEXT: ("~", "!~", "=", "!=", "is empty"),
    Kind.BOOL: ("=", "!="),
    **dict.fromkeys(NAMED, ("=", "!=", "in", "not in", "is empty")),
    **dict.fromkeys(
        (Kind.NUMBER, Kind.DURATION, Kind.TIME, Kind.DAY),
        ("=", "!=", "<", "<=", ">", ">=", "..", "in", "is empty"),
    ),
}
HISTORY = ("was", "changed", "unchanged for")


class TqlCheck(Input):
    tql: Tql
    from_: Annotated[str, Field(max_length=40)] | None = Field(None, alias="from")
    """What the text is about where it does not say so: `issues` (unless given), `comments`, `attachments`, `assets`,
    `projects`, `members`."""


@read("tql.check", scope="search:read", example={"tql": "status was done before -7d and open"})
def check(tx: Read, args: TqlCheck) -> TqlChecked:
    """Say whether a text can be run, what is wrong with it, and how it is written in its tidy form.

    Up to five errors are told, each with its place and what to write instead. A source whose scope is missing is 403.
    """
    source = _source(args.from_)
    try:
        asked = reading.unrefused(tx, args.tql, source)
    except TqlError as wrong:
        told: list[Any] = wrong.document()
        return TqlChecked(ok=False, errors=told, tree=None, normal=None, notices=[])
    return TqlChecked(
        ok=True,
        errors=[],
        tree=document(asked.query),
        normal=normal(asked.query),
        notices=list(asked.checked.notices),
    )


class TqlFields(Input):
    from_: Annotated[str, Field(max_length=40)] | None = Field(None, alias="from")
    project: Text | None = None
    """Key of a project: only own fields that its issues may have."""


@read("tql.fields", scope="search:read", example={"from": "issues", "project": "WEB"})
def fields(tx: Read, args: TqlFields) -> list[TqlField]:
    """List the fields of a source with their operators and the functions that give values for them.

    `values` are the names that you may write, the most used first, fifty at most; aliases are fields of their own.
    """
    source = _source(args.from_)
    names = DbNames(tx)
    reading.require_source(tx, source)
    project = names.project(args.project) if args.project else None
    found = [
        _field(names, name, field)
        for name, field in CATALOGUE[source].items()
        if not field.module or names.has(field.module)
    ]
    own = [_own(names, one, source) for one in names.own(source) if _is_of(one, project)]
    return found + [one for one in own if one is not None]


def _source(name: str | None) -> str:
    source = name or "issues"
    known = [one for one in TABLES if one in SOURCES]
    if source not in known:
        raise InvalidInput(f"Texts cannot be about {source!r} yet.", field="from", allowed=known)
    return source


def _field(names: DbNames, name: str, field: FieldDef) -> TqlField:
    said = field.name if name == field.name.lower() else name
    found = _described(names, said, field.kind, field.domain, tracked=field.tracked)
    if values := list(field.choices) or _values(names, field.domain):
        found["values"] = values
    return found


def _is_of(own: OwnField, project: str | None) -> bool:
    return project is None or not own.projects or project in own.projects


def shape_of(names: DbNames, own: OwnField, source: str) -> t.Column | None:
    """What an own field holds; None where its formula cannot be computed for the caller."""
    if not own.formula:
        return t.Column(own.key, own.kind, domain=own.domain, tracked=own.tracked)
    try:
        return kind_of(check_value(f"cf.{own.key}", names, source))
    except TqlError:
        return None


def _own(names: DbNames, own: OwnField, source: str) -> TqlField | None:
    shape = shape_of(names, own, source)
    if shape is None:
        return None
    found = _described(names, own.key, shape.kind, shape.domain, tracked=shape.tracked)
    found["custom"] = True
    if values := _values(names, shape.domain):
        found["values"] = values
    return found


def _described(names: DbNames, name: str, kind: Kind, domain: str, *, tracked: bool) -> TqlField:
    operators = [*OPERATORS[kind], *(HISTORY if tracked else ())]
    if domain == "priority":
        operators += ["<", "<=", ">", ">="]
    return TqlField(
        name=name,
        kind=kind.name.lower(),
        operators=operators,
        functions=functions_for(names, kind, domain),
        custom=False,
    )


def functions_for(names: DbNames, kind: Kind, domain: str) -> list[str]:
    """How the functions are written that give values of this kind."""
    wanted = {"person": "person", "issue": "issues"}.get(domain, domain)
    gives = {wanted} if wanted else {"time", "day"} if kind in (Kind.TIME, Kind.DAY) else set()
    rounding = {"day", "week", "month", "quarter", "year"}
    there = [one for one in FUNCTIONS.values() if not one.module or names.has(one.module)]
    served = [one for one in there if one.name not in rounding]
    return [function.call for function in served if function.gives in gives]


def _values(names: DbNames, domain: str) -> list[str]:
    if not domain or domain == "issue":
        return []
    spelled = dict.fromkeys(shown(domain, named) for named in names.some(domain))
    return list(spelled)[:_MOST_VALUES]


def document(node: Any) -> Any:
    """A tree as JSON: {`node`: its sort, and its parts}."""
    if isinstance(node, t.Node):
        parts = {
            part.name: document(getattr(node, part.name))
            for part in parts_of(node)
            if part.name not in _PLACES
        }
        return {"node": type(node).__name__.lower(), **parts}
    if isinstance(node, tuple | list):
        return [document(one) for one in node]
    return node.name.lower() if isinstance(node, Kind) else node


_PLACES = ("span", "sign")
