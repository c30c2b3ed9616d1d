"""Paths from a row to others as SQL."""

from kbwork.core.ports.query_source import Rows
from kbwork.modules.tql.compile.frame import NotCompilable, Scope, SqlFrame, made


def path(frame: SqlFrame, scope: Scope, steps: tuple[str, ...]) -> tuple[Rows, Scope]:
    """The rows that steps lead to, each one seen; the scope is about the last. Raises NotCompilable."""
    outer, inner, tables = "", "", ""
    where: list[str] = []
    at = scope
    for step in steps:
        found, far = _step(frame, at, step)
        joined = f"{frame.table(far)} {far.row}"
        if not tables:
            outer, inner = (found.outer, found.inner) if found.tables else (found.expr, f"{far.row}.id")
            tables = (
                f"{found.tables} join {joined} on {far.row}.id = {found.expr}" if found.tables else joined
            )
        elif found.tables:
            tables += f" join {found.tables} on {found.inner} = {found.outer}"
            tables += f" join {joined} on {far.row}.id = {found.expr}"
        else:
            tables += f" join {joined} on {far.row}.id = {found.expr}"
        where += [found.where, frame.seen(far.source, far.row)]
        at = far
    return Rows("", tables, outer, inner, " and ".join(where)), at


def _step(frame: SqlFrame, scope: Scope, step: str) -> tuple[Rows, Scope]:
    """The ids that a step leads to, and the row there."""
    field = frame.sources[scope.source].field(frame.tx, step)
    if field is None or field.field.to not in frame.sources:
        raise NotCompilable
    straight = field.step and Rows(field.step.format(row=scope.row))
    return straight or made(frame, scope.row, field), Scope(field.field.to, frame.row("n"))
