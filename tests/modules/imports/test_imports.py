"""Imports: looked at, mapped, run as a job, again without doubling, and taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from kbwork.db.tx import Write
from kbwork.issuefields import IMPORTED
from kbwork.modules.imports.kept_records import KEPT_S
from kbwork.modules.imports.load.translate import RecordTranslator
from kbwork.modules.imports.records import IssueRecord
from tests.conftest import World
from tests.modules.calls import call, eventually, refused
from tests.modules.imports.github_archives import (
    AT,
    DAY,
    SECOND,
    archive,
    ended,
    many,
    probed,
    ran,
    send,
    undone,
)
from tests.modules.imports.sources.read_source import database
from tests.modules.imports.sources.test_redmine import ROWS, SCHEMA

NOTHING = {
    "projects": 0,
    "types": 0,
    "labels": 0,
    "components": 0,
    "issues": 0,
    "comments": 0,
    "relations": 0,
    "attachments": 0,
}


def issue(world: World, key: str) -> dict[str, Any]:
    found: dict[str, Any] = call(world, "ana", "issues.get", key=key)
    return found


def comments(world: World, key: str) -> list[tuple[str, str, int, bool]]:
    """(author, text, when, whether it is a reply), oldest first."""
    found = call(world, "ana", "comments.list", subject=f"issue:{key}")
    return [(c["author"], c["body"], c["created_at"], c["parent"] is not None) for c in found]


def rows(world: World, *tables: str) -> dict[str, int]:
    return world.database.write_now(
        lambda tx: {table: tx.value(f"select count(*) from {table}") for table in tables}
    )


def test_a_probe_says_what_is_there_and_what_becomes_of_it(world: World) -> None:
    seq = world.database.seq
    found = probed(world)
    people = world.people
    assert found["state"] == "probed"
    assert found["found"]["counts"] == {
        "project": 1,
        "label": 1,
        "component": 0,
        "person": 4,
        "issue": 3,
        "comment": 3,
        "relation": 0,
        "attachment": 0,
    }
    assert found["mapping"] == {
        "projects": {"github:acme/shop": "SHOP"},
        "names": {"github:acme/shop": "acme/shop"},
        "types": {"issue": None, "pull-request": "pull-request"},
        "statuses": {"open": "todo", "closed": "done", "closed:cancelled": "cancelled"},
        "fields": {},
        "members": {
            "cy": people["cy"].id,
            "di": people["di"].id,
            "eve": "name_only",
            "nobody": "name_only",
        },
        "skip": [],
    }
    assert (found["done"]["issues"], found["errors"], found["job"]) == (0, 0, None)
    assert world.events_since(seq) == []


def test_a_name_that_one_member_has_is_proposed_as_theirs(world: World) -> None:
    """Not one that two have, nor where an address says that it is somebody else."""
    call(world, "ana", "members.update", id=world.people["gus"].id, name="DI PARK")
    people = "cy moss; Di Park; Ana; Ana Lund <elsewhere@acme.example>"
    text = f"Title,Assignees\nBasket,{people}\n"
    found = probed(world, text.encode(), source="csv", name="list.csv")
    assert found["mapping"]["members"] == {
        "cy moss": world.people["cy"].id,
        "Di Park": "name_only",
        "Ana": world.people["ana"].id,
        "Ana Lund <elsewhere@acme.example>": "name_only",
    }


def test_issues_come_with_their_numbers_authors_states_and_times(world: World) -> None:
    seq = world.database.seq
    found = probed(world)
    done = ran(world, found["id"])
    assert done == {
        "import": found["id"],
        "dry_run": False,
        "made": NOTHING | {"projects": 1, "types": 1, "labels": 1, "issues": 3, "comments": 3},
        "types": {"issue": 2, "pull-request": 1},
        "members": 0,
        "changed": 0,
        "same": 0,
        "kept": 0,
        "skipped": 0,
        "errors": 0,
    }
    people = world.people
    first = issue(world, "SHOP-5")
    assert (first["title"], first["body"], first["type"]) == ("The cart forgets", "Every time.", "task")
    assert (first["reporter"], first["assignees"]) == (people["cy"].id, [people["di"].id, "nobody"])
    assert (first["labels"], first["lane"], first["outcome"]) == (["bug"], "todo", None)
    assert (first["created_at"], first["updated_at"]) == (SECOND, SECOND + 2 * DAY)
    assert first["source"] == "https://github.com/acme/shop/issues/5"
    for field in ("status", "assignee", "label"):
        made = call(world, "bo", "tql.count", tql=f"project = SHOP and {field} changed from empty")
        assert made == {"count": 0}, "what an issue came with is no change"
    assert first["external"] == "github:acme/shop#5"
    closed = issue(world, "SHOP-7")
    assert (closed["lane"], closed["outcome"], closed["done_at"]) == ("done", "completed", SECOND + 4 * DAY)
    pull = issue(world, "SHOP-6")
    assert (pull["type"], pull["lane"], pull["outcome"]) == ("pull-request", "cancelled", "cancelled")
    assert comments(world, "SHOP-5") == [("eve", "Me too", SECOND + DAY, False)]
    review, line = comments(world, "SHOP-6")
    assert (review[0], review[2], review[3], line[0], line[3]) == (
        people["cy"].id,
        SECOND + 2 * DAY,
        False,
        people["cy"].id,
        True,
    )
    assert call(world, "ana", "issues.create", project="SHOP", title="Next")["key"] == "SHOP-8"
    assert [kind for kind, _ in world.events_since(seq)] == [
        "import.started",
        "project.created",
        "type.saved",
        "type.saved",
        "label.saved",
        "issue.created",
        "issue.created",
        "issue.created",
        "comment.created",
        "comment.created",
        "comment.created",
        "import.finished",
        "job.finished",
        "issue.created",
    ]


def test_every_event_of_what_comes_in_names_the_import_and_nobody_watches(world: World) -> None:
    seq = world.database.seq
    found = probed(world)
    ran(world, found["id"])
    named = {
        event["kind"]: event["payload"].get("import")
        for event in world.key("ana").changes(since=seq, follow=False)
        if event["kind"] in ("issue.created", "comment.created", "label.saved", "project.created")
    }
    assert set(named.values()) == {found["id"]}
    assert len(named) == 4
    watching = world.database.write_now(
        lambda tx: tx.column(
            "select distinct reason from issue_watcher where issue in (select id from issue)"
        )
    )
    assert watching == ["assignee"]


def test_again_it_adds_nothing_and_tells_nothing_of_issues(world: World) -> None:
    ran(world, probed(world)["id"])
    seq = world.database.seq
    again = ran(world, probed(world)["id"])
    assert (again["made"], again["same"]) == (NOTHING, 6)
    assert [kind for kind, _ in world.events_since(seq)] == [
        "import.started",
        "import.finished",
        "job.finished",
    ]


def test_what_changed_at_the_source_changes_where_nobody_edited_it(world: World) -> None:
    ran(world, probed(world)["id"])
    call(world, "ana", "issues.update", key="SHOP-5", title="Ours", priority="high")
    seq = world.database.seq
    newer = archive()
    newer["issues"][0] |= {"title": "Theirs", "body": "Always.", "updatedAt": AT.format(8)}
    newer["issues"][1] |= {"state": "OPEN", "closedAt": None, "assignees": ["eve"]}
    newer["issues"][0]["comments"].append(
        {"author": "di", "body": "Seen", "createdAt": AT.format(7), "updatedAt": AT.format(7)}
    )
    newer["issues"][0]["comments"][0]["body"] = "Me too, daily"
    found = probed(world, newer)
    done = ran(world, found["id"])
    assert (done["made"], done["changed"], done["kept"], done["same"]) == (NOTHING | {"comments": 1}, 3, 1, 3)
    first, second = issue(world, "SHOP-5"), issue(world, "SHOP-7")
    assert (first["title"], first["body"], first["priority"]) == ("Ours", "Always.", "high")
    assert first["updated_at"] == SECOND + 7 * DAY
    assert (second["lane"], second["outcome"], second["done_at"], second["assignees"]) == (
        "todo",
        None,
        None,
        ["eve"],
    )
    assert [text for _, text, _, _ in comments(world, "SHOP-5")] == ["Me too, daily", "Seen"]
    lines = call(world, "ana", "imports.log", id=found["id"])["items"]
    assert [(line["level"], line["source"]) for line in lines] == [("warning", "github:acme/shop#5")]
    assert "title" in lines[0]["message"]
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert kinds.count("issue.updated") == 2
    assert kinds.count("comment.updated") == 1
    assert ran(world, probed(world, newer)["id"])["same"] == 7


def test_a_project_that_has_another_key_now_is_the_same_one(world: World) -> None:
    first = probed(world)
    ran(world, first["id"])
    call(world, "ana", "projects.key_change", key="SHOP", new_key="STORE")
    for key in ("SHOP", "STORE"):
        again = ran(world, probed(world, project=key)["id"])
        assert (again["made"], again["same"]) == (NOTHING, 6)
    assert undone(world, first["id"])["gone"]["issue"] == 3


def test_what_was_deleted_here_does_not_come_back(world: World) -> None:
    ran(world, probed(world)["id"])
    call(world, "ana", "issues.delete", key="SHOP-7")
    newer = archive()
    newer["issues"][1]["title"] = "Vouchers again"
    assert ran(world, probed(world, newer)["id"])["kept"] == 1
    with refused("not-found"):
        issue(world, "SHOP-7")


def test_a_dry_run_counts_and_writes_nothing(world: World) -> None:
    found = probed(world)
    seq, before = world.database.seq, rows(world, "issue", "project", "label", "comment", "import_item")
    done = ran(world, found["id"], dry_run=True)
    assert done["made"] == NOTHING | {"projects": 1, "labels": 1, "issues": 3, "comments": 3}
    assert (done["dry_run"], done["types"]) == (True, {"issue": 2, "pull-request": 1})
    assert rows(world, "issue", "project", "label", "comment", "import_item") == before
    assert [kind for kind, _ in world.events_since(seq)] == ["job.finished"]
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "probed"


def test_since_brings_only_what_changed_after_it(world: World) -> None:
    done = ran(world, probed(world)["id"], since=SECOND + 4 * DAY + 1)
    assert (done["made"]["issues"], done["made"]["comments"]) == (1, 0)
    assert issue(world, "SHOP-7")["title"] == "Vouchers"


def test_the_mapping_says_what_becomes_of_words(world: World) -> None:
    found = probed(world)
    told = call(
        world,
        "ana",
        "imports.map_set",
        id=found["id"],
        projects={"github:acme/shop": "CART"},
        types={"issue": "bug"},
        statuses={"open": "in_progress", "closed:cancelled": "done"},
        members={"cy": "name_only", "eve": world.people["bo"].id},
        skip=["labels", "comments"],
    )
    assert (told["state"], told["mapping"]["statuses"]["closed"]) == ("mapped", "done")
    done = ran(world, found["id"])
    assert done["made"] == NOTHING | {"projects": 1, "types": 1, "issues": 3}
    assert done["skipped"] == 4
    first, pull = issue(world, "CART-5"), issue(world, "CART-6")
    assert (first["type"], first["lane"], first["labels"]) == ("bug", "in_progress", [])
    assert first["reporter"] == "cy (github)"
    assert (pull["lane"], pull["outcome"], pull["reporter"]) == ("done", "cancelled", world.people["bo"].id)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"projects": {"github:acme/shop": "no key"}}, "projects.github:acme/shop"),
        ({"types": {"issue": "No Type"}}, "types.issue"),
        ({"statuses": {"open": "nowhere"}}, "statuses.open"),
        ({"members": {"eve": "@nobody-here"}}, "members.eve"),
        ({"members": {"eve": "invite"}}, "members.eve"),
        ({"fields": {"Base branch": "no_field"}}, "fields.Base branch"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(world: World, given: dict[str, Any], path: str) -> None:
    found = probed(world)
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.map_set", id=found["id"], **given)
    assert problem.value.errors[0]["path"] == path


def test_a_project_that_is_there_takes_them_in_and_numbers_that_are_taken_are_others(world: World) -> None:
    for _ in range(5):
        call(world, "ana", "issues.create", project="WEB", title="Ours")
    call(world, "ana", "labels.save", name="BUG")
    done = ran(world, probed(world, project="WEB")["id"])
    assert done["made"] == NOTHING | {"types": 1, "issues": 3, "comments": 3}
    found = {row["external"]: row["key"] for row in call(world, "ana", "issues.list", project="WEB")["items"]}
    assert found["github:acme/shop#5"] == "WEB-8"  # the first above the source's own
    assert (found["github:acme/shop#6"], found["github:acme/shop#7"]) == ("WEB-6", "WEB-7")
    assert issue(world, "WEB-8")["labels"] == ["BUG"]


def test_what_is_refused_is_logged_with_its_place_and_the_rest_goes_on(world: World) -> None:
    for name in ("red", "blue"):
        call(world, "ana", "labels.save", name=name, group="colour")
    bad = archive()
    bad["issues"][0]["labels"] = ["red", "blue"]
    found = probed(world, bad, project="WEB")
    done = ran(world, found["id"])
    assert (done["made"]["issues"], done["errors"], done["skipped"]) == (2, 1, 1)
    lines = call(world, "ana", "imports.log", id=found["id"], level="error")["items"]
    assert [line["source"] for line in lines] == ["github:acme/shop#5"]
    assert "exclude each other" in lines[0]["message"]
    assert call(world, "ana", "imports.get", id=found["id"])["errors"] == 1


def test_undo_takes_all_of_it_back_and_the_same_file_comes_in_again(world: World) -> None:
    tables = (
        "issue",
        "comment",
        "label",
        "project",
        "project_key",
        "issue_type",
        "project_member",
        "import_item",
    )
    before = rows(world, *tables)
    found = probed(world)
    ran(world, found["id"])
    seq = world.database.seq
    result = undone(world, found["id"])
    assert (result["kept"], result["gone"]["issue"], result["gone"]["project"]) == ([], 3, 1)
    assert rows(world, *tables) == before
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "undone"
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert kinds[-2:] == ["import.undone", "job.finished"]
    with refused("conflict"):
        call(world, "ana", "imports.undo", id=found["id"])
    assert ran(world, probed(world)["id"])["made"]["issues"] == 3
    assert issue(world, "SHOP-5")["title"] == "The cart forgets"


@pytest.mark.usefixtures("twice")
def test_a_job_whose_writes_run_twice_counts_once(world: World) -> None:
    found = probed(world)
    ran(world, found["id"])
    call(world, "cy", "comments.create", subject="issue:SHOP-5", body="I work on it")
    result = undone(world, found["id"])
    assert result["gone"]["issue"] == 2
    assert len(result["kept"]) == len({one["subject"] for one in result["kept"]})


def test_undo_leaves_what_somebody_changed_and_lists_it(world: World) -> None:
    found = probed(world)
    ran(world, found["id"])
    call(world, "cy", "comments.create", subject="issue:SHOP-5", body="I work on it")
    result = undone(world, found["id"])
    kept = {one["source"]: one["reason"] for one in result["kept"]}
    assert set(kept) == {"github:acme/shop#5", "github:acme/shop/label/bug", "github:acme/shop"}
    assert result["gone"] == {"issue": 2, "comment": 2, "type": 1}
    first = issue(world, "SHOP-5")
    assert (first["labels"], first["counts"]["comments"]) == (["bug"], 2)
    with refused("not-found"):
        issue(world, "SHOP-6")


def test_undo_of_a_later_run_takes_back_what_that_one_made(world: World) -> None:
    first = probed(world)
    ran(world, first["id"])
    newer = archive()
    newer["issues"][0]["comments"].append(
        {"author": "di", "body": "Seen", "createdAt": AT.format(7), "updatedAt": AT.format(7)}
    )
    newer["issues"].append(newer["issues"][1] | {"number": 9, "id": "I9", "title": "Later"})
    second = probed(world, newer)
    ran(world, second["id"])
    assert undone(world, second["id"])["gone"] == {"issue": 1, "comment": 1}
    assert [text for _, text, _, _ in comments(world, "SHOP-5")] == ["Me too"]
    assert undone(world, first["id"])["kept"] == []


def put_job(world: World, ident: int, kind: str, state: str) -> None:
    """The job of an import is of this kind, and waits for its turn or is done."""

    def put(tx: Write) -> None:
        tx.execute(
            "update job set kind = :kind, state = :state, ended_at = null, run_at = :later"
            " where id = (select job from import where id = :ident)",
            kind=kind,
            state=state,
            ident=ident,
            later=tx.now + 3600,
        )

    world.database.write_now(put)


def test_none_comes_in_while_another_one_is_taken_back_nor_the_other_way_round(world: World) -> None:
    first, second = probed(world)["id"], probed(world)["id"]
    ran(world, first)
    put_job(world, first, "imports.undo", "queued")
    with refused("conflict"):
        call(world, "ana", "imports.run", id=second)
    put_job(world, first, "imports.undo", "done")
    ran(world, second)
    put_job(world, second, "imports.run", "queued")
    with refused("conflict"):
        call(world, "ana", "imports.undo", id=first)


def test_after_thirty_days_it_stays(world: World) -> None:
    found = probed(world)
    ran(world, found["id"])
    world.clock.advance(31 * DAY)
    with refused("conflict"):
        world.key("ana").call("imports.undo", {"id": found["id"]})


def test_single_things_of_an_import_are_not_undone_one_by_one(world: World) -> None:
    ran(world, probed(world)["id"])
    seq = world.database.write_now(
        lambda tx: tx.value("select max(seq) from events where kind = 'issue.created'")
    )
    with refused("conflict"):
        call(world, "ana", "undo.apply", seq=seq)


def test_imports_are_listed_the_latest_first(world: World) -> None:
    first, second = probed(world), probed(world)
    listed = call(world, "ana", "imports.list")
    assert listed == [call(world, "ana", "imports.get", id=found["id"]) for found in (second, first)]


def test_a_cancelled_import_stops_and_can_go_on_or_back(world: World) -> None:
    found = probed(world)
    stopped = call(world, "ana", "imports.cancel", id=found["id"])
    assert stopped["state"] == "cancelled"
    with refused("conflict"):
        call(world, "ana", "imports.cancel", id=found["id"])
    assert ran(world, found["id"])["made"]["issues"] == 3


@pytest.mark.parametrize("who", ["cy", "gus"])
def test_imports_are_for_admins(world: World, who: str) -> None:
    for op, value in (("open", {"source": "github", "file": "u_1"}), ("list", {}), ("get", {"id": 1})):
        with refused("insufficient-scope"):
            call(world, who, f"imports.{op}", **value)


def test_a_source_that_is_not_built_names_those_that_are(world: World) -> None:
    for source in ("jira", "nonsense"):
        with refused("invalid-input") as problem:
            call(world, "ana", "imports.open", source=source, file="u_1")
        assert problem.value.errors[0]["allowed"] == ["github", "gitlab", "csv", "trac", "redmine", "kbz"]
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.open", source="github", base_url="http://127.0.0.1")
    assert problem.value.errors[0]["path"] == "base_url"


def test_an_upload_is_for_its_sender_and_for_a_day(world: World) -> None:
    upload = send(world, b"{}")["upload"]
    with refused("not-found"):
        call(world, "bo", "imports.open", source="github", file=upload)
    opened = call(world, "ana", "imports.open", source="github", file=upload, token="t0ken", user="ana")
    kept = world.database.write_now(
        lambda tx: tx.value("select secret from import where id = :id", id=opened["id"])
    )
    assert kept is not None
    assert b"t0ken" not in kept
    world.advance(KEPT_S + 1)
    with refused("not-found"):
        call(world, "ana", "imports.open", source="github", file=upload)
    eventually(lambda: rows(world, "upload") == {"upload": 0})
    with refused("conflict"):
        call(world, "ana", "imports.run", id=opened["id"])


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "empty"),
        (b"[", ""),
        (json.dumps(archive(issues=[{"number": 1}])).encode(), "issues[0]"),
        (json.dumps(archive())[:-200].encode(), ""),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_and_nothing_remains(
    world: World, content: bytes, place: str
) -> None:
    seq = world.database.seq
    upload = send(world, content)["upload"]
    opened = call(world, "ana", "imports.open", source="github", file=upload)
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.probe", id=opened["id"])
    assert place in problem.value.detail
    assert "\n" not in problem.value.detail
    assert call(world, "ana", "imports.get", id=opened["id"])["state"] == "failed"
    assert world.events_since(seq) == []
    assert [path.name for path in (world.folder / "uploads").iterdir()] == [upload]


def test_a_table_comes_in_by_its_columns(world: World) -> None:
    call(world, "ana", "fields.save", key="hours", name="Time", kind="number")
    text = "Nr;Title;State;Labels;Hours\n1;Fix the till;Open;shop;3\n2;Paint;Closed;;5\n"
    found = probed(world, text.encode(), source="csv", name="list.csv")
    assert found["mapping"]["fields"] == {
        "Nr": "values",
        "Title": "title",
        "State": "status",
        "Labels": "labels",
        "Hours": "field:hours",
    }
    told = call(world, "ana", "imports.map_set", id=found["id"], fields={"Nr": "id"})
    assert told["mapping"]["fields"]["Nr"] == "id"
    call(world, "ana", "imports.probe", id=found["id"])
    assert ran(world, found["id"])["made"]["issues"] == 2
    rows = call(world, "ana", "issues.list", project="SHOP")["items"]
    assert [(row["key"], row["title"], row["lane"]) for row in rows] == [
        ("SHOP-1", "Fix the till", "todo"),
        ("SHOP-2", "Paint", "done"),
    ]
    assert issue(world, "SHOP-1")["values"]["hours"] == 3
    assert ran(world, found["id"])["same"] == 2


def test_a_column_that_becomes_the_title_leaves_the_one_before_as_text(world: World) -> None:
    found = probed(world, b"Thing;Other\nA car;Red\n", source="csv", name="list.csv")
    assert found["mapping"]["fields"] == {"Thing": "title", "Other": "values"}
    told = call(world, "ana", "imports.map_set", id=found["id"], fields={"Other": "title"})
    assert told["mapping"]["fields"] == {"Thing": "values", "Other": "title"}
    call(world, "ana", "imports.probe", id=found["id"])
    assert ran(world, found["id"])["made"]["issues"] == 1
    assert [row["title"] for row in call(world, "ana", "issues.list", project="SHOP")["items"]] == ["Red"]


def test_what_a_table_was_taken_for_is_told_until_somebody_says_it(world: World) -> None:
    text = "Key;What;Due;Estimate;Why\n1;A car;03/04/2027;3h;Red\n2;A boat;04/04/2027;1d;Blue\n"
    told = {"title": "What is taken for it", "day": "column Due are read", "text": "column Estimate does not"}

    def losses(anew: dict[str, Any]) -> list[str]:
        return [name for name, words in told.items() if any(words in loss for loss in anew["losses"])]

    found = probed(world, text.encode(), source="csv", name="list.csv")
    assert (losses(found), found["found"]["guessed"]) == ([*told], ["Key", "What", "Due", "Estimate", "Why"])
    for said, left in (
        ({"Why": "body"}, ["title", "day", "text"]),
        ({"What": "title"}, ["day", "text"]),
        ({"Due": "due_date d/m"}, ["text"]),
        ({"Estimate": "values"}, []),
    ):
        call(world, "ana", "imports.map_set", id=found["id"], fields=said)
        assert losses(call(world, "ana", "imports.probe", id=found["id"])) == left, said
    assert call(world, "ana", "imports.probe", id=found["id"])["mapping"]["fields"] == {
        "Key": "id",
        "What": "title",
        "Due": "due_date d/m",
        "Estimate": "values",
        "Why": "body",
    }
    assert ran(world, found["id"])["made"]["issues"] == 2
    assert issue(world, "SHOP-1")["due_date"] == "2027-04-03"


def test_where_the_title_that_was_guessed_is_said_to_be_none_another_is_guessed_and_told(
    world: World,
) -> None:
    found = probed(world, b"What;Why\nA car;Red\n", source="csv", name="list.csv")
    call(world, "ana", "imports.map_set", id=found["id"], fields={"What": "values"})
    anew = call(world, "ana", "imports.probe", id=found["id"])
    assert anew["mapping"]["fields"] == {"What": "values", "Why": "title"}
    assert any("Why is taken for it" in loss for loss in anew["losses"])


def test_columns_of_simple_fields_come_in_and_are_cleared_again(world: World) -> None:
    samples = {"number": 3.5, "date": "2026-02-03", "text": "Words"}
    said = {field.input: samples[field.kind] for field in IMPORTED}
    header = ";".join(("Nr", "Title", *(field.usual.split()[0] for field in IMPORTED)))
    for cells in (said, dict.fromkeys(said)):
        row = ";".join("" if cell is None else str(cell) for cell in ("1", "One", *cells.values()))
        found = probed(world, f"{header}\n{row}\n".encode(), source="csv", name="list.csv")
        call(world, "ana", "imports.map_set", id=found["id"], fields={"Nr": "id"})
        call(world, "ana", "imports.probe", id=found["id"])
        done = ran(world, found["id"])
        assert (done["errors"], done["kept"]) == (0, 0)
        there = issue(world, "SHOP-1")
        assert {name: there[name] for name in said} == cells
    assert done["changed"] == 1


def test_one_bad_cell_costs_no_row_and_its_column_may_be_mapped_away(world: World) -> None:
    text = "Nr;Title;Due\n1;One;2027-01-10\n2;Two;soon\n3;Three;2027-01-12\n"
    found = probed(world, text.encode(), source="csv", name="list.csv")
    [told] = [loss for loss in found["losses"] if "Due" in loss]
    assert told.endswith("are left out; mend them, or map it to values (row 3: 'soon')")
    call(world, "ana", "imports.map_set", id=found["id"], fields={"Nr": "id", "Due": "values"})
    anew = call(world, "ana", "imports.probe", id=found["id"])
    assert not any("no day or time" in loss for loss in anew["losses"])
    call(world, "ana", "imports.map_set", id=found["id"], fields={"Due": "due_date"})
    call(world, "ana", "imports.probe", id=found["id"])
    assert ran(world, found["id"])["made"]["issues"] == 3
    assert [issue(world, f"SHOP-{at}")["due_date"] for at in (1, 2, 3)] == ["2027-01-10", None, "2027-01-12"]


def test_what_a_field_does_not_take_is_left_out_and_logged_and_its_row_comes_in(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its kind: how much a field takes is known where issues are made, not where a table is read."""
    simple = RecordTranslator._simple

    def too_much(self: RecordTranslator, record: IssueRecord) -> dict[str, Any]:
        found = simple(self, record)
        return found | {"estimate": 1e17} if found["estimate"] == 13 else found

    monkeypatch.setattr(RecordTranslator, "_simple", too_much)
    for points in (13, 5, 13):
        text = f"Nr;Title;Points;Due\n1;One;{points};2027-01-10\n2;Two {points};2;2027-01-11\n"
        found = probed(world, text.encode(), source="csv", name="list.csv")
        call(world, "ana", "imports.map_set", id=found["id"], fields={"Nr": "id"})
        call(world, "ana", "imports.probe", id=found["id"])
        assert ran(world, found["id"])["errors"] == 0
        first = issue(world, "SHOP-1")
        assert (first["estimate"], first["due_date"]) == (None if points == 13 else 5, "2027-01-10")
        assert issue(world, "SHOP-2")["estimate"] == 2
        told = [line["message"] for line in call(world, "ana", "imports.log", id=found["id"])["items"]]
        assert [line[:21] for line in told] == (["Left out is estimate:"] if points == 13 else [])


