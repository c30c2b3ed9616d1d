"""Issues that go to another project or type, fold into one, come apart, and are made of others."""

from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.issues.test_issues import make, payloads


def issue(world: World, key: str, who: str = "cy", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = call(world, who, "issues.get", key=key, **more)
    return found


# to another project


def test_a_moved_issue_gets_the_next_key_and_the_old_one_keeps_resolving(world: World) -> None:
    call(world, "cy", "labels.save", name="lock", project="SEC")
    call(world, "ana", "labels.save", name="bug")
    call(world, "cy", "components.save", project="SEC", name="Doors")
    make(world)
    old = make(world, project="SEC", labels=["lock", "bug"], components=["Doors"], assignees=["@cy", "@di"])
    call(world, "cy", "comments.create", subject=f"issue:{old}", body="hello")
    seq = world.database.seq
    (moved,) = call(world, "cy", "issues.move", keys=[old], project="web")
    assert (moved["key"], moved["labels"], moved["components"]) == ("WEB-2", ["bug"], [])
    assert moved["counts"]["comments"] == 1
    assert issue(world, old)["key"] == "WEB-2"
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.moved"]
    assert payloads(world, seq, "issue.moved") == [
        {
            "key": "WEB-2",
            "project": "WEB",
            "from_project": "SEC",
            "to_project": "WEB",
            "old_key": old,
            "new_key": "WEB-2",
            "dropped": {"labels": ["lock"], "components": ["Doors"]},
            "changes": {"project": {"from": "SEC", "to": "WEB"}},
        }
    ]
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {
        "project": {"from": "SEC", "to": "WEB"},
        "labels": {"from": ["bug", "lock"], "to": ["bug"]},
        "components": {"from": ["Doors"], "to": []},
    }
    assert call(world, "cy", "projects.get", key="SEC")["counts"]["open"] == 0
    call(world, "cy", "undo.apply", seq=seq + 1)
    back = issue(world, old)
    assert (back["key"], back["labels"], back["components"]) == (old, ["bug", "lock"], ["Doors"])
    assert make(world) == "WEB-3"
    assert make(world, project="SEC") == "SEC-2"


def test_a_key_is_never_given_twice_however_often_an_issue_moves(world: World) -> None:
    key = make(world)
    for project in ("SEC", "WEB", "SEC", "WEB"):
        call(world, "cy", "issues.move", keys=[key], project=project)
    assert issue(world, key)["key"] == "WEB-3"
    for old in ("WEB-1", "WEB-2", "SEC-1", "SEC-2"):
        assert issue(world, old)["key"] == "WEB-3"
    assert (make(world), make(world, project="SEC")) == ("WEB-4", "SEC-3")


def test_children_go_along_unless_told_to_stay(world: World) -> None:
    epic = make(world, type="epic")
    task = make(world, parent=epic)
    step = make(world, parent=task, type="subtask")
    moved = call(world, "cy", "issues.move", keys=[epic], project="SEC")
    assert [one["key"] for one in moved] == ["SEC-1", "SEC-2", "SEC-3"]
    assert [one["parent"] for one in moved] == [None, "SEC-1", "SEC-2"]
    moved = call(world, "cy", "issues.move", keys=["SEC-2"], project="WEB", children=False)
    assert [(one["key"], one["parent"]) for one in moved] == [("WEB-4", "SEC-1")]
    assert issue(world, step)["parent"] == "WEB-4"


def test_who_does_not_see_the_new_place_is_taken_off(world: World) -> None:
    key = make(world, assignees=["@cy", "@bo"])
    call(world, "ana", "projects.create", key="OWN", name="Own", visibility="private")
    call(world, "ana", "projects.member_set", key="OWN", who="@cy", role="member")
    seq = world.database.seq
    (moved,) = call(world, "cy", "issues.move", keys=[key], project="OWN")
    assert moved["assignees"] == [world.people["cy"].id]
    assert payloads(world, seq, "issue.assigned", "cy")[0]["removed"] == [world.people["bo"].id]


def test_what_cannot_move_says_why(world: World) -> None:
    key = make(world)
    hidden = make(world, "di", project="PRV")
    with refused("not-found"):
        call(world, "cy", "issues.move", keys=[key], project="PRV")
    with refused("not-found"):
        call(world, "cy", "issues.move", keys=[hidden], project="WEB")
    with refused("not-allowed"):
        call(world, "di", "issues.move", keys=[make(world, "di")], project="SEC")
    with refused("invalid-input"):
        call(world, "cy", "issues.move", keys=[], project="SEC")
    with refused("invalid-input"):
        call(world, "cy", "issues.move", keys=[key], project="SEC", statuses={"nowhere": "todo"})
    call(world, "ana", "types.save", key="idea", name="Idea", level=1)
    call(world, "ana", "types.projects_set", project="WEB", types=["task", "idea"])
    idea = make(world, type="idea")
    with refused("conflict") as found:
        call(world, "cy", "issues.move", keys=[key, idea], project="SEC")
    assert "convert it first" in found.value.detail
    assert issue(world, key)["key"] == key
    seq = world.database.seq
    assert call(world, "cy", "issues.move", keys=[key], project="WEB")[0]["key"] == key
    assert world.events_since(seq) == []


# another type


def test_a_converted_issue_has_the_level_of_its_new_type(world: World) -> None:
    epic = make(world, type="epic")
    key = make(world, type="task")
    seq = world.database.seq
    found = call(world, "cy", "issues.convert", key=key, type="Sub-task", parent="")
    assert (found["type"], found["level_no"], found["parent"]) == ("subtask", -1, None)
    assert [kind for kind, _ in world.events_since(seq)] == ["issue.updated", "issue.converted"]
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert (issue(world, key)["type"], issue(world, key)["level_no"]) == ("task", 0)
    found = call(world, "cy", "issues.convert", key=key, type="bug", parent=epic)
    assert found["parent"] == epic
    with refused("conflict"):
        call(world, "cy", "issues.convert", key=key, type="epic")
    with refused("conflict"):
        call(world, "cy", "issues.convert", key=epic, type="task")
    with refused("invalid-input"):
        call(world, "cy", "issues.convert", key=key, type="idea")
    seq = world.database.seq
    call(world, "cy", "issues.convert", key=key, type="bug")
    assert world.events_since(seq) == []


# duplicates


def test_duplicates_fold_into_one_with_all_that_hangs_on_them(world: World) -> None:
    stays, one, other = make(world, title="Stays"), make(world, "di"), make(world, "bo")
    for who, key in (("cy", stays), ("cy", one), ("di", one), ("bo", other)):
        call(world, who, "issues.vote", key=key, on=True)
    thread = call(world, "di", "comments.create", subject=f"issue:{one}", body="first")["id"]
    call(world, "di", "comments.create", subject=f"issue:{one}", body="reply", parent=thread)
    call(world, "di", "comments.create", subject=f"issue:{one}", body="note", internal=True)
    watched = issue(world, one)["counts"]["watchers"]
    assert watched > 0
    seq = world.database.seq
    found = call(world, "cy", "issues.merge", from_=[one, other], into=stays)
    assert found["counts"] | {"comments": 3, "votes": 3, "watchers": 3} == found["counts"]
    closed = issue(world, one, with_=["relations"])
    assert (closed["counts"]["votes"], closed["counts"]["watchers"]) == (0, 0)
    assert (closed["category"], closed["outcome"], closed["counts"]["comments"]) == ("done", "duplicate", 0)
    assert [(r["kind"], r["direction"], r["issue"]["key"]) for r in closed["relations"]] == [
        ("duplicates", "out", stays)
    ]
    kinds = [kind for kind, subject in world.events_since(seq) if subject == "issue:2"]
    assert kinds == ["issue.updated", "issue.transitioned", "issue.related", "issue.merged"]
    bodies = [one["body"] for one in call(world, "cy", "comments.list", subject=f"issue:{stays}")]
    assert bodies == ["first", "reply", "note"]
    call(world, "cy", "undo.apply", seq=seq + 1)
    assert issue(world, stays)["counts"] | {"comments": 0, "votes": 1} == issue(world, stays)["counts"]
    back = issue(world, one)
    assert back["counts"]["watchers"] == watched
    assert (back["category"], back["outcome"], back["counts"]["comments"], back["counts"]["votes"]) == (
        "todo",
        None,
        3,
        2,
    )


def test_comments_may_stay_and_what_is_closed_is_only_marked(world: World) -> None:
    stays, one = make(world), make(world)
    call(world, "cy", "comments.create", subject=f"issue:{one}", body="stays here")
    call(world, "cy", "issues.transition", key=one, to_status="cancelled")
    seq = world.database.seq
    call(world, "cy", "issues.merge", from_=[one], into=stays, comments=False)
    assert issue(world, one)["counts"]["comments"] == 1
    assert issue(world, one)["outcome"] == "duplicate"
    assert "issue.transitioned" not in [kind for kind, _ in world.events_since(seq)]
    with refused("invalid-input"):
        call(world, "cy", "issues.merge", from_=[stays], into=stays)
    with refused("not-found"):
        call(world, "cy", "issues.merge", from_=[make(world, "di", project="PRV")], into=stays)


# copies and parts


def test_a_copy_begins_anew(world: World) -> None:
    call(world, "ana", "labels.save", name="bug")
    epic = make(world, type="epic")
    key = make(
        world,
        title="Model",
        body="text",
        type="bug",
        priority="high",
        labels=["bug"],
        parent=epic,
        assignees=["@di"],
        estimate=3,
        due_date="2027-01-01",
    )
    other = make(world)
    call(world, "cy", "issues.relation_add", key=key, kind="blocked by", to=[other])
    call(world, "cy", "issues.transition", key=key, to_status="in_progress")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="said")
    made = call(world, "bo", "issues.copy", key=key, title="Copy")
    same = ("body", "type", "priority", "labels", "parent", "assignees", "estimate", "due_date")
    assert {name: made[name] for name in same} == {name: issue(world, key)[name] for name in same}
    assert (made["title"], made["status"], made["reporter"]) == ("Copy", "To do", world.people["bo"].id)
    assert (made["counts"]["comments"], made["blocked"]) == (0, False)
    found = issue(world, made["key"], with_=["relations"])["relations"]
    assert [(r["kind"], r["direction"], r["issue"]["key"]) for r in found] == [("clones", "out", key)]
    more = call(world, "bo", "issues.copy", key=key, with_=["comments", "relations"])
    assert (more["title"], more["counts"]["comments"], more["blocked"]) == ("Model", 1, True)
    (said,) = call(world, "cy", "comments.list", subject=f"issue:{more['key']}")
    assert (said["body"], said["author"]) == ("said", world.people["cy"].id)
    call(world, "bo", "undo.apply", seq=world.database.seq)
    with refused("not-found"):
        issue(world, more["key"])


