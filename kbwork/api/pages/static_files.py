"""The files that pages need: read once, sent with their ETag."""

from functools import cache
from pathlib import Path

from kbwork.api.pages.response import PageResponse, lasting
from kbwork.base.errors import NotFound
from kbwork.contract import FOLDER

_STATIC = Path(__file__).parent / "static"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
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


@cache
def openapi() -> PageResponse:
    """The contract."""
    return lasting((FOLDER / "openapi.json").read_bytes(), "application/json")
