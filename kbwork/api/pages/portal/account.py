"""A customer's own account: name, language, letters, password."""

from typing import Any

from kbwork.api.pages.form_errors import in_words
from kbwork.api.pages.portal.session import call, call_nobody, of_portal, show
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.base.errors import Problem, Unauthenticated

PATH = "/portal/account"


@of_portal
async def show_account(visit: PageRequest) -> PageResponse:
    return await _page(visit)


@of_portal
async def change(visit: PageRequest) -> PageResponse:
    """What was typed stays where it is refused, but for passwords."""
    fields: dict[str, Any] = {
        "name": visit.form.text("name"),
        "notify": visit.form.text("notify") == "on",
        "locale": visit.form.text("locale"),
    }
    return await _done(visit, fields)


@of_portal
async def set_password(visit: PageRequest) -> PageResponse:
    return await _done(visit, visit.form.only("password", "current"))


async def _done(visit: PageRequest, fields: dict[str, Any]) -> PageResponse:
    try:
        await call(visit, "desk.portal_update", fields)
    except Unauthenticated:
        raise
    except Problem as problem:
        page = await _page(visit, problem)
        page.headers.update(problem.headers)
        return page
    return redirect(f"{PATH}?saved=yes")


async def _page(visit: PageRequest, problem: Problem | None = None) -> PageResponse:
    customer = await call(visit, "desk.portal_me")
    desks = await call_nobody(visit, "desk.portal_info")
    languages = sorted({one for desk in desks for one in desk["languages"]})
    typed = {"name": visit.form.text("name")} if visit.form.text("name") else {}
    return await show(
        visit,
        "account.html",
        status=problem.status if problem is not None else 200,
        problem=in_words(problem) if problem is not None else None,
        customer=customer,
        typed=customer | typed,
        languages=languages,
        saved=visit.query.text("saved") == "yes",
    )
