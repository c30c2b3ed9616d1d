"""An org at work over three months, made by its own operations, and what people of it ask."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from kbwork.app import registry
from kbwork.base.caller import Caller
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.core import scopes
from kbwork.core.dispatch import run_in
from kbwork.core.validate import validate
from kbwork.db.database import Database
from kbwork.db.tx import Write
from tests.conftest import NOW, Person

DAY_S = 86_400
WORDS = (
    "login", "timeout", "export", "fails", "mobile", "cart", "voucher", "empty", "search", "slow", "page", "crash",
    "report", "Über", "größe", "naïve", "café",
)  # fmt: skip
LANES = ("backlog", "todo", "in_progress", "in_review", "done", "cancelled")
KINDS = ("blocks", "relates", "duplicates", "causes", "precedes", "tests")


class Office:
    """Fills the world's projects with issues that have a past. One transaction a day, sixty days long."""

    def __init__(
        self, database: Database, people: dict[str, Person], clock: FixedClock, seed: int = 5
    ) -> None:
        self.database = database
        self.people = people
        self.clock = clock
        self.chance = random.Random(seed)
        self.keys: dict[str, list[str]] = {"WEB": [], "SEC": [], "PRV": []}

    def fill(self, issues: int, days: int = 60) -> None:
        """So many issues, made and changed over the days before the clock's end."""
        self.database.write_now(self._settings)
        each = max(1, issues // days)
        for day in range(days):
            self.clock.advance(DAY_S + self.chance.randint(-3_000, 3_000))
            self.database.write_now(partial(self._day, each=each, day=day))

    def _settings(self, tx: Write) -> None:
        bo, cy = self.people["bo"], self.people["cy"]
        for name, zone in (("ana", "Europe/Berlin"), ("bo", "America/New_York"), ("gus", "Asia/Kolkata")):
            tx.update("member", self.people[name].id, zone=zone)
        run(tx, bo, "projects.member_set", {"key": "WEB", "who": "@gus", "role": "reporter"})
        run(tx, bo, "projects.update", {"key": "WEB", "reporters_see": "own"})
        for name in ("bug", "customer", "security"):
            run(tx, bo, "labels.save", {"name": name})
        run(tx, cy, "labels.save", {"name": "cve", "project": "SEC"})
        for name in ("Editor", "Export"):
            run(tx, bo, "components.save", {"project": "WEB", "name": name})
        run(tx, cy, "components.save", {"project": "SEC", "name": "Export"})
        team = run(tx, bo, "teams.save", {"name": "Core", "handle": "core"})
        run(tx, bo, "teams.member_set", {"id": team["id"], "who": "@cy", "role": "member"})
        run(tx, bo, "teams.member_set", {"id": team["id"], "who": "@gus", "role": "member"})
        run(tx, bo, "issues.relation_kind_save", {"key": "tests", "name": "tests", "inverse": "tested by"})
        options = [{"name": "EU"}, {"name": "US"}, {"name": "Asia"}]
        for key, kind in (
            ("score", "number"), ("region", "select"), ("regions", "multi_select"), ("owner", "member"),
            ("again", "issue"), ("ready", "bool"), ("seen_on", "date"), ("met_at", "datetime"), ("took", "duration"),
            ("motto", "text"), ("reviewers", "members"), ("squad", "team"),
        ):  # fmt: skip
            field: dict[str, Any] = {"key": key, "name": key.replace("_", " ").title(), "kind": kind}
            run(tx, bo, "fields.save", field)
            if "select" in kind:
                run(tx, bo, "fields.options_set", {"key": key, "options": options})

    def _day(self, tx: Write, *, each: int, day: int) -> None:
        for _ in range(each):
            self._make(tx)
        for _ in range(each * 8):
            self._change(tx)
        if day % 9 == 0:
            self._archive(tx)

    def _who(self, project: str) -> Person:
        names = {"WEB": ("ana", "bo", "cy", "di", "gus"), "SEC": ("cy",), "PRV": ("di",)}[project]
        return self.people[self.chance.choice(names)]

    def _make(self, tx: Write) -> None:
        pick, odds = self.chance.choice, self.chance.random
        project = pick(("WEB", "WEB", "WEB", "SEC", "PRV"))
        who = self._who(project)
        value: dict[str, Any] = {
            "project": project,
            "title": self._title(),
            "type": pick(("task", "bug", "story")),
        }
        if odds() < 0.5:
            value["body"] = f"{self._title()}. {self._title()}\n\n{pick(WORDS)}"
        if odds() < 0.6:
            value["priority"] = pick(("urgent", "high", "medium", "low", "none"))
        if odds() < 0.4:
            value["estimate"] = pick((1, 2, 3.5, 5, 8))
        if odds() < 0.4:
            value["due_date"] = self._date(tx)
        if odds() < 0.2:
            value["start_date"] = self._date(tx)
        if odds() < 0.15 and who.role != "guest":
            value["level"] = pick(("public", "private", "team:1"))
        if self.keys[project] and odds() < 0.3:
            value |= {"type": "subtask", "parent": pick(self.keys[project])}
        self._try(tx, who, "issues.create", value, project)

    def _try(self, tx: Write, who: Person, op: str, value: dict[str, Any], project: str = "") -> None:
        """Some of what chance picks is refused: that changes nothing."""
        try:
            with tx.attempt():
                answer = run(tx, who, op, value)
        except Problem:
            return
        if op == "issues.create":
            self.keys[project].append(answer["key"])

    def _title(self) -> str:
        return " ".join(self.chance.sample(WORDS, self.chance.randint(2, 4)))

    def _date(self, tx: Write) -> str:
        day = datetime.fromtimestamp(tx.now, UTC) + timedelta(days=self.chance.randint(-20, 40))
        return day.date().isoformat()

    def _change(self, tx: Write) -> None:
        pick = self.chance.choice
        project = pick([project for project, keys in self.keys.items() if keys] or ["WEB"])
        if not self.keys[project]:
            return
        key, who = pick(self.keys[project]), self._who(project)
        often = [self._fields] * 3 + [self._assign, self._move, self._values] * 2
        changes = pick([*often, self._relate, self._comment, self._look, self._watch])
        changes(tx, who, key)

    def _fields(self, tx: Write, who: Person, key: str) -> None:
        pick = self.chance.choice
        labels = ["bug", "customer", "security"]
        value = pick(
            (
                {"priority": pick(("urgent", "high", "medium", "low", "none"))},
                {"estimate": pick((1, 3, 5, None))},
                {"due_date": pick((self._date(tx), None))},
                {"labels": self.chance.sample(labels, self.chance.randint(0, 3))},
                {"components": self.chance.sample(["Editor", "Export"], self.chance.randint(0, 2))},
                {"title": self._title()},
            )
        )
        self._try(tx, who, "issues.update", {"key": key, **value})

    def _assign(self, tx: Write, who: Person, key: str) -> None:
        people = self.chance.sample(["@ana", "@bo", "@cy", "@di"], self.chance.randint(0, 2))
        self._try(tx, who, "issues.assign", {"key": key, "assignees": people})

    def _move(self, tx: Write, who: Person, key: str) -> None:
        lane = self.chance.choice(LANES)
        self._try(tx, who, "issues.transition", {"key": key, "to_status": lane})

    def _values(self, tx: Write, who: Person, key: str) -> None:
        pick = self.chance.choice
        some = self.chance.sample(["EU", "US", "Asia"], self.chance.randint(0, 2))
        people = self.chance.sample(["@ana", "@cy", "@di"], self.chance.randint(0, 2))
        values = pick(
            (
                {"score": pick((1, 2, 2.5, None))}, {"region": pick(("EU", "US", None))}, {"regions": some},
                {"owner": pick(("@ana", "@cy", None))}, {"ready": pick((True, False, None))},
                {"seen_on": pick((self._date(tx), None))}, {"met_at": pick((tx.now - DAY_S, None))},
                {"took": pick((3600, 90_000, None))}, {"motto": pick((self._title(), "Café", None))},
                {"reviewers": people}, {"squad": pick((1, None))},
                {"again": pick([*self.keys["WEB"][:5], *self.keys["SEC"][:2], None])},
            )
        )  # fmt: skip
        self._try(tx, who, "issues.update", {"key": key, "values": values})

    def _relate(self, tx: Write, who: Person, key: str) -> None:
        other = self.chance.choice([key for keys in self.keys.values() for key in keys])
        value = {"key": key, "kind": self.chance.choice(KINDS), "to": [other]}
        self._try(tx, who, "issues.relation_add", value)

    def _comment(self, tx: Write, who: Person, key: str) -> None:
        value = {
            "subject": f"issue:{key}",
            "body": f"{self._title()} @cy",
            "internal": self.chance.random() < 0.3,
        }
        self._try(tx, who, "comments.create", value)

    def _look(self, tx: Write, who: Person, key: str) -> None:
        self._try(tx, who, "activity.seen", {"subject": f"issue:{key}"})

    def _watch(self, tx: Write, who: Person, key: str) -> None:
        self._try(tx, who, self.chance.choice(("issues.watch", "issues.vote")), {"key": key, "on": True})

    def _archive(self, tx: Write) -> None:
        keys = self.keys["WEB"]
        if keys:
            self._try(
                tx, self.people["bo"], "issues.archive", {"keys": [self.chance.choice(keys)], "on": True}
            )


def run(tx: Write, who: Person, op_id: str, value: dict[str, Any]) -> Any:
    """Run an operation as somebody, in the transaction at hand."""
    op = registry().require(op_id)
    tx.caller = caller(who)
    tx.memo.clear()
    return run_in(tx, op, validate(op.input, value))


def caller(person: Person) -> Caller:
    """Somebody with all that their role may."""
    return Caller(
        member=person.id,
        role=person.role,
        kind="human",
        scopes=scopes.of_role(person.role),
        session=f"s_{person.handle}",
        elevated_until=1 << 40,
    )


END = NOW + 60 * DAY_S
