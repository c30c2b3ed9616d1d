"""Views: who sees and keeps them, what they count, and who gets them by mail."""

import datetime
import shutil
import zoneinfo
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.core import zones
from kbwork.core.access import scopes
from kbwork.core.ports import mail as mailing
from kbwork.db.tx import Write
from kbwork.modules.views import results
from kbwork.modules.views.subscriptions import due_times
from kbwork.settings import MailSettings, Settings
from tests.conftest import NOW, PASSWORD, Person, World, serving
from tests.modules.calls import call, eventually, refused

DAY_S = 86400


def shape(world: World, **more: Any) -> dict[str, Any]:
    """A view of Cy's as it is answered where nothing else was said."""
    return {
        "id": 1,
        "name": "Mine",
        "tql": "open",
        "layout": "list",
        "columns": [],
        "group_by": None,
        "subgroup_by": None,
        "sort": None,
        "project": None,
        "owner": world.people["cy"].id,
        "shared": False,
        "icon": None,
        "external": None,
        "subscribed": None,
        "count": 0,
        "notices": [],
    } | more


def saved(world: World, who: str = "cy", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = call(world, who, "views.save", **{"name": "Mine", "tql": "open"} | more)
    return made


def names(world: World, who: str, **asked: Any) -> list[str]:
    return [view["name"] for view in call(world, who, "views.list", **asked)]


def issue(world: World, title: str, who: str = "cy", **more: Any) -> str:
    return str(call(world, who, "issues.create", **{"project": "WEB", "title": title} | more)["key"])


# Saving.


def test_a_view_is_answered_whole_and_counts_what_its_reader_sees(world: World) -> None:
    seq = world.database.seq
    assert saved(world) == shape(world)
    assert world.events_since(seq) == [("view.saved", "view:1")]
    issue(world, "For all")
    issue(world, "Di's own", "di", project="PRV")
    saved(world, id=1, shared=True)
    found = {who: call(world, who, "views.get", id=1)["count"] for who in ("ana", "cy", "di", "gus")}
    assert found == {"ana": 1, "cy": 1, "di": 2, "gus": 0}
    assert [view["count"] for view in call(world, "di", "views.list")] == [2]


def test_what_was_renamed_is_found_by_its_old_name_and_shown_by_its_present_one(world: World) -> None:
    call(world, "bo", "labels.save", name="infra")
    label = call(world, "bo", "labels.list")[0]
    part = call(world, "bo", "components.save", project="WEB", name="Till")
    call(world, "bo", "fields.save", key="region", name="Region", kind="select")
    options = call(world, "bo", "fields.options_set", key="region", options=[{"name": "EU"}, {"name": "US"}])
    parts: dict[str, Any] = {
        "labels": ["infra"],
        "components": ["Till"],
        "values": {"region": "EU"},
        "type": "bug",
    }
    issue(world, "Renamed", **parts)
    tql = (
        'label = infra -- ours\nand component = "Till" and cf.region in (eu, us) and status = "To do"'
        " and type = bug and view(inner)"
    )
    call(world, "bo", "views.save", name="inner", tql="label = #infra")
    view = call(world, "bo", "views.save", name="All names", tql=tql)
    assert (view["count"], view["tql"]) == (1, tql)
    call(world, "bo", "labels.save", id=label["id"], name="Platform team")
    call(world, "bo", "components.save", project="WEB", id=part["id"], name="Checkout")
    renamed = [
        {"id": one["id"], "name": name}
        for one, name in zip(options["options"], ("Europe", "US"), strict=True)
    ]
    call(world, "bo", "fields.options_set", key="region", options=renamed)
    call(world, "ana", "lanes.save", key="todo", name="Waits", category="todo")
    shown = call(world, "bo", "views.get", id=view["id"])
    assert shown["tql"] == (
        'label = "Platform team" -- ours\nand component = Checkout and cf.region in (Europe, us) and status = Waits'
        " and type = bug and view(inner)"
    )
    assert shown["count"] == 1
    assert {one["tql"] for one in call(world, "bo", "views.list")} == {
        shown["tql"],
        'label = "Platform team"',
    }
    ran = call(world, "bo", "tql.run", tql="label = infra and status = 'to do'")
    assert (len(ran["rows"]), ran["notices"]) == (
        1,
        ["infra is called Platform team now.", "to do is called Waits now."],
    )
    call(world, "bo", "labels.save", name="infra")
    assert call(world, "bo", "tql.count", tql="label = infra") == {"count": 0}, "a present name comes first"
    with refused("tql-name"):
        call(world, "bo", "tql.run", tql="label = infrastructure")


def test_a_view_means_what_it_named_when_the_name_is_given_to_something_else(world: World) -> None:
    call(world, "ana", "lanes.save", name="Shipping", key="ship", category="in_progress")
    call(world, "ana", "lanes.save", key="todo", name="Waits", category="todo")
    call(world, "bo", "labels.save", name="infra")
    till = call(world, "bo", "components.save", project="WEB", name="Till")
    call(world, "bo", "fields.save", key="region", name="Sales area", kind="select")
    options = call(world, "bo", "fields.options_set", key="region", options=[{"name": "EU"}])["options"]
    parts: dict[str, Any] = {"labels": ["infra"], "components": ["Till"], "values": {"region": "EU"}}
    old = issue(world, "Old", **parts)
    tql = 'label != urgent and label in (#infra, infra) and component = Till and "Sales area" = eu and status = Waits'
    call(world, "bo", "labels.save", name="urgent")
    view = saved(
        world,
        "bo",
        tql=tql,
        columns=["key", "'Sales area'"],
        group_by='"Sales area"',
        subgroup_by='"Sales area"',
        sort='-"Sales area"',
    )
    assert (view["count"], view["tql"], view["notices"]) == (1, tql, [])
    call(world, "bo", "labels.save", id=1, name="Platform team")
    call(world, "bo", "labels.save", name="infra")
    call(world, "bo", "components.save", project="WEB", id=till["id"], name="Checkout")
    call(world, "bo", "components.save", project="WEB", name="Till")
    call(world, "bo", "fields.save", key="region", name="Area", kind="select")
    call(world, "bo", "fields.save", key="zone", name="Sales area", kind="select")
    renamed = [{"id": options[0]["id"], "name": "Europe"}, {"name": "EU"}]
    call(world, "bo", "fields.options_set", key="region", options=renamed)
    call(world, "bo", "fields.options_set", key="zone", options=[{"name": "EU"}])
    call(world, "ana", "lanes.save", key="todo", name="To do", category="todo")
    call(world, "ana", "lanes.save", key="ship", name="Waits", category="in_progress")
    new: dict[str, Any] = {
        "labels": ["infra"],
        "components": ["Till"],
        "values": {"region": "EU", "zone": "EU"},
    }
    issue(world, "New", **new)
    shown = call(world, "bo", "views.get", id=1)
    assert shown == view | {
        "tql": 'label != urgent and label in ("Platform team", "Platform team") and component = Checkout'
        ' and cf.region = Europe and status = "To do"',
        "columns": ["key", "cf.region"],
        "group_by": "cf.region",
        "subgroup_by": "cf.region",
        "sort": "-cf.region",
        "notices": [
            "infra is called Platform team now.",
            "Till is called Checkout now.",
            "eu is called Europe now.",
            "Waits is called To do now.",
        ],
    }
    found = [
        call(world, "bo", "tql.run", tql=text, fields=["key"])["rows"]
        for text in (shown["tql"], "view(Mine)")
    ]
    assert found == [[[old]], [[old]]], "what is shown means the same, and so does the view by its name"
    assert call(world, "bo", "views.copy", id=1)["count"] == 1


def test_a_view_that_was_kept_before_names_were_remembered_goes_by_names_until_it_is_saved(
    world: World,
) -> None:
    call(world, "bo", "labels.save", name="infra")
    issue(world, "Old", labels=["infra"])
    saved(world, tql="label = infra")
    world.database.write_now(lambda tx: tx.update("view", 1, names="{}"))
    call(world, "bo", "labels.save", id=1, name="Platform team")
    assert call(world, "cy", "views.get", id=1)["count"] == 1, "by its former name"
    call(world, "bo", "labels.save", name="infra")
    assert call(world, "cy", "views.get", id=1)["count"] == 0
    assert saved(world, id=1, tql='label = "Platform team"')["count"] == 1
    call(world, "bo", "labels.save", id=1, name="Platform")
    call(world, "bo", "labels.save", name="Platform team")
    assert call(world, "cy", "views.get", id=1)["count"] == 1


def test_saving_anew_and_taking_back_change_what_a_view_means(world: World) -> None:
    call(world, "bo", "labels.save", name="infra")
    saved(world, tql="label = infra")
    call(world, "bo", "labels.save", id=1, name="Platform")
    call(world, "bo", "labels.save", name="infra")
    issue(world, "Old", labels=["Platform"])
    assert call(world, "cy", "views.get", id=1)["tql"] == "label = Platform"
    assert saved(world, id=1, tql="label = infra") == shape(world, tql="label = infra")
    call(world, "cy", "undo.apply", seq=world.session("cy").last_seq)
    assert call(world, "cy", "views.get", id=1)["tql"] == "label = Platform"


def test_a_name_that_is_one_thing_in_several_projects_means_later_ones_too(world: World) -> None:
    for project in ("WEB", "SEC"):
        call(world, "ana", "components.save", project=project, name="api")
    saved(world, "ana", tql="component = api")
    call(world, "ana", "projects.create", key="NEW", name="New")
    call(world, "ana", "components.save", project="NEW", name="api")
    issue(world, "Later", "ana", project="NEW", components=["api"])
    assert call(world, "ana", "views.get", id=1)["count"] == 1
    call(world, "ana", "components.save", project="WEB", id=1, name="gateway")
    issue(world, "Renamed", "ana", components=["gateway"])
    shown = call(world, "ana", "views.get", id=1)
    assert (shown["count"], shown["tql"], shown["notices"]) == (
        2,
        "component = api",
        ["api is called api and gateway now."],
    )


def test_all_that_a_view_says_is_kept_as_it_was_written(world: World) -> None:
    asked: dict[str, Any] = {
        "tql": "-- mine\nopen  and assignee = me()",
        "layout": "board",
        "columns": ["key", "Title", "estimate * 2", "key"],
        "group_by": "status",
        "subgroup_by": "assignee",
        "sort": "-due",
        "icon": "star",
        "external": "a-1",
        "shared": True,
    }
    made = saved(world, **asked)
    expected = asked | {"columns": ["key", "Title", "estimate * 2"]}
    assert made == shape(world, **expected)
    copied = call(world, "cy", "views.copy", id=1)
    same = ("tql", "layout", "columns", "group_by", "subgroup_by", "sort", "icon")
    assert {name: copied[name] for name in same} == {name: made[name] for name in same}
    cleared = saved(world, id=1, group_by=None, subgroup_by=None, sort=None, icon="", external="", columns=[])
    assert cleared == shape(world, layout="board", shared=True)


def test_a_group_within_a_group_goes_with_the_source_and_comes_back(world: World) -> None:
    saved(world, group_by="assignee", subgroup_by="priority")
    seq = world.session("cy").last_seq
    assert saved(world, id=1, name="Ours", subgroup_by="status")["subgroup_by"] == "status"
    event = call(world, "cy", "api.changes", since=seq)["events"][0]
    assert event["payload"]["changes"]["subgroup_by"] == {"from": "priority", "to": "status"}
    call(world, "cy", "undo.apply", seq=world.session("cy").last_seq)
    found = call(world, "cy", "views.get", id=1)
    assert (found["name"], found["group_by"], found["subgroup_by"]) == ("Mine", "assignee", "priority")
    with pytest.raises(KbworkProblem) as refusal:
        saved(world, id=1, tql="from assets", group_by=None)
    assert refusal.value.errors[0]["path"] == "subgroup_by"
    assert saved(world, id=1, tql="from assets", group_by=None, subgroup_by=None)["subgroup_by"] is None


def test_saving_what_stands_there_tells_nothing_and_a_change_tells_both_sides(world: World) -> None:
    saved(world)
    seq = world.database.seq
    saved(world)
    saved(world, id=1)
    assert world.events_since(seq) == [("view.saved", "view:2")]
    saved(world, id=1, name="Ours", project="WEB")
    event = call(world, "cy", "api.changes", since=seq + 1)["events"][0]
    assert event["payload"] == {
        "name": "Ours",
        "project": "WEB",
        "changes": {"name": {"from": "Mine", "to": "Ours"}, "project": {"from": None, "to": "WEB"}},
    }


def test_the_same_external_id_answers_the_same_view(world: World) -> None:
    first = saved(world, external="report", shared=True)
    seq = world.database.seq
    assert saved(world, external="report", name="Another", tql="done") == first
    assert world.events_since(seq) == []
    assert saved(world, "di", external="report")["id"] == 2
    saved(world)
    with refused("conflict"):
        saved(world, id=3, external="report")


def test_two_at_once_with_one_external_id_make_one_view(world: World) -> None:
    def save(number: int) -> int:
        with Kbwork(world.url, world.people["cy"].key) as key:
            made = key.call("views.save", {"name": f"V{number}", "tql": "open", "external": "report"})
            return int(made["id"])

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(save, range(8))) == {1}
    assert len(names(world, "cy")) == 1


