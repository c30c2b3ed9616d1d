"""Take what there is, and then what changed."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import InvalidInput, Stale
from kbwork.base.model import Cursor, Input, Int, Text
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.operations import pagination
from kbwork.core.operations.declare import read
from kbwork.db.tx import Read
from kbwork.modules.issues import synced as issues
from kbwork.modules.sync import changed, kept
from kbwork.modules.sync.model import SyncDelta, SyncPart, SyncScopes, SyncSnapshot

_PIECE = 2000
"""Issues in one part: pieces begin anew in each project, so that a change in one leaves those of others as they are."""
_PAGE = 5000
"""Behind so many issues a page ends."""

Etags = Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=2000)]


class SyncSnapshotInput(Input):
    scopes: SyncScopes = SyncScopes()
    """What is kept."""
    parts: Annotated[list[Text], Field(max_length=50)] | None = None
    """Kinds to send, such as `issue` and `label`; left out: all."""
    etags: Etags | None = None
    """Those of parts that you have: their rows are left out where they are the same."""
    cursor: Cursor | None = None


@read(
    "sync.snapshot",
    scope="api:read",
    words="offline copy, all open issues at once, bootstrap a client, local store, mirror, download everything",
    threaded=True,
    example={"scopes": {"projects": ["WEB"], "closed_days": 30}, "parts": ["issue", "label"]},
)
def snapshot(tx: Read, args: SyncSnapshotInput) -> SyncSnapshot:
    """Take all that a client keeps: small kinds whole, issues by project and without their texts, the open ones first.

    Go on with `cursor` while there is a `next`, and then with sync.delta from `seq` on. Kinds for which you lack the
    scope, and those of modules that are off, are left out. 409 `stale`: what you see changed between two pages.
    """
    seq, access = tx.value("select value from counter where name = 'seq'"), visibility.number(tx)
    place = pagination.place(tx, args)
    wanted = _wanted(tx, args.parts)
    etags = frozenset(args.etags or ())
    parts: list[kept.KeptPart] = []
    if place is None:
        parts = kept.parts(tx, etags, wanted)
        place = [seq, access, 0, 0, 0]
    elif place[1] != access:
        raise Stale("What you may see changed since the first page: begin again without a cursor.")
    seq = place[0]
    after = _issues(tx, args, parts, etags, place[2:]) if "issue" in wanted else None
    further = pagination.cursor(tx, args, [seq, access, *after]) if after is not None else None
    return SyncSnapshot(seq=seq, access=access, parts=list(map(_by_column, parts)), next=further)


def _by_column(part: kept.KeptPart) -> SyncPart:
    """Values of one column are alike: side by side they pack into two thirds."""
    return SyncPart(
        kind=part.kind,
        scope=part.scope,
        etag=part.etag,
        unchanged=part.unchanged,
        columns=part.columns,
        values=[list(column) for column in zip(*part.rows, strict=True)] or [[] for _ in part.columns],
    )


def _issues(
    tx: Read, args: SyncSnapshotInput, parts: list[kept.KeptPart], etags: frozenset[str], place: list[int]
) -> list[int] | None:
    """Add a page of issues; answers where the next begins (done, project, issue), or None."""
    scope, keys = kept.issue_scope(tx, args.scopes)
    room = _PAGE
    for done in (0, 1):
        for project in scope.projects:
            if [done, project] < place[:2]:
                continue
            after = place[2] if [done, project] == place[:2] else 0
            while True:
                if room <= 0:
                    return [done, project, after]
                rows = issues.some(
                    tx,
                    scope,
                    issues.IssuePiece(project=project, done=bool(done), after=after, most=_PIECE),
                )
                if rows:
                    part_of = ("issue", f"project:{keys[project]}")
                    parts.append(kept.part(part_of, issues.COLUMNS, rows, etags))
                    room -= len(rows)
                if len(rows) < _PIECE:
                    break
                after = rows[-1][0]
    return None


def _wanted(tx: Read, parts: list[str] | None) -> frozenset[str]:
    """Raises InvalidInput naming a kind that is none."""
    known = kept.known(tx)
    for part in parts or ():
        if part not in known:
            raise InvalidInput(f"There is no kind {part!r} to be kept.", field="parts", allowed=sorted(known))
    issue_read = visibility.reads(tx, "issue") and not org_settings.home_off(tx, issues.__name__)
    seen = known if issue_read else known - {"issue"}
    return seen if parts is None else seen & frozenset(parts)


class SyncDeltaInput(Input):
    since: Annotated[Int, Field(ge=0)]
    """The `seq` of the snapshot or of the delta before."""
    access: Int | None = None
    """The `access` of the snapshot or of the delta before: where it is another now, `reset` says so. Send it,
    or compare what comes back."""
    parts: Annotated[list[Text], Field(max_length=50)] | None = None
    """Kinds to tell of, such as `issue` and `label`; left out: all."""
    etags: Etags | None = None
    """Those of the small kinds that you have: the others come whole, each time that you ask."""
    scopes: SyncScopes = SyncScopes()
    """What is kept, as in sync.snapshot."""


@read(
    "sync.delta",
    scope="api:read",
    words="changes of the local store, incremental sync, what is new since the snapshot, catch up, offline client",
    threaded=True,
    example={"since": 0, "scopes": {"projects": ["WEB"]}},
)
def delta(tx: Read, args: SyncDeltaInput) -> SyncDelta:
    """Take what changed since a snapshot or a delta: what is there as it is now, and what is gone.

    Small kinds come whole, but for those whose present etag you send. What you may no longer see is gone, like what was
    deleted or left the scopes. `reset` tells you to take a new snapshot (its `etags` spare what you have): `since` is
    older than the events that are kept, all things of a kind changed, or you see other projects than before.
    """
    return changed.since(
        tx,
        changed.SyncClient(
            since=args.since,
            access=args.access,
            etags=frozenset(args.etags or ()),
            parts=_wanted(tx, args.parts),
            scopes=args.scopes,
        ),
    )
