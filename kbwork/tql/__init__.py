"""The query language: text to tree, tree to normal form, names found, and what it means for one item.

Pure code: no table, no clock, no I/O. Who uses it brings `Names` to the check and a `World` to the evaluator.
The way of a text: `tokens` -> `parser` -> `check` -> `evaluate` or a compiler.
"""

from kbwork.tql.check import Checked, check, check_expr, check_value
from kbwork.tql.errors import Fault, Suggestion, TqlError
from kbwork.tql.evaluate import Evaluator
from kbwork.tql.items import Item, Record, Spell, World
from kbwork.tql.names import Named, Names, OwnField
from kbwork.tql.normal import normal
from kbwork.tql.parser import parse, parse_expr, parse_value
from kbwork.tql.results import rows

__all__ = [
    "Checked",
    "Evaluator",
    "Fault",
    "Item",
    "Named",
    "Names",
    "OwnField",
    "Record",
    "Spell",
    "Suggestion",
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