def test_a_project_of_years_comes_in_whole_and_goes_again(world: World, github_archive: Path) -> None:
    """A fourth of one; `tests/stories` brings in all of it."""
    real = json.loads(github_archive.read_bytes())
    real |= {kind: real[kind][::4] for kind in ("issues", "pulls")}
    content = json.dumps(real).encode()
    items = real["issues"] + real["pulls"]
    said = sum(len(item["comments"]) for item in items)
    reviews = [review for pull in real["pulls"] for review in pull["reviews"]]
    lines = sum(len(review["comments"]) for review in reviews)
    found = probed(world, content, project="TLS")
    done = ran(world, found["id"])
    assert done["types"] == {"issue": len(real["issues"]), "pull-request": len(real["pulls"])}
    assert done["made"]["comments"] == said + len(reviews) + lines
    assert (done["errors"], done["skipped"]) == (0, 0)
    assert rows(world, "issue", "comment") == {"issue": len(items), "comment": said + len(reviews) + lines}
    assert ran(world, found["id"])["same"] == len(items) + said + len(reviews) + lines
    assert undone(world, found["id"])["kept"] == []
    assert rows(world, "issue", "comment", "import_item") == {"issue": 0, "comment": 0, "import_item": 0}


def test_another_does_not_read_what_somebody_opened(world: World) -> None:
    opened = call(world, "ana", "imports.open", source="github", file=send(world, b"{}")["upload"])
    with refused("conflict"):
        call(world, "bo", "imports.probe", id=opened["id"])


