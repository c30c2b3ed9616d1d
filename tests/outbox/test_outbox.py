"""Each event goes to the stream, once and in order, whatever becomes of NATS, and people notice nothing."""

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import nats
import pytest
from click.testing import CliRunner
from nats.js import JetStreamContext
from nats.js.api import RetentionPolicy, StreamConfig

from kbwork.cli.commands.doctor import doctor
from kbwork.db.connection import Unusable
from kbwork.outbox import jetstream, keeper, messages
from kbwork.settings import LimitSettings, OutboxSettings, Settings
from tests.conftest import World
from tests.contract.metric_names import answered, explained
from tests.flags.test_network import certificates
from tests.modules.backups.test_restore_all import ended
from tests.modules.calls import eventually
from tests.nats_server import MISSING, PROGRAM, NatsServer
from tests.replica.test_keeper import logged

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=MISSING)
T = TypeVar("T")
__all__ = ["certificates"]
SECRET = "never-to-be-told-to-anybody"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    running = NatsServer(tmp_path / "nats").start()
    yield running
    running.stop()


@pytest.fixture
def outbox() -> dict[str, Any]:
    """What a test asks of it."""
    return {}


@pytest.fixture
def settings(server: NatsServer, outbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(keeper, "_EVERY_S", 0.05)
    monkeypatch.setattr(keeper, "_LOOK_S", 0.1)
    monkeypatch.setattr(keeper, "_PAUSES_S", (0.05,))
    return Settings(
        limits=LimitSettings(enabled=False), outbox=OutboxSettings(servers=(server.url,), **outbox)
    )


def asked(server: NatsServer, work: Callable[[JetStreamContext], Awaitable[T]], **known: str) -> T:
    """What is done over a connection of the test's own."""

    async def run() -> T:
        async with await nats.connect(server.url, **known) as client:
            return await work(client.jetstream())

    return asyncio.run(run())


def held(server: NatsServer, stream: str = "kbwork-acme") -> list[tuple[str, str, dict[str, Any]]]:
    """(subject, name, event) of all that lies in a stream."""

    async def read(js: JetStreamContext) -> list[tuple[str, str, dict[str, Any]]]:
        state = (await js.stream_info(stream)).state
        found = []
        for sequence in range(state.first_seq, state.last_seq + 1):
            message = await js.get_msg(stream, sequence)
            assert message.data is not None
            name = (message.headers or {})["Nats-Msg-Id"]
            found.append((str(message.subject), name, json.loads(message.data)))
        return found

    return asked(server, read)


def known(world: World) -> list[tuple[int, str]]:
    """Those events of the data that are no part of the audit log alone."""
    rows = world.database.write_now(
        lambda tx: tx.all("select seq, kind from events where audience <> 'audit' order by seq")
    )
    return [(row["seq"], row["kind"]) for row in rows]


def sent(world: World, server: NatsServer) -> bool:
    """Whether the stream holds exactly what the data hold."""
    there = held(server)
    return [(event["seq"], event["kind"]) for _, _, event in there] == known(world)


def filled(world: World) -> bool:
    assert world.app is not None
    assert world.app.outbox is not None
    return not world.app.outbox.waits and world.app.outbox._line is not None


def refused(world: World) -> str:
    assert world.app is not None
    assert world.app.outbox is not None
    return world.app.outbox._trouble or ""


def figure(world: World, name: str) -> float:
    lines = httpx2.get(f"{world.url}/metrics", timeout=10).text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"kbwork_outbox_{name} "))


def write(world: World, title: str) -> None:
    world.key("bo").call("issues.create", {"project": "WEB", "title": title})


def test_each_event_is_in_the_stream_once_and_in_order(world: World, server: NatsServer) -> None:
    eventually(lambda: filled(world))
    text = httpx2.get(f"{world.url}/metrics", timeout=10).text
    assert answered(text, "kbwork_outbox_") == explained("howto-outbox", "kbwork_outbox_")
    write(world, "Everywhere")
    eventually(lambda: filled(world) and sent(world, server))
    subject, name, event = held(server)[-1]
    assert (subject, name) == ("kbwork.acme.issue.created", f"acme:{event['seq']}")
    (told,) = world.session("ana").call("api.changes", {"since": event["seq"] - 1})["events"]
    assert event == {key: value for key, value in told.items() if key != "title"}
    assert (figure(world, "lag_events"), figure(world, "age_seconds"), figure(world, "connected")) == (
        0,
        0,
        1,
    )
    assert figure(world, "sent") == len(known(world))


