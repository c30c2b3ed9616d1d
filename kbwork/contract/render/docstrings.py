"""The docstrings below the fields of inputs and answers, read off the sources when a contract is made."""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel
from typing_extensions import get_original_bases, is_typeddict


def described(shape: type) -> dict[str, str]:
    """Field -> what stands below it, in its class or in the one that it inherits it from.

    Where many shapes of a module have the same fields, its `SENTENCES` describe those with nothing below.
    """
    found: dict[str, str] = {}
    for cls in reversed(list(_lineage(shape))):
        found = getattr(sys.modules[cls.__module__], "SENTENCES", {}) | found
        found |= _of_file(inspect.getfile(cls)).get(cls.__name__, {})
    fields = shape.model_fields if issubclass(shape, BaseModel) else shape.__annotations__
    return {name: text for name, text in found.items() if name in fields}


def _lineage(shape: type) -> Iterator[type]:
    """A class and those that it inherits fields from, the nearest first; a TypedDict knows its own as `bases` alone."""
    if issubclass(shape, BaseModel):
        yield from (cls for cls in shape.__mro__ if cls is not BaseModel and issubclass(cls, BaseModel))
    else:
        yield shape
        for base in get_original_bases(shape):
            if is_typeddict(base):
                yield from _lineage(base)


@cache
def _of_file(path: str) -> dict[str, dict[str, str]]:
    """Class -> field -> docstring, of the classes of a file."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return {node.name: _of_class(node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _of_class(node: ast.ClassDef) -> dict[str, str]:
    found = {}
    for field, below in pairwise(node.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[field.target.id] = inspect.cleandoc(below.value.value)
    return found
