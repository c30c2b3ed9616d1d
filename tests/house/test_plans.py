"""Every statement of the hot paths has an index behind it: none walks through a table that grows with the work."""

import base64
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import apsw
import pytest

from kbwork.core.access import identify
from kbwork.core.operations import dispatch
from kbwork.db import deferred
from kbwork.db.connection import connect
from kbwork.modules.issues.issue import list_page
from kbwork.modules.search import title_words
from tests.conftest import World
from tests.modules.calls import call

HOT: list[tuple[str, dict[str, Any]]] = [
    ("issues.get", {"key": "WEB-1"}),
    ("issues.list", {}),
    ("issues.list", {"project": "WEB"}),
    ("issues.list", {"project": "WEB", "sort": "-updated", "limit": 2}),
    ("issues.list", {"assignee": "me"}),
    ("issues.create", {"project": "WEB", "title": "Hot", "body": "as WEB-1 says, @cy", "labels": ["bug"]}),
    ("issues.update", {"key": "WEB-1", "title": "Hotter", "body": "anew", "priority": "high"}),
    ("issues.assign", {"key": "WEB-1", "assignees": ["@cy"], "mode": "add"}),
    ("issues.transition", {"key": "WEB-1", "to_status": "in_progress"}),
    ("issues.rank", {"keys": ["WEB-1"], "after": "WEB-2"}),
    ("issues.history", {"key": "WEB-1"}),
    ("issues.similar", {"key": "WEB-1"}),
    ("issues.backlinks", {"key": "WEB-1"}),
    ("comments.list", {"subject": "issue:WEB-1"}),
    ("comments.create", {"subject": "issue:WEB-1", "body": "Said to @di"}),
    ("search.query", {"q": "vouchers"}),
    ("search.query", {"q": "vuochers"}),
    ("search.query", {"q": "WEB-1"}),
    ("search.query", {"q": "text in:WEB by:@cy is:open"}),
    ("search.suggest", {"q": "vouch", "context": "project:WEB"}),
    ("search.recent", {}),
    ("activity.list", {"subject": "issue:WEB-1"}),
    ("activity.recent", {}),
    ("api.changes", {"since": 0}),
    ("attachments.list", {"subject": "issue:WEB-1"}),
    ("fields.list", {}),
    ("projects.list", {}),
    ("projects.get", {"key": "WEB"}),
    ("subjects.resolve", {"refs": ["WEB-1", "comment:1", "project:WEB"]}),
    ("undo.list", {}),
    ("trash.list", {}),
    ("drafts.list", {}),
    ("drafts.list", {"subject": "issue:WEB-1"}),
    ("drafts.save", {"subject": "issue:WEB-1", "body": "Hot"}),
    ("stars.list", {}),
    ("stars.set", {"subject": "issue:WEB-1", "on": True}),
    ("notifications.list", {}),
    ("notifications.list", {"state": "all", "subject": "issue:WEB-2"}),
    ("notifications.count", {}),
    ("notifications.read", {"all": True}),
    ("notifications.archive", {"subject": "issue:WEB-2"}),
    ("presence.beat", {"subject": "issue:WEB-1", "state": "viewing"}),
    ("presence.list", {"subjects": ["WEB-1", "project:WEB", "view:1"]}),
    ("boards.list", {}),
    ("boards.get", {"id": 1}),
    ("boards.view", {"id": 1}),
    ("boards.move", {"id": 1, "key": "WEB-1", "column": "c3", "after": "WEB-2"}),
    ("approvals.list", {"key": "WEB-1"}),
    ("approvals.mine", {}),
    ("views.list", {}),
    ("views.get", {"id": 1}),
    ("spaces.list", {}),
    ("spaces.get", {"key": "HAND"}),
    ("spaces.tree", {"key": "HAND", "depth": 3}),
    ("pages.get", {"id": "HAND/welcome"}),
    ("pages.list", {}),
    ("pages.list", {"space": "HAND", "limit": 2}),
    ("pages.children", {"id": "1"}),
    ("pages.backlinks", {"id": "1"}),
    ("pages.broken_links", {"space": "HAND"}),
    ("pages.versions", {"id": "1"}),
    (
        "pages.create",
        {"space": "HAND", "title": "Hot", "body": "As [[Welcome]] says, and WEB-1, @cy", "after": "1"},
    ),
    ("pages.update", {"id": "1", "title": "Hotter", "body": "# Anew"}),
    ("pages.move", {"ids": ["2"], "top": True}),
    ("access.grants", {"subject": "page:1"}),
    ("comments.list", {"subject": "page:1"}),
]