def test_an_import_at_work_takes_no_other_orders(world: World) -> None:
    found = probed(world)
    job = call(world, "ana", "imports.run", id=found["id"])["job"]
    ended(world, job)
    with refused("conflict"):
        call(world, "ana", "imports.cancel", id=found["id"])


def test_a_run_that_is_stopped_leaves_what_came_and_goes_on(world: World) -> None:
    found = probed(world, many(1000))
    job = call(world, "ana", "imports.run", id=found["id"])["job"]
    for op in ("run", "undo", "probe"):
        with refused("conflict"):
            call(world, "ana", f"imports.{op}", id=found["id"])
    with refused("conflict"):
        call(world, "ana", "imports.map_set", id=found["id"], skip=[])
    eventually(lambda: rows(world, "issue")["issue"] > 0)
    stopped = call(world, "ana", "imports.cancel", id=found["id"])
    assert (stopped["state"], ended(world, job)["state"]) == ("cancelled", "cancelled")
    came = rows(world, "issue", "comment", "import_item")
    assert 0 < came["issue"] < 1000
    assert call(world, "ana", "imports.get", id=found["id"])["done"]["issues"] == came["issue"]
    done = ran(world, found["id"])
    assert done["made"]["issues"] + done["same"] + done["made"]["comments"] == 2000
    assert rows(world, "issue", "comment") == {"issue": 1000, "comment": 1000}


