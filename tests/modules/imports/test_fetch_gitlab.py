"""Projects of GitLab that are fetched; what is the same for every service is tested with GitHub."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest

from kbwork.core.jobs.queue import LEASE_S
from kbwork.modules.imports.fetch import page_content, service
from kbwork.modules.imports.fetch.gitlab import GitLab
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.conftest import NOW, World
from tests.gitlab_server import AT, PATH, TOKEN, Answer, GitLabServer, note, thread, user
from tests.modules.calls import call, eventually, refused
from tests.modules.imports.fetching import cut, files, hidden, left_at, secret, waiting, why_failed
from tests.modules.imports.github_archives import ended, ran, undone

EVERY = [
    "",
    "labels",
    "milestones",
    "issues",
    "issues/1/discussions",
    "issues/1/links",
    "issues/2/discussions",
    "issues/2/discussions?page=2",
    "issues/2/links",
    "issues?page=2",
    "issues/3/links",
    "merge_requests",
    "merge_requests/1/discussions",
]


@pytest.fixture
def far() -> Iterator[GitLabServer]:
    made = GitLabServer()
    fill(made)
    yield made
    made.close()


def fill(made: GitLabServer) -> None:
    made.issue(
        1,
        thread(note(10, "Me too"), note(11, "Fixed?")),
        thread(note(12, "changed title", system=True), alone=True),
        labels=["bug"],
        assignees=[user("di")],
        weight=3,
        due_date="2020-02-02",
    )
    made.issue(
        2,
        thread(note(20, "One"), alone=True),
        thread(note(21, "Two"), alone=True),
        thread(note(22, "Between us", internal=True), alone=True),
        confidential=True,
        author=user("eve"),
    )
    made.issue(3, state="closed", closed_at=AT.format(3))
    made.link(1, 2, "blocks")
    made.merge_request(
        1,
        thread(
            note(30, "A comma", noteable_type="MergeRequest", position={"new_path": "a.py", "new_line": 4})
        ),
        state="merged",
        merged_at=AT.format(4),
    )
    made.lists["labels"] = [
        {"name": "bug", "color": "#d9534f", "description": "It breaks", "is_project_label": True}
    ]


@pytest.fixture
def settings(far: GitLabServer) -> Settings:
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(far.place,)))


def opened(world: World, far: GitLabServer, **more: Any) -> dict[str, Any]:
    asked = {"source": "gitlab", "repository": PATH, "base_url": far.base, "project": "SHOP", "token": TOKEN}
    found: dict[str, Any] = call(world, "ana", "imports.open", **asked | more)
    return found


def failed(world: World, far: GitLabServer, **more: Any) -> str:
    return why_failed(world, opened(world, far, **more))


def brought(world: World, far: GitLabServer) -> dict[str, Any]:
    """Fetched, read and brought in; answers what the run says."""
    found = opened(world, far)
    assert ended(world, found["job"])["state"] == "done"
    call(world, "ana", "imports.probe", id=found["id"])
    return {"import": found["id"]} | ran(world, found["id"])


def test_a_project_of_a_subgroup_comes_in_page_by_page(world: World, far: GitLabServer) -> None:
    seq = world.database.seq
    found = opened(world, far)
    assert (found["state"], found["found"], found["source"]) == ("open", {}, "gitlab")
    job = ended(world, found["job"])
    assert (job["state"], job["message"]) == ("done", "Fetched 3 issues and 1 merge requests")
    size = job["result"].pop("bytes")
    assert job["result"] == {
        "import": found["id"],
        "pages": 12,
        "labels": 1,
        "milestones": 0,
        "issues": 3,
        "discussions": 6,
        "links": 2,
        "merge_requests": 1,
    }
    assert (far.asked, far.tokens) == (EVERY, {TOKEN})
    assert world.events_since(seq) == [("job.finished", f"job:{found['job']}")]
    (name,) = files(world)
    held = (world.folder / "uploads" / name).read_bytes()
    assert (size, json.loads(held)[0]["project"]["path_with_namespace"]) == (len(held), PATH)
    assert b"canary" not in held
    probed = call(world, "ana", "imports.probe", id=found["id"])
    assert probed["found"]["counts"] == {
        "project": 1,
        "label": 1,
        "component": 0,
        "person": 3,
        "issue": 4,
        "comment": 6,
        "relation": 1,
        "attachment": 0,
    }
    assert ran(world, found["id"])["made"]["issues"] == 4


def test_what_came_says_what_gitlab_said(world: World, far: GitLabServer) -> None:
    assert brought(world, far)["errors"] == 0
    first = call(world, "ana", "issues.get", key="SHOP-1")
    assert {
        name: first[name]
        for name in ("title", "labels", "assignees", "estimate", "due_date", "level", "external")
    } == {
        "title": "Issue 1",
        "labels": ["bug"],
        "assignees": [world.people["di"].id],
        "estimate": 3,
        "due_date": "2020-02-02",
        "level": None,
        "external": f"gitlab:{PATH}#1",
    }
    assert first["reporter"] == world.people["cy"].id
    said = call(world, "ana", "comments.list", subject="SHOP-1")
    assert [(one["body"], one["parent"] is None) for one in said] == [("Me too", True), ("Fixed?", False)]
    merged = call(world, "ana", "issues.get", key="SHOP-4")
    assert (merged["external"], merged["type"], merged["outcome"]) == (
        f"gitlab:{PATH}!1",
        "pull-request",
        "completed",
    )
    (line,) = call(world, "ana", "comments.list", subject="SHOP-4")
    assert line["body"] == "`a.py`, line 4:\n\nA comma"
    (link,) = call(world, "ana", "issues.get", key="SHOP-1", with_=["relations"])["relations"]
    assert (link["kind"], link["issue"]["key"]) == ("blocks", "SHOP-2")


def test_a_confidential_issue_is_private_and_an_internal_note_internal(
    world: World, far: GitLabServer
) -> None:
    brought(world, far)
    assert call(world, "ana", "issues.get", key="SHOP-2")["level"] == "private"
    with refused("not-found"):
        call(world, "cy", "issues.get", key="SHOP-2")
    assert call(world, "cy", "issues.get", key="SHOP-1")["key"] == "SHOP-1"
    said = call(world, "ana", "comments.list", subject="SHOP-2")
    assert [(one["body"], one["internal"]) for one in said] == [
        ("One", False),
        ("Two", False),
        ("Between us", True),
    ]


def test_a_second_import_follows_what_became_confidential(world: World, far: GitLabServer) -> None:
    first = brought(world, far)
    same = brought(world, far)
    assert (same["made"]["issues"], same["changed"], same["kept"]) == (0, 0, 0)
    one, two, three = far.lists["issues"]
    one["confidential"], two["confidential"] = True, False
    call(world, "ana", "issues.level_set", key="SHOP-3", level="public")
    three["confidential"] = True
    seq = world.database.seq
    again = brought(world, far)
    assert (again["changed"], again["kept"]) == (2, 1)
    levels = [call(world, "ana", "issues.get", key=f"SHOP-{number}")["level"] for number in (1, 2, 3)]
    assert levels == ["private", None, "public"]
    assert call(world, "cy", "issues.get", key="SHOP-2")["level"] is None
    told = [kind for kind, subject in world.events_since(seq) if subject.startswith("issue:")]
    assert sorted(told) == ["issue.level_changed"] * 2 + ["issue.updated"] * 2
    undone(world, first["import"])


def test_a_private_project_needs_a_token_which_lies_nowhere_in_clear(
    world: World, far: GitLabServer, caplog: pytest.LogCaptureFixture
) -> None:
    far.private = True
    assert "where it is private, give a token" in failed(world, far, token=None)
    far.held["milestones"] = threading.Event()
    found = opened(world, far)
    eventually(lambda: "milestones" in far.asked)
    assert secret(world, found["id"]) is not None
    hidden(world, found, TOKEN)
    far.held["milestones"].set()
    assert ended(world, found["job"])["state"] == "done"
    assert secret(world, found["id"]) is None
    hidden(world, found, TOKEN)
    assert TOKEN not in caplog.text


def test_comments_are_shown_to_whoever_signs_in_alone(world: World, far: GitLabServer) -> None:
    said = failed(world, far, token=None)
    assert said.startswith("GitLab shows comments and links to whoever signs in alone (401): open the import")
    assert far.tokens == {None}
    refused_token = failed(world, far, token="glpat-other")
    assert refused_token.startswith("GitLab does not take the token (401): open the import anew")
    assert "glpat-other" not in refused_token


@pytest.mark.parametrize("at", ["issues/2/discussions?page=2", "issues?page=2"])
def test_a_server_that_was_stopped_goes_on_behind_the_last_page(
    world: World, far: GitLabServer, at: str
) -> None:
    far.held[at] = threading.Event()
    found = opened(world, far)
    eventually(lambda: at in far.asked)
    cut(world)
    (name,) = files(world)
    with (world.folder / "uploads" / name).open("ab") as file:
        file.write(b',\n{"issue":2,"disc')
    far.held.pop(at).set()
    world.advance(LEASE_S + 1)
    assert ended(world, found["job"])["state"] == "done"
    place = EVERY.index(at)
    assert far.asked == EVERY[: place + 1] + EVERY[place:]
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["comment"] == 6


def test_where_the_file_is_gone_it_begins_anew(world: World, far: GitLabServer) -> None:
    far.held["issues/2/links"] = threading.Event()
    found = opened(world, far)
    eventually(lambda: "issues/2/links" in far.asked)
    cut(world)
    (name,) = files(world)
    (world.folder / "uploads" / name).unlink()
    far.held.pop("issues/2/links").set()
    world.advance(LEASE_S + 1)
    job = ended(world, found["job"])
    assert (job["state"], job["result"]["pages"], job["result"]["issues"]) == ("done", 12, 3)
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["comment"] == 6


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        (Answer(429, {"Retry-After": "30"}), 30),
        (Answer(429, {"RateLimit-Remaining": "0", "RateLimit-Reset": str(NOW + 99)}), 100),
        (Answer(429), 60),
        (Answer(429, {"RateLimit-Remaining": "0", "RateLimit-Reset": "9" * 30}), 7200),
    ],
)
def test_a_limit_of_calls_is_waited_for(world: World, far: GitLabServer, answer: Answer, wait: int) -> None:
    far.instead["issues/1/links"] = [answer]
    found = opened(world, far)
    eventually(lambda: waiting(world, found["job"]))
    at = world.database.write_now(
        lambda tx: tx.value("select run_at from job where id = :id", id=found["job"])
    )
    assert at == NOW + wait
    shown = waiting(world, found["job"])
    assert shown is not None
    assert shown["message"].startswith("GitLab's limit of calls is used up: goes on at ")
    world.advance(wait - 1)
    assert far.asked == EVERY[:6]
    world.advance(1)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == EVERY[:6] + EVERY[5:]


def test_an_old_gitlab_is_asked_for_pages_by_number(world: World, far: GitLabServer) -> None:
    far.old = True
    found = opened(world, far)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == EVERY[:4] + EVERY[3:]


@pytest.mark.parametrize("status", [403, 404])
def test_what_is_switched_off_is_left_out_and_told(world: World, far: GitLabServer, status: int) -> None:
    far.instead["merge_requests"] = [Answer(status)]
    far.instead["milestones"] = [Answer(status)]
    found = opened(world, far)
    assert ended(world, found["job"])["state"] == "done"
    lines = call(world, "ana", "imports.log", id=found["id"], level="warning")["items"]
    assert [line["message"].partition(":")[0] for line in lines] == [
        f"The milestones are not shown ({status}) and left out",
        f"The merge requests are not shown ({status}) and left out",
    ]
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["issue"] == 3


def test_an_issue_that_was_deleted_meanwhile_ends_nothing(world: World, far: GitLabServer) -> None:
    far.instead["issues/1/discussions"] = [Answer(404)]
    found = opened(world, far)
    assert ended(world, found["job"])["state"] == "done"
    (line,) = call(world, "ana", "imports.log", id=found["id"], level="warning")["items"]
    assert line["message"] == "#1: its discussions are not there (404): it was deleted meanwhile."
    probed = call(world, "ana", "imports.probe", id=found["id"])
    assert "comments that issues count are not in the file (2, first at [3].issues[0])" in probed["losses"]


@pytest.mark.parametrize(
    ("path", "answer", "says"),
    [
        ("", Answer(404), "There is no project acme/web/shop that may be read (404)"),
        ("", Answer(403), "GitLab does not show acme/web/shop (403)"),
        ("", Answer(302, {"Location": "/elsewhere"}), "acme/web/shop was renamed or moved (302)"),
        ("", Answer(body=b"<html>"), "is not the JSON that GitLab's REST interface answers"),
        ("", Answer(body=b'{"path_with_namespace": 7}'), "is not the JSON that GitLab's REST"),
        ("", Answer(502), "GitLab answered 502. Is the address right?"),
        ("issues", Answer(403), "GitLab does not show acme/web/shop (403)"),
        ("issues/1/links", Answer(403), "GitLab does not show acme/web/shop (403)"),
        ("issues", Answer(422), "GitLab answered 422 for acme/web/shop"),
        (
            "issues/1/discussions",
            Answer(headers={"Link": '<http://169.254.169.254/x>; rel="next"'}, body=b"[]"),
            "The next page is said to be on another server than http://127.0.0.1:",
        ),
    ],
)
def test_a_refusal_ends_it_and_says_how_to_mend_it(
    world: World, far: GitLabServer, path: str, answer: Answer, says: str
) -> None:
    far.instead[path] = [answer]
    assert says in failed(world, far)
    assert far.asked == EVERY[: EVERY.index(path) + 1]


def test_a_page_that_leads_to_itself_ends_it(world: World, far: GitLabServer) -> None:
    place = f"/api/v4/projects/{quote(PATH, safe='')}/issues/1/discussions?per_page=100"
    far.instead["issues/1/discussions"] = [Answer(headers={"Link": f'<{place}>; rel="next"'}, body=b"[]")]
    assert "GitLab says that a page is followed by itself" in failed(world, far)


def test_hostile_pages_are_asked_for_again(
    world: World, far: GitLabServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_content, "MOST_ELEMENTS", 5)
    monkeypatch.setattr(page_content, "HERE_BYTES", 3000)
    odd = json.dumps([{"iid": 0}, {"iid": True}, {"iid": "../x"}, {"iid": 2**40}, 7]).encode()
    faults = [Answer(body=b"[" * 5000), Answer(body=b"[1,1,1,1,1,1]"), Answer(body=odd)]
    far.instead["issues"] = faults
    found = opened(world, far)
    for left in (2, 1):
        eventually(partial(left_at, world, found["job"], faults, left))
        world.advance(100)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == [*EVERY[:4], "issues", "issues", *EVERY[11:]]
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.probe", id=found["id"])
    assert problem.value.detail == "[3].issues[4] should be an object"


def test_what_is_too_large_ends_it(world: World, far: GitLabServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GitLab, "most_pages", 4)
    assert "more than the 4 pages" in failed(world, far)
    monkeypatch.setattr(service, "PAGE_BYTES", 20)
    assert "gave no answer that can be used" in failed(world, far)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"repository": "shop"}, "repository"),
        ({"repository": "acme/../shop"}, "repository"),
        ({"repository": "acme//shop"}, "repository"),
        ({"repository": "acme/shop?x"}, "repository"),
        ({"repository": "acme/shop\r\n"}, "repository"),
        ({"user": "ana"}, "user"),
        ({"base_url": "http://gitlab.example.com"}, "base_url"),
        ({"base_url": "https://a:b@gitlab.example.com"}, "base_url"),
        ({"base_url": "gitlab.example.com"}, "base_url"),
        ({"token": "a\r\nHost: b"}, "token"),
        ({"file": "u_1"}, "file"),
    ],
)
def test_what_cannot_be_fetched_is_refused_at_once(world: World, given: dict[str, Any], path: str) -> None:
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.open", **{"source": "gitlab", "repository": "acme/web/shop"} | given)
    assert problem.value.errors[0]["path"] == path
    assert call(world, "ana", "imports.list") == []
