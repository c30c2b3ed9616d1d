"""Running one operation inside another: with the same caller, and the scope and right of the inner one."""

from typing import Any

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.core import orgsettings
from kbwork.core.dispatch import authorize, check_person, run_in
from kbwork.core.operation import Operation
from kbwork.core.validate import validate
from kbwork.db.tx import Write


def run(tx: Write, op_id: str, value: dict[str, Any], *, about: str = "") -> Any:
    """Run an operation in this savepoint; its effect stands or falls with the outer one.

    Raises what the operation raises, and InvalidInput for one that cannot run inside another.
    """
    op: Operation = tx.registry.require(op_id)
    if op.road == "outside" or op.long or op.emits_any:
        raise InvalidInput(f"{op.id} cannot run inside another operation.", field=about or None)
    if orgsettings.module_off(tx, op.module):
        raise Conflict(f"The module {op.module} is switched off in this org.")
    authorize(op, tx.caller)
    args = validate(op.input, value, about=about)
    check_person(op, tx.caller, tx.now)
    if op.road == "read":
        return op.fn(tx, args)
    return run_in(tx, op, args)
