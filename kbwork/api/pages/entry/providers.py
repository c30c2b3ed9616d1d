"""Signing in by a provider: going there, and coming back."""

from typing import Any
from urllib.parse import urlsplit

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest, own_path
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.api.pages.sign_in import ask_second, offered
from kbwork.base.errors import Problem, Unauthenticated

_SAID = {
    "access_denied": "The provider let nobody in: it was cancelled there, or you are not among its people.",
    "login_required": "The provider asks you to sign in there first.",
}
_OTHERWISE = "The provider sent you back without an answer. Try again; if it stays so, tell an admin."


async def go(visit: PageRequest) -> PageResponse:
    """Go to the provider, to sign in, or to confirm where nothing else does. Whoever is signed in otherwise is there.

    Another site may send a browser here: it then shows the provider's page, and binds nothing to anybody's account.
    """
    then = own_path(visit.query.text("next", "/"))
    me = await visit.me_or_none()
    if me is not None and me["proofs"]:
        return redirect(then)
    visit.head.take_as_page()
    fields = {"provider": visit.query.text("provider"), "return_to": then}
    try:
        started = await visit.call("auth.oidc_start", fields)
    except Problem as problem:
        return await _refused(visit, problem, then)
    return redirect(started["url"])


async def come_back(visit: PageRequest) -> PageResponse:
    """Back from the provider: in, on to the second factor, or told why not."""
    visit.head.take_as_page()
    query = visit.query
    if not query.text("code"):
        refusal = Unauthenticated(_SAID.get(query.text("error"), _OTHERWISE))
        return await _refused(visit, refusal, "/")
    provider = visit.path.removeprefix("/signin/oidc/")
    fields = {"state": query.text("state") or "none", "code": query.text("code"), "provider": provider}
    if query.text("iss"):
        fields["iss"] = query.text("iss")
    try:
        done = await visit.call("auth.oidc_finish", fields)
    except Problem as problem:
        if "challenge" in problem.extra:
            return ask_second(visit, problem.extra, own_path(problem.extra["return_to"]))
        return await _refused(visit, problem, "/")
    return redirect(own_path(done["return_to"]))


async def _refused(visit: PageRequest, problem: Problem, then: str) -> PageResponse:
    return render_refused(visit, "signin.html", problem, done="", **await offered(visit, then))


async def link(visit: PageRequest) -> PageResponse:
    """Link an account at a provider: a page that leads there, since forms of this site send nobody elsewhere."""
    await visit.me()
    fields: dict[str, Any] = {"provider": visit.form.text("provider"), "return_to": "/account", "link": True}
    started = await visit.call("auth.oidc_start", fields)
    return render(visit, "leave.html", url=started["url"], host=urlsplit(started["url"]).netloc)
