"""Values of fields in tests: set and seen as somebody, in a transaction of their own."""

from collections.abc import Callable
from typing import Any, TypeVar

from kbwork.base.caller import Caller
from kbwork.core.access import scopes
from kbwork.db.tx import Read, Write
from kbwork.modules import fields
from tests.conftest import World
from tests.modules.calls import call

T = TypeVar("T")


def caller(world: World, who: str) -> Caller:
    person = world.people[who]
    return Caller(member=person.id, role=person.role, kind="human", scopes=scopes.of_role(person.role))


def acting(world: World, who: str, fn: Callable[[Write], T]) -> T:
    """Run in a write as somebody."""
    return world.database.write_now(fn, caller(world, who))


def looking(world: World, who: str, fn: Callable[[Read], T]) -> T:
    """Run in a read as somebody, on a snapshot with all that was committed."""
    return world.database.write_now(fn, caller(world, who))


def place(tx: Read, key: str) -> dict[str, Any]:
    """The stored issue with this key."""
    project, _, number = key.partition("-")
    row = tx.one(
        "select i.* from issue i join project p on p.id = i.project where p.key = :project and i.number = :number",
        project=project,
        number=int(number),
    )
    assert row is not None
    return row


def put(world: World, key: str, values: dict[str, Any], who: str = "cy") -> dict[str, Any]:
    """Give an issue values; answers the changes as the event would tell them."""

    def change(tx: Write) -> dict[str, Any]:
        row = place(tx, key)
        wanted = fields.resolve(tx, row["project"], row["type"], values, issue=row["id"])
        return fields.write(tx, row["id"], wanted)

    return acting(world, who, change)


def values(world: World, key: str, who: str = "cy") -> dict[str, Any]:
    """What somebody sees of an issue's values."""

    def look(tx: Read) -> dict[str, Any]:
        ident = place(tx, key)["id"]
        return fields.values_of(tx, [ident])[ident]

    return looking(world, who, look)


def field(world: World, key: str, kind: str, options: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """A field that Bo makes, with options by name."""
    made = call(
        world, "bo", "fields.save", key=key, name=key.replace("_", " ").capitalize(), kind=kind, **more
    )
    if options is not None:
        wanted = [{"name": name} for name in options]
        made = call(world, "bo", "fields.options_set", key=key, options=wanted)
    return dict(made)


def issue(world: World, project: str = "WEB", **more: Any) -> str:
    """The key of a new issue by Cy."""
    return str(call(world, "cy", "issues.create", project=project, **({"title": "One"} | more))["key"])
