"""Webhooks in tests: made in short, followed at once, and their deliveries looked at."""

from typing import Any

from kbwork.db.tx import Write
from kbwork.modules.webhooks.delivery import follower
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.webhooks.receiver import Receiver


def hook(
    world: World, receiver: Receiver, who: str = "bo", name: str = "hook", **more: Any
) -> dict[str, Any]:
    """A webhook that hears of issues."""
    value = {"name": name, "url": receiver.url(name), "events": ["issue.*"]} | more
    found: dict[str, Any] = call(world, who, "webhooks.save", **value)
    return found


def issue(world: World, who: str = "ana", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def follow(world: World) -> None:
    """Have all that happened queued: by itself it would be a moment later."""

    def every(tx: Write) -> None:
        while (found := follower.FOLLOW.look(tx)) is not None:
            follower.FOLLOW.write(tx, found)
            tx.memo.clear()
        tx.wake()

    world.database.write_now(every)


def deliveries(world: World, ident: int, who: str = "bo", **more: Any) -> list[dict[str, Any]]:
    """Oldest first."""
    follow(world)
    found: list[dict[str, Any]] = call(world, who, "webhooks.deliveries", id=ident, **more)["items"]
    return found[::-1]


def one(world: World, ident: int, who: str = "bo") -> dict[str, Any]:
    """The webhook as it is listed."""
    found: list[dict[str, Any]] = call(world, who, "webhooks.list")
    return next(entry for entry in found if entry["id"] == ident)
