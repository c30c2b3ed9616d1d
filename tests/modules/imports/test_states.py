"""Each operation on an import, in each state that it may be in: its answer, or a refusal that says what to do."""

import json
import shutil
from typing import Any, NamedTuple, get_args

import pytest

from kbwork.app import registry
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.db.tx import Write
from kbwork.modules.imports import kept_records
from kbwork.modules.imports.model import State
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.imports.github_archives import ARCHIVE, DAY, ended, ran, send


class Standing(NamedTuple):
    """Where an import stands: what was found in its file, whether records lie there, and the job that is at it."""

    state: State
    read: bool
    records: bool
    job: tuple[str, str] | None = None
    """Its kind and state."""


STANDINGS = {
    "opened": Standing("open", read=False, records=False),
    "opened, and asked for a project that is not there": Standing("open", read=False, records=True),
    "being fetched": Standing("open", read=False, records=False, job=("imports.fetch", "queued")),
    "fetched": Standing("open", read=False, records=False, job=("imports.fetch", "done")),
    "not fetched": Standing("failed", read=False, records=False, job=("imports.fetch", "failed")),
    "its fetch given up by the worker": Standing(
        "open", read=False, records=False, job=("imports.fetch", "failed")
    ),
    "stopped as it was fetched": Standing(
        "cancelled", read=False, records=False, job=("imports.fetch", "cancelled")
    ),
    "not readable": Standing("failed", read=False, records=False),
    "stopped before it was read": Standing("cancelled", read=False, records=False),
    "stopped after a probe that was refused": Standing("cancelled", read=False, records=True),
    "probed": Standing("probed", read=True, records=True),
    "probed, its records swept": Standing("probed", read=True, records=False),
    "looked at by a dry run": Standing("probed", read=True, records=True, job=("imports.try", "running")),
    "mapped": Standing("mapped", read=True, records=True),
    "waiting to run": Standing("running", read=True, records=True, job=("imports.run", "queued")),
    "running": Standing("running", read=True, records=True, job=("imports.run", "running")),
    "failed as it ran": Standing("running", read=True, records=True, job=("imports.run", "failed")),
    "failed so long ago that its job is forgotten": Standing("running", read=True, records=True),
    "stopped as it ran": Standing("cancelled", read=True, records=True, job=("imports.run", "cancelled")),
    "not readable any more": Standing("failed", read=True, records=True),
    "done": Standing("done", read=True, records=True, job=("imports.run", "done")),
    "done, its records swept": Standing("done", read=True, records=False, job=("imports.run", "done")),
    "being taken back": Standing("done", read=True, records=True, job=("imports.undo", "queued")),
    "half taken back": Standing("done", read=True, records=True, job=("imports.undo", "failed")),
    "taken back": Standing("undone", read=True, records=False, job=("imports.undo", "done")),
}
CALLS: dict[str, dict[str, Any]] = {
    "get": {},
    "log": {"level": "error"},
    "probe": {},
    "map_set": {"members": {"cy": "name_only"}, "skip": ["comments"]},
    "run": {"since": 0},
    "run to look": {"dry_run": True},
    "undo": {},
    "cancel": {},
}
"""Each with what it is called with beside the import, in an order that changes nothing for the next."""
ANSWERED = {
    "opened": {"probe", "cancel"},
    "opened, and asked for a project that is not there": {"probe", "cancel"},
    "being fetched": {"cancel"},
    "fetched": {"probe", "cancel"},
    "not fetched": set[str](),
    "its fetch given up by the worker": set[str](),
    "stopped as it was fetched": set[str](),
    "not readable": {"probe"},
    "stopped before it was read": {"probe"},
    "stopped after a probe that was refused": {"probe"},
    "probed": {"probe", "map_set", "run", "run to look", "cancel"},
    "probed, its records swept": {"probe", "map_set", "cancel"},
    "looked at by a dry run": {"cancel"},
    "mapped": {"probe", "map_set", "run", "run to look", "cancel"},
    "waiting to run": {"cancel"},
    "running": {"cancel"},
    "failed as it ran": {"probe", "map_set", "run", "run to look", "undo"},
    "failed so long ago that its job is forgotten": {"probe", "map_set", "run", "run to look", "undo"},
    "stopped as it ran": {"probe", "map_set", "run", "run to look", "undo"},
    "not readable any more": {"probe", "map_set", "run", "run to look", "undo"},
    "done": {"run", "run to look", "undo"},
    "done, its records swept": {"undo"},
    "being taken back": {"cancel"},
    "half taken back": {"run", "run to look", "undo"},
    "taken back": set[str](),
}
"""What is done beside `get` and `log`, which are always answered; all else is a conflict."""


