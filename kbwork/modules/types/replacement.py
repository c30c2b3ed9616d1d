"""Emptying a type that goes: its issues become of another one."""

from kbwork.core.things.replacement import Replacement
from kbwork.db.rows import IssueTypeRow
from kbwork.db.tx import Write
from kbwork.modules.types.ports import TypeReferences


def _convert(tx: Write, row: IssueTypeRow, target: IssueTypeRow, most: int) -> int:
    bearers = [bearer.convert for bearer in tx.registry.of(TypeReferences) if bearer.convert is not None]
    return sum(convert(tx, row, target, most) for convert in bearers)


TYPES = Replacement(table="issue_type", column="type", op="types.delete", move=_convert)
EMPTY = TYPES.job(__name__)
SWEEP = TYPES.sweep(__name__)
