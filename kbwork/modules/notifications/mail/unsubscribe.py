"""Turning letters off, and on again, by the link that each of them has."""

from kbwork.base.errors import NotFound
from kbwork.core import signed_links
from kbwork.core.ports.mail import LettersOff, MailChoice
from kbwork.db.tx import Read, Write
from kbwork.modules.notifications import preferences, settings
from kbwork.modules.notifications.mail.letters import ALL, ALL_WHY, PURPOSE, WHY
from kbwork.modules.notifications.model import Reason


def _look(tx: Read, token: str) -> MailChoice:
    member, name, reason = _named(tx, token)
    wanted = preferences.of_member(tx, member)
    asked = WHY.keys() if reason is None else [reason]
    return MailChoice(
        what=ALL_WHY if reason is None else WHY[reason],
        name=name,
        on=any(wanted.wants(one, "mail") for one in asked),
    )


def _turn(tx: Write, token: str, on: bool) -> MailChoice:
    member, _, reason = _named(tx, token)
    settings.turn(tx, member, reason, on=on)
    if not on:
        tx.execute(
            "update notification set mail_at = null where who = :who and mail_at is not null"
            " and (:reason is null or reason = :reason)",
            who=member,
            reason=reason,
        )
    return _look(tx, token)


def _named(tx: Read, token: str) -> tuple[str, str, Reason | None]:
    """(member, their name, the reason or None for all). Raises NotFound."""
    named = signed_links.verify_for_good(tx, PURPOSE, token)
    if named is None:
        raise NotFound("This is not the whole address of the letter's link.")
    member, what = named
    name = tx.value("select name from member where id = :id and state = 'active'", id=member)
    reason = next((one for one in WHY if one == what), None)
    if name is None or (reason is None and what != ALL):
        raise NotFound("Nobody gets such letters any more.")
    return member, name, reason


LETTERS_OFF = LettersOff(home=__name__, look=_look, turn=_turn)
