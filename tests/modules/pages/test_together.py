"""Several write on one page at once: what they type comes together, whoever else writes, and harm is refused."""

import base64
import contextlib
import random
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pycrdt import Doc, Map, Text

from kbwork import KbworkProblem
from kbwork.base.errors import InvalidInput, NotAllowed
from kbwork.modules.pages.together import sync_rows, update_format
from tests.conftest import NOW, World
from tests.modules.calls import call, refused
from tests.modules.grants import ConnectedClient
from tests.modules.pages.wiki import page, space

NOTHING = b"\x00\x00"


class Editor:
    """Somebody with a document of their own."""

    def __init__(self, world: World, ident: str, who: str = "di", *, key: str = "") -> None:
        self.world, self.ident, self.who = world, ident, who
        self.key = key
        self.doc: Doc[Text] = Doc()
        self.text = self.doc.get("body", type=Text)
        self.clock: int | None = None
        self.pushed = self.doc.get_state()
        self.pull()

    def pull(self) -> dict[str, Any]:
        since = {"since": self.clock} if self.clock is not None else {}
        found: dict[str, Any] = self._call("pages.sync_pull", {"id": self.ident} | since)
        before = self.doc.get_state() == self.pushed
        self.doc.apply_update(base64.b64decode(found["state"]))
        self.clock = found["clock"]
        if before:
            self.pushed = self.doc.get_state()
        return found

    def type(self, at: int, text: str, gone: int = 0) -> bytes:
        """Change some letters; answers the update."""
        before = self.doc.get_state()
        body = str(self.text)
        at = min(at, len(body))
        start, end = len(body[:at].encode()), len(body[: at + gone].encode())
        with self.doc.transaction():
            if end > start:
                del self.text[start:end]
            if text:
                self.text.insert(start, text)
        return self.doc.get_update(before)

    def push(self, update: bytes | None = None, **more: Any) -> int:
        data = self.doc.get_update(self.pushed) if update is None else update
        asked = {"id": self.ident, "update": base64.b64encode(data).decode(), "clock": self.clock} | more
        answer: int = self._call("pages.sync_push", asked)["clock"]
        if update is None:
            self.pushed = self.doc.get_state()
        return answer

    def _call(self, op: str, value: dict[str, Any]) -> Any:
        client = self.world.session(self.who) if not self.key else self.world._client(self.key, self.key)
        return client.call(op, value)

    def __str__(self) -> str:
        return str(self.text)


@pytest.fixture
def ident(world: World) -> str:
    space(world)
    return page(world, "Rules", who="di", body="One 😀.\n\nTwo.\n")


def draft(world: World, ident: str, who: str = "di") -> str:
    return str(call(world, who, "pages.get", id=ident, draft=True)["body"])


def test_what_two_type_at_once_is_the_draft(world: World, ident: str) -> None:
    one, other = Editor(world, ident), Editor(world, ident, "cy")
    assert str(one) == str(other) == "One 😀.\n\nTwo.\n"
    one.type(5, "!")
    other.type(8, "Before. ")
    one.push()
    assert other.push() > (one.clock or 0)
    assert draft(world, ident) == "One 😀!.\n\nBefore. Two.\n"
    assert call(world, "di", "pages.get", id=ident)["body"] == "One 😀.\n\nTwo.\n"
    one.pull()
    other.pull()
    assert str(one) == str(other) == draft(world, ident)
    call(world, "cy", "pages.publish", id=ident)
    assert call(world, "cy", "pages.get", id=ident)["body"] == str(one)
    one.type(0, "> ")
    one.push()
    assert draft(world, ident).startswith("> One")


def test_letters_make_no_versions(world: World, ident: str) -> None:
    editor = Editor(world, ident)
    seq = world.database.seq
    for number in range(30):
        editor.type(0, str(number % 10))
        editor.push()
    assert [kind for kind, _ in world.events_since(seq)] == ["page.updated"]
    assert len(call(world, "di", "pages.versions", id=ident)["items"]) == 2
    world.advance(700)
    editor.type(0, "later ")
    editor.push()
    assert [kind for kind, _ in world.events_since(seq)] == ["page.updated"] * 2
    assert len(call(world, "di", "pages.versions", id=ident)["items"]) == 3


