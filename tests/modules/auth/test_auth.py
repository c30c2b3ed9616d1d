"""Signing in: who gets in and who does not, what is told of it, and what lies in the file afterwards."""

import http.client
import json
import shutil
import subprocess
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from kbwork.base import ids
from kbwork.base.caller import SYSTEM
from kbwork.base.clock import FixedClock
from kbwork.base.errors import Problem
from kbwork.core.access import scopes
from kbwork.core.operations.call import Credentials
from kbwork.db.tx import Read
from kbwork.modules.auth import jobs
from kbwork.modules.auth.totp import one_time_codes
from kbwork.settings import Settings
from tests.conftest import NOW, PASSWORD, Person, World, serving

ANA, BO, CY, DI, GUS = (f"{name}@acme.example" for name in ("ana", "bo", "cy", "di", "gus"))
LONGER = "a longer sentence of mine"


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    headers: dict[str, str]
    cookies: dict[str, str]

    @property
    def slug(self) -> str:
        return str(self.body["type"]).rpartition("/")[2]


def post(world: World, op: str, token: str | None = None, /, **body: Any) -> Answer:
    """One bare request of a program."""
    return _send(world, op, {"Authorization": f"Bearer {token}"} if token is not None else {}, body)


def browse(world: World, op: str, cookies: dict[str, str], /, **body: Any) -> Answer:
    """One request of a page of this site."""
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return _send(world, op, {"Origin": world.url, "Cookie": sent}, body)


def _send(world: World, op: str, headers: dict[str, str], body: dict[str, Any]) -> Answer:
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=60)
    try:
        connection.request(
            "POST", f"/api/v1/{op}", json.dumps(body), {"Content-Type": "application/json", **headers}
        )
        response = connection.getresponse()
        read = response.read()
        cookies = dict(
            text.split(";")[0].split("=", 1)
            for name, text in response.getheaders()
            if name.lower() == "set-cookie"
        )
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, json.loads(read), found, cookies)
    finally:
        connection.close()


def login(world: World, email: str, password: str = PASSWORD) -> Answer:
    return post(world, "auth.login", email=email, password=password)


def login_page(world: World, email: str, cookies: dict[str, str] | None = None, **more: Any) -> Answer:
    return browse(world, "auth.login", cookies or {}, email=email, password=PASSWORD, **more)


def guess(world: World, cookies: dict[str, str]) -> Answer:
    """A wrong password for Cy, from a browser where nobody is signed in."""
    device = {"kb_device": cookies["kb_device"]}
    return browse(world, "auth.login", device, email=CY, password="wrong password")


def failures(world: World, email: str, count: int) -> list[int]:
    return [login(world, email, "wrong password").status for _ in range(count)]


def guess_from(world: World, address: str, name: str) -> str:
    """The slug of what refuses a wrong password for this name, sent from another address than the tests'."""
    assert world.app is not None
    dispatcher = world.app.dispatcher
    body = json.dumps({"email": f"{name}@acme.example", "password": "wrong password"}).encode()

    async def guess() -> None:
        await dispatcher.run(dispatcher.admit("auth.login", Credentials(address=address)), body)

    with pytest.raises(Problem) as refusal:
        world.on_loop(guess())
    return refusal.value.slug


