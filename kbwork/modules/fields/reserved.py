"""Words that mean something in a query: a field of one's own cannot have one for its key."""

from kbwork.core.ports.query_source import QueryFields, QuerySource
from kbwork.db.tx import Read

KEYWORDS = frozenset(
    """
    above after all and any approvals archived as asc assets at attachments avg before between blocked blocking blocks
    bucket by caused causes changed checks count day desc distinct done draft duplicated duplicates during empty false
    first follows for from git group has having implemented implements in is issues last limit linked list locked max
    median members mentioned mentions min mine month none not of on open or order overdue p50 p85 p95 pages precedes
    projects quarter referred refers rel relates requests restricted select share since sla sprints starred sum table
    times to today tomorrow triage true unassigned unchanged under unread versions voted was watched week where
    worklogs year yesterday
    """.split()  # noqa: SIM905 - seventy words read better as a text
)
"""Words of clauses, conditions, relations, collections, flags, sources, periods and aggregates."""


def words(tx: Read) -> frozenset[str]:
    """The keywords, and the fields of issues with their aliases, without case."""
    declared: list[QuerySource | QueryFields] = [
        *(one for one in tx.registry.of(QuerySource) if one.name == "issues"),
        *(one for one in tx.registry.of(QueryFields) if one.source == "issues"),
    ]
    fields = [field.field for one in declared for field in one.fields]
    return KEYWORDS | {name.lower() for field in fields for name in (field.name, *field.aliases)}
