"""Values as they are answered, put into words for a text that people read."""

import datetime
from typing import Any

from kbwork.db.tx import Read
from kbwork.modules import members, teams
from kbwork.modules.fields.catalogue import catalogue
from kbwork.modules.fields.model import Kind


def in_words(tx: Read, key: str, value: Any) -> tuple[str, str]:
    """What a field is called and what it holds; one that is gone goes by its key."""
    field = next((one for one in catalogue(tx).values() if one.key == key), None)
    return (field.name, _whole(tx, field.kind, value)) if field is not None else (key, plain_words(value))


def plain_words(value: Any) -> str:
    """A value of which no more is known than what it is."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(plain_words, value))
    if isinstance(value, dict) and {"amount", "currency"} == value.keys():
        return f"{plain_words(value['amount'])} {value['currency']}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _whole(tx: Read, kind: Kind, value: Any) -> str:
    if isinstance(value, list):
        return (" / " if kind == "cascade" else ", ").join(_one(tx, kind, each) for each in value)
    return _one(tx, kind, value)


def _one(tx: Read, kind: Kind, value: Any) -> str:
    if kind in ("member", "members"):
        return _member(tx, str(value))
    if kind == "team" and isinstance(value, int):
        team = teams.seen(tx, value)
        return team["name"] if team is not None else plain_words(value)
    if kind == "datetime" and isinstance(value, int):
        return f"{datetime.datetime.fromtimestamp(value, datetime.UTC):%Y-%m-%d %H:%M} UTC"
    if kind == "duration" and isinstance(value, int):
        return _length(value)
    return plain_words(value)


def _member(tx: Read, who: str) -> str:
    row = members.seen(tx, who)
    return row["name"] if row is not None else who


def _length(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{number} {unit}" for number, unit in ((hours, "h"), (minutes, "min"), (rest, "s")) if number]
    return " ".join(parts) or "0 min"