def test_a_server_that_is_away_is_waited_for(
    world: World, server: NatsServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventually(lambda: filled(world))
    seq = world.database.seq
    server.kill()
    write(world, "Meanwhile")
    eventually(lambda: "cannot be reached: look at outbox.servers" in refused(world))
    assert figure(world, "lag_events") > 0
    monkeypatch.setattr(keeper, "LATE_S", 0.2)
    eventually(lambda: ("outbox.failed", "org:1") in world.events_since(seq))
    assert figure(world, "age_seconds") > 0.2
    ana = world.session("ana")
    eventually(lambda: ana.call("notifications.list", {})["items"])
    (entry,) = ana.call("notifications.list", {})["items"]
    assert entry["events"][0]["summary"].startswith("found the outbox of events behind")
    assert world.key("cy").call("notifications.list", {})["items"] == []
    server.start()
    eventually(lambda: filled(world) and sent(world, server))
    assert world.events_since(seq).count(("outbox.failed", "org:1")) == 1
    assert logged(caplog).count("the outbox waits") <= 2


def test_a_stream_that_was_purged_is_gone_on_with(
    world: World, server: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))
    seq, before = world.database.seq, len(known(world))
    asked(server, lambda js: js.purge_stream("kbwork-acme"))
    eventually(lambda: ("outbox.failed", "org:1") in world.events_since(seq))
    assert "was emptied: it goes on behind event" in logged(caplog)
    eventually(lambda: filled(world) and held(server))
    assert [event["seq"] for _, _, event in held(server)] == [seq for seq, _ in known(world)[before:]]
    assert figure(world, "emptied") == 1
    info = asked(server, lambda js: js.stream_info("kbwork-acme"))
    assert (info.config.metadata or {})["kbwork-after"] == str(seq)


def test_a_stream_that_was_deleted_is_filled_again(
    world: World, server: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))
    asked(server, lambda js: js.delete_stream("kbwork-acme"))
    eventually(lambda: "was deleted or lost its end: it is filled again from event 1 on" in logged(caplog))
    eventually(lambda: filled(world) and sent(world, server))


def test_what_a_stream_forgot_by_age_does_not_come_again(world: World, server: NatsServer) -> None:
    end = messages.StreamEnd(sequence=90, first=91, name="acme", age_s=3600.0)
    found = world.database.read_now(lambda tx: messages.place(tx, "acme", end, None))
    assert found == 0, "all is as young as the world"
    write(world, "A day later")
    world.clock.advance(86_400)
    last = world.database.seq
    assert world.database.read_now(lambda tx: messages.place(tx, "acme", end, None)) == last
    world.key("bo").call("issues.create", {"project": "WEB", "title": "Young"})
    assert world.database.read_now(lambda tx: messages.place(tx, "acme", end, None)) == last


@pytest.mark.parametrize("outbox", [{"from_": "now"}])
def test_a_new_stream_may_begin_now(world: World, server: NatsServer) -> None:
    before = len(known(world))
    eventually(lambda: filled(world))
    write(world, "First")
    eventually(lambda: filled(world) and held(server))
    assert [event["seq"] for _, _, event in held(server)] == [seq for seq, _ in known(world)[before:]]


@pytest.mark.parametrize("outbox", [{"stream": "theirs", "subject": "theirs"}])
def test_a_stream_of_another_org_or_of_another_past_is_refused(world: World, server: NatsServer) -> None:
    eventually(lambda: filled(world))
    assert world.app is not None

    async def lay(js: JetStreamContext, **event: Any) -> None:
        await js.publish(
            "theirs.x", json.dumps(event).encode(), headers={"Nats-Msg-Id": f"other:{event.get('seq')}"}
        )

    asked(server, lambda js: lay(js, seq=3, kind="issue.created", subject="issue:1", created_at=7))
    write(world, "Refused")
    eventually(lambda: "its event 3 is another than that of these data" in refused(world))
    asked(server, lambda js: lay(js, seq=3000, kind="issue.created", subject="issue:1", created_at=7))
    eventually(lambda: "it ends with event 3,000 and the data with" in refused(world))
    asked(server, lambda js: lay(js, greeting="hello"))
    eventually(lambda: "its last message below theirs is no event of kbwork" in refused(world))
    assert httpx2.get(f"{world.url}/readyz", timeout=10).status_code == 200

    asked(server, lambda js: js.delete_stream("theirs"))
    eventually(lambda: filled(world) and held(server, "theirs"))


def test_an_empty_stream_that_another_org_took_is_refused(server: NatsServer) -> None:
    taken = StreamConfig(name="taken", subjects=["taken.>"], metadata={"kbwork-org": "other"})
    asked(server, lambda js: js.add_stream(taken))
    free = StreamConfig(name="free", subjects=["free.>"], max_msg_size=2000)
    asked(server, lambda js: js.add_stream(free))

    async def looked(name: str) -> messages.StreamEnd:
        at = OutboxSettings(servers=(server.url,), stream=name, subject=name)
        line = await jetstream.EventStream.connected(at, "acme")
        try:
            end = await line.look(after=7)
            large = messages.EventMessage(8, "page.edited", '{"seq":8', json.dumps("x" * 4000))
            assert await line.send([large]) == [8]
        finally:
            await line.close()
        return end

    used = StreamConfig(name="used", subjects=["used.>"], retention=RetentionPolicy.INTEREST)
    asked(server, lambda js: js.add_stream(used))
    with pytest.raises(Unusable, match="its retention should be limits"):
        asyncio.run(looked("used"))
    with pytest.raises(Unusable, match="it is of the org other; name another"):
        asyncio.run(looked("taken"))
    assert asyncio.run(looked("free")).after == 7
    found = asked(server, lambda js: js.get_last_msg("free", "free.>"))
    assert json.loads(found.data or b"") == {"seq": 8, "payload": None}


