"""Signing in by a provider on pages: there, back, and what another site can make of it."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from kbwork.settings import LimitSettings, OutboundSettings, ServerSettings, Settings
from tests.api.pages.test_pages import Browser, Seen, totp
from tests.conftest import NOW, World
from tests.modules.auth.test_auth import post, with_factor
from tests.modules.auth.test_providers import METHODS, policy, save, state_of, without_password
from tests.oidc_provider import Provider


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider(NOW)
    yield made
    made.close()


@pytest.fixture
def settings(provider: Provider, request: pytest.FixtureRequest) -> Settings:
    """The provider is on this machine; a test may say by which address the server goes."""
    return Settings(
        server=ServerSettings(base_url=getattr(request, "param", ""), hosts=("127.0.0.1",)),
        limits=LimitSettings(enabled=False),
        outbound=OutboundSettings(allow=(provider.place,)),
    )


@pytest.fixture
def acme(world: World, provider: Provider) -> Provider:
    assert save(world, provider, label="Acme & sons").status == 200
    policy(world, methods=METHODS)
    return provider


def set_out(visitor: Browser, then: str = "/keys") -> str:
    """Where the button of the sign-in page leads."""
    gone = visitor.get(f"/signin/with?provider=acme&next={quote(then, safe='')}")
    assert gone.status == 303
    return gone.headers["location"]


def back(visitor: Browser, url: str, code: str, way: str = "acme") -> Seen:
    """The provider sends the browser back: it says no Origin, and that it comes from another site."""
    path = f"/signin/oidc/{way}?state={state_of(url)}&code={code}"
    return visitor.get(path, **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})


def test_a_button_leads_there_and_back(world: World, acme: Provider) -> None:
    visitor = Browser(world.url)
    page = visitor.get("/signin?next=/keys")
    assert "Sign in with Acme &amp; sons" in page.text
    assert 'href="/signin/with?provider=acme&amp;next=/keys"' in page.text
    url = set_out(visitor)
    assert url.startswith(f"http://{acme.place}/authorize?")
    assert set(visitor.cookies) == {"kb_device"}
    done = back(visitor, url, acme.consent(url))
    assert (done.status, done.headers["location"]) == (303, "/keys")
    assert "Cy Moss" in visitor.get("/keys").words
    assert visitor.get("/signin/with?provider=acme&next=/account").headers["location"] == "/account"


def test_another_browser_cannot_be_sent_back_in_my_place(world: World, acme: Provider) -> None:
    attacker, victim = Browser(world.url), Browser(world.url)
    url = set_out(attacker)
    code = acme.consent(url, sub="sub-di", email="di@acme.example")
    for stranger in (victim, Browser(world.url, {"kb_device": "d_made-up"})):
        seen = back(stranger, url, code)
        assert (seen.status, "Not signed in" in seen.words, "kb" in stranger.cookies) == (401, True, False)
    assert back(attacker, url, code).status == 303


def test_the_address_says_which_provider_sends_somebody_back(world: World, acme: Provider) -> None:
    visitor = Browser(world.url)
    url = set_out(visitor)
    seen = back(visitor, url, acme.consent(url), way="other")
    assert (seen.status, "Not signed in" in seen.words, acme.tokens) == (401, True, [])
    assert visitor.get("/signin/oidc?state=s&code=c").status == 404


def test_who_is_invited_may_leave_the_password_out(world: World, acme: Provider) -> None:
    wanted = {"emails": ["eli@acme.example"], "role": "member"}
    (made,) = post(world, "invites.create", world.people["ana"].session, **wanted).body
    eli = Browser(world.url)
    page = eli.get(made["path"])
    assert 'name="password" type="password" required' not in page.text
    assert eli.fill(page, "/invite", name="Eli Stone", password="").status == 303
    assert eli.get("/account").status == 200


def test_an_account_is_unlinked_on_the_same_page(world: World, acme: Provider) -> None:
    cy = Browser(world.url)
    url = set_out(cy)
    back(cy, url, acme.consent(url))
    page = cy.get("/account")
    assert ("Unlink Acme & sons" in page.words, "/account/providers" in page.forms) == (True, False)
    done = cy.fill(page, "/account/providers/unlink")
    assert (done.status, done.headers["location"]) == (303, "/account?done=unlinked")
    assert "/account/providers" in cy.get("/account?done=unlinked").forms
    again = cy.fill(page, "/account/providers/unlink")
    assert (again.status, "No account is linked" in again.words) == (404, True)


def test_a_refusal_there_is_told_and_opens_nothing(world: World, acme: Provider) -> None:
    visitor = Browser(world.url)
    url = set_out(visitor)
    for error, words in (("access_denied", "it was cancelled there"), ("%3Cscript%3E", "without an answer")):
        seen = visitor.get(f"/signin/oidc/acme?error={error}&state={state_of(url)}")
        assert (seen.status, words in seen.words, "<script>" in seen.text) == (401, True, False)
    assert visitor.get("/signin/oidc/acme").status == 401
    assert back(visitor, url, acme.consent(url)).status == 303
    assert Browser(world.url).get("/signin/with?provider=other").status == 404
    acme.broken["/token"] = acme.broken["/keys"] = lambda request, far: far.send(request, 500, {})
    url = set_out(other := Browser(world.url))
    failed = back(other, url, acme.consent(url))
    assert (failed.status, "an admin tries it" in failed.words) == (502, True)


def test_only_paths_of_this_site_are_gone_to(world: World, acme: Provider) -> None:
    visitor = Browser(world.url)
    url = set_out(visitor, "//evil.example")
    assert back(visitor, url, acme.consent(url)).headers["location"] == "/"


def test_a_second_factor_is_asked_for_on_the_way_back(world: World, acme: Provider) -> None:
    secret, _ = with_factor(world, "cy")
    visitor = Browser(world.url)
    url = set_out(visitor)
    page = back(visitor, url, acme.consent(url))
    assert (page.status, "One more step" in page.words) == (200, True)
    world.clock.advance(30)
    done = visitor.fill(page, "/signin/code", code=totp(secret, world.clock.now()))
    assert (done.status, done.headers["location"]) == (303, "/keys")


def test_who_has_nothing_else_confirms_there(world: World, acme: Provider) -> None:
    without_password(world, "cy")
    visitor = Browser(world.url)
    url = set_out(visitor)
    back(visitor, url, acme.consent(url))
    account = visitor.get("/account")
    assert "Present password" not in account.words
    world.clock.advance(700)
    acme.now += 700
    page = visitor.get("/elevate?next=/account")
    assert set(page.forms) == {"/signout"}
    assert "Sign in with Acme & sons" in page.words
    url = set_out(visitor, "/account")
    assert "max_age=0" in url
    assert back(visitor, url, acme.consent(url)).headers["location"] == "/account"
    listed = [one for one in visitor.cookies if one == "kb"]
    assert listed == ["kb"], "the session is the one that there was"


def test_an_account_is_linked_by_a_form_of_this_site_alone(world: World, acme: Provider) -> None:
    ana = Browser(world.url)
    ana.sign_in()
    page = ana.get("/account")
    foreign = ana.post("/account/providers", {"provider": "acme"}, Origin="https://evil.example")
    assert foreign.status == 403
    leave = ana.fill(page, "/account/providers")
    assert f"Go to {acme.place}" in leave.words
    url = leave.text.split('href="http://' + acme.place)[1].split('"')[0].replace("&amp;", "&")
    code = acme.consent(f"http://{acme.place}{url}", sub="sub-private", email="private@mail.example")
    done = back(ana, f"http://{acme.place}{url}", code)
    assert (done.status, done.headers["location"]) == (303, "/account")
    visitor = Browser(world.url)
    url = set_out(visitor)
    back(visitor, url, acme.consent(url, sub="sub-private", email="private@mail.example"))
    assert "Ana Lund" in visitor.get("/keys").words
    world.clock.advance(700)
    waits = ana.fill(page, "/account/providers")
    assert (waits.status, "Confirm that it is you" in waits.words) == (403, True)


@pytest.mark.parametrize("settings", ["https://work.example.org"], indirect=True)
def test_no_neighbouring_site_can_set_the_cookies(world: World, acme: Provider) -> None:
    """Behind a proxy that speaks https, as most servers are."""
    visitor = Browser(world.url, {"kb_device": "d_set-by-a-neighbour"})
    url = set_out(visitor)
    assert f"redirect_uri={quote('https://work.example.org/signin/oidc/acme', safe='')}" in url
    kept = visitor.cookies.pop("__Host-kb_device")
    code = acme.consent(url)
    assert back(visitor, url, code).status == 401
    visitor.cookies["__Host-kb_device"] = kept
    assert back(visitor, url, code).status == 303
    assert "__Host-kb" in visitor.cookies
