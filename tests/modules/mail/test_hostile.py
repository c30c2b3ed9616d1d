"""What others may do to us by mail: servers that answer what they like, and mails made to be misread."""

import base64
import contextlib
import random
import socketserver
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from time import thread_time
from typing import Any, Literal

import pytest

from kbwork.base.clock import monotonic
from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.mail import received
from kbwork.core.mail.lines import Pulled, PullOrder, RemoteMailbox
from kbwork.core.mail.server import MailServer, MailServerUnreachable
from kbwork.worker.mailbox import line_of
from kbwork.worker.smtp import SmtpConnection, message, untold
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import customer, open_desk
from tests.modules.desk.test_customers import letters
from tests.modules.desk.test_inbound import mailgun, parts, path_of, post, sendgrid
from tests.modules.mail.far_mailbox import PASSWORD, FarMailbox, open_mailbox
from tests.modules.mail.test_forged import EVIL, plain
from tests.modules.mail.test_mailbox import letter

Protocol = Literal["imap", "pop"]
Security = Literal["starttls", "tls", "none"]
BOTH = pytest.mark.parametrize("protocol", ["imap", "pop"])


def pulled(
    port: int,
    protocol: Protocol,
    security: Security = "none",
    authority: Path | None = None,
    host: str = "localhost",
) -> Pulled:
    box = RemoteMailbox(protocol, host, port, security, "shop", PASSWORD, "INBOX")
    tls = ssl.create_default_context(cafile=str(authority) if authority is not None else None)
    order = PullOrder(known=frozenset(), settled=(), delete=False, most=10)
    return line_of(box, ["127.0.0.1"], tls).pull(order)


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An authority of our own, and a certificate that it issued to localhost."""
    folder = tmp_path_factory.mktemp("tls")
    found = {
        name: folder / name for name in ("ca.pem", "ca.key", "mail.pem", "mail.key", "mail.csr", "names")
    }
    found["names"].write_text("subjectAltName=DNS:localhost")
    new = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj"]
    commands: tuple[list[str | Path], ...] = (
        [*new, "/CN=Ours", "-x509", "-days", "2", "-out", found["ca.pem"], "-keyout", found["ca.key"]],
        [*new, "/CN=localhost", "-out", found["mail.csr"], "-keyout", found["mail.key"]],
        [
            *("openssl", "x509", "-req", "-days", "2", "-CAcreateserial", "-in", found["mail.csr"]),
            *("-CA", found["ca.pem"], "-CAkey", found["ca.key"], "-extfile", found["names"]),
            *("-out", found["mail.pem"]),
        ],
    )
    for command in commands:
        subprocess.run(command, check=True, capture_output=True)
    return found


def secured(box: FarMailbox, issued: dict[str, Path], security: Security) -> None:
    box.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    box.tls.load_cert_chain(str(issued["mail.pem"]), str(issued["mail.key"]))
    box.implicit = security == "tls"


@BOTH
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_secured_mailbox_is_read_and_only_of_whom_it_is(
    protocol: Protocol, security: Security, issued: dict[str, Path]
) -> None:
    with open_mailbox(protocol) as box:
        secured(box, issued, security)
        box.put(letter())
        found = pulled(box.port, protocol, security, issued["ca.pem"])
        assert [one.raw is not None for one in found.mails] == [True]
        said = len(box.said)
        for authority, host in ((None, "localhost"), (issued["ca.pem"], "other.example")):
            with pytest.raises(UpstreamFailed) as raised:
                pulled(box.port, protocol, security, authority, host)
            assert "CERTIFICATE_VERIFY_FAILED" in raised.value.detail
        assert not any(PASSWORD in one for one in box.said[said:])


class _Wild(socketserver.BaseRequestHandler):
    answers: list[bytes]
    then: bytes

    def handle(self) -> None:
        try:
            for one in self.answers:
                self.request.sendall(one)
                self.request.recv(4096)
            while self.then:
                self.request.sendall(self.then)
        except OSError:
            return


@contextmanager
def wild(*answers: bytes, then: bytes = b"") -> Iterator[int]:
    """A server that answers so whatever is said, and goes on so for ever."""

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    handler: Any = type("Handler", (_Wild,), {"answers": list(answers), "then": then})
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@BOTH
def test_a_line_that_is_not_secured_gets_no_password(protocol: Protocol) -> None:
    heard: list[bytes] = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(
                b"* OK [CAPABILITY IMAP4rev1] here\r\n" if protocol == "imap" else b"+OK here\r\n"
            )
            for _ in range(6):
                heard.append(self.request.recv(4096))
                tag = heard[-1].split(b" ")[0]
                told = b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK done\r\n"
                self.request.sendall(told if protocol == "imap" else b"+OK\r\n.\r\n")

    with socketserver.TCPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.handle_request, daemon=True)
        thread.start()
        with pytest.raises(UpstreamFailed):
            pulled(server.server_address[1], protocol, "starttls")
        thread.join(5)
    assert not any(PASSWORD.encode() in one for one in heard)


def test_what_is_said_before_a_line_is_secured_is_no_answer(issued: dict[str, Path]) -> None:
    """By somebody in between, who leaves the rest alone."""
    with open_mailbox("imap") as box:
        secured(box, issued, "starttls")
        forged = letter().as_bytes()
        box.before_tls = b"* SEARCH 1\r\n* 1 FETCH (UID 1 RFC822.SIZE 9)\r\n* OK [UIDVALIDITY 1] x\r\n"
        box.before_tls += b"* 1 FETCH (UID 1 BODY[] {%d}\r\n%b)\r\n" % (len(forged), forged)
        found = pulled(box.port, "imap", "starttls", issued["ca.pem"])
        assert (found.waiting, found.mails) == (0, [])


IMAP_IN = (b"* OK [CAPABILITY IMAP4rev1] x\r\n", b"* CAPABILITY IMAP4rev1\r\nXXXX1 OK\r\n")


@BOTH
@pytest.mark.parametrize(
    ("answers", "then"),
    [
        ((b"\xff\xfe\x00\r\n",), b"\x00\xff" * 5000),
        ((b"HTTP/1.1 400 Bad Request\r\n\r\n",), b""),
        ((), b"x" * 65536),
        ((b"* OK x\r\n",), b"* OK x\r\n" * 5000),
        ((b"+OK x\r\n",), b"+OK x\r\n" * 5000),
        ((b"* OK x\r\n",), b"* A\r\n" * 10000),
        ((b"* OK x\r\n* X {1000000000}\r\n",), b"x" * 65536),
        ((b"* OK x\r\n* X {99999999999999999999999999}\r\n",), b"x" * 65536),
        ((b"* OK x\r\n* X {" + b"9" * 5000 + b"}\r\n",), b"x" * 65536),
        ((b"+OK\r\n", b"+OK\r\n", b"+OK\r\n"), b"+OK\r\n" + b"1 uid\r\n" * 5000),
        ((b"* PREAUTH [CAPABILITY IMAP4rev1 STARTTLS] x\r\n",), b"* BYE\r\n"),
        ((b"* BYE\r\n",), b""),
        ((b"+ \r\n",), b"+ \r\n" * 10000),
    ],
    ids=range(13),
)
def test_a_server_that_answers_anything_is_an_error_in_words(
    protocol: Protocol, answers: tuple[bytes, ...], then: bytes
) -> None:
    begun = monotonic()
    with wild(*answers, then=then) as port, pytest.raises(UpstreamFailed) as raised:
        pulled(port, protocol)
    assert monotonic() - begun < 15
    assert len(raised.value.detail) < 400


def test_numbers_that_are_none_are_kept_nowhere() -> None:
    uid = b"9" * 100_000
    answers = (b"+OK\r\n", b"+OK\r\n", b"+OK\r\n", b"+OK\r\n1 " + uid + b"\r\n2 two\r\n.\r\n", b"+OK 2 9\r\n")
    with wild(*answers, b"+OK\r\nFrom: a@b.example\r\n.\r\n", b"+OK\r\n") as port:
        assert [one.uid for one in pulled(port, "pop").mails] == ["two"]


def test_no_password_is_told_though_a_server_repeats_it() -> None:
    secret = 'a "mail" password'
    encoded = base64.b64encode(f"\0shop\0{secret}".encode()).decode()
    said = f'BAD LOGIN "shop" "a \\"mail\\" password" {secret} {encoded}'
    assert untold(said, "shop", secret) == 'BAD LOGIN "shop" "(password)" (password) (password)'
    answers = (b"+OK\r\n", b"+OK\r\n", f"-ERR PASS {PASSWORD}?\r\n".encode(), b"+OK\r\n")
    with wild(*answers) as port, pytest.raises(UpstreamFailed) as raised:
        pulled(port, "pop")
    assert "-ERR PASS (password)?" in raised.value.detail


def test_a_mail_server_that_goes_on_for_ever_fills_nothing() -> None:
    with wild(then=b"220-" + b"x" * 500 + b"\r\n") as port:
        server = MailServer("localhost", port, "none", "", "", "kb@acme.example")
        line = SmtpConnection(server, ssl.create_default_context())
        with pytest.raises(MailServerUnreachable) as raised:
            line.open()
        line.close()
    assert len(str(raised.value)) < 400


def test_a_user_with_blanks_is_one_word() -> None:
    with open_mailbox("imap") as box:
        remote = RemoteMailbox("imap", "localhost", box.port, "none", 'the "shop"', PASSWORD, "INBOX")
        order = PullOrder(known=frozenset(), settled=(), delete=False, most=10)
        line_of(remote, ["127.0.0.1"], ssl.create_default_context()).pull(order)
        assert any('LOGIN "the \\"shop\\"" ' in one for one in box.said)


def test_mails_that_chance_made_are_read_or_refused() -> None:
    chance = random.Random(7)
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Cy <cy@acme.example>", "=?utf-8?q?Z=C3=B6e?="
    mail.set_content("Text\n")
    mail.add_alternative("<p>Text</p>", subtype="html")
    for number in range(3):
        mail.add_attachment(b"x" * 50, "image", "png", filename=f"ö{number}.png")
    whole = mail.as_bytes()
    pieces = [
        *(b'filename*0="a', b"; filename*1*=utf-8''%ff", b"boundary=", b'"', b"=?", b"?=", b"charset=x"),
        *(
            b"Content-Transfer-Encoding: uuencode\n",
            b"multipart/mixed",
            b"message/rfc822",
            b"\0",
            b"\n\n",
            b"--",
        ),
    ]
    for _ in range(1500):
        made = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(made))
            made[at : at + chance.randint(0, 20)] = chance.choice(pieces)
        try:
            received.parse(bytes(made))
        except InvalidInput:
            continue


def test_a_mail_with_a_thousand_files_and_ten_thousand_recipients_is_taken() -> None:
    part = '--b\r\nContent-Type: image/png; name*0="../"; name*1="../x.png"\r\n\r\n\r\n'
    many = ", ".join(f"p{number}@acme.example" for number in range(10_000))
    text = f"From: cy@acme.example\r\nTo: {many}\r\nDelivered-To: help+r1.x@acme.example\r\n"
    text += "Date: Mon, 1 Jan 0001 00:00:00 +0000\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    begun = thread_time()
    got = received.parse((text + part * 1000 + "--b--\r\n").encode())
    assert thread_time() - begun < 3
    assert got.to[0] == "help+r1.x@acme.example"
    assert len(got.to) == received.MOST_TO
    assert 0 < len(got.files) <= 200
    assert {(one.name, one.data) for one in got.files} == {("../../x.png", b"")}


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@far.example",
        "Mail Delivery System <Mailer-Daemon@far.example>",
        "MAILER-DAEMON@far (x)",
    ],
)
def test_what_mail_servers_write_is_no_request(world: World, sender: str) -> None:
    assert received.parse(f"From: {sender}\r\n\r\nIt came back.".encode()).automatic
    open_desk(world)
    for body in (parts(sendgrid(**{"from": sender})), parts(mailgun(**{"from": sender}))):
        assert post(world, path_of(world), *body)[1]["result"] == "ignored"
    assert call(world, "ana", "desk.customers") == []


def hook(world: World, **more: Any) -> str:
    asked = {"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}} | more
    return str(world.session("ana").call("mail.mailbox_save", asked)["hook_path"])


def test_a_stranger_who_is_let_in_answers_only_where_the_mailbox_leads(world: World) -> None:
    path = hook(world, allow=["evil.example", "acme.example"])
    assert post(world, path, *plain(**{"from": EVIL, "message_id": "<1@x>"}))[1]["result"] == "created"
    answer = {"from": EVIL, "references": "<1@x>", "text": "Psst"}
    assert post(world, path, *plain(**answer, message_id="<2@x>"))[1]["result"] == "commented"
    call(world, "ana", "issues.move", keys=["WEB-1"], project="SEC")
    assert post(world, path, *plain(**answer, message_id="<3@x>"))[1]["result"] == "created"
    assert len(call(world, "ana", "comments.list", subject="issue:WEB-1")) == 1


def test_nobody_keeps_a_mail_out_by_sending_its_number_first(world: World) -> None:
    path = hook(world)
    assert post(world, path, *plain(**{"from": EVIL, "message_id": "<1@x>"}))[1]["result"] == "refused"
    assert post(world, path, *plain(message_id="<1@x>"))[1]["result"] == "created"
    assert post(world, path, *plain(message_id="<1@x>"))[1]["result"] == "ignored"


def test_nobody_keeps_a_mail_from_a_desk_by_sending_its_number_first(world: World) -> None:
    open_desk(world)
    path = path_of(world)
    for sender, result in ((EVIL, "created"), ("rita@rivers.example", "created"), (EVIL, "ignored")):
        assert post(world, path, *plain(**{"from": sender, "message_id": "<1@x>"}))[1]["result"] == result


def test_a_thread_of_one_customer_is_none_of_another(mailed: World) -> None:
    """Neither by the signed word in a letter, nor by the address for answers, nor by a number in it that is guessed."""
    open_desk(mailed, reply_to="help@acme.example")
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        key = rita.ask()
        call(mailed, "cy", "desk.send_reply", key=key, body="It is on its way")
        told = letters(mailed, rita.email)[-1]
        roads = [{"references": told["thread"]}, {"to": [told["reply_to"]]}, {"subject": f"Re: [{key}] x"}]
        for number, road in enumerate(roads):
            body = plain(**{"from": nat.email, "message_id": f"<{number}@x>", "text": "Mine"} | road)
            assert post(mailed, path_of(mailed), *body)[1]["result"] == "created"
        assert [one["body"] for one in rita.thread(key)["comments"]] == ["It is on its way"]
        hers = plain(**{"from": rita.email, "message_id": "<r@x>", "text": "Thanks"} | roads[0])
        assert post(mailed, path_of(mailed), *hers)[1]["key"] == key
        guessed = told["reply_to"].replace("+r1.", "+r2.")
        hers = plain(**{"from": rita.email, "message_id": "<r2@x>", "text": "More", "to": [guessed]})
        assert post(mailed, path_of(mailed), *hers)[1]["result"] == "created"
        assert nat.call("desk.portal_me")["requests"] == 3


@pytest.mark.parametrize(
    "wrong", ["a\r\nBcc: eve@evil.example", "a\x0bBcc: x", "a\u2028Bcc: x", "a\x85Bcc: x"]
)
def test_no_name_and_no_title_adds_a_header(mailed: World, wrong: str) -> None:
    call(mailed, "ana", "org.update", name="Acme")
    open_desk(mailed)
    mailed.database.write_now(lambda tx: tx.execute("update desk set name = :wrong", wrong=wrong))
    with customer(mailed, "rita") as rita:
        key = rita.ask()
        mailed.database.write_now(
            lambda tx: tx.execute("update issue set title = :wrong where id = 1", wrong=wrong)
        )
        call(mailed, "cy", "desk.send_reply", key=key, body=f"Hello\r\n.\r\n{wrong}")
        row = letters(mailed, rita.email)[-1]
    raw = message(row, f'"{"Acme"}" <kb@acme.example>')
    head = raw.partition(b"\r\n\r\n")[0]
    assert b"\r\nBcc" not in head
    assert row["subject"].isprintable()


def test_a_mailbox_that_counts_anew_brings_nothing_twice(world: World) -> None:
    """UIDVALIDITY changes, all mail is unread again: what was taken is known by its Message-ID."""
    with open_mailbox("imap") as box:
        box.put(letter())
        first = pulled(box.port, "imap")
        box.validity = 8
        again = pulled(box.port, "imap")
    assert [one.uid for one in (*first.mails, *again.mails)] == ["7:1", "8:1"]


def test_two_of_us_do_not_write_to_each_other_for_ever(mailed: World) -> None:
    """What a desk writes is a program's to whoever takes it in: by IMAP, and as a service posts it."""
    open_desk(mailed)
    asked = plain(**{"from": "help@other.example", "message_id": "<1@x>"})
    assert post(mailed, path_of(mailed), *asked)[1]["result"] == "created"
    (receipt,) = letters(mailed, "help@other.example")
    raw = message(receipt, "kb@acme.example")
    assert received.parse(raw).automatic
    head = raw.partition(b"\r\n\r\n")[0].decode().replace("\r\n", "\n")
    posted = parts(sendgrid(headers=head, **{"from": "kb@acme.example"}))
    assert post(mailed, path_of(mailed), *posted)[1]["result"] == "ignored"
    assert len(call(mailed, "ana", "desk.customers")) == 1


