import ast
import inspect
import io
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib import util
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import uvicorn
from pydantic import Field
from typing_extensions import TypedDict

import kbwork
from kbwork import __version__
from kbwork.api.http.body import Bodies
from kbwork.api.http.site import Site
from kbwork.api.rest import Rest
from kbwork.base import ids
from kbwork.base.clock import SystemClock
from kbwork.base.errors import Busy, Conflict, InvalidInput, NotFound, Problem
from kbwork.base.model import Day, Empty, Id, Input, Name, Ok, Paged, Text
from kbwork.cli.command_line import main
from kbwork.cli.commands.completion import candidates
from kbwork.client import command
from kbwork.client.argv import CommandLine, build_call
from kbwork.client.client import ApiClient
from kbwork.client.command import main_of
from kbwork.client.errors import KbworkError, KbworkProblem, NotSignedIn, Unreachable
from kbwork.client.output import show_answer, show_refusal
from kbwork.client.profile import Profile, profiles, profiles_file, store
from kbwork.client.signin import picture, sign_in
from kbwork.contract.render.cli import cli
from kbwork.contract.render.client import client as one_file
from kbwork.core.access import scopes
from kbwork.core.operations.declare import Operation, destructive, read, write
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.operations.limits import Limits, Rates
from kbwork.core.operations.registry import Registry
from kbwork.db.database import Database
from kbwork.db.tx import Read, Write

KEY = ids.token("kb_")


class Label(TypedDict):
    """A label."""

    id: int
    name: str
    tags: list[str]


class LabelsSave(Input):
    name: Name
    color: Literal["red", "green"] | None = None
    rank: Annotated[int, Field(ge=1, le=9)] | None = None
    tags: list[Text] | None = None
    values: dict[str, Any] | None = None
    shown: bool | None = None
    due: Day | Literal[""] | None = None


class LabelsTell(Input):
    from_: Annotated[Text | None, Field(alias="from")] = None
    into: Id


class Page(Input):
    cursor: Text | None = None
    limit: Id | None = None


class Step(Input):
    op: Text
    input: Annotated[dict[str, Any], Field(default_factory=dict)]


class ApiBatch(Input):
    ops: Annotated[list[Step], Field(max_length=50)]


class Results(TypedDict):
    results: list[Any]


class Since(Input):
    since: Id = 0


class Happened(TypedDict):
    seq: int
    kind: str


class Feed(TypedDict):
    events: list[Happened]
    next: int
    more: bool


class DeviceStart(Input):
    client: Text
    admin: bool = False


class Started(TypedDict):
    device_code: str
    user_code: str
    verification_path: str
    interval: int
    expires_in: int


class DevicePoll(Input):
    device_code: Text


class Polled(TypedDict):
    state: str
    token: str | None


def _labels(tx: Read) -> list[Label]:
    names = tx.column("select substr(name, 3) from counter where name glob 'L-*' order by name")
    return [{"id": at, "name": name, "tags": []} for at, name in enumerate(names, 1)]


@read("labels.list", scope="projects:read")
def labels_list(tx: Read, args: Empty) -> list[Label]:
    """List labels."""
    return _labels(tx)


@read("labels.pages", scope="projects:read")
def labels_pages(tx: Read, args: Page) -> Paged[Label]:
    """List labels, one a page."""
    found = _labels(tx)
    cursor = args.cursor or ""
    at = int(cursor) if cursor.isdecimal() else 0
    return {"items": found[at : at + 1], "next": str(at + 1) if at + 1 < len(found) else None}


@write("labels.save", scope="projects:write", example={"name": "bug", "tags": ["a", "b"]})
def labels_save(tx: Write, args: LabelsSave) -> Label:
    """Make a label.

    Its name is free text.
    """
    if args.name == "taken":
        raise Conflict("There is a label of this name.")
    if args.name == "wrong":
        raise InvalidInput("cannot be this", field="name", allowed=["bug"])
    tx.execute("insert into counter (name, value) values (:name, 0)", name=f"L-{args.name}")
    return {"id": 1, "name": args.name, "tags": args.tags or []}


@write("labels.echo", scope="projects:write", example={"name": "bug"})
def labels_echo(tx: Write, args: LabelsSave) -> dict[str, Any]:
    """Answer what was sent."""
    return args.model_dump(exclude_unset=True)


@write("labels.import", scope="projects:write", example={"from": "x", "into": 1})
def labels_import(tx: Write, args: LabelsTell) -> Ok:
    """Answer whether both came."""
    return {"ok": args.from_ == "x" and args.into == 1}


@destructive("labels.delete", scope="projects:write")
def labels_delete(tx: Write, args: Empty) -> Ok:
    """Take all labels away."""
    return {"ok": bool(tx.execute("delete from counter where name glob 'L-*'"))}


BUSY: list[str] = []


@write("labels.busy", scope="projects:write", example={"name": "x"})
def labels_busy(tx: Write, args: LabelsSave) -> Ok:
    """Be busy twice, then answer."""
    BUSY.append(args.name)
    if len(BUSY) % 3:
        raise Busy("Not now.", retry_after_s=0)
    return {"ok": True}


@write("api.batch", scope="api:write", emits_any=True, example={"ops": []})
def api_batch(tx: Write, args: ApiBatch) -> Results:
    """Answer the ops that were asked."""
    return {"results": [step.op for step in args.ops]}


