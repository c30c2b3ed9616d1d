"""Issues: made, changed, moved, listed and seen."""

import json
from contextlib import suppress
from typing import Any

import pytest

from kbwork.base.errors import Conflict
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.core.access import callers
from kbwork.db.tx import Write
from tests.conftest import NOW, World, run
from tests.modules.calls import call, refused
from tests.modules.together import slugs, together
from tests.modules.workflows.sample_workflows import in_force

COUNTS = {
    "comments": 0,
    "attachments": 0,
    "children": 0,
    "children_done": 0,
    "votes": 0,
    "watchers": 1,
    "checks": 0,
    "checks_done": 0,
    "links": 0,
}


def whole(world: World, who: str, **told: Any) -> dict[str, Any]:
    """A new issue in its shape, as its maker sees it."""
    me = world.people[who].id
    issue: dict[str, Any] = {
        "id": 1,
        "key": "WEB-1",
        "project": "WEB",
        "type": "task",
        "title": "One",
        "body": "",
        "body_doc": None,
        "status": "To do",
        "lane": "todo",
        "category": "todo",
        "outcome": None,
        "priority": "none",
        "assignees": [],
        "reporter": me,
        "labels": [],
        "components": [],
        "parent": None,
        "level_no": 0,
        "sprint": None,
        "past_sprints": [],
        "milestone": None,
        "releases": [],
        "affects": [],
        "estimate": None,
        "spent_seconds": 0,
        "left_seconds": None,
        "start_date": None,
        "due_date": None,
        "rank": "i00000001",
        "values": {},
        "level": None,
        "locked": False,
        "blocked": False,
        "counts": COUNTS,
        "request": None,
        "source": None,
        "external": None,
        "watching": True,
        "starred": False,
        "can": {"edit": True, "comment": True, "move": True, "delete": True},
        "created_at": NOW,
        "created_by": me,
        "updated_at": NOW,
        "status_at": NOW,
        "started_at": None,
        "done_at": None,
        "archived_at": None,
        "seq": world.database.seq,
        "path": "/issues/WEB-1",
    }
    return issue | told


def make(world: World, who: str = "cy", **fields: Any) -> str:
    """An issue; answers its key."""
    asked = {"project": "WEB", "title": "One"} | fields
    return str(world.key(who).call("issues.create", asked)["key"])


def payloads(world: World, seq: int, kind: str, who: str = "ana") -> list[dict[str, Any]]:
    events = world.key(who).api.changes(since=seq)["events"]
    return [event["payload"] for event in events if event["kind"] == kind]


# making


def test_an_issue_is_made_in_the_start_lane_reported_and_watched_by_its_maker(world: World) -> None:
    seq = world.database.seq
    made = world.key("cy").issues.create(project="web", title="  One ")
    assert made == whole(world, "cy")
    assert world.events_since(seq) == [("issue.created", "issue:1")]
    assert payloads(world, seq, "issue.created") == [
        {
            "key": "WEB-1",
            "project": "WEB",
            "title": "One",
            "type": "task",
            "status": "To do",
            "assignees": [],
            "parent": None,
        }
    ]


