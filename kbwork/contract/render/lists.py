"""The lists of event kinds and of problems."""

from typing import Any

from kbwork.base.errors import every_problem
from kbwork.base.events import DomainEvent
from kbwork.core.operations.registry import Registry


def events(registry: Registry) -> dict[str, Any]:
    """Kind -> {module, audience, inverse}; `inverse` is null where the same kind tells of the undoing."""
    return {
        kind: {"module": _home(event), "audience": event.audience, "inverse": event.inverse}
        for kind, event in registry.events.items()
    }


def errors() -> dict[str, Any]:
    """Slug -> {title, status, exit_code, later}; `later`: the same call may succeed after a while."""
    return {
        problem.slug: {
            "title": problem.title,
            "status": problem.status,
            "exit_code": problem.exit_code,
            "later": problem.later,
        }
        for problem in every_problem()
    }


def _home(event: type[DomainEvent]) -> str:
    """The module that declares the event; where the core does, the module of what it is about."""
    parts = event.__module__.split(".")
    return parts[2] if parts[:2] == ["kbwork", "modules"] else event.kind.partition(".")[0] + "s"