def test_what_others_write_comes_into_the_document(world: World, ident: str) -> None:
    editor = Editor(world, ident)
    editor.type(0, "Typed. ")
    editor.push()
    editor.type(0, "Waiting. ")
    call(world, "cy", "pages.append", id=ident, body="Added.")
    editor.push()
    editor.pull()
    assert str(editor) == draft(world, ident) == "Waiting. Typed. One 😀.\n\nTwo.\n\nAdded."
    at = call(world, "cy", "pages.get", id=ident, draft=True)
    editor.type(0, "More. ")
    editor.push()
    changed = at["body"].replace("Two", "Three")
    call(world, "cy", "pages.update", id=ident, body=changed, version=at["version"], draft=True)
    editor.type(0, "Still. ")
    editor.push()
    editor.pull()
    assert str(editor) == draft(world, ident) == "Still. More. Waiting. Typed. One 😀.\n\nThree.\n\nAdded."


def test_discard_publish_restore_and_undo_are_followed(world: World, ident: str) -> None:
    editor = Editor(world, ident)
    editor.type(0, "Typed. ")
    editor.push()
    call(world, "di", "pages.publish", id=ident)
    editor.pull()
    assert str(editor) == call(world, "cy", "pages.get", id=ident)["body"]
    editor.type(0, "Again. ")
    editor.push()
    call(world, "di", "pages.discard", id=ident)
    editor.pull()
    assert str(editor) == "Typed. One 😀.\n\nTwo.\n"
    call(world, "di", "pages.version_restore", id=ident, version=1)
    editor.pull()
    assert str(editor) == "One 😀.\n\nTwo.\n"
    (entry, *_) = call(world, "di", "undo.list")
    call(world, "di", "undo.apply", token=entry["token"])
    editor.pull()
    assert str(editor) == draft(world, ident) == "Typed. One 😀.\n\nTwo.\n"


def test_a_page_that_was_never_published(world: World) -> None:
    space(world)
    ident = page(world, "New", who="di", draft=True, body="")
    editor = Editor(world, ident)
    editor.type(0, "- [ ] Task\n")
    editor.push()
    assert call(world, "di", "pages.get", id=ident)["body"] == "- [ ] Task\n"
    editor.type(0, "Text\n")
    editor.push()
    call(world, "di", "pages.publish", id=ident)
    assert call(world, "cy", "pages.get", id=ident)["body"] == "Text\n- [ ] Task\n"


def test_who_may(world: World, ident: str) -> None:
    call(world, "cy", "access.grant_set", subject="space:HAND", who="role:guest", level="view")
    with refused("not-found"):
        Editor(world, ident, "gus")
    update = {"update": base64.b64encode(NOTHING).decode(), "clock": 1}
    with refused("not-allowed"):
        call(world, "gus", "pages.sync_push", id=ident, **update)
    call(world, "cy", "pages.lock", id=ident, on=True)
    with refused("not-allowed"):
        call(world, "di", "pages.sync_push", id=ident, **update)
    call(world, "cy", "pages.lock", id=ident, on=False)
    call(world, "cy", "pages.archive", id=ident, on=True)
    with refused("conflict"):
        call(world, "di", "pages.sync_push", id=ident, **update)
    call(world, "cy", "pages.archive", id=ident, on=False)
    call(world, "di", "pages.delete", id=ident)
    for op in ("pages.sync_pull", "pages.sync_push"):
        with refused("not-found"):
            call(world, "di", op, id=ident, **(update if op.endswith("push") else {}))


def test_agents_write_along_under_their_names(world: World, ident: str) -> None:
    made = call(
        world,
        "di",
        "keys.create",
        name="bot",
        kind="agent",
        agent="helper",
        scopes=["pages:read", "pages:write"],
    )
    bot, other = Editor(world, ident, key=made["secret"]), Editor(world, ident, "cy")
    bot.type(0, "By it. ")
    seq = world.database.seq
    bot.push()
    assert draft(world, ident) == "By it. One 😀.\n\nTwo.\n"
    assert {"agent:helper"} <= {one["who"] for one in other.pull()["people"]}
    assert [one["via"] for one in world.key("cy").api.changes(since=seq)["events"]] == ["agent:helper"]
    (newest, *_) = call(world, "di", "pages.versions", id=ident)["items"]
    assert (newest["who"], newest["via"]) == (world.people["di"].id, "agent:helper")
    call(world, "cy", "pages.lock", id=ident, on=True)
    bot.type(0, "Late. ")
    with refused("not-allowed"):
        bot.push()