@pytest.mark.parametrize(
    ("bad", "slug", "path"),
    [
        ({"tql": "open and ("}, "tql-syntax", "tql"),
        ({"tql": "colour = red"}, "tql-name", "tql"),
        ({"columns": ["key", "colour"]}, "invalid-input", "columns[1]"),
        ({"columns": ["count()"]}, "invalid-input", "columns[0]"),
        ({"sort": "colour"}, "invalid-input", "sort"),
        ({"sort": "title limit 3"}, "invalid-input", "sort"),
        ({"sort": "estimate * 2"}, "invalid-input", "sort"),
        ({"group_by": "colour"}, "invalid-input", "group_by"),
        ({"group_by": "status", "subgroup_by": "colour"}, "invalid-input", "subgroup_by"),
        ({"layout": "pie"}, "invalid-input", "layout"),
        ({"name": " "}, "invalid-input", "name"),
        ({"tql": "x" * 20_001}, "invalid-input", "tql"),
        ({"columns": ["key"] * 51}, "invalid-input", "columns"),
        ({"tql": "from assets", "columns": ["estimate"]}, "invalid-input", "columns[0]"),
    ],
)
def test_what_does_not_fit_is_named(world: World, bad: dict[str, Any], slug: str, path: str) -> None:
    with pytest.raises(KbworkProblem) as refusal:
        saved(world, **bad)
    assert (refusal.value.slug, refusal.value.errors[0]["path"]) == (slug, path)
    assert names(world, "cy") == []


