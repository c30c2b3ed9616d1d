"""Reading a source in this process, with everything that came of it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from kbwork.modules.imports import records
from kbwork.modules.imports.sources import reader
from kbwork.modules.imports.sources.reader import ReaderOptions

TYPES: dict[str, Any] = {
    "project": records.ProjectRecord,
    "label": records.LabelRecord,
    "component": records.ComponentRecord,
    "person": records.PersonRecord,
    "issue": records.IssueRecord,
    "comment": records.CommentRecord,
    "relation": records.RelationRecord,
    "attachment": records.AttachmentRecord,
    "past": records.PastRecord,
}


@dataclass
class Read:
    """What a source gave; `refused` is the one line where it gave nothing."""

    refused: str | None
    found: dict[str, Any]
    losses: list[str]
    records: list[dict[str, Any]]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [record for record in self.records if record["kind"] == kind]

    def one(self, kind: str, id: str) -> dict[str, Any]:
        [found] = [record for record in self.of(kind) if record["id"] == id]
        return found


def ask(source: str, file: Path, **options: Any) -> Read:
    """Read `file` in this process."""
    out = file.with_name("out.jsonl")
    return taken(file, cast(dict[str, Any], reader.read(source, file, out, cast(ReaderOptions, options))))


def ask_apart(source: str, file: Path, **options: Any) -> Read:
    """Read `file` as the server has it read: in a process of its own, where a database may be opened."""
    run = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "kbwork.modules.imports.sources.reader"),
            *(source, str(file), str(file.with_name("out.jsonl")), "-"),
        ],
        input=json.dumps(options).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    return taken(file, json.loads(run.stdout))


def database(file: Path, *statements: str) -> Path:
    """A SQLite file, made in another process: this one may serve a data file."""
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.stdin.read()); c.commit()"
    )
    run = [sys.executable, "-c", code, str(file)]
    subprocess.run(run, input=";\n".join(statements).encode(), check=True, timeout=60)
    return file


def taken(file: Path, answer: dict[str, Any]) -> Read:
    """What an answer is worth: records or one line, and nothing beside them."""
    out = file.with_name("out.jsonl")
    left = sorted(path.name for path in file.parent.glob("out.jsonl*"))
    if "refused" in answer:
        assert left == []
        assert answer["refused"].isprintable()
        return Read(answer["refused"], {}, [], [])
    assert left == ["out.jsonl"]
    assert all(loss.isprintable() for loss in answer["losses"])
    found = [cast(dict[str, Any], record) for _, record in records.read(out)]
    out.unlink()
    _check(found)
    return Read(None, answer["found"], answer["losses"], found)


def _check(found: list[dict[str, Any]]) -> None:
    """The promises of kbwork.modules.imports.records."""
    kinds = [records.ORDER.index(record["kind"]) for record in found]
    assert kinds == sorted(kinds)
    ids: dict[str, set[str]] = {kind: set() for kind in records.ORDER}
    named = {(r["kind"], r.get("project"), r["name"]) for r in found if r["kind"] in {"label", "component"}}
    for record in found:
        shape = TYPES[record["kind"]]
        own = [name for name in shape.__annotations__ if name in record or name in shape.__required_keys__]
        lists = [name for name in record if name not in own] if record["kind"] == "past" else []
        assert list(record) == own + lists
        assert "\\u0000" not in json.dumps(record)
        kind = record["kind"]
        if kind == "relation":
            assert {record["from"], record["to"]} <= ids["issue"]
            continue
        assert record["id"] not in ids[kind]
        if kind == "issue":
            assert record["project"] in ids["project"]
            assert {who for who in (record["author"], *record["assignees"]) if who} <= ids["person"]
            assert record["parent"] is None or record["parent"] in ids["issue"]
            for name in record["labels"]:
                assert ("label", record["project"], name) in named
            for name in record["components"]:
                assert ("component", record["project"], name) in named
        if kind == "comment":
            assert record["issue"] in ids["issue"]
            assert record["parent"] is None or record["parent"] in ids["comment"]
        ids[kind].add(record["id"])
