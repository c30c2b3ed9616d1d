"""Boards: who sees and keeps them, what stands in their columns, and where a dropped issue goes."""

from collections import Counter
from typing import Any

import pytest

from kbwork.base import ids
from kbwork.core.access import callers
from kbwork.db.tx import Read, Write
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.grants import ConnectedClient
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together

COLUMNS: list[dict[str, Any]] = [
    {"id": "c1", "name": "Backlog", "lanes": ["backlog"], "limit": None, "hard": False},
    {"id": "c2", "name": "To do", "lanes": ["todo"], "limit": None, "hard": False},
    {"id": "c3", "name": "In progress", "lanes": ["in_progress"], "limit": None, "hard": False},
    {"id": "c4", "name": "In review", "lanes": ["in_review"], "limit": None, "hard": False},
    {"id": "c5", "name": "Done", "lanes": ["done", "cancelled", "duplicate"], "limit": None, "hard": False},
]
"""Those of a new board."""


def shape(world: World, **more: Any) -> dict[str, Any]:
    """A board of Cy's as it is answered where nothing else was said."""
    return {
        "id": 1,
        "name": "Floor",
        "project": "WEB",
        "tql": "project = WEB",
        "kind": "kanban",
        "columns": COLUMNS,
        "swimlanes": None,
        "quick_filters": [],
        "card_fields": [],
        "color_by": None,
        "owner": world.people["cy"].id,
        "can_edit": True,
        "notices": [],
    } | more


def saved(world: World, who: str = "cy", **more: Any) -> dict[str, Any]:
    asked = {"name": "Floor", "tql": "project = WEB", "project": "WEB"} | more
    made: dict[str, Any] = call(world, who, "boards.save", **asked)
    return made


def limited(world: World, limit: int, *, hard: bool) -> None:
    """Board 1 with a limit on what is in progress."""
    columns = [one | ({"limit": limit, "hard": hard} if one["id"] == "c3" else {}) for one in COLUMNS]
    call(world, "cy", "boards.columns_set", id=1, columns=columns)


def test_a_board_means_what_it_named_when_the_name_is_given_to_something_else(world: World) -> None:
    call(world, "bo", "labels.save", name="infra")
    call(world, "bo", "fields.save", key="region", name="Sales area", kind="text")
    old = make(world, labels=["infra"], values={"region": "EU"})
    board = saved(world, tql="label = infra", swimlanes="'Sales area'", card_fields=["'Sales area'"])
    filters = [{"name": "Infra", "tql": "label = #infra"}]
    call(world, "cy", "boards.quick_filter_save", id=1, filters=filters)
    call(world, "bo", "labels.save", id=1, name="Platform")
    call(world, "bo", "labels.save", name="infra")
    call(world, "bo", "fields.save", key="region", name="Region", kind="text")
    call(world, "bo", "fields.save", key="zone", name="Sales area", kind="text")
    make(world, labels=["infra"], values={"zone": "EU"})
    shown = board | {
        "tql": "label = Platform",
        "swimlanes": "cf.region",
        "card_fields": ["cf.region"],
        "quick_filters": [{"id": "f6", "name": "Infra", "tql": "label = Platform"}],
        "notices": ["infra is called Platform now."],
    }
    assert call(world, "cy", "boards.get", id=1) == shown
    found = call(world, "cy", "boards.view", id=1, filters=["f6"])
    keys = [issue["key"] for column in found["columns"] for issue in column["issues"]]
    assert (keys, [row["value"] for row in found["swimlanes"]]) == ([old], ["EU"])
    assert call(world, "cy", "boards.copy", id=1, name="Mine", project="WEB")["notices"] == shown["notices"]
    call(world, "cy", "boards.save", id=1, name="Floor", tql="label = infra", project="WEB")
    changed = call(world, "cy", "boards.get", id=1)
    assert changed == shown | {"tql": "label = infra"}, "what was not given stays as it was"
    call(world, "bo", "labels.delete", id=1)
    found = call(world, "cy", "boards.view", id=1, filters=["f6"])
    assert [column["count"] for column in found["columns"]] == [0] * 5
    assert call(world, "cy", "boards.get", id=1)["notices"] == ["infra was deleted: nothing has it."]


def names(world: World, who: str, **asked: Any) -> list[str]:
    return [board["name"] for board in call(world, who, "boards.list", **asked)]


def cards(world: World, who: str = "cy", **asked: Any) -> dict[str, list[str]]:
    """Keys of the issues of board 1 by column, those with none left out."""
    found = call(world, who, "boards.view", **{"id": 1} | asked)["columns"]
    return {one["id"]: [issue["key"] for issue in one["issues"]] for one in found if one["issues"]}


def counts(world: World, who: str = "cy", **asked: Any) -> dict[str, int]:
    found = call(world, who, "boards.view", **{"id": 1} | asked)["columns"]
    return {one["id"]: one["count"] for one in found if one["count"]}


def drop(world: World, key: str, column: str, who: str = "cy", **more: Any) -> dict[str, Any]:
    moved: dict[str, Any] = call(world, who, "boards.move", id=1, key=key, column=column, **more)
    return moved


# Making and changing.


