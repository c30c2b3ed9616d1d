"""A mail server on this machine, and a server of ours whose operator lists it."""

from collections.abc import Iterator

import pytest

from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.worker.test_mail import Inbox, listening


class FarEnd(Inbox):
    """What it took, and the port that it listens on."""

    port = 0


@pytest.fixture
def far() -> Iterator[FarEnd]:
    found = FarEnd()
    with listening(found) as found.port:
        yield found


@pytest.fixture
def settings(far: FarEnd) -> Settings:
    allowed = (f"127.0.0.1:{far.port}",)
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=allowed))
