"""kbz files: read whole, or refused with one line that says where; nothing remains then."""

import io
import json
import random
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import kbwork
from kbwork.core.ports.archive import ArchivedLine, ArchivedList, ArchivePeople, Word
from kbwork.issuefields import SIMPLE
from kbwork.modules.imports.kbz import manifest
from kbwork.modules.imports.kbz.manifest import FILES, MANIFEST
from kbwork.modules.projects import LAST_NUMBER
from tests.modules.imports.sources.kbz_file import AT, BYTES, ORG, SUM, Lines, lines, packed, zipped
from tests.modules.imports.sources.read_source import ask

LINK = {"url": "javascript:1", "title": "", "kind": "page", "created_at": 1, "created_by": "Ana"}
Change = Callable[[Lines], Any]


VOTE = {"who": "Ana", "at": 1}
OPTION = {"path": ["A"], "color": "#aa0011", "archived": False}
FIELD = {
    "key": "f",
    "name": "F",
    "kind": "select",
    "description": "",
    **dict.fromkeys(("formula", "min", "max", "pattern")),
    "types": [],
    "default": [],
    "personal": False,
    "options": [OPTION] * 1000,
}


def history(held: Lines, changes: dict[str, Any]) -> None:
    """A change of the issue."""
    change = {"at": AT, "who": "Ana", "who_kind": "human", "via": None, "changes": changes}
    held["issues.jsonl"][0]["history"] = [change]


def read(tmp_path: Path, content: bytes) -> Any:
    file = tmp_path / "part.kbz"
    file.write_bytes(content)
    return ask("kbz", file)


def changed(change: Change) -> bytes:
    held = lines()
    change(held)
    return packed(held)


def test_a_file_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, packed())
    assert (found.refused, found.losses) == (None, [])
    assert [record["kind"] for record in found.records] == [
        *("person", "project", "label", "issue", "comment", "attachment", "past", "past"),
    ]
    assert found.records[3]["id"] == f"kbz:{ORG}/WEB#1"


