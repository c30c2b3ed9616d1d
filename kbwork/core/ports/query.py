"""The query language as modules below it use it: conditions of workflows, formulas, lists of issues by a text."""

from collections.abc import Callable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.db.tx import Read


@dataclass(frozen=True, kw_only=True)
class QueryLanguage:
    """Declared by the module that keeps the language. Texts are conditions over issues unless said otherwise.

    Each raises TqlSyntax or TqlName for a text that the caller cannot ask.
    """

    home: str
    checked: Callable[[Read, str], str]
    """The normal form of a condition."""
    checked_value: Callable[[Read, str], str]
    """The normal form of a value expression, such as a formula."""
    issues: Callable[[Read, str, int], list[int]]
    """The issues that the caller sees and that fit, in the text's order, so many at most."""
    matches: Callable[[Read, str, int], bool]
    """Whether a stored issue fits, as the caller sees it."""
    values: Callable[[Read, Mapping[str, str], list[int]], dict[int, dict[str, Any]]]
    """Name -> value expression, computed for each of these issues: issue -> name -> value; None for nothing."""
