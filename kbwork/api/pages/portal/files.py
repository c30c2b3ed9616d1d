"""Files of a request: sent by a form, and saved by who may see them."""

import base64
from urllib.parse import quote

from kbwork.api.pages.portal.requests import PREFIX, refused
from kbwork.api.pages.portal.session import call, call_once, of_portal
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, download, redirect
from kbwork.base.errors import InvalidInput, NotFound, Problem, Unauthenticated
from kbwork.core.ports.media import Download

PATH = "/portal/file"


@of_portal
async def save(visit: PageRequest) -> PageResponse:
    """Whatever is in it, no browser shows or runs it."""
    key, ident = visit.query.text("key"), visit.query.text("id")
    found = await call(visit, "desk.portal_view_file", {"key": key or "none", "id": ident})
    return download(Download(found["name"], found["content_type"], base64.b64decode(found["data"])))


@of_portal
async def send(visit: PageRequest) -> PageResponse:
    key, file = visit.form.text("key"), visit.files.get("file")
    try:
        if file is None:
            raise InvalidInput("Choose a file.", field="file")
        asked = {"key": key, "name": file.file, "data": base64.b64encode(file.data).decode()}
        await call_once(visit, "desk.portal_upload", asked)
    except (NotFound, Unauthenticated):
        raise
    except Problem as problem:
        return await refused(visit, key, problem)
    return redirect(PREFIX + quote(key, safe=":"))
