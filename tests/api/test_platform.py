"""The platform's JSON API: the operations of members, invites, keys, audit and usage by path and method."""

from typing import Any

from tests.api.flags.requests import Answer, ask, key_of, session
from tests.conftest import World
from tests.modules.calls import call


def at(
    world: World, method: str, path: str, body: Any = None, /, *, who: str = "ana", **headers: str
) -> Answer:
    """`path` is below `/api/orgs/`."""
    return ask(world, session(world, who), method, f"//api/orgs/{path}", body, **headers)


def slug(answer: Answer) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail", "request_id"} <= set(answer.body)
    return str(answer.body["type"]).removeprefix("/problems/")


def test_looking_answers_what_the_operation_answers(world: World) -> None:
    for path, op, value in (
        ("acme/members", "members.list", {}),
        ("1/members?role=member&limit=1", "members.list", {"role": "member", "limit": 1}),
        ("org:1/members/@cy", "members.get", {"id": "@cy"}),
        ("acme/invites?state=pending", "invites.list", {"state": "pending"}),
        ("acme/keys?all=true", "keys.list", {"all": True}),
        ("acme/audit?kind=member.*&limit=5", "audit.list", {"kind": "member.*", "limit": 5}),
        ("acme/usage?months=2", "org.usage", {"months": 2}),
    ):
        found = at(world, "GET", path)
        assert found.status == 200, (path, found)
        wanted = call(world, "ana", op, **value)
        assert _still(found.body) == _still(wanted), path
        again = at(world, "GET", path, None, If_None_Match="*")
        assert (again.status, again.body) == (304, None)


def _still(found: Any) -> Any:
    """Without what a look itself moves."""
    if isinstance(found, dict):
        return {
            name: _still(one) for name, one in found.items() if name not in ("last_seen_at", "last_used_at")
        }
    return [_still(one) for one in found] if isinstance(found, list) else found


def test_changing_does_what_the_operation_does(world: World) -> None:
    invited = at(world, "POST", "acme/invites", {"emails": ["new@acme.example"], "role": "member"})
    assert (invited.status, invited.body[0]["email"]) == (201, "new@acme.example")
    assert at(world, "DELETE", f"acme/invites/{invited.body[0]['id']}").status == 200
    assert [one["state"] for one in call(world, "ana", "invites.list", state="revoked")] == ["revoked"]
    made = at(world, "POST", "acme/keys", {"name": "k", "scopes": ["read"]}, Idempotency_Key="k1")
    again = at(world, "POST", "acme/keys", {"name": "k", "scopes": ["read"]}, Idempotency_Key="k1")
    assert (made.status, again.status, again.body) == (201, 201, made.body)
    assert again.headers["idempotent-replayed"] == "true"
    renamed = at(world, "PATCH", f"acme/keys/{made.body['id']}", {"name": "other"})
    assert (renamed.status, renamed.body["name"]) == (200, "other")
    left = at(world, "DELETE", f"acme/keys/{made.body['id']}")
    assert left.status == 200
    assert ask(world, made.body["secret"], "GET", "/me").status == 401
    raised = at(world, "PATCH", f"acme/members/{world.people['cy'].id}", {"role": "admin"})
    assert (raised.status, raised.body["role"]) == (200, "admin")


def test_refusals_are_those_of_the_operation(world: World) -> None:
    assert slug(at(world, "POST", "acme/keys", {"name": "k", "scopes": ["readd"]})) == "invalid-input"
    assert slug(at(world, "POST", "acme/keys", {"nam": "k"})) == "unknown-field"
    assert slug(at(world, "POST", "acme/keys", b"[]")) == "invalid-json"
    assert slug(at(world, "POST", "acme/keys", b"")) == "invalid-json"
    for kind in ("text/plain", "application/json; charset=utf-16"):
        assert slug(at(world, "POST", "acme/keys", b"{}", Content_Type=kind)) == "unsupported-type"
    assert slug(at(world, "PATCH", "acme/members/me", {"id": "x"})) == "invalid-input"
    assert slug(at(world, "GET", "acme/members?limit=many")) == "invalid-input"
    assert slug(at(world, "GET", "acme/members/@nobody")) == "not-found"
    assert slug(at(world, "DELETE", "acme/invites/seven")) == "not-found"
    assert slug(at(world, "GET", "acme/audit", who="cy")) == "insufficient-scope"
    assert slug(at(world, "GET", "acme/members?q=%ff")) == "invalid-input"
    nobody = ask(world, None, "GET", "//api/orgs/acme/members")
    assert (slug(nobody), nobody.headers["www-authenticate"]) == ("unauthenticated", "Bearer")