FEW = frozenset(
    (
        "agent",
        "field",
        "field_layout",
        "field_option",
        "issue_type",
        "label",
        "lane",
        "project",
        "project_status",
        "project_template",
        "project_type",
        "relation_kind",
        "rota",
        "setting",
        "space",
        "team",
        "workflow",
        "component_count",
        "field_count",
        "label_count",
        "project_count",
    )
)
"""What people set up, and counts by that: it does not grow with the work."""
REASONS = {
    ("events", "where (case e.audience"): "the newest first, until the page is full",
    ("trash", "select t.* from trash t where"): "the newest first, until the page is full",
    ("page", "order by p.updated_at desc"): "the newest first, until the page is full",
    ("issue", "with special (what, issues) as"): "an index of the few issues that have a level",
    (
        "view",
        "v.id in (select v.id from json_each",
    ): "an index of those that are shared: all of them are shown",
    (
        "issue",
        "select count(*) from (select 1 from issue n0",
    ): "a view is counted, as long as its seconds allow",
    ("sqlite_sequence", "select seq from"): "a row for each table that numbers its own",
    ("sqlite_schema", "join pragma_foreign_key_list"): "the tables, asked of each table once",
    ("span_waiting", "insert into span"): "all that waits is written, and gone",
    (
        "page_limit",
        "select page, level, who from page_limit",
    ): "those of narrowed pages, kept until access changes",
    ("approval", "select distinct issue from approval"): "an index of the few that are open, kept in memory",
    ("member", "where state = 'active' order by lower(name)"): "kept in memory until somebody comes or goes",
}
"""(table, a part of the statement) -> why it may walk through the table."""


CACHED_BYTES = 16_000
"""Longer statements are parsed anew each time that they run, which takes milliseconds."""

_FOR_CALLS = frozenset({dispatch.__file__, identify.__file__})
"""What the worker does beside them, when it is time, is left out."""


@dataclass(frozen=True)
class Walk:
    """A statement that walks through all of a table, or of an index of it."""

    op: str
    table: str
    detail: str
    sql: str

    @property
    def reason(self) -> str | None:
        if self.table in FEW:
            return "few rows"
        return next(
            (why for (table, part), why in REASONS.items() if table == self.table and part in self.sql), None
        )


@pytest.fixture
def told() -> Iterator[list[tuple[str, Any]]]:
    """(SQL, values) of every statement that runs for a call, on any connection, as it runs."""
    found: list[tuple[str, Any]] = []

    def trace(_: apsw.Cursor, sql: str, binds: Any) -> bool:
        if any(frame.f_code.co_filename in _FOR_CALLS for frame, _ in traceback.walk_stack(None)):
            found.append((sql, binds))
        return True

    def listen(connection: apsw.Connection) -> None:
        connection.exec_trace = trace

    apsw.connection_hooks.append(listen)
    yield found
    apsw.connection_hooks.remove(listen)


def test_no_statement_of_the_hot_paths_walks_through_what_grows(
    told: list[tuple[str, Any]], lived_in: World
) -> None:
    lived_in.settle()
    _lived_in_longer(lived_in)
    ran: dict[str, tuple[str, Any]] = {}
    for who in ("ana", "cy", "gus"):
        for op, value in HOT:
            before = len(told)
            call(lived_in, who, op, **value)
            for sql, binds in told[before:]:
                ran.setdefault(sql, (op, binds))
    for sql in (
        deferred.FIRST_SPANS.settle
    ):  # for a call that asks for it, or beside the calls where it waited enough
        ran.setdefault(sql, ("a span that waits", ()))
    assert len(ran) > 100
    assert [sql for sql in ran if len(sql.encode()) > CACHED_BYTES] == []
    plans = Plans(lived_in)
    walks = [walk for sql, (op, binds) in ran.items() for walk in plans.walks(op, sql, binds)]
    assert not [walk for walk in walks if walk.reason is None], "\n".join(
        f"{walk.op} walks through {walk.table}: {walk.detail} in {walk.sql}"
        for walk in walks
        if not walk.reason
    )
    used = {why for walk in walks if (why := walk.reason)}
    assert used >= set(REASONS.values()), "a reason that nothing needs any more"


