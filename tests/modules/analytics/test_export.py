"""Events as files."""

import base64
import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kbwork.modules.analytics import sandbox
from tests.conftest import NOW, World
from tests.modules.analytics.asked import ask
from tests.modules.calls import call, refused

TODAY = datetime.fromtimestamp(NOW, UTC).date()
COLUMNS = ["seq", "kind", "subject", "actor", "actor_kind", "via", "at", "payload"]


def day(ahead: int) -> str:
    return (TODAY + timedelta(days=ahead)).isoformat()


def export(
    world: World, form: str = "ndjson", since: int = 0, until: int = 0, who: str = "bo"
) -> dict[str, Any]:
    value = {"format": form, "from": day(since), "to": day(until)}
    found: dict[str, Any] = world.session(who).call("analytics.export", value)
    return found


def lines(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in base64.b64decode(found["data"]).decode().splitlines()]


def test_a_file_of_lines_has_what_a_query_reads(world: World) -> None:
    call(world, "ana", "issues.create", project="WEB", title="Löwe\nand 'more'")
    held = ask(world, "select * from events order by seq")
    seq = world.database.seq
    found = export(world)
    assert {name: found[name] for name in ("name", "events", "truncated")} == {
        "name": f"events-{day(0)}-{day(0)}.ndjson",
        "events": len(held),
        "truncated": False,
    }
    got = [{**line, "payload": line["payload"]} for line in lines(found)]
    assert got == [{**dict(zip(COLUMNS, row, strict=True)), "payload": json.loads(row[-1])} for row in held]
    assert world.events_since(seq) == [("export.created", "org:1")]
    (told,) = call(world, "bo", "api.changes", since=seq)["events"]
    assert told["payload"] == {
        "format": "ndjson",
        "from": day(0),
        "to": day(0),
        "events": len(held),
        "truncated": False,
    }
    assert call(world, "cy", "api.changes", since=seq)["events"] == []


def test_a_parquet_file_has_the_same(world: World) -> None:
    from arro3.io import read_parquet

    call(world, "ana", "issues.create", project="WEB", title="Löwe")
    held = ask(world, "select * from events order by seq")
    found = export(world, "parquet")
    table = read_parquet(io.BytesIO(base64.b64decode(found["data"]))).read_all()
    assert (found["name"], found["events"]) == (f"events-{day(0)}-{day(0)}.parquet", len(held))
    assert table.column_names == COLUMNS
    columns = [table.column(name).combine_chunks().to_pylist() for name in COLUMNS]
    assert [list(row) for row in zip(*columns, strict=True)] == held


@pytest.mark.parametrize("form", ["ndjson", "parquet"])
def test_days_without_events_make_an_empty_file(world: World, form: str) -> None:
    found = export(world, form, 1, 2)
    assert (found["events"], found["truncated"]) == (0, False)
    assert (found["data"] == "") == (form == "ndjson")


def test_the_days_are_those_of_utc_and_the_last_is_in_it(world: World) -> None:
    midnight = int(datetime.combine(TODAY + timedelta(days=2), datetime.min.time(), UTC).timestamp())
    for moment in (midnight - 1, midnight):
        world.clock.advance(moment - world.clock.now())
        call(world, "ana", "issues.create", project="WEB", title=str(moment))
    assert [line["payload"]["title"] for line in lines(export(world, "ndjson", 1, 1))] == [str(midnight - 1)]
    assert str(midnight) in {line["payload"].get("title") for line in lines(export(world, "ndjson", 1, 2))}


def test_a_range_that_ends_before_it_begins_is_refused(world: World) -> None:
    with refused("invalid-input"):
        export(world, "ndjson", 1, 0)


@pytest.mark.parametrize("form", ["ndjson", "parquet"])
def test_what_one_file_does_not_hold_is_left_out(
    world: World, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = len(ask(world, "select 1 from events"))
    monkeypatch.setattr(sandbox, "MOST_EVENTS", number)
    assert export(world, form)["truncated"] is False
    monkeypatch.setattr(sandbox, "MOST_EVENTS", number)  # one more came: the export itself
    found = export(world, form)
    assert (found["events"], found["truncated"]) == (number, True)
    monkeypatch.setattr(sandbox, "MOST_FILE_BYTES", 700)
    found = export(world, form)
    assert (0 < found["events"] < number, found["truncated"]) == (True, True)


def test_what_is_for_the_audit_log_alone_is_in_no_file(world: World) -> None:
    with refused("unauthenticated"):
        call(world, "cy", "auth.login", email="cy@example.com", password="wrong")
    hidden = set(
        world.database.read_now(lambda tx: tx.column("select seq from events where audience = 'audit'"))
    )
    assert hidden
    assert not hidden & {line["seq"] for line in lines(export(world))}
