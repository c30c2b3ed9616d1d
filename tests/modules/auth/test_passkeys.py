"""Passkeys: what they open, and what is tried with them that must open nothing."""

import json
import threading
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbwork.app import App
from kbwork.base.errors import Problem
from kbwork.core import own_address
from kbwork.core.own_address import OwnAddress
from kbwork.db.tx import Read, Write
from kbwork.modules.auth.passkeys import ceremonies
from kbwork.modules.auth.passkeys.relying_party import RelyingParty, relying_party
from kbwork.settings import ServerSettings, Settings
from tests.authenticator import Authenticator, b64
from tests.conftest import NOW, World
from tests.modules.auth.test_auth import (
    CY,
    Answer,
    browse,
    code,
    login,
    payloads,
    post,
    with_factor,
)


def device(world: World, **more: Any) -> Authenticator:
    """A device whose browser shows this server by the name that passkeys are bound to."""
    return Authenticator(f"http://localhost:{urlsplit(world.url).port}", **more)


def begin(world: World, session: str | None = None, **body: Any) -> Any:
    answer = post(world, "auth.passkey_begin", session, **body)
    assert answer.status == 200, answer.body
    return answer.body


def add(world: World, handle: str, held: Authenticator, name: str = "Laptop", **lies: Any) -> Answer:
    session = world.people[handle].session
    begun = begin(world, session)
    response = held.create(begun["options"], **lies)
    return post(
        world, "auth.passkey_add", session, name=name, challenge=begun["challenge"], response=response
    )


def enter(world: World, held: Authenticator, begun: Any = None, **lies: Any) -> Answer:
    begun = begun or begin(world)
    response = held.get(begun["options"], **lies)
    return post(world, "auth.passkey_login", challenge=begun["challenge"], response=response)


def owned(world: World, handle: str) -> Authenticator:
    """A device with a passkey of theirs."""
    held = device(world)
    assert add(world, handle, held).status == 200
    return held


# adding


def test_a_passkey_is_added_and_signs_in_without_a_password_or_a_code(world: World) -> None:
    cy, held = world.people["cy"], device(world)
    seq = world.database.seq
    answer = add(world, "cy", held)
    assert answer.status == 200
    (listed,) = answer.body
    assert listed == {"id": listed["id"], "name": "Laptop", "created_at": NOW, "last_used_at": None}
    told = {"method": "passkey", "passkey": listed["id"], "name": "Laptop"}
    assert payloads(world, seq) == [("auth.factor_added", f"member:{cy.id}", cy.id, told)]

    seq = world.database.seq
    world.clock.advance(60)
    signed_in = enter(world, held)
    assert (signed_in.status, signed_in.body["member"]["id"]) == (200, cy.id)
    assert signed_in.body["member"]["two_factor"] is True
    said = {"method": "passkey", "client": "program"}
    assert payloads(world, seq) == [("auth.signed_in", f"member:{cy.id}", cy.id, said)]
    token = signed_in.body["token"]
    assert post(world, "auth.passkeys", token).body == [listed | {"last_used_at": NOW + 60}]
    me = post(world, "auth.me", token).body
    assert me["proofs"] == ["password", "passkey"]
    assert post(world, "auth.me", cy.key).body["proofs"] == []


def test_the_questions_say_what_browsers_need(world: World) -> None:
    cy = world.people["cy"]
    begun = begin(world, cy.session)
    options = begun["options"]
    assert begun["challenge"].startswith("kbl_")
    assert options == {
        "challenge": b64(begun["challenge"].encode()),
        "rp": {"id": "localhost", "name": "Acme"},
        "user": {"id": b64(cy.id.encode()), "name": CY, "displayName": "Cy Moss"},
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in (-7, -8, -257)],
        "timeout": 300_000,
        "excludeCredentials": [],
        "authenticatorSelection": {
            "residentKey": "required", "requireResidentKey": True, "userVerification": "required"
        },
        "attestation": "none",
    }  # fmt: skip
    held = owned(world, "cy")
    known = {"type": "public-key", "id": b64(held.held[0].id), "transports": ["usb"]}
    assert begin(world, cy.session)["options"]["excludeCredentials"] == [known]
    asked = begin(world)
    assert asked["options"] == {
        "challenge": b64(asked["challenge"].encode()),
        "rpId": "localhost",
        "timeout": 300_000,
        "userVerification": "required",
        "allowCredentials": [],
    }
    assert begin(world, cy.session, purpose="elevate")["options"]["allowCredentials"] == [known]


