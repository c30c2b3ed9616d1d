"""Inboxes in tests: what happened is followed at once, and looked at in short."""

from typing import Any

from kbwork.db.tx import Write
from kbwork.modules.notifications.follow import follower
from kbwork.modules.notifications.mail import delivery
from tests.conftest import World
from tests.modules.calls import call


def follow(world: World) -> None:
    """Have everybody told of what happened: by itself it would be a moment later."""

    def every(tx: Write) -> None:
        while (found := follower.FOLLOW.look(tx)) is not None:
            follower.FOLLOW.write(tx, found)
            tx.memo.clear()

    world.database.write_now(every)


def issue(world: World, who: str = "ana", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def inbox(world: World, who: str, **asked: Any) -> list[dict[str, Any]]:
    """What somebody has there by now."""
    follow(world)
    found: list[dict[str, Any]] = call(world, who, "notifications.list", **asked)["items"]
    return found


def told(world: World, who: str, **asked: Any) -> list[tuple[str, str, list[str]]]:
    """(subject, reason, what happened) of each entry."""
    return [
        (one["subject"], one["reason"], [event["kind"] for event in one["events"]])
        for one in inbox(world, who, **asked)
    ]


def read_all(world: World, *whos: str) -> None:
    follow(world)
    for who in whos:
        call(world, who, "notifications.read", all=True)


def letters(world: World) -> list[dict[str, Any]]:
    """The letters that are queued by now, oldest first."""
    follow(world)

    def every(tx: Write) -> list[dict[str, Any]]:
        tx.memo.clear()
        while (found := delivery.look(tx)) is not None:
            delivery.write(tx, found)
        return tx.all("select * from mail order by id")

    return world.database.write_now(every)
