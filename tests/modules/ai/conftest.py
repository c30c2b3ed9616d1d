"""A provider that records, and a server whose operator lists it."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.modules.ai.recorder import Recorder


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    with closing(Recorder()) as made:
        yield made


@pytest.fixture
def settings(recorder: Recorder) -> Settings:
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(recorder.place,)))
