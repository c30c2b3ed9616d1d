"""The past of issues for the evaluator."""

from typing import TYPE_CHECKING, Any

from kbwork.db.tx import Row, json_array
from kbwork.modules.tql.compile import field_history
from kbwork.modules.tql.sources import sources
from kbwork.modules.workflows import lanes
from kbwork.tql.items import Spell

if TYPE_CHECKING:
    from kbwork.modules.tql.items.loaders import ItemLoader

Spells = dict[int, list[Spell]]


def spells(loader: "ItemLoader", name: str, ids: list[Any]) -> Spells:
    """The spells of a field of these issues, oldest first."""
    if name == "title":
        return _titles(loader, ids)
    past = field_history.past_of(loader.tx, name)
    if past is None:
        return {}
    found = field_history.spells_of(loader.tx, past, ids)
    if name == "category":
        categories = {str(lane["id"]): lane["category"] for lane in lanes.rows(loader.tx)}
        found = {
            one: field_history.joined(
                [Spell(categories.get(s.value, ""), s.begin, s.end, s.by) for s in spells]
            )
            for one, spells in found.items()
        }
    keyed = sources(loader.tx).keyed(past.field.domain)
    return _with_keys(loader, found) if keyed is not None and keyed.name == "issues" else found


def _with_keys(loader: "ItemLoader", found: Spells) -> Spells:
    """Issues by their keys; one that the caller does not see is told as empty."""
    idents = {int(spell.value) for spells in found.values() for spell in spells}
    keys = {one.at: one.id for one in loader.take(idents)}
    return {
        one: [Spell(keys.get(int(s.value)), s.begin, s.end, s.by) for s in spells]
        for one, spells in found.items()
    }


def _titles(loader: "ItemLoader", ids: list[Any]) -> Spells:
    """Titles by the revisions: each holds what was written over, when and by whom."""
    former: dict[int, list[Row]] = {}
    for row in loader.tx.all(
        "select issue, at, who, title from issue_revision"
        " where issue in (select value from json_each(:ids)) order by issue, revision",
        ids=json_array(ids),
    ):
        former.setdefault(row["issue"], []).append(row)
    found = {}
    for thing in loader.take(ids):
        begin, by, spells = thing.row["created_at"], thing.row["created_by"], []
        for row in former.get(thing.at, ()):
            spells.append(Spell(row["title"], begin, row["at"], by))
            begin, by = row["at"], row["who"]
        found[thing.at] = field_history.joined([*spells, Spell(thing.row["title"], begin, None, by)])
    return found
