"""What a client keeps: the kinds that are sent whole, and the scope of issues."""

import hashlib
from collections.abc import Sequence
from typing import Any

from pydantic_core import to_json

from kbwork.base.dataclasses import dataclass
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.ports.extension import module_of
from kbwork.core.things.synced import SyncedKind
from kbwork.db.tx import Read
from kbwork.modules.issues import synced as issues
from kbwork.modules.projects import access
from kbwork.modules.sync.model import SyncScopes

_DAY_S = 86400


@dataclass(frozen=True, kw_only=True)
class KeptPart:
    """Things of one kind and scope, each a row."""

    kind: str
    scope: str
    etag: str
    unchanged: bool
    """The client has them: `rows` is empty."""
    columns: list[str]
    rows: list[list[Any]]


def known(tx: Read) -> frozenset[str]:
    """Every kind that can be kept."""
    return frozenset({"issue", *(kind.kind for kind in tx.registry.of(SyncedKind))})


def _kinds(tx: Read) -> list[SyncedKind]:
    """Those that are sent whole and that the caller reads, by name."""
    caller = tx.caller
    return sorted(
        (
            kind
            for kind in tx.registry.of(SyncedKind)
            if kind.scope in caller.scopes
            and caller.holds(module_of(kind.home))
            and not org_settings.home_off(tx, kind.home)
        ),
        key=lambda kind: kind.kind,
    )


def parts(tx: Read, etags: frozenset[str], wanted: frozenset[str]) -> list[KeptPart]:
    """The kinds that are sent whole, of those that are wanted, for a client that has these."""
    found = []
    for kind in _kinds(tx):
        if kind.kind in wanted:
            rows = [[row[name] for name in kind.columns] for row in kind.rows(tx)]
            found.append(part((kind.kind, "org"), kind.columns, rows, etags))
    return found


def part(
    place: tuple[str, str], columns: Sequence[str], rows: list[list[Any]], etags: frozenset[str]
) -> KeptPart:
    """Some rows of one (kind, scope), for a client that has these."""
    etag = hashlib.sha256(to_json([place, columns, rows])).hexdigest()[:32]
    same = etag in etags
    return KeptPart(
        kind=place[0],
        scope=place[1],
        etag=etag,
        unchanged=same,
        columns=list(columns),
        rows=[] if same else rows,
    )


def issue_scope(tx: Read, scopes: SyncScopes) -> tuple[issues.IssueScope, dict[int, str]]:
    """The issues that are kept, and the keys of their projects."""
    sight = visibility.binds(tx)
    keys = dict(tx.tuples(f"select p.id, p.key from project p where {access.SEEN} order by p.id", **sight))
    if scopes.projects is not None:
        by_key = access.by_key(tx)
        wanted = {by_key.get(key.strip().upper()) for key in scopes.projects}
        keys = {project: key for project, key in keys.items() if project in wanted}
    closed_since = tx.now - scopes.closed_days * _DAY_S
    return issues.IssueScope(projects=tuple(keys), closed_since=closed_since), keys
