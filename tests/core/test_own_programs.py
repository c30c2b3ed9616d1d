"""Programs that run beside the server: what they get, how they end, and that none outlives whoever asked."""

import asyncio
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import kbwork
from kbwork.core import own_programs
from kbwork.core.operations.turns import TurnPool
from kbwork.core.own_programs import OwnProgram
from tests.modules.calls import eventually

_SAMPLE = """
import json, os, re, signal, sys, time

def secrets():
    found = []
    with open("/proc/self/maps") as places, open("/proc/self/mem", "rb", 0) as memory:
        for line in places:
            ends, rights = line.split()[:2]
            if rights.startswith("rw"):
                start, end = (int(one, 16) for one in ends.split("-"))
                memory.seek(start)
                try:
                    found += re.findall(rb"A-SECRE[T]-OF-OTHER[S]", memory.read(end - start))
                except OSError:
                    pass
    return found

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
        sys.stdout.write("a word")
        sys.exit(int(argv[1]) if argv[1:] else None)
    elif what == "partial":
        sys.stderr.write("no end of a line")
    elif what == "large":
        sys.exit(1 << 40)
    elif what == "shut":
        sys.stdout.write("a word")
        sys.stdout.close()
    elif what == "words":
        sys.exit("no status")
    elif what == "fall":
        sys.stdout.write("a word")
        raise ValueError("it fell")
    elif what == "die":
        sys.stderr.write("7\\0 8")
        sys.stderr.flush()
        os.kill(os.getpid(), int(argv[1]))
    elif what == "nice":
        print(os.nice(0))
    elif what == "secrets":
        print(len(secrets()))
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
    ("argv", "status", "answer", "said"),
    [
        (("leave", "3"), 3, b"a word", b""),
        (("leave",), 0, b"a word", b""),
        (("words",), 1, b"", b"no status\n"),
        (("partial",), 0, b"", b"no end of a line"),
        (("large",), 0, b"", b""),
        (("shut",), 0, b"a word", b""),
        (("die", str(int(signal.SIGTERM))), -signal.SIGTERM, b"", b"7\0 8"),
        (("hasty",), 0, b"", b""),
    ],
)
def test_how_it_ended_is_told(
    sample: object, argv: tuple[str, ...], status: int, answer: bytes, said: bytes
) -> None:
    done = run(*argv, given=b" " * 1_000_000)
    assert (done.returncode, done.stdout, done.stderr) == (status, answer, said)


def test_one_that_falls_says_where(sample: object) -> None:
    done = run("fall")
    assert (done.returncode, done.stdout) == (1, b"a word")
    assert done.stderr.endswith(b"ValueError: it fell\n")


def test_none_finds_what_another_was_given(sample: object) -> None:
    if sys.platform != "linux":
        pytest.skip("no /proc")
    secret = "A-SECRET-OF-OTHERS"
    for _ in range(3):
        assert (
            OwnProgram("sample_program", ("echo", "0", secret), {"KEY": secret})
            .communicate(secret.encode())
            .stdout
        )
    assert run("secrets").stdout == b"0\n"
    assert OwnProgram("sample_program", ("secrets",), {"KEY": secret}).communicate(b"").stdout != b"0\n"


def test_one_stands_back_as_whoever_asks(sample: own_programs.ForkServerProcess) -> None:
    sample.start()
    ours = os.nice(0)
    pool = TurnPool("test", 1, 1, "", runs_programs=True)

    async def in_the_pool() -> bytes:
        return (await pool.run(lambda: run("nice"))).stdout

    assert asyncio.run(in_the_pool()) == b"10\n"
    assert run("nice").stdout == b"%d\n" % ours


def test_where_one_falls_hard_another_process_is_copied_from(sample: own_programs.ForkServerProcess) -> None:
    first = OwnProgram("sample_program", ("sleep",))
    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(first.communicate, b"")
        run("echo", "0")
        pid = sample.pid
        assert run("die", str(int(signal.SIGSEGV))).returncode == -signal.SIGSEGV
        assert run("echo", "0", given=b"the next").stdout == b"the next"
        assert sample.pid != pid
        assert not running.done(), "what ran goes on"
        first.kill()
        assert running.result(20).returncode == -signal.SIGKILL


def test_those_who_ask_while_another_process_takes_over_are_answered(sample: object) -> None:
    def asked(n: int) -> tuple[int, bytes]:
        done = run("die", str(int(signal.SIGSEGV))) if n % 12 == 5 else run("echo", "0", given=b"%d" % n)
        return done.returncode, done.stdout

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(asked, range(72)))
    assert found == [(-signal.SIGSEGV, b"") if n % 12 == 5 else (0, b"%d" % n) for n in range(72)]


def test_a_place_is_free_again_where_none_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = TurnPool("test", 1, 0, "", runs_programs=True)

    def full() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(own_programs, "make_ready", full)
        for _ in range(2):
            with pytest.raises(OSError, match="Too many"):
                asyncio.run(pool.run(int))
    assert asyncio.run(pool.run(int)) == 0


def test_a_program_that_is_not_there_is_told_of(sample: object) -> None:
    done = own_programs.run("no_program", given=b" " * 1_000_000)
    assert done.returncode == 1
    assert b"No module named 'no_program'" in done.stderr
    assert run("echo", "0", given=b"the next").stdout == b"the next"


def test_one_that_takes_too_long_is_ended_and_what_it_answered_is_kept(sample: object) -> None:
    run("echo", "0")  # it is imported
    with pytest.raises(subprocess.TimeoutExpired) as late:
        run("sleep", most_s=0.5)
    assert gone(int(late.value.output))


def test_one_is_ended_from_another_thread(sample: object) -> None:
    for after_s in (0.0, 0.1):
        program = OwnProgram("sample_program", ("sleep",))
        ending = threading.Timer(after_s, program.kill)
        ending.start()
        assert program.communicate(b"").returncode != 0
        ending.join()


def test_where_the_process_that_they_are_copied_from_ends_another_is_started(
    sample: own_programs.ForkServerProcess,
) -> None:
    assert run("echo", "0", given=b"first").stdout == b"first"
    first = sample.pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(run, "echo", "0", given=b"second")  # it is asked for, and never begins
        time.sleep(0.1)
        os.kill(first, signal.SIGKILL)
        assert waiting.result(20).stdout == b"second"
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
        found = list(threads.map(begun_and_left, range(40)))
    assert 0 not in found[1::2], "none that sleeps ended by itself"
    assert (run("echo", "0", given=b"another").stdout, sample.pid) == (b"another", first)


def test_many_run_at_once(sample: object) -> None:
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda n: run("echo", "10", given=b"%d" % n).stdout, range(48)))
    assert found == [b"%d" % n for n in range(48)]


@pytest.mark.parametrize("killed", ["whoever asked", "the process that is copied"])
def test_none_outlives_whoever_asked_or_what_it_was_copied_from(tmp_path: Path, killed: str) -> None:
    (tmp_path / "sample_program.py").write_text(_SAMPLE)
    text = (
        "from kbwork.core import own_programs\n"
        "class Told(bytearray):\n"
        "    def __iadd__(self, part):\n"
        "        if part.isdigit(): print(part.decode(), own_programs._SERVER.pid, flush=True)\n"
        "        return super().__iadd__(part)\n"
        "own_programs.bytearray = Told\n"
        "own_programs.run('sample_program', 'sleep', given=b'')\n"
    )
    env = {"PYTHONPATH": f"{tmp_path}:{Path(kbwork.__file__).parent.parent}"}
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, env=env) as asking:
        assert asking.stdout is not None
        pid, server = (int(one) for one in asking.stdout.readline().split())
        assert not gone(pid)
        if killed == "whoever asked":
            asking.kill()
        else:
            os.kill(server, signal.SIGKILL)
    eventually(lambda: gone(pid))
    eventually(lambda: gone(server))


def test_it_ends_when_nobody_asks() -> None:
    ours, its = socket.socketpair()
    text = (
        "import socket\nfrom kbwork.core import fork_server\n"
        f"fork_server.IDLE_S = 0.1; fork_server.ForkServer(socket.socket(fileno={its.fileno()})).serve()"
    )
    with ours, its:
        done = subprocess.run([sys.executable, "-c", text], pass_fds=[its.fileno()], timeout=30, check=False)
    assert done.returncode == 0
