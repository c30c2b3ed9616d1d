"""Every page as axe judges it, in both themes, wide and narrow: each template in each of its states."""

import re
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment
from playwright.sync_api import Browser, Page, Route, expect

from kbwork.api.pages import render
from kbwork.api.pages.docs.manual import contents
from kbwork.base.clock import FixedClock
from kbwork.contract.kbwork_client import Kbwork
from kbwork.core import signed_links
from kbwork.modules.notifications.mail.letters import PURPOSE
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import OutboundSettings, Settings
from tests.api.oauth.test_oauth import Program, agree
from tests.api.pages import test_pages
from tests.api.pages.test_pages import Seen, totp
from tests.browser import axe
from tests.conftest import NOW, PASSWORD, World, serving
from tests.modules.auth.test_auth import post
from tests.modules.auth.test_links import allow_links, link, sign_in_link
from tests.modules.auth.test_providers import state_of
from tests.oidc_provider import CLIENT, SECRET, Provider

pytestmark = pytest.mark.long

TEMPLATES = {path.name for path in Path(render.__file__).with_name("templates").glob("*.html")}
_MARKUP = re.compile(r'<(\w+)(?:[^>]*? (?:class|role|type)="([^"]*)")?')
_FEWER = """() => {
  for (const parent of document.querySelectorAll("body, body *")) {
    const alike = {};
    for (const child of [...parent.children]) {
      const kind = `${child.tagName} ${child.className}`;
      alike[kind] = (alike[kind] ?? 0) + 1;
      if (alike[kind] > 3) child.remove();
    }
  }
}"""
"""Of what looks alike three stay: whether texts can be read costs seconds where there are thousands."""


class Walker(test_pages.Browser):
    """A browser without scripts that keeps each page it was shown."""

    def __init__(self, url: str, shown: list[Seen]) -> None:
        super().__init__(url)
        self.shown = shown

    def _exchange(self, *sent: Any) -> Seen:
        seen = super()._exchange(*sent)
        if seen.text and seen.headers.get("content-type", "").startswith("text/html"):
            self.shown.append(seen)
        return seen


def judged(chromium: Browser, url: str, shown: list[Seen]) -> list[str]:
    """The faults of all pages; how one looks is asked where it has markup that none before it had."""
    context = chromium.new_context()
    page = context.new_page()
    found: list[str] = []
    known: set[tuple[str, str]] = set()
    for one in sorted({one.text: one for one in shown}.values(), key=lambda one: len(one.text)):
        markup = set(_MARKUP.findall(one.text))
        faults = _faults(page, f"{url}{one.path}", one, looks=not markup <= known)
        found += [f"{one.path} {one.status}: {fault}" for fault in faults]
        known |= markup
    context.close()
    return found


def _faults(page: Page, where: str, shown: Seen, *, looks: bool) -> list[str]:
    """What axe finds in a page that the service answered, shown where it was."""
    page.route(where, lambda route: _answer(route, shown))
    page.goto(where)
    page.unroute(where)
    axe.begin(page)
    found = axe.by_markup(page)
    if looks:
        page.evaluate(_FEWER)
        found += axe.by_looks(page)
    return found


def _answer(route: Route, shown: Seen) -> None:
    """Without what leads on at once: it is the page itself that is looked at."""
    body = re.sub(r'<meta http-equiv="refresh"[^>]*>', "", shown.text)
    route.fulfill(status=shown.status, headers=shown.headers, body=body)


