"""How often help articles were the answer."""

from itertools import islice
from typing import Any

from kbwork.base.model import Input
from kbwork.core.access import visibility
from kbwork.core.operations.declare import read
from kbwork.core.references import ProjectRef
from kbwork.db.rows import DeskRow
from kbwork.db.tx import Read, Row
from kbwork.modules.desk import access
from kbwork.modules.desk.model import DeflectionStats
from kbwork.modules.desk.portal import articles
from kbwork.modules.projects import ISSUE_SEEN

WINDOW_S = 30 * 86400
_TOP = 10
_MOST = 100
"""Articles that are looked at for those that are shown still."""
_ASKED = (
    "select count(*) from customer_request r join issue i on i.id = r.issue and i.deleted_at is null"
    f" where i.project = :project and r.created_at > :since and r.channel = 'portal' and {ISSUE_SEEN}"
)
_AMONG = "from article_use where project = :project and at > :since and solved = :solved"


class DeskDeflectionStats(Input):
    project: ProjectRef


@read(
    "desk.deflection_stats",
    scope="issues:read",
    words="how many tickets did articles save, self service rate, which articles help most",
    cached=False,
    threaded=True,
    example={"project": "WEB"},
)
def deflection_stats(tx: Read, args: DeskDeflectionStats) -> DeflectionStats:
    """Say how often help articles were the answer at a desk in the last thirty days, and how many requests that you see
    came in by its portal. `top` names articles that the portal still shows; to a key without pages:read none.
    """
    project, desk = access.desk(tx, args.project)
    binds = {"project": project["id"], "since": tx.now - WINDOW_S}
    return DeflectionStats(
        requests=tx.value(_ASKED, **binds, **visibility.binds(tx)),
        solved=tx.value(f"select count(*) {_AMONG}", solved=1, **binds),
        top=_top(tx, desk, binds),
        viewed=tx.value(f"select count(*) {_AMONG}", solved=0, **binds),
    )


def _top(tx: Read, desk: DeskRow, binds: Row) -> list[list[Any]]:
    """A page that was taken back, or is for some people now, is named to nobody, and none to a key that reads none."""
    pages, space = articles.provider(tx), desk["kb_space"]
    if pages is None or space is None or not visibility.reads(tx, "page"):
        return []
    used = tx.tuples(
        f"select article, count(*) as times {_AMONG} group by article order by times desc, article limit {_MOST}",
        solved=1,
        **binds,
    )
    shown = (
        (page["title"], times) for ident, times in used if (page := pages.get(tx, space, ident)) is not None
    )
    return [list(one) for one in islice(shown, _TOP)]
