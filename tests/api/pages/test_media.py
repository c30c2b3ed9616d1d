"""Pictures and files that stand at paths of their own: how often who is not signed in asks for them."""

import httpx2
import pytest

from kbwork.settings import LimitSettings, Settings
from tests.conftest import World
from tests.modules.calls import call

BURST, READ_BURST = 3, 8


@pytest.fixture
def settings() -> Settings:
    return Settings(
        limits=LimitSettings(
            public_burst=BURST, public_per_second=0.01, read_burst=READ_BURST, read_per_second=0.01
        )
    )


def statuses(world: World, path: str, **headers: str) -> list[int]:
    return [httpx2.get(world.url + path, headers=headers, timeout=20).status_code for _ in range(BURST + 2)]


@pytest.mark.parametrize(
    "path", ["/files/a.b", "/files/a.b?w=64", "/backups/a.b", "/logo", "/desk-logos/WEB"]
)
def test_who_is_not_signed_in_asks_for_no_more_files_than_for_all_else(world: World, path: str) -> None:
    assert statuses(world, path) == [404] * BURST + [429] * 2
    late = httpx2.get(world.url + path, timeout=20)
    assert int(late.headers["retry-after"]) > 0


def test_what_is_found_counts_as_a_read_and_nothing_of_those_who_are_signed_in(world: World) -> None:
    issue = call(world, "cy", "issues.create", project="WEB", title="Files")["key"]
    file = call(world, "cy", "attachments.add", subject=issue, name="a.txt", data="b2thcGk=")
    link = call(world, "cy", "attachments.get", id=file["id"], as_url=True)["url"]
    assert statuses(world, link) == [200] * (BURST + 2)
    assert statuses(world, link) == [200] * (READ_BURST - BURST - 2) + [429] * 2
    signed_in = {"Authorization": f"Bearer {world.people['cy'].session}"}
    assert statuses(world, "/files/a.b", **signed_in) == [404] * (BURST + 2)
    assert statuses(world, "/files/a.b") == [404] * BURST + [429] * 2
