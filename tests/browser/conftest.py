"""One Chromium for the tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import PATIENCE_S, Emptied, Visitor, installed, started
from tests.conftest import PASSWORD, World

SignedIn = Callable[[str], Visitor]
expect.set_options(timeout=PATIENCE_S * 1_000)
FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A story of a hundred steps in a browser is tried once more: what fails twice is a fault, and what failed once is
    told at the end of the run.
    """
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Ended with this folder's last test: while it runs, its thread has a loop of asyncio."""
    path = installed()
    if path is None:
        pytest.skip("no Chromium to test with")
    with started(path) as browser:
        yield browser


@pytest.fixture(scope="package")
def emptied(chromium: Browser) -> Emptied:
    return Emptied(chromium)


@pytest.fixture
def signed_in(world: World, emptied: Emptied) -> Iterator[SignedIn]:
    """Opens a browser of somebody who has just signed in."""
    with ExitStack() as open_:

        def sign_in(handle: str) -> Visitor:
            visitor = open_.enter_context(emptied.visiting(world.url))
            visitor.sign_in(f"{handle}@acme.example", PASSWORD)
            return visitor

        yield sign_in


@pytest.fixture
def arriving(world: World, emptied: Emptied) -> Iterator[SignedIn]:
    """Opens a browser of somebody who signed in before, on a page that is no more: to draw that page, and the one
    behind it, is half of what a short story costs.
    """
    with ExitStack() as open_:

        def arrive(handle: str) -> Visitor:
            visitor = open_.enter_context(emptied.visiting(world.url))
            answer = visitor.context.request.post(
                f"{world.url}/signin",
                form={"email": f"{handle}@acme.example", "password": PASSWORD},
                headers={"Origin": world.url},
                max_redirects=0,
            )
            assert answer.status == 303
            return visitor

        yield arrive
