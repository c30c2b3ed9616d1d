"""Signing in by device code: a person approves the code in a browser, and a key comes back."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from kbwork.client.client import ApiClient
from kbwork.client.errors import NotSignedIn
from kbwork.client.profile import Profile, store

_SLOWER_S = 5
"""What RFC 8628 adds to the interval when the server says `slow_down`."""


def tell(text: str) -> None:
    """To the person, apart from results."""
    sys.stderr.write(text + "\n")


def sign_in(
    url: str, *, profile: str = "default", scopes: list[str] | None = None, show: Callable[[str], None] = tell
) -> Profile:
    """Get a key and store it as a profile. `show` gets the text that the person has to read.

    Raises NotSignedIn when the code was denied or ran out.
    """
    client = ApiClient(url, key="")
    asked: dict[str, Any] = {"client": "kbwork command line"}
    if scopes is not None:
        asked["scopes"] = scopes
    started = client.call("auth.device_start", asked)
    code = started["user_code"]
    link = f"{client.url}{started['verification_path']}?code={code}"
    show(f"Open this link in a browser and approve the code {code}:\n{link}")
    token = _wait(client, started)
    made = Profile(profile, client.url, token)
    store(made)
    client.close()
    return made


def _wait(client: ApiClient, started: dict[str, Any]) -> str:
    interval_s = started["interval"]
    ends = time.monotonic() + started["expires_in"]
    while time.monotonic() < ends:
        answer = client.call("auth.device_poll", {"device_code": started["device_code"]})
        state = answer["state"]
        if state == "approved":
            return str(answer["token"])
        if state == "denied":
            raise NotSignedIn("The code was denied in the browser.")
        if state == "expired":
            break
        if state == "slow_down":
            interval_s += _SLOWER_S
        time.sleep(interval_s)
    raise NotSignedIn("The code ran out before it was approved; sign in again.")