@read("api.changes", scope="api:read")
def api_changes(tx: Read, args: Since) -> Feed:
    """Events 1 to 5, two at a time; the caller does not see the third."""
    seen = range(args.since + 1, min(args.since + 3, 6))
    events: list[Happened] = [{"seq": seq, "kind": "x.y"} for seq in seen if seq != 3]
    following = max([args.since, *seen])
    return {"events": events, "next": following, "more": following < 5}


POLLS: list[str] = []
ASKED: list[dict[str, Any]] = []
TROUBLE: list[Problem] = []
"""What the next polls are answered with."""


@write("auth.device_start", scope="desk:public", example={"client": "x"})
def auth_device_start(tx: Write, args: DeviceStart) -> Started:
    """Start signing in by code."""
    ASKED.append(args.model_dump(exclude_unset=True))
    return {
        "device_code": "d",
        "user_code": "BCDF",
        "verification_path": "/device",
        "interval": 0,
        "expires_in": 9,
    }


@write("auth.device_poll", scope="desk:public", example={"device_code": "x"})
def auth_device_poll(tx: Write, args: DevicePoll) -> Polled:
    """Whether the code was approved: at the second time."""
    if TROUBLE:
        raise TROUBLE.pop(0)
    POLLS.append(args.device_code)
    return {"state": "approved", "token": KEY} if len(POLLS) % 2 == 0 else {"state": "pending", "token": None}


@read("auth.me", scope="projects:write", example={})
def auth_me(tx: Read, args: Empty) -> dict[str, Any]:
    """Who signed in, and what the key holds."""
    return {"scopes": ["projects:write"]}


HANDLERS = (
    auth_me,
    labels_list,
    labels_pages,
    labels_save,
    labels_echo,
    labels_import,
    labels_delete,
    labels_busy,
    api_batch,
    api_changes,
    auth_device_start,
    auth_device_poll,
)
FOUND: list[Operation] = [vars(handler)["__operation__"] for handler in HANDLERS]
REGISTRY = Registry(FOUND, [], [], [])
CATALOGUE = json.loads(json.dumps(cli(REGISTRY)))


