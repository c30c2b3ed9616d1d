"""Asking the events in SQL: what is there, who may, and that nobody else waits."""

import threading
import time
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.modules.analytics import sandbox
from tests.conftest import NOW, World
from tests.modules.analytics.asked import ask, key, one, save
from tests.modules.calls import call, refused

BOMB = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"


def test_a_query_answers_columns_and_rows(world: World) -> None:
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    seq = world.database.seq
    sql = (
        "select seq, kind, subject, actor, actor_kind, via, at, payload ->> '$.title' as title"
        f" from events where kind = 'issue.created' and seq > {seq - 5}"
    )
    found = call(world, "bo", "analytics.query", sql=sql)
    assert found.pop("ms") >= 0
    assert found == {
        "columns": ["seq", "kind", "subject", "actor", "actor_kind", "via", "at", "title"],
        "rows": [[seq, "issue.created", "issue:1", world.people["ana"].id, "human", None, NOW, "Cart"]],
        "truncated": False,
    }
    assert world.database.seq == seq


def test_what_was_committed_a_moment_ago_is_there(world: World) -> None:
    for number in range(3):
        call(world, "ana", "issues.create", project="WEB", title=f"Issue {number}")
        assert one(world, "select count(*) from events where kind = 'issue.created'") == number + 1


def test_events_of_a_project_that_the_admin_does_not_see_are_there(world: World) -> None:
    call(world, "di", "issues.create", project="PRV", title="Hidden")
    with refused("not-found"):
        call(world, "bo", "issues.get", key="PRV-1")
    assert one(world, "select payload ->> '$.title' from events where kind = 'issue.created'") == "Hidden"


def test_what_is_for_the_audit_log_alone_is_not_there(world: World) -> None:
    with refused("unauthenticated"):
        call(world, "cy", "auth.login", email="cy@example.com", password="wrong")

    def kinds(audit: str) -> set[str]:
        return set(world.database.read_now(lambda tx: tx.column(f"select kind from events where {audit}")))

    hidden = kinds("audience = 'audit'")
    assert hidden
    assert {row[0] for row in ask(world, "select distinct kind from events")} == kinds("audience <> 'audit'")
    everything = world.database.read_now(
        lambda tx: tx.value("select count(*) from events where audience <> 'audit'")
    )
    assert one(world, "select count(*) from events") == everything


def test_only_admins_ask(world: World) -> None:
    save(world)
    asked: dict[str, dict[str, Any]] = {
        "analytics.query": {"sql": "select 1"},
        "analytics.export": {"format": "ndjson", "from": "2026-01-01", "to": "2026-01-01"},
        "analytics.reports": {},
        "analytics.report_save": {"name": "One", "sql": "select 1", "every": "manual"},
        "analytics.report_run": {"id": 1},
        "analytics.report_delete": {"id": 1},
    }
    for op, value in asked.items():
        for who in ("cy", "gus"):
            with refused("insufficient-scope"):
                call(world, who, op, **value)
        with key(world, scopes=["issues:read"]) as weak, refused("insufficient-scope"):
            weak.call(op, value)
        with key(world, projects="[1]") as narrow, pytest.raises(KbworkProblem) as seen:
            narrow.call(op, value)
        assert (seen.value.slug, "limited to projects" in seen.value.detail) == ("not-allowed", True)
    with key(world, scopes=["admin"]) as whole:
        assert whole.call("analytics.query", {"sql": "select 1"})["rows"] == [[1]]


def test_a_thousand_rows_and_four_megabytes_are_answered(world: World) -> None:
    many = "with recursive n(i) as (select 1 union all select i + 1 from n limit {}) select {} from n"
    found = call(world, "bo", "analytics.query", sql=many.format(1000, "i"))
    assert (len(found["rows"]), found["truncated"]) == (1000, False)
    found = call(world, "bo", "analytics.query", sql=many.format(1001, "i"))
    assert (found["rows"][-1], found["truncated"]) == ([1000], True)
    found = call(world, "bo", "analytics.query", sql=many.format(9, "printf('%.*c', 900000, 'x')"))
    assert (len(found["rows"]), found["truncated"]) == (4, True)


def test_values_that_json_cannot_hold_are_texts(world: World) -> None:
    sql = "select 9007199254740991, 9007199254740992, -9223372036854775807, 9e999, -9e999, 0.5, null, x'00ff', 'ü'"
    assert ask(world, sql) == [
        [
            9007199254740991,
            "9007199254740992",
            "-9223372036854775807",
            "Infinity",
            "-Infinity",
            0.5,
            None,
            "X'00FF'",
            "ü",
        ]
    ]


def test_a_slow_query_ends_after_two_seconds(world: World) -> None:
    began = time.monotonic()
    with pytest.raises(KbworkProblem) as seen:
        ask(world, BOMB)
    assert (seen.value.slug, seen.value.status) == ("query-too-slow", 422)
    assert "ask for fewer events" in seen.value.detail
    assert 1.5 < time.monotonic() - began < 26, "by the clock longer where others use the processor"


def test_one_that_does_not_end_by_itself_is_killed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 1000)  # what the process is told
    monkeypatch.setattr(sandbox, "_GRACE_S", -999.5)
    with refused("query-too-slow"):
        ask(world, BOMB)


def test_nobody_waits_for_a_slow_query(world: World) -> None:
    call(world, "ana", "issues.create", project="WEB", title="Cart")

    def wait() -> None:
        with refused("query-too-slow"):
            ask(world, BOMB, "ana")

    slow = threading.Thread(target=wait)
    slow.start()
    took = []
    while slow.is_alive():
        began = time.monotonic()
        call(world, "cy", "issues.get", key="WEB-1")
        call(world, "cy", "issues.create", project="WEB", title="More")
        took.append(time.monotonic() - began)
    assert len(took) > 10
    assert sorted(took)[len(took) // 2] < 0.2


def test_more_than_wait_are_told_to_come_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.QUERIES, "places", threading.BoundedSemaphore(1))
    sandbox.QUERIES.places.acquire()
    with Kbwork(world.url, world.people["bo"].session) as client, refused("busy"):
        client.retries = 0
        client.call("analytics.query", {"sql": "select 1"})


def test_an_answer_is_not_kept_in_the_data(world: World) -> None:
    def kept() -> int:
        return world.database.read_now(lambda tx: int(tx.value("select count(*) from idempotency")))

    before = kept()
    for sql in ("select 1", "select 2"):
        found = world.session("bo").call("analytics.query", {"sql": sql}, idempotency_key="same")
        assert found["rows"] == [[int(sql[-1])]]
    assert kept() == before
