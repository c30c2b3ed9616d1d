"""Patches of flags in a server that is killed: each is there whole or not at all."""

from pathlib import Path

import pytest

from tests.bench import patches


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_in_the_middle_no_half_patch_stands_and_no_version_is_used_twice(tmp_path: Path) -> None:
    """`python -m tests.bench patches` does so at length."""
    told: list[str] = []
    found = patches.run(tmp_path / "data", 4, report=told.append)
    assert found["rounds"] == len(told) == 4
    assert found["acknowledged"] > 0
