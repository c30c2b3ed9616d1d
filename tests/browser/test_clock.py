"""A machine whose clock goes wrong, in Chromium: what is written there is stamped, ordered and dated as elsewhere."""

import datetime as dt

import pytest
from playwright.sync_api import expect

from tests.browser.app import Opens, choose, opens, row, settled
from tests.browser.chromium import clock_off_by
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

DAY_S = 86_400
_TOLD = "at => fetch('/healthz').then(answer => Date.parse(answer.headers.get('Date')) === at)"
"""Whether answers say that time: they say a second what it was."""


@pytest.mark.parametrize("off_s", [40 * DAY_S, -3 * 365 * DAY_S], ids=["ahead", "behind"])
def test_a_clock_that_goes_wrong_spoils_no_date_and_no_order(world: World, opens: Opens, off_s: int) -> None:
    key = issue(world, title="Early")
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Said before")
    world.clock.advance(2 * DAY_S)
    page = opens("cy")
    eventually(lambda: page.evaluate(_TOLD, world.clock.now() * 1000))
    page.add_init_script(clock_off_by(off_s))
    page.goto(f"{world.url}/issues/{key}")
    expect(page.locator(".said time")).to_have_text("2d ago")
    page.keyboard.press("m")
    page.keyboard.type("Said now")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".said .prose").last).to_have_text("Said now")
    expect(page.locator(".said time").last).to_have_text("now")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    choose(page, "tomorrow")
    settled(page)
    tomorrow = dt.datetime.fromtimestamp(world.clock.now() + DAY_S, dt.UTC).date()
    assert call(world, "cy", "issues.get", key=key)["due_date"] == tomorrow.isoformat()
    page.goto(f"{world.url}/projects/WEB")
    expect(row(page, key)).to_be_visible()
    page.wait_for_function("() => performance.getEntriesByName('whole').length")
    for title in ("One", "Two"):
        page.keyboard.press("c")
        page.keyboard.type(title)
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(".row.issue").filter(has_text=title)).to_be_visible()
    settled(page)
    assert [call(world, "cy", "issues.get", key=f"WEB-{number}")["title"] for number in (2, 3)] == [
        "One",
        "Two",
    ]
    expect(row(page, "WEB-3")).to_be_visible()


def test_a_draft_is_said_to_be_saved_by_the_clock_of_the_server(world: World, opens: Opens) -> None:
    call(world, "cy", "spaces.save", key="DOC", name="Manual")
    ident = call(world, "cy", "pages.create", space="DOC", title="Begin", body="One")["id"]
    page = opens("cy")
    page.wait_for_function(_TOLD, arg=world.clock.now() * 1000)
    page.add_init_script(clock_off_by(-3 * 365 * DAY_S))
    page.goto(f"{world.url}/pages/{ident}")
    page.get_by_role("button", name="Edit").first.click()
    text = page.get_by_role("textbox", name="Text of the page")
    expect(text).to_be_focused()
    page.keyboard.type("So: ")
    expect(page.locator(".editor-bar").get_by_role("status")).to_have_text("Draft saved now")
