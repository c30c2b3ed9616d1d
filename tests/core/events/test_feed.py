"""The feed has one order by both roads, and tells what was stored."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from kbwork.core.events.feed import stored_payload
from tests.bench import feed


@pytest.mark.long
def test_pages_and_streams_cut_off_anywhere_tell_the_same_events_once_and_in_order(tmp_path: Path) -> None:
    found = feed.run(tmp_path / "data", 2000)
    assert found["events"] >= 1900
    assert found["member_heard"] < found["owner_heard"] <= found["events"]


def test_what_is_stored_is_read_as_it_was_emitted() -> None:
    dice = random.Random(7)
    deep: Any = 1.5
    for at in range(900):
        deep = {"a": deep} if at % 2 else [deep]
    figures = [dice.uniform(-1, 1) * 10.0 ** dice.randint(-300, 300) for _ in range(500)]
    whole = [dice.randint(-(10**40), 10**40), 0, -1, 2**63, 2**53 + 1]
    for payload in (
        {},
        {"deep": deep},
        {"n": figures, "w": whole},
        {"t": ["\U0001f98a", "\u0000", "ß", '"\\/', None, True]},
    ):
        for plain in (True, False):
            found = stored_payload(json.dumps(payload, ensure_ascii=plain))
            assert found == payload
            assert json.dumps(found) == json.dumps(payload)
