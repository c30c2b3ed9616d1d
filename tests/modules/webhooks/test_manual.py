"""Receivers that are written as the manual says take what we send, and nothing else."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import kbwork
from tests.conftest import NOW, World
from tests.modules.calls import call
from tests.modules.webhooks.hooks import hook
from tests.modules.webhooks.receiver import Came, Receiver

PAGE = (Path(kbwork.__file__).parent / "docs" / "howto-webhooks.md").read_text(encoding="utf-8")


def _example(kind: str, having: str) -> str:
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return next(text for text in found if having in text)


@pytest.fixture
def sent(world: World, receiver: Receiver) -> tuple[str, Came]:
    """(the secret, a request that is signed with it)."""
    secret = hook(world, receiver)["secret"]
    call(world, "bo", "webhooks.test", id=1)
    return secret, receiver.came[0]


def _wrong(sent: tuple[str, Came]) -> list[tuple[str, dict[str, str], bytes, int]]:
    """Another secret, another body, another id, an old time, a time to come, no signature."""
    secret, came = sent
    names = came.headers
    return [
        (secret + "x", names, came.raw, NOW),
        (secret, names, came.raw + b" ", NOW),
        (secret, names | {"x-kb-delivery": "1"}, came.raw, NOW),
        (secret, names | {"x-kb-timestamp": str(NOW - 1)}, came.raw, NOW),
        (secret, names, came.raw, NOW + 301),
        (secret, names, came.raw, NOW - 301),
        (secret, names | {"x-kb-signature": "v1="}, came.raw, NOW),
        (secret, names | {"x-kb-signature": ""}, came.raw, NOW),
    ]


def test_the_python_of_the_manual_takes_it(sent: tuple[str, Came]) -> None:
    told: dict[str, Any] = {}
    exec(_example("python", "is_genuine"), told)
    found = [
        told["is_genuine"](secret, {name.title(): value for name, value in headers.items()}, body, now)
        for secret, headers, body, now in [(sent[0], sent[1].headers, sent[1].raw, NOW), *_wrong(sent)]
    ]
    assert found == [True] + [False] * 8


def test_the_node_of_the_manual_takes_it(sent: tuple[str, Came], node: str, tmp_path: Path) -> None:
    (tmp_path / "genuine.mjs").write_text(_example("js", "isGenuine"))
    cases = [(sent[0], sent[1].headers, sent[1].raw, NOW), *_wrong(sent)]
    asked = json.dumps([[secret, headers, body.decode(), now] for secret, headers, body, now in cases])
    code = (
        'import { isGenuine } from "./genuine.mjs";\n'
        f"console.log(JSON.stringify({asked}.map(([s, h, b, n]) => isGenuine(s, h, Buffer.from(b), n))));\n"
    )
    (tmp_path / "ask.mjs").write_text(code)
    done = subprocess.run(
        [node, "ask.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True] + [False] * 8


def test_openssl_comes_to_the_same(sent: tuple[str, Came]) -> None:
    secret, came = sent
    given = {
        "SECRET": secret,
        "TIMESTAMP": came.headers["x-kb-timestamp"],
        "DELIVERY": came.delivery,
        "BODY": came.raw.decode(),
        "PATH": "/usr/bin:/bin",
    }
    command = ["bash", "-euo", "pipefail", "-c", _example("sh", "openssl")]
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=60, check=False)
    if "openssl: command not found" in done.stderr:
        pytest.skip("this machine has no openssl")
    assert came.headers["x-kb-signature"] == f"v1={done.stdout.strip()}"
