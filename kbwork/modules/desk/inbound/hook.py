"""The path that mail is posted to."""

from kbwork.core.hooks import MailHook
from kbwork.db.tx import Read
from kbwork.modules.desk.inbound import email


def _opens(tx: Read, token: str) -> bool:
    return email.desk_of(tx, token) is not None


MAIL = MailHook(home=__name__, beginning=email.PATH, opens=_opens, op="desk.email_ingest")
