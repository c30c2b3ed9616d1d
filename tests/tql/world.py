"""A small world for checks: people, projects, lanes and what else has a name."""

from collections.abc import Sequence

from kbwork.base.spelling import fold
from kbwork.tql.fields import Kind
from kbwork.tql.names import Named, OwnField
from kbwork.tql.parser import parse
from kbwork.tql.tree import Query

ALL_MODULES = frozenset(
    [
        "pages",
        "comments",
        "assets",
        "worklogs",
        "attachments",
        "sprints",
        "desk",
        "tables",
        "checklists",
        "git",
        "approvals",
        "sla",
        "components",
        "milestones",
        "releases",
        "views",
    ]
)


def lane(id: str, name: str, category: str, *places: str) -> Named:
    return Named(id, name, key=id, category=category, places=places)


NAMED: dict[str, list[Named]] = {
    "person": [
        Named("m1", "Ana Müller", handle="ana", mail="ana@acme.test"),
        Named("m2", "Sam Kent", handle="sam.k", mail="sk@acme.test"),
        Named("m3", "Sam Tall", handle="sam.t", mail="st@acme.test"),
        Named("import:ekr", "ekr"),
    ],
    "project": [
        Named("WEB", "Web site", key="WEB"),
        Named("API", "API", key="API"),
        Named("APP", "App", key="APP"),
    ],
    "status": [
        lane("todo", "To do", "todo", "WEB", "APP"),
        lane("in-progress", "In Progress", "in_progress", "WEB", "APP"),
        lane("review", "In review", "in_progress", "WEB"),
        lane("done", "Done", "done", "WEB", "APP"),
        lane("dropped", "Dropped", "done", "WEB"),
    ],
    "type": [Named(key, key.title(), key=key) for key in ("bug", "task", "epic", "pull-request")],
    "label": [
        Named("1", "security"),
        Named("2", "customer"),
        Named("3", "bug", places=("WEB",)),
        Named("4", "bug", places=("APP",)),
        Named("5", "Größe"),
        Named("6", "platform", former=("infra",)),
    ],
    "team": [Named("1", "Core", handle="core"), Named("2", "Support", handle="support")],
    "component": [Named("1", "Editor"), Named("2", "Export")],
    "sprint": [Named("11", "Sprint 11"), Named("12", "Sprint 12")],
    "release": [Named("1.2.3", "1.2.3"), Named("2.0", "2.0")],
    "milestone": [Named("beta", "Beta")],
    "company": [Named("acme", "Acme")],
    "space": [Named("eng", "Engineering", key="ENG")],
    "asset_type": [Named("LAP", "Laptop", key="LAP")],
    "field:region": [Named("EU", "EU"), Named("US", "US")],
}
OWN = [
    OwnField("score", "Score", Kind.NUMBER),
    OwnField("region", "Region", Kind.NAME, domain="field:region"),
    OwnField("in", "In", Kind.NUMBER),
    OwnField("due_soon", "Due soon", Kind.BOOL),
    OwnField("cost_web", "Cost", Kind.NUMBER, projects=("WEB",)),
    OwnField("cost_app", "Cost", Kind.NUMBER, projects=("APP",)),
]


class SmallWorld:
    """Names from the tables above; issues WEB-1 to WEB-200, API-1, APP-1 and so on all exist."""

    def __init__(self, modules: frozenset[str] = ALL_MODULES, views: dict[str, str] | None = None) -> None:
        self.modules = modules
        self.views = views or {}
        self.owned = {"issues": OWN}

    def begins(self, domain: str, start: str) -> Sequence[Named]:
        if domain in {"issue", "asset"}:
            project = start.upper().rpartition("-")[0]
            known = any(named.key == project for named in NAMED["project"])
            return [Named(start.upper(), start.upper(), key=start.upper())] if known else []
        form = fold(start)
        return [
            named
            for named in NAMED.get(domain, [])
            if any(fold(word).startswith(form) for word in spellings(named))
        ]

    def some(self, domain: str) -> Sequence[Named]:
        return NAMED.get(domain, [])

    def own(self, source: str) -> Sequence[OwnField]:
        return self.owned.get(source, [])

    def has(self, module: str) -> bool:
        return module in self.modules

    def view(self, name: str) -> Query | None:
        return parse(self.views[name]) if name in self.views else None


def spellings(named: Named) -> list[str]:
    return [word for word in (named.key, named.name, named.handle, named.mail, *named.former) if word]
