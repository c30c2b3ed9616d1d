"""Schemathesis, which knows only a document."""

import os
import subprocess
import sys
from pathlib import Path

_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
)
_SETTINGS = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 502]
"""
"""What is too large is refused before it is looked at; that is no fault of the server. Nor is it one that nobody
answers elsewhere, which is 502."""
_RUN = """
import gc, sys
gc.set_threshold(50_000, 50, 100)
sys.argv[0] = "schemathesis"
from schemathesis.cli import schemathesis
schemathesis()
"""
"""It makes much and keeps much: to look it all through for garbage again and again takes a tenth of the time."""


def faults(document_url: str, token: str, folder: Path) -> str:
    """What it says of the answers that are off this document; an empty text where none is.

    No 5xx, no status or shape that is not described, nothing malformed that is taken. Most inputs are made of the
    bounds and kinds of each field, 63 for an operation; one more is drawn, always the same: three took a fifth longer.
    """
    command = [
        *(sys.executable, "-c", _RUN, "run", document_url),
        *("--header", f"Authorization: Bearer {token}"),
        *("--workers", "1", "--max-examples", "1", "--seed", "1", "--generation-database", "none"),
        *("--checks", ",".join(_CHECKS)),
    ]
    (folder / "schemathesis.toml").write_text(_SETTINGS)
    # It looks through all of them for proxies at each request.
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    found = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=900, check=False
    )
    return "" if found.returncode == 0 else found.stdout[-6000:] + found.stderr[-2000:]