def test_a_board_is_made_with_a_column_for_each_lane_and_one_for_all_that_ends(world: World) -> None:
    seq = world.database.seq
    assert saved(world) == shape(world)
    assert world.events_since(seq) == [("board.saved", "board:1")]
    assert payloads(world, seq, "board.saved") == [{"name": "Floor", "project": "WEB"}]
    assert call(world, "cy", "boards.get", id=1) == shape(world)
    assert call(world, "di", "boards.list", project="WEB") == [shape(world)]
    assert names(world, "cy", q="loo") == ["Floor"]
    assert names(world, "cy", q="other") == []


def test_a_change_tells_what_changed_and_nothing_where_nothing_does(world: World) -> None:
    saved(world)
    seq = world.database.seq
    assert saved(world, id=1) == shape(world)
    assert world.events_since(seq) == []
    changed = saved(
        world,
        id=1,
        name="Shop",
        swimlanes="assignee",
        color_by="priority",
        card_fields=["key", "title", "key"],
        kind="sprint",
    )
    said = {
        "swimlanes": "assignee",
        "color_by": "priority",
        "card_fields": ["key", "title"],
        "kind": "sprint",
    }
    assert changed == shape(world, name="Shop", **said)
    assert payloads(world, seq, "board.saved") == [
        {
            "name": "Shop",
            "project": "WEB",
            "changes": {
                "name": {"from": "Floor", "to": "Shop"},
                "kind": {"from": "kanban", "to": "sprint"},
                "swimlanes": {"from": None, "to": "assignee"},
                "card_fields": {"from": [], "to": ["key", "title"]},
                "color_by": {"from": None, "to": "priority"},
            },
        }
    ]
    cleared = saved(world, id=1, swimlanes=None, color_by=None, card_fields=[], project=None)
    assert cleared == shape(world, kind="sprint", project=None)
    call(world, "cy", "undo.apply", seq=seq + 1, force=True)
    assert call(world, "cy", "boards.get", id=1)["name"] == "Floor"


