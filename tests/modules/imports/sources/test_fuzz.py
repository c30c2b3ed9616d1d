"""Mutations of valid files: whatever is read gives records that hold their promises, or one line."""

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kbwork.modules.imports.sources.collector import short
from tests.modules.imports.sources.read_source import Read, ask
from tests.modules.imports.sources.test_csv import JIRA
from tests.modules.imports.sources.test_github import comment, issue
from tests.modules.imports.sources.test_github_archive import archive
from tests.modules.imports.sources.test_gitlab import PARTS

REST = {
    "issues": [issue(1), issue(2, pull_request={"merged_at": None}), issue(3, state="closed")],
    "comments": [comment(10, 1), comment(11, 2)],
    "review_comments": [
        comment(30, 2, pull_request_url="https://api.github.com/repos/o/r/pulls/2", path="a")
    ],
    "labels": [{"name": "x", "color": "00ff00"}],
}
ODD: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(
        ["\0", "\u202e", "\x1b[2J", "x" * 2_000, "0000-00-00", "2020-01-01T00:00:00+99:99", "A" * 600]
    )
    | st.lists(st.text(max_size=3), max_size=3)
    | st.just({})
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)
quick = settings(max_examples=150)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a document."""
    steps: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, inner in steps:
        yield (*path, step)
        yield from places(inner, (*path, step))


def changed(document: Any, data: st.DataObject) -> Any:
    """A copy with some values replaced or removed."""
    document = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(places(document))
        if not found:
            break
        *path, last = data.draw(st.sampled_from(found))
        at = document
        for step in path:
            at = at[step]
        if data.draw(st.booleans()):
            at[last] = data.draw(ODD)
        else:
            del at[last]
    return document


def read(source: str, content: bytes) -> Read:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.write_bytes(content)
        return ask(source, file)


@quick
@given(st.data())
def test_archives_with_odd_values_give_records_or_one_line(data: st.DataObject) -> None:
    read("github", json.dumps(changed(archive(), data)).encode())


@quick
@given(st.data())
def test_answers_with_odd_values_give_records_or_one_line(data: st.DataObject) -> None:
    read("github", json.dumps(changed(REST, data)).encode())


@quick
@given(st.data())
def test_answers_of_gitlab_with_odd_values_give_records_or_one_line(data: st.DataObject) -> None:
    read("gitlab", json.dumps(changed(PARTS, data)).encode())


@quick
@given(st.integers(0, 10_000), st.binary(max_size=4))
def test_documents_that_are_cut_or_broken_give_records_or_one_line(at: int, put: bytes) -> None:
    whole = json.dumps(archive()).encode()
    at %= len(whole)
    assert read("github", whole[:at]).refused is not None
    read("github", whole[:at] + put + whole[at + len(put) :])


@quick
@given(st.data())
def test_tables_with_odd_cells_give_records_or_one_line(data: st.DataObject) -> None:
    content = bytearray(JIRA.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(content) - 1))
        put = data.draw(
            st.binary(max_size=3) | st.sampled_from([b'"', b",", b"\n", b"\0", b";", b"\xff", b"99999999999"])
        )
        content[at : at + data.draw(st.integers(0, 3))] = put
    read("csv", bytes(content))


@quick
@given(st.binary(max_size=300), st.sampled_from(["csv", "github", "gitlab", "trac", "redmine"]))
def test_any_bytes_give_records_or_one_line(content: bytes, source: str) -> None:
    read(source, content)


def test_names_that_differ_in_signs_without_shape_are_two() -> None:
    ids = [short(f"csv:file/label/{sign}") for sign in ("\u00ad", "\u200b", "\ud800", "a" * 2000, "a" * 2001)]
    assert len(set(ids)) == len(ids)
    assert all(one.isprintable() for one in ids)


@quick
@given(st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=5), min_size=1, max_size=5))
def test_any_table_gives_records_or_one_line(rows: list[list[str]]) -> None:
    text = "Key,Title,Parent,Due date,Labels\n" + "\n".join(",".join(row) for row in rows)
    read("csv", text.encode(errors="replace"))
