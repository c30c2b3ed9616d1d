"""What GitLab's REST interface (v4) answers."""

import json
from pathlib import Path
from typing import Any

from tests.modules.imports.sources.read_source import Read, ask

WEB = "https://gitlab.example.com/acme/web/shop"
API = "https://gitlab.example.com/api/v4/projects"
SECOND = 1_577_836_800


def person(name: str) -> dict[str, Any]:
    return {"id": 3, "username": name, "name": name.title()}


def issue(iid: int, **changed: Any) -> dict[str, Any]:
    """As `/projects/7/issues` has it."""
    return {
        "id": 1000 + iid,
        "iid": iid,
        "project_id": 7,
        "title": f"Issue {iid}",
        "description": None,
        "state": "opened",
        "created_at": "2020-01-01T00:00:00.000Z",
        "updated_at": "2020-01-02T00:00:00.000+00:00",
        "closed_at": None,
        "labels": [],
        "milestone": None,
        "assignees": [],
        "author": person("ada"),
        "user_notes_count": 0,
        "web_url": f"{WEB}/-/issues/{iid}",
        "references": {"full": f"acme/web/shop#{iid}"},
        "confidential": False,
        "_links": {"self": f"{API}/7/issues/{iid}"},
    } | changed


def merge(iid: int, **changed: Any) -> dict[str, Any]:
    """As `/projects/7/merge_requests` has it."""
    whole = issue(iid, title=f"Merge {iid}", references={"full": f"acme/web/shop!{iid}"})
    whole |= {"web_url": f"{WEB}/-/merge_requests/{iid}", "source_branch": "fix", "target_branch": "main"}
    return whole | changed


def note(id: int, **changed: Any) -> dict[str, Any]:
    return {
        "id": id,
        "body": f"Said {id}",
        "author": person("eve"),
        "created_at": "2020-01-01T00:00:00.000Z",
        "updated_at": "2020-01-02T00:00:00.000Z",
        "system": False,
        "noteable_type": "Issue",
        "noteable_iid": 1,
        "project_id": 7,
        "internal": False,
    } | changed


def thread(*notes: dict[str, Any], **changed: Any) -> dict[str, Any]:
    return {"id": "d", "individual_note": False, "notes": list(notes)} | changed


PARTS: list[dict[str, Any]] = [
    {"project": {"id": 7, "path_with_namespace": "acme/web/shop", "description": "Shop", "web_url": WEB}},
    {"labels": [[{"name": "bug", "color": "#D9534F", "description": "Breaks", "is_project_label": True}]]},
    {"milestones": [{"title": "1.0", "due_date": "2020-03-01", "start_date": None, "description": None}]},
    {"issues": [[issue(1, labels=["bug"], user_notes_count=2), issue(2, confidential=True)]]},
    {"issue": 1, "discussions": [thread(note(10), note(11)), thread(note(12, system=True))]},
    {"issue": 1, "links": [issue(2, link_type="blocks")]},
    {"merge_requests": [merge(1, state="merged", merged_at="2020-01-05T00:00:00Z")]},
    {"merge_request": 1, "discussions": [thread(note(20, position={"new_path": "a.py", "new_line": 3}))]},
]


def read(folder: Path, document: Any, **options: Any) -> Read:
    file = folder / "shop.json"
    file.write_text(json.dumps(document))
    return ask("gitlab", file, **options)


def test_parts_behind_each_other_are_one_project(tmp_path: Path) -> None:
    found = read(tmp_path, PARTS)
    assert found.of("project") == [
        {
            "kind": "project",
            "id": "gitlab:acme/web/shop",
            "key": None,
            "name": "acme/web/shop",
            "description": "Shop",
        }
    ]
    assert [(one["id"], one["number"], one["type"], one["status"]) for one in found.of("issue")] == [
        ("gitlab:acme/web/shop#1", 1, "issue", "open"),
        ("gitlab:acme/web/shop#2", 2, "issue", "open"),
        ("gitlab:acme/web/shop!1", None, "pull-request", "merged"),
    ]
    assert [(one["id"], one["parent"], one["body"]) for one in found.of("comment")] == [
        ("gitlab:acme/web/shop#1/note/10", None, "Said 10"),
        ("gitlab:acme/web/shop#1/note/11", "gitlab:acme/web/shop#1/note/10", "Said 11"),
        ("gitlab:acme/web/shop!1/note/20", None, "`a.py`, line 3:\n\nSaid 20"),
    ]
    assert found.of("relation") == [
        {
            "kind": "relation",
            "from": "gitlab:acme/web/shop#1",
            "to": "gitlab:acme/web/shop#2",
            "relation": "blocks",
        }
    ]
    assert found.losses == [
        (
            "milestones are kept as labels, such as milestone:1.0; their days stand in what the label says"
            " ([2].milestones[0])"
        ),
        (
            "confidential issues are private: reporter, assignees and leads of the project see them"
            " ([3].issues[0][1])"
        ),
        "what GitLab notes by itself of changes is left out ([4].discussions[1].notes[0])",
    ]


