"""What a stream with `rows=1` tells: the delta of each commit, for clients that keep what there is."""

from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.ports.extension import module_of
from kbwork.core.things.synced import SyncedKind
from kbwork.db.tx import Read

DELTA = "sync.delta"
MOST_DAYS = 3650


@dataclass(frozen=True, slots=True)
class RowScopes:
    """What a client keeps, as the query of its stream says it."""

    projects: tuple[str, ...] | None
    closed_days: int | None
    access: int | None
    """As who saw what this number stands for it begins; None: as who asks."""

    def value(self) -> dict[str, Any]:
        found = {"projects": self.projects and list(self.projects), "closed_days": self.closed_days}
        return {name: one for name, one in found.items() if one is not None}


@dataclass(frozen=True, slots=True)
class RowsTold:
    """What a client has, as far as its stream has told it."""

    access: int
    etags: frozenset[tuple[str, str]] | None = field(default=None)
    """Kind and etag of those that are sent whole; None: not known."""

    def of_elsewhere(self) -> "RowsTold":
        """Of a client that has what is not from here: the next delta lets it begin anew."""
        return RowsTold(-1, self.etags)


def begin(tx: Read, scopes: RowScopes, *, present: bool) -> RowsTold:
    """What a client has where its stream begins. `present`: all that there is now. Raises what sync.delta raises."""
    asked = scopes.access if scopes.access is not None else visibility.number(tx)
    seq = tx.value("select value from counter where name = 'seq'")
    delta = nested.look(tx, DELTA, {"since": seq, "scopes": scopes.value()})
    etags = {told["kind"]: told["etag"] for told in delta["upserts"] if told["whole"]}
    return RowsTold(asked, frozenset(etags.items()) if present else None)


def delta(tx: Read, since: int, scopes: RowScopes, told: RowsTold) -> tuple[dict[str, Any], RowsTold]:
    """What a client is told that has everything up to an event, and what it has then."""
    value = {
        "since": since,
        "access": told.access,
        "etags": [etag for _, etag in told.etags or ()],
        "scopes": scopes.value(),
    }
    if told.etags is not None and not _small_kinds_moved(tx, since):
        value["parts"] = ["issue"]
    found = nested.look(tx, DELTA, value)
    if found["reset"]:
        return found, begin(tx, RowScopes(scopes.projects, scopes.closed_days, None), present=True)
    etags = dict(told.etags or ())
    etags |= {rows["kind"]: rows["etag"] for rows in found["upserts"] if rows["whole"]}
    known = frozenset(etags.items()) if told.etags is not None or not found["more"] else None
    return found, RowsTold(found["access"], known)


def _small_kinds_moved(tx: Read, since: int) -> bool:
    """Whether one may have: they follow from what happened in the modules that keep them. What guests see of people and
    labels follows from issues."""
    if tx.caller.guest:
        return True
    keepers = {module_of(kind.home) for kind in tx.registry.of(SyncedKind)}
    modules = tx.registry.event_modules
    happened = tx.column("select distinct kind from events where seq > :since", since=since)
    return any(modules.get(kind) in keepers for kind in happened)
