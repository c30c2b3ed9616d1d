"""Look into the audit log and take it out as a file.

Owners read all of it. Admins read all that is of the org itself, and of other things what they would be told of them:
of a private project without them, somebody's own view, or what is gone for good they learn that something happened to
it, when and by whom. Such an entry is veiled: its `details` are empty, and no filter looks into them.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import SAFE_INT, Input, Int, Text, When
from kbwork.base.text import folded
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.events import feed
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Row, Write, json_array
from kbwork.modules import members
from kbwork.modules.audit.model import AuditEntry, AuditExported

MOST_EXPORTED = 50_000
_MOST_AT_ONCE = 5000
_COLUMNS = (
    "e.seq, e.at, e.kind, e.subject, e.actor, e.actor_kind, e.via, e.address, json(e.payload) as payload,"
    " e.op, e.request"
)


class AuditFilter(Input):
    actor: Text | None = None
    """A member's id, `me`, `@handle` or address; `system` or `anonymous`."""
    actor_kind: Literal["human", "key", "agent", "system", "automation"] | None = None
    """Entries by this sort of actor alone."""
    from_: When | None = Field(None, alias="from")
    """Unix seconds, inclusive."""
    to: When | None = None
    """Unix seconds, exclusive."""
    kind: Text | None = None
    """A kind of event; a trailing `*` matches a prefix, such as `auth.*`."""
    q: Text | None = None
    """Text anywhere in subject, via or details, as far as you read them."""
    subject: Text | None = None
    """Such as `issue:WEB-1` or `org:1`; of what you do not see as its entries have it, such as `issue:12`."""


class AuditList(AuditFilter):
    before: Int | None = None
    """The `next_before` of the page above."""
    limit: Annotated[Int, Field(ge=1, le=200)] | None = 50
    """Entries of a page; 50 unless given."""


class AuditPage(TypedDict):
    """Entries, newest first. `retention_days` 0 stands for ever."""

    entries: list[AuditEntry]
    """Entries of this page, newest first."""
    next_before: int | None
    """What to pass as `before` for the next page; null: this is the last."""
    plan: Literal["self-hosted"]
    """Always `self-hosted`: there is one edition."""
    retention_days: int
    """Days that the log is kept; 0: for ever."""


@write(
    "audit.list",
    scope="admin",
    words=(
        "audit log, who deleted it, who changed permissions, who signed in, security log, "
        "failed logins, trace, who did that, login history"
    ),
    example={"kind": "auth.*", "limit": 20},
)
def list_(tx: Read, args: AuditList) -> AuditPage:
    """List the audit log, newest first: every event, and sign-ins, keys and access beside.

    Owners read all. To admins, what happened in a private project or view that they do not see is `veiled`: `details`
    is empty; what, when, by whom and to which subject stays.
    """
    most = args.limit or 50
    before = SAFE_INT if args.before is None else args.before
    found = list(islice(_entries(tx, args, "desc", before, most + 1), most + 1))
    return AuditPage(
        entries=found[:most],
        next_before=found[most - 1]["id"] if len(found) > most else None,
        plan="self-hosted",
        retention_days=org_settings.get(tx, "org.retention")["audit_days"] or 0,
    )


class AuditExport(AuditFilter):
    pass


class Export(TypedDict):
    """One JSON entry a line, oldest first."""

    count: int
    """Entries in the text."""
    ndjson: str
    """The text: one JSON entry a line."""
    truncated: bool
    """Whether entries were left out behind the most that are taken out at once."""


@write(
    "audit.export",
    scope="admin",
    words=("download the audit log, compliance report, evidence for auditors, export log, csv of the log"),
    emits=[AuditExported],
    undo="what left the house stays out",
    example={"kind": "key.*"},
)
def export(tx: Write, args: AuditExport) -> Export:
    """Take the audit log out as text, one JSON entry a line, oldest first; at most 50,000 entries.

    They are veiled as in `audit.list`.
    """
    found = _entries(tx, args, "asc", -SAFE_INT, MOST_EXPORTED + 1)
    lines = [
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
        for entry in islice(found, MOST_EXPORTED)
    ]
    truncated = next(found, None) is not None
    tx.emit(AuditExported(subject="org:1", payload={"entries": len(lines)}))
    return Export(count=len(lines), ndjson="".join(lines), truncated=truncated)


class AuditRecord(Input):
    kind: Text
    """Kind of event to record."""
    subject: Text
    """What it happened to, such as `org:1`."""
    payload: Any = None
    """Details to keep, any JSON; null: none."""


class Recorded(TypedDict):
    """The sequence number of the entry."""

    seq: int
    """Sequence number of the entry."""


class Act(DomainEvent):
    """A security act of any kind: in the audit log, and nowhere else."""

    audience = "audit"


