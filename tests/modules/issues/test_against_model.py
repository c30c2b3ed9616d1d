"""Issues, relations, ranks, transitions, votes, trash and undo against a model of them in plain Python.

As many steps as `KBWORK_MODEL_STEPS` says, 1,500 unless it does.
"""

import copy
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.db.database import Database
from kbwork.db.tx import Write
from tests.conftest import NOW, Person, run

STEPS = int(os.environ.get("KBWORK_MODEL_STEPS", "1500"))
IN_A_ROW = 50
LEVELS = {"epic": 1, "task": 0, "subtask": -1}
LANES = {
    "backlog": "todo",
    "todo": "todo",
    "in_progress": "in_progress",
    "in_review": "in_progress",
    "done": "done",
}
numbers = st.integers(0, 30)


@dataclass
class Known:
    """An issue as it should be."""

    key: str
    type: str
    title: str
    lane: str = "todo"
    parent: str | None = None
    archived: bool = False
    deleted: bool = False
    votes: set[str] = field(default_factory=set)


@dataclass
class World:
    """All that there should be."""

    issues: dict[str, Known] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    """Of those that lists show. Where one comes back between others is for the product to say."""
    relations: set[tuple[str, str, str]] = field(default_factory=set)
    trash: dict[str, int] = field(default_factory=dict)

    def live(self) -> list[Known]:
        return [one for one in self.issues.values() if not one.deleted]

    def shown(self) -> set[str]:
        return {one.key for one in self.live() if not one.archived}

    def children(self, key: str) -> list[Known]:
        return [one for one in self.live() if one.parent == key]

    def blocked(self, key: str) -> bool:
        """Whether an open issue blocks it."""
        for kind, src, dst in self.relations:
            one = self.issues[src]
            if kind == "blocks" and dst == key and not one.deleted and LANES[one.lane] != "done":
                return True
        return False


