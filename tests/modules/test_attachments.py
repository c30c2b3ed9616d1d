"""Files: added, told apart, seen by who sees their subject, fetched by link, and gone with their bytes."""

import base64
import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import callers
from kbwork.modules.attachments.content import files, media_types
from tests.conftest import NOW, World
from tests.modules.calls import call, eventually, refused
from tests.modules.comments.test_comments import invite, make, say
from tests.modules.together import slugs, together

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def add(
    world: World, who: str, subject: str, data: bytes = b"Hello", name: str = "a.txt", **more: Any
) -> dict[str, Any]:
    asked = {"subject": subject, "name": name, "data": encoded(data)} | more
    found: dict[str, Any] = call(world, who, "attachments.add", **asked)
    return found


def names(world: World, who: str, subject: str) -> list[str]:
    return [file["name"] for file in call(world, who, "attachments.list", subject=subject)]


def count(world: World, key: str, who: str = "cy") -> int:
    return int(call(world, who, "issues.get", key=key)["counts"]["attachments"])


def stored(world: World, table: str) -> int:
    return int(world.database.write_now(lambda tx: tx.value(f"select count(*) from {table}")))


def texts(world: World) -> list[str]:
    return world.database.write_now(lambda tx: tx.column("select text from attachment_text order by text"))


