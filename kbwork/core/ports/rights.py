"""What gives somebody's rights away later, and ends with them.

Rights are lost in many ways: by a role, a place in a team, a project that is made private, a setting. Whoever changes
one of these knows nothing of what rests on it, so this is asked behind every operation, in its transaction.
"""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Write


@dataclass(frozen=True, kw_only=True)
class RestsOnRights(Extension):
    """Things, such as invites, that go on giving what their makers may give."""

    tables: frozenset[str]
    """Those that decide what a maker may give; nothing is asked while none of them is written."""
    end: Callable[[Write], None]
    """Ends the things whose makers may not give that any more, and tells of it."""


def end_unfounded(tx: Write) -> None:
    """End what rests on rights that this transaction took away.

    It is asked when the record for undo is kept: rights that come back by undo bring nothing of this back.
    """
    for one in tx.registry.of(RestsOnRights):
        if one.tables.isdisjoint(tx.tables):
            continue
        may_emit, tx.may_emit = tx.may_emit, lambda _: True
        try:
            one.end(tx)
        finally:
            tx.may_emit = may_emit
