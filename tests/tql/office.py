"""A small office full of issues with a past, for the evaluator."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from kbwork.tql.checker.query import check, check_value
from kbwork.tql.evaluator.conditions import Evaluator
from kbwork.tql.items import Item, Record, Spell
from tests.tql.world import SmallWorld

ZONE = ZoneInfo("Europe/Berlin")
DAY_S = 86_400


def at(text: str) -> int:
    """Unix seconds of a local time in the office."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp())


NOW = at("2026-11-20T14:00")


@dataclass
class Office:
    """The evaluator's world. `me` is Ana; the core team is Ana and Sam Kent."""

    now: int = NOW
    zone: ZoneInfo = ZONE
    me: str = "m1"
    items: dict[str, list[Item]] = field(default_factory=dict)

    def call(self, name: str, args: tuple[Any, ...]) -> Sequence[Any]:
        known = {
            "membersOf": ("m1", "m2"),
            "openSprints": ("12",),
            "lastSprint": ("11",),
            "agents": (),
            "similar": ("WEB-1", "WEB-3"),
            "lastVisit": (NOW - DAY_S,),
        }
        return known.get(name, ())

    def all(self, source: str) -> Iterable[Item]:
        return self.items.get(source, ())

    def works(self, day: date, item: Item) -> bool:
        return day.weekday() < 5

    def rank(self, domain: str, id: str) -> Any:
        lanes = ("todo", "in-progress", "review", "done", "dropped")
        return lanes.index(id) if domain == "status" else id


def issue(key: str = "WEB-1", /, **fields: Any) -> Record:
    """An issue; `past`, `links` and all fields are what is given."""
    past, links = fields.pop("past", {}), fields.pop("links", {})
    return Record(key, {"created": NOW - 90 * DAY_S, **fields}, past, links)


def holds(text: str, item: Item, office: Office | None = None) -> bool:
    checked = check(text, SmallWorld())
    return Evaluator(office or Office()).matches(checked.query.where, item)


def value(text: str, item: Item) -> Any:
    return Evaluator(Office()).value(check_value(text, SmallWorld()), item)


def crowd(number: int, seed: int = 3) -> list[Record]:
    """Many issues in which anything may be missing, with parents, parts and a past."""
    chance = random.Random(seed)
    made: list[Record] = []
    for count in range(number):
        links: dict[str, list[Item]] = {name: [] for name in ("comments", "checks", "children", "worklogs")}
        if made:
            parent = chance.choice(made)
            links |= {
                "parent": [parent],
                "under": [parent],
                "blocked by": chance.sample(made, min(2, len(made))),
            }
            parent.links.setdefault("children", []).append(record := _issue(chance, count, links))
        else:
            record = _issue(chance, count, links)
        made.append(record)
    return made


def _issue(chance: random.Random, count: int, links: dict[str, list[Item]]) -> Record:
    def maybe(*choices: Any) -> Any:
        return chance.choice((*choices, None))

    lanes = chance.choices(("todo", "in-progress", "review", "done"), k=chance.randint(1, 4))
    begins = sorted(NOW - chance.randint(0, 80) * DAY_S for _ in lanes)
    ends = [*begins[1:], None]
    spells = [Spell(*one, by=chance.choice(("m1", "m2"))) for one in zip(lanes, begins, ends, strict=True)]
    category = {"todo": "todo", "done": "done"}.get(lanes[-1], "in_progress")
    sprints = [
        Spell("11", NOW - 60 * DAY_S, NOW - 30 * DAY_S, "m1"),
        Spell("12", NOW - 20 * DAY_S, None, "m2"),
    ]
    author = Record("m3", {"role": "guest"})
    comment = Record(
        "c1", {"text": "me too", "author": "m3", "created": NOW - DAY_S}, links={"author": [author]}
    )
    checks: list[Item] = [Record("k", {"assignee": "m1", "done": False})]
    links["comments"] = [comment] if chance.random() < 0.5 else []
    links["checks"] = checks if chance.random() < 0.5 else []
    return Record(
        f"WEB-{count + 1}",
        {
            "text": (chance.choice(("Login timeout", "Export fails on mobile", "Über größe")), ""),
            "title": maybe("Login timeout", "Exports fail"),
            "project": chance.choice(("WEB", "API")),
            "type": maybe("bug", "task", "epic"),
            "status": lanes[-1],
            "category": category,
            "priority": maybe("urgent", "high", "low"),
            "label": tuple(chance.sample(("1", "2", "3"), chance.randint(0, 3))),
            "assignee": tuple(chance.sample(("m1", "m2", "m3"), chance.randint(0, 2))),
            "reporter": maybe("m1", "m3"),
            "estimate": maybe(1, 3, 5, 8),
            "spent": maybe(3600, 90_000),
            "left": maybe(7200),
            "created": begins[0],
            "updated": NOW - chance.randint(0, 50) * DAY_S,
            "closed": maybe(NOW - 5 * DAY_S, NOW - 100 * DAY_S),
            "due": maybe(date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 25)),
            "sprint": maybe("11", "12"),
            "parent": links["parent"][0].id if "parent" in links else None,
            "cf.score": maybe(1, 2),
            "cf.region": maybe("EU"),
        },
        {
            "status": spells,
            "category": [],
            "sprint": sprints[: chance.randint(0, 2)],
            "assignee": [],
            "due": [],
        },
        links,
    )


def ago(**span: int) -> int:
    return NOW - int(timedelta(**span).total_seconds())
