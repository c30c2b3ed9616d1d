"""Repositories that are fetched: page by page, cut and gone on with, made to wait, refused, and their token."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from kbwork.core.jobs.queue import LEASE_S
from kbwork.modules.imports.fetch import job as job_module
from kbwork.modules.imports.fetch import page_content, service
from kbwork.modules.imports.fetch.github import GitHub
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.conftest import NOW, World
from tests.github_server import AT, TOKEN, Answer, GitHubServer
from tests.modules.calls import call, eventually, refused
from tests.modules.imports.fetching import again, cut, files, hidden, left_at, secret, waiting, why_failed
from tests.modules.imports.github_archives import ended, ran

EVERY = [
    "",
    "issues",
    "issues?page=2",
    "labels",
    "issues/comments",
    "issues/comments?page=2",
    "pulls/comments",
]


@pytest.fixture
def far() -> Iterator[GitHubServer]:
    made = GitHubServer()
    made.issue(1, labels=[{"name": "bug", "color": "d73a4a"}])
    made.issue(2, state="closed", state_reason="not_planned", closed_at=AT.format(2))
    made.issue(3, pull_request={"merged_at": AT.format(2)}, state="closed", closed_at=AT.format(2))
    url = f"{made.base}/repos/acme/shop/labels/bug"
    made.lists["labels"] = [{"name": "bug", "color": "d73a4a", "description": "It breaks", "url": url}]
    yield made
    made.close()


@pytest.fixture
def settings(far: GitHubServer) -> Settings:
    """The far end is on this machine, which the operator has to allow."""
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(far.place,)))


def opened(world: World, far: GitHubServer, **more: Any) -> dict[str, Any]:
    asked = {"source": "github", "repository": "acme/shop", "base_url": far.base, "project": "SHOP"} | more
    found: dict[str, Any] = call(world, "ana", "imports.open", **asked)
    return found


def failed(world: World, far: GitHubServer, **more: Any) -> str:
    return why_failed(world, opened(world, far, **more))


def test_a_repository_comes_in_page_by_page(world: World, far: GitHubServer) -> None:
    seq = world.database.seq
    found = opened(world, far, token=TOKEN)
    assert (found["state"], found["found"], found["source"]) == ("open", {}, "github")
    job = ended(world, found["job"])
    assert (job["state"], job["message"]) == ("done", "Fetched 3 issues and 3 comments")
    size = job["result"].pop("bytes")
    assert job["result"] == {
        "import": found["id"],
        "pages": 6,
        "issues": 3,
        "labels": 1,
        "comments": 3,
        "review_comments": 0,
    }
    (name,) = files(world)
    held = json.loads((world.folder / "uploads" / name).read_bytes())
    assert size == (world.folder / "uploads" / name).stat().st_size
    assert {key: [len(page) for page in pages] for key, pages in held.items()} == {
        "issues": [2, 1],
        "labels": [1],
        "comments": [2, 1],
        "review_comments": [0],
    }
    assert (far.asked, far.tokens) == (EVERY, {f"Bearer {TOKEN}"})
    assert world.events_since(seq) == [("job.finished", f"job:{found['job']}")]
    probed = call(world, "ana", "imports.probe", id=found["id"])
    assert probed["found"]["counts"] == {
        "project": 1,
        "label": 1,
        "component": 0,
        "person": 1,
        "issue": 3,
        "comment": 3,
        "relation": 0,
        "attachment": 0,
    }
    assert ran(world, found["id"])["made"]["issues"] == 3
    first = call(world, "ana", "issues.get", key="SHOP-1")
    assert (first["external"], first["labels"]) == ("github:acme/shop#1", ["bug"])
    again = opened(world, far)
    assert ended(world, again["job"])["state"] == "done"
    call(world, "ana", "imports.probe", id=again["id"])
    assert ran(world, again["id"])["same"] == 6


def test_the_token_lies_nowhere_in_clear_and_goes_when_all_is_fetched(
    world: World, far: GitHubServer, caplog: pytest.LogCaptureFixture
) -> None:
    far.held["labels"] = threading.Event()
    found = opened(world, far, token=TOKEN)
    eventually(lambda: "labels" in far.asked)
    assert secret(world, found["id"]) is not None
    hidden(world, found, TOKEN)
    far.held["labels"].set()
    assert ended(world, found["job"])["state"] == "done"
    assert secret(world, found["id"]) is None
    hidden(world, found, TOKEN)
    assert TOKEN not in caplog.text


def test_a_page_that_fails_is_asked_for_again_and_none_before_it(world: World, far: GitHubServer) -> None:
    faults = [Answer(502), Answer(body=b"<html>"), Answer(body=b"[{}"), Answer(body=b"{}")]
    far.instead["issues?page=2"] = faults
    found = opened(world, far)
    for count in range(4):
        eventually(partial(left_at, world, found["job"], faults, 3 - count))
        world.advance(10 * 2**count)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == EVERY[:2] + ["issues?page=2"] * 4 + EVERY[2:]
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["issue"] == 3


def test_what_fails_again_and_again_fails_for_good(world: World, far: GitHubServer) -> None:
    far.instead["issues"] = faults = [Answer(body=b"no JSON")] * 6
    found = opened(world, far, token=TOKEN)
    for count in range(5):
        eventually(partial(left_at, world, found["job"], faults, 5 - count))
        world.advance(3600)
    job = ended(world, found["job"])
    assert job["state"] == "failed"
    assert "is not the JSON that GitHub's REST interface answers: check that base_url" in job["error"]
    assert (secret(world, found["id"]), files(world)) == (None, [])


def test_a_server_that_was_stopped_goes_on_behind_the_last_page(world: World, far: GitHubServer) -> None:
    """What the step that was cut wrote is cut off."""
    far.held["issues?page=2"] = threading.Event()
    found = opened(world, far)
    eventually(lambda: "issues?page=2" in far.asked)
    cut(world)
    (name,) = files(world)
    with (world.folder / "uploads" / name).open("ab") as file:
        file.write(b',[{"number": 3')
    far.held.pop("issues?page=2").set()
    world.advance(LEASE_S + 1)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == EVERY[:3] + EVERY[2:]
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["issue"] == 3


def test_where_the_file_is_gone_it_begins_anew(world: World, far: GitHubServer) -> None:
    """As in a backup that was put back, which has the job and no uploads."""
    far.held["issues?page=2"] = threading.Event()
    found = opened(world, far)
    eventually(lambda: "issues?page=2" in far.asked)
    cut(world)
    (name,) = files(world)
    (world.folder / "uploads" / name).unlink()
    far.held.pop("issues?page=2").set()
    world.advance(LEASE_S + 1)
    job = ended(world, found["job"])
    assert (job["state"], job["result"]["pages"], job["result"]["issues"]) == ("done", 6, 3)
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["comment"] == 3


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        (Answer(403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(NOW + 99)}), 100),
        (Answer(429, {"Retry-After": "30"}), 30),
        (Answer(429), 60),
        (Answer(403, body=b'{"message": "You have exceeded a secondary rate limit."}'), 60),
        (Answer(403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 30}), 7200),
    ],
)
def test_a_limit_of_calls_is_waited_for(world: World, far: GitHubServer, answer: Answer, wait: int) -> None:
    far.instead["issues?page=2"] = [answer]
    found = opened(world, far)
    eventually(lambda: waiting(world, found["job"]))
    at = world.database.write_now(
        lambda tx: tx.value("select run_at from job where id = :id", id=found["job"])
    )
    assert at == NOW + wait
    shown = waiting(world, found["job"])
    assert shown is not None
    assert shown["message"].startswith("GitHub's limit of calls is used up: goes on at ")
    with refused("conflict"):
        call(world, "ana", "imports.probe", id=found["id"])
    world.advance(wait - 1)
    assert far.asked == EVERY[:3]
    world.advance(1)
    assert ended(world, found["job"])["state"] == "done"
    assert far.asked == EVERY[:3] + EVERY[2:]


def test_one_that_is_cancelled_asks_no_more_and_keeps_nothing(world: World, far: GitHubServer) -> None:
    far.held["issues?page=2"] = threading.Event()
    found = opened(world, far, token=TOKEN)
    eventually(lambda: "issues?page=2" in far.asked)
    with refused("conflict") as problem:
        opened(world, far)
    assert "is being fetched" in problem.value.detail
    stopped = call(world, "ana", "imports.cancel", id=found["id"])
    assert (stopped["state"], secret(world, found["id"]), files(world)) == ("cancelled", None, [])
    far.held["issues?page=2"].set()
    other = opened(world, far)
    assert ended(world, other["job"])["state"] == "done"
    assert far.asked == EVERY[:3] + EVERY
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "cancelled"


def test_one_whose_job_alone_was_stopped_loses_its_token(world: World, far: GitHubServer) -> None:
    far.instead["issues"] = [Answer(429)]
    found = opened(world, far, token=TOKEN)
    eventually(lambda: waiting(world, found["job"]))
    call(world, "ana", "jobs.cancel", id=found["job"])
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "cancelled"
    world.advance(600)
    eventually(lambda: secret(world, found["id"]) is None)


@pytest.mark.parametrize(
    ("path", "answer", "says"),
    [
        ("", Answer(404), "There is no repository acme/shop that may be read (404)"),
        ("", Answer(403), "GitHub does not show acme/shop (403)"),
        ("", Answer(301, {"Location": "/elsewhere"}), "acme/shop was renamed or moved (301)"),
        ("", Answer(body=b"<html>"), "is not the JSON that GitHub's REST interface answers"),
        ("", Answer(502), "GitHub answered 502. Is the address right?"),
        ("issues", Answer(410), "The issues of acme/shop are switched off"),
        ("issues", Answer(422), "GitHub answered 422 for acme/shop"),
        (
            "issues",
            Answer(headers={"Link": '<http://169.254.169.254/x>; rel="next"'}, body=b"[]"),
            "The next page is said to be on another server than http://127.0.0.1:",
        ),
    ],
)
def test_a_refusal_ends_it_and_says_how_to_mend_it(
    world: World, far: GitHubServer, path: str, answer: Answer, says: str
) -> None:
    far.instead[path] = [answer]
    assert says in failed(world, far)
    assert far.asked == EVERY[: 1 + (path == "issues")]


def test_a_token_that_is_not_taken_is_said_and_not_shown(world: World, far: GitHubServer) -> None:
    said = failed(world, far, token="ghp_other")
    assert said.startswith("GitHub does not take the token (401): open the import anew")
    assert "ghp_other" not in said
    far.private = True
    assert "where it is private, give a token" in failed(world, far)


def test_a_large_page_is_counted_apart(
    world: World, far: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_content, "HERE_BYTES", 200)
    far.instead["labels"] = [Answer(body=b"[" + b"{}," * 200)]
    found = opened(world, far)
    eventually(lambda: again(world, found["job"]))
    world.advance(10)
    job = ended(world, found["job"])
    assert (job["state"], job["result"]["issues"], job["result"]["labels"]) == ("done", 3, 1)


def test_a_page_that_is_too_large_ends_it(
    world: World, far: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PAGE_BYTES", 20)
    assert "gave no answer that can be used" in failed(world, far)


def test_a_repository_that_is_too_large_ends_it(
    world: World, far: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GitHub, "most_pages", 2)
    assert "more than the 2 pages" in failed(world, far)
    monkeypatch.setattr(GitHub, "most_pages", 20)
    monkeypatch.setattr(job_module, "MOST_BYTES", 1000)
    assert "or 1,000 bytes that are fetched" in failed(world, far)


def test_one_who_is_no_admin_any_more_fetches_no_more(world: World, far: GitHubServer) -> None:
    far.instead["issues"] = [Answer(429)]
    found = opened(world, far, token=TOKEN)
    eventually(lambda: waiting(world, found["job"]))
    world.database.write_now(
        lambda tx: tx.execute("update member set role = 'member' where id = :id", id=world.people["ana"].id)
    )
    world.advance(60)
    eventually(lambda: secret(world, found["id"]) is None)
    assert far.asked == EVERY[:2]


def test_without_what_it_is_fetched_with_it_fails(world: World, far: GitHubServer) -> None:
    far.instead["issues"] = [Answer(429)]
    found = opened(world, far)
    eventually(lambda: waiting(world, found["job"]))
    world.database.write_now(lambda tx: tx.execute("update import set secret = null"))
    world.advance(60)
    job = ended(world, found["job"])
    assert (job["state"], job["error"][:19]) == ("failed", "There is no upload ")
    assert call(world, "ana", "imports.get", id=found["id"])["state"] == "failed"


class TestWithoutAnException:
    """The operator allowed nothing."""

    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(limits=LimitSettings(enabled=False))

    def test_a_private_address_is_not_asked(self, world: World, far: GitHubServer) -> None:
        assert "Private networks are refused. Is the address right? It should be a public" in failed(
            world, far
        )
        port = far.place.partition(":")[2]
        assert "listed as host:port under allow of [outbound]" in failed(
            world, far, base_url=f"http://localhost:{port}/api/v3"
        )
        assert far.asked == []


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"repository": "shop"}, "repository"),
        ({"repository": "acme/.."}, "repository"),
        ({"repository": "acme/shop/../x"}, "repository"),
        ({"repository": "acme/shop?x"}, "repository"),
        ({"source": "csv"}, "repository"),
        ({"user": "ana"}, "user"),
        ({"base_url": "http://example.com"}, "base_url"),
        ({"base_url": "https://github.com/"}, "base_url"),
        ({"base_url": "https://a:b@example.com"}, "base_url"),
        ({"base_url": "https://example.com/?x=1"}, "base_url"),
        ({"base_url": "https://[example.com"}, "base_url"),
        ({"base_url": "example.com"}, "base_url"),
        ({"token": "a\r\nHost: b"}, "token"),
        ({"token": "töken"}, "token"),
        ({"file": "u_1"}, "file"),
    ],
)
def test_what_cannot_be_fetched_is_refused_at_once(world: World, given: dict[str, Any], path: str) -> None:
    with refused("invalid-input") as problem:
        call(world, "ana", "imports.open", **{"source": "github", "repository": "acme/shop"} | given)
    assert problem.value.errors[0]["path"] == path
    assert call(world, "ana", "imports.list") == []


def fetched(world: World, far: GitHubServer, **more: Any) -> bytes:
    """What a fetch brings, as it lies in its upload; what was asked for before is forgotten."""
    far.asked.clear()
    far.unchanged.clear()
    before = files(world)
    assert ended(world, opened(world, far, **more)["job"])["state"] == "done"
    (name,) = [one for one in files(world) if one not in before]
    return (world.folder / "uploads" / name).read_bytes()


def test_what_did_not_change_is_not_sent_again(world: World, far: GitHubServer) -> None:
    """The last page of a list is: nothing it holds says that another came behind it."""
    first = fetched(world, far)
    assert far.unchanged == []
    assert fetched(world, far) == first
    assert (far.unchanged, far.asked) == (["issues", "issues/comments"], EVERY)
    far.issue(4)
    far.issue(5)
    held = json.loads(fetched(world, far))
    assert far.unchanged == ["issues", "issues/comments"]
    assert [one["number"] for page in held["issues"] for one in page] == [1, 2, 3, 4, 5]
    far.lists["issues"][0]["title"] = "Another"
    held = json.loads(fetched(world, far))
    assert far.unchanged == ["issues?page=2", "issues/comments", "issues/comments?page=2"]
    assert held["issues"][0][0]["title"] == "Another"


def test_a_page_that_is_not_here_as_it_was_is_sent_again(world: World, far: GitHubServer) -> None:
    first = fetched(world, far)
    (name,) = files(world)
    file = world.folder / "uploads" / name
    file.write_bytes(first.replace(b"Issue 1", b"Issue 9"))
    assert fetched(world, far) == first
    assert far.asked == [*EVERY[:2], "issues", *EVERY[2:]]
    assert far.unchanged == ["issues", "issues/comments"]
    for one in files(world):
        (world.folder / "uploads" / one).unlink()
    assert fetched(world, far) == first
    assert (far.unchanged, far.asked) == ([], EVERY)


def test_a_step_that_is_repeated_has_its_page_already(world: World, far: GitHubServer) -> None:
    """Where it was cut between the page and the word of how far it is."""
    read = partial(
        world.database.write_now, lambda tx: tx.value("select args from job order by id desc limit 1")
    )
    far.held["issues/comments"], far.held["issues/comments?page=2"] = threading.Event(), threading.Event()
    found = opened(world, far)
    eventually(lambda: "issues/comments" in far.asked)
    args = read()
    far.held.pop("issues/comments").set()
    eventually(lambda: "issues/comments?page=2" in far.asked)
    cut(world)
    world.database.write_now(lambda tx: tx.execute("update job set args = :args", args=args))
    far.held.pop("issues/comments?page=2").set()
    world.advance(LEASE_S + 1)
    job = ended(world, found["job"])
    assert (job["state"], job["result"]["comments"], far.unchanged) == ("done", 3, ["issues/comments"])
    assert call(world, "ana", "imports.probe", id=found["id"])["found"]["counts"]["comment"] == 3


def test_pages_are_forgotten_when_their_uploads_are_gone(world: World, far: GitHubServer) -> None:
    first = fetched(world, far)
    count = partial(world.database.write_now, lambda tx: tx.value("select count(*) from import_page"))
    assert count() == 2
    world.advance(2 * 86_400)
    assert count() == 2
    world.advance(2 * 86_400)
    eventually(lambda: count() == 0)
    assert fetched(world, far) == first


def test_a_name_of_a_page_that_is_none_is_not_kept(world: World, far: GitHubServer) -> None:
    more = '</api/v3/repos/acme/shop/issues?page=2>; rel="next"'
    far.instead["issues"] = [Answer(headers={"Link": more, "ETag": 'x" y'}, body=b"[]")]
    fetched(world, far)
    fetched(world, far)
    assert far.unchanged == ["issues/comments"]
