"""Asking in the query language: rows, columns, refusals, and who sees what."""

import base64
from typing import Any

import pytest

from kbwork.base.errors import TqlTooSlow
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core.access import scopes
from kbwork.db.tx import Read, Write
from kbwork.modules.tql import language, query_parser
from kbwork.modules.tql.execute import time_limit
from kbwork.modules.tql.sources import sources
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import acting, caller, looking
from tests.tql.written_texts import small_world_examples


@pytest.fixture
def work(world: World) -> World:
    """Three issues of WEB, one of SEC, one of Di's own project."""
    bo, cy, di = world.session("bo"), world.session("cy"), world.session("di")
    bo.call("labels.save", {"name": "bug"})
    bo.call(
        "issues.create",
        {"project": "WEB", "title": "The cart forgets", "priority": "high", "labels": ["bug"], "estimate": 3},
    )
    bo.call(
        "issues.create", {"project": "WEB", "title": "Login is slow", "assignees": ["@cy"], "estimate": 2}
    )
    bo.call("issues.create", {"project": "WEB", "title": "Export", "due_date": "2027-01-10"})
    cy.call("issues.create", {"project": "SEC", "title": "cnryA secret", "priority": "urgent"})
    di.call("issues.create", {"project": "PRV", "title": "cnryB private"})
    return world


def rows(world: World, who: str, tql: str, **more: Any) -> list[Any]:
    return list(call(world, who, "tql.run", tql=tql, **more)["rows"])


def keys(world: World, who: str, tql: str) -> list[str]:
    return [row[0] for row in rows(world, who, tql, fields=["key"])]


def test_rows_have_the_columns_that_are_asked_for(work: World) -> None:
    answer = call(
        work, "bo", "tql.run", tql="project = WEB order by key", fields=["key", "label", "estimate * 2"]
    )
    assert answer.pop("ms") >= 0
    assert answer == {
        "columns": [
            {"name": "key", "kind": "key", "title": "Key"},
            {"name": "label", "kind": "name", "title": "Label"},
            {"name": "estimate * 2", "kind": "number", "title": "Estimate * 2"},
        ],
        "rows": [["WEB-1", ["bug"], 6.0], ["WEB-2", [], 4.0], ["WEB-3", [], None]],
        "subjects": ["issue:1", "issue:2", "issue:3"],
        "total": 3,
        "more": False,
        "next": None,
        "hidden": 0,
        "tql": "project = WEB order by key",
        "notices": [],
    }


def test_a_row_without_columns_named_has_those_of_its_source(work: World) -> None:
    answer = call(work, "cy", "tql.run", tql="mine open")
    assert [column["name"] for column in answer["columns"]] == [
        "key", "type", "title", "status", "priority", "assignee", "due", "updated",
    ]  # fmt: skip
    assert answer["rows"] == [
        ["WEB-2", "task", "Login is slow", "To do", "none", [work.people["cy"].id], None, 1_800_000_000]
    ]


def test_groups_have_no_subjects_and_count_what_is_seen(work: World) -> None:
    answer = call(
        work, "bo", "tql.run", tql="select count() as n, sum(estimate) group by project order by n desc"
    )
    assert (answer["rows"], answer["subjects"], answer["total"]) == (
        [["WEB", 3, 5.0], ["SEC", 1, 0]],
        None,
        2,
    )
    assert call(work, "bo", "tql.count", tql="select count() group by priority") == {"count": 3}
    noted = call(work, "bo", "tql.run", tql="select count() group by label")
    assert noted["rows"] == [["bug", 1], [None, 3]] or noted["rows"] == [[None, 3], ["bug", 1]]
    assert "note" in noted["columns"][1]


def test_pages_go_on_where_the_last_one_ended(work: World) -> None:
    first = call(work, "bo", "tql.run", tql="order by key", fields=["key"], limit=2)
    assert (first["rows"], first["total"], first["more"]) == ([["SEC-1"], ["WEB-1"]], 4, True)
    second = call(work, "bo", "tql.run", tql="order by key", fields=["key"], limit=2, cursor=first["next"])
    assert (second["rows"], second["more"], second["next"]) == ([["WEB-2"], ["WEB-3"]], False, None)
    with refused("invalid-input"):
        call(work, "bo", "tql.run", tql="order by key desc", fields=["key"], limit=2, cursor=first["next"])
    bounded = call(work, "bo", "tql.run", tql="order by key limit 3", fields=["key"], limit=2)
    rest = call(
        work, "bo", "tql.run", tql="order by key limit 3", fields=["key"], limit=2, cursor=bounded["next"]
    )
    assert (bounded["total"], rest["rows"], rest["next"]) == (3, [["WEB-2"]], None)