@pytest.mark.parametrize(
    ("more", "pull", "push"),
    [
        ({"scopes": ["pages:read"]}, None, "insufficient-scope"),
        ({"scopes": ["issues:read", "issues:write"]}, "insufficient-scope", "insufficient-scope"),
        ({"projects": ["WEB"]}, "not-found", "not-found"),
    ],
)
def test_keys_reach_as_far_as_they_do(
    world: World, ident: str, more: dict[str, Any], pull: str | None, push: str
) -> None:
    asked = {"name": "narrow", "scopes": ["pages:read", "pages:write"]} | more
    narrow = world._client("narrow", call(world, "di", "keys.create", **asked)["secret"])
    with contextlib.nullcontext() if pull is None else refused(pull):
        narrow.call("pages.sync_pull", {"id": ident})
    update = base64.b64encode(_of("x")).decode()
    with refused(push):
        narrow.call("pages.sync_push", {"id": ident, "update": update, "clock": 1})
    assert draft(world, ident) == "One 😀.\n\nTwo.\n"


def test_a_client_that_was_given_some_modules_reaches_the_pages_if_these_are_among_them(
    world: World, ident: str
) -> None:
    update = base64.b64encode(Editor(world, ident).type(0, "One. ")).decode()
    asked: dict[str, dict[str, Any]] = {
        "pages.sync_pull": {"id": ident},
        "pages.sync_push": {"id": ident, "update": update, "clock": 1},
    }
    without = ConnectedClient(world, "di", ["issues", "spaces"])
    for op, value in asked.items():
        with pytest.raises(NotAllowed):
            without.call(op, **value)
    assert draft(world, ident) == "One 😀.\n\nTwo.\n"
    given = ConnectedClient(world, "di", ["pages"])
    clock = given.call("pages.sync_pull", id=ident)["clock"]
    given.call("pages.sync_push", **asked["pages.sync_push"] | {"clock": clock})
    assert draft(world, ident) == "One. One 😀.\n\nTwo.\n"


def test_a_key_of_a_project_writes_in_its_space(world: World) -> None:
    call(world, "bo", "spaces.save", key="SITE", name="Site", kind="project", project="WEB")
    ident = page(world, "Rules", who="bo", space="SITE", body="One.")
    made = call(
        world, "cy", "keys.create", name="web", scopes=["pages:read", "pages:write"], projects=["WEB"]
    )
    editor = Editor(world, ident, key=made["secret"])
    editor.type(0, "Typed. ")
    editor.push()
    assert draft(world, ident, "bo") == "Typed. One."


def test_without_the_module_nobody_writes(world: World, ident: str) -> None:
    editor = Editor(world, ident)
    call(world, "ana", "org.modules_set", off=["pages"])
    editor.type(0, "x")
    for asked in (editor.push, editor.pull):
        with refused("not-found"):
            asked()
    call(world, "ana", "org.modules_set", on=["pages"])
    editor.push()
    assert draft(world, ident) == "xOne 😀.\n\nTwo.\n"


@pytest.mark.parametrize(
    ("op", "value", "slug"),
    [
        ("pages.restrict", {"edit": ["@cy"]}, "not-allowed"),
        ("pages.restrict", {"view": ["@cy"]}, "not-found"),
        ("pages.lock", {"on": True}, "not-allowed"),
        ("pages.move", {"ids": ["1"], "space": "FEW"}, "not-found"),
        ("pages.archive", {"on": True}, "conflict"),
        ("pages.delete", {}, "not-found"),
        ("spaces.archive", {"key": "HAND", "on": True}, "conflict"),
    ],
)
def test_who_may_no_more_keeps_what_they_typed_to_themselves(
    world: World, op: str, value: dict[str, Any], slug: str
) -> None:
    space(world)
    call(world, "cy", "spaces.save", key="FEW", name="Few", visibility="members")
    ident = page(world, "Rules", body="Begin.")
    editor = Editor(world, ident)
    editor.type(0, "Before. ")
    editor.push()
    call(world, "cy", op, **({"id": ident} if value.keys().isdisjoint({"key", "ids"}) else {}), **value)
    editor.type(0, "After. ")
    seq, rows = world.database.seq, _rows(world)
    with refused(slug):
        editor.push()
    with refused(slug):
        editor.push(NOTHING)
    assert (world.events_since(seq), _rows(world)) == ([], rows)
    if slug == "not-found":
        with refused(slug):
            editor.pull()


def _rows(world: World) -> list[Any]:
    return world.database.read_now(
        lambda tx: tx.tuples("select page, clock, data from page_sync_update order by 1, 2")
    )


