"""Fields: who makes them, what they may be, who sees them and what is told of them."""

import typing
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.modules.fields import reserved
from kbwork.modules.fields.model import Kind
from kbwork.tql import words
from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.fields.sample_values import acting, field, issue, place, put, values
from tests.modules.together import slugs, together

EVERY = [kind for kind in typing.get_args(Kind) if kind not in ("formula", "rollup")]


def made(shape: dict[str, Any]) -> dict[str, Any]:
    """The shape of a new field."""
    return {
        "on": "issue",
        "description": "",
        "options": [],
        "projects": [],
        "types": [],
        "default": None,
        "formula": None,
        "min": None,
        "max": None,
        "pattern": None,
        "personal": False,
        "used": 0,
    } | shape


def heard(world: World, who: str, seq: int) -> list[tuple[str, str, Any]]:
    return [
        (event["kind"], event["subject"], event["payload"])
        for event in world.key(who).api.changes(since=seq)["events"]
    ]


def test_an_admin_makes_a_field_and_members_hear_of_it(world: World) -> None:
    seq = world.database.seq
    shape = made({"key": "severity", "name": "Severity", "kind": "select", "description": "How bad"})
    saved = call(
        world, "bo", "fields.save", key="severity", name=" Severity ", kind="select", description="How bad"
    )
    assert saved == shape
    assert world.events_since(seq) == [("field.saved", "org:1")]
    payload = {"key": "severity", "name": "Severity"}
    for who in ("ana", "cy", "di"):
        assert heard(world, who, seq) == [("field.saved", "org:1", payload)]
        assert call(world, who, "fields.get", key="severity") == shape
        assert call(world, who, "fields.list") == [shape]
    assert heard(world, "gus", seq) == []


def test_who_is_no_admin_makes_and_deletes_none(world: World) -> None:
    field(world, "severity", "select", [])
    for who in ("cy", "gus"):
        for op, value in (
            ("fields.save", {"key": "own_one", "name": "Own one", "kind": "text"}),
            ("fields.delete", {"key": "severity"}),
            ("fields.option_merge", {"key": "severity", "from": ["a"], "into": "b"}),
        ):
            with refused("insufficient-scope"):
                world.session(who).call(op, value)


def test_a_key_that_is_limited_to_projects_makes_none(world: World) -> None:
    made_key = world.session("bo").call(
        "keys.create", {"name": "web", "scopes": ["admin"], "projects": ["WEB"]}
    )
    with Kbwork(world.url, made_key["secret"]) as client, refused("not-allowed"):
        client.call("fields.save", {"key": "own_one", "name": "Own one", "kind": "text"})


@pytest.mark.parametrize("kind", EVERY)
def test_a_field_of_each_kind_is_made(world: World, kind: str) -> None:
    assert field(world, "own_one", kind) == made({"key": "own_one", "name": "Own one", "kind": kind})


@pytest.mark.parametrize("key", ["group", "blocked", "title", "estimate", "labels", "fixversion", "p95"])
def test_a_key_is_no_word_of_queries(world: World, key: str) -> None:
    """Neither one that the language has, nor a field of every issue by any of its names."""
    with refused("invalid-input"):
        field(world, key, "text")
    assert call(world, "cy", "fields.list", on="issue") == []


def test_every_word_of_the_language_is_kept(world: World) -> None:
    tables = (
        *(words.RESERVED, words.CLAUSES, words.CLAUSE_PAIRS.values(), words.OPERATOR_WORDS, words.WHEN),
        *(words.QUANTIFIERS, words.NAMED_PERIODS, words.FLAGS, words.RELATIONS, words.COLLECTIONS),
        *(words.AGGREGATES, words.GROUPS),
    )
    known = {word for table in tables for name in table for word in name.split()}
    assert known - world.database.write_now(reserved.words) == set()


@pytest.mark.parametrize("kind", ["formula", "rollup"])
def test_a_computed_field_says_what_it_computes(world: World, kind: str) -> None:
    assert field(world, "own_one", kind, formula="estimate * 2")["formula"] == "estimate * 2"
    for formula in (None, "", "  "):
        with refused("invalid-input"):
            call(world, "bo", "fields.save", key="other", name="Other", kind=kind, formula=formula)