def test_sprints_are_read_and_changed_along_indexes(told: list[tuple[str, Any]], lived_in: World) -> None:
    """Guests have none, so that they are not among what all do."""
    lived_in.settle()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("issues.list", {"sprint": 2}),
        ("sprints.get", {"id": 1}),
        ("sprints.plan", {"id": 3}),
        ("sprints.report", {"id": 1}),
        ("sprints.add", {"id": 3, "keys": ["WEB-1", "WEB-2"]}),
        ("sprints.remove", {"id": 3, "keys": ["WEB-2"]}),
        ("sprints.complete", {"id": 2, "unfinished": "backlog"}),
        ("sprints.start", {"id": 3, "end_date": "2027-02-26"}),
    ]
    plans = Plans(lived_in)
    walks = []
    for op, value in calls:
        before = len(told)
        call(lived_in, "cy", op, **value)
        walks += [walk for sql, binds in told[before:] for walk in plans.walks(op, sql, binds)]
    few = {"sprint", "sprint_cadence", "sprint_project"}
    assert [
        (walk.op, walk.table, walk.detail) for walk in walks if walk.reason is None and walk.table not in few
    ] == []


def test_a_walk_is_known_for_one(lived_in: World) -> None:
    plans = Plans(lived_in)

    def walked(sql: str, **binds: Any) -> list[tuple[str, str]]:
        return [(walk.table, walk.detail) for walk in plans.walks("", sql, binds)]

    assert walked("select * from issue i where i.title = :x", x="a") == [("issue", "SCAN i")]
    assert walked("select * from issue i where i.id = :x", x=1) == []
    assert walked("select count(*) from comment as c, issue where c.id = issue.id") == [
        ("comment", "SCAN c USING COVERING INDEX comment_author")
    ]
    assert walked("select rowid from search_text where search_text match :x", x="a") == []
    assert [table for table, _ in walked("select rowid from search_text where rowid % 4 = 1")] == [
        "search_text"
    ]
    assert ("events", "SCAN events") in walked("delete from events where op = :x", x="a")
    assert walked("with issue as materialized (select 1 as n) select * from issue x") == []


def _lived_in_longer(world: World) -> None:
    """What the hot paths look at beside what the examples name."""
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="member")
    call(world, "ana", "access.grant_set", subject="space:HAND", who="@gus", level="edit")
    data = base64.b64encode(b"a text").decode()
    call(world, "cy", "attachments.add", subject="issue:WEB-1", name="a.txt", data=data)
    call(
        world,
        "cy",
        "issues.create",
        project="WEB",
        title="Below",
        type="subtask",
        parent="WEB-1",
        assignees=["@gus"],
    )
    call(world, "cy", "issues.watch", key="WEB-1", on=True)


class Plans:
    """How SQLite runs statements over this file, which knows nothing of how much is in it."""

    def __init__(self, world: World) -> None:
        self._connection = connect(world.folder / "kbwork.db", writer=False)
        self._connection.config(apsw.SQLITE_DBCONFIG_TRIGGER_EQP, 1)
        schema: list[Any] = self._connection.execute(
            "select type, name, tbl_name, coalesce(sql, '') from sqlite_schema"
        ).fetchall()
        self._tables = {name for kind, name, _, _ in schema if kind == "table"}
        self._indexes = {name: table for kind, name, table, _ in schema if kind == "index"}
        self._triggers = [(table, sql) for kind, _, table, sql in schema if kind == "trigger"]

    def walks(self, op: str, sql: str, binds: Any) -> Iterator[Walk]:
        """Where it walks; a table under every name that it may have there."""
        if not re.match(r"\s*(select|with|insert|update|delete)\b", sql, re.IGNORECASE):
            return
        for detail in self.of(sql, binds):
            found = re.match(r"SCAN (?!CONSTANT ROW|\d+-ROW VALUES|pragma_)(\w+)(.*)", detail) or re.match(
                r"SEARCH (\w+)( USING AUTOMATIC .*)", detail
            )
            if found is None or re.search(r"VIRTUAL TABLE INDEX (?!0:$)", found[2]):
                continue
            for table in sorted(self._named(sql, found[1], found[2])):
                yield Walk(op, table, detail, " ".join(sql.split()))

    def of(self, sql: str, binds: Any) -> list[str]:
        """The steps of the plan."""
        if not re.match(r"\s*(select|with|insert|update|delete)\b", sql, re.IGNORECASE):
            return []
        return [str(row[-1]) for row in self._connection.execute(f"explain query plan {sql}", binds)]

    def _named(self, sql: str, name: str, how: str) -> set[str]:
        """The tables that go by a name there: by an index, in the statement, or in what it sets off."""
        index = re.search(r"USING (?:COVERING )?INDEX (\w+)", how)
        if index is not None:
            return {self._indexes[index[1]]}
        for text in (sql, self._set_off(sql)):
            made = re.findall(r"\b(\w+) (?:\([\w, ]*\) )?as (?:materialized )?\(", text, re.IGNORECASE)
            called = re.findall(rf"(\b\w+|\)) (?:as )?{name}\b", text, re.IGNORECASE)
            named = {name} & {*self._tables, *made} or {*called} & {*self._tables, *made, ")"}
            if named:
                return named.difference(made, ")")
        return {name}

    def _set_off(self, sql: str) -> str:
        """The triggers that a statement sets off, and those that these do."""
        changed, found = set(_CHANGED.findall(sql)), ""
        while True:
            text = " ".join(trigger for table, trigger in self._triggers if table in changed)
            if text == found:
                return found
            found = text
            changed |= set(_CHANGED.findall(text))


