"""Analytics in tests: asked in short."""

from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from kbwork.core.access import callers, scopes
from tests.conftest import World
from tests.modules.calls import call


def ask(world: World, sql: str, who: str = "bo") -> list[list[Any]]:
    """The rows."""
    found: list[list[Any]] = call(world, who, "analytics.query", sql=sql)["rows"]
    return found


def one(world: World, sql: str) -> Any:
    """The first value."""
    return ask(world, sql)[0][0]


def save(world: World, who: str = "bo", **more: Any) -> dict[str, Any]:
    value = {"name": "Kinds", "sql": "select 'all' as kind, 7 as number", "every": "manual"} | more
    found: dict[str, Any] = call(world, who, "analytics.report_save", **value)
    return found


def report(world: World, ident: int = 1, who: str = "bo") -> dict[str, Any]:
    """As it is listed."""
    found: list[dict[str, Any]] = call(world, who, "analytics.reports")
    return next(entry for entry in found if entry["id"] == ident)


def key(world: World, who: str = "bo", **more: Any) -> Kbwork:
    """A client by a key of this admin's that is limited so."""
    made = {"name": "k", "scopes": sorted(scopes.of_role("admin"))} | more
    token = world.database.write_now(lambda tx: callers.add_key(tx, world.people[who].id, made))[1]
    return Kbwork(world.url, token)
