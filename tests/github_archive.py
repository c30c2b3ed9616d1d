"""An archive of a GitHub repository with years of work: a real one that lies beside the checkout, or a made one."""

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import kbwork

REAL = Path(kbwork.__file__).parents[2] / "shared" / "data" / "github-archive.json"
_PEOPLE = ("ada", "grace-h", "linus", "barbara", "edsger", "ken", "radia", "dennis")
_LABELS = ("bug", "editorial", "parked", "good first issue", "needs-discussion", "Größe")
_WORDS = (
    "header",
    "second",
    "record",
    "key",
    "nonce",
    "answer",
    "is",
    "read",
    "twice",
    "when",
    "the",
    "client",
    "waits",
)
_ITEMS = 160
_START = datetime(2019, 3, 1, tzinfo=UTC)


def archive_file(folder: Path) -> Path:
    """The real one, or a made one in this folder, the same each time."""
    if REAL.exists():
        return REAL
    file = folder / "github-archive.json"
    file.write_text(json.dumps(made()))
    return file


def made() -> dict[str, Any]:
    """Issues and pull requests in all their states, with talk, reviews and what these say about lines."""
    chance = random.Random(7)
    items = [(number, _item(chance, number)) for number in range(1, _ITEMS + 1)]
    return {
        "magic": "E!vIA5L86J2I",
        "timestamp": _at(4000),
        "repo": "acme/protocol",
        "labels": [{"name": name, "description": name.title(), "color": "d73a4a"} for name in _LABELS],
        "issues": [item for number, item in items if number % 5 < 2],
        "pulls": [_pull(chance, item) for number, item in items if number % 5 >= 2],
    }


def _at(days: float) -> str:
    return (_START + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(chance: random.Random, most: int) -> str:
    return " ".join(chance.choices(_WORDS, k=chance.randint(3, most)))


def _item(chance: random.Random, number: int) -> dict[str, Any]:
    day = number * 10 + chance.random()
    closed = None if number % 4 == 1 and number != 5 else _at(day + 8)
    return {
        "number": number,
        "id": f"I{number}",
        "title": f"{_text(chance, 8)}  {number}",
        "url": f"https://github.com/acme/protocol/issues/{number}",
        "state": "OPEN" if closed is None else "CLOSED",
        "author": chance.choice(_PEOPLE),
        "assignees": chance.sample(_PEOPLE, chance.choice((0, 0, 1, 2))),
        "labels": chance.sample(_LABELS, chance.choice((0, 1, 2))),
        "body": _text(chance, 60) + chance.choice(("", "\r\n\r\n- one\r\n- two")),
        "createdAt": _at(day),
        "updatedAt": _at(day + 9),
        "closedAt": closed,
        "comments": [_said(chance, day + place) for place in range(chance.choice((0, 1, 3, 7)))],
    }


def _said(chance: random.Random, day: float) -> dict[str, Any]:
    at = _at(day + chance.random())
    return {"author": chance.choice(_PEOPLE), "body": _text(chance, 40), "createdAt": at, "updatedAt": at}


def _pull(chance: random.Random, item: dict[str, Any]) -> dict[str, Any]:
    number, merged = item["number"], item["closedAt"] is not None and chance.random() < 0.8
    return item | {
        "id": f"P{number}",
        "url": f"https://github.com/acme/protocol/pull/{number}",
        "state": "MERGED" if merged else item["state"],
        "baseRefName": "main",
        "mergedAt": item["closedAt"] if merged else None,
        "mergedBy": chance.choice(_PEOPLE) if merged else None,
        "reviews": [_review(chance, number, place) for place in range(chance.choice((0, 1, 2)))],
    }


def _review(chance: random.Random, number: int, place: int) -> dict[str, Any]:
    said = _said(chance, number * 10 + place)
    line = {"path": "draft.md", "originalPosition": place + 3, "body": _text(chance, 20)}
    return said | {
        "id": f"R{number}-{place}",
        "state": chance.choice(("COMMENTED", "APPROVED", "CHANGES_REQUESTED")),
        "comments": [line | {"createdAt": said["createdAt"]} for _ in range(chance.choice((0, 1, 2)))],
    }
