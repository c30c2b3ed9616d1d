"""A small kbz file, whole, to be broken in tests."""

import hashlib
import io
import json
import zipfile
from typing import Any

from kbwork.modules.imports.kbz import manifest as archive
from kbwork.modules.imports.kbz.manifest import FILES, MANIFEST

AT = 1_600_000_000
FORMAT = 1
"""Of these lines: they have no lists that later formats brought."""
BYTES = b"hello, world"
SUM = hashlib.sha256(BYTES).hexdigest()
ORG = "0123456789ab"
Lines = dict[str, list[dict[str, Any]]]


def lines() -> Lines:
    """One project of an issue with a comment and a file."""
    ana = {"id": "Ana", "name": "Ana", "known": "m_ana", "handle": "ana", "email": "ana@acme.example"}
    lane = {
        "key": "todo",
        "name": "To do",
        "category": "todo",
        "color": "#6b7280",
        "outcome": None,
        "wip": None,
        "stops_sla": False,
        "description": "",
    }
    project = {
        "key": "WEB",
        "name": "Web",
        "description": "",
        "kind": "software",
        "icon": None,
        "color": None,
        "lead": "Ana",
        "visibility": "org",
        "modules": {},
        "default_type": "task",
        "default_assignee": "none",
        "workflow": "Standard",
        "budget": None,
        "start_date": None,
        "due_date": None,
        "labels": [],
        "triage": False,
        "reporters_see": "own",
        "blockers": "warn",
        "auto_archive_days": None,
        "auto_close_days": None,
        "numbers": 1,
        "archived_at": None,
        "created_at": AT,
        "former_keys": [],
        "types": [{"type": "task", "workflow": None}],
        "members": [{"who": "Ana", "role": "lead"}],
        "statuses": [],
        "layouts": [],
        "templates": [],
        "views": [],
        "words": {"lanes": [lane], "types": [], "fields": [], "workflows": [], "relation_kinds": []},
    }
    issue: dict[str, Any] = {
        "project": "WEB",
        "number": 1,
        "type": "task",
        "title": "One",
        "body": "",
        "reporter": "Ana",
        "lane": "todo",
        "outcome": None,
        "priority": "none",
        "assignees": [],
        "labels": ["bug"],
        "components": [],
        "parent": None,
        "estimate": None,
        "start_date": None,
        "due_date": None,
        "created_at": AT,
        "updated_at": AT,
        "done_at": None,
        "source": None,
        "values": {},
        "body_doc": None,
        "created_by": "Ana",
        "level": None,
        "locked": False,
        "lock_reason": None,
        "rank": "i1",
        "external": None,
        "status_at": AT,
        "started_at": None,
        "archived_at": None,
        **{name: [] for name in ("held", "watchers", "votes", "revisions", "checks", "links", "assets")},
        **{name: [] for name in ("former_numbers", "spans", "history")},
    }
    comment = {
        "id": 7,
        "issue": "WEB#1",
        "parent": None,
        "author": "Ana",
        "body": "Me too",
        "created_at": AT,
        "internal": False,
        "body_doc": None,
        "edited_at": None,
        "anchor": None,
        "resolved_at": None,
        "resolved_by": None,
        "stub": False,
        "deleted_at": None,
        "external": None,
        "reactions": [],
    }
    file = {
        "id": "a_1",
        "project": "WEB",
        "issue": "WEB#1",
        "comment": None,
        "name": "a.txt",
        "content_type": "text/plain",
        "size": len(BYTES),
        "sha256": SUM,
        "there": True,
        "text": None,
        "created_at": AT,
        "created_by": "Ana",
    }
    label = {
        "project": "WEB",
        "name": "bug",
        "color": "#aa0011",
        "description": "",
        "family": None,
        "shared": False,
    }
    found: Lines = {name: [] for name in archive.lines()}
    found["people.jsonl"], found["projects.jsonl"], found["labels.jsonl"] = [ana], [project], [label]
    found["issues.jsonl"], found["comments.jsonl"], found["attachments.jsonl"] = [issue], [comment], [file]
    return found


def packed(held: Lines | None = None, files: dict[str, bytes] | None = None, **manifest: Any) -> bytes:
    """The file of some lines, with a manifest that fits them but for what is given."""
    held = lines() if held is None else held
    files = {f"{FILES}{SUM}": BYTES} if files is None else files
    members = {
        name: b"".join(json.dumps(line).encode() + b"\n" for line in some) for name, some in held.items()
    }
    said = {
        "format": FORMAT,
        "program": "kbwork",
        "holds": "projects",
        "version": "0",
        "org": ORG,
        "at": AT,
        "projects": ["WEB"],
        "parts": {
            name: {
                "bytes": len(text),
                "rows": len(held[name]),
                "sha256": hashlib.sha256(text).hexdigest(),
            }
            for name, text in members.items()
        },
        "counts": {name.removesuffix(".jsonl"): len(some) for name, some in held.items()}
        | {"files": len(files)},
    } | manifest
    return zipped({**members, **files, MANIFEST: json.dumps(said).encode()})


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()
