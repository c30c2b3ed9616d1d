"""Where saved views come from: whoever keeps them says what is in one."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read
from kbwork.modules.tql.sources import sources
from kbwork.tql.parser.query import parse
from kbwork.tql.tree import QueryNode


@dataclass(frozen=True, kw_only=True)
class SavedViews(Extension):
    """Answers the text of the view of a name that the caller sees, or None."""

    text: Callable[[Read, str], str | None]


def query(tx: Read, name: str) -> QueryNode | None:
    """The view of a name, as a tree; None where the caller sees none."""
    found: list[SavedViews] = tx.registry.of(SavedViews)
    texts = (saved.text(tx, name) for saved in found)
    text = next((text for text in texts if text is not None), None)
    return None if text is None else parse(text, sources(tx).language.asked)
