"""Rate limits: by key, told in headers, and not for replays."""

import pytest

from kbwork.settings import LimitSettings, Settings
from tests.api.test_rest import ask, key
from tests.conftest import World


@pytest.fixture
def settings() -> Settings:
    """Three writes and four reads at once, then one in a hundred seconds."""
    return Settings(
        limits=LimitSettings(write_burst=3, write_per_second=0.01, read_burst=4, read_per_second=0.01)
    )


def test_who_asks_too_often_is_told_when_to_come_back(world: World) -> None:
    found = [ask(world, "/api/v1/labels.save", b"{}", Authorization=key(world)) for _ in range(4)]
    assert [status for status, _, _ in found] == [422, 422, 422, 429]
    headers = found[-1][1]
    assert (headers["ratelimit-limit"], headers["ratelimit-remaining"]) == ("3", "0")
    assert 99 <= int(headers["retry-after"]) <= 100
    assert ask(world, "/api/v1/labels.save", b"{}", Authorization=key(world, "bo"))[0] == 422
    assert ask(world, "/api/v1/labels.list", Authorization=key(world))[0] == 200


def test_a_replay_does_not_count(world: World) -> None:
    call = {"Authorization": key(world), "Idempotency_Key": "k"}
    statuses = [ask(world, "/api/v1/labels.save", b'{"name": "x"}', **call)[0] for _ in range(6)]
    assert statuses == [200] * 6
