"""Every operation, whoever wrote it, keeps the rules of the house."""

import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import jsonschema
import pytest

from kbwork.app import registry
from kbwork.base import ids
from kbwork.contract import load
from kbwork.core.access import callers, scopes
from kbwork.core.operations.declare import Operation
from kbwork.core.things.thing import ref_of
from kbwork.modules import MODULES
from tests.conftest import World
from tests.house import answers
from tests.house.conftest import Door

SECRET = re.compile(r"\b(?:kb[a-z]*_|sdk-|mob-|api-|whsec_)[A-Za-z0-9_-]{16,}|\b[A-Za-z0-9+/_-]{40,}\b")
"""What looks like a token, or like much chance."""
OPERATIONS = list(registry().operations.values())
SIGNED_IN = [op for op in OPERATIONS if not op.public]
NOT_FOR_MEMBERS = frozenset(op.id for op in OPERATIONS if op.system or "desk:portal" in op.scopes)
"""Who is no member calls these: a component inside, or a customer."""
ROLES = ("ana", "bo", "cy", "di", "gus")
EXPECTED = {
    "ai.complete": "upstream-failed",
    "ai.explain": "upstream-failed",
    "ai.provider_models": "upstream-failed",
    "ai.summarize": "upstream-failed",
    "auth.login_verify": "unauthenticated",
    "auth.oidc_finish": "unauthenticated",
    "auth.oidc_start": "not-found",
    "auth.passkey_add": "invalid-input",
    "auth.passkey_delete": "not-found",
    "auth.passkey_login": "unauthenticated",
    "auth.provider_unlink": "not-found",
    "auth.totp_confirm": "conflict",
    "chat.subscription_test": "upstream-failed",
    **dict.fromkeys(NOT_FOR_MEMBERS, "insufficient-scope"),
    "desk.portal_login": "unauthenticated",
    "events.export": "conflict",
    "flags.change_apply": "conflict",
    "flags.clean_up": "conflict",
    "mail.ingest": "not-found",
    "members.chat_link": "invalid-input",
    "org.setup": "conflict",
    "webhooks.send": "conflict",
}
"""Operations whose example cannot go well in a lived-in org: what refuses it."""


def test_without_a_key_nothing_opens_before_the_body_is_read(door: Door) -> None:
    """A body is announced and never sent: the answer comes all the same."""
    found = {}
    for op in SIGNED_IN:
        status, headers, problem = door.post(op.id, b"", None, **{"Content-Length": "999999"})
        found[op.id] = (status, headers.get("www-authenticate"), problem["type"])
    assert found == {op.id: (401, "Bearer", "/problems/unauthenticated") for op in SIGNED_IN}


@pytest.mark.parametrize(
    "token", ["garbage", "kb_" + "x" * 43, "kbs_" + "x" * 43, "kbo_" + "x" * 43, "kbp_" + "x" * 43, ""]
)
def test_a_token_that_nobody_has_is_refused_everywhere(door: Door, token: str) -> None:
    assert {door.post(op.id, {}, token)[0] for op in SIGNED_IN} == {401}


def test_a_key_without_the_scope_is_told_which_one_is_missing(world: World, door: Door) -> None:
    def key_without(missing: tuple[str, ...]) -> str:
        left = {one for one in scopes.ADMIN if not scopes.meant(frozenset({one})).intersection(missing)}
        made = {"name": "all but these", "scopes": sorted(left)}
        return world.database.write_now(lambda tx: callers.add_key(tx, world.people["ana"].id, made))[1]

    keys = {scope: key_without(scope) for scope in {op.scopes for op in SIGNED_IN}}
    for op in SIGNED_IN:
        token = keys[op.scopes]
        status, _, problem = door.post(op.id, op.example, token)
        assert (status, problem["type"], problem["scopes"]) == (
            403,
            "/problems/insufficient-scope",
            list(op.scopes),
        ), op.id


def test_a_field_that_is_not_known_is_named(lived_in: World, door: Door) -> None:
    token = lived_in.people["ana"].session
    for op in OPERATIONS:
        if op.id in NOT_FOR_MEMBERS:
            continue
        status, _, problem = door.post(op.id, {**op.example, "no_such_field": 1}, token)
        assert (status, problem["type"]) == (422, "/problems/unknown-field"), (op.id, problem)
        assert problem["errors"][0]["path"] == "no_such_field", op.id


