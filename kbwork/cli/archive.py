"""The archive format in which working groups keep the issues of a GitHub repository: read, checked, in plain words."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

MAGIC = "E!vIA5L86J2I"
_LANES = {"OPEN": ("todo", None), "MERGED": ("done", "completed"), "CLOSED": ("done", None)}


class ArchiveError(Exception):
    """The file is no archive that can be read; one line with the place in it."""


@dataclass(frozen=True)
class Comment:
    """`external` tells it from the others of its issue when the archive is brought in again."""

    author: str
    body: str
    created_at: int
    external: str


@dataclass(frozen=True)
class Item:
    """An issue or a pull request."""

    number: int
    external: str
    pull: bool
    title: str
    body: str
    author: str
    lane: str
    outcome: str | None
    labels: list[str]
    assignees: list[str]
    url: str
    created_at: int
    updated_at: int
    closed_at: int | None
    comments: list[Comment] = field(default_factory=list)


@dataclass(frozen=True)
class Archive:
    """What the file holds."""

    repo: str
    labels: dict[str, dict[str, str]]
    items: list[Item]

    @property
    def total(self) -> int:
        return len(self.items)

    @classmethod
    def read(cls, path: Path) -> "Archive":
        """Raises ArchiveError naming the place that does not fit."""
        try:
            found = json.loads(path.read_bytes())
        except OSError as error:
            raise ArchiveError(f"{path} cannot be read: {error.strerror}") from None
        except RecursionError:
            raise ArchiveError(f"{path} is nested too deeply to be an archive") from None
        except ValueError as error:
            raise ArchiveError(f"{path} is not JSON: {error}") from None
        if not isinstance(found, dict) or found.get("magic") != MAGIC:
            raise ArchiveError(f"{path} is not a GitHub archive: it lacks the magic {MAGIC!r}")
        reader = _Reader(path, found)
        return cls(reader.text("repo"), reader.labels(), sorted(reader.items(), key=lambda item: item.number))


class _Reader:
    """Takes the document apart and names the place of whatever does not fit."""

    def __init__(self, path: Path, document: dict[str, Any]) -> None:
        self._path = path
        self._document = document

    def text(self, name: str) -> str:
        return str(self._of(self._document, name, str, ""))

    def labels(self) -> dict[str, dict[str, str]]:
        found = {}
        for index, label in enumerate(self._of(self._document, "labels", list, "")):
            place = f"labels[{index}]"
            name = self._of(label, "name", str, place)
            found[name] = {
                "color": self._of(label, "color", str, place),
                "description": self._or(label, "description", str, place) or "",
            }
        return found

    def items(self) -> Iterator[Item]:
        for index, issue in enumerate(self._of(self._document, "issues", list, "")):
            yield self._item(issue, f"issues[{index}]", pull=False)
        for index, pull in enumerate(self._of(self._document, "pulls", list, "")):
            yield self._item(pull, f"pulls[{index}]", pull=True)

    def _item(self, item: Any, place: str, *, pull: bool) -> Item:
        state = self._of(item, "state", str, place)
        if state not in _LANES:
            raise self._error(f"{place}.state", f"should be one of {', '.join(_LANES)}")
        lane, outcome = _LANES[state]
        if state == "CLOSED":
            outcome = "cancelled" if pull else "completed"
        comments = self._of(item, "comments", list, place)
        return Item(
            number=self._of(item, "number", int, place),
            external=f"github:{self._of(item, 'id', str, place)}",
            pull=pull,
            title=self._of(item, "title", str, place),
            body=self._or(item, "body", str, place) or "",
            author=self._or(item, "author", str, place) or "ghost",
            lane=lane,
            outcome=outcome,
            labels=[str(label) for label in self._of(item, "labels", list, place)],
            assignees=[str(who) for who in self._of(item, "assignees", list, place)],
            url=self._of(item, "url", str, place),
            created_at=self._time(item, "createdAt", place),
            updated_at=self._time(item, "updatedAt", place),
            closed_at=self._time(item, "closedAt", place) if item.get("closedAt") else None,
            comments=[
                self._comment(c, index, f"{place}.comments[{index}]") for index, c in enumerate(comments)
            ],
        )

    def _comment(self, comment: Any, index: int, place: str) -> Comment:
        created_at = self._time(comment, "createdAt", place)
        return Comment(
            author=self._or(comment, "author", str, place) or "ghost",
            body=self._of(comment, "body", str, place),
            created_at=created_at,
            external=f"github:{created_at}:{index}",
        )

    def _time(self, holder: Any, name: str, place: str) -> int:
        text = self._of(holder, name, str, place)
        try:
            return int(datetime.fromisoformat(text).timestamp())
        except ValueError:
            raise self._error(f"{place}.{name}", "should be a time such as 2018-05-12T00:16:10Z") from None

    def _of(self, holder: Any, name: str, kind: type, place: str) -> Any:
        where = f"{place}.{name}" if place else name
        if not isinstance(holder, dict) or name not in holder:
            raise self._error(where, "is missing")
        value = holder[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self._error(where, f"should be {_NAMES[kind]}")
        return value

    def _or(self, holder: Any, name: str, kind: type, place: str) -> Any:
        return (
            None
            if isinstance(holder, dict) and holder.get(name) is None
            else self._of(holder, name, kind, place)
        )

    def _error(self, where: str, text: str) -> ArchiveError:
        return ArchiveError(f"{self._path}: {where} {text}")


_NAMES: dict[type, str] = {str: "a text", int: "a whole number", list: "a list"}
