"""Agreeing to connect a program by OAuth: who asks, what for, and where it leads."""

from typing import Any
from urllib.parse import quote, urlencode

from kbwork.api.pages import account, authorization_request
from kbwork.api.pages.authorization_request import AuthorizationRequest, InvalidAuthorizationRequest
from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.api.pages.scopes import grouped, in_use, worded
from kbwork.base.errors import InvalidInput, Problem, Unauthenticated
from kbwork.core.ports.oauth import Consent, OAuthGrants


async def show_consent(visit: PageRequest) -> PageResponse:
    """Ask the person who is signed in; others sign in first and come back."""
    try:
        asked = await authorization_request.read(visit, visit.query)
        me = await visit.me()
        offered = _offered(visit, me, asked)
    except InvalidAuthorizationRequest as unfit:
        return _unfit(visit, unfit)
    modules = _modules(visit, offered)
    chosen = set(modules).intersection(asked.modules) or set(modules)
    ticked = set(offered) - {"admin"} if len(offered) > 1 else set(offered)
    return render(visit, "consent.html", **_page(asked, offered, ticked), modules=modules, chosen=chosen)


async def decide_consent(visit: PageRequest) -> PageResponse:
    """Connect the program with what was chosen, or turn it away; either is told to it."""
    try:
        asked = await authorization_request.read(visit, visit.form)
        me = await _signed_in(visit, asked)
        if me is None:
            return redirect(f"/signin?next={quote('/authorize?' + urlencode(asked.fields), safe='')}")
        if visit.form.text("decision") != "approve":
            return _done(visit, asked, asked.back(error="access_denied"), approved=False)
        offered = _offered(visit, me, asked)
    except InvalidAuthorizationRequest as unfit:
        return _unfit(visit, unfit)
    modules = _modules(visit, offered)
    scopes, chosen = set(visit.form.all("scopes")), set(visit.form.all("modules"))
    try:
        _require_offered(scopes, offered, chosen, modules)
        code = await _agree(visit, asked, scopes, None if chosen >= set(modules) else chosen)
    except InvalidInput as problem:
        page = _page(asked, offered, scopes)
        return render_refused(visit, "consent.html", problem, **page, modules=modules, chosen=chosen)
    return _done(visit, asked, asked.back(code=code), approved=True)


async def revoke_grant(visit: PageRequest) -> PageResponse:
    """End what a connected program may do."""
    await visit.me()
    number = visit.form.text("id")
    try:
        await visit.call("auth.grant_revoke", {"id": int(number) if number.isdecimal() else 0})
    except Problem as problem:
        return render_refused(visit, "sessions.html", problem, **await account.places(visit))
    return redirect("/sessions")


async def _signed_in(visit: PageRequest, asked: AuthorizationRequest) -> dict[str, Any] | None:
    """Who agrees; None where the session ended meanwhile."""
    try:
        return await visit.me()
    except Unauthenticated:
        return None


async def _agree(
    visit: PageRequest, asked: AuthorizationRequest, scopes: set[str], modules: set[str] | None
) -> str:
    consent = Consent(
        client=asked.client,
        redirect_uri=asked.redirect_uri,
        challenge=asked.fields["code_challenge"],
        scopes=tuple(sorted(scopes)),
        modules=tuple(sorted(modules)) if modules is not None else None,
    )
    connecting = visit.extension(OAuthGrants)
    return await visit.change(lambda tx: connecting.consent(tx, consent))


def _offered(visit: PageRequest, me: dict[str, Any], asked: AuthorizationRequest) -> list[str]:
    """What it asks for, as far as the person holds it; all that they read and write where it names nothing.

    Scopes that are not known here are left out: clients ask for some that other servers have. Raises
    InvalidAuthorizationRequest.
    """
    held = in_use(me["scopes"], visit.used_scopes)
    if asked.scopes is None:
        return [scope for scope in held if scope.endswith((":read", ":write"))]
    offered = sorted(set(held).intersection(asked.scopes))
    if not offered:
        raise InvalidAuthorizationRequest(asked, "invalid_scope", "It asks for nothing that you may do here.")
    return offered


def _modules(visit: PageRequest, scopes: list[str]) -> list[str]:
    """The modules in which these scopes open something."""
    return sorted(name for name, opened_by in visit.modules.items() if opened_by.intersection(scopes))


def _require_offered(scopes: set[str], offered: list[str], chosen: set[str], modules: list[str]) -> None:
    """Raises InvalidInput for what was not on the page, or where nothing is left."""
    if not scopes or scopes - set(offered):
        raise InvalidInput("Choose at least one thing that it may do, or deny it.", field="scopes")
    if not chosen or chosen - set(modules):
        raise InvalidInput("Choose at least one module, or deny it.", field="modules")


def _page(asked: AuthorizationRequest, offered: list[str], ticked: set[str]) -> dict[str, Any]:
    return {
        "asked": asked,
        "groups": grouped(offered),
        "ticked": ticked,
        "words": worded(offered),
    }


def _done(visit: PageRequest, asked: AuthorizationRequest, back: str, *, approved: bool) -> PageResponse:
    """A page that goes on by itself: a redirect to elsewhere is none that a form of this site may follow."""
    return render(visit, "consent_done.html", asked=asked, back=back, approved=approved)


def _unfit(visit: PageRequest, unfit: InvalidAuthorizationRequest) -> PageResponse:
    back = unfit.asked.back(error=unfit.error, error_description=unfit.text)
    return render(visit, "consent_unfit.html", status=400, asked=unfit.asked, back=back, text=unfit.text)
