"""The docstrings below the fields of inputs, read off the sources when a contract is made."""

import ast
import inspect
from functools import cache
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel


def described(model: type[BaseModel]) -> dict[str, str]:
    """Field -> what stands below it, in its class or in the one that it inherits it from."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if cls is not BaseModel and issubclass(cls, BaseModel):
            found |= _of_file(inspect.getfile(cls)).get(cls.__name__, {})
    return {name: text for name, text in found.items() if name in model.model_fields}


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