@pytest.mark.parametrize("home", ["worklog", "company", "request"])
def test_other_things_have_fields_too(world: World, home: str) -> None:
    field(world, "own_one", "text", on=home)
    assert [each["key"] for each in call(world, "cy", "fields.list", on=home)] == ["own_one"]
    assert call(world, "cy", "fields.list", on="issue") == []
    with refused("invalid-input"):
        call(world, "bo", "fields.save", key="own_one", name="Own one", kind="text", on="issue")
    assert call(world, "bo", "fields.layout", project="WEB", type="task")[0]["edit"] == []


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        ({"key": "Severity"}, "key"),
        ({"key": "2nd"}, "key"),
        ({"key": "a" * 41}, "key"),
        ({"key": "priority"}, "key"),
        ({"key": "between"}, "key"),
        ({"key": "fixversion"}, "key"),
        ({"key": "overdue"}, "key"),
        ({"name": " "}, "name"),
        ({"kind": "colour"}, "kind"),
        ({"kind": None}, "kind"),
        ({"types": ["feature"]}, "types"),
        ({"kind": "bool", "min": 1}, "min"),
        ({"kind": "number", "min": 2, "max": 1}, "min"),
        ({"kind": "number", "pattern": "1"}, "pattern"),
        ({"pattern": "("}, "pattern"),
        ({"pattern": "(?i)a"}, "pattern"),
        ({"formula": "1"}, "formula"),
        ({"default": 3}, "default"),
        ({"kind": "number", "max": 5, "default": 6}, "default"),
        ({"kind": "select", "default": "High"}, "default"),
        ({"kind": "issue", "default": "WEB-1"}, "default"),
        ({"kind": "formula", "formula": "1", "default": 1}, "default"),
        ({"projects": ["WEB"] * 101}, "projects"),
    ],
)
def test_what_does_not_fit_is_named(world: World, bad: dict[str, Any], path: str) -> None:
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "fields.save", **({"key": "own_one", "name": "Own one", "kind": "text"} | bad))
    assert refusal.value.slug == "invalid-input"
    assert [error["path"] for error in refusal.value.errors] == [path]
    assert world.events_since(seq) == []


def test_a_project_that_one_does_not_see_is_not_there(world: World) -> None:
    with refused("not-found"):
        call(world, "bo", "fields.save", key="own_one", name="Own one", kind="text", projects=["NONE"])


def test_fields_that_are_not_named_stay_and_null_clears(world: World) -> None:
    field(world, "points", "number", description="Effort", min=1, max=8, default=3, types=["bug"])
    same = {"key": "points", "name": "Points", "kind": "number"}
    seq = world.database.seq
    before = call(world, "bo", "fields.save", **same)
    assert (before["description"], before["min"], before["max"], before["default"]) == ("Effort", 1, 8, 3)
    assert world.events_since(seq) == []
    after = call(
        world, "bo", "fields.save", **same, min=None, max=None, default=None, types=[], description=""
    )
    assert after == made(same)
    assert heard(world, "cy", seq) == [
        (
            "field.saved",
            "org:1",
            {
                "key": "points",
                "name": "Points",
                "changes": {
                    "description": {"from": "Effort", "to": ""},
                    "min": {"from": 1, "to": None},
                    "max": {"from": 8, "to": None},
                    "types": {"from": ["bug"], "to": []},
                    "default": {"from": 3, "to": None},
                },
            },
        )
    ]


def test_a_pattern_is_cleared_by_an_empty_text(world: World) -> None:
    field(world, "own_one", "text", pattern="^a")
    assert (
        call(world, "bo", "fields.save", key="own_one", name="Own one", kind="text", pattern="")["pattern"]
        is None
    )


def test_a_key_and_a_name_are_taken_once(world: World) -> None:
    field(world, "severity", "text")
    with refused("conflict"):
        call(world, "bo", "fields.save", key="sev", name="SEVERITY", kind="text")
    call(world, "bo", "fields.save", key="web_sev", name="Risk", kind="text", projects=["WEB"])
    call(world, "ana", "fields.save", key="sec_sev", name="risk", kind="text", projects=["SEC"])
    with refused("conflict"):
        call(world, "bo", "fields.save", key="org_sev", name="Risk", kind="text")
    with refused("conflict"):
        call(world, "bo", "fields.save", key="sec_sev", name="Risk", kind="text", projects=["SEC", "WEB"])
    call(world, "bo", "fields.save", key="log_sev", name="Severity", kind="text", on="worklog")
    call(world, "bo", "fields.delete", key="severity")
    with refused("conflict"):
        call(world, "bo", "fields.save", key="severity", name="Severity", kind="text")
    call(world, "bo", "fields.save", key="sev", name="Severity", kind="text")


