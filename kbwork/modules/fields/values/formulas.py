"""Fields that are computed: what their formula may be, and what they come to."""

from typing import Any

from kbwork.base.errors import InsufficientScope, InvalidInput, NotAllowed, TqlName, TqlSyntax
from kbwork.core.ports.query import TYPED
from kbwork.db.tx import Read, json_array
from kbwork.modules.fields.catalogue import OwnField, catalogue
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


def names(tx: Read, formula: str | None) -> str:
    """What the names of a formula mean now, to be kept beside it."""
    language = tx.registry.language
    return TYPED if language is None or not formula else str(language.names(tx, (), [formula]))


def present(tx: Read, field: OwnField) -> str | None:
    """The formula of a field, with present names."""
    language = tx.registry.language
    if language is None or field.formula is None:
        return field.formula
    return str(language.present_value(tx, field.formula, field.names))


def computed(tx: Read, issues: list[int]) -> dict[int, dict[str, Any]]:
    """The computed fields that are laid out on each issue, by key: evaluated now, null where nothing comes out."""
    formulas = [field for field in catalogue(tx).values() if field.kind in COMPUTED]
    if not formulas:
        return {}
    rows = tx.all(
        "select id, project, type from issue where id in (select value from json_each(:ids))",
        ids=json_array(issues),
    )
    values = {field.key: _values(tx, field, issues) for field in formulas}
    return {
        row["id"]: {
            field.key: values[field.key].get(row["id"])
            for field in layout.of(tx, row["project"], row["type"]).fields.values()
            if field.kind in COMPUTED
        }
        for row in rows
    }


def _values(tx: Read, field: OwnField, issues: list[int]) -> dict[int, Any]:
    """What one formula comes to. One that names what is gone, or what the caller does not see, comes to nothing."""
    if tx.registry.language is None:
        return {}
    try:
        found = tx.registry.language.values(tx, {field.key: field.formula or ""}, issues, field.names)
    except (TqlName, TqlSyntax, InsufficientScope, NotAllowed):
        return {}
    return {issue: named[field.key] for issue, named in found.items()}