def test_a_tree_is_copied_into_another_project(world: World) -> None:
    epic = make(world, type="epic", title="Top")
    task = make(world, parent=epic, title="Middle")
    make(world, parent=task, type="subtask", title="Low")
    made = call(world, "cy", "issues.copy", key=epic, project="SEC", children=True)
    assert made["key"] == "SEC-1"
    (child,) = issue(world, "SEC-1", with_=["children"])["children"]
    assert (child["title"], child["parent"], child["counts"]["children"]) == ("Middle", "SEC-1", 1)
    assert issue(world, "SEC-3")["type"] == "subtask"


def test_relations_among_what_is_copied_are_among_the_copies(world: World) -> None:
    epic = make(world, type="epic", title="Top")
    first, second = (make(world, parent=epic, title=title) for title in ("First", "Second"))
    outside = make(world, title="Outside")
    call(world, "cy", "issues.relation_add", key=first, kind="blocks", to=[second, outside], lag_days=2)
    call(world, "cy", "issues.relation_add", key=second, kind="relates to", to=[first, epic])
    call(world, "cy", "issues.copy", key=epic, children=True, with_=["relations"])
    titles = {"WEB-5": "Top'", "WEB-6": "First'", "WEB-7": "Second'"} | {
        epic: "Top",
        first: "First",
        second: "Second",
        outside: "Outside",
    }
    assert [issue(world, key)["title"] for key in ("WEB-5", "WEB-6", "WEB-7")] == ["Top", "First", "Second"]

    def related(key: str) -> set[tuple[str, str, str, int]]:
        found = issue(world, key, with_=["relations"])["relations"]
        assert len(found) == len({one["id"] for one in found})
        return {(r["kind"], r["direction"], titles[r["issue"]["key"]], r["lag_days"]) for r in found}

    assert related("WEB-5") == {("relates", "both", "Second'", 0), ("clones", "out", "Top", 0)}
    assert related("WEB-6") == {
        ("blocks", "out", "Second'", 2),
        ("blocks", "out", "Outside", 2),
        ("relates", "both", "Second'", 0),
    }
    assert related("WEB-7") == {
        ("blocks", "in", "First'", 2),
        ("relates", "both", "First'", 0),
        ("relates", "both", "Top'", 0),
    }
    assert related(second) == {
        ("blocks", "in", "First", 2),
        ("relates", "both", "First", 0),
        ("relates", "both", "Top", 0),
    }


