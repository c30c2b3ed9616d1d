"""Two at once: one of them wins, and nothing is done twice or lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from kbwork.contract.kbwork_client import Kbwork, KbworkProblem
from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.calls import call, call_nobody, eventually
from tests.modules.desk.helpdesk import SECRET, HelpDesk, open_desk
from tests.modules.desk.test_figures import closed


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each came to; of a refusal its slug."""

    def one(asked: Callable[[], Any]) -> Any:
        try:
            return asked()
        except KbworkProblem as problem:
            return problem.slug

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def asks(world: World, who: str, op: str, /, **value: Any) -> Callable[[], Any]:
    """By a client of its own: one is for one thread."""

    def run() -> Any:
        with Kbwork(world.url, world.people[who].session) as client:
            return client.call(op, value)

    return run


def test_a_form_that_is_sent_twice_asks_once(world: World) -> None:
    open_desk(world)
    browser = Browser(world.url)
    page = browser.get("/portal/signup")
    browser.fill(page, "/portal/signup", name="Nat North", email="nat@north.example", password=SECRET)
    form = browser.get("/portal/new?type=2").forms["/portal/new"] | {"title": "Twice"}
    done = at_once(*[lambda: browser.post("/portal/new", form).headers["location"]] * 4)
    assert len(set(done)) == 1
    assert len(call(world, "cy", "issues.list", project="WEB")["items"]) == 1


def test_a_request_is_rated_once(world: World) -> None:
    with closed(world) as (_, _key, survey):
        rate = [
            lambda score=score: call_nobody(world, "desk.portal_survey", token=survey["token"], score=score)
            for score in (1, 5)
        ]
        assert at_once(*rate) == [{"ok": True}] * 2
        rows = world.database.write_now(
            lambda tx: tx.tuples("select count(*), max(score) from request_rating")
        )
        assert rows in ([(1, 1)], [(1, 5)])
        (found,) = call(world, "cy", "desk.satisfaction", project="WEB")["rows"]
        assert found["answers"] == 1


def test_a_queue_has_its_name_alone(help_desk: HelpDesk) -> None:
    world = help_desk.world
    same = {"project": "WEB", "name": "Waits", "tql": "open"}
    found = at_once(*[asks(world, "ana", "desk.queue_save", **same)] * 4)
    assert sorted(one if isinstance(one, str) else "made" for one in found) == ["conflict"] * 3 + ["made"]
    assert [one["name"] for one in call(world, "cy", "desk.queues", project="WEB")] == ["Waits"]


def test_spam_goes_once_whoever_says_so(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    seq = world.database.seq
    spam = [asks(world, who, "desk.spam", key=key, block=True) for who in ("ana", "bo", "cy")]
    found = at_once(*spam)
    assert sorted(map(str, found)) == ["not-found", "not-found", "{'ok': True}"]
    kinds = [kind for kind, _ in world.events_since(seq)]
    assert (kinds.count("desk.customer_blocked"), kinds.count("issue.deleted")) == (1, 1)


def test_an_answer_that_goes_is_not_taken_back_half(help_desk: HelpDesk) -> None:
    """It goes while somebody deletes it: either customers read it and it is gone then, or they never do."""
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    said = call(world, "cy", "desk.send_reply", key=key, body="x", send_at=world.clock.now() + 60)["id"]
    at_once(lambda: world.advance(60), asks(world, "cy", "comments.delete", id=said))
    eventually(lambda: call(world, "cy", "desk.waiting_replies", project="WEB") == [])
    assert rita.thread(key)["comments"] == []
    assert call(world, "cy", "comments.list", subject=f"issue:{key}") == []
