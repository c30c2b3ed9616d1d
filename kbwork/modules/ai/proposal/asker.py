"""Who asked a model: what comes of it later is theirs, with what they may do then."""

import contextlib
from collections.abc import Iterator
from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import replace
from kbwork.base.errors import NotAllowed
from kbwork.core.access import identify, impersonate
from kbwork.db.tx import Read, Write


def told(tx: Write) -> dict[str, Any]:
    """The caller, to be kept, with the rule whose work this is."""
    return {**impersonate.caller_args(tx.caller), "kind": tx.caller.kind, "rule": tx.by_rule}


def restored(tx: Read, who: dict[str, Any]) -> Caller:
    """The caller again, cut to what they may now. Raises NotAllowed where that is nothing any more.

    A rule acts as its author, who has to be an admin.
    """
    if who["kind"] != "automation":
        return impersonate.restore_caller(tx, who)
    found = identify.of_member(tx, who["member"])
    if found is None or not found.admin:
        raise NotAllowed("The author of the rule that asked is no admin any more.")
    held = found.scopes & frozenset(who["scopes"])
    return replace(found, kind="automation", key=who["key"], scopes=held)


@contextlib.contextmanager
def acting(tx: Write, who: dict[str, Any]) -> Iterator[None]:
    """What happens inside is theirs. Raises NotAllowed where they may do nothing any more."""
    with _instead(tx, restored(tx, who), who):
        yield


@contextlib.contextmanager
def named(tx: Write, who: dict[str, Any]) -> Iterator[None]:
    """What happens inside is told as theirs and needs no right, whoever is still there."""
    try:
        found = restored(tx, who)
    except NotAllowed:
        found = Caller(member=who["member"], role="anonymous", kind=who["kind"], scopes=frozenset())
    with _instead(tx, found, who):
        yield


@contextlib.contextmanager
def _instead(tx: Write, caller: Caller, who: dict[str, Any]) -> Iterator[None]:
    outer, tx.by_rule = tx.by_rule, who["rule"]
    try:
        with impersonate.instead(tx, caller):
            yield
    finally:
        tx.by_rule = outer
