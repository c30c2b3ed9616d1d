"""Programs that run beside the server: what they get, how they end, and that none outlives whoever asked."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import kbwork
from kbwork.core import own_programs
from kbwork.core.own_programs import OwnProgram

_SAMPLE = """
import json, os, signal, sys, time

def main(argv):
    what, given = argv[0], b""
    if what == "hasty":
        return 0
    given = sys.stdin.buffer.read()
    if what == "told":
        fds = sorted(int(one) for one in os.listdir("/proc/self/fd")) if sys.platform == "linux" else [0, 1, 2, 3]
        print(json.dumps([argv[1:], given.decode(), dict(os.environ), os.getcwd(), fds, sys.argv[1:]]))
    elif what == "echo":
        sys.stderr.write("x" * int(argv[1]))
        sys.stdout.buffer.write(given)
    elif what == "leave":
        sys.exit(int(argv[1]))
    elif what == "words":
        sys.exit("no status")
    elif what == "fall":
        raise ValueError("it fell")
    elif what == "die":
        os.kill(os.getpid(), signal.SIGTERM)
    elif what == "sleep":
        sys.stdout.write(str(os.getpid()))
        sys.stdout.flush()
        time.sleep(60)
    return None
"""


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[own_programs.ForkServerProcess]:
    """A module `sample_program`, and a process of this test alone that programs are copied from."""
    (tmp_path / "sample_program.py").write_text(_SAMPLE)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(kbwork.__file__).parent.parent}")
    server = own_programs.ForkServerProcess()
    monkeypatch.setattr(own_programs, "_SERVER", server)
    yield server
    server.close()


def run(*argv: str, given: bytes = b"", most_s: float | None = 30) -> "subprocess.CompletedProcess[bytes]":
    return own_programs.run("sample_program", *argv, given=given, most_s=most_s)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def eventually(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_a_program_gets_what_it_is_given_and_nothing_else(
    sample: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KBWORK_MASTER_KEY", "secret")
    done = run("told", "an argument", given=b"a text")
    argv, given, env, folder, fds, whole = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (argv, given, env, folder) == (["an argument"], "a text", {}, str(tmp_path))
    assert fds == [0, 1, 2, 3]  # the last one lists them
    assert whole == ["told", "an argument"]
    program = OwnProgram("sample_program", ("told",), {"NAME": "välue"})
    assert json.loads(program.communicate(b"").stdout)[2] == {"NAME": "välue"}


def test_much_goes_both_ways_at_once(sample: object) -> None:
    given = os.urandom(1000) * 10_000
    done = run("echo", "3000000", given=given)
    assert (done.returncode, done.stdout == given, len(done.stderr)) == (0, True, 3_000_000)


@pytest.mark.parametrize(
    ("argv", "status", "said"),
    [
        (("leave", "3"), 3, b""),
        (("words",), 1, b""),
        (("fall",), 1, b"ValueError: it fell"),
        (("die",), -signal.SIGTERM, b""),
        (("hasty",), 0, b""),
    ],
)
def test_how_it_ended_is_told(sample: object, argv: tuple[str, ...], status: int, said: bytes) -> None:
    done = run(*argv, given=b" " * 1_000_000)
    assert (done.returncode, done.stdout) == (status, b"")
    assert said in done.stderr


def test_a_program_that_is_not_there_is_told_of(sample: object) -> None:
    done = own_programs.run("no_program", given=b" " * 1_000_000)
    assert done.returncode == 1
    assert b"No module named 'no_program'" in done.stderr
    assert run("echo", "0", given=b"the next").stdout == b"the next"


def test_one_that_takes_too_long_is_ended_and_what_it_answered_is_kept(sample: object) -> None:
    run("echo", "0")  # it is imported
    with pytest.raises(subprocess.TimeoutExpired) as late:
        run("sleep", most_s=0.5)
    pid = int(late.value.output)
    eventually(lambda: gone(pid))


def test_one_is_ended_from_another_thread(sample: object) -> None:
    program = OwnProgram("sample_program", ("sleep",))
    threading.Timer(0.1, program.kill).start()
    assert program.communicate(b"").returncode == -signal.SIGKILL


def test_where_the_process_that_they_are_copied_from_ends_another_is_started(
    sample: own_programs.ForkServerProcess,
) -> None:
    assert run("echo", "0", given=b"first").stdout == b"first"
    first = sample.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    program = OwnProgram("sample_program", ("echo", "0"))  # it is asked, and never begins
    os.kill(first, signal.SIGKILL)
    assert program.communicate(b"second").stdout == b"second"
    assert run("echo", "0", given=b"third").stdout == b"third"
    assert sample.pid not in (None, first)


def test_those_who_hang_up_in_any_moment_stop_nobody_else(sample: own_programs.ForkServerProcess) -> None:
    run("echo", "0")
    first = sample.pid

    def begun_and_left(after_ms: int) -> int:
        program = OwnProgram("sample_program", ("sleep" if after_ms % 2 else "echo", "0"))
        threading.Timer(after_ms / 4000, program.kill).start()
        return program.communicate(b"").returncode

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(begun_and_left, range(40))) <= {0, -signal.SIGKILL}
    assert (run("echo", "0", given=b"another").stdout, sample.pid) == (b"another", first)


def test_many_run_at_once(sample: object) -> None:
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda n: run("echo", "10", given=b"%d" % n).stdout, range(48)))
    assert found == [b"%d" % n for n in range(48)]


def test_none_outlives_whoever_asked(tmp_path: Path) -> None:
    (tmp_path / "sample_program.py").write_text(_SAMPLE)
    text = (
        "import subprocess, sys\nfrom kbwork.core import own_programs\n"
        "try: own_programs.run('sample_program', 'sleep', given=b'', most_s=1)\n"
        "except subprocess.TimeoutExpired: pass\n"  # it is imported by now
        "program = own_programs.OwnProgram('sample_program', ('sleep',))\n"
        "data, _ = program._lines\n"
        "data.shutdown(1)\n"
        "print(data.recv(20).decode(), flush=True)\n"
        "sys.stdin.read()\n"
    )
    env = {"PYTHONPATH": f"{tmp_path}:{Path(kbwork.__file__).parent.parent}"}
    with subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as asking:
        assert asking.stdout is not None
        pid = int(asking.stdout.readline())
        assert not gone(pid)
        asking.kill()
    eventually(lambda: gone(pid))


def test_it_ends_when_nobody_asks() -> None:
    ours, its = socket.socketpair()
    text = (
        "import socket\nfrom kbwork.core import fork_server\n"
        f"fork_server.IDLE_S = 0.1; fork_server.ForkServer(socket.socket(fileno={its.fileno()})).serve()"
    )
    with ours, its:
        done = subprocess.run([sys.executable, "-c", text], pass_fds=[its.fileno()], timeout=30, check=False)
    assert done.returncode == 0
