"""Ending letters by the link in one of them: nobody signs in, and a mail program may post to it (RFC 8058)."""

from collections.abc import Awaitable

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse
from kbwork.base.errors import NotFound
from kbwork.core.ports.mail import LettersOff, MailChoice


async def show(visit: PageRequest) -> PageResponse:
    """What comes now, with a button: whoever merely looks at the link changes nothing."""
    token, letters = visit.query.text("t"), visit.extension(LettersOff)
    return await _answered(visit, visit.look(lambda tx: letters.look(tx, token)), done=False)


async def turn(visit: PageRequest) -> PageResponse:
    """Turn them off, or on again by the button for that."""
    token, letters = visit.query.text("t"), visit.extension(LettersOff)
    on = visit.form.text("turn") == "on"
    return await _answered(visit, visit.settle(lambda tx: letters.turn(tx, token, on)), done=True)


async def _answered(visit: PageRequest, found: Awaitable[MailChoice], *, done: bool) -> PageResponse:
    try:
        choice = await found
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what="link of a letter")
    return render(visit, "unsubscribe.html", choice=choice, token=visit.query.text("t"), done=done)
