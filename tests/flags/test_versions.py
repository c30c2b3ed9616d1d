"""The client library behind caches: it asks for the version that the stream names, until it has it."""

from collections.abc import Iterator

import pytest

from kbwork.flags import Client, follower
from tests.flags.service import Service, flag, made, sealed, served
from tests.modules.calls import eventually


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "SPREAD_S", 0.0)
    monkeypatch.setattr(follower, "FIRST_WAIT_S", 0.05)


@pytest.fixture
def service() -> Iterator[Service]:
    with served() as found:
        yield found


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with made(service) as found:
        assert found.ready()
        eventually(lambda: found.status.connected)
        eventually(lambda: _rests(found))
        yield found


def _rests(client: Client) -> bool:
    """Whether what asks beside the stream has had its first turn: it would ask for no version."""
    return bool(client._feed._wanted._cond._waiters)  # type: ignore[attr-defined]


def test_a_change_is_asked_for_by_the_version_that_it_names(service: Service, client: Client) -> None:
    assert set(service.wanted) <= {None, "1"}  # whichever was sooner, the stream's first word or the asking
    service.change(on=flag(on=False))
    eventually(lambda: client.version == 2)
    assert service.wanted[-1] == "2"
    assert service.since[-1] == "1"


def test_what_a_cache_has_kept_is_asked_for_again_until_the_version_is_there(
    service: Service, client: Client
) -> None:
    service.older = [sealed(service.content(), service.version)] * 3
    service.change(on=flag(on=False))
    eventually(lambda: client.version == 2)
    assert service.older == []
    assert service.wanted[-4:] == ["2"] * 4
    eventually(lambda: client.status.last_error is None)


def test_while_it_has_an_older_one_nobody_has_said_that_this_is_so(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "FIRST_WAIT_S", 60.0)
    before = client._feed._confirmed_at  # type: ignore[attr-defined]
    service.older = [sealed(service.content(), service.version)]
    service.change(on=flag(on=False))
    eventually(lambda: service.wanted[-1] == "2")
    eventually(lambda: client._feed._spoiled)  # type: ignore[attr-defined]
    assert client._feed._confirmed_at == before  # type: ignore[attr-defined]
    assert client.version == 1


def test_a_version_that_came_meanwhile_is_as_good(service: Service, client: Client) -> None:
    service.version += 1
    service.change(on=flag(on=False))
    service.say("change", {"version": 2, "flags": [], "segments": []})
    eventually(lambda: client.version == 3)
    eventually(lambda: client.status.connected and client.status.last_error is None)