def test_an_issue_comes_apart_with_the_comments_named(world: World) -> None:
    key = make(world, type="bug", priority="high")
    said = [call(world, "cy", "comments.create", subject=f"issue:{key}", body=text)["id"] for text in "abc"]
    reply = call(world, "cy", "comments.create", subject=f"issue:{key}", body="re b", parent=said[1])["id"]
    seq = world.database.seq
    one, two = call(
        world,
        "cy",
        "issues.split",
        key=key,
        parts=[{"title": "One", "comments": [said[1]]}, {"title": "Two"}],
    )
    assert (one["type"], one["priority"], one["counts"]["comments"]) == ("bug", "high", 2)
    assert issue(world, key)["counts"]["comments"] == 2
    assert payloads(world, seq, "issue.split") == [
        {"key": key, "project": "WEB", "parts": [one["key"], two["key"]]}
    ]
    with refused("invalid-input"):
        call(world, "cy", "issues.split", key=key, parts=[{"title": "x", "comments": [reply]}])
    with refused("invalid-input"):
        call(world, "cy", "issues.split", key=key, parts=[{"title": "x", "checks": [1]}])
    split = next(row["seq"] for row in call(world, "cy", "undo.list") if row["op"] == "issues.split")
    call(world, "cy", "undo.apply", seq=split)
    assert issue(world, key)["counts"]["comments"] == 4


