"""Desks and what may be asked for, the form, one's own requests, and one of them with what was said."""

import asyncio
from typing import Any
from urllib.parse import quote, unquote

from kbwork.api.pages.docs import markdown
from kbwork.api.pages.form_errors import in_words
from kbwork.api.pages.portal import answers
from kbwork.api.pages.portal.session import call, call_nobody, call_once, me_or_none, of_portal, show
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.base.errors import InvalidInput, NotFound, Problem, Unauthenticated
from kbwork.base.text import whole_number

PREFIX = "/portal/requests/"
_MARKDOWN_CHARS = 50_000
"""What stands behind them is shown as it is."""
_MORE = "There is more to answer."


@of_portal
async def show_start(visit: PageRequest) -> PageResponse:
    """The desks that are open, and the customer's own requests."""
    customer = await me_or_none(visit)
    desks = await call_nobody(visit, "desk.portal_info")
    requests = await call(visit, "desk.portal_requests") if customer is not None else []
    intros = {desk["project"]: await formed(desk["intro"]) for desk in desks}
    return await show(visit, "start.html", customer=customer, desks=desks, requests=requests, intros=intros)


@of_portal
async def show_new(visit: PageRequest) -> PageResponse:
    """The form of a request type."""
    kind = await _kind(visit, visit.query.text("type"))
    form = await call(visit, "desk.portal_form", {"type": kind["id"]})
    return await show(visit, "new.html", kind=kind, fields=form["fields"], more="")


@of_portal
async def make(visit: PageRequest) -> PageResponse:
    """Make the request; where an answer asks for more, ask for that first."""
    kind = await _kind(visit, visit.form.text("type"))
    every = (await call(visit, "desk.portal_form", {"type": kind["id"]}))["fields"]
    values = answers.read(visit.form, every)
    asked = {"type": kind["id"], "values": values}
    fields = (await call(visit, "desk.portal_form", asked))["fields"]
    shown = {one["key"] for one in fields if one["shown"]}
    seen = set(visit.form.all("asked"))
    if shown - seen:
        return await show(visit, "new.html", kind=kind, fields=fields, more=_MORE)
    try:
        kept = {key: value for key, value in values.items() if key in shown}
        title = visit.form.text("title")
        made = await call_once(visit, "desk.portal_create", asked | {"title": title, "values": kept})
    except (NotFound, Unauthenticated):
        raise
    except Problem as problem:
        return await show(
            visit,
            "new.html",
            status=problem.status,
            problem=in_words(problem),
            kind=kind,
            fields=fields,
            more="",
        )
    return redirect(PREFIX + made["key"])


@of_portal
async def show_request(visit: PageRequest) -> PageResponse:
    return await _thread(visit, unquote(visit.path.removeprefix(PREFIX)))


@of_portal
async def comment(visit: PageRequest) -> PageResponse:
    key = visit.form.text("key")
    return await _done(visit, key, "desk.portal_comment", {"key": key, "body": visit.form.text("body")})


@of_portal
async def transition(visit: PageRequest) -> PageResponse:
    key, note = visit.form.text("key"), visit.form.text("body").strip()
    fields: dict[str, Any] = {"key": key, "action": visit.form.text("action")}
    return await _done(visit, key, "desk.portal_transition", fields | ({"note": note} if note else {}))


@of_portal
async def watch(visit: PageRequest) -> PageResponse:
    """Share a request, or take somebody out: whoever takes themselves out goes back to the start."""
    key, gone = visit.form.text("key"), visit.form.text("remove").strip()
    if gone:
        await call(visit, "desk.portal_watch", {"key": key, "remove": [gone]})
        customer = await call(visit, "desk.portal_me")
        return redirect("/portal" if gone == customer["email"] else PREFIX + quote(key, safe=":"))
    return await _done(visit, key, "desk.portal_watch", {"key": key, "add": [visit.form.text("add")]})


async def _done(visit: PageRequest, key: str, op: str, fields: dict[str, Any]) -> PageResponse:
    """Do it and show the request; what is refused is told there, with what was typed."""
    try:
        await call_once(visit, op, fields)
    except (NotFound, Unauthenticated):
        raise
    except Problem as problem:
        return await _thread(visit, key, problem)
    return redirect(PREFIX + quote(key, safe=":"))


async def refused(visit: PageRequest, key: str, problem: Problem) -> PageResponse:
    """The request, with what was wrong."""
    return await _thread(visit, key, problem)


async def _thread(visit: PageRequest, key: str, problem: Problem | None = None) -> PageResponse:
    thread, cursor = await _part(visit, key)
    said = [one | {"html": await formed(one["body"])} for one in thread["comments"]]
    description = await formed(thread["description"])
    people = await call(visit, "desk.portal_watch", {"key": key})
    return await show(
        visit,
        "request.html",
        status=problem.status if problem is not None else 200,
        problem=in_words(problem) if problem is not None else None,
        key=key,
        request=thread["request"],
        survey=thread["survey"],
        files=thread["files"],
        people=people["participants"],
        description=description,
        comments=said,
        older=thread["older"],
        earlier=cursor is not None,
    )


async def _part(visit: PageRequest, key: str) -> tuple[dict[str, Any], str | None]:
    """(a request with what was said, the cursor by which that is earlier than the latest). A link to what is earlier
    that is over leads to the latest."""
    cursor = visit.query.text("cursor")
    if cursor:
        try:
            return await call(visit, "desk.portal_request", {"key": key, "cursor": cursor}), cursor
        except InvalidInput:
            pass
    return await call(visit, "desk.portal_request", {"key": key}), None


async def _kind(visit: PageRequest, text: str) -> dict[str, Any]:
    """A request type with the name of its desk. Raises NotFound."""
    number = whole_number(text)
    for desk in await call_nobody(visit, "desk.portal_info"):
        for one in desk["types"]:
            if one["id"] == number:
                return {
                    **one,
                    "desk": desk["name"],
                    "project": desk["project"],
                    "articles": desk["has_articles"],
                }
    raise NotFound("This is asked for no more: go back and choose another.")


async def formed(text: str) -> str:
    """Markdown of others as HTML that does nothing: no scripts, no pictures, no addresses but those of the web."""
    if not text.strip():
        return ""
    if len(text) > _MARKDOWN_CHARS:
        return await asyncio.to_thread(markdown.clean, "```\n" + text.replace("```", "'''") + "\n```")
    return await asyncio.to_thread(markdown.clean, text)
