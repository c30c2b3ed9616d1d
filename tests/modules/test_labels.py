"""Labels: who keeps them, what carries them, and what is told of it."""

from collections.abc import Callable
from typing import Any

import apsw
import pytest

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from kbwork.db.tx import Write
from tests.conftest import World

COLOUR = "#d64545"


def made(label: dict[str, object]) -> dict[str, object]:
    return {
        "color": COLOUR,
        "project": None,
        "group": None,
        "description": "",
        "issues": 0,
        "pages": 0,
    } | label


def refused(slug: str) -> "pytest.RaisesExc[KbworkProblem]":
    """A refusal of this type."""
    return pytest.RaisesExc(KbworkProblem, check=lambda problem: problem.slug == slug)


def test_an_admin_makes_a_label_of_the_org_and_its_members_hear_of_it(world: World) -> None:
    seq = world.database.seq
    label = world.key("bo").labels.save(name="  bug ", description="It breaks")
    assert label == made({"id": 1, "name": "bug", "description": "It breaks"})
    assert world.events_since(seq) == [("label.saved", "org:1")]
    for handle in ("ana", "cy"):
        events = world.key(handle).api.changes(since=seq)["events"]
        assert [event["payload"] for event in events] == [{"label": 1, "name": "bug"}], handle
    assert world.key("gus").api.changes(since=seq)["events"] == []
    narrow = world.session("ana").call("keys.create", {"name": "feed", "scopes": ["api:read"]})["secret"]
    with Kbwork(world.url, narrow) as feed:
        assert feed.api.changes(since=seq)["events"] == []


def test_a_member_keeps_no_label_of_the_org(world: World) -> None:
    with refused("not-allowed"):
        world.key("cy").labels.save(name="bug")


def test_a_lead_keeps_the_labels_of_their_project_and_others_do_not(world: World) -> None:
    label = world.key("cy").labels.save(name="cve", project="SEC", color="f00")
    assert label == made({"id": 1, "name": "cve", "project": "SEC", "color": "#ff0000"})
    with refused("not-allowed"):
        world.key("di").labels.save(id=1, name="other")
    with refused("not-allowed"):
        world.key("di").labels.save(name="mine", project="WEB")


def test_labels_of_a_project_that_one_does_not_see_are_not_there(world: World) -> None:
    seq = world.database.seq
    world.key("di").labels.save(name="secret", project="PRV")
    for handle in ("ana", "cy", "gus"):
        client = world.key(handle)
        assert client.labels.list() == [], handle
        assert client.api.changes(since=seq)["events"] == [], handle
        with refused("not-found"):
            client.labels.list(project="PRV")
    with refused("not-found"):
        world.key("ana").labels.delete(id=1)
    with refused("not-found"):
        world.key("ana").labels.save(id=1, name="found")


def test_names_are_unique_without_case_among_the_orgs_and_one_projects(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="Bug")
    for clash in ({"name": "bug"}, {"name": "BUG", "project": "WEB"}):
        with refused("conflict"):
            bo.call("labels.save", clash)
    bo.labels.save(name="web only", project="WEB")
    world.key("cy").labels.save(name="Web Only", project="SEC")
    with refused("conflict"):
        bo.labels.save(name="WEB ONLY")


def test_fields_that_are_not_named_stay_and_null_clears(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="high", group="risk", description="Look at it first")
    seq = world.database.seq
    assert bo.labels.save(id=1, name="High") == made(
        {"id": 1, "name": "High", "group": "risk", "description": "Look at it first"}
    )
    assert bo.labels.save(id=1, name="High", group=None)["group"] is None
    told = [event["payload"]["changes"] for event in bo.api.changes(since=seq)["events"]]
    assert told == [{"name": {"from": "high", "to": "High"}}, {"group": {"from": "risk", "to": None}}]


