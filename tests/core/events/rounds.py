"""Rounds of a chore in tests, as the worker makes them."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from kbwork.base.caller import SYSTEM
from kbwork.base.errors import Busy
from kbwork.core.data_check import DataCheck
from kbwork.core.jobs.chores import Chore
from kbwork.db.database import Database
from kbwork.db.tx import Read


def round_of(database: Database, chore: Chore) -> None:
    """Until nothing is left to do of it. Raises what ends it before."""
    while (found := database.read_now(chore.look, SYSTEM)) is not None:
        write(database, chore, found)


def write(database: Database, chore: Chore, found: object) -> None:
    """What was found, as the worker does."""
    database.write_now(lambda tx: chore.write(tx, found))


def rounds(database: Database, chore: Chore, most: int = 100) -> list[Exception]:
    """Until one comes to its end, so many at most; answers what ended the others."""
    ended: list[Exception] = []
    for _ in range(most):
        try:
            round_of(database, chore)
            break
        except Exception as error:
            ended.append(error)
    return ended


def narrowed(ended: list[Exception]) -> bool:
    """Whether nothing but fewer events at once was asked for."""
    return all(isinstance(one, Busy) and "fewer" in (one.internal or "") for one in ended)


def falls(monkeypatch: pytest.MonkeyPatch, place: str, at: Callable[..., bool]) -> None:
    """Have a function, named as `module:function` or `module:Class.method`, fall over what it is given."""
    module, _, name = place.partition(":")
    holder: Any = importlib.import_module(module)
    *classes, name = name.split(".")
    for one in classes:
        holder = getattr(holder, one)
    before = getattr(holder, name)

    def fall(*args: Any, **named: Any) -> Any:
        if at(*args):
            raise KeyError("changes")
        return before(*args, **named)

    monkeypatch.setattr(holder, name, fall)


def told_by_the_doctor(database: Database) -> list[tuple[bool, str]]:
    """What is found of events that were left out."""

    def look(tx: Read) -> list[tuple[bool, str]]:
        every = (finding for one in tx.registry.of(DataCheck) for finding in one.look(tx))
        return [(finding.well, finding.said) for finding in every if finding.about == "followers"]

    return database.read_now(look)
