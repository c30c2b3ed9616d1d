"""How often help articles were the answer."""

from kbwork.base.model import Input
from kbwork.core.operations.declare import read
from kbwork.core.references import ProjectRef
from kbwork.db.tx import Read
from kbwork.modules.desk import access
from kbwork.modules.desk.model import DeflectionStats

WINDOW_S = 30 * 86400
_TOP = 10


class DeskDeflectionStats(Input):
    project: ProjectRef


@read(
    "desk.deflection_stats",
    scope="issues:read",
    words="how many tickets did articles save, self service rate, which articles help most",
    cached=False,
    example={"project": "WEB"},
)
def deflection_stats(tx: Read, args: DeskDeflectionStats) -> DeflectionStats:
    """Say how often help articles were the answer at a desk in the last thirty days, and how many requests came in by
    its portal.
    """
    project, _ = access.desk(tx, args.project)
    binds = {"project": project["id"], "since": tx.now - WINDOW_S}
    among = "from article_use where project = :project and at > :since and solved = :solved"
    top = tx.tuples(
        f"select max(title), count(*) as times {among} group by article order by times desc, article limit {_TOP}",
        solved=1,
        **binds,
    )
    return DeflectionStats(
        requests=tx.value(
            "select count(*) from customer_request r join issue i on i.id = r.issue and i.deleted_at is null"
            " where i.project = :project and r.created_at > :since and r.channel = 'portal'",
            **binds,
        ),
        solved=tx.value(f"select count(*) {among}", solved=1, **binds),
        top=[list(row) for row in top],
        viewed=tx.value(f"select count(*) {among}", solved=0, **binds),
    )
