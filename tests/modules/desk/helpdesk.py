"""A service desk in tests: WEB is one, with two request types, and customers who call by their own tokens."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kbwork.contract.kbwork_client import Kbwork
from tests.conftest import World
from tests.modules.calls import call, call_nobody

SECRET = "four birds on a wire"


@dataclass
class Customer:
    """Somebody outside, signed in to the portal."""

    id: int
    email: str
    client: Kbwork
    token: str = ""

    def call(self, op: str, /, **value: Any) -> Any:
        return self.client.call(op, value)

    def ask(self, title: str = "My order did not come", type: int = 1, **values: Any) -> str:
        """Make a request; answers its key."""
        return str(self.call("desk.portal_create", title=title, type=type, values=values)["key"])

    def thread(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("desk.portal_request", key=key)
        return found


@dataclass
class HelpDesk:
    world: World
    rita: Customer
    nat: Customer


def open_desk(world: World, project: str = "WEB", who: str = "ana", **more: Any) -> None:
    """Make a project a desk with two request types."""
    call(world, who, "desk.save", project=project, **{"name": "Web help", "open_signup": True} | more)
    call(
        world,
        who,
        "desk.request_type_save",
        project=project,
        name="Something is broken",
        issue_type="bug",
        fields=[{"field": "description", "label": "What happened?", "required": False}],
    )
    call(
        world, who, "desk.request_type_save", project=project, name="A question", issue_type="task", fields=[]
    )


@contextmanager
def customer(world: World, name: str, who: str = "ana") -> Iterator[Customer]:
    """One whom an agent added, signed in."""
    email = f"{name}@rivers.example"
    added = call(world, who, "desk.customer_add", email=email, name=f"{name.title()} Rivers")
    token = call_nobody(world, "desk.portal_login", email=email, password=added["password"])["token"]
    with Kbwork(world.url, token) as client:
        yield Customer(added["customer"]["id"], email, client, token)
