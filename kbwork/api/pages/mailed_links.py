"""Links by mail: asking for one, and what the page behind it does."""

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.base.errors import NotFound, Problem
from kbwork.core.ports.mailed_links import MailedLinks

_RESET = "link for a new password"


async def show_forgot(visit: PageRequest) -> PageResponse:
    """Where to send the link for a new password."""
    return render(visit, "forgot.html", email=visit.query.text("email"), sent="")


async def forgot(visit: PageRequest) -> PageResponse:
    """Ask for the link; the page is the same whoever has the address."""
    email = visit.form.text("email").strip()
    try:
        await visit.call("auth.password_forgot", {"email": email})
    except Problem as problem:
        return render_refused(visit, "forgot.html", problem, email=email, sent="")
    return render(visit, "forgot.html", email=email, sent=email)


async def show_reset(visit: PageRequest) -> PageResponse:
    """The form for the new password, or at once that the link is over."""
    token = visit.query.text("token")
    try:
        email = await _address(visit, token, "password")
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what=_RESET)
    return render(visit, "reset.html", token=token, email=email)


async def reset(visit: PageRequest) -> PageResponse:
    """Set it, and go on to sign in with it."""
    fields = visit.form.only("token", "password")
    try:
        await visit.call("auth.password_reset", fields)
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what=_RESET)
    except Problem as problem:
        email = await _address(visit, fields["token"], "password")
        return render_refused(visit, "reset.html", problem, token=fields["token"], email=email)
    return redirect("/signin?done=password")


async def _address(visit: PageRequest, token: str, purpose: str) -> str:
    """Whose link it is. Raises NotFound where it opens nothing any more."""
    links = visit.extension(MailedLinks)
    return await visit.look(lambda tx: links.address(tx, token, purpose))
