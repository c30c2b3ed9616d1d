"""Files that are named on something before they came: shown meanwhile, hung there by themselves, or given up."""

import io
import os
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.db.rows import ExpectedFileRow
from kbwork.db.tx import Read
from kbwork.modules.attachments.expected import arrivals
from tests.api.test_stream import listening
from tests.api.test_stream_rows import told as rows_told
from tests.api.test_uploads_in_pieces import add as send_piece
from tests.api.test_uploads_in_pieces import announce, ask, left
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.comments.test_comments import invite, make, say
from tests.modules.test_attachments import fetched, names, stored, told
from tests.modules.test_attachments_sent import link, send
from tests.modules.together import slugs, together

MB = 1024 * 1024
DAY = 24 * 3600


def upload_of(path: str) -> str:
    return path.rpartition("/")[2]


def coming(world: World, who: str = "cy", subject: str = "WEB-1") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(world, who, "attachments.expected", subject=subject)
    return found


def hung(world: World, subject: str) -> bool:
    return world.database.write_now(
        lambda tx: tx.value("select 1 from attachment where subject = :s", s=subject) is not None
    )


def at_work(world: World) -> int:
    return int(
        world.database.write_now(
            lambda tx: tx.value("select count(*) from job where state in ('queued', 'running')")
        )
    )


def announced(world: World, key: str, body: bytes = b"Hello") -> tuple[str, int]:
    """(path of an upload of which nothing is here, the comment that names it)."""
    path = announce(world, len(body), "shot.png")
    made = call(
        world, "cy", "comments.create", subject=key, body="See the picture", uploads=[upload_of(path)]
    )
    return path, made["id"]


def test_a_comment_names_a_file_that_is_still_coming_and_gets_it(world: World) -> None:
    key, seq = make(world), world.database.seq
    path, comment = announced(world, key)
    assert world.events_since(seq) == [
        ("comment.created", "issue:1"),
        ("attachment.expected", f"comment:{comment}"),
    ]
    send_piece(world, path, 0, b"He")
    (one,) = coming(world)
    assert one == {
        "id": one["id"],
        "name": "shot.png",
        "size": 5,
        "arrived": 2,
        "subject": f"comment:{comment}",
        "upload": upload_of(path),
        "created_at": world.clock.now(),
        "created_by": world.people["cy"].id,
        "expires_at": world.clock.now() + DAY,
    }
    assert coming(world, "di") == [one | {"upload": None}]
    assert coming(world, "di", f"comment:{comment}") == [one | {"upload": None}]
    assert names(world, "di", f"comment:{comment}") == []
    event = told(world, "di", seq)[1]["payload"]
    assert event == {"key": key, "project": "WEB", "attachment": one["id"], "name": "shot.png", "size": 5}
    seq = world.database.seq
    send_piece(world, path, 2, b"llo")
    eventually(lambda: hung(world, f"comment:{comment}"))
    (file,) = call(world, "di", "attachments.list", subject=f"comment:{comment}")
    assert file == {
        "id": one["id"],
        "name": "shot.png",
        "content_type": "text/plain",
        "size": 5,
        "subject": f"comment:{comment}",
        "created_at": world.clock.now(),
        "created_by": world.people["cy"].id,
    }
    eventually(lambda: not left(world) and not at_work(world))
    added = [(one["kind"], one["actor"]) for one in told(world, "di", seq)]
    assert added == [("attachment.added", world.people["cy"].id)]
    assert (coming(world), stored(world, "upload"), stored(world, "expected_file")) == ([], 0, 0)


def test_an_issue_gets_large_files_that_were_here_before_it(world: World) -> None:
    content = os.urandom(2 * MB + 5)
    ident = send(world, content, name="trace.bin")
    issue = call(world, "cy", "issues.create", project="WEB", title="It stops", uploads=[ident, ident])
    eventually(lambda: hung(world, f"issue:{issue['id']}"))
    (file,) = call(world, "cy", "attachments.list", subject=issue["key"])
    assert (file["name"], fetched(world, link(world, file["id"]))[2] == content) == ("trace.bin", True)
    assert call(world, "cy", "issues.get", key=issue["key"])["counts"]["attachments"] == 1


