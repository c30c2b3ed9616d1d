"""Policy, providers, keys and profiles: set by admins, and never telling a key."""

import json
from typing import Any

import pytest

from kbwork.db.tx import Write
from kbwork.modules.ai import health
from tests.conftest import World
from tests.modules.ai.ai_calls import ON, SECRET, complete, issue, policy, provider, switched_on
from tests.modules.ai.recorder import Recorder
from tests.modules.calls import call, refused

PROFILE = {"key": "support", "label": "Support", "instructions": "No code."}


def _events(world: World, since: int) -> list[tuple[str, dict[str, Any]]]:
    found = call(world, "ana", "api.changes", since=since)["events"]
    return [(one["kind"], one["payload"]) for one in found]


def test_ai_is_off_at_first(world: World) -> None:
    assert call(world, "cy", "ai.policy") == {
        "enabled": False,
        "browser_keys": False,
        "org_keys": False,
        "excluded": [],
        "automation_apply": False,
        "member_daily_tokens": None,
        "monthly_tokens": None,
        "providers": [],
        "used_month": 0,
        "used_today": 0,
    }


def test_the_policy_is_set_and_told(world: World) -> None:
    before = world.database.seq
    shown = policy(world, member_daily_tokens=5, automation_apply=True, excluded=["project:web"])
    assert (shown["member_daily_tokens"], shown["automation_apply"], shown["excluded"]) == (
        5,
        True,
        ["project:WEB"],
    )
    kept = policy(world)
    assert (kept["member_daily_tokens"], kept["automation_apply"], kept["excluded"]) == (5, False, [])
    assert policy(world, member_daily_tokens=None)["member_daily_tokens"] is None
    seq = world.database.seq
    policy(world)
    assert world.database.seq == seq
    changes = _events(world, before)[0][1]["changes"]
    assert changes["excluded"] == {"from": [], "to": ["project:WEB"]}
    assert {kind for kind, _ in _events(world, before)} == {"ai.policy_changed"}


@pytest.mark.parametrize(
    "bad",
    ["project:NONE", "issue:99", "issue:WEB-99", "space:ENG", "page:7", "label:1", "WEB", "", "member:me"],
)
def test_what_is_not_there_cannot_be_excluded(world: World, bad: str) -> None:
    with refused("invalid-input"):
        policy(world, excluded=[bad])


def test_others_than_admins_read_of_what_is_excluded_what_they_see(world: World) -> None:
    issue(world)
    issue(world, "di", project="PRV")
    everything = ["project:PRV", "issue:2", "WEB-1", "issue:1"]
    assert policy(world, excluded=everything)["excluded"] == ["project:PRV", "issue:2", "issue:1"]
    assert call(world, "cy", "ai.policy")["excluded"] == ["issue:1"]
    assert call(world, "di", "ai.policy")["excluded"] == ["project:PRV", "issue:2", "issue:1"]


def test_a_key_is_never_shown_nor_told_nor_kept_in_clear(world: World, recorder: Recorder) -> None:
    before = world.database.seq
    policy(world)
    provider(world, recorder, needs_key=True)
    shown = call(world, "bo", "ai.key_set", provider="local", secret=SECRET, label="Ours")
    (one,) = shown["providers"]
    assert (one["has_key"], one["key_last4"]) == (True, "cdef")
    assert call(world, "cy", "ai.policy")["providers"][0]["key_last4"] is None
    recorder.acts = [recorder.refuses(401)]
    with refused("upstream-failed"):
        complete(world)
    told = json.dumps(
        [_events(world, before), call(world, "bo", "ai.policy"), call(world, "bo", "undo.list")]
    )
    assert SECRET not in told
    found = world.database.write_now(
        lambda tx: tx.all("select json(images) as images from undo") + tx.all("select payload from events")
    )
    assert SECRET not in str(found)
    stored = world.database.write_now(lambda tx: tx.value("select secret from ai_provider"))
    assert SECRET.encode() not in stored
    gone = call(world, "bo", "ai.key_revoke", id="local")["providers"][0]
    assert (gone["has_key"], gone["key_last4"]) == (False, None)
    with refused("ai-off"):
        complete(world)
    assert [kind for kind, _ in _events(world, before)] == [
        "ai.policy_changed",
        "ai.provider_saved",
        "ai.key_set",
        "ai.key_revoked",
    ]


