"""Who may do what over the flag REST: every path, asked by every role and every sort of key."""

from typing import Any, Literal

import pytest

from tests.api.flags.requests import Place, ask, key_of, session
from tests.conftest import World
from tests.modules.calls import call

Right = Literal["me", "read", "write", "admin", "review", "apply", "cancel"]
ON = [{"kind": "turnFlagOn"}]
LATER_MS = 1_898_586_000_000
P = "/orgs/{org}/projects/{proj}"
E = f"{P}/environments/{{env}}"
F = f"{P}/flags/{{flag}}"
S = f"{E}/segments/{{seg}}"
C = f"{P}/change-requests"
TRUTHS = [{"value": True}, {"value": False}]
PATHS: list[tuple[str, str, Any, Right]] = [
    ("GET", "/me", None, "me"),
    ("GET", "/orgs/{org}", None, "read"),
    ("GET", "/orgs/{org}/settings", None, "read"),
    ("PATCH", "/orgs/{org}/settings", {"agentProductionWrites": "direct"}, "admin"),
    ("GET", "/orgs/{org}/export", None, "admin"),
    ("GET", "/orgs/{org}/templates", None, "read"),
    (
        "POST",
        "/orgs/{org}/templates",
        {"key": "new", "name": "New", "kind": "bool", "variations": TRUTHS},
        "admin",
    ),
    ("DELETE", "/orgs/{org}/templates/{key}", None, "admin"),
    ("GET", "/orgs/{org}/projects", None, "read"),
    ("POST", "/orgs/{org}/projects", {"key": "new"}, "admin"),
    ("GET", P, None, "read"),
    ("PATCH", P, {"name": "Other"}, "admin"),
    ("DELETE", P, None, "admin"),
    ("GET", f"{P}/environments", None, "read"),
    ("POST", f"{P}/environments", {"key": "new"}, "admin"),
    ("GET", E, None, "read"),
    ("PATCH", E, {"critical": True}, "admin"),
    ("DELETE", E, None, "admin"),
    ("GET", f"{E}/keys", None, "admin"),
    ("POST", f"{E}/keys", {"kind": "client"}, "admin"),
    ("DELETE", f"{E}/keys/{{id}}", None, "admin"),
    ("GET", f"{P}/compare", None, "read"),
    ("POST", f"{E}/copy", {"from": "production"}, "write"),
    ("GET", f"{P}/flags", None, "read"),
    ("POST", f"{P}/flags", {"key": "new"}, "write"),
    ("GET", F, None, "read"),
    ("PATCH", F, {"environmentKey": "test", "instructions": ON}, "write"),
    ("DELETE", F, None, "write"),
    ("GET", f"{F}/history", None, "read"),
    ("POST", f"{F}/restore", {"revisionId": 1}, "write"),
    ("POST", f"{F}/evaluate", {"environmentKey": "test", "context": {"key": "a"}}, "read"),
    ("GET", f"{F}/insights", None, "read"),
    ("POST", f"{F}/blast-radius", {"environmentKey": "test"}, "read"),
    ("GET", f"{F}/schedules", None, "read"),
    (
        "POST",
        f"{F}/schedules",
        {"environmentKey": "test", "instructions": ON, "runAt": LATER_MS},
        "write",
    ),
    ("DELETE", f"{F}/schedules/{{id}}", None, "write"),
    ("GET", f"{P}/stale-flags", None, "read"),
    ("GET", f"{P}/kill-switches", None, "read"),
    ("GET", f"{E}/segments", None, "read"),
    ("POST", f"{E}/segments", {"key": "new"}, "write"),
    ("GET", S, None, "read"),
    ("PATCH", S, {"instructions": [{"kind": "updateName", "value": "Other"}]}, "write"),
    ("DELETE", S, None, "write"),
    ("GET", C, None, "read"),
    (
        "POST",
        C,
        {"kind": "flag", "targetKey": "checkout", "environmentKey": "test", "instructions": ON},
        "write",
    ),
    ("GET", f"{C}/{{id}}", None, "read"),
    ("POST", f"{C}/{{id}}/review", {"decision": "comment", "comment": "Why?"}, "review"),
    ("POST", f"{C}/{{id}}/apply", None, "apply"),
    ("POST", f"{C}/{{id}}/cancel", None, "cancel"),
]
"""Every path with a call that fits, and the right that the contract asks for it."""