def test_a_wrong_query_is_told_with_its_place_and_words(world: World) -> None:
    with pytest.raises(KbworkProblem) as refusal:
        saved(world, tql="open and statsu = done")
    told = refusal.value.errors[0]
    assert (told["position"], told["length"]) == (9, 6)
    assert told["suggestions"][0]["with"] == "status"


def test_columns_are_those_of_the_source_when_the_query_gets_another(world: World) -> None:
    saved(world, columns=["key", "estimate"], sort="estimate")
    with pytest.raises(KbworkProblem) as refusal:
        saved(world, id=1, tql="from assets")
    assert refusal.value.errors[0]["path"] == "columns[1]"
    assert saved(world, id=1, tql="from assets", columns=["key"], sort=None)["columns"] == ["key"]


def test_a_query_works_under_old_names_and_says_when_one_is_gone(world: World) -> None:
    call(world, "bo", "labels.save", name="urgent")
    issue(world, "Now", "cy", labels=["urgent"])
    saved(world, tql="label = urgent", columns=["key", "title"])
    assert call(world, "cy", "views.get", id=1)["count"] == 1
    call(world, "bo", "labels.delete", id=1)
    told = [call(world, "cy", "views.get", id=1), *call(world, "cy", "views.list")]
    assert [(view["count"], view["notices"]) for view in told] == [
        (0, ["urgent was deleted: nothing has it."])
    ] * 2
    with refused("tql-name"):
        saved(world, id=1, tql="label = urgent", name="Renamed")
    assert saved(world, id=1, tql="open")["count"] == 1


