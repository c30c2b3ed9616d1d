"""Clients that keep things of their own: what they hold after deltas is what a new snapshot gives them."""

import random
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import callers
from kbwork.modules.sync import changed, ops
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.grants import ConnectedClient

Rows = dict[Any, dict[str, Any]]


class Store:
    """What a client keeps, as the manual tells it to."""

    def __init__(self, client: Kbwork, **scope: Any) -> None:
        self._client, self._scope = client, scope
        self.kinds: dict[str, Rows] = {}
        self.etags: dict[str, str] = {}
        self.gone: list[tuple[str, Any]] = []
        """All that it was ever told to be gone."""
        self.resets = 0
        self.take()

    def take(self) -> None:
        self.kinds = {}
        answer = self._ask("sync.snapshot")
        self.seq, self.access = answer["seq"], answer["access"]
        while True:
            for part in answer["parts"]:
                self._put(part | {"rows": zip(*part["values"], strict=True)})
                if part["scope"] == "org":
                    self.etags[part["kind"]] = part["etag"]
            if answer["next"] is None:
                return
            answer = self._ask("sync.snapshot", cursor=answer["next"])

    def follow(self) -> None:
        """Take deltas until there are no more."""
        while True:
            etags = list(self.etags.values())
            delta = self._ask("sync.delta", since=self.seq, access=self.access, etags=etags)
            self.put_delta(delta)
            if delta["reset"] or not delta["more"]:
                return

    def put_delta(self, delta: dict[str, Any]) -> None:
        if delta["reset"]:
            assert (delta["upserts"], delta["gone"]) == ([], [])
            self.resets += 1
            self.take()
            return
        for told in delta["upserts"]:
            if told["whole"]:
                self.kinds[told["kind"]] = {}
                self.etags[told["kind"]] = told["etag"]
            self._put(told)
        for lost in delta["gone"]:
            for ident in lost["ids"]:
                self.gone.append((lost["kind"], ident))
                self.kinds.get(lost["kind"], {}).pop(ident, None)
        assert self.seq <= delta["seq"]
        self.seq = delta["seq"]

    def held(self) -> list[str]:
        return sorted(row["key"] for row in self.kinds.get("issue", {}).values())

    def _put(self, part: dict[str, Any]) -> None:
        rows = self.kinds.setdefault(part["kind"], {})
        for row in part["rows"]:
            rows[row[0]] = dict(zip(part["columns"], row, strict=True))

    def _ask(self, op: str, **more: Any) -> Any:
        return self._client.call(op, {"scopes": self._scope} | more)


def store(world: World, who: str, **scope: Any) -> Store:
    return Store(world.session(who), **scope)


