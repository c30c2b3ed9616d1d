"""Sign-in providers: who comes in by one, and what is tried on the way there and back that must open nothing."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from jwt.algorithms import RSAAlgorithm

from kbwork.base.errors import InvalidInput
from kbwork.core.own_address import OwnAddress, note
from kbwork.db.tx import Read
from kbwork.modules.auth.providers.addresses import require_address
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from kbwork.worker import outbound
from tests.conftest import NOW, PASSWORD, World
from tests.modules.auth.test_auth import CY, Answer, browse, code, login, payloads, post, with_factor
from tests.modules.calls import eventually
from tests.oidc_provider import CLIENT, KEYS, SECRET, Provider

DISCOVERY = "/acme/.well-known/openid-configuration"
METHODS = ["password", "passkey", "acme"]


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider(NOW)
    yield made
    made.close()


@pytest.fixture
def settings(provider: Provider) -> Settings:
    """The provider is on this machine, which the operator has to allow."""
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=(provider.place,)))


def save(
    world: World, provider: Provider, *, who: str = "ana", secret: str | None = SECRET, **more: Any
) -> Answer:
    settings = {"issuer": provider.issuer, "client_id": CLIENT, **more.pop("settings", {})}
    body = {"id": "acme", "kind": "oidc", "label": "Acme", "settings": settings, **more}
    return post(
        world,
        "auth.provider_save",
        world.people[who].session,
        **body | ({"secret": secret} if secret else {}),
    )


@pytest.fixture
def acme(world: World, provider: Provider) -> Provider:
    """A provider that is used."""
    assert save(world, provider).status == 200
    policy(world, methods=METHODS)
    return provider


def policy(world: World, **wanted: Any) -> None:
    answer = post(world, "auth.policy_set", world.people["ana"].session, **wanted)
    assert answer.status == 200, answer.body


def start(world: World, token: str | None = None, **more: Any) -> str:
    answer = post(world, "auth.oidc_start", token, provider="acme", **more)
    assert answer.status == 200, answer.body
    return str(answer.body["url"])


def state_of(url: str) -> str:
    return parse_qs(urlsplit(url).query)["state"][0]


def finish(world: World, url: str, got: str, token: str | None = None, **more: Any) -> Answer:
    return post(world, "auth.oidc_finish", token, state=state_of(url), code=got, **more)


def come(world: World, acme: Provider, **claims: Any) -> Answer:
    """All the way there and back."""
    url = start(world)
    return finish(world, url, acme.consent(url, **claims))


def refused(answer: Answer) -> bool:
    return (answer.status, answer.slug) == (401, "unauthenticated")


def reasons(world: World, seq: int) -> list[str]:
    """Why sign-ins were refused since then, as the audit log has it."""
    return [payload["reason"] for kind, _, _, payload in payloads(world, seq) if kind == "auth.failed"]


# coming in


def test_a_member_comes_in_by_a_verified_address_and_is_known_from_then_on(
    world: World, acme: Provider
) -> None:
    cy, seq = world.people["cy"], world.database.seq
    url = start(world, return_to="/keys")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    assert url.startswith(f"http://{acme.place}/authorize?tenant=acme&")
    assert {name: asked[name] for name in ("response_type", "client_id", "redirect_uri", "scope")} == {
        "response_type": "code",
        "client_id": CLIENT,
        "redirect_uri": f"{world.url}/signin/oidc/acme",
        "scope": "openid email profile",
    }
    assert (asked["code_challenge_method"], len(asked["code_challenge"]), len(asked["nonce"])) == (
        "S256",
        43,
        43,
    )
    done = finish(world, url, acme.consent(url))
    assert (done.status, done.body["return_to"], done.body["member"]["id"]) == (200, "/keys", cy.id)
    assert post(world, "auth.me", done.body["token"]).body["member"]["id"] == cy.id
    said = {"method": "acme", "client": "program"}
    assert payloads(world, seq) == [
        ("auth.linked", f"member:{cy.id}", cy.id, {"provider": "acme", "how": "email"}),
        ("auth.signed_in", f"member:{cy.id}", cy.id, said),
    ]
    seq = world.database.seq
    again = come(world, acme, email="other@acme.example", email_verified=None, name=None)
    assert again.body["member"]["id"] == cy.id
    assert payloads(world, seq) == [("auth.signed_in", f"member:{cy.id}", cy.id, said)]


@pytest.mark.parametrize("key", ["rs", "ps", "es", "ed"])
def test_each_algorithm_that_is_taken_is_taken(world: World, acme: Provider, key: str) -> None:
    assert come(world, acme, key=key).status == 200


def test_a_token_that_names_no_key_may_be_of_any(world: World, acme: Provider) -> None:
    url = start(world)
    got = acme.consent(url, key="ps")
    acme.codes[got].token = acme.signed(_claims(acme.codes[got].token), "ps", {"kid": None})
    assert finish(world, url, got).status == 200


def _claims(token: str) -> dict[str, Any]:
    import base64

    part = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def test_a_browser_gets_its_session_as_a_cookie_and_is_bound_to_its_way(world: World, acme: Provider) -> None:
    begun = browse(world, "auth.oidc_start", {}, provider="acme")
    assert set(begun.cookies) == {"kb_device"}
    url = begun.body["url"]
    got = acme.consent(url)
    body = {"state": state_of(url), "code": got}
    assert refused(browse(world, "auth.oidc_finish", {}, **body)), "another browser"
    assert refused(post(world, "auth.oidc_finish", **body)), "a program that got hold of the address"
    done = browse(world, "auth.oidc_finish", begun.cookies, **body)
    assert (done.status, done.body["token"], set(done.cookies)) == (200, "", {"kb"})
    listed = browse(world, "auth.sessions", begun.cookies | done.cookies).body
    assert [(one["kind"], one["expires_at"] - NOW) for one in listed if one["current"]] == [
        ("browser", 86400)
    ]


def test_what_a_program_began_no_browser_ends(world: World, acme: Provider) -> None:
    url = start(world)
    cookies = browse(world, "auth.login", {}, email=CY, password=PASSWORD).cookies
    body = {"state": state_of(url), "code": acme.consent(url)}
    assert refused(browse(world, "auth.oidc_finish", cookies, **body))
    assert post(world, "auth.oidc_finish", **body).status == 200


def test_a_state_and_a_code_are_good_once_and_for_a_while(world: World, acme: Provider) -> None:
    url = start(world)
    got = acme.consent(url)
    assert finish(world, url, got).status == 200
    assert refused(finish(world, url, got))
    other = start(world)
    assert refused(finish(world, other, got)), "the code is used"
    assert refused(finish(world, other, acme.consent(other))), "and so is the state"
    late = start(world)
    got = acme.consent(late)
    world.clock.advance(600)
    assert refused(finish(world, late, got))
    assert refused(post(world, "auth.oidc_finish", state="kbl_unknown", code="x"))


def test_of_two_who_come_back_at_once_one_comes_in(world: World, acme: Provider) -> None:
    url = start(world)
    got = acme.consent(url)
    answers: list[int] = []
    barrier = threading.Barrier(3)

    def back() -> None:
        barrier.wait(10)
        answers.append(finish(world, url, got).status)

    threads = [threading.Thread(target=back) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert sorted(answers) == [200, 401, 401]


def test_a_code_of_another_way_is_not_taken(world: World, acme: Provider) -> None:
    mine, theirs = start(world), start(world)
    assert refused(finish(world, mine, acme.consent(theirs))), "the proof of the code is another"


# tokens that say nothing


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://login.evil.example"},
        {"iss": None},
        {"aud": "another"},
        {"aud": None},
        {"aud": []},
        {"aud": [CLIENT, "another"]},
        {"azp": "another"},
        {"nonce": "another"},
        {"nonce": None},
        {"nonce": 7},
        {"nonce": "\ud800"},
        {"exp": NOW - 121},
        {"exp": None},
        {"exp": "soon"},
        {"exp": float("inf")},
        {"iat": NOW + 121},
        {"iat": None},
        {"nbf": NOW + 121},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "\ud800"},
        {"sub": "a\x00b"},
        {"sub": "x" * 256},
        {"key": "none"},
        {"key": "hmac"},
        {"key": "new"},
        {"key": "weak"},
        {"key": "new", "header": {"kid": "rs"}},
        {"key": "es", "header": {"kid": "rs"}},
    ],
    ids=str,
)
def test_a_token_that_does_not_hold_opens_nothing(
    world: World, acme: Provider, claims: dict[str, Any]
) -> None:
    acme.published.append("weak")
    seq = world.database.seq
    assert refused(come(world, acme, **claims))
    assert reasons(world, seq) == ["token"]
    assert world.database.read_now(_links) == []


def _links(tx: Read) -> list[Any]:
    return tx.all("select provider, subject, member from provider_link order by subject")


@pytest.mark.parametrize("token", ["", "a.b", "a.b.c", "x" * 70_000, "eyJhbGciOiJSUzI1NiJ9.e30.", 7, None])
def test_what_is_no_token_opens_nothing(world: World, acme: Provider, token: Any) -> None:
    url = start(world)
    got = acme.consent(url)
    acme.codes[got].token = token
    assert finish(world, url, got).status == (401 if isinstance(token, str) else 502)


def test_several_audiences_need_one_that_is_meant(world: World, acme: Provider) -> None:
    assert come(world, acme, aud=[CLIENT, "another"], azp=CLIENT).status == 200
    assert come(world, acme, aud=[CLIENT]).status == 200


def test_clocks_may_be_two_minutes_apart(world: World, acme: Provider) -> None:
    assert come(world, acme, exp=NOW - 119, iat=NOW + 119, nbf=NOW + 119).status == 200


def test_keys_may_change(world: World, acme: Provider) -> None:
    assert come(world, acme).status == 200
    acme.published[:] = ["new"]
    assert refused(come(world, acme, key="new")), "asked for less than a minute ago"
    assert acme.asked.count("/keys") == 1
    world.clock.advance(60)
    acme.now += 60
    assert come(world, acme, key="new").status == 200
    assert refused(come(world, acme, key="rs"))
    assert acme.asked.count("/keys") == 2
    assert acme.asked.count(DISCOVERY) == 1
    world.clock.advance(3600)
    acme.now += 3600
    assert come(world, acme, key="new").status == 200
    assert (acme.asked.count("/keys"), acme.asked.count(DISCOVERY)) == (3, 2)


def test_keys_without_names_may_change_too(world: World, acme: Provider) -> None:
    acme.published[:] = ["rs"]
    assert come(world, acme).status == 200
    acme.published[:] = ["new"]
    world.clock.advance(60)
    acme.now += 60
    assert come(world, acme, key="new", header={"kid": None}).status == 200


def test_a_private_key_is_none_that_is_published(world: World, acme: Provider) -> None:
    secret: Any = RSAAlgorithm.to_jwk(KEYS["rs"].private, as_dict=True)
    acme.broken["/keys"] = lambda request, far: far.send(request, 200, {"keys": [{**secret, "kid": "rs"}]})
    assert refused(come(world, acme))


def test_each_provider_sends_people_back_to_an_address_of_its_own(world: World, acme: Provider) -> None:
    """Else a provider that was broken into could have another's codes brought to it."""
    assert save(world, acme, id="other").status == 200
    policy(world, methods=[*METHODS, "other"])
    url = start(world)
    assert refused(finish(world, url, got := acme.consent(url), provider="other"))
    assert (acme.tokens, refused(finish(world, url, got, provider="acme"))) == ([], True), "its state ended"
    url = start(world)
    assert finish(world, url, acme.consent(url), provider="acme").status == 200