def test_nothing_of_a_question_lies_in_the_file(world: World) -> None:
    token = begin(world)["challenge"]
    rows = world.database.read_now(lambda tx: tx.all("select * from challenge"))
    assert [row["purpose"] for row in rows] == ["passkey sign-in"]
    assert token not in str(rows)


@pytest.mark.parametrize(
    "lies",
    [
        {"origin": "http://localhost:1"},
        {"origin": "https://evil.example"},
        {"rp": "evil.example"},
        {"type": "webauthn.get"},
        {"challenge": b64(b"kbl_another")},
        {"flags": 1},
        {"flags": 4},
        {"id": b"x" * 1024},
    ],
    ids=["port", "origin", "rp", "type", "challenge", "not verified", "not present", "long id"],
)
def test_what_was_not_made_here_and_verified_is_not_added(world: World, lies: dict[str, Any]) -> None:
    seq = world.database.seq
    answer = add(world, "cy", device(world), **lies)
    assert (answer.status, answer.slug, answer.body["errors"][0]["path"]) == (
        422,
        "invalid-input",
        "response",
    )
    assert world.events_since(seq) == []
    assert post(world, "auth.passkeys", world.people["cy"].session).body == []


def test_a_question_is_answered_once_in_its_time_by_who_was_asked(world: World) -> None:
    cy, bo, held = world.people["cy"], world.people["bo"], device(world)
    begun = begin(world, cy.session)
    response = held.create(begun["options"])
    body = {"name": "Laptop", "challenge": begun["challenge"], "response": response}

    def refused(answer: Answer) -> bool:
        return (answer.status, answer.body["errors"][0]["path"]) == (422, "challenge")

    assert refused(post(world, "auth.passkey_add", bo.session, **body))
    other = login(world, CY).body["token"]
    assert refused(post(world, "auth.passkey_add", other, **body))
    assert post(world, "auth.passkey_add", cy.session, **body).status == 200
    assert refused(post(world, "auth.passkey_add", cy.session, **body | {"name": "Again"}))

    late = begin(world, cy.session)
    body = {"name": "Late", "challenge": late["challenge"], "response": held.create(late["options"])}
    world.clock.advance(300)
    assert refused(post(world, "auth.passkey_add", cy.session, **body))
    signed = begin(world)
    body = {"name": "Other", "challenge": signed["challenge"], "response": response}
    assert refused(post(world, "auth.passkey_add", cy.session, **body))


def test_adding_is_for_elevated_people(world: World) -> None:
    cy = world.people["cy"]
    body = {"name": "x", "challenge": "kbl_x", "response": {}}
    assert post(world, "auth.passkey_begin", cy.key).slug == "not-allowed"
    assert post(world, "auth.passkey_begin", cy.key, purpose="elevate").slug == "not-allowed"
    assert post(world, "auth.passkey_begin", purpose="register").slug == "unauthenticated"
    assert post(world, "auth.passkey_begin", purpose="elevate").slug == "unauthenticated"
    assert post(world, "auth.passkey_add", cy.key, **body).slug == "not-allowed"
    assert post(world, "auth.passkey_delete", cy.key, id="p_x").slug == "not-allowed"
    world.clock.advance(600)
    assert post(world, "auth.passkey_begin", cy.session).slug == "elevation-needed"
    assert post(world, "auth.passkey_add", cy.session, **body).slug == "elevation-needed"
    assert post(world, "auth.passkey_delete", cy.session, id="p_x").slug == "elevation-needed"


def test_a_credential_belongs_to_one_member_and_a_name_to_one_passkey(world: World) -> None:
    held = owned(world, "cy")
    taken = add(world, "bo", device(world), id=held.held[0].id)
    assert (taken.status, taken.slug) == (409, "conflict")
    assert enter(world, held).body["member"]["handle"] == "cy"
    again = add(world, "cy", device(world), name=" LAPTOP ")
    assert (again.status, again.slug) == (409, "conflict")
    assert add(world, "cy", device(world), name=" ").status == 422
    assert add(world, "cy", device(world), name="n" * 101).status == 422
    assert add(world, "bo", device(world)).status == 200