def test_a_name_that_two_fields_have_asks_for_the_key(world: World) -> None:
    call(world, "bo", "fields.save", key="web_risk", name="Risk", kind="text", projects=["WEB"])
    call(world, "bo", "fields.save", key="sec_risk", name="Risk", kind="text", projects=["SEC"])
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "bo", "fields.get", key="risk")
    assert (refusal.value.slug, refusal.value.errors[0]["allowed"]) == (
        "invalid-input",
        ["web_risk", "sec_risk"],
    )
    assert call(world, "bo", "fields.get", key="WEB_RISK")["key"] == "web_risk"
    assert call(world, "di", "fields.get", key="2")["key"] == "sec_risk"


def test_an_unknown_field_names_the_nearest(world: World) -> None:
    field(world, "severity", "text")
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "cy", "fields.get", key="severty")
    assert refusal.value.slug == "not-found"
    assert "severity" in str(refusal.value)


def test_there_are_two_hundred_at_most(world: World) -> None:
    def fill(tx: Any) -> None:
        for number in range(199):
            row = {"key": f"f{number}", "name": f"F{number}", "name_key": f"f{number}"}
            tx.insert(
                "field",
                **row,
                kind="text",
                home="issue",
                description="",
                projects="[]",
                types="[]",
                preset="[]",
                personal=0,
            )

    acting(world, "bo", fill)
    field(world, "final", "text")
    with refused("conflict"):
        field(world, "more", "text")
    seq = world.database.seq
    call(world, "bo", "fields.delete", key="final")
    field(world, "more", "text")
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)


def test_two_who_make_the_same_field_at_once_make_one(world: World) -> None:
    wanted = {"name": "Severity", "kind": "text"}
    calls = [("fields.save", wanted | {"key": f"severity{number}"}) for number in range(8)]
    assert slugs(together(world, "bo", calls)) == ["conflict"] * 7
    assert len(call(world, "cy", "fields.list")) == 1


def test_the_list_is_narrowed_by_project(world: World) -> None:
    field(world, "everywhere", "text")
    field(world, "web", "text", projects=["WEB"])
    field(world, "sec", "text", projects=["SEC"])

    def keys(who: str, **narrow: Any) -> list[str]:
        return [each["key"] for each in call(world, who, "fields.list", **narrow)]

    assert keys("bo") == ["everywhere", "web", "sec"]
    assert keys("cy", project="SEC") == ["everywhere", "sec"]
    assert keys("di", project="WEB") == ["everywhere", "web"]
    with refused("not-found"):
        keys("ana", project="PRV")


def test_a_field_of_projects_is_for_those_who_see_one_of_them(world: World) -> None:
    world.session("di").projects.member_set(key="PRV", who="@bo", role="lead")
    seq = world.database.seq
    call(world, "bo", "fields.save", key="layoffs", name="Layoffs", kind="text", projects=["PRV"])
    call(world, "bo", "fields.save", key="shared", name="Shared", kind="text", projects=["PRV", "WEB"])
    seen = {
        who: [each["key"] for each in call(world, who, "fields.list")] for who in ("bo", "cy", "di", "gus")
    }
    assert seen == {"bo": ["layoffs", "shared"], "cy": ["shared"], "di": ["layoffs", "shared"], "gus": []}
    assert call(world, "cy", "fields.get", key="shared")["projects"] == ["WEB"]
    assert call(world, "di", "fields.get", key="shared")["projects"] == ["PRV", "WEB"]
    with refused("not-found"):
        call(world, "cy", "fields.get", key="layoffs")
    shared = {"key": "shared", "name": "Shared"}
    assert heard(world, "cy", seq) == [("field.saved", "project:WEB", shared)]
    assert heard(world, "di", seq) == [
        ("field.saved", "project:PRV", {"key": "layoffs", "name": "Layoffs"}),
        ("field.saved", "project:WEB", shared),
        ("field.saved", "project:PRV", shared),
    ]


