"""A data folder at work without a door."""

import asyncio
import shutil
from pathlib import Path

import pytest

from kbwork.app import LocalApp, open_data
from kbwork.base.clock import FixedClock
from tests.conftest import NOW, Person


def test_its_calls_need_no_key_although_access_moves_meanwhile(
    template: tuple[Path, dict[str, Person]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does while the jobs that they started make members and projects."""
    shutil.copytree(template[0], tmp_path / "data")
    database = open_data(tmp_path / "data", FixedClock(NOW))
    monkeypatch.setattr(database, "access_moved", lambda _: True)

    async def go() -> list[str]:
        alone = LocalApp(database, FixedClock(NOW))
        await alone.start()
        try:
            await alone.call("projects.create", {"key": "NEW", "name": "New"})
            found = await alone.call("jobs.list", {})
            assert found == []
            return [one["key"] for one in await alone.call("projects.list", {})]
        finally:
            await alone.stop()

    try:
        assert "NEW" in asyncio.run(go())
    finally:
        database.close()
