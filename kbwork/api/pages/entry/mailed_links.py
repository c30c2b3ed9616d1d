"""Links by mail: asking for one, and what the page behind it does."""

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.api.pages.sign_in import ask_second
from kbwork.base.errors import NotFound, Problem, Unauthenticated
from kbwork.core.ports.sign_in import MailedLinks

_RESET = "link for a new password"
_SIGN_IN = "sign-in link"


async def show_forgot(visit: PageRequest) -> PageResponse:
    """Where to send the link for a new password."""
    return render(visit, "forgot.html", email=visit.query.text("email"), sent="")


async def forgot(visit: PageRequest) -> PageResponse:
    """Ask for the link."""
    return await _asked(visit, "auth.password_forgot", "forgot.html")


async def show_reset(visit: PageRequest) -> PageResponse:
    """The form for the new password, or at once that the link is over."""
    return await _opened(visit, "password", _RESET, "reset.html")


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


async def show_link_request(visit: PageRequest) -> PageResponse:
    """Where to send a link that signs in."""
    return render(visit, "signin_link.html", email="", sent="")


async def request_link(visit: PageRequest) -> PageResponse:
    """Ask for the link."""
    return await _asked(visit, "auth.link_request", "signin_link.html")


async def show_link(visit: PageRequest) -> PageResponse:
    """A button that signs in: mail servers that follow a link to look at it use nothing up."""
    return await _opened(visit, "sign-in", _SIGN_IN, "link.html")


async def sign_in(visit: PageRequest) -> PageResponse:
    """Sign in by the link, or ask for the second factor."""
    try:
        await visit.call("auth.link_login", visit.form.only("token"))
    except Unauthenticated as half:
        return ask_second(visit, half.extra, "/")
    except Problem as problem:
        return render_refused(visit, "link_over.html", problem, what=_SIGN_IN)
    return redirect("/")


async def _asked(visit: PageRequest, op_id: str, page: str) -> PageResponse:
    """The page behind the form that asks for a link: it is the same whoever has the address."""
    email = visit.form.text("email").strip()
    try:
        await visit.call(op_id, {"email": email})
    except Problem as problem:
        return render_refused(visit, page, problem, email=email, sent="")
    return render(visit, page, email=email, sent=email)


async def _opened(visit: PageRequest, purpose: str, what: str, page: str) -> PageResponse:
    """The page behind a link, or at once that the link is over."""
    token = visit.query.text("token")
    try:
        email = await _address(visit, token, purpose)
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what=what)
    return render(visit, page, token=token, email=email)


async def _address(visit: PageRequest, token: str, purpose: str) -> str:
    """Whose link it is. Raises NotFound where it opens nothing any more."""
    links = visit.extension(MailedLinks)
    return await visit.look(lambda tx: links.address(tx, token, purpose))
