"""Fields that are computed: what their formula may be, and what they come to."""

from typing import Any

from kbwork.base.errors import InvalidInput
from kbwork.db.tx import Read, marks
from kbwork.modules.fields import layout
from kbwork.modules.fields.catalogue import catalogue
from kbwork.modules.fields.model import COMPUTED

MOST_CHARS = 20_000


def require_formula(text: str) -> None:
    """Raises InvalidInput where this can be no formula."""
    if not text.strip():
        raise InvalidInput("A formula or roll-up says what it computes.", field="formula")
    if len(text) > MOST_CHARS:
        raise InvalidInput(f"A formula holds at most {MOST_CHARS} characters.", field="formula")


def computed(tx: Read, issues: list[int]) -> dict[int, dict[str, Any]]:
    """The computed fields that are laid out on each issue, by key. No formula is evaluated: each comes to null."""
    if not any(field.kind in COMPUTED for field in catalogue(tx).values()):
        return {}
    rows = tx.all(
        "select id, project, type from issue where id in (select value from json_each(:ids))",
        ids=marks(issues),
    )
    return {
        row["id"]: {
            field.key: None
            for field in layout.of(tx, row["project"], row["type"]).fields.values()
            if field.kind in COMPUTED
        }
        for row in rows
    }
