"""From a template and its values to a page."""

import datetime
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kbwork
from kbwork.api.pages.docs import markdown
from kbwork.api.pages.form_errors import in_words
from kbwork.api.pages.request import PageRequest, field_errors
from kbwork.api.pages.response import PageResponse, lasting
from kbwork.base.errors import ElevationNeeded, Problem

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"
_STEPS = ((86400 * 365, "year"), (86400 * 30, "month"), (86400, "day"), (3600, "hour"), (60, "minute"))


def render(visit: PageRequest, name: str, *, status: int = 200, **values: Any) -> PageResponse:
    """A page for this visitor alone."""
    values.setdefault("problem", None)
    text = (
        _environment()
        .get_template(name)
        .render(
            visit=visit,
            me=visit.known_me,
            errors=field_errors(values["problem"]),
            **values,
        )
    )
    return PageResponse(text.encode(), status, headers={"Cache-Control": "no-store"})


def render_refused(visit: PageRequest, name: str, problem: Problem, **values: Any) -> PageResponse:
    """The page of a form again, with what is wrong and what was typed. ElevationNeeded is passed on."""
    if isinstance(problem, ElevationNeeded):
        raise problem
    answer = render(visit, name, status=problem.status, problem=in_words(problem), **values)
    answer.headers.update(problem.headers)
    return answer


def render_cached(name: str, **values: Any) -> PageResponse:
    """A page that is the same for everybody: the manual and the reference."""
    text = _environment().get_template(name).render(visit=None, me=None, problem=None, errors={}, **values)
    return lasting(text.encode())


@cache
def _environment() -> "Environment":
    import html  # noqa: PLC0415 - for pages alone

    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - likewise

    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["version"] = kbwork.__version__
    made.filters |= {
        "capitalize_first": lambda text: text[:1].upper() + text[1:],
        "inline": markdown.inline,
        "json": lambda value: json.dumps(value, ensure_ascii=False),
        "since": since,
        "stamp": stamp,
        "unescape": html.unescape,
    }
    return made


def stamp(seconds: int) -> str:
    """`2026-11-20T11:23:52Z`."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def since(seconds: int, now: int) -> str:
    """`3 hours ago`, `in 2 days`."""
    apart = abs(now - seconds)
    for size, word in _STEPS:
        if apart >= size:
            many = round(apart / size)
            text = f"{many} {word}{'s' if many > 1 else ''}"
            return f"{text} ago" if seconds < now else f"in {text}"
    return "just now" if seconds <= now else "in a moment"