def test_a_member_has_twenty_at_most(world: World) -> None:
    cy = world.people["cy"]
    begun = begin(world, cy.session)

    def fill(tx: Write) -> None:
        for number in range(20):
            tx.insert(
                "passkey",
                id=f"p_{number}", member=cy.id, credential=bytes([number]), public_key=b"", name=str(number),
                transports="[]", count=0, created_at=NOW,
            )  # fmt: skip

    world.database.write_now(fill)
    body = {"name": "x", "challenge": begun["challenge"], "response": device(world).create(begun["options"])}
    assert post(world, "auth.passkey_add", cy.session, **body).slug == "conflict"
    assert post(world, "auth.passkey_begin", cy.session).slug == "conflict"


# signing in


@pytest.mark.parametrize(
    "lies",
    [
        {"origin": "http://localhost:1"},
        {"rp": "evil.example"},
        {"type": "webauthn.create"},
        {"challenge": b64(b"kbl_another")},
        {"flags": 1},
        {"signature": b"0" * 70},
    ],
    ids=["origin", "rp", "type", "challenge", "not verified", "signature"],
)
def test_what_was_not_signed_here_by_who_was_verified_opens_nothing(
    world: World, lies: dict[str, Any]
) -> None:
    held = owned(world, "cy")
    seq, cy = world.database.seq, world.people["cy"].id
    begun = begin(world)
    wrong = enter(world, held, begun, **({"credential": held.held[0]} | lies))
    assert (wrong.status, wrong.slug) == (401, "unauthenticated")
    told = {"method": "passkey", "client": "program"}
    assert payloads(world, seq) == [("auth.failed", f"member:{cy}", "anonymous", told)]
    assert enter(world, held, begun).status == 401, "a question is answered once, rightly or not"
    assert enter(world, held).status == 200


def test_an_unknown_passkey_is_the_same_401(world: World) -> None:
    held, stranger = owned(world, "cy"), device(world)
    stranger.create(begin(world, world.people["bo"].session)["options"])
    seq = world.database.seq
    unknown, wrong = enter(world, stranger), enter(world, held, signature=b"0" * 70)
    assert {k: v for k, v in unknown.body.items() if k != "request_id"} == {
        k: v for k, v in wrong.body.items() if k != "request_id"
    }
    told = {"method": "passkey", "client": "program"}
    assert payloads(world, seq)[0] == ("auth.failed", "org:1", "anonymous", told)
    assert post(world, "auth.passkey_login", challenge="kbl_x", response={}).status == 401


def test_another_that_says_it_is_this_passkey_opens_nothing(world: World) -> None:
    held, bo = owned(world, "cy"), device(world)
    assert add(world, "bo", bo).status == 200
    forged = replace(bo.held[0], id=held.held[0].id)
    assert enter(world, bo, credential=forged).status == 401
    borrowed = replace(bo.held[0], user=held.held[0].user)
    assert enter(world, bo, credential=borrowed).status == 401
    nameless = replace(bo.held[0], user=b"")
    assert enter(world, bo, credential=nameless).status == 401


def test_an_answer_cannot_be_sent_twice_nor_late(world: World) -> None:
    held = owned(world, "cy")
    begun = begin(world)
    body = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    assert post(world, "auth.passkey_login", **body).status == 200
    assert post(world, "auth.passkey_login", **body).status == 401
    late = begin(world)
    body = {"challenge": late["challenge"], "response": held.get(late["options"])}
    world.clock.advance(300)
    assert post(world, "auth.passkey_login", **body).status == 401


def test_of_two_who_send_one_answer_at_once_one_comes_in(world: World) -> None:
    held = owned(world, "cy")
    begun = begin(world)
    body = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    answers: list[int] = []
    barrier = threading.Barrier(4)

    def send() -> None:
        barrier.wait(10)
        answers.append(post(world, "auth.passkey_login", **body).status)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert sorted(answers) == [200, 401, 401, 401]


def test_a_passkey_that_counts_backwards_may_be_a_copy(world: World) -> None:
    held = owned(world, "cy")
    cy, copy = world.people["cy"].id, replace(held.held[0])
    assert enter(world, held).status == 200
    seq = world.database.seq
    assert enter(world, held, credential=copy).status == 401
    told = {"method": "passkey", "client": "program", "reason": "clone"}
    assert payloads(world, seq) == [("auth.failed", f"member:{cy}", "anonymous", told)]
    assert enter(world, held).status == 200


