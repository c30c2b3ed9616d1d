"""The flag REST: every path at work with the shapes that its document promises, and what its rules refuse."""

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.api.flags.requests import Answer, Place, ask, key_of, session
from tests.conftest import World
from tests.modules.calls import call

WEB = "/projects/web"
TEST = f"{WEB}/environments/test"
PRODUCTION = f"{WEB}/environments/production"
CHECKOUT = f"{WEB}/flags/checkout"
ENV = "/projects/{proj}/environments/{env}"
FLAG = "/projects/{proj}/flags/{flag}"
ON = [{"kind": "turnFlagOn"}]
NOW_MS = 1_800_000_000_000
HOUR_MS = 3_600_000
LATER_MS = 1_898_586_000_000


@pytest.fixture
def place(world: World) -> Place:
    return Place(world).fill()


class Walk:
    """Asks by the templates of the document, and checks each answer against what it promises."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.document = ask(place.world, None, "GET", "/flags-openapi.json").body
        self.walked: set[tuple[str, str]] = set()
        for shape in self.document["components"]["schemas"].values():
            if "properties" in shape:  # an answer may grow; a test wants to know of it
                shape.setdefault("additionalProperties", False)

    def __call__(
        self, method: str, template: str, body: Any = None, /, *, query: str = "", **names: Any
    ) -> Any:
        path = f"/orgs/{{org}}{template}" if template != "/me" else template
        self.walked.add((method, f"/api/v1{path}"))
        told = self.document["paths"][f"/api/v1{path}"][method.lower()]
        for name, value in {"org": self.place.org, "proj": "web", **names}.items():
            path = path.replace(f"{{{name}}}", str(value))
        assert "{" not in path
        answer = ask(self.place.world, self.place.token, method, path + query, body)
        wanted = 201 if "201" in told["responses"] else 200
        assert answer.status == wanted, answer
        assert "x-kb-seq" in answer.headers
        assert ("etag" in answer.headers) is (method == "GET")
        self._check(told["responses"][str(wanted)]["content"]["application/json"]["schema"], answer.body)
        return answer.body

    def _check(self, schema: dict[str, Any], value: Any) -> None:
        schema = schema["allOf"][0] if "allOf" in schema else schema
        Draft202012Validator({**schema, "components": self.document["components"]}).validate(value)


def test_every_path_of_the_document_works_and_answers_what_it_says(place: Place) -> None:
    walk = Walk(place)
    _walk_org(walk)
    _walk_projects(walk)
    _walk_keys(walk)
    _walk_flags(walk)
    _walk_history(walk)
    _walk_schedules(walk)
    _walk_segments(walk)
    _walk_change_requests(walk)
    _walk_environments(walk)
    promised = {(method.upper(), path) for path, found in walk.document["paths"].items() for method in found}
    assert walk.walked == promised


def _walk_org(walk: Walk) -> None:
    me = walk("GET", "/me")
    assert (me["role"], me["org"]["id"], me["caller"]["handle"]) == ("owner", "1", "ana")
    assert [one["key"] for one in walk("GET", "")["projects"]] == ["web"]
    assert walk("GET", "/settings") == {"agentProductionWrites": "changeRequest"}
    direct = {"agentProductionWrites": "direct"}
    assert walk("PATCH", "/settings", direct) == direct
    beta = {
        "key": "beta",
        "name": "Beta",
        "kind": "boolean",
        "variations": [{"value": True}, {"value": False}],
        "settings": {"clientSide": True},
    }
    assert walk("POST", "/templates", beta)["builtIn"] is False
    assert keys(walk("GET", "/templates"))[-1] == "beta"
    assert "beta" not in keys(walk("DELETE", "/templates/{key}", key="beta"))
    exported = walk("GET", "/export")
    assert exported["settings"] == direct
    assert exported["projects"][0]["flags"][0]["clientSide"] is False


def _walk_projects(walk: Walk) -> None:
    proj = "/projects/{proj}"
    walk("POST", "/projects", {"key": "shop", "name": "Shop", "workProject": "WEB"})
    assert keys(walk("GET", "/projects")) == ["shop", "web"]
    assert walk("PATCH", proj, {"name": "The shop"}, proj="shop")["name"] == "The shop"
    assert walk("DELETE", proj, proj="shop") == {"ok": True}
    assert [one["key"] for one in walk("GET", proj)["environments"]] == ["test", "production"]
    made = walk(
        "POST", f"{proj}/environments", {"key": "staging", "minApprovals": 2, "requireApproval": True}
    )
    assert (made["minApprovals"], made["requireApproval"], made["name"]) == (2, True, "staging")
    assert walk("GET", ENV, env="staging") == made
    loose = {"requireApproval": False, "allowSelfApproval": True}
    assert walk("PATCH", ENV, loose, env="staging") == made | loose
    assert keys(walk("GET", f"{proj}/environments")) == ["test", "production", "staging"]
    assert keys(walk("DELETE", ENV, env="staging")) == ["test", "production"]


def _walk_keys(walk: Walk) -> None:
    server = walk("POST", f"{ENV}/keys", {"kind": "server"}, env="test")
    client = walk("POST", f"{ENV}/keys", {"kind": "client", "expireOthersInHours": 2}, env="test")
    assert (server["secret"][:4], server["value"], server["createdAt"]) == ("srv_", None, NOW_MS)
    assert client["secret"] == client["value"]
    rotated = walk("POST", f"{ENV}/keys", {"kind": "server", "expireOthersInHours": 2}, env="test")
    assert [(one["id"], one["expiresAt"]) for one in walk("GET", f"{ENV}/keys", env="test")["items"]] == [
        (server["id"], NOW_MS + 2 * HOUR_MS),
        (client["id"], None),
        (rotated["id"], None),
    ]
    left = walk("DELETE", f"{ENV}/keys/{{id}}", env="test", id=server["id"])["items"]
    assert [one["id"] for one in left] == [client["id"], rotated["id"]]
    left = walk("DELETE", f"{ENV}/keys/{{id}}", query="?expireInHours=1", env="test", id=client["id"])[
        "items"
    ]
    assert left[0]["expiresAt"] == NOW_MS + HOUR_MS


def _walk_flags(walk: Walk) -> None:
    proj = "/projects/{proj}"
    whole = {
        "key": "theme",
        "name": "Theme",
        "description": "Colours",
        "kind": "string",
        "defaults": {"on": 1, "off": 0},
        "tags": ["look"],
        "maintainers": [walk.place.world.people["cy"].id],
        "temporary": False,
        "clientSide": True,
    }
    variations = [{"value": "light", "name": "Light"}, {"value": "dark"}]
    made = walk("POST", f"{proj}/flags", whole | {"variations": variations})
    assert {name: made[name] for name in whole} == whole
    assert made["environments"]["test"]["offVariation"] == 0
    assert keys(walk("GET", f"{proj}/flags", query="?tag=look&full=true")) == ["theme"]
    found = walk("GET", FLAG, flag="checkout")
    assert {"dependents", "changes", "schedules"} <= set(found)
    assert walk("GET", f"{proj}/stale-flags") == {"items": []}
    assert walk("GET", f"{proj}/kill-switches", query="?env=test")["items"] == [
        {"key": "banner", "environment": "test", "on": False}
    ]
    assert walk("DELETE", FLAG, flag="banner")["archived"] is True


def _walk_history(walk: Walk) -> None:
    patch = {"environmentKey": "test", "instructions": ON, "comment": "Try it"}
    changed = walk("PATCH", FLAG, patch, flag="checkout")
    assert changed["diff"] == {"test": [{"path": "/on", "from": False, "to": True}]}
    assert (changed["outcome"], "changeRequest" in changed) == ("applied", False)
    versions = walk("GET", f"{FLAG}/history", query="?env=test", flag="checkout")["items"]
    told = [(one["version"], one["comment"], one["at"]) for one in versions]
    assert told == [(2, "Try it", NOW_MS), (1, "", NOW_MS)]
    again = walk("POST", f"{FLAG}/restore", {"revisionId": versions[1]["id"]}, flag="checkout")
    assert again["environments"]["test"]["on"] is False
    context = {"environmentKey": "test", "context": {"key": "ana"}}
    seen = walk("POST", f"{FLAG}/evaluate", context, flag="checkout")
    assert (seen["key"], seen["value"], seen["reason"]) == ("checkout", False, "DISABLED")
    assert walk("GET", f"{FLAG}/insights", query="?env=test&hours=48", flag="checkout") == {
        "series": [],
        "aliases": [],
    }
    reach = walk("POST", f"{FLAG}/blast-radius", {"environmentKey": "test"}, flag="checkout")
    assert reach["risk"] == "low"


def _walk_schedules(walk: Walk) -> None:
    later = {"environmentKey": "test", "instructions": ON, "runAt": "2030-03-01T09:00:00Z"}
    timed = walk("POST", f"{FLAG}/schedules", later, flag="checkout")
    assert timed["outcome"] == "applied"
    (waiting,) = walk("GET", f"{FLAG}/schedules", flag="checkout")["items"]
    assert (waiting["runAt"], waiting["environmentKey"]) == (LATER_MS, "test")
    assert walk("DELETE", f"{FLAG}/schedules/{{id}}", flag="checkout", id=timed["id"]) == {"ok": True}


def _walk_segments(walk: Walk) -> None:
    segment = {"key": "beta", "includedContexts": [{"contextKind": "org", "values": ["acme"]}]}
    assert walk("POST", f"{ENV}/segments", segment, env="test")["usedBy"] == []
    assert keys(walk("GET", f"{ENV}/segments", env="test")) == ["beta", "staff"]
    add = {"instructions": [{"kind": "addIncludedTargets", "values": ["di"]}]}
    told = walk("PATCH", f"{ENV}/segments/{{seg}}", add, env="test", seg="beta")
    assert (told["outcome"], told["segment"]["included"]) == ("applied", ["di"])
    assert walk("GET", f"{ENV}/segments/{{seg}}", env="test", seg="beta") == told["segment"]
    assert walk("DELETE", f"{ENV}/segments/{{seg}}", env="test", seg="beta") == {
        "ok": True,
        "outcome": "applied",
    }


def _walk_change_requests(walk: Walk) -> None:
    proj = "/projects/{proj}/change-requests"
    asked = {"kind": "flag", "targetKey": "checkout", "environmentKey": "production", "instructions": ON}
    change = walk("POST", proj, asked)
    told = [change[name] for name in ("targetKey", "environmentKey", "status", "createdAt")]
    assert told == ["checkout", "production", "pending", NOW_MS]
    one = {"id": change["id"]}
    assert walk("GET", f"{proj}/{{id}}", **one)["preview"]["fits"] is True
    listed = walk("GET", proj, query="?status=pending&env=production")["items"]
    assert [other["id"] for other in listed] == [change["id"]]
    said = {"decision": "comment", "comment": "Why now?"}
    assert walk("POST", f"{proj}/{{id}}/review", said, **one)["reviews"][0]["at"] == NOW_MS
    assert walk("POST", f"{proj}/{{id}}/cancel", **one)["status"] == "cancelled"
    timed = walk("POST", proj, asked | {"runAt": LATER_MS})
    world = walk.place.world
    reviewed = call(world, "bo", "flags.change_review", project="web", id=timed["id"], decision="approve")
    assert (reviewed["status"], timed["runAt"]) == ("approved", LATER_MS)
    assert walk("POST", f"{proj}/{{id}}/apply", id=timed["id"])["status"] == "applied"


def _walk_environments(walk: Walk) -> None:
    compared = walk("GET", "/projects/{proj}/compare", query="?from=production&to=test")
    assert [one["key"] for one in compared["flags"]] == ["checkout"]
    copied = walk("POST", f"{ENV}/copy", {"from": "production", "flags": ["checkout"]}, env="test")
    assert [one["outcome"] for one in copied["changes"]] == ["applied"]


def keys(found: Any) -> list[str]:
    """The keys of the items of a list."""
    return [one["key"] for one in found["items"]]


def test_the_document_calls_fields_and_values_as_answers_do(place: Place) -> None:
    document = ask(place.world, None, "GET", "/flags-openapi.json").body
    schemas = document["components"]["schemas"]
    stale, error = schemas["StaleFlag"], schemas["Error"]["properties"]["error"]
    for reason in ("serves_one", "not_evaluated", "never_evaluated"):
        assert f"`{reason}`" in stale["description"]
    codes = {"invalid_request", "unauthorized", "forbidden", "insufficient_scope", "not_found", "conflict"}
    assert set(error["properties"]["code"]["enum"]) == codes | {"rate_limited", "internal", "unavailable"}
    told = " ".join(one["description"] for one in document["components"]["responses"].values())
    assert codes <= set(re.findall(r"`([a-z_]+)`", told))
    texts = set(_texts(document))
    named = {name for text in texts for name in re.findall(r"`([a-z]+[A-Z]\w*)`", text)}
    known = set(_names(document)) | {"contextKind", "rolloutContextKind", "bucketBy", "ruleId"}
    known |= {"restoreFlag", "deleteSegment"}
    assert named - known == set()
    critical = document["paths"]["/api/v1/orgs/{org}" + ENV]["delete"]
    assert "`confirm`" in critical["description"]


def _texts(node: Any) -> Iterator[str]:
    """Every description."""
    for name, inner in node.items() if isinstance(node, dict) else enumerate(node):
        if name == "description" and isinstance(inner, str):
            yield inner
        elif isinstance(inner, dict | list):
            yield from _texts(inner)


def _names(node: Any) -> Iterator[str]:
    """Every field, parameter and value that is called by its name."""
    for name, inner in node.items() if isinstance(node, dict) else enumerate(node):
        if name in ("properties", "enum"):
            yield from inner
        elif name == "name" and isinstance(inner, str):
            yield inner
        if isinstance(inner, dict | list):
            yield from _names(inner)


def test_the_org_is_named_by_slug_or_id_and_another_is_not_found(place: Place) -> None:
    for org, status in (
        ("acme", 200),
        ("1", 200),
        ("org:1", 200),
        ("org%3A1", 200),
        ("2", 404),
        ("ACME", 404),
    ):
        assert ask(place.world, place.token, "GET", f"/orgs/{org}/settings").status == status
    assert ask(place.world, None, "GET", "/orgs/2/settings").code == "unauthorized"


def test_what_waits_for_approval_is_answered_as_a_change_request(place: Place) -> None:
    agent = key_of(place.world, "cy", ["read", "write"], kind="agent")
    path = f"/orgs/acme{CHECKOUT}"
    body = {"environmentKey": "production", "instructions": ON}
    asked = ask(place.world, agent, "PATCH", path, body)
    assert (asked.status, asked.body["outcome"]) == (200, "changeRequest")
    change = asked.body["changeRequest"]
    assert (change["targetKey"], change["requestedBy"]) == ("checkout", place.world.people["cy"].id)
    assert asked.body["diff"] == {"production": [{"path": "/on", "from": False, "to": True}]}
    assert [one["id"] for one in place.done("GET", CHECKOUT)["changes"]] == [change["id"]]
    review = f"/orgs/acme{WEB}/change-requests/{change['id']}/review"
    assert ask(place.world, agent, "POST", review, {"decision": "approve"}).code == "forbidden"
    done = place.done("POST", f"{WEB}/change-requests/{change['id']}/review", {"decision": "approve"})
    assert done["status"] == "applied"
    copied = ask(
        place.world, agent, "POST", f"/orgs/acme{PRODUCTION}/copy", {"from": "test", "flags": ["checkout"]}
    )
    assert copied.body["changes"][0]["changeRequest"]["environmentKey"] == "production"
    segment = f"/orgs/acme{PRODUCTION}/segments"
    ask(place.world, agent, "POST", segment, {"key": "s"})
    patch = {"instructions": [{"kind": "addIncludedTargets", "values": ["x"]}]}
    told = ask(place.world, agent, "PATCH", f"{segment}/s", patch).body
    assert (told["outcome"], told["changeRequest"]["kind"]) == ("changeRequest", "segment")
    timed = {"environmentKey": "production", "instructions": [{"kind": "turnFlagOff"}], "runAt": LATER_MS}
    scheduled = ask(place.world, agent, "POST", f"{path}/schedules", timed)
    assert (scheduled.status, scheduled.body["outcome"]) == (201, "changeRequest")


def test_an_owner_passes_approval_over_and_a_member_does_not(place: Place) -> None:
    place.done("PATCH", PRODUCTION, {"requireApproval": True})
    body = {"environmentKey": "production", "instructions": ON}
    waits = place.done("PATCH", CHECKOUT, body)
    assert waits["outcome"] == "changeRequest"
    member = Place(place.world, "cy")
    assert member("PATCH", f"{CHECKOUT}?bypassApprovals=true", body).code == "forbidden"
    assert place.done("PATCH", f"{CHECKOUT}?bypassApprovals=true", body)["outcome"] == "applied"
    key = key_of(place.world, "bo", ["admin"])
    again = body | {"instructions": [{"kind": "turnFlagOff"}]}
    path = f"/orgs/1{CHECKOUT}?bypassApprovals=true"
    assert ask(place.world, key, "PATCH", path, again).body["outcome"] == "applied"
    agent = key_of(place.world, "bo", ["admin"], kind="agent")
    assert ask(place.world, agent, "PATCH", path, body).code == "forbidden"
    last = place.world.events_since(0)
    assert ("flag.bypassed", "flag:web/checkout") in last


def test_a_look_by_post_answers_always(place: Place) -> None:
    body = {"environmentKey": "test", "context": {"key": "ana"}}
    first = place("POST", f"{CHECKOUT}/evaluate", body)
    again = place("POST", f"{CHECKOUT}/evaluate?dryRun=true", body, If_None_Match="*", Idempotency_Key="k")
    assert (again.status, again.body) == (200, first.body)
    reach = place("POST", f"{CHECKOUT}/blast-radius", {"environmentKey": "test"}, If_None_Match="*")
    assert (reach.status, reach.body["risk"]) == (200, "low")
    assert place("GET", f"{TEST}/keys", None, Idempotency_Key="").status == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/settings", {"agentProductionWrites": "direct"}),
        (
            "POST",
            "/templates",
            {"key": "t", "name": "T", "kind": "bool", "variations": [{"value": True}, {"value": False}]},
        ),
        ("POST", "/projects", {"key": "shop"}),
        ("PATCH", WEB, {"name": "Other"}),
        ("DELETE", WEB, None),
        ("POST", f"{WEB}/environments", {"key": "staging"}),
        ("PATCH", TEST, {"critical": True}),
        ("DELETE", TEST, None),
        ("POST", f"{TEST}/keys", {"kind": "server"}),
        ("POST", f"{PRODUCTION}/copy", {"from": "test", "includeSegments": True}),
        ("POST", f"{WEB}/flags", {"key": "new"}),
        ("PATCH", CHECKOUT, {"environmentKey": "test", "instructions": ON}),
        ("PATCH", CHECKOUT, {"instructions": [{"kind": "updateName", "value": "Other"}]}),
        ("DELETE", CHECKOUT, None),
        ("POST", f"{CHECKOUT}/restore", {"revisionId": 1}),
        (
            "POST",
            f"{CHECKOUT}/schedules",
            {"environmentKey": "test", "instructions": ON, "runAt": LATER_MS},
        ),
        ("POST", f"{TEST}/segments", {"key": "new"}),
        ("PATCH", f"{TEST}/segments/staff", {"instructions": [{"kind": "updateName", "value": "Other"}]}),
        ("DELETE", f"{TEST}/segments/staff", None),
        (
            "POST",
            f"{WEB}/change-requests",
            {"kind": "flag", "targetKey": "checkout", "environmentKey": "test", "instructions": ON},
        ),
    ],
)
def test_a_dry_run_answers_and_leaves_nothing(place: Place, method: str, path: str, body: Any) -> None:
    before, seq = place.done("GET", "/export"), place.world.database.seq
    told = place(method, f"{path}?dryRun=true", body, Idempotency_Key="once")
    assert (told.status, told.body["dryRun"]) == (200, True)
    assert (place.done("GET", "/export"), place.world.database.seq) == (before, seq)
    done = place(method, path, body, Idempotency_Key="twice")
    assert done.status == (201 if method == "POST" and "copy" not in path and "restore" not in path else 200)
    assert "dryRun" not in done.body


def test_a_dry_run_is_asked_for_in_plain_words(place: Place) -> None:
    seq = place.world.database.seq
    assert place("POST", "/projects?dryRun", {"key": "shop"}).body["dryRun"] is True
    assert place("POST", "/projects?dryRun=1", {"key": "shop"}).body["dryRun"] is True
    assert place("POST", "/projects?dryRun=perhaps", {"key": "shop"}).code == "invalid_request"
    assert place.world.database.seq == seq
    assert place("POST", "/projects?dryRun=false", {"key": "shop"}).status == 201


_THERE: list[tuple[str, Any]] = [
    ("/projects", {"key": "web"}),
    ("/projects", {"key": "WEB"}),
    (f"{WEB}/environments", {"key": "test"}),
    (f"{WEB}/flags", {"key": "checkout"}),
    (f"{TEST}/segments", {"key": "staff"}),
    (
        "/templates",
        {"key": "release", "name": "R", "kind": "bool", "variations": [{"value": True}, {"value": False}]},
    ),
]


def test_what_is_there_already_is_a_conflict(place: Place) -> None:
    before = place.done("GET", "/export")
    for path, body in _THERE:
        answer = place("POST", path, body)
        assert (answer.status, answer.code) == (409, "conflict"), path
    assert place.done("GET", "/export") == before


def test_an_archived_project_keeps_its_key_and_comes_back_by_patch(place: Place) -> None:
    place.done("DELETE", WEB)
    assert place("GET", WEB).code == "not_found"
    assert place("POST", "/projects", {"key": "web"}).code == "conflict"
    assert place("POST", f"{WEB}/flags", {"key": "x"}).code == "conflict"
    assert place.done("PATCH", WEB, {})["key"] == "web"
    assert place.done("GET", WEB)["flags"] == 2


def test_of_many_who_make_the_same_project_at_once_one_does(place: Place) -> None:
    answers: list[Answer] = []
    threads = [
        threading.Thread(target=lambda: answers.append(place("POST", "/projects", {"key": "shop"})))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(answer.status for answer in answers) == [201] + [409] * 7


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/projects", {"key": "shop"}),
        (f"{WEB}/environments", {"key": "staging"}),
        (f"{TEST}/keys", {"kind": "server"}),
    ],
)
def test_the_same_idempotency_key_has_one_effect_and_one_answer(place: Place, path: str, body: Any) -> None:
    first = place("POST", path, body, Idempotency_Key="k1")
    again = place("POST", path, body, Idempotency_Key="k1")
    assert (first.status, again.status) == (201, 201)
    assert again.body == first.body
    assert again.headers["idempotent-replayed"] == "true"
    assert place("POST", path, body | {"key": "other"}, Idempotency_Key="k1").code == "invalid_request"


def test_if_match_refuses_a_change_of_what_moved_on(place: Place) -> None:
    read = place("GET", CHECKOUT)
    tag = read.headers["etag"]
    assert tag.startswith('"flag=1,test=1,production=1')
    patch = {"environmentKey": "test", "instructions": ON}
    assert place("PATCH", CHECKOUT, patch, If_Match=tag).status == 200
    late = place("PATCH", CHECKOUT, {"instructions": [{"kind": "updateName", "value": "Late"}]}, If_Match=tag)
    assert (late.status, late.code) == (409, "conflict")
    assert place("PATCH", CHECKOUT, patch, If_Match="*").status == 200
    assert (
        place("PATCH", CHECKOUT, patch, If_Match=f"W/{place('GET', CHECKOUT).headers['etag']}").status == 200
    )
    assert place("PATCH", CHECKOUT, patch, If_Match='"test=2"').status == 200
    for odd in ('"abc"', "test=2", '"test=x"', '"gone=1"', '""', '"test=2", "test=1"'):
        assert place("PATCH", CHECKOUT, patch, If_Match=odd).code == "conflict"


def test_of_many_who_change_what_they_read_at_once_one_does(place: Place) -> None:
    tag = place("GET", CHECKOUT).headers["etag"]
    answers: list[int] = []

    def change(number: int) -> None:
        body = {"instructions": [{"kind": "updateName", "value": f"Name {number}"}]}
        answers.append(place("PATCH", CHECKOUT, body, If_Match=tag).status)

    threads = [threading.Thread(target=change, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(answers) == [200] + [409] * 7


def test_who_has_the_answer_already_is_told_so(place: Place) -> None:
    for path in (
        "",
        "/projects",
        WEB,
        f"{WEB}/flags",
        CHECKOUT,
        f"{TEST}/keys",
        "/export",
        f"{CHECKOUT}/insights",
    ):
        tag = place("GET", path).headers["etag"]
        again = place("GET", path, None, If_None_Match=f'"other", {tag}')
        assert (again.status, again.body, again.headers["etag"]) == (304, None, tag)
        assert place("GET", path, None, If_None_Match="*").status == 304
    tag = place("GET", CHECKOUT).headers["etag"]
    place.done(
        "POST",
        f"{WEB}/change-requests",
        {"kind": "flag", "targetKey": "checkout", "environmentKey": "test", "instructions": ON},
    )
    assert place("GET", CHECKOUT, None, If_None_Match=tag).status == 200  # a request waits: no version moved
    document = ask(place.world, None, "GET", "/flags-openapi.json")
    assert (
        ask(
            place.world, None, "GET", "/flags-openapi.json", None, If_None_Match=document.headers["etag"]
        ).status
        == 304
    )


_NO_OBJECTS = [b"", b"[]", b"null", b'"x"', b"{", b'{"key": NaN}', b'{"key":"a","key":"b"}', b"\xff"]


def test_a_body_that_is_no_json_object_is_refused(place: Place) -> None:
    for body in _NO_OBJECTS:
        for method, path in (("POST", "/projects"), ("PATCH", CHECKOUT), ("POST", f"{CHECKOUT}/restore")):
            answer = place(method, path, body)
            assert (answer.status, answer.code) == (400, "invalid_request"), body


_UNFIT: list[tuple[str, str, Any, str]] = [
    ("PATCH", CHECKOUT, {"enviromentKey": "test", "instructions": ON}, "'environmentKey'"),
    ("PATCH", CHECKOUT, {"environment": "test", "instructions": ON}, "'environmentKey'"),
    ("PATCH", CHECKOUT, {"environmentKey": "test"}, "instructions: is required"),
    ("PATCH", CHECKOUT, {"environmentKey": 7, "instructions": ON}, "environmentKey: should be a string"),
    ("PATCH", CHECKOUT, {"instructions": [{"kind": "turnFlagUp"}]}, "turnFlagUp"),
    ("PATCH", CHECKOUT, {"environmentKey": "test", "instructions": ON, "dry_run": True}, "dry_run"),
    ("PATCH", CHECKOUT, {"instructions": ON}, "environment"),
    ("POST", f"{WEB}/flags", {"key": "a", "clientside": True}, "'clientSide'"),
    ("POST", f"{WEB}/flags", {"key": "a", "client_side": True}, "'clientSide'"),
    ("POST", f"{WEB}/flags", {"key": "a", "clientSide": 1}, "clientSide: should be true or false"),
    ("POST", f"{WEB}/flags", {"name": "a"}, "key: is required"),
    ("POST", f"{WEB}/flags", {"key": "a b"}, "letters"),
    ("POST", f"{WEB}/flags", {"key": "a", "kind": "text"}, "kind: should be one of"),
    ("POST", "/projects", {"project": "a"}, "'project'"),
    ("POST", "/projects", {"name": "a"}, "key: is required"),
    ("PATCH", "/settings", {"agentProductionWrites": "never"}, "agentProductionWrites: should be one of"),
    ("POST", f"{TEST}/keys", {"kind": "server", "expireOthersInHours": -1}, "expireOthersInHours: "),
    ("POST", f"{CHECKOUT}/restore", {"revisionId": "x"}, "revisionId: should be a whole number"),
    ("POST", f"{CHECKOUT}/evaluate", {"environmentKey": "test", "context": {}}, "`context`"),
    (
        "POST",
        f"{CHECKOUT}/evaluate",
        {"environmentKey": "test", "context": {"key": "ana", "more": "x" * 65_536}},
        "`context` should be at most 64 KiB of JSON.",
    ),
    (
        "POST",
        f"{CHECKOUT}/schedules",
        {"environmentKey": "test", "instructions": ON, "runAt": "soon"},
        "`runAt` should be",
    ),
    (
        "POST",
        f"{CHECKOUT}/schedules",
        {"environmentKey": "test", "instructions": ON, "runAt": 1},
        "`runAt` should lie ahead; PATCH /projects/{proj}/flags/{flag} changes a flag at once.",
    ),
    (
        "POST",
        f"{WEB}/change-requests",
        {
            "kind": "flag",
            "targetKey": "checkout",
            "environmentKey": "test",
            "instructions": ON,
            "runAt": 1,
        },
        "`runAt` should lie ahead; leave it out for now.",
    ),
    ("PATCH", CHECKOUT, {"environmentKey": "none", "instructions": ON}, "has no environment 'none'"),
    (
        "POST",
        f"{CHECKOUT}/evaluate",
        {"environmentKey": "none", "context": {"key": "a"}},
        "has no environment 'none'",
    ),
    (
        "POST",
        f"{CHECKOUT}/schedules",
        {"environmentKey": "none", "instructions": ON, "runAt": LATER_MS},
        "'none'",
    ),
    *(
        (method, path, body | {"key": key}, "not `.` or `..`")
        for key in (".", "..")
        for method, path, body in (
            ("POST", "/projects", {}),
            ("POST", f"{WEB}/environments", {}),
            ("POST", f"{WEB}/flags", {}),
            ("POST", f"{TEST}/segments", {}),
            (
                "POST",
                "/templates",
                {"name": "x", "kind": "bool", "variations": [{"value": True}, {"value": False}]},
            ),
        )
    ),
    ("GET", f"{CHECKOUT}/insights?hours=many", None, "hours: should be a whole number"),
    ("GET", f"{CHECKOUT}/insights?hours=721", None, "hours: "),
    ("GET", f"{WEB}/flags?archived=maybe", None, "archived: should be true or false"),
    ("GET", f"{WEB}/change-requests?status=open", None, "status: should be one of"),
    ("GET", f"{WEB}/compare?from=test", None, "to: is required"),
    ("DELETE", PRODUCTION, None, "critical"),
    ("DELETE", f"{PRODUCTION}?confirm=test", None, "critical"),
    ("DELETE", CHECKOUT, {"sure": True}, "'sure'"),
    ("GET", f"{WEB}/flags?q=%ff", None, "UTF-8"),
]


def test_what_does_not_fit_is_named(place: Place) -> None:
    before = place.done("GET", "/export")
    for method, path, body, word in _UNFIT:
        answer = place(method, path, body)
        assert (answer.status, answer.code) == (400, "invalid_request"), (path, body)
        assert word in answer.message
    assert place.done("GET", "/export") == before


_NOWHERE = [
    ("GET", "/nowhere"),
    ("GET", "/projects/"),
    ("GET", "/projects//flags"),
    ("GET", "/projects/none"),
    ("GET", "/projects/none/flags"),
    ("GET", f"{WEB}/environments/none"),
    ("GET", f"{WEB}/environments/none/segments"),
    ("GET", f"{WEB}/flags/none"),
    ("GET", f"{WEB}/flags/check%2Fout"),
    ("GET", f"{WEB}/flags/%ff"),
    ("GET", f"{TEST}/segments/none"),
    ("GET", f"{CHECKOUT}/history?env=none"),
    ("GET", f"{WEB}/change-requests/7"),
    ("GET", f"{WEB}/change-requests/x"),
    ("GET", f"{WEB}/change-requests/{'9' * 40}"),
    ("DELETE", f"{TEST}/keys/99"),
    ("DELETE", "/templates/none"),
    ("DELETE", f"{CHECKOUT}/schedules/99"),
    ("POST", f"{WEB}/change-requests/99/apply"),
]


def test_what_is_not_there_is_not_found(place: Place) -> None:
    for method, path in _NOWHERE:
        answer = place(method, path)
        assert (answer.status, answer.code) == (404, "not_found"), path


def test_another_method_is_refused_with_those_that_there_are(place: Place) -> None:
    for method, path, allowed in (
        ("PUT", CHECKOUT, "DELETE, GET, PATCH"),
        ("DELETE", f"{WEB}/flags", "GET, POST"),
        ("GET", f"{CHECKOUT}/evaluate", "POST"),
        ("POST", "", "GET"),
    ):
        answer = place(method, path, {})
        assert (answer.status, answer.headers["allow"], answer.code) == (405, allowed, "invalid_request")
    assert ask(place.world, None, "POST", "/flags-openapi.json", {}).headers["allow"] == "GET"
    assert ask(place.world, None, "POST", "/me", {}).headers["allow"] == "GET"


def test_the_state_that_does_not_allow_it_is_a_conflict(place: Place) -> None:
    clause = {"op": "segmentMatch", "values": ["staff"]}
    rule = {"kind": "addRule", "clauses": [clause], "variation": 0}
    place.done("PATCH", CHECKOUT, {"environmentKey": "test", "instructions": [rule]})
    in_use = place("DELETE", f"{TEST}/segments/staff")
    assert (in_use.status, in_use.code) == (409, "conflict")
    place.done("DELETE", f"{WEB}/flags/banner")
    patch = {"environmentKey": "test", "instructions": ON}
    archived = place("PATCH", f"{WEB}/flags/banner", patch)
    assert (archived.status, archived.code) == (409, "conflict")
    assert "flags." not in archived.message  # the paths of this door, not its operations
    context = {"environmentKey": "test", "context": {"key": "ana"}}
    found = place.done("POST", f"{WEB}/flags/banner/evaluate", context)
    assert (found["reason"], found["errorKind"], found["value"]) == ("ERROR", "FLAG_NOT_FOUND", None)
    asked = {"kind": "flag", "targetKey": "checkout", "environmentKey": "test", "instructions": ON}
    change = place.done("POST", f"{WEB}/change-requests", asked)["id"]
    assert place("POST", f"{WEB}/change-requests/{change}/apply").code == "conflict"
    place.done("POST", f"{WEB}/change-requests/{change}/cancel")
    assert place("POST", f"{WEB}/change-requests/{change}/cancel").code == "conflict"


def test_bodies_come_as_json_and_not_too_long(place: Place) -> None:
    plain = place("POST", "/projects", b"{}", Content_Type="text/plain")
    assert (plain.status, plain.code) == (415, "invalid_request")
    wide = place("POST", "/projects", b"{}", Content_Type="application/json; charset=utf-16")
    assert (wide.status, wide.code) == (415, "invalid_request")
    packed = place("POST", "/projects", b"{}", Content_Encoding="gzip")
    assert (packed.status, packed.code) == (415, "invalid_request")
    long = place("POST", "/projects", b'{"name":"' + b"x" * (16 * 1024 * 1024) + b'"}')
    assert (long.status, long.code) == (413, "invalid_request")
    assert place("DELETE", f"{TEST}/segments/staff", {}).status == 200


def test_a_critical_environment_goes_with_its_key(place: Place) -> None:
    assert place("DELETE", f"{PRODUCTION}?confirm=production").body["items"][0]["key"] == "test"


def test_names_of_the_caller_stay_as_they_are(place: Place) -> None:
    schema = {"type": "object", "properties": {"max_items": {"type": "integer"}}}
    values = [{"value": {"max_items": 1, "created_at": 5}}, {"value": {"max_items": 2}}]
    body = {"key": "limits", "kind": "json", "variations": values, "schema": schema}
    assert place("POST", f"{WEB}/environments", {"key": "pre_prod"}).status == 201
    made = place.done("POST", f"{WEB}/flags", body)
    assert made["schema"] == schema
    assert [one["value"] for one in made["variations"]] == [one["value"] for one in values]
    assert "pre_prod" in made["environments"]
    context = {"environmentKey": "pre_prod", "context": {"key": "a", "first_name": "Ana"}}
    assert place.done("POST", f"{WEB}/flags/limits/evaluate", context)["value"] == {"max_items": 2}


def test_keys_with_every_sign_they_may_have_are_found(place: Place) -> None:
    key = "A.b_c-9" + "x" * 120
    place.done("POST", f"{WEB}/flags", {"key": key})
    assert place.done("GET", f"{WEB}/flags/{key}")["key"] == key
    assert place.done("GET", f"{WEB}/flags/{key.replace('.', '%2E')}")["key"] == key
    place.done("POST", "/projects", {"key": "web.app"})
    assert place.done("GET", "/projects/WEB.App")["key"] == "web.app"


def test_a_cookie_changes_things_from_pages_of_this_site_alone(place: Place) -> None:
    cookie = f"kb={session(place.world)}"
    path, body = "/orgs/1/settings", {"agentProductionWrites": "direct"}
    assert ask(place.world, None, "GET", path, None, Cookie=cookie).status == 200
    elsewhere = ask(place.world, None, "PATCH", path, body, Cookie=cookie, Origin="https://evil.example")
    assert (elsewhere.status, elsewhere.code) == (403, "forbidden")
    assert ask(place.world, None, "PATCH", path, body, Cookie=cookie).code == "forbidden"
    assert ask(place.world, None, "PATCH", path, body, Cookie=cookie, Origin=place.world.url).status == 200
    assert (
        ask(place.world, session(place.world), "PATCH", path, body, Origin="https://x.example").status == 200
    )


def test_without_a_key_nothing_is_said(place: Place) -> None:
    for token in (None, "", "kb_nobody", "srv_" + "x" * 40):
        answer = ask(place.world, token, "GET", "/orgs/acme/projects")
        assert (answer.status, answer.code, answer.headers["www-authenticate"]) == (
            401,
            "unauthorized",
            "Bearer",
        )


def test_head_is_answered_as_get_without_a_body(place: Place) -> None:
    answer = place("HEAD", CHECKOUT)
    assert (answer.status, answer.body) == (200, None)
    assert answer.headers["etag"] == place("GET", CHECKOUT).headers["etag"]


def test_a_long_list_is_answered_whole(place: Place) -> None:
    for number in range(120):
        place.done("POST", f"{WEB}/flags", {"key": f"f{number}", "description": "x" * 500})
    listed = place.done("GET", f"{WEB}/flags?full=true")["items"]
    assert len(listed) == 122
    assert all("clientSide" in one and "trackEvents" in one["environments"]["test"] for one in listed)


def test_a_module_that_is_off_is_not_found(place: Place) -> None:
    call(place.world, "ana", "org.modules_set", off=["flags"])
    assert place("GET", "/projects").code == "not_found"
    assert ask(place.world, place.token, "GET", "/me").status == 200


def test_a_change_is_told_and_written_down_as_the_operation_would(place: Place) -> None:
    seq = place.world.database.seq
    place.done("POST", "/projects", {"key": "shop"})
    place.done("PATCH", CHECKOUT, {"environmentKey": "test", "instructions": ON})
    assert place.world.events_since(seq) == [
        ("environment.saved", "flag_project:shop"),
        ("flag.updated", "flag:web/checkout"),
    ]
    kept = place.world.database.write_now(
        lambda tx: tx.column("select op from undo where seq > :seq order by seq", seq=seq)
    )
    assert kept == ["flags.project_save", "flags.update"]
