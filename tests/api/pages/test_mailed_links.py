"""The pages of links that are mailed: asking for one, and what stands behind it."""

import pytest

from tests.api.pages.test_pages import Browser
from tests.conftest import PASSWORD, World
from tests.modules.auth.test_auth import with_factor
from tests.modules.auth.test_links import allow_links, letters, link, sign_in_link

_LONGER = "a longer sentence of mine"


@pytest.fixture
def stranger(mailed: World) -> Browser:
    return Browser(mailed.url)


def test_the_page_says_the_same_whoever_has_the_address(mailed: World, stranger: Browser) -> None:
    page = stranger.get("/signin")
    assert 'href="/signin/forgot"' in page.text
    said = []
    for email in ("cy@acme.example", "nobody@acme.example"):
        page = stranger.get("/signin/forgot")
        seen = stranger.fill(page, "/signin/forgot", email=email)
        assert seen.status == 200
        said.append(seen.words.replace(email, "..."))
    assert said[0] == said[1]
    assert "a link for a new password is on its way" in said[0]


def test_what_is_no_address_is_told_and_too_many_are_refused(stranger: Browser) -> None:
    page = stranger.get("/signin/forgot")
    wrong = stranger.fill(page, "/signin/forgot", email="cy")
    assert wrong.status == 422
    assert "Write it as name@example.com." in wrong.words
    asked = [stranger.fill(page, "/signin/forgot", email="cy@acme.example") for _ in range(4)]
    assert [seen.status for seen in asked] == [200, 200, 200, 429]
    assert "look into the mailbox" in asked[-1].words
    assert asked[-1].headers["retry-after"] == "3600"


def test_a_new_password_is_set_and_signs_in(mailed: World, stranger: Browser) -> None:
    token = link(mailed)
    page = stranger.get(f"/reset?token={token}")
    assert page.status == 200
    assert "You sign in as cy@acme.example" in page.words
    assert page.headers["cache-control"] == "no-store"
    common = stranger.fill(page, "/reset", password="password1234")
    assert common.status == 422
    assert "soon guessed" in common.words
    assert "password1234" not in common.text
    done = stranger.fill(common, "/reset", password=_LONGER)
    assert (done.status, done.headers["location"]) == (303, "/signin?done=password")
    asked = stranger.follow(done)
    assert "Your password is changed." in asked.words
    inside = stranger.fill(asked, "/signin", email="cy@acme.example", password=_LONGER)
    assert inside.headers["location"] == "/"
    assert letters(mailed)[-1]["subject"] == "Your password for Acme was changed"


@pytest.mark.parametrize("token", ["", "kbl_mistyped", "used"])
def test_a_link_that_is_over_says_so_at_once(mailed: World, stranger: Browser, token: str) -> None:
    if token == "used":
        token = link(mailed)
        stranger.post("/reset", {"token": token, "password": _LONGER})
    page = stranger.get(f"/reset?token={token}")
    assert page.status == 404
    assert "This link for a new password does not work" in page.words
    assert 'href="/signin/forgot"' in page.text
    sent = stranger.post("/reset", {"token": token or "x", "password": PASSWORD})
    assert sent.status == 404
    assert "Ask for a new link" in sent.words


def test_a_look_at_the_link_uses_nothing_up(mailed: World, stranger: Browser) -> None:
    """Mail servers follow links to look what is behind them."""
    token = link(mailed)
    assert [stranger.get(f"/reset?token={token}").status for _ in range(3)] == [200] * 3


# signing in by a link


def test_the_sign_in_page_offers_links_where_the_policy_has_them(mailed: World, stranger: Browser) -> None:
    assert "/signin/link" not in stranger.get("/signin").text
    allow_links(mailed)
    assert 'href="/signin/link"' in stranger.get("/signin").text
    wrong = stranger.fill(stranger.get("/signin"), "/signin", email="cy@acme.example", password="wrong")
    assert 'href="/signin/link"' in wrong.text


def test_a_link_signs_in_by_a_button(mailed: World, stranger: Browser) -> None:
    allow_links(mailed)
    asked = stranger.fill(stranger.get("/signin/link"), "/signin/link", email="nobody@acme.example")
    assert "one is on its way" in asked.words
    token = sign_in_link(mailed)
    for _ in range(2):
        page = stranger.get(f"/link?token={token}")
    assert "signs you in as cy@acme.example" in page.words
    done = stranger.fill(page, "/link")
    assert (done.status, done.headers["location"]) == (303, "/")
    assert "You are Cy Moss" in stranger.get("/connect").words
    over = Browser(mailed.url).get(f"/link?token={token}")
    assert over.status == 404
    assert "This sign-in link does not work" in over.words
    assert stranger.post("/link", {"token": token}).status == 404


def test_a_second_factor_comes_behind_a_link(mailed: World, stranger: Browser) -> None:
    allow_links(mailed)
    _, codes = with_factor(mailed, "cy")
    page = stranger.get(f"/link?token={sign_in_link(mailed)}")
    asked = stranger.fill(page, "/link")
    assert "One more step" in asked.words
    done = stranger.fill(asked, "/signin/code", code=codes[0])
    assert done.headers["location"] == "/"
