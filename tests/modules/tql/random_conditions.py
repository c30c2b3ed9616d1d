"""Grows conditions that mean something in the office: real fields with values of their kind."""

import random

_NUMBERS = ("1", "2", "2.5", "5", "0", "estimate", "votes", "cf.score", "level_no + 1")
_LENGTHS = ("2d", "30min", "1w", "90d", "cf.took", "25h")
_TIMES = (
    "-7d", "-30d", "today", "yesterday", "2027-03", "2027-02-10", "2027-W08", "2027-Q1", "-3wd", "startOf(month)",
    "endOf(week, -2)", "2027-02-01T12:00", "now()", "+10d", "created", "due", "cf.met_at", "cf.seen_on", "updated",
    "-2w", "today - 3d",
)  # fmt: skip
_PEOPLE = ("me()", "@ana", "@cy", "@di", "membersOf(core)", "myTeams()", "leadOf(SEC)", "reporter", "creator")
_KEYS = (
    "WEB-1",
    "WEB-3",
    "WEB-7",
    "WEB-12",
    "WEB-20",
    "parent",
    "cf.again",
    "similar(WEB-2)",
    "blockersOf(WEB-5)",
)
ASSETS = ("LAP-1", "DOCK-1", "LAP-3", "assetsOf(@cy)", "assetsOf(me())")
_FIELDS = {
    "number": (("estimate", "votes", "watchers", "comments", "children", "children_done", "progress", "number",
                "level_no", "cf.score", "parent.estimate", "checks", "checks_done", "asset.cf.price",
                "double", "cf.third", "below", "most", "part", "steps", "web_score", "parent.double", "below * 2",
                "id", "estimate * 2", "cf.score + estimate",
                "parent.cf.score", "parent.parent.votes"), _NUMBERS),
    "length": (("age", "cycle", "lead", "cf.took", "spent", "left", "age / 2", "updated - created",
                "wait", "parent.wait"), _LENGTHS),
    "time": (("created", "updated", "started", "closed", "status_since", "archived_at", "viewed", "commented",
              "cf.met_at", "parent.created", "created + 3d", "reporter.created"), _TIMES),
    "day": (("due", "start", "cf.seen_on", "parent.due", "project.due", "asset.bought",
             "late", "parent.late", "last_day"), _TIMES),
    "person": (("assignee", "reporter", "creator", "updater", "watcher", "voter", "cf.owner", "cf.reviewers",
                "parent.assignee", "project.lead", "parent.reporter", "asset.owner", "asset.keeper",
                "doers", "parent.doers"), _PEOPLE),
    "asset": (("asset", "parent.asset", "asset.docked", "asset.spare", "cf.tool", "cf.tool.spare",
               "parent.cf.tool"), ASSETS),
    "asset_type": (("asset.type", "asset.spare.type"), ("LAP", "Dock")),
    "asset_status": (("asset.status",), ("active", "retired", "maintenance")),
    "room": (("asset.room",), ("attic", "Cellar")),
    "key": (("parent", "key", "root", "epic", "cf.again", "parent.parent", "cf.again.parent"), _KEYS),
    "project": (("project", "parent.project"), ("WEB", "SEC", "PRV")),
    "status": (("status", "parent.status"), ("done", "todo", '"In progress"', "backlog", "in_review")),
    "category": (("category",), ("todo", "done", "in_progress")),
    "priority": (("priority", "parent.priority", "sort"), ("none", "low", "high", "urgent", "medium")),
    "type": (("type", "parent.type"), ("bug", "task", "subtask", "story")),
    "outcome": (("outcome",), ("completed", "cancelled")),
    "label": (("label", "parent.label"), ("bug", "customer", "security", "#bug")),
    "component": (("component",), ("Editor", "Export")),
    "level": (("level",), ("public", "private", "core")),
    "region": (("cf.region", "parent.cf.region"), ("EU", "US")),
    "regions": (("cf.regions",), ("EU", "Asia")),
    "squad": (("cf.squad", "assignee.team", "reporter.team"), ("core",)),
    "role": (("assignee.role", "reporter.role"), ("admin", "member", "guest", "owner")),
    "bool": (("cf.ready", "blocked", "parent.blocked", "watched", "parent.archived"), ("true", "false")),
    "text": (("title", "body", "text", "comment", "cf.motto", "parent.title", "external", "assignee.name",
              "asset.name", "asset.serial", "asset.DOCK.note", "heading"), ()),
}  # fmt: skip
_WORDS = ("login", "timeout", "export", "uber", "cafe", "cart", "slow", "naive", "search")
_FLAGS = (
    "open", "done", "blocked", "blocking", "overdue", "mine", "unassigned", "watched", "voted", "archived", "locked",
    "restricted", "unread", "starred",
)  # fmt: skip
_PAST = ("status", "assignee", "label", "priority", "due", "estimate", "category", "component", "type", "parent",
         "reporter", "level", "cf.region", "cf.score", "cf.ready", "cf.regions", "cf.owner", "cf.seen_on",
         "cf.met_at", "cf.again", "cf.tool", "project", "title", "cf.motto")  # fmt: skip