def test_one_that_does_not_count_needs_not(world: World) -> None:
    held = device(world, counts=False)
    assert add(world, "cy", held).status == 200
    assert [enter(world, held).status for _ in range(2)] == [200, 200]


def test_who_left_and_who_the_policy_does_not_take_are_refused(world: World) -> None:
    held = owned(world, "cy")
    cy, ana = world.people["cy"].id, world.people["ana"].session
    begun = begin(world)
    assert post(world, "auth.policy_set", ana, methods=["password"]).status == 200
    assert enter(world, held, begun).status == 401
    assert post(world, "auth.passkey_begin").slug == "not-allowed"
    assert post(world, "auth.policy_set", ana, methods=["password", "passkey"]).status == 200
    assert enter(world, held).status == 200
    world.database.write_now(lambda tx: tx.update("member", cy, state="deactivated"))
    assert enter(world, held).status == 401


def test_failures_count_as_those_of_passwords(world: World) -> None:
    held = owned(world, "cy")
    assert [enter(world, held, signature=b"0" * 70).status for _ in range(10)] == [401] * 10
    locked = enter(world, held)
    assert (locked.status, locked.slug, locked.headers["retry-after"]) == (429, "rate-limited", "900")
    assert login(world, CY).status == 429
    world.clock.advance(900)
    assert enter(world, held).status == 200


def test_a_browser_gets_a_session_of_a_day_as_a_cookie(world: World) -> None:
    held = owned(world, "cy")
    begun = browse(world, "auth.passkey_begin", {}).body
    body = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    answer = browse(world, "auth.passkey_login", {}, **body)
    assert (answer.status, answer.body["token"]) == (200, "")
    assert set(answer.cookies) == {"kb", "kb_device"}
    listed = browse(world, "auth.sessions", answer.cookies).body
    assert [one["expires_at"] - NOW for one in listed if one["current"]] == [86400]


# as the second factor


def test_a_passkey_is_the_second_factor_of_a_password(world: World) -> None:
    held, cy = owned(world, "cy"), world.people["cy"]
    half = login(world, CY).body
    assert (half["token"], half["methods"]) == (None, ["passkey"])
    assert post(world, "auth.login_verify", challenge=half["challenge"], code="123456").status == 401
    begun = begin(world, challenge=half["challenge"])
    assert [one["id"] for one in begun["options"]["allowCredentials"]] == [b64(held.held[0].id)]
    seq = world.database.seq
    done = enter(world, held, begun)
    assert (done.status, done.body["member"]["id"]) == (200, cy.id)
    said = {"method": "passkey", "client": "program"}
    assert payloads(world, seq) == [("auth.signed_in", f"member:{cy.id}", cy.id, said)]
    assert post(world, "auth.passkey_begin", challenge=half["challenge"]).status == 401, "it is over"


def test_codes_and_passkeys_stand_beside_each_other(world: World) -> None:
    secret, _ = with_factor(world, "cy")
    held = owned(world, "cy")
    half = login(world, CY).body
    assert half["methods"] == ["totp", "recovery", "passkey"]
    world.clock.advance(30)
    done = post(world, "auth.login_verify", challenge=half["challenge"], code=code(secret, world.clock.now()))
    assert done.status == 200
    assert enter(world, held).status == 200, "a passkey alone asks for no code"


def test_only_a_passkey_of_who_gave_the_password_finishes_it(world: World) -> None:
    owned(world, "cy")
    other = owned(world, "bo")
    half = login(world, CY).body
    begun = begin(world, challenge=half["challenge"])
    response = other.get(begun["options"] | {"allowCredentials": []})
    stolen = post(world, "auth.passkey_login", challenge=begun["challenge"], response=response)
    assert stolen.status == 401
    assert post(world, "auth.passkey_begin", challenge="kbl_unknown").status == 401


def test_a_half_way_sign_in_bears_five_wrong_passkeys(world: World) -> None:
    held = owned(world, "cy")
    half = login(world, CY).body
    for _ in range(5):
        begun = begin(world, challenge=half["challenge"])
        assert enter(world, held, begun, signature=b"0" * 70).status == 401
    assert post(world, "auth.passkey_begin", challenge=half["challenge"]).status == 401