class Served:
    """REST over a small registry on a free port, and one key; `/api/v1/stream` plays what the test wrote."""

    def __init__(self, database: Database) -> None:
        database.know(REGISTRY, frozenset(), {})
        self.database = database
        dispatcher = Dispatcher(REGISTRY, database, Limits(Rates(enabled=False)), SystemClock())
        self.rest = Rest(Site(dispatcher, "", lambda *_: None, Bodies(1_000_000)))
        self.keys: list[str | None] = []
        self.streams: list[tuple[str, bytes]] = []
        self.asked: list[str] = []
        config = uvicorn.Config(self._app, interface="asgi3", port=0, log_config=None, lifespan="on")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)

    async def _app(self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._life(receive, send)
        elif scope["path"] == "/api/v1/stream":
            self.asked.append(scope["query_string"].decode())
            status, body = self.streams.pop(0)
            head = [
                (b"content-type", b"text/event-stream" if status == "200" else b"application/problem+json")
            ]
            await send({"type": "http.response.start", "status": int(status), "headers": head})
            await send({"type": "http.response.body", "body": body})
        else:
            headers = dict(scope["headers"])
            self.keys.append(headers.get(b"idempotency-key", b"").decode("latin-1") or None)
            await self.rest(scope, receive, send)

    async def _life(self, receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        import asyncio

        await receive()
        self.database.attach(asyncio.get_running_loop())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"


def _owner(tx: Write) -> None:
    tx.execute(
        "insert into member (id, name, handle, role, state, created_at)"
        " values ('m', 'm', 'm', 'owner', 'active', 0)"
    )
    tx.execute(
        "insert into key (id, digest, name, kind, owner, last4, scopes, projects, networks, created_at)"
        " values ('k', :digest, 'k', 'personal', 'm', 'last', :scopes, '[]', '[]', 0)",
        digest=ids.digest(KEY),
        scopes=json.dumps(sorted(scopes.ADMIN)),
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    database = Database(tmp_path_factory.mktemp("cli") / "data", SystemClock())
    try:
        database.write_now(_owner)
        served = Served(database)
        served.thread.start()
        for _ in range(1000):
            if served.server.started:
                break
            threading.Event().wait(0.01)
        try:
            yield served
        finally:
            served.server.should_exit = True
            served.thread.join(timeout=20)
            assert not served.thread.is_alive()
    finally:
        database.close()


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("KBWORK_URL", "KBWORK_KEY", "KBWORK_PROFILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def client(served: Served) -> Iterator[ApiClient]:
    found = ApiClient(served.url, KEY)
    found.call("labels.delete")
    yield found
    found.close()


class Ran:
    """What one command line answered."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Ran]


@pytest.fixture
def run(served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("KBWORK_URL", served.url)
    monkeypatch.setenv("KBWORK_KEY", KEY)

    def one(*argv: str) -> Ran:
        code = main_of(CATALOGUE, list(argv))
        found = capsys.readouterr()
        return Ran(code, found.out, found.err)

    return one


def test_the_words_of_every_operation_call_it_with_hyphens_too() -> None:
    whole = json.loads((Path(kbwork.__file__).parent / "contract/cli.json").read_text(encoding="utf-8"))
    verbs = [(module, verb) for module, one in whole["modules"].items() for verb in one["verbs"]]
    assert ("fields", "options_set") in verbs
    for module, verb in verbs:
        fields = whole["modules"][module]["verbs"][verb]["fields"]
        given = {"input": json.dumps(dict.fromkeys(field["name"] for field in fields))}
        for word in {verb, verb.replace("_", "-")}:
            call = build_call(CommandLine(given, [module, word], [], help=False), whole)
            assert call.op == f"{module}.{verb}"


def test_a_call_is_answered_and_moves_the_last_seq(client: ApiClient) -> None:
    assert client.call("labels.save", {"name": "bug"}) == {"id": 1, "name": "bug", "tags": []}
    reply = client.ask("labels.list")
    assert (reply.data, reply.fresh, reply.replayed) == ([{"id": 1, "name": "bug", "tags": []}], True, False)
    assert client.last_seq == reply.seq
    assert client.ask("labels.list", if_none_match=reply.etag)._replace(seq=0) == (
        None,
        0,
        reply.etag,
        False,
        False,
    )


def test_a_write_carries_a_key_and_is_replayed_under_the_same_one(served: Served, client: ApiClient) -> None:
    served.keys.clear()
    first = client.ask("labels.save", {"name": "once"}, idempotency_key="k1")
    assert client.ask("labels.save", {"name": "once"}, idempotency_key="k1") == first._replace(replayed=True)
    client.call("labels.save", {"name": "twice"})
    assert served.keys[:2] == ["k1", "k1"]
    assert served.keys[2] is not None
    assert [row["name"] for row in client.call("labels.list")] == ["once", "twice"]


def test_a_refusal_names_slug_status_and_fields(client: ApiClient) -> None:
    with pytest.raises(KbworkProblem) as found:
        client.call("labels.save", {"name": "wrong"})
    problem = found.value
    assert (problem.slug, problem.status, problem.title) == ("invalid-input", 422, "A field does not fit")
    assert problem.errors == [{"path": "name", "message": "cannot be this", "allowed": ["bug"]}]
    assert problem.extra == {"errors": problem.errors}
    assert problem.request_id


def test_a_busy_server_is_asked_again_with_the_same_key(served: Served, client: ApiClient) -> None:
    BUSY.clear()
    served.keys.clear()
    assert client.call("labels.busy", {"name": "x"}) == {"ok": True}
    assert len(BUSY) == 3
    assert len(set(served.keys)) == 1


def test_patience_ends(client: ApiClient) -> None:
    BUSY.clear()
    client.retries = 1
    with pytest.raises(KbworkProblem, match="Not now") as found:
        client.call("labels.busy", {"name": "x"})
    assert found.value.slug == "busy"
    assert len(BUSY) == 2


def test_a_server_that_is_away_is_unreachable() -> None:
    client = ApiClient("http://127.0.0.1:9", "kb_x")
    client.retries = 1
    with pytest.raises(Unreachable, match="cannot be reached"):
        client.call("labels.list")
    for url in ("ftp://x", "http://x:99999", "http://", "work"):
        with pytest.raises(Unreachable, match="is no address"):
            ApiClient(url)
    with pytest.raises(KbworkError, match="is no JSON"):
        client.call("labels.list", {"x": float("nan")})


def test_a_kept_connection_that_the_server_closed_is_opened_anew() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)

        def serve() -> None:
            for _ in range(2):
                connection = server.accept()[0]
                with connection:
                    connection.settimeout(10)
                    got = b""
                    while not got.endswith(b"\r\n\r\n{}"):
                        got += connection.recv(65536) or b"\r\n\r\n{}"
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        client = ApiClient(f"http://127.0.0.1:{server.getsockname()[1]}", "kb_x")
        client.retries = 0
        assert client.call("labels.list") == []
        assert client.call("labels.list") == []
        client.close()
        thread.join(timeout=10)


def test_many_threads_share_a_client(client: ApiClient) -> None:
    answers: list[Any] = []

    def work() -> None:
        answers.extend(client.call("labels.echo", {"name": f"n{at}"})["name"] for at in range(20))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(answers) == sorted(f"n{at}" for at in range(20) for _ in range(8))


def test_every_row_comes_over_all_pages(client: ApiClient) -> None:
    for name in ("a", "b", "c"):
        client.call("labels.save", {"name": name})
    assert [row["name"] for row in client.every("labels.pages", limit=1)] == ["a", "b", "c"]
    assert [row["name"] for row in client.every("labels.list")] == ["a", "b", "c"]


def test_changes_come_once_each_until_caught_up(client: ApiClient) -> None:
    changes = client.changes(follow=False)
    assert [event["seq"] for event in changes] == [1, 2, 4, 5]
    assert changes.since == 5
    resumed = client.changes(since=2, follow=False)
    assert next(resumed)["seq"] == 4
    assert resumed.since == 4


def test_a_batch_answers_in_order(client: ApiClient) -> None:
    assert client.batch([("labels.list", {}), ("labels.save", {"name": "x"})]) == [
        "labels.list",
        "labels.save",
    ]


def _event(seq: int) -> bytes:
    return f'id: {seq}\nevent: issue.updated\ndata: {{"seq": {seq}}}\n\n'.encode()


def test_the_stream_resumes_where_it_broke(served: Served, client: ApiClient) -> None:
    hello = b'event: hello\ndata: {"seq": 9}\n\n: still here\n\n'
    served.asked.clear()
    served.streams = [("200", hello + _event(7) + _event(8)), ("200", hello + _event(9))]
    stream = client.stream(since=6, kinds=["issue.*"])
    assert [next(stream)["seq"] for _ in range(3)] == [7, 8, 9]
    assert served.asked == ["kinds=issue.%2A&since=6", "kinds=issue.%2A&since=8"]
    stream.close()


def test_a_gap_in_the_stream_is_a_problem(served: Served, client: ApiClient) -> None:
    served.streams = [("200", b'event: gap\ndata: {"oldest": 40}\n\n')]
    with pytest.raises(KbworkProblem) as found:
        next(client.stream(since=1))
    assert (found.value.slug, found.value.extra) == ("stale", {"oldest": 40})
    served.streams = [("401", b'{"type": "/problems/unauthenticated", "title": "Sign in first"}')]
    with pytest.raises(KbworkProblem) as found:
        next(client.stream())
    assert (found.value.slug, found.value.status) == ("unauthenticated", 401)


def test_signing_in_keeps_a_profile_for_its_owner_alone(served: Served) -> None:
    said: list[str] = []
    POLLS.clear()
    made = sign_in(served.url, show=said.append)
    assert made == Profile("default", served.url, KEY)
    assert said == [
        f"Open this link in a browser and approve the code BCDF:\n{served.url}/device?code=BCDF",
        "Waiting until you have, for 0 minutes at most; Ctrl-C ends it.",
    ]
    assert stat.S_IMODE(profiles_file().stat().st_mode) == 0o600
    found = ApiClient()
    assert found.call("labels.echo", {"name": "x"}) == {"name": "x"}
    found.close()


def test_signing_in_outlasts_a_server_that_is_away_for_a_while(served: Served) -> None:
    said: list[str] = []
    POLLS.clear()
    TROUBLE[:] = [Busy("Not now.", retry_after_s=0) for _ in range(10)]
    assert sign_in(served.url, show=said.append).key == KEY
    assert said[2:] == ["The server does not answer: trying on.", "It is there again."]
    TROUBLE[:] = [NotFound("There is no such device code.")]
    with pytest.raises(KbworkProblem, match="no such device code"):
        sign_in(served.url, show=said.append)


def test_the_link_is_drawn_for_a_phone_where_that_may_open_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = picture("https://work.example.org/device?code=BCDF-GHJK")
    assert (len(drawn.splitlines()) > 10, set(drawn) <= set(" \n▀▄█\x1b[0123456789;m")) == (True, True)
    assert picture("http://127.0.0.1:8080/device?code=BCDF") == ""
    monkeypatch.setitem(sys.modules, "segno", None)
    assert picture("https://work.example.org/device?code=BCDF-GHJK") == ""


def test_a_profile_key_goes_to_its_own_server_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from kbwork.client.profile import ServerTarget, find

    with pytest.raises(NotSignedIn, match="No server is known"):
        find(None, None, None, None)
    store(Profile("work", "https://a.example", "kb_a"))
    store(Profile("home", "https://b.example", "kb_b"))
    assert list(profiles()) == ["home", "work"]
    assert find(None, None, None, None) == ServerTarget("https://b.example", "kb_b")
    assert find("https://a.example/", None, None, None) == ServerTarget("https://a.example", "kb_a")
    assert find("https://c.example", None, None, None) == ServerTarget("https://c.example", None)
    assert find("https://c.example", None, None, "work") == ServerTarget("https://c.example", None)
    monkeypatch.setenv("KBWORK_URL", "https://e.example")
    monkeypatch.setenv("KBWORK_KEY", "kb_e")
    assert find(None, None, None, None) == ServerTarget("https://e.example", "kb_e")
    assert find(None, None, None, "work") == ServerTarget("https://a.example", "kb_a")
    with pytest.raises(NotSignedIn, match="no profile 'wrok'"):
        find(None, None, None, "wrok")


def test_fields_are_read_by_their_type(run: Run) -> None:
    ran = run(
        *("labels", "echo", "--name", "-x", "--color=red", "--rank", "3", "--no-shown"),
        *("--tags", "a", "--tags", '["b", "c"]', "--values", '{"x": [1]}'),
    )
    assert json.loads(ran.out) == {
        "name": "-x",
        "color": "red",
        "rank": 3,
        "tags": ["a", "b", "c"],
        "values": {"x": [1]},
        "shown": False,
    }
    assert (ran.code, ran.err) == (0, "")
    ran = run("labels", "echo", "--name", "null", "--shown", "true", "--rank", "null", "--tags", "[]")
    assert json.loads(ran.out) == {"name": "null", "shown": True, "rank": None, "tags": []}
    assert json.loads(run("labels", "echo", "--shown", "--name", "x").out) == {"shown": True, "name": "x"}
    assert json.loads(run("labels", "import", "--from", "x", "--into", "1").out) == {"ok": True}


def test_a_whole_body_comes_from_json_a_file_or_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "body.json"
    file.write_text('{"name": "file", "rank": 2}')
    assert json.loads(run("labels", "echo", "--input", '{"name": "x"}').out) == {"name": "x"}
    assert json.loads(run("labels", "echo", "--input", str(file), "--rank", "5").out) == {
        "name": "file",
        "rank": 5,
    }
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"name": "stdin"}'))
    assert json.loads(run("labels", "echo", "--input", "-").out) == {"name": "stdin"}
    assert run("labels", "echo", "--input", "[1]").err.startswith("kbwork: --input")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["lables", "list"], "There is no module or command 'lables'. Did you mean labels?"),
        (["labels", "lst"], "labels has no verb 'lst'. Did you mean list?"),
        (["labels", "save", "--nmae", "x"], "There is no option --nmae. Did you mean --name?"),
        (["labels", "save"], "labels save needs --name. See: kbwork labels save --help"),
        (["labels", "save", "--name"], "--name needs a value."),
        (["labels", "save", "--name", "x", "--rank", "many"], "--rank takes a whole number, not 'many'."),
        (
            ["labels", "save", "--name", "x", "--color", "gren"],
            "--color takes red, green, not 'gren'. Did you mean green?",
        ),
        (
            ["labels", "save", "bug", "two words"],
            "'two words' stands alone; name its field: --name 'two words'",
        ),
        (["labels", "save", "--tags", "a", "b"], "'b' stands alone; name its field: --name b"),
        (["labels", "save", "bug", "--name", "x"], "save got --name twice: as a bare word, and by its name."),
        (["labels", "list", "bug"], "'bug' stands alone; name its field: --field bug"),
        (["labels", "import", "x"], "--into takes a whole number, not 'x'."),
        (["labels", "save", "--na", "x"], "There is no option --na. Did you mean --name?"),
        (["labels", "save", "--to", "x"], "There is no option --to."),
        (["labels", "save", "--inp", "x"], "There is no option --inp. Did you mean --input?"),
        (
            ["labels", "save", "--name", "--tags", "x"],
            "--name needs a value. One that looks like an option is given as --name=--tags",
        ),
        (
            ["labels", "save", "--name", "--tags=x"],
            "--name needs a value. One that looks like an option is given as --name=--tags=x",
        ),
        (["q", "assignee = me"], "There is no module or command 'q'."),
        (["login", "work"], "login takes options only, not 'work'. See: kbwork login --help"),
        (["labels", "list", "-o", "yaml"], "-o takes json, table, csv, ids, not 'yaml'."),
        (
            ["labels", "xyzzy"],
            "labels has no verb 'xyzzy'. Verbs: busy, delete, echo, import, list, pages, save",
        ),
        (["labels"], "labels what? Verbs: busy, delete, echo, import, list, pages, save"),
    ],
)
def test_bad_usage_names_what_was_meant(run: Run, argv: list[str], said: str) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out, ran.err) == (2, "", f"kbwork: {said}\n")


def test_refusals_have_their_exit_codes(run: Run) -> None:
    taken = run("labels", "save", "--name", "taken")
    assert (taken.code, taken.out) == (1, "")
    assert taken.err == "It does not fit what is there\nThere is a label of this name.\n"
    wrong = run("labels", "save", "--name", "wrong")
    assert wrong.code == 2
    assert wrong.err == "A field does not fit\n  name: cannot be this\n    allowed: bug\n"
    path = run("labels", "save", "--name", "x", "--rank", "0")
    assert path.err == "A field does not fit\n  rank: should be greater than or equal to 1\n"
    day = run("labels", "save", "--name", "x", "--due", "tomorrow")
    assert day.err == "A field does not fit\n  due: should be a day as YYYY-MM-DD\n"
    away = run("--url", "http://127.0.0.1:9", "labels", "list")
    assert (away.code, away.out) == (4, "")


def test_a_key_comes_from_a_file_before_or_behind_the_words(run: Run, served: Served, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("kb_" + "x" * 43)
    ran = run("labels", "list", "--key-file", str(file))
    assert (ran.code, ran.err.splitlines()[0]) == (3, "Sign in first")
    file.write_text(KEY + "\n")
    assert run("--key-file", str(file), "--url", served.url, "labels", "list").code == 0
    assert run("labels", "list", "--key-file", str(tmp_path / "none")).code == 2


def test_lists_are_shown_in_four_ways(run: Run, client: ApiClient) -> None:
    for name in ("bug", "doc, new"):
        client.call("labels.save", {"name": name})
    assert run("labels", "list", "-o", "table").out == "id  name\n1   bug\n2   doc, new\n"
    assert run("labels", "list", "-o", "csv").out == 'id,name,tags\n1,bug,[]\n2,"doc, new",[]\n'
    assert run("labels", "list", "-o", "ids").out == "1\n2\n"
    assert json.loads(run("labels", "list").out)[0] == {"id": 1, "name": "bug", "tags": []}
    ran = run("labels", "pages", "-o", "ids")
    assert (ran.out, ran.err) == ("1\n", "There is more: --cursor 1\n")


def test_the_first_field_that_has_to_be_there_may_stand_without_its_name(run: Run) -> None:
    assert json.loads(run("labels", "echo", "bug", "--rank", "2").out) == {"name": "bug", "rank": 2}
    assert json.loads(run("labels", "echo", "-o", "json", "bug").out) == {"name": "bug"}
    assert json.loads(run("labels", "echo", "--name=--tags").out) == {"name": "--tags"}


def test_a_table_shows_what_tells_things_apart() -> None:
    row = {"id": 7, "key": "A-1", "title": "t", "status": "To do", "lane": "todo", "assignees": [], "seq": 4}
    assert show_answer([row], "table", None) == "key  title  status\nA-1  t      To do\n"
    keys = [
        {"id": 7, "key": "WEB", "can": {"edit": True}, "lead": None, "scopes": ["a", "b", "c", "d"]},
        {"id": 8, "key": "OPS", "can": {}, "lead": None, "scopes": ["a", "b"]},
    ]
    assert show_answer(keys, "table", None) == "key  scopes\nWEB  4 scopes\nOPS  a, b\n"
    assert show_answer([{"can": {"edit": True}}], "table", None) == "can\nedit\n"
    assert show_answer([row], "csv", None).startswith("id,key,title,status,lane,assignees,seq\n")


def test_one_thing_is_shown_without_its_empty_fields() -> None:
    thing: dict[str, Any] = {
        "key": "A-1",
        "body": "",
        "parent": None,
        "labels": [],
        "values": {},
        "counts": {"votes": 0, "watchers": 1},
        "can": {"edit": True, "move": False},
        "off": {"x": False},
        "locked": False,
        "spent_seconds": 0,
    }
    assert show_answer(thing, "table", None).splitlines() == [
        "key            A-1",
        "counts         watchers 1",
        "can            edit",
        "locked         no",
        "spent_seconds  0",
    ]


def test_a_list_of_things_in_one_answer_is_a_table_below_it() -> None:
    answer = {"entries": [{"id": 1, "kind": "a.b"}, {"id": 2, "kind": "c.d"}], "next": 7}
    assert show_answer(answer, "table", None) == "next  7\n\nentries\nid  kind\n1   a.b\n2   c.d\n"


def test_times_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Etc/GMT-2")
    time.tzset()
    try:
        row = {"name": "x", "created_at": 1795177041, "at": 0, "ended_at": 10**18, "format_at": "text"}
        shown = show_answer([row], "table", None).splitlines()[1]
        assert shown.split() == ["x", "2026-11-20", "14:17", "1970-01-01", "02:00", str(10**18), "text"]
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_nothing_that_a_terminal_obeys_is_printed() -> None:
    evil = "a\x1b[31mb\x9b\u202ec\nd"
    assert show_answer([{"name": evil}], "table", None) == "name\na\ufffd[31mb\ufffd\ufffdc d\n"
    assert show_answer({"name": evil}, "json", None) == '{\n  "name": "a\\u001b[31mb\\u009b\\u202ec\\nd"\n}\n'
    assert "\x1b" not in show_refusal("t\x1b", "d\x1b", [{"path": "\x1b", "message": "\x1b"}])
    assert show_refusal("t", "d", [], colours=True) == "\x1b[1;31mt\x1b[0m\nd\n"


def test_a_table_fits_the_terminal() -> None:
    rows = [{"key": "A-1", "title": "日本" * 40, "body": "x" * 30}]
    text = show_answer(rows, "table", 60)
    assert text.splitlines()[0] == "key  title"
    assert text.splitlines()[1] == "A-1  " + "日本" * 11 + "日…"


def test_help_shows_fields_and_examples_in_three_tongues(run: Run) -> None:
    page = run("labels", "save", "--help").out
    assert "--color red|green" in page
    assert "--tags string ..." in page
    assert "kbwork labels save --name bug --tags a --tags b" in page
    assert """/api/v1/labels.save" -H""" in page
    assert "Kbwork().labels.save(name='bug', tags=['a', 'b'])" in page
    assert "  delete  Take all labels away\n" in run("labels", "--help").out
    overview = run("--help")
    assert (overview.code, "  labels" in overview.out, "  login" in overview.out) == (0, True, True)
    first = run()
    assert (first.code, "\nBegin with\n" in first.out, "--key-file" in first.out) == (2, True, False)
    assert len(first.out.splitlines()) < 20


def test_help_and_version_are_words_too(run: Run) -> None:
    assert run("help").out == run("--help").out
    assert run("help", "labels").out == run("labels", "--help").out
    assert run("help", "labels", "save").out == run("labels", "save", "--help").out
    assert run("version").out == f"kbwork {__version__}\n"
    assert "--profile NAME" in run("help", "login").out
    assert run("login", "-h").out == run("login", "--help").out
    assert "  q " not in run("--help").out
    assert run("help", "lables").code == 2


def test_login_and_logout_keep_and_forget_a_key(run: Run, served: Served) -> None:
    POLLS.clear()
    ran = run("login", "--url", served.url, "--profile", "work")
    assert (ran.code, ran.out) == (0, "")
    assert f"{served.url}/device?code=BCDF\n" in ran.err
    assert list(profiles()) == ["work"]
    assert run("labels", "list", "--profile", "work").code == 0
    assert "admin" not in ASKED[-1]
    admin = run("login", "--url", served.url, "--admin", "--profile", "work")
    assert (admin.code, ASKED[-1]["admin"]) == (0, True)
    assert "It has no rights of an admin" in admin.err
    assert run("logout", "--admin").code == 2
    assert run("logout").code == 0
    assert run("logout").code == 3
    assert run("labels", "list", "--profile", "work").code == 3


def test_login_looks_for_a_server_of_this_machine_where_none_is_named(
    run: Run, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    POLLS.clear()
    monkeypatch.delenv("KBWORK_URL")
    monkeypatch.setattr(command, "_USUAL_URL", served.url)
    ran = run("login")
    assert (ran.code, profiles()["default"].url) == (0, served.url)
    assert run("logout").code == 0
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
        monkeypatch.setattr(command, "_USUAL_URL", nobody)
        ran = run("login")
        assert (ran.code, ran.err) == (2, f"kbwork: login needs --url URL: no server answers at {nobody}.\n")
        assert run("login", "--url", nobody).code == 4


def test_completion_offers_what_fits_next() -> None:
    def next_words(*words: str) -> list[str]:
        return candidates(list(words), CATALOGUE, {"serve": ""})

    assert next_words("la") == ["labels"]
    assert next_words("s") == ["serve"]
    assert next_words("labels", "s") == ["save"]
    assert next_words("--url", "http://x", "labels", "sa") == ["save"]
    assert next_words("labels", "save", "--col") == ["--color", "--columns"]
    assert next_words("labels", "save", "--color", "") == ["red", "green"]
    assert next_words("labels", "list", "-o", "c") == ["csv"]


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("client") / "kbwork_client.py"
    path.write_text(one_file(REGISTRY), encoding="utf-8")
    return path


def test_the_one_file_client_is_written_for_python_3_9_without_dependencies(script: Path) -> None:
    tree = ast.parse(script.read_text(encoding="utf-8"), feature_version=(3, 9))
    imported: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names


def test_the_one_file_client_is_a_library(script: Path, served: Served) -> None:
    spec = util.spec_from_file_location("generated_client", script)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    client = module.Kbwork(served.url, KEY)
    client.labels.delete()
    assert client.labels.save(name="typed", tags=["a"]) == {"id": 1, "name": "typed", "tags": ["a"]}
    assert client.labels.echo(name="x", rank=None) == {"name": "x", "rank": None}
    assert client.labels.import_(from_="x", into=1) == {"ok": True}
    served.keys.clear()
    assert [row["name"] for row in client.every("labels.pages")] == ["typed"]
    assert served.keys == [None]
    with pytest.raises(module.KbworkProblem) as found:
        client.labels.save(name="taken")
    assert found.value.slug == "conflict"
    client.close()


def test_the_client_names_what_was_meant(script: Path) -> None:
    spec = util.spec_from_file_location("generated_client", script)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    client = module.Kbwork("http://127.0.0.1:9", KEY)
    with pytest.raises(
        AttributeError, match=r"Kbwork has no module or method 'lables'. Did you mean labels?"
    ):
        _ = client.lables
    with pytest.raises(AttributeError, match=r"The module labels has no operation 'sav'. Did you mean save?"):
        _ = client.labels.sav
    with pytest.raises(TypeError, match=r"save\(\) has no field 'nmae'. Did you mean name?"):
        client.labels.save(nmae="x")
    with pytest.raises(TypeError, match="required keyword-only argument: 'name'"):
        client.labels.save()
    assert not hasattr(client, "_nothing")
    assert "name: 'str'" in str(inspect.signature(client.labels.save))


def test_the_one_file_client_is_a_command_line(script: Path, served: Served) -> None:
    def ran(*argv: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "KBWORK_URL": served.url, "KBWORK_KEY": KEY}
        return subprocess.run(
            [sys.executable, str(script), *argv],
            capture_output=True,
            text=True,
            timeout=20,
            env=environment,
            check=False,
        )

    assert ran("--version").stdout == f"kbwork {__version__}\n"
    answer = ran("labels", "echo", "--name", "Zoë")
    assert (answer.returncode, json.loads(answer.stdout), answer.stderr) == (0, {"name": "Zoë"}, "")
    assert ran("labels", "lst").returncode == 2


def test_the_command_starts_fast_and_imports_no_module() -> None:
    code = "import sys; from kbwork.cli.command_line import main; main(['--version']); print(sorted(sys.modules))"
    took = []
    for _ in range(3):
        began = time.perf_counter()
        found = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True
        )
        took.append(time.perf_counter() - began)
    version, modules = found.stdout.splitlines()
    assert version == f"kbwork {__version__}"
    heavy = ("kbwork.modules", "kbwork.core", "pydantic", "apsw", "starlette", "click")
    assert [name for name in heavy if f"'{name}'" in modules] == []
    assert min(took) < 0.3


def test_own_commands_take_their_options_behind_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--url", "http://x", "docs"]) == 2
    assert capsys.readouterr().err == "kbwork: docs takes no --url. See: kbwork docs --help\n"
    assert main(["completion", "bash"]) == 0
    assert "complete -o default -F _kbwork kbwork" in capsys.readouterr().out


def _command(*argv: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "kbwork", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ["doctor", "--dta", "x"],
            "No such option '--dta'. Did you mean '--data'? See: kbwork doctor --help",
        ),
        (["serve", "--port", "many"], "'many' is not a valid integer range. See: kbwork serve --help"),
        (["completion"], "Choose from: bash, fish, zsh. See: kbwork completion --help"),
        (
            ["docs", "tutorail"],
            "Did you mean tutorial? `kbwork docs` lists them. See: kbwork docs --help",
        ),
        (["replica", "drll"], "replica has no command 'drll'. Did you mean replica drill?"),
        (["systemd"], "systemd what? Commands: systemd install"),
    ],
)
def test_bad_usage_of_own_commands_is_told_in_one_line(
    argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("kbwork: ")
    assert found.err.endswith(f"{said}\n")
    assert found.err.count("\n") == 1


def test_own_commands_have_their_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "serve"]) == 0
    assert "--port" in capsys.readouterr().out
    assert main(["replica", "--help"]) == 0
    assert "kbwork replica drill    try whether the replica can be restored" in capsys.readouterr().out
    assert main(["version"]) == 0
    assert capsys.readouterr().out == f"kbwork {__version__}\n"


def test_doctor_mends_a_folder_that_was_named_and_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--data", str(tmp_path / "nope")])
    assert ended.value.code == 1
    assert f"MEND {tmp_path / 'nope'} is not there" in capsys.readouterr().out
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(tmp_path / "later"))
    with pytest.raises(SystemExit) as ended:
        main(["doctor"])
    assert ended.value.code == 0


