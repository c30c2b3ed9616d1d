"""Making sprints in tests, and issues in them."""

from typing import Any

from tests.conftest import World
from tests.modules.calls import call
from tests.modules.issues.test_issues import make

DAYS = {"start_date": "2027-01-15", "end_date": "2027-01-28"}


def sprint(world: World, who: str = "cy", **fields: Any) -> dict[str, Any]:
    """A planned sprint of WEB."""
    found: dict[str, Any] = call(
        world, who, "sprints.create", **{"name": "One", "projects": ["WEB"]} | DAYS | fields
    )
    return found


def running(world: World, *keys: str, **fields: Any) -> dict[str, Any]:
    """An active one with these issues."""
    made = sprint(world, **fields)
    if keys:
        call(world, "cy", "sprints.add", id=made["id"], keys=list(keys))
    found: dict[str, Any] = call(world, "cy", "sprints.start", id=made["id"])
    return found


def done(world: World, key: str) -> None:
    call(world, "cy", "issues.transition", key=key, to_status="done")


def three(world: World) -> list[str]:
    """Issues with estimates of 1, 2 and 3."""
    return [make(world, title=f"Number {n}", estimate=n) for n in (1, 2, 3)]


def sprint_of(world: World, key: str) -> int | None:
    found: int | None = call(world, "cy", "issues.get", key=key)["sprint"]
    return found
