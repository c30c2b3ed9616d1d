"""A fuzzer that knows only the document finds no fault in the server."""

from pathlib import Path

import pytest

from tests.conftest import World
from tests.contract import fuzzer


@pytest.mark.long
@pytest.mark.timeout(950)
def test_no_answer_is_off_the_document(world: World, tmp_path: Path) -> None:
    assert fuzzer.faults(f"{world.url}/api/v1/openapi.json", world.people["ana"].key, tmp_path) == ""
