"""Outgoing mail against a real mail server on this machine: what is taken, refused, tried again and given up."""

import asyncio
import email
import email.policy
import logging
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from kbwork.app import open_data
from kbwork.base.clock import FixedClock, monotonic
from kbwork.base.errors import InvalidInput
from kbwork.core.mail.server import MailServer, MailServerUnreachable
from kbwork.core.ports import mail
from kbwork.core.ports.mail import Letter
from kbwork.db.database import Database
from kbwork.db.tx import Read
from kbwork.settings import LimitSettings, MailSettings, Settings
from kbwork.worker import mail as sending
from kbwork.worker.mail import MailSender
from kbwork.worker.smtp import SmtpConnection, message
from tests.conftest import NOW, Person, World, serving
from tests.modules.calls import call

PASSWORD = "a mail password"
HOUR_S = 3600


class Inbox:
    """What the mail server took, and what it says to recipients, by address."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.sessions: set[int] = set()
        self.answers: dict[str, str] = {}
        self.data_answer = "250 Taken"
        self.tls: list[bool] = []
        self.hold: threading.Event | None = None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, _: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if answer := self.answers.get(address):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if not self.data_answer.startswith("250"):
            return self.data_answer
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        found["X-Envelope"] = f"{envelope.mail_from} {envelope.rcpt_tos}"
        self.taken.append(found)
        self.sessions.add(id(session))
        self.tls.append(session.ssl is not None)
        if self.hold is not None:
            await asyncio.to_thread(self.hold.wait, 20)
        return self.data_answer

    @property
    def ids(self) -> list[str]:
        return [str(one["Message-ID"]) for one in self.taken]


@contextmanager
def listening(inbox: Inbox, **more: Any) -> Iterator[int]:
    """A mail server on a free port; answers the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    controller = Controller(inbox, hostname="127.0.0.1", port=port, **more)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """(certificate, key) of a mail server called localhost, signed by itself."""
    cert, key = tmp_path / "mail.pem", tmp_path / "mail.key"
    subprocess.run(
        [
            *[
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
            ],
            *("-addext", "subjectAltName=DNS:localhost", "-out", str(cert), "-keyout", str(key)),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


class Post:
    """A data folder and a sender over it, which runs when it is asked to."""

    def __init__(self, database: Database, clock: FixedClock, people: dict[str, Person]) -> None:
        self.database = database
        self.clock = clock
        self.people = people

    def run(
        self, server: MailServer | None, until: Callable[[], bool], tls: ssl.SSLContext | None = None
    ) -> None:
        """A sender of its own, until something is so: ten seconds at most."""

        async def go() -> None:
            self.database.attach(asyncio.get_running_loop())
            sender = MailSender(self.database, server, origin="https://work.acme.example", tls=tls)
            sender.start()
            try:
                async with asyncio.timeout(10):
                    while not until():  # noqa: ASYNC110 - rows ring no bell
                        await asyncio.sleep(0.01)
            finally:
                await sender.stop()

        asyncio.run(go())

    def queue(self, who: str = "cy", **more: Any) -> int:
        written: dict[str, Any] = {"subject": "Hello", "text": "Read this.\n"}
        letter = Letter(**written | more)
        found = self.database.write_now(lambda tx: mail.to_member(tx, self.people[who].id, letter))
        assert found is not None
        return found

    def rows(self, columns: str = "state, tries, error") -> list[tuple[Any, ...]]:
        def look(tx: Read) -> list[tuple[Any, ...]]:
            return [tuple(row.values()) for row in tx.all(f"select {columns} from mail order by id")]

        return self.database.write_now(look)

    def states(self) -> list[str]:
        return [state for (state,) in self.rows("state")]

    def events(self) -> list[tuple[str, str, str]]:
        """(kind, audience, payload) of what was told of mail."""

        def look(tx: Read) -> list[tuple[str, str, str]]:
            found = tx.all("select kind, audience, json(payload) as p from events where kind glob 'mail.*'")
            return [(row["kind"], row["audience"], row["p"]) for row in found]

        return self.database.write_now(look)


@pytest.fixture
def post(template: tuple[Path, dict[str, Person]], tmp_path: Path) -> Iterator[Post]:
    folder = tmp_path / "data"
    shutil.copytree(template[0], folder)
    clock = FixedClock(NOW)
    database = open_data(folder, clock)
    noted = mail.SetUp(sends=1, domain="acme.example", origin="https://work.acme.example")
    made = Post(database, clock, template[1])
    try:
        database.write_now(lambda tx: mail.set_up(tx, noted))
        yield made
    finally:
        made.database.close()


def within(seconds: float, check: Callable[[], bool]) -> None:
    """Wait until something is so."""
    ends = monotonic() + seconds
    while not check():
        assert monotonic() < ends, "it did not happen"
        threading.Event().wait(0.02)


def unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def plain(port: int, **more: Any) -> MailServer:
    return MailServer(**{**_PLAIN, "port": port, **more})


_PLAIN: dict[str, Any] = {
    "host": "127.0.0.1",
    "security": "none",
    "user": "",
    "password_file": "",
    "sender": "Acme at work <kb@acme.example>",
}


def test_a_letter_arrives_whole_in_text_and_html(post: Post, inbox: Inbox) -> None:
    post.queue(
        subject="Grüße — 12 rows",
        text="Größe: 3\n.\nFrom here\n",
        html="<p>Größe: 3</p>",
        about="project:WEB",
        unsubscribe="https://work.acme.example/views/3",
    )
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.states() == ["sent"])
    (found,) = inbox.taken
    assert {name: found[name] for name in found if name not in ("Message-ID", "Content-Type", "X-Peer")} == {
        "From": "Acme at work <kb@acme.example>",
        "To": "cy@acme.example",
        "Subject": "Grüße — 12 rows",
        "Date": "Fri, 15 Jan 2027 08:00:00 -0000",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Unsubscribe": "<https://work.acme.example/views/3>",
        "Precedence": "bulk",
        "MIME-Version": "1.0",
        "X-Envelope": "kb@acme.example ['cy@acme.example']",
    }
    bodies = {part.get_content_type(): unix(part.get_content()) for part in found.iter_parts()}
    assert bodies == {"text/plain": "Größe: 3\n.\nFrom here\n", "text/html": "<p>Größe: 3</p>\n"}
    assert found["Message-ID"].endswith("@acme.example>")
    assert post.rows("state, tries, error, text, html") == [("sent", 1, None, "", None)]
    assert post.events() == []


def test_a_letter_for_one_says_nothing_of_a_list(post: Post, inbox: Inbox) -> None:
    post.queue()
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.states() == ["sent"])
    (found,) = inbox.taken
    assert (found["List-Unsubscribe"], found["Precedence"]) == (None, None)
    assert found["Auto-Submitted"] == "auto-generated"