def test_the_issuer_says_who_answers(world: World, acme: Provider) -> None:
    url = start(world)
    assert refused(finish(world, url, acme.consent(url), iss="https://login.evil.example"))
    url = start(world)
    assert finish(world, url, acme.consent(url), iss=acme.issuer).status == 200
    world.clock.advance(3600)
    acme.now += 3600
    acme.document["authorization_response_iss_parameter_supported"] = True
    url = start(world)
    assert refused(finish(world, url, acme.consent(url))), "it says that it names itself, and did not"
    url = start(world)
    assert finish(world, url, acme.consent(url), iss=acme.issuer).status == 200


# who comes in


@pytest.mark.parametrize("verified", [False, None, "yes", 1])
def test_an_address_that_is_not_verified_finds_nobody(world: World, acme: Provider, verified: Any) -> None:
    seq = world.database.seq
    answer = come(world, acme, email_verified=verified)
    if verified == 1:
        assert answer.status == 200, "JSON readers that take 1 for true are not ours to correct"
        return
    assert refused(answer)
    assert reasons(world, seq) == ["address not verified"]


def test_a_provider_may_be_believed_its_addresses(world: World, acme: Provider) -> None:
    assert save(world, acme, settings={"trust_email": True}).status == 200
    assert come(world, acme, email_verified=None).status == 200