def test_nobody_finds_what_they_do_not_see(work: World) -> None:
    assert keys(work, "ana", "order by key") == ["SEC-1", "WEB-1", "WEB-2", "WEB-3"]
    assert keys(work, "cy", "order by key") == ["SEC-1", "WEB-1", "WEB-2", "WEB-3"]
    assert keys(work, "di", "order by key") == ["PRV-1", "WEB-1", "WEB-2", "WEB-3"]
    assert keys(work, "gus", "") == []
    for who, hidden in (("ana", "PRV"), ("cy", "PRV"), ("gus", "SEC")):
        with refused("tql-name"):
            keys(work, who, f"project = {hidden}")
        with refused("tql-name"):
            keys(work, who, f"key = {hidden}-1")
        assert keys(work, who, f"{hidden}-1") == []
        assert keys(work, who, '"cnryB" or "private"') == []
    assert call(work, "ana", "tql.run", tql="private")["hidden"] == 0
    assert call(work, "ana", "tql.run", tql="open")["hidden"] == 1
    assert call(work, "cy", "tql.run", tql="open")["hidden"] == 0


def test_relations_and_parts_end_where_sight_ends(work: World) -> None:
    di = work.session("di")
    di.call("issues.relation_add", {"key": "PRV-1", "kind": "blocks", "to": ["WEB-1"]})
    assert keys(work, "di", "blocked by any") == ["WEB-1"]
    assert keys(work, "cy", "blocked by any") == []
    assert keys(work, "di", "blocked by (title ~ private)") == ["WEB-1"]
    assert (
        keys(work, "cy", "blocked by (title ~ private) or key in (from issues where title ~ private)") == []
    )
    assert keys(work, "cy", "blocked") == ["WEB-1"]
    di.call("comments.create", {"subject": "issue:WEB-2", "body": "cnryC note", "internal": True})
    work.session("bo").call("projects.member_set", {"key": "WEB", "who": "@gus", "role": "viewer"})
    assert keys(work, "cy", "comments any (text ~ cnryC)") == ["WEB-2"]
    for text in (
        "comments any (text ~ cnryC)",
        "comment ~ cnryC",
        "cnryC",
        "comments count > 0",
        "comments > 0",
    ):
        assert keys(work, "gus", text) == [], text
    assert rows(work, "gus", "from comments") == []
    assert rows(work, "gus", "from members select email")[0] in ([None], ["gus@acme.example"])


def test_words_alone_find_the_best_fit_first(work: World) -> None:
    bo = work.session("bo")
    bo.call(
        "issues.create",
        {"project": "WEB", "title": "Crash", "body": "Long ago the export was the one to blame"},
    )
    bo.call(
        "comments.create", {"subject": "issue:WEB-2", "body": "the export as well, and the export of all"}
    )
    assert keys(work, "cy", "export")[0] == "WEB-3"
    assert sorted(keys(work, "cy", "export")) == ["WEB-2", "WEB-3", "WEB-4"]
    assert keys(work, "cy", "export -crash order by key") == ["WEB-2", "WEB-3"]
    assert keys(work, "cy", 'text ~ "blame" or title ~ "Exp*" order by key') == ["WEB-3", "WEB-4"]
    first = call(work, "cy", "tql.run", tql="export", fields=["key"], limit=2)
    rest = call(work, "cy", "tql.run", tql="export", fields=["key"], limit=2, cursor=first["next"])
    assert [row[0] for row in first["rows"] + rest["rows"]] == keys(work, "cy", "export")


