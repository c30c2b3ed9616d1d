"""Coming in and going out: the first link, sign-in, second factor, invitations."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import Form, PageRequest, own_path
from kbwork.api.pages.response import Again, PageResponse, redirect
from kbwork.base.errors import Conflict, NotFound, Problem, RateLimited, Unauthenticated
from kbwork.base.text import project_key
from kbwork.core.ports.sign_in import SetupLinks, SignInWays

_SECOND = ("totp", "recovery", "passkey")


_BEGINNINGS = {
    "own": "/settings/start",
    "sample": "/projects/SAMPLE/board",
    "import": "/settings/import",
}
"""Where one goes from the set-up, by what one wants to begin with; who named a project goes to its board."""


async def show_setup(visit: PageRequest) -> PageResponse:
    """The form that the link of the first start leads to, as long as it leads there."""
    token = visit.query.text("token")
    require = visit.extension(SetupLinks).require
    try:
        await visit.look(lambda tx: require(tx, token))
    except (NotFound, Conflict) as problem:
        return render_refused(visit, "link_over.html", problem, what="set-up link")
    return render(visit, "setup.html", token=token)


async def setup(visit: PageRequest) -> PageResponse:
    """Make the org, sign its owner in, and lead on to what they begin with."""
    fields = visit.form.only("token", "org", "name", "email", "password")
    begin, name = visit.form.text("begin"), visit.form.text("project").strip()
    first = {"key": project_key(name), "name": name} if begin == "own" and name else None
    try:
        await visit.call("org.setup", fields | {"project": first, "sample": begin == "sample"})
    except (NotFound, Conflict) as problem:
        return render_refused(visit, "link_over.html", problem, what="set-up link")
    except Problem as problem:
        return render_refused(visit, "setup.html", problem, token=fields["token"])
    return redirect(f"/projects/{first['key']}/board" if first else _BEGINNINGS.get(begin, "/"))


async def show_signin(visit: PageRequest) -> PageResponse:
    """The sign-in form; who is signed in goes on. Where there is no org yet, how to make it."""
    then = own_path(visit.query.text("next", "/"))
    if await visit.me_or_none() is not None:
        return redirect(then)
    found = await offered(visit, then)
    if found["is_new"]:
        return render(visit, "setup_first.html")
    return render(visit, "signin.html", done=visit.query.text("done"), **found)


async def signin(visit: PageRequest) -> PageResponse:
    """Sign in, or ask for the second factor."""
    then = own_path(visit.form.text("next", "/"))
    fields = visit.form.only("email", "password") | {"remember": visit.form.text("remember") == "on"}
    try:
        answer = await visit.call("auth.login", fields)
    except Problem as problem:
        return render_refused(visit, "signin.html", problem, done="", **await offered(visit, then))
    if answer.get("challenge"):
        return ask_second(visit, answer, then)
    return redirect(then)


async def offered(visit: PageRequest, then: str) -> dict[str, Any]:
    """What the sign-in page offers, on the way to a page. Where nothing is asked any more for now, a password.

    `is_new`: there is no org yet.
    """
    ways, is_new = frozenset({"password"}), False
    offers, are_needed = visit.extension(SignInWays).offered, visit.extension(SetupLinks).are_needed
    with suppress(RateLimited):
        ways, is_new = await visit.look(lambda tx: (offers(tx), are_needed(tx)))
    return {"next": then, "ways": ways, "is_new": is_new, "providers": await providers(visit)}


async def providers(visit: PageRequest) -> list[dict[str, Any]]:
    """The sign-in providers that are used."""
    try:
        return [one for one in await visit.call("auth.providers") if one["enabled"]]
    except RateLimited:
        return []


def ask_second(visit: PageRequest, half: Mapping[str, Any], then: str) -> PageResponse:
    """The page that asks for the second factor of a sign-in that is `half` way."""
    return render(visit, "signin_code.html", challenge=half["challenge"], methods=half["methods"], next=then)


async def verify(visit: PageRequest) -> PageResponse:
    """Take the code of the second factor."""
    fields = {"challenge": visit.form.text("challenge"), "code": visit.form.text("code").strip()}
    try:
        await visit.call("auth.login_verify", fields)
    except Problem as problem:
        return _ask_again(visit, problem, fields["challenge"])
    return redirect(own_path(visit.form.text("next", "/")))


async def signin_passkey(visit: PageRequest) -> PageResponse:
    """Sign in by a passkey, or finish a sign-in with it."""
    then, half = own_path(visit.form.text("next", "/")), visit.form.text("half")
    try:
        await visit.call("auth.passkey_login", signed(visit))
    except Problem as problem:
        if half:
            return _ask_again(visit, problem, half)
        return render_refused(visit, "signin.html", problem, done="", **await offered(visit, then))
    return redirect(then)


def signed(visit: PageRequest) -> dict[str, Any]:
    """What a passkey signed, as the script of the page put it into the form."""
    try:
        response = json.loads(visit.form.text("response"))
    except ValueError:
        response = None
    return {
        "challenge": visit.form.text("challenge") or "none",
        "response": response if isinstance(response, dict) else {},
    }


def _ask_again(visit: PageRequest, problem: Problem, half: str) -> PageResponse:
    """The page that asks for the second factor, with what was wrong."""
    methods = [method for method in visit.form.text("methods").split() if method in _SECOND]
    then = own_path(visit.form.text("next", "/"))
    return render_refused(visit, "signin_code.html", problem, challenge=half, methods=methods, next=then)


async def signout(visit: PageRequest) -> PageResponse:
    """End the session; one that has ended already is no reason to stay."""
    with suppress(Unauthenticated):
        await visit.call("auth.logout")
    visit.cookies += visit.head.clear_cookies()
    page = redirect("/signin")
    page.headers["Clear-Site-Data"] = '"storage"'  # what the app keeps: it may not be open to hear of it
    return page


async def show_invite(visit: PageRequest) -> PageResponse:
    """Who invites whom to what."""
    token = visit.query.text("token")
    try:
        invite = await visit.call("invites.info", {"token": token})
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what="invitation")
    return render(visit, "invite.html", token=token, invite=invite)


async def accept_invite(visit: PageRequest) -> PageResponse:
    """Join the org, signed in."""
    fields: dict[str, Any] = visit.form.only("token", "name", "password")
    fields["password"] = fields["password"] or None
    try:
        await visit.call("invites.accept", fields)
    except NotFound as problem:
        return render_refused(visit, "link_over.html", problem, what="invitation")
    except Problem as problem:
        invite = await visit.call("invites.info", {"token": fields["token"]})
        return render_refused(visit, "invite.html", problem, token=fields["token"], invite=invite)
    return redirect("/")


async def show_elevate(visit: PageRequest) -> PageResponse:
    """Ask for the password or a code again."""
    await visit.me()
    then = own_path(visit.query.text("next", "/"))
    return render(visit, "elevate.html", next=then, carry="", providers=await providers(visit))


async def ask_elevation(visit: PageRequest) -> PageResponse:
    """A form asks for an elevated session: ask here, keep what was typed, and go on with it."""
    await visit.me()
    return render(
        visit,
        "elevate.html",
        status=403,
        next=visit.path,
        carry=visit.form.carried(),
        providers=await providers(visit),
    )


async def elevate(visit: PageRequest) -> PageResponse | Again:
    """Elevate the session; then go on with the form that asked for it, or back."""
    form = visit.form
    then, carry, code = own_path(form.text("next", "/")), form.text("carry"), form.text("code").strip()
    await visit.me()
    fields: dict[str, Any] = {"code": code} if code else {"password": form.text("password")}
    if form.text("response"):
        fields = {"passkey": signed(visit)}
    try:
        await visit.call("auth.elevate", fields)
    except Problem as problem:
        found = await providers(visit)
        return render_refused(visit, "elevate.html", problem, next=then, carry=carry, providers=found)
    if not carry:
        return redirect(then)
    visit.form = Form.parse(carry)
    visit.forget_me()
    return Again(then)