def test_other_orgs_collections_and_methods_are_refused(world: World) -> None:
    for path in (
        "other/members",
        "acme/nothing",
        "acme",
        "acme/",
        "acme/members/a/b",
        "acme/members/",
        "acme/%ff",
    ):
        assert slug(at(world, "GET", path)) == "not-found", path
    detail = at(world, "GET", "acme/nothing").body["detail"]
    there = detail.removesuffix(".").partition("; there are ")[2].split(", ")
    assert {"members", "keys"} <= set(there)
    assert all(at(world, "GET", f"acme/{name}").status == 200 for name in there)
    assert "sso" in there
    for method, path, allowed in (
        ("DELETE", "acme/members/@cy", "GET, PATCH"),
        ("PATCH", "acme/keys", "GET, POST"),
        ("POST", "acme/audit", "GET"),
        ("PUT", "acme/keys/k", "DELETE, PATCH"),
    ):
        refused = at(world, method, path, {})
        assert (slug(refused), refused.headers["allow"]) == ("method-not-allowed", allowed)


def test_sign_in_providers_are_made_changed_and_deleted(world: World) -> None:
    assert at(world, "GET", "acme/sso").body == []
    settings = {"issuer": "https://login.acme.example", "client_id": "kbwork"}
    body = {"id": "acme", "kind": "oidc", "label": "Acme", "settings": settings, "secret": "s3cret"}
    made = at(world, "POST", "acme/sso", body)
    assert (made.status, [one["id"] for one in made.body]) == (200, ["acme"])
    assert at(world, "GET", "acme/sso").body == made.body
    changed = at(world, "PATCH", "acme/sso/acme", {"label": "Acme and sons", "enabled": False})
    assert (changed.status, changed.body) == (
        200, [made.body[0] | {"label": "Acme and sons", "enabled": False}]
    )  # fmt: skip
    assert slug(at(world, "PATCH", "acme/sso/other", {"label": "x"})) == "not-found"
    assert slug(at(world, "PATCH", "acme/sso/acme", {"lable": "x"})) == "unknown-field"
    assert slug(at(world, "PATCH", "acme/sso/acme", {"id": "x"})) == "invalid-input"
    assert slug(at(world, "PATCH", "acme/sso/acme", {"label": "x"}, who="cy")) == "insufficient-scope"
    assert slug(at(world, "POST", "acme/sso", {**body, "kind": "saml"})) == "invalid-input"
    assert at(world, "DELETE", "acme/sso/acme").body == []
    assert slug(at(world, "DELETE", "acme/sso/acme")) == "not-found"


def test_a_key_reaches_what_its_scopes_reach(world: World) -> None:
    token = key_of(world, "ana", ["members:read"])
    assert ask(world, token, "GET", "//api/orgs/acme/members").status == 200
    assert slug(ask(world, token, "GET", "//api/orgs/acme/usage")) == "insufficient-scope"
    assert slug(ask(world, key_of(world, "ana", ["admin"]), "POST", "//api/orgs/acme/keys", {})) == (
        "insufficient-scope"
    )


def test_a_cookie_changes_things_from_pages_of_this_site_alone(world: World) -> None:
    cookie, body = f"kb={session(world)}", {"name": "k", "scopes": ["read"]}
    path = "//api/orgs/1/keys"
    assert ask(world, None, "GET", path, None, Cookie=cookie).status == 200
    assert (
        slug(ask(world, None, "POST", path, body, Cookie=cookie, Origin="https://x.example")) == "not-allowed"
    )
    assert ask(world, None, "POST", path, body, Cookie=cookie, Origin=world.url).status == 201