def test_what_is_rolled_back_is_never_sent(post: Post, inbox: Inbox) -> None:
    def undone(tx: Any) -> None:
        mail.to_member(tx, post.people["cy"].id, Letter(subject="Never", text="never"))
        raise InvalidInput("No.")

    with pytest.raises(InvalidInput):
        post.database.write_now(undone)
    post.queue()
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.states() == ["sent"])
    assert [one["Subject"] for one in inbox.taken] == ["Hello"]


def test_many_letters_go_over_one_connection(post: Post, inbox: Inbox) -> None:
    for _ in range(sending.AT_ONCE):
        post.queue()
    with listening(inbox) as port:
        post.run(plain(port), lambda: set(post.states()) == {"sent"})
    assert (len(inbox.taken), len(inbox.sessions)) == (sending.AT_ONCE, 1)
    assert len(set(inbox.ids)) == sending.AT_ONCE


def test_a_letter_that_is_refused_for_now_comes_again_under_the_same_id(post: Post, inbox: Inbox) -> None:
    post.queue()
    inbox.answers["cy@acme.example"] = "450 Mailbox busy"
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.rows()[0][2] is not None)
        assert post.rows() == [("queued", 1, "The mail server said 450 Mailbox busy")]
        ((at,),) = post.rows("next_at")
        assert NOW + 60 <= at <= NOW + 66
        inbox.answers.clear()
        post.clock.advance(66)
        before = post.rows("message_id")
        post.run(plain(port), lambda: post.states() == ["sent"])
    assert [(one,) for one in inbox.ids] == before


def test_a_letter_that_is_refused_for_good_is_told_to_admins_and_holds_up_nobody(
    post: Post, inbox: Inbox
) -> None:
    post.queue("cy", about="project:WEB")
    post.queue("di")
    inbox.answers["cy@acme.example"] = "550 No such user"
    with listening(inbox) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.rows("state, text, html") == [("failed", "Read this.\n", None), ("sent", "", None)]
    assert len(inbox.taken) == 1
    (failed, bounced) = post.events()
    assert (failed[:2], bounced[:2]) == (("mail.failed", "admin"), ("mail.bounced", "admin"))
    for *_, payload in (failed, bounced):
        assert '"to":"cy@acme.example"' in payload
        assert "550" in payload
    post.clock.advance(mail.RETRY_S + 1)
    assert post.database.write_now(mail.is_old)
    post.database.write_now(mail.sweep)
    assert post.rows("state, text, html") == [("failed", "", None), ("sent", "", None)]