def test_a_text_in_quotes_is_found_side_by_side_in_one_field(work: World) -> None:
    bo = work.session("bo")
    for title, body in (
        ("Zebra yak", ""),
        ("Yak zebra", "A yak"),
        ("Zebra", "yak"),
        ("Herd", "a zebra, yak and ox"),
        ("Gnu", ""),
    ):
        bo.call("issues.create", {"project": "WEB", "title": title, "body": body})
    bo.call("comments.create", {"subject": "issue:WEB-8", "body": "No zebra-yak here"})
    assert keys(work, "cy", '"zebra yak" order by key') == ["WEB-4", "WEB-7", "WEB-8"]
    assert keys(work, "cy", 'not "zebra yak" and "yak" order by key') == ["WEB-5", "WEB-6"]
    assert keys(work, "cy", "zebra yak order by key") == ["WEB-4", "WEB-5", "WEB-6", "WEB-7", "WEB-8"]
    assert keys(work, "cy", '"zebra yak"')[0] == "WEB-4"
    told = call(work, "cy", "tql.check", tql='zebra yak open "zebra yak"')["normal"]
    assert told == 'text ~ "zebra yak" and open and "zebra yak"'


def test_the_first_setting_of_an_empty_field_is_a_change_unless_the_issue_began_with_it(work: World) -> None:
    work.advance(60)
    bo = work.session("bo")
    bo.call("issues.update", {"key": "WEB-1", "due_date": "2027-02-01"})
    bo.call("issues.update", {"key": "WEB-2", "labels": ["bug"]})
    bo.call("issues.assign", {"key": "WEB-2", "assignees": ["@bo"]})
    for text, found in (
        ("due changed", ["WEB-1"]),
        ("due changed from empty", ["WEB-1"]),
        ("due changed from empty to 2027-02-01 by @bo", ["WEB-1"]),
        ("due changed from empty by @cy", []),
        ("due changed = 1 times", ["WEB-1"]),
        ("label changed from empty to bug", ["WEB-2"]),
        ("label changed by me()", ["WEB-2"]),
        ("assignee changed to @cy", []),
        ("assignee changed to @bo", ["WEB-2"]),
        ("status changed or priority changed or estimate changed or project changed", []),
        ("status changed from empty", []),
        ("not due changed and project = WEB", ["WEB-2", "WEB-3"]),
    ):
        assert keys(work, "bo", f"{text} order by key") == found, text


def test_a_deleted_field_matches_nothing_and_comes_back_with_its_values(work: World) -> None:
    bo = work.session("bo")
    bo.call("fields.save", {"key": "severity", "name": "Severity", "kind": "select"})
    bo.call("fields.options_set", {"key": "severity", "options": [{"name": "Dire"}]})
    bo.call("issues.update", {"key": "WEB-1", "values": {"severity": "Dire"}})
    view = bo.call(
        "views.save",
        {"name": "Dire", "tql": "severity = dire", "columns": ["key", "severity"], "sort": "severity"},
    )
    assert view["count"] == 1
    bo.call("fields.delete", {"key": "severity"})
    notice = ["The field severity was deleted: it is empty everywhere."]
    for text, found in (
        ("severity = dire", []),
        ("project = WEB and severity != dire order by severity, key", ["WEB-1", "WEB-2", "WEB-3"]),
        ("cf.severity was dire or severity changed", []),
    ):
        answer = call(work, "bo", "tql.run", tql=text, fields=["key"])
        assert ([row[0] for row in answer["rows"]], answer["notices"]) == (found, notice)
    told = call(work, "bo", "tql.run", tql="project = WEB order by key", fields=["key", "severity"])
    assert told["rows"] == [["WEB-1", None], ["WEB-2", None], ["WEB-3", None]]
    grouped = rows(work, "bo", "project = WEB select count(), max(severity) group by severity")
    assert grouped == [[None, 3, None]]
    assert bo.call("views.get", {"id": view["id"]})["count"] == 0
    assert asked(work, "gravity = dire") == "tql-name"
    [thrown] = bo.call("trash.list", {"kind": "field"})["items"]
    bo.call("trash.restore", {"ids": [thrown["id"]]})
    assert bo.call("views.get", {"id": view["id"]})["count"] == 1
    bo.call("fields.delete", {"key": "severity"})
    [thrown] = bo.call("trash.list", {"kind": "field"})["items"]
    work.session("ana").call("trash.purge", {"ids": [thrown["id"]]})
    answer = call(work, "bo", "tql.run", tql="severity = dire")
    assert (answer["rows"], answer["notices"]) == ([], notice)