def test_the_stream_and_people_say_who_is_there(world: World, ident: str) -> None:
    one, other = Editor(world, ident), Editor(world, ident, "cy")
    one.type(0, "x")
    clock = one.push()
    found = {person["who"]: person for person in other.pull()["people"]}
    di, cy = world.people["di"].id, world.people["cy"].id
    assert (found[di]["state"], found[di]["cursor"], found[cy]["state"]) == (
        "editing",
        {"clock": clock},
        "viewing",
    )
    (listed,) = call(world, "cy", "presence.list", subjects=[f"page:{ident}"])
    assert {person["who"] for person in listed["people"]} == {di, cy}


def test_what_was_pushed_is_told_though_the_window_says_that_it_is_there(world: World, ident: str) -> None:
    one, di = Editor(world, ident), world.people["di"].id
    one.pull()  # it is on the page before its window says so
    one.type(0, "x")
    clock = one.push()
    for passed in (0, 15):
        world.clock.advance(passed)
        people = call(
            world, "di", "presence.beat", subject=f"page:{ident}", state="editing", window=f"tab {passed}"
        )["people"]
        told = {"who": di, "state": "editing", "since": NOW, "cursor": {"clock": clock}}
        assert people == [told]


def test_a_document_of_another_time_is_told_so(world: World, ident: str) -> None:
    one = Editor(world, ident)
    call(world, "cy", "pages.update", id=ident, body="Another.")
    other = Editor(world, ident)
    with refused("stale"):
        one.pull()
    other.type(0, "x")
    other.push()
    with refused("stale"):
        one.pull()
    one.type(0, "y")
    for clock in (one.clock, other.pull()["clock"]):
        with refused("stale"):
            one.push(clock=clock)
    assert draft(world, ident) == "xAnother."


def test_old_updates_become_part_of_the_state(
    world: World, ident: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_rows, "MOST_UPDATES", 10)
    monkeypatch.setattr(sync_rows, "LEFT_UPDATES", 3)
    one, other = Editor(world, ident), Editor(world, ident, "cy")
    for number in range(25):
        one.type(number, "ab")
        one.push()
        one.type(number, "", 1)
        one.push()
    count = "select count(*) from page_sync_update"
    assert world.database.read_now(lambda tx: tx.value(count)) <= 10
    other.pull()
    assert str(other) == str(one) == draft(world, ident)
    monkeypatch.setattr(sync_rows, "MOST_BESIDE_BYTES", 10)
    for _ in range(12):
        one.type(0, "z")
        with contextlib.suppress(KbworkProblem):
            one.push()
    one.type(0, "z")
    with refused("stale"):
        one.push()
    anew = Editor(world, ident)
    assert str(anew) == draft(world, ident)
    call(world, "ana", "trash.purge", ids=[call(world, "di", "pages.delete", id=ident)["trash"]])
    assert world.database.read_now(lambda tx: tx.value(count)) == 0


