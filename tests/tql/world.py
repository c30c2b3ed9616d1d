"""A small world for checks: people, projects, lanes and what else has a name."""

from collections.abc import Sequence

from kbwork.base.text import fold
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import AS_WRITTEN, NamedThing, OwnFieldDef, SavedText
from kbwork.tql.sources import Sources
from tests.tql.language import SOURCES

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


def lane(id: str, name: str, category: str, *places: str) -> NamedThing:
    return NamedThing(id, name, key=id, category=category, places=places)


NAMED: dict[str, list[NamedThing]] = {
    "person": [
        NamedThing("m1", "Ana Müller", handle="ana", mail="ana@acme.test"),
        NamedThing("m2", "Sam Kent", handle="sam.k", mail="sk@acme.test"),
        NamedThing("m3", "Sam Tall", handle="sam.t", mail="st@acme.test"),
        NamedThing("import:ekr", "ekr"),
    ],
    "project": [
        NamedThing("WEB", "Web site", key="WEB"),
        NamedThing("API", "API", key="API"),
        NamedThing("APP", "App", key="APP", former=("MOB",)),
    ],
    "status": [
        lane("todo", "To do", "todo", "WEB", "APP"),
        lane("in-progress", "In Progress", "in_progress", "WEB", "APP"),
        lane("review", "In review", "in_progress", "WEB"),
        lane("done", "Done", "done", "WEB", "APP"),
        lane("dropped", "Dropped", "done", "WEB"),
    ],
    "type": [NamedThing(key, key.title(), key=key) for key in ("bug", "task", "epic", "pull-request")],
    "label": [
        NamedThing("1", "security"),
        NamedThing("2", "customer"),
        NamedThing("3", "bug", places=("WEB",)),
        NamedThing("4", "bug", places=("APP",)),
        NamedThing("5", "Größe"),
        NamedThing("6", "platform", former=("infra",)),
    ],
    "team": [NamedThing("1", "Core", handle="core"), NamedThing("2", "Support", handle="support")],
    "component": [NamedThing("1", "Editor"), NamedThing("2", "Export")],
    "sprint": [NamedThing("11", "Sprint 11"), NamedThing("12", "Sprint 12")],
    "release": [NamedThing("1.2.3", "1.2.3"), NamedThing("2.0", "2.0")],
    "milestone": [NamedThing("beta", "Beta")],
    "company": [NamedThing("acme", "Acme")],
    "page": [NamedThing("12", "The abc", key="12", handle="abc")],
    "space": [NamedThing("eng", "Engineering", key="ENG")],
    "asset_type": [NamedThing("LAP", "Laptop", key="LAP")],
    "field:region": [NamedThing("EU", "EU"), NamedThing("US", "US")],
}
OWN = [
    OwnFieldDef("score", "Score", FieldKind.NUMBER),
    OwnFieldDef("region", "Region", FieldKind.NAME, domain="field:region"),
    OwnFieldDef("in", "In", FieldKind.NUMBER),
    OwnFieldDef("due_soon", "Due soon", FieldKind.BOOL),
    OwnFieldDef("cost_web", "Cost", FieldKind.NUMBER, projects=("WEB",)),
    OwnFieldDef("cost_app", "Cost", FieldKind.NUMBER, projects=("APP",)),
]

DELETED = [OwnFieldDef("severity", "How bad", FieldKind.TEXT), OwnFieldDef("weight", "", FieldKind.TEXT)]


class SmallWorld:
    """Names from the tables above; issues WEB-1 to WEB-200, API-1, APP-1 and so on all exist."""

    def __init__(self, modules: frozenset[str] = ALL_MODULES, views: dict[str, str] | None = None) -> None:
        self.modules = modules
        self.views = views or {}
        self.owned = {"issues": OWN, "assets": [OwnFieldDef("bought", "Bought on", FieldKind.DAY)]}

    @property
    def sources(self) -> Sources:
        return SOURCES

    def begins(self, domain: str, start: str) -> Sequence[NamedThing]:
        if domain in {"issue", "asset"}:
            project = start.upper().rpartition("-")[0]
            known = any(named.key == project for named in NAMED["project"])
            return [NamedThing(start.upper(), start.upper(), key=start.upper())] if known else []
        form = fold(start)
        return [
            named
            for named in NAMED.get(domain, [])
            if any(fold(word).startswith(form) for word in spellings(named))
        ]

    def some(self, domain: str) -> Sequence[NamedThing]:
        return NAMED.get(domain, [])

    def own(self, source: str) -> Sequence[OwnFieldDef]:
        return self.owned.get(source, [])

    def deleted(self, source: str) -> Sequence[OwnFieldDef]:
        return DELETED if source == "issues" else []

    def has(self, module: str) -> bool:
        return module in self.modules

    def things(self, domain: str, ids: frozenset[str]) -> Sequence[NamedThing]:
        return [named for named in self.some(domain) if named.id in ids]

    def gone(self, domain: str, ids: frozenset[str]) -> bool:
        return not self.things(domain, ids)

    def view(self, name: str) -> SavedText | None:
        return SavedText(self.views[name], AS_WRITTEN) if name in self.views else None


def spellings(named: NamedThing) -> list[str]:
    return [word for word in (named.key, named.name, named.handle, named.mail, *named.former) if word]