def test_a_former_key_of_a_project_is_told(work: World) -> None:
    work.session("bo").call("projects.key_change", {"key": "WEB", "new_key": "WEBSITE"})
    answer = call(work, "bo", "tql.run", tql="project = WEB order by key", fields=["key"])
    assert [row[0] for row in answer["rows"]] == ["WEBSITE-1", "WEBSITE-2", "WEBSITE-3"]
    assert answer["notices"] == ["WEB is called WEBSITE now."]
    answer = call(work, "bo", "tql.run", tql="WEB-2", fields=["key"])
    assert (answer["rows"], answer["notices"]) == ([["WEBSITE-2"]], ["WEB-2 is called WEBSITE-2 now."])


def test_archived_issues_stay_away_until_the_text_speaks_of_them(work: World) -> None:
    work.session("bo").call("issues.archive", {"keys": ["WEB-3"], "on": True})
    assert keys(work, "cy", "project = WEB order by key") == ["WEB-1", "WEB-2"]
    assert keys(work, "cy", "archived") == ["WEB-3"]
    assert keys(work, "cy", "WEB-3") == ["WEB-3"]
    assert keys(work, "cy", "project = WEB and not archived order by key") == ["WEB-1", "WEB-2"]


def test_a_wrong_text_is_refused_with_its_place_and_what_to_write(work: World) -> None:
    with pytest.raises(KbworkProblem) as wrong:
        keys(work, "cy", "asignee = me()")
    assert (wrong.value.slug, wrong.value.status) == ("tql-name", 422)
    assert (wrong.value.extra["position"], wrong.value.extra["length"]) == (0, 7)
    assert wrong.value.errors[0]["suggestions"][0] == {"replace": "asignee", "with": "assignee", "note": ""}
    assert wrong.value.errors[0]["path"] == "tql"
    for text, slug in (
        ("(open", "tql-syntax"),
        ("project = WEB or", "tql-syntax"),
        ("from worklogs", "tql-name"),
        ("milestone is empty", "tql-name"),
        ('rel("nothing") any', "tql-name"),
        ("mentions WEB-999", "tql-name"),
        ("mentions page:1", "tql-name"),
        ("assignee = nobodyhere", "tql-name"),
    ):
        with refused(slug):
            keys(work, "cy", text)


def test_each_source_needs_its_scope(work: World) -> None:
    secret = work.session("cy").call("keys.create", {"name": "n", "scopes": ["search:read", "issues:read"]})[
        "secret"
    ]
    with Kbwork(work.url, secret) as narrow:
        assert narrow.call("tql.count", {"tql": "project = WEB"}) == {"count": 3}
        for text in (
            "from comments",
            "comments any",
            "assignee.role = admin",
            "from members",
            "from projects",
        ):
            with refused("insufficient-scope"):
                narrow.call("tql.count", {"tql": text})


def test_a_path_needs_the_scope_of_each_source_that_it_leads_through(work: World) -> None:
    secret = work.session("cy").call(
        "keys.create", {"name": "n", "scopes": ["search:read", "issues:read", "projects:read"]}
    )["secret"]
    with Kbwork(work.url, secret) as narrow:
        assert len(narrow.call("tql.run", {"tql": "from projects select lead"})["rows"]) == 2
        assert narrow.call("tql.count", {"tql": "comments = 0 and project.name ~ Website"}) == {"count": 3}
        for text, scope in (
            ("from projects select lead.email, lead.role", "members:read"),
            ("from projects order by lead.name", "members:read"),
            ("parent.project.lead.handle = cy", "members:read"),
            ("commented is not empty", "comments:read"),
            ("order by commented", "comments:read"),
            ("assignee in myTeams()", "members:read"),
        ):
            with pytest.raises(KbworkProblem) as refusal:
                narrow.call("tql.run", {"tql": text})
            assert (refusal.value.slug, refusal.value.extra["scopes"]) == ("insufficient-scope", [scope]), (
                text
            )
        assert narrow.call("tql.run", {"tql": "key in mentionedMe()"})["rows"] == []
    work.session("bo").call("comments.create", {"subject": "issue:WEB-1", "body": "ask @cy"})
    assert keys(work, "cy", "key in mentionedMe()") == ["WEB-1"]
    with Kbwork(work.url, secret) as narrow:
        assert narrow.call("tql.run", {"tql": "key in mentionedMe()"})["rows"] == []


