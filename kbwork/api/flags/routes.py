"""The paths of the flag REST, each with its operation: one table, which the door serves and the document describes."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from kbwork.api.flags import composites as compounds
from kbwork.api.flags import names as words
from kbwork.api.flags.composites import Composite
from kbwork.api.org_requests import QueryKind
from kbwork.base.dataclasses import dataclass, field
from kbwork.core.operations.declare import Operation
from kbwork.core.operations.registry import Registry

ROOT = "/api/v1"
_ORG = "/orgs/{org}"
_P = f"{_ORG}/projects/{{proj}}"
_E = f"{_P}/environments/{{env}}"
_F = f"{_P}/flags/{{flag}}"
_S = f"{_E}/segments/{{seg}}"
_C = f"{_P}/change-requests"
_FIELDS = {
    "proj": "project",
    "env": "environment",
    "flag": "key",
    "seg": "key",
    "environmentKey": "environment",
    "targetKey": "target",
    "agentProductionWrites": "agent_writes",
    "revisionId": "revision",
    "expireInHours": "in_hours",
    "confirm": "confirm_key",
}
"""Our names that are not the operation's in camelCase; a route may have others."""
_PORTION: dict[str, QueryKind] = {"limit": "whole", "cursor": "text"}
_BODY_NAMES = {
    "environment": "environmentKey",
    "target": "targetKey",
    "agent_writes": "agentProductionWrites",
    "revision": "revisionId",
}
_BY_QUERY = frozenset({"dry_run", "bypass", "versions"})
"""Inputs that no body has: they come by query and header."""


@dataclass(frozen=True)
class Route:
    """One method on one path."""

    method: str
    path: str
    op: str
    query: Mapping[str, QueryKind] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of path, query or body -> the operation's fields, where the usual ones do not hold."""
    answer: Callable[[Registry, Operation], words.Serializer] | None = None
    """Where the answer is not that of the operation in our names."""
    compound: Composite | None = None
    creates: bool = False
    portion: str | None = None
    """Of a list that is answered in parts too: the field of an entry that the next part begins behind."""

    @property
    def changes(self) -> bool:
        return self.method != "GET"

    @property
    def placed(self) -> list[str]:
        """The names in its path, the org left out."""
        parts = (part for part in self.path.split("/") if part.startswith("{"))
        return [part[1:-1] for part in parts if part != "{org}"]

    def field_of(self, name: str) -> str:
        """The operation's field that a name of ours stands for."""
        return self.names.get(name) or _FIELDS.get(name) or words.snake(name)


def _first(registry: Registry, op: Operation) -> words.Serializer:
    """Of a list of one, that one."""
    tell = words.serializer(op.output)
    return lambda found: tell(found)[0]


ROUTES: tuple[Route, ...] = (
    Route("GET", "/me", "flags.projects", compound=compounds.ME),
    Route("GET", _ORG, "flags.projects", compound=compounds.ORG),
    Route("GET", f"{_ORG}/settings", "flags.settings"),
    Route("PATCH", f"{_ORG}/settings", "flags.settings_set"),
    Route("GET", f"{_ORG}/export", "flags.export", answer=compounds.exported),
    Route("GET", f"{_ORG}/templates", "flags.templates"),
    Route(
        "POST",
        f"{_ORG}/templates",
        "flags.template_save",
        compound=compounds.TEMPLATE_NEW,
        creates=True,
    ),
    Route("DELETE", f"{_ORG}/templates/{{key}}", "flags.template_delete"),
    Route("GET", f"{_ORG}/projects", "flags.projects", compound=compounds.PROJECTS),
    Route(
        "POST",
        f"{_ORG}/projects",
        "flags.project_save",
        names={"key": "project"},
        compound=compounds.PROJECT_NEW,
        creates=True,
    ),
    Route("GET", _P, "flags.environments", compound=compounds.PROJECT),
    Route("PATCH", _P, "flags.project_save", compound=compounds.PROJECT_CHANGED),
    Route("DELETE", _P, "flags.project_archive"),
    Route("GET", f"{_P}/environments", "flags.environments"),
    Route(
        "POST",
        f"{_P}/environments",
        "flags.environment_save",
        compound=compounds.ENVIRONMENT_NEW,
        creates=True,
    ),
    Route("GET", _E, "flags.environments", names={"env": "key"}, compound=compounds.ENVIRONMENT),
    Route(
        "PATCH",
        _E,
        "flags.environment_save",
        names={"env": "key"},
        compound=compounds.ENVIRONMENT_CHANGED,
    ),
    Route("DELETE", _E, "flags.environment_delete", query={"confirm": "text"}, names={"env": "key"}),
    Route("GET", f"{_E}/keys", "flags.keys"),
    Route("POST", f"{_E}/keys", "flags.key_create", creates=True),
    Route("DELETE", f"{_E}/keys/{{id}}", "flags.key_revoke", query={"expireInHours": "whole"}),
    Route("GET", f"{_P}/compare", "flags.compare", query={"from": "text", "to": "text"}),
    Route("POST", f"{_E}/copy", "flags.copy", names={"env": "to"}, answer=compounds.copied),
    Route(
        "GET",
        f"{_P}/flags",
        "flags.list",
        query={"tag": "text", "q": "text", "archived": "truth", "full": "truth", **_PORTION},
        portion="key",
    ),
    Route("POST", f"{_P}/flags", "flags.create", creates=True),
    Route("GET", _F, "flags.get"),
    Route(
        "PATCH", _F, "flags.update", query={"bypassApprovals": "truth"}, names={"bypassApprovals": "bypass"}
    ),
    Route("DELETE", _F, "flags.archive"),
    Route("GET", f"{_F}/history", "flags.history", query={"env": "text"}),
    Route("POST", f"{_F}/restore", "flags.restore"),
    Route("POST", f"{_F}/evaluate", "flags.evaluate", answer=_first),
    Route("GET", f"{_F}/insights", "flags.insights", query={"env": "text", "hours": "whole"}),
    Route("POST", f"{_F}/blast-radius", "flags.impact"),
    Route("GET", f"{_F}/schedules", "flags.schedules"),
    Route("POST", f"{_F}/schedules", "flags.schedule_create", creates=True),
    Route("DELETE", f"{_F}/schedules/{{id}}", "flags.schedule_delete"),
    Route("GET", f"{_P}/stale-flags", "flags.stale"),
    Route("GET", f"{_P}/kill-switches", "flags.kill_switches", query={"env": "text"}),
    Route("GET", f"{_E}/segments", "flags.segments", query=_PORTION, portion="key"),
    Route("POST", f"{_E}/segments", "flags.segment_save", creates=True),
    Route("GET", _S, "flags.segment_get"),
    Route("PATCH", _S, "flags.segment_update"),
    Route("DELETE", _S, "flags.segment_delete"),
    Route("GET", _C, "flags.changes", query={"status": "text", "env": "text", **_PORTION}, portion="id"),
    Route("POST", _C, "flags.change_create", creates=True),
    Route("GET", f"{_C}/{{id}}", "flags.change_get"),
    Route("POST", f"{_C}/{{id}}/review", "flags.change_review"),
    Route("POST", f"{_C}/{{id}}/apply", "flags.change_apply"),
    Route("POST", f"{_C}/{{id}}/cancel", "flags.change_cancel"),
)


