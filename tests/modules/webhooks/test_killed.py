"""A server that is killed while it sends: nothing is lost, and what comes twice has one id."""

from pathlib import Path

import pytest

from tests.bench import webhooks


@pytest.mark.long
@pytest.mark.timeout(300)
def test_killed_in_the_middle_each_event_comes_under_one_id_and_in_order(tmp_path: Path) -> None:
    """`python -m tests.bench webhooks --kills 50` does so at length."""
    found = webhooks.run(tmp_path / "data", 0.5, hooks=2, kills=3)
    assert found["events"] > 0