def test_rows_of_the_stream_tell_that_it_is_here(world: World) -> None:
    key = make(world)
    with listening(world, "di", "?rows=1") as listener:
        messages = rows_told(listener)
        next(messages)
        path = announce(world, 5)
        call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
        (rows,) = next(messages)["upserts"]
        count = rows["columns"].index("attachments")
        assert [row[count] for row in rows["rows"]] == [0]
        send_piece(world, path, 0, b"Hello")
        (rows,) = next(messages)["upserts"]
        assert [row[count] for row in rows["rows"]] == [1]


def test_what_undo_takes_back_and_brings_back_has_its_files(world: World) -> None:
    key = make(world)
    ident, seq = send(world, b"Hello"), world.database.seq
    made = call(world, "cy", "comments.create", subject=key, body="See", uploads=[ident])["id"]
    eventually(lambda: hung(world, f"comment:{made}") and not at_work(world))
    call(world, "cy", "undo.apply", seq=seq + 1)
    with refused("not-found"):
        names(world, "cy", f"comment:{made}")
    (entry,) = call(world, "cy", "trash.list")["items"]
    call(world, "cy", "trash.restore", ids=[entry["id"]])
    assert names(world, "cy", f"comment:{made}") == ["a.bin"]


def test_what_comes_for_a_deleted_comment_waits_and_comes_back_with_it(world: World) -> None:
    key = make(world)
    path, comment = announced(world, key)
    call(world, "cy", "comments.delete", id=comment)
    assert coming(world) == []
    send_piece(world, path, 0, b"Hello")
    eventually(lambda: not at_work(world))
    assert (stored(world, "attachment"), stored(world, "expected_file"), len(left(world))) == (0, 1, 1)
    (entry,) = call(world, "cy", "trash.list")["items"]
    call(world, "cy", "trash.restore", ids=[entry["id"]])
    assert [(one["name"], one["arrived"]) for one in coming(world)] == [("shot.png", 5)]

    def came() -> bool:
        world.advance(60)
        return hung(world, f"comment:{comment}")

    eventually(came)
    assert names(world, "di", f"comment:{comment}") == ["shot.png"]


def test_what_is_purged_meanwhile_gets_nothing_and_the_upload_stays_its_senders(world: World) -> None:
    key = make(world)
    path, comment = announced(world, key)
    call(world, "cy", "comments.delete", id=comment)
    call(world, "bo", "trash.purge", ids=[1])
    assert stored(world, "expected_file") == 0
    send_piece(world, path, 0, b"Hello")
    call(world, "cy", "attachments.add", subject=key, name="a.png", data="", upload=upload_of(path))
    assert names(world, "cy", key) == ["a.png"]


def test_what_is_not_here_after_a_day_is_given_up(world: World) -> None:
    key, seq = make(world), world.database.seq
    _, comment = announced(world, key)
    (one,) = coming(world)
    world.advance(DAY)
    eventually(lambda: stored(world, "expected_file") == 0)
    event = told(world, "di", seq)[-1]
    payload = {"key": key, "project": "WEB", "attachment": one["id"], "name": "shot.png", "size": 5}
    assert (event["kind"], event["subject"]) == ("attachment.given_up", f"comment:{comment}")
    assert event["payload"] == payload | {"reason": "expired"}
    assert coming(world) == []


def test_its_sender_takes_it_back(world: World) -> None:
    key = make(world)
    path, _ = announced(world, key)
    seq = world.database.seq
    assert ask(world, "DELETE", path).status == 204
    (event,) = told(world, "di", seq)
    assert (event["kind"], event["payload"]["reason"], event["actor"]) == (
        "attachment.given_up",
        "cancelled",
        world.people["cy"].id,
    )
    assert coming(world) == []


def test_what_is_used_elsewhere_is_not_waited_for(world: World) -> None:
    key = make(world)
    path, _ = announced(world, key)
    ident = upload_of(path)
    with refused("conflict"):
        call(world, "cy", "attachments.add", subject=key, name="a.txt", data="", upload=ident)
    with world.at_rest():
        send_piece(world, path, 0, b"Hello")
        seq = world.database.seq
        call(world, "cy", "attachments.add", subject=key, name="a.txt", data="", upload=ident)
    assert [kind for kind, _ in world.events_since(seq)] == ["attachment.given_up", "attachment.added"]
    eventually(lambda: not at_work(world))
    assert (names(world, "cy", key), stored(world, "attachment")) == (["a.txt"], 1)


