"""What is built from `static`, for tests of it."""

from pathlib import Path

import pytest

import kbwork
from kbwork._build import build, is_of_today, system_node

ROOT = Path(kbwork.__file__).parents[1]


@pytest.fixture(scope="session")
def node() -> str:
    """The system's Node. What is built from `static` is built here where it is not of today."""
    found = system_node()
    if found is None:
        pytest.skip("no Node 20 or newer to test with")
    if not (ROOT / "static" / "node_modules" / "typescript").exists():
        pytest.skip("static was not installed whole: pip install -e . does it")
    if not is_of_today(ROOT):
        build(ROOT, whole=True)
    return found
