"""Fields that are computed: what their formula may be, and what they come to."""

from typing import Any

from kbwork.base.errors import InsufficientScope, InvalidInput, NotAllowed, TqlName, TqlSyntax
from kbwork.db.tx import Read, json_array
from kbwork.modules.fields.catalogue import catalogue
from kbwork.modules.fields.layouts import layout
from kbwork.modules.fields.model import COMPUTED

MOST_CHARS = 20_000


def require_formula(tx: Read, text: str) -> None:
    """Raises InvalidInput where this can be no formula, TqlSyntax or TqlName where the language cannot read it."""
    if not text.strip():
        raise InvalidInput("A formula or roll-up says what it computes.", field="formula")
    if len(text) > MOST_CHARS:
        raise InvalidInput(f"A formula holds at most {MOST_CHARS} characters.", field="formula")
    if tx.registry.language is None:
        return
    try:
        tx.registry.language.checked_value(tx, text)
    except (TqlName, TqlSyntax) as refusal:
        for fault in refusal.extra["errors"]:
            fault["path"] = "formula"
        raise


def computed(tx: Read, issues: list[int]) -> dict[int, dict[str, Any]]:
    """The computed fields that are laid out on each issue, by key: evaluated now, null where nothing comes out."""
    formulas = {field.key: field.formula or "" for field in catalogue(tx).values() if field.kind in COMPUTED}
    if not formulas:
        return {}
    rows = tx.all(
        "select id, project, type from issue where id in (select value from json_each(:ids))",
        ids=json_array(issues),
    )
    values = {key: _values(tx, key, formula, issues) for key, formula in formulas.items()}
    return {
        row["id"]: {
            field.key: values[field.key].get(row["id"])
            for field in layout.of(tx, row["project"], row["type"]).fields.values()
            if field.kind in COMPUTED
        }
        for row in rows
    }


def _values(tx: Read, key: str, formula: str, issues: list[int]) -> dict[int, Any]:
    """What one formula comes to. One that names what is gone, or what the caller does not see, comes to nothing."""
    if tx.registry.language is None:
        return {}
    try:
        found = tx.registry.language.values(tx, {key: formula}, issues)
    except (TqlName, TqlSyntax, InsufficientScope, NotAllowed):
        return {}
    return {issue: named[key] for issue, named in found.items()}
