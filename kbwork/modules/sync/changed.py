"""What changed between two events, as clients are told it that keep things."""

from kbwork.base.dataclasses import dataclass
from kbwork.core.access import visibility
from kbwork.core.events.feed import kind_fits
from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import synced as issues
from kbwork.modules.sync import kept
from kbwork.modules.sync.model import SyncDelta, SyncGone, SyncRows, SyncScopes

_ISSUES = 2000
"""Issues in one delta, and more only where one commit changed more."""
_MOST = 20_000
"""Where one commit changed more, a snapshot is sooner taken."""
_EVENTS = 10_000
"""Events that one delta covers."""
_KEPT = 200_000
"""So many events back it is known what was touched: who missed more takes a snapshot sooner."""
_SLICE = 5000
_ALL_DIFFER = ("field.*", "layout.*", "org.modules_changed", "project.key_changed")
"""Events after which rows of issues that nobody touched may be others."""


@dataclass(frozen=True, kw_only=True)
class SyncClient:
    """What a client has."""

    since: int
    """All up to this event."""
    access: int | None
    """As who saw what this number stands for; None: it does not say."""
    etags: frozenset[str]
    """Of kinds that are sent whole."""
    parts: frozenset[str]
    """Kinds that it is told of, which the caller reads."""
    scopes: SyncScopes


def since(tx: Read, client: SyncClient) -> SyncDelta:
    """What changed, for a client that has this."""
    since, access = client.since, client.access
    last = tx.value("select value from counter where name = 'seq'")
    present = visibility.number(tx)
    told = SyncDelta(seq=last, access=present, upserts=[], gone=[], more=False, reset=False)
    if (access is not None and access != present) or _too_much(tx, since, last):
        return {**told, "reset": True}
    until, touched = _window(tx, since, last)
    if len(touched) > _MOST:
        return {**told, "reset": True}
    happened = tx.column(
        "select distinct kind from events where seq > :since and seq <= :until", since=since, until=until
    )
    if any(kind_fits(event, pattern) for event in happened for pattern in _ALL_DIFFER):
        return {**told, "reset": True}
    if "issue" in client.parts:
        _tell_issues(tx, told, client.scopes, touched, (since, _up_to(until, last)))
    told["seq"], told["more"] = until, until < last
    if not told["more"]:
        told["upserts"] += [
            SyncRows(kind=part.kind, columns=part.columns, rows=part.rows, whole=True, etag=part.etag)
            for part in kept.parts(tx, client.etags, client.parts)
            if not part.unchanged
        ]
    return told


def _too_much(tx: Read, since: int, last: int) -> bool:
    """Whether it is not known any more what changed, or everything did."""
    oldest = tx.value("select min(seq) from events")
    if since > last or (since < last and (oldest is None or since < oldest - 1)) or since < last - _KEPT:
        return True
    unknown = "select exists (select 1 from thing_touch where ref = 0 and seq > :since)"
    return bool(tx.value(unknown, since=since))


def _window(tx: Read, since: int, last: int) -> tuple[int, set[int]]:
    """(up to which event it is told, the issues that were touched till then)."""
    until = min(last, since + _EVENTS)
    rows = tx.tuples(
        "select seq, ref from thing_touch where kind = 'issue' and seq > :since and seq <= :until"
        " order by seq limit :most",
        since=since,
        until=_up_to(until, last),
        most=_ISSUES + 1,
    )
    if len(rows) <= _ISSUES:
        return until, {ref for _, ref in rows}
    first, cut = rows[0][0], rows[-1][0]
    if first < cut:
        return cut - 1, {ref for seq, ref in rows if seq < cut}
    whole = tx.column(
        "select ref from thing_touch where kind = 'issue' and seq = :seq limit :most",
        seq=first,
        most=_MOST + 1,
    )
    return min(first, last), set(whole)


def _up_to(until: int, last: int) -> int:
    """What told nothing has the number of the event to come."""
    return until if until < last else last + 1


def _tell_issues(
    tx: Read, told: SyncDelta, scopes: SyncScopes, touched: set[int], between: tuple[int, int]
) -> None:
    """Those that are kept as they are now, and which are not."""
    scope, _ = kept.issue_scope(tx, scopes)
    touched = touched | issues.below_lost(tx, *between)
    rows = issues.present(tx, scope, touched) if touched else []
    if rows:
        told["upserts"].append(
            SyncRows(kind="issue", columns=list(issues.COLUMNS), rows=rows, whole=False, etag=None)
        )
    others = touched - {row[0] for row in rows}
    gone = issues.lost(tx, *between)
    if others:
        gone |= issues.seen(tx, others)
    if gone:
        told["gone"].append(SyncGone(kind="issue", ids=sorted(gone)))


_OLD = """from thing_touch where seq < max(
  (select coalesce(min(seq), 0) from events), (select value from counter where name = 'seq') - :kept)"""


def _due(tx: Read) -> bool:
    return bool(tx.value(f"select exists (select 1 {_OLD})", kept=_KEPT))


def _trim(tx: Write) -> None:
    """Who has not heard of these begins again: so old events are not kept, or so many followed."""
    old = f"select seq, kind, ref {_OLD} limit :most"
    tx.execute(f"delete from thing_touch where (seq, kind, ref) in ({old})", kept=_KEPT, most=_SLICE)


TRIM = Schedule(name="sync.trim", home=__name__, every_s=600, run=_trim, due=_due)
