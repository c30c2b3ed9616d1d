"""The pages and files of the site: which path leads where, and what happens when it goes wrong."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

from kbwork.api.http.body import Body
from kbwork.api.http.compression import packed_once
from kbwork.api.http.endpoint import NOT_COUNTED, Endpoint
from kbwork.api.http.problems import wrong_method
from kbwork.api.http.request import AsgiRequest, Request
from kbwork.api.http.response import Response, response
from kbwork.api.http.site import Site
from kbwork.api.pages import (
    account,
    app,
    consent,
    device,
    home,
    keys,
    sign_in,
    static_files,
)
from kbwork.api.pages.docs import manual, problems, reference, search_page
from kbwork.api.pages.entry import mailed_links, providers, unsubscribe
from kbwork.api.pages.media import ranges
from kbwork.api.pages.portal import account as portal_account
from kbwork.api.pages.portal import articles as portal_articles
from kbwork.api.pages.portal import entry as portal_entry
from kbwork.api.pages.portal import files as portal_files
from kbwork.api.pages.portal import requests as portal_requests
from kbwork.api.pages.portal import survey as portal_survey
from kbwork.api.pages.render import render
from kbwork.api.pages.request import PIECES, PageRequest, own_path
from kbwork.api.pages.response import HTML, SAFETY, Again, PageResponse, redirect
from kbwork.base.dataclasses import replace
from kbwork.base.errors import ElevationNeeded, NotFound, Problem, Unauthenticated
from kbwork.core.operations import etag
from kbwork.core.ports.media import PiecedData

Page = Callable[[PageRequest], Awaitable[PageResponse]]
Form = Callable[[PageRequest], Awaitable[PageResponse | Again]]
_TEXTS = ("text/", "application/json", "image/svg+xml")
_PAGES: dict[str, Page] = {
    "/connect": home.show_home,
    "/setup": sign_in.show_setup,
    "/signin": sign_in.show_signin,
    "/signin/with": providers.go,
    "/signin/forgot": mailed_links.show_forgot,
    "/signin/link": mailed_links.show_link_request,
    "/reset": mailed_links.show_reset,
    "/link": mailed_links.show_link,
    "/invite": sign_in.show_invite,
    "/unsubscribe": unsubscribe.show,
    "/elevate": sign_in.show_elevate,
    "/device": device.show_device,
    "/authorize": consent.show_consent,
    "/keys": keys.show_keys,
    "/keys/new": keys.show_new_key,
    "/sessions": account.show_sessions,
    "/account": account.show_account,
    "/docs/search": search_page.show_search,
    "/portal": portal_requests.show_start,
    "/portal/signin": portal_entry.show_signin,
    "/portal/signup": portal_entry.show_signup,
    "/portal/verify": portal_entry.show_verify,
    "/portal/forgot": portal_entry.show_forgot,
    "/portal/reset": portal_entry.show_reset,
    "/portal/new": portal_requests.show_new,
    "/portal/articles": portal_articles.show_search,
    "/portal/survey": portal_survey.show_survey,
    portal_account.PATH: portal_account.show_account,
    portal_files.PATH: portal_files.save,
    "/asker.js": app.show_asker,
}
_PAGES_BEHIND: dict[str, Page] = {
    "/signin/oidc/": providers.come_back,
    portal_requests.PREFIX: portal_requests.show_request,
    portal_articles.PREFIX: portal_articles.show_article,
}
"""Beginnings of paths whose rest a page reads itself."""
_FORMS: dict[str, Form] = {
    "/setup": sign_in.setup,
    "/signin": sign_in.signin,
    "/signin/code": sign_in.verify,
    "/signin/passkey": sign_in.signin_passkey,
    "/signin/forgot": mailed_links.forgot,
    "/signin/link": mailed_links.request_link,
    "/reset": mailed_links.reset,
    "/link": mailed_links.sign_in,
    "/signout": sign_in.signout,
    "/invite": sign_in.accept_invite,
    "/elevate": sign_in.elevate,
    "/device": device.decide_device,
    "/authorize": consent.decide_consent,
    "/grants/revoke": consent.revoke_grant,
    "/keys/new": keys.make_key,
    "/keys/rotate": keys.rotate_key,
    "/keys/revoke": keys.revoke_key,
    "/sessions/revoke": account.revoke_session,
    "/account/password": account.change_password,
    "/account/passkeys": account.add_passkey,
    "/account/passkeys/delete": account.delete_passkey,
    "/account/providers": providers.link,
    "/account/providers/unlink": account.unlink_provider,
    "/account/chats": account.link_chat,
    "/account/chats/unlink": account.unlink_chat,
    "/account/factor": account.begin_factor,
    "/account/factor/confirm": account.confirm_factor,
    "/account/factor/disable": account.disable_factor,
    "/portal/signin": portal_entry.signin,
    "/portal/signup": portal_entry.signup,
    "/portal/signout": portal_entry.signout,
    "/portal/verify": portal_entry.verify,
    "/portal/forgot": portal_entry.forgot,
    "/portal/reset": portal_entry.reset,
    "/portal/new": portal_requests.make,
    "/portal/comment": portal_requests.comment,
    "/portal/transition": portal_requests.transition,
    "/portal/solved": portal_articles.solved,
    "/portal/survey": portal_survey.rate,
    "/portal/watch": portal_requests.watch,
    portal_account.PATH: portal_account.change,
    portal_files.PATH: portal_files.send,
    "/portal/account/password": portal_account.set_password,
}
_OPEN_FORMS: dict[str, Page] = {"/unsubscribe": unsubscribe.turn}
"""Forms that mail programs post, too: a token in the address proves all that they need."""
_FILES: dict[str, Callable[[], PageResponse]] = {
    "/api/v1/openapi.json": static_files.openapi,
    "/clients/kbwork.py": static_files.client,
    "/worker.js": app.worker,
    "/manifest.webmanifest": app.manifest,
    "/favicon.svg": lambda: static_files.file("favicon.svg"),
    "/robots.txt": lambda: static_files.file("robots.txt"),
    "/docs": lambda: manual.show_page(""),
    "/openapi.json": lambda: redirect("/api/v1/openapi.json"),
    "/docs/api": lambda: reference.show_reference(""),
    "/problems": lambda: manual.show_page("problems"),
}
_FOLDERS: dict[str, Callable[[str], PageResponse]] = {
    "/docs/api/": reference.show_reference,
    "/docs/": manual.show_page,
    "/problems/": problems.show_problem,
    "/static/": static_files.file,
    "/clients/": static_files.client_file,
    "/app/": app.file,
}
"""Longer beginnings first: what stands behind them is the name of the page."""


class Web(Endpoint):
    """ASGI endpoint for everything beside the API."""

    door = "web"
    log = logging.getLogger("kbwork.web")
    cut_status = NOT_COUNTED

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        for media in site.dispatcher.registry.media:
            if media.threaded:
                site.dispatcher.database.start_on_thread(media.read_name)
        site.dispatcher.database.start_on_thread(PIECES)

    async def answer(self, request: AsgiRequest) -> int:
        request.cls = "write" if request.head.method == "POST" else "read"
        request.found = visit = PageRequest(request.scope, request.head, self._dispatcher)
        return await _send(visit, await _found(visit, request.receive), request)

    def refuse(self, request: Request, problem: Problem) -> Response:
        """As a page for who reads pages; others are not counted."""
        visit = request.found
        if not isinstance(visit, PageRequest) or "text/html" not in (visit.head.text("accept") or ""):
            request.counted = False
            return super().refuse(request, problem)
        page = render(visit, "problem.html", status=problem.status, problem=problem)
        page.headers.update(problem.headers)
        return _whole(visit, page)


async def _found(visit: PageRequest, receive: Body) -> PageResponse:
    path = visit.path
    if visit.head.method in ("GET", "HEAD"):
        if (page := _page_at(path)) is not None:
            return await _page(visit, page)
        if (media := await visit.media()) is not None:
            return media
        return await asyncio.to_thread(_file, path)
    if visit.head.method == "POST" and path in _OPEN_FORMS:
        await visit.read_open_form(receive)
        return await _OPEN_FORMS[path](visit)
    if visit.head.method == "POST" and path in _FORMS:
        await visit.read_form(receive)
        return await _form(visit, path)
    return _wrong_method(path)


def _page_at(path: str) -> Page | None:
    if app.is_place(path):
        return app.show_app
    behind = (page for beginning, page in _PAGES_BEHIND.items() if path.startswith(beginning))
    return _PAGES.get(path) or next(behind, None)


async def _page(visit: PageRequest, page: Page) -> PageResponse:
    """A page for who is signed in; others sign in first and come back."""
    try:
        return await page(visit)
    except Unauthenticated:
        return redirect(f"/signin?next={quote(visit.full_path, safe='')}")


async def _form(visit: PageRequest, path: str) -> PageResponse:
    """What a form does; one that asks for elevation waits in the page that asks for it."""
    visit.path = path
    try:
        answer = await _FORMS[path](visit)
        return await _form(visit, _again(answer.path)) if isinstance(answer, Again) else answer
    except ElevationNeeded:
        return await sign_in.ask_elevation(visit)
    except Unauthenticated:
        return redirect(f"/signin?next={quote(path if path in _PAGES else '/', safe='')}")


def _again(path: str) -> str:
    """The path of an interrupted form. Raises NotFound."""
    if path not in _FORMS or path == "/elevate":
        raise NotFound(f"There is no form at {path}.")
    return path


def _file(path: str) -> PageResponse:
    """What is the same for everybody. Raises NotFound."""
    if path in _FILES:
        return _FILES[path]()
    for beginning, show in _FOLDERS.items():
        name = path.removeprefix(beginning)
        if name and name != path and not name.endswith("/"):
            return show(name)
    if path.endswith("/"):
        return redirect(own_path(path.rstrip("/")))
    raise NotFound(f"Nothing lives at {path}: see /docs for what there is.")


def _wrong_method(path: str) -> PageResponse:
    allowed = ["GET", "HEAD"] if _page_at(path) is not None or path in _FILES else []
    if path in _FORMS or path in _OPEN_FORMS:
        allowed.append("POST")
    if not allowed and not path.startswith(tuple(_FOLDERS)):
        raise NotFound(f"Nothing lives at {path}: see /docs for what there is.")
    raise wrong_method(
        f"{path} takes {' and '.join(allowed) or 'GET and HEAD'}.", ", ".join(allowed or ["GET", "HEAD"])
    )


async def _send(visit: PageRequest, answer: PageResponse, request: AsgiRequest) -> int:
    """Answers the status of the page, which that of the answer is not where the browser has it already."""
    if isinstance(answer.body, Path) and not _held(visit, answer):
        from starlette.responses import FileResponse  # noqa: PLC0415 - 4 ms, for files of any size alone

        headers = _headers(answer) | {"X-Content-Type-Options": "nosniff"}
        file = FileResponse(answer.body, headers=headers, media_type=answer.kind)
        await file(request.scope, request.receive, request.send)
        return answer.status
    if answer.in_parts and answer.etag is not None and not _held(visit, answer):
        answer = _part(answer, ranges.part(visit.head, answer.etag, answer.size))
    if isinstance(answer.body, PiecedData) and not _held(visit, answer):
        await _flow(visit, answer, answer.body, request)
    else:
        await request.answer(_whole(visit, answer))
    return answer.status


def _part(answer: PageResponse, asked: range | None) -> PageResponse:
    """Of a file what is asked for; 416 where it ends before that."""
    if asked is None:
        return answer
    headers = answer.headers | {"Content-Range": ranges.told(asked, answer.size)}
    if not asked:
        return replace(answer, body=b"", status=416, headers=headers)
    body = answer.body
    assert not isinstance(body, Path)
    part = body[asked.start : asked.stop] if isinstance(body, bytes) else replace(body, asked=asked)
    return replace(answer, body=part, status=206, headers=headers)


async def _flow(visit: PageRequest, answer: PageResponse, data: PiecedData, request: AsgiRequest) -> None:
    """Send what is read a piece at a time, when the one before has gone. Where one is missing the connection ends."""
    bare = response(answer.status, b"", _headers(answer), content_type=answer.kind).headers
    told = [(name, value) for name, value in bare if name != b"content-length"]
    asked = data.asked or range(data.size)
    told.append((b"content-length", str(len(asked)).encode()))
    await request.send({"type": "http.response.start", "status": answer.status, "headers": told})
    each = data.piece_bytes
    for number in range(asked.start // each, -(-asked.stop // each)) if request.head.method != "HEAD" else ():
        piece = await visit.piece(data, number)
        if piece is None:
            return
        inside = piece[max(0, asked.start - number * each) : asked.stop - number * each]
        await request.send({"type": "http.response.body", "body": inside, "more_body": True})
    await request.send({"type": "http.response.body", "body": b"", "more_body": False})


def _whole(visit: PageRequest, answer: PageResponse) -> Response:
    """A page that is no file, or that the browser has."""
    headers = _headers(answer)
    if _held(visit, answer):
        return response(304, b"", headers)
    assert isinstance(answer.body, bytes)
    made = response(answer.status, answer.body, headers, content_type=answer.kind, cookies=visit.cookies)
    lasting_text = answer.etag is not None and not answer.private and answer.kind.startswith(_TEXTS)
    return made._replace(packs=packed_once if lasting_text else None)


def _held(visit: PageRequest, answer: PageResponse) -> bool:
    return answer.etag is not None and etag.matches(visit.head.text("if-none-match"), answer.etag)


def _headers(answer: PageResponse) -> dict[str, str]:
    headers = dict(answer.headers)
    if answer.kind == HTML:
        headers |= SAFETY
    if answer.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if answer.etag is not None:
        headers["ETag"] = answer.etag
    return headers
