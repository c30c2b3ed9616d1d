"""What a connected client does and sees that was given some of the modules."""

import pytest

from kbwork.base.errors import NotAllowed, NotFound
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.grants import ConnectedClient

ALL = (
    "activity",
    "api",
    "attachments",
    "audit",
    "comments",
    "issues",
    "jobs",
    "search",
    "subjects",
    "tql",
    "trash",
    "undo",
)


def without(world: World, *modules: str) -> ConnectedClient:
    """A client of Cy's with all of these modules but some."""
    return ConnectedClient(world, "cy", set(ALL) - set(modules))


@pytest.fixture
def work(world: World) -> World:
    """An issue with a comment and a file on each, and one in the trash."""
    call(world, "cy", "issues.create", project="WEB", title="Vouchers are lost")
    call(world, "cy", "issues.create", project="WEB", title="Vouchers are late")
    call(world, "cy", "issues.delete", key="WEB-2")
    comment = call(world, "cy", "comments.create", subject="issue:WEB-1", body="Vouchers since WEB-1")["id"]
    for subject in ("issue:1", f"comment:{comment}"):
        name = f"vouchers-{subject.partition(':')[0]}.txt"
        call(world, "cy", "attachments.add", subject=subject, name=name, data="dm91Y2hlcnM=")
    return world


def found(client: ConnectedClient) -> set[str]:
    return {hit["kind"] for hit in client.call("search.query", q="vouchers")["items"]}


def test_undo_takes_nothing_back_of_a_module_that_was_not_given(work: World) -> None:
    call(work, "cy", "issues.update", key="WEB-1", title="Changed")
    seq = work.database.seq
    client = without(work, "issues")
    listed = {one["op"].partition(".")[0] for one in client.call("undo.list")}
    assert listed == {"comments", "attachments"}
    with pytest.raises(NotFound):
        client.call("undo.apply", seq=seq)
    assert work.events_since(seq) == []
    assert call(work, "cy", "issues.get", key="WEB-1")["title"] == "Changed"
    without(work).call("undo.apply", seq=seq)
    assert call(work, "cy", "issues.get", key="WEB-1")["title"] == "Vouchers are lost"


def test_undo_sets_back_no_row_of_a_thing_of_another_module(work: World) -> None:
    """What was done by an operation of a module that was given may have touched things of others."""
    client = without(work, "issues")
    said = next(one for one in client.call("undo.list") if one["op"] == "comments.create")
    seq = work.database.seq
    assert client.call("undo.apply", seq=said["seq"]) == {
        "undone": [],
        "kept": [{"subject": "comment", "why": "you may not change it now, or it is gone"}],
    }
    assert work.events_since(seq) == []


def test_undoing_is_not_undone_without_the_module_of_what_it_did(work: World) -> None:
    seq = work.database.seq
    call(work, "ana", "lanes.save", key="parked", name="Parked", category="todo")
    call(work, "ana", "undo.apply", seq=seq + 1)
    client = ConnectedClient(work, "ana", {"undo", "org"})
    assert client.call("undo.apply", seq=seq + 2)["undone"] == []
    assert work.database.seq == seq + 2
    lanes = ConnectedClient(work, "ana", {"undo", "org", "lanes"})
    assert lanes.call("undo.apply", seq=seq + 2)["undone"] == [
        {
            "subject": "org:1",
            "what": "Take back a change of yours, or of your keys and agents, of the last 24 hours",
        }
    ]


def test_changes_and_activity_leave_out_events_of_other_modules(work: World) -> None:
    client = without(work, "issues")
    kinds = {event["kind"] for event in client.call("api.changes")["events"]}
    assert not {kind for kind in kinds if kind.startswith(("issue.", "comment.", "attachment."))}
    assert {event["kind"] for event in client.call("activity.recent", limit=100)} <= kinds
    with pytest.raises(NotFound):
        client.call("activity.list", subject="issue:1")
    alone = {event["kind"] for event in without(work, "comments").call("activity.list", subject="issue:1")}
    assert "issue.created" in alone
    assert "comment.created" not in alone


def test_an_operation_inside_a_batch_needs_its_module(work: World) -> None:
    with pytest.raises(NotAllowed, match="without the module issues"):
        without(work, "issues").call("api.batch", ops=[{"op": "issues.get", "input": {"key": "WEB-1"}}])


def test_what_hangs_on_a_thing_of_another_module_is_not_seen(work: World) -> None:
    client = without(work, "issues")
    for op in ("comments.list", "attachments.list"):
        with pytest.raises(NotFound):
            client.call(op, subject="issue:1")
    with pytest.raises(NotFound):
        client.call("comments.create", subject="issue:1", body="More")
    (one,) = client.call("subjects.resolve", refs=["comment:1"])
    assert one["allowed"] is False
    (file,) = call(work, "cy", "attachments.list", subject="comment:1")
    half = without(work, "comments")
    with pytest.raises(NotFound):
        half.call("attachments.list", subject="comment:1")
    with pytest.raises(NotFound):
        half.call("attachments.get", id=file["id"])
    assert len(half.call("attachments.list", subject="issue:1")) == 1