ALL: tuple[Right, ...] = ("me", "read", "write", "admin", "review", "apply", "cancel")
GOOD = (200, None)
WHO: dict[str, tuple[tuple[Right, ...], tuple[int, str]]] = {
    "owner": (ALL, (403, "forbidden")),
    "admin": (ALL, (403, "forbidden")),
    "member": (("me", "read", "write", "review", "apply"), (403, "forbidden")),
    "guest": (("me",), (403, "forbidden")),
    "nobody": ((), (401, "unauthorized")),
    "garbage": ((), (401, "unauthorized")),
    "sdk key": ((), (401, "unauthorized")),
    "owner key read": (("me", "read"), (403, "insufficient_scope")),
    "owner key write": (("me", "read", "write", "cancel"), (403, "insufficient_scope")),
    "owner key admin": (("me", "read", "write", "admin", "cancel"), (403, "insufficient_scope")),
    "owner key flags:read": (("me", "read"), (403, "insufficient_scope")),
    "owner key flags:write": (("cancel", "write"), (403, "insufficient_scope")),
    "owner key none": ((), (403, "insufficient_scope")),
    "member key read": (("me", "read"), (403, "insufficient_scope")),
    "member key write": (("me", "read", "write"), (403, "insufficient_scope")),
    "owner agent read": (("me", "read"), (403, "insufficient_scope")),
    "owner agent write": (("me", "read", "write", "cancel"), (403, "insufficient_scope")),
    "owner agent admin": (("me", "read", "write", "admin", "cancel"), (403, "insufficient_scope")),
    "member agent write": (("me", "read", "write"), (403, "insufficient_scope")),
}
"""Who is asking -> what they may, and how they are told that they may not."""
_PEOPLE = {"owner": "ana", "admin": "bo", "member": "cy", "guest": "gus"}


def expected(who: str, right: Right) -> tuple[int, str | None]:
    """Status and code."""
    rights, refusal = WHO[who]
    if right in rights:
        return GOOD
    if right in ("review", "apply", "cancel") and "write" in rights:
        return (
            403,
            "forbidden",
        )  # the scope is there; it asks for a person, or for whoever asked or an admin
    return refusal


def _token(world: World, who: str, server_key: str) -> str | None:
    if who in _PEOPLE:
        return session(world, _PEOPLE[who])
    if who in ("nobody", "garbage", "sdk key"):
        return {"nobody": None, "garbage": "kb_" + "x" * 43, "sdk key": server_key}[who]
    owner, sort, scope = who.split(" ")
    scopes = ["issues:read"] if scope == "none" else [scope]
    return key_of(world, _PEOPLE[owner], scopes, kind="agent" if sort == "agent" else "personal")


@pytest.fixture
def place(world: World) -> Place:
    return Place(world).fill()


def test_every_path_is_open_to_those_whom_the_contract_names(place: Place) -> None:
    world = place.world
    web = "/projects/web"
    key = place.done("POST", f"{web}/environments/test/keys", {"kind": "server"})
    beta = {"key": "beta", "name": "Beta", "kind": "bool", "variations": TRUTHS}
    place.done("POST", "/templates", beta)
    timed = {"environmentKey": "test", "instructions": ON, "runAt": LATER_MS}
    schedule = place.done("POST", f"{web}/flags/checkout/schedules", timed)
    asked = {"kind": "flag", "targetKey": "checkout", "environmentKey": "test", "instructions": ON}
    pending = place.done("POST", f"{web}/change-requests", asked)
    approved = place.done("POST", f"{web}/change-requests", asked | {"runAt": LATER_MS})
    call(world, "bo", "flags.change_review", project="web", id=approved["id"], decision="approve")
    ids = {"keys": key["id"], "schedules": schedule["id"], "apply": approved["id"], "change": pending["id"]}
    tokens = {who: _token(world, who, key["secret"]) for who in WHO}
    seq = world.database.seq
    wrong = []
    for method, template, body, right in PATHS:
        path = _filled(template, ids) + ("?from=test&to=production" if "compare" in template else "")
        for who, token in tokens.items():
            answer = ask(world, token, method, path if method == "GET" else f"{path}?dryRun=true", body)
            found = (answer.status, None if answer.status == 200 else answer.code)
            if found != expected(who, right):
                wrong.append(f"{method} {path} by {who}: {found}, not {expected(who, right)}")
    assert wrong == []
    assert world.database.seq == seq  # all of it was tried, none of it done


