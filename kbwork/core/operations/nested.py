"""Running one operation inside another: with the same caller, and the scope and right of the inner one."""

from collections.abc import Callable
from typing import Any, TypeVar, overload

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.core import org_settings
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.dispatch import authorize, check_person, run_in
from kbwork.core.operations.validate import validate
from kbwork.db.tx import Read, Write

R = TypeVar("R")


@overload
def run(tx: Write, operation: Callable[[Any, Any], R], value: dict[str, Any], *, about: str = "") -> R: ...
@overload
def run(tx: Write, operation: str, value: dict[str, Any], *, about: str = "") -> Any: ...
def run(tx: Write, operation: Any, value: dict[str, Any], *, about: str = "") -> Any:
    """Run an operation in this savepoint; its effect stands or falls with the outer one.

    Code names the function; an id as text is for what a caller or a table says. Raises what the operation raises, and
    InvalidInput for one that cannot run inside another.
    """
    op: Operation = tx.registry.require(operation) if isinstance(operation, str) else operation.__operation__
    authorize(op, tx.caller)
    runs_others = op.emits_any and op.undo is not None
    unattended = op.unattended and tx.by_rule is not None
    if op.road == "outside" or (op.starts_job and not unattended) or runs_others:
        raise InvalidInput(
            f"{op.id} cannot run inside another operation: call it by itself.", field=about or None
        )
    if org_settings.module_off(tx, op.module):
        raise Conflict(f"The module {op.module} is switched off in this org.")
    args = validate(op.input, value, about=about)
    check_person(op, tx.caller, tx.now)
    if getattr(args, "dry_run", None):
        raise InvalidInput("A dry run stands alone: it cannot be part of another operation.", field="dry_run")
    if op.road == "read":
        return op.fn(tx, args)
    token = tx.memo.pop("undo-token", None)
    tx.memo.clear()  # the outer operation may have changed what an earlier one found out
    try:
        return run_in(tx, op, args)
    finally:
        tx.memo.clear()
        if token is not None:
            tx.memo["undo-token"] = token


def look(tx: Read, operation: str, value: dict[str, Any]) -> Any:
    """What an operation that reads answers the caller in this snapshot. Raises what it raises."""
    op: Operation = tx.registry.require(operation)
    assert op.road == "read", f"{op.id} does more than read"
    authorize(op, tx.caller)
    if org_settings.module_off(tx, op.module):
        raise Conflict(f"The module {op.module} is switched off in this org.")
    args = validate(op.input, value)
    check_person(op, tx.caller, tx.now)
    return op.fn(tx, args)