def issue(world: World, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": "Cart"} | more)["key"])


def same(one: Store, world: World, who: str, **scope: Any) -> None:
    """What it holds is what there is."""
    one.follow()
    fresh = store(world, who, **scope)
    for kind in one.kinds.keys() | fresh.kinds.keys():
        assert one.kinds.get(kind, {}) == fresh.kinds.get(kind, {}), kind


def test_a_snapshot_has_what_is_small_whole_and_issues_without_their_texts(world: World) -> None:
    issue(world, assignees=["@cy"], priority="high", body="A long story")
    found = store(world, "cy")
    (row,) = found.kinds["issue"].values()
    assert row["key"] == "WEB-1"
    assert row["assignees"] == [world.people["cy"].id]
    assert (row["lane"], row["project"], row["priority"]) == ("todo", "WEB", "high")
    assert "A long story" not in str(found.kinds)
    assert set(found.kinds["project"]) == {"WEB", "SEC"}
    assert set(store(world, "di").kinds["project"]) == {"WEB", "SEC", "PRV"}


def test_each_kind_is_named_and_columns_come_with_its_rows(world: World) -> None:
    answer = call(world, "cy", "sync.snapshot")
    assert [part["kind"] for part in answer["parts"]] == [
        "board", "component", "field", "label", "lane", "member", "project", "sprint", "team", "type", "view",
        "workflow",
    ]  # fmt: skip
    assert answer["next"] is None
    assert all(len(part["values"]) == len(part["columns"]) for part in answer["parts"])
    only = call(world, "cy", "sync.snapshot", parts=["lane"])
    assert [part["kind"] for part in only["parts"]] == ["lane"]
    with refused("invalid-input"):
        call(world, "cy", "sync.snapshot", parts=["lanes"])


def test_rows_that_a_client_has_are_left_out(world: World) -> None:
    issue(world)
    first = call(world, "cy", "sync.snapshot")
    etags = [part["etag"] for part in first["parts"]]
    again = call(world, "cy", "sync.snapshot", etags=etags)
    assert all(part["unchanged"] and not any(part["values"]) for part in again["parts"])
    issue(world)
    third = call(world, "cy", "sync.snapshot", etags=etags)
    assert [part["kind"] for part in third["parts"] if not part["unchanged"]] == ["issue"]


def test_open_issues_come_first_and_old_ones_not_at_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ops, "_PIECE", 2)
    monkeypatch.setattr(ops, "_PAGE", 3)
    keys = [issue(world) for _ in range(6)]
    call(world, "cy", "issues.transition", key=keys[0], to_status="done")
    call(world, "cy", "issues.archive", keys=[keys[1]], on=True)
    secret = issue(world, project="SEC")
    answer = call(world, "cy", "sync.snapshot", parts=["issue"])
    seen: list[str] = []
    pages = 1
    while True:
        seen += [key for part in answer["parts"] for key in part["values"][1]]
        assert len({part["etag"] for part in answer["parts"]}) == len(answer["parts"])
        if answer["next"] is None:
            break
        pages += 1
        answer = call(world, "cy", "sync.snapshot", parts=["issue"], cursor=answer["next"])
    assert seen == [*keys[2:], secret, keys[0]]
    assert pages == 2
    world.database.write_now(lambda tx: tx.execute("update issue set done_at = done_at - 91 * 86400"))
    assert keys[0] not in store(world, "cy").held()
    assert keys[0] in store(world, "cy", closed_days=100).held()


def test_pages_of_a_snapshot_are_of_one_sight(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ops, "_PIECE", 1)
    monkeypatch.setattr(ops, "_PAGE", 1)
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    issue(world, "cy", project="SEC")
    issue(world, "cy", project="SEC")
    first = call(world, "di", "sync.snapshot", parts=["issue"])
    call(world, "ana", "issues.create", project="WEB", title="Meanwhile")
    second = call(world, "di", "sync.snapshot", parts=["issue"], cursor=first["next"])
    assert second["seq"] == first["seq"]
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="none")
    with refused("stale"):
        call(world, "di", "sync.snapshot", parts=["issue"], cursor=second["next"])


def test_each_thing_comes_once_as_it_is_now(world: World) -> None:
    one = store(world, "cy")
    key = issue(world)
    for number in range(5):
        call(world, "cy", "issues.update", key=key, title=f"Cart {number}")
    call(world, "cy", "comments.create", subject=key, body="Looks good")
    delta = call(world, "cy", "sync.delta", since=one.seq)
    (told,) = [each for each in delta["upserts"] if each["kind"] == "issue"]
    (row,) = told["rows"]
    shown = dict(zip(told["columns"], row, strict=True))
    assert (shown["title"], shown["comments"]) == ("Cart 4", 1)
    same(one, world, "cy")


@pytest.mark.parametrize(
    ("op", "value"),
    [
        ("issues.delete", {"key": "WEB-1"}),
        ("issues.archive", {"keys": ["WEB-1"], "on": True}),
        ("issues.level_set", {"key": "WEB-1", "level": "private"}),
        ("issues.move", {"keys": ["WEB-1"], "project": "PRV"}),
    ],
)
def test_what_is_gone_for_somebody_is_told_to_them(world: World, op: str, value: dict[str, Any]) -> None:
    key = issue(world, "ana")
    call(world, "di", "projects.member_set", key="PRV", who="@ana", role="lead")
    number = call(world, "ana", "issues.get", key=key)["id"]
    one = store(world, "cy")
    assert one.held() == [key]
    call(world, "ana", op, **value)
    one.follow()
    assert (one.held(), one.gone, one.resets) == ([], [("issue", number)], 0)
    same(one, world, "cy")


