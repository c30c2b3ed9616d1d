"""The archive of a GitHub repository."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from kbwork.modules.imports import records
from tests.github_archive import REAL
from tests.modules.imports.sources.read_source import ask

_OUTCOMES = {"MERGED": "completed", "CLOSED": "cancelled", "OPEN": None}


def archive(**changed: Any) -> dict[str, Any]:
    """A small one: an issue with a comment, a pull request with a review and what it says about a line."""
    said = {"author": "ada", "createdAt": "2020-01-02T00:00:00Z", "updatedAt": "2020-01-02T00:00:00Z"}
    common = {
        "title": "A title",
        "url": "https://github.com/o/r/issues/1",
        "author": "ada",
        "assignees": ["bob"],
        "labels": ["Bug"],
        "body": "A body",
        "createdAt": "2020-01-01T00:00:00Z",
        "updatedAt": "2020-01-03T00:00:00Z",
        "closedAt": "2020-01-03T00:00:00Z",
    }
    issue = common | {"number": 1, "id": "I1", "state": "CLOSED", "comments": [said | {"body": "First"}]}
    line = {"path": "a.py", "originalPosition": 3, "body": "Why?", "createdAt": "2020-01-02T00:00:00Z"}
    review = said | {"id": "R1", "state": "APPROVED", "body": "Good", "comments": [line]}
    pull = common | {
        "number": 2,
        "id": "P2",
        "state": "MERGED",
        "comments": [],
        "reviews": [review],
        "mergedAt": "2020-01-02T00:00:00Z",
        "mergedBy": "bob",
        "baseRefName": "main",
    }
    label = {"name": "bug", "color": "d73a4a", "description": "Broken"}
    whole = {
        "magic": "E!vIA5L86J2I",
        "repo": "o/r",
        "labels": [label],
        "issues": [issue],
        "pulls": [pull],
    }
    return whole | changed


def written(folder: Path, document: Any) -> Path:
    file = folder / "archive.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


def test_an_archive_of_years_comes_whole(github_archive: Path, tmp_path: Path) -> None:
    document = json.loads(github_archive.read_text())
    issues, pulls = document["issues"], document["pulls"]
    reviews = [review for pull in pulls for review in pull["reviews"]]
    comments = sum(len(item["comments"]) for item in (*issues, *pulls))
    lines = sum(len(review["comments"]) for review in reviews)
    if github_archive == REAL:
        assert (len(issues), len(pulls), comments, len(reviews), lines) == (250, 392, 1993, 1457, 1552)

    out = tmp_path / "out.jsonl"
    run = subprocess.run(
        [sys.executable, "-P", "-m", "kbwork.modules.imports.sources.reader", "github", github_archive, out],
        capture_output=True,
        check=True,
        timeout=60,
    )
    answer = json.loads(run.stdout)
    found: list[Any] = [record for _, record in records.read(out)]

    assert answer["found"]["counts"] == {
        "project": 1,
        "label": len(document["labels"]),
        "component": 0,
        "person": answer["found"]["counts"]["person"],
        "issue": len(issues) + len(pulls),
        "comment": comments + len(reviews) + lines,
        "relation": 0,
        "attachment": 0,
    }
    assert answer["found"]["types"] == {"pull-request": len(pulls), "issue": len(issues)}
    kinds = Counter(record["kind"] for record in found)
    assert (kinds["issue"], kinds["comment"]) == (len(issues) + len(pulls), comments + len(reviews) + lines)
    assert sum(record["kind"] == "comment" and record["parent"] is not None for record in found) == lines

    numbers = [record["number"] for record in found if record["kind"] == "issue"]
    assert numbers == sorted(numbers)
    by_number = {record["number"]: record for record in found if record["kind"] == "issue"}
    for item in (*issues, *pulls):
        record = by_number[item["number"]]
        assert record["title"] == " ".join(item["title"].split())
        assert record["body"] == item["body"]
        assert record["author"] == item["author"]
        assert record["labels"] == item["labels"]
        assert record["assignees"] == item["assignees"]
        assert record["status"] == item["state"].lower()
        assert record["done"] == (item["state"] != "OPEN")
    outcomes = Counter(by_number[pull["number"]]["outcome"] for pull in pulls)
    assert outcomes == Counter(_OUTCOMES[pull["state"]] for pull in pulls)


def test_a_review_begins_with_what_it_decided_and_its_lines_answer_it(tmp_path: Path) -> None:
    read = ask("github", written(tmp_path, archive()))
    comment, review, line = read.of("comment")
    assert (comment["issue"], comment["body"], comment["parent"]) == ("github:o/r#1", "First", None)
    assert (review["id"], review["body"]) == ("github:o/r#2/review/R1", "**Approved**\n\nGood")
    assert (line["parent"], line["author"]) == (review["id"], "ada")
    assert line["body"] == "`a.py`, position 3 of the diff:\n\nWhy?"


def test_labels_keep_their_colour_and_their_first_spelling(tmp_path: Path) -> None:
    read = ask("github", written(tmp_path, archive()))
    [label] = read.of("label")
    assert (label["name"], label["color"], label["description"]) == ("bug", "#d73a4a", "Broken")
    assert {tuple(issue["labels"]) for issue in read.of("issue")} == {("bug",)}


def test_a_pull_request_keeps_its_branch_and_who_merged_it(tmp_path: Path) -> None:
    pull = ask("github", written(tmp_path, archive())).one("issue", "github:o/r#2")
    assert pull["values"] == {"Base branch": "main", "Merged by": "bob"}
    assert (pull["type"], pull["status"], pull["outcome"]) == ("pull-request", "merged", "completed")
    assert pull["done_at"] == 1578009600, "when it was closed"


def test_comments_without_ids_are_told_apart_and_stay_the_same(tmp_path: Path) -> None:
    document = archive()
    document["issues"][0]["comments"] *= 3
    ids = [comment["id"] for comment in ask("github", written(tmp_path, document)).of("comment")][:3]
    assert len(set(ids)) == 3
    again = [comment["id"] for comment in ask("github", written(tmp_path, document)).of("comment")][:3]
    assert ids == again


def test_an_account_that_is_gone_is_a_ghost(tmp_path: Path) -> None:
    document = archive()
    document["issues"][0]["author"] = None
    assert ask("github", written(tmp_path, document)).one("issue", "github:o/r#1")["author"] == "ghost"


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("issues", 0, "title"), 5, "issues[0].title should be a text"),
        (("issues", 0, "number"), True, "issues[0].number should be a whole number"),
        (("issues", 0, "number"), 10**30, "issues[0].number should be a whole number from 0 to 2147483647"),
        (
            ("issues", 0, "state"),
            "GONE",
            "issues[0].state should be OPEN, CLOSED or, of a pull request, MERGED",
        ),
        (("issues", 0, "labels", 0), {}, "issues[0].labels[0] should be a text"),
        (("issues", 0, "comments"), "x", "issues[0].comments should be a list"),
        (("issues", 0, "comments", 0), [], "issues[0].comments[0] should be an object"),
        (
            ("pulls", 0, "reviews", 0, "comments", 0, "body"),
            1,
            "pulls[0].reviews[0].comments[0].body should be a text",
        ),
        (("pulls",), None, "pulls should be a list"),
        (("repo",), "", "repo should be owner/name"),
    ],
)
def test_a_wrong_type_is_told_with_its_place(
    tmp_path: Path, path: tuple[Any, ...], value: Any, told: str
) -> None:
    document = archive()
    at: Any = document
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    assert ask("github", written(tmp_path, document)).refused == told


def test_a_time_out_of_range_is_told(tmp_path: Path) -> None:
    for text in (
        "1815-12-10T00:00:00Z",
        "yesterday",
        "9999-12-31T23:59:59-23:00",
        "0001-01-01T00:00:00+23:59",
    ):
        document = archive()
        document["issues"][0]["createdAt"] = text
        refused = ask("github", written(tmp_path, document)).refused
        assert refused is not None
        assert refused.startswith("issues[0].createdAt should be a time")


def test_an_issue_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    document = archive()
    document["issues"] *= 2
    assert (
        ask("github", written(tmp_path, document)).refused == "issues[1]: github:o/r#1 is in the file twice"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file is empty"),
        ("   \n", "the file is empty"),
        (
            '{"magic": "E!vIA5L86J2I", "repo": "o',
            "the file is not JSON: Unterminated string starting at: line 1 column 35 (char 34)",
        ),
        ("[" * 100_000, "the file is nested too deeply to be an export of GitHub"),
        ('{"a":' * 100_000, "the file is nested too deeply to be an export of GitHub"),
        ("\0\0\0", "the file is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ('[{"number": NaN}]', "the file is not JSON: NaN is no number"),
        ("7", "the file is neither a GitHub archive nor a list of issues nor an object with a list `issues`"),
    ],
)
def test_what_is_no_document_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    assert ask("github", written(tmp_path, text)).refused == told


def test_texts_are_cleaned_and_cut_with_a_word(tmp_path: Path) -> None:
    document = archive()
    document["issues"][0]["body"] = "a\0b" + "x" * 1_000_001
    document["pulls"][0]["title"] = "\0\x07"
    document["pulls"][0]["body"] = "\ud800!"
    read = ask("github", written(tmp_path, document))
    assert read.one("issue", "github:o/r#1")["body"] == "ab" + "x" * 999_998
    assert read.one("issue", "github:o/r#2")["title"] == "(no title)"
    assert read.one("issue", "github:o/r#2")["body"] == "\ufffd!"
    assert read.losses == [
        "texts with the character U+0000 are kept without it (2, first at issues[0])",
        "texts longer than 1,000,000 characters are cut (issues[0])",
        "broken characters are replaced by U+FFFD (pulls[0])",
    ]


def test_a_number_of_a_million_digits_is_refused(tmp_path: Path) -> None:
    refused = ask("github", written(tmp_path, "[" + "9" * 1_000_000 + "]")).refused
    assert refused is not None
    assert refused.startswith("the file is not JSON: Exceeds the limit")


def test_bytes_that_are_no_text_are_refused_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "archive.json"
    file.write_bytes(b'["a\xff"]')
    assert ask("github", file).refused == "byte 3: the file is not UTF-8: invalid start byte"


def test_a_document_that_needs_too_much_memory_is_refused_and_the_machine_is_spared(tmp_path: Path) -> None:
    file = tmp_path / "archive.json"
    file.write_text("[" + "{}," * 10_000_000 + "{}]")
    code = (
        "import sys; from kbwork.modules.imports.sources import reader; reader.MOST_MEMORY = 400_000_000;"
        " sys.exit(reader.main(sys.argv[1:]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "github", file, tmp_path / "out.jsonl"],
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    told = "the file needs more memory than an import may use: bring it in in parts"
    assert json.loads(run.stdout) == {"refused": told, "full": False}
    assert [path.name for path in tmp_path.iterdir()] == ["archive.json"]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    document = archive()
    document["issues"][0]["body"] = "x" * 500_000
    code = (
        "import resource, sys; from kbwork.modules.imports.sources import reader;"
        " resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); sys.exit(reader.main(sys.argv[1:]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "github", written(tmp_path, document), tmp_path / "out.jsonl"],
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    assert json.loads(run.stdout) == {"refused": "the file cannot be written: File too large", "full": True}
    assert [path.name for path in tmp_path.iterdir()] == ["archive.json"]


@pytest.mark.parametrize("magic", ["E!vIA5L86J2X", None, 3])
def test_another_magic_is_refused(tmp_path: Path, magic: object) -> None:
    refused = ask("github", written(tmp_path, archive(magic=magic))).refused
    assert refused is not None
    assert refused.startswith("magic should be 'E!vIA5L86J2I'")