def test_an_address_goes_to_one_account_there(world: World, acme: Provider) -> None:
    assert come(world, acme).status == 200
    seq = world.database.seq
    assert refused(come(world, acme, sub="sub-who-got-the-address"))
    assert reasons(world, seq) == ["not linked"]
    assert save(world, acme, settings={"link_by_email": False}).status == 200
    assert refused(come(world, acme, sub="sub-bo", email="bo@acme.example"))
    assert come(world, acme).status == 200


@pytest.mark.parametrize("state", ["deactivated", "erased", "invited"])
def test_who_is_no_member_any_more_or_yet_is_refused_the_same(
    world: World, acme: Provider, state: str
) -> None:
    assert come(world, acme).status == 200
    world.database.write_now(lambda tx: tx.update("member", world.people["cy"].id, state=state))
    stranger = come(world, acme, sub="sub-x", email="nobody@else.example")
    known = come(world, acme)
    assert refused(known)
    assert {k: v for k, v in known.body.items() if k != "request_id"} == {
        k: v for k, v in stranger.body.items() if k != "request_id"
    }


def test_people_of_some_domains_join_where_that_is_set(world: World, acme: Provider) -> None:
    new = {"sub": "sub-new", "email": "New@Acme.example", "name": " New  One "}
    assert refused(come(world, acme, **new))
    assert save(world, acme, create_members=True).status == 200
    assert refused(come(world, acme, **new)), "no domain is named"
    policy(world, signup_domains=["acme.example"])
    assert refused(come(world, acme, **new | {"email": "new@evil.example"}))
    assert refused(come(world, acme, **new | {"email": "new@acme.example@evil.example"}))
    assert refused(come(world, acme, **new | {"email_verified": False}))
    seq = world.database.seq
    done = come(world, acme, **new)
    member = done.body["member"]
    assert (member["name"], member["email"], member["role"]) == ("New One", "New@Acme.example", "member")
    assert [(kind, payload) for kind, _, _, payload in payloads(world, seq)] == [
        ("member.joined", {"role": "member"}),
        ("auth.linked", {"provider": "acme", "how": "new"}),
        ("auth.signed_in", {"method": "acme", "client": "program"}),
    ]
    assert come(world, acme, **new).body["member"]["id"] == member["id"]
    nameless = come(world, acme, sub="sub-2", email="two@acme.example", name=None)
    assert nameless.body["member"]["name"] == "two"


def test_nobody_joins_who_may_not_come_in(world: World, acme: Provider) -> None:
    assert save(world, acme, create_members=True).status == 200
    policy(world, signup_domains=["acme.example"])
    world.database.write_now(
        lambda tx: tx.insert("setting", name="auth.allowed_networks", value='["203.0.113.0/24"]')
    )
    seq = world.database.seq
    assert refused(come(world, acme, sub="sub-new", email="new@acme.example"))
    assert reasons(world, seq) == ["policy"]
    assert (
        world.database.read_now(lambda tx: tx.value("select 1 from member where email = 'new@acme.example'"))
        is None
    )


