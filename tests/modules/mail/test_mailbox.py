"""Mailboxes: read in their time, each mail once, and what becomes of it."""

import contextlib
import json
import shutil
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import InvalidInput
from kbwork.core.mail import received
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.tx import Write
from kbwork.modules.backups import carry_over
from kbwork.modules.mail import jobs
from kbwork.modules.mail.mailbox import queries
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.conftest import NOW, Person, World
from tests.modules.calls import call, eventually, refused
from tests.modules.desk.helpdesk import customer, open_desk
from tests.modules.desk.test_customers import letters
from tests.modules.mail.far_mailbox import PASSWORD, FarMailbox, open_mailbox
from tests.worker.test_mail import certificate as certificate  # noqa: PLC0414 - a fixture


@pytest.fixture(params=["imap", "pop"])
def protocol(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def far(protocol: str) -> Iterator[FarMailbox]:
    with open_mailbox(protocol) as box:
        yield box


@pytest.fixture
def settings(far: FarMailbox) -> Settings:
    allowed = (f"127.0.0.1:{far.port}", f"localhost:{far.port}")
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=allowed))


def letter(sender: str = "Cy Moss <cy@acme.example>", **more: str) -> EmailMessage:
    found = EmailMessage()
    written = {
        "Subject": "The cart is empty",
        "text": "It was full.\n",
        "Message-ID": f"<{len(more)}@far.example>",
    }
    written |= {name.replace("_", "-"): value for name, value in more.items()}
    text = written.pop("text")
    found["From"] = sender
    for name, value in written.items():
        found[name] = value
    found.set_content(text)
    return found


def box_of(world: World, far: FarMailbox, protocol: str, **more: Any) -> Any:
    asked: dict[str, Any] = {
        "name": "Shop",
        "protocol": protocol,
        "host": "127.0.0.1",
        "port": far.port,
        "security": "none",
        "user": "shop",
        "password": PASSWORD,
        "target": {"project": "WEB"},
    }
    return world.session("ana").call("mail.mailbox_save", asked | more)


def rows(world: World) -> list[tuple[Any, ...]]:
    return world.database.write_now(
        lambda tx: [
            (row["result"], row["subject"])
            for row in tx.all("select result, subject from mailbox_mail order by id")
        ]
    )


def settled(world: World, number: int) -> None:
    """So many mails came to an end."""
    eventually(lambda: len([one for one in rows(world) if one[0] != "begun"]) == number)


def again(world: World) -> None:
    """Have it read once more, until that is over."""
    call(world, "ana", "mail.mailbox_test", id=1, pull=True)
    now = world.clock.now()
    eventually(lambda: (call(world, "ana", "mail.mailboxes")[0]["next_at"] or 0) > now)


def test_a_mail_of_a_member_becomes_their_issue_once(world: World, far: FarMailbox, protocol: str) -> None:
    far.put(letter())
    found = box_of(world, far, protocol)
    assert found == {
        "id": 1,
        "name": "Shop",
        "protocol": protocol,
        "host": "127.0.0.1",
        "port": far.port,
        "security": "none",
        "user": "shop",
        "has_password": True,
        "folder": "INBOX",
        "hook_path": None,
        "target": {"project": "WEB"},
        "every_minutes": 5,
        "delete_after": False,
        "allow": [],
        "deny": [],
        "last_at": None,
        "last_error": None,
        "next_at": world.clock.now(),
    }
    settled(world, 1)
    issue = call(world, "ana", "issues.get", key="WEB-1")
    assert (issue["title"], issue["body"], issue["reporter"]) == (
        "The cart is empty",
        "It was full.",
        world.people["cy"].id,
    )
    again(world)
    far.put(letter())  # the same Message-ID
    again(world)
    assert rows(world) == [("created", f"issue:{issue['id']}"), ("ignored", None)]
    if protocol == "imap":
        eventually(lambda: far.seen == {1, 2})
    shown = call(world, "ana", "mail.mailboxes")[0]
    assert (shown["last_error"], shown["last_at"]) == (None, world.clock.now())


