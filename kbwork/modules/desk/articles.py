"""Help articles: what a desk asks of the module that has pages."""

from collections.abc import Callable

from typing_extensions import TypedDict

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read


class ArticleText(TypedDict):
    """A published page. `text` is Markdown, `excerpt` a piece of it that a search found, `score` how well it fitted."""

    id: str
    title: str
    text: str
    excerpt: str
    score: float


@dataclass(frozen=True, kw_only=True)
class Articles(Extension):
    """The published pages of a space, for whoever reads them on a portal: nothing restricted, no draft. Declared once,
    by the module that has pages."""

    search: Callable[[Read, str, str, int], list[ArticleText]]
    """Those of a space (by its key) that fit a text, the best first, so many at most."""
    get: Callable[[Read, str, str], ArticleText | None]
    """The one of a space with this id; None where it is not published there."""
    any: Callable[[Read, str], bool]
    """Whether a space has some."""
