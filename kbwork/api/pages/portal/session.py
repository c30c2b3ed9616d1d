"""A customer's session: a cookie of its own, apart from that of members, and calls in the customer's name."""

import hashlib
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from urllib.parse import quote

from pydantic_core import to_json

from kbwork.api.pages.render import render
from kbwork.api.pages.request import PORTAL_COOKIE, PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.base import ids
from kbwork.base.errors import NotFound, Unauthenticated
from kbwork.core import org_settings

LIVES_S = 30 * 86400
_ONCE_CHARS = 16
"""Of the word that a form carries, another one each time that it is shown."""
PortalPage = Callable[[PageRequest], Awaitable[PageResponse]]


async def call(visit: PageRequest, op: str, fields: dict[str, Any] | None = None) -> Any:
    """Run an operation of the portal as the customer whose cookie it is. Raises a Problem."""
    return await visit.call_by(visit.head.cookie(PORTAL_COOKIE), op, fields)


async def call_once(visit: PageRequest, op: str, fields: dict[str, Any]) -> Any:
    """As `call`, of a form that is sent twice by a double click or by going back: what was sent so already is answered
    and not done again. What was changed in the form meanwhile is something else."""
    said = hashlib.sha256(to_json([visit.form.text("once")[:_ONCE_CHARS], fields])).hexdigest()
    return await visit.call_by(visit.head.cookie(PORTAL_COOKIE), op, fields, key=f"portal:{said}")


async def call_nobody(visit: PageRequest, op: str, fields: dict[str, Any] | None = None) -> Any:
    """Run one that asks for no sign-in, as nobody."""
    return await visit.call_by(None, op, fields)


def begin(visit: PageRequest, token: str) -> None:
    """From now on the browser is this customer's."""
    visit.cookies.append(visit.head.own_cookie(PORTAL_COOKIE, token, LIVES_S))


def end(visit: PageRequest) -> None:
    visit.cookies.append(visit.head.own_cookie(PORTAL_COOKIE, "", 0))


async def me_or_none(visit: PageRequest) -> dict[str, Any] | None:
    """Who is signed in, or None."""
    if visit.head.cookie(PORTAL_COOKIE) is None:
        return None
    try:
        found: dict[str, Any] = await call(visit, "desk.portal_me")
    except Unauthenticated:
        return None
    return found


async def show(visit: PageRequest, template: str, **values: Any) -> PageResponse:
    """A page of the portal, under the name of the org."""
    values.setdefault("customer", await me_or_none(visit))
    values["once"] = ids.short(_ONCE_CHARS)
    org = await visit.look(lambda tx: str(org_settings.get(tx, "org.name") or "kbwork"))
    return render(visit, f"portal/{template}", org=org, **values)


def of_portal(page: PortalPage) -> PortalPage:
    """Whoever is not signed in signs in first, and comes back; what is not there is told as the portal tells it."""

    @wraps(page)
    async def shown(visit: PageRequest) -> PageResponse:
        try:
            return await page(visit)
        except Unauthenticated:
            end(visit)
            then = visit.full_path if visit.head.method in ("GET", "HEAD") else "/portal"
            return redirect(f"/portal/signin?next={quote(then, safe='')}")
        except NotFound as problem:
            return await show(visit, "gone.html", status=404, problem=problem)

    return shown