def test_a_run_ends_where_whoever_began_it_is_no_admin_any_more(world: World) -> None:
    upload = send(world, json.dumps(many(1000)).encode(), who="bo")["upload"]
    found = call(world, "bo", "imports.open", source="github", file=upload, project="SHOP")
    call(world, "bo", "imports.probe", id=found["id"])
    job = call(world, "bo", "imports.run", id=found["id"])["job"]
    eventually(lambda: rows(world, "issue")["issue"] > 0)
    world.database.write_now(lambda tx: tx.update("member", world.people["bo"].id, role="member"))
    failed = ended(world, job)
    assert (failed["state"], failed["error"]) == (
        "failed",
        "Whoever started this import is no admin any more.",
    )
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "failed"
    assert undone(world, found["id"])["kept"] == []


def of_table(world: World, name: str) -> dict[str, Any]:
    """A table that is read, of which nobody said where it goes."""
    upload = send(world, b"Id,Title\n7,Fix the till\n", name=name)["upload"]
    opened = call(world, "ana", "imports.open", source="csv", file=upload)
    found: dict[str, Any] = call(world, "ana", "imports.probe", id=opened["id"])
    return found


def test_a_file_is_not_mixed_with_a_project_that_only_has_its_name(world: World) -> None:
    """Unless one says so, or the project was made of that file before."""
    assert of_table(world, "web.csv")["mapping"]["projects"] == {"csv:web": "WEB2"}
    ran(world, of_table(world, "shop-list.csv")["id"])
    assert issue(world, "SHOPLIST-7")["title"] == "Fix the till"
    again = of_table(world, "shop-list.csv")
    assert again["mapping"]["projects"] == {"csv:shop-list": "SHOPLIST"}
    assert (ran(world, again["id"])["same"], rows(world, "issue")["issue"]) == (1, 1)


