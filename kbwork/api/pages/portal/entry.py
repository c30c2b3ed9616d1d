"""Coming to the portal and leaving it: sign in, sign up, a new password."""

from contextlib import suppress

from kbwork.api.pages.form_errors import in_words
from kbwork.api.pages.portal.session import begin, call, call_nobody, end, me_or_none, of_portal, show
from kbwork.api.pages.request import PageRequest, own_path
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.base.errors import NotFound, Problem, Unauthenticated


def _then(text: str) -> str:
    """A page of the portal alone."""
    path = own_path(text)
    return path if path == "/portal" or path.startswith("/portal/") else "/portal"


async def _open(visit: PageRequest) -> bool:
    """Whether anybody may sign up."""
    return any(desk["open_signup"] for desk in await call_nobody(visit, "desk.portal_info"))


async def _refused(visit: PageRequest, template: str, problem: Problem, **values: object) -> PageResponse:
    page = await show(visit, template, status=problem.status, problem=in_words(problem), **values)
    page.headers.update(problem.headers)
    return page


@of_portal
async def show_signin(visit: PageRequest) -> PageResponse:
    """The form; who is signed in goes on."""
    then = _then(visit.query.text("next", "/portal"))
    if await me_or_none(visit) is not None:
        return redirect(then)
    return await show(visit, "signin.html", next=then, open=await _open(visit), customer=None)


async def signin(visit: PageRequest) -> PageResponse:
    then = _then(visit.form.text("next", "/portal"))
    try:
        answer = await call_nobody(visit, "desk.portal_login", visit.form.only("email", "password"))
    except Problem as problem:
        return await _refused(
            visit, "signin.html", problem, next=then, open=await _open(visit), customer=None
        )
    begin(visit, answer["token"])
    return redirect(then)


async def signout(visit: PageRequest) -> PageResponse:
    """A session that has ended already is no reason to stay."""
    with suppress(Unauthenticated):
        await call(visit, "desk.portal_logout")
    end(visit)
    return redirect("/portal")


@of_portal
async def show_signup(visit: PageRequest) -> PageResponse:
    return await show(visit, "signup.html", open=await _open(visit), sent=False, customer=None)


async def signup(visit: PageRequest) -> PageResponse:
    try:
        answer = await call_nobody(visit, "desk.portal_signup", visit.form.only("email", "name", "password"))
    except Problem as problem:
        return await _refused(
            visit, "signup.html", problem, open=await _open(visit), sent=False, customer=None
        )
    if answer["token"] is None:
        return await show(visit, "signup.html", open=True, sent=True, customer=None)
    begin(visit, answer["token"])
    return redirect("/portal")


@of_portal
async def show_verify(visit: PageRequest) -> PageResponse:
    """A button: mail servers that follow a link to look at it use nothing up."""
    return await show(visit, "verify.html", token=visit.query.text("token"), customer=None)


@of_portal
async def verify(visit: PageRequest) -> PageResponse:
    token = visit.form.text("token") or "none"
    try:
        asked = {"token": token, "password": visit.form.text("password")}
        answer = await call_nobody(visit, "desk.portal_verify", asked)
    except NotFound:
        raise
    except Problem as problem:
        return await _refused(visit, "verify.html", problem, token=token, customer=None)
    begin(visit, answer["token"])
    return redirect("/portal")


@of_portal
async def show_forgot(visit: PageRequest) -> PageResponse:
    return await show(visit, "forgot.html", sent=False, customer=None)


async def forgot(visit: PageRequest) -> PageResponse:
    try:
        await call_nobody(visit, "desk.portal_start_reset", visit.form.only("email"))
    except Problem as problem:
        return await _refused(visit, "forgot.html", problem, sent=False, customer=None)
    return await show(visit, "forgot.html", sent=True, customer=None)


@of_portal
async def show_reset(visit: PageRequest) -> PageResponse:
    return await show(visit, "reset.html", token=visit.query.text("token"), customer=None)


@of_portal
async def reset(visit: PageRequest) -> PageResponse:
    fields = visit.form.only("token", "password")
    try:
        answer = await call_nobody(visit, "desk.portal_submit_reset", fields)
    except NotFound:
        raise
    except Problem as problem:
        return await _refused(visit, "reset.html", problem, token=fields["token"], customer=None)
    begin(visit, answer["token"])
    return redirect("/portal")
