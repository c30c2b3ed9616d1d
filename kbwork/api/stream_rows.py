"""What a stream with `rows=1` tells: the delta of each commit, for clients that keep what there is."""

from typing import Any

from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass, field, replace
from kbwork.core.access import visibility
from kbwork.core.operations import nested
from kbwork.core.operations.dispatch import authorize
from kbwork.core.operations.registry import Registry
from kbwork.core.operations.validate import validate
from kbwork.core.ports.extension import module_of
from kbwork.core.things.synced import SyncedKind
from kbwork.db.tx import Read

DELTA = "sync.delta"


@dataclass(frozen=True, slots=True)
class RowScopes:
    """What a client keeps, as the query of its stream says it."""

    projects: tuple[str, ...] | None
    closed_days: int | None
    access: int | None
    """As who saw what this number stands for it begins; None: as who asks."""

    def value(self) -> dict[str, Any]:
        projects = None if self.projects is None else list(self.projects)
        found = {"projects": projects, "closed_days": self.closed_days}
        return {name: one for name, one in found.items() if one is not None}


@dataclass(frozen=True, slots=True)
class RowsTold:
    """What a client has, as far as its stream has told it."""

    access: int
    etags: frozenset[tuple[str, str]] | None = field(default=None)
    """Kind and etag of those that are sent whole; None: not known."""
    behind: bool = False
    """Whether what was told already may have moved one, which comes with the last of several deltas."""


def authorize_for(registry: Registry, caller: Caller, scopes: RowScopes) -> None:
    """Raises what the operation behind the stream would, before anything is told: for who asks, and for the scopes."""
    operation = registry.require(DELTA)
    authorize(operation, caller)
    model: Any = operation.input.model_fields["scopes"].annotation
    validate(model, scopes.value())


@dataclass(frozen=True, slots=True)
class RowsBegun:
    """Where a stream begins, all of it of one moment."""

    seq: int
    """The last event that there is."""
    access: int
    """Stands for what its caller sees."""
    since: int
    """What its client has is as old as this event."""
    told: RowsTold


def begin(tx: Read, since: int | None, scopes: RowScopes) -> RowsBegun:
    """`since`: the event up to which the client has everything; None: the last. Raises what sync.delta raises."""
    seq, access = _seq(tx), visibility.number(tx)
    told = RowsTold(scopes.access if scopes.access is not None else access)
    if since is None or since >= seq:
        told = replace(told, etags=_etags(tx, seq, scopes))
    if since is not None and since > seq:  # from data that are there no more
        told = replace(told, access=-1)
    return RowsBegun(seq, access, seq if since is None else min(since, seq), told)


def _seq(tx: Read) -> int:
    seq: int = tx.value("select value from counter where name = 'seq'")
    return seq


def _etags(tx: Read, seq: int, scopes: RowScopes) -> frozenset[tuple[str, str]]:
    """Kind and etag of what is sent whole, as it is now."""
    found = nested.look(tx, DELTA, {"since": seq, "scopes": scopes.value()})
    return frozenset((told["kind"], told["etag"]) for told in found["upserts"] if told["whole"])


def delta(tx: Read, since: int, scopes: RowScopes, told: RowsTold) -> tuple[dict[str, Any], RowsTold]:
    """What a client is told that has everything up to an event, and what it has then."""
    value = {
        "since": since,
        "access": told.access,
        "etags": [etag for _, etag in told.etags or ()],
        "scopes": scopes.value(),
    }
    moved = told.etags is None or told.behind or _small_kinds_moved(tx, since)
    if not moved:
        value["parts"] = ["issue"]
    found = nested.look(tx, DELTA, value)
    if found["reset"]:
        return found, RowsTold(found["access"], _etags(tx, _seq(tx), scopes))
    etags = dict(told.etags or ())
    etags |= {rows["kind"]: rows["etag"] for rows in found["upserts"] if rows["whole"]}
    known = frozenset(etags.items()) if told.etags is not None or not found["more"] else None
    return found, RowsTold(found["access"], known, behind=moved and found["more"])


def _small_kinds_moved(tx: Read, since: int) -> bool:
    """Whether one may have: they follow from what happened in the modules that keep them. What guests see of people and
    labels follows from issues."""
    if tx.caller.guest:
        return True
    keepers = {module_of(kind.home) for kind in tx.registry.of(SyncedKind)}
    modules = tx.registry.event_modules
    happened = tx.column("select distinct kind from events where seq > :since", since=since)
    return any(modules.get(kind) in keepers for kind in happened)
