"""How issues follow when the workflow or the type that they have changes under them."""

from collections.abc import Sequence

from kbwork.core.dispatch import run_part
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import types
from kbwork.modules.issues import access, converting, road, standing
from kbwork.modules.workflows import Place, Standing, Traveller


def _standing(tx: Read, key: str) -> Standing:
    return road.standing_of(tx, access.issue(tx, key))


def _move(tx: Write, lane: Row, target: Row, places: Sequence[Place]) -> None:
    """With history, and as an operation on issues: what it writes is theirs. In the trash they follow too."""
    way = standing.Way("workflow_changed")

    def each(inner: Write) -> None:
        for project, type_ in places:
            for row in inner.all(
                "select * from issue where project = :project and type = :type and lane = :lane order by id",
                project=project,
                type=type_,
                lane=lane["id"],
            ):
                standing.move(inner, row, target, way)

    run_part(tx, tx.registry.require("issues.transition"), each, "")


def _uses(tx: Read, row: Row) -> int:
    return int(
        tx.value(
            "select (select count(*) from issue where type = :id)"
            " + (select count(*) from issue_template where type = :id)",
            id=row["id"],
        )
    )


def _convert(tx: Write, row: Row, target: Row) -> None:
    """Issues, those in the trash too, and templates; with history, without asking for what the other type requires."""

    def each(inner: Write) -> None:
        for template in inner.column("select id from issue_template where type = :id", id=row["id"]):
            inner.update("issue_template", template, type=target["id"])
        for issue in inner.all("select * from issue where type = :id order by id", id=row["id"]):
            converting.become(inner, issue, target, issue["parent"], {})

    run_part(tx, tx.registry.require("issues.convert"), each, "")


TYPED = types.Bearer(home=__name__, uses=_uses, convert=_convert)
ISSUES = Traveller(home=__name__, standing=_standing, move=_move)
