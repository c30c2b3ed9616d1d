"""A receiver at the far end of a wire, and a server whose operator lists its address."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.modules.webhooks.receiver import Receiver


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with closing(Receiver()) as made:
        yield made


@pytest.fixture
def settings(receiver: Receiver) -> Settings:
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(receiver.place,)))