def test_search_finds_things_of_the_modules_that_were_given(work: World) -> None:
    assert found(without(work)) == {"issue", "comment", "attachment"}
    assert found(without(work, "issues")) == set()
    assert found(without(work, "attachments")) == {"issue", "comment"}
    hits = without(work, "comments").call("search.query", q="vouchers")["items"]
    assert sorted((hit["kind"], hit["title"]) for hit in hits if hit["kind"] != "issue") == [
        ("attachment", "vouchers-issue.txt")
    ]


def test_suggestions_are_of_the_modules_that_were_given(work: World) -> None:
    kinds = {one["kind"] for one in without(work, "issues").call("search.suggest", q="vouchers")}
    assert kinds == set()
    ops = {one["id"] for one in without(work, "issues").call("search.suggest", q="list", limit=50)}
    assert ops
    assert not {op for op in ops if op.startswith(("issues.", "projects."))}


@pytest.mark.parametrize(
    ("tql", "module"),
    [
        ("open", "issues"),
        ("from comments", "comments"),
        ("from issues", "issues"),
        ('comment ~ "vouchers"', "comments"),
        ("comments any (mine)", "comments"),
        ("from comments select issue.title", "issues"),
    ],
)
def test_a_query_needs_the_modules_of_its_sources(work: World, tql: str, module: str) -> None:
    without(work).call("tql.run", tql=tql)
    with pytest.raises(NotAllowed, match=f"without the module {module}"):
        without(work, module).call("tql.run", tql=tql)


def test_a_query_looks_into_no_text_of_another_module(work: World) -> None:
    query = 'text ~ "since"'
    assert without(work).call("tql.count", tql=query)["count"] == 1
    assert without(work, "comments").call("tql.count", tql=query)["count"] == 0
    assert without(work).call("tql.count", tql="from attachments")["count"] == 2
    assert without(work, "comments").call("tql.count", tql="from attachments")["count"] == 1
    assert without(work, "issues").call("tql.count", tql="from attachments")["count"] == 0


def test_the_trash_shows_and_gives_back_what_is_of_the_modules_that_were_given(work: World) -> None:
    (entry,) = without(work).call("trash.list")["items"]
    client = without(work, "issues")
    assert client.call("trash.list")["items"] == []
    assert client.call("trash.restore", ids=[entry["id"]])["restored"] == []
    assert without(work).call("trash.restore", ids=[entry["id"]])["restored"] == ["issue:2"]


def test_jobs_are_of_the_module_that_does_the_work(work: World) -> None:
    call(work, "cy", "attachments.add", subject="issue:1", name="a.pdf", data="JVBERi0xLjQK")
    jobs = without(work).call("jobs.list")
    assert [job["kind"] for job in jobs] == ["attachments.read"]
    client = without(work, "attachments")
    assert client.call("jobs.list") == []
    with pytest.raises(NotFound):
        client.call("jobs.get", id=jobs[0]["id"])
    (one,) = client.call("subjects.resolve", refs=[f"job:{jobs[0]['id']}"])
    assert one["allowed"] is False


def test_parts_of_an_issue_are_of_their_own_modules(work: World) -> None:
    whole, half = without(work), without(work, "comments")
    parts = {"key": "WEB-1", "with": ["comments"]}
    assert "since" in whole.call("issues.export_text", **parts)["text"]
    assert "since" not in half.call("issues.export_text", **parts)["text"]
    call(work, "cy", "issues.create", project="WEB", title="A third, like WEB-1")
    mentions = {one["subject"] for one in whole.call("issues.backlinks", key="WEB-1")}
    assert mentions == {"comment:1", "issue:3"}
    assert {one["subject"] for one in half.call("issues.backlinks", key="WEB-1")} == {"issue:3"}


def test_an_issue_names_its_project_and_people_without_their_modules(work: World) -> None:
    """They are words of the issue."""
    client = ConnectedClient(work, "cy", {"issues", "search"})
    made = client.call("issues.create", project="WEB", title="More", assignees=["@cy"])
    assert (made["project"], made["assignees"]) == ("WEB", [work.people["cy"].id])
    assert client.call("search.query", q="vouchers", project="WEB")["items"]


def test_the_audit_log_leaves_out_entries_of_other_modules(work: World) -> None:
    owner = ConnectedClient(work, "ana", {"audit", "comments"})
    kinds = {entry["kind"].partition(".")[0] for entry in owner.call("audit.list", limit=200)["entries"]}
    assert "issue" not in kinds
    whole = ConnectedClient(work, "ana", {"audit", "comments", "issues"})
    kinds = {entry["kind"].partition(".")[0] for entry in whole.call("audit.list", limit=200)["entries"]}
    assert {"issue", "comment"} <= kinds
