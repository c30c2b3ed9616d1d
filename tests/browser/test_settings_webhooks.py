"""Webhooks in the settings of the web app: made, tested, looked after, and switched off."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.webhooks.conftest import receiver, settings
from tests.modules.webhooks.hooks import follow, hook, issue, one
from tests.modules.webhooks.receiver import Receiver
from tests.web.conftest import node

__all__ = ["node", "opens", "receiver", "settings"]

pytestmark = pytest.mark.long


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def test_one_is_made_by_keys_and_its_secret_signs_what_comes(
    world: World, receiver: Receiver, opens: Opens
) -> None:
    page = opens("bo", "/settings/webhooks")
    expect(page.get_by_text("There is no webhook yet.")).to_be_visible()
    page.get_by_role("link", name="New webhook").click()
    field(page, "Name").fill("Shop window")
    field(page, "Address").fill(receiver.url("shop"))
    field(page, "Kinds of events").press_sequentially("issue.created,issue.nothing")
    page.reload()
    expect(field(page, "Name")).to_have_value("Shop window")
    expect(page.locator(".tokens .chip")).to_have_text(["issue.created", "issue.nothing"])
    query = field(page, "Only of issues that fit")
    query.press_sequentially("prio")
    expect(page.locator(".proposed .chip").first).to_have_text("priority")
    query.press("Tab")
    query.press_sequentially("= high")
    expect(query).to_have_value("priority = high")
    field(page, "Headers").fill("X-Shop: window")
    page.get_by_role("button", name="Make").click()
    expect(page.locator(".form .wrong")).to_contain_text("There is no kind of event 'issue.nothing'.")
    page.get_by_role("button", name="Take out issue.nothing").click()
    page.get_by_role("button", name="Make").click()
    expect(page.locator(".fresh")).to_contain_text("It is shown this once.")
    secret = page.locator(".fresh code").inner_text()
    assert faults(page) == []
    issue(world, priority="high")
    issue(world)
    follow(world)
    comes(page, lambda: len(receiver.of("shop")), 1)
    (came,) = receiver.of("shop")
    assert came.signed_by(secret, world.clock.now())
    assert came.headers["x-shop"] == "window"
    page.reload()
    expect(page.locator(".fresh")).to_have_count(0)
    expect(field(page, "Headers")).to_have_value("X-Shop:")
    page.get_by_role("button", name="issue.created", exact=True).click()
    expect(page.locator("dialog .details").first).to_contain_text('"kind": "issue.created"')
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Send issue.created again").click()
    comes(page, lambda: len(receiver.of("shop")), 2)


def test_what_is_not_taken_is_seen_and_a_new_secret_signs_beside_the_old(
    world: World, receiver: Receiver, opens: Opens
) -> None:
    made = hook(world, receiver, headers={"X-Key": "kept"})
    receiver.says["/hook"] = 500
    issue(world)
    follow(world)
    page = opens("bo", "/settings/webhooks")
    comes(page, lambda: one(world, made["id"])["state"], "failing")
    page.reload()
    row = page.get_by_role("row").filter(has_text="hook")
    expect(row).to_contain_text("Not taken")
    expect(row).to_contain_text("answered 500")
    row.get_by_role("link").click()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("status").filter(has_text="The test was not taken")).to_be_visible()
    receiver.says["/hook"] = 204
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("status").filter(has_text="The test was taken: 204")).to_be_visible()
    page.get_by_role("button", name="Give it a new secret").click()
    page.get_by_role("group", name="Give it a new secret").get_by_role(
        "button", name="Give it a new secret"
    ).click()
    secret = page.locator(".fresh code").inner_text()
    assert call(world, "bo", "webhooks.test", id=made["id"])["state"] == "sent"
    assert {receiver.came[-1].signed_by(each, world.clock.now()) for each in (secret, made["secret"])} == {
        True
    }
    field(page, "Name").fill("Mine")
    call(world, "ana", "webhooks.save", **{key: made[key] for key in ("id", "url", "events")}, name="Theirs")
    save = page.get_by_role("button", name="Save")
    save.click()
    expect(page.locator(".form .wrong")).to_contain_text("Somebody made this “Theirs” meanwhile.")
    save.click()
    expect(page.locator(".form [role=status]")).to_have_text("Saved")
    assert (one(world, made["id"])["name"], one(world, made["id"])["headers"]) == ("Mine", {"X-Key": None})


def test_it_is_switched_off_and_deleted_and_only_admins_see_any(
    world: World, receiver: Receiver, opens: Opens
) -> None:
    made = hook(world, receiver)
    where = call(world, "bo", "subjects.resolve", refs=[f"webhook:{made['id']}"])[0]["path"]
    page = opens("bo", where)
    page.get_by_role("button", name="Switch off").click()
    expect(page.locator(".set-page .tag").first).to_have_text("Off")
    assert one(world, made["id"])["enabled"] is False
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is no webhook yet.")).to_be_visible()
    assert call(world, "bo", "webhooks.list") == []
    other = opens("cy", "/settings/webhooks")
    expect(other.locator(".reason")).to_contain_text("Only admins see this. Ask")
