"""Whether mail goes out and the clock is right, as the doctor asks."""

from collections.abc import Iterator

from kbwork.core import clock_state
from kbwork.core.data_check import DAY_S, DataCheck, Finding, shown
from kbwork.core.ports import mail
from kbwork.db.tx import Read

_HOUR_S = 3600
_TEST = "`kbwork mail test TO` says what the mail server answers"


def _mail(tx: Read) -> Iterator[Finding]:
    if not mail.sends(tx):
        yield Finding("mail", True, "no mail server is named in the settings: links are handed on by hand")
        return
    failed = tx.one(
        "select count(*) as count, max(error) as error from mail where state = 'failed' and at > :since",
        since=tx.now - DAY_S,
    )
    waits = tx.value("select min(at) from mail where state = 'queued'")
    if failed is not None and failed["count"]:
        yield Finding(
            "mail",
            False,
            f"letters given up since yesterday: {failed['count']} ({failed['error']}); {_TEST}",
        )
    elif waits is not None and waits < tx.now - _HOUR_S:
        yield Finding("mail", False, f"a letter waits since {shown(waits)}; {_TEST}")
    else:
        yield Finding("mail", True, "no letter waits for long")


def _clock(tx: Read) -> Iterator[Finding]:
    found = clock_state.stored(tx)
    if found is None:
        return
    if tx.now < found.shown - _HOUR_S:
        yield Finding(
            "clock",
            False,
            f"the clock shows {shown(tx.now)}, and has shown {shown(found.shown)}: set it right",
        )
    elif found.steps:
        hours = sum(step.ahead_s for step in found.steps) // _HOUR_S
        yield Finding(
            "clock",
            False,
            f"the clock went ahead by {hours} hours while no time passed, so nothing is purged for a day: if it is"
            " right, `kbwork org clock-confirm` ends the wait",
        )
    else:
        yield Finding("clock", True, f"the clock shows {shown(tx.now)} and took no step")


MAIL = DataCheck(home=__name__, look=_mail)
CLOCK = DataCheck(home=__name__, look=_clock)
