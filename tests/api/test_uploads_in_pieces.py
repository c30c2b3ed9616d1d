"""Files in pieces, by tus 1.0: what came is kept, goes on where it ended, and is for its sender alone."""

import base64
import hashlib
import http.client
import io
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from tusclient.client import TusClient

from kbwork.api.uploads.endpoint import Uploads
from kbwork.base.clock import FixedClock
from kbwork.base.dataclasses import replace
from kbwork.db.folder import Folder
from kbwork.settings import LimitSettings, ServerSettings, Settings
from tests.conftest import NOW, World
from tests.modules.calls import eventually
from tests.servers import OwnServer

MB = 1024 * 1024
PIECE = "application/offset+octet-stream"
DAY = 24 * 3600


@pytest.fixture
def settings() -> Settings:
    return Settings(
        server=ServerSettings(max_upload_mb=3, body_seconds=1), limits=LimitSettings(enabled=False)
    )


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    """By lower-case name."""
    body: bytes


def ask(
    world: World,
    method: str,
    path: str = "/files/upload",
    body: Any = None,
    who: str | None = "cy",
    **said: Any,
) -> Answer:
    """Headers are written with `_` for `-`; None leaves one out."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    headers = {"Tus-Resumable": "1.0.0"} | {name.replace("_", "-"): value for name, value in said.items()}
    if who is not None:
        headers["Authorization"] = f"Bearer {world.people[who].key}"
    try:
        sent = {name: str(value) for name, value in headers.items() if value is not None}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def named(name: str) -> str:
    return "filename " + base64.b64encode(name.encode()).decode()


def announce(world: World, length: int, name: str = "a.bin", who: str = "cy") -> str:
    """The path of a file that will come."""
    answer = ask(world, "POST", who=who, Upload_Length=length, Upload_Metadata=named(name))
    assert answer.status == 201
    return answer.headers["location"]


def add(world: World, path: str, offset: int, body: Any, **said: Any) -> Answer:
    head: dict[str, Any] = {"Upload_Offset": offset, "Content_Type": PIECE} | said
    return ask(world, "PATCH", path, body, **head)


def offset(world: World, path: str) -> int:
    answer = ask(world, "HEAD", path)
    assert answer.status == 200
    return int(answer.headers["upload-offset"])


def noted(world: World) -> list[tuple[Any, ...]]:
    return world.database.write_now(
        lambda tx: tx.tuples("select name, size, arrived, sha256 from upload order by created_at, id")
    )


def left(world: World) -> list[Path]:
    return sorted((world.folder / "uploads").glob("*"))


# what is spoken


def test_a_client_asks_what_is_spoken(world: World) -> None:
    for who, most in ((None, 3 * MB), ("cy", 3 * MB), ("ana", 3 * MB)):
        answer = ask(world, "OPTIONS", who=who, Tus_Resumable=None)
        said = {name: value for name, value in answer.headers.items() if name.startswith("tus-")}
        assert (answer.status, said) == (
            204,
            {
                "tus-resumable": "1.0.0",
                "tus-version": "1.0.0",
                "tus-extension": "creation,creation-with-upload,expiration,termination",
                "tus-max-size": str(most),
            },
        )


@pytest.mark.parametrize("said", [None, "0.2.2", "1.0", "1.0.0, 1.0.0", ""])
def test_another_version_is_refused_with_what_is_spoken(world: World, said: str | None) -> None:
    path = announce(world, 5)
    for method, place in (("HEAD", path), ("PATCH", path), ("DELETE", path), ("POST", "/files/upload")):
        answer = ask(world, method, place, Tus_Resumable=said, Upload_Length=5, Upload_Offset=0)
        assert (answer.status, answer.headers["tus-version"], answer.headers["tus-resumable"]) == (
            412,
            "1.0.0",
            "1.0.0",
        )
    assert offset(world, path) == 0


# a file in pieces


def test_a_file_comes_in_pieces(world: World) -> None:
    content = os.urandom(2 * MB)
    made = ask(world, "POST", Upload_Length=len(content), Upload_Metadata=named("ä b.bin"))
    path = made.headers["location"]
    assert (made.status, made.headers["upload-offset"], made.headers["tus-resumable"]) == (201, "0", "1.0.0")
    assert made.headers["upload-expires"].endswith(" GMT")
    assert path.startswith("/files/upload/u_")
    seen = ask(world, "HEAD", path)
    assert (seen.status, seen.headers["upload-length"], seen.headers["cache-control"]) == (
        200,
        str(2 * MB),
        "no-store",
    )
    for begin in range(0, 2 * MB, 700_000):
        piece = content[begin : begin + 700_000]
        answer = add(world, path, begin, piece)
        assert (answer.status, answer.body) == (204, b"")
        assert answer.headers["upload-offset"] == str(begin + len(piece)) == str(offset(world, path))
    assert noted(world) == [("ä b.bin", 2 * MB, None, hashlib.sha256(content).hexdigest())]
    (file,) = left(world)
    assert (file.name, file.read_bytes(), file.stat().st_mode & 0o777) == (path[14:], content, 0o600)


def test_a_file_may_come_with_its_announcement(world: World) -> None:
    answer = ask(
        world, "POST", body=b"Hello", Upload_Length=5, Upload_Metadata=named("a.txt"), Content_Type=PIECE
    )
    assert (answer.status, answer.headers["upload-offset"]) == (201, "5")
    part = ask(world, "POST", body=b"Hel", Upload_Length=5, Upload_Offset=2, Content_Type=PIECE)
    assert (part.status, part.headers["upload-offset"]) == (201, "3")
    assert add(world, part.headers["location"], 3, b"lo").status == 204
    digest = hashlib.sha256(b"Hello").hexdigest()
    assert sorted(noted(world)) == [("a.txt", 5, None, digest), ("file", 5, None, digest)]


def test_an_empty_file_is_whole_at_once(world: World) -> None:
    path = announce(world, 0)
    assert (offset(world, path), noted(world)[0][2:]) == (0, (None, hashlib.sha256().hexdigest()))
    assert add(world, path, 0, b"").status == 204


def test_a_post_may_say_that_it_is_another_method(world: World) -> None:
    path = announce(world, 5)
    answer = ask(
        world,
        "POST",
        path,
        b"Hello",
        X_HTTP_Method_Override="PATCH",
        Upload_Offset=0,
        Content_Type=PIECE,
    )
    assert (answer.status, offset(world, path)) == (204, 5)


def test_an_independent_client_sends_a_file_and_goes_on(world: World) -> None:
    content = os.urandom(MB + 17)
    client = TusClient(
        f"{world.url}/files/upload", headers={"Authorization": f"Bearer {world.people['cy'].key}"}
    )
    begun = client.uploader(
        file_stream=io.BytesIO(content), chunk_size=300_000, metadata={"filename": "a b.bin"}
    )
    begun.upload_chunk()  # type: ignore[no-untyped-call]  # its stubs leave it out
    place: Any = begun.url
    again = client.uploader(file_stream=io.BytesIO(content), chunk_size=300_000, url=place)
    assert again.offset == 300_000
    again.upload()
    assert noted(world) == [("a b.bin", MB + 17, None, hashlib.sha256(content).hexdigest())]


# refused


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"Upload_Length": None, "Tus_Resumable": "1.0.0"}, 422),
        ({"Upload_Length": "-1"}, 422),
        ({"Upload_Length": "1e3"}, 422),
        ({"Upload_Length": "٣"}, 422),
        ({"Upload_Length": "9" * 30}, 422),
        ({"Upload_Length": 10**17}, 413),
        ({"Upload_Length": 10**18}, 422),
        ({"Upload_Length": 3 * MB + 1}, 413),
        ({"Upload_Length": 5, "Upload_Defer_Length": 1}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": "filename !!"}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": "filename"}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": "filename /w=="}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": "filename YQ==,filename Yg=="}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": "filename " + "YWFh" * 2000}, 422),
        ({"Upload_Length": 5, "Upload_Metadata": named("a\0b")}, 422),
        ({"Upload_Length": 5, "Content_Type": "text/plain", "body": b"Hello"}, 415),
    ],
)
def test_an_announcement_that_is_refused_leaves_nothing(
    world: World, said: dict[str, Any], status: int
) -> None:
    if not str(said.get("Upload_Length", "")).isascii():
        said = said | {"Upload_Length": str(said["Upload_Length"]).encode().decode("latin-1")}
    assert ask(world, "POST", **said).status == status
    assert (left(world), noted(world)) == ([], [])


@pytest.mark.parametrize(
    ("offset_said", "said", "body", "status"),
    [
        (3, {}, b"lo", 409),
        (1, {}, b"lo", 409),
        ("-2", {}, b"lo", 422),
        (None, {}, b"lo", 422),
        ("2.0", {}, b"lo", 422),
        (2, {"Content_Type": "text/plain"}, b"lo", 415),
        (2, {"Content_Type": None}, b"lo", 415),
        (2, {"Content_Encoding": "gzip"}, b"lo", 415),
        (2, {}, b"llo and more", 413),
        (2, {"Content_Length": 10**15}, b"", 413),
    ],
)
def test_a_piece_that_does_not_fit_changes_nothing(
    world: World, offset_said: Any, said: dict[str, Any], body: bytes, status: int
) -> None:
    path = announce(world, 5)
    assert add(world, path, 0, b"He").status == 204
    answer = add(world, path, offset_said, body, **said)
    assert (answer.status, answer.headers["tus-resumable"]) == (status, "1.0.0")
    assert offset(world, path) == 2
    assert add(world, path, 2, b"llo").status == 204
    assert noted(world)[0][3] == hashlib.sha256(b"Hello").hexdigest()


def test_a_body_that_is_longer_than_promised_counts_for_nothing(world: World) -> None:
    def flood() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100_000

    path = announce(world, MB)
    assert add(world, path, 0, flood()).status == 413
    assert (offset(world, path), noted(world)[0][2]) == (0, 0)
    assert add(world, path, 0, b"y" * MB).status == 204
    assert left(world)[0].read_bytes() == b"y" * MB


def test_an_upload_is_its_senders_alone(world: World) -> None:
    path = announce(world, 5)
    for who, status in (("di", 404), ("ana", 404), ("gus", 404), (None, 401)):
        found = [
            ask(world, "HEAD", path, who=who).status,
            ask(world, "PATCH", path, b"Hello", who=who, Upload_Offset=0, Content_Type=PIECE).status,
            ask(world, "DELETE", path, who=who).status,
        ]
        assert found == [status] * 3
    assert offset(world, path) == 0


@pytest.mark.parametrize(
    "ident", ["u_0", "..", "../../master.key", "%2e%2e%2fmaster.key", "u_%00", "x/y", "u_" + "a" * 5000]
)
def test_ids_that_are_none_lead_nowhere(world: World, ident: str) -> None:
    path = f"/files/upload/{ident}"
    assert ask(world, "HEAD", path).status in (404, 414, 431)
    assert add(world, path, 0, b"x").status in (404, 414, 431)
    assert left(world) == []


def test_methods_that_are_none_are_told_which(world: World) -> None:
    path = announce(world, 5)
    found = [
        (ask(world, method, path).status, ask(world, method, path).headers["allow"])
        for method in ("GET", "PUT")
    ]
    assert found == [(405, "HEAD, PATCH, DELETE, OPTIONS")] * 2


def test_a_page_of_another_site_announces_nothing(world: World) -> None:
    cookie = world.people["cy"].session
    for origin, status in (("https://evil.example", 403), (None, 403), (world.url, 201)):
        answer = ask(world, "POST", who=None, Upload_Length=5, Cookie=f"kb={cookie}", Origin=origin)
        assert answer.status == status


# what is kept


def _begin(world: World, path: str, content: bytes, length: int) -> socket.socket:
    host, port = urlsplit(world.url).netloc.split(":")
    line = socket.create_connection((host, int(port)), timeout=20)
    key = world.people["cy"].key
    line.sendall(
        f"PATCH {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nTus-Resumable: 1.0.0\r\n"
        f"Upload-Offset: 0\r\nContent-Type: {PIECE}\r\nContent-Length: {length}\r\n\r\n".encode()
        + content
    )
    return line


def test_a_connection_that_is_cut_keeps_what_came(world: World) -> None:
    content = os.urandom(3 * MB)
    path = announce(world, 3 * MB)
    line = _begin(world, path, content[: 2 * MB + 3], 3 * MB)
    eventually(lambda: left(world)[0].stat().st_size > MB)
    line.close()
    eventually(lambda: offset(world, path) == 2 * MB + 3)
    assert add(world, path, 2 * MB + 3, content[2 * MB + 3 :]).status == 204
    assert noted(world)[0][2:] == (None, hashlib.sha256(content).hexdigest())


def test_a_body_that_drips_is_given_up_and_kept(world: World) -> None:
    path = announce(world, 5000)
    line = _begin(world, path, b"x" * 1000, 5000)
    assert line.recv(1000).startswith(b"HTTP/1.1 408")
    line.close()
    eventually(lambda: offset(world, path) == 1000)


def test_two_pieces_of_one_file_do_not_mix(world: World) -> None:
    path = announce(world, 2 * MB)
    line = _begin(world, path, b"x" * MB, 2 * MB)
    eventually(lambda: left(world)[0].stat().st_size > 500_000)
    assert add(world, path, 0, b"y" * 10).status == 409
    assert ask(world, "DELETE", path).status == 409
    line.sendall(b"x" * MB)
    assert line.recv(1000).startswith(b"HTTP/1.1 204")
    line.close()
    assert left(world)[0].read_bytes() == b"x" * 2 * MB


def test_what_was_not_settled_is_cut_off(world: World) -> None:
    """As a server leaves it that ended in between: there is more in the file than was said to be here."""
    path = announce(world, 10)
    assert add(world, path, 0, b"Hello").status == 204
    with left(world)[0].open("ab") as file:
        file.write(b"\0\0\0")
    assert offset(world, path) == 5
    assert add(world, path, 5, b"World").status == 204
    assert left(world)[0].read_bytes() == b"HelloWorld"


def test_another_server_goes_on_where_the_first_ended(
    template: Any, tmp_path: Path, settings: Settings
) -> None:
    clock = FixedClock(NOW)
    content = os.urandom(MB)
    folder = tmp_path / "data"
    shutil.copytree(template[0], folder)
    with OwnServer(folder, clock, settings) as server:
        world = World(folder, clock, template[1], server.url, server.app)
        path = announce(world, MB)
        line = _begin(world, path, content[:600_000], MB)
        eventually(lambda: left(world)[0].stat().st_size == 600_000)
    line.close()
    with OwnServer(folder, clock, settings) as server:
        world = World(folder, clock, template[1], server.url, server.app)
        came = offset(world, path)
        assert came <= 600_000
        assert add(world, path, came, content[came:]).status == 204
        assert noted(world)[0][2:] == (None, hashlib.sha256(content).hexdigest())


def test_a_file_that_lost_what_was_here_is_said_to_be_gone(world: World) -> None:
    path = announce(world, 10)
    assert add(world, path, 0, b"Hello").status == 204
    os.truncate(left(world)[0], 2)
    assert add(world, path, 5, b"World").status == 409
    left(world)[0].unlink()
    assert ask(world, "HEAD", path).status == 404


def test_a_day_later_it_is_gone(world: World) -> None:
    path = announce(world, 10)
    assert add(world, path, 0, b"Hello").status == 204
    world.clock.advance(DAY - 1)
    assert offset(world, path) == 5
    world.clock.advance(1)
    assert (ask(world, "HEAD", path).status, add(world, path, 5, b"World").status) == (404, 404)
    eventually(lambda: (left(world), noted(world)) == ([], []))


def test_whoever_wants_it_no_more_takes_it_back(world: World) -> None:
    path = announce(world, 10)
    answer = ask(world, "DELETE", path)
    assert (answer.status, answer.headers["tus-resumable"]) == (204, "1.0.0")
    assert ask(world, "HEAD", path).status == 404
    assert (left(world), noted(world)) == ([], [])


def test_what_is_announced_counts_as_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_BYTES_OF_ONE", MB)
    announce(world, MB)
    answer = ask(world, "POST", Upload_Length=1)
    assert (answer.status, int(answer.headers["retry-after"])) == (429, DAY)
    monkeypatch.setattr("kbwork.modules.uploads.kept.MOST_BYTES", MB)
    assert ask(world, "POST", who="di", Upload_Length=1).status == 507
    assert len(left(world)) == 1


def test_files_come_in_side_by_side_up_to_a_number(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.api.uploads.endpoint._AT_ONCE", 1)
    one, other = announce(world, 2 * MB), announce(world, 5)
    line = _begin(world, one, b"x" * MB, 2 * MB)
    eventually(lambda: (world.folder / "uploads" / one[14:]).stat().st_size > 500_000)
    assert add(world, other, 0, b"Hello").status == 429
    line.close()
    eventually(lambda: add(world, other, 0, b"Hello").status == 204)


def test_a_full_disk_is_told_and_what_came_is_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path = announce(world, 3 * MB)
    room = [True, False]
    monkeypatch.setattr(Folder, "has_room", lambda _self, _more=0: room.pop(0) if len(room) > 1 else room[0])
    monkeypatch.setattr("kbwork.api.uploads.pieces.LOOK_BYTES", MB)
    answer = add(world, path, 0, b"x" * 3 * MB)
    assert answer.status == 507
    assert ask(world, "POST", Upload_Length=5).status == 507
    monkeypatch.undo()
    came = offset(world, path)
    assert came <= 3 * MB
    assert add(world, path, came, b"x" * (3 * MB - came)).status == 204


def test_who_loses_the_right_adds_nothing(world: World) -> None:
    path = announce(world, MB + 1)
    line = _begin(world, path, b"x" * MB, MB + 1)
    eventually(lambda: left(world)[0].stat().st_size > 500_000)
    found = world.database.write_now(
        lambda tx: tx.value("select id from key where owner = :m", m=world.people["cy"].id)
    )
    world.session("cy").call("keys.revoke", {"id": found})
    line.sendall(b"x")
    assert line.recv(1000).startswith(b"HTTP/1.1 401")
    line.close()
    assert noted(world)[0][2] == 0


def test_the_size_of_archives_is_for_admins(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert world.app is not None
    door = world.app._door("/files/upload/u_1")
    assert isinstance(door, Uploads)
    point = door.paths["/files/upload"]
    archives, files = point.rights
    smaller = replace(point, rights=(archives, replace(files, most_bytes=MB)))
    monkeypatch.setitem(door.paths, "/files/upload", smaller)
    found = [
        (
            ask(world, "POST", who=who, Upload_Length=2 * MB).status,
            ask(world, "OPTIONS", who=who).headers["tus-max-size"],
        )
        for who in ("ana", "cy")
    ]
    assert found == [(201, str(3 * MB)), (413, str(MB))]
    assert noted(world)[0][1] == 2 * MB
    assert world.clock.now() == NOW
