"""The public OpenFeature clients, as their registries have them, against a running server."""

import json
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import flag, patch, serve, shop

HERE = Path(__file__).parent
ANA: dict[str, Any] = {"targetingKey": "ana", "plan": "pro"}
BO: dict[str, Any] = {"targetingKey": "bo", "plan": "free"}


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs, with what they need."""
    folder = tmp_path_factory.mktemp("openfeature")
    for path in (*HERE.glob("*.mjs"), *HERE.glob("package*.json")):
        shutil.copy(path, folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return folder


@pytest.fixture
def at_work(world: World) -> World:
    """Flags of each kind; `checkout` serves those on the plan pro, and is for browsers too."""
    shop(world)
    flag(world, client_side=True)
    clause = {"attribute": "plan", "op": "in", "values": ["pro"]}
    patch(
        world, "cy", "test", {"kind": "turnFlagOn"}, {"kind": "addRule", "variation": 0, "clauses": [clause]}
    )
    patch(world, "cy", "test", {"kind": "updateFallthroughVariationOrRollout", "variation": 1})
    flag(world, "banner", variations=[{"value": "sale"}, {"value": "none"}])
    serve(world, 0, key="banner")
    flag(world, "limit", variations=[{"value": 2.5}, {"value": 0}])
    serve(world, 0, key="limit")
    flag(world, "theme", variations=[{"value": {"dark": True}}, {"value": {}}])
    serve(world, 0, key="theme")
    flag(world, "off", client_side=True)
    return world


def key(world: World, kind: str) -> str:
    where = {"project": "shop", "environment": "test"}
    return str(call(world, "ana", "flags.key_create", **where, kind=kind)["secret"])


def case(name: str, type_: str, fallback: Any, context: dict[str, Any] = ANA) -> dict[str, Any]:
    return {"flag": name, "type": type_, "fallback": fallback, "context": context}


CASES = [
    case("checkout", "boolean", False),
    case("checkout", "boolean", True, BO),
    case("banner", "string", ""),
    case("limit", "number", 1),
    case("theme", "object", {}),
    case("off", "boolean", True),
    case("never", "boolean", True),
    case("banner", "boolean", True),
]
ANSWERS = [
    (True, "0", "TARGETING_MATCH", None),
    (False, "1", "DEFAULT", None),
    ("sale", "0", "DEFAULT", None),
    (2.5, "0", "DEFAULT", None),
    ({"dark": True}, "0", "DEFAULT", None),
    (False, "1", "DISABLED", None),
    (True, None, "ERROR", "FLAG_NOT_FOUND"),
    (True, None, "ERROR", "TYPE_MISMATCH"),
]


def test_the_python_provider_answers_as_the_rules_say(at_work: World) -> None:
    secret = key(at_work, "server")
    api.set_provider_and_wait(
        OFREPProvider(at_work.url, headers_factory=lambda: {"Authorization": f"Bearer {secret}"})
    )
    try:
        client = api.get_client()
        ask: dict[str, Any] = {
            "boolean": client.get_boolean_details,
            "string": client.get_string_details,
            "number": client.get_float_details,
            "object": client.get_object_details,
        }
        found = []
        for one in CASES:
            given = dict(one["context"])
            context = EvaluationContext(given.pop("targetingKey"), given)
            fallback = float(one["fallback"]) if one["type"] == "number" else one["fallback"]
            answer = ask[one["type"]](one["flag"], fallback, context)
            code = answer.error_code.value if answer.error_code else None
            found.append((answer.value, answer.variant, str(answer.reason), code))
        assert found == ANSWERS
    finally:
        api.shutdown()


def test_the_provider_for_back_ends_answers_as_the_rules_say(at_work: World, node: Path) -> None:
    asked = {"url": at_work.url, "key": key(at_work, "server"), "cases": CASES}
    done = subprocess.run(
        ["node", "server.mjs", json.dumps(asked)],
        cwd=node,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [
        (one["value"], one.get("variant"), one["reason"], one.get("errorCode")) for one in found
    ] == ANSWERS
    assert found[0]["flagMetadata"]["flagVersion"] == 3


class Page:
    """A page of a browser that uses the provider; what it says comes line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._said: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.put(json.loads(line))

    def says(self, why: str) -> dict[str, Any]:
        """Its answers, once it tells of this; ten seconds at most."""
        while True:
            found = self._said.get(timeout=10)
            if found["why"] == why:
                answers: dict[str, Any] = found["answers"]
                return answers

    def set_context(self, context: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(context) + "\n")
        self._process.stdin.flush()


@contextmanager
def page(world: World, node: Path, secret: str) -> Iterator[Page]:
    asked = {"url": world.url, "key": secret, "flags": ["checkout", "off", "banner"], "context": ANA}
    with subprocess.Popen(
        ["node", "web.mjs", json.dumps(asked)],
        cwd=node,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Page(process)
        finally:
            process.kill()


def test_the_provider_for_browsers_follows_context_and_changes(at_work: World, node: Path) -> None:
    with page(at_work, node, key(at_work, "client")) as shown:
        first = shown.says("ready")
        assert (first["checkout"]["value"], first["checkout"]["reason"]) == (True, "TARGETING_MATCH")
        assert (first["off"]["value"], first["off"]["reason"]) == (False, "DISABLED")
        assert first["banner"]["errorCode"] == "FLAG_NOT_FOUND"  # browsers do not see it
        shown.set_context(BO)
        assert shown.says("context")["checkout"]["value"] is False
        patch(at_work, "cy", "test", {"kind": "updateFallthroughVariationOrRollout", "variation": 0})
        assert shown.says("changed")["checkout"]["value"] is True
