"""Care of the single file."""

from tests.conftest import World
from tests.modules.calls import call, refused


def test_an_admin_looks_over_the_server(world: World) -> None:
    seq = world.database.seq
    found = call(world, "bo", "maintenance.check")
    assert {one["name"] for one in found["checks"]} >= {"backups", "jobs", "mail", "space"}
    assert found["ok"] == all(one["ok"] for one in found["checks"])
    assert world.events_since(seq) == []
    with refused("insufficient-scope"):
        call(world, "cy", "maintenance.check")


def test_the_whole_file_is_read_where_that_is_asked(world: World) -> None:
    assert "file" not in {one["name"] for one in call(world, "ana", "maintenance.check")["checks"]}
    found = call(world, "ana", "maintenance.check", deep=True)["checks"]
    assert [one for one in found if one["name"] == "file"] == [
        {"name": "file", "ok": True, "detail": "the data file is sound: integrity, foreign keys and schema"}
    ]


def test_what_is_not_well_says_what_mends_it(world: World) -> None:
    world.advance(9 * 86_400)
    found = call(world, "ana", "maintenance.check")
    assert found["ok"] is False
    (backups,) = (one for one in found["checks"] if one["name"] == "backups")
    assert backups == {
        "name": "backups",
        "ok": False,
        "detail": "no backup was taken yet: `kbwork backups schedule-set --every daily` takes them",
    }