class Machine(RuleBasedStateMachine):
    """Does to the product what it does to the model, and compares."""

    people: dict[str, Person]
    template: Path
    steps = 0
    """Taken so far, by all machines."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        shutil.copytree(self.template, self.folder / "data")
        self.clock = FixedClock(NOW)
        self.database: Database = open_data(self.folder / "data", self.clock)
        self.world = World()
        self.before: World | None = None
        self.seq = 0
        Machine.steps -= 1  # the first look comes before the first step

    def teardown(self) -> None:
        self.database.close()
        shutil.rmtree(self.folder)

    def call(self, op: str, who: str = "ana", **value: Any) -> Any:
        def go(tx: Write) -> Any:
            return run(tx, self.people[who], op, value)

        return self.database.write_now(go)

    def change(self, op: str, apply: Callable[[World], None], who: str = "ana", **value: Any) -> Any:
        """A change that goes well. What was before is kept, to be taken back."""
        before, seq = copy.deepcopy(self.world), self.database.seq
        answer = self.call(op, who, **value)
        apply(self.world)
        told = self.database.seq > seq
        self.before, self.seq = (before, self.database.seq) if told else (None, 0)
        return answer

    def refused(self, op: str, **value: Any) -> None:
        seq = self.database.seq
        with pytest.raises(Problem):
            self.call(op, **value)
        assert self.database.seq == seq

    def pick(self, number: int) -> Known:
        live = self.world.live()
        return live[number % len(live)]

    def some(self) -> bool:
        return bool(self.world.live())

    @rule(kind=st.sampled_from(sorted(LEVELS)))
    def make(self, kind: str) -> None:
        title = f"Number {len(self.world.issues)}"
        made = self.call("issues.create", project="WEB", title=title, type=kind)
        self.world.issues[made["key"]] = Known(made["key"], kind, title)
        self.world.order.append(made["key"])
        self.before = None

    @precondition(some)
    @rule(number=numbers, title=st.sampled_from(["A", "B", "C"]))
    def rename(self, number: int, title: str) -> None:
        one = self.pick(number)
        if one.archived:
            self.refused("issues.update", key=one.key, title=title)
            return
        self.change(
            "issues.update", lambda w: setattr(w.issues[one.key], "title", title), key=one.key, title=title
        )

    @precondition(some)
    @rule(number=numbers, lane=st.sampled_from(sorted(LANES)))
    def transition(self, number: int, lane: str) -> None:
        one = self.pick(number)
        if one.archived:
            self.refused("issues.transition", key=one.key, to_status=lane)
            return
        self.change(
            "issues.transition",
            lambda w: setattr(w.issues[one.key], "lane", lane),
            key=one.key,
            to_status=lane,
        )

    @precondition(some)
    @rule(number=numbers, other=numbers)
    def put_under(self, number: int, other: int) -> None:
        one, parent = self.pick(number), self.pick(other)
        fits = LEVELS[parent.type] > LEVELS[one.type] and not (one.archived or parent.archived)
        if not fits:
            self.refused("issues.update", key=one.key, parent=parent.key)
            return
        self.change(
            "issues.update",
            lambda w: setattr(w.issues[one.key], "parent", parent.key),
            key=one.key,
            parent=parent.key,
        )

    @precondition(some)
    @rule(number=numbers, other=numbers, kind=st.sampled_from(["blocks", "relates", "duplicates"]))
    def relate(self, number: int, other: int, kind: str) -> None:
        one, two = self.pick(number), self.pick(other)
        if one.key == two.key or one.archived:
            self.refused("issues.relation_add", key=one.key, kind=kind, to=[two.key])
            return

        def apply(world: World) -> None:
            if kind != "relates" or (kind, two.key, one.key) not in world.relations:
                world.relations.add((kind, one.key, two.key))

        self.change("issues.relation_add", apply, key=one.key, kind=kind, to=[two.key])

    @precondition(some)
    @rule(number=numbers)
    def unrelate(self, number: int) -> None:
        one = self.pick(number)
        found = self.call("issues.relations", key=one.key)
        if not found:
            return
        relation = found[0]
        ends = (one.key, relation["issue"]["key"])
        src, dst = ends if relation["direction"] != "in" else ends[::-1]
        if self.world.issues[src].archived and self.world.issues[dst].archived:
            self.refused("issues.relation_delete", id=relation["id"])
            return

        def apply(world: World) -> None:
            world.relations.discard((relation["kind"], src, dst))
            if relation["direction"] == "both":
                world.relations.discard((relation["kind"], dst, src))

        self.change("issues.relation_delete", apply, id=relation["id"])

    @precondition(lambda self: len(self.world.order) > 1)
    @rule(number=numbers, other=numbers, behind=st.booleans())
    def rank(self, number: int, other: int, behind: bool) -> None:
        shown = self.world.order
        one, anchor = shown[number % len(shown)], shown[other % len(shown)]
        where = {"after" if behind else "before": anchor}
        if one == anchor:
            self.refused("issues.rank", keys=[one], **where)
            return

        def apply(world: World) -> None:
            world.order.remove(one)
            world.order.insert(world.order.index(anchor) + behind, one)

        self.change("issues.rank", apply, keys=[one], **where)

    @precondition(some)
    @rule(number=numbers, who=st.sampled_from(["ana", "bo", "cy"]), on=st.booleans())
    def vote(self, number: int, who: str, on: bool) -> None:
        one = self.pick(number)
        if one.archived:
            self.refused("issues.vote", key=one.key, on=on)
            return

        def apply(world: World) -> None:
            (world.issues[one.key].votes.add if on else world.issues[one.key].votes.discard)(who)

        self.change("issues.vote", apply, who, key=one.key, on=on)
        self.before = self.before if who == "ana" else None

    @precondition(some)
    @rule(number=numbers, on=st.booleans())
    def archive(self, number: int, on: bool) -> None:
        one = self.pick(number)
        self.change(
            "issues.archive", lambda w: setattr(w.issues[one.key], "archived", on), keys=[one.key], on=on
        )

    @precondition(some)
    @rule(number=numbers, along=st.booleans())
    def delete(self, number: int, along: bool) -> None:
        one = self.pick(number)
        if one.archived:
            self.refused("issues.delete", key=one.key)
            return

        def apply(world: World) -> None:
            world.issues[one.key].deleted = True
            for child in world.children(one.key):
                if along:
                    _delete_below(world, child)
                else:
                    child.parent = world.issues[one.key].parent

        answer = self.change("issues.delete", apply, key=one.key, children="delete" if along else "keep")
        self.world.trash[one.key] = answer["trash"]

    @precondition(lambda self: bool(self.world.trash))
    @rule(number=numbers)
    def restore(self, number: int) -> None:
        key = sorted(self.world.trash)[number % len(self.world.trash)]
        one = self.world.issues[key]
        parent_gone = one.parent is not None and self.world.issues[one.parent].deleted
        answer = self.call("trash.restore", ids=[self.world.trash[key]])
        assert bool(answer["failed"]) == parent_gone
        self.before = None
        if not parent_gone:
            del self.world.trash[key]
            _restore(self.world, one)

    @precondition(lambda self: self.before is not None)
    @rule()
    def undo(self) -> None:
        assert self.before is not None
        self.call("undo.apply", seq=self.seq)
        self.world, self.before = self.before, None

    @invariant()
    def nothing_differs(self) -> None:
        if not hasattr(self, "world"):
            return
        Machine.steps += 1
        found = {
            one["key"]: one
            for one in self.call("issues.list", project="WEB", archived=True, limit=200)["items"]
        }
        world = self.world
        assert set(found) == {one.key for one in world.live()}
        shown = [key for key in found if found[key]["archived_at"] is None]
        still = world.shown()
        assert set(shown) == still
        back = still - set(world.order)
        assert [key for key in shown if key not in back] == [key for key in world.order if key in still]
        world.order = shown
        for one in world.live():
            issue = found[one.key]
            expected = {
                "title": one.title,
                "lane": one.lane,
                "parent": one.parent,
                "blocked": world.blocked(one.key),
                "children": len(world.children(one.key)),
                "done": sum(LANES[child.lane] == "done" for child in world.children(one.key)),
                "votes": len(one.votes),
            }
            counts = issue["counts"]
            assert expected == {
                **{name: issue[name] for name in ("title", "lane", "parent", "blocked")},
                "children": counts["children"],
                "done": counts["children_done"],
                "votes": counts["votes"],
            }


def _delete_below(world: World, one: Known) -> None:
    one.deleted = True
    for child in world.children(one.key):
        _delete_below(world, child)


def _restore(world: World, one: Known) -> None:
    """What went along is what lies under it and has no entry of its own."""
    one.deleted = False
    for child in world.issues.values():
        if child.parent == one.key and child.deleted and child.key not in world.trash:
            _restore(world, child)


@pytest.mark.long
def test_nothing_differs_from_the_model(template: tuple[Path, dict[str, Person]]) -> None:
    Machine.template, Machine.people = template
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=max(1, STEPS * 3 // (IN_A_ROW * 2)),  # some rows end early
            stateful_step_count=IN_A_ROW,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Machine.steps >= STEPS
