"""Signing in by device code: a person approves the code in a browser, and a key comes back."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from kbwork.client.client import ApiClient
from kbwork.client.errors import KbworkProblem, NotSignedIn, Unreachable
from kbwork.client.profile import Profile, store

_SLOWER_S = 5
"""What RFC 8628 adds to the interval when the server says `slow_down`."""
_PASSING = (429, 500, 502, 503, 504)
"""Statuses of a server that is busy or starts anew: the code is as good afterwards."""


def tell(text: str) -> None:
    """To the person, apart from results."""
    sys.stderr.write(text + "\n")


def sign_in(
    url: str,
    *,
    profile: str = "default",
    scopes: list[str] | None = None,
    admin: bool = False,
    show: Callable[[str], None] = tell,
) -> Profile:
    """Get a key and store it as a profile. `show` gets the texts that the person has to read.

    `admin`: with the rights of an admin, too, where the person has them. Raises NotSignedIn when the code was denied or
    ran out.
    """
    client = ApiClient(url, key="")
    asked: dict[str, Any] = {"client": "kbwork command line"}
    if scopes is not None:
        asked["scopes"] = scopes
    if admin:
        asked["admin"] = True
    started = client.call("auth.device_start", asked)
    code = started["user_code"]
    link = f"{client.url}{started['verification_path']}?code={code}"
    show(f"Open this link in a browser and approve the code {code}:\n{link}")
    if sys.stderr.isatty() and (drawn := picture(link)):
        show(drawn)
    show(f"Waiting until you have, for {round(started['expires_in'] / 60)} minutes at most; Ctrl-C ends it.")
    token = _wait(client, started, show)
    made = Profile(profile, client.url, token)
    store(made)
    client.close()
    return made


def picture(link: str) -> str:
    """The link for the camera of a phone, where what draws it is installed and the link is not of this machine."""
    if urlsplit(link).hostname in ("127.0.0.1", "localhost", "::1"):
        return ""
    try:
        import segno
    except ImportError:
        return ""
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


def _wait(client: ApiClient, started: dict[str, Any], show: Callable[[str], None]) -> str:
    interval_s = started["interval"]
    ends = time.monotonic() + started["expires_in"]
    gone = False
    while time.monotonic() < ends:
        answer = _asked(client, started["device_code"])
        if (answer is None) != gone:
            gone = not gone
            show("The server does not answer: trying on." if gone else "It is there again.")
        state = answer["state"] if answer is not None else "pending"
        if answer is not None and state == "approved":
            return str(answer["token"])
        if state == "denied":
            raise NotSignedIn("The code was denied in the browser.")
        if state == "expired":
            break
        if state == "slow_down":
            interval_s += _SLOWER_S
        time.sleep(interval_s)
    raise NotSignedIn("The code ran out before it was approved; sign in again.")


def _asked(client: ApiClient, device_code: str) -> dict[str, Any] | None:
    """What became of the code; None where nobody answers for now."""
    try:
        found: dict[str, Any] = client.call("auth.device_poll", {"device_code": device_code})
    except Unreachable:
        return None
    except KbworkProblem as problem:
        if problem.status in _PASSING:
            return None
        raise
    return found
