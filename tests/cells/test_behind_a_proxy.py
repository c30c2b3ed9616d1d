"""A proxy asks for several orgs over the connections that it keeps, as the manual sets it up."""

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import kbwork
from tests.api.http.test_real_proxies import _answers, _caddy, _path
from tests.cells.test_door import laid
from tests.conftest import Person
from tests.modules.calls import eventually

CADDY = shutil.which("caddy", path=_path())
_MANUAL = Path(kbwork.__file__).parent / "docs" / "cells.md"


@pytest.mark.skipif(CADDY is None, reason="caddy is not installed")
def test_each_request_comes_to_its_own_org(tmp_path: Path, template: tuple[Path, dict[str, Person]]) -> None:
    for name in ("acme", "bolt"):
        laid(tmp_path / "cells" / f"{name}.example.org", template[0])
    words = [sys.executable, "-m", "kbwork", "cells", str(tmp_path / "cells"), "--port", "0"]
    door = subprocess.Popen([*words, "--trusted-proxy", "127.0.0.1"], stdout=subprocess.PIPE, text=True)
    assert door.stdout is not None
    behind = int(door.stdout.readline().split(",")[0].rpartition(":")[2])
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    text = re.findall(
        r"^```ini\n(\*\.example\.org .*?)^```", _MANUAL.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )[0]
    told = re.sub(r"\n *tls .*", "", text).replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    told = told.replace("*.example.org {", f"http://:{port} {{\nbind 127.0.0.1")
    assert CADDY is not None
    (tmp_path / "caddy").mkdir()
    proxy = subprocess.Popen(
        [CADDY, *_caddy(tmp_path / "caddy", told)], env={"HOME": str(tmp_path)}, stderr=subprocess.DEVNULL
    )
    try:
        eventually(lambda: _answers(port), seconds=20)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        for number in range(20):
            name = ("acme", "bolt")[number % 2]
            key = template[1]["ana"].key
            headers = {
                "Host": f"{name}.example.org",
                "Authorization": f"Bearer {key}",
                "Content-Type": "application/json",
            }
            body = json.dumps({"project": "WEB", "title": f"{name} {number}"})
            connection.request("POST", "/api/v1/issues.create", body, headers)
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["title"]) == (200, f"{name} {number}")
        connection.close()
    finally:
        for process in (proxy, door):
            process.terminate()
            process.communicate(timeout=30)
    assert door.returncode == 0