_CHANGED = re.compile(r"(?:\binto|\bupdate(?: or \w+)?|\bdelete from)\s+(\w+)", re.IGNORECASE)


ORDERED = {
    "rank": "issue_rank",
    "created": "issue_created",
    "updated": "issue_project_updated",
    "due": "(issue_due_any|issue USING INTEGER PRIMARY KEY)",
    "status": "issue_lane_uses",
    "key": "issue_number",
}
"""The index along which a list of all projects is read; those without a due date lie behind the others by their ids."""
_PAGE = re.compile(r" limit :(most|left)\b")


@pytest.mark.parametrize("who", ["ana", "cy"])
@pytest.mark.parametrize("way", ["", "-"])
def test_a_list_is_read_along_an_index_and_nothing_is_sorted(
    told: list[tuple[str, Any]], lived_in: World, monkeypatch: pytest.MonkeyPatch, who: str, way: str
) -> None:
    """With and without a project, whether the first page or a later one."""
    monkeypatch.setattr(list_page, "_SORTING", 10**9)  # so that not even a few are sorted
    plans = Plans(lived_in)
    for name, index in ORDERED.items():
        filters: list[dict[str, Any]] = [{}, {"project": "WEB"}]
        for asked in [*filters, {"status": "todo"}] if name == "rank" else filters:
            cursor = None
            for _ in range(2):
                before = len(told)
                page = call(lived_in, who, "issues.list", sort=way + name, limit=1, cursor=cursor, **asked)
                cursor = page["next"]
                pages = [plans.of(sql, binds) for sql, binds in told[before:] if _PAGE.search(sql)]
                steps = [step for plan in pages for step in plan]
                assert [step for step in steps if "TEMP B-TREE" in step or "MULTI-INDEX" in step] == []
                wanted = "issue_lane" if "status" in asked else index
                assert any(re.search(wanted, step) for step in steps), (name, asked, steps)


def test_who_sees_their_own_issues_alone_reads_no_others(
    told: list[tuple[str, Any]], lived_in: World
) -> None:
    plans = Plans(lived_in)
    call(lived_in, "ana", "projects.member_set", key="WEB", who="@gus", role="reporter")
    for name in (*ORDERED, "priority", "title"):
        before = len(told)
        call(lived_in, "gus", "issues.list", sort=name)
        steps = [step for sql, binds in told[before:] for step in plans.of(sql, binds)]
        read = [step for step in steps if re.match(r"(SCAN|SEARCH) (i|issue)\b", step)]
        assert any("issue_reporter" in step for step in read)
        assert [step for step in read if step.startswith("SCAN")] == []


def test_late_issues_are_counted_in_the_index(told: list[tuple[str, Any]], lived_in: World) -> None:
    """But for those with a level, and those of projects of which one sees one's own."""
    plans = Plans(lived_in)
    call(lived_in, "cy", "projects.list")
    late = next(plans.of(sql, binds) for sql, binds in told if "with late" in sql)
    read = [re.sub(r" \(.*", "", step) for step in late if re.match(r"(SCAN|SEARCH) i\b", step)]
    assert read == [
        "SEARCH i USING COVERING INDEX issue_late",
        "SEARCH i USING INDEX issue_level",
        "SEARCH i USING INDEX issue_late",
    ]


def test_a_word_begun_is_asked_for_as_whole_words(told: list[tuple[str, Any]], lived_in: World) -> None:
    """A beginning is asked of the index up to three letters, which it has."""
    while lived_in.database.read_now(title_words.KEPT.take):
        pass

    def asked(text: str) -> set[str]:
        before = len(told)
        call(lived_in, "cy", "search.suggest", q=text)
        return {binds["match"] for sql, binds in told[before:] if "search_text match" in sql}

    call(lived_in, "cy", "issues.create", project="WEB", title="Walrus walrusses")
    assert asked("wal") == {'title : "wal" *'}
    assert asked("walr") == {'title : ("walrus" OR "walrusses")'}
    assert asked("the walrus") == {'title : "the" AND title : ("walrus" OR "walrusses")'}
    assert asked("walrusk") == set()
