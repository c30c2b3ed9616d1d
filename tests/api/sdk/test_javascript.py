"""The flag library in JavaScript beside the server, which evaluates the same flags for the same key."""

import gzip
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import kbwork
from tests.api.sdk.requests import ask, evaluate, sdk_key
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop
from tests.web.conftest import ROOT, TESTS, flag_library, library_answers, node, react_18

__all__ = ["flag_library", "node", "react_18"]

pytestmark = pytest.mark.long

MANUAL = ROOT / "kbwork" / "docs" / "flags-clients.md"
CONTEXTS: tuple[dict[str, Any], ...] = (
    {"kind": "user", "key": "ana", "plan": "pro"},
    {"kind": "user", "key": "bo", "plan": "free"},
    {"kind": "user", "key": "cy"},
    {"kind": "multi", "user": {"key": "ana"}, "device": {"key": "d-1", "plan": "pro"}},
    {"kind": "device", "key": "ana"},
)


@pytest.fixture
def client(world: World) -> str:
    """A client-side ID of an environment with flags by target, rule, segment, share and prerequisite."""
    shop(world)
    found = sdk_key(world, "client")
    for key in ("checkout", "banner", "share"):
        flag(world, key, client_side=True)
        serve(world, 0, key=key)
    pro = {"attribute": "plan", "op": "in", "values": ["pro"]}
    patch(
        world, "ana", "test", {"kind": "addTargets", "variation": 1, "contextKind": "user", "values": ["bo"]}
    )
    patch(world, "ana", "test", {"kind": "addRule", "clauses": [pro], "variation": 1}, key="banner")
    patch(world, "ana", "test", {"kind": "addPrerequisite", "key": "checkout", "variation": 0}, key="banner")
    slices = [{"variation": 0, "weight": 50_000}, {"variation": 1, "weight": 50_000}]
    rollout = {"kind": "updateFallthroughVariationOrRollout", "rollout": {"variations": slices}}
    patch(world, "ana", "test", rollout, key="share")
    eventually(
        lambda: all(evaluate(world, found, key).status == 200 for key in ("checkout", "banner", "share"))
    )
    return found


def test_what_a_browser_evaluates_is_what_the_server_says(
    node: str, world: World, client: str, flag_library: Path
) -> None:
    sent = ask(world, "GET", "/sdk/v1/snapshot", key=client)
    questions: list[dict[str, Any]] = [
        {"context": context, "key": key, "fallback": None, "wanted": "any"}
        for context in CONTEXTS
        for key in ("checkout", "banner", "share")
    ]
    world_sent = {"world": gzip.decompress(sent.body).decode(), "questions": questions}
    answers = library_answers(node, flag_library, [world_sent])
    seen = set()
    for question, found in zip(questions, answers, strict=True):
        told = evaluate(world, client, question["key"], _named(question["context"])).json
        assert (told["value"], told["variant"], told["reason"]) == (
            found["value"],
            str(found["variation"]),
            found["reason"],
        ), question
        seen.add(found["reason"])
    assert seen == {"DEFAULT", "TARGETING_MATCH", "PREREQUISITE_FAILED", "SPLIT"}


def _named(context: dict[str, Any]) -> dict[str, Any]:
    """As OpenFeature names the key."""
    return context if context["kind"] == "multi" else context | {"targetingKey": context["key"]}


def test_the_clients_do_what_they_say(node: str, flag_library: Path) -> None:
    """Their own tests, run by Node on the package that the server hands out."""
    told = _tried(
        [node, "--test", "--test-concurrency=4", "--test-reporter=spec", "--test-timeout=30000"], flag_library
    )
    assert int(re.findall(r"pass (\d+)", told)[-1]) >= 40, told


