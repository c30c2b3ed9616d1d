"""List the fields that texts may name."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.model import TqlField
from kbwork.modules.tql.names.db_names import DbNames
from kbwork.modules.tql.sources import sources
from kbwork.tql import tree as t
from kbwork.tql.checker.query import check_value
from kbwork.tql.errors import TqlError
from kbwork.tql.fields import FieldDef, FieldKind
from kbwork.tql.kinds import kind_of
from kbwork.tql.names import OwnFieldDef, shown
from kbwork.tql.operators import operators
from kbwork.tql.words import FUNCTIONS

_MOST_VALUES = 50


class TqlFields(Input):
    from_: Annotated[str, Field(max_length=40)] | None = Field(None, alias="from")
    """What fields are of, such as `issues` (unless given)."""
    project: Text | None = None
    """Key of a project: only own fields that its issues may have."""


@read(
    "tql.fields",
    scope="search:read",
    words=("which fields can I filter by, operators, names in queries, query language reference, columns"),
    example={"from": "issues", "project": "WEB"},
)
def fields(tx: Read, args: TqlFields) -> list[TqlField]:
    """List the fields of a source with their operators and the functions that give values for them.

    `values` are the names that you may write, the most used first, fifty at most; aliases are fields of their own.
    """
    source = known_source(tx, args.from_)
    names = DbNames(tx)
    query_parser.require_source(tx, source)
    project = names.project(args.project) if args.project else None
    found = [
        _field(names, name, field)
        for name, field in names.sources[source].table.items()
        if not field.module or names.has(field.module)
    ]
    own = [_own(names, one, source) for one in names.own(source) if _is_of(one, project)]
    return found + [one for one in own if one is not None]


def known_source(tx: Read, name: str | None) -> str:
    """Raises InvalidInput for what texts cannot be about."""
    source = name or "issues"
    known = sources(tx).asked
    if source not in known:
        raise InvalidInput(f"Texts cannot be about {source!r} yet.", field="from", allowed=known)
    return source


def _field(names: DbNames, name: str, field: FieldDef) -> TqlField:
    said = field.name if name == field.name.lower() else name
    found = _described(names, said, field.kind, field.domain, tracked=field.tracked)
    if values := list(field.choices) or _values(names, field.domain):
        found["values"] = values
    return found


def _is_of(own: OwnFieldDef, project: str | None) -> bool:
    return project is None or not own.projects or project in own.projects


def shape_of(names: DbNames, own: OwnFieldDef, source: str) -> t.ColumnNode | None:
    """What an own field holds; None where its formula cannot be computed for the caller."""
    if not own.formula:
        return t.ColumnNode(own.key, own.kind, domain=own.domain, tracked=own.tracked)
    try:
        return kind_of(check_value(f"cf.{own.key}", names, source))
    except TqlError:
        return None


def _own(names: DbNames, own: OwnFieldDef, source: str) -> TqlField | None:
    shape = shape_of(names, own, source)
    if shape is None:
        return None
    found = _described(names, own.key, shape.kind, shape.domain, tracked=shape.tracked)
    found["custom"] = True
    if values := _values(names, shape.domain):
        found["values"] = values
    return found


def _described(names: DbNames, name: str, kind: FieldKind, domain: str, *, tracked: bool) -> TqlField:
    return TqlField(
        name=name,
        kind=kind.name.lower(),
        operators=list(operators(kind, domain, tracked=tracked)),
        functions=functions_for(names, kind, domain),
        custom=False,
    )


def functions_for(names: DbNames, kind: FieldKind, domain: str) -> list[str]:
    """How the functions are written that give values of this kind."""
    wanted = {"person": "person", "issue": "issues"}.get(domain, domain)
    gives = {wanted} if wanted else {"time", "day"} if kind in (FieldKind.TIME, FieldKind.DAY) else set()
    rounding = {"day", "week", "month", "quarter", "year"}
    there = [one for one in FUNCTIONS.values() if not one.module or names.has(one.module)]
    served = [one for one in there if one.name not in rounding]
    return [function.call for function in served if function.gives in gives]


def _values(names: DbNames, domain: str) -> list[str]:
    if not domain or domain == "issue":
        return []
    spelled = dict.fromkeys(shown(domain, named, names.sources) for named in names.some(domain))
    return list(spelled)[:_MOST_VALUES]
