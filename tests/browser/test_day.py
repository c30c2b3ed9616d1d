"""A first day in Chromium: what a new org does from its link to the evening without leaving the web app."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kbwork.base.clock import FixedClock
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import Settings
from tests.browser.app import answer_set_up, row
from tests.browser.chromium import visiting
from tests.browser.test_settings import hear
from tests.conftest import PASSWORD, World, serving
from tests.github_archive import made

pytestmark = pytest.mark.long


def sign_out(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("sign out")
    page.keyboard.press("Enter")
    page.wait_for_url("**/signin**")


def begin(page: Page, link: str) -> None:
    """From the link to a board with a card: the way of somebody who reads nothing."""
    answer_set_up(page, link)
    expect(page.get_by_label("Name of the project")).to_have_value("Acme")
    page.get_by_label("Name of the project").click()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Create organisation").click()
    page.wait_for_url("**/settings/start")
    page.get_by_role("link", name="My work").click()
    page.keyboard.press("c")
    expect(page.get_by_role("dialog", name="New project")).to_contain_text("An issue belongs to a project")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="See the first steps").click()
    page.locator(".checks").get_by_role("button", name="New project").click()
    page.keyboard.type("Website")
    page.keyboard.press("Enter")
    page.wait_for_url("**/projects/WEB/board")
    page.keyboard.press("c")
    page.keyboard.type("Say hello")
    page.keyboard.press("Enter")
    expect(row(page, "WEB-1")).to_contain_text("Say hello")


def ask_in(page: Page, url: str, browser: Browser, said: list[str]) -> None:
    """Somebody joins by a link and sees what there is, and nothing of the steps of those who set it up."""
    page.goto(f"{url}/settings/invites")
    page.get_by_label("Addresses").fill("bo@acme.example")
    page.get_by_role("button", name="Invite", exact=True).click()
    link = page.locator(".fresh code").inner_text()
    with visiting(browser, url) as visitor:
        newcomer = visitor.context.new_page()
        hear(newcomer, said)
        newcomer.goto(link)
        newcomer.get_by_label("Your name").fill("Bo Berg")
        newcomer.get_by_label("Password").fill(PASSWORD)
        newcomer.get_by_role("button", name="Join").click()
        expect(newcomer.get_by_text("Nothing is assigned to you.")).to_be_visible()
        expect(newcomer.get_by_role("link", name="See the first steps")).to_have_count(0)
        newcomer.locator(".empty").get_by_role("link", name="Website").click()
        expect(row(newcomer, "WEB-1")).to_be_visible()


def bring_in(page: Page, url: str, file: Path) -> None:
    """A repository comes in from its file, is looked at, and goes again."""
    page.goto(f"{url}/settings/import")
    page.get_by_role("link", name="GitHub file (JSON)").click()
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_label("Key of the project").fill("OLD")
    page.get_by_role("button", name="Send and read it").click()
    page.get_by_role("button", name="Bring it in").click()
    expect(page.get_by_role("heading", name="What came in")).to_be_visible()
    came = page.url
    page.get_by_role("link", name="Look at OLD").click()
    expect(page.locator(".row.issue, .card").first).to_be_visible()
    page.goto(came)
    page.get_by_role("button", name="Take it back").click()
    page.get_by_role("button", name="Remove what came in").click()
    expect(page.get_by_role("heading", name="What was removed")).to_be_visible()
    expect(page.get_by_role("navigation").get_by_text("acme/protocol")).to_have_count(0)


def test_a_new_org_works_on_its_first_day(tmp_path: Path, clock: FixedClock, chromium: Browser) -> None:
    world = World(tmp_path / "data", clock, {})
    file = tmp_path / "protocol.json"
    archive = made()
    file.write_text(json.dumps(archive | {"issues": archive["issues"][:3], "pulls": []}))
    said: list[str] = []
    with serving(world, Settings()), visiting(chromium, world.url) as visitor:
        page = visitor.context.new_page()
        hear(page, said)
        begin(page, f"{world.url}/setup?token={world.database.write_now(new_setup_link)}")
        ask_in(page, world.url, chromium, said)
        bring_in(page, world.url, file)
        sign_out(page)
    assert [line for line in said if "Service Worker" not in line] == []