@pytest.mark.parametrize(
    ("base_url", "well"),
    [
        ("http://localhost:8080", True),
        ("http://[::1]:8080", True),
        ("https://work.example.org", True),
        ("http://localhost.example.org", False),
        ("http://10.0.0.7:8080", False),
    ],
)
def test_doctor_wants_https_where_others_can_listen(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    base_url: str,
    well: bool,
) -> None:
    monkeypatch.setenv("KBWORK_SERVER_DATA", str(tmp_path / "later"))
    monkeypatch.setenv("KBWORK_SERVER_BASE_URL", base_url)
    with pytest.raises(SystemExit):
        main(["doctor"])
    assert (f"MEND server.base_url is {base_url}" not in capsys.readouterr().out) == well


def test_a_command_that_is_stopped_says_so_without_a_trace() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        deaf.settimeout(20)
        command = _command("--url", f"http://127.0.0.1:{deaf.getsockname()[1]}", "labels", "list")
        with deaf.accept()[0]:
            command.send_signal(signal.SIGINT)
            _, err = command.communicate(timeout=20)
    assert (command.returncode, err) == (130, "Stopped.\n")


def test_stopping_while_the_command_is_loaded_leaves_no_trace() -> None:
    code = (
        "import signal, sys; from kbwork.cli import main;"
        "sys.addaudithook(lambda event, args: event == 'import' and args[0] == 'kbwork.cli.command_line'"
        " and signal.raise_signal(signal.SIGINT)); main.run()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False
    )
    assert (ran.returncode, ran.stderr) == (130, "Stopped.\n")