def test_another_address_clears_the_key(world: World, recorder: Recorder) -> None:
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    provider(world, recorder, needs_key=True, label="Other")
    assert call(world, "bo", "ai.policy")["providers"][0]["has_key"]
    before = world.database.seq
    moved = provider(world, recorder, needs_key=True, base_url=f"http://{recorder.place}/v2")
    assert (moved["providers"][0]["has_key"], moved["providers"][0]["key_last4"]) == (False, None)
    assert [kind for kind, _ in _events(world, before)] == ["ai.provider_saved", "ai.key_revoked"]


def test_deleting_a_provider_revokes_its_key(world: World, recorder: Recorder) -> None:
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    before = world.database.seq
    assert call(world, "bo", "ai.provider_delete", id="local")["providers"] == []
    assert [kind for kind, _ in _events(world, before)] == ["ai.key_revoked", "ai.provider_deleted"]
    provider(world, recorder, needs_key=True)
    assert not call(world, "bo", "ai.policy")["providers"][0]["has_key"]
    for op, name in (("ai.provider_delete", "id"), ("ai.key_revoke", "id"), ("ai.provider_models", "id")):
        with refused("not-found"):
            call(world, "bo", op, **{name: "other"})
    with refused("not-found"):
        call(world, "bo", "ai.key_set", provider="other", secret=SECRET)


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Upper"},
        {"id": ""},
        {"kind": "other"},
        {"base_url": "ftp://example.com"},
        {"base_url": "https://user:word@example.com"},
        {"base_url": "https://example.com/v1?key=1"},
        {"base_url": "https://example.com/v1#x"},
        {"base_url": "https://"},
        {"base_url": "https://example.com:99999"},
        {"base_url": "https://example.com/\u2028"},
        {"default_model": "other"},
        {"models": ["a b"]},
        {"models": [], "default_model": "small"},
    ],
)
def test_a_provider_that_cannot_be_is_refused(
    world: World, recorder: Recorder, wrong: dict[str, Any]
) -> None:
    with refused("invalid-input"):
        provider(world, recorder, **wrong)


@pytest.mark.parametrize("secret", ["", "with blank", "with\nline", "ümlaut", "x" * 1025])
def test_a_key_that_no_header_holds_is_refused(world: World, recorder: Recorder, secret: str) -> None:
    provider(world, recorder, needs_key=True)
    with refused("invalid-input"):
        call(world, "bo", "ai.key_set", provider="local", secret=secret)


def test_models_are_those_that_are_listed_and_those_that_are_allowed(
    world: World, recorder: Recorder
) -> None:
    provider(world, recorder, enabled=False, models=["small", "gone"])
    recorder.models = [
        {"id": "small", "context_length": 8192, "pricing": {"prompt": "0.000003", "completion": 0.000015}},
        {"id": "large", "name": "The large\none", "context_window": -1, "pricing": {"prompt": "dear"}},
        {"id": "large"},
        {"id": 7},
        {"id": "a b"},
    ]
    found = call(world, "bo", "ai.provider_models", id="local")
    nothing = {"context": None, "price_in": None, "price_out": None}
    assert found == {
        "provider": "local",
        "models": [
            {
                "id": "small",
                "name": "small",
                "allowed": True,
                "context": 8192,
                "price_in": 3.0,
                "price_out": 15.0,
            },
            {"id": "large", "name": "The large one", "allowed": False, **nothing},
            {"id": "gone", "name": "gone", "allowed": True, **nothing},
        ],
    }
    assert recorder.asked[0].path == "/v1/models"
    provider(world, recorder, kind="anthropic")
    recorder.models = [{"id": "large", "display_name": "Large", "max_input_tokens": 200_000}]
    listed = call(world, "bo", "ai.provider_models", id="local")["models"][0]
    assert (listed["name"], listed["context"], listed["price_in"]) == ("Large", 200_000, None)
    assert recorder.asked[1].path == "/v1/models?limit=1000"