@BOTH
def test_a_mailbox_in_a_private_network_is_not_looked_into(world: World, protocol: Protocol) -> None:
    with open_mailbox(protocol) as box:
        asked: dict[str, Any] = {
            "name": "x",
            "protocol": protocol,
            "port": box.port,
            "user": "shop",
            "password": PASSWORD,
        }
        asked |= {"target": {"project": "WEB"}, "security": "tls", "host": "localhost"}
        with world.at_rest():
            world.session("ana").call("mail.mailbox_save", asked)
            found = call(world, "ana", "mail.mailbox_test", id=1)
        assert not found["ok"]
        assert "127.0.0.1" not in found["detail"]
        for host in ("127.0.0.1", "::1", "169.254.169.254", "::ffff:10.0.0.8", "0.0.0.0"):
            with refused("invalid-input"):
                world.session("ana").call("mail.mailbox_save", asked | {"host": host})
        assert box.said == []


@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 200_000,
        b"Content-Type: message/delivery-status\r\n\r\n" + b"A: b\r\n\r\n" * 200_000,
        b"".join(b"X-%d: " % number + b"=?utf-8?q?=FF?= " * 1000 + b"\r\n" for number in range(500)),
        b"Content-Disposition: x; " + b"".join(b"name*%d*=%%41; " % number for number in range(100_000)),
    ],
    ids=range(4),
)
def test_no_mail_is_a_bomb(raw: bytes) -> None:
    begun = thread_time()
    with contextlib.suppress(InvalidInput):
        received.parse(raw)
    assert thread_time() - begun < 3