def test_nobody_hears_of_what_they_never_saw(world: World) -> None:
    key = issue(world, "ana", level="private")
    one = store(world, "cy")
    call(world, "ana", "issues.update", key=key, title="Still hidden")
    call(world, "ana", "issues.assign", key=key, assignees=["@bo"])
    call(world, "ana", "issues.assign", key=key, assignees=[])
    call(world, "ana", "issues.delete", key=key)
    one.follow()
    assert (one.held(), one.gone, one.resets) == ([], [], 0)


def test_what_writes_share_a_commit_is_told_to_who_heard_of_the_first(world: World) -> None:
    key = issue(world, "ana")
    one = store(world, "cy")
    before = world.database.seq
    call(
        world,
        "ana",
        "api.batch",
        ops=[
            {"op": "issues.update", "input": {"key": key, "title": "Soon gone"}},
            {"op": "issues.level_set", "input": {"key": key, "level": "private"}},
        ],
    )
    for since in range(before, world.database.seq):
        told = call(world, "cy", "sync.delta", since=since, parts=["issue"])
        assert (told["gone"] != []) == (since < world.database.seq - 1), since
    one.follow()
    assert one.held() == []


def test_who_had_an_issue_alone_hears_that_they_lost_it(world: World) -> None:
    key = issue(world, "ana", assignees=["@cy"], level="private")
    one = store(world, "cy")
    assert one.held() == [key]
    call(world, "ana", "issues.assign", key=key, assignees=["@bo"])
    one.follow()
    assert (one.held(), len(one.gone), one.resets) == ([], 1, 0)


def test_a_project_that_is_lost_or_won_begins_it_anew(world: World) -> None:
    key = issue(world, "cy", project="SEC")
    one = store(world, "di")
    call(world, "cy", "issues.update", key=key, reporter="@di")
    one.follow()
    assert one.held() == [key]
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="none")
    one.follow()
    assert (one.resets, one.held()) == (1, [])
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    one.follow()
    assert (one.resets, one.held()) == (2, [key])
    assert "SEC" in one.kinds["project"]


def test_a_number_stands_for_what_somebody_sees_and_for_nothing_else(world: World) -> None:
    before = call(world, "di", "sync.snapshot", parts=[])["access"]
    issue(world)
    call(world, "ana", "labels.save", name="urgent")
    assert call(world, "di", "sync.snapshot", parts=[])["access"] == before
    assert call(world, "cy", "sync.snapshot", parts=[])["access"] != before
    call(world, "ana", "members.update", id="@di", role="admin")
    after = call(world, "di", "sync.delta", since=world.database.seq)["access"]
    assert after != before


def test_a_client_that_does_not_know_what_it_saw_is_not_told_to_begin_anew(world: World) -> None:
    one = store(world, "di")
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    delta = call(world, "di", "sync.delta", since=one.seq)
    assert not delta["reset"]
    assert delta["access"] != one.access
    assert call(world, "di", "sync.delta", since=one.seq, access=one.access)["reset"]
    assert not call(world, "di", "sync.delta", since=one.seq, access=delta["access"])["reset"]


def test_who_comes_from_nowhere_begins_anew(world: World) -> None:
    seq = world.database.seq
    assert call(world, "cy", "sync.delta", since=seq + 1)["reset"]
    issue(world)
    world.database.write_now(lambda tx: tx.execute("delete from events where seq <= :seq", seq=seq - 1))
    assert not call(world, "cy", "sync.delta", since=seq - 1)["reset"]
    assert call(world, "cy", "sync.delta", since=seq - 2)["reset"]


def test_much_is_told_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    one = store(world, "cy")
    for _ in range(5):
        issue(world)
    keys = [f"WEB-{number}" for number in range(1, 6)]
    monkeypatch.setattr(changed, "_ISSUES", 2)
    delta = call(world, "cy", "sync.delta", since=one.seq)
    assert delta["more"]
    same(one, world, "cy")
    assert one.held() == keys
    monkeypatch.setattr(changed, "_EVENTS", 1)
    for key in keys:
        call(world, "cy", "issues.update", key=key, priority="high")
    same(one, world, "cy")
    assert one.resets == 0


