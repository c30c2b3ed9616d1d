"""OFREP: flags evaluated by the server, in the published protocol."""

import hashlib
import json
from typing import Any

import pytest
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode, FlagNotFoundError, InvalidContextError
from openfeature.provider import AbstractProvider

from kbwork.api.sdk import counters
from kbwork.core.operations.limits import Limits, Rate, Rates
from kbwork.flags import Client
from kbwork.flags.openfeature import KbworkProvider
from tests.api.sdk.requests import ANA, FLAGS, Answered, ask, evaluate, evaluate_all, revoke, sdk_key
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop, version

Json = dict[str, Any]
REFUSED = {"error": {"code": "unauthorized", "message": "This SDK key is not known here, or ended."}}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are written down several times a second, not every few."""
    monkeypatch.setattr(counters, "FLUSH_S", 0.2)


@pytest.fixture
def key(world: World) -> str:
    """A server key of the environment `test`, in which `checkout` is served."""
    shop(world)
    flag(world)
    serve(world, 0)
    return sdk_key(world)


def rule(attribute: str, *values: object, variation: int = 0, op: str = "in", **more: object) -> Json:
    clause = {"attribute": attribute, "op": op, "values": list(values), **more}
    return {"kind": "addRule", "clauses": [clause], "variation": variation}


def values(world: World, key: str, context: object = ANA) -> dict[str, Any]:
    return {one["key"]: one.get("value") for one in evaluate_all(world, key, context).json["flags"]}


def counted(world: World, key: str = "checkout") -> dict[int | None, int]:
    """Variation -> how often."""
    found = call(world, "ana", "flags.insights", project="shop", key=key, environment="test")
    return {one["variation"]: one["count"] for one in found["series"]}


def told(code: str, key: str = "checkout") -> Json:
    """A refusal without its words."""
    return {"key": key, "errorCode": code}


def code(answer: Answered) -> tuple[int, Json]:
    """The status, and a refusal without its words."""
    return answer.status, {name: value for name, value in answer.json.items() if name != "errorDetails"}


# -- one flag -------------------------------------------------------------------------------------------


def test_a_flag_is_evaluated(world: World, key: str) -> None:
    answer = evaluate(world, key, "checkout")
    assert answer.told == (
        200,
        {
            "key": "checkout",
            "value": True,
            "variant": "0",
            "reason": "DEFAULT",
            "metadata": {"flagVersion": 2},
        },
    )
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"


def test_it_answers_as_the_dashboard_does(world: World, key: str) -> None:
    patch(world, "ana", "test", rule("country", "PT", variation=1), rule("/home/city", "Porto"))
    split = {"variations": [{"variation": 0, "weight": 50_000}, {"variation": 1, "weight": 50_000}]}
    patch(world, "ana", "test", {"kind": "updateFallthroughVariationOrRollout", "rollout": split})
    eventually(lambda: evaluate(world, key, "checkout").json["metadata"]["flagVersion"] == 4)
    contexts: list[Json] = [{"country": "PT"}, {"home": {"city": "Porto"}}, *({"n": n} for n in range(6))]
    for number, more in enumerate(contexts):
        found = evaluate(world, key, "checkout", {"targetingKey": f"u{number}", **more}).json
        asked = {"project": "shop", "environment": "test", "key": "checkout"}
        (wanted,) = call(world, "ana", "flags.evaluate", **asked, context={"key": f"u{number}", **more})
        assert (found["value"], found["variant"], found["reason"]) == (
            wanted["value"],
            str(wanted["variation"]),
            wanted["reason"],
        )


def test_a_flag_that_is_off_leaves_the_value_out_where_the_callers_default_is_served(
    world: World, key: str
) -> None:
    patch(world, "ana", "test", {"kind": "turnFlagOff"}, {"kind": "updateOffVariation", "variation": None})
    wanted = {"key": "checkout", "reason": "DISABLED", "metadata": {"flagVersion": 3}}
    eventually(lambda: evaluate(world, key, "checkout").told == (200, wanted))


def test_a_prerequisite_that_fails_is_the_reason_and_is_not_counted(world: World, key: str) -> None:
    flag(world, "base")
    patch(world, "ana", "test", {"kind": "addPrerequisite", "key": "base", "variation": 0})
    reason = "PREREQUISITE_FAILED"
    eventually(lambda: evaluate(world, key, "checkout").json["reason"] == reason)
    eventually(lambda: 1 in counted(world))
    assert counted(world, "base") == {}


@pytest.mark.parametrize(
    ("kind", "value", "other"),
    [("string", "blue", "x"), ("number", 1.5, 2), ("json", {"a": [1, None]}, {}), ("json", [1, "two"], [])],
)
def test_values_are_of_any_json_type(world: World, key: str, kind: str, value: object, other: object) -> None:
    flag(
        world,
        "theme",
        kind=kind,
        variations=[{"value": other}, {"value": value}],
    )
    eventually(lambda: evaluate(world, key, "theme").status == 200)
    assert evaluate(world, key, "theme").json["value"] == value


def test_a_flag_that_is_not_there_is_not_found(world: World, key: str) -> None:
    assert code(evaluate(world, key, "other")) == (404, told("FLAG_NOT_FOUND", "other"))
    assert code(evaluate(world, key, "other", {})) == (404, told("FLAG_NOT_FOUND", "other"))
    call(world, "ana", "flags.archive", project="shop", key="checkout")
    eventually(lambda: code(evaluate(world, key, "checkout")) == (404, told("FLAG_NOT_FOUND")))
    assert "checkout" not in values(world, key)


def test_a_key_in_the_path_may_be_encoded(world: World, key: str) -> None:
    assert evaluate(world, key, "check%6Fut").json["key"] == "checkout"
    assert code(evaluate(world, key, "a%2Fb%20c")) == (404, told("FLAG_NOT_FOUND", "a/b c"))


@pytest.mark.parametrize(
    ("context", "wanted"),
    [
        ({}, "TARGETING_KEY_MISSING"),
        ({"kind": "user", "name": "Ana"}, "TARGETING_KEY_MISSING"),
        ({"targetingKey": None}, "TARGETING_KEY_MISSING"),
        ({"targetingKey": ""}, "INVALID_CONTEXT"),
        ({"targetingKey": 7}, "INVALID_CONTEXT"),
        ({"targetingKey": "a", "kind": "no kind"}, "INVALID_CONTEXT"),
        ({"kind": "multi", "targetingKey": "a"}, "INVALID_CONTEXT"),
        ({"kind": "multi", "user": {"name": "a"}}, "INVALID_CONTEXT"),
        ({"kind": "multi", "user": "a"}, "INVALID_CONTEXT"),
        ({"kind": "multi", **{f"k{n}": {"key": "a"} for n in range(21)}}, "INVALID_CONTEXT"),
        ("text", "INVALID_CONTEXT"),
        (None, "INVALID_CONTEXT"),
    ],
)
def test_a_context_that_is_none_is_refused(world: World, key: str, context: object, wanted: str) -> None:
    assert code(evaluate(world, key, "checkout", context)) == (400, told(wanted))
    assert code(evaluate_all(world, key, context)) == (400, {"errorCode": wanted})


def test_a_context_is_sixteen_levels_deep_at_most(world: World, key: str) -> None:
    deep: object = "leaf"
    for _ in range(15):
        deep = {"in": deep}
    assert evaluate(world, key, "checkout", {"targetingKey": "a", "x": deep}).status == 200
    deeper = {"targetingKey": "a", "x": [deep]}
    assert code(evaluate(world, key, "checkout", deeper)) == (400, told("INVALID_CONTEXT"))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"1e5", b"\xff\xfe", b"[" * 30_000])
def test_a_body_that_is_no_json_object_is_refused(world: World, key: str, body: bytes) -> None:
    found = ask(world, "POST", f"{FLAGS}/checkout", body, key=key, Content_Type="application/json")
    assert code(found) == (400, told("PARSE_ERROR"))
    assert code(ask(world, "POST", FLAGS, body, key=key)) == (400, {"errorCode": "PARSE_ERROR"})


def test_one_flag_and_all_flags_read_a_body_alike(world: World, key: str) -> None:
    patch(world, "ana", "test", rule("n", 2**53, "\ufffd", True, variation=1))
    eventually(lambda: evaluate(world, key, "checkout").json["metadata"]["flagVersion"] == 3)
    numbers = ("9007199254740993", "9.007199254740992E15", "-0", "1e400", "9" * 310, "9" * 5000, "NaN", "01")
    texts = ('"\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\t"', '"\ufffd"')
    keys = ("1e400", "-Infinity", "NaN", "9" * 310, "null", '"\\udc00"', "7", '"a", "targetingKey": "b"')
    contexts = [f'{{"targetingKey": "a", "n": {value}}}' for value in (*numbers, *texts, "true", "[9e15]")]
    contexts += [f'{{"targetingKey": {value}{more}}}' for value in keys for more in ("", ', "key": "b"')]
    contexts += [f'{{"targetingKey": "a", "kind": {value}}}' for value in keys]
    contexts += [f'{{"kind": "multi", "user": {{"key": "a"}}, "org": {value}}}' for value in keys]
    bodies = [f'{{"context": {context}}}'.encode() for context in contexts]
    bodies += [f'{{"context": {contexts[0]}}}'.encode(name) for name in ("utf-8-sig", "utf-16", "utf-32-be")]
    statuses = set()
    for body in bodies:
        one, every = (
            ask(world, "POST", path, body, key=key, Content_Type="application/json")
            for path in (f"{FLAGS}/checkout", FLAGS)
        )
        wanted = every.json["flags"][0] if every.status == 200 else {"key": "checkout", **every.json}
        assert one.told == (every.status, wanted), body
        statuses.add((one.status, wanted.get("variant") or wanted["errorCode"]))
    refused = {(400, code) for code in ("PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT")}
    assert statuses == {(200, "0"), (200, "1")} | refused


def test_a_body_without_a_context_is_refused_and_unknown_members_are_not(world: World, key: str) -> None:
    path = f"{FLAGS}/checkout"
    assert code(ask(world, "POST", path, {}, key=key)) == (400, told("INVALID_CONTEXT"))
    body = {"context": {"targetingKey": "a"}, "trace": [1]}
    assert ask(world, "POST", path, body, key=key).status == 200


def test_content_types_and_sizes_are_judged(world: World, key: str) -> None:
    body = json.dumps({"context": ANA}).encode()
    path = f"{FLAGS}/checkout"
    assert ask(world, "POST", path, body, key=key).status == 200
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        assert ask(world, "POST", path, body, key=key, Content_Type=kind).status == 200
    assert code(ask(world, "POST", path, body, key=key, Content_Type="text/plain")) == (415, told("GENERAL"))
    assert ask(world, "POST", path, body, key=key, Content_Encoding="gzip").status == 415
    for at in (path, f"{path}?", FLAGS):  # a query goes by the application
        wide = ask(world, "POST", at, body, key=key, Content_Type="application/json; charset=utf-16")
        assert wide.status == 415
    most = body + b" " * (64 * 1024 - len(body))
    assert ask(world, "POST", path, most, key=key).status == 200
    assert code(ask(world, "POST", path, most + b" ", key=key)) == (413, told("GENERAL"))


def test_context_mapping(world: World, key: str) -> None:
    patch(
        world,
        "ana",
        "test",
        rule("key", "by-key", variation=1),
        rule("key", "acme", variation=1, contextKind="org"),
        rule("targetingKey", "by-key", "other"),
    )
    eventually(lambda: evaluate(world, key, "checkout").json["metadata"]["flagVersion"] == 3)

    def variant(**context: object) -> str:
        found: str = evaluate(world, key, "checkout", context).json["variant"]
        return found

    assert variant(targetingKey="by-key") == "1"
    assert variant(key="by-key") == "1"
    assert variant(targetingKey="x", key="by-key") == "0"
    assert variant(kind="org", targetingKey="acme") == "1"
    assert (
        variant(kind="multi", user={"targetingKey": "a"}, org={"key": "acme"}, targetingKey="by-key") == "1"
    )
    assert variant(kind="multi", user={"key": "a"}, targetingKey="by-key") == "0"


# -- who asks -------------------------------------------------------------------------------------------


def test_a_key_is_needed_by_either_header(world: World, key: str) -> None:
    path, body = f"{FLAGS}/checkout", {"context": ANA}
    assert ask(world, "POST", path, body, X_API_Key=key).status == 200
    for wrong in ("", "srv_" + "x" * 40, "cli_short", world.people["ana"].key):
        found = ask(world, "POST", path, body, key=wrong)
        assert found.told == (401, REFUSED)
        assert found.headers["www-authenticate"] == "Bearer"
    assert ask(world, "POST", path, body).status == 401
    assert ask(world, "POST", path, body, Authorization=f"Basic {key}").status == 401
    assert ask(world, "POST", path, body, X_API_Key="nobody").status == 401


def test_a_key_that_ended_opens_nothing(world: World, key: str) -> None:
    other, later = sdk_key(world), sdk_key(world)
    assert {evaluate(world, one, "checkout").status for one in (key, other, later)} == {200}
    revoke(world, other)
    revoke(world, later, in_hours=1)
    assert evaluate(world, other, "checkout").told == (401, REFUSED)
    assert evaluate(world, later, "checkout").status == 200
    world.clock.advance(3600)
    assert evaluate(world, later, "checkout").told == (401, REFUSED)
    call(world, "ana", "flags.project_archive", project="shop")
    assert evaluate(world, key, "checkout").told == (401, REFUSED)


def test_a_client_side_id_sees_client_side_flags_only(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    flag(world, "banner", client_side=True)
    eventually(lambda: evaluate(world, client, "banner").status == 200)
    assert code(evaluate(world, client, "checkout")) == (404, told("FLAG_NOT_FOUND"))
    assert list(values(world, client)) == ["banner"]
    assert list(values(world, key)) == ["banner", "checkout"]


def test_each_key_opens_its_own_environment(world: World, key: str) -> None:
    other = sdk_key(world, environment="production")
    assert (values(world, key), values(world, other)) == ({"checkout": True}, {"checkout": False})


def test_pages_of_other_sites_read_what_a_client_side_id_opens_and_nothing_else(
    world: World, key: str
) -> None:
    client = sdk_key(world, "client")
    for path in (FLAGS, f"{FLAGS}/checkout"):
        body = {"context": ANA}
        found = ask(world, "POST", path, body, key=client, Origin="https://shop.example").headers
        assert found["access-control-allow-origin"] == "*"
        assert found["access-control-expose-headers"] == "ETag, Retry-After"
        found = ask(world, "POST", path, body, key=key, Origin="https://shop.example").headers
        assert not [name for name in found if name.startswith("access-control")]
        asked = ask(
            world, "OPTIONS", path, Origin="https://shop.example", Access_Control_Request_Method="POST"
        )
        assert (asked.status, asked.body) == (204, b"")
        assert asked.headers["access-control-allow-origin"] == "*"
        assert asked.headers["access-control-allow-methods"] == "POST, OPTIONS"
        allowed = set(asked.headers["access-control-allow-headers"].split(", "))
        assert {"Authorization", "Content-Type", "If-None-Match"} <= allowed


def test_other_methods_and_addresses_are_refused(world: World, key: str) -> None:
    found = ask(world, "GET", FLAGS, key=key)
    assert (found.status, found.headers["allow"]) == (405, "POST, OPTIONS")
    assert ask(world, "GET", f"{FLAGS}/a%2Fb", key=key).status == 405
    for path in ("/ofrep/v1/configuration", "/ofrep/v1/evaluate/flags/"):
        assert ask(world, "POST", path, {"context": ANA}, key=key).json["error"]["code"] == "not_found"


def test_calls_may_be_limited_by_key(world: World, key: str) -> None:
    assert world.app is not None
    world.app._gate.limits = Limits(Rates(read=Rate(0.25, 2)))
    assert evaluate(world, key, "checkout").status == 200
    assert evaluate_all(world, key).status == 200
    found = evaluate(world, key, "checkout")
    assert code(found) == (429, told("GENERAL"))
    assert found.headers["retry-after"] == "4"
    assert evaluate(world, sdk_key(world), "checkout").status == 200


# -- all flags ------------------------------------------------------------------------------------------


def test_all_flags_come_by_key_with_the_version_of_the_environment(world: World, key: str) -> None:
    for name in ("b", "a.b", "A"):
        flag(world, name)
    eventually(lambda: len(values(world, key)) == 4)
    answer = evaluate_all(world, key).json
    assert [one["key"] for one in answer["flags"]] == ["A", "a.b", "b", "checkout"]
    assert answer["metadata"] == {"environmentVersion": version(world, "test")}
    assert answer["flags"][3] == evaluate(world, key, "checkout").json
    assert "eventStreams" not in answer


def test_browsers_are_told_where_they_hear_of_changes(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    streams = evaluate_all(world, client).json["eventStreams"]
    assert streams == [{"type": "sse", "endpoint": {"requestUri": f"/sdk/v1/stream?clientId={client}"}}]


def test_the_tag_covers_version_key_class_and_context(world: World, key: str) -> None:
    client = sdk_key(world, "client")
    tag = evaluate_all(world, key).headers["etag"]
    environment = world.database.write_now(
        lambda tx: tx.value("select id from flag_environment where key = 'test'")
    )
    decides = f'{environment}.{version(world, "test")}.server.{{"key":"ana"}}'
    assert tag == f'"{hashlib.sha256(decides.encode()).hexdigest()[:32]}"'
    assert evaluate_all(world, sdk_key(world)).headers["etag"] == tag
    assert evaluate_all(world, key, {"key": "ana"}).headers["etag"] == tag
    assert evaluate_all(world, client).headers["etag"] != tag
    assert evaluate_all(world, key, {**ANA, "plan": "gold"}).headers["etag"] != tag
    serve(world, 1)
    eventually(lambda: evaluate_all(world, key).headers["etag"] != tag)


def test_what_did_not_change_is_not_sent_again(world: World, key: str) -> None:
    tag = evaluate_all(world, key).headers["etag"]
    for form in (tag, f"W/{tag}", tag.strip('"'), f'"other", {tag}'):
        found = evaluate_all(world, key, If_None_Match=form)
        assert (found.status, found.body, found.headers["etag"]) == (304, b"", tag)
    for form in ("*", '"other"', ""):
        assert evaluate_all(world, key, If_None_Match=form).status == 200
    assert evaluate_all(world, key, {"targetingKey": "bo"}, If_None_Match=tag).status == 200


def test_a_broken_flag_is_an_item_and_spoils_no_other(world: World, key: str) -> None:
    flag(world, "broken")
    world.database.write_now(
        lambda tx: tx.execute(
            "update flag_config set config = json_set(config, '$.on', json('true'), '$.fallthrough', json('{}'))"
            " where flag = (select id from flag where key = 'broken')"
        )
    )
    world.database.write_now(lambda tx: tx.execute("update flag_environment set version = version + 1"))
    wanted = {
        "key": "broken",
        "errorCode": "PARSE_ERROR",
        "errorDetails": "The configuration of the flag is broken.",
        "reason": "ERROR",
        "metadata": {"flagVersion": 1},
    }
    eventually(lambda: evaluate(world, key, "broken").told == (400, wanted))
    flags = evaluate_all(world, key).json["flags"]
    assert flags[0] == wanted
    assert flags[1]["value"] is True


# -- what is counted ------------------------------------------------------------------------------------


def test_each_evaluation_counts(world: World, key: str) -> None:
    flag(world, "banner", client_side=True)
    client = sdk_key(world, "client")
    eventually(lambda: len(values(world, key)) == 2)
    for _ in range(3):
        evaluate(world, key, "checkout")
    evaluate(world, client, "checkout")
    tag = evaluate_all(world, client).headers["etag"]
    evaluate_all(world, client, If_None_Match=tag)
    evaluate(world, key, "checkout", {})
    eventually(lambda: counted(world, "banner").get(1, 0) >= 2)
    assert counted(world)[0] >= 4
    assert counted(world, "banner")[1] == counted(world)[0] - 3 + 1


def test_counts_are_of_the_hour_and_tell_when_a_flag_was_evaluated(world: World, key: str) -> None:
    hour = world.clock.now() // 3600 * 3600
    evaluate(world, key, "checkout")
    world.clock.advance(3600)
    evaluate(world, key, "checkout")

    def series() -> list[Json]:
        found = call(world, "ana", "flags.insights", project="shop", key="checkout", environment="test")
        points: list[Json] = found["series"]
        return points

    wanted = [{"hour": at, "variation": 0, "count": 1} for at in (hour, hour + 3600)]
    eventually(lambda: series() == wanted)
    seen = world.database.write_now(lambda tx: tx.column("select evaluated_at from flag_config order by 1"))
    assert seen == [None, hour + 3600]


def test_counts_that_cannot_be_written_wait(world: World, key: str, caplog: pytest.LogCaptureFixture) -> None:
    world.database.write_now(
        lambda tx: tx._run(
            "create trigger refused before insert on flag_count begin select raise(abort, 'no'); end", {}
        )
    )
    evaluate(world, key, "checkout")
    eventually(lambda: "counts of flag answers wait" in caplog.text)
    evaluate(world, key, "checkout")
    world.database.write_now(lambda tx: tx._run("drop trigger refused", {}))
    eventually(lambda: counted(world) == {0: 2})


def test_counting_moves_no_version(world: World, key: str) -> None:
    before = version(world, "test")
    evaluate(world, key, "checkout")
    eventually(lambda: counted(world) == {0: 1})
    assert version(world, "test") == before


# -- published clients ----------------------------------------------------------------------------------


def test_the_published_provider_understands_it(world: World, key: str) -> None:
    flag(world, "theme", kind="string", variations=[{"value": "blue"}, {"value": "red"}])
    flag(world, "limit", kind="number", variations=[{"value": 7}, {"value": 1}])
    flag(world, "ratio", kind="number", variations=[{"value": 0.5}, {"value": 1}])
    flag(world, "menu", kind="json", variations=[{"value": {"a": [1]}}, {"value": {}}])
    for name in ("theme", "limit", "ratio", "menu"):
        serve(world, 0, key=name)
    eventually(lambda: values(world, key).get("menu") == {"a": [1]})
    provider = OFREPProvider(world.url, headers_factory=lambda: {"Authorization": f"Bearer {key}"})
    ana = EvaluationContext("ana", {"plan": "gold"})
    found = provider.resolve_boolean_details("checkout", False, ana)
    assert (found.value, found.variant, found.reason) == (True, "0", "DEFAULT")
    assert found.flag_metadata == {"flagVersion": 2}
    assert provider.resolve_string_details("theme", "", ana).value == "blue"
    assert provider.resolve_integer_details("limit", 0, ana).value == 7
    assert provider.resolve_float_details("ratio", 0.0, ana).value == 0.5
    assert provider.resolve_object_details("menu", {}, ana).value == {"a": [1]}
    with pytest.raises(FlagNotFoundError):
        provider.resolve_boolean_details("other", False, ana)
    with pytest.raises(InvalidContextError):
        provider.resolve_boolean_details("checkout", False)
    provider.session.close()
    assert ErrorCode.TARGETING_KEY_MISSING.value == code(evaluate(world, key, "checkout", {}))[1]["errorCode"]


def test_what_another_flag_stands_in_the_way_of_the_published_provider_does_not_know(
    world: World, key: str
) -> None:
    flag(world, "base")
    patch(world, "ana", "test", {"kind": "addPrerequisite", "key": "base", "variation": 0})
    flag(world, "none")
    patch(world, "ana", "test", {"kind": "updateOffVariation", "variation": None}, key="none")
    eventually(lambda: evaluate(world, key, "checkout").json["reason"] == "PREREQUISITE_FAILED")
    ana = EvaluationContext("ana")
    seen: list[tuple[Any, ...]] = []
    theirs = OFREPProvider(world.url, headers_factory=lambda: {"Authorization": f"Bearer {key}"})
    providers: list[AbstractProvider] = [theirs, KbworkProvider(Client(sdk_key=key, base_url=world.url))]
    for provider in providers:
        api.set_provider_and_wait(provider)
        for name in ("checkout", "none"):
            found = api.get_client().get_boolean_details(name, True, ana)
            seen.append((found.value, found.reason, found.error_code))
    api.clear_providers()
    theirs.session.close()
    assert seen == [
        (True, "ERROR", ErrorCode.GENERAL),
        (True, "ERROR", ErrorCode.GENERAL),
        (False, "PREREQUISITE_FAILED", None),
        (True, "DISABLED", None),
    ]