def test_a_comment_becomes_an_issue(world: World) -> None:
    key = make(world)
    said = call(world, "di", "comments.create", subject=f"issue:{key}", body="Say it\nin the manual")["id"]
    made = call(world, "cy", "issues.promote", from_=f"comment:{said}", link="caused by")
    assert (made["title"], made["body"], made["project"]) == (
        "Say it in the manual",
        "Say it\nin the manual",
        "WEB",
    )
    found = issue(world, made["key"], with_=["relations"])["relations"]
    assert [(r["kind"], r["direction"], r["issue"]["key"]) for r in found] == [("causes", "in", key)]
    elsewhere = call(
        world, "cy", "issues.promote", from_=f"comment:{said}", project="SEC", title="Other", type="bug"
    )
    assert (elsewhere["project"], elsewhere["title"], elsewhere["type"]) == ("SEC", "Other", "bug")


@pytest.mark.parametrize("from_", ["comment:99", "comment:x", "issue:1", "check:1", "nonsense", "sticky:1"])
def test_what_is_no_text_becomes_no_issue(world: World, from_: str) -> None:
    make(world)
    with refused("invalid-input"):
        call(world, "cy", "issues.promote", from_=from_, project="WEB")


def test_an_internal_note_is_no_source_for_a_guest(world: World) -> None:
    key = make(world)
    note = call(world, "cy", "comments.create", subject=f"issue:{key}", body="secret", internal=True)["id"]
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="member")
    with refused("invalid-input"):
        call(world, "gus", "issues.promote", from_=f"comment:{note}", project="WEB")