@pytest.mark.parametrize(("answer", "state"), [("451 Later", "queued"), ("554 Spam", "failed")])
def test_a_refusal_of_the_text_counts_as_well(post: Post, inbox: Inbox, answer: str, state: str) -> None:
    post.queue()
    inbox.data_answer = answer
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.rows()[0][2] is not None)
    assert post.rows() == [(state, 1, f"The mail server said {answer}")]


def test_a_server_that_says_goodbye_has_the_rest_later_and_that_is_no_try_of_theirs(
    post: Post, inbox: Inbox
) -> None:
    for who in ("cy", "di", "bo"):
        post.queue(who)
    inbox.answers["di@acme.example"] = "421 Going down"
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.rows()[1][2] is not None)
        assert [row[:2] for row in post.rows()] == [("sent", 1), ("queued", 1), ("queued", 0)]
        inbox.answers.clear()
        post.clock.advance(66)
        post.run(plain(port), lambda: set(post.states()) == {"sent"})


def test_it_is_tried_ten_times_with_longer_and_longer_waits(post: Post) -> None:
    post.queue()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        server = plain(int(nobody.getsockname()[1]))
        waits = []
        for tries in range(1, mail.TRIES + 1):
            post.run(server, lambda tries=tries: post.rows("tries, error is null") == [(tries, 0)])  # type: ignore[misc]  # bound now
            (state, at), *_ = post.rows("state, next_at")
            if state == "queued":
                waits.append(at - post.clock.now())
                assert not post.database.write_now(mail.is_due)
                post.clock.advance(waits[-1])
                post.database.write_now(lambda tx: tx.execute("update mail set error = null"))
    asked = [60 * minutes for minutes in (1, 3, 9, 27, 81, 243, 360, 360, 360)]
    assert all(least <= wait <= least * 1.1 for wait, least in zip(waits, asked, strict=True)), waits
    assert post.states() == ["failed"]
    assert "ConnectionRefusedError" in post.rows()[0][2]
    assert len(post.events()) == 1


_CHILD = """
import asyncio, sys
from pathlib import Path
from kbwork.app import open_data
from kbwork.base.clock import FixedClock, monotonic
from kbwork.worker.mail import MailSender
from kbwork.core.mail.server import MailServer

async def go():
    database = open_data(Path(sys.argv[1]), FixedClock(int(sys.argv[2])))
    database.attach(asyncio.get_running_loop())
    server = MailServer("127.0.0.1", int(sys.argv[3]), "none", "", "", "kb@acme.example")
    MailSender(database, server, origin="https://work.acme.example").start()
    await asyncio.sleep(60)

asyncio.run(go())
"""


def test_a_process_that_is_killed_between_handing_over_and_marking_sends_it_again(
    post: Post, inbox: Inbox
) -> None:
    post.queue()
    folder = post.database.folder.path
    post.database.close()
    inbox.hold = threading.Event()
    with listening(inbox) as port:
        command = [sys.executable, "-c", _CHILD, str(folder), str(NOW), str(port)]
        with subprocess.Popen(command) as child:
            try:
                within(30, lambda: len(inbox.taken) == 1)
            finally:
                child.kill()
        inbox.hold.set()
        inbox.hold = None
        post.database = open_data(folder, post.clock)
        assert post.rows() == [("queued", 1, None)]
        post.clock.advance(66)
        post.run(plain(port), lambda: post.states() == ["sent"])
    assert len(inbox.ids) == 2
    assert len(set(inbox.ids)) == 1


def test_a_mark_is_for_the_letter_that_was_handed_over(post: Post) -> None:
    """A backup may have been put back meanwhile: its letters have the same numbers."""
    post.queue()
    (row,) = post.database.write_now(lambda tx: mail.take(tx, 20))
    other = row | {"message_id": "<other@acme.example>"}
    post.database.write_now(lambda tx: mail.sent(tx, other))
    post.database.write_now(lambda tx: mail.refused(tx, other, "no", final=True))
    post.database.write_now(lambda tx: mail.give_back(tx, [other]))
    assert post.rows() == [("queued", 1, None)]
    assert post.events() == []


