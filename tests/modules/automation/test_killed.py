"""A server that is killed while rules run: each ran once for each event."""

from pathlib import Path

import pytest

from tests.bench import automation


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_in_the_middle_each_rule_runs_once_for_each_event(tmp_path: Path) -> None:
    """`python -m tests.bench automation --kills 50` does so at length."""
    found = automation.run(tmp_path / "data", 0.3, rules=2, kills=1)
    assert found["runs"] > 0
