"""Components as clients keep them."""

from kbwork.core.access import visibility
from kbwork.core.things.synced import SyncedKind
from kbwork.db.tx import Read, Row
from kbwork.modules.projects import access


def _all(tx: Read) -> list[Row]:
    rows = tx.all(
        "select c.id, p.key as project, c.name, c.lead, c.archived from component c join project p on p.id = c.project"
        f" where {access.SEEN} order by c.id",
        **visibility.binds(tx),
    )
    return [{**row, "archived": bool(row["archived"])} for row in rows]


COMPONENTS = SyncedKind(
    home=__name__,
    kind="component",
    scope="projects:read",
    columns=("id", "project", "name", "lead", "archived"),
    rows=_all,
)