def test_a_query_over_what_a_key_does_not_read_has_no_rows_for_it(world: World) -> None:
    issue(world, "One")
    saved(world)
    narrow = call(world, "cy", "keys.create", name="boards", scopes=["boards:read", "boards:write"])["secret"]
    with Kbwork(world.url, narrow) as key:
        assert key.call("views.get", {"id": 1})["count"] == 0
        with refused("insufficient-scope"):
            key.call("views.save", {"name": "More", "tql": "open"})


def test_in_a_batch_nothing_is_counted(world: World) -> None:
    issue(world, "One")
    answer = call(
        world, "cy", "api.batch", ops=[{"op": "views.save", "input": {"name": "Mine", "tql": "open"}}]
    )
    assert answer["results"][0] == shape(world, count=-1)


# Who sees and keeps.


def test_each_sees_their_own_what_is_shared_and_what_is_on_their_projects(world: World) -> None:
    for who in ("ana", "cy", "di"):
        saved(world, who, name=f"{who}'s own")
    saved(world, "cy", name="for all", shared=True)
    saved(world, "cy", name="on SEC", project="SEC")
    saved(world, "di", name="on PRV", project="PRV", shared=True)
    saved(world, "di", name="on WEB", project="WEB")
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    assert {who: names(world, who) for who in world.people} == {
        "ana": ["ana's own", "for all", "on SEC", "on WEB"],
        "bo": ["for all", "on SEC", "on WEB"],
        "cy": ["cy's own", "for all", "on SEC", "on WEB"],
        "di": ["di's own", "for all", "on PRV", "on SEC", "on WEB"],
        "gus": ["for all", "on WEB"],
    }
    assert names(world, "di", project="WEB") == ["on WEB"]
    assert names(world, "di", mine=True) == ["di's own", "on PRV", "on WEB"]
    assert names(world, "di", q="ON p") == ["on PRV"]
    with refused("not-found"):
        names(world, "ana", project="PRV")


def test_a_view_that_one_does_not_see_is_not_there_for_anything(world: World) -> None:
    saved(world, "di")
    seq = world.database.seq
    saved(world, "di", id=1, name="Still mine")
    for who in ("ana", "cy"):
        for op, more in (
            ("views.get", {}),
            ("views.copy", {}),
            ("views.delete", {}),
            ("views.subscribe", {"every": "off"}),
            ("views.save", {"name": "x", "tql": ""}),
        ):
            with refused("not-found"):
                call(world, who, op, id=1, **more)
        assert call(world, who, "api.changes", since=seq)["events"] == []
        assert call(world, who, "subjects.resolve", refs=["view:1"])[0]["subject"] is None
    assert call(world, "di", "subjects.resolve", refs=["view:1"])[0]["title"] == "Still mine"


def test_a_shared_view_is_kept_by_its_owner_and_admins(world: World) -> None:
    saved(world, shared=True)
    with refused("not-allowed"):
        saved(world, "di", id=1, name="Di's")
    with refused("not-allowed"):
        call(world, "di", "views.delete", id=1)
    assert saved(world, "bo", id=1, name="Tidied")["owner"] == world.people["cy"].id
    with refused("not-allowed"):  # it would be nobody's that Bo sees
        saved(world, "bo", id=1, shared=False)


def test_a_projects_view_is_kept_by_its_members_and_leads(world: World) -> None:
    saved(world, "cy", project="SEC")
    with refused("not-allowed"):  # a reporter
        saved(world, "di", id=1, name="Di's")
    with refused("not-allowed"):
        saved(world, "di", name="More", project="SEC")
    assert saved(world, "ana", id=1, name="Tidied")["project"] == "SEC"
    saved(world, "di", name="on WEB", project="WEB")
    assert saved(world, "cy", id=2, name="ours")["owner"] == world.people["di"].id
    with refused("not-allowed"):  # it would be Di's alone
        saved(world, "cy", id=2, project=None)
    assert saved(world, "di", id=2, project=None)["project"] is None
    with refused("not-found"):
        saved(world, "cy", name="x", project="PRV")


def test_an_archived_project_keeps_its_views_as_they_are(world: World) -> None:
    saved(world, "cy", project="SEC")
    call(world, "cy", "projects.archive", key="SEC", on=True)
    with refused("conflict"):
        saved(world, "cy", id=1, name="More")
    with refused("conflict"):
        call(world, "cy", "views.delete", id=1)


def test_guests_look_and_save_nothing(world: World) -> None:
    saved(world, shared=True)
    assert call(world, "gus", "views.get", id=1)["name"] == "Mine"
    with refused("insufficient-scope"):
        saved(world, "gus")


def test_a_key_for_some_projects_has_their_views_alone(world: World) -> None:
    saved(world, name="own")
    saved(world, name="shared", shared=True)
    saved(world, name="on WEB", project="WEB")
    saved(world, name="on SEC", project="SEC")
    made = call(
        world, "cy", "keys.create", name="narrow", scopes=sorted(scopes.of_role("member")), projects=["WEB"]
    )
    with Kbwork(world.url, made["secret"]) as key:
        assert [view["name"] for view in key.call("views.list", {})] == ["on WEB"]
        assert key.call("views.save", {"name": "More", "tql": "", "project": "WEB"})["project"] == "WEB"
        for refusal, asked in (
            ("not-allowed", {"name": "own"}),
            ("not-allowed", {"id": 3, "name": "own", "project": None}),
            ("not-found", {"id": 1, "name": "own"}),
        ):
            with refused(refusal):
                key.call("views.save", {"tql": "", **asked})


