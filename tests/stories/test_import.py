"""A real project comes in, and people, programs and agents work with it by every door."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.settings import LimitSettings, Settings
from tests.conftest import NOW, Person, World, at_work, serving
from tests.github_archive import REAL
from tests.servers import SharedServer

ISSUE_FIELDS = ("key", "type", "reporter", "category", "outcome", "created_at", "updated_at", "done_at")


@pytest.fixture(scope="module")
def archive(github_archive: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(github_archive.read_bytes())
    return found


def run(world: World, *command: str, who: str = "ana") -> "subprocess.CompletedProcess[str]":
    """A `kbwork` command as somebody."""
    key_file = world.folder.parent / f"{who}.key"
    key_file.write_text(world.people[who].key)
    return subprocess.run(
        [sys.executable, "-m", "kbwork", *command, "--url", world.url, "--key-file", str(key_file)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env=os.environ | {"NO_COLOR": "1"},
    )


def said(archive: dict[str, Any]) -> int:
    """Comments, reviews, and what reviews say about lines."""
    reviews = [review for pull in archive["pulls"] for review in pull["reviews"]]
    items = archive["issues"] + archive["pulls"] + reviews
    return len(reviews) + sum(len(item["comments"]) for item in items)


def _reviews(item: dict[str, Any]) -> dict[str, Any]:
    return {"pulls": [{"comments": [], "reviews": item.get("reviews", [])}]}


def seconds(text: str) -> int:
    from datetime import datetime

    return int(datetime.fromisoformat(text).timestamp())


@pytest.fixture(scope="module")
def brought_template(
    template: tuple[Path, dict[str, Person]],
    archive: dict[str, Any],
    github_archive: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[str, Person]]:
    """A data folder that the archive was brought into, to be copied for each test."""
    folder = tmp_path_factory.mktemp("brought") / "data"
    shutil.copytree(template[0], folder)
    world = World(folder, FixedClock(NOW), template[1])
    with serving(world, Settings(limits=LimitSettings(enabled=False))):
        found = run(world, "import", str(github_archive), "--project", "TLS", "--format", "github-archive")
    assert found.returncode == 0, found.stderr
    issues, pulls = len(archive["issues"]), len(archive["pulls"])
    comments = said(archive)
    if github_archive == REAL:
        assert (issues, pulls, comments) == (250, 392, 1993 + 1457 + 1552)
    assert found.stdout.startswith(
        f"TLS: {issues} issues, {pulls} pull requests and {comments} comments brought in; 0 "
    )
    return folder, template[1]


@pytest.fixture
def brought(
    brought_template: tuple[Path, dict[str, Person]],
    tmp_path: Path,
    clock: FixedClock,
    settings: Settings,
    shared_server: SharedServer,
) -> Iterator[World]:
    with at_work(brought_template, tmp_path / "data", clock, settings, shared_server) as world:
        yield world


def test_every_issue_comes_with_its_number_author_labels_state_and_times(
    brought: World, archive: dict[str, Any]
) -> None:
    ana = brought.key("ana")
    rows = {row["key"]: row for row in ana.every("issues.list", project="TLS", limit=200)}
    assert len(rows) == len(archive["issues"]) + len(archive["pulls"])
    assert sum(row["counts"]["comments"] for row in rows.values()) == said(archive)
    outcomes = {"OPEN": None, "MERGED": "completed"}
    for kind, items in (("task", archive["issues"]), ("pull-request", archive["pulls"])):
        for item in items:
            row = rows[f"TLS-{item['number']}"]
            closed = "completed" if kind == "task" else "cancelled"
            wanted = (
                f"TLS-{item['number']}",
                kind,
                item["author"],
                "todo" if item["state"] == "OPEN" else "done",
                outcomes.get(item["state"], closed),
                seconds(item["createdAt"]),
                seconds(item["updatedAt"]),
                seconds(item["closedAt"]) if item["closedAt"] else None,
            )
            assert tuple(row[field] for field in ISSUE_FIELDS) == wanted
            assert sorted(row["labels"]) == sorted(item["labels"], key=str)
            assert row["title"] == " ".join(item["title"].split())
            assert row["counts"]["comments"] == said({"issues": [item], "pulls": []} | _reviews(item))


def test_comments_keep_author_time_and_text(brought: World, archive: dict[str, Any]) -> None:
    item = max(archive["issues"], key=lambda issue: len(issue["comments"]))
    comments = brought.key("ana").comments.list(subject=f"issue:TLS-{item['number']}")
    wanted = [
        (c["author"], seconds(c["createdAt"]), c["body"].replace("\r\n", "\n")) for c in item["comments"]
    ]
    assert [(c["author"], c["created_at"], c["body"]) for c in comments] == sorted(
        wanted, key=lambda row: row[1]
    )


def test_a_second_run_adds_nothing(brought: World, archive: dict[str, Any], github_archive: Path) -> None:
    seq = brought.database.seq
    again = run(brought, "import", str(github_archive), "--project", "TLS")
    there = len(archive["issues"]) + len(archive["pulls"]) + said(archive)
    assert again.stdout.startswith(f"TLS: 0 issues, 0 pull requests and 0 comments brought in; {there} ")
    kinds = [kind for kind, _ in brought.events_since(seq)]
    assert kinds == ["import.started", "import.finished", "job.finished"]


def test_it_is_one_event_for_each_issue_and_comment(brought: World, archive: dict[str, Any]) -> None:
    kinds: dict[str, int] = {}
    for event in brought.key("ana").changes(follow=False):
        if event["payload"].get("import") == 1:
            kinds[event["kind"]] = kinds.get(event["kind"], 0) + 1
    assert kinds == {
        "project.created": 1,
        "type.saved": 2,
        "label.saved": len(archive["labels"]),
        "issue.created": len(archive["issues"]) + len(archive["pulls"]),
        "comment.created": said(archive),
    }


def test_the_same_issue_is_read_and_changed_by_every_door(brought: World) -> None:
    """REST by the client, the command line, and MCP as an agent sees it, each hearing of the others."""
    ana = brought.key("ana")
    seq = brought.database.seq
    ana.issues.update(key="TLS-5", priority="high")
    moved = run(brought, "issues", "transition", "--key", "TLS-5", "--to-status", "in_review", "-o", "json")
    assert json.loads(moved.stdout)["lane"] == "in_review"
    answer = asyncio.run(_by_mcp(brought))
    assert (answer["lane"], answer["priority"]) == ("in_review", "high")
    events = [(event["kind"], event["actor_kind"]) for event in ana.changes(since=seq, follow=False)]
    assert events == [
        ("issue.updated", "key"),
        ("issue.updated", "key"),
        ("issue.transitioned", "key"),
        ("comment.created", "key"),
    ]


async def _by_mcp(world: World) -> dict[str, Any]:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {world.people['ana'].key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{world.url}/mcp", http_client=http)) as client,
    ):
        await client.call_tool("comments_create", {"subject": "issue:TLS-5", "body": "Looked at by an agent"})
        found = await client.call_tool("issues_get", {"key": "TLS-5"})
        answer: dict[str, Any] = found.structured_content or {}
        return answer


def test_a_second_member_sees_what_they_may_and_no_more(brought: World) -> None:
    cy = brought.key("cy")
    seq = brought.database.seq
    private = brought.key("ana").issues.create(project="TLS", title="Between the leads", level="private")[
        "key"
    ]
    assert cy.issues.get(key="TLS-5")["can"] == {"edit": True, "comment": True, "move": True, "delete": False}
    for client, refused in ((cy, [private]), (brought.key("gus"), [private, "TLS-5"])):
        for key in refused:
            with pytest.raises(KbworkProblem) as refusal:
                client.issues.get(key=key)
            assert refusal.value.slug == "not-found"
        assert list(client.changes(since=seq, follow=False)) == []
    heard = [event["kind"] for event in brought.key("ana").changes(since=seq, follow=False)]
    assert heard == ["issue.created"]


def test_the_stream_tells_what_the_feed_tells(brought: World) -> None:
    ana = brought.key("ana")
    seq = brought.database.seq
    ana.issues.assign(key="TLS-5", assignees=["@cy"])
    ana.labels.save(name="seen by all")
    feed = list(ana.changes(since=seq, follow=False))
    with closing(ana.stream(since=seq)) as stream:
        assert list(islice(stream, len(feed))) == feed


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "is empty"),
        ("{]", "JSON"),
        (
            '{"magic": "E!vIA5L86J2I", "repo": "x", "labels": [], "issues": [{}], "pulls": []}',
            "issues[0]",
        ),
        (
            '{"magic": "E!vIA5L86J2I", "repo": "x", "labels": {}, "issues": [], "pulls": []}',
            "labels",
        ),
    ],
)
def test_a_file_that_is_no_archive_is_one_clear_line(
    world: World, tmp_path: Path, text: str, place: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    seq = world.database.seq
    found = run(world, "import", str(file), "--project", "BAD")
    assert (found.returncode, found.stdout, len(found.stderr.strip().splitlines())) == (2, "", 1)
    assert place in found.stderr
    assert world.database.seq == seq


def test_a_key_that_may_not_import_is_told_before_anything_is_made(
    world: World, github_archive: Path
) -> None:
    seq = world.database.seq
    found = run(world, "import", str(github_archive), "--project", "NEW", who="cy")
    assert (found.returncode, len(found.stderr.strip().splitlines())) == (1, 1)
    assert "scope admin" in found.stderr
    assert world.database.seq == seq
