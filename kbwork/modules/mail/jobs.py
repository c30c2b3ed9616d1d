"""What time does to mailboxes: what was taken long ago is forgotten, once the far end cannot show it again."""

from kbwork.core.jobs.kinds import Schedule
from kbwork.db.tx import Write

KEPT_S = 90 * 86_400
MOST_KEPT = 20_000
"""Of one mailbox whose mail stays where it is, as with POP3."""
_AT_ONCE = 500


def _sweep(tx: Write) -> None:
    """Some hundreds at a time."""
    tx.execute(
        "delete from mailbox_mail where id in (select m.id from mailbox_mail m join mailbox b on b.id = m.mailbox"
        " where m.at < :before and m.settled = 1 and (b.protocol <> 'pop' or b.delete_after)"
        " order by m.at limit :most)",
        before=tx.trusted_now - KEPT_S,
        most=_AT_ONCE,
    )
    for box in tx.column("select id from mailbox order by id"):
        tx.execute(
            "delete from mailbox_mail where id in (select id from mailbox_mail where mailbox = :box"
            " order by id desc limit :most offset :kept)",
            box=box,
            most=_AT_ONCE,
            kept=MOST_KEPT,
        )


SWEEP = Schedule(name="mail.sweep", home=__name__, every_s=3600, run=_sweep)
