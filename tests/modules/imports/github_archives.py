"""Small archives of a GitHub repository, and bringing files in as somebody of the world."""

import copy
import json
import urllib.request
from typing import Any

from tests.conftest import World
from tests.modules.calls import call

AT = "2020-01-0{}T00:00:00Z"
SECOND = 1_577_836_800
"""The first of January 2020; each day later is 86,400 more."""
DAY = 86_400

ARCHIVE: dict[str, Any] = {
    "magic": "E!vIA5L86J2I",
    "timestamp": AT.format(9),
    "repo": "acme/shop",
    "labels": [{"name": "bug", "description": "It breaks", "color": "d73a4a"}],
    "issues": [
        {
            "number": 5,
            "id": "I5",
            "title": "The cart forgets",
            "url": "https://github.com/acme/shop/issues/5",
            "state": "OPEN",
            "author": "cy",
            "assignees": ["di", "nobody"],
            "labels": ["bug"],
            "body": "Every time.",
            "createdAt": AT.format(1),
            "updatedAt": AT.format(3),
            "closedAt": None,
            "comments": [
                {"author": "eve", "body": "Me too", "createdAt": AT.format(2), "updatedAt": AT.format(2)}
            ],
        },
        {
            "number": 7,
            "id": "I7",
            "title": "Vouchers",
            "url": "https://github.com/acme/shop/issues/7",
            "state": "CLOSED",
            "author": "eve",
            "assignees": [],
            "labels": [],
            "body": "",
            "createdAt": AT.format(4),
            "updatedAt": AT.format(6),
            "closedAt": AT.format(5),
            "comments": [],
        },
    ],
    "pulls": [
        {
            "number": 6,
            "id": "P6",
            "title": "Remember the cart",
            "url": "https://github.com/acme/shop/pull/6",
            "state": "CLOSED",
            "author": "eve",
            "assignees": [],
            "labels": [],
            "body": "As asked.",
            "createdAt": AT.format(2),
            "updatedAt": AT.format(5),
            "closedAt": AT.format(5),
            "comments": [],
            "reviews": [
                {
                    "id": "R1",
                    "commit": {"abbreviatedOid": "4f173e0"},
                    "author": "cy",
                    "state": "APPROVED",
                    "body": "Good.",
                    "createdAt": AT.format(3),
                    "updatedAt": AT.format(3),
                    "comments": [
                        {
                            "originalPosition": 18,
                            "body": "A comma is missing.",
                            "createdAt": AT.format(3),
                            "updatedAt": AT.format(3),
                        }
                    ],
                }
            ],
        }
    ],
}


def archive(**more: Any) -> dict[str, Any]:
    """A copy to be changed."""
    return copy.deepcopy(ARCHIVE) | more


def many(count: int) -> dict[str, Any]:
    """An archive of so many issues with a comment each."""
    held = archive(pulls=[])
    first = held["issues"][0]
    held["issues"] = [first | {"number": number, "id": f"I{number}"} for number in range(1, count + 1)]
    return held


def send(world: World, content: bytes, name: str = "shop.json", who: str = "ana") -> dict[str, Any]:
    """Upload a file; answers what the door answers."""
    asked = urllib.request.Request(
        f"{world.url}/files/upload?name={name}",
        data=content,
        method="POST",
        headers={
            "Authorization": f"Bearer {world.people[who].key}",
            "Content-Type": "application/octet-stream",
        },
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def probed(world: World, held: Any = None, project: str | None = "SHOP", **more: Any) -> dict[str, Any]:
    """An import of an archive, or of other bytes, looked at."""
    content = held if isinstance(held, bytes) else json.dumps(held or ARCHIVE).encode()
    upload = send(world, content, more.pop("name", "shop.json"))["upload"]
    opened = call(
        world, "ana", "imports.open", **{"source": "github", "file": upload, "project": project} | more
    )
    found: dict[str, Any] = call(world, "ana", "imports.probe", id=opened["id"])
    return found


def ended(world: World, job: int) -> dict[str, Any]:
    """The job at its end."""
    for _ in range(60):
        found: dict[str, Any] = call(world, "ana", "jobs.get", id=job, wait_seconds=5)
        if found["ended_at"] is not None:
            return found
    raise TimeoutError("the job did not end")


def ran(world: World, ident: int, **more: Any) -> dict[str, Any]:
    """Run an import; answers what its job says at the end."""
    job = ended(world, call(world, "ana", "imports.run", id=ident, **more)["job"])
    assert job["state"] == "done", job
    found: dict[str, Any] = job["result"]
    return found


def undone(world: World, ident: int) -> dict[str, Any]:
    """Take an import back; answers what its job says at the end."""
    job = ended(world, call(world, "ana", "imports.undo", id=ident)["job"])
    assert job["state"] == "done", job
    found: dict[str, Any] = job["result"]
    return found