def test_an_issue_is_made_with_everything_that_can_be_said_of_it(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    parent = make(world, type="epic")
    seq = world.database.seq
    di = world.people["di"].id
    made = world.key("cy").issues.create(
        project="WEB",
        title="Two",
        type="Bug",
        body="It *breaks*",
        status="In review",
        priority="high",
        assignees=["@di", "me", "@di"],
        labels=["BUG"],
        parent=parent,
        estimate=3,
        start_date="2026-01-01",
        due_date="2026-02-01",
        level="private",
        source="chat:1",
        external="x-1",
    )
    assert made == whole(
        world,
        "cy",
        id=2,
        key="WEB-2",
        path="/issues/WEB-2",
        title="Two",
        type="bug",
        body="It *breaks*",
        status="In review",
        lane="in_review",
        category="in_progress",
        started_at=NOW,
        priority="high",
        assignees=[di, world.people["cy"].id],
        labels=["bug"],
        parent="WEB-1",
        estimate=3.0,
        start_date="2026-01-01",
        due_date="2026-02-01",
        level="private",
        source="chat:1",
        external="x-1",
        rank="i00000002",
        counts=COUNTS | {"watchers": 2},
        seq=seq + 1,
    )
    assert world.events_since(seq) == [("issue.created", "issue:2"), ("issue.assigned", "issue:2")]
    (created,) = payloads(world, seq, "issue.created")
    assert (created["parent"], created["source"]) == ("WEB-1", "chat:1")


@pytest.mark.parametrize(
    ("asked", "slug", "path"),
    [
        ({"title": " \n "}, "invalid-input", "title"),
        ({"title": "x" * 501}, "invalid-input", "title"),
        ({"title": 3}, "invalid-input", "title"),
        ({"titel": "x"}, "unknown-field", "titel"),
        ({"type": "stoory"}, "invalid-input", "type"),
        ({"status": "don"}, "invalid-input", "status"),
        ({"priority": "asap"}, "invalid-input", "priority"),
        ({"assignees": ["@nobody"]}, "invalid-input", "assignees"),
        ({"assignees": ["agent:nobody"]}, "invalid-input", "assignees"),
        ({"assignees": ["@gus"]}, "invalid-input", "assignees"),
        ({"labels": ["bgu"]}, "invalid-input", "labels"),
        ({"components": ["api"]}, "invalid-input", "components"),
        ({"releases": ["1.0"]}, "invalid-input", "releases"),
        ({"affects": ["1.0"]}, "invalid-input", "affects"),
        ({"sprint": 1}, "invalid-input", "sprint"),
        ({"milestone": 1}, "invalid-input", "milestone"),
        ({"values": {"size": 1}}, "invalid-input", "values.size"),
        ({"relations": [{"kind": "blocks", "key": "WEB-1"}]}, "invalid-input", "relations"),
        ({"parent": "WEB-99"}, "invalid-input", "parent"),
        ({"due_date": "2026-02-30"}, "invalid-input", "due_date"),
        ({"start_date": "2026-02-02", "due_date": "2026-02-01"}, "invalid-input", "due_date"),
        ({"level": "secret"}, "invalid-input", "level"),
        ({"level": "team:99"}, "invalid-input", "level"),
        ({"body_doc": "{}"}, "invalid-input", "body"),
    ],
)
def test_what_does_not_fit_a_new_issue_is_named(
    world: World, asked: dict[str, Any], slug: str, path: str
) -> None:
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        make(world, **asked)
    assert refusal.value.slug == slug
    assert refusal.value.errors[0]["path"] == path
    assert world.events_since(seq) == []
    assert make(world) == "WEB-1"


def test_what_is_unknown_names_the_nearest(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    for asked, near in (
        ({"type": "stori"}, "story"),
        ({"labels": ["bugg"]}, "bug"),
        ({"assignees": ["@anna"]}, "@ana"),
        ({"status": "in_progres"}, "in_progress"),
    ):
        with pytest.raises(KbworkProblem, match=near):
            make(world, **asked)


def test_a_template_or_project_that_is_not_there_is_not_found(world: World) -> None:
    for asked in ({"template": 3}, {"project": "NOPE"}, {"project": "PRV"}):
        with refused("not-found"):
            make(world, **asked)


def test_who_may_only_look_makes_no_issue(world: World) -> None:
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="viewer")
    with refused("not-allowed"):
        make(world, "gus")
    world.session("bo").projects.member_set(key="WEB", who="@gus", role="reporter")
    assert make(world, "gus") == "WEB-1"


def test_numbers_are_given_once_whoever_comes_at_the_same_moment(world: World) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [
        (
            "issues.create",
            {"project": "WEB", "title": f"No {n}"} if n % 4 else {"project": "WEB", "title": ""},
        )
        for n in range(40)
    ]
    made = [answer for answer in together(world, "cy", asked) if not isinstance(answer, KbworkProblem)]
    assert sorted(issue["key"] for issue in made) == sorted(f"WEB-{n}" for n in range(1, 31))
    assert len({issue["id"] for issue in made}) == len({issue["rank"] for issue in made}) == 30


def test_a_creation_that_is_rolled_back_uses_no_number(world: World) -> None:
    seq = world.database.seq
    with pytest.raises(KbworkProblem):
        world.key("cy").batch(
            [("issues.create", {"project": "WEB", "title": "One"}), ("issues.get", {"key": "WEB-9"})]
        )
    assert world.database.seq == seq
    assert make(world) == "WEB-1"
    assert world.key("cy").issues.get(key="WEB-1")["seq"] == seq + 1


@pytest.mark.parametrize("who", ["ana", "cy"])
def test_what_is_made_is_answered_as_it_is_read(world: World, who: str) -> None:
    """What hangs on it is known where it is made, and asked for where it is read."""
    names = ["Zebra", "apple", "Apfel", "zoo", "Ärger", "ähnlich", "_last", "日本"]
    for name in names:
        call(world, "ana", "labels.save", name=name)
        call(world, "ana", "components.save", project="WEB", name=name)
    child = {"parent": make(world, type="epic")}
    related = {"relations": [{"kind": "blocks", "key": child["parent"]}]}
    many: dict[str, Any] = {"labels": names[::-1], "components": names[3:] + names[:3]}
    several: dict[str, Any] = {"assignees": ["@di", "@cy", "@ana"], "labels": ["zoo"]}
    for more in ({}, many, several, {"assignees": [f"@{who}"]}, child, related, child | many):
        made = world.key(who).call("issues.create", {"project": "WEB", "title": "One"} | more)
        assert made == world.key(who).issues.get(key=made["key"])


def test_the_number_of_an_issue_that_went_is_not_given_again(world: World) -> None:
    call(world, "bo", "projects.create", key="APP", name="App")
    moved, purged = make(world), make(world)
    call(world, "bo", "issues.delete", key=purged)
    call(world, "bo", "trash.purge", ids=[1])
    assert make(world) == "WEB-3"
    call(world, "bo", "issues.move", keys=["WEB-3", moved], project="APP")
    assert make(world) == "WEB-4"
    assert call(world, "bo", "issues.create", project="APP", title="One")["key"] == "APP-3"


def test_numbers_go_on_in_one_transaction_whatever_lies_between(world: World) -> None:
    call(world, "ana", "projects.create", key="APP", name="App")
    asked: dict[str, Any] = {"project": "WEB", "title": "One"}
    new, brought, taken = (
        ("issues.create", asked | more)
        for more in ({}, {"imported": {"number": 7}}, {"imported": {"number": 1}})
    )
    away: tuple[str, dict[str, Any]] = ("issues.move", {"keys": ["WEB-10"], "project": "APP"})
    gone: tuple[str, dict[str, Any]] = ("issues.delete", {"key": "WEB-9"})
    ops = [new, new, brought, new, taken, new, gone, new, new, away, new]
    made = world.key("ana").batch(ops)
    keys = [answer["key"] for (op, _), answer in zip(ops, made, strict=True) if op == "issues.create"]
    assert keys == [f"WEB-{n}" for n in (1, 2, 7, 8, 9, 10, 11, 12, 13)]
    assert make(world) == "WEB-14"


def test_numbers_of_a_part_that_is_taken_back_are_given_again(world: World) -> None:
    def work(tx: Write) -> list[str]:
        def new() -> str:
            return str(
                run(tx, world.people["cy"], "issues.create", {"project": "WEB", "title": "One"})["key"]
            )

        keys = [new()]
        with suppress(Conflict), tx.attempt():
            new()
            raise Conflict("not so")
        keys.append(new())
        with tx.attempt(keep=False):
            new()
        return [*keys, new()]

    assert world.database.write_now(work) == ["WEB-1", "WEB-2", "WEB-3"]


def test_an_external_id_makes_one_issue(world: World) -> None:
    cy = world.key("cy")
    first = cy.issues.create(project="WEB", title="One", external="x")
    seq = world.database.seq
    assert cy.issues.create(project="WEB", title="Another", external="x", type="nonsense") == first
    assert world.events_since(seq) == []
    assert make(world, project="SEC", external="x") == "SEC-1"
    answers = together(
        world, "cy", [("issues.create", {"project": "WEB", "title": "T", "external": "y"})] * 10
    )
    assert {answer["key"] for answer in answers} == {"WEB-2"}


def test_an_external_id_of_an_issue_out_of_sight_is_a_conflict(world: World) -> None:
    make(world, project="SEC", external="x")
    with refused("conflict"):
        make(world, "di", project="SEC", external="x")
    seq = world.database.seq
    make(world, external="y")
    world.key("cy").undo.apply(seq=seq + 1)
    with refused("conflict"):
        make(world, external="y")


def test_an_import_keeps_author_number_and_times(world: World) -> None:
    bo = world.key("bo")
    seq = world.database.seq
    was = {
        "author": "Ada Old",
        "number": 7,
        "created_at": 1000,
        "updated_at": 3000,
        "done_at": 2000,
        "outcome": "duplicate",
    }
    made = bo.call(
        "issues.create",
        {"project": "WEB", "title": "Old", "status": "done", "assignees": ["Bea Old"], "imported": was},
    )
    expected = whole(
        world,
        "bo",
        key="WEB-7",
        path="/issues/WEB-7",
        title="Old",
        status="Done",
        lane="done",
        category="done",
        outcome="duplicate",
        assignees=["Bea Old"],
        reporter="Ada Old",
        created_by="Ada Old",
        rank="i00000007",
        created_at=1000,
        updated_at=3000,
        status_at=2000,
        done_at=2000,
        watching=False,
        counts=COUNTS | {"watchers": 0},
        seq=seq + 1,
    )
    assert made == expected
    assert payloads(world, seq, "issue.created")[0]["import"] == 0
    assert make(world) == "WEB-8"
    taken = bo.call("issues.create", {"project": "WEB", "title": "Again", "imported": {"number": 7}})
    low = bo.call("issues.create", {"project": "WEB", "title": "Low", "imported": {"number": 3}})
    assert [taken["key"], low["key"], make(world)] == ["WEB-9", "WEB-3", "WEB-10"]


def test_an_import_is_for_admins_and_takes_no_false_identity(world: World) -> None:
    with refused("not-allowed"):
        make(world, "cy", imported={"author": "Ada"})
    for author in ("m_abcdefabcdef", "agent:x", "system", "team:1"):
        with refused("invalid-input"):
            make(world, "bo", imported={"author": author})
    with refused("invalid-input"):
        make(world, "bo", imported={"done_at": 5})


# where it stands under others


def test_a_parent_stands_higher_and_is_counted(world: World) -> None:
    epic = make(world, type="epic")
    child = make(world, parent=epic)
    make(world, parent=epic, status="done")
    cy = world.key("cy")
    assert cy.issues.get(key=child)["parent"] == epic
    counts = cy.issues.get(key=epic)["counts"]
    assert (counts["children"], counts["children_done"]) == (2, 1)
    for asked in (
        {"type": "epic", "parent": epic},
        {"parent": child},
        {"type": "subtask", "parent": "WEB-99"},
    ):
        with refused("invalid-input"):
            make(world, **asked)
    assert make(world, type="subtask", parent=epic) == "WEB-4"


def test_no_issue_stands_under_itself_or_what_is_archived(world: World) -> None:
    epic = make(world, type="epic")
    child = make(world, parent=epic)
    cy = world.key("cy")
    with refused("invalid-input"):
        cy.issues.update(key=epic, parent=child)
    with refused("invalid-input"):
        cy.issues.update(key=epic, parent=epic)
    world.database.write_now(lambda tx: tx.execute("update issue set archived_at = 1 where id = 1"))
    with refused("conflict"):
        make(world, parent=epic)


def test_a_parent_is_changed_and_cleared_with_both_events(world: World) -> None:
    one, two = make(world, type="epic"), make(world, type="epic")
    child = make(world, parent=one)
    cy = world.key("cy")
    seq = world.database.seq
    assert cy.issues.update(key=child, parent=two)["parent"] == two
    assert world.events_since(seq) == [("issue.updated", "issue:3"), ("issue.parent_changed", "issue:3")]
    common = {"key": "WEB-3", "project": "WEB"}
    sides = {"parent": {"from": one, "to": two}}
    assert payloads(world, seq, "issue.updated") == [common | {"changes": sides}]
    assert payloads(world, seq, "issue.parent_changed") == [
        common | {"from": one, "to": two, "changes": sides}
    ]
    assert cy.issues.update(key=child, parent="")["parent"] is None
    seq = world.database.seq
    cy.issues.update(key=child, parent=None)
    assert world.events_since(seq) == []


def test_ends_that_are_out_of_sight_are_not_named(world: World) -> None:
    epic = make(world, type="epic", project="SEC")
    child = make(world, parent=epic)
    hidden = make(world, "di", project="PRV")
    world.database.write_now(lambda tx: tx.execute("update issue set parent = 1 where id = 3"))
    assert world.key("di").issues.get(key=child)["parent"] is None
    assert world.key("cy").issues.get(key=epic)["counts"]["children"] == 1
    world.key("cy").issues.update(key=child, parent="")
    for kind in ("issue.created", "issue.updated", "issue.parent_changed"):
        told = {who: payloads(world, 0, kind, who)[-1] for who in ("cy", "di")}
        assert epic in str(told["cy"]), kind
        assert epic not in str(told["di"]), kind
    history = {who: world.key(who).issues.history(key=child)["items"][0]["from"] for who in ("cy", "di")}
    assert history == {"cy": epic, "di": None}
    world.key("cy").issues.update(key=child, parent=epic)
    found = world.key("cy").call("issues.get", {"key": epic, "with": ["children"]})
    assert [issue["key"] for issue in found["children"]] == [child]
    assert hidden == "PRV-1"


# changing


def test_fields_change_and_are_told_before_and_after(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    key = make(world, body="Old")
    world.clock.advance(10)
    seq = world.database.seq
    changed = world.key("cy").issues.update(
        key=key,
        title="New",
        body="Newer",
        priority="urgent",
        labels=["bug"],
        estimate=2.5,
        start_date="2026-01-01",
        due_date="2026-01-02",
    )
    assert changed == whole(
        world,
        "cy",
        title="New",
        body="Newer",
        priority="urgent",
        labels=["bug"],
        estimate=2.5,
        start_date="2026-01-01",
        due_date="2026-01-02",
        updated_at=NOW + 10,
        seq=seq + 1,
    )
    assert world.events_since(seq) == [("issue.updated", "issue:1")]
    (payload,) = payloads(world, seq, "issue.updated")
    assert payload == {
        "key": "WEB-1",
        "project": "WEB",
        "changes": {
            "title": {"from": "One", "to": "New"},
            "body": {"from_size": 3, "to_size": 5, "revision": 1},
            "priority": {"from": "none", "to": "urgent"},
            "labels": {"from": [], "to": ["bug"]},
            "estimate": {"from": None, "to": 2.5},
            "start_date": {"from": None, "to": "2026-01-01"},
            "due_date": {"from": None, "to": "2026-01-02"},
        },
    }


def test_empty_texts_and_nulls_clear_and_the_rest_stays(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    key = make(world, body="B", estimate=1, due_date="2026-01-02", labels=["bug"])
    cy = world.key("cy")
    same = cy.issues.get(key=key)
    assert cy.call("issues.update", {"key": key, "body": None, "due_date": None, "labels": None}) == same
    cleared = cy.issues.update(key=key, body="", due_date="", labels=[], estimate=None)
    assert [cleared[name] for name in ("body", "due_date", "labels", "estimate")] == ["", None, [], None]


def test_a_change_of_the_document_alone_is_told(world: World) -> None:
    key = make(world, body="B")
    seq = world.database.seq
    changed = world.key("cy").issues.update(key=key, body="B", body_doc='{"type":"doc"}')
    assert (changed["body_doc"], changed["seq"]) == ('{"type":"doc"}', seq + 1)
    (payload,) = payloads(world, seq, "issue.updated")
    assert payload["changes"] == {"body_doc": {"from_size": 0, "to_size": 14, "revision": None}}
    assert world.key("cy").issues.update(key=key, body="C")["body_doc"] is None


@pytest.mark.parametrize(
    ("document", "fits"),
    [
        ('{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"B"}]}]}', True),
        ('{"type":"doc","content":[{"type":"bulletList","content":[{"type":"list_item"}]}]}', True),
        ("B", False),
        ("[]", False),
        ('{"type":"paragraph"}', False),
        ('{"type":"doc","content":{}}', False),
        ('{"type":"doc","content":["text"]}', False),
        ('{"type":"doc","content":[{"type":"script"}]}', False),
        ('{"type":"doc","content":[{"type":["text"]}]}', False),
        ("[" * 100_000, False),
    ],
)
def test_a_document_is_checked_for_its_nodes(world: World, document: str, fits: bool) -> None:
    key = make(world)
    cy = world.key("cy")
    if fits:
        assert cy.issues.update(key=key, body="B", body_doc=document)["body_doc"] == document
        return
    calls: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"key": key}),
        ("issues.create", {"project": "WEB", "title": "Two"}),
        ("comments.create", {"subject": key}),
    ]
    for op, asked in calls:
        with pytest.raises(KbworkProblem) as refusal:
            cy.call(op, asked | {"body": "B", "body_doc": document})
        assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", "body_doc")


