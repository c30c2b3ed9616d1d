"""What the flag REST says where it is asked too often, and how every refusal of an operation is told."""

import pytest

from kbwork.api.flags.errors import Refusals
from kbwork.base.errors import InvalidInput, Problem, RateLimited, every_problem
from kbwork.settings import LimitSettings, Settings
from tests.api.flags.requests import ask, session
from tests.conftest import World

CODES = {
    400: "invalid_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "invalid_request",
    409: "conflict",
    413: "invalid_request",
    415: "invalid_request",
    429: "rate_limited",
    500: "internal",
    503: "unavailable",
}


@pytest.fixture
def settings() -> Settings:
    return Settings(
        limits=LimitSettings(read_burst=3, read_per_second=0.01, write_burst=1, write_per_second=0.01)
    )


def test_who_asks_too_often_is_told_when_to_come_again(world: World) -> None:
    token = session(world)
    left = [ask(world, token, "GET", "/orgs/1/projects").headers["ratelimit-remaining"] for _ in range(3)]
    assert left == ["2", "1", "0"]
    late = ask(world, token, "GET", "/orgs/1/projects")
    assert (late.status, late.code) == (429, "rate_limited")
    assert int(late.headers["retry-after"]) > 0
    assert ask(world, token, "POST", "/orgs/1/projects", {"key": "a"}, Idempotency_Key="k").status == 201
    assert ask(world, token, "POST", "/orgs/1/projects", {"key": "b"}).code == "rate_limited"
    platform = ask(world, token, "GET", "//api/orgs/1/members")
    assert (platform.status, platform.headers["content-type"]) == (429, "application/problem+json")


OF_OPERATIONS = [kind for kind in every_problem() if kind.__module__ == "kbwork.base.errors"]


@pytest.mark.parametrize("kind", OF_OPERATIONS, ids=lambda kind: kind.slug)
def test_every_refusal_has_a_status_and_a_code_of_the_contract(kind: type[Problem]) -> None:
    problem = RateLimited("Slow down", retry_after_s=1) if kind is RateLimited else kind("It is so.")
    status, body = Refusals([]).told(problem, None, "r1", by_key=False)
    assert body["error"]["code"] == CODES[status]
    assert body["error"]["message"].startswith(problem.detail)
    if isinstance(problem, InvalidInput):
        assert status == 400
