"""The query language as modules below it use it: conditions of workflows, formulas, lists of issues by a text."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read

TYPED = "{}"
"""The names of a text that is not kept: they mean what is called so now."""


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
    names: Callable[[Read, Iterable[str], Iterable[str]], str]
    """What the names of these conditions and value expressions mean now, to be kept beside them."""
    present: Callable[[Read, str, str], str]
    """A condition with present names; behind it what its names meant when it was kept."""
    present_value: Callable[[Read, str, str], str]
    """A value expression likewise."""
    issues: Callable[[Read, str, int, str], list[int]]
    """The issues that the caller sees and that fit, in the text's order, so many at most; by such names."""
    matches: Callable[[Read, str, int, str], bool]
    """Whether a stored issue fits, as the caller sees it; by such names."""
    fitting: Callable[[Read, str, list[int], str], set[int]]
    """Those of some stored issues that fit, likewise."""
    values: Callable[[Read, Mapping[str, str], list[int], str], dict[int, dict[str, Any]]]
    """Name -> value expression, computed for each of these issues: issue -> name -> value; None for nothing. Behind
    them what their names meant."""


def kept(tx: Read, tql: str, field: str) -> dict[str, str]:
    """A condition as two columns: `tql`, and `names` for what its names mean now; empty: there is none.

    Raises TqlSyntax, TqlName, or InvalidInput at the field where there is no query language.
    """
    language = tx.registry.language
    if not tql:
        return {"tql": "", "names": TYPED}
    if language is None:
        raise InvalidInput(f"This version has no query language: leave `{field}` out.", field=field)
    language.checked(tx, tql)
    return {"tql": tql, "names": language.names(tx, [tql], [])}


def present(tx: Read, tql: str, names: str) -> str:
    """A condition that was kept so, with the names of today."""
    language = tx.registry.language
    return tql if not tql or language is None else str(language.present(tx, tql, names))
