"""Whether jobs failed, as the doctor asks."""

from collections.abc import Iterator

from kbwork.core.data_check import DAY_S, DataCheck, Finding
from kbwork.db.tx import Read


def _look(tx: Read) -> Iterator[Finding]:
    """Those that the server began by itself are to be mended; what people began they were told of."""
    failed = tx.all(
        "select kind, by = 'system' as own, count(*) as count, max(id) as last, max(error) as error from job"
        " where state = 'failed' and ended_at > :since group by kind, own order by kind",
        since=tx.now - DAY_S,
    )
    for row in failed:
        times = "once" if row["count"] == 1 else f"{row['count']} times"
        said = f"{row['kind']} failed {times} since yesterday: {row['error']}"
        yield Finding("jobs", not row["own"], f"{said}; see `kbwork jobs get --id {row['last']}`")
    if not failed:
        yield Finding("jobs", True, "no job failed since yesterday")


HEALTH = DataCheck(home=__name__, look=_look)
