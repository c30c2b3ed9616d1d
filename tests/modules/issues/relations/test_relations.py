"""Relations between issues: kinds, directions, blocking, circles, and who sees what of them."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads
from tests.modules.together import slugs, together


def relate(world: World, who: str, key: str, kind: str, *to: str, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call(
        world, who, "issues.relation_add", key=key, kind=kind, to=list(to), **more
    )
    return found


def blocked(world: World, key: str) -> bool:
    return bool(call(world, "cy", "issues.get", key=key)["blocked"])


def close(world: World, key: str, to: str = "done") -> None:
    call(world, "cy", "issues.transition", key=key, to_status=to)


# relating


def test_a_relation_is_seen_from_both_ends(world: World) -> None:
    first, second = make(world), make(world, title="Two")
    seq = world.database.seq
    (made,) = relate(world, "cy", first, "blocks", second, lag_days=2)
    assert made == {
        "id": 1,
        "kind": "blocks",
        "direction": "out",
        "issue": {"key": second, "title": "Two", "status": "To do", "category": "todo"},
        "lag_days": 2,
        "created_by": world.people["cy"].id,
        "created_at": world.clock.now(),
    }
    (other,) = call(world, "cy", "issues.relations", key=second)
    assert (other["direction"], other["kind"], other["issue"]["key"]) == ("in", "blocks", first)
    assert world.events_since(seq) == [
        ("issue.related", "issue:1"),
        ("issue.related", "issue:2"),
        ("issue.blocked", "issue:2"),
    ]
    assert payloads(world, seq, "issue.blocked") == [{"key": second, "project": "WEB", "by": first}]
    assert call(world, "cy", "issues.get", key=first, with_=["relations"])["relations"] == [made]


@pytest.mark.parametrize("name", ["blocked by", "Blocked By", "blocked_by"])
def test_the_inverse_name_turns_a_relation_round(world: World, name: str) -> None:
    first, second = make(world), make(world)
    (made,) = relate(world, "cy", first, name, second)
    assert (made["kind"], made["direction"]) == ("blocks", "in")
    assert blocked(world, first)
    assert not blocked(world, second)


def test_a_relation_without_direction_stands_once_whichever_way_it_is_said(world: World) -> None:
    first, second = make(world), make(world)
    relate(world, "cy", first, "relates", second)
    seq = world.database.seq
    (again,) = relate(world, "cy", second, "relates to", first)
    assert again["direction"] == "both"
    assert world.events_since(seq) == []


def test_only_the_lag_of_a_relation_changes(world: World) -> None:
    first, second = make(world), make(world)
    relate(world, "cy", first, "precedes", second)
    seq = world.database.seq
    (made,) = relate(world, "cy", first, "precedes", second, lag_days=-3)
    assert made["lag_days"] == -3
    (told,) = payloads(world, seq, "issue.related")
    assert told["changes"] == {"lag_days": {"from": 0, "to": -3}}
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert call(world, "cy", "issues.relations", key=first)[0]["lag_days"] == 0


def test_what_cannot_be_related_says_why(world: World) -> None:
    first, second = make(world), make(world)
    hidden = make(world, "di", project="PRV")
    with refused("invalid-input") as found:
        relate(world, "cy", first, "blokcs", second)
    assert "Did you mean 'blocks'?" in found.value.detail
    with refused("invalid-input"):
        relate(world, "cy", first, "blocks", first)
    with refused("invalid-input"):
        relate(world, "cy", first, "blocks", hidden)
    with refused("not-found"):
        relate(world, "cy", hidden, "blocks", first)
    with refused("invalid-input"):
        relate(world, "cy", first, "blocks")
    call(world, "cy", "issues.archive", keys=[first], on=True)
    with refused("conflict"):
        relate(world, "cy", first, "blocks", second)
    assert len(relate(world, "cy", second, "blocks", first)) == 1


def test_a_viewer_relates_nothing(world: World) -> None:
    first, second = make(world), make(world)
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    with refused("not-allowed"):
        relate(world, "gus", first, "blocks", second)


def test_an_end_that_is_unseen_is_neither_named_nor_counted(world: World) -> None:
    here, there = make(world), make(world, "cy", project="SEC", title="Canary")
    seq = world.database.seq
    relate(world, "cy", there, "blocks", here)
    assert call(world, "bo", "issues.relations", key=here) != []
    assert call(world, "gus", "issues.list")["items"] == []
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    assert call(world, "gus", "issues.relations", key=here) == []
    assert call(world, "gus", "issues.get", key=here)["blocked"] is True
    told = payloads(world, seq, "issue.blocked", "gus") + payloads(world, seq, "issue.related", "gus")
    assert {payload.get("by") for payload in told} | {payload.get("other") for payload in told} == {None}
    assert call(world, "gus", "issues.graph", keys=[here])["edges"] == []


def test_a_relation_is_taken_away_from_either_end(world: World) -> None:
    first, second = make(world), make(world)
    (made,) = relate(world, "cy", first, "blocks", second)
    seq = world.database.seq
    assert call(world, "cy", "issues.relation_delete", id=made["id"]) == []
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.unrelated",
        "issue.unrelated",
        "issue.unblocked",
    ]
    assert not blocked(world, second)
    with refused("not-found"):
        call(world, "cy", "issues.relation_delete", id=made["id"])
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert blocked(world, second)
    assert [one["kind"] for one in call(world, "cy", "issues.relations", key=second)] == ["blocks"]


def test_a_relation_is_taken_away_from_the_end_that_is_not_archived(world: World) -> None:
    for title in ("One", "Two"):
        call(world, "cy", "issues.create", project="WEB", title=title)
    (made,) = call(world, "cy", "issues.relation_add", key="WEB-1", kind="blocks", to=["WEB-2"])
    for archived in (["WEB-1"], ["WEB-2"]):
        call(world, "cy", "issues.archive", keys=archived, on=True)
    with refused("conflict"):
        call(world, "cy", "issues.relation_delete", id=made["id"])
    call(world, "cy", "issues.archive", keys=["WEB-2"], on=False)
    assert call(world, "cy", "issues.relation_delete", id=made["id"]) == []
    assert call(world, "cy", "issues.relations", key="WEB-1") == []


def test_a_relation_to_what_you_do_not_see_cannot_be_taken_away(world: World) -> None:
    (made,) = relate(world, "cy", make(world, project="SEC"), "relates", make(world))
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="member")
    with refused("not-found"):
        call(world, "gus", "issues.relation_delete", id=made["id"])


# blocking


def test_an_issue_is_blocked_while_an_open_one_blocks_it(world: World) -> None:
    first, second, held = make(world), make(world), make(world)
    relate(world, "cy", held, "blocked by", first, second)
    close(world, first)
    assert blocked(world, held)
    seq = world.database.seq
    close(world, second)
    assert not blocked(world, held)
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.updated",
        "issue.transitioned",
        "issue.unblocked",
    ]
    close(world, first, "todo")
    assert blocked(world, held)
    call(world, "cy", "issues.delete", key=first)
    assert not blocked(world, held)
    call(world, "cy", "undo.apply", seq=world.database.seq)
    assert blocked(world, held)


def test_a_project_may_keep_blocked_issues_open(world: World) -> None:
    first, held = make(world), make(world)
    relate(world, "cy", first, "blocks", held)
    close(world, held)
    close(world, held, "todo")
    world.database.write_now(lambda tx: tx.update("project", 1, blockers="refuse"))
    with refused("workflow-refused") as found:
        close(world, held)
    assert found.value.extra["rule"] == "open-blockers"
    assert first in found.value.detail
    close(world, first)
    close(world, held)


def test_two_who_relate_at_once_make_one_relation(world: World) -> None:
    first, second = make(world), make(world)
    asked = {"key": first, "kind": "blocks", "to": [second]}
    assert slugs(together(world, "cy", [("issues.relation_add", asked)] * 8)) == []
    assert len(call(world, "cy", "issues.relations", key=first)) == 1


# the graph


def test_the_graph_names_each_circle_once(world: World) -> None:
    keys = [make(world) for _ in range(5)]
    for one, other in ((0, 1), (1, 2), (2, 0), (3, 4)):
        relate(world, "cy", keys[one], "blocks", keys[other])
    relate(world, "cy", keys[2], "relates", keys[3])
    found = call(world, "cy", "issues.graph", keys=[keys[0]])
    assert [issue["key"] for issue in found["nodes"]] == [keys[n] for n in (0, 1, 2, 3, 4)]
    assert {(edge["from"], edge["kind"], edge["to"]) for edge in found["edges"]} == {
        (keys[0], "blocks", keys[1]),
        (keys[1], "blocks", keys[2]),
        (keys[2], "blocks", keys[0]),
        (keys[3], "blocks", keys[4]),
        (keys[2], "relates", keys[3]),
    }
    assert found["cycles"] == [keys[:3]]
    near = call(world, "cy", "issues.graph", keys=[keys[0]], depth=1, kinds=["blocks"])
    assert [issue["key"] for issue in near["nodes"]] == keys[:3]
    alone = call(world, "cy", "issues.graph", keys=[keys[4]], depth=0)
    assert (len(alone["nodes"]), alone["edges"], alone["cycles"]) == (1, [], [])


def test_the_edges_alone_of_many_say_which_of_them_block(world: World) -> None:
    keys = [make(world) for _ in range(4)]
    call(world, "bo", "issues.relation_kind_save", key="holds", name="holds", inverse="held by", blocks=True)
    hidden = make(world, "cy", project="SEC", title="Canary")
    relate(world, "cy", keys[0], "blocks", keys[1])
    relate(world, "cy", keys[1], "held by", keys[2])
    relate(world, "cy", keys[1], "relates", keys[3])
    relate(world, "cy", hidden, "blocks", keys[0])
    asked: dict[str, Any] = {"keys": keys[:2], "depth": 1, "edges_only": True}
    found = call(world, "cy", "issues.graph", **asked)
    assert found["nodes"] == []
    assert {(edge["from"], edge["to"], edge["blocks"]) for edge in found["edges"]} == {
        (keys[0], keys[1], True),
        (keys[2], keys[1], True),
        (keys[1], keys[3], False),
        (hidden, keys[0], True),
    }
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    seen = call(world, "gus", "issues.graph", **asked)["edges"]
    assert hidden not in {end for edge in seen for end in (edge["from"], edge["to"])}
    assert len(seen) == 3
    with refused("not-found"):
        call(world, "gus", "issues.graph", keys=[keys[0], hidden], depth=1, edges_only=True)


# kinds


def test_an_org_has_kinds_of_its_own(world: World) -> None:
    seq = world.database.seq
    kinds = call(world, "bo", "issues.relation_kind_save", key="tests", name="Tests", inverse="tested by")
    assert [kind["key"] for kind in kinds] == [
        "blocks",
        "relates",
        "duplicates",
        "causes",
        "clones",
        "implements",
        "precedes",
        "tests",
    ]
    assert kinds[-1] | {"color": ""} == {
        "key": "tests",
        "name": "Tests",
        "inverse": "tested by",
        "directed": True,
        "blocks": False,
        "color": "",
        "built_in": False,
    }
    assert world.events_since(seq) == [("relation_kind.saved", "org:1")]
    (made,) = relate(world, "cy", make(world), "tested BY", make(world))
    assert (made["kind"], made["direction"]) == ("tests", "in")
    with refused("in-use"):
        call(world, "bo", "issues.relation_kind_delete", key="tests")
    with refused("in-use"):
        call(
            world,
            "bo",
            "issues.relation_kind_save",
            key="tests",
            name="Tests",
            inverse="tested by",
            blocks=True,
        )
    call(world, "bo", "issues.relation_kind_delete", key="tests", move_to="causes")
    assert [one["kind"] for one in call(world, "cy", "issues.relations", key="WEB-1")] == ["causes"]


def test_relations_that_move_to_a_kind_that_stands_already_are_kept_once(world: World) -> None:
    first, second = make(world), make(world)
    call(world, "bo", "issues.relation_kind_save", key="tests", name="tests", inverse="tested by")
    relate(world, "cy", first, "tests", second)
    relate(world, "cy", second, "relates", first)
    call(world, "bo", "issues.relation_kind_delete", key="tests", move_to="relates")
    assert len(call(world, "cy", "issues.relations", key=first)) == 1


def test_moving_relations_to_a_kind_that_blocks_blocks(world: World) -> None:
    first, second = make(world), make(world)
    call(world, "bo", "issues.relation_kind_save", key="tests", name="tests", inverse="tested by")
    relate(world, "cy", first, "tests", second)
    call(world, "bo", "issues.relation_kind_delete", key="tests", move_to="blocks")
    assert blocked(world, second)
    close(world, first)
    assert not blocked(world, second)


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ({"key": "tests", "name": "Blocks", "inverse": "tested by"}, "conflict"),
        ({"key": "tests", "name": "tests", "inverse": "Blocked by"}, "conflict"),
        ({"key": "tests", "name": "same", "inverse": "SAME", "directed": True}, "invalid-input"),
        ({"key": "tests", "name": "same", "inverse": "same", "blocks": True}, "invalid-input"),
        ({"key": "Tests", "name": "tests", "inverse": "tested by"}, "invalid-input"),
        ({"key": "blocks", "name": "blocks", "inverse": "waits for", "blocks": False}, "conflict"),
    ],
)
def test_a_kind_that_cannot_be_says_why(world: World, value: dict[str, Any], slug: str) -> None:
    with refused(slug):
        call(world, "bo", "issues.relation_kind_save", **value)


def test_the_words_of_a_built_in_kind_may_change_and_be_taken_back(world: World) -> None:
    call(world, "bo", "issues.relation_kind_save", key="blocks", name="holds up", inverse="waits for")
    relate(world, "cy", make(world), "waits for", make(world))
    assert blocked(world, "WEB-1")
    with refused("conflict"):
        call(world, "bo", "issues.relation_kind_delete", key="blocks")
    saved = next(
        row["seq"] for row in call(world, "bo", "undo.list") if row["op"] == "issues.relation_kind_save"
    )
    call(world, "bo", "undo.apply", seq=saved)
    assert call(world, "cy", "issues.relation_kinds")[0]["inverse"] == "blocked by"


def test_members_make_no_kinds(world: World) -> None:
    with refused("insufficient-scope"):
        call(world, "cy", "issues.relation_kind_save", key="tests", name="tests", inverse="tested by")