def test_a_change_that_changes_nothing_is_no_event(world: World) -> None:
    key = make(world, priority="high")
    seq = world.database.seq
    world.clock.advance(5)
    same = world.key("cy").issues.update(key=key, title="One", priority="high", labels=[], estimate=None)
    assert same["updated_at"] == NOW
    assert world.events_since(seq) == []


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"title": ""}, "title"),
        ({"start_date": "2026-03-01"}, "due_date"),
        ({"sprint": 1}, "sprint"),
        ({"milestone": 2}, "milestone"),
        ({"components": ["x"]}, "components"),
        ({"values": {"x": 1}}, "values.x"),
        ({"labels": ["x"]}, "labels"),
        ({"body_doc": "{}"}, "body"),
        ({"parent": "WEB-1"}, "parent"),
        ({"estimate": "3"}, "estimate"),
    ],
)
def test_what_does_not_fit_a_change_is_named(world: World, asked: dict[str, Any], path: str) -> None:
    key = make(world, due_date="2026-02-01")
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        world.key("cy").issues.update(key=key, **asked)
    assert (refusal.value.slug, refusal.value.errors[0]["path"]) == ("invalid-input", path)
    assert world.events_since(seq) == []


def test_the_reporter_is_changed_by_leads_only(world: World) -> None:
    key = make(world)
    with refused("not-allowed"):
        world.key("cy").issues.update(key=key, reporter="@di")
    assert world.key("bo").issues.update(key=key, reporter="@di")["reporter"] == world.people["di"].id


