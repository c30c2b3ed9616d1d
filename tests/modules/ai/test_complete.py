"""Asking a model: over both formats, within caps, and counted."""

import json
import threading
from typing import Any

import httpx2
import pytest

from kbwork.contract.kbwork_client import KbworkProblem
from kbwork.db.tx import Write
from kbwork.modules.ai.calls import conversation, ledger
from kbwork.modules.ai.wire import exchange
from tests.conftest import World
from tests.modules.ai.ai_calls import HELLO, SECRET, complete, issue, policy, provider, switched_on
from tests.modules.ai.recorder import Recorder
from tests.modules.calls import call, eventually, refused


def test_a_model_is_asked_in_the_format_of_chat_completions(world: World, recorder: Recorder) -> None:
    policy(world)
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    before = world.database.seq
    answer = complete(world, system="Be short", max_tokens=50)
    assert answer == {
        "text": "Vouchers are lost.",
        "provider": "local",
        "model": "small",
        "input_tokens": 120,
        "output_tokens": 8,
    }
    (asked,) = recorder.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.body == {
        "model": "small",
        "max_tokens": 50,
        "messages": [{"role": "system", "content": "Be short"}, *HELLO],
        "stream": False,
    }
    assert world.events_since(before) == [("ai.completed", "org:1")]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_a_model_is_asked_in_the_format_of_messages(world: World, recorder: Recorder, path: str) -> None:
    policy(world)
    provider(world, recorder, kind="anthropic", needs_key=True, base_url=f"http://{recorder.place}{path}")
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    assert complete(world, system="Be short", model="large")["model"] == "large"
    (asked,) = recorder.asked
    assert asked.path == "/v1/messages"
    assert (asked.headers["x-api-key"], asked.headers["anthropic-version"]) == (SECRET, "2023-06-01")
    assert "authorization" not in asked.headers
    assert asked.body == {"model": "large", "max_tokens": 1024, "messages": HELLO, "system": "Be short"}