def test_each_source_that_a_path_may_lead_to_has_its_scope(work: World) -> None:
    known = scopes.of_role("owner")

    def look(tx: Read) -> None:
        for source in sources(tx).language.values():
            for field in source.table.values():
                assert not field.to or query_parser.need_of(tx, field.to).scope in known, field

    looking(work, "bo", look)


def test_the_order_of_what_fits_best_tells_of_nothing_hidden(work: World) -> None:
    """Nor does how often a word stands in what others keep to themselves."""
    bo, di = work.session("bo"), work.session("di")
    for title in ("blue", "green", "blue"):
        bo.call("issues.create", {"project": "WEB", "title": f"paint {title}", "body": "wall"})
    asked = 'text ~ "blue OR green"'
    before = keys(work, "cy", asked)
    for word in ("green", "blue"):
        for _ in range(20):
            di.call("issues.create", {"project": "PRV", "title": f"{word} {word}", "body": word})
        assert keys(work, "cy", asked) == before


def test_the_newest_hidden_texts_take_no_place_among_what_is_weighed(work: World) -> None:
    bo = work.session("bo")
    bo.call("issues.create", {"project": "WEB", "title": "paint", "body": "old"})
    bo.call("issues.create", {"project": "WEB", "title": "wall", "body": "paint"})
    hidden = work.database.write_now(lambda tx: tx.value("select id from project where key = 'PRV'"))

    def crowd(tx: Write) -> None:
        tx.execute(
            "insert into issue (project, number, type, title, body, lane, category, priority, reporter, level_no,"
            " rank, created_at, created_by, updated_at, status_at, seq)"
            " with recursive n (i) as (select 1 union all select i + 1 from n where i < 2100)"
            " select :hidden, 1000 + i, type, 'paint', '', lane, category, priority, reporter, level_no, rank || i,"
            " created_at, created_by, updated_at, status_at, seq from n, issue where id = 1",
            hidden=hidden,
        )

    before = keys(work, "cy", "paint")
    work.database.write_now(crowd)
    assert keys(work, "cy", "paint") == before == ["WEB-4", "WEB-5"]


def test_other_sources_have_rows_too(work: World) -> None:
    work.session("cy").call("comments.create", {"subject": "issue:WEB-1", "body": "Seen **it**"})
    answer = call(work, "bo", "tql.run", tql="from comments where author = @cy and on = WEB-1")
    assert answer["rows"] == [[1, "WEB-1", work.people["cy"].id, "Seen **it**", 1_800_000_000]]
    assert answer["subjects"] == ["comment:1"]
    assert rows(work, "bo", "from comments issue.status = todo select issue.key") == [["WEB-1"]]
    assert rows(work, "bo", "from projects order by key", fields=["key", "lead"]) == [
        ["SEC", work.people["cy"].id], ["WEB", work.people["bo"].id],
    ]  # fmt: skip
    assert rows(work, "cy", "from members role = guest select handle, email") == [["gus", "gus@acme.example"]]
    assert rows(work, "cy", "from members select count() group by role order by count() desc, role") != []


def test_files_are_found_by_kind_and_words(work: World) -> None:
    data = base64.b64encode(b"The minutes of a meeting").decode()
    file = call(work, "cy", "attachments.add", subject="issue:WEB-1", name="minutes.txt", data=data)
    assert rows(
        work, "bo", "from attachments kind = text and text ~ minutes select id, name, size, author"
    ) == [[file["id"], "minutes.txt", 24, work.people["cy"].id]]
    assert keys(work, "bo", 'attachments any (name ~ "minutes*" and mine)') == []
    assert keys(work, "cy", "attachments any (mine) and attachments count = 1") == ["WEB-1"]
    assert rows(work, "gus", "from attachments") == []


def test_a_text_is_checked_without_being_run(work: World) -> None:
    good = call(work, "cy", "tql.check", tql="STATUS:done  not (mine)")
    assert (good["ok"], good["normal"], good["errors"]) == (True, "status = Done and not mine", [])
    assert good["tree"]["node"] == "query"
    bad = call(work, "cy", "tql.check", tql="statsu = done and asignee = me")
    assert (bad["ok"], bad["normal"], [error["position"] for error in bad["errors"]]) == (
        False,
        None,
        [0, 18],
    )
    assert call(work, "cy", "tql.check", tql="internal = false", from_="comments")["ok"]