def test_a_stale_seq_is_refused_with_the_present_issue(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    seq = cy.issues.get(key=key)["seq"]
    now = cy.issues.update(key=key, title="Two", if_seq=seq)
    for op, asked in (("issues.update", {"title": "Three"}), ("issues.transition", {"to_status": "done"})):
        with pytest.raises(KbworkProblem) as refusal:
            cy.call(op, {"key": key, "if_seq": seq} | asked)
        assert (refusal.value.slug, refusal.value.extra["current"]) == ("stale", now)


def test_of_many_with_the_same_seq_exactly_one_wins(world: World) -> None:
    key = make(world)
    seq = world.key("cy").issues.get(key=key)["seq"]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"key": key, "title": f"By {n}", "if_seq": seq}) for n in range(16)
    ]
    answers = together(world, "cy", asked)
    assert slugs(answers) == ["stale"] * 15
    (won,) = [answer for answer in answers if not isinstance(answer, KbworkProblem)]
    assert world.key("cy").issues.get(key=key) == won


def test_a_comment_moves_no_seq_of_the_issue(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    seq = cy.issues.get(key=key)["seq"]
    world.clock.advance(5)
    cy.comments.create(subject=key, body="Hello")
    assert cy.issues.get(key=key)["updated_at"] == NOW + 5
    at = world.database.seq
    cy.undo.apply(seq=at)
    assert cy.issues.get(key=key)["seq"] == seq
    cy.issues.update(key=key, title="Two", if_seq=seq)


def test_archived_issues_and_projects_take_no_change(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"key": key, "title": "Two"}),
        ("issues.assign", {"key": key, "assignees": ["me"]}),
        ("issues.transition", {"key": key, "to_status": "done"}),
    ]
    for table in ("issue", "project"):
        archive(world, table, 1)
        for op, asked in calls:
            with refused("conflict"):
                cy.call(op, asked)
        assert cy.issues.list(project="WEB")["items"] == []
        assert len(cy.issues.list(project="WEB", archived=True)["items"]) == 1
        archive(world, table, None)
    archive(world, "project", 1)
    with refused("conflict"):
        make(world)


def archive(world: World, table: str, at: int | None) -> None:
    """Archive or bring back the first issue or project."""
    world.database.write_now(
        lambda tx: tx.execute(f"update {table} set archived_at = :at where id = 1", at=at)
    )


# who has it


def test_assignees_are_set_added_and_removed(world: World) -> None:
    key = make(world)
    cy, people = world.key("cy"), world.people
    seq = world.database.seq
    assert cy.issues.assign(key=key, assignees=["@di", "me"])["assignees"] == [
        people["di"].id,
        people["cy"].id,
    ]
    assert world.events_since(seq) == [("issue.updated", "issue:1"), ("issue.assigned", "issue:1")]
    both = [people["di"].id, people["cy"].id]
    common = {"key": "WEB-1", "project": "WEB"}
    sides = {"assignees": {"from": [], "to": both}}
    assert payloads(world, seq, "issue.updated") == [common | {"changes": sides}]
    assert payloads(world, seq, "issue.assigned") == [
        common | {"added": both, "removed": [], "changes": sides}
    ]
    added = cy.issues.assign(key=key, assignees=["@ana", "@di"], mode="add")["assignees"]
    assert added == [people["di"].id, people["cy"].id, people["ana"].id]
    left = cy.issues.assign(key=key, assignees=["@di", people["cy"].id], mode="remove")
    assert left["assignees"] == [people["ana"].id]
    assert left["counts"]["watchers"] == 3
    seq = world.database.seq
    cy.issues.assign(key=key, assignees=["@bo"], mode="remove")
    cy.issues.assign(key=key, assignees=["@ana"])
    assert world.events_since(seq) == []
    assert cy.issues.assign(key=key, assignees=[])["assignees"] == []


def test_agents_are_assigned_and_taken_off(world: World) -> None:
    owner = world.people["cy"].id
    world.database.write_now(
        lambda tx: tx.insert("agent", name="helper", label="Helper", owner=owner, created_at=tx.now)
    )
    key = make(world, assignees=["agent:helper"])
    cy = world.key("cy")
    assert cy.issues.get(key=key)["assignees"] == ["agent:helper"]
    assert cy.issues.assign(key=key, assignees=["agent:helper"], mode="remove")["assignees"] == []


def test_assignees_see_the_issue_and_are_active(world: World) -> None:
    key = make(world, project="SEC")
    cy = world.key("cy")
    world.database.write_now(lambda tx: tx.update("member", world.people["di"].id, state="deactivated"))
    for who in ("@gus", "@di", "@nobody", "agent:x", "team:1"):
        with refused("invalid-input"):
            cy.issues.assign(key=key, assignees=[who])
    assert cy.issues.get(key=key)["assignees"] == []


