"""Whether mail goes out and comes in, as the doctor and the metrics ask."""

from collections.abc import Iterator

from kbwork.base.errors import MasterKeyLost
from kbwork.core.data_check import DAY_S, DataCheck, Finding, shown
from kbwork.core.figures import DataFigures
from kbwork.core.mail import sender
from kbwork.core.ports import mail
from kbwork.db.tx import Read

_HOUR_S = 3600
_TEST = "`kbwork mail outbox` shows what waits, `kbwork mail test TO` what the mail server of the settings answers"


def _look(tx: Read) -> Iterator[Finding]:
    if lost := _lost(tx):
        yield Finding("mail", False, lost)
    elif not mail.sends(tx):
        yield Finding("mail", True, "no mail server is named: links are handed on by hand")
    else:
        yield _outgoing(tx)


def _lost(tx: Read) -> str | None:
    row = sender.stored(tx)
    try:
        if row is not None:
            sender.password(tx, row)
    except MasterKeyLost as problem:
        return f"the saved mail server: {problem.detail}"
    return None


def _outgoing(tx: Read) -> Finding:
    failed = tx.one(
        "select count(*) as count, max(error) as error from mail where state = 'failed' and at > :since",
        since=tx.now - DAY_S,
    )
    waits = tx.value("select min(at) from mail where state = 'queued'")
    if failed is not None and failed["count"]:
        said = f"letters given up since yesterday: {failed['count']} ({failed['error']}); {_TEST}"
        return Finding("mail", False, said)
    if waits is not None and waits < tx.now - _HOUR_S:
        return Finding("mail", False, f"a letter waits since {shown(waits)}; {_TEST}")
    return Finding("mail", True, "no letter waits for long")


def _figures(tx: Read) -> dict[str, float]:
    return {
        "mailboxes_failing": float(tx.value("select count(*) from mailbox where last_error is not null")),
        "waiting": float(tx.value("select count(*) from mail where state = 'queued'")),
        "suppressed": float(tx.value("select count(*) from mail_suppressed")),
    }


def _mailboxes(tx: Read) -> Iterator[Finding]:
    failing = tx.all("select name, last_error from mailbox where last_error is not null order by id")
    for row in failing:
        yield Finding("mailboxes", False, f"the mailbox {row['name']!r} says: {row['last_error']}")
    if not failing:
        yield Finding("mailboxes", True, "no mailbox fails")


HEALTH = DataCheck(home=__name__, look=_look)
MAILBOXES = DataCheck(home=__name__, look=_mailboxes)
FIGURES = DataFigures(home=__name__, prefix="kbwork_mail", about="Mail", read=_figures)