def test_small_kinds_come_whole(world: World) -> None:
    one = store(world, "cy")
    label = call(world, "ana", "labels.save", name="urgent")["id"]
    component = call(world, "bo", "components.save", project="WEB", name="Checkout")["id"]
    view = call(world, "cy", "views.save", name="Mine", tql="assignee = me")["id"]
    one.follow()
    assert (label in one.kinds["label"], component in one.kinds["component"]) == (True, True)
    assert view in one.kinds["view"]
    same(one, world, "cy")
    call(world, "ana", "labels.delete", id=label)
    call(world, "bo", "components.delete", id=component)
    call(world, "cy", "views.delete", id=view)
    same(one, world, "cy")
    assert view not in one.kinds["view"]
    assert one.resets == 0


def test_personal_views_are_their_owners(world: World) -> None:
    one = store(world, "cy")
    call(world, "bo", "views.save", name="Secret plans", tql="assignee = me")
    one.follow()
    assert one.kinds["view"] == {}
    assert one.gone == []


def limited(world: World, *held: str) -> Kbwork:
    """A client of Cy's by a key with these scopes."""
    made = {"name": "narrow", "scopes": sorted(held)}
    token = world.database.write_now(lambda tx: callers.add_key(tx, world.people["cy"].id, made)[1])
    return Kbwork(world.url, token)


def test_scopes_are_not_widened(world: World) -> None:
    one = store(world, "cy")
    issue(world)
    with limited(world, "api:read", "members:read") as client:
        answer = client.call("sync.snapshot", {})
        assert [part["kind"] for part in answer["parts"]] == ["member", "team"]
        assert client.call("sync.snapshot", {"parts": ["issue"]})["parts"] == []
        delta = client.call("sync.delta", {"since": one.seq})
        assert [told["kind"] for told in delta["upserts"]] == ["member", "team"]
        assert delta["gone"] == []
    with limited(world, "issues:read") as client, refused("insufficient-scope"):
        client.call("sync.snapshot", {})


def test_a_connected_client_keeps_what_its_modules_have(world: World) -> None:
    issue(world)
    found = ConnectedClient(world, "cy", ["sync", "labels"]).call("sync.snapshot")
    assert [part["kind"] for part in found["parts"]] == ["label"]


def test_what_is_private_to_others_is_in_no_row(world: World) -> None:
    top = issue(world, "ana", type="epic", title="Takeover", level="private")
    below = issue(world, "ana", parent=top, title="Open part")
    one = store(world, "cy")
    (row,) = one.kinds["issue"].values()
    assert (row["key"], row["parent"]) == (below, None)
    call(world, "ana", "issues.level_set", key=top, level="project")
    same(one, world, "cy")
    assert {row["key"]: row["parent"] for row in one.kinds["issue"].values()}[below] is not None
    call(world, "ana", "issues.level_set", key=top, level="private")
    same(one, world, "cy")
    assert one.kinds["issue"][row["id"]]["parent"] is None


_ACTS = [
    "create",
    "create",
    "update",
    "rank",
    "level",
    "assign",
    "delete",
    "archive",
    "move",
    "transition",
    "watch",
    "comment",
    "restore",
    "parent",
    "label",
    "undo",
    "member",
    "lane",
    "component",
]


