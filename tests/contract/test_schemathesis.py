"""A fuzzer that knows only the document finds no fault in the server."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import World

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
)


@pytest.mark.long
@pytest.mark.timeout(450)
def test_no_answer_is_off_the_document(world: World, tmp_path: Path) -> None:
    """No 5xx, no status or shape that is not described, nothing malformed that is taken."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        "run",
        f"{world.url}/api/v1/openapi.json",
        "--header",
        f"Authorization: Bearer {world.people['ana'].key}",
        "--workers",
        "1",
        "--max-examples",
        "5",
        "--checks",
        ",".join(CHECKS),
        "--seed",
        "1",
    ]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=400, check=False)
    assert found.returncode == 0, found.stdout[-6000:]
