"""A connected client sees what is of the modules that it was given, and nothing of another through them.

Each grant has one module that keeps things, and all that keep none: those tell of the things of many.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from kbwork.app import registry
from kbwork.base.errors import Problem
from kbwork.core.access import identify, visibility
from kbwork.core.events import feed
from kbwork.core.operations.declare import Operation
from kbwork.core.ports.query_source import QuerySource
from kbwork.core.things.thing import ref_of
from kbwork.db.tx import Read, Write
from kbwork.modules import MODULES
from tests.conftest import World
from tests.house.test_canaries import asked
from tests.modules.grants import ConnectedClient

THINGS = registry().things
KEEPERS = sorted({kind.module for kind in THINGS.values()})
WIDE = frozenset(MODULES) - frozenset(KEEPERS)
NAMED = frozenset({"project", "space", "member", "team", "customer", "org"})
"""Kinds that others name: the project of an issue, the space of a page, who did or asked for something. That is told
with what names it."""
EACH = pytest.mark.parametrize("module", [*KEEPERS, "none"])
_SHORTEST = 8
"""Shorter titles stand in other words, too."""


@dataclass
class Company:
    """The world of the examples, and what in it is to be looked for."""

    world: World
    titles: dict[str, str] = field(default_factory=dict)
    """Of each thing but those that others name."""
    numbers: list[int] = field(default_factory=list)

    @property
    def refs(self) -> list[str]:
        """A subject or two of each kind, and the words of titles."""
        found: dict[str, list[str]] = {}
        for subject in self.titles:
            found.setdefault(ref_of(subject)[0], []).append(subject)
        some = [one for of_kind in found.values() for one in of_kind[:2]]
        words = {max(self.titles[subject].split(), key=len, default="") for subject in some}
        return ["WEB-1", "project:WEB", *some, *sorted(words - {""})]


@pytest.fixture
def company(lived_in: World) -> Company:
    found = Company(lived_in)
    lived_in.database.write_now(lambda tx: _gather(tx, found, lived_in.people["ana"].id))
    return found


def _gather(tx: Read, found: Company, owner: str) -> None:
    eyes = visibility.as_member(tx, owner)
    subjects = tx.column("select distinct subject from events")
    subjects += [f"comment:{one}" for one in tx.column("select id from comment")]
    subjects += [f"attachment:{one}" for one in tx.column("select id from attachment")]
    subjects += [f"job:{one}" for one in tx.column("select id from job")]
    for subject in sorted(subjects):
        thing = visibility.find(eyes, subject)
        if thing is not None and thing.kind not in NAMED:
            found.titles[subject] = thing.title.removeprefix(f"{thing.path.rpartition('/')[2]} ")
    found.numbers = [1, 2, 3, *tx.column("select seq from undo order by seq desc limit 200")]


def _looks(op: Operation) -> bool:
    """Whether it only tells, or can be asked to."""
    return op.road == "read" or "dry_run" in op.input.model_fields


def _values(company: Company, op: Operation) -> Iterator[dict[str, Any]]:
    """What `asked` asks, and a query for each source, without effect."""
    fields = op.input.model_fields
    sources = [one.name for one in registry().of(QuerySource)] if "tql" in fields else []
    alone = {"dry_run": True} if "dry_run" in fields else {}
    for value in asked(op, company.refs, company.numbers):
        yield value | alone
    for source in sources:
        yield op.example | alone | {"tql": f"from {source}"}


def _strange(company: Company, modules: frozenset[str], answer: Any, sent: str) -> set[str]:
    """What an answer tells of other modules, but for what was sent."""
    others = {name for name, kind in THINGS.items() if kind.module not in modules and name not in NAMED}
    found: set[str] = set()
    for text in _texts(answer):
        event = registry().event_modules.get(text)
        if event is not None and event not in modules:
            found.add(text)
        if text in company.titles and ref_of(text)[0] in others and text not in sent:
            found.add(text)
        found |= {
            f"{subject}: {title}"
            for subject, title in company.titles.items()
            if ref_of(subject)[0] in others
            and len(title) >= _SHORTEST
            and title in text
            and title not in sent
        }
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        yield from _texts(one)


async def _told(
    company: Company, modules: frozenset[str], client: ConnectedClient
) -> tuple[dict[str, set[str]], int]:
    """What is told of other modules, by operation; and how many answers there were."""
    found: dict[str, set[str]] = {}
    answers = 0
    for op in registry().operations.values():
        for value in _values(company, op) if op.module in modules and _looks(op) else ():
            try:
                answer = await client.ask(op.id, value)
                answers += 1
            except Problem as problem:
                answer = problem.document("")
            if told := _strange(company, modules, answer, json.dumps(value)):
                found.setdefault(op.id, set()).update(told)
    return found, answers


@pytest.mark.long
@EACH
def test_no_operation_tells_of_a_module_that_was_not_given(company: Company, module: str) -> None:
    world, modules = company.world, WIDE | {module}
    found, answers = world.on_loop(_told(company, modules, ConnectedClient(world, "ana", modules)))
    assert found == {}
    assert answers > 200


@EACH
def test_the_feed_tells_events_of_the_modules_that_were_given_alone(lived_in: World, module: str) -> None:
    modules = WIDE | {module}
    some = _heard(lived_in, ConnectedClient(lived_in, "ana", modules))
    every = _heard(lived_in, ConnectedClient(lived_in, "ana", None))
    assert some == [event for event in every if _is_of(event, modules)]
    assert len(some) < len(every)


def _is_of(event: feed.Event, modules: frozenset[str]) -> bool:
    """Events of any module stand on things of the org itself."""
    kind = THINGS.get(ref_of(event["subject"])[0])
    on = kind is None or kind.of_org or kind.module in modules
    return on and registry().event_modules[event["kind"]] in modules


def _heard(world: World, client: ConnectedClient) -> list[feed.Event]:
    """Every event that is for this client, by a page and by the condition alike; payloads aside."""

    def look(tx: Write) -> list[feed.Event]:
        mine = tx.as_caller(identify.lookup(tx, client.token).caller)
        page = feed.page(mine, 0, 5000).events
        rows = mine.all(f"select {feed.COLUMNS}, {feed.HEARD_BY} from events e order by e.seq")
        condition = visibility.events(mine, [row["subject"] for row in rows])
        said = mine.column(
            f"select e.seq from events e where {condition} order by e.seq", **visibility.binds(mine)
        )
        assert [event["seq"] for event in page] == said
        return [event | {"payload": None} for event in page]

    return world.database.write_now(look)


def test_whoever_was_given_all_modules_is_asked_nothing_more(lived_in: World) -> None:
    def conditions(tx: Write, token: str) -> tuple[str, set[str]]:
        mine = tx.as_caller(identify.lookup(tx, token).caller)
        return visibility.events(mine, ["issue:1"]), set(visibility.binds(mine))

    tokens = (lived_in.people["ana"].session, ConnectedClient(lived_in, "ana", None).token)
    one, other = (lived_in.database.write_now(partial(conditions, token=token)) for token in tokens)
    assert one == other
    assert "kb_events" not in one[0]
