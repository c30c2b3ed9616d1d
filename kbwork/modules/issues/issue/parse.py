"""One line of text as an issue: `fix login !high @ana #web due fri ~3`."""

import itertools
import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base import said_days
from kbwork.base.dataclasses import dataclass, field
from kbwork.base.errors import InvalidInput
from kbwork.base.model import Input, Text
from kbwork.base.text import folded
from kbwork.core import org_settings, zones
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read
from kbwork.issuefields import SIMPLE
from kbwork.modules import labels, members, types
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.model import PRIORITIES
from kbwork.modules.projects import access as projects

_WORD = re.compile(r'[#/@]"[^"]+"|\S+')
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,3})?")
_DATES = {field.name: field.input for field in SIMPLE if field.kind == "date"} | {"by": "due_date"}
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

    `!high` is a priority, `@ana` somebody who gets it, `#web` a label, `/bug` a type, `~3` an estimate, `in WEB` the
    project, `under WEB-1` the parent. Names with blanks stand in quotation marks: `#"needs info"`. The rest is the
    title, and so is every word that means nothing you can see.

    `due`, `by` and `start` stand before a day, as people say it: `today`, `fri`, the next one, `next fri`, that of the
    week behind this one, `next week`, `in 2w`, `in 3 days`, `5 dec`, `dec 5 2027`, `5.12.`, `eow` (Friday), `eom`,
    `end of year`, `2026-12-01`. In English and, for de, es, fr, it, nl and pt, in the language of the org's locale,
    which says as well whether `5/12` is in May.
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
        at = 0
        while at < len(words):
            taken = self._named(words[at:])
            if not taken and not self._sign(words[at]):
                self.title.append(words[at][0])
            at += taken or 1

    def _place(self, words: list[re.Match[str]]) -> None:
        """`in KEY` says whose labels and types the others are: it is looked for first."""
        for word, following in itertools.pairwise(words):
            if (
                word[0].lower() == "in"
                and visibility.find_named(self.tx, f"project:{following[0].upper()}") is not None
            ):
                self.project = projects.project(self.tx, following[0])
                return

    def _named(self, words: list[re.Match[str]]) -> int:
        """How many words are a field with its value: one that holds a day, `in` and `under`."""
        if len(words) == 1:
            return 0
        name, value = words[0][0].lower(), words[1][0]
        if name in _DATES:
            return self._day(words, _DATES[name])
        if name == "in" and self.project is not None and value.upper() == self.project["key"]:
            return self._take(words[:2], "project", self.project["key"])
        if name == "under":
            row = access.find(self.tx, value) if "-" in value else None
            if row is not None:
                return self._take(words[:2], "parent", queries.key_of(self.tx, row))
        return 0

    def _day(self, words: list[re.Match[str]], name: str) -> int:
        """A day, of as many words as name one."""
        found = said_days.said(
            [word[0] for word in words[1 : 1 + said_days.MOST_WORDS]],
            zones.today(self.tx),
            locale=org_settings.get(self.tx, "org.locale"),
            week_start=org_settings.get(self.tx, "org.week_start"),
        )
        if found is None:
            return 0
        count, day = found
        return self._take(words[: 1 + count], name, day.isoformat())

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
        self._take([word], name, found)
        return True

    def _take(self, words: list[re.Match[str]], name: str, value: Any) -> int:
        """How many words they are. The last one said counts."""
        self.found[name] = value
        self._note(words[0], words[-1], f"{_NAMES.get(name, name)}: {value}")
        return len(words)

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
