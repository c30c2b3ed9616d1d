"""What GitHub's REST interface answers."""

import json
from pathlib import Path
from typing import Any

from tests.modules.imports.sources.read_source import ask

API = "https://api.github.com/repos/o/r"


def issue(number: int, **changed: Any) -> dict[str, Any]:
    """As `/repos/o/r/issues` has it."""
    return {
        "number": number,
        "title": f"Issue {number}",
        "body": None,
        "state": "open",
        "state_reason": None,
        "user": {"login": "ada"},
        "assignees": [{"login": "bob"}],
        "milestone": {"title": "1.0"},
        "labels": [{"name": "bug", "color": "D73A4A", "description": None}],
        "closed_at": None,
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2020-01-02T00:00:00Z",
        "url": f"{API}/issues/{number}",
        "html_url": f"https://github.com/o/r/issues/{number}",
    } | changed


def comment(id: int, number: int, **changed: Any) -> dict[str, Any]:
    return {
        "id": id,
        "issue_url": f"{API}/issues/{number}",
        "user": {"login": "eve"},
        "body": "Yes",
        "created_at": "2020-01-01T00:00:00Z",
        "updated_at": "2020-01-02T00:00:00Z",
    } | changed


def written(folder: Path, document: Any) -> Path:
    file = folder / "issues.json"
    file.write_text(json.dumps(document))
    return file


def test_a_list_of_issues_is_read_in_the_order_of_numbers(tmp_path: Path) -> None:
    read = ask("github", written(tmp_path, [issue(2), issue(1)]))
    first, second = read.of("issue")
    assert (first["id"], second["id"]) == ("github:o/r#1", "github:o/r#2")
    assert (first["author"], first["assignees"], first["labels"]) == (
        "ada",
        ["bob"],
        ["bug", "milestone:1.0"],
    )
    assert first["values"] == {}
    assert read.of("label")[0]["color"] == "#d73a4a"


def test_pages_behind_each_other_are_one_list_and_what_is_on_two_is_taken_once(tmp_path: Path) -> None:
    one, two, three = (issue(number, milestone=None) for number in (1, 2, 3))
    read = ask("github", written(tmp_path, [[three, two], [two, one]]))
    assert [one["number"] for one in read.of("issue")] == [1, 2, 3]
    assert read.losses == ["issues that are in the file twice are taken once ([1][0])"]


def test_states_and_reasons_become_outcomes(tmp_path: Path) -> None:
    closed = {"state": "closed", "closed_at": "2020-01-03T00:00:00Z"}
    found = ask(
        "github",
        written(
            tmp_path,
            [
                issue(1, **closed),
                issue(2, **closed, state_reason="not_planned"),
                issue(3, **closed, state_reason="duplicate"),
                issue(4, **closed, pull_request={"merged_at": "2020-01-03T00:00:00Z"}),
                issue(5, **closed, pull_request={"merged_at": None}),
                issue(6),
            ],
        ),
    ).of("issue")
    assert [(one["type"], one["status"], one["outcome"]) for one in found] == [
        ("issue", "closed", "completed"),
        ("issue", "closed", "cancelled"),
        ("issue", "closed", "duplicate"),
        ("pull-request", "merged", "completed"),
        ("pull-request", "closed", "cancelled"),
        ("issue", "open", None),
    ]


def test_a_closed_pull_request_without_word_of_a_merge_is_done(tmp_path: Path) -> None:
    closed = {"state": "closed", "closed_at": "2020-01-03T00:00:00Z", "milestone": None}
    pulls = [
        issue(1, **closed, pull_request={"url": f"{API}/pulls/1"}),
        issue(2, pull_request={}, milestone=None),
    ]
    read = ask("github", written(tmp_path, pulls))
    assert [(one["status"], one["outcome"]) for one in read.of("issue")] == [
        ("closed", "completed"),
        ("open", None),
    ]
    assert read.losses == [
        "closed pull requests of which the file does not say whether they were merged are taken for done ([0])"
    ]


def test_comments_that_are_counted_and_not_there_are_lost(tmp_path: Path) -> None:
    issues = [issue(number, milestone=None, comments=count) for number, count in enumerate((3, 2, 1, 0), 1)]
    issues[3]["comments"] = "many"
    comments = [comment(10, 1), comment(10, 1), comment(11, 2), comment(12, 2)]
    read = ask("github", written(tmp_path, {"issues": issues, "comments": comments}))
    assert read.losses == [
        "comments that are in the file twice are taken once (comments[1])",
        "comments that issues count are not in the file (3, first at issues[0])",
    ]
    alone = ask("github", written(tmp_path, issues))
    assert alone.losses == ["comments that issues count are not in the file (6, first at [0])"]


def test_comments_reviews_and_lines_hang_together(tmp_path: Path) -> None:
    pull = f"{API}/pulls/2"
    line = {"pull_request_url": pull, "path": "a.py", "line": 7}
    document = {
        "issues": [issue(1), issue(2, pull_request={"merged_at": None})],
        "comments": [comment(10, 1), comment(11, 99), comment(10, 1)],
        "reviews": [
            {"id": 20, "pull_request_url": pull, "user": None, "state": "CHANGES_REQUESTED", "body": "No"},
            {"id": 21, "pull_request_url": pull, "user": None, "state": "COMMENTED", "body": ""},
        ],
        "review_comments": [
            comment(30, 2, **line, pull_request_review_id=20),
            comment(31, 2, **line, pull_request_review_id=21, in_reply_to_id=30),
        ],
    }
    read = ask("github", written(tmp_path, document))
    assert [(one["id"], one["parent"], one["body"]) for one in read.of("comment")] == [
        ("github:o/r#1/comment/10", None, "Yes"),
        ("github:o/r#2/review/20", None, "**Changes requested**\n\nNo"),
        ("github:o/r#2/review/21", None, "**Reviewed**"),
        ("github:o/r#2/line/30", "github:o/r#2/review/20", "`a.py`, line 7:\n\nYes"),
        ("github:o/r#2/line/31", "github:o/r#2/review/20", "Yes"),
    ]
    assert read.losses == [
        "milestones are kept as labels, such as milestone:1.0, without their days (2, first at issues[0])",
        "comments on issues that are not in the file are left out (comments[1])",
        "comments that are in the file twice are taken once (comments[2])",
    ]


def test_the_place_is_told_as_in_the_document(tmp_path: Path) -> None:
    assert ask("github", written(tmp_path, [issue(1, title=None)])).refused == "[0].title should be a text"
    wrong = {"issues": [issue(1)], "comments": [comment(1, 1, issue_url="x")]}
    refused = ask("github", written(tmp_path, wrong)).refused
    assert refused == "comments[0].issue_url should be the address of an issue, such as .../issues/5"
    assert ask("github", written(tmp_path, [issue(0)])).refused == "[0].number should be 1 or more"


def test_without_addresses_the_place_is_what_was_said(tmp_path: Path) -> None:
    bare = {name: value for name, value in issue(1).items() if name not in {"url", "html_url"}}
    [found] = ask("github", written(tmp_path, [bare]), place="me/mine").of("issue")
    assert (found["id"], found["url"]) == ("github:me/mine#1", None)