def test_who_is_invited_needs_no_password_where_a_provider_is_used(world: World, provider: Provider) -> None:
    wanted = {"emails": ["eli@acme.example"], "role": "member"}
    (made,) = post(world, "invites.create", world.people["ana"].session, **wanted).body
    body = {"token": made["path"].partition("token=")[2], "name": "Eli Stone"}
    assert save(world, provider).status == 200
    without = post(world, "invites.accept", **body)
    assert (without.status, without.body["errors"][0]["path"]) == (422, "password")
    policy(world, methods=METHODS)
    joined = post(world, "invites.accept", **body)
    assert (joined.status, post(world, "auth.me", joined.body["token"]).body["proofs"]) == (200, [])
    back = come(world, provider, sub="sub-eli", email="eli@acme.example")
    assert back.body["member"]["id"] == joined.body["member"]["id"]


def test_who_is_invited_needs_one_where_nobody_is_found_by_their_address(
    world: World, provider: Provider
) -> None:
    wanted = {"emails": ["eli@acme.example"], "role": "member"}
    (made,) = post(world, "invites.create", world.people["ana"].session, **wanted).body
    assert save(world, provider, settings={"link_by_email": False}).status == 200
    policy(world, methods=METHODS)
    body = {"token": made["path"].partition("token=")[2], "name": "Eli Stone"}
    assert post(world, "invites.accept", **body).body["errors"][0]["path"] == "password"


def test_an_owner_is_not_found_by_their_address(world: World, acme: Provider) -> None:
    """An admin, who sets up whom people are found by, would become one."""
    hers = {"sub": "sub-ana", "email": "ana@acme.example"}
    seq = world.database.seq
    assert refused(come(world, acme, **hers))
    assert reasons(world, seq) == ["not linked"]
    assert come(world, acme, sub="sub-bo", email="bo@acme.example").status == 200
    link(world, acme, "ana", **hers)
    assert come(world, acme, **hers).body["member"]["handle"] == "ana"


@pytest.mark.parametrize(
    "change",
    [
        {"enabled": False},
        {"settings": {"issuer": "https://login.elsewhere.example/acme"}},
        {"settings": {"link_by_email": False}},
    ],
    ids=str,
)
def test_a_provider_that_is_changed_while_it_is_asked_lets_nobody_in(
    world: World, acme: Provider, change: dict[str, Any]
) -> None:
    assert come(world, acme).status == 200
    world.clock.advance(60)
    acme.now += 60

    def meanwhile(request: BaseHTTPRequestHandler, far: Provider) -> None:
        assert save(world, acme, **change).status == 200
        far.send(request, 200, {"keys": [KEYS["new"].published]})

    url = start(world)
    acme.broken["/keys"] = meanwhile
    seq = world.database.seq
    assert refused(finish(world, url, acme.consent(url, key="new")))
    assert reasons(world, seq) == ["provider changed"]


def test_who_was_erased_is_known_no_more(world: World, acme: Provider) -> None:
    assert come(world, acme).status == 200
    assert (
        post(world, "members.erase", world.people["ana"].session, id="@cy", confirm_name="Cy Moss").status
        == 200
    )
    world.advance(1)
    eventually(lambda: world.database.write_now(_links) == [])


# the second factor


def test_a_second_factor_here_is_asked_for(world: World, acme: Provider) -> None:
    secret, _ = with_factor(world, "cy")
    url = start(world, return_to="/keys")
    half = finish(world, url, acme.consent(url, amr=["pwd", "mfa"]))
    assert refused(half)
    assert (half.body["methods"], half.body["return_to"]) == (["totp", "recovery"], "/keys")
    world.clock.advance(30)
    body = {"challenge": half.body["challenge"], "code": code(secret, world.clock.now())}
    assert post(world, "auth.login_verify", **body).status == 200
    policy(world, methods=["password"])
    assert refused(post(world, "auth.login_verify", **body | {"code": code(secret, world.clock.now() + 30)}))


@pytest.mark.parametrize("how", ["off", "elsewhere", "made anew"])
def test_who_waits_for_the_second_factor_waits_for_this_provider(
    world: World, acme: Provider, how: str
) -> None:
    secret, _ = with_factor(world, "cy")
    url = start(world)
    half = finish(world, url, acme.consent(url))
    if how == "off":
        assert save(world, acme, enabled=False).status == 200
    elif how == "elsewhere":
        assert save(world, acme, settings={"issuer": "https://login.elsewhere.example"}).status == 200
    else:
        ana = world.people["ana"].session
        assert post(world, "auth.provider_delete", ana, id="acme").status == 200
        assert save(world, acme).status == 200
        policy(world, methods=METHODS)
    world.clock.advance(30)
    body = {"challenge": half.body["challenge"], "code": code(secret, world.clock.now())}
    assert refused(post(world, "auth.login_verify", **body))


