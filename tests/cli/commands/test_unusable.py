"""What a server that cannot start says: one line with the reason, and the exit code 2, after which no service manager
starts it again."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kbwork.api.http import server
from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import StorageFull
from kbwork.cli import logs
from kbwork.cli.commands.doctor import doctor
from kbwork.db.folder import Folder
from kbwork.modules.org import setup
from tests.cli.commands.here import kbwork_here
from tests.conftest import NOW

_PAGE = 4096


@pytest.fixture(autouse=True)
def _not_hardened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits and the log of the process that runs the tests stay."""
    monkeypatch.setattr(server, "harden", lambda: None)
    monkeypatch.setattr(logs, "configure", lambda _: None)


@pytest.fixture
def folder(empty_folder: Path) -> Path:
    """One that was served before."""
    return empty_folder


def _as_folder(name: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir(mode=0o700)

    return spoil


def _holding(name: str, content: bytes) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return spoil


def _overwritten(folder: Path) -> None:
    """The schema is gone, the head of the file is there."""
    file = folder / "kbwork.db"
    found = file.read_bytes()
    file.write_bytes(found[:100] + b"\xff" * (8 * _PAGE) + found[100 + 8 * _PAGE :])


def _cut(folder: Path) -> None:
    file = folder / "kbwork.db"
    file.write_bytes(file.read_bytes()[: 2 * _PAGE])


SPOILT: dict[str, tuple[Callable[[Path], None], str]] = {
    "the lock is a folder": (_as_folder("kbwork.lock"), "kbwork.lock cannot be used: Is a directory"),
    "the reserve is a folder": (_as_folder("kbwork.reserve"), "kbwork.reserve cannot be used"),
    "the key is a folder": (_as_folder("master.key"), "master.key cannot be used"),
    "the key is text": (_holding("master.key", b"my key\n"), "master.key does not hold a key of 32 bytes"),
    "the key is binary": (_holding("master.key", b"\xff\xfe"), "master.key does not hold a key of 32 bytes"),
    "the key is short": (_holding("master.key", b"ab" * 31), "master.key does not hold a key of 32 bytes"),
    "the file is a folder": (_as_folder("kbwork.db"), "kbwork.db cannot be opened"),
    "the file is text": (_holding("kbwork.db", b"hello " * 500), "kbwork.db cannot be opened"),
    "the file is broken": (_overwritten, "kbwork.db cannot be opened: database disk image is malformed"),
    "the file is cut": (_cut, "kbwork.db cannot be opened: database disk image is malformed"),
}


@pytest.mark.parametrize(("spoil", "said"), SPOILT.values(), ids=SPOILT)
def test_a_folder_that_cannot_be_used_is_one_line_and_exit_code_2(
    folder: Path, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(folder)
    ran = kbwork_here("serve", "--data", folder, "--port", "0")
    assert (ran.returncode, said in ran.stderr, ran.stderr.count("\n")) == (2, True, 1), ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize("command", ["serve", "init", "restore", "demo"])
def test_a_folder_that_is_held_is_exit_code_2_at_every_command(
    folder: Path, tmp_path: Path, command: str
) -> None:
    archive = tmp_path / "out.zip"
    assert kbwork_here("backup", "--data", folder, archive).returncode == 0
    argv: dict[str, list[str | Path]] = {
        "serve": ["--port", "0"],
        "init": ["--org", "Acme", "--email", "a@b.example", "--name", "Ana", "--password-stdin"],
        "restore": [archive],
        "demo": ["--remove"],
    }
    held = Folder(folder)
    held.lock()
    try:
        ran = kbwork_here(command, "--data", folder, *argv[command], given="correct horse battery\n")
    finally:
        held.unlock()
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
    assert "in use by another kbwork" in ran.stderr
    assert ("served already; stop that one first" in ran.stderr) == (command == "serve")


@pytest.mark.parametrize(
    ("given", "more", "said"),
    [
        ("short\n", [], "A password holds"),
        ("correct horse battery\n", ["--key-file", "none/key"], "no folder"),
    ],
)
def test_an_org_that_is_refused_leaves_no_folder(
    tmp_path: Path, given: str, more: list[str], said: str
) -> None:
    made = tmp_path / "made"
    argv = ["--org", "Acme", "--email", "a@b.example", "--name", "Ana", "--password-stdin"]
    ran = kbwork_here("init", "--data", made, *argv, *more, given=given)
    assert (ran.returncode != 0, said in ran.stderr) == (True, True), ran.stderr
    assert not made.exists()


def test_the_first_key_may_lie_in_the_folder_that_is_made(tmp_path: Path) -> None:
    made = tmp_path / "made"
    argv = ["--org", "Acme", "--email", "a@b.example", "--name", "Ana", "--password-stdin"]
    ran = kbwork_here(
        "init", "--data", made, *argv, "--key-file", made / "key", given="correct horse battery\n"
    )
    assert ran.returncode == 0, ran.stderr
    assert (made / "key").stat().st_mode & 0o777 == 0o600


def test_an_org_that_is_refused_leaves_the_folder_of_another(folder: Path) -> None:
    argv = ["--org", "Acme", "--email", "a@b.example", "--name", "Ana", "--password-stdin"]
    ran = kbwork_here("init", "--data", folder, *argv, given="short\n")
    assert ran.returncode != 0
    assert (folder / "kbwork.db").is_file()


@pytest.mark.parametrize("command", ["serve", "init", "demo"])
def test_a_key_whose_data_file_is_gone_is_no_new_org(folder: Path, command: str) -> None:
    key = (folder / "master.key").read_bytes()
    (folder / "kbwork.db").unlink()
    argv = {
        "serve": ["--port", "0"],
        "init": ["--org", "Acme", "--email", "a@b.example", "--name", "Ana", "--password-stdin"],
        "demo": [],
    }
    ran = kbwork_here(command, "--data", folder, *argv[command], given="correct horse battery\n")
    said = "kbwork.db is missing: put the file back; or restore a backup: kbwork restore ARCHIVE --data"
    assert (ran.returncode, said in ran.stderr, "move the folder away" in ran.stderr) == (2, True, True)
    assert ((folder / "master.key").read_bytes(), (folder / "kbwork.db").exists()) == (key, False)


def test_a_backup_is_restored_beside_the_key_of_data_that_are_gone(folder: Path, tmp_path: Path) -> None:
    archive, key = tmp_path / "out.zip", (folder / "master.key").read_bytes()
    assert kbwork_here("backup", "--data", folder, archive).returncode == 0
    (folder / "kbwork.db").unlink()
    ran = kbwork_here("restore", archive, "--data", folder)
    assert (ran.returncode, "new master.key" in ran.stderr) == (0, False), ran.stderr
    assert (folder / "master.key").read_bytes() == key
    open_data(folder, FixedClock(NOW)).close()


@pytest.mark.parametrize("cut", ["fsync", "rename"])
def test_a_first_start_cut_off_at_the_key_is_begun_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    def killed(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(*{"fsync": (os, "fsync"), "rename": (Path, "rename")}[cut], killed)
        with pytest.raises(SystemExit):
            open_data(tmp_path / "new", FixedClock(NOW))
    open_data(tmp_path / "new", FixedClock(NOW)).close()
    assert not (tmp_path / "new" / "master.key.part").exists()


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens at."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


SETTINGS = {
    "no TOML": ("[server", "is not TOML"),
    "not in UTF-8": ("\udcff", "is not TOML"),
    "an unknown key": ("[server]\nprot = 1", "did you mean server.port?"),
    "another type": ('[server]\nport = "many"', "server.port should be"),
    "no folder": ('[server]\ndata = ""', "server.data should be the path of a folder"),
    "a folder with NUL": ('[server]\ndata = "a\\u0000b"', "server.data should be the path of a folder"),
    "a file for a folder": ('[server]\ndata = "kbwork.toml"', "cannot make the data folder"),
    "no address of ours": ('[server]\nhost = "192.0.2.1"', "cannot listen on 192.0.2.1"),
    "a name that is none": (f'[server]\nhost = "{"a" * 80}"', "no name that an address could have"),
    "a port that is taken": ("[server]\nport = {taken}", "cannot listen on 127.0.0.1"),
}


@pytest.mark.parametrize(("text", "said"), SETTINGS.values(), ids=SETTINGS)
def test_settings_that_cannot_be_used_are_one_line_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "kbwork.toml"
    file.write_text(text.replace("{taken}", str(taken)), "utf-8", "surrogateescape")
    ran = kbwork_here("serve")
    assert (ran.returncode, said in ran.stderr, ran.stderr.count("\n")) == (2, True, 1), ran.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["kbwork.toml"]  # nothing was begun


def test_a_family_of_addresses_that_the_machine_lacks_is_exit_code_2(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(*_: object) -> socket.socket:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", lacking)
    ran = kbwork_here("serve", "--data", folder, "--host", "::1")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
    assert "change server.host" in ran.stderr


def test_a_first_start_on_a_full_disk_is_exit_code_2(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object) -> str:
        raise StorageFull("The disk is full; make room")

    monkeypatch.setattr(setup, "new_setup_link", full)
    ran = kbwork_here("serve", "--data", folder, "--port", "0")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
    assert "The disk is full; make room" in ran.stderr


def test_the_doctor_says_of_a_lock_that_cannot_be_had_what_it_is(folder: Path) -> None:
    _as_folder("kbwork.lock")(folder)
    ran = CliRunner().invoke(doctor, ["--data", str(folder)])
    assert ran.exit_code == 1
    assert f"MEND {folder}/kbwork.lock cannot be used: Is a directory" in ran.output.splitlines()