def test_a_reply_is_said_on_what_it_answers_to(world: World, far: FarMailbox, protocol: str) -> None:
    issue = call(world, "ana", "issues.create", project="WEB", title="Boats")
    told = Letter(subject="WEB-1 Boats", text="x", about=f"issue:{issue['id']}")
    world.database.write_now(lambda tx: mail.to_member(tx, world.people["cy"].id, told))
    ours = world.database.write_now(lambda tx: tx.value("select message_id from mail"))
    quoted = "I see.\n\nOn Monday Ana wrote:\n> x\n"
    far.put(letter(Subject="Re: WEB-1 Boats", In_Reply_To=ours, text=quoted))
    far.put(letter(Subject="Re: [WEB-1] Boats", text="By its key.\n", Message_ID="<key@far.example>"))
    far.put(letter(Subject="New", text="First.\n", Message_ID="<new@far.example>"))
    far.put(letter(Subject="Re: New", text="Second.\n", References="<new@far.example>", Message_ID="<n2@x>"))
    box_of(world, far, protocol)
    settled(world, 4)
    assert [result for result, _ in rows(world)] == ["commented", "commented", "created", "commented"]
    said = [
        (one["body"], one["author"]) for one in call(world, "ana", "comments.list", subject="issue:WEB-1")
    ]
    cy = world.people["cy"].id
    assert sorted(said) == [("By its key.", cy), ("I see.", cy)]
    assert [one["body"] for one in call(world, "ana", "comments.list", subject="issue:WEB-2")] == ["Second."]


def test_nobody_does_by_mail_what_they_may_not(world: World, far: FarMailbox, protocol: str) -> None:
    secret = call(world, "di", "issues.create", project="PRV", title="Secret")
    told = Letter(subject="Secret", text="x", about=f"issue:{secret['id']}")
    world.database.write_now(lambda tx: mail.to_member(tx, world.people["di"].id, told))
    ours = world.database.write_now(lambda tx: tx.value("select message_id from mail"))
    far.put(letter(Subject="Re: Secret", In_Reply_To=ours, Message_ID="<1@x>"))  # Cy does not see it
    far.put(letter("Gus Field <gus@acme.example>", Message_ID="<2@x>"))  # a guest
    far.put(letter("Eve <eve@evil.example>", Message_ID="<3@x>"))
    forged = letter(Message_ID="<4@x>")
    forged["Authentication-Results"] = "mx.acme.example; spf=fail; dmarc=fail header.from=acme.example"
    far.put(forged)
    box_of(world, far, protocol)
    settled(world, 4)
    assert [result for result, _ in rows(world)] == ["created", "refused", "refused", "refused"]
    assert call(world, "di", "comments.list", subject=f"issue:{secret['key']}") == []
    again(world)
    assert len(rows(world)) == 4


def test_who_is_allowed_is_heard_in_the_name_of_whoever_saved_it(
    world: World, far: FarMailbox, protocol: str
) -> None:
    far.put(letter("Zoë <zoe@partner.example>", Message_ID="<1@x>"))
    far.put(letter("Bad <bad@partner.example>", Message_ID="<2@x>"))
    far.put(letter(Message_ID="<3@x>"))
    far.put(letter("No <x@partner.example.evil.example>", Message_ID="<4@x>"))
    box_of(world, far, protocol, allow=["@Partner.example"], deny=["bad@partner.example"])
    settled(world, 4)
    assert [result for result, _ in rows(world)] == ["created", "ignored", "ignored", "ignored"]
    issue = call(world, "ana", "issues.get", key="WEB-1")
    assert issue["reporter"] == world.people["ana"].id
    assert issue["body"] == "> Zoë (zoe@partner.example) wrote by mail:\n\nIt was full."