def test_the_word_of_a_provider_counts_where_it_is_trusted(world: World, acme: Provider) -> None:
    with_factor(world, "cy")
    with_factor(world, "ana")
    assert save(world, acme, settings={"trust_amr": True}).status == 200
    assert come(world, acme, amr=["pwd", "mfa"]).body["token"]
    assert "challenge" in come(world, acme, amr=["pwd"]).body
    assert "challenge" in come(world, acme, amr="mfa").body
    policy(world, require_2fa=True)
    shown = come(world, acme, sub="sub-di", email="di@acme.example", amr=["mfa"]).body["token"]
    assert post(world, "members.list", shown).status == 200
    none = come(world, acme, sub="sub-di", email="di@acme.example").body["token"]
    assert post(world, "members.list", none).slug == "insufficient-scope"


@pytest.mark.parametrize("how", ["believed no more", "off", "elsewhere", "deleted"])
def test_a_word_that_is_believed_no_more_does_not_count_in_open_sessions(
    world: World, acme: Provider, how: str
) -> None:
    with_factor(world, "ana")
    assert save(world, acme, settings={"trust_amr": True}).status == 200
    policy(world, require_2fa=True)
    shown = come(world, acme, amr=["mfa"]).body["token"]
    assert save(world, acme, settings={"trust_amr": True}, label="Acme again").status == 200
    assert post(world, "members.list", shown).status == 200
    if how == "deleted":
        ana = world.people["ana"].session
        assert post(world, "auth.provider_delete", ana, id="acme").status == 200
    else:
        settings: dict[str, Any] = {"trust_amr": how != "believed no more"}
        if how == "elsewhere":
            settings["issuer"] = "https://login.elsewhere.example"
        assert save(world, acme, enabled=how != "off", settings=settings).status == 200
    assert post(world, "members.list", shown).slug == "insufficient-scope"


# confirming and linking


def without_password(world: World, handle: str) -> None:
    member = world.people[handle].id
    world.database.write_now(lambda tx: tx.execute("delete from credential where member = :m", m=member))


def test_who_has_nothing_else_confirms_at_the_provider(world: World, acme: Provider) -> None:
    without_password(world, "cy")
    token = come(world, acme).body["token"]
    assert post(world, "auth.me", token).body["proofs"] == []
    world.clock.advance(700)
    acme.now += 700
    assert post(world, "auth.passkey_begin", token).slug == "elevation-needed"
    url = start(world, token)
    assert parse_qs(urlsplit(url).query)["max_age"] == ["0"]
    assert refused(finish(world, url, acme.consent(url))), "another session"
    url = start(world, token)
    stale = finish(world, url, acme.consent(url, auth_time=NOW), token)
    assert refused(stale)
    url = start(world, token)
    silent = finish(world, url, acme.consent(url, auth_time=None), token)
    assert (refused(silent), "Sign out here and in again" in silent.body["detail"]) == (True, True)
    url = start(world, token)
    other = finish(world, url, acme.consent(url, sub="sub-di", email="di@acme.example"), token)
    assert refused(other)
    url = start(world, token)
    seq = world.database.seq
    done = finish(world, url, acme.consent(url, auth_time=acme.now), token)
    assert (done.status, done.body["token"], done.body["member"]["handle"]) == (200, "", "cy")
    assert payloads(world, seq) == []
    assert post(world, "auth.passkey_begin", token).status == 200


def test_an_account_is_linked_by_who_is_signed_in_and_confirmed(world: World, acme: Provider) -> None:
    cy = world.people["cy"]
    mine: dict[str, Any] = {"sub": "sub-private", "email": "private@mail.example"}
    assert refused(come(world, acme, **mine))
    assert post(world, "auth.oidc_start", provider="acme", link=True).slug == "unauthenticated"
    url = start(world, cy.session, link=True)
    seq = world.database.seq
    done = finish(world, url, acme.consent(url, **mine), cy.session)
    assert (done.status, done.body["token"]) == (200, "")
    told = {"provider": "acme", "how": "choice"}
    assert payloads(world, seq) == [("auth.linked", f"member:{cy.id}", cy.id, told)]
    assert come(world, acme, **mine).body["member"]["id"] == cy.id
    bo = world.people["bo"].session
    url = start(world, bo, link=True)
    assert refused(finish(world, url, acme.consent(url, **mine), bo)), "it is linked to somebody else"
    url = start(world, cy.session, link=True)
    assert refused(finish(world, url, acme.consent(url, sub="sub-second"), cy.session)), "one account each"
    world.clock.advance(700)
    assert post(world, "auth.oidc_start", cy.session, provider="acme", link=True).slug == "elevation-needed"


def link(world: World, acme: Provider, who: str, **claims: Any) -> None:
    session = world.people[who].session
    url = start(world, session, link=True)
    assert finish(world, url, acme.consent(url, **claims), session).status == 200


