"""A line for each answer, where the settings ask for it."""

import http.client
import logging
import re
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from kbwork.cli import logs
from kbwork.settings import LogSettings
from tests.conftest import World
from tests.modules.calls import eventually

_LINE = re.compile(
    r"127\.0\.0\.1 (?P<method>[A-Z]+) (?P<path>\S+) (?P<status>\d{3}|-) \d+\.\d ms (?P<request>\S+)"
)


def asked(world: World, *requests: tuple[str, str]) -> list[int]:
    found = []
    with closing(http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)) as line:
        for method, path in requests:
            headers = {"Authorization": f"Bearer {world.people['ana'].key}"}
            body = b"{}" if method == "POST" else None
            line.request(method, path, body, headers | ({"Content-Type": "application/json"} if body else {}))
            answer = line.getresponse()
            answer.read()
            found.append(answer.status)
    return found


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    found = []
    for record in caplog.records:
        if record.name == "kbwork.access":
            one = _LINE.fullmatch(record.getMessage())
            assert one is not None, record.getMessage()
            found.append((one["method"], one["path"], one["status"]))
    return found


def test_each_answer_has_a_line(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "kbwork.access"):
        asked(
            world,
            ("POST", "/api/v1/labels.list"),
            ("POST", "/api/v1/issues.get"),
            ("GET", "/api/v1/nothing?token=secret"),
            ("GET", "/docs/tutorial"),
            ("GET", "/"),
        )
        wanted = [
            ("POST", "/api/v1/labels.list", "200"),
            ("POST", "/api/v1/issues.get", "422"),
            ("GET", "/api/v1/nothing", "404"),
            ("GET", "/docs/...", "200"),
            ("GET", "/", "200"),
        ]
        eventually(lambda: len(lines(caplog)) == len(wanted))  # the last is written when its answer has gone
    assert lines(caplog) == wanted


def test_what_opens_something_and_what_would_be_another_line_stay_out(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "kbwork.access"):
        asked(
            world,
            ("GET", "/join/kbi_aVerySecretToken"),
            ("GET", "/api/%0A127.0.0.1%20GET%20/api/v1/forged%20200"),
            ("GET", "/api/" + "a" * 500),
        )

        def written() -> str:
            return "\n".join(one.getMessage() for one in caplog.records if one.name == "kbwork.access")

        eventually(lambda: len(written().splitlines()) == 3)
    text = written()
    assert "aVerySecretToken" not in text
    assert "GET /join/... " in text
    assert "GET /api/%0A127.0.0.1%20GET%20/api/v1/forged%20200 404 " in text
    assert "a" * 201 not in text


@pytest.mark.parametrize("wanted", [True, False])
def test_the_settings_ask_for_it(*, wanted: bool) -> None:
    root, access = logging.getLogger(), logging.getLogger("kbwork.access")
    held = (root.handlers[:], root.level, access.level)
    try:
        logs.configure(LogSettings(access=wanted))
        assert access.isEnabledFor(logging.INFO) is wanted
        logs.configure(LogSettings(access=wanted, level="error"))
        assert access.isEnabledFor(logging.INFO) is wanted
    finally:
        root.handlers[:] = held[0]
        root.setLevel(held[1])
        access.setLevel(held[2])