def test_somebody_who_left_is_taken_off(world: World) -> None:
    key = make(world, assignees=["@di"])
    world.database.write_now(lambda tx: tx.update("member", world.people["di"].id, state="deactivated"))
    left = world.key("cy").issues.assign(key=key, assignees=["@di"], mode="remove")
    assert left["assignees"] == []


def test_twenty_who_add_an_assignee_at_once_lose_none(world: World) -> None:
    key = make(world)

    def hire(tx: Any) -> list[str]:
        return [callers.add_member(tx, name=f"Hand {n}", email=None, role="member") for n in range(20)]

    hands: list[str] = world.database.write_now(hire)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("issues.assign", {"key": key, "assignees": [who], "mode": "add"}) for who in hands
    ]
    assert slugs(together(world, "cy", asked)) == []
    assert sorted(world.key("cy").issues.get(key=key)["assignees"]) == sorted(hands)
    with refused("invalid-input"):
        world.key("cy").issues.assign(key=key, assignees=["me"], mode="add")


# moving on


def test_an_issue_moves_along_its_workflow_and_back(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    world.clock.advance(60)
    seq = world.database.seq
    moved = cy.issues.transition(key=key, to_status="In progress")
    assert moved == whole(
        world,
        "cy",
        status="In progress",
        lane="in_progress",
        category="in_progress",
        started_at=NOW + 60,
        status_at=NOW + 60,
        updated_at=NOW + 60,
        seq=seq + 1,
    )
    assert world.events_since(seq) == [("issue.updated", "issue:1"), ("issue.transitioned", "issue:1")]
    common = {"key": "WEB-1", "project": "WEB"}
    sides = {"status": {"from": "To do", "to": "In progress"}}
    assert payloads(world, seq, "issue.updated") == [common | {"changes": sides}]
    assert payloads(world, seq, "issue.transitioned") == [
        common
        | {
            "transition": "to_in_progress",
            "from": "To do",
            "to": "In progress",
            "from_category": "todo",
            "to_category": "in_progress",
            "outcome": None,
            "seconds_in_lane": 60,
            "changes": sides,
        }
    ]
    world.clock.advance(60)
    back = cy.issues.transition(key=key, to_status="todo")
    again = cy.issues.transition(key=key, to_status="in_progress")
    assert (back["started_at"], again["started_at"], again["status_at"]) == (NOW + 60, NOW + 60, NOW + 120)


def test_done_sets_outcome_and_time_and_leaving_it_clears_both(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    done = cy.issues.transition(key=key, to_status="done")
    assert (done["outcome"], done["done_at"], done["started_at"]) == ("completed", NOW, None)
    world.clock.advance(9)
    seq = world.database.seq
    other = cy.issues.transition(key=key, to_status="cancelled")
    assert (other["outcome"], other["done_at"], other["status_at"]) == ("cancelled", NOW, NOW + 9)
    assert "reopened" not in payloads(world, seq, "issue.transitioned")[0]
    seq = world.database.seq
    changed = cy.issues.transition(key=key, to_status="cancelled", outcome="duplicate")
    assert changed["outcome"] == "duplicate"
    assert world.events_since(seq) == [("issue.updated", "issue:1")]
    seq = world.database.seq
    opened = cy.issues.transition(key=key, to_status="todo")
    assert (opened["outcome"], opened["done_at"]) == (None, None)
    (told,) = payloads(world, seq, "issue.transitioned")
    assert (told["reopened"], told["outcome"]) == (True, None)
    assert payloads(world, seq, "issue.updated")[0]["changes"] == {
        "status": {"from": "Cancelled", "to": "To do"},
        "outcome": {"from": "duplicate", "to": None},
    }
    assert cy.issues.transition(key=key, to_status="done", outcome="duplicate")["outcome"] == "duplicate"


def test_the_lane_it_is_in_already_is_no_change(world: World) -> None:
    key = make(world, status="done")
    seq = world.database.seq
    world.clock.advance(9)
    same = world.key("cy").issues.transition(key=key, to_status="DONE")
    assert (same["status_at"], same["outcome"]) == (NOW, "completed")
    assert world.events_since(seq) == []


def test_a_transition_with_a_comment_happens_whole(world: World) -> None:
    key = make(world)
    cy = world.key("cy")
    seq = world.database.seq
    assert cy.issues.transition(key=key, to_status="done", comment="There")["counts"]["comments"] == 1
    assert [kind for kind, _ in world.events_since(seq)] == [
        "issue.updated",
        "issue.transitioned",
        "comment.created",
    ]
    seq = world.database.seq
    with refused("invalid-input"):
        cy.issues.transition(key=key, to_status="todo", comment="  ")
    assert (cy.issues.get(key=key)["lane"], world.events_since(seq)) == ("done", [])


def test_what_the_workflow_or_input_refuses_moves_nothing(world: World) -> None:
    key = make(world)
    cy = world.key("cy")

    def narrow(tx: Any) -> None:
        road = tx.value("select json_extract(transitions, '$[1]') from workflow where id = 1")
        tx.update("workflow", 1, transitions=f"[{road}]")

    for asked in ({"to_status": "nowhere"}, {"to_status": "done", "values": {"x": 1}}):
        with refused("invalid-input"):
            cy.issues.transition(key=key, **asked)
    with refused("invalid-input"):
        cy.issues.transition(key=key, to_status="in_progress", outcome="completed")
    world.database.write_now(narrow)
    seq = world.database.seq
    with pytest.raises(KbworkProblem) as refusal:
        cy.issues.transition(key=key, to_status="done")
    assert (refusal.value.slug, refusal.value.extra["rule"]) == ("workflow-refused", "no-transition")
    with refused("workflow-refused"):
        make(world, status="done")
    imported = world.key("bo").call(
        "issues.create", {"project": "WEB", "title": "Old", "status": "done", "imported": {"author": "Ada"}}
    )
    assert imported["lane"] == "done"
    assert world.events_since(seq) == [("issue.created", "issue:2")]


def test_a_transition_with_approvers_asks_for_them(world: World) -> None:
    key = make(world)

    def guard(tx: Any) -> None:
        roads = json.loads(tx.value("select transitions from workflow where id = 1"))
        roads[4]["approvers"] = ["team:admins"]
        tx.update("workflow", 1, transitions=json.dumps(roads))

    world.database.write_now(guard)
    cy = world.key("cy")
    with refused("approval-needed"):
        cy.issues.transition(key=key, to_status="done")
    ways = cy.call("issues.get", {"key": key, "with": ["transitions"]})["transitions"]
    assert {way["to_status"]: way["allowed"] for way in ways} == {
        "backlog": True,
        "in_progress": True,
        "in_review": True,
        "done": False,
        "cancelled": True,
        "duplicate": True,
    }


# rights


def test_who_may_see_and_not_change_is_told_so_and_who_may_not_see_is_not(world: World) -> None:
    key = make(world, project="SEC", level="public")
    hidden = make(world, project="SEC")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"title": "Mine"}),
        ("issues.assign", {"assignees": ["me"]}),
        ("issues.transition", {"to_status": "done"}),
    ]
    for op, asked in calls:
        with refused("not-allowed"):
            world.key("di").call(op, {"key": key} | asked)
        for who in ("di", "gus"):
            with refused("not-found"):
                world.key(who).call(op, {"key": hidden} | asked)
    for op in ("issues.get", "issues.history"):
        with refused("not-found"):
            world.key("di").call(op, {"key": hidden})