def test_an_account_is_unlinked_by_its_member_and_by_admins(world: World, acme: Provider) -> None:
    people = world.people
    mine: dict[str, Any] = {"sub": "sub-private", "email": "private@mail.example"}
    for who in ("ana", "cy"):
        link(world, acme, who, **mine | {"sub": f"sub-{who}"})
    assert post(world, "auth.me", people["cy"].session).body["linked"] == ["acme"]
    assert post(world, "auth.me", people["cy"].key).body["linked"] == []

    def unlink(who: str, **more: Any) -> Answer:
        return post(world, "auth.provider_unlink", people[who].session, provider="acme", **more)

    assert unlink("di", member="@cy").slug == "not-allowed"
    assert unlink("bo", member="@ana").slug == "not-allowed"
    assert unlink("bo", member="@nobody").slug == "invalid-input"
    assert post(world, "auth.provider_unlink", people["cy"].key, provider="acme").slug == "not-allowed"
    seq = world.database.seq
    assert unlink("cy").body == {"linked": []}
    assert payloads(world, seq) == [
        ("auth.unlinked", f"member:{people['cy'].id}", people["cy"].id, {"provider": "acme"})
    ]
    assert unlink("cy").slug == "not-found"
    assert refused(come(world, acme, **mine | {"sub": "sub-cy"}))
    link(world, acme, "cy", **mine)
    assert unlink("bo", member="@cy").body == {"linked": []}
    policy(world, methods=["acme"])
    assert unlink("ana").slug == "conflict", "nothing else lets her in"
    policy(world, methods=METHODS)
    assert unlink("ana").body == {"linked": []}
    world.clock.advance(700)
    assert unlink("cy").slug == "elevation-needed"


def test_unlinking_ends_what_waits_for_the_second_factor(world: World, acme: Provider) -> None:
    secret, _ = with_factor(world, "cy")
    url = start(world)
    half = finish(world, url, acme.consent(url))
    cy = world.people["cy"].session
    assert post(world, "auth.provider_unlink", cy, provider="acme").status == 200
    world.clock.advance(30)
    body = {"challenge": half.body["challenge"], "code": code(secret, world.clock.now())}
    assert refused(post(world, "auth.login_verify", **body))


# setting one up


def test_a_provider_is_saved_listed_and_deleted_by_admins(world: World, provider: Provider) -> None:
    ana = world.people["ana"]
    seq = world.database.seq
    assert post(world, "auth.providers").body == []
    settings = {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "scopes": ["openid", "email", "profile"],
        "token_auth": "auto",
        "link_by_email": True,
        "trust_email": False,
        "trust_amr": False,
    }
    plain = {"id": "acme", "kind": "oidc", "label": "Acme", "enabled": True, "create_members": False}
    whole = plain | {"settings": settings, "has_secret": True}
    assert save(world, provider).body == [whole]
    made = {"label": "Acme", "settings": settings, "enabled": True, "create_members": False}
    changes = {name: {"from": None, "to": value} for name, value in made.items()}
    told = {"provider": "acme", "secret": True, "changes": changes}
    assert payloads(world, seq) == [("auth.provider_saved", "org:1", ana.id, told)]
    assert post(world, "auth.providers").body == [], "the policy does not have it"
    policy(world, methods=METHODS)
    public = [plain | {"settings": None, "has_secret": None}]
    assert post(world, "auth.providers").body == public
    assert post(world, "auth.providers", world.people["cy"].session).body == public
    assert post(world, "auth.providers", ana.session).body == [whole]
    assert save(world, provider, secret=None, enabled=False).body == [whole | {"enabled": False}]
    assert post(world, "auth.providers").body == []
    seq = world.database.seq
    assert save(world, provider, secret=None, enabled=False).status == 200
    assert world.events_since(seq) == []
    assert post(world, "auth.provider_delete", ana.session, id="acme").body == []
    assert world.events_since(seq) == [("auth.policy_changed", "org:1"), ("auth.provider_deleted", "org:1")]
    assert post(world, "auth.policy", ana.session).body["methods"] == ["password", "passkey"]
    assert post(world, "auth.provider_delete", ana.session, id="acme").slug == "not-found"


def test_only_elevated_admins_in_person_set_one_up(world: World, provider: Provider) -> None:
    ana = world.people["ana"]
    assert save(world, provider, who="cy").slug == "insufficient-scope"
    body = {"id": "acme", "kind": "oidc", "label": "A", "settings": {}}
    for op, sent in (
        ("auth.provider_save", body),
        ("auth.provider_delete", {"id": "acme"}),
        ("auth.provider_test", {"id": "acme"}),
    ):
        assert post(world, op, ana.key, **sent).slug == "not-allowed"
    world.clock.advance(600)
    assert save(world, provider).slug == "elevation-needed"
    assert post(world, "auth.provider_delete", ana.session, id="acme").slug == "elevation-needed"


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"id": "Acme"}, "id"),
        ({"id": "password"}, "id"),
        ({"id": "x" * 41}, "id"),
        ({"kind": "saml"}, "kind"),
        ({"kind": "ldap"}, "kind"),
        ({"kind": "oauth"}, "kind"),
        ({"label": ""}, "label"),
        ({"settings": {"issuer": "http://login.acme.example"}}, "settings.issuer"),
        ({"settings": {"issuer": "login.acme.example"}}, "settings.issuer"),
        ({"settings": {"issuer": "https://user@login.acme.example"}}, "settings.issuer"),
        ({"settings": {"issuer": "https://login.acme.example/?a"}}, "settings.issuer"),
        ({"settings": {"issuer": "https://[broken"}}, "settings.issuer"),
        ({"settings": {"client_id": ""}}, "settings.client_id"),
        ({"settings": {"isuer": "https://x"}}, "settings.isuer"),
        ({"settings": {"scopes": ["a b"]}}, "settings.scopes[0]"),
        ({"settings": {"trust_amr": "yes"}}, "settings.trust_amr"),
    ],
)
def test_what_does_not_fit_is_refused_where_it_stands(
    world: World, provider: Provider, more: dict[str, Any], path: str
) -> None:
    answer = save(world, provider, **more)
    assert (answer.status, answer.body["errors"][0]["path"]) == (422, path)
    assert post(world, "auth.providers", world.people["ana"].session).body == []