def test_the_server_says_where_its_data_is_and_when_it_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    server = _command("serve", "--data", str(folder), "--port", "0")
    try:
        assert server.stdout is not None
        head = server.stdout.readline()
        assert head.startswith("kbwork is at http://127.0.0.1:")
        assert head.endswith(f", data in {folder}\n")
        port = head.partition(",")[0].rpartition(":")[2]
        for _ in range(1000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(port))) == 0:
                    break
            threading.Event().wait(0.01)
        held = _command("serve", "--data", str(folder), "--port", port)
        assert str(folder) in held.communicate(timeout=20)[1]
        assert held.returncode == 2
        taken = _command("serve", "--data", str(tmp_path / "other"), "--port", port)
        assert taken.communicate(timeout=20)[1].endswith("server.port, or pass --port N\n")
        assert taken.returncode == 2
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=20)
        assert (server.returncode, out.splitlines()[-1]) == (0, "stopped")
        assert "Traceback" not in err
    finally:
        server.kill()
        server.communicate(timeout=20)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["login", "--url", "http://x", "-o", "json"], "login takes no --output. See: kbwork login --help"),
        (["-o", "csv", "logout"], "logout takes no --output. See: kbwork logout --help"),
        (["labels", "save", "--help", "-o", "json"], "-o is the form of an answer; a page of help is text."),
        (["-o", "json", "labels", "--help"], "-o is the form of an answer; a page of help is text."),
        (["-o", "json", "--help"], "-o is the form of an answer; a page of help is text."),
        (["help", "login", "-o", "json"], "-o is the form of an answer; a page of help is text."),
        (["--version", "-o", "json"], "--version stands alone."),
        (
            ["labels", "delete", "-o", "ids"],
            "labels delete answers nothing that has an id: -o takes json, table or csv.",
        ),
    ],
)
def test_a_form_that_was_chosen_is_given_or_refused(run: Run, argv: list[str], said: str) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"kbwork: {said}")


@pytest.mark.parametrize("command", [["import"], ["flags", "import"], ["flags", "test"], ["backup"]])
def test_options_of_a_server_stand_before_or_behind_a_command(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, cases = tmp_path / "out", tmp_path / "cases.json"
    cases.write_text('[{"flagKey": "k", "context": {"key": "a"}, "expected": {}}]')
    (tmp_path / "export.json").write_text('{"flags": {}, "segments": {}}')
    more = {
        "import": [str(cases), "--project", "WEB"],
        "flags import": [str(tmp_path / "export.json"), "--project", "shop", "--env", "test"],
        "flags test": [str(cases), "--env", "test", "--project", "shop"],
        "backup": [str(out)],
    }[" ".join(command)]
    server = ["--url", "http://127.0.0.1:9", "--key-file", str(tmp_path / "none")]
    said = []
    for argv in ([*server, *command, *more], [*command, *more, *server]):
        assert main(argv) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert "The key file" in said[0]
