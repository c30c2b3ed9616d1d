"""One line of text as an issue: `fix login !high @ana #web due fri ~3`."""

import datetime
import itertools
import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import folded
from kbwork.core import zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read
from kbwork.issuefields import SIMPLE
from kbwork.modules import labels, members, types
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import PRIORITIES
from kbwork.modules.projects import access as projects

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WORD = re.compile(r'[#/@]"[^"]+"|\S+')
_RELATIVE = re.compile(r"\+(\d{1,3})([dw])")
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,3})?")
_DATES = {field.name: field.input for field in SIMPLE if field.kind == "date"}
_NAMES = {field.input: field.name for field in SIMPLE}


Span = TypedDict(
    "Span",
    {
        "from": Annotated[int, Field(description="First character, counted from 0.")],
        "to": Annotated[int, Field(description="The character behind the last one.")],
        "means": Annotated[str, Field(description="What they were taken for, such as `priority: high`.")],
    },
)
"""Characters `from` up to `to` of the text were taken for what `means` says, such as `priority: high`."""


class Parsed(TypedDict):
    """An input for issues.create, and what of the text it was read from."""

    input: dict[str, Any]
    """Fields for `issues.create`."""
    spans: list[Span]
    """Which characters were taken for what."""


class IssuesParse(Input):
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    """The line to read, such as `fix login !high due fri`."""
    project: Text | None = None
    """Where the issue would be made: its labels and types are known by name."""


@read(
    "issues.parse",
    scope="issues:read",
    words="quick add, type a line, natural language, read a line as an issue",
    example={"text": "fix login !high @ana #web due fri ~3", "project": "WEB"},
)
def parse(tx: Read, args: IssuesParse) -> Parsed:
    """Read an issue off one line of text.

    `!high` is a priority, `@ana` somebody who gets it, `#web` a label, `/bug` a type, `~3` an estimate, `due fri` and
    `start 2026-12-01` days (a weekday is the next one, `today`, `tomorrow`, `+3d` and `+2w` are read too), `in WEB` the
    project, `under WEB-1` the parent. Names with blanks stand in quotation marks: `#"needs info"`. The rest is the
    title, and so is every word that means nothing you can see.
    """
    project = projects.project(tx, args.project) if args.project else None
    reading = _Reading(tx, args.text, project)
    reading.read()
    found = reading.found
    if project is not None:
        found.setdefault("project", project["key"])
    title = " ".join(reading.title)
    return Parsed(input=found | ({"title": title} if title else {}), spans=reading.spans)


@dataclass(slots=True)
class _Reading:
    tx: Read
    text: str
    project: ProjectRow | None
    found: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    title: list[str] = field(default_factory=list)

    def read(self) -> None:
        words = list(_WORD.finditer(self.text))
        self._place(words)
        skip = 0
        for number, word in enumerate(words):
            if skip:
                skip -= 1
                continue
            following = words[number + 1] if number + 1 < len(words) else None
            pair = self._pair(word, following)
            if pair:
                skip = 1
            elif not self._sign(word):
                self.title.append(word[0])

    def _place(self, words: list[re.Match[str]]) -> None:
        """`in KEY` says whose labels and types the others are: it is looked for first."""
        for word, following in itertools.pairwise(words):
            if (
                word[0].lower() == "in"
                and visibility.find_named(self.tx, f"project:{following[0].upper()}") is not None
            ):
                self.project = projects.project(self.tx, following[0])
                return

    def _pair(self, word: re.Match[str], following: re.Match[str] | None) -> bool:
        """A field that holds a day, `in` and `under`, with the word behind them."""
        if following is None:
            return False
        name, value = word[0].lower(), following[0]
        if name in _DATES:
            day = _day(zones.today(self.tx), value)
            return day is not None and self._take(word, following, _DATES[name], day.isoformat())
        if name == "in" and self.project is not None and value.upper() == self.project["key"]:
            return self._take(word, following, "project", self.project["key"])
        if name == "under":
            row = access.find(self.tx, value) if "-" in value else None
            return row is not None and self._take(word, following, "parent", queries.key_of(self.tx, row))
        return False

    def _sign(self, word: re.Match[str]) -> bool:
        """A word that begins with a sign, if it means something."""
        reader = _SIGNS.get(word[0][0])
        value = word[0][1:].strip('"')
        meaning = reader(self, value) if reader is not None and value else None
        if meaning is None:
            return False
        name, found = meaning
        if name in ("assignees", "labels"):
            self.found.setdefault(name, []).append(found)
            self._note(word, word, f"{name.removesuffix('s')}: {found}")
            return True
        return self._take(word, word, name, found)

    def _take(self, first: re.Match[str], last: re.Match[str], name: str, value: Any) -> bool:
        """The last one said counts."""
        self.found[name] = value
        self._note(first, last, f"{_NAMES.get(name, name)}: {value}")
        return True

    def _note(self, first: re.Match[str], last: re.Match[str], means: str) -> None:
        self.spans.append({"from": first.start(), "to": last.end(), "means": means})

    def priority(self, value: str) -> tuple[str, Any] | None:
        return ("priority", value.lower()) if value.lower() in PRIORITIES else None

    def person(self, value: str) -> tuple[str, Any] | None:
        if value.lower() == "me":
            return ("assignees", "me")
        if "members:read" not in self.tx.caller.scopes:
            return None
        row = members.find(self.tx, f"@{value}")
        return ("assignees", f"@{row['handle']}") if row is not None and row["state"] == "active" else None

    def label(self, value: str) -> tuple[str, Any] | None:
        known = labels.usable(self.tx, self.project["id"]) if self.project is not None else []
        found = next((row["name"] for row in known if row["name_key"] == folded(value)), None)
        return ("labels", found) if found is not None else None

    def type(self, value: str) -> tuple[str, Any] | None:
        if self.project is None:
            return None
        try:
            return ("type", types.by_name(types.of_project(self.tx, self.project["id"]), value)["key"])
        except InvalidInput:
            return None

    def estimate(self, value: str) -> tuple[str, Any] | None:
        return ("estimate", float(value)) if _NUMBER.fullmatch(value) else None


_SIGNS: dict[str, Callable[[_Reading, str], tuple[str, Any] | None]] = {
    "!": _Reading.priority,
    "@": _Reading.person,
    "#": _Reading.label,
    "/": _Reading.type,
    "~": _Reading.estimate,
}


def _day(today: datetime.date, word: str) -> datetime.date | None:
    """A day as people say it; a weekday, in three letters or whole, is the next one."""
    word = word.lower()
    if word in ("today", "tomorrow"):
        return today + datetime.timedelta(days=word == "tomorrow")
    if (ahead := _RELATIVE.fullmatch(word)) is not None:
        return today + datetime.timedelta(days=int(ahead[1]) * (7 if ahead[2] == "w" else 1))
    for number, name in enumerate(_DAYS):
        if word in (name, name[:3]):
            return today + datetime.timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    try:
        return datetime.date.fromisoformat(word) if len(word) == 10 else None
    except ValueError:
        return None
