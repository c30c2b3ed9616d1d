"""Who an issue is for, who watches it and who voted for it, in the archive of a project."""

from kbwork.core.ports.archive import MANY, ArchivedList, Member, Person, Sort, Time

ASSIGNEES = ArchivedList(
    "issues.jsonl",
    "assignees",
    table="issue_assignee",
    order="position",
    bare=True,
    numbered="position",
    columns={"who": Person},
)
WATCHERS = ArchivedList(
    "issues.jsonl",
    "watchers",
    table="issue_watcher",
    order="at, who",
    most=MANY,
    columns={"who": Member, "reason": Sort, "at": Time},
)
VOTES = ArchivedList(
    "issues.jsonl",
    "votes",
    table="issue_vote",
    order="at, who",
    most=MANY,
    columns={"who": Member, "at": Time},
)
