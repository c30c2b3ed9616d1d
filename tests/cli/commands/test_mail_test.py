"""`kbwork mail test`: a letter that goes out at once, and what is said where it does not."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands.here import kbwork_here
from tests.worker.test_mail import Inbox, listening

TO = "cy@acme.example"


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def port(inbox: Inbox) -> Iterator[int]:
    with listening(inbox) as found:
        yield found


def settings(folder: Path, port: int, **more: str) -> Path:
    keys = {"host": "127.0.0.1", "security": "none", "from": "Acme at work <kb@acme.example>", **more}
    lines = [f'{name} = "{value}"' for name, value in keys.items()]
    file = folder / "kbwork.toml"
    file.write_text("\n".join(["[mail]", f"port = {port}", *lines]) + "\n")
    return file


def test_a_letter_goes_out_at_once_and_the_answer_is_told(tmp_path: Path, inbox: Inbox, port: int) -> None:
    inbox.data_answer = "250 Taken as 4711"
    ran = kbwork_here("mail", "test", TO, "--config", settings(tmp_path, port))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"127.0.0.1:{port} took the letter")
    assert "250 Taken as 4711" in ran.stdout
    (letter,) = inbox.taken
    assert (letter["To"], letter["Subject"]) == (TO, "A test letter of kbwork")
    assert letter["Message-ID"].endswith("@acme.example>")
    assert "kbwork mail test" in letter.get_content()
    assert [file.name for file in tmp_path.iterdir()] == ["kbwork.toml"]


@pytest.mark.parametrize(
    ("answer", "hint"), [("550 No such user", "takes mail to this address"), ("530 Sign in", "mail.user")]
)
def test_a_refusal_is_told_with_how_to_mend_it(
    tmp_path: Path, inbox: Inbox, port: int, answer: str, hint: str
) -> None:
    inbox.answers[TO] = answer
    ran = kbwork_here("mail", "test", TO, "--config", settings(tmp_path, port))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"said {answer}" in ran.stderr
    assert hint in ran.stderr


def test_a_server_that_secures_nothing_is_told(tmp_path: Path, port: int) -> None:
    starttls = kbwork_here("mail", "test", TO, "--config", settings(tmp_path, port, security="starttls"))
    assert starttls.returncode == 1
    assert "set mail.security to tls or none" in starttls.stderr
    tls = kbwork_here("mail", "test", TO, "--config", settings(tmp_path, port, security="tls"))
    assert tls.returncode == 1
    assert "tls goes with 465" in tls.stderr


def test_where_nobody_listens_it_says_what_to_look_at(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        ran = kbwork_here("mail", "test", TO, "--config", settings(tmp_path, free.getsockname()[1]))
    assert ran.returncode == 1
    assert "look at mail.host, mail.port and mail.security" in ran.stderr


def test_a_password_that_cannot_be_read_is_told(tmp_path: Path, port: int) -> None:
    there = settings(tmp_path, port, user="kb", password_file=str(tmp_path / "nowhere"))
    ran = kbwork_here("mail", "test", TO, "--config", there)
    assert ran.returncode == 1
    assert "mail.password_file" in ran.stderr


def test_settings_without_a_mail_server_and_wrong_addresses_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    ran = kbwork_here("mail", "test", TO, "--config", empty)
    assert (ran.returncode, "set mail.host and mail.from" in ran.stderr) == (1, True)
    wrong = kbwork_here("mail", "test", "cy", "--config", empty)
    assert (wrong.returncode, "no address" in wrong.stderr) == (2, True)
