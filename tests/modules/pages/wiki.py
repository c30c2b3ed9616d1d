"""A space to write in, and pages in it."""

import itertools
import json
from collections.abc import Callable
from typing import Any

from tests.conftest import World
from tests.modules.calls import call


def space(world: World, who: str = "cy", **more: Any) -> str:
    """A space of everybody, which Cy manages."""
    asked = {"key": "HAND", "name": "Handbook"} | more
    made: dict[str, Any] = call(world, who, "spaces.save", **asked)
    return str(made["key"])


def page(world: World, title: str, who: str = "cy", **more: Any) -> str:
    """The id of a new page in it."""
    made = call(world, who, "pages.create", **{"space": "HAND", "title": title} | more)
    return str(made["id"])


def outline(world: World, who: str = "cy", key: str = "HAND", **more: Any) -> Any:
    """The titles of a tree: [title, [below]]."""

    def shown(nodes: list[dict[str, Any]]) -> list[Any]:
        return [[one["title"], shown(one["nodes"])] if "nodes" in one else one["title"] for one in nodes]

    return shown(call(world, who, "spaces.tree", key=key, **{"depth": 20} | more))


def titles(rows: list[dict[str, Any]]) -> list[str]:
    return [row["title"] for row in rows]


def roads(world: World, who: str) -> list[tuple[str, Callable[[], Any]]]:
    """All by which somebody may come to read of a page: a name, and what it answers."""
    client = world.session(who)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("spaces.list", {"archived": True}),
        ("spaces.tree", {"key": "HAND", "depth": 20}),
        ("pages.list", {}),
        ("pages.list", {"space": "HAND"}),
        ("pages.list", {"state": "draft"}),
        ("pages.tasks", {}),
        ("spaces.stale", {"key": "HAND", "days": 1}),
        ("pages.broken_links", {"space": "HAND"}),
        ("search.query", {"q": "canary"}),
        ("search.query", {"q": "canary", "space": "HAND"}),
        ("search.query", {"q": "is:archived canary"}),
        ("search.suggest", {"q": "canary"}),
        ("api.changes", {"since": 0}),
        ("activity.recent", {"limit": 100}),
        ("trash.list", {}),
        ("stars.list", {}),
        ("undo.list", {}),
        ("notifications.list", {"state": "all"}),
        ("sync.snapshot", {"scopes": {}}),
        ("subjects.resolve", {"refs": [f"page:{number}" for number in range(1, 20)]}),
    ]
    for number in range(1, 20):
        asked += [
            ("pages.get", {"id": str(number)}),
            ("pages.get", {"id": str(number), "draft": True}),
            ("pages.get", {"id": str(number), "version": 1}),
            ("pages.children", {"id": str(number), "depth": 5}),
            ("pages.backlinks", {"id": str(number)}),
            ("pages.versions", {"id": str(number)}),
            ("access.grants", {"subject": f"page:{number}"}),
            ("comments.list", {"subject": f"page:{number}"}),
            ("attachments.list", {"subject": f"page:{number}"}),
            ("activity.list", {"subject": f"page:{number}"}),
            ("members.mentionable", {"subject": f"page:{number}"}),
        ]

    def ask(op: str, value: dict[str, Any]) -> Callable[[], Any]:
        return lambda: client.call(op, value)

    return [(f"{op} {json.dumps(value)}", ask(op, value)) for op, value in itertools.chain(asked)]