def test_completion_proposes_what_may_stand_at_the_cursor(work: World) -> None:
    def labels(text: str, cursor: int | None = None) -> list[str]:
        found = call(work, "cy", "tql.complete", tql=text, cursor=len(text) if cursor is None else cursor)
        return [one["label"] for one in found]

    assert "status" in labels("sta")
    assert labels("status = in") == ['"In progress"', '"In review"']
    assert "@cy" in labels("assignee = ")
    assert labels("assignee = @c") == ["@cy"]
    assert "membersOf(" in labels("assignee in ")
    assert {"=", "!=", "was"} <= set(labels("status "))
    assert {"and", "or", "order by"} <= set(labels("status = done "))
    assert "author" in labels("comments any (au")
    assert "before" in labels("status was done ")
    assert "issues" in labels("from ")
    found = call(work, "cy", "tql.complete", tql="open and prio", cursor=13)[0]
    assert (found["insert"], found["from"], found["to"], found["kind"]) == ("priority ", 9, 13, "field")


def test_fields_say_their_operators_and_values(work: World) -> None:
    fields = {one["name"]: one for one in call(work, "cy", "tql.fields")}
    assert fields["status"]["values"][:2] == ["Backlog", "To do"]
    assert "was" in fields["status"]["operators"]
    assert fields["priority"]["values"] == ["none", "low", "medium", "high", "urgent"]
    assert "me()" in fields["assignee"]["functions"]
    assert "milestone" not in fields
    with refused("invalid-input"):
        call(work, "cy", "tql.fields", from_="nowhere")


def test_an_explanation_says_why_an_issue_is_in_or_out(work: World) -> None:
    told = call(work, "bo", "tql.explain", tql="label = bug and estimate > 5", key="WEB-1")
    assert [(part["part"], part["matched"], part["rows"]) for part in told["parts"]] == [
        ("label = bug", True, 1), ("estimate > 5", False, 0),
    ]  # fmt: skip
    assert told["parts"][0]["index"] == "issue_label_label"
    assert "WEB-1 is out: estimate > 5 does not hold" in told["text"]
    assert told["sql"].startswith("select")
    assert call(work, "cy", "tql.explain", tql="label = bug", key="WEB-1")["sql"] is None
    assert "WEB-1 is in." in call(work, "cy", "tql.explain", tql="label = bug", key="WEB-1")["text"]
    with refused("not-found"):
        call(work, "cy", "tql.explain", tql="open", key="PRV-1")


TRANSLATIONS = [
    ("jql", "assignee = currentUser() AND resolution = Unresolved ORDER BY updated",
     "assignee = me() and open order by updated"),
    ("jql", 'project = WEB and status in ("In Progress", Done) and created >= -30m',
     'project = WEB and status in ("In Progress", Done) and created >= -30min'),
    ("jql", "status was Done by currentUser() before '2024/01/31' and assignee is not EMPTY",
     "status was Done before 2024-01-31 by me() and assignee is not empty"),
    ("github", "is:open label:bug -label:later assignee:@me sort:updated-desc crash",
     'open and label = bug and not label = later and assignee = me() and text ~ "crash" order by updated desc'),
    ("youtrack", "project: WEB #Unresolved for: me State: Open, {In Progress} sort by: updated desc",
     'project = WEB and open and assignee = me() and (status = Open or status = "In Progress") order by updated desc'),
]  # fmt: skip


@pytest.mark.parametrize(("language_", "text", "wanted"), TRANSLATIONS)
def test_texts_of_other_trackers_are_translated(world: World, language_: str, text: str, wanted: str) -> None:
    assert call(world, "cy", "tql.translate", text=text, language=language_) == {"tql": wanted, "notes": []}


def test_what_cannot_be_translated_is_told(world: World) -> None:
    told = call(world, "cy", "tql.translate", text="repo:a/b is:open", language="github")
    assert (told["tql"], len(told["notes"])) == ("open", 1)
    with refused("ai-off"):
        call(world, "cy", "tql.translate", text="what is late", language="plain")