@pytest.mark.parametrize("taken", ["id", "author", "created_by", "via", "actor", "org", "role", "scopes"])
def test_no_field_is_taken_that_is_not_declared(lived_in: World, door: Door, taken: str) -> None:
    token = lived_in.people["ana"].session
    for op in OPERATIONS:
        names = {field.alias or name for name, field in op.input.model_fields.items()}
        if op.id in NOT_FOR_MEMBERS or taken in names:
            continue
        status, _, problem = door.post(op.id, {**op.example, taken: "x"}, token)
        assert (status, problem["type"]) == (422, "/problems/unknown-field"), op.id


_document = cache(load)
"""What is read of the contract for many operations in turn: it takes 20 ms."""


def _validator(document: dict[str, Any], schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema, "components": document["components"]})


@pytest.mark.quick
@pytest.mark.parametrize("module", MODULES)
def test_examples_go_well_and_their_answers_fit_the_contract(
    lived_in_again: Callable[[], AbstractContextManager[World]], module: str
) -> None:
    """Each in a world of its own, since what one changes, another would miss; looks share one."""
    faults: dict[str, str] = {}
    found: dict[str, Any] = {}
    asked = [op for op in OPERATIONS if op.module == module and not op.system]
    looks = [op for op in asked if op.kept]
    for together in filter(None, (looks, *([op] for op in asked if not op.kept))):
        with lived_in_again() as world:
            for op in together:
                answered = Door(world).post(op.id, op.example, world.people["ana"].session)
                faults[op.id] = _fault_of_example(world, op, answered)
                if answered[0] == 200:
                    found[op.id] = answers.told(world, answered[2])
    assert {op: fault for op, fault in faults.items() if fault} == {}
    if answers.WRITES:
        answers.keep(module, {op: _kept(lived_in_again, op, told) for op, told in found.items()})
    kept = {op: answer for op, answer in _document("answers.json").items() if op.partition(".")[0] == module}
    assert kept.keys() == found.keys(), answers.__doc__
    other = {op: list(answers.faults(kept[op], found[op])) for op in found}
    assert {op: faults for op, faults in other.items() if faults} == {}, answers.__doc__


def test_answers_in_the_contract_fit_it_and_tell_no_secret() -> None:
    document = _document("openapi.json")
    faults, told = {}, json.dumps(_document("answers.json"))
    for op, answer in _document("answers.json").items():
        content = document["paths"][f"/api/v1/{op}"]["post"]["responses"]["200"]["content"]
        described = content["application/json"]
        assert described["examples"] == {"sample": {"value": answer}}, op
        error = jsonschema.exceptions.best_match(
            _validator(document, described["schema"]).iter_errors(answer)
        )
        if error is not None:
            faults[op] = f"{error.json_path}: {error.message}"
    assert faults == {}
    assert SECRET.findall(told) == []


def _kept(again: Callable[[], AbstractContextManager[World]], op: str, told: Any) -> Any:
    with again() as world:
        _, _, answer = Door(world).post(op, registry().require(op).example, world.people["ana"].session)
        return answers.shown(told, answers.told(world, answer))


def _fault_of_example(world: World, op: Operation, answered: tuple[int, dict[str, str], Any]) -> str:
    """What is wrong with the answer to an example; an empty text where nothing is."""
    status, headers, answer = answered
    document = _document("openapi.json")
    described = document["paths"][f"/api/v1/{op.id}"]["post"]["responses"]
    if str(status) not in described:
        return f"{status} is not described: {answer}"
    if status != 200:
        refused = answer["type"].removeprefix("/problems/")
        return "" if EXPECTED.get(op.id) == refused or status == 404 else f"it is refused: {answer}"
    schema = described["200"]["content"]["application/json"]["schema"]
    if (
        error := jsonschema.exceptions.best_match(_validator(document, schema).iter_errors(answer))
    ) is not None:
        return f"its answer does not fit: {error}"
    if "x-kb-seq" not in headers or ("etag" in headers) != (op.cls == "read"):
        return f"its headers are not as they should be: {headers}"
    return _fault_of_events(world)


def _fault_of_events(world: World) -> str:
    """What changes of a thing that stands under another one's subject says which one that is."""
    told = world.database.write_now(
        lambda tx: tx.tuples(
            "select kind, subject from events where json_extract(payload, '$.changes') is not null"
        )
    )
    assert world.app is not None
    registry = world.app.dispatcher.registry
    for kind, subject in told:
        family = kind.partition(".")[0]
        if family in registry.things and family != ref_of(subject)[0] and registry.events[kind].part is None:
            return f"{kind} changes something of {subject}, and does not say which"
    return ""