@write(
    "audit.record",
    scope="system",
    emits_any=True,
    undo="the log is not edited",
    example={"kind": "auth.signed_in", "subject": "org:1"},
)
def record(tx: Write, args: AuditRecord) -> Recorded:
    """Write an entry of the audit log. For components inside the server; every caller from outside is refused."""
    named = type("Recorded", (Act,), {"kind": args.kind})
    payload = args.payload if isinstance(args.payload, dict) else {"value": args.payload}
    return Recorded(seq=tx.emit(named(subject=args.subject, payload=payload)))


def _actor(tx: Read, ref: str) -> str:
    """The identity in events that a reference means; one that is not known finds nothing."""
    row = members.find(tx, ref) if ref not in ("system", "anonymous") else None
    return str(row["id"]) if row is not None else ref


def _entries(
    tx: Read, args: AuditFilter, order: Literal["asc", "desc"], start: int, some: int
) -> Iterator[AuditEntry]:
    """The entries that fit, beyond `start`: so many are looked at first, then ever more."""
    where, binds = _where(tx, args)
    beyond = "<" if order == "desc" else ">"
    wanted = folded(args.q) if args.q else ""
    some = min(some, _MOST_AT_ONCE)
    while rows := tx.all(
        f"select {_COLUMNS} from events e where {' and '.join(where)} and e.seq {beyond} :start"
        f" order by e.seq {order} limit :some",
        start=start,
        some=some,
        **binds,
    ):
        disclosed = visibility.disclosed(tx, (row["subject"] for row in rows))
        for row in visibility.of_held_modules(tx, rows):
            entry = _entry(tx, row, veiled=row["subject"] not in disclosed)
            if not wanted or _says(entry, wanted):
                yield entry
        if len(rows) < some:
            return
        start, some = rows[-1]["seq"], min(2 * some, _MOST_AT_ONCE)


def _entry(tx: Read, row: Row, *, veiled: bool) -> AuditEntry:
    return AuditEntry(
        id=row["seq"],
        at=row["at"],
        kind=row["kind"],
        subject=row["subject"],
        actor=row["actor"],
        actor_kind=row["actor_kind"],
        via=row["via"],
        address=row["address"],
        details={} if veiled else _details(tx, row),
        veiled=veiled,
        op=row["op"],
        request=row["request"],
    )


def _details(tx: Read, row: Row) -> dict[str, Any]:
    """The payload; for admins without the names of other things that they do not see."""
    return feed.stored_payload(row["payload"]) if visibility.oversees(tx.caller) else feed.payload(tx, row)


def _says(entry: AuditEntry, wanted: str) -> bool:
    """Whether a text stands in what is shown of the entry."""
    texts = [entry["subject"], entry["via"] or ""]
    if not entry["veiled"]:
        texts.append(json.dumps(entry["details"], ensure_ascii=False, separators=(",", ":")))
    return any(wanted in folded(text) for text in texts)


def _subject(tx: Read, ref: str) -> str:
    """The subject that a reference means. Where the caller does not see it the reference stands for itself: else it
    would tell which key belongs to which entry."""
    subject = visibility.canonical(tx, ref)
    return subject if subject in visibility.disclosed(tx, [subject]) else ref.strip()


def _partly_told(tx: Read, wanted: str) -> list[str]:
    """The kinds of events in which this text may stand although it is not stored so: admins read null or a number in
    place of what they do not see. A text that is no part of those touches them by a colon, a comma or a brace."""
    if visibility.oversees(tx.caller) or not (
        set(wanted) & set(":,}") or wanted in "null" or wanted.isdigit()
    ):
        return []
    return [name for name, kind in tx.registry.events.items() if kind.names or kind.counts]


def _where(tx: Read, args: AuditFilter) -> tuple[list[str], dict[str, Any]]:
    where = ["1"]
    binds: dict[str, Any] = {}
    wanted = {
        "actor": _actor(tx, args.actor) if args.actor else None,
        "actor_kind": args.actor_kind,
        "subject": _subject(tx, args.subject) if args.subject else None,
    }
    for name, value in wanted.items():
        if value is not None:
            where.append(f"e.{name} = :{name}")
            binds[name] = value
    if args.from_ is not None:
        where.append("e.at >= :from_at")
        binds["from_at"] = args.from_
    if args.to is not None:
        where.append("e.at < :to_at")
        binds["to_at"] = args.to
    if args.kind and args.kind.endswith("*"):
        where.append("substr(e.kind, 1, length(:kind)) = :kind")
        binds["kind"] = args.kind[:-1]
    elif args.kind:
        where.append("e.kind = :kind")
        binds["kind"] = args.kind
    if args.q:
        where.append(
            "(instr(folded(e.subject), :q) or instr(folded(coalesce(e.via, '')), :q)"
            " or instr(folded(json(e.payload)), :q) or e.kind in (select value from json_each(:partly)))"
        )
        binds["q"] = folded(args.q)
        binds["partly"] = json_array(_partly_told(tx, binds["q"]))
    return where, binds
