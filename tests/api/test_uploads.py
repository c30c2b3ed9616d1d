"""The door for files that are sent at once: streamed to disk, whole or not at all."""

import hashlib
import http.client
import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.api.uploads.endpoint import Uploads
from kbwork.base.dataclasses import replace
from kbwork.core.ports.uploads import UploadPoint
from kbwork.db.folder import Folder
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import World
from tests.modules.calls import eventually

MB = 1024 * 1024


@pytest.fixture
def settings() -> Settings:
    return Settings(
        server=ServerSettings(max_upload_mb=3, body_seconds=1), limits=LimitSettings(enabled=False)
    )


def post(
    world: World, body: Any, name: str = "?name=a.json", who: str | None = "ana", **headers: str
) -> tuple[int, dict[str, Any]]:
    """Status and document. Headers are written with `_` for `-`."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        if who is not None:
            sent["Authorization"] = f"Bearer {world.people[who].key}"
        connection.request("POST", f"/files/upload{name}", body, sent)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def left(world: World) -> list[Path]:
    return sorted((world.folder / "uploads").glob("*"))


def noted(world: World) -> list[dict[str, Any]]:
    return world.database.write_now(lambda tx: tx.all("select id, member, name, size, sha256 from upload"))


def test_a_file_lies_on_disk_as_it_was_sent(world: World) -> None:
    content = os.urandom(2 * MB + 17)
    status, told = post(world, content, "?name=%C3%A4%20b.json")
    digest = hashlib.sha256(content).hexdigest()
    assert (status, told) == (200, {"upload": told["upload"], "size": len(content), "sha256": digest})
    assert [path.name for path in left(world)] == [told["upload"]]
    assert left(world)[0].read_bytes() == content
    assert stat.S_IMODE(left(world)[0].stat().st_mode) == 0o600
    assert stat.S_IMODE(left(world)[0].parent.stat().st_mode) == 0o700
    assert noted(world) == [
        {
            "id": told["upload"],
            "member": world.people["ana"].id,
            "name": "ä b.json",
            "size": len(content),
            "sha256": digest,
        }
    ]


def test_a_body_of_unknown_length_is_counted_while_it_comes(world: World) -> None:
    def pieces(count: int) -> Iterator[bytes]:
        for _ in range(count):
            yield b"x" * 100_000

    assert post(world, pieces(5))[1]["size"] == 500_000
    status, problem = post(world, pieces(40))
    assert (status, problem["type"]) == (413, "/problems/too-large")
    assert len(left(world)) == 1


@pytest.mark.parametrize(
    ("who", "headers", "name", "wanted"),
    [
        (None, {}, "?name=a", (401, "unauthenticated")),
        ("ana", {"Content_Encoding": "gzip"}, "?name=a", (415, "unsupported-type")),
        ("ana", {"Content_Length": str(4 * MB)}, "?name=a", (413, "too-large")),
        ("ana", {}, "", (422, "invalid-input")),
        ("ana", {}, "?name=a&name=b", (422, "invalid-input")),
        ("ana", {}, "?name=%20", (422, "invalid-input")),
        ("ana", {}, "?name=a%00b", (422, "invalid-input")),
    ],
)
def test_what_is_refused_leaves_nothing(
    world: World, who: str | None, headers: dict[str, str], name: str, wanted: tuple[int, str]
) -> None:
    status, problem = post(world, b"{}", name, who, **headers)
    assert (status, problem["type"]) == (wanted[0], f"/problems/{wanted[1]}")
    assert (left(world), noted(world)) == ([], [])


def test_who_may_attach_files_sends_them_up_to_their_size(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert world.app is not None
    (point,) = world.app.dispatcher.registry.of(UploadPoint)
    archives, files = point.rights
    assert (archives.op, files.op, files.most_bytes) == ("imports.open", "attachments.add", 100 * MB)
    smaller = replace(point, rights=(archives, replace(files, most_bytes=MB)))
    door = world.app._door("/files/upload")
    assert isinstance(door, Uploads)
    monkeypatch.setitem(door.paths, "/files/upload", smaller)
    assert [post(world, b"x" * MB, who=who)[0] for who in ("ana", "cy", "gus")] == [200] * 3
    assert [post(world, b"x" * (MB + 1), who=who)[0] for who in ("ana", "cy", "gus")] == [200, 413, 413]
    assert len(left(world)) == 4


def test_a_key_without_the_scope_sends_nothing(world: World) -> None:
    made = world.session("cy").call("keys.create", {"name": "looks", "scopes": ["issues:read"]})
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request(
            "POST", "/files/upload?name=a", b"{}", {"Authorization": f"Bearer {made['secret']}"}
        )
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["scopes"]) == (403, ["attachments:write"])
    finally:
        connection.close()


def test_one_member_keeps_so_many_files_and_bytes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_OF_ONE", 2)
    assert [post(world, b"x")[0] for _ in range(3)] == [200, 200, 429]
    assert post(world, b"x", who="cy")[0] == 200
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_OF_ONE", 100)
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_BYTES_OF_ONE", 1000)
    assert [post(world, b"x" * 900, who="di")[0] for _ in range(2)] == [200, 429]
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_BYTES", 1000)
    status, problem = post(world, b"x" * 900, who="gus")
    assert (status, problem["type"]) == (507, "/problems/storage-full")
    assert len(left(world)) == 4


def test_other_methods_are_told_which_one(world: World) -> None:
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request("GET", "/files/upload?name=a")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["allow"]) == (405, "POST, OPTIONS")
        answer.read()
    finally:
        connection.close()


def _begin(world: World, content: bytes, length: int) -> socket.socket:
    host, port = urlsplit(world.url).netloc.split(":")
    line = socket.create_connection((host, int(port)), timeout=20)
    key = world.people["ana"].key
    line.sendall(
        f"POST /files/upload?name=a HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Length: {length}\r\n\r\n".encode()
        + content
    )
    return line


def test_a_connection_that_is_cut_leaves_nothing(world: World) -> None:
    line = _begin(world, b"x" * 2 * MB, 3 * MB)
    eventually(lambda: len(left(world)) == 1)
    line.close()
    eventually(lambda: left(world) == [])
    assert noted(world) == []


def test_a_body_that_stands_still_is_given_up(world: World) -> None:
    line = _begin(world, b"x" * 1000, 5000)
    answer = line.recv(1000)
    assert answer.startswith(b"HTTP/1.1 408")
    line.close()
    eventually(lambda: left(world) == [])


def test_a_full_disk_is_told_and_nothing_remains(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    room = [True, False]
    monkeypatch.setattr(Folder, "has_room", lambda _self, _more=0: room.pop(0) if len(room) > 1 else room[0])
    monkeypatch.setattr("kbwork.api.uploads.pieces.LOOK_BYTES", MB)
    status, problem = post(world, b"x" * (3 * MB - 1))
    assert (status, problem["type"]) == (507, "/problems/storage-full")
    assert (left(world), noted(world)) == ([], [])


def test_a_write_that_finds_no_space_is_a_full_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kbwork.core.ports.uploads.os.write", full)
    status, problem = post(world, b"{}")
    monkeypatch.undo()
    assert (status, problem["type"]) == (507, "/problems/storage-full")
    assert (left(world), noted(world)) == ([], [])


def test_who_loses_the_right_while_it_comes_has_sent_nothing(world: World) -> None:
    line = _begin(world, b"x" * MB, MB + 1)
    eventually(lambda: len(left(world)) == 1)
    found = world.database.write_now(
        lambda tx: tx.value("select id from key where owner = :m", m=world.people["ana"].id)
    )
    world.session("ana").call("keys.revoke", {"id": found})
    line.sendall(b"x")
    assert line.recv(1000).startswith(b"HTTP/1.1 401")
    line.close()
    assert (left(world), noted(world)) == ([], [])