def test_reporters_edit_what_they_reported(world: World) -> None:
    own = make(world, "di", project="SEC")
    di = world.key("di")
    made = di.issues.get(key=own)
    assert made["can"] == {"edit": True, "comment": True, "move": False, "delete": False}
    assert di.issues.update(key=own, title="Mine")["title"] == "Mine"
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    others = make(world, project="SEC")
    assert di.issues.get(key=others)["can"] == {
        "edit": False,
        "comment": True,
        "move": False,
        "delete": False,
    }
    with refused("not-allowed"):
        di.issues.update(key=others, title="Mine")


WORK: dict[str, dict[str, Any]] = {
    "issues.update": {"key": "SEC-2", "title": "Edited"},
    "issues.assign": {"key": "SEC-2", "assignees": []},
    "issues.relation_add": {"key": "SEC-2", "kind": "relates", "to": ["SEC-3"]},
    "issues.transition": {"key": "SEC-2", "to_status": "in_progress"},
    "issues.rank": {"keys": ["SEC-2"], "after": "SEC-3"},
    "issues.convert": {"key": "SEC-2", "type": "bug"},
    "issues.merge": {"from": ["SEC-2"], "into": "SEC-3"},
    "issues.archive": {"keys": ["SEC-2"], "on": True},
    "issues.move": {"keys": ["SEC-2"], "project": "WEB"},
    "issues.delete": {"key": "SEC-2"},
    "issues.level_set": {"key": "SEC-2", "level": "private"},
    "issues.lock": {"key": "SEC-2", "on": True},
}
WRITES = {"issues.update", "issues.assign", "issues.relation_add"}
MOVES = {
    "issues.transition",
    "issues.rank",
    "issues.convert",
    "issues.merge",
    "issues.archive",
    "issues.move",
}
LEADS = {"issues.level_set", "issues.lock"}


@pytest.mark.parametrize(
    ("role", "reported", "may"),
    [
        ("lead", False, set(WORK)),
        ("member", False, WRITES | MOVES),
        ("member", True, WRITES | MOVES | {"issues.delete"}),
        ("reporter", False, set()),
        ("reporter", True, WRITES),
        ("viewer", True, set()),
    ],
)
def test_each_role_in_a_project_does_what_is_its_own(
    world: World, role: str, reported: bool, may: set[str]
) -> None:
    """SEC-2 is theirs where they reported it; SEC-3 is their own in any case."""
    world.key("cy").projects.update(key="SEC", reporters_see="all")
    make(world, project="SEC")
    make(world, "di" if reported else "cy", project="SEC")
    make(world, "di", project="SEC")
    world.key("cy").call("projects.member_set", {"key": "SEC", "who": "@di", "role": role})
    done = set()
    for op, args in WORK.items():
        both = [{"op": op, "input": args}, {"op": "issues.get", "input": {"key": "SEC-9"}}]
        with pytest.raises(
            KbworkProblem
        ) as refusal:  # the second refuses, so that nothing of the first stays
            world.key("di").call("api.batch", {"ops": both})
        at, slug = int(refusal.value.extra["index"]), refusal.value.slug
        assert slug in (("not-allowed", "workflow-refused"), ("not-found",))[at], (op, refusal.value)
        if at == 1:
            done.add(op)
    assert done == may


def test_a_reporter_goes_the_ways_that_name_them(world: World) -> None:
    in_force(world, "SEC", who=["reporter"])
    own = make(world, "di", project="SEC")
    assert world.key("di").issues.transition(key=own, to_status="in_progress")["lane"] == "in_progress"
    (way,) = world.key("di").issues.transitions(key=own)
    assert (way["to_status"], way["allowed"]) == ("done", False)
    assert str(way["why"]).endswith("is for member")


def test_a_key_of_some_projects_sees_no_other(world: World) -> None:
    web, sec = make(world), make(world, project="SEC")
    owner = world.people["cy"].id
    columns = {
        "name": "narrow",
        "scopes": ["issues:read", "issues:write", "projects:write"],
        "projects": "[1]",
    }
    _, secret = world.database.write_now(lambda tx: callers.add_key(tx, owner, columns))
    narrow = world._client("narrow", secret)
    assert [issue["key"] for issue in narrow.issues.list()["items"]] == [web]
    with refused("not-found"):
        narrow.issues.get(key=sec)
    with refused("not-found"):
        narrow.issues.create(project="SEC", title="No")
    with refused("not-allowed"):
        narrow.projects.create(key="NEW", name="New")
    with refused("insufficient-scope"):
        narrow.comments.list(subject=web)


# looking


def test_an_issue_is_found_by_every_form_of_its_key(world: World) -> None:
    make(world)
    cy = world.key("cy")
    for key in ("WEB-1", "web-1", "issue:1", "issue:WEB-1", "1", " WEB-1 "):
        assert cy.issues.get(key=key)["key"] == "WEB-1", key
    for key in ("WEB-2", "issue:2", "WEB", "", "WEB-", "WEB--1", "issue:", "X-1", "9" * 30, "WEB-٣"):
        with refused("not-found"):
            cy.issues.get(key=key)


def test_former_keys_lead_to_it(world: World) -> None:
    make(world)

    def rename(tx: Any) -> None:
        tx.execute("update project set key = 'SHOP' where id = 1")
        tx.execute("insert into project_key values ('SHOP', 1)")
        tx.execute("insert into former_number values (2, 9, 1)")

    world.database.write_now(rename)
    cy = world.key("cy")
    for key in ("web-1", "SHOP-1", "sec-9"):
        assert cy.issues.get(key=key)["key"] == "SHOP-1", key
    assert cy.issues.list(project="web")["items"][0]["project"] == "SHOP"


def test_parts_are_there_when_they_are_asked_for(world: World) -> None:
    epic = make(world, type="epic", assignees=["@di"])
    child = make(world, parent=epic)
    cy = world.key("cy")
    plain = cy.issues.get(key=epic)
    assert not {"children", "transitions", "watchers"} & set(plain)
    whole_ = cy.call("issues.get", {"key": epic, "with": ["children", "transitions", "watchers", "sla"]})
    assert [issue["key"] for issue in whole_.pop("children")] == [child]
    assert [member["handle"] for member in whole_.pop("watchers")] == ["cy", "di"]
    first = whole_.pop("transitions")[0]
    assert first == {
        "transition": "to_backlog",
        "name": "Backlog",
        "to_status": "backlog",
        "allowed": True,
        "why": None,
        "fields": [],
        "approvers": [],
    }
    assert whole_ == plain
    with refused("invalid-input"):
        cy.call("issues.get", {"key": epic, "with": ["everything"]})


