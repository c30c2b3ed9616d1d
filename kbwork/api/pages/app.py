"""The web app: one page at each of its addresses, and the files that it is made of."""

import re
from functools import cache
from pathlib import Path

import kbwork
from kbwork.api.pages import home
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, lasting, redirect
from kbwork.base.errors import InsufficientScope, NotFound, Unauthenticated
from kbwork.base.urls import origin_of, parts_of

_BUILT = Path(kbwork.__file__).parent / "web" / "app"
"""What is built from `static/app` when kbwork is installed."""
_PLACE = re.compile(
    r"/(?:issues(?:/[^/]+)?|projects|(?:projects/[^/]+|sprints/\d+)(?:/(?:board|table|calendar|timeline))?|views/\d+"
    r"|(?:boards|flags|inbox|pages|requests|search|settings|spaces)(?:/[^/]+)*)?",
    re.ASCII,
)
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
_NAMED = re.compile(r"https?://[a-z0-9.-]+(?::\d+)?", re.ASCII | re.IGNORECASE)
_FOR_EVER = "public, max-age=31536000, immutable"
"""A file has its digest in its name."""


def is_place(path: str) -> bool:
    """Whether the app has a screen there."""
    return _PLACE.fullmatch(path) is not None


async def show_app(visit: PageRequest) -> PageResponse:
    """The app, for who is signed in and reads issues; for others the ways to connect, where the rest is said.

    Raises Unauthenticated.
    """
    me = await visit.me_or_none()
    if me is None:
        if visit.path == "/":
            return redirect("/signin")
        raise Unauthenticated("Sign in to see this page.")
    page = _page()
    if page is None or "issues:read" not in me["scopes"]:
        return await home.show_home(visit) if visit.path == "/" else redirect("/connect")
    return page


@cache
def _page() -> PageResponse | None:
    """None: installed without the web files."""
    path = _BUILT / "index.html"
    return lasting(path.read_bytes()) if path.exists() else None


@cache
def _files() -> dict[str, PageResponse]:
    found = (path for path in _BUILT.glob("*-*") if path.suffix in _KINDS)
    return {
        path.name: lasting(path.read_bytes(), _KINDS[path.suffix], Cache_Control=_FOR_EVER) for path in found
    }


def worker() -> PageResponse:
    """The service worker, which may stand before every page of this origin. Raises NotFound."""
    return _built("worker.js", _KINDS[".js"])


async def show_asker(visit: PageRequest) -> PageResponse:
    """The worker that asks models by a key of a person's own: what it may reach is what admins said that browsers ask.

    The pages themselves reach this server alone. Raises NotFound, Unauthenticated.
    """
    await visit.me()
    script = _built("asker.js", _KINDS[".js"])
    reached = " ".join(await _asked_by_browsers(visit)) or "'none'"
    policy = f"default-src 'none'; connect-src {reached}"
    headers = {"Content-Security-Policy": policy, "Cache-Control": "private, no-store"}
    return PageResponse(script.body, kind=script.kind, headers=headers)


async def _asked_by_browsers(visit: PageRequest) -> list[str]:
    """Origins of the providers of models that browsers may ask."""
    try:
        policy = await visit.call("ai.policy")
    except (InsufficientScope, NotFound):  # the module is switched off
        return []
    if not (policy["enabled"] and policy["browser_keys"]):
        return []
    asked = (one["base_url"] for one in policy["providers"] if one["enabled"] and one["browser"])
    return sorted({origin for url in asked if (origin := _origin(url)) is not None})


def _origin(url: str) -> str | None:
    """As a policy names it; None for one that no policy can name."""
    parts = parts_of(url)
    origin = origin_of(parts) if parts is not None else ""
    return origin if _NAMED.fullmatch(origin) else None


def manifest() -> PageResponse:
    """What a browser reads that installs the app. Raises NotFound."""
    return _built("manifest.webmanifest", "application/manifest+json")


@cache
def _built(name: str, kind: str) -> PageResponse:
    """A file that keeps its name when it changes. Raises NotFound."""
    path = _BUILT / name
    if not path.exists():
        raise NotFound("kbwork was installed without the web files.")
    return lasting(path.read_bytes(), kind)


def file(name: str) -> PageResponse:
    """A script or style sheet of the app. Raises NotFound."""
    answer = _files().get(name)
    if answer is None:
        raise NotFound(f"There is no file {name}: load the page again, the app is of a newer version.")
    return answer
