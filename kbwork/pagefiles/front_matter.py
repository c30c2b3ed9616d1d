"""What stands at the head of a Markdown file: YAML between lines of dashes, or TOML between lines of plus signs."""

import datetime
import json
import re
from typing import Any

from kbwork.base.dataclasses import dataclass, field
from kbwork.base.text import cleaned
from kbwork.pagefiles.found import ImportRefused

_MOST_CHARS = 64_000
_DEEPEST = 20
_MOST_LABELS = 50
_MOST_LABEL = 500
_MOST_ICON = 100
_MOST_PROPERTIES = 100
_MOST_NAME = 100
_MOST_ORDER = 2.0**53
_NO_SIGN = re.compile("[\0\ud800-\udfff]")
"""What a text holds by escapes alone, and no page can."""
_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(slots=True)
class FrontMatter:
    """What a head says of its page."""

    title: str = ""
    icon: str | None = None
    labels: list[str] = field(default_factory=list)
    properties: dict[str, Any] = field(default_factory=dict)
    draft: bool = False
    order: float | None = None
    """Its place among its siblings, the lowest first."""
    space: str = ""
    """Key of the space that it was in, where an export says so: texts name pages by it."""


def cut(text: str, source: str) -> tuple[FrontMatter, str]:
    """The head, and the text behind it. What is no head, or cannot be read as one, stays in the text. Raises
    ImportRefused where it says more than a page holds."""
    for pattern, reader in ((_YAML, _yaml), (_TOML, _toml)):
        match = pattern.match(text)
        if match is None:
            continue
        found = reader(match[1]) if len(match[1]) <= _MOST_CHARS else None
        if isinstance(found, dict):
            return _head(found, source), text[match.end() :].lstrip("\n")
    return FrontMatter(), text


def _yaml(text: str) -> Any:
    """None for what is no YAML, and for what names one thing in many places, which grows without end."""
    import yaml  # noqa: PLC0415 - other readers need none

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            return None
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _toml(text: str) -> Any:
    import tomllib  # noqa: PLC0415 - likewise

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return None


def _head(given: dict[Any, Any], source: str) -> FrontMatter:
    found = {str(name).strip(): value for name, value in given.items()}
    by_name = {name.lower(): name for name in reversed(found)}
    head = FrontMatter()

    def take(*names: str, kind: type | tuple[type, ...]) -> Any:
        for name in names:
            held = found.get(by_name.get(name, ""))
            if isinstance(held, kind) and (kind is bool or not isinstance(held, bool)):
                return found.pop(by_name[name])
        return None

    title = take("title", kind=(str, int, float, datetime.date))
    head.title = one_line(str(title)) if title is not None else ""
    icon = found.get(by_name.get("icon", ""), found.get(by_name.get("emoji", "")))
    if isinstance(icon, str) and icon.strip() and len(icon) <= _MOST_ICON:
        take("icon", "emoji", kind=str)
        head.icon = one_line(icon)
    labels = _labels([take("labels", kind=(list, str)), take("tags", "tag", kind=(list, str))])
    head.labels = labels
    head.draft = bool(take("draft", kind=bool))
    order = take("order", "weight", kind=(int, float))
    if order is not None and -_MOST_ORDER < order < _MOST_ORDER:
        head.order = float(order)
        head.space = take("space", kind=str) or ""
    own = take("properties", kind=dict)
    found = {**found, **{str(name): value for name, value in (own or {}).items()}}
    head.properties = {
        cleaned_name: _plain(value) for name, value in found.items() if (cleaned_name := one_line(name))
    }
    require_fitting(head.properties, source)
    return head


def require_fitting(properties: dict[str, Any], source: str) -> None:
    """Raises ImportRefused where these are more than a page holds."""
    if len(properties) > _MOST_PROPERTIES or any(len(name) > _MOST_NAME for name in properties):
        raise ImportRefused(
            f"{source} says more at its head than a page holds: {_MOST_PROPERTIES} properties, with names of"
            f" {_MOST_NAME} characters."
        )
    if len(json.dumps(properties, ensure_ascii=False)) > _MOST_CHARS:
        raise ImportRefused(f"The properties at the head of {source} hold more than 64 KB.")


def _labels(given: list[Any]) -> list[str]:
    """Names out of lists, and of texts with commas, or with spaces alone."""
    found: dict[str, None] = {}
    for one in given:
        parts = one if isinstance(one, list) else re.split(r"," if "," in (one or "") else r"\s", one or "")
        for part in parts:
            name = one_line(str(part)).lstrip("#") if isinstance(part, str | int | float) else ""
            if name:
                found[name[:_MOST_LABEL]] = None
    return list(found)[: _MOST_LABELS * 2]


def _plain(value: Any, depth: int = 0) -> Any:
    """As JSON has it: days and times as texts, and so what is nested too deep."""
    if depth > _DEEPEST:
        return _text(str(value)[:_MOST_CHARS])
    if isinstance(value, dict):
        return {_text(str(name)): _plain(held, depth + 1) for name, held in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(held, depth + 1) for held in value]
    if value is None or (isinstance(value, int | float) and abs(value) < 2**53):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return _text(str(value))


def _text(said: str) -> str:
    return cleaned(_NO_SIGN.sub("", said))


def one_line(text: str) -> str:
    """A title or a name on one line, as pages have them."""
    return " ".join(_text(text).split())[:500].strip()