def test_what_was_used_is_counted_by_who_what_for_and_model(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    complete(world)
    complete(world, feature="title")
    recorder.acts = [recorder.refuses(500)]
    with refused("upstream-failed"):
        complete(world)
    rows = call(world, "bo", "ai.usage")
    who = world.people["cy"].id
    common = {"actor": who, "provider": "local", "model": "small"}
    assert rows == [
        common | {"feature": "chat", "calls": 2, "errors": 1, "input_tokens": 120, "output_tokens": 8},
        common | {"feature": "title", "calls": 1, "errors": 0, "input_tokens": 120, "output_tokens": 8},
    ]
    shown = call(world, "cy", "ai.policy")
    assert (shown["used_today"], shown["used_month"]) == (256, 256)
    assert call(world, "di", "ai.policy")["used_today"] == 0
    world.clock.advance(86_400)
    assert call(world, "cy", "ai.policy")["used_today"] == 0
    assert call(world, "bo", "ai.usage", days=1) == []


@pytest.mark.parametrize("bad", [None, -3, "many", 10**12, 1.5, True])
def test_tokens_that_cannot_be_are_estimated(world: World, recorder: Recorder, bad: Any) -> None:
    switched_on(world, recorder)
    recorder.tokens = (bad, bad)
    answer = complete(world)
    assert 0 < answer["input_tokens"] < 100
    assert 0 < answer["output_tokens"] < 100


def test_off_unknown_unseen_excluded_and_used_up_are_refused_in_this_order(
    world: World, recorder: Recorder
) -> None:
    secret, plain = issue(world, "di", project="PRV"), issue(world)
    policy(world, enabled=False)
    unseen: dict[str, Any] = {"subjects": [secret], "provider": "none"}
    with refused("ai-off"):
        complete(world, **unseen)
    policy(world, excluded=[plain, "project:PRV"], member_daily_tokens=10)
    with refused("ai-off"):  # nobody can be asked
        complete(world, subjects=[secret])
    provider(world, recorder)
    with refused("invalid-input"):
        complete(world, **unseen)
    with refused("invalid-input"):
        complete(world, subjects=[secret], model="huge")
    with refused("not-found"):
        complete(world, subjects=[plain, secret])
    with refused("ai-excluded"):
        complete(world, subjects=[plain])
    with refused("ai-cap"):
        complete(world)
    assert recorder.asked == []


def test_stored_keys_are_not_used_where_the_org_says_so(world: World, recorder: Recorder) -> None:
    policy(world, org_keys=False)
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    with refused("ai-off"):
        complete(world)
    provider(world, recorder, id="own", label="Own")
    assert complete(world)["provider"] == "own"
    assert SECRET not in recorder.told


def test_two_at_once_do_not_both_pass_a_cap(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, member_daily_tokens=1500)
    recorder.acts = [recorder.waits] * 10
    outcomes: list[str] = []

    def ask() -> None:
        try:
            outcomes.append(complete(world)["text"])
        except KbworkProblem as problem:
            outcomes.append(problem.slug)

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for one in threads:
        one.start()
    eventually(lambda: len(outcomes) == 4)
    recorder.go_on.set()
    for one in threads:
        one.join()
    assert sorted(outcomes) == ["Vouchers are lost.", *["ai-cap"] * 4]
    assert len(recorder.asked) == 1
    assert complete(world, max_tokens=1372)["text"]
    with refused("ai-cap"):
        complete(world, max_tokens=1300)


def test_the_month_is_capped_for_all_together(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder, monthly_tokens=1200)
    complete(world, "cy")
    with refused("ai-cap"):
        complete(world, "di", max_tokens=1100)
    complete(world, "di", max_tokens=1000)


def test_tokens_of_a_call_of_which_nobody_hears_any_more_are_free_again(
    world: World, recorder: Recorder
) -> None:
    switched_on(world, recorder, member_daily_tokens=1024)
    caller = world.people["cy"].id
    world.database.write_now(
        lambda tx: tx.execute(
            "insert into ai_call (actor, tokens, until) values (:who, 1000, :until)",
            who=caller,
            until=tx.now + ledger._HELD_S,
        )
    )
    with refused("ai-cap"):
        complete(world)
    world.clock.advance(ledger._HELD_S)
    complete(world)


def test_no_one_takes_all_places(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)

    def fill(tx: Write) -> None:
        for _ in range(ledger.MOST_OF_ONE):
            tx.execute(
                "insert into ai_call (actor, tokens, until) values (:who, 1, :until)",
                who=world.people["cy"].id,
                until=tx.now + 60,
            )

    world.database.write_now(fill)
    headers = {"Authorization": f"Bearer {world.people['cy'].session}"}
    value = {"feature": "x", "messages": HELLO}
    answer = httpx2.post(f"{world.url}/api/v1/ai.complete", json=value, headers=headers, timeout=20)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert complete(world, "di")["text"]


def test_the_server_goes_on_while_a_provider_thinks(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    recorder.acts = [recorder.waits]
    asking = threading.Thread(target=complete, args=(world,))
    asking.start()
    eventually(lambda: recorder.asked)
    issue(world)
    assert call(world, "ana", "issues.list")["items"]
    recorder.go_on.set()
    asking.join()


@pytest.mark.parametrize("status", [429, 503, 529])
def test_who_did_nothing_is_asked_again(world: World, recorder: Recorder, status: int) -> None:
    switched_on(world, recorder)
    recorder.acts = [recorder.refuses(status, Retry_After="0")] * 2
    assert complete(world)["text"]
    assert len(recorder.asked) == 3


@pytest.mark.parametrize(
    ("status", "after"),
    [(429, "3600"), (503, "soon"), (500, "0"), (502, "0"), (401, "0"), (400, "0"), (404, "0")],
)
def test_who_may_have_done_something_or_waits_long_is_asked_once(
    world: World, recorder: Recorder, status: int, after: str
) -> None:
    switched_on(world, recorder)
    recorder.acts = [recorder.refuses(status, Retry_After=after)]
    with refused("upstream-failed"):
        complete(world)
    assert len(recorder.asked) == 1


def test_who_is_always_busy_is_given_up(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    recorder.acts = [recorder.refuses(503, Retry_After="0")] * 5
    with refused("upstream-failed"):
        complete(world)
    assert len(recorder.asked) == 3


@pytest.mark.parametrize("act", ["never", "hangs_up", "babbles", "floods", "redirects"])
def test_hostile_providers_are_told_apart_by_nobody(
    world: World,
    recorder: Recorder,
    act: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(exchange, "DEADLINE_S", 0.5)
    policy(world)
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    recorder.acts = [getattr(recorder, act)]
    with pytest.raises(KbworkProblem, match=exchange.FAILED) as problem:
        complete(world)
    assert problem.value.slug == "upstream-failed"
    assert [one.path for one in recorder.asked] == ["/v1/chat/completions"]
    assert call(world, "cy", "ai.policy")["used_today"] == 0
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b"null",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 7}}]}',
        b'{"choices": [{"message": {"content": " "}}]}',
        b'{"choices": [[]]}',
        b"[" * 100_000,
    ],
)
def test_answers_of_another_form_are_failures(world: World, recorder: Recorder, body: bytes) -> None:
    switched_on(world, recorder)
    recorder.acts = [recorder.sends(body)]
    with refused("upstream-failed"):
        complete(world)


