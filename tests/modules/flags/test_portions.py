"""Long lists of flags, segments and change requests, asked for in parts."""

from typing import Any

import pytest

from kbwork.api.flags import endpoint
from kbwork.db.tx import Write
from kbwork.modules.flags import portion
from tests.api.flags.requests import Place, ask
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.flags.flag_project import flag, patch, shop

MANY = 10_000
_FLAGS = """insert into flag (project, key, first_key, meta, archived, version, salt, created_at)
with recursive n (i) as (select 1 union all select i + 1 from n where i < :many)
select f.project, printf('flag-%05d', i), printf('flag-%05d', i), f.meta, 0, 1, f.salt, f.created_at
from n, flag f where f.key = 'checkout'
"""
_CONFIGS = """insert into flag_config (flag, environment, config, version, changed_at)
select o.id, c.environment, c.config, 1, c.changed_at from flag f join flag_config c on c.flag = f.id
join flag o on o.key glob 'flag-*' where f.key = 'checkout'
"""


def parts(world: World, op: str, by: str, limit: int, **asked: Any) -> list[list[Any]]:
    """All parts of a list, in their order, by what tells one entry from another."""
    found: list[list[Any]] = []
    cursor: dict[str, str] = {}
    while not found or found[-1]:
        answered = call(world, "cy", op, project="shop", limit=limit, **asked, **cursor)
        found.append([one[by] for one in answered])
        cursor = {"cursor": str(found[-1][-1])} if found[-1] else {}
    return found


def test_flags_come_in_parts(world: World) -> None:
    shop(world)
    for key in ("a", "B", "c", "d", "e"):
        flag(world, key, tags=["x"] if key in "ace" else [], description="two words" if key in "de" else "")
    assert parts(world, "flags.list", "key", 2) == [["B", "a"], ["c", "d"], ["e"], []]
    assert parts(world, "flags.list", "key", 2, full=True)[0] == ["B", "a"]
    assert parts(world, "flags.list", "key", 2, tag="x") == [["a", "c"], ["e"], []]
    assert parts(world, "flags.list", "key", 1, q="words") == [["d"], ["e"], []]
    for cursor in ("c", "b", "none"):
        listed = call(world, "cy", "flags.list", project="shop", cursor=cursor)
        assert [one["key"] for one in listed] == [key for key in "acde" if key > cursor]
    call(world, "cy", "flags.archive", project="shop", key="c")
    assert parts(world, "flags.list", "key", 3) == [["B", "a", "d"], ["e"], []]
    assert len(call(world, "cy", "flags.list", project="shop")) == 4


def test_segments_come_in_parts(world: World) -> None:
    shop(world)
    for key in ("a", "b", "c"):
        call(world, "cy", "flags.segment_save", project="shop", environment="test", key=key)
    assert parts(world, "flags.segments", "key", 2, environment="test") == [["a", "b"], ["c"], []]


def test_change_requests_come_in_parts_the_newest_first(world: World) -> None:
    shop(world)
    flag(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", require_approval=True)
    made = [patch(world, "cy", "production", {"kind": "turnFlagOn"})["change"]["id"] for _ in range(3)]
    newest = made[::-1]
    asked: dict[str, Any] = {"status": "pending", "environment": "production"}
    assert parts(world, "flags.changes", "id", 2, **asked) == [newest[:2], newest[2:], []]
    with refused("invalid-input"):
        call(world, "cy", "flags.changes", project="shop", cursor="x")


@pytest.mark.parametrize("limit", [0, 201])
def test_a_part_has_two_hundred_entries_at_most(world: World, limit: int) -> None:
    shop(world)
    with refused("invalid-input"):
        call(world, "cy", "flags.list", project="shop", limit=limit)


def test_ten_thousand_flags_are_answered_in_parts_of_few_bytes(world: World) -> None:
    place = Place(world).fill()

    def fill(tx: Write) -> None:
        tx.execute(_FLAGS, many=MANY)
        tx.execute(_CONFIGS)

    world.database.write_now(fill)
    keys: list[str] = []
    cursor = ""
    for _ in range(MANY // 200 + 2):
        answer = ask(world, place.token, "GET", f"/orgs/acme/projects/web/flags?limit=200{cursor}")
        assert answer.status == 200
        assert int(answer.headers["content-length"]) < 400_000
        keys += [one["key"] for one in answer.body["items"]]
        if answer.body["next"] is None:
            break
        cursor = f"&cursor={answer.body['next']}"
    assert len(keys) == len(set(keys)) == MANY + 2
    assert keys == sorted(keys)


def test_a_part_of_large_entries_ends_sooner_and_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portion, "_MOST_CHARS", 2_000)
    monkeypatch.setattr(endpoint, "_LARGE_BYTES", 1_000)
    place = Place(world).fill()
    where = {"project": "web", "environment": "test"}
    large = [f"user-{number:05}" for number in range(200)]
    for key in ("a", "b"):
        call(world, "ana", "flags.segment_save", **where, key=key, included=large)
        target = {"kind": "addTargets", "variation": 0, "values": large}
        call(world, "ana", "flags.create", project="web", key=key)
        call(world, "ana", "flags.update", **where, key=key, instructions=[target])
    for path in ("/projects/web/flags?full=true&", "/projects/web/environments/test/segments?"):
        keys: list[str] = []
        cursor: str | None = ""
        rounds = 0
        while cursor is not None:
            found = place.done("GET", f"{path}limit=200{cursor and f'&cursor={cursor}'}")
            keys += [one["key"] for one in found["items"]]
            cursor, rounds = found["next"], rounds + 1
        assert keys == [one["key"] for one in place.done("GET", path)["items"]]
        assert rounds >= 3


def test_a_list_of_the_rest_says_what_to_ask_for_next(world: World) -> None:
    place = Place(world).fill()
    first = place.done("GET", "/projects/web/flags?limit=1")
    assert [one["key"] for one in first["items"]] == [first["next"]] == ["banner"]
    rest = place.done("GET", "/projects/web/flags?cursor=banner")
    assert ([one["key"] for one in rest["items"]], rest["next"]) == (["checkout"], None)
    assert "next" not in place.done("GET", "/projects/web/flags")
    segments = place.done("GET", "/projects/web/environments/test/segments?limit=200")
    assert segments["next"] is None
    changes = place.done("GET", "/projects/web/change-requests?limit=1")
    assert changes == {"items": [], "next": None}
    assert place("GET", "/projects/web/flags?limit=0").message.startswith("limit: ")
