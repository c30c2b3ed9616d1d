"""A place for a replica, and a program in the place of Litestream."""

import sys
from pathlib import Path

import pytest

from kbwork.replica import child, keeper, lease, tenure
from kbwork.settings import LimitSettings, ReplicateSettings, Settings
from tests.replica import fake_engine
from tests.replica.leased import LIVES_S


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A program in the place of Litestream; it knows the store of tests."""
    path = tmp_path / "litestream"
    store = f'FAKE_STORE="{tmp_path / "store"}"; export FAKE_STORE'
    path.write_text(f'#!/bin/sh\n{store}\nexec "{sys.executable}" "{fake_engine.__file__}" "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (path := tmp_path / "place").mkdir()
    return path


@pytest.fixture
def leased(engine: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """With a lease, and all in a tenth of the time."""
    monkeypatch.setattr(keeper, "_EVERY_S", 0.05)
    monkeypatch.setattr(tenure, "_EVERY_S", 0.05)
    monkeypatch.setattr(tenure, "_COUNT_S", 0.1)
    monkeypatch.setattr(lease, "LIVES_S", LIVES_S)
    monkeypatch.setattr(lease, "RENEW_S", 0.3)
    monkeypatch.setattr(lease, "_EARLY_S", 0.2)
    monkeypatch.setattr(child, "_PAUSES_S", (0.05,))
    at = ReplicateSettings(to=str(place), engine=str(engine), lease=True)
    return Settings(limits=LimitSettings(enabled=False), replicate=at)
