"""The files that pages need: read once, sent with their ETag."""

from functools import cache
from pathlib import Path

import kbwork
from kbwork.api.pages.response import PageResponse, lasting, redirect
from kbwork.base.errors import NotFound
from kbwork.contract import FOLDER

_STATIC = Path(__file__).parent / "static"
_CLIENTS = Path(kbwork.__file__).parent / "web" / "clients"
"""What is built from `static` when kbwork is installed."""
_PACKAGES = ("kbwork-client", "flags")
_EXTENSION = "kbwork.vsix"
_VECTORS = "flag-vectors.json"
_FOR_ALL = {"Access_Control_Allow_Origin": "*"}
"""Pages of any origin may import what is built for them; it is the same for everybody, and says nothing of the org."""
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".tgz": "application/gzip",
    ".txt": "text/plain; charset=utf-8",
    ".vsix": "application/vsix",
}


@cache
def _files() -> dict[str, PageResponse]:
    found = (path for path in _STATIC.iterdir() if path.suffix in _KINDS)
    return {path.name: lasting(path.read_bytes(), _KINDS[path.suffix]) for path in found}


def file(name: str) -> PageResponse:
    """A style sheet, script or picture. Raises NotFound."""
    answer = _files().get(name)
    if answer is None:
        raise NotFound(f"There is no file {name}.")
    return answer


@cache
def client() -> PageResponse:
    """The one-file Python client, to be saved."""
    return lasting(
        (FOLDER / "kbwork_client.py").read_bytes(),
        "text/x-python; charset=utf-8",
        Content_Disposition='attachment; filename="kbwork.py"',
    )


def client_file(name: str) -> PageResponse:
    """The TypeScript client or the flag library, as a package for npm or a module, without a version where it is.

    Or the flag library for Python, as a wheel; or the extension for editors; or the questions with answers that a flag
    library is held to.

    Raises NotFound.
    """
    stem, dot, kind = name.rpartition(".")
    if stem in _PACKAGES and f"{stem}-{kbwork.__version__}{dot}{kind}" in _client_files():
        return redirect(f"/clients/{stem}-{kbwork.__version__}{dot}{kind}", **_FOR_ALL)
    answer = (_wheels() if kind == "whl" else _client_files()).get(name)
    if answer is None:
        raise NotFound(
            f"There is no {name}: see /docs/typescript, /docs/howto-editor and /docs/flags-clients for what there is."
        )
    return answer


@cache
def _client_files() -> dict[str, PageResponse]:
    patterns = (*(f"{stem}-*" for stem in _PACKAGES), _EXTENSION)
    built = (path for pattern in patterns for path in sorted(_CLIENTS.glob(pattern)))
    return {
        path.name: lasting(path.read_bytes(), _KINDS[path.suffix], **_FOR_ALL)
        for path in (*built, FOLDER / _VECTORS)
    }


@cache
def _wheels() -> dict[str, PageResponse]:
    from kbwork.api.sdk import wheel  # noqa: PLC0415 - a start packs none, and what does takes 4 ms to import

    return {wheel.NAME: lasting(wheel.flag_wheel(), "application/zip")}


@cache
def openapi() -> PageResponse:
    """The contract."""
    return lasting((FOLDER / "openapi.json").read_bytes(), "application/json")
