"""How issues follow when the workflow or the type that they have changes under them."""

from kbwork.db.rows import IssueRow, IssueTypeRow, LaneRow
from kbwork.db.tx import Read, Write
from kbwork.modules import types
from kbwork.modules.issues import access, ports
from kbwork.modules.issues.structure import convert
from kbwork.modules.issues.transitions import engine, status
from kbwork.modules.workflows import LaneOccupants, Place, WorkflowPosition


def _standing(tx: Read, key: str) -> WorkflowPosition:
    return engine.standing_of(tx, access.get(tx, key))


def _move(tx: Write, lane: LaneRow, target: LaneRow, place: Place, most: int) -> int:
    """With history. In the trash they follow too."""
    way = status.StatusChange("workflow_changed")
    rows = tx.all(
        "select * from issue where project = :project and type = :type and lane = :lane order by id limit :most",
        IssueRow,
        project=place[0],
        type=place[1],
        lane=lane["id"],
        most=most,
    )
    for row in rows:
        status.move(tx, row, target, way)
    return len(rows)


def _rerouted(tx: Write) -> None:
    approvals: list[ports.Approvals] = tx.registry.of(ports.Approvals)
    for one in approvals:
        one.reconsider_all(tx)


def _uses(tx: Read, row: IssueTypeRow) -> int:
    return int(
        tx.value(
            "select (select count(*) from issue where type = :id)"
            " + (select count(*) from issue_template where type = :id)",
            id=row["id"],
        )
    )


def _adopt(tx: Write, row: IssueTypeRow, target: IssueTypeRow) -> None:
    """Templates are for the other type from now on."""
    for template in tx.column("select id from issue_template where type = :id", id=row["id"]):
        tx.update("issue_template", template, type=target["id"])


def _convert(tx: Write, row: IssueTypeRow, target: IssueTypeRow, most: int) -> int:
    """Issues, those in the trash too; with history, without asking for what the other type requires."""
    rows = tx.all(
        "select * from issue where type = :id order by id limit :most", IssueRow, id=row["id"], most=most
    )
    for issue in rows:
        convert.change_type(tx, issue, target, issue["parent"], {})
    return len(rows)


TYPED = types.TypeReferences(home=__name__, uses=_uses, adopt=_adopt, convert=_convert)
ISSUES = LaneOccupants(home=__name__, standing=_standing, move=_move, rerouted=_rerouted)
