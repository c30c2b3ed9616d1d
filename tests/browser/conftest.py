"""One Chromium for the tests of this folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import Visitor, installed, started, visiting
from tests.conftest import PASSWORD, World

SignedIn = Callable[[str], Visitor]
expect.set_options(timeout=20_000)
"""So long a screen is waited for on a machine that has other things to do, too."""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Ended with this folder's last test: while it runs, its thread has a loop of asyncio."""
    path = installed()
    if path is None:
        pytest.skip("no Chromium to test with")
    with started(path) as browser:
        yield browser


@pytest.fixture
def signed_in(world: World, chromium: Browser) -> Iterator[SignedIn]:
    """Opens a browser of somebody who has just signed in."""
    with ExitStack() as open_:

        def sign_in(handle: str) -> Visitor:
            visitor = open_.enter_context(visiting(chromium, world.url))
            visitor.sign_in(f"{handle}@acme.example", PASSWORD)
            return visitor

        yield sign_in
