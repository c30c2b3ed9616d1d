"""Addresses that mail came back from for good."""

from kbwork.base.errors import NotFound
from kbwork.base.model import Input, Text
from kbwork.core.mail import suppression
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.mail import outbox
from kbwork.modules.mail.model import SuppressedAddress


class MailSuppressed(Input):
    release: Text | None = None
    """An address that mail may go to again."""


@write(
    "mail.suppressed",
    scope="admin",
    words="bounced addresses, why does somebody get no mail, suppression list, unblock an address, hard bounces",
    undo="suppress it again by writing there",
    emits=[],
    example={},
)
def suppressed(tx: Write, args: MailSuppressed) -> list[SuppressedAddress]:
    """List the addresses that nothing is sent to, the latest first; with `release`, take one off before.

    An address comes here when a mail server says for good that it is none, or when a report about a letter of ours says
    so. What is for it is held, and goes by `mail.retry` once it was released.
    """
    outbox.require_unlimited(tx)
    if args.release is not None and not suppression.release(tx, args.release):
        raise NotFound(f"The address {args.release!r} is not suppressed.")
    return [
        SuppressedAddress(address=row["address"], reason=row["reason"], at=row["at"])
        for row in suppression.every(tx)
    ]
