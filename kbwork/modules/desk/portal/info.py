"""What anybody may know of the desks."""

import json

from kbwork.base.model import Empty
from kbwork.core.operations.declare import write
from kbwork.db.rows import RequestTypeRow
from kbwork.db.tx import Read
from kbwork.modules.desk import logo
from kbwork.modules.desk.model import PortalDesk, PortalType
from kbwork.modules.desk.portal import articles
from kbwork.modules.desk.portal.open_desks import open_desks


@write(
    "desk.portal_info",
    scope="desk:public",
    words="which desks are open, what can I ask for, help desk for customers, portal start page",
    undo="it changes nothing",
    emits=[],
    example={},
)
def portal_info(tx: Read, args: Empty) -> list[PortalDesk]:
    """List the desks that are open, by name, with what may be asked for. For everybody, signed in or not."""
    return [
        PortalDesk(
            project=project["key"],
            name=desk["name"],
            intro=desk["intro"],
            open_signup=bool(desk["open_signup"]),
            has_articles=articles.has_articles(tx, desk),
            languages=json.loads(desk["languages"]),
            logo=logo.address(project, desk),
            types=_types(tx, project["id"]),
        )
        for project, desk in open_desks(tx)
    ]


def _types(tx: Read, project: int) -> list[PortalType]:
    rows = tx.all(
        "select * from request_type where project = :project and not hidden order by position, id",
        RequestTypeRow,
        project=project,
    )
    return [
        PortalType(
            id=row["id"],
            name=row["name"],
            description=row["description"],
            icon=row["icon"],
            group=row["family"],
        )
        for row in rows
    ]
