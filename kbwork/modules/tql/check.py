"""Check a text without running it."""

from typing import Annotated, Any

from pydantic import Field

from kbwork.base.dataclasses import fields as parts_of
from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.tql import query_parser
from kbwork.modules.tql.fields import known_source
from kbwork.modules.tql.model import TqlChecked
from kbwork.modules.tql.run import Tql
from kbwork.tql import tree as t
from kbwork.tql.errors import TqlError
from kbwork.tql.fields import FieldKind
from kbwork.tql.normal_form import normal


class TqlCheck(Input):
    tql: Tql
    from_: Annotated[str, Field(max_length=40)] | None = Field(None, alias="from")
    """What the text is about where it does not say so: `issues` (unless given), `comments`, `attachments`, `assets`,
    `projects`, `members`."""


@read(
    "tql.check",
    scope="search:read",
    words="is the query valid, validate a query, syntax error, format a query",
    example={"tql": "status was done before -7d and open"},
)
def check(tx: Read, args: TqlCheck) -> TqlChecked:
    """Say whether a text can be run, what is wrong with it, and how it is written in its tidy form.

    Up to five errors are told, each with its place and what to write instead. A source whose scope is missing is 403.
    """
    source = known_source(tx, args.from_)
    try:
        asked = query_parser.unrefused(tx, args.tql, source)
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


def document(node: Any) -> Any:
    """A tree as JSON: {`node`: its sort, and its parts}."""
    if isinstance(node, t.Node):
        parts = {
            part.name: document(getattr(node, part.name))
            for part in parts_of(node)
            if part.name not in _PLACES
        }
        return {"node": type(node).__name__.removesuffix("Node").lower(), **parts}
    if isinstance(node, tuple | list):
        return [document(one) for one in node]
    return node.name.lower() if isinstance(node, FieldKind) else node


_PLACES = ("span", "sign", "value_kind", "written")
