"""A restore that is killed: what is served afterwards is whole, and nothing acknowledged is lost."""

from pathlib import Path

import pytest

from tests.bench import restore


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_at_any_moment_the_data_are_the_old_ones_or_the_new_ones(tmp_path: Path) -> None:
    """`python -m tests.bench restoring` does so at length."""
    told: list[str] = []
    found = restore.run(tmp_path, 5, report=told.append)
    assert sum(found.values()) == len(told) == 5
