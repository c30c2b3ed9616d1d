"""Approving a device: a command line or an editor that asks to be let in by a code."""

from typing import Any

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse
from kbwork.api.pages.scopes import grouped, in_use, told
from kbwork.base.errors import InvalidInput, NotFound, Problem


async def show_device(visit: PageRequest) -> PageResponse:
    """Ask for the code, or show what the device with this code asks for."""
    await visit.me()
    code = visit.query.text("code").strip().upper()
    if not code:
        return render(visit, "device.html", code="")
    try:
        info = await _info(visit, code)
    except Problem as problem:
        return render_refused(visit, "device.html", problem, code=code)
    return render(visit, "device_ask.html", **_asked(code, info, info["scopes"]))


async def decide_device(visit: PageRequest) -> PageResponse:
    """Let it in with the scopes that were chosen, or deny it."""
    await visit.me()
    code, approve = visit.form.text("code"), visit.form.text("decision") == "approve"
    chosen = visit.form.all("scopes")
    try:
        info = await _info(visit, code)
    except Problem as problem:
        return render_refused(visit, "device.html", problem, code=code)
    fields: dict[str, Any] = {"user_code": code, "approve": approve}
    if approve and info["scopes"]:
        fields["scopes"] = chosen
    try:
        _require_choice(fields)
        await visit.call("auth.device_approve", fields)
    except InvalidInput as problem:
        return render_refused(visit, "device_ask.html", problem, **_asked(code, info, chosen))
    except NotFound as problem:
        return render_refused(visit, "device.html", problem, code=code)
    return render(visit, "device_done.html", approved=approve, client=info["client"])


async def _info(visit: PageRequest, code: str) -> dict[str, Any]:
    """What the device asks for, as far as it opens something."""
    info: dict[str, Any] = await visit.call("auth.device_info", {"user_code": code})
    return {**info, "scopes": in_use(info["scopes"], visit.used_scopes)}


def _require_choice(fields: dict[str, Any]) -> None:
    if fields.get("scopes") == []:
        raise InvalidInput("Choose at least one thing that it may do, or deny it.", field="scopes")


def _asked(code: str, info: dict[str, Any], chosen: list[str]) -> dict[str, Any]:
    return {
        "code": code,
        "info": info,
        "groups": grouped(info["scopes"]),
        "chosen": set(chosen),
        "told": told,
    }
