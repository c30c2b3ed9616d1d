"""Flags that come from elsewhere than the service."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from kbwork.flags import AsyncClient, Client, Context, FileData, TestData
from kbwork.flags.options import ClientOptions
from tests.flags.service import MIRA, SDK_KEY, flag, made, served
from tests.modules.calls import eventually


def write(path: Path, content: Any, *, at: int) -> None:
    """A file of flags, and when it was last changed."""
    part = path.with_suffix(".part")
    part.write_text(content if isinstance(content, str) else json.dumps(content))
    os.utime(part, (at, at))
    part.replace(path)


def test_a_test_says_what_flags_serve() -> None:
    flags = TestData({"new-checkout": True, "color": "blue"})
    with Client(source=flags) as client:
        assert client.ready(0)
        assert client.boolean("new-checkout", False, MIRA) is True
        assert client.string("color", "red", Context(MIRA)) == "blue"
        heard: list[int | None] = []
        client.subscribe(lambda: heard.append(client.version))
        flags.set("new-checkout", False)
        flags.set_for("new-checkout", "mira", True)
        flags.set_for("new-checkout", "acme", True, kind="org")
        assert client.boolean("new-checkout", False, MIRA) is True
        assert client.boolean("new-checkout", False, {"key": "bo"}) is False
        assert client.boolean("new-checkout", False, {"kind": "org", "key": "acme"}) is True
        flags.set_for("new-checkout", "mira", False)
        assert client.boolean("new-checkout", True, MIRA) is False
        flags.remove("color")
        assert client.string_detail("color", "red", MIRA).error_kind == "FLAG_NOT_FOUND"
        assert heard == [2, 3, 4, 5, 6]
        assert client.status.connected is True
    flags.set("new-checkout", True)
    assert client.boolean("new-checkout", True, MIRA) is False, "behind its end it stays as it is"


def test_a_test_may_say_rules_and_serve_several_clients() -> None:
    flags = TestData()
    clause = {"op": "segmentMatch", "values": ["staff"]}
    flags.put("beta", flag(rules=[{"clauses": [clause], "variation": 1}]))
    with Client(source=flags) as one, Client(source=flags, offline=True) as other:
        for client in (one, other):
            assert client.boolean("beta", False, MIRA) is True
        flags.put_segment("staff", {"included": ["mira"]})
        for client in (one, other):
            assert client.boolean("beta", True, MIRA) is False
    with pytest.raises(KeyError):
        flags.set_for("none", "mira", True)


def test_flags_come_from_files_the_later_one_winning(tmp_path: Path) -> None:
    common, own = tmp_path / "common.json", tmp_path / "own.json"
    write(common, {"values": {"a": 1, "b": "x"}, "flags": {"on": flag()}}, at=1)
    write(own, {"values": {"b": "y"}, "segments": {}}, at=1)
    with Client(source=FileData(common, own, reload_ms=None)) as client:
        assert client.ready(0)
        assert client.number("a", 0, MIRA) == 1
        assert client.string("b", "", MIRA) == "y"
        assert client.boolean("on", False, MIRA) is True


def test_a_file_is_read_again_when_it_changes_and_stays_while_it_is_broken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "flags.json"
    write(path, {"values": {"on": False}}, at=1)
    with Client(source=FileData(path, reload_ms=20)) as client:
        write(path, {"values": {"on": True}}, at=2)
        eventually(lambda: client.boolean("on", False, MIRA))
        for broken in ("{", "[]", "{}", '{"values": 7}'):
            write(path, broken, at=3 + len(broken))
            eventually(lambda: client.status.last_error is not None)
            assert client.boolean("on", False, MIRA) is True
            write(path, {"values": {"on": True}}, at=50 + len(broken))
            eventually(lambda: client.status.last_error is None)
        path.unlink()
        eventually(lambda: "No such file" in str(client.status.last_error))
        assert client.boolean("on", False, MIRA) is True
    assert "it has neither `values` nor `flags`" in caplog.text


def test_a_source_that_cannot_be_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="name a file of flags"):
        FileData()
    with pytest.raises(ValueError, match="reload_ms should be at least 1"):
        FileData("flags.json", reload_ms=0)


def test_the_asynchronous_client_takes_the_same_options() -> None:
    flags = TestData({"on": True})

    async def run() -> list[Any]:
        async with AsyncClient(source=flags) as client:
            assert await client.ready()
            heard: list[Any] = []
            client.watch("on", MIRA, lambda detail: heard.append(detail.value))
            flags.set("on", False)
            return [client.boolean("on", True, MIRA), heard, client.status.connected]

    assert asyncio.run(run()) == [False, [False], True]


def test_offline_nobody_is_asked_and_what_is_on_disk_is_served(tmp_path: Path) -> None:
    path = tmp_path / "flags.bin"
    with served() as service:
        with made(service, cache_path=path) as client:
            assert client.ready()
            eventually(path.exists)
        asked = len(service.asked)
        away: ClientOptions = {"offline": True, "base_url": service.url, "sdk_key": SDK_KEY}
        kept: ClientOptions = {"cache_path": path}
        with Client(**(away | kept)) as client:
            assert client.ready()
            assert client.boolean("on", False, MIRA) is True
            assert client.status.connected is False
        with Client(**away) as client:
            assert client.ready() is False
            assert client.boolean_detail("on", True, MIRA).error_kind == "CLIENT_NOT_READY"
            client.track("bought", MIRA)
            assert client.flush()
        with Client(offline=True) as client:
            assert client.ready() is False
            assert client.boolean("on", True, MIRA) is True
        assert len(service.asked) == asked
        assert service.batches == []
