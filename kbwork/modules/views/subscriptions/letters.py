"""A view's result as a letter."""

from pathlib import Path
from typing import Any

from kbwork.base.dataclasses import dataclass, replace
from kbwork.core.mail import letters
from kbwork.core.mail.templates import LetterKind
from kbwork.core.ports.mail import LONGEST_SUBJECT, Letter, one_line
from kbwork.modules.views.results import Result

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_NAMED = 20
VIEW = LetterKind(
    home=__name__,
    key="views.subscription",
    about="To whoever gets a view by mail.",
    subject="{{name}}: {{number}}",
    variables=("name", "number", "content", "every", "org", "page"),
    required=("content", "page"),
    links=("page",),
    folder=_TEMPLATES,
    file="view",
    body=(
        "{{content}}\n\n--\nYou get this view {{every}} from {{org}}. To end it: views.subscribe, on the page"
        " {{page}}.\n"
    ),
)
_EVERY = {"change": "when it changes", "daily": "daily", "weekly": "weekly"}


@dataclass(frozen=True, slots=True)
class LetterContent:
    """What a letter is about: a view, its result, and what was told before (subject to title; None: nothing)."""

    view: int
    name: str
    every: str
    result: Result
    before: dict[str, str] | None
    org: str
    origin: str

    @property
    def came(self) -> list[str]:
        """The titles of rows that were not there before."""
        before = self.before
        if before is None or not self.result.is_whole:
            return []
        return [title for one, title in self.result.names.items() if one not in before]

    @property
    def went(self) -> list[str]:
        """The titles, as they were told, of rows that are there no more."""
        if not self.result.is_whole:
            return []
        return [title for one, title in (self.before or {}).items() if one not in self.result.names]


def letter(told: LetterContent) -> Letter:
    """The letter in plain text and in HTML, with links to this server's pages."""
    values: dict[str, Any] = {
        "told": told,
        "name": told.name,
        "org": told.org,
        "result": told.result,
        "every": _EVERY[told.every],
        "number": _number(told.result),
        "came": told.came[:_MOST_NAMED],
        "went": told.went[:_MOST_NAMED],
        "more_came": max(0, len(told.came) - _MOST_NAMED),
        "more_went": max(0, len(told.went) - _MOST_NAMED),
        "page": f"{told.origin}/views/{told.view}",
    }
    written = letters.letter(VIEW, values, subject=_subject(told))
    return replace(written, about=f"view:{told.view}", unsubscribe=values["page"])


def _subject(told: LetterContent) -> str:
    """The news behind the name, which is cut where both do not fit."""
    news = f": {_number(told.result)}"
    if told.result.fault is not None:
        news = " cannot be asked"
    elif told.came or told.went:
        news += f", {len(told.came)} came, {len(told.went)} went"
    return one_line(told.name)[: LONGEST_SUBJECT - len(news)] + news


def _number(result: Result) -> str:
    if result.total is None:
        return "more than 10,000 rows"
    return "1 row" if result.total == 1 else f"{result.total:,} rows"
