"""What hung on things that were deleted without the trash goes for good, when undo cannot bring these back any more."""

from collections.abc import Iterator

from kbwork.core.jobs.kinds import Schedule
from kbwork.core.things import undo
from kbwork.db.tx import Read, Write

_SLICE = 20
_HOSTS = "select distinct subject from {} where subject >= :kind || ':' and subject < :kind || ';'"
"""The subjects of a kind on which something of a table hangs."""
_REF = "substr(h.subject, instr(h.subject, ':') + 1)"
_QUIET = "not exists (select 1 from events e where e.subject = h.subject and e.at > :now - :kept)"


def _left(tx: Read) -> Iterator[str]:
    """The subjects that are gone and of which nothing was told for as long as undo goes back, with something on them
    still."""
    for kind in tx.registry.in_order:
        for part in tx.registry.cascades:
            if kind.there is not None and part.table is not None:
                yield from tx.column(
                    f"select h.subject from ({_HOSTS.format(part.table)}) h"
                    f" where not {kind.there.replace(':ref', _REF)} and {_QUIET} limit :most",
                    kind=kind.name,
                    now=tx.now,
                    kept=undo.KEPT_S,
                    most=_SLICE,
                )


def _any_left(tx: Read) -> bool:
    return next(_left(tx), None) is not None


def _sweep(tx: Write) -> None:
    """As much as is quick; the next time there is the rest."""
    tx.shred()
    for subject in dict.fromkeys(_left(tx)):
        for part in tx.registry.cascades:
            if part.purge(tx, subject) is False:
                return


SWEEP = Schedule(name="trash.leftovers", home=__name__, every_s=600, run=_sweep, due=_any_left)