def test_a_project_is_called_what_one_says_before_it_comes_in(world: World) -> None:
    found = of_table(world, "export_3.csv")
    assert (found["mapping"]["projects"], found["mapping"]["names"]) == (
        {"csv:export_3": "EXPORT3"},
        {"csv:export_3": "export_3"},
    )
    said = {"projects": {"csv:export_3": "SHOP"}, "names": {"csv:export_3": " The shop "}}
    call(world, "ana", "imports.map_set", id=found["id"], **said)
    for name in ("", " ", "x" * 501):
        with refused("invalid-input"):
            call(world, "ana", "imports.map_set", id=found["id"], names={"csv:export_3": name})
    call(world, "ana", "imports.probe", id=found["id"])
    ran(world, found["id"])
    assert call(world, "ana", "projects.get", key="SHOP")["name"] == "The shop"
    other = of_table(world, "other.csv")
    said = {"projects": {"csv:other": "SHOP"}, "names": {"csv:other": "Another"}}
    call(world, "ana", "imports.map_set", id=other["id"], **said)
    ran(world, other["id"])
    assert call(world, "ana", "projects.get", key="SHOP")["name"] == "The shop"


def test_two_projects_of_a_source_do_not_become_one_by_their_names(world: World) -> None:
    upload = send(world, b"Id,Title,Project\n1,Till,old/shop\n2,Cart,new/shop\n", name="both.csv")["upload"]
    opened = call(world, "ana", "imports.open", source="csv", file=upload)
    keys = call(world, "ana", "imports.probe", id=opened["id"])["mapping"]["projects"]
    assert sorted(keys.values()) == ["SHOP", "SHOP2"]