def test_profiles_are_kept(world: World) -> None:
    before = world.database.seq
    assert call(world, "bo", "ai.profile_save", **PROFILE) == [PROFILE]
    assert call(world, "bo", "ai.profile_save", **PROFILE) == [PROFILE]
    assert call(world, "cy", "ai.profiles") == [PROFILE]
    assert call(world, "bo", "ai.profile_delete", id="support") == []
    with refused("not-found"):
        call(world, "bo", "ai.profile_delete", id="support")
    with refused("insufficient-scope"):
        call(world, "cy", "ai.profile_save", **PROFILE)
    assert [kind for kind, _ in _events(world, before)] == ["ai.profile_saved", "ai.profile_deleted"]


def test_a_key_under_another_master_key_is_told_by_the_doctor(world: World, recorder: Recorder) -> None:
    provider(world, recorder, needs_key=True)
    policy(world)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)

    def spoil(tx: Write) -> None:
        tx.execute("update ai_provider set secret = zeroblob(60)")

    assert [one.well for one in world.database.write_now(lambda tx: list(health._look(tx)))] == [True]
    world.database.write_now(spoil)
    (finding,) = world.database.write_now(lambda tx: list(health._look(tx)))
    assert (finding.well, "ai key-set --provider local" in finding.said) == (False, True)
    with refused("master-key-lost"):
        complete(world)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    assert complete(world)["text"]


def test_where_the_module_is_off_nothing_is_asked(world: World, recorder: Recorder) -> None:
    switched_on(world, recorder)
    issue(world)
    with world.at_rest():
        job = call(world, "cy", "ai.run", task="summarize", subject="WEB-1")["job"]
        call(world, "ana", "org.modules_set", off=["ai"])
    with refused("not-found"):
        call(world, "cy", "ai.policy")
    assert call(world, "cy", "jobs.get", id=job)["state"] in ("queued", "running")
    assert recorder.asked == []


def test_only_what_is_set_is_asked_for(world: World) -> None:
    with refused("invalid-input"):
        call(
            world, "bo", "ai.policy_set", **{name: value for name, value in ON.items() if name != "excluded"}
        )


@pytest.mark.parametrize("who", ["cy", "gus"])
def test_admins_alone_set_what_ai_may_do(world: World, recorder: Recorder, who: str) -> None:
    switched_on(world, recorder)
    asked: dict[str, dict[str, Any]] = {
        "ai.policy_set": ON,
        "ai.provider_delete": {"id": "local"},
        "ai.provider_models": {"id": "local"},
        "ai.key_set": {"provider": "local", "secret": SECRET},
        "ai.key_revoke": {"id": "local"},
        "ai.profile_save": PROFILE,
        "ai.profile_delete": {"id": "support"},
        "ai.usage": {},
    }
    before = world.database.seq
    for op, value in asked.items():
        with refused("insufficient-scope"):
            call(world, who, op, **value)
    with refused("insufficient-scope"):
        shown = call(world, "bo", "ai.policy")["providers"][0]
        names = (
            "id",
            "label",
            "kind",
            "base_url",
            "default_model",
            "models",
            "enabled",
            "needs_key",
            "browser",
        )
        call(world, who, "ai.provider_save", **{name: shown[name] for name in names})
    assert (world.database.seq, recorder.asked) == (before, [])


def test_an_org_has_so_many_providers_and_profiles_at_most(
    world: World, recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbwork.modules.ai.provider.catalogue.MOST", 1)
    monkeypatch.setattr("kbwork.modules.ai.profiles.MOST", 1)
    provider(world, recorder)
    with refused("conflict"):
        provider(world, recorder, id="other")
    assert provider(world, recorder, label="Ours")["providers"][0]["label"] == "Ours"
    call(world, "bo", "ai.profile_save", **PROFILE)
    with refused("conflict"):
        call(world, "bo", "ai.profile_save", **PROFILE | {"key": "sales"})
    assert call(world, "bo", "ai.profile_save", **PROFILE | {"label": "Help"})[0]["label"] == "Help"


def test_what_is_set_is_told_to_admins_alone(world: World, recorder: Recorder) -> None:
    before = world.database.seq
    switched_on(world, recorder)
    provider(world, recorder, needs_key=True)
    call(world, "bo", "ai.key_set", provider="local", secret=SECRET)
    call(world, "bo", "ai.profile_save", **PROFILE)
    call(world, "bo", "ai.profile_delete", id="support")
    call(world, "bo", "ai.provider_delete", id="local")
    assert len(_events(world, before)) == 8
    assert call(world, "cy", "api.changes", since=before)["events"] == []