def test_a_copy_is_ones_own(world: World) -> None:
    saved(world, "cy", project="SEC", columns=["key"], external="a", shared=True, layout="table")
    made = call(world, "di", "views.copy", id=1)
    expected = {"id": 2, "name": "Copy of Mine", "owner": world.people["di"].id, "columns": ["key"]}
    assert made == shape(world, layout="table", **expected)
    assert call(world, "di", "views.copy", id=1, name="Short")["name"] == "Short"


def test_nobody_has_more_than_five_hundred(world: World) -> None:
    def fill(tx: Write) -> None:
        for number in range(500):
            columns = {
                "name": "x",
                "name_key": "x",
                "tql": "",
                "layout": "list",
                "columns": "[]",
                "shared": 0,
            }
            tx.insert("view", owner=world.people["cy"].id, created_at=number, **columns)

    world.database.write_now(fill)
    with refused("conflict"):
        saved(world)
    with refused("conflict"):
        call(world, "cy", "views.copy", id=1)
    call(world, "cy", "views.delete", id=1)
    assert saved(world)["id"] == 501


# Deleting, the trash, undo.


def test_a_deleted_view_lies_in_the_trash_and_comes_back(world: World) -> None:
    saved(world, name="stays")
    saved(world, name="goes", external="a")
    seq = world.database.seq
    left = call(world, "cy", "views.delete", id=2)
    assert left == [shape(world, name="stays")]
    assert world.events_since(seq) == [("view.deleted", "view:2")]
    with refused("not-found"):
        call(world, "cy", "views.get", id=2)
    assert call(world, "ana", "trash.list")["items"] == []
    entry = call(world, "cy", "trash.list", kind="view")["items"][0]
    assert (entry["subject"], entry["title"], entry["can_restore"]) == ("view:2", "goes", True)
    taken = saved(world, name="new", external="a")
    assert call(world, "cy", "trash.restore", ids=[entry["id"]])["restored"] == ["view:2"]
    assert world.events_since(seq)[-1] == ("view.restored", "view:2")
    back = call(world, "cy", "views.get", id=2)
    assert (back["name"], back["external"], taken["external"]) == ("goes", None, "a")


def test_making_changing_and_deleting_are_taken_back(world: World) -> None:
    def undone(since: int) -> None:
        assert call(world, "cy", "undo.apply", seq=since + 1)["kept"] == []

    seq = world.database.seq
    saved(world)
    undone(seq)
    assert names(world, "cy") == []
    assert [entry["subject"] for entry in call(world, "cy", "trash.list")["items"]] == ["view:1"]
    saved(world, name="Second", columns=["key"])
    seq = world.database.seq
    saved(world, id=2, name="Renamed", columns=["title"])
    undone(seq)
    assert call(world, "cy", "views.get", id=2) == shape(world, id=2, name="Second", columns=["key"])
    seq = world.database.seq
    call(world, "cy", "views.delete", id=2)
    undone(seq)
    assert names(world, "cy") == ["Second"]
    assert world.events_since(seq) == [("view.deleted", "view:2"), ("view.restored", "view:2")]


def test_nobody_takes_back_what_others_keep_now(world: World) -> None:
    saved(world, "di", project="WEB")
    seq = world.database.seq
    saved(world, "di", id=1, name="More")
    call(world, "ana", "projects.update", key="WEB", visibility="members")
    kept = call(world, "di", "undo.apply", seq=seq + 1, force=True)
    assert kept["undone"] == []


def test_a_purged_project_takes_its_views_along(world: World) -> None:
    saved(world, "cy", project="WEB")
    saved(world, "cy", name="own")
    call(world, "ana", "projects.delete", key="WEB", confirm_key="WEB")
    assert names(world, "cy") == ["own"]
    entry = call(world, "ana", "trash.list")["items"][0]["id"]
    call(world, "ana", "trash.purge", ids=[entry])
    eventually(lambda: stored(world, "select count(*) from view") == [1])


def stored(world: World, sql: str) -> list[Any]:
    return world.database.write_now(lambda tx: tx.column(sql))


# Mail. Nobody listens where the mail server should be: what is queued stays, and is looked at as rows.