def test_a_secret_is_sealed_kept_and_cleared_with_the_address(world: World, acme: Provider) -> None:
    def stored(tx: Read) -> bytes | None:
        found: bytes | None = tx.value("select secret from provider")
        return found

    kept = world.database.read_now(stored)
    assert kept is not None
    assert SECRET.encode() not in kept
    assert save(world, acme, secret=None, label="Other").body[0]["has_secret"] is True
    assert world.database.read_now(stored) == kept
    moved = {"issuer": "https://login.evil.example"}
    assert save(world, acme, secret=None, settings=moved).body[0]["has_secret"] is False
    assert world.database.read_now(stored) is None
    assert save(world, acme, settings=moved).body[0]["has_secret"] is True
    assert save(world, acme, secret=None, settings=moved, label="x").body[0]["has_secret"] is True
    body = {
        "id": "acme",
        "kind": "oidc",
        "label": "x",
        "secret": "",
        "settings": {**moved, "client_id": CLIENT},
    }
    assert (
        post(world, "auth.provider_save", world.people["ana"].session, **body).body[0]["has_secret"] is False
    )


def test_a_provider_that_is_not_used_is_not_there(world: World, provider: Provider) -> None:
    unknown = post(world, "auth.oidc_start", provider="acme")
    assert (unknown.status, unknown.slug) == (404, "not-found")
    assert save(world, provider).status == 200
    assert post(world, "auth.oidc_start", provider="acme").status == 404, "the policy does not have it"
    policy(world, methods=METHODS)
    url = start(world)
    got = provider.consent(url)
    assert save(world, provider, enabled=False).status == 200
    assert refused(finish(world, url, got)), "it was switched off on the way"


def test_the_last_way_of_an_owner_stays(world: World, acme: Provider) -> None:
    ana = world.people["ana"].session
    wanted = post(world, "auth.policy_set", ana, methods=["acme"])
    assert (wanted.status, wanted.body["errors"][0]["path"]) == (422, "methods")
    link(world, acme, "ana", sub="sub-ana", email="ana@acme.example")
    policy(world, methods=["acme"])
    assert login(world, CY).status == 401
    seq = world.database.seq
    assert save(world, acme, enabled=False).slug == "conflict"
    assert save(world, acme, settings={"issuer": "https://elsewhere.example"}).slug == "conflict"
    assert post(world, "auth.provider_delete", ana, id="acme").slug == "conflict"
    assert world.events_since(seq) == []
    assert come(world, acme, sub="sub-ana").status == 200


def test_there_are_twenty_at_most(world: World, provider: Provider) -> None:
    answers = [save(world, provider, id=f"p{number}").status for number in range(21)]
    assert answers == [200] * 20 + [409]


@pytest.mark.parametrize(
    "path", ["//evil.example", "/\\evil.example", "https://evil.example", "keys", "/a b", "/\n", ""]
)
def test_people_go_on_within_this_site_alone(world: World, acme: Provider, path: str) -> None:
    answer = post(world, "auth.oidc_start", provider="acme", return_to=path)
    assert (answer.status, answer.body["errors"][0]["path"]) == (422, "return_to")


# a provider that fails


