"""Who hears of a customer on a request that was folded into another issue: those who watched it watch that one now."""

from collections.abc import Iterator
from typing import Any

from kbwork.core.events.hearers import EventHearers, PossibleHearer
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Row

_TAKEN_ON = """
with recursive other (id) as (
  select r.dst from relation r join relation_kind k on k.id = r.kind and k.key = 'duplicates' where r.src = :issue
  union
  select r.dst from other o join relation r on r.src = o.id
    join relation_kind k on k.id = r.kind and k.key = 'duplicates'
)
select w.who, 'watching' as reason from other o join issue_watcher w on w.issue = o.id
union
select a.who, 'assigned' from other o join issue_assignee a on a.issue = o.id
"""
"""By whom what it duplicates is worked on and watched, also where that was folded into another one in turn."""


def _heard(tx: Read, row: Row, _: dict[str, Any]) -> Iterator[PossibleHearer]:
    kind, ref = ref_of(row["subject"])
    if kind == "issue" and row["actor"].startswith("customer:"):
        yield from ((one["who"], one["reason"]) for one in tx.all(_TAKEN_ON, issue=int(ref)))


HEARERS = EventHearers(
    home=__name__,
    thing="issue",
    hearers={"attachment.added": _heard, "comment.created": _heard, "issue.transitioned": _heard},
    said={},
    watchers=lambda tx, ref: iter(()),
)
