"""The feed has one order by both roads."""

from pathlib import Path

import pytest

from tests.bench import feed


@pytest.mark.long
def test_pages_and_streams_cut_off_anywhere_tell_the_same_events_once_and_in_order(tmp_path: Path) -> None:
    found = feed.run(tmp_path / "data", 2000)
    assert found["events"] >= 1900
    assert found["member_heard"] < found["owner_heard"] <= found["events"]