@dataclass(frozen=True)
class Bound:
    """A route with its operation."""

    route: Route
    judged: tuple[str, ...]
    """The operations of which one has to be open to the caller."""
    op: Operation
    """What is run: the operation itself, or one that puts others together."""
    body: dict[str, str]
    """Members of the body -> fields of the operation."""
    needed: frozenset[str]
    """Members without which there is no call."""
    tell: words.Serializer

    @cached_property
    def spoken(self) -> dict[str, str]:
        """The operation's fields -> what they are called here."""
        placed = (*self.route.placed, *self.route.query)
        return {self.route.field_of(name): name for name in placed} | {
            field: name for name, field in self.body.items()
        }

    @property
    def tries(self) -> bool:
        """Whether it takes `dryRun`."""
        return self.route.changes and "dry_run" in self.op.input.model_fields


def bind(registry: Registry, route: Route) -> Bound:
    """Raises NotFound where the operation does not exist."""
    op = registry.require(route.op)
    elsewhere = {route.field_of(name) for name in (*route.placed, *route.query)} | _BY_QUERY
    ours = {field: name for name, field in route.names.items()}
    body, needed = {}, set()
    for name, declared in op.input.model_fields.items() if route.changes else ():
        spoken = declared.alias or name
        if spoken in elsewhere or (route.method == "DELETE"):
            continue
        member = ours.get(spoken) or _BODY_NAMES.get(spoken) or words.camel(spoken)
        body[member] = spoken
        if declared.is_required():
            needed.add(member)
    compound = route.compound
    return Bound(
        route=route,
        judged=(route.op, *(compound.also if compound else ())),
        op=compound.operation(registry, op) if compound else op,
        body=body,
        needed=frozenset(needed),
        tell=(lambda found: found) if compound else _tell(registry, route, op),
    )


def _tell(registry: Registry, route: Route, op: Operation) -> words.Serializer:
    """The shape of the answer is read when there is the first one: that of all routes takes 15 ms."""

    @cache
    def tell() -> words.Serializer:
        return route.answer(registry, op) if route.answer is not None else words.serializer(op.output)

    def whole(found: Any) -> Any:
        told = tell()(found)
        return {"items": told} if isinstance(told, list) else told

    return whole


class Paths:
    """All routes, found by the parts of a path."""

    def __init__(self, registry: Registry) -> None:
        self.bound = [bind(registry, route) for route in ROUTES]
        self._root = _Node()
        for one in self.bound:
            self._root.add(one.route.path.split("/")[1:], one)

    def find(self, parts: tuple[str, ...]) -> tuple[dict[str, Bound], dict[str, str]] | None:
        """What a path below the root takes, by method, and the names in it with their values."""
        node, found = self._root, {}
        for part in parts:
            if part in node.fixed:
                node = node.fixed[part]
            elif node.named is not None and part:
                name, node = node.named
                found[name] = part
            else:
                return None
        return (node.methods, found) if node.methods else None


@cache
def paths(registry: Registry) -> Paths:
    """All routes of a registry, bound once: that reads the fields of their inputs."""
    return Paths(registry)


class _Node:
    """A place in the tree of paths."""

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.named: tuple[str, _Node] | None = None
        self.methods: dict[str, Bound] = {}

    def add(self, parts: list[str], bound: Bound) -> None:
        if not parts:
            self.methods[bound.route.method] = bound
        elif parts[0].startswith("{"):
            if self.named is None:
                self.named = (parts[0][1:-1], _Node())
            self.named[1].add(parts[1:], bound)
        else:
            self.fixed.setdefault(parts[0], _Node()).add(parts[1:], bound)