def test_who_may_not_add_it_any_more_does_not(world: World) -> None:
    key = make(world)
    path, comment = announced(world, key)
    seq = world.database.seq
    call(world, "bo", "org.update", allowed_files=["image/*"])
    send_piece(world, path, 0, b"Hello")
    eventually(lambda: stored(world, "expected_file") == 0 and not at_work(world))
    event = told(world, "di", seq)[-1]
    assert (event["kind"], event["payload"]["reason"]) == ("attachment.given_up", "refused")
    assert names(world, "cy", f"comment:{comment}") == []
    call(world, "bo", "org.update", allowed_files=[])
    call(world, "cy", "attachments.add", subject=key, name="a", data="", upload=upload_of(path))


def test_whoever_left_adds_nothing(world: World) -> None:
    key = make(world)
    path = announce(world, 5)
    call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
    with world.at_rest():
        send_piece(world, path, 0, b"Hello")
        call(world, "ana", "members.deactivate", id="@cy", on=True)
    eventually(lambda: stored(world, "expected_file") == 0 and not at_work(world))
    assert (names(world, "bo", key), stored(world, "attachment")) == ([], 0)


def archived_meanwhile(world: World) -> tuple[str, str]:
    """An issue that was archived before the file came that was named on it; its key, and the upload of the file."""
    key = make(world)
    path = announce(world, 5)
    call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
    call(world, "cy", "issues.archive", keys=[key], on=True)
    send_piece(world, path, 0, b"Hello")
    eventually(lambda: not at_work(world))
    return key, upload_of(path)


def test_an_archived_issue_waits_until_it_is_open_again(world: World) -> None:
    key, _ = archived_meanwhile(world)
    assert names(world, "cy", key) == []
    call(world, "cy", "issues.archive", keys=[key], on=False)
    world.advance(60)
    eventually(lambda: len(names(world, "cy", key)) == 1)