def test_a_stream_that_takes_no_more_says_so(
    world: World, server: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    eventually(lambda: filled(world))

    async def bound(js: JetStreamContext) -> None:
        found = (await js.stream_info("kbwork-acme")).config
        found.max_msgs, found.discard = len(known(world)) + 1, "new"  # type: ignore[assignment]  # its own word
        await js.update_stream(found)

    asked(server, bound)
    for number in range(3):
        write(world, f"Number {number}")
    eventually(lambda: "takes no more: maximum messages exceeded" in refused(world))
    assert figure(world, "lag_events") > 0


def test_the_outbox_signs_in_by_a_file_and_tells_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (file := tmp_path / "nats.keys").write_text(f"kbwork\n{SECRET}\n")
    file.chmod(0o600)
    running = NatsServer(tmp_path / "shut", "--user", "kbwork", "--pass", SECRET).start()

    async def tried(credentials: str) -> None:
        at = OutboxSettings(servers=("nats://127.0.0.1:9", running.url), credentials=credentials)
        line = await jetstream.EventStream.connected(at, "acme")
        assert line.place == f"kbwork-acme at {running.url}"
        assert await line.end() is None
        await line.close()

    try:
        asyncio.run(tried(str(file)))
        for content, said in (
            (f"kbwork\n{SECRET}-not\n", "cannot be reached"),
            ("one two three", "should hold NATS credentials"),
        ):
            file.write_text(content)
            with pytest.raises(Unusable, match=said) as error:
                asyncio.run(tried(str(file)))
            assert SECRET not in str(error.value)
        file.chmod(0o644)
        with pytest.raises(Unusable, match="can be read by others: chmod 600"):
            asyncio.run(tried(str(file)))
    finally:
        running.stop()
    assert SECRET not in logged(caplog)


def test_a_restore_is_gone_on_behind(world: World, server: NatsServer) -> None:
    eventually(lambda: filled(world))
    ana = world.session("ana")
    made = ana.call("backups.create", {})
    write(world, "Is gone again")
    eventually(lambda: filled(world))
    there = len(held(server))
    job = ended(world, ana.call("backups.restore", {"id": made["id"]})["job"])
    assert job["state"] == "done"
    write(world, "After all")
    eventually(lambda: filled(world) and held(server)[-1][2]["seq"] == known(world)[-1][0])
    numbers = [event["seq"] for _, _, event in held(server)]
    assert (len(numbers) > there, numbers) == (True, sorted(set(numbers)))


def test_the_doctor_compares_the_stream_with_the_data(
    world: World, server: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    eventually(lambda: filled(world))
    monkeypatch.setenv("KBWORK_OUTBOX_SERVERS", server.url)

    def said() -> tuple[bool, str]:
        ran = CliRunner().invoke(doctor, ["--data", str(world.folder), "--json"])
        found = next(one for one in json.loads(ran.stdout)["findings"] if one["about"] == "outbox")
        return found["well"], found["said"]

    well, text = said()
    assert (well, text.startswith(f"the stream kbwork-acme at {server.url} has all up to event ")) == (
        True,
        True,
    )
    monkeypatch.setenv("KBWORK_OUTBOX_STREAM", "not-there")
    assert said() == (True, f"the stream not-there at {server.url} is not there yet: the server makes it")
    server.stop()
    assert said() == (False, f"the outbox: {server.url} cannot be reached: look at outbox.servers")


def test_a_server_is_believed_by_its_certificate_alone(
    tmp_path: Path, certificates: tuple[Path, ssl.SSLContext]
) -> None:
    authority = certificates[0]
    told = ("--tls", "--tlscert", str(authority), "--tlskey", str(authority.with_name("key.pem")))
    running = NatsServer(tmp_path / "secured", *told).start()
    secured = running.url.replace("nats://", "tls://")

    async def tried(ca: str) -> messages.StreamEnd | None:
        at = OutboxSettings(servers=(secured,), ca=ca)
        line = await jetstream.EventStream.connected(at, "acme")
        try:
            return await line.end()
        finally:
            await line.close()

    try:
        assert asyncio.run(tried(str(authority))) is None
        with pytest.raises(Unusable, match="CERTIFICATE_VERIFY_FAILED"):
            asyncio.run(tried(""))
        with pytest.raises(Unusable, match=r"outbox\.ca: .* cannot be read"):
            asyncio.run(tried(str(tmp_path / "none.pem")))
    finally:
        running.stop()


def test_credentials_of_nats_need_their_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (file := tmp_path / "nats.creds").write_text(
        "-----BEGIN NATS USER JWT-----\nabc\n------END NATS USER JWT------\n"
    )
    file.chmod(0o600)
    monkeypatch.setattr(jetstream, "find_spec", lambda _: None)
    with pytest.raises(Unusable, match=r"pip install 'kbwork\[outbox\]'"):
        jetstream._credentials(file)
    monkeypatch.setattr(jetstream, "find_spec", lambda _: object())
    assert jetstream._credentials(file) == {"user_credentials": str(file)}