def fetched(
    world: World, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Without signing in: status, headers by lower-case name, body. Headers are named with `_` for `-`."""
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def told(world: World, who: str, seq: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "api.changes", since=seq)["events"]
    return found


# adding and getting


def test_a_file_is_added_counted_listed_and_told(world: World) -> None:
    key = make(world)
    world.clock.advance(5)
    seq = world.database.seq
    file = add(world, "di", key, PNG, "shot.png")
    assert file == {
        "id": file["id"],
        "name": "shot.png",
        "content_type": "image/png",
        "size": 28,
        "subject": "issue:1",
        "created_at": NOW + 5,
        "created_by": world.people["di"].id,
    }
    assert (file["id"][:2], len(file["id"])) == ("a_", 24)
    assert call(world, "cy", "attachments.list", subject=f"issue:{key}") == [file]
    issue = call(world, "cy", "issues.get", key=key)
    assert (issue["counts"]["attachments"], issue["updated_at"]) == (1, NOW + 5)
    assert world.events_since(seq) == [("attachment.added", "issue:1")]
    (event,) = told(world, "cy", seq)
    payload = {"key": key, "project": "WEB", "attachment": file["id"], "name": "shot.png", "size": 28}
    assert (event["payload"], event["actor"]) == (payload, world.people["di"].id)
    assert call(world, "cy", "attachments.get", id=file["id"]) == {
        "id": file["id"],
        "name": "shot.png",
        "content_type": "image/png",
        "data": encoded(PNG),
    }


def test_the_list_is_oldest_first_and_an_empty_file_is_one(world: World) -> None:
    key = make(world)
    for name in ("c.txt", "a.txt", "b.txt"):
        add(world, "cy", key, b"", name)
    assert names(world, "cy", key) == ["c.txt", "a.txt", "b.txt"]
    (first, *_) = call(world, "cy", "attachments.list", subject=key)
    assert (first["size"], first["content_type"]) == (0, "text/plain")
    assert call(world, "cy", "attachments.get", id=first["id"])["data"] == ""
    assert (stored(world, "attachment"), stored(world, "blob")) == (3, 1)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/etc/passwd", "passwd"),
        ("C:\\temp\\plan.pdf", "plan.pdf"),
        ("../../x", "x"),
        ("  two   words.txt ", "two words.txt"),
        ("exe.\u202egnp.txt", "exe.gnp.txt"),
        ("a" * 255, "a" * 255),
        ("/folder" * 100 + "/ä.txt", "ä.txt"),
    ],
)
def test_folders_are_cut_from_names(world: World, given: str, kept: str) -> None:
    assert add(world, "cy", make(world), name=given)["name"] == kept


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ({"name": ""}, "invalid-input"),
        ({"name": "folder/"}, "invalid-input"),
        ({"name": ".."}, "invalid-input"),
        ({"name": "ä" * 128}, "invalid-input"),
        ({"name": "a\0b"}, "invalid-input"),
        ({"data": "not base64!"}, "invalid-input"),
        ({"data": "QQ"}, "invalid-input"),
        ({"data": "QQ=\u00e9"}, "invalid-input"),
        ({"data": None}, "invalid-input"),
        ({"content_type": "text"}, "invalid-input"),
        ({"content_type": "text/pl ain"}, "invalid-input"),
        ({"subject": "page:1"}, "not-found"),
        ({"subject": "issue:WEB-9"}, "not-found"),
        ({"subject": "issue:PRV-1"}, "not-found"),
        ({"subject": "comment:9"}, "not-found"),
        ({"subject": "comment:x"}, "not-found"),
        ({"subject": "project:PRV"}, "not-found"),
        ({"subject": "org:2"}, "not-found"),
        ({"subject": ""}, "not-found"),
        ({"file": "x"}, "unknown-field"),
    ],
)
def test_what_does_not_fit_a_file_is_refused(world: World, asked: dict[str, Any], slug: str) -> None:
    make(world)
    make(world, "di", project="PRV")
    seq = world.database.seq
    with refused(slug):
        call(world, "cy", "attachments.add", **{"subject": "WEB-1", "name": "a", "data": "QQ=="} | asked)
    assert (world.events_since(seq), stored(world, "blob")) == ([], 0)


def test_ten_megabytes_fit_and_not_one_byte_more(world: World) -> None:
    key = make(world)
    most = 10 * 1024 * 1024
    file = add(world, "cy", key, bytes(most), "big.bin")
    assert (file["size"], file["content_type"]) == (most, "application/octet-stream")
    assert call(world, "cy", "attachments.get", id=file["id"])["data"] == encoded(bytes(most))
    with refused("too-large"):
        add(world, "cy", key, bytes(most + 1))
    assert stored(world, "attachment") == 1


@pytest.mark.parametrize(
    ("data", "name", "claimed", "found"),
    [
        (b"\xff\xd8\xff\xe0", "x.txt", "text/plain", "image/jpeg"),
        (b"%PDF-1.7\n", "x", None, "application/pdf"),
        (
            b"PK\x03\x04rest",
            "x.docx",
            None,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        (b"PK\x03\x04rest", "x.bin", "image/png", "application/zip"),
        (b"<!DOCTYPE html><p>", "x.png", "image/png", "text/html"),
        (b" <!-- a --><!-- b --> <script>alert(1)</script>", "x.txt", "text/plain", "text/html"),
        (b"<?xml version='1.0'?><svg onload='x'/>", "x.txt", "text/plain", "image/svg+xml"),
        (b"<?xml version='1.0'?><a/>", "x", None, "application/xml"),
        (b"<b>plain</b>", "page.html", "text/plain", "text/html"),
        (b"a,b\n1,2\n", "x.csv", None, "text/csv"),
        (b"# Title", "README.md", None, "text/markdown"),
        (b"MZ is how it begins", "x", None, "text/plain"),
        (b"MZ\x90\x00\x03", "x", None, "application/vnd.microsoft.portable-executable"),
        (b"plain", "x", "text/x-log", "text/x-log"),
        (b"plain", "x", "text/html; charset=utf-8", "text/plain"),
        (b"plain", "x", "image/png", "text/plain"),
        (b"\0\1\2", "x", "application/x-sketch", "application/x-sketch"),
        (b"\0\1\2", "x", "image/png", "application/octet-stream"),
        (b"\0\1\2", "x", "text/html", "application/octet-stream"),
        ("grüße".encode("utf-16"), "x", None, "text/plain"),
        (b"<!--" * 300, "x", None, "text/plain"),
        (b"<!---->" * 140 + b"<x", "x", None, "text/plain"),
    ],
)
def test_the_bytes_tell_what_a_file_is(
    world: World, data: bytes, name: str, claimed: str | None, found: str
) -> None:
    assert add(world, "cy", make(world), data, name, content_type=claimed)["content_type"] == found


def test_the_org_says_which_files_it_takes(world: World) -> None:
    key = make(world)
    call(world, "bo", "org.update", allowed_files=[".PDF", "tar.gz", "image/*", "text/csv"])
    for data, name in ((b"x", "a.pdf"), (b"x", "b.Tar.GZ"), (PNG, "c.bin"), (b"a,b", "d.csv")):
        add(world, "cy", key, data, name)
    for data, name in ((b"x", "a.txt"), (b"x", "pdf"), (b"x", "a.png"), (b"x", "a.gz")):
        with pytest.raises(KbworkProblem) as refusal:
            add(world, "cy", key, data, name)
        assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", "name")
    call(world, "bo", "org.update", allowed_files=[])
    add(world, "cy", key, b"x", "a.txt")
    assert count(world, key) == 5


def test_a_retry_under_one_key_adds_one_file(world: World) -> None:
    make(world)
    client = world.key("cy")
    asked = {"subject": "WEB-1", "name": "a.txt", "data": encoded(b"A")}
    first = client.call("attachments.add", asked, idempotency_key="once")
    assert client.call("attachments.add", asked, idempotency_key="once") == first
    assert count(world, "WEB-1") == 1


def test_a_file_is_not_added_inside_a_batch(world: World) -> None:
    make(world)
    asked = {"op": "attachments.add", "input": {"subject": "WEB-1", "name": "a.txt", "data": "QQ=="}}
    with refused("invalid-input"):
        call(world, "cy", "api.batch", ops=[asked])
    assert count(world, "WEB-1") == 0


def test_files_added_at_once_are_all_there_and_stored_once(world: World) -> None:
    key = make(world)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("attachments.add", {"subject": key, "name": f"{n}.txt", "data": encoded(b"same")}) for n in range(12)
    ]
    answers = together(world, "cy", asked)
    assert slugs(answers) == []
    assert (count(world, key), stored(world, "blob")) == (12, 1)
    gone: list[tuple[str, dict[str, Any]]] = [("attachments.delete", {"id": answers[0]["id"]})] * 4
    assert sorted(slugs(together(world, "cy", gone))) == ["not-found"] * 3
    assert (count(world, key), len(call(world, "cy", "trash.list")["items"])) == (11, 1)


# who sees and who may


def test_files_are_seen_by_who_sees_the_subject(world: World) -> None:
    hidden = make(world, "di", project="PRV")
    file = add(world, "di", hidden)["id"]
    seq = world.database.seq
    add(world, "di", hidden, name="b.txt")
    for op, value in (
        ("attachments.get", {"id": file}),
        ("attachments.get", {"id": file, "as_url": True}),
        ("attachments.delete", {"id": file}),
        ("attachments.list", {"subject": hidden}),
    ):
        for who in ("ana", "cy", "gus"):
            with refused("not-found"):
                call(world, who, op, **value)
    assert told(world, "cy", seq) == []
    assert not call(world, "cy", "subjects.resolve", refs=[f"attachment:{file}"])[0]["allowed"]
    (found,) = call(world, "di", "subjects.resolve", refs=[f"attachment:{file}"])
    assert (found["title"], found["path"]) == ("a.txt", f"/issues/{hidden}#attachment-{file}")


def test_who_only_looks_adds_and_deletes_nothing(world: World) -> None:
    key = make(world)
    file = add(world, "cy", key)["id"]
    invite(world, "viewer")
    assert names(world, "gus", key) == ["a.txt"]
    with refused("not-allowed"):
        add(world, "gus", key)
    with refused("not-allowed"):
        call(world, "gus", "attachments.delete", id=file)
    invite(world, "reporter")
    own = make(world, "gus")
    mine = add(world, "gus", own)["id"]
    theirs = add(world, "cy", own)["id"]
    for each in (mine, theirs):
        call(world, "gus", "attachments.delete", id=each)
    assert count(world, own) == 0


def test_a_reporter_takes_back_their_own_file_on_anothers_issue_alone(world: World) -> None:
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    key = make(world, project="SEC")
    theirs, mine = add(world, "cy", key)["id"], add(world, "di", key)["id"]
    with refused("not-allowed"):
        call(world, "di", "attachments.delete", id=theirs)
    assert call(world, "di", "attachments.delete", id=mine)["id"] == mine
    assert call(world, "di", "trash.restore", ids=[1])["restored"] == [f"attachment:{mine}"]


def test_nothing_is_added_to_or_taken_from_what_is_archived(world: World) -> None:
    key = make(world)
    file = add(world, "cy", key)["id"]
    for sleep, wake in (
        (("issues.archive", {"keys": [key], "on": True}), ("issues.archive", {"keys": [key], "on": False})),
        (("projects.archive", {"key": "WEB", "on": True}), ("projects.archive", {"key": "WEB", "on": False})),
    ):
        call(world, "bo", sleep[0], **sleep[1])
        with refused("conflict"):
            add(world, "bo", key)
        with refused("conflict"):
            call(world, "bo", "attachments.delete", id=file)
        assert names(world, "cy", key) == ["a.txt"]
        call(world, "bo", wake[0], **wake[1])


def test_files_hang_on_projects_and_the_org_too(world: World) -> None:
    seq = world.database.seq
    file = add(world, "cy", "project:web", name="p.txt")
    assert file["subject"] == "project:WEB"
    add(world, "bo", "org:1", name="o.txt")
    assert world.events_since(seq) == [("attachment.added", "project:WEB"), ("attachment.added", "org:1")]
    assert (names(world, "di", "project:WEB"), names(world, "gus", "org:1")) == (["p.txt"], ["o.txt"])
    (event, *_) = told(world, "cy", seq)
    assert event["payload"] == {"project": "WEB", "attachment": file["id"], "name": "p.txt", "size": 5}
    with refused("not-found"):
        names(world, "gus", "project:WEB")
    with refused("not-allowed"):
        add(world, "cy", "org:1")
    with refused("not-allowed"):
        add(world, "di", "project:SEC")
    with refused("not-allowed"):
        call(world, "di", "attachments.delete", id=file["id"])
    call(world, "cy", "attachments.delete", id=file["id"])
    assert call(world, "cy", "trash.restore", ids=[1])["restored"] == [f"attachment:{file['id']}"]


def test_files_come_and_go_with_their_project(world: World) -> None:
    key = make(world)
    for subject in ("project:WEB", key):
        add(world, "cy", subject)
    gone = add(world, "cy", "project:WEB", b"Other", "gone.txt")
    call(world, "cy", "attachments.delete", id=gone["id"])
    trash = call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")["trash"]
    for subject in ("project:WEB", key):
        with refused("not-found"):
            names(world, "bo", subject)
    call(world, "bo", "trash.restore", ids=[trash])
    assert (names(world, "cy", "project:WEB"), names(world, "cy", key)) == (["a.txt"], ["a.txt"])
    trash = call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")["trash"]
    call(world, "bo", "trash.purge", ids=[trash])
    eventually(lambda: stored(world, "trash") == 0)
    assert [stored(world, table) for table in ("attachment", "attachment_text", "blob")] == [0, 0, 0]


def test_a_file_of_a_comment_is_its_authors_to_add(world: World) -> None:
    key = make(world)
    comment = say(world, "di", key)
    world.clock.advance(5)
    seq = world.database.seq
    file = add(world, "di", f"comment:{comment}")
    assert file["subject"] == f"comment:{comment}"
    assert world.events_since(seq) == [("attachment.added", f"comment:{comment}")]
    assert call(world, "cy", "issues.get", key=key)["updated_at"] == NOW + 5
    assert (count(world, key), names(world, "cy", f"comment:{comment}")) == (0, ["a.txt"])
    with refused("not-allowed"):
        add(world, "cy", f"comment:{comment}")
    with refused("not-allowed"):
        call(world, "cy", "attachments.delete", id=file["id"])
    call(world, "bo", "attachments.delete", id=file["id"])


def test_a_file_of_a_note_for_the_team_is_internal(world: World) -> None:
    invite(world, "member")
    key = make(world)
    note = say(world, "cy", key, internal=True)
    world.clock.advance(5)
    seq = world.database.seq
    file = add(world, "cy", f"comment:{note}")["id"]
    assert call(world, "cy", "issues.get", key=key)["updated_at"] == NOW
    for op, value in (
        ("attachments.list", {"subject": f"comment:{note}"}),
        ("attachments.get", {"id": file}),
        ("attachments.get", {"id": file, "as_url": True}),
        ("attachments.delete", {"id": file}),
        ("attachments.add", {"subject": f"comment:{note}", "name": "a", "data": ""}),
        ("activity.list", {"subject": f"comment:{note}"}),
    ):
        with refused("not-found"):
            call(world, "gus", op, **value)
    call(world, "cy", "attachments.delete", id=file)
    assert [event["kind"] for event in told(world, "di", seq)] == ["attachment.added", "attachment.deleted"]
    assert told(world, "gus", seq) == []
    assert call(world, "gus", "trash.list")["items"] == []
    assert not call(world, "gus", "subjects.resolve", refs=[f"attachment:{file}"])[0]["allowed"]


def test_an_agents_file_is_its_owners_too_and_not_the_other_way_round(world: World) -> None:
    key = make(world)
    owner = world.people["cy"].id

    def hire(tx: Any) -> str:
        tx.insert("agent", name="helper", label="Helper", owner=owner, created_at=tx.now)
        scopes = ["issues:read", "attachments:read", "attachments:write", "comments:write"]
        columns = {"name": "h", "kind": "agent", "agent": "helper", "scopes": scopes}
        return callers.add_key(tx, owner, columns)[1]

    agent = world._client("helper", world.database.write_now(hire))
    file = agent.call("attachments.add", {"subject": key, "name": "a.txt", "data": "QQ=="})
    assert file["created_by"] == "agent:helper"
    comment = say(world, "cy", key)
    with refused("not-allowed"):
        agent.call("attachments.add", {"subject": f"comment:{comment}", "name": "a.txt", "data": "QQ=="})
    said = agent.comments.create(subject=key, body="Hello")["id"]
    add(world, "cy", f"comment:{said}")
    call(world, "cy", "attachments.delete", id=file["id"])


# links


def test_a_link_needs_no_sign_in_for_five_minutes(world: World) -> None:
    key = make(world)
    file = add(world, "cy", key, b"<script>alert(1)</script>", 'a "ü";\r.html')
    answer = call(world, "cy", "attachments.get", id=file["id"], as_url=True)
    assert (answer["data"], answer["content_type"]) == ("", "text/html")
    assert answer["url"].startswith("/files/")
    status, headers, body = fetched(world, answer["url"])
    assert (status, body) == (200, b"<script>alert(1)</script>")
    assert headers["content-disposition"] == (
        "attachment; filename=\"a ____.html\"; filename*=UTF-8''a%20%22%C3%BC%22%3B.html"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert headers["cache-control"] == "private, no-store"
    assert fetched(world, answer["url"], "HEAD")[0] == 200
    world.clock.advance(299)
    assert fetched(world, answer["url"])[0] == 200
    world.clock.advance(1)
    assert fetched(world, answer["url"])[0] == 404


def test_a_link_that_was_altered_opens_nothing(world: World) -> None:
    first, second = add(world, "cy", make(world)), add(world, "cy", make(world), b"Other")
    url = str(call(world, "cy", "attachments.get", id=first["id"], as_url=True)["url"])
    text, _, mac = url.rpartition(".")
    later = text.replace(str(NOW + 300), str(NOW + 301))
    for bad in (
        url[:-1] + ("A" if url[-1] != "A" else "B"),
        url + "A",
        f"{text}.",
        f"{later}.{mac}",
        url.replace(first["id"], second["id"]),
        url.replace(world.people["cy"].id, world.people["di"].id),
        "/files/",
        "/files/x",
        "/files/..",
        "/files/%C3%A9.%C3%A9",
        "/files/a.b.c.d.e",
    ):
        assert fetched(world, bad)[0] in (303, 404), bad


def test_a_link_ends_with_the_sight_of_whoever_asked_for_it(world: World) -> None:
    key = make(world, project="SEC")
    own = make(world, "di", project="SEC")

    def link(who: str, issue: str) -> str:
        file = add(world, who, issue)["id"]
        return str(call(world, who, "attachments.get", id=file, as_url=True)["url"])

    url = link("di", own)
    assert fetched(world, url)[0] == 200
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="none")
    assert fetched(world, url)[0] == 404
    url = link("cy", key)
    (file,) = call(world, "cy", "attachments.list", subject=key)
    call(world, "cy", "attachments.delete", id=file["id"])
    assert fetched(world, url)[0] == 404
    url = link("cy", key)
    call(world, "cy", "issues.delete", key=key)
    assert fetched(world, url)[0] == 404
    call(world, "cy", "trash.restore", ids=[2])
    assert fetched(world, url)[0] == 200
    call(world, "bo", "members.deactivate", id="@cy", on=True)
    assert fetched(world, url)[0] == 404


# the trash, undo, and going where the subject goes


def test_a_deleted_file_waits_in_the_trash_and_comes_back(world: World) -> None:
    key = make(world)
    file = add(world, "di", key)
    url = call(world, "di", "attachments.get", id=file["id"], as_url=True)["url"]
    world.clock.advance(5)
    seq = world.database.seq
    assert call(world, "cy", "attachments.delete", id=file["id"]) == file
    assert world.events_since(seq) == [("attachment.deleted", "issue:1")]
    (event,) = told(world, "cy", seq)
    payload = {"key": key, "project": "WEB", "attachment": file["id"], "name": "a.txt", "size": 5}
    assert event["payload"] == payload
    issue = call(world, "cy", "issues.get", key=key)
    assert (issue["counts"]["attachments"], issue["updated_at"]) == (0, NOW + 5)
    for op in ("attachments.get", "attachments.delete"):
        with refused("not-found"):
            call(world, "di", op, id=file["id"])
    assert (names(world, "di", key), fetched(world, url)[0]) == ([], 404)
    (entry,) = call(world, "di", "trash.list", kind="attachment", project="WEB")["items"]
    assert (entry["subject"], entry["title"]) == (f"attachment:{file['id']}", "a.txt")
    restored = call(world, "di", "trash.restore", ids=[entry["id"]])
    assert restored == {"restored": [f"attachment:{file['id']}"], "failed": []}
    assert world.events_since(seq)[1:] == [("attachment.restored", "issue:1")]
    assert call(world, "di", "attachments.list", subject=key) == [file]
    assert count(world, key) == 1


def test_adding_and_deleting_are_taken_back(world: World) -> None:
    key = make(world)
    issue = call(world, "cy", "issues.get", key=key)
    seq = world.database.seq
    file = add(world, "cy", key)
    undone = call(world, "cy", "undo.apply", seq=seq + 1)
    assert [each["subject"] for each in undone["undone"]] == [f"attachment:{file['id']}"]
    assert call(world, "cy", "issues.get", key=key) == issue
    call(world, "cy", "undo.apply", seq=seq + 2)
    assert call(world, "cy", "attachments.list", subject=key) == [file]
    call(world, "cy", "attachments.delete", id=file["id"])
    call(world, "cy", "undo.apply", seq=seq + 4)
    assert (count(world, key), call(world, "cy", "trash.list")["items"]) == (1, [])
    assert [kind for kind, _ in world.events_since(seq)] == [
        "attachment.added",
        "attachment.deleted",
        "attachment.restored",
        "attachment.deleted",
        "attachment.restored",
    ]


def test_bytes_go_with_the_last_file_that_has_them(world: World) -> None:
    key = make(world)
    first, second = add(world, "cy", key, name="cnry.txt"), add(world, "cy", key)
    seq = world.database.seq
    for file in (first, second):
        call(world, "cy", "attachments.delete", id=file["id"])
    call(world, "bo", "trash.purge", ids=[1])
    assert [stored(world, table) for table in ("attachment", "attachment_text", "blob")] == [1, 1, 1]
    assert ("attachment.purged", f"attachment:{first['id']}") in world.events_since(seq)
    said = json.dumps([event["payload"] for event in told(world, "ana", 0)])
    assert "cnry" not in said
    assert second["id"] in said
    with refused("not-found"):
        call(world, "cy", "undo.apply", seq=seq + 1)
    call(world, "bo", "trash.purge", ids=[2])
    assert [stored(world, table) for table in ("attachment", "attachment_text", "blob")] == [0, 0, 0]


def test_files_come_and_go_with_their_issue_and_comment(world: World) -> None:
    key = make(world)
    comment = say(world, "cy", key)
    add(world, "cy", key)
    kept = add(world, "cy", f"comment:{comment}", b"Other")
    add(world, "cy", make(world), b"Elsewhere")
    call(world, "cy", "attachments.delete", id=add(world, "cy", key, b"Third")["id"])
    call(world, "cy", "comments.delete", id=comment)
    with refused("not-found"):
        call(world, "cy", "attachments.get", id=kept["id"])
    call(world, "cy", "trash.restore", ids=[2])
    assert names(world, "cy", f"comment:{comment}") == ["a.txt"]
    call(world, "cy", "issues.delete", key=key)
    assert [entry["kind"] for entry in call(world, "cy", "trash.list")["items"]] == ["issue", "attachment"]
    refusal = call(world, "cy", "trash.restore", ids=[1])["failed"]
    assert [each["id"] for each in refusal] == [1]
    assert "lies in the trash, too" in refusal[0]["reason"]
    call(world, "bo", "trash.purge", ids=[3])
    assert [stored(world, table) for table in ("attachment", "blob", "comment", "trash")] == [1, 1, 0, 0]


def test_a_file_comes_back_elsewhere_where_its_place_is_gone(world: World) -> None:
    key, other = make(world), make(world)
    file = add(world, "cy", key)
    call(world, "cy", "attachments.delete", id=file["id"])
    call(world, "cy", "issues.delete", key=key)
    assert call(world, "cy", "trash.restore", ids=[1], parent=other)["failed"] == []
    assert (names(world, "cy", other), count(world, other)) == (["a.txt"], 1)


def test_merging_takes_the_files_along_and_one_undo_back(world: World) -> None:
    key, other = make(world), make(world)
    add(world, "cy", key)
    gone = add(world, "cy", key, name="gone.txt")
    call(world, "cy", "attachments.delete", id=gone["id"])
    seq = world.database.seq
    call(world, "cy", "issues.merge", from_=[key], into=other)
    assert (names(world, "cy", other), count(world, other), count(world, key)) == (["a.txt"], 1, 0)
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert (names(world, "cy", key), count(world, other), count(world, key)) == (["a.txt"], 0, 1)


def test_a_copy_gets_the_files_that_are_asked_for(world: World) -> None:
    key = make(world)
    file = add(world, "cy", key)
    comment = say(world, "cy", key)
    add(world, "cy", f"comment:{comment}", name="said.txt")
    world.clock.advance(5)
    plain = call(world, "di", "issues.copy", key=key)["key"]
    assert names(world, "di", plain) == []
    copied = call(world, "di", "issues.copy", key=key, **{"with": ["attachments", "comments"]})
    (got,) = call(world, "di", "attachments.list", subject=copied["key"])
    assert got == file | {"id": got["id"], "subject": f"issue:{copied['id']}"}
    assert got["id"] != file["id"]
    (said,) = call(world, "di", "comments.list", subject=copied["key"])
    assert names(world, "di", f"comment:{said['id']}") == ["said.txt"]
    assert (stored(world, "blob"), count(world, copied["key"])) == (1, 1)
    assert call(world, "di", "undo.apply", seq=world.database.seq)["kept"] == []
    with refused("not-found"):
        call(world, "di", "attachments.get", id=got["id"])
    assert [entry["kind"] for entry in call(world, "di", "trash.list")["items"]] == ["issue"]


def test_files_older_than_the_org_keeps_them_go_for_good(world: World) -> None:
    key = make(world)
    old = add(world, "cy", key, b"Old")
    trashed = add(world, "cy", key, b"Trashed")
    call(world, "cy", "attachments.delete", id=trashed["id"])
    world.clock.advance(3 * 86400)
    add(world, "cy", key, b"New", "new.txt")
    seq = world.database.seq
    call(world, "ana", "org.update", retention={"attachments_days": 2})
    world.advance(0)
    eventually(lambda: stored(world, "attachment") == 1)
    assert (names(world, "cy", key), count(world, key), stored(world, "blob")) == (["new.txt"], 1, 1)
    events = [event for event in told(world, "cy", seq) if event["subject"] == "issue:1"]
    assert [(each["kind"], each["payload"]["attachment"], each["payload"]["reason"]) for each in events] == [
        ("attachment.deleted", old["id"], "retention")
    ]
    assert call(world, "cy", "trash.list")["items"] == []


# what search reads


def pdf(text: str) -> bytes:
    """A PDF of one page that says this."""
    content = f"BT /F1 24 Tf 72 720 Td ({text}) Tj ET".encode()
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    made, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(made))
        made += b"%d 0 obj%sendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(made)
    return made + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        ("Grüße an alle".encode(), "a.txt", "Grüße an alle"),
        ("\ufeffGrüße".encode("utf-16"), "a.txt", "Grüße"),
        (b"Gr\xfc\xdfe", "a.txt", "Grüße"),
        (b"<html><script>x</script><p>Seen</html>", "a.html", "Seen"),
        (b'{"a": 1}', "a.json", '{"a": 1}'),
    ],
)
def test_the_text_of_a_file_is_kept_for_search(world: World, data: bytes, name: str, text: str) -> None:
    add(world, "cy", make(world), data, name)
    assert texts(world) == [text]


@given(
    st.binary(max_size=400),
    st.sampled_from(["", "<?xml ", "<!--", "\ufeff", "%PDF-", "<svg "]),
    st.text(max_size=20),
)
def test_whatever_the_bytes_are_they_have_a_type_and_a_text_that_can_be_stored(
    data: bytes, begin: str, name: str
) -> None:
    found = files.taken(name, encoded(begin.encode() + data), None)
    assert media_types.media_type(found.type) == found.type
    assert "\0" not in (found.text or "").encode().decode()


def test_pictures_and_blanks_have_no_text(world: World) -> None:
    key = make(world)
    add(world, "cy", key, PNG, "a.png")
    add(world, "cy", key, b" \n", "a.txt")
    assert texts(world) == []


def test_a_long_text_is_cut(world: World) -> None:
    add(world, "cy", make(world), ("ä" * 300_000).encode())
    assert [len(text) for text in texts(world)] == [200_000]


def test_a_pdf_is_read_by_a_job(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    add(world, "cy", key, pdf("Vouchers of the year"), "v.pdf")
    eventually(lambda: world.events_since(seq)[-1][0] == "job.finished")
    assert texts(world) == ["Vouchers of the year"]
    assert world.events_since(seq) == [("attachment.added", "issue:1"), ("job.finished", "job:1")]
    assert call(world, "cy", "jobs.get", id=1)["result"] == {"characters": 20}


def test_a_pdf_that_cannot_be_read_has_no_text(world: World) -> None:
    key = make(world)
    seq = world.database.seq
    for number, data in enumerate((b"%PDF-1.4 nothing", pdf("x")[:200])):
        add(world, "cy", key, data, f"{number}.pdf")
    eventually(lambda: [kind for kind, _ in world.events_since(seq)].count("job.finished") == 2)
    assert texts(world) == []


def test_without_a_scope_nothing_is_seen_of_files(world: World) -> None:
    key = make(world)
    file = add(world, "cy", key)["id"]
    blind = call(world, "cy", "keys.create", name="n", scopes=["issues:read", "search:read", "activity:read"])
    with Kbwork(world.url, blind["secret"]) as client:
        for op, value in (("attachments.get", {"id": file}), ("attachments.list", {"subject": key})):
            with refused("insufficient-scope"):
                client.call(op, value)
        assert not client.call("subjects.resolve", {"refs": [f"attachment:{file}"]})[0]["allowed"]
