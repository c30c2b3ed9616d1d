"""Passkeys on pages: what the forms do with what a passkey signed, and what their script asks the browser."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kbwork.api.pages import static_files
from tests.api.pages.test_pages import Browser
from tests.authenticator import Authenticator, b64
from tests.conftest import PASSWORD, World
from tests.modules.auth.test_auth import browse, post
from tests.modules.auth.test_passkeys import device, owned

HERE = Path(__file__).parent
SCRIPT = Path(static_files.__file__).parent / "static" / "passkeys.js"


def filled(world: World, cookies: dict[str, str], held: Authenticator, **asked: Any) -> dict[str, str]:
    """The fields that the script of a page puts into a form."""
    begun = browse(world, "auth.passkey_begin", cookies, **asked).body
    ask = held.create if "rp" in begun["options"] else held.get
    return {"challenge": begun["challenge"], "response": json.dumps(ask(begun["options"]))}


def test_a_passkey_is_added_and_removed_on_the_account_page(world: World) -> None:
    ana, held = Browser(world.url), device(world)
    ana.sign_in()
    page = ana.get("/account")
    assert page.forms["/account/passkeys"] == {"challenge": "", "response": "", "name": ""}
    assert "Adding one takes a browser that has passkeys, and scripts." in page.words
    typed = {"name": "Old phone", **filled(world, ana.cookies, held)}
    done = ana.follow(ana.fill(page, "/account/passkeys", **typed))
    assert "Your passkey is added." in done.words
    assert "Old phone" in done.words
    again = ana.fill(done, "/account/passkeys", **typed)
    assert (again.status, "The challenge ended" in again.words) == (422, True)
    gone = ana.follow(ana.fill(done, "/account/passkeys/delete"))
    assert "The passkey is removed." in gone.words
    assert "Old phone" not in gone.words


def test_adding_waits_for_who_confirms(world: World) -> None:
    ana, held = Browser(world.url), device(world)
    ana.sign_in()
    typed = {"name": "Late", **filled(world, ana.cookies, held)}
    world.clock.advance(240)
    world.database.write_now(lambda tx: tx.execute("update session set elevated_until = 0"))
    asked = ana.post("/account/passkeys", typed)
    assert (asked.status, "Confirm that it is you" in asked.words) == (403, True)
    done = ana.fill(asked, "/elevate", password=PASSWORD)
    assert done.headers["location"] == "/account?done=passkey"


def test_the_sign_in_page_takes_a_passkey(world: World) -> None:
    held = owned(world, "cy")
    visitor = Browser(world.url)
    page = visitor.get("/signin?next=/keys")
    assert page.forms["/signin/passkey"] == {"next": "/keys", "challenge": "", "response": ""}
    assert '<script src="/static/passkeys.js" defer>' in page.text
    wrong = visitor.fill(page, "/signin/passkey", response="no JSON")
    assert (wrong.status, "Not signed in" in wrong.words) == (401, True)
    assert visitor.fill(page, "/signin/passkey", response="[]").status == 401
    done = visitor.fill(page, "/signin/passkey", **filled(world, {}, held))
    assert (done.status, done.headers["location"]) == (303, "/keys")
    assert "Cy Moss" in visitor.get("/keys").words


def test_the_sign_in_page_offers_what_the_policy_takes(world: World) -> None:
    held = owned(world, "ana")
    ana = world.people["ana"].session
    assert post(world, "auth.policy_set", ana, methods=["password"]).status == 200
    page = Browser(world.url).get("/signin")
    assert set(page.forms) == {"/signin"}
    assert post(world, "auth.policy_set", ana, methods=["passkey"]).status == 200
    visitor = Browser(world.url)
    page = visitor.get("/signin")
    assert set(page.forms) == {"/signin/passkey"}
    assert "Forgot" not in page.words
    assert visitor.fill(page, "/signin/passkey", **filled(world, {}, held)).headers["location"] == "/"


def test_a_passkey_finishes_a_sign_in_with_a_password(world: World) -> None:
    held = owned(world, "cy")
    visitor = Browser(world.url)
    page = visitor.fill(
        visitor.get("/signin?next=/keys"), "/signin", email="cy@acme.example", password=PASSWORD
    )
    assert page.status == 200
    assert set(page.forms) == {"/signin/passkey"}, "there is no code to be typed"
    half = page.forms["/signin/passkey"]["half"]
    wrong = visitor.fill(page, "/signin/passkey", challenge="kbl_x", response="{}")
    assert (wrong.status, wrong.forms["/signin/passkey"]["half"]) == (401, half)
    done = visitor.fill(wrong, "/signin/passkey", **filled(world, {}, held, challenge=half))
    assert (done.status, done.headers["location"]) == (303, "/keys")


def test_a_passkey_confirms_where_it_is_asked(world: World) -> None:
    held, visitor = owned(world, "cy"), Browser(world.url)
    page = visitor.get("/signin")
    visitor.fill(page, "/signin/passkey", **filled(world, {}, held))
    world.clock.advance(700)
    page = visitor.get("/elevate?next=/account")
    assert set(page.forms) == {"/signout", "/elevate"}
    wrong = visitor.fill(page, "/elevate", password="", code="", response="{}")
    assert (wrong.status, "Not confirmed" in wrong.words) == (422, True)
    fields = filled(world, visitor.cookies, held, purpose="elevate")
    done = visitor.post("/elevate", {"next": "/account", "carry": "", **fields})
    assert (done.status, done.headers["location"]) == (303, "/account")
    other = post(world, "auth.passkey_begin", world.people["cy"].session)
    assert other.slug == "elevation-needed", "one session is elevated, others are not"


# the script, in a browser that hands out what it is told to


def ran(**given: Any) -> Any:
    place = {"protocol": "https:", "hostname": "work.example", "port": "", "pathname": "/signin"}
    told = {"location": place, "credential": CREDENTIAL, "question": QUESTION, **given}
    process = subprocess.run(
        ["node", str(HERE / "passkeys.mjs"), str(SCRIPT)],
        input=json.dumps(told), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return json.loads(process.stdout)


CREDENTIAL = {
    "id": b64(b"\xff\xfe\xfd"),
    "response": {"clientDataJSON": b64(b"{}"), "signature": b64(b"\xfb\xff")},
}
QUESTION = {
    "challenge": "kbl_token",
    "options": {
        "challenge": b64(b"kbl_token"),
        "rpId": "work.example",
        "userVerification": "required",
        "allowCredentials": [{"type": "public-key", "id": b64(b"\xff\xef"), "transports": ["usb"]}],
    },
}
JSON = {"Content-Type": "application/json"}


def test_the_script_sends_what_a_passkey_signed() -> None:
    assert ran(purpose="sign-in") == {
        "asked": [["/api/v1/auth.passkey_begin", "POST", JSON, {"purpose": "sign-in"}]],
        "options": {
            "challenge": b"kbl_token".hex(),
            "rpId": "work.example",
            "userVerification": "required",
            "allowCredentials": [{"type": "public-key", "id": "ffef", "transports": ["usb"]}],
        },
        "sent": {
            "challenge": "kbl_token",
            "response": {**CREDENTIAL, "rawId": CREDENTIAL["id"], "type": "public-key"},
        },
        "wrong": None,
        "gone": None,
        "hidden": False,
        "disabled": True,
    }
    assert ran(purpose="second")["asked"][0][3] == {"challenge": "kbl_half"}


def test_the_script_has_a_passkey_made() -> None:
    options = {
        "challenge": b64(b"kbl_token"),
        "rp": {"id": "work.example", "name": "Acme"},
        "user": {"id": b64(b"m_1"), "name": "a", "displayName": "A"},
        "excludeCredentials": [],
    }
    found = ran(purpose="register", question={"challenge": "kbl_token", "options": options})
    assert found["options"]["user"] == {"id": b"m_1".hex(), "name": "a", "displayName": "A"}
    assert found["sent"]["challenge"] == "kbl_token"


@pytest.mark.parametrize(
    ("given", "wrong", "gone"),
    [
        ({"refused": "NotAllowedError"}, "Nothing was signed: it was cancelled, or took too long.", None),
        ({"refused": "InvalidStateError"}, "This device has a passkey for your account already.", None),
        ({"ok": False, "question": {"type": "/problems/conflict", "detail": "No name."}}, "No name.", None),
        (
            {"ok": False, "question": {"type": "/problems/elevation-needed", "detail": "Confirm."}},
            "Confirm.",
            "/elevate?next=%2Fsignin",
        ),
        (
            {
                "location": {
                    "protocol": "http:",
                    "hostname": "127.0.0.1",
                    "port": "8080",
                    "pathname": "/signin",
                }
            },
            "Passkeys go by the name of a site: open this page as http://work.example:8080/signin",
            None,
        ),
    ],
)
def test_the_script_says_why_nothing_is_sent(given: dict[str, Any], wrong: str, gone: str | None) -> None:
    found = ran(purpose="sign-in", **given)
    assert (found["sent"], found["wrong"], found["gone"], found["disabled"]) == (None, wrong, gone, False)


def test_an_old_browser_is_offered_nothing() -> None:
    found = ran(purpose="sign-in", old=True)
    assert (found["hidden"], found["asked"]) == (True, [])
