"""An org at work over three months, made by its own operations, and what people of it ask."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from kbwork.app import registry
from kbwork.base.caller import Caller
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.core.access import scopes
from kbwork.core.operations.dispatch import run_in
from kbwork.core.operations.validate import validate
from kbwork.db.database import Database
from kbwork.db.tx import Write
from tests.conftest import NOW, Person

DAY_S = 86_400
WORDS = (
    "login", "timeout", "export", "fails", "mobile", "cart", "voucher", "empty", "search", "slow", "page", "crash",
    "report", "Über", "größe", "naïve", "café",
)  # fmt: skip
LANES = ("backlog", "todo", "in_progress", "in_review", "done", "cancelled")
DOCK_FIELDS: list[dict[str, Any]] = [{"key": "note", "name": "Note", "kind": "text"}]
LAPTOP_FIELDS: list[dict[str, Any]] = [
    {"key": "serial", "name": "Serial number", "kind": "text"},
    {"key": "bought", "name": "Bought on", "kind": "date"},
    {"key": "price", "name": "Price", "kind": "number"},
    {"key": "insured", "name": "Insured", "kind": "bool"},
    {"key": "room", "name": "Room", "kind": "select", "options": ["Attic", "Cellar"]},
    {"key": "keeper", "name": "Keeper", "kind": "member"},
    {"key": "docked", "name": "Docked in", "kind": "reference", "target": "DOCK"},
    {"key": "spare", "name": "Spare", "kind": "reference", "target": "LAP"},
    {"key": "note", "name": "Note", "kind": "number"},
]
"""Two types have a note, of two kinds."""
FORMULAS = {
    "double": "estimate * 2 + votes",
    "third": "cf.double / 3",
    "below": "sum(estimate)",
    "most": "max(cf.double) - min(votes)",
    "part": "share(open)",
    "steps": "count()",
    "web_score": "cf.score + 1",
    "late": "due",
    "last_day": "due + 3d",
    "doers": "assignee",
    "heading": "parent.title",
    "wait": "updated - created",
    "sort": "priority",
}
"""Computed fields; that of `web_score` is of one project's issues alone."""
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
        self.assets: dict[str, list[str]] = {"DOCK": [], "LAP": []}

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
            ("motto", "text"), ("reviewers", "members"), ("squad", "team"), ("tool", "asset"),
        ):  # fmt: skip
            field: dict[str, Any] = {"key": key, "name": key.replace("_", " ").title(), "kind": kind}
            run(tx, bo, "fields.save", field)
            if "select" in kind:
                run(tx, bo, "fields.options_set", {"key": key, "options": options})
        for key, formula in FORMULAS.items():
            computed = {"key": key, "name": key, "kind": "formula", "formula": formula}
            run(tx, bo, "fields.save", computed | ({"projects": ["WEB"]} if key == "web_score" else {}))
        for key, name, fields in (("DOCK", "Dock", DOCK_FIELDS), ("LAP", "Laptop", LAPTOP_FIELDS)):
            run(tx, bo, "assets.type_save", {"key": key, "name": name, "fields": fields})

    def _day(self, tx: Write, *, each: int, day: int) -> None:
        for _ in range(each):
            self._make(tx)
        for _ in range(each * 8):
            self._change(tx)
        if day % 9 == 0:
            self._archive(tx)
        self._equip(tx)
        for _ in range(each * 2):
            self._keep(tx)

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
                {"reviewers": people}, {"squad": pick((1, None))}, {"tool": pick([*self.assets["LAP"][:4], None])},
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
        op, by = self.chance.choice(
            (("issues.watch", "key"), ("issues.vote", "key"), ("stars.set", "subject"))
        )
        self._try(tx, who, op, {by: key, "on": True})

    def _equip(self, tx: Write) -> None:
        kind = self.chance.choice(("DOCK", "LAP", "LAP"))
        who = self.people[self.chance.choice(("ana", "bo", "cy"))]
        values = self._of_asset(tx, kind)
        with tx.attempt():
            made = run(tx, who, "assets.create", {"type": kind, "name": self._title(), "values": values})
            self.assets[kind].append(made["key"])

    def _keep(self, tx: Write) -> None:
        """An asset changes, or an issue is about one, or it gets steps to tick off."""
        pick = self.chance.choice
        kind = pick([kind for kind, keys in self.assets.items() if keys])
        asset, who = pick(self.assets[kind]), self.people[pick(("ana", "bo", "cy"))]
        issue = pick([*self.keys["WEB"], *self.keys["SEC"]] or ["WEB-1"])
        odds = self.chance.random()
        if odds < 0.3:
            self._try(
                tx, who, "issues.asset_link", {"key": issue, "asset": asset, "on": pick((True, True, False))}
            )
        elif odds < 0.6:
            change = pick(({"status": pick(("active", "maintenance", "retired"))}, {"owner": pick(("@ana", "@cy", ""))},
                           {"values": self._of_asset(tx, kind)}))  # fmt: skip
            self._try(tx, who, "assets.update", {"key": asset, **change})
        elif odds < 0.85:
            more = pick(({}, {"assignee": pick(("@ana", "@cy"))}, {"due_date": self._date(tx)}))
            self._try(tx, who, "checklists.add", {"key": issue, "text": self._title(), **more})
        elif there := tx.column("select id from check_item"):
            self._try(tx, who, "checklists.update", {"id": pick(there), "done": pick((True, True, False))})

    def _of_asset(self, tx: Write, kind: str) -> dict[str, Any]:
        pick = self.chance.choice
        if kind == "DOCK":
            return {"note": pick((self._title(), "Café", None))}
        docks, laptops = self.assets["DOCK"], self.assets["LAP"]
        values = {
            "serial": pick((self._title(), "C02 Café", None)), "bought": pick((self._date(tx), None)),
            "price": pick((900, 1200.5, None)), "insured": pick((True, False, None)),
            "room": pick(("attic", "Cellar", None)), "keeper": pick(("@ana", "@cy", None)),
            "docked": pick([*docks[:3], None]), "spare": pick([*laptops[:4], None]), "note": pick((1, 2, None)),
        }  # fmt: skip
        return {key: values[key] for key in self.chance.sample(sorted(values), 5)}

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