def test_a_view_of_an_earlier_version_has_no_groups_within_groups() -> None:
    view: dict[str, Any] = {
        "name": "Late",
        "tql": "open",
        "layout": "list",
        "group_by": "status",
        "sort": None,
        "icon": None,
        "created_at": AT,
        "owner": "Ana",
        "columns": [],
    }
    project = lines()["projects.jsonl"][0] | {"views": [view, view | {"subgroup_by": "assignee"}]}
    people = ArchivePeople()
    read_back = manifest.read("projects.jsonl", 1, json.dumps(project).encode(), people)
    assert [one["subgroup_by"] for one in read_back["views"]] == [None, "assignee"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda held: held["issues.jsonl"].append(held["issues.jsonl"][0]), "WEB#1 is in the file twice"),
        (
            lambda held: held["issues.jsonl"][0].update(lane="gone"),
            "issues.jsonl line 1: there is no lane 'gone'",
        ),
        (
            lambda held: held["issues.jsonl"][0].update(reporter="Bo"),
            "there is nobody called 'Bo' in people.jsonl",
        ),
        (lambda held: held["issues.jsonl"][0].update(project="OPS"), "there is no project OPS"),
        (lambda held: held["issues.jsonl"][0].update(number="1"), "issues.jsonl line 1: number: "),
        (lambda held: held["issues.jsonl"][0].update(more=1), "issues.jsonl line 1: more: "),
        (
            lambda held: held["issues.jsonl"][0].update(created_at=1 << 60),
            "issues.jsonl line 1: created_at: ",
        ),
        (lambda held: held["issues.jsonl"][0].pop("title"), "issues.jsonl line 1: title: "),
        (lambda held: held["comments.jsonl"][0].update(issue="WEB#2"), "there is no issue WEB#2"),
        (lambda held: held["comments.jsonl"][0].update(parent=3), "there is no comment 3 before it"),
        (lambda held: held["attachments.jsonl"][0].update(sha256="0" * 64), "the member is missing"),
        (lambda held: held["attachments.jsonl"][0].update(size=3), "it is not what was written"),
        (
            lambda held: held["attachments.jsonl"][0].update(issue="WEB#9"),
            "what it hangs on is not in the file",
        ),
        (lambda held: held["projects.jsonl"].append(held["projects.jsonl"][0]), "WEB is in the file twice"),
        (lambda held: held["issues.jsonl"][0].update(due_date="2027-02-31"), "line 1: due_date: "),
        (lambda held: held["issues.jsonl"][0].update(links=[LINK]), "line 1: links.0.url: "),
        (
            lambda held: held["labels.jsonl"][0].update(project="OPS"),
            "labels.jsonl line 1: there is no project",
        ),
        (lambda held: held["people.jsonl"][0].update(name=""), "people.jsonl line 1: name: "),
        (lambda held: held["issues.jsonl"][0].update(labels=["bug"] * 1001), "line 1: labels: "),
        (lambda held: held["issues.jsonl"][0].update(votes=[VOTE] * 100_001), "line 1: votes: "),
        (
            lambda held: held["projects.jsonl"][0]["words"].update(fields=[FIELD] * 60),
            "projects.jsonl line 1: its lists hold 120,",
        ),
        (lambda held: held["attachments.jsonl"][0].update(size=100 * 1024 * 1024 + 1), "line 1: size: "),
        (lambda held: history(held, {"title": {}}), "line 1: history.0.changes.title"),
        (lambda held: history(held, {"title": {"from": 1, "to": "b"}}), "title.from: this is nothing that"),
        (
            lambda held: history(held, {"parent": {"from": {"x": 1}, "to": None}}),
            "parent.from: this is nothing",
        ),
        (lambda held: history(held, {"labels": {"from": 5, "to": []}}), "labels.from: this is nothing that"),
        (lambda held: history(held, {"labels": {"from": [], "to": [1]}}), "labels.to: this is nothing that"),
        (lambda held: history(held, {"rank": {"from": {"x": 1}, "to": None}}), "rank.from: this is nothing"),
        (lambda held: history(held, {"No such": {"from": 1, "to": 2}}), "no field is called 'No such'"),
        (
            lambda held: history(held, {"body": {"from_size": "x", "to_size": 1, "revision": None}}),
            "line 1: history.0.changes.body",
        ),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path: Path, change: Change, says: str) -> None:
    assert says in read(tmp_path, changed(change)).refused


