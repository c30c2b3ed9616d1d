"""Look into the audit log and take it out as a file."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Input, Int, Text, When
from kbwork.base.text import folded
from kbwork.core import org_settings
from kbwork.core.access import visibility
from kbwork.core.operations.declare import write
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.audit.model import AuditEntry, AuditExported

MOST_EXPORTED = 50_000
_COLUMNS = (
    "e.seq, e.at, e.kind, e.subject, e.actor, e.actor_kind, e.via, e.address, json(e.payload) as details,"
    " e.op, e.request"
)


class AuditFilter(Input):
    actor: Text | None = None
    """A member's id, `me`, `@handle` or address; `system` or `anonymous`."""
    actor_kind: Literal["human", "key", "agent", "system", "automation"] | None = None
    from_: When | None = Field(None, alias="from")
    """Unix seconds, inclusive."""
    to: When | None = None
    """Unix seconds, exclusive."""
    kind: Text | None = None
    """A kind of event; a trailing `*` matches a prefix, such as `auth.*`."""
    q: Text | None = None
    """Text anywhere in subject, via or details."""
    subject: Text | None = None
    """Such as `issue:WEB-1` or `org:1`."""


class AuditList(AuditFilter):
    before: Int | None = None
    """The `next_before` of the page above."""
    limit: Annotated[Int, Field(ge=1, le=200)] | None = 50


class AuditPage(TypedDict):
    """Entries, newest first. `retention_days` 0 stands for ever."""

    entries: list[AuditEntry]
    next_before: int | None
    plan: Literal["self-hosted"]
    retention_days: int


@write("audit.list", scope="admin", example={"kind": "auth.*", "limit": 20})
def list_(tx: Read, args: AuditList) -> AuditPage:
    """List the audit log, newest first: every event, and sign-ins, keys and access beside."""
    where, binds = _where(tx, args)
    most = args.limit or 50
    if args.before is not None:
        where.append("e.seq < :before")
        binds["before"] = args.before
    rows = tx.all(
        f"select {_COLUMNS} from events e where {' and '.join(where)} order by e.seq desc limit :most",
        most=most + 1,
        **binds,
    )
    return AuditPage(
        entries=[_entry(row) for row in rows[:most]],
        next_before=rows[most - 1]["seq"] if len(rows) > most else None,
        plan="self-hosted",
        retention_days=org_settings.get(tx, "org.retention")["audit_days"] or 0,
    )


class AuditExport(AuditFilter):
    pass


class Export(TypedDict):
    """One JSON entry a line, oldest first."""

    count: int
    ndjson: str
    truncated: bool


@write(
    "audit.export",
    scope="admin",
    emits=[AuditExported],
    undo="what left the house stays out",
    example={"kind": "key.*"},
)
def export(tx: Write, args: AuditExport) -> Export:
    """Take the audit log out as text, one JSON entry a line, oldest first; at most 50,000 entries."""
    where, binds = _where(tx, args)
    rows = tx.all(
        f"select {_COLUMNS} from events e where {' and '.join(where)} order by e.seq limit :most",
        most=MOST_EXPORTED + 1,
        **binds,
    )
    kept = rows[:MOST_EXPORTED]
    lines = [json.dumps(_entry(row), ensure_ascii=False, separators=(",", ":")) for row in kept]
    tx.emit(AuditExported(subject="org:1", payload={"entries": len(kept)}))
    return Export(
        count=len(kept), ndjson="".join(line + "\n" for line in lines), truncated=len(rows) > MOST_EXPORTED
    )


class AuditRecord(Input):
    kind: Text
    subject: Text
    payload: Any = None


class Recorded(TypedDict):
    """The sequence number of the entry."""

    seq: int


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


def _entry(row: Row) -> AuditEntry:
    return AuditEntry(
        id=row["seq"],
        at=row["at"],
        kind=row["kind"],
        subject=row["subject"],
        actor=row["actor"],
        actor_kind=row["actor_kind"],
        via=row["via"],
        address=row["address"],
        details=json.loads(row["details"]),
        op=row["op"],
        request=row["request"],
    )


def _where(tx: Read, args: AuditFilter) -> tuple[list[str], dict[str, Any]]:
    where = ["1"]
    binds: dict[str, Any] = {}
    wanted = {
        "actor": _actor(tx, args.actor) if args.actor else None,
        "actor_kind": args.actor_kind,
        "subject": visibility.canonical(tx, args.subject) if args.subject else None,
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
            " or instr(folded(json(e.payload)), :q))"
        )
        binds["q"] = folded(args.q)
    return where, binds