def asked(world: World, text: str, who: str = "cy") -> int | str:
    """200, or the problem."""
    try:
        call(world, who, "tql.run", tql=text)
    except KbworkProblem as problem:
        return problem.slug
    return 200


HOSTILE = (
    "'; drop table issue; --", '" or 1=1 --', "title = \"'; delete from issue\"", "cf[\"x' or '1\"] = 1", "a" * 20_000,
    "(" * 500, "estimate = 999999999999999 * 999999999999999", "estimate > 1 / 0", "title ~ \"\\\"* OR (\"",
    "created > -200y and due < +200y", "text ~ \"AND NEAR(\"", "order by title limit 999999999999999", "\u202e open",
    "title ~ \"" + "a " * 3000 + "\"", "not " * 200 + "open", "label in (" + ", ".join(["bug"] * 500) + ")",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_answered_or_refused_and_changes_nothing(work: World, text: str) -> None:
    assert asked(work, text) in (200, "tql-syntax", "tql-name", "invalid-input")
    assert keys(work, "cy", "project = WEB order by key") == ["WEB-1", "WEB-2", "WEB-3"]


def test_a_condition_on_an_issue_is_asked_anew_after_each_change(work: World) -> None:
    def change(tx: Write) -> None:
        assert not language.matches(tx, 'priority = urgent or title ~ "anew"', 2)
        tx.update("issue", 2, priority="urgent")
        assert language.matches(tx, "priority = urgent", 2)
        assert language.values(tx, {"p": "priority"}, [2]) == {2: {"p": "urgent"}}
        tx.update("issue", 2, priority="low", title="Made anew")
        assert language.matches(tx, 'title ~ "anew" and priority = low', 2)
        assert language.values(tx, {"p": "priority"}, [2]) == {2: {"p": "low"}}

    acting(work, "cy", change)


def test_a_rollup_gathers_the_children_that_are_seen(work: World) -> None:
    for estimate in (1, 4):
        value = {
            "project": "WEB",
            "title": "Step",
            "type": "subtask",
            "parent": "WEB-1",
            "estimate": estimate,
        }
        work.session("bo").call("issues.create", value)
    level = {"project": "WEB", "title": "Step", "type": "subtask", "parent": "WEB-1", "estimate": 9}
    work.session("bo").call("issues.create", level | {"level": "private"})

    formulas = {"sum": "sum(estimate)", "share": "share(estimate > 2)", "above": "parent.title"}
    found = looking(work, "cy", lambda tx: language.values(tx, formulas, [1]))
    assert found == {1: {"sum": 5.0, "share": 0.5, "above": None}}


def test_a_query_that_takes_too_long_is_stopped_and_told_what_costs(work: World) -> None:
    def ask(tx: Read) -> str:
        query = query_parser.query(tx, "status was done and estimate > 2").query
        with pytest.raises(TqlTooSlow) as slow, time_limit.bounded(tx, query, 0.0):
            tx.all("select * from issue")
        assert not tx.over
        return slow.value.detail

    said = work.database.read_now(ask, caller(work, "cy"))
    assert "`status was Done` costs most" in said
    assert "add `project = ...`" in said


@pytest.mark.parametrize("text", small_world_examples())
def test_an_example_runs_or_says_what_it_waits_for(work: World, text: str) -> None:
    bo = work.session("bo")
    if "membersOf" in text and "core" in text:
        bo.call("teams.save", {"name": "Core", "handle": "core"})
    assert asked(work, text, "bo") in (200, "tql-name"), text


def test_other_modules_ask_through_the_language(work: World) -> None:
    def ask(tx: Read) -> None:
        assert language.checked(tx, "STATUS : done") == "status = Done"
        assert language.checked_value(tx, "estimate*2") == "estimate * 2"
        assert language.issues(tx, "project = WEB order by key", 2) == [1, 2]
        assert language.matches(tx, "label = bug and open", 1)
        assert not language.matches(tx, "label = bug and open", 2)
        assert not language.matches(tx, "open", 5)
        assert language.values(tx, {"twice": "estimate * 2", "who": "assignee"}, [1, 2, 5]) == {
            1: {"twice": 6.0, "who": []},
            2: {"twice": 4.0, "who": [work.people["cy"].id]},
        }

    looking(work, "cy", ask)