def _twice() -> bytes:
    out = io.BytesIO(packed())
    with zipfile.ZipFile(out, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("issues.jsonl", "")
    return out.getvalue()


def _bomb() -> bytes:
    held = dict.fromkeys(lines(), b"")
    return zipped({**held, "issues.jsonl": b" " * 400_000_000, MANIFEST: b"{}"})


def _torn() -> bytes:
    """A member whose bytes were changed behind the back of its checksum."""
    whole = bytearray(packed())
    at = whole.index(b"issues.jsonl") + 40
    whole[at] ^= 0xFF
    return bytes(whole)


def told(name: str, count: int = 1, **part: int) -> bytes:
    """A file whose manifest says something else of a member."""
    with zipfile.ZipFile(io.BytesIO(packed())) as archive:
        said = json.loads(archive.read(MANIFEST))
    said["parts"][name] |= part
    counts = said["counts"] | {name.removesuffix(".jsonl"): count}
    return packed(parts=said["parts"], counts=counts)


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (lambda: b"PK\x03\x04 and no more", "this is no kbz file, or it is cut short"),
        (lambda: b"{}", "this is no kbz file"),
        (lambda: packed()[:-30], "cut short"),
        (lambda: packed()[:500], "cut short"),
        (_torn, "issues.jsonl"),
        (_twice, "issues.jsonl: the member is in the file twice"),
        (_bomb, "too many for a file of"),
        (
            lambda: packed(files={"../../etc/passwd": b"x"}),
            "../../etc/passwd: this is no member of a kbz file",
        ),
        (lambda: packed(files={"/etc/passwd": b"x"}), "/etc/passwd: this is no member"),
        (lambda: packed(files={f"{FILES}{SUM}": b"other bytes!"}), "the checksum is another"),
        (lambda: packed(files={}), f"{FILES}{SUM}: the member is missing"),
        (lambda: packed(format=4), "a newer kbwork wrote this (format 4; this one reads 3)"),
        (lambda: packed(program="other"), "another program wrote this"),
        (lambda: packed(schema="x"), "this is a whole backup"),
        (lambda: packed(holds="org"), "it holds org, not projects"),
        (lambda: packed(parts={}), "people.jsonl: the member is missing"),
        (lambda: packed(org="Acme"), "manifest.json: org: "),
        (lambda: told("issues.jsonl", bytes=1), "issues.jsonl: it has "),
        (lambda: told("issues.jsonl", rows=2), "counts.issues: it does not fit what is in the file"),
        (lambda: told("issues.jsonl", 2, rows=2), "issues.jsonl: it has 1 lines, and 2 by manifest.json"),
        (lambda: packed(counts={"issues": 500}), "it does not fit what is in the file"),
        (
            lambda: packed(files={f"{FILES}{SUM}": BYTES, f"{FILES}{'0' * 64}": b"\0" * 104_857_601}),
            "104,857,601 bytes",
        ),
        (lambda: zipped({MANIFEST: b"{"}), "manifest.json: it is not JSON"),
        (lambda: zipped({MANIFEST: b"[]"}), "manifest.json: it is not an object"),
        (lambda: zipped({MANIFEST: b"[" * 100_000}), "manifest.json: it is damaged"),
        (lambda: zipped({}), "there is no manifest.json"),
    ],
)
def test_files_that_are_not_whole_are_refused(
    tmp_path: Path, content: Callable[[], bytes], says: str
) -> None:
    assert says in read(tmp_path, content()).refused


def test_a_file_from_before_a_plain_field_has_nothing_there(tmp_path: Path) -> None:
    held = lines()
    for field in SIMPLE:
        held["issues.jsonl"][0].pop(field.column, None)
    found = read(tmp_path, packed(held))
    assert found.refused is None
    [issue] = [one for one in found.records if one["kind"] == "issue"]
    assert [{**issue, **issue["more"]}[field.column] for field in SIMPLE] == [None] * len(SIMPLE)


def test_a_long_past_is_read_in_parts(tmp_path: Path) -> None:
    held = lines()
    issue = held["issues.jsonl"][0]
    history(held, {"title": {"from": "a", "to": "b"}})
    issue["history"] *= 500
    issue["votes"] = [VOTE] * 250
    records = read(tmp_path, packed(held)).records
    pasts = [one for one in records if one["kind"] == "past" and one["issue"]]
    assert [len(one["history"]) for one in pasts] == [100, 0, 0, 100, 100, 100, 100]
    assert [len(one["votes"]) for one in pasts] == [0, 100, 50, 0, 0, 0, 0]
    assert [one["first"] for one in pasts] == [True] + [False] * 6
    assert len({one["id"] for one in pasts}) == 7


def test_checks_come_whole_when_all_else_is_there(tmp_path: Path) -> None:
    held = lines()
    check = {
        **dict.fromkeys(("assignee", "due_date", "done_at", "done_by", "promoted")),
        "text": "Do",
        "created_at": AT,
        "created_by": "Ana",
    }
    held["issues.jsonl"][0]["checks"] = [check] * 250
    records = read(tmp_path, packed(held)).records
    assert [len(one["checks"]) for one in records if one["kind"] == "past"] == [250, 0]
    assert "checks" not in next(one["more"] for one in records if one["kind"] == "issue")


