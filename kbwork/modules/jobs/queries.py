"""Whose work a job is."""

from kbwork.base.text import whole_number
from kbwork.core.ports.extension import module_of
from kbwork.db.tx import Read


def module(tx: Read, ref: str) -> str:
    """The module that does the work of a job; empty for one that is not there, or of a kind that is no more."""
    return module_of_kind(tx, tx.value("select kind from job where id = :id", id=whole_number(ref)))


def module_of_kind(tx: Read, kind: str | None) -> str:
    """The module that does work of this kind."""
    found = tx.registry.jobs.get(kind)
    return module_of(found.home) if found is not None else ""
