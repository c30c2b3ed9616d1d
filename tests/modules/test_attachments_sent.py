"""Files that were sent to `/files/upload` and become attachments: judged as others are, kept in pieces where large."""

import http.client
import io
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.base.errors import Conflict
from kbwork.modules.attachments.content import blobs
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.comments.test_comments import make, say
from tests.modules.imports.github_archives import ended
from tests.modules.test_attachments import PNG, encoded, fetched, names, stored, texts, told
from tests.modules.together import slugs, together

MB = 1024 * 1024


def send(world: World, content: bytes, who: str = "cy", name: str = "a.bin") -> str:
    """The id of an upload."""
    return str(world.key(who).upload(io.BytesIO(content), name)["upload"])


def add(
    world: World, who: str, subject: str, content: bytes, name: str = "a.bin", **more: Any
) -> dict[str, Any]:
    """A file that comes by an upload."""
    asked = {"subject": subject, "name": name, "data": "", "upload": send(world, content, who)} | more
    found: dict[str, Any] = call(world, who, "attachments.add", **asked)
    return found


def left(world: World) -> list[Path]:
    return list((world.folder / "uploads").glob("*"))


def link(world: World, ident: str, who: str = "cy") -> str:
    return str(call(world, who, "attachments.get", id=ident, as_url=True)["url"])


def contents(world: World) -> list[str]:
    return world.database.write_now(lambda tx: tx.column("select state from blob_content order by state"))