_KIND_OF_PAST = {
    "due": "day", "estimate": "number", "assignee": "person", "reporter": "person", "parent": "key",
    "cf.region": "region", "cf.score": "number", "cf.ready": "bool", "cf.regions": "regions", "cf.owner": "person",
    "cf.seen_on": "day", "cf.met_at": "time", "cf.again": "key", "cf.tool": "asset",
}  # fmt: skip
_RELATIONS = ("blocks", "blocked by", "relates", "duplicates", "causes", "caused by", "precedes", "follows",
              "under", "above", 'rel("tests")', 'rel("tested by")')  # fmt: skip
_INSTANTS = ("-7d", "-30d", "2027-02-10", "2027-02", "-2w", "startOf(month)", "today", "-45d", "-3wd")


class Grower:
    """Conditions from one source of chance."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.nested = 0

    def condition(self, depth: int = 2) -> str:
        odds = self.chance.random()
        if depth <= 0 or odds < 0.45:
            return self.term(depth)
        if odds < 0.6:
            return f"not ({self.condition(depth - 1)})"
        terms = [f"({self.condition(depth - 1)})" for _ in range(self.chance.choice((2, 2, 3)))]
        return self.chance.choice((" and ", " or ")).join(terms)

    def term(self, depth: int = 0) -> str:
        makers = [self.compare] * 5 + [self.was] * 2 + [self.changed] * 2
        makers += [self.match, self.flag, self.unchanged, self.empty, self.has, self.tool_was]
        if depth > 0 and self.nested < 3:
            makers += [self.related, self.parts, self.parts, self.subquery, self.related]
        return self.chance.choice(makers)()

    def field(self) -> tuple[str, str]:
        kind = self.chance.choice([kind for kind in _FIELDS if kind != "text"])
        return kind, self.chance.choice(_FIELDS[kind][0])

    def value(self, kind: str) -> str:
        return self.chance.choice(_FIELDS[kind][1])

    def compare(self) -> str:
        kind, field = self.field()
        ordered = kind in ("number", "length", "time", "day", "priority")
        if ordered and self.chance.random() < 0.6:
            return self.range(kind, field)
        form = self.chance.choice(
            ("{f} = {v}", "{f} != {v}", "{f} in ({v}, {w})", "{f} not in ({v}, {w}, empty)")
        )
        return form.format(f=field, v=self.value(kind), w=self.value(kind))

    def range(self, kind: str, field: str) -> str:
        form = self.chance.choice(
            ("{f} < {v}", "{f} <= {v}", "{f} > {v}", "{f} >= {v}", "{f} = {v}..", "{f} between {v} and {w}")
        )
        return form.format(f=field, v=self.value(kind), w=self.value(kind))

    def empty(self) -> str:
        _, field = self.field()
        return f"{field} is {self.chance.choice(('', 'not '))}empty"

    def has(self) -> str:
        kind = self.chance.choice(("label", "component", "person", "regions"))
        field = self.chance.choice(_FIELDS[kind][0])
        mode = self.chance.choice(("all", "any", "none"))
        values = ", ".join(self.value(kind) for _ in range(self.chance.choice((0, 1, 2))))
        return f"{field} has {mode} ({values})"

    def flag(self) -> str:
        return self.chance.choice(_FLAGS)

    def match(self) -> str:
        pick = self.chance.choice
        words = pick((f"{pick(_WORDS)}", f"{pick(_WORDS)} -{pick(_WORDS)}", f"{pick(_WORDS)[:3]}*",
                      f"{pick(_WORDS)} OR {pick(_WORDS)}", f"'{pick(_WORDS)}'", "-slow"))  # fmt: skip
        if self.chance.random() < 0.2:
            return pick((f'"{pick(_WORDS)} {pick(_WORDS)}"', f"({pick(_WORDS)} -{pick(_WORDS)})"))
        field = pick(_FIELDS["text"][0])
        if self.chance.random() < 0.2:
            return f'{field} {pick(("=", "!="))} "cafe"'
        return f'{field} {pick(("~", "!~"))} "{words}"'

    def tool_was(self) -> str:
        return f"cf.tool was {self.chance.choice(('', 'not '))}{self.chance.choice(('LAP-1', 'LAP-2'))}{self._whens()}"

    def _past(self) -> tuple[str, str]:
        field = self.chance.choice(_PAST)
        if field in ("title", "cf.motto"):
            return field, '"cafe"'
        kind = _KIND_OF_PAST.get(field, field)
        return field, self.chance.choice(("empty", self.value(kind), self.value(kind), self.value(kind)))

    def _whens(self) -> str:
        pick = self.chance.choice
        found = ""
        for _ in range(pick((0, 0, 1, 1, 2))):
            word = pick(("before", "after", "since", "at", "on", "during"))
            ends = f"..{pick(_INSTANTS)}" if word == "during" and self.chance.random() < 0.5 else ""
            found += f" {word} {pick(_INSTANTS)}{ends}"
        if self.chance.random() < 0.25:
            found += f" by {pick(('@cy', 'me()', '(@bo, @di)', 'membersOf(core)'))}"
        return found

    def was(self) -> str:
        pick = self.chance.choice
        field, value = self._past()
        said = pick((value, value, f"in ({value}, {value})"))
        held = pick(("", "", f" for {pick(('>=', '<', '>'))} {pick(('3d', '1w', '40d'))}"))
        return f"{field} was {pick(('', '', 'not '))}{said}{self._whens()}{held}"

    def changed(self) -> str:
        pick = self.chance.choice
        field, value = self._past()
        sides = pick(("", f" to {value}", f" from {value}"))
        times = pick(("", "", f" {pick(('>=', '=', '<', '>'))} {pick((0, 1, 2, 3))} times"))
        return f"{field} changed{sides}{self._whens()}{times}"

    def unchanged(self) -> str:
        return f"{self.chance.choice(_PAST)} unchanged for {self.chance.choice(('3d', '2w', '40d', '5wd'))}"

    def related(self) -> str:
        self.nested += 1
        pick = self.chance.choice
        end = pick(
            ("any", "none", pick(_KEYS[:5]), f"({pick(_KEYS[:5])}, {pick(_KEYS[:5])})", f"({self.term()})")
        )
        return f"{pick(_RELATIONS)} {end}"

    def parts(self) -> str:
        self.nested += 1
        pick = self.chance.choice
        collection = pick(("children", "comments", "watchers", "versions", "checks", "linked assets"))
        inner = {
            "children": self.term(),
            "comments": pick(("author = @cy", "created > -20d", "internal = true", "author.role = guest",
                              "mine", "text ~ login", "not (author = issue.reporter)", "issue.status = done")),
            "watchers": pick(("role = member", "handle = cy", "team = core", "created > -2d")),
            "versions": pick(("author = @cy", "created < -10d")),
            "checks": pick(("open", "done", "overdue", "mine", "unassigned", "not done and due < today", "text ~ login",
                            "assignee = @cy", "assignee.role = admin", "done_at > -20d", "done = false", "slow")),
            "linked assets": AssetGrower(pick(range(1000))).term(),
        }[collection]  # fmt: skip
        how = pick(("any", "all", "none", f"count {pick(('>', '=', '<=', '>='))} {pick((0, 1, 2))}"))
        return f"{collection} {how} ({inner})"

    def subquery(self) -> str:
        self.nested += 1
        return self.chance.choice(
            (
                f"parent in ({self.term()})",
                f"key not in (from issues where {self.term()})",
                "assignee in (from members where role = member)",
                f"reporter in (from issues where {self.term()} select assignee)",
                "project in (from projects where visibility = org)",
                f"estimate in (from issues where {self.term()} select estimate)",
                "assignee in (from comments where mine select author)",
            )
        )


_OF_ASSETS = {
    "person": (("owner", "keeper", "spare.owner", "cf.keeper"), _PEOPLE[:6]),
    "asset": (("key", "docked", "cf.spare", "spare.docked", "spare.spare.spare"), ASSETS),
    "asset_type": (("type", "spare.type"), ("LAP", "Laptop", "dock")),
    "asset_status": (("status", "docked.status"), ("active", "retired", "maintenance")),
    "number": (
        ("price", "LAP.note", "price * 2", "spare.price", 'cf["LAP.note"]'),
        ("1", "900", "price", "2"),
    ),
    "day": (("bought", "spare.bought"), _TIMES[:12]),
    "time": (("created", "updated", "owner.created"), _TIMES[:12]),
    "room": (("room", "cf.room", "Room"), ("Attic", "CELLAR")),
    "bool": (("insured", "archived", "mine", "docked.archived"), ("true", "false")),
    "role": (("owner.role",), ("admin", "member")),
}


class AssetGrower(Grower):
    """The same over assets."""

    def term(self, depth: int = 0) -> str:
        makers = [self.compare] * 5 + [self.match, self.match, self.flag, self.empty, self.related]
        return self.chance.choice(makers)()

    def field(self) -> tuple[str, str]:
        kind = self.chance.choice(list(_OF_ASSETS))
        return kind, self.chance.choice(_OF_ASSETS[kind][0])

    def value(self, kind: str) -> str:
        return self.chance.choice(_OF_ASSETS[kind][1])

    def flag(self) -> str:
        return self.chance.choice(("mine", "archived", "LAP-3", "slow", '"cafe"'))

    def match(self) -> str:
        field = self.chance.choice(("name", "text", "serial", "DOCK.note", "docked.name", "spare.serial"))
        form = self.chance.choice(("{f} ~ {w}", "{f} !~ {w}", '{f} = "C02 cafe"', '{f} ~ "-{w}"'))
        return form.format(f=field, w=self.chance.choice(_WORDS))

    def related(self) -> str:
        self.nested += 1
        pick = self.chance.choice
        inner = self.term() if self.nested < 3 else "mine"
        end = pick(("any", "none", "LAP-1", "(DOCK-1, LAP-2, asset:LAP-3)", f"({inner})"))
        return f"{pick(('refers to', 'referred by'))} {end}"