def test_an_answer_that_is_no_json_is_a_failure(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    good = json.dumps({"choices": [{"message": {"content": "Yes"}}]}).encode()
    recorder.acts = [recorder.sends(good, Content_Type="text/html"), recorder.sends(good)]
    with refused("upstream-failed"):
        complete(world)
    assert complete(world)["text"] == "Yes"


def test_a_provider_that_is_down_is_a_failure(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    recorder._server.socket.close()
    with refused("upstream-failed"):
        complete(world)


@pytest.mark.parametrize(
    "place", ["http://127.0.0.1:1", "http://169.254.169.254", "http://[::1]:1", "http://2130706433:1"]
)
def test_private_addresses_are_not_asked(world: World, recorder: Recorder, place: str) -> None:
    policy(world)
    provider(world, recorder, base_url=f"{place}/v1")
    with refused("upstream-failed"):
        complete(world)
    with refused("upstream-failed"):
        call(world, "bo", "ai.provider_models", id="local")


def test_signs_that_no_text_has_are_replaced(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    recorder.says = "a\0b\x07c"
    assert complete(world)["text"] == "a\N{REPLACEMENT CHARACTER}bc"


def test_a_retry_with_the_same_key_asks_nobody_again(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    client = world.session("cy")
    value = {"feature": "chat", "messages": HELLO}
    one = client.call("ai.complete", value, idempotency_key="once")
    assert client.call("ai.complete", value, idempotency_key="once") == one
    assert len(recorder.asked) == 1


def test_guests_and_scopes(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    with refused("insufficient-scope"):
        complete(world, "gus")
    with refused("insufficient-scope"):
        call(world, "gus", "ai.policy")
    for op, value in {"ai.usage": {}, "ai.key_set": {"provider": "local", "secret": "x"}}.items():
        with refused("insufficient-scope"):
            call(world, "cy", op, **value)


def test_nothing_is_asked_where_it_is_off_though_a_provider_is_there(
    world: World, recorder: Recorder
) -> None:
    switched_on(world, recorder)
    key = issue(world)
    call(world, "bo", "ai.profile_save", key="support", label="Support", instructions="No code.")
    policy(world, enabled=False)
    asked: dict[str, dict[str, Any]] = {
        "ai.complete": {"feature": "chat", "messages": HELLO},
        "ai.summarize": {"subject": key},
        "ai.explain": {"subject": key, "profile": "support"},
        "ai.context": {"subject": key},
        "ai.run": {"subject": key, "task": "summarize"},
    }
    for op, value in asked.items():
        with refused("ai-off"):
            call(world, "cy", op, **value)
    assert recorder.asked == []
    assert call(world, "cy", "ai.allowed", subjects=[key])[0]["allowed"] is False


@pytest.mark.parametrize("op", ["ai.summarize", "ai.explain"])
def test_a_subject_that_cannot_be_read_is_asked_about_by_no_operation(
    world: World, recorder: Recorder, op: str
) -> None:
    switched_on(world, recorder)
    call(world, "bo", "ai.profile_save", key="support", label="Support", instructions="No code.")
    more = {"profile": "support"} if op == "ai.explain" else {}
    key, hidden = issue(world), issue(world, "di", project="PRV")
    for slug, value in (
        ("not-found", {"subject": hidden}),
        ("invalid-input", {"subject": key, "model": "huge"}),
        ("invalid-input", {"subject": key, "provider": "other"}),
    ):
        with refused(slug):
            call(world, "cy", op, **more | value)
    if op == "ai.explain":
        with refused("invalid-input"):
            call(world, "cy", op, subject=key, profile="nobody")
    with refused("insufficient-scope"):
        call(world, "gus", op, subject=key, **more)
    policy(world, excluded=[key])
    with refused("ai-excluded"):
        call(world, "cy", op, subject=key, **more)
    policy(world, member_daily_tokens=1)
    with refused("ai-cap"):
        call(world, "cy", op, subject=key, **more)
    assert recorder.asked == []
    policy(world, member_daily_tokens=None)
    recorder.acts = [recorder.refuses(401)]
    with refused("upstream-failed"):
        call(world, "cy", op, subject=key, **more)


def test_messages_are_so_long_together_at_most(
    world: World, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched_on(world, recorder)
    monkeypatch.setattr("kbwork.modules.ai.calls.complete.MOST_CHARS", 9)
    with refused("invalid-input") as told:
        complete(world, messages=[*HELLO, {"role": "assistant", "content": "Hello"}])
    assert (told.value.errors[0]["path"], recorder.asked) == ("messages", [])


def test_what_is_switched_off_before_it_is_sent_is_not_asked(
    world: World, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    switched_on(world, recorder)
    hold = conversation.hold

    def late(tx: Write, asked: conversation.ProviderCall) -> int:
        tx.update("ai_policy", 1, enabled=0)
        tx.memo.clear()
        return hold(tx, asked)

    monkeypatch.setattr(conversation, "hold", late)
    with refused("ai-off"):
        complete(world)
    with refused("invalid-input") as told:
        complete(world, messages=[{"role": "assistant", "content": "Hello"}])
    assert told.value.errors[0]["allowed"] == ["user"]
    assert recorder.asked == []