def test_projects_that_one_does_not_see_stay(world: World) -> None:
    call(world, "bo", "projects.create", key="BOP", name="Bo's own", kind="personal")
    call(world, "bo", "fields.save", key="shared", name="Shared", kind="text", projects=["BOP", "WEB"])
    same = {"key": "shared", "name": "Shared", "kind": "text"}
    seq = world.database.seq
    assert call(world, "ana", "fields.save", **same, projects=["SEC", "WEB"])["projects"] == ["SEC", "WEB"]
    assert call(world, "bo", "fields.get", key="shared")["projects"] == ["BOP", "SEC", "WEB"]
    payload = {"key": "shared", "name": "Shared", "changes": {"projects": {"from": 2, "to": 3}}}
    assert heard(world, "cy", seq) == [("field.saved", f"project:{key}", payload) for key in ("WEB", "SEC")]
    assert call(world, "ana", "fields.save", **same, projects=[])["projects"] == []


def test_a_guest_sees_the_fields_that_are_laid_out_in_their_projects(world: World) -> None:
    field(world, "everywhere", "text")
    field(world, "sec", "text", projects=["SEC"])
    field(world, "bugs", "text", types=["bug"])
    field(world, "firm", "text", on="company")
    assert call(world, "gus", "fields.list") == []
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    assert [each["key"] for each in call(world, "gus", "fields.list")] == ["everywhere", "bugs"]
    empty: dict[str, list[str]] = {"create": [], "edit": [], "required": []}
    call(world, "bo", "fields.layout_save", project="WEB", type="bug", **empty)
    assert [each["key"] for each in call(world, "gus", "fields.list")] == ["everywhere"]
    with refused("not-found"):
        call(world, "gus", "fields.get", key="bugs")


def test_used_counts_the_issues_that_one_sees(world: World) -> None:
    field(world, "severity", "text")
    field(world, "tags", "multi_select", ["a", "b"])
    for project in ("WEB", "SEC"):
        issue(world, project=project)
        put(world, f"{project}-1", {"severity": "x", "tags": ["a", "b"]})
    issue(world, level="private")
    put(world, "WEB-2", {"tags": ["a"]})
    call(world, "di", "issues.create", project="SEC", title="Di's")
    put(world, "SEC-2", {"tags": ["b"]})

    def used(who: str) -> dict[str, int]:
        return {each["key"]: each["used"] for each in call(world, who, "fields.list")}

    assert used("cy") == {"severity": 2, "tags": 4}
    assert used("di") == {"severity": 1, "tags": 2}
    put(world, "WEB-1", {"tags": ["b"]})
    assert used("cy") == {"severity": 2, "tags": 4}
    put(world, "WEB-1", {"tags": [], "severity": None})
    assert used("cy") == {"severity": 1, "tags": 3}


def test_used_follows_an_issue_into_the_trash_and_another_project(world: World) -> None:
    field(world, "tags", "multi_select", ["a", "b"])
    issue(world)
    put(world, "WEB-1", {"tags": ["a", "b"]})

    def change(**columns: Any) -> int:
        acting(world, "cy", lambda tx: tx.update("issue", place(tx, "WEB-1")["id"], **columns))
        return int(call(world, "cy", "fields.get", key="tags")["used"])

    assert [change(deleted_at=5), change(deleted_at=None), change(deleted_at=5), change(deleted_at=None)] == [
        0,
        1,
        0,
        1,
    ]
    sec = acting(world, "cy", lambda tx: tx.value("select id from project where key = 'SEC'"))
    assert change(project=sec) == 1
    assert call(world, "gus", "fields.list") == []
    counts = acting(world, "cy", lambda tx: tx.column("select issues from field_count order by project"))
    assert counts == [0, 1]


def test_making_and_changing_are_taken_back(world: World) -> None:
    seq = world.database.seq
    field(world, "severity", "text")
    second = world.database.seq
    call(world, "bo", "fields.save", key="severity", name="Risk", kind="text", max=5)
    call(world, "bo", "undo.apply", seq=second + 1)
    assert call(world, "bo", "fields.get", key="severity") == made(
        {"key": "severity", "name": "Severity", "kind": "text"}
    )
    third = world.database.seq
    call(world, "bo", "undo.apply", seq=seq + 1)
    assert world.events_since(third) == [("field.deleted", "org:1")]
    assert call(world, "bo", "fields.list") == []
    call(world, "bo", "undo.apply", seq=third + 1)
    assert [each["key"] for each in call(world, "bo", "fields.list")] == ["severity"]