def test_what_cannot_be_taken_does_not_stop_the_rest(world: World, far: FarMailbox, protocol: str) -> None:
    far.put(b"From: cy@acme.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n" * 3)
    far.put(b"\xff\xfe\x00" * 100)
    number = far.put(letter(Message_ID="<big@x>"))
    far.sizes[number] = 1 << 40
    hostile = letter(Message_ID="<4@x>")
    hostile.replace_header("Subject", "<script>alert(1)</script>")
    far.put(hostile)
    far.put(letter(Message_ID="<auto@x>", Auto_Submitted="auto-replied"))
    far.put(letter(Message_ID="<last@x>", text="." + "x" * 5000 + "\n"))
    box_of(world, far, protocol)
    settled(world, 6)
    results = [result for result, _ in rows(world)]
    assert results[2:] == ["failed", "created", "ignored", "created"]
    titles = [one["title"] for one in call(world, "ana", "issues.list", project="WEB")["items"]]
    assert "<script>alert(1)</script>" in titles


def test_mail_is_deleted_once_it_was_taken(world: World, far: FarMailbox, protocol: str) -> None:
    for number in range(12):
        far.put(letter(Message_ID=f"<{number}@x>"))
    far.put(letter("Eve <eve@evil.example>"))
    box_of(world, far, protocol, delete_after=True)
    eventually(lambda: far.waits() == [13])
    assert [result for result, _ in rows(world)] == ["created"] * 12 + ["refused"]


def test_a_mail_that_was_begun_thrice_is_left_and_one_that_was_begun_once_is_taken(
    world: World, far: FarMailbox, protocol: str
) -> None:
    """As a process leaves them that is killed in between."""
    far.put(letter(Message_ID="<1@x>"))
    far.put(letter(Message_ID="<2@x>"))
    with world.at_rest():
        box_of(world, far, protocol)
        uids = ["7:1", "7:2"] if protocol == "imap" else ["uid-1", "uid-2"]
        for uid, tries in zip(uids, (1, 2), strict=True):
            world.database.write_now(
                lambda tx, uid=uid, tries=tries: tx.execute(  # type: ignore[misc]  # bound now
                    "insert into mailbox_mail (mailbox, uid, result, tries, settled, at)"
                    " values (1, :uid, 'begun', :tries, 0, 0)",
                    uid=uid,
                    tries=tries,
                )
            )
    settled(world, 2)
    assert [result for result, _ in rows(world)] == ["created", "failed"]


def test_a_trial_says_how_many_wait_or_what_to_mend(world: World, far: FarMailbox, protocol: str) -> None:
    with world.at_rest():
        box_of(world, far, protocol, user="other")
        far.put(letter())
        found = call(world, "ana", "mail.mailbox_test", id=1)
        assert found == {
            "ok": True,
            "detail": f"127.0.0.1:{far.port} lets it be read: 1 mail waits.",
            "waiting": 1,
        }
        assert rows(world) == []
        box_of(world, far, protocol, id=1, password="not this one")
        found = call(world, "ana", "mail.mailbox_test", id=1)
        assert (found["ok"], found["waiting"]) == (False, 0)
        assert "wrong password" in found["detail"]
        assert "wrong password" not in str(call(world, "ana", "audit.list", limit=200))
    eventually(lambda: call(world, "ana", "mail.mailboxes")[0]["last_error"] is not None)
    assert "wrong password" in call(world, "ana", "mail.mailboxes")[0]["last_error"]