@pytest.fixture
def mailed(
    template: tuple[Path, dict[str, Person]],
    tmp_path: Path,
    clock: FixedClock,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[World]:
    """The world with a server that sends mail. Letters stay as they are though days pass."""
    monkeypatch.setattr(mailing, "FRESH_S", 1000 * DAY_S)
    folder = tmp_path / "mailed"
    shutil.copytree(template[0], folder)
    mail = MailSettings(host="127.0.0.1", port=9, security="none", sender="kbwork <kb@acme.example>")
    with serving(World(folder, clock, template[1]), replace(settings, mail=mail)) as made:
        eventually(lambda: stored(made, "select sends from mailer") == [1])
        yield made


def letters(world: World) -> list[dict[str, Any]]:
    return world.database.write_now(lambda tx: tx.all("select * from mail order by id"))


def told(world: World) -> int:
    """How many subscriptions were told, or looked at, at the present time."""
    return int(
        world.database.write_now(
            lambda tx: tx.value("select count(*) from view_subscription where told_at = :now", now=tx.now)
        )
    )


def looked(world: World, seconds: int, people: int = 1) -> None:
    """Let time pass, and wait until so many were looked at."""
    world.advance(seconds)
    eventually(lambda: told(world) >= people)


def test_a_server_that_sends_no_mail_takes_no_subscription(world: World) -> None:
    saved(world)
    with pytest.raises(KbworkProblem) as refusal:
        call(world, "cy", "views.subscribe", id=1, every="daily")
    assert refusal.value.slug == "conflict"
    assert "mail.host" in refusal.value.detail
    assert call(world, "cy", "views.subscribe", id=1, every="off") == []


def test_a_subscription_is_answered_and_stands_on_the_view(mailed: World) -> None:
    saved(mailed, shared=True)
    cy, di = mailed.people["cy"].id, mailed.people["di"].id
    seq = mailed.database.seq
    mine = {"who": cy, "every": "weekly", "at": "08:00"}
    assert call(mailed, "cy", "views.subscribe", id=1, every="weekly") == [mine]
    mine = {"who": cy, "every": "daily", "at": "17:30"}
    assert call(mailed, "cy", "views.subscribe", id=1, every="daily", at="17:30", days=[1, 2]) == [mine]
    theirs = {"who": di, "every": "change", "at": None}
    assert call(mailed, "di", "views.subscribe", id=1, every="change") == [theirs]
    assert call(mailed, "cy", "views.get", id=1)["subscribed"] == "daily"
    assert call(mailed, "di", "views.get", id=1)["subscribed"] == "change"
    assert call(mailed, "cy", "views.subscribe", id=1, every="off", for_=["@di"]) == [mine]
    assert call(mailed, "cy", "views.subscribe", id=1, every="off") == []
    assert {kind for kind, _ in mailed.events_since(seq)} <= {"job.finished"}  # the worker looked at Di's


def test_others_are_subscribed_by_who_keeps_the_view(mailed: World) -> None:
    saved(mailed, shared=True)
    saved(mailed, "cy", name="on SEC", project="SEC")
    saved(mailed, "di", name="on WEB", project="WEB")
    with refused("not-allowed"):
        call(mailed, "di", "views.subscribe", id=1, every="daily", for_=["@cy"])
    with refused("not-allowed"):
        call(mailed, "cy", "views.subscribe", id=3, every="daily", for_=["@bo"])
    assert len(call(mailed, "bo", "views.subscribe", id=1, every="daily", for_=["@cy", "me", "@di"])) == 3
    assert len(call(mailed, "ana", "views.subscribe", id=2, every="daily", for_=["@cy", "@di"])) == 2
    assert len(call(mailed, "di", "views.subscribe", id=3, every="daily", for_=["@cy"])) == 1


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"every": "hourly"}, "every"),
        ({"every": "daily", "at": "24:00"}, "at"),
        ({"every": "daily", "at": "8:00"}, "at"),
        ({"every": "daily", "days": [0]}, "days[0]"),
        ({"every": "daily", "days": []}, "days"),
        ({"every": "change", "at": "08:00"}, "at"),
        ({"every": "off", "days": [1]}, "at"),
        ({"every": "daily", "for": ["me", "@nobody"]}, "for[1]"),
        ({"every": "daily", "for": ["@gus"]}, "for[0]"),
        ({"every": "daily", "for": []}, "for"),
    ],
)
def test_a_subscription_that_does_not_fit_is_refused(mailed: World, asked: dict[str, Any], path: str) -> None:
    saved(mailed, shared=True)
    with pytest.raises(KbworkProblem) as refusal:
        call(mailed, "cy", "views.subscribe", id=1, **asked)
    assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", path)
    assert stored(mailed, "select count(*) from view_subscription") == [0]


def test_a_member_gets_a_hundred_views_at_most(mailed: World) -> None:
    saved(mailed)

    def fill(tx: Write) -> None:
        for _ in range(100):
            columns = {
                "name": "x",
                "name_key": "x",
                "tql": "",
                "layout": "list",
                "columns": "[]",
                "shared": 1,
            }
            view = tx.insert("view", owner=mailed.people["di"].id, created_at=NOW, **columns)
            tx.execute(
                "insert into view_subscription (view, member, every, days, next_at)"
                " values (:view, :cy, 'change', '[]', 1e12)",
                view=view,
                cy=mailed.people["cy"].id,
            )

    mailed.database.write_now(fill)
    with refused("conflict"):
        call(mailed, "cy", "views.subscribe", id=1, every="daily")
    call(mailed, "cy", "views.subscribe", id=2, every="off")
    assert len(call(mailed, "cy", "views.subscribe", id=1, every="daily")) == 1


def test_nobody_is_mailed_what_they_do_not_see(mailed: World) -> None:
    saved(mailed, "di")
    with pytest.raises(KbworkProblem) as refusal:
        call(mailed, "di", "views.subscribe", id=1, every="daily", for_=["me", "@ana"])
    assert refusal.value.errors[0]["path"] == "for[1]"
    assert stored(mailed, "select count(*) from view_subscription") == [0]


def test_a_daily_mail_comes_at_its_time_with_what_its_receiver_sees(mailed: World) -> None:
    issue(mailed, "The <cart> forgets", assignees=["@cy"])
    issue(mailed, "Di's own", "di", project="PRV")
    saved(mailed, tql="open order by key", shared=True)
    for who, zone in (("cy", "UTC"), ("di", "UTC")):
        call(mailed, who, "members.profile_set", zone=zone)
        call(mailed, who, "views.subscribe", id=1, every="daily", at="09:00")
    assert letters(mailed) == []
    looked(mailed, 3600, people=2)  # the world begins at 08:00 UTC
    by_address = {row["address"]: row for row in letters(mailed)}
    assert sorted(by_address) == ["cy@acme.example", "di@acme.example"]
    mine, hers = by_address["cy@acme.example"], by_address["di@acme.example"]
    assert (mine["subject"], hers["subject"]) == ("Mine: 1 row", "Mine: 2 rows")
    assert "WEB-1 | The <cart> forgets | To do | Cy Moss" in mine["text"]
    assert f"{mailed.url}/issues/WEB-1" in mine["text"]
    assert "PRV-1" not in mine["text"] + mine["html"]
    assert "PRV-1 | Di's own | To do" in hers["text"]
    assert "The &lt;cart&gt; forgets" in mine["html"]
    assert f'<a href="{mailed.url}/issues/WEB-1">WEB-1</a>' in mine["html"]
    assert (mine["about"], mine["unsubscribe"]) == ("view:1", f"{mailed.url}/views/1")
    assert mine["message_id"] != hers["message_id"]