def test_lists_are_filtered(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    epic = make(world, type="epic", assignees=["@di"])
    child = make(world, parent=epic, status="done")
    world.clock.advance(100)
    other = make(world, project="SEC")
    cy = world.key("cy")

    def keys(**asked: Any) -> list[str]:
        return [issue["key"] for issue in cy.issues.list(**asked)["items"]]

    assert keys() == [other, child, epic]
    assert keys(project="WEB") == [epic, child]
    assert keys(status="Done") == [child]
    assert keys(assignee="@di") == [epic]
    assert keys(assignee="none") == [other, child]
    assert keys(assignee="me") == []
    assert keys(parent=epic) == [child]
    assert keys(updated_since=NOW + 1) == [other]
    assert keys(sprint=1) == []
    for bad in ({"status": "x"}, {"assignee": "@x"}, {"sort": "colour"}, {"limit": 0}, {"limit": 201}):
        with refused("invalid-input"):
            keys(**bad)
    for bad in ({"project": "PRV"}, {"parent": "PRV-1"}):
        with refused("not-found"):
            keys(**bad)


SORTS = {
    "rank": ["b", "A", "c", "B"],
    "created": ["b", "A", "c", "B"],
    "due": ["A", "c", "b", "B"],
    "-due": ["c", "A", "B", "b"],
    "priority": ["c", "A", "b", "B"],
    "-priority": ["A", "c", "B", "b"],
    "status": ["A", "c", "B", "b"],
    "key": ["b", "A", "c", "B"],
    "-key": ["B", "c", "A", "b"],
    "title": ["A", "b", "B", "c"],
    "-title": ["c", "B", "b", "A"],
}


@pytest.mark.parametrize("size", [1, 3])
def test_every_sort_pages_through_all_with_missing_values_last(world: World, size: int) -> None:
    make(world, title="b", status="done")
    make(world, title="A", due_date="2026-01-01", priority="low", status="backlog")
    make(world, title="c", due_date="2026-02-01", priority="urgent")
    make(world, title="B", status="in_review")
    cy = world.key("cy")
    found = {
        sort: [issue["title"] for issue in cy.every("issues.list", project="WEB", sort=sort, limit=size)]
        for sort in SORTS
    }
    assert found == SORTS


@pytest.mark.parametrize("sort", ["rank", "-created", "title", "-due"])
def test_rows_that_come_and_go_make_no_other_appear_twice_or_be_missed(world: World, sort: str) -> None:
    cy = world.key("cy")
    old = {make(world, title=f"m{n % 3}", due_date=f"2026-01-0{1 + n % 4}") for n in range(12)}
    seen: list[str] = []
    cursor = None
    for n in range(10):
        page = cy.issues.list(project="WEB", sort=sort, limit=3, cursor=cursor)
        seen += [issue["key"] for issue in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
        make(world, title=f"{'a' if n % 2 else 'z'}{n}", due_date=f"202{5 + n % 3}-01-01")
        gone = int(next(key for key in sorted(old) if key in seen).rpartition("-")[2])
        world.database.write_now(
            lambda tx, gone=gone: tx.execute("update issue set deleted_at = 1 where number = :n", n=gone)  # type: ignore[misc]  # bound by default
        )
    assert len(seen) == len(set(seen))
    assert old <= set(seen)


def test_a_cursor_fits_its_query_and_caller_for_an_hour(world: World) -> None:
    for _ in range(4):
        make(world)
    cy = world.key("cy")
    cursor = cy.issues.list(project="WEB", limit=1)["next"]
    assert cursor is not None
    asked: dict[str, Any] = {"project": "WEB", "cursor": cursor}
    assert len(cy.issues.list(**asked, limit=2)["items"]) == 2
    flipped = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    for bad in (
        {"cursor": flipped},
        {"cursor": "x"},
        {"cursor": "é"},
        {"cursor": cursor, "sort": "title"},
        {"cursor": cursor, "project": "SEC"},
        {"cursor": cursor, "archived": True},
    ):
        with refused("invalid-input"):
            cy.issues.list(**asked | bad)
    with refused("invalid-input"):
        world.key("di").issues.list(**asked)
    with refused("invalid-input"):
        cy.issues.history(key="WEB-1", cursor=cursor)
    world.clock.advance(3599)
    assert len(cy.issues.list(**asked)["items"]) == 3
    world.clock.advance(600)
    with refused("invalid-input"):
        cy.issues.list(**asked)


def test_a_first_page_that_was_kept_hands_out_no_dead_cursor(world: World) -> None:
    for _ in range(3):
        make(world)
    cy = world.key("cy")
    cy.issues.list(project="WEB", limit=1)
    world.clock.advance(3 * 3600)
    cursor = cy.issues.list(project="WEB", limit=1)["next"]
    assert len(cy.issues.list(project="WEB", limit=1, cursor=cursor)["items"]) == 1


def test_a_list_that_is_asked_for_again_follows_what_access_says_by_then(world: World) -> None:
    """The same words are looked up once: what they stand for ends with the access of then."""
    make(world)
    cy, ana, limit = world.key("cy"), world.key("ana"), 10

    def listed() -> list[str]:
        nonlocal limit
        limit += 1  # in words of which nothing is known
        anew = cy.issues.list(project="web", limit=limit)["items"]
        assert cy.issues.list(project="web", limit=10)["items"] == anew
        return [issue["key"] for issue in anew]

    assert listed() == ["WEB-1"]
    ana.projects.archive(key="WEB", on=True)
    assert listed() == []
    ana.projects.archive(key="WEB", on=False)
    assert listed() == ["WEB-1"]
    ana.projects.key_change(key="WEB", new_key="SHOPPING")
    assert listed() == ["SHOPPING-1"]
    ana.projects.update(key="SHOPPING", visibility="members")
    for role in ("none", "member", "none"):
        ana.projects.member_set(key="SHOPPING", who="@cy", role=role)
        for size in (10, 10, limit):
            if role == "none":
                with refused("not-found"):
                    cy.issues.list(project="web", limit=size)
            else:
                assert [issue["key"] for issue in cy.issues.list(project="web", limit=size)["items"]] == [
                    "SHOPPING-1"
                ]


def test_what_a_list_names_beside_its_project_is_looked_up_each_time(world: World) -> None:
    parent = make(world, title="Above", type="epic")
    make(world, title="Below", parent=parent)
    cy = world.key("cy")

    def below() -> list[str]:
        return [issue["title"] for issue in cy.issues.list(project="WEB", parent=parent)["items"]]

    assert [below() for _ in range(2)] == [["Below"], ["Below"]]
    cy.issues.delete(key=parent)
    with refused("not-found"):
        below()


def test_history_tells_each_field_latest_first(world: World) -> None:
    key = make(world, body="A")
    cy, me = world.key("cy"), world.people["cy"].id
    cy.issues.update(key=key, title="Two", body="Longer", priority="high")
    world.clock.advance(10)
    cy.issues.transition(key=key, to_status="done")
    via = cy.issues.history(key=key)["items"][0]["via"]
    first, second = world.database.seq - 2, world.database.seq - 1
    expected = [
        (second, NOW + 10, "status", "To do", "Done"),
        (second, NOW + 10, "outcome", None, "completed"),
        (first, NOW, "title", "One", "Two"),
        (first, NOW, "priority", "none", "high"),
        (first, NOW, "body", 1, 6),
    ]
    rows = [
        {"seq": seq, "at": at, "who": me, "via": via, "field": field, "from": was, "to": now}
        for seq, at, field, was, now in expected
    ]
    assert cy.issues.history(key=key) == {"items": rows, "next": None}
    assert list(cy.every("issues.history", key=key, limit=2)) == rows
    assert cy.issues.history(key=key, field="title")["items"] == [rows[2]]
    assert via is not None
    assert via.startswith("key:")


# undo


def test_making_an_issue_is_taken_back_to_the_trash_and_out_of_it(world: World) -> None:
    cy = world.key("cy")
    world.key("bo").labels.save(name="bug")
    seq = world.database.seq
    key = make(world, labels=["bug"], assignees=["@di"])
    made = cy.issues.get(key=key)
    undone = cy.undo.apply(seq=seq + 1)
    assert undone == {"undone": [{"subject": "issue:1", "what": "Make an issue"}], "kept": []}
    assert world.events_since(seq + 2) == [("issue.deleted", "issue:1")]
    with refused("not-found"):
        cy.issues.get(key=key)
    assert [label["issues"] for label in cy.labels.list()] == [0]
    back = world.database.seq
    cy.undo.apply(seq=seq + 3)
    assert world.events_since(back) == [("issue.restored", "issue:1")]
    assert cy.issues.get(key=key) == made | {"seq": back + 1}
    assert make(world) == "WEB-2"


@pytest.mark.parametrize(
    ("op", "asked"),
    [
        ("issues.update", {"title": "Two", "body": "B", "labels": ["bug"], "parent": "", "due_date": ""}),
        ("issues.assign", {"assignees": ["@ana", "@di"]}),
        ("issues.transition", {"to_status": "todo"}),
    ],
)
def test_each_change_is_taken_back_and_done_again(world: World, op: str, asked: dict[str, Any]) -> None:
    world.key("bo").labels.save(name="bug")
    world.key("bo").labels.save(name="odd")
    epic = make(world, type="epic")
    key = make(
        world, parent=epic, labels=["odd"], assignees=["@di", "me"], status="cancelled", due_date="2026-01-01"
    )
    cy = world.key("cy")
    moving = ("seq", "updated_at", "counts")

    def fields() -> dict[str, Any]:
        return {name: value for name, value in cy.issues.get(key=key).items() if name not in moving}

    before = fields()
    world.clock.advance(50)
    seq = world.database.seq
    cy.call(op, {"key": key} | asked)
    kinds = [kind for kind, _ in world.events_since(seq)]
    after = fields()
    world.clock.advance(50)
    at = world.database.seq
    cy.undo.apply(seq=at)
    assert fields() == before
    assert [kind for kind, _ in world.events_since(at)] == kinds
    assert all(event["payload"]["undo"] == seq + 1 for event in cy.api.changes(since=at)["events"])
    cy.undo.apply(seq=at + 1)
    assert fields() == after


def test_what_is_taken_back_is_told_with_its_sides_turned(world: World) -> None:
    epic = make(world, type="epic")
    key = make(world, parent=epic, status="done", assignees=["@di"])
    cy, di, ana = world.key("cy"), world.people["di"].id, world.people["ana"].id
    world.clock.advance(30)
    seq = world.database.seq
    cy.issues.transition(key=key, to_status="todo")
    world.clock.advance(5)
    at = world.database.seq
    cy.undo.apply(seq=at)
    (told,) = payloads(world, at, "issue.transitioned")
    assert told == {
        "key": key,
        "project": "WEB",
        "transition": "undo",
        "from": "To do",
        "to": "Done",
        "from_category": "todo",
        "to_category": "done",
        "outcome": "completed",
        "seconds_in_lane": 5,
        "changes": {
            "status": {"from": "To do", "to": "Done"},
            "outcome": {"from": None, "to": "completed"},
        },
        "undo": seq + 1,
    }
    cy.issues.assign(key=key, assignees=["@ana"])
    cy.undo.apply(seq=world.database.seq)
    told = payloads(world, at, "issue.assigned")[-1]
    assert (told["added"], told["removed"]) == ([di], [ana])
    cy.issues.update(key=key, parent="")
    cy.undo.apply(seq=world.database.seq)
    told = payloads(world, at, "issue.parent_changed")[-1]
    assert (told["from"], told["to"]) == (None, epic)


def test_twenty_who_label_at_once_lose_no_label_and_no_count(world: World) -> None:
    world.key("bo").labels.save(name="bug")
    keys = [make(world) for _ in range(20)]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"key": key, "labels": ["bug"]}) for key in keys
    ]
    assert slugs(together(world, "cy", asked)) == []
    assert [label["issues"] for label in world.key("cy").labels.list()] == [20]
    saved = together(world, "bo", [("labels.save", {"name": f"l{n}"}) for n in range(20)])
    assert slugs(saved) == []
    assert len(world.key("cy").labels.list()) == 21
    same: list[tuple[str, dict[str, Any]]] = [
        ("issues.update", {"key": keys[0], "labels": ["bug", f"l{n}"]}) for n in range(20)
    ]
    assert slugs(together(world, "cy", same)) == []
    issue = world.key("cy").issues.get(key=keys[0])
    assert len(issue["labels"]) == 2
    last = world.key("cy").issues.history(key=keys[0], field="labels")["items"][0]
    assert last["to"] == issue["labels"]


