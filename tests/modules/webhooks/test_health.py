"""What is told of webhooks to whoever looks after the server."""

import urllib.request

from kbwork.core.data_check import DataCheck
from tests.conftest import World
from tests.modules.calls import eventually
from tests.modules.webhooks.hooks import deliveries, follow, hook, issue
from tests.modules.webhooks.receiver import Receiver


def _found(world: World) -> list[tuple[bool, str]]:
    return world.database.write_now(
        lambda tx: [
            (found.well, found.said)
            for check in tx.registry.of(DataCheck)
            for found in check.look(tx)
            if found.about == "webhooks"
        ]
    )


def _figure(world: World, name: str) -> float:
    with urllib.request.urlopen(f"{world.url}/metrics", timeout=20) as answer:
        lines = answer.read().decode().splitlines()
    (found,) = [line for line in lines if line.startswith(f"kbwork_webhooks_{name} ")]
    return float(found.split()[1])


def test_one_that_fails_for_an_hour_is_told_of(world: World, receiver: Receiver) -> None:
    hook(world, receiver)
    assert _found(world) == [(True, "no webhook fails for long")]
    assert (_figure(world, "failing"), _figure(world, "waiting")) == (0, 0)
    receiver.says["/hook"] = 500
    issue(world)
    follow(world)
    eventually(lambda: deliveries(world, 1)[0]["tries"] == 1)
    assert (_figure(world, "failing"), _figure(world, "waiting")) == (1, 1)
    assert _found(world)[0][0]
    world.advance(3600)
    ((well, said),) = _found(world)
    assert not well
    assert "'hook'" in said