def test_a_password_is_sealed_kept_and_gone_with_its_address(
    world: World, far: FarMailbox, protocol: str
) -> None:
    with world.at_rest():
        box_of(world, far, protocol)
        kept = world.database.write_now(lambda tx: tx.value("select password from mailbox"))
        assert PASSWORD.encode() not in kept
        assert box_of(world, far, protocol, id=1, password=None, name="Other")["has_password"]
        for moved in ({"host": "imap.acme.example", "security": "tls"}, {"user": "eve"}):
            with refused("invalid-input"):
                box_of(world, far, protocol, id=1, password=None, **moved)
        refusals: tuple[dict[str, Any], ...] = (
            {"host": "10.0.0.1"},
            {"host": "imap.acme.example"},  # in the clear
            {"target": {}},
            {"target": {"project": "WEB", "desk": "WEB"}},
            {"target": {"desk": "WEB"}},  # no desk there
            {"folder": "a\r\nb"},
            {"every_minutes": 0},
            {"allow": ["not an address"]},
        )
        with refused("invalid-input"):
            box_of(world, far, "hook", id=1)
        for wrong in refusals:
            with refused("invalid-input"):
                box_of(world, far, protocol, **wrong)
        with refused("not-found"):
            box_of(world, far, protocol, target={"project": "PRV"})
        assert PASSWORD not in str(call(world, "ana", "mail.mailboxes"))
    assert call(world, "ana", "mail.mailbox_delete", id=1) == []
    with refused("not-found"):
        call(world, "ana", "mail.mailbox_test", id=1)