@pytest.mark.parametrize("runtime", ["node22", "node24", "bun", "deno"])
def test_they_do_it_in_other_runtimes(runtime: str, flag_library: Path) -> None:
    """By the command of each, where it is on the path."""
    if shutil.which(runtime) is None:
        pytest.skip(f"no {runtime} to test with")
    how = {
        "bun": ["test", "--timeout=30000"],
        "deno": ["test", "--node-modules-dir=manual", "--no-check", "--allow-all"],
    }
    _tried([runtime, *how.get(runtime, ["--test", "--test-timeout=30000"])], flag_library)


def test_they_are_drawn_by_the_react_of_before(node: str, react_18: Path) -> None:
    _tried([node, "--test", "--test-reporter=spec"], react_18, "react.test.mjs")


def _tried(command: list[str], program: Path, names: str = "*.test.mjs") -> str:
    shutil.copytree(TESTS, program / "test", ignore=shutil.ignore_patterns("react18"), dirs_exist_ok=True)
    files = [f"test/{path.name}" for path in sorted(TESTS.glob(names))]
    done = subprocess.run(
        [*command, *files], cwd=program, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_packages_are_as_tools_want_them(node: str) -> None:
    for name in ("flags", "kbwork-client"):
        packed = ROOT / "kbwork" / "web" / "clients" / f"{name}-{kbwork.__version__}.tgz"
        done = subprocess.run(
            [node, TESTS / "package.mjs", packed], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("kind", ["server", "client"])
def test_a_change_reaches_a_program_and_what_it_served_is_counted(
    node: str, world: World, client: str, flag_library: Path, kind: str
) -> None:
    key = client if kind == "client" else sdk_key(world)
    shutil.copy(TESTS / "follow.mjs", flag_library)
    program = subprocess.Popen(
        [node, "follow.mjs"],
        cwd=flag_library,
        env={"PATH": os.environ["PATH"], "KBWORK_URL": world.url, "FLAGS_KEY": key},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    with program:
        version, *served = program.stdout.readline().split()
        began = time.perf_counter()
        serve(world, 1)
        changed, *then = program.stdout.readline().split()
        assert time.perf_counter() - began < 2, "a second, and another on a busy machine"
        program.stdin.close()
    assert (program.returncode, int(changed) - int(version)) == (0, 1)
    assert (served, then) == (["true", "true"], ["false", "true"])
    found = call(world, "ana", "flags.insights", project="shop", key="checkout", environment="test")
    counted: dict[int, int] = {}
    for one in found["series"]:
        counted[one["variation"]] = counted.get(one["variation"], 0) + one["count"]
    assert counted[1] == 101
    assert counted[0] >= 101, "the server itself answered some"


def test_the_examples_of_the_manual_run(node: str, world: World, client: str, flag_library: Path) -> None:
    examples = re.findall(r"^```js\n(.*?)^```", MANUAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    environment = {"KBWORK_URL": world.url, "SDK_KEY": sdk_key(world), "CLIENT_ID": client}
    told = []
    for number, example in enumerate(examples):
        (flag_library / f"manual-{number}.mjs").write_text(example)
        done = subprocess.run(
            [node, f"manual-{number}.mjs"],
            cwd=flag_library,
            env={"PATH": os.environ["PATH"]} | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        told.append(done.stdout.splitlines())
    back_end, page, openfeature, tests, engine = told
    assert back_end == ["TARGETING_MATCH"]
    assert page == ["checkout serves false", "banner serves false"]
    assert openfeature == ["OpenFeature says false"]
    assert tests == ["true"]
    assert [line.split()[0] for line in engine] == ["banner", "checkout", "share"]


def test_the_library_is_handed_out_by_its_version_and_without(world: World, node: str) -> None:
    for kind in ("tgz", "js"):
        moved = ask(world, "GET", f"/clients/flags.{kind}")
        found = ask(world, "GET", moved.headers["location"])
        assert (moved.status, found.status) == (303, 200)
        for answer in (moved, found):  # a page of another origin imports it
            assert answer.headers["access-control-allow-origin"] == "*"
    assert len(ask(world, "GET", "/clients/flag-vectors.json").json) > 150