class Team:
    """People who do whatever they like, by chance."""

    def __init__(self, world: World, seed: int) -> None:
        self._world, self._chance = world, random.Random(seed)

    def step(self) -> None:
        who = self._chance.choice(["ana", "bo", "cy", "di"])
        act = self._chance.choice(_ACTS)
        try:
            getattr(self, act)(who)
        except KbworkProblem as problem:  # they may not, and nothing happened
            if problem.status >= 500:
                raise

    def _any(self) -> str:
        """Any issue there ever was, by its number."""
        last = self._world.database.write_now(lambda tx: tx.value("select max(id) from issue")) or 1
        return f"issue:{self._chance.randint(1, last)}"

    def _who(self) -> str:
        return "@" + self._chance.choice(["ana", "bo", "cy", "di", "gus"])

    def create(self, who: str) -> None:
        project, level = (
            self._chance.choice(["WEB", "WEB", "SEC", "PRV"]),
            self._chance.choice([None, "private"]),
        )
        call(self._world, who, "issues.create", project=project, title="Thing", level=level or "project")

    def update(self, who: str) -> None:
        call(self._world, who, "issues.update", key=self._any(), title=f"Thing {self._chance.random()}")

    def parent(self, who: str) -> None:
        call(self._world, who, "issues.convert", key=self._any(), type="epic")
        call(self._world, who, "issues.update", key=self._any(), parent=self._any())

    def rank(self, who: str) -> None:
        call(self._world, who, "issues.rank", keys=[self._any()], after=self._any())

    def level(self, who: str) -> None:
        to = self._chance.choice(["private", "project", "public"])
        call(self._world, who, "issues.level_set", key=self._any(), level=to)

    def assign(self, who: str) -> None:
        call(self._world, who, "issues.assign", key=self._any(), assignees=[self._who()])

    def delete(self, who: str) -> None:
        call(self._world, who, "issues.delete", key=self._any())

    def restore(self, who: str) -> None:
        call(self._world, who, "trash.restore", ids=[self._chance.randint(1, 10)])

    def archive(self, who: str) -> None:
        call(self._world, who, "issues.archive", keys=[self._any()], on=self._chance.random() < 0.5)

    def move(self, who: str) -> None:
        to = self._chance.choice(["WEB", "SEC", "PRV"])
        call(self._world, who, "issues.move", keys=[self._any()], project=to)

    def transition(self, who: str) -> None:
        to = self._chance.choice(["todo", "in_progress", "done"])
        call(self._world, who, "issues.transition", key=self._any(), to_status=to)

    def watch(self, who: str) -> None:
        call(self._world, who, "issues.watch", key=self._any(), on=self._chance.random() < 0.5)

    def comment(self, who: str) -> None:
        call(self._world, who, "comments.create", subject=self._any(), body="Well")

    def label(self, who: str) -> None:
        name = self._chance.choice(["one", "two"])
        call(self._world, "ana", "labels.save", name=name)
        call(self._world, who, "issues.update", key=self._any(), labels=[name])

    def undo(self, who: str) -> None:
        call(self._world, who, "undo.apply", seq=self._world.database.seq - self._chance.randint(0, 3))

    def member(self, who: str) -> None:
        role = self._chance.choice(["none", "viewer", "reporter", "member"])
        call(self._world, who, "projects.member_set", key="SEC", who=self._who(), role=role)

    def lane(self, who: str) -> None:
        call(
            self._world,
            "ana",
            "lanes.save",
            key="todo",
            name=f"To do {self._chance.random()}",
            category="todo",
        )

    def component(self, who: str) -> None:
        call(self._world, "bo", "components.save", project="WEB", name=f"Part {self._chance.random()}")


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_clients_hold_what_there_is(world: World, seed: int) -> None:
    team = Team(world, seed)
    people = ["ana", "cy", "di", "gus"]
    stores = {who: store(world, who) for who in people}
    for _ in range(12):
        for _ in range(6):
            team.step()
        for who in people:
            same(stores[who], world, who)


def test_who_missed_too_much_begins_anew_and_what_was_touched_then_is_forgotten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed, "_KEPT", 5)
    early = Store(world.session("cy"))
    first = issue(world)
    late = Store(world.session("cy"))
    for number in range(5):
        call(world, "ana", "issues.update", key=first, title=f"Cart {number}")
    early.follow()
    late.follow()
    assert (early.resets, late.resets) == (1, 0)
    assert early.kinds == late.kinds
    world.advance(601)
    world.settle()
    kept = world.database.read_now(lambda tx: tx.column("select distinct seq from thing_touch order by seq"))
    assert kept == [seq for seq in kept if seq >= early.seq - 5]
    assert len(kept) >= 5