def test_saving_what_is_there_already_is_no_event(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    seq = world.database.seq
    bo.labels.save(id=1, name="bug", color=COLOUR)
    assert world.events_since(seq) == []


def test_null_lifts_a_projects_label_to_the_org(world: World) -> None:
    world.key("bo").labels.save(name="ui", project="WEB")
    assert world.key("bo").labels.save(id=1, name="ui", project=None)["project"] is None
    with refused("invalid-input"):
        world.key("bo").labels.save(id=1, name="ui", project="WEB")


@pytest.mark.parametrize(
    ("bad", "path"),
    [({"name": ""}, "name"), ({"name": "x", "color": "red"}, "color"), ({"name": 3}, "name"), ({}, "name")],
)
def test_a_field_that_does_not_fit_is_named(world: World, bad: dict[str, object], path: str) -> None:
    with pytest.raises(KbworkProblem) as refusal:
        world.key("bo").call("labels.save", bad)
    assert refusal.value.slug == "invalid-input"
    assert [error["path"] for error in refusal.value.errors] == [path]


@pytest.mark.parametrize("more", [{}, {"project": "WEB"}, {"id": 1}])
def test_a_label_costs_as_much_among_many(world: World, more: dict[str, Any]) -> None:
    """Counted in the steps that SQLite takes."""
    bo = world.key("bo")
    bo.labels.save(name="first")
    bo.labels.save(name="of web", project="WEB")
    few = _steps(world, lambda: bo.call("labels.save", {"name": "among few", **more}))
    for number in range(120):
        bo.labels.save(name=f"label {number}", project="WEB" if number % 2 else None)
    many = _steps(world, lambda: bo.call("labels.save", {"name": "among many", **more}))
    assert many == few


def _steps(world: World, act: Callable[[], object]) -> dict[str, int]:
    """How many steps the statements about labels took that the writer ran meanwhile, by statement."""
    connection = world.database._writer._connection
    assert connection is not None
    found: dict[str, int] = {}
    world.database.write_now(Write.settle)  # a text that waits already is another step

    def profile(event: dict[str, Any]) -> None:
        if "label" in event["sql"]:
            found[event["sql"]] = event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, profile)
    try:
        act()
    finally:
        connection.trace_v2(0)
    assert found
    return found