def test_what_is_for_somebody_who_left_is_given_up(post: Post, inbox: Inbox) -> None:
    post.queue("di")
    post.queue("cy")
    post.database.write_now(lambda tx: tx.update("member", post.people["di"].id, state="deactivated"))
    with listening(inbox) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.rows() == [("failed", 0, "They left."), ("sent", 1, None)]
    assert [str(one["To"]) for one in inbox.taken] == ["cy@acme.example"]
    none = post.database.write_now(
        lambda tx: mail.to_member(tx, post.people["di"].id, Letter(subject="x", text="x"))
    )
    assert none is None


def test_what_its_reader_sees_no_more_is_given_up_before_it_goes(post: Post, inbox: Inbox) -> None:
    post.queue("cy", about="project:PRV")
    post.queue("di", about="project:PRV")
    with listening(inbox) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.rows() == [("failed", 0, "They see no more what it is about."), ("sent", 1, None)]
    assert post.rows("text, html")[0] == ("", None)
    assert [str(one["To"]) for one in inbox.taken] == ["di@acme.example"]


def test_a_letter_to_many_is_not_sent_when_it_is_old(post: Post, inbox: Inbox) -> None:
    post.queue("cy", unsubscribe="https://work.acme.example/views/1")
    post.queue("di")
    post.clock.advance(mail.FRESH_S + 1)
    with listening(inbox) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.rows() == [("failed", 0, "It is out of date."), ("sent", 1, None)]


def test_without_a_mail_server_letters_are_held_and_stay_so(post: Post, inbox: Inbox) -> None:
    post.run(None, lambda: not post.database.write_now(mail.sends))
    post.queue()
    assert post.rows() == [("held", 0, None)]
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.database.write_now(mail.sends))
        post.queue()
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.states() == ["held", "sent"]
    assert len(inbox.taken) == 1


def test_while_other_data_take_their_place_nothing_is_sent(post: Post, inbox: Inbox) -> None:
    async def go(server: MailServer) -> None:
        post.database.attach(asyncio.get_running_loop())
        sender = MailSender(post.database, server, origin="https://work.acme.example")
        sender.start()
        await sender.pause()
        sender.close()
        post.queue()
        await asyncio.sleep(0)
        assert inbox.taken == []
        sender.resume()
        async with asyncio.timeout(10):
            while post.states() != ["sent"]:  # noqa: ASYNC110 - rows ring no bell
                await asyncio.sleep(0.01)
        await sender.stop()

    with listening(inbox) as port:
        asyncio.run(go(plain(port)))
    assert len(inbox.taken) == 1


def test_what_ended_is_forgotten_after_thirty_days(post: Post) -> None:
    post.queue()
    post.database.write_now(lambda tx: tx.execute("update mail set state = 'sent'"))
    post.queue()
    post.clock.advance(31 * 24 * HOUR_S)
    assert post.database.write_now(mail.is_old)
    post.database.write_now(mail.sweep)
    assert post.states() == ["queued"]


# What is in a letter.


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "nobody",
        "a@b\r\nBcc: c@d",
        "a@b\nc@d",
        "a,b@acme.example",
        "a@acme.example, b@acme.example",
        "<a@acme.example>",
        "A <a@acme.example>",
        "a b@acme.example",
        "a@acme.example\x00",
        "x" * 250 + "@acme.example",
    ],
)
def test_what_is_not_one_address_gets_no_mail(post: Post, bad: str) -> None:
    assert not mail.reaches(bad)
    with pytest.raises(InvalidInput):
        post.database.write_now(lambda tx: mail.to_address(tx, bad, Letter(subject="x", text="x")))
    assert post.rows() == []


def test_a_subject_adds_no_header(post: Post, inbox: Inbox) -> None:
    post.queue(subject="Hi\r\nBcc: eve@evil.example\r\n\r\nBody\u2028Next\x00")
    with listening(inbox) as port:
        post.run(plain(port), lambda: post.states() == ["sent"])
    (found,) = inbox.taken
    assert found["Bcc"] is None
    assert found["Subject"] == "Hi Bcc: eve@evil.example Body Next"
    assert unix(found.get_content()) == "Read this.\n"


def test_what_cannot_be_a_header_fails_and_the_next_goes_on(post: Post, inbox: Inbox) -> None:
    post.queue("cy", unsubscribe="https://work.acme.example/\r\nBcc: eve@evil.example")
    post.queue("di")
    with listening(inbox) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.states() == ["failed", "sent"]
    assert len(inbox.taken) == 1


