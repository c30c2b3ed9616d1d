"""Long work in the name of whoever started it: with what they may do at each step, and never more than then."""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.errors import NotAllowed
from kbwork.core.access import identify
from kbwork.db.tx import Read, Write


def caller_args(caller: Caller) -> dict[str, Any]:
    """Who acts, for the arguments of a job."""
    return {"member": caller.me(), "key": caller.key, "scopes": sorted(caller.scopes)}


def restore_caller(tx: Read, who: dict[str, Any]) -> Caller:
    """The caller again, cut to what they may now. Raises NotAllowed where the member or the key is gone."""
    found = identify.of_key(tx, who["key"]) if who["key"] else identify.of_member(tx, who["member"])
    if found is None:
        raise NotAllowed("Whoever started this may do nothing any more.")
    return dataclasses.replace(found, scopes=found.scopes & frozenset(who["scopes"]))


@contextlib.contextmanager
def as_starter(tx: Write, who: dict[str, Any]) -> Iterator[None]:
    """What happens inside is theirs, with what they may do now. Raises NotAllowed where that is nothing any more."""
    with instead(tx, restore_caller(tx, who)):
        yield


@contextlib.contextmanager
def on_behalf_of(tx: Write, who: dict[str, Any]) -> Iterator[None]:
    """What happens inside is told as theirs; as the server's where they may do nothing any more.

    For work that was allowed as a whole and must come to its end whoever is still there.
    """
    try:
        found = restore_caller(tx, who)
    except NotAllowed:
        found = tx.caller
    with instead(tx, found):
        yield


@contextlib.contextmanager
def instead(tx: Write, inner: Caller) -> Iterator[None]:
    """What happens inside is done by this caller."""
    outer, tx.caller = tx.caller, inner
    tx.memo.clear()
    try:
        yield
    finally:
        tx.caller = outer
        tx.memo.clear()
