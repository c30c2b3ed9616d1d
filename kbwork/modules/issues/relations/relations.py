"""Relations between issues, of kinds that have an inverse name."""

from typing import Annotated

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput, NotAllowed, NotFound
from kbwork.base.model import Id, Input, Text
from kbwork.core import named
from kbwork.core.access import visibility
from kbwork.core.operations.declare import destructive, read, write
from kbwork.core.references import IssueRef
from kbwork.db.rows import IssueRow, RelationKindRow, RelationRow
from kbwork.db.tx import Read, Write
from kbwork.modules.issues import access, event_payloads, preconditions, queries
from kbwork.modules.issues.events import (
    IssueBlocked,
    IssueRelated,
    IssueUnblocked,
    IssueUnrelated,
)
from kbwork.modules.issues.model import RelatedIssue, Relation
from kbwork.modules.issues.relations import blocked, relation_kinds
from kbwork.modules.projects import ISSUE_SEEN

MOST = 500
_OF_ISSUE = f"""
with ends (id, kind, src, other, lag_days, created_at, created_by) as (
  select id, kind, src, dst, lag_days, created_at, created_by from relation where src = :issue
  union all
  select id, kind, src, src, lag_days, created_at, created_by from relation where dst = :issue
)
select e.id, k.key as kind, k.directed, e.src = :issue as out, e.lag_days, e.created_at, e.created_by,
  p.key || '-' || i.number as key, i.title, l.name as status, i.category
  from ends e join relation_kind k on k.id = e.kind join issue i on i.id = e.other
  join project p on p.id = i.project join lane l on l.id = i.lane
  where {ISSUE_SEEN} order by k.built_in desc, k.id, out desc, e.id
"""


class IssuesRelations(Input):
    key: IssueRef


@read(
    "issues.relations",
    scope="issues:read",
    words=(
        "what blocks this, blockers, dependencies, linked issues, related tickets, waiting for, "
        "is it blocked, what depends on this"
    ),
    example={"key": "WEB-1"},
)
def relations(tx: Read, args: IssuesRelations) -> list[Relation]:
    """List what an issue stands in relation to, as far as you see the other ends."""
    return of_issue(tx, access.get(tx, args.key)["id"])


class IssuesRelationAdd(Input):
    key: IssueRef
    kind: Text
    """Key or name of a kind, or its inverse name: `blocks`, `blocked by`."""
    to: Annotated[list[Text], Field(min_length=1, max_length=100)]
    """Issues at the other end."""
    lag_days: Annotated[int, Field(ge=-3650, le=3650)] | None = None
    """For scheduling: so many days between the end of one and the start of the other."""


@write(
    "issues.relation_add",
    scope="issues:write",
    words=(
        "link two tickets, blocks, blocked by, depends on, relate, is caused by, add a dependency, "
        "connect issues, mark as related, mark as blocked"
    ),
    emits=[IssueRelated, IssueBlocked, IssueUnblocked],
    example={"key": "WEB-1", "kind": "blocks", "to": ["WEB-2"]},
)
def relation_add(tx: Write, args: IssuesRelationAdd) -> list[Relation]:
    """Relate an issue to others. You change the issue and see the others; they may be archived.

    A relation that is there already is no change, but for a `lag_days` that differs. Circles are allowed, and shown
    by issues.graph. An issue has 500 relations at most (409).
    """
    row = preconditions.changeable(tx, args.key)
    kind, turned = relation_kinds.by_name(tx, args.kind)
    for ref in args.to:
        other = named.seen(access.find(tx, ref), "issue", ref, field="to")
        if other["id"] == row["id"]:
            raise InvalidInput("An issue is in no relation to itself.", field="to")
        add(tx, kind, *((other, row) if turned else (row, other)), lag_days=args.lag_days)
    return of_issue(tx, row["id"])


class IssuesRelationDelete(Input):
    id: Id
    """Id of the relation, from `issues.relations`."""


@destructive(
    "issues.relation_delete",
    scope="issues:write",
    words="unlink tickets, no longer blocked, remove a dependency, remove a blocker",
    emits=[IssueUnrelated, IssueBlocked, IssueUnblocked],
    example={"id": 1},
)
def relation_delete(tx: Write, args: IssuesRelationDelete) -> list[Relation]:
    """Take a relation away, from either of its ends that you may change; answers what that issue has left."""
    found = tx.one("select * from relation where id = :id", RelationRow, id=args.id)
    ends = [access.find(tx, f"issue:{found[side]}") for side in ("src", "dst")] if found else []
    if found is None or None in ends:
        raise NotFound(f"There is no relation {args.id} that you can see; issues.relations shows them.")
    seen = [end for end in ends if end is not None]
    mine = _changeable(tx, seen)
    kind = tx.stored("relation_kind", [found["kind"]])
    assert kind is not None
    remove(tx, kind, found, (seen[0], seen[1]))
    return of_issue(tx, mine["id"])