def test_every_page_is_for_everybody(
    chromium: Browser, mailed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: set[str] = set()
    got = Environment.get_template

    def get(self: Environment, name: Any, *more: Any, **named: Any) -> Any:
        rendered.add(name)
        return got(self, name, *more, **named)

    monkeypatch.setattr(Environment, "get_template", get)
    shown: list[Seen] = []
    fresh = World(tmp_path / "fresh", FixedClock(NOW), {})
    far = Provider(NOW)
    with closing(far), serving(fresh, Settings(outbound=OutboundSettings(allow=(far.place,)))):
        nobody = Walker(fresh.url, shown)
        nobody.get("/signin")
        page = nobody.get(f"/setup?token={fresh.database.write_now(new_setup_link)}")
        nobody.fill(page, "/setup", org="", name="", email="b", password="short")
        nobody.get("/setup?token=kbi_old")
        _elsewhere(fresh, nobody, far, page)
    _outside(mailed, Walker(mailed.url, shown))
    _inside(mailed, Walker(mailed.url, shown))
    _connecting(mailed, Walker(mailed.url, shown))
    assert TEMPLATES - rendered == set()
    assert judged(chromium, mailed.url, shown) == []


def _elsewhere(world: World, owner: Walker, far: Provider, page: Seen) -> None:
    """Pages of a first owner who sets up a sign-in provider, and comes in by it alone."""
    named = {"org": "Acme", "name": "Ana Lund", "email": "ana@acme.example", "password": PASSWORD}
    owner.fill(page, "/setup", **named)
    settings = {"issuer": far.issuer, "client_id": CLIENT}
    saved = {"id": "acme", "kind": "oidc", "label": "Acme", "settings": settings, "secret": SECRET}
    assert post(world, "auth.provider_save", owner.cookies["kb"], **saved).status == 200
    assert post(world, "auth.policy_set", owner.cookies["kb"], methods=["password", "acme"]).status == 200
    Walker(owner.url, owner.shown).get("/signin")
    leave = owner.fill(owner.get("/account"), "/account/providers")
    there = unescape(leave.text.split(f'href="http://{far.place}')[1].split('"')[0])
    url = f"http://{far.place}{there}"
    owner.get(f"/signin/oidc/acme?error=access_denied&state={state_of(url)}")
    owner.get(f"/signin/oidc/acme?code={far.consent(url)}&state={state_of(url)}")
    assert "Unlink Acme" in owner.get("/account?done=unlinked").words
    world.database.write_now(lambda tx: tx.execute("delete from credential"))
    assert "sign in there once more" in owner.get("/elevate").words


def _outside(world: World, nobody: Walker) -> None:
    """Pages for who is not signed in."""
    allow_links(world)
    nobody.fill(nobody.get(f"/reset?token={link(world)}"), "/reset", password="short")
    nobody.get(f"/link?token={sign_in_link(world)}")
    nobody.fill(nobody.get("/signin"), "/signin", email="ana@acme.example", password="wrong")
    nobody.fill(nobody.get("/signin/forgot"), "/signin/forgot", email="cy")
    nobody.fill(nobody.get("/signin/forgot"), "/signin/forgot", email="cy@acme.example")
    nobody.fill(nobody.get("/signin/link"), "/signin/link", email="cy@acme.example")
    nobody.get("/reset?token=kbl_old")
    token = world.database.read_now(
        lambda tx: signed_links.sign_for_good(tx, PURPOSE, world.people["cy"].id, "mentioned")
    )
    place = f"/unsubscribe?t={token}"
    nobody.fill(nobody.fill(nobody.get(place), place), place, turn="on")
    nobody.get("/unsubscribe?t=old")
    (made,) = world.session("ana").call("invites.create", {"emails": ["eve@acme.example"], "role": "member"})
    nobody.fill(nobody.get(made["path"]), "/invite", name="", password="short")
    for path in (
        "",
        "/events",
        "/api",
        "/api/labels",
        "/api/labels.save",
        "/tql",
        "/nowhere",
        "/search",
        "/search?q=key",
        "/search?q=qqxyzzy",
    ):
        nobody.get(f"/docs{path}")
    nobody.get("/problems/conflict")


def _inside(world: World, ana: Walker) -> None:
    """Pages of somebody who makes keys and has a second factor."""
    ana.sign_in("ana")
    for path in ("/connect", "/sessions", "/device", "/device?code=AAAA-BBBB"):
        ana.get(path)
    form = ana.fill(ana.get("/keys/new"), "/keys/new", name="")
    ana.fill(form, "/keys/new", name="deploy", preset="all")
    ana.fill(ana.get("/keys"), "/keys/rotate")
    factor = ana.fill(ana.get("/account"), "/account/factor")
    secret = factor.forms["/account/factor/confirm"]["secret"]
    ana.fill(factor, "/account/factor/confirm", code="000000")
    ana.fill(factor, "/account/factor/confirm", code=totp(secret, world.clock.now()))
    ana.get("/account?done=password")
    ana.fill(ana.get("/elevate"), "/elevate", password="wrong")
    other = Walker(ana.url, ana.shown)
    other.fill(other.sign_in("ana"), "/signin/code", code="111111")


def _connecting(world: World, cy: Walker) -> None:
    """Pages of somebody whose programs ask for their consent."""
    cy.sign_in("cy")
    begun = Kbwork(world.url, "").call("auth.device_start", {"client": "laptop", "scopes": ["issues:read"]})
    asked = cy.get(f"/device?code={begun['user_code']}")
    cy.fill(asked, "/device", decision="approve")
    cy.fill(asked, "/device", decision="approve", scopes=["issues:read"])
    program = Program(world)
    program.register()
    agree(cy, cy.get(program.path()))
    cy.get(program.path(code_challenge=None))
    cy.get("/sessions")


def test_the_manual_is_for_everybody(chromium: Browser, world: World) -> None:
    shown: list[Seen] = []
    reader = Walker(world.url, shown)
    for group in contents():
        for name, _ in group["pages"]:
            reader.get(f"/docs/{name}")
    assert judged(chromium, world.url, shown) == []


def test_a_form_that_is_refused_has_the_focus_where_it_is_wrong(chromium: Browser, world: World) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{world.url}/signin")
    expect(page.locator("[name=email]")).to_be_focused()
    page.fill("input[name=email]", "ana@acme.example")
    page.fill("input[name=password]", "x")
    page.get_by_role("checkbox", name="Show").check()
    expect(page.locator("[name=password]")).to_have_attribute("type", "text")
    page.click("form[action='/signin'] button")
    page.wait_for_selector("[role=alert]")
    expect(page.locator("[name=password]")).to_be_focused()
    context.close()
