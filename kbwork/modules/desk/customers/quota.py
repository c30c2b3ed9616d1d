"""How much one sender sends: so many requests, answers and changes of a status in an hour, and so long a text. Others
are mailed what is said, and people of the desk hear of all of it.

Mail, chat and the portal count apart: whoever forges mails of a customer does not keep them off the portal.
"""

from typing import NamedTuple

from kbwork.base import ids
from kbwork.base.errors import InvalidInput, RateLimited
from kbwork.core.mail import quotes
from kbwork.db.rows import CustomerRow
from kbwork.db.tx import Read, Write
from kbwork.modules import auth
from kbwork.modules.desk.model import Result

MOST_AN_HOUR = 20
MOST_CHARS = quotes.MOST_CHARS
"""Of one text; of a mail the rest is cut."""
_HOUR_S = 3600


class Sent(NamedTuple):
    """What came of it: the request, if there is one, and by which Message-ID a mail is known again."""

    result: Result
    issue: int | None
    message: bytes | None = None


def sender(name: str) -> bytes:
    """What a sender is counted by."""
    return ids.digest(f"sender:{name}")


def wait_s(tx: Read, who: bytes) -> int:
    """In how many seconds a sender is heard again; 0: now."""
    oldest = tx.value(
        "select at from desk_mail where sender = :sender and at > :since order by at desc limit 1 offset :most",
        sender=who,
        since=tx.now - _HOUR_S,
        most=MOST_AN_HOUR - 1,
    )
    return oldest + _HOUR_S - tx.now if oldest is not None else 0


def note(tx: Write, project: int, who: bytes, sent: Sent) -> None:
    """Count that something came."""
    tx.execute(
        "insert into desk_mail (project, sender, message, issue, result, at)"
        " values (:project, :sender, :message, :issue, :result, :at) on conflict do nothing",
        project=project,
        sender=who,
        message=sent.message,
        issue=sent.issue,
        result=sent.result,
        at=tx.now,
    )


def require_room(tx: Read, customer: CustomerRow) -> bytes:
    """Answers what a customer is counted by who sends by the portal. Raises RateLimited after too much in an hour."""
    who = sender(f"portal:{customer['id']}")
    if (wait := wait_s(tx, who)) > 0:
        raise RateLimited(
            f"You sent {MOST_AN_HOUR} requests, answers and changes within an hour; go on in"
            f" {auth.attempts.in_words(wait)}.",
            retry_after_s=wait,
        )
    return who


def require_short(text: str, field: str) -> None:
    """Raises InvalidInput for a text that is longer than a customer's may be."""
    if len(text) > MOST_CHARS:
        raise InvalidInput(
            f"It has {len(text):,} characters, and at most {MOST_CHARS:,} are taken: send the rest as a file.",
            field=field,
        )
