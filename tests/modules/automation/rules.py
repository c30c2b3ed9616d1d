"""Rules in tests: made in short, and all that they are to do done at once."""

from typing import Any

from kbwork.db.tx import Write
from kbwork.modules.automation.engine import follower, runner
from tests.conftest import World
from tests.modules.calls import call

CREATED = {"kind": "event", "event": "issue.created"}
RAISE = {"op": "issues.update", "input": {"key": "{{key}}", "priority": "high"}}


def rule(world: World, who: str = "bo", **more: Any) -> dict[str, Any]:
    """A rule that raises the priority of what is made, unless said otherwise."""
    value = {"name": "Raise", "trigger": CREATED, "actions": [RAISE]} | more
    found: dict[str, Any] = call(world, who, "automation.save", **value)
    return found


def issue(world: World, who: str = "ana", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def field(world: World, key: str, name: str = "priority") -> Any:
    return call(world, "ana", "issues.get", key=key)[name]


def follow(world: World) -> None:
    """Have all that happened set rules off: by itself it would be a moment later."""

    def every(tx: Write) -> None:
        while (found := follower.FOLLOW.look(tx)) is not None:
            follower.FOLLOW.write(tx, found)
            tx.memo.clear()

    world.database.write_now(every)


def some_runs(world: World) -> bool:
    """Make those that are due longest."""

    def once(tx: Write) -> bool:
        due = runner.look(tx)
        if due is not None:
            runner.write(tx, due)
        return due is not None

    return world.database.write_now(once)


def work(world: World) -> None:
    """Have rules do all that they are to do, whatever they set off in turn."""
    with world.at_rest():  # the server would take some of it, and be under way with that when this ends
        follow(world)
        while some_runs(world):
            follow(world)


def log(world: World, who: str = "bo", **asked: Any) -> list[dict[str, Any]]:
    """Oldest first."""
    work(world)
    found: list[dict[str, Any]] = call(world, who, "automation.log", **asked)
    return found[::-1]


def said(world: World, who: str = "bo", **asked: Any) -> list[tuple[bool, str, str]]:
    """(whether it did it, what for, what it did) of each entry."""
    return [(one["ok"], one["label"], one["message"]) for one in log(world, who, **asked)]


def one(world: World, ident: int, who: str = "bo") -> dict[str, Any]:
    """The rule as it is listed."""
    found: list[dict[str, Any]] = call(world, who, "automation.list")
    return next(entry for entry in found if entry["id"] == ident)
