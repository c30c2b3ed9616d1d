"""Which views a project may open with: those that everybody sees who sees the project."""

from collections.abc import Mapping

from kbwork.base.errors import InvalidInput, Problem
from kbwork.core.access import visibility
from kbwork.db.rows import ProjectRow
from kbwork.db.tx import Read, json_array
from kbwork.modules.projects import OfferedViews
from kbwork.modules.tql import kept_names, query_parser
from kbwork.modules.views import access


def _seen(tx: Read, views: Mapping[int, int]) -> dict[int, int]:
    if not visibility.reads(tx, "view"):
        return {}
    rows = tx.tuples(
        "select v.id, v.project from view v where v.id in (select value from json_each(:ids))"
        f" and {access.SEEN} and (v.project is not null or v.shared)",
        ids=json_array(set(views.values())),
        **visibility.binds(tx),
    )
    home = dict(rows)
    return {project: view for project, view in views.items() if home.get(view, -1) in (None, project)}


def _require(tx: Read, project: ProjectRow, ident: int) -> None:
    row = access.find(tx, ident) if visibility.reads(tx, "view") else None
    if row is None:
        why = f"There is no view {ident} that you can see."
    elif row["project"] not in (None, project["id"]):
        why = (
            f"{row['name']} is on another project: views.copy makes one that can be put on {project['key']}."
        )
    elif row["project"] is None and not row["shared"]:
        why = f"Only you see {row['name']}: share it, or put it on {project['key']}, before others open with it."
    elif _source(tx, row["tql"], row["names"]) != "issues":
        why = f"{row['name']} does not ask for issues, or cannot be asked now."
    else:
        return
    raise InvalidInput(why, field="default_view")


def _source(tx: Read, text: str, names: str) -> str | None:
    try:
        return query_parser.query(tx, text, meant=kept_names.of(names, text)).source
    except Problem:
        return None


VIEWS = OfferedViews(home=__name__, seen=_seen, require=_require)