def test_a_small_file_is_as_one_that_came_with_the_call(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    file = add(world, "di", key, PNG, "folder/shot.png")
    assert file == {
        "id": file["id"],
        "name": "shot.png",
        "content_type": "image/png",
        "size": 28,
        "subject": "issue:1",
        "created_at": world.clock.now(),
        "created_by": world.people["di"].id,
    }
    assert world.events_since(seq) == [("attachment.added", "issue:1")]
    (event,) = told(world, "cy", seq)
    assert event["payload"]["attachment"] == file["id"]
    assert call(world, "cy", "attachments.get", id=file["id"])["data"] == encoded(PNG)
    assert (left(world), stored(world, "upload"), stored(world, "blob_piece")) == ([], 0, 1)


def test_a_large_file_lies_in_pieces_and_goes_out_whole(world: World) -> None:
    key = make(world)
    content = os.urandom(2 * MB + 17)
    file = add(world, "cy", key, content)
    assert (file["size"], stored(world, "blob_piece")) == (len(content), 3)
    status, headers, body = fetched(world, link(world, file["id"]))
    assert (status, headers["content-length"], body == content) == (200, str(len(content)), True)
    assert headers["content-disposition"].startswith("attachment;")
    status, headers, body = fetched(world, link(world, file["id"]), "HEAD")
    assert (status, headers["content-length"], body) == (200, str(len(content)), b"")
    assert call(world, "cy", "attachments.get", id=file["id"])["data"] == encoded(content)


@pytest.mark.parametrize("size", [50, 2 * MB + 17])
def test_who_was_cut_off_asks_for_the_rest(world: World, size: int) -> None:
    content = os.urandom(size)
    place = link(world, add(world, "cy", make(world), content)["id"])
    etag = fetched(world, place)[1]["etag"]
    for asked, first, end in (
        ("bytes=0-0", 0, 1),
        ("bytes=7-", 7, size),
        (f"bytes={size - 20}-{size + 9}", size - 20, size),
        ("bytes=-9", size - 9, size),
        (f"bytes=-{size + 9}", 0, size),
        (f"bytes={size // 2 - 1}-{size // 2 + 1}", size // 2 - 1, size // 2 + 2),
    ):
        status, headers, body = fetched(world, place, Range=asked, If_Range=etag)
        assert (status, headers["content-range"]) == (206, f"bytes {first}-{end - 1}/{size}")
        assert (headers["content-length"], body == content[first:end]) == (str(end - first), True)
    for asked in (f"bytes={size}-", "bytes=-0"):
        status, headers, body = fetched(world, place, Range=asked)
        assert (status, headers["content-range"], body) == (416, f"bytes */{size}", b"")
    for asked in ("bytes=0-1,4-5", "bytes=5-4", "bytes=-", "lines=1-2", "bytes=0-1"):
        other = {"If_Range": '"another"'} if asked == "bytes=0-1" else {}
        status, headers, body = fetched(world, place, Range=asked, **other)
        assert (status, "content-range" in headers, body == content) == (200, False, True)
    assert fetched(world, place, "HEAD", Range="bytes=0-0")[:1] == (200,)
    assert fetched(world, place, If_None_Match=etag)[::2] == (304, b"")


def test_a_download_whose_bytes_go_meanwhile_is_seen_to_be_short(world: World) -> None:
    content = os.urandom(24 * MB)
    place = link(world, add(world, "cy", make(world), content)["id"])
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request("GET", place)
        answer = connection.getresponse()
        assert answer.read(MB) == content[:MB]
        world.database.write_now(lambda tx: tx.execute("delete from blob_piece where number = 23"))
        with pytest.raises(http.client.IncompleteRead):
            answer.read()
    finally:
        connection.close()


def test_a_file_that_is_too_large_for_base64_goes_by_a_link(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = add(world, "cy", make(world), b"x" * MB)
    monkeypatch.setattr("kbwork.modules.attachments.content.files.MOST_DATA_BYTES", MB - 1)
    with refused("too-large"):
        call(world, "cy", "attachments.get", id=file["id"])
    assert fetched(world, link(world, file["id"]))[0] == 200


def test_the_same_bytes_are_kept_once_however_they_came(world: World) -> None:
    key = make(world)
    content = os.urandom(MB + 1)
    call(world, "cy", "attachments.add", subject=key, name="a.bin", data=encoded(content))
    add(world, "cy", key, content, "b.bin")
    assert (stored(world, "attachment"), stored(world, "blob"), stored(world, "blob_content")) == (2, 1, 0)
    other = os.urandom(MB + 1)
    add(world, "cy", key, other, "c.bin")
    call(world, "cy", "attachments.add", subject=key, name="d.bin", data=encoded(other))
    assert (stored(world, "attachment"), stored(world, "blob"), stored(world, "blob_content")) == (4, 2, 1)


def test_pieces_go_with_the_last_file_that_has_them(world: World) -> None:
    key = make(world)
    content = os.urandom(10 * MB)
    one, other = add(world, "cy", key, content, "a.bin"), add(world, "cy", key, content, "b.bin")
    for number, file in enumerate((one, other), 1):
        call(world, "cy", "attachments.delete", id=file["id"])
        call(world, "bo", "trash.purge", ids=[number])
        if file is one:
            assert stored(world, "blob_piece") == 10
    assert stored(world, "blob") == 0

    def swept() -> bool:
        world.advance(1)
        return stored(world, "blob_content") == 0

    eventually(swept)
    assert stored(world, "blob_piece") == 0


def test_adding_is_undone_and_restored_with_its_bytes(world: World) -> None:
    key = make(world)
    content = os.urandom(MB + 1)
    seq = world.database.seq
    file = add(world, "cy", key, content)
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert names(world, "cy", key) == []
    call(world, "cy", "undo.apply", seq=seq + 2)
    assert names(world, "cy", key) == ["a.bin"]
    assert fetched(world, link(world, file["id"]))[2] == content


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"data": None}, "invalid-input"),
        ({"data": "QQ=="}, "invalid-input"),
        ({"upload": "u_0"}, "not-found"),
        ({"upload": "../kbwork.db"}, "not-found"),
        ({"upload": ""}, "not-found"),
        ({"subject": "issue:WEB-9"}, "not-found"),
        ({"subject": "issue:PRV-1"}, "not-found"),
        ({"name": "folder/"}, "invalid-input"),
    ],
)
def test_what_is_refused_uses_nothing_up(world: World, asked: dict[str, Any], slug: str) -> None:
    key = make(world)
    seq, upload = world.database.seq, send(world, b"x" * MB)
    with refused(slug):
        call(
            world,
            "cy",
            "attachments.add",
            **({"subject": key, "name": "a", "data": "", "upload": upload} | asked),
        )
    assert (world.database.seq, stored(world, "blob_content"), len(left(world))) == (seq, 0, 1)
    call(world, "cy", "attachments.add", subject=key, name="a", data="", upload=upload)
    assert left(world) == []


