"""A mailbox elsewhere, on this machine: as much of IMAP and POP3 as a reader speaks, with what it did noted."""

import base64
import re
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

PASSWORD = "a mail password"


class FarMailbox:
    """Its mails by number, what was read and deleted, and how it is to behave."""

    def __init__(self) -> None:
        self.mails: dict[int, bytes] = {}
        self.seen: set[int] = set()
        self.gone: set[int] = set()
        self.said: list[str] = []
        self.port = 0
        self.sizes: dict[int, int] = {}
        self.tls: ssl.SSLContext | None = None
        self.silent = False
        self.password = PASSWORD
        self.implicit = False
        """TLS from the first byte on."""
        self.before_tls = b""
        """What somebody in between says before the line is secured."""
        self.validity = 7

    def put(self, mail: EmailMessage | bytes) -> int:
        number = len(self.mails) + 1
        self.mails[number] = mail if isinstance(mail, bytes) else mail.as_bytes()
        return number

    def waits(self) -> list[int]:
        return [number for number in self.mails if number not in self.gone]

    def size(self, number: int) -> int:
        return self.sizes.get(number, len(self.mails[number]))


class _Handler(socketserver.StreamRequestHandler):
    box: FarMailbox

    def say(self, line: str | bytes) -> None:
        self.wfile.write((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def hear(self) -> str:
        line = self.rfile.readline(100_000)
        if not line:
            raise ConnectionResetError
        text = line.decode().rstrip("\r\n")
        self.box.said.append(text)
        return text

    def secure(self) -> None:
        assert self.box.tls is not None
        self.connection = self.box.tls.wrap_socket(self.request, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", buffering=0)

    def finish(self) -> None:
        super().finish()
        self.connection.close()

    def handle(self) -> None:
        if self.box.silent:
            threading.Event().wait(30)
            return
        try:
            if self.box.implicit:
                self.secure()
            self.talk()
        except (OSError, ssl.SSLError):
            return

    def talk(self) -> None:
        raise NotImplementedError


class _Imap(_Handler):
    def talk(self) -> None:
        self.say("* OK [CAPABILITY IMAP4rev1 UIDPLUS STARTTLS] here")
        while True:
            tag, command, rest = (*self.hear().split(" ", 2), "")[:3]
            getattr(self, f"on_{command.lower()}")(tag, rest)
            if command.upper() == "LOGOUT":
                return

    def on_capability(self, tag: str, _: str) -> None:
        self.say("* CAPABILITY IMAP4rev1 UIDPLUS STARTTLS")
        self.say(f"{tag} OK done")

    def on_starttls(self, tag: str, _: str) -> None:
        self.wfile.write(self.box.before_tls)
        self.say(f"{tag} OK begin")
        self.secure()

    def on_login(self, tag: str, rest: str) -> None:
        self.let_in(tag, f'"{self.box.password}"' in rest)

    def let_in(self, tag: str, right: bool) -> None:
        self.say(f"{tag} OK in" if right else f"{tag} NO [AUTHENTICATIONFAILED] wrong password")

    def on_authenticate(self, tag: str, _: str) -> None:
        self.say("+ ")
        self.let_in(tag, base64.b64decode(self.hear()).decode().endswith(f"\0{self.box.password}"))

    def on_select(self, tag: str, rest: str) -> None:
        if rest not in ('"INBOX"', '"Eing&AOQ-nge"'):
            self.say(f"{tag} NO no such folder")
            return
        self.say(f"* {len(self.box.waits())} EXISTS")
        self.say("* OK [UIDVALIDITY " + str(self.box.validity) + "] valid")
        self.say(f"{tag} OK [READ-WRITE] selected")

    def on_logout(self, tag: str, _: str) -> None:
        self.say("* BYE bye")
        self.say(f"{tag} OK out")

    def on_uid(self, tag: str, rest: str) -> None:
        command, _, more = rest.partition(" ")
        box = self.box
        if command == "SEARCH":
            found = [str(one) for one in box.waits() if one not in box.seen]
            self.say(" ".join(["* SEARCH", *found]))
        elif command == "STORE":
            named, _, _ = more.partition(" ")
            box.seen |= {int(one) for one in named.split(",")}
        elif command == "EXPUNGE":
            box.gone |= {int(one) for one in more.split(",")}
        elif "RFC822.SIZE" in more:
            number = int(more.split()[0])
            self.say(f"* 1 FETCH (UID {number} RFC822.SIZE {box.size(number)})")
        else:
            number = int(more.split()[0])
            raw = box.mails[number]
            self.wfile.write(f"* 1 FETCH (UID {number} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")\r\n")
        self.say(f"{tag} OK done")


class _Pop(_Handler):
    def talk(self) -> None:
        self.say("+OK here")
        self.deleted: set[int] = set()
        while True:
            command, _, rest = self.hear().partition(" ")
            getattr(self, f"on_{command.lower()}")(rest)
            if command == "QUIT":
                return

    def on_capa(self, _: str) -> None:
        self.say(b"+OK\r\nSTLS\r\n.")

    def on_stls(self, _: str) -> None:
        self.say("+OK begin")
        self.secure()

    def on_user(self, _: str) -> None:
        self.say("+OK")

    def on_pass(self, rest: str) -> None:
        self.say("+OK" if rest == self.box.password else "-ERR wrong password")

    def on_uidl(self, _: str) -> None:
        self.say("+OK")
        for one in self.box.waits():
            self.say(f"{one} uid-{one}")
        self.say(".")

    def on_list(self, rest: str) -> None:
        self.say(f"+OK {rest} {self.box.size(int(rest))}")

    def on_retr(self, rest: str) -> None:
        self.say("+OK")
        raw = re.sub(rb"(?m)^\.", b"..", self.box.mails[int(rest)].replace(b"\r\n", b"\n"))
        self.wfile.write(raw.rstrip(b"\n").replace(b"\n", b"\r\n") + b"\r\n.\r\n")

    def on_dele(self, rest: str) -> None:
        self.deleted.add(int(rest))
        self.say("+OK")

    def on_quit(self, _: str) -> None:
        self.box.gone |= self.deleted
        self.say("+OK bye")


@contextmanager
def open_mailbox(protocol: str) -> Iterator[FarMailbox]:
    box = FarMailbox()
    base = _Imap if protocol == "imap" else _Pop

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    handler: Any = type("Handler", (base,), {"box": box})
    with Server(("127.0.0.1", 0), handler) as server:
        box.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield box
        finally:
            server.shutdown()
            thread.join()