def _filled(template: str, ids: dict[str, int]) -> str:
    sort = next((name for name in ("keys", "schedules", "apply") if f"/{name}" in template), "change")
    names = {
        "org": "acme",
        "proj": "web",
        "env": "test",
        "flag": "checkout",
        "seg": "staff",
        "key": "beta",
        "id": ids[sort],
    }
    return template.format(**names)


def test_the_table_of_rights_has_every_path_of_the_document(world: World) -> None:
    document = ask(world, None, "GET", "/flags-openapi.json").body
    known = {(method.upper(), path) for path, found in document["paths"].items() for method in found}
    assert {(method, f"/api/v1{template}") for method, template, _, _ in PATHS} == known


def test_a_project_that_is_tied_to_one_of_work_is_seen_and_changed_as_that(place: Place) -> None:
    world, admin = place.world, Place(place.world, "bo")
    assert place("POST", "/projects", {"key": "private", "workProject": "PRV"}).code == "not_found"
    for lead, key, work in (("di", "private", "PRV"), ("cy", "secure", "SEC")):
        call(world, lead, "projects.member_set", key=work, who="@bo", role="member")
        admin.done("POST", "/projects", {"key": key, "workProject": work})
        admin.done("POST", f"/projects/{key}/environments", {"key": "test"})
    for who, path, read, write in (
        ("ana", "private", 404, 404),
        ("cy", "private", 404, 404),
        ("di", "private", 200, 200),
        ("cy", "secure", 200, 200),
        ("di", "secure", 200, 403),
        ("gus", "secure", 403, 403),
    ):
        asked = Place(world, who)
        assert asked("GET", f"/projects/{path}").status == read, (who, path)
        assert asked("POST", f"/projects/{path}/flags?dryRun=true", {"key": "a"}).status == write, (who, path)
    assert place("POST", "/projects", {"key": "private"}).status in (404, 409)


def test_a_key_that_is_limited_to_projects_has_the_flags_of_those_alone(place: Place) -> None:
    place.done("POST", "/projects", {"key": "shop", "workProject": "WEB"})
    value = {"name": "narrow", "scopes": ["admin"], "projects": ["WEB"]}
    token = place.world.session("ana").call("keys.create", value)["secret"]
    listed = ask(place.world, token, "GET", "/orgs/acme/projects").body["items"]
    assert [one["key"] for one in listed] == ["shop"]
    assert ask(place.world, token, "GET", "/orgs/acme/projects/web").code == "not_found"
    assert ask(place.world, token, "POST", "/orgs/acme/projects/shop/flags", {"key": "a"}).status == 201
    assert ask(place.world, token, "PATCH", "/orgs/acme/projects/shop", {"name": "S"}).code == "forbidden"


def test_a_key_that_was_revoked_opens_nothing(place: Place) -> None:
    made = place.world.session("ana").call("keys.create", {"name": "k", "scopes": ["admin"]})
    assert ask(place.world, made["secret"], "GET", "/me").status == 200
    call(place.world, "ana", "keys.revoke", id=made["id"])
    assert ask(place.world, made["secret"], "GET", "/me").code == "unauthorized"


def test_who_calls_is_told_who_they_are(world: World) -> None:
    agent = key_of(world, "cy", ["read"], kind="agent")
    me = ask(world, agent, "GET", "/me").body
    assert (me["role"], me["caller"]["kind"], me["caller"]["handle"]) == ("member", "agent", "cy")
    assert me["caller"]["via"].startswith("agent:")
    assert "flags:write" not in me["caller"]["scopes"]
    assert ask(world, session(world, "gus"), "GET", "/me").body["role"] == "guest"
