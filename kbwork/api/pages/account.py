"""One's own account: sessions, password, passkeys, second factor."""

from typing import Any

from kbwork.api.pages.render import render, render_refused
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, redirect
from kbwork.api.pages.scopes import worded
from kbwork.api.pages.sign_in import providers, signed
from kbwork.base.errors import InsufficientScope, InvalidInput, NotAllowed, NotFound, Problem

_OTPAUTH = "otpauth://totp/"


async def show_sessions(visit: PageRequest) -> PageResponse:
    """Where one is signed in."""
    await visit.me()
    return render(visit, "sessions.html", **await places(visit))


async def revoke_session(visit: PageRequest) -> PageResponse:
    """End one session, or all others."""
    await visit.me()
    try:
        await visit.call("auth.session_revoke", {"id": visit.form.text("id")})
    except Problem as problem:
        return render_refused(visit, "sessions.html", problem, **await places(visit))
    return redirect("/sessions")


async def places(visit: PageRequest) -> dict[str, Any]:
    """Where one is signed in, and what was connected."""
    return {
        "sessions": await visit.call("auth.sessions"),
        "grants": await visit.call("auth.grants"),
        "worded": worded,
    }


async def show_account(visit: PageRequest) -> PageResponse:
    """Name, password, passkeys, second factor."""
    await visit.me()
    return render(visit, "account.html", done=visit.query.text("done"), **await _held(visit))


async def _refused(visit: PageRequest, problem: Problem) -> PageResponse:
    """The same page with what was wrong."""
    return render_refused(visit, "account.html", problem, done="", **await _held(visit))


async def _held(visit: PageRequest) -> dict[str, Any]:
    return {
        "passkeys": await visit.call("auth.passkeys"),
        "providers": await providers(visit),
        **await _chats(visit),
    }


async def _chats(visit: PageRequest) -> dict[str, Any]:
    """The chats that are connected, and one's accounts there; none for guests, and where the module is off."""
    try:
        return {
            "chats": {one["id"]: one["name"] for one in await visit.call("chat.connections")},
            "accounts": await visit.call("members.chat_accounts"),
        }
    except (InsufficientScope, NotAllowed, NotFound):
        return {"chats": {}, "accounts": []}


async def change_password(visit: PageRequest) -> PageResponse:
    """Take a new password; other sessions end."""
    await visit.me()
    try:
        await visit.call("auth.password_change", visit.form.only("current", "password"))
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=password")


async def add_passkey(visit: PageRequest) -> PageResponse:
    """Add a passkey that the script of the page had made."""
    await visit.me()
    try:
        await visit.call("auth.passkey_add", {"name": visit.form.text("name"), **signed(visit)})
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=passkey")


async def delete_passkey(visit: PageRequest) -> PageResponse:
    """Remove a passkey."""
    await visit.me()
    try:
        await visit.call("auth.passkey_delete", visit.form.only("id"))
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=passkey-off")


async def unlink_provider(visit: PageRequest) -> PageResponse:
    """Take an account elsewhere away."""
    await visit.me()
    try:
        await visit.call("auth.provider_unlink", visit.form.only("provider"))
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=unlinked")


async def link_chat(visit: PageRequest) -> PageResponse:
    """Take an account on a chat platform as one's own, by the code that was handed out there."""
    await visit.me()
    try:
        await visit.call("members.chat_link", visit.form.only("code"))
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=chat")


async def unlink_chat(visit: PageRequest) -> PageResponse:
    """Have it be one's own no more."""
    await visit.me()
    try:
        number = visit.form.text("id")
        await visit.call("members.chat_unlink", {"id": int(number) if number.isdecimal() else 0})
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=chat-off")


async def begin_factor(visit: PageRequest) -> PageResponse:
    """A new secret for the app, as a picture and as text."""
    await visit.me()
    try:
        begun = await visit.call("auth.totp_begin")
    except Problem as problem:
        return await _refused(visit, problem)
    return render(visit, "factor.html", **_picture(begun["uri"], begun["secret"]))


async def confirm_factor(visit: PageRequest) -> PageResponse:
    """Take the first code; the recovery codes are in the answer and nowhere else."""
    await visit.me()
    form = visit.form
    try:
        made = await visit.call("auth.totp_confirm", {"code": "".join(form.text("code").split())})
    except Problem as problem:
        return render_refused(
            visit, "factor.html", problem, **_picture(form.text("uri"), form.text("secret"))
        )
    return render(visit, "recovery.html", codes=made["recovery_codes"])


async def disable_factor(visit: PageRequest) -> PageResponse:
    """Take the second factor away."""
    await visit.me()
    try:
        await visit.call("auth.totp_disable")
    except Problem as problem:
        return await _refused(visit, problem)
    return redirect("/account?done=factor-off")


def _picture(uri: str, secret: str) -> dict[str, Any]:
    """The QR code of a secret. Raises InvalidInput where the form was altered."""
    if not uri.startswith(_OTPAUTH) or len(uri) > 1000:
        raise InvalidInput("The form does not fit any more: begin again on your account's page.")
    import segno  # noqa: PLC0415 - for this page alone

    picture = segno.make(uri, error="m").svg_data_uri(scale=5, border=3, dark="#000", light="#fff")
    return {"picture": picture, "uri": uri, "secret": secret}