def test_a_far_end_that_never_answers_holds_up_nobody(
    world: World, far: FarMailbox, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.worker.mail_lines._PULL_S", 0.3)
    far.silent = True
    box_of(world, far, protocol)
    eventually(lambda: call(world, "ana", "mail.mailboxes")[0]["last_error"] is not None)
    assert "did not answer in time" in call(world, "ana", "mail.mailboxes")[0]["last_error"]


def test_a_certificate_is_checked(
    world: World, far: FarMailbox, protocol: str, certificate: tuple[Path, Path]
) -> None:
    if protocol == "pop":
        return
    far.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    far.tls.load_cert_chain(*map(str, certificate))
    far.put(letter())
    with world.at_rest():
        box_of(world, far, protocol, host="localhost", security="starttls", folder="Eingänge")
        found = call(world, "ana", "mail.mailbox_test", id=1)
        assert "CERTIFICATE_VERIFY_FAILED" in found["detail"]
        assert not any(PASSWORD in one for one in far.said)
        assert world.app is not None
        lines: Any = world.app.dispatcher.lines
        lines._tls = ssl.create_default_context(cafile=str(certificate[0]))
        found = call(world, "ana", "mail.mailbox_test", id=1)
        assert (found["ok"], found["waiting"]) == (True, 1), found


def test_a_restore_reads_no_mailbox_that_was_not_read_and_takes_nothing_twice(
    world: World, far: FarMailbox, protocol: str
) -> None:
    far.put(letter())
    box_of(world, far, protocol)
    settled(world, 1)
    again(world)
    with world.at_rest():
        held = world.database.write_now(carry_over.since)
        world.database.write_now(lambda tx: tx.execute("delete from mailbox_mail"))
        world.database.write_now(lambda tx: carry_over._carry_mail(tx, held.mail))
        assert [result for result, _ in rows(world)] == ["created"]
        assert call(world, "ana", "mail.mailboxes")[0]["next_at"] is not None
        world.database.write_now(lambda tx: carry_over._carry_mail(tx, None))
        box = call(world, "ana", "mail.mailboxes")[0]
        assert box["next_at"] is None
        assert "save the mailbox" in box["last_error"]


def test_it_is_for_admins(world: World, protocol: str, far: FarMailbox) -> None:
    for who in ("cy", "gus"):
        for op in ("mailboxes", "mailbox_save", "mailbox_delete", "mailbox_test"):
            with refused("insufficient-scope"):
                world.session(who).call(f"mail.{op}", {"id": 1})


def test_mail_becomes_pages_and_a_purged_space_takes_its_mailbox_along(
    world: World, far: FarMailbox, protocol: str
) -> None:
    call(world, "ana", "spaces.save", key="HAND", name="Handbook")
    far.put(letter())
    box_of(world, far, protocol, target={"page_space": "HAND"})
    settled(world, 1)
    ((result, subject),) = rows(world)
    assert result == "created"
    page = call(world, "ana", "pages.get", id=subject.removeprefix("page:"))
    assert (page["title"], page["body"].strip()) == ("The cart is empty", "It was full.")


def test_mail_to_a_desk_becomes_a_request_and_an_answer_to_it(
    world: World, far: FarMailbox, protocol: str
) -> None:
    call(world, "ana", "desk.save", project="WEB", enabled=True, open_signup=True)
    far.put(letter("Rita Rivers <rita@rivers.example>", Message_ID="<1@x>"))
    again_hers = letter(
        "Rita Rivers <rita@rivers.example>", Subject="Re: x", text="Soon?\n", Message_ID="<2@x>"
    )
    again_hers["References"] = "<1@x>"
    far.put(again_hers)
    far.put(letter("Eve <eve@evil.example>", Message_ID="<3@x>"))
    forged = letter("Rita Rivers <rita@rivers.example>", Subject="Re: [WEB-1] x", Message_ID="<4@x>")
    forged["Authentication-Results"] = "mx.acme.example; dmarc=fail header.from=rivers.example"
    far.put(forged)
    box_of(world, far, protocol, target={"desk": "WEB"}, deny=["evil.example"])
    settled(world, 4)
    assert [result for result, _ in rows(world)] == ["created", "commented", "ignored", "refused"]
    assert call(world, "ana", "issues.get", key="WEB-1")["title"] == "The cart is empty"
    assert [one["body"] for one in call(world, "ana", "comments.list", subject="issue:WEB-1")] == ["Soon?"]


def test_a_purged_project_takes_its_mailbox_along(world: World, far: FarMailbox, protocol: str) -> None:
    with world.at_rest():
        box_of(world, far, protocol)
        call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")
        entry = call(world, "ana", "trash.list")["items"][0]["id"]
        call(world, "ana", "trash.purge", ids=[entry])
        assert call(world, "ana", "mail.mailboxes") == []


def test_erasing_somebody_forgets_that_mail_came_from_them(
    world: World, far: FarMailbox, protocol: str
) -> None:
    far.put(letter())
    box_of(world, far, protocol)
    settled(world, 1)
    call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")
    eventually(
        lambda: world.database.write_now(lambda tx: tx.column("select sender from mailbox_mail")) == [None]
    )


# By a mail service that posts.


def post(world: World, path: str, **mail: Any) -> Any:
    asked = urllib.request.Request(
        world.url + path, json.dumps(mail).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(asked, timeout=20) as answer:
        return json.loads(answer.read())


def test_a_mail_service_posts_to_a_hook(world: World, far: FarMailbox, protocol: str) -> None:
    made = world.session("ana").call(
        "mail.mailbox_save", {"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}}
    )
    path = made["hook_path"]
    assert path.startswith("/in/mail/")
    assert call(world, "ana", "mail.mailboxes")[0]["hook_path"] is None
    same = {"id": 1, "name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}}
    assert world.session("ana").call("mail.mailbox_save", same)["hook_path"] == path
    mail_of_cy = {"from": "cy@acme.example", "subject": "Idea", "text": "Sails", "message_id": "<1@x>"}
    assert post(world, path, **mail_of_cy)["result"] == "created"
    assert post(world, path, **mail_of_cy)["result"] == "ignored"
    reply = {"from": "cy@acme.example", "subject": "Re: Idea", "text": "And oars", "references": "<1@x>"}
    assert post(world, path, **reply)["result"] == "commented"
    assert post(world, path, **{"from": "eve@evil.example", "subject": "x"})["result"] == "refused"
    with pytest.raises(urllib.error.HTTPError) as raised:
        post(world, "/in/mail/guessed", **mail_of_cy)
    raised.value.close()
    assert raised.value.code == 404
    assert call(world, "ana", "mail.mailbox_test", id=1)["ok"]
    with refused("insufficient-scope"):
        call(world, "ana", "mail.ingest", from_="cy@acme.example", token="x")


def test_a_report_is_read_in_its_parts() -> None:
    raw = (
        b"From: MAILER-DAEMON@far.example\r\nReturn-Path: <>\r\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        b"Final-Recipient: rfc822; cy@acme.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        b"--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <abc@acme.example>\r\nSubject: x\r\n\r\nbody\r\n"
        b"--b--\r\n"
    )
    got = received.parse(raw)
    assert got.automatic
    assert "5.1.1" in got.report
    assert "<abc@acme.example>" in got.report


def test_a_report_in_a_mailbox_silences_the_address_and_is_never_answered(
    world: World, far: FarMailbox, protocol: str
) -> None:
    told = Letter(subject="Hello", text="x")
    world.database.write_now(lambda tx: mail.to_member(tx, world.people["cy"].id, told))
    ours = world.database.write_now(lambda tx: tx.value("select message_id from mail"))
    seq = world.database.seq
    far.put(
        f"From: MAILER-DAEMON@far.example\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
        f"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        f"Final-Recipient: rfc822; cy@acme.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {ours}\r\n--b--\r\n".encode()
    )
    box_of(world, far, protocol)
    settled(world, 1)
    assert [one["address"] for one in call(world, "ana", "mail.suppressed")] == ["cy@acme.example"]
    assert [kind for kind, _ in world.events_since(seq)] == ["mail.bounced"]
    assert world.database.write_now(lambda tx: tx.value("select count(*) from mail")) == 1


def test_what_was_taken_long_ago_is_forgotten_but_where_the_far_end_shows_it_again(
    world: World, far: FarMailbox, protocol: str
) -> None:
    far.put(letter())
    box_of(world, far, protocol)
    settled(world, 1)
    again(world)
    world.clock.advance(jobs.KEPT_S + 1)
    world.database.write_now(jobs._sweep)
    assert len(rows(world)) == (1 if protocol == "pop" else 0)


def test_two_admins_who_save_a_mailbox_leave_the_later_one(
    world: World, far: FarMailbox, protocol: str
) -> None:
    with world.at_rest():
        box_of(world, far, protocol)
        box_of(world, far, protocol, id=1, name="First", password=None)
        found = box_of(world, far, protocol, id=1, name="Second", every_minutes=30, password=None)
        assert call(world, "ana", "mail.mailboxes") == [found]
        assert (found["name"], found["every_minutes"]) == ("Second", 30)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\0" * 1000,
        b"Content-Type: multipart/mixed; boundary=" + b"b" * 300 + b"\r\n\r\n" + b"--" + b"b" * 300,
        b"".join(
            b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(2000)
        ),
        b"Content-Type: message/rfc822\r\n\r\n" * 2000,
        b"From: " + b"(" * 50_000 + b"\r\n\r\nx",
        b"Subject: " + b"=?utf-8?q?=FF?= " * 20_000 + b"\r\n\r\nx",
        b"Subject: =?punycode?q?" + b"a" * 20_000 + b"?=\r\n\r\nx",
        b"Content-Type: text/plain; charset=zlib\r\n\r\nx",
        b"Content-Transfer-Encoding: base64\r\n\r\n!!!!",
        b"Content-Type: text/html\r\n\r\n" + b"<div>" * 50_000,
        b"References: " + b"<a@b> " * 50_000 + b"\r\n\r\nx",
    ],
    ids=range(12),
)
def test_no_mail_holds_the_reader_up(raw: bytes) -> None:
    begun = thread_time()
    with contextlib.suppress(InvalidInput):
        got = received.parse(raw)
        assert len(got.text) <= received.TEXT_CHARS
        assert len(got.references) <= received.HEADER_CHARS
        assert "\n" not in got.subject + got.sender
    assert thread_time() - begun < 3


_CHILD = """
import asyncio, sys
from pathlib import Path
from time import thread_time
from kbwork.app import App, open_data
from kbwork.base.clock import FixedClock, monotonic
from kbwork.base.errors import InvalidInput
from kbwork.settings import OutboundSettings, Settings

async def go():
    database = open_data(Path(sys.argv[1]), FixedClock(int(sys.argv[2])))
    settings = Settings(outbound=OutboundSettings(allow=(f"127.0.0.1:{sys.argv[3]}",)))
    await App(settings, database, address="http://127.0.0.1:1").start()
    await asyncio.sleep(60)

asyncio.run(go())
"""


def test_whoever_is_killed_while_reading_takes_each_mail_once(
    template: tuple[Path, dict[str, Person]], tmp_path: Path, far: FarMailbox, protocol: str
) -> None:
    """Killed again and again at whatever it does; the far end holds what it was not told of."""
    folder = shutil.copytree(template[0], tmp_path / "data")
    for number in range(30):
        far.put(letter(Subject=f"Mail {number}", Message_ID=f"<{number}@x>"))
    database = open_data(folder, FixedClock(NOW))
    try:
        database.write_now(lambda tx: _saved(tx, template[1]["ana"], far, protocol))
    finally:
        database.close()
    for lives_s in (0.9, 1.1, 1.3, 1.5, 20.0):
        with subprocess.Popen([sys.executable, "-c", _CHILD, str(folder), str(NOW), str(far.port)]) as child:
            with contextlib.suppress(TimeoutError):
                eventually(lambda: not far.waits(), seconds=lives_s)
            child.kill()
        if not far.waits():
            break
    database = open_data(folder, FixedClock(NOW))
    try:
        made = database.write_now(lambda tx: tx.column("select title from issue order by id"))
        failed = database.write_now(
            lambda tx: tx.value("select count(*) from mailbox_mail where result not in ('created')")
        )
    finally:
        database.close()
    assert (sorted(made), failed) == (sorted(f"Mail {number}" for number in range(30)), 0)
    assert far.waits() == []


def _saved(tx: Write, who: Person, far: FarMailbox, protocol: str) -> None:
    """A mailbox as an admin saves it, without a server around it."""
    with_password = queries.sealed(tx, 1, "password", PASSWORD)
    tx.execute(
        "insert into mailbox (id, name, protocol, host, port, security, user, password, folder, target, project,"
        " every_minutes, delete_after, allow, deny, next_at, created_at, created_by) values (1, 'Shop', :protocol,"
        " '127.0.0.1', :port, 'none', 'shop', :password, 'INBOX', 'project', (select project from project_key where"
        " key = 'WEB'), 5, 1, '[]', '[]', 0, 0, :who)",
        protocol=protocol,
        port=far.port,
        password=with_password,
        who=who.id,
    )


def with_files(mail: EmailMessage) -> EmailMessage:
    """A text with a little picture in it, and two files, one of which has a name that tells nothing true."""
    logo = b"\x89PNG\r\n\x1a\n" + b"\0" * 500
    mail.add_alternative('<p>It was full.</p><img src="cid:logo@x">', subtype="html")
    html = list(mail.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    html.add_related(logo, "image", "png", cid="<logo@x>", filename="logo.png")
    mail.add_attachment(b"Number 17\n", "text", "plain", filename="../örder.txt")
    mail.add_attachment(b"<svg onload=alert(1)></svg>", "image", "png", filename="p.png")
    return mail


@pytest.mark.parametrize("target", ["project", "desk", "page_space"])
def test_files_of_a_mail_hang_on_what_it_became(
    world: World, far: FarMailbox, protocol: str, target: str
) -> None:
    call(world, "ana", "spaces.save", key="HAND", name="Handbook")
    if target == "desk":
        call(world, "ana", "desk.save", project="WEB", name="Web help", open_signup=True)
    far.put(with_files(letter()))
    box_of(world, far, protocol, target={target: "HAND" if target == "page_space" else "WEB"})
    settled(world, 1)
    ((result, subject),) = rows(world)
    assert result == "created", world.database.write_now(lambda tx: tx.value("select why from mailbox_mail"))
    found = call(world, "ana", "attachments.list", subject=subject)
    assert [(one["name"], one["content_type"]) for one in found] == [
        ("örder.txt", "text/plain"),
        ("p.png", "image/svg+xml"),
    ]
    if target != "project":
        return
    answer = letter(Subject="Re: [WEB-1] The cart is empty", text="\n", Message_ID="<2@x>")
    far.put(with_files(answer))
    again(world)
    (said,) = call(world, "ana", "comments.list", subject="issue:WEB-1")
    assert [
        one["name"] for one in call(world, "ana", "attachments.list", subject=f"comment:{said['id']}")
    ] == [
        "örder.txt",
        "p.png",
    ]
    call(world, "ana", "org.update", allowed_files=[".txt"])
    far.put(with_files(letter(Message_ID="<3@x>")))
    again(world)
    assert "not taken: p.png (" in call(world, "ana", "issues.get", key="WEB-2")["body"]


def test_a_reply_by_mail_on_a_request_is_a_note_that_no_customer_gets(
    mailed: World, far: FarMailbox, protocol: str
) -> None:
    """Letters about notes and about answers look alike in the mailbox of an agent."""
    open_desk(mailed)
    with customer(mailed, "rita") as rita:
        key = rita.ask()
        ident = call(mailed, "ana", "issues.get", key=key)["id"]
        told = Letter(subject=f"{key} My order", text="x", about=f"issue:{ident}")
        mailed.database.write_now(lambda tx: mail.to_member(tx, mailed.people["cy"].id, told))
        ours = mailed.database.write_now(
            lambda tx: tx.value("select max(message_id) from mail where about = :a", a=told.about)
        )
        before = len(letters(mailed, rita.email))
        far.put(letter(In_Reply_To=ours, text="She is wrong.\n", Message_ID="<1@x>"))
        far.put(letter(Subject=f"Re: [{key}] My order", text="And again.\n", Message_ID="<2@x>"))
        box_of(mailed, far, protocol)
        settled(mailed, 2)
        assert [result for result, _ in rows(mailed)] == ["commented", "commented"]
        said = call(mailed, "ana", "comments.list", subject=f"issue:{key}")
        assert sorted((one["body"], one["internal"]) for one in said) == [
            ("And again.", True),
            ("She is wrong.", True),
        ]
        assert rita.thread(key)["comments"] == []
        assert len(letters(mailed, rita.email)) == before


def test_of_a_mailbox_that_is_full_the_last_are_looked_at(
    world: World, far: FarMailbox, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By POP3, which tells all of them each time, the newest stand last; what is unread by IMAP goes in turn."""
    monkeypatch.setattr("kbwork.worker.mailbox._MOST_MAILS", 3)
    for number in range(5):
        far.put(letter(Message_ID=f"<{number}@x>"))
    box_of(world, far, protocol)
    settled(world, 3)
    uids = world.database.write_now(lambda tx: tx.column("select uid from mailbox_mail order by id"))
    assert uids[:3] == (["uid-3", "uid-4", "uid-5"] if protocol == "pop" else ["7:1", "7:2", "7:3"])
    again(world)
    assert len(rows(world)) == (3 if protocol == "pop" else 5)


def test_a_password_may_have_other_letters(world: World, far: FarMailbox, protocol: str) -> None:
    far.password = "vier Vögel"
    far.put(letter())
    with world.at_rest():
        box_of(world, far, protocol, password=far.password)
        found = call(world, "ana", "mail.mailbox_test", id=1)
        assert (found["ok"], found["waiting"]) == (True, 1), found
        box_of(world, far, protocol, id=1, password="fünf Vögel")
        found = call(world, "ana", "mail.mailbox_test", id=1)
    assert not found["ok"]
    assert "wrong password" in found["detail"]
    assert "Vögel" not in found["detail"]