def test_the_next_mail_says_what_came_and_went(mailed: World) -> None:
    first = issue(mailed, "First")
    saved(mailed)
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00")
    looked(mailed, 3600)
    call(mailed, "cy", "issues.transition", key=first, to_status="done")
    issue(mailed, "Second")
    looked(mailed, DAY_S)
    _, last = letters(mailed)
    assert last["subject"] == "Mine: 1 row, 1 came, 1 went"
    assert "+ WEB-2 Second\n- WEB-1 First\n" in last["text"]


def test_times_that_nobody_was_there_for_are_made_up_for_once(mailed: World) -> None:
    saved(mailed)
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00")
    looked(mailed, 10 * DAY_S)
    assert len(letters(mailed)) == 1
    looked(mailed, DAY_S)
    assert len(letters(mailed)) == 2


def test_a_change_is_told_when_there_is_one_and_no_more_than_each_quarter_of_an_hour(mailed: World) -> None:
    key = issue(mailed, "First")
    saved(mailed)
    call(mailed, "cy", "views.subscribe", id=1, every="change")
    eventually(lambda: told(mailed) == 1)
    issue(mailed, "Second")
    looked(mailed, 15 * 60)
    assert [row["subject"] for row in letters(mailed)] == ["Mine: 2 rows, 1 came, 0 went"]
    call(mailed, "cy", "comments.create", subject=f"issue:{key}", body="Not a change of the view")
    looked(mailed, 15 * 60)
    assert len(letters(mailed)) == 1
    call(mailed, "cy", "issues.transition", key=key, to_status="in_progress")
    looked(mailed, 15 * 60)
    assert [row["subject"] for row in letters(mailed)][1:] == ["Mine: 2 rows"]


def test_a_view_of_more_rows_than_are_kept_is_compared_by_their_number(
    mailed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MOST_KEPT", 2)
    keys = [issue(mailed, title) for title in ("First", "Second", "Third")]
    saved(mailed)
    call(mailed, "cy", "views.subscribe", id=1, every="change")
    eventually(lambda: told(mailed) == 1)
    call(mailed, "cy", "issues.update", key=keys[0], title="Anew")
    looked(mailed, 15 * 60)
    assert letters(mailed) == []
    issue(mailed, "Fourth")
    looked(mailed, 15 * 60)
    assert [row["subject"] for row in letters(mailed)] == ["Mine: 4 rows"]
    monkeypatch.setattr(results, "MOST_KEPT", 500)
    issue(mailed, "Fifth")
    looked(mailed, 15 * 60)
    assert [row["subject"] for row in letters(mailed)][1:] == ["Mine: 5 rows"]


def test_a_query_that_is_wrong_now_is_told_once(mailed: World) -> None:
    saved(mailed, name="Other")
    saved(mailed, tql="view(Other)")
    call(mailed, "cy", "views.subscribe", id=2, every="daily", at="09:00")
    call(mailed, "cy", "views.delete", id=1)
    looked(mailed, 3600)
    looked(mailed, DAY_S)
    assert [row["subject"] for row in letters(mailed)] == ["Mine cannot be asked"]
    assert "no view Other" in letters(mailed)[0]["text"]
    saved(mailed, id=2, tql="open")
    looked(mailed, DAY_S)
    assert [row["subject"] for row in letters(mailed)][1:] == ["Mine: 0 rows"]


def test_a_letter_says_what_was_deleted_of_what_its_view_names(mailed: World) -> None:
    call(mailed, "bo", "labels.save", name="urgent")
    saved(mailed, tql="label = urgent")
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00")
    call(mailed, "bo", "labels.delete", id=1)
    looked(mailed, 3600)
    found = letters(mailed)[0]
    assert [text.count("urgent was deleted: nothing has it.") for text in (found["text"], found["html"])] == [
        1,
        1,
    ]


def _leaves(world: World) -> None:
    call(world, "ana", "members.deactivate", id="@di", on=True)


def _is_unshared(world: World) -> None:
    saved(world, "cy", id=1, shared=False)


def _becomes_a_guest(world: World) -> None:
    call(world, "ana", "members.update", id="@di", role="guest")


@pytest.mark.parametrize("ends", [_leaves, _is_unshared, _becomes_a_guest])
def test_whoever_lost_sight_of_it_gets_nothing_and_their_subscription_ends(mailed: World, ends: Any) -> None:
    saved(mailed, shared=True)
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00", for_=["@di"])
    ends(mailed)
    mailed.advance(3600)
    eventually(lambda: stored(mailed, "select count(*) from view_subscription") == [0])
    assert letters(mailed) == []


def test_a_view_in_the_trash_is_not_mailed_and_keeps_who_subscribed(mailed: World) -> None:
    saved(mailed)
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00")
    call(mailed, "cy", "views.delete", id=1)
    mailed.advance(3600)
    eventually(lambda: stored(mailed, "select next_at from view_subscription")[0] > NOW + 3600)
    eventually(lambda: stored(mailed, "select state from job where kind = 'views.tell'") == ["done"])
    assert letters(mailed) == []
    entry = call(mailed, "cy", "trash.list")["items"][0]["id"]
    call(mailed, "cy", "trash.restore", ids=[entry])
    looked(mailed, DAY_S)
    assert len(letters(mailed)) == 1


def test_a_long_result_is_cut_and_says_so(mailed: World) -> None:
    for number in range(102):
        issue(mailed, f"T{number}")
    saved(mailed, columns=["key", "title", "created"], sort="-key")
    call(mailed, "cy", "members.profile_set", zone="Asia/Tokyo")
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="18:00")
    looked(mailed, 3600)
    text = letters(mailed)[0]["text"]
    assert text.count(f"{mailed.url}/issues/") == 100
    assert "WEB-102 | T101 | 2027-01-15 17:00" in text
    assert "The first 100 rows; the page has all of them." in text


