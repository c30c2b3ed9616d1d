"""What the names of a text mean for one caller: only what they see has a name."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kbwork.base.errors import NotFound
from kbwork.base.text import fold
from kbwork.core import org_settings
from kbwork.db.tx import Read
from kbwork.modules import issues
from kbwork.modules.fields import seen_fields
from kbwork.modules.tql import ports
from kbwork.modules.tql.names import lookup
from kbwork.modules.tql.names.asset_fields import asset_fields
from kbwork.tql.fields import FieldKind
from kbwork.tql.names import NamedThing, OwnFieldDef
from kbwork.tql.tree import QueryNode

_HOMES = {"issues": "issue", "requests": "issue", "worklogs": "worklog"}
_KINDS: dict[str, tuple[FieldKind, str, str]] = {
    "text": (FieldKind.TEXT, "", ""),
    "paragraph": (FieldKind.TEXT, "", ""),
    "url": (FieldKind.TEXT, "", ""),
    "number": (FieldKind.NUMBER, "", ""),
    "money": (FieldKind.NUMBER, "", ""),
    "rating": (FieldKind.NUMBER, "", ""),
    "bool": (FieldKind.BOOL, "", ""),
    "date": (FieldKind.DAY, "", ""),
    "datetime": (FieldKind.TIME, "", ""),
    "duration": (FieldKind.DURATION, "", ""),
    "select": (FieldKind.NAME, "field", ""),
    "multi_select": (FieldKind.NAME, "field", ""),
    "cascade": (FieldKind.NAME, "field", ""),
    "member": (FieldKind.PERSON, "person", "members"),
    "members": (FieldKind.PERSON, "person", "members"),
    "team": (FieldKind.NAME, "team", "teams"),
    "issue": (FieldKind.KEY, "issue", "issues"),
    "asset": (FieldKind.KEY, "asset", "assets"),
}
_ASSET_KINDS: dict[str, tuple[FieldKind, str, str]] = {
    **{kind: _KINDS[kind] for kind in ("text", "number", "date", "bool", "member", "url")},
    "select": (FieldKind.NAME, "option", ""),
    "reference": (FieldKind.KEY, "asset", "assets"),
}
"""Kind of an own field -> what the language takes it for, whose names its values are, where a path goes on."""
OWN_LEADS_TO = {
    "member": "members",
    "members": "members",
    "team": "teams",
    "issue": "issues",
    "asset": "assets",
    "reference": "assets",
}
"""Kind of an own field -> the source that it leads to."""
_SERVED = frozenset({"assets", "attachments", "checklists", "comments", "components", "views"})
"""The modules whose things can be asked for."""
_SELDOM = frozenset({"person", "project", "status", "type", "team", "level"})
"""Domains that rest on tables which decide who sees what, and so are kept until one of them changes."""
_SAME = frozenset({"person", "type", "team", "level"})
"""Of these, the ones that are the same for all members of the org."""
_MANY = frozenset({"multi_select", "cascade", "members"})


class DbNames:
    """Asks the tables for the names of what the caller sees."""

    def __init__(self, tx: Read) -> None:
        self._tx = tx

    def begins(self, domain: str, start: str) -> Sequence[NamedThing]:
        if domain == "issue":
            return self._issue(start)
        if not self._covered(domain):
            return []
        form = fold(start)
        if domain == "asset":
            named = lookup.asset(self._tx, start)
            return [named] if named is not None else lookup.assets_called(self._tx, form)
        found = [named for named, said in self._spelled(domain) if any(one.startswith(form) for one in said)]
        if not found and domain == "person":
            return lookup.known_by_name(self._tx, form)
        return found

    def some(self, domain: str) -> Sequence[NamedThing]:
        if not self._covered(domain):
            return []
        return [named for named, _ in self._spelled(domain)]

    def own(self, source: str) -> Sequence[OwnFieldDef]:
        found: list[OwnFieldDef] = self._tx.memoized(("tql own", source), lambda: self._own(source))
        return found

    def has(self, module: str) -> bool:
        there: bool = self._tx.memoized(("tql has", module), lambda: self._has(module))
        return there

    def project(self, key: str) -> str:
        """The present key of a project. Raises NotFound where none is called so that the caller sees."""
        found = [named for named in self.some("project") if key.strip().upper() in (named.key, *named.former)]
        if not found:
            raise NotFound(f"There is no project {key!r} that you can see.")
        return found[0].key

    def view(self, name: str) -> QueryNode | None:
        return ports.query(self._tx, name)

    def _has(self, module: str) -> bool:
        return (
            module in _SERVED
            and module in self._tx.registry.modules
            and not org_settings.module_off(self._tx, module)
        )

    def _covered(self, domain: str) -> bool:
        """Whether the caller's scopes tell such names: those of what issues hold are told with the issues."""
        if domain.partition(":")[0] in ("asset", "asset_type", "option"):
            return "assets:read" in self._tx.caller.scopes
        read = {"person": "members:read", "team": "members:read"}.get(domain, "projects:read")
        return not self._tx.caller.scopes.isdisjoint({"issues:read", read})

    def _issue(self, key: str) -> list[NamedThing]:
        there = "-" in key and "issues:read" in self._tx.caller.scopes
        row = issues.find(self._tx, key) if there else None
        if row is None:
            return []
        present = issues.key_of(self._tx, row)
        self._tx.memo["tql issue", present] = row["id"]
        former = () if present == key.strip().upper() else (key.strip(),)
        return [NamedThing(present, present, key=present, former=former)]

    def _spelled(self, domain: str) -> list[tuple[NamedThing, tuple[str, ...]]]:
        """All things of a domain with the folded words that they are known by."""
        if domain.startswith("field:"):
            return _with_words(self._options(domain.removeprefix("field:")))
        if domain.startswith("option:"):
            held = asset_fields(self._tx).get(f"cf.{domain.removeprefix('option:')}")
            return _with_words(NamedThing(one, one) for one in (held.options if held is not None else ()))
        read = _DOMAINS.get(domain)
        if read is None:
            return []
        caller = self._tx.caller
        seldom = domain in _SELDOM and not caller.guest
        same = domain in _SAME and caller.projects is None
        key = (
            ("tql names", domain)
            if same
            else ("tql names", domain, caller.ident, caller.role, caller.projects)
        )
        keep = self._tx.cached if seldom else self._tx.memoized
        found: list[tuple[NamedThing, tuple[str, ...]]] = keep(key, lambda: _with_words(read(self._tx)))
        return found

    def _options(self, key: str) -> Iterable[NamedThing]:
        """The options of an own field. Of a cascade those below say what they stand under."""
        for own in seen_fields(self._tx):
            if own.key == key:
                for option in own.options:
                    above = tuple(one.name for one in own.path(option.id)[:-1])
                    yield NamedThing(str(option.id), option.name, places=above)

    def _own(self, source: str) -> list[OwnFieldDef]:
        if source == "assets":
            return self._of_assets() if self._covered("asset") else []
        home = _HOMES.get(source)
        if home is None or not self._covered("field"):
            return []
        projects = {named.id: named.key for named in self.some("project")}
        found = []
        for own in seen_fields(self._tx, home=home):
            places = tuple(projects[str(one)] for one in own.projects if str(one) in projects)
            if own.kind in ("formula", "rollup") and home == "issue":
                found.append(_computed(own, places))
            if own.kind not in _KINDS or (own.kind == "asset" and not self.has("assets")):
                continue
            kind, domain, to = _KINDS[own.kind]
            domain = f"field:{own.key}" if domain == "field" else domain
            found.append(OwnFieldDef(own.key, own.name, kind, own.kind in _MANY, domain, to, places))
        return found

    def _of_assets(self) -> list[OwnFieldDef]:
        found = []
        for own in asset_fields(self._tx).values():
            kind, domain, to = _ASSET_KINDS[own.kind]
            domain = f"option:{own.name}" if domain == "option" else domain
            places = tuple(own.types.values())
            found.append(OwnFieldDef(own.name, own.title, kind, False, domain, to, places, tracked=False))
        return found