@pytest.mark.parametrize(
    ("bad", "slug"),
    [
        ({"tql": "project = "}, "tql-syntax"),
        ({"tql": "colour = red"}, "tql-name"),
        ({"tql": "open order by title"}, "invalid-input"),
        ({"tql": "select count() group by status"}, "invalid-input"),
        ({"tql": "from comments where internal"}, "invalid-input"),
        ({"swimlanes": "colour"}, "invalid-input"),
        ({"swimlanes": "count()"}, "invalid-input"),
        ({"color_by": "estimate * 2"}, "invalid-input"),
        ({"card_fields": ["key", "colour"]}, "invalid-input"),
        ({"project": "NONE"}, "not-found"),
        ({"id": 9}, "not-found"),
        ({"kind": "list"}, "invalid-input"),
    ],
)
def test_what_a_board_cannot_say_is_refused(world: World, bad: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    with refused(slug):
        saved(world, **bad)
    assert world.events_since(seq) == []


def test_columns_keep_their_ids_and_new_ones_have_ids_that_none_ever_had(world: World) -> None:
    saved(world)
    seq = world.database.seq
    wanted = [
        {"id": "c3", "name": "Doing", "lanes": ["in_progress", "In review"], "limit": 3, "hard": True},
        {"name": "Later", "lanes": ["BACKLOG"]},
    ]
    found = call(world, "cy", "boards.columns_set", id=1, columns=wanted)["columns"]
    assert found == [
        {"id": "c3", "name": "Doing", "lanes": ["in_progress", "in_review"], "limit": 3, "hard": True},
        {"id": "c6", "name": "Later", "lanes": ["backlog"], "limit": None, "hard": False},
    ]
    assert world.events_since(seq) == [("board.saved", "board:1")]
    call(world, "cy", "boards.columns_set", id=1, columns=found)
    assert world.events_since(seq) == [("board.saved", "board:1")]
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert call(world, "cy", "boards.get", id=1) == shape(world)


@pytest.mark.parametrize(
    "columns",
    [
        [],
        [{"name": "A", "lanes": []}],
        [{"name": "A", "lanes": ["nowhere"]}],
        [{"name": "A", "lanes": ["todo"]}, {"name": "B", "lanes": ["To do"]}],
        [{"id": "c9", "name": "A", "lanes": ["todo"]}],
        [{"id": "c1", "name": "A", "lanes": ["todo"]}, {"id": "c1", "name": "B", "lanes": ["done"]}],
        [{"name": "A", "lanes": ["todo"], "limit": 0}],
    ],
)
def test_columns_that_do_not_fit_are_refused(world: World, columns: list[dict[str, Any]]) -> None:
    saved(world)
    with refused("invalid-input"):
        call(world, "cy", "boards.columns_set", id=1, columns=columns)
    assert call(world, "cy", "boards.get", id=1) == shape(world)


def test_quick_filters_are_the_whole_list_and_keep_their_ids(world: World) -> None:
    saved(world)
    seq = world.database.seq
    first = call(world, "cy", "boards.quick_filter_save", id=1, filters=[{"name": "Mine", "tql": "mine"}])[
        "quick_filters"
    ]
    assert first == [{"id": "f6", "name": "Mine", "tql": "mine"}]
    two = [{"name": "Bugs", "tql": "type = bug"}, first[0] | {"name": "My own"}]
    answer = call(world, "cy", "boards.quick_filter_save", id=1, filters=two)["quick_filters"]
    assert [(one["id"], one["name"]) for one in answer] == [("f7", "Bugs"), ("f6", "My own")]
    assert len(world.events_since(seq)) == 2
    for bad, slug in (
        ({"name": "A", "tql": "colour = 1"}, "tql-name"),
        ({"id": "f1", "name": "A", "tql": ""}, "invalid-input"),
        ({"name": "A", "tql": "open order by key"}, "invalid-input"),
    ):
        with refused(slug):
            call(world, "cy", "boards.quick_filter_save", id=1, filters=[bad])


def test_a_copy_has_all_but_the_name_and_the_place(world: World) -> None:
    saved(world, swimlanes="assignee")
    call(world, "cy", "boards.quick_filter_save", id=1, filters=[{"name": "Mine", "tql": "mine"}])
    mine = call(world, "di", "boards.copy", id=1, name="Di's")
    own = {"id": 2, "name": "Di's", "project": None, "owner": world.people["di"].id}
    assert mine == call(world, "cy", "boards.get", id=1) | own
    on = call(world, "cy", "boards.copy", id=1, name="Again", project="WEB")
    assert (on["id"], on["project"]) == (3, "WEB")
    with refused("not-found"):
        call(world, "cy", "boards.copy", id=2, name="Not seen")


def sizes(world: World) -> None:
    """A select of sizes."""
    call(world, "ana", "fields.save", key="size", name="Size", kind="select")
    call(world, "ana", "fields.options_set", key="size", options=[{"name": "S"}, {"name": "L"}])


# Who sees and keeps them.


def test_a_board_on_no_project_is_its_owners_alone(world: World) -> None:
    saved(world, project=None)
    assert [names(world, who) for who in ("cy", "di", "ana", "gus")] == [["Floor"], [], [], []]
    for op, more in (
        ("get", {}),
        ("view", {}),
        ("copy", {"name": "Mine"}),
        ("save", {"name": "Mine", "tql": ""}),
        ("columns_set", {"columns": [{"name": "A", "lanes": ["todo"]}]}),
        ("quick_filter_save", {"filters": []}),
        ("delete", {}),
        ("move", {"key": make(world), "column": "c1"}),
    ):
        with refused("not-found"):
            call(world, "ana", f"boards.{op}", id=1, **more)


def test_a_board_on_a_project_is_seen_with_it_and_kept_by_who_works_there(world: World) -> None:
    saved(world, project="SEC", tql="project = SEC")
    assert [names(world, who) for who in ("cy", "di", "ana", "gus")] == [["Floor"], ["Floor"], ["Floor"], []]
    assert call(world, "di", "boards.get", id=1)["can_edit"] is False
    with refused("not-allowed"):  # a reporter
        call(world, "di", "boards.save", id=1, name="Mine", tql="")
    with refused("not-allowed"):
        call(world, "di", "boards.columns_set", id=1, columns=COLUMNS)
    with refused("not-allowed"):
        call(world, "di", "boards.delete", id=1)
    call(world, "ana", "boards.save", id=1, name="Other", tql="")
    call(world, "cy", "projects.member_set", key="SEC", who="@gus", role="member")
    assert names(world, "gus") == ["Other"]
    assert call(world, "gus", "boards.get", id=1)["can_edit"] is False


def test_a_key_limited_to_projects_has_the_boards_of_those_alone(world: World) -> None:
    def limited_key(tx: Write) -> str:
        key = {"name": "one", "scopes": ["boards:read", "boards:write", "issues:read"], "projects": "[1]"}
        return callers.add_key(tx, world.people["cy"].id, key)[1]

    saved(world, tql="")
    saved(world, name="Own", project=None)
    saved(world, name="Secret", project="SEC")
    make(world), make(world, project="SEC")
    with world.key("cy").__class__(world.url, world.database.write_now(limited_key)) as client:
        assert [one["name"] for one in client.call("boards.list", {})] == ["Floor"]
        shown = client.call("boards.view", {"id": 1})["columns"]
        assert sum(one["count"] for one in shown) == 1
        with refused("not-found"):
            client.call("boards.get", {"id": 2})
        with refused("not-allowed"):
            client.call("boards.save", {"name": "Own", "tql": ""})
    assert sum(counts(world).values()) == 2


def test_a_board_is_empty_for_who_may_not_read_issues(world: World) -> None:
    saved(world)
    make(world)

    def narrow(tx: Write) -> str:
        return callers.add_key(tx, world.people["cy"].id, {"name": "b", "scopes": ["boards:read"]})[1]

    with world.key("cy").__class__(world.url, world.database.write_now(narrow)) as client:
        shown = client.call("boards.view", {"id": 1})
        assert [one["count"] for one in shown["columns"]] == [0, 0, 0, 0, 0]
        assert [one["issues"] for one in shown["columns"]] == [[], [], [], [], []]
        with refused("insufficient-scope"):
            client.call("boards.move", {"id": 1, "key": "WEB-1", "column": "c3"})
    other = ConnectedClient(world, "cy", {"boards"})
    assert sum(one["count"] for one in other.call("boards.view", id=1)["columns"]) == 0


def test_counts_are_of_what_the_caller_sees(world: World) -> None:
    saved(world)
    seen, hidden = make(world, estimate=2), make(world, estimate=3)
    call(world, "bo", "issues.level_set", key=hidden, level="private")
    assert cards(world) == {"c2": [seen, hidden]}
    assert cards(world, "di") == {"c2": [seen]}
    (column,) = [one for one in call(world, "di", "boards.view", id=1)["columns"] if one["count"]]
    assert (column["count"], column["estimate"]) == (1, 2.0)


def test_a_board_of_an_archived_project_is_seen_and_not_changed(world: World) -> None:
    saved(world)
    key = make(world)
    call(world, "bo", "projects.archive", key="WEB", on=True)
    assert call(world, "cy", "boards.get", id=1)["can_edit"] is False
    assert cards(world) == {"c2": [key]}
    for op, more in (
        ("save", {"name": "A", "tql": ""}),
        ("delete", {}),
        ("move", {"key": key, "column": "c3"}),
    ):
        with refused("conflict"):
            call(world, "cy", f"boards.{op}", id=1, **more)


# The trash, and what else takes a board away.


def test_a_deleted_board_comes_back_from_the_trash_and_by_undo(world: World) -> None:
    saved(world)
    saved(world, name="Other")
    seq = world.database.seq
    assert [one["id"] for one in call(world, "cy", "boards.delete", id=1)] == [2]
    assert world.events_since(seq) == [("board.deleted", "board:1")]
    with refused("not-found"):
        call(world, "cy", "boards.get", id=1)
    (entry,) = call(world, "cy", "trash.list")["items"]
    assert (entry["subject"], entry["kind"], entry["title"]) == ("board:1", "board", "Floor")
    call(world, "cy", "trash.restore", ids=[entry["id"]])
    assert call(world, "cy", "boards.get", id=1) == shape(world)
    seq = world.database.seq
    call(world, "cy", "boards.delete", id=1)
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert world.events_since(seq) == [("board.deleted", "board:1"), ("board.restored", "board:1")]
    assert call(world, "cy", "boards.get", id=1) == shape(world)


def test_boards_go_with_their_project_and_come_back_with_it(world: World) -> None:
    saved(world, "bo")
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    assert names(world, "bo") == []
    (entry,) = [one for one in call(world, "bo", "trash.list")["items"] if one["subject"] == "project:WEB"]
    call(world, "bo", "trash.restore", ids=[entry["id"]])
    assert names(world, "bo") == ["Floor"]
    call(world, "bo", "projects.delete", key="WEB", confirm_key="WEB")
    (entry,) = [one for one in call(world, "ana", "trash.list")["items"] if one["subject"] == "project:WEB"]
    call(world, "ana", "trash.purge", ids=[entry["id"]])
    eventually(lambda: kept(world) == 0)


def kept(world: World) -> int:
    found: int = world.database.write_now(lambda tx: tx.value("select count(*) from board"))
    return found


def test_a_copy_of_a_project_has_its_boards_which_show_its_own_issues(world: World) -> None:
    saved(
        world, "bo", tql="project = WEB and not (project in ('web', SEC) and archived)", swimlanes="priority"
    )
    limited(world, 2, hard=True)
    bugs = [{"name": "Bugs", "tql": 'project = "WEB" and title ~ "WEB"'}]
    call(world, "bo", "boards.quick_filter_save", id=1, filters=bugs)
    call(world, "bo", "projects.copy", key="WEB", new_key="NEW", name="New", with_=["boards"])
    (board,) = call(world, "bo", "boards.list", project="NEW")
    before = call(world, "bo", "boards.get", id=1)
    assert board["tql"] == "project = NEW and not (project in (NEW, SEC) and archived)"
    assert [one["tql"] for one in board["quick_filters"]] == ['project = NEW and title ~ "WEB"']
    assert [{**one, "id": None} for one in board["columns"]] == [
        {**one, "id": None} for one in before["columns"]
    ]
    assert (board["name"], board["swimlanes"]) == ("Floor", "priority")
    call(world, "bo", "projects.copy", key="WEB", new_key="BARE", name="Bare")
    assert call(world, "bo", "boards.list", project="BARE") == []


def test_what_an_erased_person_had_alone_goes(world: World) -> None:
    saved(world, "di", project=None)
    saved(world, "di")
    call(world, "ana", "members.erase", id="@di", confirm_name="Di Park")
    eventually(lambda: kept(world) == 1)
    assert names(world, "cy") == ["Floor"]


def test_a_lane_that_goes_leaves_the_columns(world: World) -> None:
    saved(world)
    call(world, "ana", "lanes.save", key="blocked", name="Blocked", category="in_progress")
    columns = [
        {"id": "c3", "name": "Doing", "lanes": ["in_progress", "blocked"]},
        {"id": "c4", "name": "Review", "lanes": ["in_review"]},
        {"id": "c5", "name": "Done", "lanes": ["done"]},
    ]
    call(world, "cy", "boards.columns_set", id=1, columns=columns)
    seq = world.database.seq
    call(world, "ana", "lanes.delete", key="in_review", move_to="blocked")

    def shown() -> list[tuple[str, list[str]]]:
        found = call(world, "cy", "boards.get", id=1)["columns"]
        return [(one["id"], one["lanes"]) for one in found]

    assert shown() == [("c3", ["in_progress", "blocked"]), ("c5", ["done"])]
    call(world, "ana", "undo.apply", seq=seq + 1)
    assert shown() == [("c3", ["in_progress", "blocked"]), ("c4", ["in_review"]), ("c5", ["done"])]
    call(world, "ana", "lanes.delete", key="in_review", move_to="todo")
    assert shown() == [("c3", ["in_progress", "blocked"]), ("c4", ["todo"]), ("c5", ["done"])]
    call(world, "ana", "lanes.delete", key="blocked")
    assert shown() == [("c3", ["in_progress"]), ("c4", ["todo"]), ("c5", ["done"])]


def test_what_is_renamed_is_shown_by_its_present_name(world: World) -> None:
    label = call(world, "ana", "labels.save", name="ui")["id"]
    saved(world, tql="label = ui")
    call(world, "cy", "boards.quick_filter_save", id=1, filters=[{"name": "Not", "tql": "label != ui"}])
    key = make(world, labels=["ui"])
    call(world, "ana", "labels.save", id=label, name="surface")
    board = call(world, "cy", "boards.get", id=1)
    assert (board["tql"], board["quick_filters"][0]["tql"]) == ("label = surface", "label != surface")
    assert cards(world) == {"c2": [key]}
    call(world, "ana", "lanes.save", key="backlog", name="Some day", category="todo")
    assert cards(world) == {"c2": [key]}


# What is on a board.


def test_columns_have_true_numbers_and_their_first_issues_by_rank(world: World) -> None:
    saved(world)
    one, two, three, four = (make(world, estimate=n) for n in (1, 2, 3, 0.5))
    make(world, project="SEC")
    call(world, "cy", "issues.rank", keys=[three], before=one)
    call(world, "cy", "issues.transition", key=four, to_status="in_progress")
    found = call(world, "cy", "boards.view", id=1, per_column=2)
    told = {"c2": (3, 6.0), "c3": (1, 0.5)}
    following = found["columns"][1]["next"]
    assert [{name: value for name, value in one.items() if name != "issues"} for one in found["columns"]] == [
        {
            "id": one["id"],
            "name": one["name"],
            "count": told.get(one["id"], (0, 0.0))[0],
            "estimate": told.get(one["id"], (0, 0.0))[1],
            "over_limit": False,
            "next": following if one["id"] == "c2" else None,
        }
        for one in COLUMNS
    ]
    assert found["swimlanes"] == []
    assert cards(world, per_column=2) == {"c2": [three, one], "c3": [four]}
    assert found["columns"][1]["issues"][0] == call(world, "cy", "issues.get", key=three)
    rest = call(world, "cy", "boards.view", id=1, per_column=2, cursor=following)
    assert [(one["id"], one["count"], one["next"]) for one in rest["columns"]] == [("c2", 3, None)]
    assert [issue["key"] for issue in rest["columns"][0]["issues"]] == [two]
    with refused("invalid-input"):
        call(world, "cy", "boards.view", id=1, per_column=2, tql="open", cursor=following)
    assert cards(world, per_column=0) == {}
    assert counts(world, per_column=0) == {"c2": 3, "c3": 1}


def test_a_board_across_projects_is_in_the_order_of_projects_and_then_of_ranks(world: World) -> None:
    saved(world, tql="", project=None)
    there = [make(world, project="SEC") for _ in range(2)]
    here = [make(world) for _ in range(3)]
    call(world, "cy", "issues.rank", keys=[here[2]], before=here[0])
    assert cards(world) == {"c2": [here[2], here[0], here[1], *there]}
    found: list[str] = []
    cursor = None
    while cursor or not found:
        shown = call(world, "cy", "boards.view", id=1, per_column=2, cursor=cursor)["columns"]
        (column,) = [one for one in shown if one["id"] == "c2"]
        found += [issue["key"] for issue in column["issues"]]
        cursor = column["next"]
    assert found == [here[2], here[0], here[1], *there]
    with refused("invalid-input"):
        drop(world, here[0], "c2", after=there[0])


def test_filters_and_a_query_narrow_a_board(world: World) -> None:
    saved(world)
    bug, mine, both = (
        make(world, type="bug"),
        make(world, priority="high"),
        make(world, type="bug", priority="high"),
    )
    filters = [{"name": "Bugs", "tql": "type = bug"}, {"name": "High", "tql": "priority = high"}]
    call(world, "cy", "boards.quick_filter_save", id=1, filters=filters)
    assert cards(world, filters=["f6"]) == {"c2": [bug, both]}
    assert cards(world, filters=["f6", "f7"]) == {"c2": [both]}
    assert cards(world, filters=["f7"], tql="type != bug -- no bugs") == {"c2": [mine]}
    assert counts(world, filters=["f6"]) == {"c2": 2}
    with refused("invalid-input"):
        cards(world, filters=["f9"])
    with refused("tql-syntax"):
        cards(world, tql="type =")


def test_conditions_that_sql_does_not_say_are_asked_row_by_row(world: World) -> None:
    saved(world, tql="project = WEB and parent.assignee = parent.reporter", swimlanes="priority")
    parent = make(world, type="epic", assignees=["me"])
    child = make(world, parent=parent, priority="high", estimate=4)
    make(world)
    assert cards(world) == {"c2": [child]}
    assert [row["value"] for row in call(world, "cy", "boards.view", id=1)["swimlanes"]] == ["high"]
    drop(world, child, "c3")
    assert cards(world) == {"c3": [child]}


def test_archived_issues_are_there_where_the_condition_speaks_of_them(world: World) -> None:
    saved(world)
    key = make(world)
    call(world, "cy", "issues.archive", keys=[key], on=True)
    assert cards(world) == {}
    assert cards(world, tql="archived") == {"c2": [key]}


def test_swimlanes_have_the_values_of_a_field_and_what_stands_in_each_column(world: World) -> None:
    saved(world, swimlanes="priority")
    low, none, high = make(world, priority="low", estimate=2), make(world), make(world, priority="high")
    more = make(world, priority="low", estimate=3)
    call(world, "cy", "issues.transition", key=more, to_status="in_progress")

    def row(value: str, count: int, estimate: float, **cells: tuple[int, float, list[str]]) -> dict[str, Any]:
        empty = (0, 0.0, list[str]())
        columns = [
            dict(
                zip(
                    ("id", "count", "estimate", "keys"),
                    (one["id"], *cells.get(one["id"], empty)),
                    strict=True,
                )
            )
            for one in COLUMNS
        ]
        return {"value": value, "count": count, "estimate": estimate, "columns": columns}

    assert call(world, "cy", "boards.view", id=1)["swimlanes"] == [
        row("none", 1, 0.0, c2=(1, 0.0, [none])),
        row("low", 2, 5.0, c2=(1, 2.0, [low]), c3=(1, 3.0, [more])),
        row("high", 1, 0.0, c2=(1, 0.0, [high])),
    ]


def test_who_has_several_values_stands_in_each_row_and_who_has_none_in_the_last(world: World) -> None:
    saved(world, swimlanes="assignee")
    both, nobody = make(world, assignees=["@cy", "@di"]), make(world)
    cy, di = (world.people[who].id for who in ("cy", "di"))
    rows = call(world, "cy", "boards.view", id=1)["swimlanes"]
    assert [(one["value"], one["columns"][1]["keys"]) for one in rows] == [
        (cy, [both]),
        (di, [both]),
        (None, [nobody]),
    ]


def test_a_field_that_went_makes_no_rows_and_the_board_is_shown(world: World) -> None:
    sizes(world)
    saved(world, swimlanes="Size")
    key = make(world, values={"size": "L"})
    assert [one["value"] for one in call(world, "cy", "boards.view", id=1)["swimlanes"]] == ["L"]
    call(world, "ana", "fields.delete", key="size")
    assert [one["value"] for one in call(world, "cy", "boards.view", id=1)["swimlanes"]] == [None]
    world.database.write_now(lambda tx: tx.execute("update board set swimlanes = 'colour' where id = 1"))
    assert call(world, "cy", "boards.view", id=1)["swimlanes"] == []
    assert cards(world) == {"c2": [key]}


@pytest.mark.parametrize("swimlanes", [None, "priority"])
def test_a_board_takes_as_many_statements_however_much_is_on_it(
    world: World, monkeypatch: pytest.MonkeyPatch, swimlanes: str | None
) -> None:
    saved(world, swimlanes=swimlanes)
    run: Counter[str] = Counter()
    asked = Read._run

    def counted(tx: Read, sql: str, binds: dict[str, Any]) -> Any:
        if not isinstance(tx, Write):
            run["statements"] += 1
        return asked(tx, sql, binds)

    def shown() -> int:
        call(world, "cy", "boards.view", id=1)  # what is kept between calls is there then
        world.database.write_now(lambda tx: tx.execute("update board set name = name || '.' where id = 1"))
        run.clear()
        call(world, "cy", "boards.view", id=1)
        return run["statements"]

    for _ in range(2):
        make(world, priority="high")
    call(world, "cy", "boards.columns_set", id=1, columns=[COLUMNS[1]])
    monkeypatch.setattr(Read, "_run", counted)
    few = shown()
    call(world, "ana", "labels.save", name="bug")
    for number in range(30):
        key = make(
            world, priority=("low", "high")[number % 2], labels=["bug"] if number % 3 else [], estimate=number
        )
        if number % 2:
            call(world, "cy", "issues.transition", key=key, to_status="in_progress")
    call(
        world,
        "cy",
        "boards.columns_set",
        id=1,
        columns=[COLUMNS[1], *({**one, "id": None} for one in COLUMNS if one["id"] != "c2")],
    )
    assert 0 < shown() <= few + 2


# Dropping.


def test_a_drop_goes_along_the_workflow_to_its_place(world: World) -> None:
    saved(world)
    one, two, three = (make(world) for _ in range(3))
    for key in (one, two):
        drop(world, key, "c3")
    seq = world.database.seq
    answer = drop(world, three, "c3", after=two)
    assert answer == {"issue": call(world, "cy", "issues.get", key=three), "blocked": None}
    assert (answer["issue"]["lane"], cards(world)) == (
        "in_progress",
        {"c3": [two, one, three][:0] or cards(world)["c3"]},
    )
    assert world.events_since(seq) == [
        ("issue.updated", "issue:3"),
        ("issue.transitioned", "issue:3"),
        ("issue.ranked", "issue:3"),
    ]
    (ranked,) = payloads(world, seq, "issue.ranked")
    assert ranked == {
        "key": three,
        "project": "WEB",
        "after": two,
        "before": one,
        "board": 1,
        "rank": answer["issue"]["rank"],
    }
    assert cards(world) == {"c3": [two, three, one]}
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert cards(world) == {"c2": [three], "c3": [two, one]}


def test_a_drop_without_after_goes_before_all_in_the_column(world: World) -> None:
    saved(world)
    one, two, three = (make(world) for _ in range(3))
    drop(world, three, "c2")
    assert cards(world) == {"c2": [three, one, two]}
    seq = world.database.seq
    drop(world, three, "c2")
    assert world.events_since(seq) == []
    drop(world, three, "c3")
    assert world.events_since(seq) == [("issue.updated", "issue:3"), ("issue.transitioned", "issue:3")]
    assert cards(world) == {"c2": [one, two], "c3": [three]}


def test_an_event_names_a_board_to_those_who_see_it(world: World) -> None:
    saved(world, project=None)
    one, two = make(world), make(world)
    seq = world.database.seq
    drop(world, two, "c2")
    assert one
    assert payloads(world, seq, "issue.ranked", "cy")[0]["board"] == 1
    assert payloads(world, seq, "issue.ranked", "di")[0]["board"] is None


def test_a_column_of_several_lanes_takes_the_one_that_is_named_or_the_first(world: World) -> None:
    saved(world)
    one, two = make(world), make(world)
    assert drop(world, one, "c5")["issue"]["lane"] == "done"
    assert drop(world, two, "c5", lane="Cancelled")["issue"]["lane"] == "cancelled"
    assert drop(world, two, "c5")["issue"]["lane"] == "cancelled"
    assert drop(world, two, "c5", lane="done")["issue"]["lane"] == "done"
    with refused("invalid-input"):
        drop(world, two, "c5", lane="todo")
    with refused("invalid-input"):
        drop(world, two, "c9")


def test_a_drop_into_a_row_sets_the_field_and_is_told_once(world: World) -> None:
    saved(world, swimlanes="priority")
    key = make(world)
    seq = world.database.seq
    issue = drop(world, key, "c3", swimlane="high")["issue"]
    assert (issue["lane"], issue["priority"]) == ("in_progress", "high")
    assert sorted(kind for kind, _ in world.events_since(seq)) == ["issue.transitioned", "issue.updated"]
    (told,) = payloads(world, seq, "issue.updated")
    assert {*told["changes"]} == {"status", "priority"}
    assert drop(world, key, "c3", swimlane="")["issue"]["priority"] == "none"
    with refused("invalid-input"):
        drop(world, key, "c3", swimlane="soon")


@pytest.mark.parametrize(
    ("field", "value", "member", "kept"),
    [
        ("assignee", "@di", "assignees", "di"),
        ("estimate", "2.5", "estimate", 2.5),
        ("due", "2026-12-01", "due_date", "2026-12-01"),
        ("Size", "L", "values", {"size": "L"}),
        ("Weight", "3", "values", {"weight": 3}),
    ],
)
def test_rows_of_other_fields_are_set_and_cleared(
    world: World, field: str, value: str, member: str, kept: Any
) -> None:
    sizes(world)
    call(world, "ana", "fields.save", key="weight", name="Weight", kind="number")
    saved(world, swimlanes=field)
    key = make(world)
    expected = [world.people[kept].id] if member == "assignees" else kept
    assert drop(world, key, "c2", swimlane=value)["issue"][member] == expected
    assert not drop(world, key, "c2", swimlane="")["issue"][member]


def test_rows_that_a_drop_does_not_set_are_refused(world: World) -> None:
    saved(world, swimlanes="label")
    call(world, "ana", "labels.save", name="bug")
    key = make(world)
    for column in ("c2", "c3"):
        with refused("invalid-input"):
            drop(world, key, column, swimlane="bug")
    assert cards(world) == {"c2": [key]}
    saved(world, id=1, swimlanes=None)
    with refused("invalid-input"):
        drop(world, key, "c2", swimlane="bug")
    saved(world, id=1, swimlanes="estimate")
    with refused("invalid-input"):
        drop(world, key, "c2", swimlane="many")


def test_a_dry_run_says_what_would_be_and_what_stands_in_the_way_and_writes_nothing(world: World) -> None:
    saved(world)
    limited(world, 1, hard=True)
    one, two = make(world), make(world)
    before, seq = call(world, "cy", "issues.get", key=two), world.database.seq
    found = drop(world, two, "c3", dry_run=True)
    assert (found["blocked"], found["issue"]["lane"]) == (None, "in_progress")
    assert (call(world, "cy", "issues.get", key=two), world.events_since(seq)) == (before, [])
    drop(world, one, "c3")
    seq = world.database.seq
    assert drop(world, two, "c3", dry_run=True) == {
        "issue": before,
        "blocked": "In progress takes 1 issues at most: move another one on first.",
    }
    with refused("conflict"):
        drop(world, two, "c3")
    assert (call(world, "cy", "issues.get", key=two), world.events_since(seq)) == (before, [])
    assert world.database.seq == seq


def test_a_drop_is_refused_as_the_transition_is(world: World) -> None:
    saved(world)
    project = call(world, "bo", "projects.get", key="WEB")["key"]
    steps = [
        {
            "key": "start",
            "name": "Start",
            "from": ["backlog"],
            "to": "in_progress",
            "ask": [{"field": "due", "required": True}],
        },
        {
            "key": "finish",
            "name": "Finish",
            "from": ["in_progress"],
            "to": "done",
            "approvers": ["@ana"],
        },
    ]
    flow = call(
        world,
        "ana",
        "workflows.save",
        name="Strict",
        start="backlog",
        lanes=["backlog", "in_progress", "done"],
        transitions=steps,
    )
    call(world, "ana", "workflows.assign", id=flow["id"], project=project)
    key = make(world)
    seq = world.database.seq
    for column, slug in (("c4", "workflow-refused"), ("c5", "workflow-refused"), ("c3", "invalid-input")):
        with refused(slug):
            drop(world, key, column)
        assert isinstance(drop(world, key, column, dry_run=True)["blocked"], str)
    assert world.events_since(seq) == []
    call(world, "cy", "issues.transition", key=key, to_status="in_progress", values={"due": "2026-12-01"})
    with refused("approval-needed"):
        drop(world, key, "c5")
    assert "approved" in drop(world, key, "c5", dry_run=True)["blocked"]


def test_who_may_not_move_an_issue_does_not_by_a_board(world: World) -> None:
    saved(world, project="SEC", tql="project = SEC")
    one, two = make(world, "di", project="SEC"), make(world, "di", project="SEC")
    with refused("not-allowed"):  # reporters do not rank
        drop(world, one, "c2", "di", after=two)
    assert isinstance(drop(world, one, "c2", "di", after=two, dry_run=True)["blocked"], str)
    with refused("not-found"):
        drop(world, one, "c2", "gus")
    with refused("not-found"):
        drop(world, "SEC-99", "c2")
    elsewhere = make(world)
    with refused("invalid-input"):
        drop(world, elsewhere, "c2")


def test_a_soft_limit_is_shown_and_a_hard_one_holds_what_comes(world: World) -> None:
    saved(world)
    limited(world, 1, hard=False)
    one, two, three = (make(world) for _ in range(3))
    for key in (one, two):
        drop(world, key, "c3")
    over = {one["id"]: one["over_limit"] for one in call(world, "cy", "boards.view", id=1)["columns"]}
    assert over == {"c1": False, "c2": False, "c3": True, "c4": False, "c5": False}
    limited(world, 1, hard=True)
    with refused("conflict"):
        drop(world, three, "c3")
    drop(world, one, "c3", after=two)
    assert cards(world)["c3"] == [two, one]
    drop(world, one, "c4")
    drop(world, two, "c4")
    drop(world, three, "c3")
    assert cards(world)["c3"] == [three]


def test_of_two_who_want_the_last_place_one_gets_it(world: World) -> None:
    saved(world)
    limited(world, 2, hard=True)
    keys = [make(world) for _ in range(6)]
    drop(world, keys[0], "c3")
    moves = [("boards.move", {"id": 1, "key": key, "column": "c3"}) for key in keys[1:]]
    assert slugs(together(world, "cy", moves)) == ["conflict"] * 4
    assert counts(world) == {"c2": 4, "c3": 2}


def test_many_who_drop_at_once_leave_an_order_of_all(world: World) -> None:
    saved(world)
    keys = [make(world) for _ in range(8)]
    moves = [
        ("boards.move", {"id": 1, "key": key, "column": "c3", "after": keys[(at + 3) % 8]})
        for at, key in enumerate(keys)
    ]
    assert slugs(together(world, "cy", moves)) == []
    assert sorted(cards(world)["c3"]) == sorted(keys)


# Elsewhere.


def test_boards_are_kept_by_clients_starred_and_found_by_their_subject(world: World) -> None:
    saved(world)
    saved(world, name="Own", project=None)

    def kept_by(who: str) -> list[dict[str, Any]]:
        (part,) = call(world, who, "sync.snapshot", parts=["board"])["parts"]
        return [dict(zip(part["columns"], row, strict=True)) for row in zip(*part["values"], strict=True)]

    assert kept_by("cy") == [shape(world), shape(world, id=2, name="Own", project=None)]
    assert kept_by("di") == [shape(world)]
    assert kept_by("gus") == []
    call(world, "cy", "stars.set", subject="board:1", on=True)
    assert [one["title"] for one in call(world, "cy", "stars.list")] == ["Floor"]
    with refused("not-found"):
        call(world, "di", "stars.set", subject="board:2", on=True)
    since = call(world, "cy", "sync.snapshot", parts=["board"])
    saved(world, id=1, name="Other")
    delta = call(world, "cy", "sync.delta", since=since["seq"], access=since["access"], parts=["board"])
    assert [row[1] for row in delta["upserts"][0]["rows"]] == ["Other", "Own"]


def test_nobody_has_more_than_two_hundred_boards(world: World) -> None:
    def fill(tx: Write) -> None:
        saved_row = tx.stored("board", [1])
        assert saved_row is not None
        for number in range(199):
            tx.insert("board", **{**saved_row, "id": number + 2, "name_key": ids.short(8)})

    saved(world)
    world.database.write_now(fill)
    with refused("conflict"):
        saved(world)