def test_an_address_with_other_letters_goes_where_the_server_takes_it(post: Post, inbox: Inbox) -> None:
    for address in ("grüße@acme.example", "cy@büro.example"):
        post.database.write_now(
            lambda tx, to=address: mail.to_address(tx, to, Letter(subject="x", text="x"))  # type: ignore[misc]  # bound now
        )
    with listening(inbox, enable_SMTPUTF8=False) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert post.states() == ["failed", "failed"]
    post.database.write_now(lambda tx: tx.execute("update mail set state = 'queued', next_at = 0"))
    with listening(inbox, enable_SMTPUTF8=True) as port:
        post.run(plain(port), lambda: "queued" not in post.states())
    assert [str(one["To"]) for one in inbox.taken] == ["grüße@acme.example", "cy@büro.example"]


def test_a_long_address_of_a_page_is_written_as_it_is() -> None:
    page = f"https://{'work.' * 20}acme.example/views/3"
    row = {
        "address": "a@b.example",
        "subject": "x" * 200,
        "at": NOW,
        "message_id": "<1@b>",
        "text": "x",
        "html": None,
        "thread": None,
        "one_click": 0,
        "reply_to": None,
    }
    written = message(row | {"unsubscribe": page}, "kb@acme.example").decode()
    assert f"<{page}>" in written
    assert max(len(line) for line in written.splitlines()) < 998


# A folder in the place of the mail server.


def _into(folder: Path) -> MailServer:
    return MailServer("", 0, "none", "", "", "kbwork <kb@acme.example>", str(folder))


def test_a_folder_takes_letters_as_files_for_its_owner_alone(post: Post, tmp_path: Path) -> None:
    folder = tmp_path / "post" / "out"
    post.queue(
        text="Read this.\n", thread="inbox.1", unsubscribe="https://work.acme.example/u", one_click=True
    )
    post.run(_into(folder), lambda: post.states() == ["sent"])
    (file,) = folder.iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == (f"{NOW}-1.eml", 0o600)
    found = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert [found[name] for name in ("From", "References", "List-Unsubscribe-Post", "Precedence")] == [
        "kbwork <kb@acme.example>",
        "<inbox.1@acme.example>",
        "List-Unsubscribe=One-Click",
        None,
    ]
    assert found.get_content() == "Read this.\r\n"


def test_no_letter_is_written_into_the_data_folder(post: Post) -> None:
    post.queue()
    data = post.database.folder.path
    before = sorted(file.name for file in data.iterdir())
    post.run(_into(data), lambda: post.rows("error") != [(None,)])
    assert post.rows("error") == [("mail.folder is the data folder: letters are written beside it.",)]
    assert sorted(file.name for file in data.iterdir()) == before


# How the connection is secured.


def _tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*map(str, certificate))
    return context


def _trusting(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate[0]))


