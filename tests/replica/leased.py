"""Servers with a lease, of which one writes."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from kbwork.db.folder import Folder, PlaceSettings
from kbwork.replica.promotion import Promotion
from kbwork.replica.target import place_settings
from kbwork.settings import ReplicateSettings, Settings
from tests.conftest import World, serving
from tests.modules.calls import eventually

LIVES_S = 2
"""So long a lease lives in tests."""


def at_folder(path: Path) -> PlaceSettings:
    """What settings say of a replica in a folder."""
    return place_settings(ReplicateSettings(to=str(path)))


def write(world: World, title: str = "Far away") -> Any:
    client = world.key("bo")
    client.retries = 0
    return client.call("issues.create", {"project": "WEB", "title": title})


def titles(world: World) -> set[str]:
    return {one["title"] for one in world.key("bo").call("issues.list", {"project": "WEB"})["items"]}


def held(world: World) -> bool:
    assert world.app is not None
    return not world.app.database.fenced


def figure(world: World, name: str) -> float:
    text = httpx2.get(f"{world.url}/metrics", timeout=10).text
    (line,) = [one for one in text.splitlines() if one.startswith(f"kbwork_replica_{name} ")]
    return float(line.split()[1])


def filled(world: World) -> bool:
    assert world.app is not None
    assert world.app.replica is not None
    return world.app.replica._held > 0 and world.app.replica.age_s == 0


def copied(world: World, folder: Path) -> Path:
    """A copy of its folder, made by another program: this process has the file open."""
    subprocess.run(["cp", "-a", str(world.folder), str(folder)], check=True, timeout=20)
    return folder


@contextmanager
def promoted(world: World, folder: Path, settings: Settings, *, as_is: bool = False) -> Iterator[World]:
    """Another server that took over."""
    held_folder = Folder(folder)
    held_folder.prepare()
    if not (folder / "master.key").exists():
        shutil.copy(world.folder / "master.key", folder)
    Promotion(settings.replicate, held_folder, os.environ, print).run(as_is=as_is)
    with serving(World(folder, world.clock, world.people), settings) as other:
        eventually(lambda: held(other))
        yield other
