"""What SQL of others cannot do, and that it is told so."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core import own_programs
from kbwork.db.sandbox.authorizer import FUNCTIONS
from tests.conftest import World
from tests.modules.analytics.asked import ask
from tests.modules.calls import call

REFUSED = [
    ("select 1; select 2", "more than one statement"),
    ("select 1; drop table events", "more than one statement"),
    ("", "at least 1 character"),
    ("-- nothing", "it is empty"),
    ("explain select 1", "it is no query"),
    ("explain query plan select * from events", "it is no query"),
    ("pragma user_version", "PRAGMA does not run here"),
    ("select * from pragma_table_info('events')", "pragma_table_info cannot be read here"),
    ("select count(*) from pragma_database_list", "pragma_database_list cannot be read here"),
    ("attach 'x' as y", "ATTACH does not run here"),
    ("detach temp", "DETACH does not run here"),
    ("vacuum into '/tmp/x'", "it is no query"),
    ("begin", "a transaction does not run here"),
    ("insert into events (seq) values (1)", "events"),
    ("update events set kind = 'x'", "events"),
    ("delete from events", "events"),
    ("with a as (select 1) insert into events select * from a", "events"),
    ("create table mine (a)", "does not run here"),
    ("create temp table mine (a)", "does not run here"),
    ("create temp view mine as select 1", "does not run here"),
    ("drop view events", "does not run here"),
    ("select load_extension('x')", "the function load_extension does not run here"),
    ("select writefile('/tmp/x', 'y')", "no such function: writefile"),
    ("select readfile('/etc/passwd')", "no such function: readfile"),
    ("select zeroblob(1000000000)", "the function zeroblob does not run here"),
    ("select randomblob(1000000000)", "the function randomblob does not run here"),
    ("select fts5_source_id()", "the function fts5_source_id does not run here"),
    ("select sqlite_version()", "the function sqlite_version does not run here"),
    ("select printf('%*d', 2000000000, 1)", "string or blob too big"),
    ("select replace(printf('%.*c', 900000, 'x'), 'x', 'yyyyyyyyyy')", "string or blob too big"),
    ("select hex(printf('%.*c', 900000, 'x'))", "string or blob too big"),
    ("with recursive n(s) as (select 'x' union all select s || s from n) select s from n", "too big"),
    ("select * from member", "member cannot be read here"),
    ("select count(*) from member", "member cannot be read here"),
    ("select (select count(*) from key)", "key cannot be read here"),
    ("select 1 from events join session", "session cannot be read here"),
    ("select kind from events union select name from member", "member cannot be read here"),
    ("with member as (select 1) select count(*) from member", "member cannot be read here"),
    ("select count(*) from idempotency", "idempotency cannot be read here"),
    ("select * from sqlite_schema", "cannot be read here"),
    ("select count(*) from sqlite_master", "sqlite_master cannot be read here"),
    ("select count(*) from sqlite_temp_schema", "cannot be read here"),
    ("select count(*) from dbstat", "dbstat cannot be read here"),
    ("select audience from events", "no such column: audience"),
    ("select address, request, op, scope, origin from events", "no such column: address"),
    ("select rowid from events", "no such column: rowid"),
    ("select count(*) from main.events", "no such table: main.events"),
    ("select count(*) from data.events", "no such table: data.events"),
    ('select * from events where kind = "issue.created"', "single-quotes"),
    ("select ?", "too many SQL variables"),
    ("select cast(x'ff' as text)", "a value of it is no text"),
    ("select 1 where", "incomplete input"),
    ("select sum(9223372036854775807) from events", "integer overflow"),
    ("select " + "1+" * 5000 + "1", "depth"),
    ("select " + ",".join(["1"] * 200), "too many columns"),
    (" union all ".join(["select 1"] * 20), "too many terms"),
    ("select kind like '" + "%a" * 60 + "' from events", "pattern too complex"),
]


@pytest.mark.parametrize(("sql", "told"), REFUSED, ids=[sql[:50] for sql, _ in REFUSED])
def test_anything_but_one_select_over_the_events_is_refused(world: World, sql: str, told: str) -> None:
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as seen:
        ask(world, sql)
    assert (seen.value.slug, seen.value.status) == ("invalid-input", 422)
    assert told in seen.value.detail
    assert "data_" not in str(seen.value.detail)
    assert world.database.seq == seq


OFFERED = [
    "select 1 ; -- that is all\n ; /* and this */",
    "values (1)",
    "with events as (select 1) select * from events",
    "with recursive day(d) as (select 1 union all select d + 1 from day limit 3) select count(*) from day",
    "select value from json_each('[1]')",
    "select count(*) from json_tree('[1]')",
    "select * from temp.events limit 1",
    "select sum(seq) over (partition by kind order by seq) from events limit 1",
    "select median(seq), percentile(seq, 90), group_concat(kind), string_agg(kind, ' ') from events",
    "select kind from events group by kind having count(*) > 0 union select actor from events order by 1",
    "select date(at, 'unixepoch', 'start of month'), strftime('%Y-%W', at, 'unixepoch'), unixepoch() from events",
    "select payload -> '$', payload ->> '$.a', json_extract(payload, '$.a'), json_pretty(payload) from events",
    "select iif(1, 2, 3), if(1, 2), coalesce(null, 1), round(1.5), pow(2, 3), lower('A') like 'a', 'a' glob '*'",
]


@pytest.mark.parametrize("sql", OFFERED)
def test_what_only_computes_runs(world: World, sql: str) -> None:
    assert ask(world, sql)


def test_every_function_that_is_allowed_is_one(world: World) -> None:
    known = apsw.Connection(":memory:").execute("select distinct name from pragma_function_list")
    assert {name for (name,) in known} >= FUNCTIONS


def outside(world: World, program: str) -> Any:
    """What a program prints as JSON that has `connection` and `schema`, in a process of its own."""
    text = (
        "import json, sys; from pathlib import Path; import apsw\n"
        "from kbwork.db.sandbox import guest; from kbwork.db.sandbox.authorizer import Authorizer\n"
        "connection, schema = guest.connect(Path(sys.argv[1]))\n"
        "def tried(sql):\n"
        "    try: return connection.execute(sql).fetchall()\n"
        "    except apsw.Error as error: return type(error).__name__\n" + program
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", text, str(world.database.folder.file)],
        capture_output=True,
        check=True,
        timeout=30,
    )
    return json.loads(done.stdout)


def test_whoever_knew_the_name_of_the_file_reads_nothing_either(world: World) -> None:
    found = outside(
        world,
        "connection.authorizer = Authorizer(connection, schema)\n"
        "asked = [f'select count(*) from {schema}.events', f'select seq from {schema}.events',"
        " f'select audience from {schema}.events', f'select 1 from {schema}.member',"
        " f'with events as (select * from {schema}.events) select count(*) from events',"
        " f'with events as (select rowid as r from {schema}.events) select count(*) from events',"
        " f'with events as (select address from {schema}.events) select * from events']\n"
        "print(json.dumps([tried(sql) for sql in asked]))",
    )
    assert found == ["AuthError"] * 7


def test_without_the_view_nothing_is_read(world: World) -> None:
    """Whatever took it away: the table behind it has the same name."""
    found = outside(
        world,
        "connection.execute('pragma query_only = 0'); connection.execute('drop view temp.events')\n"
        "connection.authorizer = Authorizer(connection, schema)\n"
        "print(json.dumps([tried('select count(*) from events'), tried('select kind from events')]))",
    )
    assert found == ["AuthError"] * 2


def test_the_connection_writes_nothing_even_without_an_authorizer(world: World) -> None:
    found = outside(
        world,
        "print(json.dumps([tried(sql) for sql in (f'delete from {schema}.events', f'drop table {schema}.member',"
        " 'create temp table t (a)', f'pragma {schema}.writable_schema = 1', \"select load_extension('x')\")]))",
    )
    assert found == ["ReadOnlyError", "ReadOnlyError", "ReadOnlyError", [], "SQLError"]


def test_the_process_gives_up_what_it_does_not_need(tmp_path: Path) -> None:
    text = (
        "import resource, json, os; from kbwork.db.sandbox.guest import confine\n"
        "os.nice(4)\n"  # of the thread that starts it, which stands back itself
        "confine(memory_mb=512, cpu_s=3)\n"
        "names = ('RLIMIT_AS', 'RLIMIT_CPU', 'RLIMIT_FSIZE', 'RLIMIT_CORE')\n"
        "found = [resource.getrlimit(getattr(resource, name)) for name in names]\n"
        f"path = {str(tmp_path / 'x')!r}\n"
        "try:\n    with open(path, 'w') as file: file.write('x')\n    wrote = True\n"
        "except OSError: wrote = False\n"
        "print(json.dumps([found, wrote, os.nice(0)]))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", text], capture_output=True, check=True, timeout=30)
    memory = 512 * 1024 * 1024
    assert json.loads(done.stdout) == [[[memory, memory], [3, 3], [0, 0], [0, 0]], False, 10]


def test_the_process_gets_nothing_but_the_path_and_the_query(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    run = own_programs.run  # it gives a program no environment

    def watched(*argv: str, **more: Any) -> Any:
        seen.append((argv, more))
        return run(*argv, **more)

    monkeypatch.setattr(own_programs, "run", watched)
    ask(world, "select 1")
    ((argv, more),) = seen
    assert argv == ("kbwork.db.sandbox.query",)
    assert set(json.loads(more["given"])) == {"file", "sql", "look", "seconds", "rows", "bytes"}


def test_too_much_memory_is_refused(world: World) -> None:
    with pytest.raises(KbworkProblem) as seen:
        ask(
            world,
            "with recursive n(i) as (select 1 union all select i + 1 from n limit 400)"
            " select count(*) from (select distinct printf('%.*c', 900000, 'x') || i from n)",
        )
    assert (seen.value.slug, "128 MB of memory" in seen.value.detail) == ("invalid-input", True)


@pytest.mark.parametrize(
    ("code", "slug"),
    [(-9, "query-too-slow"), (-24, "query-too-slow"), (3, "internal")],
)
def test_a_process_that_the_system_ends_or_that_falls_is_told_apart(
    world: World, monkeypatch: pytest.MonkeyPatch, code: int, slug: str
) -> None:
    def ended(argv: Any, **_: Any) -> Any:
        told = {"columns": [], "rows": [], "ms": 1, "events": 0, "truncated": False}
        return subprocess.CompletedProcess(argv, code, json.dumps(told).encode(), b"a secret path")

    monkeypatch.setattr(own_programs, "run", ended)
    for op, value in (
        ("analytics.query", {"sql": "select 1"}),
        ("analytics.export", {"format": "ndjson", "from": "2026-01-01", "to": "2026-01-01"}),
    ):
        seq = world.database.seq
        with pytest.raises(KbworkProblem) as seen:
            call(world, "bo", op, **value)
        assert (seen.value.slug, "secret" in str(vars(seen.value))) == (slug, False)
        assert world.events_since(seq) == []


def test_an_export_that_is_refused_says_why_and_tells_of_none(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(argv: Any, **_: Any) -> Any:
        return subprocess.CompletedProcess(argv, 0, b'{"refused": "no memory"}\n', b"")

    monkeypatch.setattr(own_programs, "run", refuses)
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as seen:
        call(
            world, "bo", "analytics.export", **{"format": "ndjson", "from": "2026-01-01", "to": "2026-01-01"}
        )
    assert (seen.value.slug, seen.value.detail) == (
        "invalid-input",
        "The events cannot be exported: no memory.",
    )
    assert world.events_since(seq) == []
