"""API keys: look, make, rotate, revoke. A secret is shown once."""

from typing import Any

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.api.pages.scopes import chosen, grouped, in_use, told
from kbwork.base import ids
from kbwork.base.errors import InvalidInput, Problem

_DAY_S = 86400
_LIVES = {"30": "30 days", "90": "90 days", "365": "One year", "": "Until I revoke it"}


async def show_keys(visit: PageRequest) -> PageResponse:
    """The keys that work, and those that ended."""
    await visit.me()
    return render(visit, "keys.html", **await _listed(visit))


async def show_new_key(visit: PageRequest) -> PageResponse:
    """The form for a new key."""
    return render(visit, "key_new.html", **await _form(visit))


async def make_key(visit: PageRequest) -> PageResponse:
    """Make it; the answer to the form is the one page that shows its secret."""
    me = await visit.me()
    try:
        made = await visit.call("keys.create", _fields(visit, me["scopes"]), key=_once(visit))
    except Problem as problem:
        return render_refused(visit, "key_new.html", problem, **await _form(visit))
    return render(visit, "key_made.html", made=made, rotated=False, old_hours=0)


async def rotate_key(visit: PageRequest) -> PageResponse:
    """Give it a new secret, shown once."""
    await visit.me()
    hours = visit.form.text("keep_hours", "0")
    keep_hours = int(hours) if hours.isascii() and hours.isdigit() else 0
    try:
        fields = {"id": visit.form.text("id"), "keep_hours": keep_hours}
        made = await visit.call("keys.rotate", fields, key=_once(visit))
    except Problem as problem:
        return render_refused(visit, "keys.html", problem, **await _listed(visit))
    return render(visit, "key_made.html", made=made, rotated=True, old_hours=keep_hours)


async def revoke_key(visit: PageRequest) -> PageResponse:
    """End it."""
    await visit.me()
    try:
        await visit.call("keys.revoke", {"id": visit.form.text("id")})
    except Problem as problem:
        return render_refused(visit, "keys.html", problem, **await _listed(visit))
    return redirect("/keys")


def _once(visit: PageRequest) -> str | None:
    """The Idempotency-Key of this form: a form that is sent twice has one effect."""
    return visit.form.text("once") or None


async def _listed(visit: PageRequest) -> dict[str, Any]:
    found = await visit.call("keys.list")
    used = visit.used_scopes
    living = [key for key in found if key["state"] in ("active", "rotating")]
    return {
        "living": living,
        "ended": [key for key in found if key not in living],
        "told": lambda scopes: told(in_use(scopes, used)),
        "once": ids.short(24),
    }


async def _form(visit: PageRequest) -> dict[str, Any]:
    me = await visit.me()
    return {
        "groups": grouped(in_use(me["scopes"], visit.used_scopes)),
        "lives": _LIVES,
        "admin": "admin" in me["scopes"],
        "ticked": set(visit.form.all("scopes")),
        "once": ids.short(24),
    }


def _fields(visit: PageRequest, held: list[str]) -> dict[str, Any]:
    """The input of `keys.create`. Raises InvalidInput."""
    form = visit.form
    scopes = chosen(form.text("rights"), form.all("scopes"), held)
    if not scopes:
        raise InvalidInput("Choose what the key may do.", field="scopes")
    fields: dict[str, Any] = {"name": form.text("name"), "scopes": scopes}
    if form.text("kind") == "agent":
        fields |= {"kind": "agent", "agent": form.text("agent").strip()}
    days = form.text("days")
    if days:
        if days not in _LIVES:
            raise InvalidInput("Choose how long the key lives.", field="expires_at")
        fields["expires_at"] = visit.now + int(days) * _DAY_S
    for name in ("projects", "networks"):
        listed = form.text(name).replace(",", " ").split()
        if listed:
            fields[name] = listed
    return fields
