"""Who an issue is for, who watches it and who voted for it, in the archive of a project."""

from kbwork.core.ports.archive import MANY, ArchivedList, Member, Person, Sort, Time

ASSIGNEES = ArchivedList(
    line="issues.jsonl",
    name="assignees",
    table="issue_assignee",
    by="issue",
    order="position",
    bare=True,
    numbered="position",
    columns={"who": Person},
)
WATCHERS = ArchivedList(
    line="issues.jsonl",
    name="watchers",
    table="issue_watcher",
    by="issue",
    order="at, who",
    most=MANY,
    columns={"who": Member, "reason": Sort, "at": Time},
)
VOTES = ArchivedList(
    line="issues.jsonl",
    name="votes",
    table="issue_vote",
    by="issue",
    order="at, who",
    most=MANY,
    columns={"who": Member, "at": Time},
)