def test_grouped_rows_are_mailed_as_a_table(mailed: World) -> None:
    issue(mailed, "One")
    saved(mailed, tql="open select count() group by status")
    call(mailed, "cy", "views.subscribe", id=1, every="daily", at="09:00")
    looked(mailed, 3600)
    assert "To do | 1" in letters(mailed)[0]["text"]


def test_an_erased_member_leaves_their_views_for_others_and_nothing_of_mail(mailed: World) -> None:
    saved(mailed, "di", name="alone")
    saved(mailed, "di", name="shared", shared=True)
    call(mailed, "di", "views.subscribe", id=2, every="daily", at="09:00")
    looked(mailed, 3600)
    call(mailed, "ana", "auth.elevate", password=PASSWORD)
    call(mailed, "ana", "members.erase", id="@di", confirm_name="Di Park")
    eventually(lambda: stored(mailed, "select state from job where kind = 'members.erase'") == ["done"])
    assert stored(mailed, "select name from view") == ["shared"]
    assert letters(mailed) == []
    assert stored(mailed, "select count(*) from view_subscription") == [0]


# The clock.


def moment(text: str, zone: str) -> int:
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=zoneinfo.ZoneInfo(zone)).timestamp())


@pytest.mark.parametrize(
    ("after", "minute", "days", "following"),
    [
        ("2026-11-20 08:00", 8 * 60, due_times.DAYS, "2026-11-21 08:00"),
        ("2026-11-20 07:59", 8 * 60, due_times.DAYS, "2026-11-20 08:00"),
        ("2026-11-20 07:59", 8 * 60, (1,), "2026-11-23 08:00"),
        ("2026-11-23 08:00", 8 * 60, (1,), "2026-11-30 08:00"),
        ("2026-03-28 12:00", 150, due_times.DAYS, "2026-03-29 03:30"),  # 02:30 is leapt over
        ("2026-03-29 03:30", 150, due_times.DAYS, "2026-03-30 02:30"),
        ("2026-10-24 12:00", 150, due_times.DAYS, "2026-10-25 02:30"),  # 02:30 comes twice
    ],
)
def test_the_next_time_is_by_the_receivers_clock(
    after: str, minute: int, days: tuple[int, ...], following: str
) -> None:
    zone = "Europe/Berlin"
    found = zones.following(moment(after, zone), minute, days, zoneinfo.ZoneInfo(zone))
    assert found == moment(following, zone)


def test_a_time_that_comes_twice_is_told_once() -> None:
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    first = zones.following(moment("2026-10-24 12:00", "Europe/Berlin"), 150, due_times.DAYS, zone)
    second = zones.following(first, 150, due_times.DAYS, zone)
    assert second - first == DAY_S + 3600


# In the query language.


def test_a_text_asks_a_view_by_its_name_as_its_reader_sees_it(world: World) -> None:
    issue(world, "For all")
    issue(world, "Di's own", "di", project="PRV")
    saved(world, name="Of mine", tql="reporter = me()")
    saved(world, "di", name="Everything", tql="", shared=True)

    def found(who: str, text: str) -> list[str]:
        return [str(row[0]) for row in call(world, who, "tql.run", tql=text, fields=["key"])["rows"]]

    assert found("cy", 'view("of mine") and open') == ["WEB-1"]
    assert found("cy", "view(Everything)") == ["WEB-1"]
    assert sorted(found("di", "view(Everything) and open")) == ["PRV-1", "WEB-1"]
    with refused("tql-name"):
        call(world, "di", "tql.run", tql='view("Of mine")')
    saved(world, name="Everything", tql="done")
    assert found("cy", "view(Everything)") == []
    assert len(found("di", "view(Everything)")) == 2


def test_a_view_that_leads_back_to_itself_or_asks_for_something_else_is_refused(world: World) -> None:
    first = saved(world, name="First")
    saved(world, name="Second", tql="view(First)")
    saved(world, id=first["id"], name="First", tql="view(Second)")
    assert call(world, "cy", "views.get", id=first["id"])["count"] == -1
    with refused("tql-name"):
        call(world, "cy", "tql.run", tql="view(First)")
    saved(world, name="Talk", tql="from comments body ~ x")
    with refused("tql-name"):
        call(world, "cy", "tql.run", tql="view(Talk)")
    call(world, "ana", "org.modules_set", off=["views"])
    with refused("tql-name"):
        call(world, "cy", "tql.run", tql="view(Second)")