def test_a_document_of_many_parts_is_not_looked_through(
    world: World, ident: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes one would keep all others waiting by what they sent before, or by each that is folded."""
    for name, most in (("MOST_UPDATES", 10), ("LEFT_UPDATES", 3)):
        monkeypatch.setattr(sync_rows, name, most)
    monkeypatch.setattr(update_format, "MOST_PARTS", 20)
    editor = Editor(world, ident)
    first = editor.type(0, "a")
    editor.push(first)
    for _ in range(30):
        editor.push(editor.type(0, "b"))
    before = _rows(world)
    assert editor.push(first) == editor.push(NOTHING)
    assert _rows(world) == before
    assert draft(world, ident) == str(editor) == "b" * 30 + "aOne 😀.\n\nTwo.\n"
    late = editor.type(0, "c")
    waiting = editor.type(0, "d")
    editor.push(waiting)
    assert len(_rows(world)) == len(before) + 1
    for _ in range(12):
        editor.push(editor.type(40, "e"))
    editor.push(late)
    assert draft(world, ident) == str(editor)


def test_letters_that_wait_for_others_are_all_there_in_the_end(world: World, ident: str) -> None:
    editor = Editor(world, ident)
    early = editor.type(0, "c")
    rest = [editor.type(0, "d"), *(editor.type(8, "e") for _ in range(20))]
    for update in rest:
        editor.push(update)
    assert draft(world, ident) == "One 😀.\n\nTwo.\n"
    editor.push(early)
    assert draft(world, ident) == str(editor)


def _of_map() -> bytes:
    doc: Any = Doc()
    doc.get("body", type=Map)["a"] = "b"
    return bytes(doc.get_update())


def _of_other_name() -> bytes:
    doc: Any = Doc()
    other = doc.get("other", type=Text)
    other += "x"
    return bytes(doc.get_update())


def _of_format() -> bytes:
    doc: Any = Doc()
    text = doc.get("body", type=Text)
    text.insert(0, "x", {"bold": True})
    return bytes(doc.get_update())


def _of(text: str) -> bytes:
    doc: Any = Doc()
    held = doc.get("body", type=Text)
    held += text
    return bytes(doc.get_update())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"not an update",
        b"\xff" * 100,
        b"\xff\xff\xff\xff\x0f",
        b"\x01\xff\xff\xff\xff\x0f\x01\x00",
        b"\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x00\x04\x01\x04body\x01x\x00",
        b"\x01\x01\x05\xff\xff\xff\xff\x0f\x04\x01\x04body\x01x\x00",
        b"\x00\x01\x05\xff\xff\xff\xff\x0f",
        b"\x01\x01\x05\x00\x00\xff\xff\xff\xff\x0f\x00",
        _of_map(),
        _of_other_name(),
        _of_format(),
        _of("a\x00b"),
        _of("a\rb"),
        _of("x") + b"\x00",
        _of("x" * 1_000_001),
        _of("x" * 4_600_000),
    ],
    ids=range(18),
)
def test_harm_is_refused_and_changes_nothing(world: World, ident: str, data: bytes) -> None:
    editor = Editor(world, ident)
    editor.type(0, "x")
    editor.push()
    editor.pull()
    seq = world.database.seq
    with refused("invalid-input"):
        editor.push(data)
    assert (world.events_since(seq), draft(world, ident)) == ([], "xOne 😀.\n\nTwo.\n")
    with refused("invalid-input"):
        call(world, "di", "pages.sync_push", id=ident, update="***", clock=1)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_looked_at(data: bytes) -> None:
    with contextlib.suppress(InvalidInput):
        found = update_format.looked_at(data)
        doc: Any = Doc()
        doc.apply_update(data)
        assert all(end < 2**31 for end in found.ends.values())


def test_a_large_document_is_soon_read() -> None:
    data = _of("y" * 999_999)
    doc: Any = Doc()
    doc.apply_update(data)
    text = doc.get("body", type=Text)
    rnd = random.Random(1)
    for _ in range(5_000):
        text.insert(rnd.randrange(900_000), "z")
    start = time.thread_time()
    update_format.looked_at(bytes(doc.get_update()))
    assert time.thread_time() - start < 5


EDITS = st.tuples(st.integers(0, 2), st.integers(0, 40), st.text("ab😀é\n", max_size=4), st.integers(0, 3))
STEPS = st.lists(
    st.one_of(
        EDITS,
        st.tuples(st.just("send"), st.randoms(use_true_random=False)),
        st.tuples(st.just("pull"), st.integers(0, 2)),
        st.tuples(st.just("append"), st.text("cd", min_size=1, max_size=3)),
    ),
    max_size=25,
)


def _pulled(editor: Editor) -> None:
    """Where nobody has pushed yet, and the page was changed, a push begins with what one has."""
    try:
        editor.pull()
    except KbworkProblem:
        editor.push(NOTHING)
        editor.pull()


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_whatever_is_lost_doubled_or_late_all_come_to_one_text(world: World, steps: list[Any]) -> None:
    if not call(world, "cy", "spaces.list", archived=True):
        space(world)
    ident = page(world, "Rules", who="di", body="Begin\n")
    editors = [Editor(world, ident, who) for who in ("di", "cy", "bo")]
    line: list[tuple[Editor, bytes]] = []
    for step in steps:
        if step[0] == "send":
            step[1].shuffle(line)
            for editor, update in line[: len(line) // 2 + 1]:
                editor.push(update)
                if step[1].random() < 0.3:
                    editor.push(update)
            line = line[len(line) // 2 + 1 :]
        elif step[0] == "pull":
            _pulled(editors[step[1]])
        elif step[0] == "append":
            call(world, "ana", "pages.append", id=ident, body=step[1])
        else:
            who, at, text, gone = step
            line.append((editors[who], editors[who].type(at, text, gone)))
    for editor in editors:  # what was lost on the way goes along with all else
        editor.push(editor.doc.get_update())
    for editor in editors:
        editor.pull()
    assert {str(editor) for editor in editors} == {draft(world, ident)}
