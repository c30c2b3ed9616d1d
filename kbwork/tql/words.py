"""The words of the language: what is reserved, and the tables of flags, relations, collections and functions."""

from kbwork.base.dataclasses import dataclass

RESERVED = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "has",
        "was",
        "changed",
        "unchanged",
        "between",
        "select",
        "having",
        "limit",
        "from",
        "where",
        "true",
        "false",
        "empty",
    ]
)
"""Never a name without quotes."""
CLAUSES = ("select", "group", "having", "order", "limit", "as")
CLAUSE_PAIRS = {"group": "by", "order": "by", "as": "of"}
"""Clause words that end a condition only together with the next one."""

OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "~", "!~")
OPERATOR_WORDS = ("is", "in", "not", "between", "has", "was", "changed", "unchanged")
"""A word before one of these is a field."""

WHEN = ("before", "after", "since", "at", "on", "during")
QUANTIFIERS = ("any", "all", "none", "count")
NAMED_PERIODS = ("today", "yesterday", "tomorrow")
UNITS = ("min", "h", "d", "wd", "w", "mo", "q", "y")

FLAGS = (
    "open",
    "done",
    "blocked",
    "blocking",
    "overdue",
    "mine",
    "unassigned",
    "watched",
    "starred",
    "voted",
    "archived",
    "locked",
    "unread",
    "triage",
    "draft",
    "restricted",
)
"""Words that are a condition by themselves. Issues know them all, other sources some."""

RELATIONS = (
    "blocks",
    "blocked by",
    "relates",
    "duplicates",
    "duplicated by",
    "causes",
    "caused by",
    "implements",
    "implemented by",
    "precedes",
    "follows",
    "under",
    "above",
    "mentions",
    "mentioned in",
    "refers to",
    "referred by",
    "rel",
)
"""A relation's words; `rel("kind")` names one that the org has made."""
ISSUE_RELATIONS = tuple(name for name in RELATIONS if name not in {"refers to", "referred by"})
"""Those that an issue has: to other issues, and of mentions to pages as well."""
MENTIONS = ("mentions", "mentioned in")
"""Those that lead to things of another source as well."""
RELATION_STARTS = {name.split()[0]: name for name in RELATIONS}

SUBJECTS = ("page", "comment", "asset", "attachment", "worklog", "table", "goal")
"""Kinds that begin a subject (`page:abc`) where in brackets a condition might begin as well."""

COLLECTIONS = {
    "children": ("issues", ""),
    "comments": ("comments", "comments"),
    "worklogs": ("worklogs", "worklogs"),
    "checks": ("checks", "checklists"),
    "attachments": ("attachments", "attachments"),
    "git": ("git", "git"),
    "approvals": ("approvals", "approvals"),
    "sla": ("sla", "sla"),
    "versions": ("versions", ""),
    "linked assets": ("assets", "assets"),
    "watchers": ("members", ""),
}
"""Collection -> the fields of its parts, and the module it comes with."""
COLLECTION_STARTS = {name.split()[0]: name for name in COLLECTIONS}

AGGREGATES = ("count", "sum", "avg", "min", "max", "median", "p50", "p85", "p95", "share", "list")
GROUPS = ("day", "week", "month", "quarter", "year", "bucket")
"""Functions that put a time or a number into a group."""


@dataclass(frozen=True, slots=True)
class Function:
    """`takes` describes each argument; those behind `needs` may be left out. `gives` is a kind or a name's domain."""

    name: str
    takes: tuple[str, ...]
    needs: int
    gives: str
    many: bool = False
    module: str = ""

    @property
    def call(self) -> str:
        """How it is written: `startOf(unit[, offset])`."""
        must, may = self.takes[: self.needs], self.takes[self.needs :]
        return (
            f"{self.name}({', '.join(must)}{''.join(f'[, {name}]' if must else f'[{name}]' for name in may)})"
        )


_FUNCTIONS = (
    Function("me", (), 0, "person"),
    Function("myTeams", (), 0, "person", many=True),
    Function("membersOf", ("team",), 1, "person", many=True),
    Function("leadOf", ("project",), 1, "person", many=True),
    Function("onCall", ("team",), 1, "person", many=True),
    Function("agents", (), 0, "person", many=True),
    Function("customersOf", ("company",), 1, "person", many=True, module="desk"),
    Function("openSprints", ("team",), 0, "sprint", many=True, module="sprints"),
    Function("nextSprint", ("team",), 0, "sprint", many=True, module="sprints"),
    Function("lastSprint", ("team",), 0, "sprint", many=True, module="sprints"),
    Function("closedSprints", ("number",), 0, "sprint", many=True, module="sprints"),
    Function("sprint", ("sprint",), 1, "sprint", many=True, module="sprints"),
    Function("unreleased", ("project",), 0, "release", many=True, module="releases"),
    Function("released", ("project", "number"), 1, "release", many=True, module="releases"),
    Function("nextRelease", ("project",), 1, "release", many=True, module="releases"),
    Function("now", (), 0, "time"),
    Function("today", (), 0, "day"),
    Function("startOf", ("unit", "offset"), 1, "time"),
    Function("endOf", ("unit", "offset"), 1, "time"),
    Function("workingDays", ("from", "to"), 2, "number"),
    Function("lastVisit", (), 0, "time"),
    Function("view", ("view",), 1, "condition", module="views"),
    Function("recent", ("number",), 0, "issues", many=True),
    Function("mentionedMe", (), 0, "issues", many=True),
    Function("assignedEver", ("person",), 1, "issues", many=True),
    Function("similar", ("key",), 1, "issues", many=True),
    Function("dependentsOf", ("key", "number"), 1, "issues", many=True),
    Function("blockersOf", ("key", "number"), 1, "issues", many=True),
    Function("assetsOf", ("person",), 1, "asset", many=True, module="assets"),
    Function("random", ("number",), 1, "issues", many=True),
    Function("day", ("field",), 1, "day"),
    Function("week", ("field",), 1, "day"),
    Function("month", ("field",), 1, "day"),
    Function("quarter", ("field",), 1, "day"),
    Function("year", ("field",), 1, "day"),
)
FUNCTIONS = {function.name.lower(): function for function in _FUNCTIONS}
"""By the name without case."""

FOREIGN = {
    "currentuser": ("me()", "known from JQL"),
    "currentlogin": ("lastVisit()", "known from JQL"),
    "lastlogin": ("lastVisit()", "known from JQL"),
    "startofday": ("startOf(d)", "known from JQL"),
    "startofweek": ("startOf(w)", "known from JQL"),
    "startofmonth": ("startOf(mo)", "known from JQL"),
    "startofyear": ("startOf(y)", "known from JQL"),
    "endofday": ("endOf(d)", "known from JQL"),
    "endofweek": ("endOf(w)", "known from JQL"),
    "endofmonth": ("endOf(mo)", "known from JQL"),
    "endofyear": ("endOf(y)", "known from JQL"),
    "unreleasedversions": ("unreleased()", "known from JQL"),
    "issuehistory": ("recent()", "known from JQL"),
    "null": ("empty", "a missing value is called so"),
    "none": ("empty", "a missing value is called so"),
    "contains": ("~", "texts are searched with it"),
    "like": ("~", "texts are searched with it"),
}
"""Words of other languages, folded -> what is written here, and why."""
