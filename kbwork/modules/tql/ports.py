"""Where saved views come from: whoever keeps them says what is in one."""

from collections.abc import Callable

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read
from kbwork.tql.names import SavedText


@dataclass(frozen=True, kw_only=True)
class SavedViews(Extension):
    """Answers the text of the view of a name that the caller sees, with what its names meant, or None."""

    text: Callable[[Read, str], SavedText | None]


def view(tx: Read, name: str) -> SavedText | None:
    """The view of a name; None where the caller sees none."""
    found: list[SavedViews] = tx.registry.of(SavedViews)
    texts = (saved.text(tx, name) for saved in found)
    return next((text for text in texts if text is not None), None)
