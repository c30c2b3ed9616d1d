"""The page of the query language's words as Markdown, read off the contract."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from kbwork.contract import load

TITLE = "Words of the query language"
_SAID = (
    "All that a query may name in this version, read off the language itself; how it is put together stands in"
    " [Queries](tql). `kbwork tql fields` answers the same with the fields and names of your org."
)


@cache
def query_words() -> str:
    """Sources with their fields, functions, and what else a text is made of."""
    words = load("tql.json")
    parts = [
        f"# {TITLE}",
        _SAID,
        *(part for source in words["sources"] for part in _source(source)),
        *_listed("Functions", "", _table(("function", "gives"), map(_function, words["functions"]))),
        *_listed(
            "History",
            f"{_code(words['history'])} stand behind a field that has a history. These say when:",
            _pairs("when", words["when"]),
        ),
        *_listed(
            "Flags",
            "A condition each; which source has which stands with it.",
            _pairs("flag", words["flags"]),
        ),
        *_listed(
            "Relations",
            "Between issues; behind one stands a key, several in brackets, a query in brackets, `any` or `none`.",
            _pairs("relation", words["relations"]),
        ),
        *_listed(
            "Parts",
            f"Behind one stands one of {_code(words['quantifiers'])}, and a query over its fields in brackets.",
            _table(("part", "fields of", "is"), map(_collection, words["collections"])),
        ),
        *_listed(
            "Groups and figures",
            f"`group by` takes fields and {_code(f'{name}()' for name in words['groups'])}. `select`, `having` and"
            " `order by` take:",
            _pairs("figure", words["aggregates"]),
        ),
        *_listed(
            "Lengths of time",
            "`2h 30min`, `-7d`, `+2w`: a number and a unit.",
            _pairs("unit", words["units"]),
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _source(source: dict[str, Any]) -> list[str]:
    name = source["name"]
    said = [f"`from {name}`." if source["asked"] else "What a path or a part leads to; not behind `from`."]
    said.append(f"Needs `{source['scope']}`.")
    if source["columns"]:
        said.append(f"Columns unless you `select`: {_code(source['columns'])}.")
    if source["flags"]:
        said.append(f"Flags: {_code(source['flags'])}.")
    if source["relations"]:
        said.append(f"Relations: {_code(source['relations'])}.")
    if source["own"]:
        said.append("The fields that your org made are named by key or name.")
    return _listed(
        name.capitalize(),
        " ".join(said),
        _table(("field", "holds", "operators"), map(_field, source["fields"])),
    )


def _field(field: dict[str, Any]) -> tuple[str, ...]:
    also = f", also {_code(field['aliases'])}" if field["aliases"] else ""
    holds = f"{field['kind']}{', several of them' if field['many'] else ''}"
    if field["choices"]:
        holds += f": {_code(field['choices'])}"
    if field["to"]:
        holds += f"; a path goes on in {field['to']}"
    return f"`{field['name']}`{also}", holds, _code(field["operators"], " ")


def _function(function: dict[str, Any]) -> tuple[str, ...]:
    return f"`{function['call']}`", function["means"]


def _collection(part: dict[str, Any]) -> tuple[str, ...]:
    return f"`{part['name']}`", part["source"], part["means"]


def _listed(title: str, said: str, table: str) -> list[str]:
    return [f"## {title}", *([said] if said else []), table]


def _pairs(head: str, means: dict[str, str]) -> str:
    return _table((head, "means"), ((f"`{word}`", meaning) for word, meaning in means.items()))


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = tuple(head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def _code(words: Iterable[str], between: str = ", ") -> str:
    return between.join(f"`{word}`" for word in words)