def payloads(world: World, seq: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    """(kind, subject, actor, payload) of every event after this one."""
    rows = world.database.read_now(
        lambda tx: tx.all(
            "select kind, subject, actor, json(payload) as payload from events where seq > :seq order by seq",
            seq=seq,
        )
    )
    return [(row["kind"], row["subject"], row["actor"], json.loads(row["payload"])) for row in rows]


def code(secret: str, now: int) -> str:
    import base64

    raw = base64.b32decode(secret + "=" * (-len(secret) % 8))
    return one_time_codes.code_at(raw, now // one_time_codes.STEP_S)


def with_factor(world: World, handle: str) -> tuple[str, list[str]]:
    """Set up a second factor; answers the secret and the recovery codes. The present step is used then."""
    session = world.people[handle].session
    begun = post(world, "auth.totp_begin", session)
    assert begun.status == 200, begun.body
    confirmed = post(world, "auth.totp_confirm", session, code=code(begun.body["secret"], world.clock.now()))
    assert confirmed.status == 200, confirmed.body
    return begun.body["secret"], confirmed.body["recovery_codes"]


# signing in


def test_the_right_password_opens_a_session_of_its_own(world: World) -> None:
    seq = world.database.seq
    answer = login(world, " Cy@ACME.example ")
    assert answer.status == 200
    body, cy = answer.body, world.people["cy"]
    assert body["token"].startswith("kbs_")
    assert (body["challenge"], body["methods"], body["member"]["id"]) == (None, [], cy.id)
    assert body["member"]["two_factor"] is False
    told = {"method": "password", "client": "program"}
    assert payloads(world, seq) == [("auth.signed_in", f"member:{cy.id}", cy.id, told)]
    me = post(world, "auth.me", body["token"]).body
    assert (me["member"]["id"], me["role"], me["via"], me["teams"]) == (cy.id, "member", None, [])
    assert me["org"] == {
        "name": "Acme", "slug": "acme", "logo": None, "zone": "UTC", "locale": "en", "plan": "self-hosted"
    }  # fmt: skip
    assert "auth" in me["modules"]
    assert "issues:write" in me["scopes"]
    assert "admin" not in me["scopes"]


def test_a_browser_gets_its_session_as_a_cookie_that_lasts_a_day_unless_told_otherwise(world: World) -> None:
    answer = login_page(world, CY)
    assert answer.body["token"] == ""
    assert set(answer.cookies) == {"kb", "kb_device"}
    listed = browse(world, "auth.sessions", answer.cookies).body
    assert [(s["kind"], s["current"], s["expires_at"] - NOW) for s in listed if s["current"]] == [
        ("browser", True, 86400)
    ]
    longer = login_page(world, CY, remember=True)
    session = next(s for s in browse(world, "auth.sessions", longer.cookies).body if s["current"])
    assert session["expires_at"] - NOW == 14 * 86400  # idle: sooner than the 30 days of the policy


def test_wrong_unknown_and_deactivated_are_one_answer(world: World) -> None:
    di = world.people["di"].id
    world.database.write_now(lambda tx: tx.update("member", di, state="deactivated"))
    seq = world.database.seq
    answers = [login(world, CY, "wrong password"), login(world, "nobody@acme.example"), login(world, DI)]
    bodies = [{k: v for k, v in answer.body.items() if k != "request_id"} for answer in answers]
    assert bodies[0] == bodies[1] == bodies[2]
    assert {answer.status for answer in answers} == {401}
    cy = world.people["cy"].id
    told = {"method": "password", "client": "program"}
    assert payloads(world, seq) == [
        ("auth.failed", f"member:{cy}", "anonymous", told),
        ("auth.failed", "org:1", "anonymous", told),
        ("auth.failed", f"member:{di}", "anonymous", told),
    ]


@pytest.mark.parametrize("email", [CY, "nobody@acme.example"])
def test_ten_failures_lock_an_account_for_a_quarter_of_an_hour(world: World, email: str) -> None:
    assert failures(world, email, 10) == [401] * 10
    world.clock.advance(60)
    answer = login(world, email)
    assert (answer.status, answer.slug, answer.headers["retry-after"]) == (429, "rate-limited", "840")
    assert login(world, BO).status == 200
    world.clock.advance(840)
    assert login(world, email).status == (200 if email == CY else 401)


def test_a_browser_that_signed_in_before_is_not_locked_out(world: World) -> None:
    known = login_page(world, CY).cookies
    stranger = login_page(world, BO).cookies
    failures(world, CY, 10)
    assert login(world, CY).status == 429
    assert login_page(world, CY, {"kb_device": stranger["kb_device"]}).status == 429
    assert login_page(world, CY, {"kb_device": known["kb_device"]}).status == 200


def test_known_browsers_bear_fifty_failures_together_and_lock_nobody_else(world: World) -> None:
    browsers = [login_page(world, CY).cookies for _ in range(2)]
    seq = world.database.seq
    assert [guess(world, browsers[number % 2]).status for number in range(50)] == [401] * 50
    told = (
        "auth.failed",
        f"member:{world.people['cy'].id}",
        "anonymous",
        {"method": "password", "client": "browser"},
    )
    assert payloads(world, seq) == [told] * 50
    world.clock.advance(60)
    for cookies in browsers:
        refused = login_page(world, CY, {"kb_device": cookies["kb_device"]})
        assert (refused.status, refused.headers["retry-after"]) == (429, "840")
    assert len(payloads(world, seq)) == 50
    assert login(world, CY).status == 200
    assert login_page(world, CY).status == 200  # another browser
    assert failures(world, BO, 1) == [401]  # the address
    assert failures(world, CY, 11) == [401] * 10 + [429]
    stranger = login(world, CY)
    assert {key: refused.body[key] for key in refused.body if key not in ("detail", "request_id")} == {
        key: stranger.body[key] for key in stranger.body if key not in ("detail", "request_id")
    }
    world.clock.advance(840)
    assert login_page(world, CY, browsers[0]).status == 200


def test_strangers_take_nothing_of_what_known_browsers_bear(world: World) -> None:
    known = login_page(world, CY).cookies
    assert failures(world, CY, 11) == [401] * 10 + [429]
    assert [guess(world, known).status for _ in range(51)] == [401] * 50 + [429]


def test_a_known_browser_has_one_count_for_passwords_codes_and_confirmations(world: World) -> None:
    known = login_page(world, CY, remember=True).cookies
    _, recovery = with_factor(world, "cy")
    change = {"current": "wrong password", "password": LONGER}

    def challenge() -> str:
        return str(login_page(world, CY, known).body["challenge"])

    spare = challenge()
    found = [guess(world, known).status for _ in range(20)]
    for _ in range(4):
        half = challenge()
        codes = ("000000", "no code", *recovery[0][:3])
        found += [browse(world, "auth.login_verify", known, challenge=half, code=one).status for one in codes]
    found += [browse(world, "auth.elevate", known, code="000000").status for _ in range(4)]
    found += [browse(world, "auth.elevate", known, password="wrong password").status for _ in range(3)]
    found += [browse(world, "auth.password_change", known, **change).status for _ in range(3)]
    assert found == [401] * 40 + [422] * 10
    right = {"current": PASSWORD, "password": LONGER}
    for op, body in {
        "auth.login": {"email": CY, "password": PASSWORD},
        "auth.login_verify": {"challenge": spare, "code": recovery[0]},
        "auth.elevate": {"code": recovery[0]},
        "auth.password_change": right,
    }.items():
        refused = browse(world, op, known, **body)
        assert (refused.status, refused.slug, refused.headers["retry-after"]) == (
            429,
            "rate-limited",
            "900",
        ), op
    half = login(world, CY).body["challenge"]
    assert post(world, "auth.login_verify", challenge=half, code=recovery[0]).status == 200
    assert post(world, "auth.elevate", world.people["cy"].session, password=PASSWORD).status == 200


@pytest.mark.parametrize("op", ["auth.logout", "auth.session_revoke"])
def test_a_browser_that_signed_out_is_a_stranger_until_it_signs_in_again(world: World, op: str) -> None:
    other = login_page(world, CY).cookies
    cookies = login_page(world, CY).cookies
    device = {"kb_device": cookies["kb_device"]}
    assert login_page(world, BO, device).status == 200  # who shares it stays known
    listed = browse(world, "auth.sessions", cookies).body
    session = next(one["id"] for one in listed if one["current"])
    assert (
        browse(world, op, cookies, **({"id": session} if op == "auth.session_revoke" else {})).status == 200
    )
    for email in (CY, BO):
        failures(world, email, 10)
    assert login_page(world, CY, device).status == 429
    assert login_page(world, CY, {"kb_device": other["kb_device"]}).status == 200
    assert login_page(world, BO, device).status == 200
    world.clock.advance(900)
    assert login_page(world, CY, device).status == 200
    failures(world, CY, 10)
    assert login_page(world, CY, device).status == 200


def test_a_browser_whose_session_ended_by_time_or_by_another_hand_stays_known(world: World) -> None:
    cookies = login_page(world, CY).cookies
    device = {"kb_device": cookies["kb_device"]}
    world.advance(86401)
    assert browse(world, "auth.me", cookies).status == 401
    failures(world, CY, 10)
    assert login_page(world, CY, device).status == 200
    bo = world.people["bo"].session
    for session in post(world, "auth.sessions", bo, member="@cy").body:
        assert post(world, "auth.session_revoke", bo, id=session["id"]).status == 200
    assert login_page(world, CY, device).status == 200


def test_fifty_failures_from_an_address_lock_the_address(world: World) -> None:
    def earlier(tx: Any) -> None:
        for number in range(50):
            tx.execute(
                "insert into attempt (account, address, at) values (:account, '127.0.0.1', :now)",
                account=ids.digest(str(number)),
                now=tx.now,
            )

    world.database.write_now(earlier)
    assert login(world, CY).status == 429


def test_failures_from_a_network_of_ipv6_are_counted_as_from_one_address(world: World) -> None:
    guesses = [guess_from(world, f"2001:db8::{number:x}", f"nobody{number}") for number in range(51)]
    assert guesses == ["unauthenticated"] * 50 + ["rate-limited"]
    assert guess_from(world, "2001:db8:0:1::1", "somebody") == "unauthenticated"
    mapped = [guess_from(world, "::ffff:192.0.2.7", f"mapped{number}") for number in range(50)]
    assert mapped == ["unauthenticated"] * 50
    assert guess_from(world, "192.0.2.7", "somebody") == "rate-limited"


def test_failures_are_counted_across_a_restart(
    template: tuple[Path, dict[str, Person]], tmp_path: Path, clock: FixedClock, settings: Settings
) -> None:
    folder = tmp_path / "restarted"
    shutil.copytree(template[0], folder)
    world = World(folder, clock, template[1])
    with serving(world, settings):
        assert failures(world, CY, 9) == [401] * 9
    with serving(world, settings):
        assert failures(world, CY, 2) == [401, 429]


@pytest.mark.parametrize("known", [False, True])
def test_of_many_wrong_passwords_at_once_no_more_are_judged_than_allowed(world: World, known: bool) -> None:
    found: list[int] = []
    cookies = login_page(world, CY).cookies if known else {"kb_device": ids.token("d_")}
    for _ in range(40 if known else 0):
        assert guess(world, cookies).status == 401
    threads = [threading.Thread(target=lambda: found.append(guess(world, cookies).status)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(found) == [401] * 10 + [429] * 10  # two are judged while twenty wait: none is told 503


def test_signing_out_ends_the_session_and_a_key_has_none(world: World) -> None:
    token = login(world, CY).body["token"]
    seq = world.database.seq
    assert post(world, "auth.logout", token).body == {"ok": True}
    cy = world.people["cy"]
    assert payloads(world, seq) == [("auth.signed_out", f"member:{cy.id}", cy.id, {"client": "program"})]
    assert post(world, "auth.me", token).status == 401
    assert post(world, "auth.logout", cy.key).slug == "not-allowed"


# the second factor


@pytest.mark.parametrize(
    ("at", "expected"),
    [(59, "287082"), (1111111109, "081804"), (2000000000, "279037"), (20000000000, "353130")],
)
def test_codes_are_those_of_rfc_6238(at: int, expected: str) -> None:
    assert one_time_codes.code_at(b"12345678901234567890", at // 30) == expected


def test_a_second_factor_is_asked_for_and_each_code_opens_once(world: World) -> None:
    seq = world.database.seq
    secret, recovery = with_factor(world, "cy")
    cy = world.people["cy"].id
    assert len(set(recovery)) == 10
    assert payloads(world, seq) == [("auth.factor_added", f"member:{cy}", cy, {"method": "totp"})]
    half = login(world, CY).body
    assert (half["token"], half["member"], half["methods"]) == (None, None, ["totp", "recovery"])
    verify = {"challenge": half["challenge"]}
    present = code(secret, world.clock.now())
    assert post(world, "auth.login_verify", **verify, code=present).status == 401  # used to confirm
    world.clock.advance(30)
    seq = world.database.seq
    done = post(world, "auth.login_verify", **verify, code=code(secret, world.clock.now()))
    assert done.body["member"]["two_factor"] is True
    assert post(world, "auth.me", done.body["token"]).status == 200
    told = {"method": "totp", "client": "program"}
    assert payloads(world, seq) == [("auth.signed_in", f"member:{cy}", cy, told)]
    again = post(world, "auth.login_verify", **verify, code=code(secret, world.clock.now() + 30))
    assert again.status == 401  # the challenge is used


def test_a_recovery_code_opens_once_however_it_is_typed(world: World) -> None:
    _, recovery = with_factor(world, "cy")
    first = login(world, CY).body["challenge"]
    typed = recovery[3].replace("-", " ").lower()
    assert post(world, "auth.login_verify", challenge=first, code=typed).status == 200
    second = login(world, CY).body["challenge"]
    assert post(world, "auth.login_verify", challenge=second, code=recovery[3]).status == 401
    assert post(world, "auth.login_verify", challenge=second, code=recovery[4]).status == 200


def test_a_challenge_bears_five_wrong_codes_and_ten_minutes(world: World) -> None:
    secret, _ = with_factor(world, "cy")
    world.clock.advance(60)
    first = login(world, CY).body["challenge"]
    for wrong in ("000000", "\uff11\uff12\uff13\uff14\uff15\uff16", "\ud83d\ude00", "no code", "0" * 1024):
        assert post(world, "auth.login_verify", challenge=first, code=wrong).status == 401
    right = code(secret, world.clock.now())
    assert post(world, "auth.login_verify", challenge=first, code=right).status == 401
    second = login(world, CY).body["challenge"]
    world.clock.advance(600)
    right = code(secret, world.clock.now())
    assert post(world, "auth.login_verify", challenge=second, code=right).status == 401
    third = login(world, CY).body["challenge"]
    assert post(world, "auth.login_verify", challenge=third, code=right).status == 200


def test_wrong_codes_lock_the_account_as_wrong_passwords_do(world: World) -> None:
    with_factor(world, "cy")
    for _ in range(2):
        challenge = login(world, CY).body["challenge"]
        for _ in range(5):
            post(world, "auth.login_verify", challenge=challenge, code="000000")
    assert login(world, CY).status == 429


def test_a_factor_needs_a_right_code_and_goes_only_when_its_owner_or_an_admin_says_so(world: World) -> None:
    people = world.people
    assert post(world, "auth.totp_confirm", people["cy"].session, code="123456").slug == "conflict"
    secret = post(world, "auth.totp_begin", people["cy"].session).body["secret"]
    wrong = str((int(code(secret, NOW)) + 1) % 10**6).zfill(6)
    assert post(world, "auth.totp_confirm", people["cy"].session, code=wrong).slug == "invalid-input"
    assert login(world, CY).body["challenge"] is None
    with_factor(world, "cy")
    with_factor(world, "ana")
    assert post(world, "auth.totp_begin", people["cy"].session).slug == "conflict"
    cy, ana = people["cy"].id, people["ana"].id
    assert post(world, "auth.totp_disable", people["di"].session, member=cy).slug == "not-allowed"
    assert post(world, "auth.totp_disable", people["bo"].session, member=ana).slug == "not-allowed"
    seq = world.database.seq
    assert post(world, "auth.totp_disable", people["bo"].session, member="@cy").body == {"ok": True}
    assert post(world, "auth.totp_disable", people["bo"].session, member="@cy").body == {"ok": True}
    told = [("auth.factor_removed", f"member:{cy}", people["bo"].id, {"method": "totp"})]
    assert payloads(world, seq) == told
    assert login(world, CY).body["challenge"] is None


def test_changing_how_people_sign_in_asks_for_a_confirmation(world: World) -> None:
    session = world.people["ana"].session
    world.clock.advance(601)
    assert post(world, "auth.policy_set", session, session_days=20).slug == "elevation-needed"
    assert post(world, "auth.elevate", session, password=PASSWORD).status == 200
    assert post(world, "auth.policy_set", session, session_days=20).body["session_days"] == 20


def test_changing_factors_asks_for_a_confirmation(world: World) -> None:
    session = world.people["cy"].session
    world.clock.advance(601)
    for op in ("auth.totp_begin", "auth.totp_disable"):
        assert post(world, op, session).slug == "elevation-needed", op
    assert post(world, "auth.totp_begin", world.people["cy"].key).slug == "not-allowed"
    assert post(world, "auth.elevate", session, password="wrong password").slug == "invalid-input"
    assert post(world, "auth.elevate", session).slug == "invalid-input"
    assert post(world, "auth.elevate", session, password=PASSWORD, code="123456").slug == "invalid-input"
    assert post(world, "auth.elevate", session, passkey={}).slug == "invalid-input"
    assert post(world, "auth.elevate", world.people["cy"].key, password=PASSWORD).slug == "not-allowed"
    answer = post(world, "auth.elevate", session, password=PASSWORD)
    assert answer.body == {"elevated_until": NOW + 601 + 600}
    secret, _ = with_factor(world, "cy")
    world.clock.advance(601)
    answer = post(world, "auth.elevate", session, code=code(secret, world.clock.now()))
    assert answer.body == {"elevated_until": NOW + 1202 + 600}


def test_no_secret_lies_in_the_file_in_clear(world: World) -> None:
    secret, recovery = with_factor(world, "cy")
    challenge = login(world, CY).body["challenge"]
    token = login(world, DI).body["token"]
    device = post(world, "auth.device_start", client="editor").body
    post(world, "auth.device_approve", token, user_code=device["user_code"], approve=True)
    granted = world.database.read_now(lambda tx: tx.value("select granted from device_code"))
    key = post(world, "auth.device_poll", device_code=device["device_code"]).body["token"]
    assert key.startswith("kb_")
    assert key.encode() not in granted
    files = sorted(str(path) for path in world.folder.glob("kbwork.db*"))
    written = subprocess.run(
        ["cat", *files], check=True, capture_output=True, timeout=60
    ).stdout  # not opened here
    assert CY.encode() in written
    for text in (secret, recovery[0], recovery[0].replace("-", ""), challenge, token, key, PASSWORD):
        assert text.encode() not in written, text
    assert device["device_code"].encode() not in written


# passwords and sessions


def test_a_new_password_ends_the_other_sessions_and_the_old_password(world: World) -> None:
    cy = world.people["cy"]
    other = login(world, CY).body["token"]
    seq = world.database.seq
    change = {"current": PASSWORD, "password": LONGER}
    assert post(world, "auth.password_change", cy.session, **change).body == {"ok": True}
    assert payloads(world, seq) == [
        ("auth.password_changed", f"member:{cy.id}", cy.id, {"sessions_ended": 1, "how": "change"})
    ]
    assert post(world, "auth.me", other).status == 401
    assert post(world, "auth.me", cy.session).status == 200
    assert post(world, "auth.me", cy.key).status == 200
    assert login(world, CY).status == 401
    assert login(world, CY, LONGER).status == 200


def test_a_password_that_does_not_fit_changes_nothing(world: World) -> None:
    cy = world.people["cy"]
    for change in (
        {"current": "wrong password", "password": LONGER},
        {"current": PASSWORD, "password": "short"},
        {"current": PASSWORD, "password": "x" * 257},
    ):
        assert post(world, "auth.password_change", cy.session, **change).slug == "invalid-input"
    both = {"current": PASSWORD, "password": LONGER}
    assert post(world, "auth.password_change", cy.key, **both).slug == "not-allowed"
    assert login(world, CY).status == 200


def test_sessions_are_ones_own_and_admins_may_end_others(world: World) -> None:
    people = world.people
    token = login(world, CY).body["token"]
    listed = post(world, "auth.sessions", token).body
    shown = {(s["current"], s["client"], s["address"], s["place"], s["elevated_until"]) for s in listed}
    assert shown == {
        (True, "program", "127.0.0.1", None, NOW + 600),
        (False, "test", "", None, NOW + 600),
    }
    session = next(s["id"] for s in listed if s["current"])
    assert post(world, "auth.sessions", people["di"].session, member="@cy").slug == "not-allowed"
    assert post(world, "auth.session_revoke", people["di"].session, id=session).slug == "not-found"
    assert post(world, "auth.session_revoke", people["cy"].key, id=session).slug == "not-allowed"
    assert len(post(world, "auth.sessions", people["bo"].session, member="@cy").body) == 2
    seq = world.database.seq
    left = post(world, "auth.session_revoke", people["bo"].session, id=session).body
    assert [s["client"] for s in left] == ["test"]
    told = {"client": "program", "session": session}
    assert payloads(world, seq) == [("auth.signed_out", f"member:{people['cy'].id}", people["bo"].id, told)]
    assert post(world, "auth.me", token).status == 401
    anas = post(world, "auth.sessions", people["ana"].session).body[0]["id"]
    assert post(world, "auth.session_revoke", people["bo"].session, id=anas).slug == "not-allowed"


def test_all_other_sessions_end_at_once(world: World) -> None:
    cy = world.people["cy"]
    tokens = [login(world, CY).body["token"] for _ in range(2)]
    seq = world.database.seq
    left = post(world, "auth.session_revoke", tokens[0], id="others").body
    assert [s["current"] for s in left] == [True]
    assert payloads(world, seq) == [("auth.signed_out", f"member:{cy.id}", cy.id, {"sessions": 2})]
    assert [post(world, "auth.me", token).status for token in (*tokens, cy.session)] == [200, 401, 401]
    assert len(post(world, "auth.session_revoke", tokens[0], id="others").body) == 1
    assert len(payloads(world, seq)) == 1


def test_no_client_is_connected_yet(world: World) -> None:
    session = world.people["cy"].session
    assert post(world, "auth.grants", session).body == []
    assert post(world, "auth.grant_revoke", session, id=1).slug == "not-found"


# the policy


def test_the_policy_is_read_by_all_and_set_by_admins(world: World) -> None:
    people = world.people
    plain = {
        "require_2fa": False,
        "password_min": 10,
        "session_days": 30,
        "methods": ["password", "passkey"],
        "signup_domains": None,
        "allowed_networks": None,
    }
    assert post(world, "auth.policy", people["gus"].session).body == plain
    assert post(world, "auth.policy_set", people["cy"].session, password_min=12).slug == "insufficient-scope"
    assert post(world, "auth.policy_set", people["bo"].key, password_min=12).slug == "not-allowed"
    seq = world.database.seq
    wanted = {"password_min": 12, "signup_domains": ["@Acme.example"], "allowed_networks": ["127.0.0.1"]}
    answer = post(world, "auth.policy_set", people["bo"].session, **wanted).body
    assert answer == plain | {
        "password_min": 12, "signup_domains": ["acme.example"], "allowed_networks": ["127.0.0.1/32"]
    }  # fmt: skip
    assert [(kind, subject) for kind, subject, _, _ in payloads(world, seq)] == [
        ("auth.policy_changed", "org:1")
    ]
    told = post(world, "auth.policy", people["cy"].session).body
    assert (told["password_min"], told["signup_domains"], told["allowed_networks"]) == (12, None, None)
    assert post(world, "auth.policy_set", people["bo"].session, **wanted).status == 200
    assert len(payloads(world, seq)) == 1
    cleared = post(
        world, "auth.policy_set", people["bo"].session, signup_domains=[], allowed_networks=[]
    ).body
    assert (cleared["signup_domains"], cleared["allowed_networks"]) == (None, None)


@pytest.mark.parametrize(
    ("wanted", "slug"),
    [
        ({"password_min": 7}, "invalid-input"),
        ({"password_min": 129}, "invalid-input"),
        ({"session_days": 0}, "invalid-input"),
        ({"session_days": 366}, "invalid-input"),
        ({"methods": []}, "invalid-input"),
        ({"methods": ["link"]}, "invalid-input"),
        ({"methods": ["passkey"]}, "invalid-input"),
        ({"methods": ["password", "carrier pigeon"]}, "invalid-input"),
        ({"methods": ["password", "link"]}, "conflict"),
        ({"signup_domains": ["not a domain"]}, "invalid-input"),
        ({"allowed_networks": ["300.1.1.1/8"]}, "invalid-input"),
        ({"allowed_networks": ["203.0.113.0/24"]}, "conflict"),
        ({"require_2fa": True}, "conflict"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(world: World, wanted: dict[str, Any], slug: str) -> None:
    seq = world.database.seq
    assert post(world, "auth.policy_set", world.people["ana"].session, **wanted).slug == slug
    assert world.database.seq == seq


def test_where_a_second_factor_is_asked_for_whoever_has_none_can_only_set_one_up(world: World) -> None:
    people = world.people
    with_factor(world, "ana")
    assert post(world, "projects.list", people["cy"].session).status == 200
    assert post(world, "auth.policy_set", people["ana"].session, require_2fa=True).status == 200
    token = login(world, CY).body["token"]
    for session in (token, people["cy"].session):
        assert post(world, "projects.list", session).slug == "insufficient-scope"
        assert post(world, "auth.me", session).body["scopes"] == ["auth:read", "auth:write"]
    device = post(world, "auth.device_start", client="editor", scopes=["issues:read"]).body
    way_round = post(world, "auth.device_approve", token, user_code=device["user_code"], approve=True)
    assert way_round.slug == "invalid-input"
    with_factor(world, "cy")
    assert post(world, "projects.list", token).status == 200
    assert post(world, "projects.list", people["ana"].session).status == 200


def test_a_shorter_life_of_sessions_holds_for_open_ones(world: World) -> None:
    assert post(world, "auth.policy_set", world.people["ana"].session, session_days=1).status == 200
    world.clock.advance(86400)
    assert post(world, "auth.me", world.people["cy"].session).status == 401
    assert post(world, "auth.me", world.people["cy"].key).status == 200


def test_signing_in_from_outside_the_networks_looks_like_a_wrong_password(world: World) -> None:
    def closed(tx: Any) -> None:
        tx.insert("setting", name="auth.allowed_networks", value='["203.0.113.0/24"]')

    world.database.write_now(closed)
    assert login(world, CY).status == 401
    assert post(world, "auth.me", world.people["cy"].session).status == 401


# device codes


def start(world: World, **more: Any) -> dict[str, Any]:
    answer = post(world, "auth.device_start", client="kbwork command line", **more)
    assert answer.status == 200, answer.body
    return dict(answer.body)


def poll(world: World, device: dict[str, Any]) -> dict[str, Any]:
    return dict(post(world, "auth.device_poll", device_code=device["device_code"]).body)


def test_a_person_lets_a_program_in_by_a_code(world: World) -> None:
    cy = world.people["cy"]
    device = start(world, scopes=["issues:read", "issues:write"])
    assert (device["interval"], device["expires_in"], device["verification_path"]) == (5, 600, "/device")
    assert [len(part) for part in device["user_code"].split("-")] == [3, 3, 3]
    none = {"token": None, "key": None}
    assert poll(world, device) == {"state": "pending", **none}
    assert poll(world, device) == {"state": "slow_down", **none}
    typed = device["user_code"].replace("-", " ").lower()
    assert post(world, "auth.device_info", cy.session, user_code=typed).body == {
        "client": "kbwork command line",
        "scopes": ["issues:read", "issues:write"],
        "created_at": NOW,
        "expires_at": NOW + 600,
    }
    seq = world.database.seq
    chosen = {"user_code": typed, "approve": True, "scopes": ["issues:read"]}
    assert post(world, "auth.device_approve", cy.key, **chosen).slug == "not-allowed"
    assert post(world, "auth.device_approve", cy.session, **chosen).body == {"ok": True}
    got = poll(world, device)
    assert (got["state"], got["key"]["name"], got["key"]["scopes"]) == (
        "approved", "kbwork command line", ["issues:read"]
    )  # fmt: skip
    key = got["key"]["id"]
    assert payloads(world, seq) == [
        ("auth.device_approved", f"member:{cy.id}", cy.id,
         {"client": "kbwork command line", "scopes": ["issues:read"], "key": key}),
        ("key.created", f"key:{key}", cy.id, {"name": "kbwork command line", "scopes": ["issues:read"]}),
    ]  # fmt: skip
    assert post(world, "issues.list", got["token"]).status == 200
    assert post(world, "projects.list", got["token"]).slug == "insufficient-scope"
    again = poll(world, device)
    assert (again["state"], again["token"], again["key"]["id"]) == ("approved", None, key)
    assert post(world, "auth.device_approve", cy.session, **chosen).slug == "not-found"


def test_without_scopes_a_program_gets_what_the_role_reads_and_writes(world: World) -> None:
    device = start(world)
    approve = {"user_code": device["user_code"], "approve": True}
    assert post(world, "auth.device_approve", world.people["gus"].session, **approve).status == 200
    scopes = poll(world, device)["key"]["scopes"]
    assert "issues:write" in scopes
    assert "keys:write" not in scopes
    assert all(scope.endswith((":read", ":write")) for scope in scopes)


@pytest.mark.parametrize(("who", "holds"), [("bo", True), ("cy", False)])
def test_a_program_gets_the_rights_of_an_admin_who_has_them(world: World, who: str, holds: bool) -> None:
    device = start(world, admin=True)
    session = world.people[who].session
    assert (
        post(world, "auth.device_approve", session, user_code=device["user_code"], approve=True).status == 200
    )
    key = poll(world, device)["token"]
    held = post(world, "auth.me", key).body["scopes"]
    assert ("admin" in held, held == sorted(scopes.of_role(world.people[who].role))) == (holds, True)


def test_a_key_without_the_rights_of_an_admin_says_how_to_get_one(world: World) -> None:
    for who, says in (("bo", True), ("cy", False)):
        device = start(world)
        session = world.people[who].session
        post(world, "auth.device_approve", session, user_code=device["user_code"], approve=True)
        refused = post(world, "imports.list", poll(world, device)["token"])
        assert (refused.slug, "kbwork login --admin" in refused.body["detail"]) == (
            "insufficient-scope",
            says,
        )


def test_a_program_is_turned_away(world: World) -> None:
    device = start(world)
    refuse = {"user_code": device["user_code"], "approve": False}
    assert post(world, "auth.device_approve", world.people["cy"].session, **refuse).status == 200
    assert poll(world, device) == {"state": "denied", "token": None, "key": None}


def test_scopes_that_were_not_asked_for_are_refused_and_admin_asks_for_a_confirmation(world: World) -> None:
    bo = world.people["bo"].session
    device = start(world, scopes=["issues:read", "admin"])
    approve = {"user_code": device["user_code"], "approve": True}
    assert post(world, "auth.device_approve", bo, **approve, scopes=["pages:read"]).slug == "invalid-input"
    world.clock.advance(599)
    world.database.write_now(lambda tx: tx.execute("update session set elevated_until = null"))
    world.database.write_now(lambda tx: tx.update("member", world.people["bo"].id, title="x"))
    assert post(world, "auth.device_approve", bo, **approve).slug == "elevation-needed"
    assert post(world, "auth.device_approve", bo, **approve, scopes=["issues:read"]).status == 200
    assert post(world, "auth.device_start", client="x", scopes=["system"]).slug == "invalid-input"
    both = post(world, "auth.device_start", client="x", scopes=["admin"], admin=True)
    assert (both.slug, both.body["errors"][0]["path"]) == ("invalid-input", "admin")


def test_five_wrong_codes_are_enough(world: World) -> None:
    cy, device = world.people["cy"].session, start(world)
    for number in range(5):
        op = "auth.device_info" if number % 2 else "auth.device_approve"
        more = {} if number % 2 else {"approve": True}
        assert post(world, op, cy, user_code="BCD-FGH-JKL", **more).slug == "not-found"
    right = {"user_code": device["user_code"]}
    assert post(world, "auth.device_info", cy, **right).status == 429
    assert post(world, "auth.device_approve", cy, **right, approve=True).status == 429
    assert post(world, "auth.device_info", world.people["di"].session, **right).status == 200


def test_a_device_code_runs_out_and_a_key_that_nobody_fetched_ends(world: World) -> None:
    cy = world.people["cy"].session
    early, late = start(world), start(world)
    approve = {"user_code": early["user_code"], "approve": True}
    assert post(world, "auth.device_approve", cy, **approve).status == 200
    world.clock.advance(600)
    assert poll(world, early)["state"] == poll(world, late)["state"] == "expired"
    assert (
        post(world, "auth.device_approve", cy, user_code=late["user_code"], approve=True).slug == "not-found"
    )
    world.database.write_now(jobs.LEFT.run, SYSTEM)
    states = [key["state"] for key in post(world, "keys.list", cy).body if key["name"] != "test"]
    assert states == ["revoked"]
    assert post(world, "auth.device_poll", device_code="kbd_unknown").slug == "not-found"


def test_what_time_ended_is_swept(world: World) -> None:
    login(world, CY, "wrong password")
    with_factor(world, "cy")
    login(world, CY)
    start(world)
    world.clock.advance(60 * 86400)
    world.database.write_now(jobs.SWEEP.run, SYSTEM)
    for table in ("session", "challenge", "attempt", "device_code"):
        left = world.database.read_now(partial(Read.value, sql=f"select count(*) from {table}"))
        assert left == 0, table