def test_counts_are_of_the_issues_that_the_caller_sees(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    cy, di = world.key("cy"), world.key("di")
    cy.issues.create(project="WEB", title="Seen by every member", labels=["bug"])
    cy.issues.create(project="SEC", title="Seen by Cy", labels=["bug"])
    di.issues.create(project="SEC", title="Di's own", labels=["bug"])
    cy.issues.create(project="WEB", title="Between Cy and the leads", labels=["bug"], level="private")
    counts = {who: [label["issues"] for label in world.key(who).labels.list()] for who in world.people}
    assert counts == {"ana": [4], "bo": [4], "cy": [4], "di": [2], "gus": []}


def test_a_guest_sees_the_labels_that_their_projects_use(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    bo.labels.save(name="unused")
    bo.issues.create(project="WEB", title="For Gus", labels=["bug"])
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    assert [(label["name"], label["issues"]) for label in world.key("gus").labels.list()] == [("bug", 1)]


def test_labels_of_one_group_exclude_each_other(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="low", group="risk")
    bo.labels.save(name="high", group="risk")
    bo.labels.save(name="odd")
    with refused("invalid-input"):
        bo.issues.create(project="WEB", title="Both", labels=["low", "high"])
    bo.issues.create(project="WEB", title="Two", labels=["low", "odd"])
    with refused("conflict"):
        bo.labels.save(id=3, name="odd", group="risk")


def test_merging_moves_every_use_and_says_how_many(world: World) -> None:
    bo = world.key("bo")
    for name in ("bug", "defect", "fault"):
        bo.labels.save(name=name)
    one = bo.issues.create(project="WEB", title="One", labels=["defect"])
    two = bo.issues.create(project="WEB", title="Two", labels=["fault", "bug"])
    seq = world.database.seq
    left = bo.call("labels.merge", {"from": [2, 3], "into": 1})
    assert [(label["name"], label["issues"]) for label in left] == [("bug", 2)]
    assert [bo.issues.get(key=issue["key"])["labels"] for issue in (one, two)] == [["bug"], ["bug"]]
    (event,) = bo.api.changes(since=seq)["events"]
    assert (event["kind"], event["payload"]) == (
        "label.merged",
        {"label": 1, "name": "bug", "into": 1, "from": ["defect", "fault"], "issues": 2},
    )


def test_a_label_of_the_org_does_not_fold_into_one_of_a_project(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    bo.labels.save(name="web", project="WEB")
    with refused("invalid-input"):
        bo.call("labels.merge", {"from": [1], "into": 2})
    with refused("invalid-input"):
        bo.call("labels.merge", {"from": [1], "into": 1})
    with refused("not-found"):
        bo.call("labels.merge", {"from": [99], "into": 1})


def test_deleting_takes_it_off_every_issue(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    issue = bo.issues.create(project="WEB", title="One", labels=["bug"])
    seq = world.database.seq
    assert bo.labels.delete(id=1) == []
    assert bo.issues.get(key=issue["key"])["labels"] == []
    assert world.events_since(seq) == [("label.deleted", "org:1")]


@pytest.mark.parametrize("taken_back", ["save", "change", "merge", "delete"])
def test_every_change_of_labels_can_be_taken_back_and_done_again(world: World, taken_back: str) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    bo.labels.save(name="defect")
    bo.issues.create(project="WEB", title="One", labels=["defect"])
    before = bo.labels.list()
    seq = world.database.seq
    if taken_back == "save":
        bo.labels.save(name="new")
    elif taken_back == "change":
        bo.labels.save(id=1, name="Bug", color="#000000")
    elif taken_back == "merge":
        bo.call("labels.merge", {"from": [2], "into": 1})
    else:
        bo.labels.delete(id=2)
    after = bo.labels.list()
    bo.undo.apply(seq=seq + 1)
    assert bo.labels.list() == before
    undoing = world.events_since(seq + 1)
    assert [kind.split(".")[0] for kind, _ in undoing] == ["label"]
    bo.undo.apply(seq=seq + 2)
    assert bo.labels.list() == after
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)


def test_undo_refuses_where_somebody_changed_it_since_and_force_wins(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    seq = world.database.seq
    bo.labels.save(id=1, name="Bug")
    world.key("ana").labels.save(id=1, name="BUG")
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)
    bo.undo.apply(seq=seq + 1, force=True)
    assert [label["name"] for label in bo.labels.list()] == ["bug"]


def test_somebody_elses_change_is_not_mine_to_take_back(world: World) -> None:
    seq = world.database.seq
    world.key("bo").labels.save(name="bug")
    with refused("not-found"):
        world.key("ana").undo.apply(seq=seq + 1)


def test_the_history_of_labels_stands_in_spans(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    bo.labels.save(name="odd")
    issue = bo.issues.create(project="WEB", title="One", labels=["bug"])
    world.clock.advance(100)
    bo.issues.update(key=issue["key"], labels=["odd"])
    spans = world.database.read_now(
        lambda tx: tx.all("select value, from_at, to_at from spell where field = 'label' order by id")
    )
    now = world.clock.now()
    assert spans == [
        {"value": "1", "from_at": now - 100, "to_at": now},
        {"value": "2", "from_at": now, "to_at": None},
    ]


def test_what_belongs_to_a_private_project_is_told_to_nobody_else(world: World) -> None:
    world.session("di").projects.member_set(key="PRV", who="@bo", role="lead")
    bo = world.key("bo")
    bo.labels.save(name="org")
    bo.labels.save(name="layoffs", project="PRV")
    bo.labels.save(name="lawsuit", project="PRV")
    seq = world.database.seq
    bo.call("labels.merge", {"from": [2], "into": 1})
    bo.labels.save(id=3, name="Lawsuit", project=None)
    heard = [(event["kind"], event["payload"]) for event in world.key("cy").api.changes(since=seq)["events"]]
    assert heard == [
        ("label.merged", {"label": 1, "name": "org", "into": 1, "from": [], "issues": 0}),
        ("label.saved", {"label": 3, "name": "Lawsuit"}),
    ]
    own = [(event["kind"], event["subject"]) for event in world.key("di").api.changes(since=seq)["events"]]
    assert own == [
        ("label.merged", "org:1"),
        ("label.merged", "project:PRV"),
        ("label.deleted", "project:PRV"),
        ("label.saved", "org:1"),
    ]


@pytest.mark.parametrize(("one", "other"), [("\u00c4rger", "\u00e4RGER"), ("stra\u00dfe", "STRASSE")])
def test_case_is_no_difference_in_any_script(world: World, one: str, other: str) -> None:
    bo = world.key("bo")
    bo.labels.save(name=one)
    with refused("conflict"):
        bo.labels.save(name=other)
    assert [label["name"] for label in bo.labels.list(q=other)] == [one]


def test_a_group_is_one_however_it_is_spelt(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="low", group="Risk")
    assert bo.labels.save(name="high", group="  risk ")["group"] == "Risk"
    with refused("invalid-input"):
        bo.issues.create(project="WEB", title="Both", labels=["low", "high"])


def test_an_id_is_never_given_out_again(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    bo.labels.save(name="bug")
    bo.labels.delete(id=1)
    assert world.key("ana").labels.save(name="bug")["id"] == 2
    bo.undo.apply(seq=seq + 1, force=True)
    assert [label["id"] for label in bo.labels.list()] == [2]


def test_undo_needs_the_right_of_now(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="bug")
    seq = world.database.seq
    bo.labels.delete(id=1)
    world.session("ana").call("members.update", {"id": world.people["bo"].id, "role": "member"})
    answer = bo.undo.apply(seq=seq + 1)
    assert answer["undone"] == []
    assert [kept["subject"] for kept in answer["kept"]] == ["org:1"]
    assert bo.labels.list() == []


def test_undo_keeps_names_free_and_groups_exclusive(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="low", group="risk")
    bo.labels.save(name="high", group="risk")
    bo.issues.create(project="WEB", title="One", labels=["low"])
    seq = world.database.seq
    bo.labels.delete(id=1)
    bo.issues.update(key="WEB-1", labels=["high"])
    with refused("conflict"):
        bo.undo.apply(seq=seq + 1)
    assert bo.issues.get(key="WEB-1")["labels"] == ["high"]
    bo.labels.delete(id=2)
    seq = world.database.seq
    bo.labels.save(name="HIGH", project="WEB")
    with refused("conflict"):
        bo.undo.apply(seq=seq)


def test_undoing_a_merge_is_whole_also_for_issues_that_are_not_seen(world: World) -> None:
    bo = world.key("bo")
    bo.labels.save(name="one")
    bo.labels.save(name="two")
    world.key("di").issues.create(project="PRV", title="Di's own", labels=["two"])
    seq = world.database.seq
    bo.call("labels.merge", {"from": [2], "into": 1})
    assert bo.undo.apply(seq=seq + 1)["kept"] == []
    assert world.key("di").issues.get(key="PRV-1")["labels"] == ["two"]


def test_a_key_that_is_limited_to_projects_does_not_keep_the_orgs(world: World) -> None:
    made = world.session("bo").call(
        "keys.create",
        {"name": "web only", "scopes": ["projects:write", "projects:read"], "projects": ["WEB"]},
    )
    with Kbwork(world.url, made["secret"]) as client:
        with refused("not-allowed"):
            client.labels.save(name="bug")
        assert client.labels.save(name="bug", project="WEB")["project"] == "WEB"
