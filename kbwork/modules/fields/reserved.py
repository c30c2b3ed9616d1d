"""Words that mean something in a query: a field of one's own cannot have one for its key."""

FIELDS = frozenset(
    """
    affects age archived_at assignee assignees body category cf channel children children_done closed comment
    commented comments company component created creator customer cycle description due epic estimate external
    fixversion id key label labels lead left level level_no milestone number outcome parent participant priority
    progress project rank release reporter request_type resolved root source spent sprint start started state status
    status_since summary text title type updated updater viewed voter votes watcher watchers
    """.split()  # noqa: SIM905 - seventy words read better as a text
)
"""Fields of issues, and their aliases."""

KEYWORDS = frozenset(
    """
    above after all and any approvals archived as asc assets at attachments avg before between blocked blocking blocks
    bucket by caused causes changed checks count day desc distinct done draft duplicated duplicates during empty false
    first follows for from git group has having implemented implements in is issues last limit linked list locked max
    median members mentioned mentions min mine month none not of on open or order overdue p50 p85 p95 pages precedes
    projects quarter referred refers rel relates requests restricted select share since sla sprints starred sum table
    times to today tomorrow triage true unassigned unchanged under unread versions voted was watched week where
    worklogs year yesterday
    """.split()  # noqa: SIM905 - likewise
)
"""Words of clauses, conditions, relations, collections, flags, sources, periods and aggregates."""

WORDS = FIELDS | KEYWORDS