def test_where_two_factors_are_required_a_passkey_is_enough(world: World) -> None:
    ana = world.people["ana"].session
    refused = post(world, "auth.policy_set", ana, require_2fa=True)
    assert refused.slug == "conflict"
    held = owned(world, "ana")
    assert post(world, "auth.policy_set", ana, require_2fa=True).status == 200
    assert post(world, "auth.policy", enter(world, held).body["token"]).body["require_2fa"] is True
    cy = login(world, CY).body["token"]
    assert post(world, "members.list", cy).slug == "insufficient-scope"
    begun = begin(world, cy)
    body = {
        "name": "Key",
        "challenge": begun["challenge"],
        "response": device(world).create(begun["options"]),
    }
    assert post(world, "auth.passkey_add", cy, **body).status == 200
    assert post(world, "members.list", cy).status == 200


# to confirm


def test_a_passkey_confirms_that_it_is_you(world: World) -> None:
    held, cy = owned(world, "cy"), world.people["cy"]
    world.clock.advance(700)
    begun = begin(world, cy.session, purpose="elevate")
    shown = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    other = enter(world, held).body["token"]
    stolen = post(world, "auth.elevate", other, passkey=shown)
    assert (stolen.status, stolen.body["errors"][0]["path"]) == (422, "passkey")
    begun = begin(world, cy.session, purpose="elevate")
    shown = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    assert post(world, "auth.elevate", cy.session, passkey=shown).body == {"elevated_until": NOW + 1300}
    assert post(world, "auth.elevate", cy.session, passkey=shown).status == 422
    assert post(world, "auth.elevate", cy.session, passkey=shown, code="1").status == 422


def test_a_sign_in_confirms_nothing_and_anothers_passkey_neither(world: World) -> None:
    held, cy, other = owned(world, "cy"), world.people["cy"], owned(world, "bo")
    begun = begin(world)
    shown = {"challenge": begun["challenge"], "response": held.get(begun["options"])}
    assert post(world, "auth.elevate", cy.session, passkey=shown).status == 422
    seq = world.database.seq
    begun = begin(world, cy.session, purpose="elevate")
    shown = {
        "challenge": begun["challenge"],
        "response": other.get(begun["options"] | {"allowCredentials": []}),
    }
    assert post(world, "auth.elevate", cy.session, passkey=shown).status == 422
    told = {"method": "elevate", "client": "program"}
    assert payloads(world, seq) == [("auth.failed", f"member:{cy.id}", cy.id, told)]
    assert post(world, "auth.passkey_begin", world.people["di"].session, purpose="elevate").slug == "conflict"


# removing


def test_a_passkey_is_removed_by_its_owner_alone(world: World) -> None:
    held, cy, bo = owned(world, "cy"), world.people["cy"], world.people["bo"]
    (listed,) = post(world, "auth.passkeys", cy.session).body
    assert post(world, "auth.passkey_delete", bo.session, id=listed["id"]).status == 404
    seq = world.database.seq
    assert post(world, "auth.passkey_delete", cy.session, id=listed["id"]).body == []
    told = {"method": "passkey", "passkey": listed["id"], "name": "Laptop"}
    assert payloads(world, seq) == [("auth.factor_removed", f"member:{cy.id}", cy.id, told)]
    assert enter(world, held).status == 401
    assert login(world, CY).body["token"]
    assert post(world, "auth.passkey_delete", cy.session, id=listed["id"]).status == 404


def test_the_last_way_in_stays(world: World) -> None:
    ana = world.people["ana"]
    without = post(world, "auth.policy_set", ana.session, methods=["passkey"])
    assert (without.status, without.body["errors"][0]["path"]) == (422, "methods")
    owned(world, "ana")
    assert post(world, "auth.policy_set", ana.session, methods=["passkey"]).status == 200
    assert login(world, "ana@acme.example").status == 401
    (listed,) = post(world, "auth.passkeys", ana.session).body
    seq = world.database.seq
    refused = post(world, "auth.passkey_delete", ana.session, id=listed["id"])
    assert (refused.status, refused.slug) == (409, "conflict")
    assert world.events_since(seq) == []
    assert add(world, "ana", device(world), name="Second").status == 200
    assert [one["name"] for one in post(world, "auth.passkey_delete", ana.session, id=listed["id"]).body] == [
        "Second"
    ]