def _changeable(tx: Read, ends: list[IssueRow]) -> IssueRow:
    """The first of the ends that the caller may change now. Raises what the one raises that they may edit, if any."""
    refusals = []
    for end in sorted(ends, key=lambda one: not access.may_edit(tx, one)):
        try:
            return preconditions.changeable(tx, f"issue:{end['id']}")
        except (Conflict, NotAllowed) as refusal:
            refusals.append(refusal)
    raise refusals[0]


def add(
    tx: Write, kind: RelationKindRow, src: IssueRow, dst: IssueRow, *, lag_days: int | None = None
) -> None:
    """Relate two issues, once, and tell both of it."""
    known = relation_kinds.find(tx, kind, src["id"], dst["id"])
    if known is None:
        _require_room(tx, src, dst)
        with blocked.emit_changes(tx, src, [dst["id"]] if kind["blocks"] else []):
            ident = tx.insert(
                "relation",
                kind=kind["id"],
                src=src["id"],
                dst=dst["id"],
                lag_days=lag_days or 0,
                created_at=tx.now,
                created_by=tx.caller.actor,
            )
            _tell(tx, IssueRelated, kind, (ident, src, dst))
    elif lag_days is not None and lag_days != known["lag_days"]:
        tx.update("relation", known["id"], lag_days=lag_days)
        payload = _payload(tx, kind, known["id"], (src, dst))
        changes = {"lag_days": (known["lag_days"], lag_days)}
        tx.emit(IssueRelated(subject=f"issue:{src['id']}", payload=payload, changes=changes))


def remove(tx: Write, kind: RelationKindRow, relation: RelationRow, ends: tuple[IssueRow, IssueRow]) -> None:
    """Take a relation away and tell both ends of it."""
    src, dst = ends
    with blocked.emit_changes(tx, src, [dst["id"]] if kind["blocks"] else []):
        tx.delete("relation", relation["id"])
        _tell(tx, IssueUnrelated, kind, (relation["id"], src, dst))


def of_issue(tx: Read, issue: int) -> list[Relation]:
    """The relations of an issue whose other ends the caller sees."""
    return [
        Relation(
            id=row["id"],
            kind=row["kind"],
            direction=("out" if row["out"] else "in") if row["directed"] else "both",
            issue=RelatedIssue(
                key=row["key"], title=row["title"], status=row["status"], category=row["category"]
            ),
            lag_days=row["lag_days"],
            created_by=row["created_by"],
            created_at=row["created_at"],
        )
        for row in tx.all(_OF_ISSUE, issue=issue, **visibility.binds(tx))
    ]


def _require_room(tx: Read, *ends: IssueRow) -> None:
    for end in ends:
        if tx.value("select relations from issue where id = :id", id=end["id"]) >= MOST:
            raise Conflict(f"{queries.key_of(tx, end)} has {MOST} relations, and more are not to be.")


def _tell(
    tx: Write,
    event: type[IssueRelated] | type[IssueUnrelated],
    kind: RelationKindRow,
    relation: tuple[int, IssueRow, IssueRow],
) -> None:
    ident, src, dst = relation
    for one, other in ((src, dst), (dst, src)):
        tx.emit(event(subject=f"issue:{one['id']}", payload=_payload(tx, kind, ident, (one, other))))
        tx.execute("update issue set updated_at = :now where id = :id", now=tx.now, id=one["id"])


def _payload(
    tx: Read, kind: RelationKindRow, ident: int, ends: tuple[IssueRow, IssueRow]
) -> dict[str, object]:
    one, other = ends
    return event_payloads.common_payload(tx, one) | {
        "relation": ident,
        "kind": kind["key"],
        "other": queries.key_of(tx, other),
    }


def add_by_name(tx: Write, name: str, row: IssueRow, other: IssueRow, *, field: str = "kind") -> None:
    kind, turned = relation_kinds.by_name(tx, name, field=field)
    add(tx, kind, *((other, row) if turned else (row, other)))
