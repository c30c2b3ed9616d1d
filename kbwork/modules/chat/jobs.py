"""What time does to chats: codes end, and what came long ago may come again."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Write

BELOW = ("chat_post", "chat_subscription", "chat_account", "chat_code", "chat_taken")
"""What is of a connection, in the order in which it goes."""
KEPT_S = 86_400
"""Platforms send the same again for some hours where no answer reached them."""
_AT_ONCE = 500


def _sweep(tx: Write) -> None:
    """Some hundreds at a time."""
    tx.execute("delete from chat_code where expires_at <= :now", now=tx.now)
    tx.execute(
        "delete from chat_taken where (connection, digest) in"
        " (select connection, digest from chat_taken where at < :before order by at limit :most)",
        before=tx.now - KEPT_S,
        most=_AT_ONCE,
    )


SWEEP = Schedule(name="chat.sweep", home=__name__, every_s=600, run=_sweep)
