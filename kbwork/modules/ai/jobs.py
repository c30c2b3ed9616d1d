"""What time does: usage is forgotten after a year, decided proposals after a while, and runs with their job."""

import datetime

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Write
from kbwork.modules.ai.usage import MOST_DAYS

KEPT_S = 90 * 86_400
"""Proposals that were applied or dismissed."""
_AT_ONCE = 1000


def _sweep(tx: Write) -> None:
    """Some at a time."""
    first = datetime.datetime.fromtimestamp(tx.now, datetime.UTC).date() - datetime.timedelta(days=MOST_DAYS)
    tx.execute("delete from ai_usage where day < :first", first=first.isoformat())
    tx.execute("delete from ai_call where until <= :now", now=tx.now)
    tx.execute(
        "delete from ai_run where id in (select r.id from ai_run r left join job j on j.id = r.job"
        " where j.state is null or j.state not in ('queued', 'running') limit :most)",
        most=_AT_ONCE,
    )
    tx.execute(
        "delete from ai_proposal where id in (select id from ai_proposal where state in ('applied', 'dismissed')"
        " and decided_at < :before order by id limit :most)",
        before=tx.now - KEPT_S,
        most=_AT_ONCE,
    )


SWEEP = Schedule(name="ai.sweep", home=__name__, every_s=3600, run=_sweep)