def test_who_was_erased_is_called_by_nothing_but_an_id(tmp_path: Path) -> None:
    held = lines()
    field = FIELD | {"kind": "member", "options": [], "default": [["Ana", None]]}
    held["projects.jsonl"][0]["words"]["fields"] = [field]
    history(held, {"assignees": {"from": [], "to": [{"$who": "Ana"}]}})
    issue = held["issues.jsonl"][0]
    issue["assignees"] = ["Ana"]
    issue["held"] = [{"field": "f", "position": 0, "value": "Ana", "unit": None}]
    issue["spans"] = [
        {"field": field, "value": "Ana", "from_at": AT, "to_at": None, "by": "Ana"}
        for field in ("assignee", "field:f")
    ]
    file = tmp_path / "part.kbz"
    file.write_bytes(packed(held))
    found = ask("kbz", file, erased=["m_ana"])
    assert found.refused is None
    assert "Ana" not in json.dumps([found.records, found.found])
    [person] = found.found["people"]
    assert (person["id"], person["name"], person["email"]) == ("m_ana", "former member", None)


def test_any_byte_that_is_another_is_refused_or_harmless(tmp_path: Path) -> None:
    whole, dice = packed(), random.Random(5)
    for _ in range(150):
        broken = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        cut = bytes(broken[: dice.choice([len(broken), dice.randrange(1, len(broken))])])
        read(tmp_path, cut)


def test_a_list_is_missing_in_archives_from_before_it_alone() -> None:
    line = ArchivedLine(file="x.jsonl", place=1, columns={"name": Word})
    newer = ArchivedList("x.jsonl", "risks", table="risk", since=2, columns={"text": Word})
    shape = manifest.LineShape(line, [newer])
    first, second = (TypeAdapter(shape.type(format=format)) for format in (1, 2))
    assert first.validate_python({"name": "A"}) == {"name": "A"}
    with pytest.raises(ValidationError, match="risks"):
        second.validate_python({"name": "A"})
    assert second.validate_python({"name": "A", "risks": [{"text": "B"}]})["risks"] == [{"text": "B"}]
    assert shape.elements({"name": "A"}, "risks") == []


def test_a_file_is_read_without_the_rest_of_the_modules(tmp_path: Path) -> None:
    """Manifests are taken by their path: none of them starts the module that it stands in."""
    file = tmp_path / "part.kbz"
    file.write_bytes(packed())
    code = (
        "import sys, pathlib; from kbwork.modules.imports.sources import reader;"
        " print(reader.read('kbz', pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1] + '.out'), {}).get('refused'));"
        " print(*sorted({name.split('.')[2] for name in sys.modules if name.startswith('kbwork.modules.')}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.split() == ["None", "attachments", "imports"]


def test_a_project_is_archived_with_the_number_from_which_it_goes_on() -> None:
    """The manifest says it in words of its own, which are those of the module."""
    assert f" {LAST_NUMBER} as numbers " in manifest.lines()["projects.jsonl"].line.once


def test_the_manual_names_every_member_of_every_line() -> None:
    manual = _manual().partition("## Lines")[2].partition("## What of")[0]
    said = set(re.findall(r"`([a-z0-9_]+)`", manual))
    as_answered = set(re.findall(r"`([a-z_]+)` \(as `", manual))
    for line in manifest.lines().values():
        named = [name for name in line.members if name not in line.line.optional]
        assert {part for name in named for part in name.split(".")} <= said, line.line.file
        for declared in line.lists.values():
            if not declared.bare and declared.name not in as_answered:
                assert set(declared.columns) <= said, declared.name


def test_the_manual_says_of_every_table_that_names_a_project_whether_it_is_carried() -> None:
    schema = (Path(kbwork.__file__).parent / "db" / "schema.sql").read_text()
    said = set(re.findall(r"`([a-z_]+)`", _manual().partition("## What of the data file")[2]))
    naming = r"references (?:project|issue|comment|label|component|field|lane|workflow|issue_type|attachment|blob) "
    for table, columns in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\)", schema, re.DOTALL):
        owned = re.search(naming, columns) or re.search(
            r"^  (project|issue|comment|subject) ", columns, re.MULTILINE
        )
        if owned and table not in ("upload", "views"):
            assert table in said, table
    carried = {one.table for line in manifest.lines().values() for one in line.lists.values()}
    assert carried <= said


def _manual() -> str:
    return (Path(kbwork.__file__).parent / "docs" / "kbz.md").read_text()
