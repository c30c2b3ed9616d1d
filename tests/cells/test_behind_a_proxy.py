"""A proxy asks for several orgs over the connections that it keeps, as the manual sets it up."""

import http.client
import json
import re
import subprocess
import sys
from pathlib import Path

from tests.cells.test_door import laid
from tests.conftest import Person
from tests.proxies import free_port, running, told


def test_each_request_comes_to_its_own_org(tmp_path: Path, template: tuple[Path, dict[str, Person]]) -> None:
    for name in ("acme", "bolt"):
        laid(tmp_path / "cells" / f"{name}.example.org", template[0])
    words = [sys.executable, "-m", "kbwork", "cells", str(tmp_path / "cells"), "--port", "0"]
    door = subprocess.Popen([*words, "--trusted-proxy", "127.0.0.1"], stdout=subprocess.PIPE, text=True)
    assert door.stdout is not None
    behind = int(door.stdout.readline().split(",")[0].rpartition(":")[2])
    port = free_port()
    settings = re.sub(r"\n *tls .*", "", told("cells", "*.example.org "))
    settings = settings.replace("127.0.0.1:8080", f"127.0.0.1:{behind}")
    settings = settings.replace("*.example.org {", f"http://:{port} {{\nbind 127.0.0.1")
    (tmp_path / "caddy").mkdir()
    try:
        with running("caddy", tmp_path / "caddy", settings, port):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            for number in range(20):
                name = ("acme", "bolt")[number % 2]
                headers = {
                    "Host": f"{name}.example.org",
                    "Authorization": f"Bearer {template[1]['ana'].key}",
                    "Content-Type": "application/json",
                }
                body = json.dumps({"project": "WEB", "title": f"{name} {number}"})
                connection.request("POST", "/api/v1/issues.create", body, headers)
                answer = connection.getresponse()
                assert (answer.status, json.loads(answer.read())["title"]) == (200, f"{name} {number}")
            connection.close()
    finally:
        door.terminate()
        door.communicate(timeout=30)
    assert door.returncode == 0