def test_a_list_of_some_columns_holds_these_alone_page_by_page(world: World) -> None:
    cy = world.session("cy")
    whole = [cy.issues.create(project="WEB", title=f"Cart {number}", labels=[]) for number in range(3)]
    first = cy.issues.list(project="WEB", columns=["title", "key", "title", "labels"], limit=2)
    assert [list(item.items()) for item in first["items"]] == [
        [("title", one["title"]), ("key", one["key"]), ("labels", [])] for one in whole[:2]
    ]
    rest = cy.call("issues.list", {"project": "WEB", "columns": ["title", "key", "title", "labels"], "limit": 2,
                                   "cursor": first["next"]})  # fmt: skip
    assert rest == {"items": [{"title": "Cart 2", "key": "WEB-3", "labels": []}], "next": None}
    with refused("invalid-input"):
        cy.issues.list(project="WEB", cursor=first["next"] or "", limit=2)


@pytest.mark.parametrize("columns", [["titel"], ["children"], [], ["key"] * 51])
def test_columns_that_issues_do_not_have_are_refused(world: World, columns: list[str]) -> None:
    with refused("invalid-input") as problem:
        world.session("cy").issues.list(columns=columns)
    if columns == ["titel"]:
        assert "Did you mean title?" in str(problem.value)