def flood(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    """A gigabyte, or as much as is taken."""
    request.send_response(200)
    request.send_header("Content-Length", str(1 << 30))
    request.end_headers()
    with suppress(OSError):
        for _ in range(1 << 14):
            request.wfile.write(b"x" * (1 << 16))


def silence(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    provider.ended.wait(30)


def redirect(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    request.send_response(302)
    request.send_header("Location", f"http://{provider.place}/elsewhere")
    request.send_header("Content-Length", "0")
    request.end_headers()


def nonsense(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    provider.send(request, 200, ["no object"])


def deep(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    request.send_response(200)
    request.end_headers()
    request.wfile.write(b"[" * 100_000)


def wrong(request: BaseHTTPRequestHandler, provider: Provider) -> None:
    provider.send(request, 500, {"error": "server_error\nSet-Cookie: x"})


@pytest.mark.parametrize("path", [DISCOVERY, "/keys", "/token"])
@pytest.mark.parametrize("answer", [flood, silence, redirect, nonsense, deep, wrong])
def test_a_provider_that_fails_is_told_in_words(
    world: World, acme: Provider, path: str, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbound, "SERVICE_DEADLINE_S", 0.5)
    acme.broken[path] = answer
    begun = post(world, "auth.oidc_start", provider="acme")
    failed = begun if path == DISCOVERY else come(world, acme)
    assert (failed.status, failed.slug) == (502, "upstream-failed")
    assert "/elsewhere" not in acme.asked
    acme.broken.clear()
    assert come(world, acme).status == 200


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://login.evil.example"},
        {"issuer": None},
        {"token_endpoint": None},
        {"token_endpoint": "http://login.acme.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://login.acme.example/a\r\nSet-Cookie: kb=1"},
        {"authorization_endpoint": "https://login.acme.example\\@evil.example/"},
        {"authorization_endpoint": "https://login.acme.example/#a"},
        {"authorization_endpoint": "https://login.acme.example/\ud800"},
        {"jwks_uri": "https://login.acme.example:port/"},
    ],
)
def test_a_discovery_document_that_does_not_hold_is_refused(
    world: World, acme: Provider, document: dict[str, Any]
) -> None:
    acme.document.update(document)
    failed = post(world, "auth.oidc_start", provider="acme")
    assert (failed.status, failed.slug) == (502, "upstream-failed")


def test_whoever_speaks_https_names_no_address_of_this_machine() -> None:
    require_address("http://127.0.0.1:9000/token", "token_endpoint")
    for address in ("http://127.0.0.1:9000/token", "http://localhost/token"):
        with pytest.raises(InvalidInput):
            require_address(address, "token_endpoint", secure=True)


def test_what_cannot_be_reached_and_what_is_private_are_told_the_same(world: World, acme: Provider) -> None:
    port = acme.place.partition(":")[2]
    told = set()
    for issuer in (f"http://localhost:{port}/acme", "https://nowhere.invalid"):
        assert save(world, acme, settings={"issuer": issuer}).status == 200
        found = post(world, "auth.provider_test", world.people["ana"].session, id="acme").body["steps"]
        told.add(found[1]["detail"])
    assert (len(told), acme.asked) == (1, [])


def test_private_addresses_are_asked_where_the_operator_lists_them(world: World, acme: Provider) -> None:
    other = Provider(NOW)
    try:
        acme.document["jwks_uri"] = f"http://{other.place}/keys"
        url = start(world)
        failed = finish(world, url, acme.consent(url))
        assert (failed.status, failed.slug, other.asked) == (502, "upstream-failed", [])
        assert save(world, other).status == 200
        assert post(world, "auth.oidc_start", provider="acme").slug == "upstream-failed"
        assert other.asked == []
    finally:
        other.close()


def test_an_answer_of_many_keys_is_bounded_and_odd_ones_are_passed_over(world: World, acme: Provider) -> None:
    odd = [
        "no key",
        {"kty": "RSA"},
        {"kty": "RSA", "kid": "rs", "n": "!", "e": "AQAB"},
        {"kty": 7, "kid": "rs"},
    ]

    def many(request: BaseHTTPRequestHandler, provider: Provider) -> None:
        provider.send(request, 200, {"keys": [*odd, KEYS["rs"].published]})

    acme.broken["/keys"] = many
    assert come(world, acme).status == 200


# trying one


def steps(world: World) -> tuple[bool, list[tuple[str, bool]]]:
    answer = post(world, "auth.provider_test", world.people["ana"].session, id="acme")
    assert answer.status == 200, answer.body
    assert answer.body["claims"] is None
    return answer.body["ok"], [(one["step"], one["ok"]) for one in answer.body["steps"]]


def test_a_trial_says_how_far_a_sign_in_would_come(world: World, acme: Provider) -> None:
    four = ["address", "discovery", "keys", "token endpoint"]
    assert steps(world) == (True, [(one, True) for one in four])
    told = post(world, "auth.provider_test", world.people["ana"].session, id="acme").body["steps"]
    assert f"{world.url}/signin/oidc/acme" in told[0]["detail"]
    assert save(world, acme, secret="another").status == 200
    assert steps(world) == (False, [*((one, True) for one in four[:3]), (four[3], False)])
    acme.published.clear()
    assert steps(world) == (False, [*((one, True) for one in four[:2]), (four[2], False)])
    acme.broken["/keys"] = nonsense
    assert steps(world) == (False, [*((one, True) for one in four[:2]), (four[2], False)])
    acme.broken[DISCOVERY] = wrong
    assert steps(world) == (False, [(four[0], True), (four[1], False)])
    assert post(world, "auth.provider_test", world.people["ana"].session, id="other").slug == "not-found"


@pytest.mark.parametrize(
    ("said", "chosen", "in_form"),
    [
        (None, "auto", False),
        (["client_secret_post"], "auto", True),
        (["client_secret_basic", "client_secret_post"], "auto", False),
        (["client_secret_basic"], "post", True),
        (["client_secret_post"], "basic", False),
    ],
)
def test_the_secret_is_sent_as_the_provider_wants_it(
    world: World, acme: Provider, said: list[str] | None, chosen: str, in_form: bool
) -> None:
    if said is not None:
        acme.document["token_endpoint_auth_methods_supported"] = said
    assert save(world, acme, settings={"token_auth": chosen}).status == 200
    assert come(world, acme).status == 200
    assert ("client_secret" in acme.tokens[-1]) is in_form


def test_a_wrong_secret_is_told_in_words(world: World, acme: Provider) -> None:
    assert save(world, acme, secret="another").status == 200
    failed = come(world, acme)
    assert (failed.status, failed.slug) == (502, "upstream-failed")
    assert "invalid_client" in failed.body["detail"]


def test_people_come_back_to_the_address_of_the_settings(world: World, acme: Provider) -> None:
    note(world.database, OwnAddress("https://work.example.org", fixed=True))
    assert parse_qs(urlsplit(start(world)).query)["redirect_uri"] == [
        "https://work.example.org/signin/oidc/acme"
    ]
    note(world.database, OwnAddress("", fixed=False))
    assert post(world, "auth.oidc_start", provider="acme").slug == "conflict"