def test_rights_and_rules_are_those_of_any_file(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make(world)
    comment = say(world, "cy", key)
    upload = send(world, b"Hello", "di")
    with refused("not-allowed"):
        call(
            world, "di", "attachments.add", subject=f"comment:{comment}", name="a.txt", data="", upload=upload
        )
    call(world, "bo", "org.update", allowed_files=[".pdf"])
    with refused("invalid-input"):
        call(world, "di", "attachments.add", subject=key, name="a.txt", data="", upload=upload)
    call(world, "bo", "org.update", allowed_files=[])
    monkeypatch.setattr("kbwork.modules.attachments.add.MOST_BYTES", 4)
    with refused("too-large"):
        call(world, "di", "attachments.add", subject=key, name="a.txt", data="", upload=upload)
    with refused("not-found"):
        call(world, "cy", "attachments.add", subject=key, name="a.txt", data="", upload=upload)
    assert len(left(world)) == 1


def test_an_upload_is_used_once(world: World) -> None:
    key = make(world)
    upload = send(world, os.urandom(MB + 1))
    asked = {"subject": key, "name": "a.bin", "data": "", "upload": upload}
    answers = together(world, "cy", [("attachments.add", asked)] * 3)
    assert slugs(answers) == ["not-found"] * 2
    assert (stored(world, "attachment"), stored(world, "blob"), left(world)) == (1, 1, [])


def test_a_call_that_is_sent_again_is_answered_again(world: World) -> None:
    asked = {"subject": make(world), "name": "a.bin", "data": "", "upload": send(world, b"Hello")}
    client = world.key("cy")
    one, other = (client.call("attachments.add", asked, idempotency_key="k-1") for _ in range(2))
    assert (one, stored(world, "attachment")) == (other, 1)


def test_search_reads_the_beginning_of_a_large_text(world: World) -> None:
    key = make(world)
    add(world, "cy", key, b"Needle " + b"hay " * MB, "a.txt")
    (text,) = texts(world)
    assert (text[:10], len(text)) == ("Needle hay", 200_000)
    assert call(world, "cy", "search.query", q="needle")["items"][0]["kind"] == "attachment"


def test_an_upload_that_changed_on_disk_is_refused(world: World) -> None:
    key, upload = make(world), send(world, b"x" * 2 * MB)
    left(world)[0].write_bytes(b"y" * 2 * MB)
    with refused("conflict"):
        call(world, "cy", "attachments.add", subject=key, name="a", data="", upload=upload)
    assert stored(world, "attachment") == 0


def test_pieces_of_work_that_was_cut_off_go_after_an_hour(world: World) -> None:
    content = world.database.write_now(lambda tx: blobs.begin(tx, bytes(32)))
    world.database.write_now(lambda tx: blobs.add_piece(tx, content, 0, b"x"))
    world.advance(3599)
    assert stored(world, "blob_piece") == 1
    world.advance(1)
    eventually(lambda: stored(world, "blob_content") == 0)
    assert stored(world, "blob_piece") == 0


def test_pieces_that_went_meanwhile_become_no_file(world: World) -> None:
    content = world.database.write_now(lambda tx: blobs.begin(tx, bytes(32)))
    world.database.write_now(lambda tx: blobs.add_piece(tx, content, 0, b"x"))
    world.database.write_now(lambda tx: blobs.drop(tx, content))
    with pytest.raises(Conflict):
        world.database.write_now(lambda tx: blobs.link(tx, bytes(32), 1, content))
    assert stored(world, "blob") == 0


def test_backups_have_large_files_too(world: World) -> None:
    key = make(world)
    content = os.urandom(11 * MB)
    file = add(world, "cy", key, content)
    whole, bare = call(world, "bo", "backups.create"), call(world, "bo", "backups.create", attachments=False)
    assert bare["bytes"] < whole["bytes"] - 10 * MB
    assert [call(world, "bo", "backups.verify", id=one["id"])["ok"] for one in (whole, bare)] == [True, True]
    job = ended(world, call(world, "ana", "backups.restore", scope="project:WEB", id=whole["id"])["job"])
    assert (job["state"], job["result"]["errors"]) == ("done", 0)
    (copied,) = call(world, "cy", "attachments.list", subject="issue:WEB2-1")
    assert (copied["id"] != file["id"], fetched(world, link(world, copied["id"]))[2] == content) == (
        True,
        True,
    )
    world.database.write_now(lambda tx: tx.execute("delete from blob_piece where number = 3"))
    damaged = call(world, "bo", "backups.create")
    assert call(world, "bo", "backups.verify", id=damaged["id"])["ok"] is False
    ended(world, call(world, "ana", "backups.restore", scope="project:WEB", id=whole["id"])["job"])
    assert fetched(world, link(world, file["id"]))[2] == content
    assert contents(world) == ["gone", "linked"]


def test_bytes_that_are_not_here_come_back_with_the_same_file(world: World) -> None:
    key = make(world)
    content = os.urandom(3 * MB)
    file = add(world, "cy", key, content)
    world.database.write_now(lambda tx: tx.execute("delete from blob_piece where number = 1"))
    assert fetched(world, link(world, file["id"]))[0] == 404
    add(world, "cy", key, content, "again.bin")
    assert fetched(world, link(world, file["id"]))[2] == content