def test_an_admin_lets_in_who_lost_the_device(world: World) -> None:
    owned(world, "cy")
    cy, bo = world.people["cy"], world.people["bo"]
    (listed,) = post(world, "auth.passkeys", cy.session).body
    assert post(world, "auth.totp_disable", cy.session).body == {"ok": True}
    assert post(world, "auth.passkeys", cy.session).body == [listed], (
        "codes are taken away by it, no passkeys"
    )
    seq = world.database.seq
    assert post(world, "auth.totp_disable", bo.session, member="@cy").body == {"ok": True}
    told = {"method": "passkey", "passkey": listed["id"], "name": "Laptop"}
    assert payloads(world, seq) == [("auth.factor_removed", f"member:{cy.id}", bo.id, told)]
    assert login(world, CY).body["token"]


# where passkeys can be


@pytest.mark.parametrize(
    ("origin", "fixed", "found"),
    [
        ("https://work.example.org", True, ("work.example.org", "https://work.example.org")),
        ("https://Work.example.org:443", True, ("work.example.org", "https://work.example.org")),
        ("https://work.example.org:8443", True, ("work.example.org", "https://work.example.org:8443")),
        ("http://localhost:8080", True, ("localhost", "http://localhost:8080")),
        ("http://localhost:80", False, ("localhost", "http://localhost")),
        ("http://127.0.0.1:8080", False, ("localhost", "http://localhost:8080")),
        ("http://[::1]:8080", False, ("localhost", "http://localhost:8080")),
        ("http://127.0.0.1:8080", True, None),
        ("https://192.0.2.7", True, None),
        ("http://192.0.2.7:8080", False, None),
        ("http://work.example.org", True, None),
        ("", False, None),
    ],
)
def test_a_name_over_https_or_this_machine_can_have_passkeys(
    world: World, origin: str, fixed: bool, found: tuple[str, str] | None
) -> None:
    own_address.note(world.database, OwnAddress(origin, fixed))

    def look(tx: Read) -> tuple[str, str] | str:
        try:
            party = relying_party(tx)
        except Problem as problem:
            return problem.slug
        return party.id, party.origin

    assert world.database.read_now(look) == (found or "conflict")


def test_the_address_of_the_settings_is_what_passkeys_are_bound_to(world: World) -> None:
    assert world.app is not None
    App(
        Settings(server=ServerSettings(base_url="https://work.example.org/")),
        world.database,
        address="http://x:1",
    )
    held = Authenticator("https://work.example.org")
    assert add(world, "cy", held).status == 200
    assert held.held[0].rp == "work.example.org"
    assert enter(world, held).status == 200
    assert enter(world, held, origin="http://localhost").status == 401


# whatever is sent


_PARTY = RelyingParty("localhost", "http://localhost")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text() | st.binary().map(b64),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip
def test_an_answer_of_any_shape_is_refused_in_one_way(value: Any) -> None:
    shaped = {
        "id": b64(b"x"),
        "rawId": b64(b"x"),
        "type": "public-key",
        "response": {
            "clientDataJSON": value,
            "attestationObject": value,
            "authenticatorData": value,
            "signature": value,
        },
    }
    for response in ({"rawId": value, "response": value}, shaped):
        ceremonies.credential_of(response)
        ceremonies.user_of(response)
        assert isinstance(ceremonies.transports_of(response), list)
        with pytest.raises(ceremonies.NotVerified):
            ceremonies.registered(response, "kbl_x", _PARTY)
        with pytest.raises(ceremonies.NotVerified):
            ceremonies.count_signed(response, "kbl_x", _PARTY, b"")


@given(st.binary(max_size=300))
def test_an_attestation_of_any_bytes_is_refused_in_one_way(raw: bytes) -> None:
    said = {"type": "webauthn.create", "challenge": b64(b"kbl_x"), "origin": "http://localhost"}
    response = {
        "id": b64(b"x"),
        "rawId": b64(b"x"),
        "type": "public-key",
        "response": {"clientDataJSON": b64(json.dumps(said).encode()), "attestationObject": b64(raw)},
    }
    with pytest.raises(ceremonies.NotVerified):
        ceremonies.registered(response, "kbl_x", _PARTY)


def test_an_answer_that_is_too_long_is_not_read(world: World) -> None:
    with pytest.raises(ceremonies.NotVerified, match="too long"):
        ceremonies.registered({"rawId": "x" * 70_000}, "kbl_x", _PARTY)
