"""What happens to rights when their thing is purged."""

from kbwork.core.things.cascade import Cascade
from kbwork.db.tx import Write


def _purge(tx: Write, subject: str) -> None:
    tx.execute("delete from access_grant where subject = :subject", subject=subject)


ON_THINGS = Cascade(name="grants", home=__name__, purge=_purge)
