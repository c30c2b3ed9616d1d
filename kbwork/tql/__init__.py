"""The query language: text to tree, tree to normal form, names found, and what it means for one item.

Pure code: no table, no clock, no I/O. Who uses it brings a `NameLookup` to the checker and a `World` to the evaluator.
The way of a text: `parser` -> `checker` -> `evaluator` or a compiler.
"""

from kbwork.tql.checker.query import CheckedQuery, check, check_expr, check_value
from kbwork.tql.errors import Fault, SuggestedFix, TqlError
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.evaluator.rows import rows
from kbwork.tql.items import Item, Record, Spell, World
from kbwork.tql.names import NamedThing, NameLookup, OwnFieldDef
from kbwork.tql.normal_form import normal
from kbwork.tql.parser.query import parse, parse_expr, parse_value

__all__ = [
    "CheckedQuery",
    "Evaluator",
    "Fault",
    "Item",
    "NameLookup",
    "NamedThing",
    "OwnFieldDef",
    "Record",
    "Spell",
    "SuggestedFix",
    "TqlError",
    "World",
    "check",
    "check_expr",
    "check_value",
    "normal",
    "parse",
    "parse_expr",
    "parse_value",
    "rows",
]