def test_undo_leaves_what_somebody_changed_since(world: World) -> None:
    field(world, "severity", "text")
    seq = world.database.seq
    call(world, "bo", "fields.save", key="severity", name="Risk", kind="text")
    call(world, "ana", "fields.save", key="severity", name="Danger", kind="text")
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)
    call(world, "bo", "undo.apply", seq=seq + 1, force=True)
    assert call(world, "bo", "fields.get", key="severity")["name"] == "Severity"


def test_undo_keeps_names_free(world: World) -> None:
    field(world, "severity", "text")
    seq = world.database.seq
    call(world, "bo", "fields.delete", key="severity")
    call(world, "bo", "fields.save", key="sev", name="Severity", kind="text")
    with refused("conflict"):
        call(world, "bo", "undo.apply", seq=seq + 1)


def test_undo_needs_the_right_of_now(world: World) -> None:
    field(world, "severity", "text")
    seq = world.database.seq
    call(world, "bo", "fields.delete", key="severity")
    call(world, "ana", "members.update", id=world.people["bo"].id, role="member")
    with refused("insufficient-scope"):
        call(world, "bo", "undo.apply", seq=seq + 1)


def test_a_field_is_a_subject(world: World) -> None:
    field(world, "severity", "text")
    field(world, "sec", "text", projects=["SEC"])
    (found,) = call(world, "cy", "subjects.resolve", refs=["field:severity"])
    assert (found["subject"], found["title"], found["path"]) == (
        "field:severity",
        "Severity",
        "/fields/severity",
    )
    for who, refs in (("gus", ["field:severity"]), ("cy", ["field:none"]), ("gus", ["field:sec"])):
        assert not any(each.get("title") for each in call(world, who, "subjects.resolve", refs=refs))


def test_a_deleted_field_lies_in_the_trash_and_comes_back_with_its_values(world: World) -> None:
    field(world, "severity", "text")
    issue(world)
    put(world, "WEB-1", {"severity": "bad"})
    call(world, "bo", "fields.delete", key="severity")
    call(world, "bo", "fields.save", key="sev", name="Severity", kind="text")
    assert call(world, "cy", "trash.list", kind="field")["items"] == []
    (entry,) = call(world, "ana", "trash.list", kind="field")["items"]
    assert (entry["subject"], entry["title"]) == ("field:1", "Severity")
    seq = world.database.seq
    call(world, "ana", "trash.restore", ids=[entry["id"]])
    assert heard(world, "cy", seq) == [("field.restored", "org:1", {"key": "severity", "name": "Severity 2"})]
    assert values(world, "WEB-1") == {"severity": "bad"}
    assert call(world, "ana", "trash.list", kind="field")["items"] == []
    call(world, "ana", "undo.apply", seq=seq + 1)
    assert [each["key"] for each in call(world, "bo", "fields.list")] == ["sev"]
    assert len(call(world, "ana", "trash.list", kind="field")["items"]) == 1


def test_a_purged_field_leaves_its_key_alone(world: World) -> None:
    field(world, "tags", "multi_select", ["a", "b"])
    issue(world)
    put(world, "WEB-1", {"tags": ["a", "b"]})
    call(world, "bo", "fields.delete", key="tags")
    (entry,) = call(world, "bo", "trash.list", kind="field")["items"]
    seq = world.database.seq
    call(world, "bo", "trash.purge", ids=[entry["id"]])
    assert world.events_since(seq) == [("field.purged", "field:1")]
    left = acting(
        world,
        "bo",
        lambda tx: [
            tx.column(f"select count(*) from {table}")
            for table in ("issue_value", "field_option", "field_count")
        ],
    )
    assert left == [[0], [0], [0]]
    with refused("conflict"):
        call(world, "bo", "fields.save", key="tags", name="Tags", kind="text")


def test_a_purged_issue_takes_its_values_along(world: World) -> None:
    field(world, "severity", "text")
    issue(world)
    put(world, "WEB-1", {"severity": "bad"})
    entry = call(world, "bo", "issues.delete", key="WEB-1")["trash"]
    assert call(world, "bo", "fields.get", key="severity")["used"] == 0
    call(world, "bo", "trash.purge", ids=[entry])
    assert acting(world, "bo", lambda tx: tx.column("select count(*) from issue_value")) == [0]
