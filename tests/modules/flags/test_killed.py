"""Flags in a server that is killed: patches are there whole or not at all, and what is to come comes once."""

import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from kbwork.base.clock import SystemClock
from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill, patches
from tests.modules.calls import eventually


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_in_the_middle_no_half_patch_stands_and_no_version_is_used_twice(tmp_path: Path) -> None:
    """`python -m tests.bench patches` does so at length."""
    told: list[str] = []
    found = patches.run(tmp_path / "data", 4, report=told.append)
    assert found["rounds"] == len(told) == 4
    assert found["acknowledged"] > 0


def test_what_is_to_come_comes_once_whoever_is_killed_before_and_after(tmp_path: Path) -> None:
    """A plan, a target that ends, and a trigger: made by one server, come to pass under the next, and stand under the
    third as they are."""
    folder = tmp_path / "data"
    key = kill.init(folder)
    flag = {"project": "shop", "key": "one", "environment": "live"}
    server = kill.serve(folder, key)
    try:
        with Kbwork(server.url, key) as client:
            path = _planned(client, flag).removeprefix(server.url)
        server.kill()
        server = kill.serve(folder, key)
        with Kbwork(server.url, key) as client:
            eventually(
                lambda: client.call("flags.plans", {"project": "shop"})[0]["state"] == "done",
            )
            eventually(lambda: not _state(client)["expiring"])
            assert _post(server.url + path) == {"outcome": "applied"}
        server.kill()
        server = kill.serve(folder, key)
        with Kbwork(server.url, key) as client:
            assert _post(server.url + path) == {"outcome": "unchanged"}
            state = _state(client)
            assert (state["on"], state["fallthrough"], state["targets"]) == (False, {"variation": 0}, [])
            told = [one["comment"] for one in client.call("flags.history", flag)]
            for wanted in ("Plan 1, step 1 of 2", "Plan 1, step 2 of 2", "Their time has come", "Trigger 1"):
                assert told.count(wanted) == 1
    finally:
        server.kill()


def _planned(client: Kbwork, flag: dict[str, Any]) -> str:
    """Answers the address of the trigger."""
    client.call("flags.project_save", {"project": "shop"})
    client.call("flags.environment_save", {"project": "shop", "key": "live"})
    client.call("flags.create", {"project": "shop", "key": "one"})
    on = [{"kind": "turnFlagOn"}, {"kind": "updateFallthroughVariationOrRollout", "variation": 1}]
    client.call("flags.update", flag | {"instructions": on})
    soon = (SystemClock().now() + 3) * 1000
    steps = [{"weight": 10_000, "hold_minutes": 0}, {"weight": 100_000, "hold_minutes": 0}]
    client.call("flags.plan_save", flag | {"variation": 0, "steps": steps, "start_at": soon})
    client.call("flags.expire", flag | {"targets": [{"variation": 0, "values": ["bo"]}], "at": soon})
    return str(client.call("flags.trigger_save", flag | {"action": "off"})["url"])


def _state(client: Kbwork) -> dict[str, Any]:
    found: dict[str, Any] = client.call("flags.get", {"project": "shop", "key": "one"})["environments"][
        "live"
    ]
    return found


def _post(url: str) -> Any:
    with urlopen(Request(url, data=b"", method="POST"), timeout=10) as answer:
        return json.loads(answer.read())
