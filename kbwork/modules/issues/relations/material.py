"""What AI is given of an issue: its fields and texts, and what is near it as far as that may be read."""

from typing import Any

from kbwork.base.text import whole_number
from kbwork.core import org_settings
from kbwork.core.things.ai_material import Readable, ReadableByAI
from kbwork.db.tx import Read
from kbwork.modules.issues import access, queries
from kbwork.modules.issues.ports import Checklists
from kbwork.modules.issues.relations import links, relations

_FIELDS = (
    "key",
    "title",
    "project",
    "type",
    "status",
    "category",
    "outcome",
    "priority",
    "assignees",
    "reporter",
    "labels",
    "components",
    "estimate",
    "start_date",
    "due_date",
    "values",
    "created_at",
    "updated_at",
    "done_at",
    "body",
)
MOST_NEAR = 100
"""Children and relations, each."""
_ABOVE = """
with recursive up (id, parent, depth) as (
  select id, parent, 0 from issue where id = :id
  union all
  select i.id, i.parent, u.depth + 1 from up u join issue i on i.id = u.parent where u.depth < 50
)
select 'issue:' || id from up order by depth
"""


def _within(tx: Read, ref: str) -> list[str] | None:
    ident = whole_number(ref)
    key = tx.value("select p.key from issue i join project p on p.id = i.project where i.id = :id", id=ident)
    if key is None:
        return None
    return [*tx.column(_ABOVE, id=ident), f"project:{key}"]


def _material(tx: Read, ref: str, readable: Readable | None) -> dict[str, Any]:
    row = access.get(tx, f"issue:{ref}")
    issue: Any = queries.shown(tx, [row])[0]
    found = {name: issue[name] for name in _FIELDS if issue[name] not in (None, [], {}, "")}
    found["links"] = [{"title": one["title"], "url": one["url"]} for one in links.of_issue(tx, row["id"])]
    for checklists in tx.registry.of(Checklists):
        if not org_settings.home_off(tx, checklists.home):
            found["checklist"] = checklists.shown(tx, row)
    if readable is not None:
        found |= _near(tx, row["id"], issue["parent"], readable)
    return {name: value for name, value in found.items() if value != []}


def _near(tx: Read, issue: int, parent: str | None, readable: Readable) -> dict[str, Any]:
    """Its parent, children and relations: of each what a line says of it."""
    children = [
        {name: child[name] for name in ("key", "title", "status", "category")}
        for child in queries.shown(tx, queries.child_rows(tx, issue)[:MOST_NEAR])
        if readable(f"issue:{child['id']}")
    ]
    related = [
        {"kind": one["kind"], "direction": one["direction"], **one["issue"]}
        for one in relations.of_issue(tx, issue)[:MOST_NEAR]
        if readable(f"issue:{access.ident_of(tx, one['issue']['key'])}")
    ]
    above = access.find(tx, parent) if parent is not None else None
    found: dict[str, Any] = {"children": children, "relations": related}
    if above is not None and readable(f"issue:{above['id']}"):
        found["parent"] = {"key": queries.key_of(tx, above), "title": above["title"]}
    return found


READABLE = ReadableByAI(within=_within, material=_material)