def put(world: World, source: int, standing: Standing) -> int:
    """A copy of an import that was read and ran, standing like this; answers its id."""

    def copied(tx: Write) -> int:
        row = tx.one("select * from import where id = :id", id=source)
        assert row is not None
        columns = {**row, "state": standing.state, "job": None}
        columns |= {} if standing.read else {"found": "{}", "mapping": "{}", "highest": "{}", "cursor": 0}
        if standing.job == ("imports.fetch", "queued"):
            columns["upload"] = "u_of_its_own"
        del columns["id"]
        ident = tx.insert("import", **columns)
        if standing.records:
            shutil.copy(kept_records.records(tx, source), kept_records.records(tx, ident))
        if standing.job is not None:
            _put_job(tx, ident, *standing.job)
        return ident

    return world.database.write_now(copied)


def _put_job(tx: Write, ident: int, kind: str, state: str) -> None:
    """A job that no worker takes: it is for tomorrow."""
    over = state not in ("queued", "running")
    job = tx.insert(
        "job",
        kind=kind,
        state=state,
        args="{}",
        progress=0.0,
        message="",
        by=tx.caller.actor,
        created_at=tx.now,
        run_at=tx.now + DAY,
        ended_at=tx.now if over else None,
        tries=1,
    )
    tx.execute("update import set job = :job where id = :id", job=job, id=ident)


def remove(world: World, ident: int) -> None:
    """So that the next one is alone."""

    def removed(tx: Write) -> None:
        tx.execute(
            "update job set state = 'cancelled', ended_at = :now"
            " where id = (select job from import where id = :id) and ended_at is null",
            id=ident,
            now=tx.now,
        )

    world.database.write_now(removed)


def asked(world: World, ident: int, name: str) -> str:
    """What an operation comes to: `answered`, or the slug of the refusal."""
    try:
        answer = call(world, "ana", f"imports.{name.partition(' ')[0]}", id=ident, **CALLS[name])
    except KbworkProblem as problem:
        return problem.slug
    if name.partition(" ")[0] in ("run", "undo"):
        assert ended(world, answer["job"])["state"] == "done"
    return "answered"


def test_every_operation_on_an_import_and_every_state_is_walked() -> None:
    own = [op for op in registry().operations.values() if op.module == "imports"]
    assert {op.verb for op in own if "id" in op.input.model_fields} == {
        name.partition(" ")[0] for name in CALLS
    }
    assert {standing.state for standing in STANDINGS.values()} == set(get_args(State))
    assert STANDINGS.keys() == ANSWERED.keys()


@pytest.fixture(scope="module")
def world(world_of_module: World) -> World:
    """Each test has imports of its own."""
    return world_of_module


@pytest.fixture(scope="module")
def came(world: World) -> int:
    """An import that was read and ran."""
    upload = send(world, json.dumps(ARCHIVE).encode())["upload"]
    ident = int(call(world, "ana", "imports.open", source="github", file=upload, project="SHOP")["id"])
    call(world, "ana", "imports.probe", id=ident)
    ran(world, ident)
    return ident


@pytest.mark.parametrize("name", STANDINGS)
def test_an_operation_is_answered_or_refused_in_every_state(world: World, came: int, name: str) -> None:
    found = {}
    for each in CALLS:
        ident = put(world, came, STANDINGS[name])
        found[each] = asked(world, ident, each)
        remove(world, ident)
    wanted = ANSWERED[name] | {"get", "log"}
    assert found == {each: "answered" if each in wanted else "conflict" for each in CALLS}


def test_what_becomes_of_a_file_that_cannot_be_read_is_not_asked(world: World) -> None:
    upload = send(world, b"[")["upload"]
    ident = call(world, "ana", "imports.open", source="github", file=upload)["id"]
    with refused("invalid-input"):
        call(world, "ana", "imports.probe", id=ident)
    for op, value in (("map_set", {"members": {"cy": "name_only"}}), ("map_set", {}), ("run", {})):
        with refused("conflict") as problem:
            call(world, "ana", f"imports.{op}", id=ident, **value)
        assert "open it anew with imports.open" in problem.value.detail
    assert call(world, "ana", "imports.get", id=ident)["state"] == "failed"
