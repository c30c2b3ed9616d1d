"""`kbwork systemd install`, and what systemd is told."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kbwork.cli import supervisor, systemd
from tests.cli.commands.here import kbwork_here

ANALYZE = shutil.which("systemd-analyze")


def unit(*more: str) -> str:
    ran = kbwork_here("systemd", "install", "--print", *more)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def settings(folder: Path, data: str) -> Path:
    file = folder / "kbwork.toml"
    file.write_text(f'[server]\ndata = "{data}"\n')
    return file


def test_the_unit_starts_this_program_and_lets_it_write_to_its_data_alone(tmp_path: Path) -> None:
    usual = unit("--config", str(settings(tmp_path, "/var/lib/kbwork/data")))
    program = Path(sys.executable).with_name("kbwork")
    assert f"ExecStart={program} serve --config {tmp_path}/kbwork.toml\n" in usual
    assert "ReadWritePaths" not in usual
    assert "KillMode=mixed\n" in usual, "else what fills a replica ends before the last write"
    other = unit("--config", str(settings(tmp_path, "/srv/kb")), "--write", "/mnt/nas", "--user", "kb")
    assert "User=kb\n" in other
    assert "ReadWritePaths=/srv/kb /mnt/nas\n" in other


def test_settings_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    file = tmp_path / "kbwork.toml"
    file.write_text("[server]\nprot = 1\n")
    ran = kbwork_here("systemd", "install", "--print", "--config", file)
    assert (ran.returncode, "prot" in ran.stderr) == (2, True)


@pytest.mark.skipif(ANALYZE is None, reason="no systemd to ask")
def test_systemd_finds_the_service_shut_in(tmp_path: Path) -> None:
    file = tmp_path / "kbwork.service"
    file.write_text(unit())
    assert ANALYZE is not None
    ran = subprocess.run(
        [ANALYZE, "security", "--offline=true", str(file)], capture_output=True, text=True, check=False
    )
    found = re.search(r"exposure level for kbwork.service: ([\d.]+)", ran.stdout)
    assert found is not None, ran.stderr
    assert float(found[1]) <= 1.5


def test_it_is_written_once_and_another_text_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "kbwork.service"
    monkeypatch.setattr(systemd, "PLACE", place)
    for _ in range(2):
        assert kbwork_here("systemd", "install").returncode == 0
    assert place.read_text() == unit()
    place.write_text("[Unit]\n")
    ran = kbwork_here("systemd", "install")
    assert (ran.returncode, "says something else" in ran.stderr) == (1, True)
    assert place.read_text() == "[Unit]\n"
    monkeypatch.setattr(systemd, "PLACE", tmp_path / "none" / "kbwork.service")
    ran = kbwork_here("systemd", "install")
    assert (ran.returncode, "run this as root" in ran.stderr) == (1, True)


@pytest.mark.parametrize("name", ["{folder}/notify", "@kbwork-{pid}"])
def test_a_supervisor_is_told_that_it_serves_and_that_it_stops(tmp_path: Path, name: str) -> None:
    address = name.format(folder=tmp_path, pid=os.getpid())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervising:
        supervising.bind(address.replace("@", "\0"))
        supervising.settimeout(60)
        server = subprocess.Popen(
            [sys.executable, "-m", "kbwork", "serve", "--port", "0", "--data", str(tmp_path / "data")],
            env={**os.environ, "NOTIFY_SOCKET": address},
            stdout=subprocess.DEVNULL,
        )
        assert supervising.recv(100).decode() == supervisor.SERVING
        server.send_signal(signal.SIGTERM)
        assert supervising.recv(100).decode() == supervisor.STOPPING
        assert server.wait(60) == 0


def test_without_a_supervisor_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("", "relative/path", "/nowhere/notify"):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        supervisor.tell(supervisor.SERVING)