@pytest.mark.parametrize("module", MODULES)
def test_a_read_is_not_sent_twice(lived_in: World, door: Door, module: str) -> None:
    token = lived_in.people["ana"].session
    found = {}
    for op in OPERATIONS:
        if op.module == module and op.cls == "read" and op.road == "read" and op.cached:
            status, headers, _ = door.post(op.id, op.example, token)
            assert status in (200, 404), op.id
            if status == 200:  # else its example names what is not there
                again, same, body = door.post(op.id, op.example, token, **{"If-None-Match": headers["etag"]})
                found[op.id] = (again, same["etag"] == headers["etag"], body)
    assert found == dict.fromkeys(found, (304, True, None))


@pytest.mark.parametrize("handle", ROLES)
def test_no_role_gets_more_than_its_scopes(lived_in: World, door: Door, handle: str) -> None:
    """Each operation, asked with an empty body, is refused by scope exactly where the role does not hold it."""
    person = lived_in.people[handle]
    held = scopes.of_role(person.role)
    for op in SIGNED_IN:
        status, _, problem = door.post(op.id, b"[]", person.key)
        refused = status == 403 and problem["type"] == "/problems/insufficient-scope"
        assert refused == (not held & set(op.scopes)), (op.id, status)
        if not refused:
            assert (status, problem["type"]) == (400, "/problems/invalid-json"), (op.id, status)


def test_nobody_is_a_component_inside(lived_in: World, door: Door) -> None:
    for op in OPERATIONS:
        if op.system:
            for person in lived_in.people.values():
                assert door.post(op.id, op.example, person.key)[0] == 403


def test_an_idempotency_key_has_one_effect(lived_in: World, door: Door) -> None:
    token = lived_in.people["ana"].session
    key = {"Idempotency-Key": ids.short()}
    first = door.post("labels.save", {"name": "once"}, token, **key)
    second = door.post("labels.save", {"name": "once"}, token, **key)
    assert (first[0], second[0], first[2]) == (200, 200, second[2])
    assert (first[1].get("idempotent-replayed"), second[1].get("idempotent-replayed")) == (None, "true")
    assert (
        door.post("labels.save", {"name": "twice"}, token, **key)[2]["type"]
        == "/problems/idempotency-mismatch"
    )


def _answers_job(document: dict[str, Any], op: Operation) -> bool:
    """Whether the contract has a job in each of its answers."""
    described = document["paths"][f"/api/v1/{op.id}"]["post"]["responses"]["200"]
    schema = described["content"]["application/json"]["schema"]
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    job = schema.get("properties", {}).get("job", {})
    return "job" in schema.get("required", ()) and job.get("type") == "integer"


def test_what_starts_a_job_answers_it_and_stands_alone(lived_in: World, door: Door) -> None:
    """In a batch it is refused, and what stood before it there with it."""
    document = _document("openapi.json")
    starting = [op for op in OPERATIONS if _answers_job(document, op)]
    begun = [op for op in OPERATIONS if "enqueue" in op.fn.__code__.co_names]
    assert {op.id for op in begun} - {op.id for op in starting} == set()
    assert {op.id for op in starting} >= {"projects.copy", "search.reindex", "trash.empty"}
    seq = lived_in.database.seq
    for op in starting:
        calls = [{"op": "labels.save", "input": {"name": "before"}}, {"op": op.id, "input": op.example}]
        status, _, problem = door.post("api.batch", {"ops": calls}, lived_in.people["ana"].session)
        said = (status, problem.get("type"), problem.get("index"), problem.get("op"))
        assert said == (422, "/problems/invalid-input", 1, op.id), problem
        assert "cannot run inside another operation" in problem["detail"], op.id
    assert lived_in.database.seq == seq


def test_every_operation_is_documented_with_its_class_scopes_and_events() -> None:
    document = _document("openapi.json")
    for op in OPERATIONS:
        described = document["paths"][f"/api/v1/{op.id}"]["post"]
        assert described["x-kb-class"] == op.cls
        assert described["x-kb-scopes"] == list(op.scopes)
        assert described["x-kb-events"] == (
            ["*"] if op.emits_any else sorted(event.kind for event in op.emits)
        )
        assert described["summary"]
        assert json.dumps(described["requestBody"]["content"]["application/json"]["example"]) == json.dumps(
            op.example
        )