def test_an_issue_comes_field_by_field(tmp_path: Path) -> None:
    whole = issue(
        5,
        title="The cart\nforgets",
        description="See ![p](/uploads/0123456789abcdef0123456789abcdef/p.png)\r\n- [x] one\n- [ ] two",
        state="closed",
        closed_at="2020-01-03T00:00:00.000Z",
        labels=[{"name": "bug", "color": "#d9534f", "description": "Breaks"}, "area::cart"],
        milestone={"title": "1.0", "start_date": "2020-02-01", "due_date": "2020-03-01", "description": "Go"},
        assignees=[person("bob"), person("eve")],
        author=None,
        due_date="2020-02-02",
        weight=3,
        issue_type="incident",
        severity="HIGH",
        health_status="at_risk",
        time_stats={"time_estimate": 5400, "total_time_spent": 60},
        confidential=True,
    )
    found = read(tmp_path, [whole])
    assert found.of("issue") == [
        {
            "estimate": 3.0,
            "start_date": None,
            "due_date": "2020-02-02",
            "kind": "issue",
            "id": "gitlab:acme/web/shop#5",
            "project": "gitlab:acme/web/shop",
            "number": 5,
            "type": "incident",
            "title": "The cart forgets",
            "body": f"See ![p]({WEB}/uploads/0123456789abcdef0123456789abcdef/p.png)\r\n- [x] one\n- [ ] two",
            "author": "ghost",
            "status": "closed",
            "done": True,
            "outcome": "completed",
            "priority": None,
            "assignees": ["bob", "eve"],
            "labels": ["bug", "area::cart", "milestone:1.0"],
            "components": [],
            "parent": None,
            "created_at": SECOND,
            "updated_at": SECOND + 86_400,
            "done_at": SECOND + 2 * 86_400,
            "url": f"{WEB}/-/issues/5",
            "values": {"Time estimate": 5400, "Time spent": 60, "Severity": "HIGH", "Health": "at_risk"},
            "private": True,
        }
    ]
    assert [(one["name"], one["color"], one["description"]) for one in found.of("label")] == [
        ("bug", "#d9534f", "Breaks"),
        ("area::cart", None, None),
        ("milestone:1.0", None, "Starts 2020-02-01. Due 2020-03-01.\n\nGo"),
    ]
    assert [(one["id"], one["name"], one["handle"]) for one in found.of("person")] == [
        ("bob", "Bob", "bob"),
        ("eve", "Eve", "eve"),
        ("ghost", "ghost", None),
    ]
    assert "files in texts stay at GitLab, where the texts lead ([0])" in found.losses


def test_a_merge_request_comes_field_by_field(tmp_path: Path) -> None:
    done = {"state": "merged", "merged_at": "2020-01-03T00:00:00Z", "merge_commit_sha": "4f173e0"}
    people = {"merge_user": person("bob"), "reviewers": [person("eve")]}
    found = read(
        tmp_path,
        {"merge_requests": [merge(1, **done, **people), merge(2, state="closed"), merge(3, state="locked")]},
    )
    first, second, third = found.of("issue")
    assert (first["number"], first["private"], first["done_at"]) == (None, False, SECOND + 2 * 86_400)
    assert first["values"] == {
        "Base branch": "main",
        "Head branch": "fix",
        "Merged by": "bob",
        "Merge commit": "4f173e0",
        "Reviewers": ["eve"],
    }
    assert [(one["status"], one["outcome"]) for one in (first, second, third)] == [
        ("merged", "completed"),
        ("closed", "cancelled"),
        ("open", None),
    ]


def test_closed_as_a_duplicate_and_moved_are_told_apart(tmp_path: Path) -> None:
    twin = {"_links": {"self": "x", "closed_as_duplicate_of": f"{API}/7/issues/1"}}
    lost = {"_links": {"closed_as_duplicate_of": f"{API}/99/issues/1"}}
    found = read(
        tmp_path,
        [
            issue(1),
            issue(2, state="closed", **twin),
            issue(3, state="closed", moved_to_id=77),
            issue(4, state="closed", **lost),
        ],
    )
    assert [one["outcome"] for one in found.of("issue")] == [None, "duplicate", "cancelled", "duplicate"]
    assert [(one["from"], one["relation"], one["to"]) for one in found.of("relation")] == [
        ("gitlab:acme/web/shop#2", "duplicates", "gitlab:acme/web/shop#1")
    ]
    assert found.losses == [
        "issues that moved on are closed here, and where they went is left out ([2])",
        "relations to issues that are not in the file are left out",
    ]


def test_links_are_told_by_both_ends_and_taken_once(tmp_path: Path) -> None:
    elsewhere = issue(1, project_id=8, references={"full": "acme/api#1"}, link_type="relates_to")
    document: list[dict[str, Any]] = [
        {"issues": [issue(1), issue(2), issue(3)]},
        {"issue": 1, "links": [issue(2, link_type="relates_to"), issue(3, link_type="blocks"), elsewhere]},
        {"issue": 2, "links": [issue(1, link_type="relates_to")]},
        {"issue": 3, "links": [issue(1, link_type="is_blocked_by")]},
    ]
    found = read(tmp_path, document)
    assert [(one["from"][-2:], one["relation"], one["to"][-2:]) for one in found.of("relation")] == [
        ("#1", "relates", "#2"),
        ("#1", "blocks", "#3"),
    ]
    assert found.losses == ["relations to issues that are not in the file are left out"]


