"""The web app: one page at each of its addresses, and the files that it is made of."""

import re
from functools import cache
from pathlib import Path

import kbwork
from kbwork.api.pages import home
from kbwork.api.pages.request import PageRequest
from kbwork.api.pages.response import PageResponse, lasting, redirect
from kbwork.base.errors import NotFound, Unauthenticated

_BUILT = Path(kbwork.__file__).parent / "web" / "app"
"""What is built from `static/app` when kbwork is installed."""
_PLACE = re.compile(
    r"/(?:issues(?:/[^/]+)?|projects(?:/[^/]+(?:/board)?)?|sprints/\d+(?:/board)?|views/\d+|(?:flags|inbox|pages|requests|settings|spaces)(?:/[^/]+)*)?",
    re.ASCII,
)
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
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