def test_what_waits_is_judged_once_a_minute(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, upload = archived_meanwhile(world)
    judged: list[str] = []
    verdict = arrivals._verdict

    def noted(tx: Read, row: ExpectedFileRow, *more: Any) -> arrivals.Verdict:
        judged.append(row["upload"])
        return verdict(tx, row, *more)

    monkeypatch.setattr(arrivals, "_verdict", noted)
    with world.at_rest():
        world.clock.advance(60)
        found = [world.database.write_now(arrivals._look) for _ in range(5)]  # each is a round of the server
    assert (found, judged) == ([None] * 5, [upload])


def test_two_who_find_what_waits_begin_it_once(world: World) -> None:
    key = make(world)
    path = announce(world, 5)
    call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
    with world.at_rest():
        send_piece(world, path, 0, b"Hello")
        before = at_work(world)
        world.database.write_now(lambda tx: arrivals._take(tx, [upload_of(path)]))
        assert at_work(world) == before == 1
    eventually(lambda: len(names(world, "cy", key)) == 1)


def test_where_there_are_no_files_for_a_while_it_waits(world: World) -> None:
    key = make(world)
    path = announce(world, 5)
    call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
    with world.at_rest():
        send_piece(world, path, 0, b"Hello")
        call(world, "ana", "org.modules_set", off=["attachments"])
    eventually(lambda: not at_work(world))
    assert (stored(world, "attachment"), stored(world, "expected_file")) == (0, 1)
    call(world, "ana", "org.modules_set", on=["attachments"])
    world.advance(60)
    eventually(lambda: len(names(world, "cy", key)) == 1)


def test_files_of_internal_notes_are_for_the_team(world: World) -> None:
    key = make(world)
    invite(world, "member")
    path, seq = announce(world, 5), world.database.seq
    call(world, "cy", "comments.create", subject=key, body="Us", internal=True, uploads=[upload_of(path)])
    assert (len(coming(world, "di")), coming(world, "gus")) == (1, [])
    send_piece(world, path, 0, b"Hello")
    eventually(lambda: stored(world, "attachment") == 1)
    assert [event["kind"] for event in told(world, "gus", seq)] == []


@pytest.mark.parametrize(
    ("who", "asked", "slug"),
    [
        ("di", {}, "not-found"),
        ("cy", {"uploads": ["u_0"]}, "not-found"),
        ("cy", {"uploads": []}, "invalid-input"),
        ("cy", {"subject": "WEB-9"}, "not-found"),
        ("cy", {"subject": "PRV-1"}, "not-found"),
        ("cy", {"subject": "label:1"}, "invalid-input"),
        ("cy", {"subject": "org:1"}, "not-allowed"),
    ],
)
def test_what_is_refused_changes_nothing(world: World, who: str, asked: dict[str, Any], slug: str) -> None:
    key = make(world)
    path, seq = announce(world, 5), world.database.seq
    with refused(slug):
        call(world, who, "attachments.expect", **({"subject": key, "uploads": [upload_of(path)]} | asked))
    assert (world.database.seq, stored(world, "expected_file")) == (seq, 0)


def test_a_name_that_is_not_taken_refuses_the_whole_comment(world: World) -> None:
    key = make(world)
    call(world, "bo", "org.update", allowed_files=[".pdf"])
    path, seq = announce(world, 5), world.database.seq
    with refused("invalid-input"):
        call(world, "cy", "comments.create", subject=key, body="See", uploads=[upload_of(path)])
    assert world.database.seq == seq
    call(world, "bo", "org.update", allowed_files=["application/pdf"])
    call(world, "cy", "comments.create", subject=key, body="See", uploads=[upload_of(path)])


def test_without_the_scope_nothing_is_named(world: World) -> None:
    key = make(world)
    path = announce(world, 5)
    scopes = ["comments:write", "issues:write", "issues:read"]
    token = call(world, "cy", "keys.create", name="Narrow", scopes=scopes)["secret"]
    with Kbwork(world.url, token) as narrow, refused("insufficient-scope"):
        narrow.call("comments.create", {"subject": key, "body": "See", "uploads": [upload_of(path)]})
    assert stored(world, "comment") == 0


def test_an_upload_is_named_in_one_place(world: World) -> None:
    key, other = make(world), make(world)
    path, comment = announced(world, key)
    seq = world.database.seq
    call(world, "cy", "comments.update", id=comment, body="See the picture", uploads=[upload_of(path)])
    assert (world.database.seq, len(coming(world))) == (seq, 1)
    with refused("conflict"):
        call(world, "cy", "attachments.expect", subject=other, uploads=[upload_of(path)])
    asked = [{"subject": subject, "uploads": [upload_of(announce(world, 5))]} for subject in (key, other)]
    asked[1]["uploads"] = asked[0]["uploads"]
    answers = together(world, "cy", [("attachments.expect", one) for one in asked])
    assert slugs(answers) == ["conflict"]


def test_files_that_come_go_where_their_issue_goes(world: World) -> None:
    key, other = make(world), make(world)
    path = announce(world, 5)
    call(world, "cy", "attachments.expect", subject=key, uploads=[upload_of(path)])
    call(world, "cy", "issues.merge", from_=[key], into=other)
    assert [one["subject"] for one in coming(world, subject=other)] == ["issue:2"]
    send_piece(world, path, 0, b"Hello")
    eventually(lambda: hung(world, "issue:2"))


def test_a_file_that_was_sent_at_once_is_named_too(world: World) -> None:
    key = make(world)
    comment = say(world, "cy", key)
    ident = str(world.key("cy").upload(io.BytesIO(b""), "empty.txt")["upload"])
    call(world, "cy", "comments.update", id=comment, body="Hello", uploads=[ident])
    eventually(lambda: hung(world, f"comment:{comment}"))
    assert names(world, "cy", f"comment:{comment}") == ["empty.txt"]


def test_an_erased_sender_leaves_nothing_waiting(world: World) -> None:
    key = make(world)
    announced(world, key)
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(lambda: stored(world, "upload") == 0)
    assert stored(world, "expected_file") == 0