def test_internal_notes_stay_internal_with_their_threads(tmp_path: Path) -> None:
    discussions = [
        thread(note(10, internal=True), note(11)),
        thread(note(12), note(13, internal=None, confidential=True), note(14)),
        thread(note(15, resolved=True, resolvable=True), individual_note=True),
    ]
    found = read(tmp_path, {"issues": [issue(1, user_notes_count=9)], "discussions": discussions})
    assert [(one["id"][-2:], one["internal"], (one["parent"] or "")[-2:]) for one in found.of("comment")] == [
        ("10", True, ""),
        ("11", True, "10"),
        ("12", False, ""),
        ("13", True, ""),
        ("14", False, "12"),
        ("15", False, ""),
    ]
    assert found.losses == [
        "threads that are resolved are open here (discussions[2].notes[0])",
        "comments that issues count are not in the file (3, first at issues[0])",
    ]


def test_notes_alone_say_what_they_are_on(tmp_path: Path) -> None:
    notes = [
        note(10),
        note(10),
        note(11, noteable_type="MergeRequest"),
        note(12, noteable_iid=99),
        note(13, noteable_type="Snippet"),
        note(14, body="", author=None),
    ]
    found = read(tmp_path, {"issues": [issue(1)], "merge_requests": [merge(1)], "notes": [notes]})
    assert [(one["id"], one["author"], one["body"]) for one in found.of("comment")] == [
        ("gitlab:acme/web/shop#1/note/10", "eve", "Said 10"),
        ("gitlab:acme/web/shop!1/note/11", "eve", "Said 11"),
        ("gitlab:acme/web/shop#1/note/14", "ghost", "(no text)"),
    ]
    assert found.losses == [
        "comments that are in the file twice are taken once (notes[0][1])",
        "comments on issues that are not in the file are left out (2, first at notes[0][3])",
    ]


def test_labels_of_groups_come_where_something_carries_them(tmp_path: Path) -> None:
    labels = [
        {"name": "Ops", "color": "#112233", "description": None, "is_project_label": False},
        {"name": "unused", "color": "#112233", "description": None, "is_project_label": False},
        {"name": "own", "color": "#445566", "description": None},
    ]
    found = read(tmp_path, {"issues": [issue(1, labels=["Ops"])], "labels": labels})
    assert [(one["name"], one["color"]) for one in found.of("label")] == [
        ("own", "#445566"),
        ("Ops", "#112233"),
    ]


def test_what_is_not_taken_is_told(tmp_path: Path) -> None:
    more = {"epic": {"iid": 1}, "iteration": {"id": 1}, "upvotes": 2, "discussion_locked": True}
    found = read(tmp_path, [issue(1, **more, service_desk_reply_to="x@example.com")])
    assert found.losses == [
        "in which epics issues are is left out ([0])",
        "in which iterations issues are is left out ([0])",
        "thumbs up and down are left out ([0])",
        "locked discussions are open here ([0])",
        "who wrote by the service desk is known as GitLab's bot alone ([0])",
    ]
    assert "x@example.com" not in json.dumps(found.records)


def test_issues_of_several_projects_are_kept_apart_and_twins_taken_once(tmp_path: Path) -> None:
    other = {"project_id": 8, "references": {"full": "acme/api#1"}, "web_url": None}
    found = read(tmp_path, [[issue(1), issue(1)], [issue(1, **other)]])
    assert [one["id"] for one in found.of("issue")] == ["gitlab:acme/api#1", "gitlab:acme/web/shop#1"]
    assert found.losses == ["issues that are in the file twice are taken once ([0][1])"]


def test_the_place_is_told_as_in_the_document(tmp_path: Path) -> None:
    assert read(tmp_path, [issue(1, title=None)]).refused == "[0].title should be a text"
    assert read(tmp_path, [issue(0)]).refused == "[0].iid should be 1 or more"
    assert read(tmp_path, [issue(1, state="merged")]).refused == "[0].state should be opened, closed"
    wrong = [{"issues": [issue(1)]}, {"issue": 1, "discussions": [thread(note(1, created_at="x"))]}]
    refused = read(tmp_path, wrong).refused or ""
    assert refused.startswith("[1].discussions[0].notes[0].created_at should be a time")
    strange: tuple[Any, ...] = ({"labels": []}, [{"labels": []}], "text")
    for document in strange:
        assert "neither a list of issues nor" in (read(tmp_path, document).refused or "")


def test_without_addresses_the_place_is_what_was_said(tmp_path: Path) -> None:
    bare = issue(1, web_url=None, references=None, project_id=None)
    [found] = read(tmp_path, [bare], place="me/mine").of("issue")
    assert (found["id"], found["url"]) == ("gitlab:me/mine#1", None)
    [old] = read(tmp_path, [bare | {"web_url": "https://host/a/b/issues/1"}]).of("issue")
    assert old["id"] == "gitlab:a/b#1"