def test_who_is_to_be_invited_is_and_has_what_was_theirs(world: World) -> None:
    text = "Id;Title;Reporter\n1;Fix the till;Eve Hill <eve@out.example>\n2;Paint;Cy <cy@acme.example>\n"
    found = probed(world, text.encode(), source="csv", name="list.csv")
    people = {one["email"]: one["id"] for one in found["found"]["people"]}
    assert found["mapping"]["members"][people["cy@acme.example"]] == world.people["cy"].id
    eve = people["eve@out.example"]
    call(world, "ana", "imports.map_set", id=found["id"], members={eve: "invite"})
    assert ran(world, found["id"])["members"] == 1
    reporter = issue(world, "SHOP-1")["reporter"]
    invited = world.database.write_now(
        lambda tx: tx.one("select email, state from member where id = :id", id=reporter)
    )
    assert invited == {"email": "eve@out.example", "state": "invited"}
    assert call(world, "ana", "imports.get", id=found["id"])["done"]["members"] == 1


def test_a_redmine_comes_with_its_projects_parts_relations_and_notes(world: World, tmp_path: Path) -> None:
    content = database(tmp_path / "old.db", *SCHEMA, *ROWS).read_bytes()
    call(world, "ana", "fields.save", key="browser", name="Browser", kind="text")
    upload = send(world, content, name="old.db")["upload"]
    opened = call(world, "ana", "imports.open", source="redmine", file=upload)
    found = call(world, "ana", "imports.probe", id=opened["id"])
    assert found["mapping"]["projects"] == {"redmine:old/site": "SITE", "redmine:old/shop-front": "SHOP"}
    assert (found["mapping"]["types"], found["mapping"]["fields"]["Browser"]) == (
        {"Bug": "bug"},
        "field:browser",
    )
    assert found["mapping"]["statuses"] == {"New": "todo", "Rejected": "cancelled"}
    done = ran(world, found["id"])
    wanted = {"projects": 2, "labels": 1, "issues": 2, "components": 1, "comments": 2, "relations": 1}
    assert (done["made"], done["errors"]) == (NOTHING | wanted, 0)
    child, parent = issue(world, "SITE-1"), issue(world, "SHOP-2")
    assert (child["type"], child["priority"], child["components"]) == ("bug", "urgent", ["Front"])
    assert (child["start_date"], child["due_date"], child["estimate"]) == ("2020-01-03", "2020-02-03", 2.5)
    assert (child["reporter"], child["assignees"], child["parent"]) == ("ada", ["Crew"], None)
    assert (child["created_at"], child["updated_at"]) == (1577872800, 1577959200)
    assert (parent["lane"], parent["outcome"], parent["done_at"]) == ("cancelled", "cancelled", 1577955600)
    assert (parent["reporter"], parent["values"]["browser"]) == ("unknown", "Firefox, Safari")
    [relation] = call(world, "ana", "issues.relations", key="SITE-1")
    assert (relation["kind"], relation["issue"]["key"]) == ("blocks", "SHOP-2")
    note, file = call(world, "ana", "comments.list", subject="issue:SITE-1")
    assert (note["author"], note["internal"]) == ("ada", True)
    assert file["body"] == "Attached `a.png` (1,234 bytes): How it looks"
    lines = call(world, "ana", "imports.log", id=found["id"])["items"]
    assert [line["message"] for line in lines] == [
        "Its parent's type does not stand above its own: it has no parent here."
    ]
    assert ran(world, found["id"])["same"] == 5
    assert undone(world, found["id"])["kept"] == []
    assert rows(world, "issue", "component", "relation", "comment") == {
        "issue": 0,
        "component": 0,
        "relation": 0,
        "comment": 0,
    }


def test_only_named_projects_of_a_source_come(world: World, tmp_path: Path) -> None:
    content = database(tmp_path / "old.db", *SCHEMA, *ROWS).read_bytes()
    upload = send(world, content, name="old.db")["upload"]
    opened = call(world, "ana", "imports.open", source="redmine", file=upload)
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.probe", id=opened["id"], projects=["Nowhere"])
    assert problem.value.errors[0]["path"] == "projects"
    found = call(world, "ana", "imports.probe", id=opened["id"], projects=["Shop"])
    assert found["mapping"]["skip"] == ["redmine:old/site"]
    assert ran(world, found["id"])["made"] == NOTHING | {"projects": 1, "issues": 1}


def test_what_a_source_called_somebody_is_forgotten_with_them(world: World) -> None:
    found = probed(world)
    send(world, b"{}", who="ana")
    assert found["mapping"]["members"]["cy"] == world.people["cy"].id
    job = call(world, "ana", "members.erase", id="@cy", confirm_name="Cy Moss")["job"]
    assert ended(world, job)["state"] == "done"
    after = call(world, "ana", "imports.get", id=found["id"])
    assert "cy" not in after["mapping"]["members"]
    assert [one["id"] for one in after["found"]["people"]] == ["eve", "di", "nobody"]
