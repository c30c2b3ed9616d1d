"""Looking at an import that is being fetched, from outside and from inside."""

import json
import subprocess
from typing import Any

from tests.conftest import World
from tests.far_server import Answer
from tests.modules.calls import call, refused
from tests.modules.imports.github_archives import ended


def why_failed(world: World, found: dict[str, Any]) -> str:
    """What a fetch that is refused says, which the log of the import says, too."""
    job = ended(world, found["job"])
    assert job["state"] == "failed"
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "failed"
    (line,) = call(world, "ana", "imports.log", id=found["id"], level="error")["items"]
    assert line["message"] == job["error"]
    assert secret(world, found["id"]) is None
    assert files(world) == []
    with refused("conflict") as problem:
        call(world, "ana", "imports.probe", id=found["id"])
    assert "open it anew with imports.open" in problem.value.detail
    return str(job["error"])


def secret(world: World, ident: int) -> bytes | None:
    found: bytes | None = world.database.write_now(
        lambda tx: tx.value("select secret from import where id = :id", id=ident)
    )
    return found


def files(world: World) -> list[str]:
    return [path.name for path in (world.folder / "uploads").glob("u_*")]


def waiting(world: World, job: int) -> dict[str, Any] | None:
    """The job, once it waits for its time."""
    found: dict[str, Any] = call(world, "ana", "jobs.get", id=job, wait_seconds=0)
    return found if found["state"] == "queued" and found["message"] else None


def hidden(world: World, found: dict[str, Any], token: str) -> None:
    """Neither a file of the data folder nor an answer holds the token."""
    searched = subprocess.run(  # the data file may not be opened in the process that serves it
        ["grep", "-rlF", "--exclude=*.reserve", token, str(world.folder)], capture_output=True, check=False
    )
    assert (searched.returncode, searched.stdout) == (1, b"")
    for op, value in (
        ("imports.get", {"id": found["id"]}),
        ("imports.log", {"id": found["id"]}),
        ("jobs.get", {"id": found["job"]}),
        ("audit.list", {}),
    ):
        assert token not in json.dumps(call(world, "ana", op, **value)), op


def left_at(world: World, job: int, faults: list[Answer], count: int) -> bool:
    """Whether so many faults are left, and the job waits to be tried again."""
    return (
        len(faults) == count and call(world, "ana", "jobs.get", id=job, wait_seconds=0)["state"] == "queued"
    )


def cut(world: World) -> None:
    """End what the worker is at, as a crash does: the lease of the job stays."""

    async def cancel() -> None:
        assert world.app is not None
        for job in world.app._worker._jobs:
            job.cancel()

    world.on_loop(cancel())


def again(world: World, job: int) -> bool:
    """Whether the job waits to be tried again."""
    found = call(world, "ana", "jobs.get", id=job, wait_seconds=0)
    return bool(found["state"] == "queued" and found["message"])