def test_starttls_secures_the_connection_before_anything_is_said(
    post: Post, inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    post.queue()
    with listening(inbox, tls_context=_tls(certificate), require_starttls=True) as port:
        server = plain(port, host="localhost", security="starttls")
        post.run(server, lambda: post.states() == ["sent"], _trusting(certificate))
    assert inbox.tls == [True]


def test_a_certificate_that_nobody_vouches_for_gets_no_mail(
    post: Post, inbox: Inbox, certificate: tuple[Path, Path]
) -> None:
    post.queue()
    with listening(inbox, tls_context=_tls(certificate)) as port:
        server = plain(port, host="localhost", security="starttls")
        post.run(server, lambda: post.rows()[0][2] is not None)
    assert inbox.taken == []
    assert post.states() == ["queued"]
    assert "CERTIFICATE_VERIFY_FAILED" in post.rows()[0][2]


def test_a_certificate_of_another_name_gets_no_mail(
    post: Post, inbox: Inbox, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    post.queue()
    with listening(inbox, tls_context=_tls(certificate)) as port:
        server = plain(port, host="127.0.0.2", security="starttls")
        line = SmtpConnection(server, _trusting(certificate))
        line._smtp.connect("127.0.0.1", port)
        monkeypatch.setattr(line._smtp, "connect", lambda *_: (220, b""))
        with pytest.raises(MailServerUnreachable, match="CERTIFICATE_VERIFY_FAILED"):
            line.open()
        line.close()
    assert inbox.taken == []


def test_a_server_without_starttls_gets_nothing_in_the_clear(post: Post, inbox: Inbox) -> None:
    post.queue()
    with listening(inbox) as port:
        post.run(plain(port, security="starttls"), lambda: post.rows()[0][2] is not None)
    assert inbox.taken == []
    assert "STARTTLS" in post.rows()[0][2]


def test_tls_from_the_first_byte(post: Post, inbox: Inbox, certificate: tuple[Path, Path]) -> None:
    post.queue()
    with listening(inbox, ssl_context=_tls(certificate), server_hostname="localhost") as port:
        server = plain(port, host="localhost", security="tls")
        post.run(server, lambda: post.states() == ["sent"], _trusting(certificate))
    assert len(inbox.taken) == 1


def _signing_in(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    assert isinstance(data, LoginPassword)
    right = (data.login, data.password) == (b"kb", PASSWORD.encode())
    return AuthResult(success=right, handled=False)


@pytest.mark.parametrize("password", [PASSWORD, "another"])
def test_it_signs_in_and_no_password_is_logged(
    post: Post,
    inbox: Inbox,
    certificate: tuple[Path, Path],
    caplog: pytest.LogCaptureFixture,
    password: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    held = certificate[0].parent / "password"
    held.write_text(f"{password}\n")
    post.queue()
    more: dict[str, Any] = {"authenticator": _signing_in, "auth_required": True, "auth_require_tls": True}
    with listening(inbox, tls_context=_tls(certificate), **more) as port:
        server = plain(port, host="localhost", security="starttls", user="kb", password_file=str(held))
        post.run(
            server,
            lambda: post.states() == ["sent"] or post.rows()[0][2] is not None,
            _trusting(certificate),
        )
    assert post.states() == ["sent" if password == PASSWORD else "queued"]
    said = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("kbwork"))
    assert password not in said + str(post.rows()[0][2])
    assert "Read this" not in said


def test_a_password_that_is_not_there_is_told(post: Post, inbox: Inbox, tmp_path: Path) -> None:
    post.queue()
    with listening(inbox, auth_require_tls=False, authenticator=_signing_in) as port:
        server = plain(port, user="kb", password_file=str(tmp_path / "none"))
        post.run(server, lambda: post.rows()[0][2] is not None)
    assert post.rows()[0][2] == "mail.password_file cannot be read: No such file or directory"


def test_a_server_that_never_answers_is_left(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the connection and says nothing."""
    monkeypatch.setattr(sending, "DEADLINE_S", 0.2)
    post.queue()
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        post.run(plain(int(silent.getsockname()[1])), lambda: post.rows()[0][2] is not None)
    assert post.states() == ["queued"]


# With a server around it.


@pytest.fixture
def settings() -> Settings:
    return Settings(limits=LimitSettings(enabled=False))


def test_a_view_arrives_by_mail_and_admins_hear_of_one_that_does_not(
    template: tuple[Path, dict[str, Person]], tmp_path: Path, clock: FixedClock, inbox: Inbox
) -> None:
    shutil.copytree(template[0], tmp_path / "data")
    inbox.answers["di@acme.example"] = "550 No such user"
    with listening(inbox) as port:
        line = MailSettings(host="127.0.0.1", port=port, security="none", sender="kb@acme.example")
        found = World(tmp_path / "data", clock, template[1])
        with serving(found, Settings(limits=LimitSettings(enabled=False), mail=line)) as world:
            within(20, lambda: bool(world.database.write_now(mail.sends)))
            call(world, "cy", "issues.create", project="WEB", title="The cart forgets")
            call(world, "cy", "views.save", name="Open", tql="open", shared=True)
            call(world, "bo", "views.subscribe", id=1, every="daily", at="09:00", for_=["@cy", "@di"])
            clock.advance(HOUR_S)
            within(20, lambda: len(inbox.taken) == 1)
            within(20, lambda: ("mail.failed", "org:1") in world.events_since(0))
            heard = {
                who: [
                    one["kind"]
                    for one in call(world, who, "api.changes", since=0, limit=500)["events"]
                    if one["kind"] == "mail.failed"
                ]
                for who in ("ana", "cy", "gus")
            }
    assert heard == {"ana": ["mail.failed"], "cy": [], "gus": []}
    (arrived,) = inbox.taken
    assert (arrived["To"], arrived["Subject"]) == ("cy@acme.example", "Open: 1 row")
    assert arrived["List-Unsubscribe"] == f"<{found.url}/views/1>"
    text = arrived.get_body(("plain",))
    assert text is not None
    assert "The cart forgets" in text.get_content()