def _computed(own: Any, places: tuple[str, ...]) -> OwnFieldDef:
    only = tuple(
        (name, tuple(map(str, ids))) for name, ids in (("project", own.projects), ("type", own.types)) if ids
    )
    return OwnFieldDef(
        own.key, own.name, FieldKind.NUMBER, projects=places, tracked=False, formula=own.formula, only=only
    )


def own_fields(tx: Read) -> dict[str, Any]:
    """The caller's own fields by `cf.<key>`, as the module of fields has them."""
    found: dict[str, Any] = tx.memoized(
        "tql own by name", lambda: {f"cf.{own.key}": own for own in seen_fields(tx)}
    )
    return found


def issue_id(tx: Read, key: str) -> int | None:
    """The internal number of an issue that the caller sees, by its present key."""

    def find() -> int | None:
        row = issues.find(tx, key)
        return None if row is None else int(row["id"])

    found: int | None = tx.memoized(("tql issue", key), find)
    return found


def asset_id(tx: Read, key: str) -> int | None:
    """The internal number of an asset, by its key."""
    found: int | None = tx.memoized(
        ("tql asset", key), lambda: tx.value("select id from asset where key = :key", key=key)
    )
    return found


def _with_words(found: Iterable[NamedThing]) -> list[tuple[NamedThing, tuple[str, ...]]]:
    return [
        (one, tuple(fold(word) for word in (one.key, one.name, one.handle, one.mail, *one.former) if word))
        for one in found
    ]


_DOMAINS: dict[str, Callable[[Read], Iterable[NamedThing]]] = {
    "person": lookup.people,
    "project": lookup.projects,
    "status": lookup.lanes,
    "type": lookup.types,
    "label": lookup.labels,
    "component": lookup.components,
    "team": lookup.teams,
    "level": lookup.levels,
    "asset": lookup.latest_assets,
    "asset_type": lookup.asset_types,
}
