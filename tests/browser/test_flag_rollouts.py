"""Rollouts, triggers, checks and keys of flags in Chromium: what goes by itself is seen, and can be stopped."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Opens, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.test_inbound import post
from tests.modules.flags.flag_project import flag, serve, shop, state
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def check_made(page: Page) -> Locator:
    """A check of the flag, after one that is none; answers the list of them."""
    page.get_by_role("button", name="New check…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Bo keeps the old one")
    dialog.get_by_label("Context as JSON").fill('{"key": "bo"')
    dialog.get_by_label("What they are to get").select_option(label="false")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no JSON object")
    dialog.get_by_label("Context as JSON").fill('{"key": "bo"}')
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    checks = page.get_by_role("list", name="Saved checks")
    expect(checks).to_contain_text("Holds")
    return checks


def pull_a_trigger(world: World, page: Page) -> None:
    """The address that is shown once switches the flag off."""
    page.get_by_role("button", name="Make an address").dblclick()  # some press everything twice
    url = page.locator(".secret").inner_text()
    expect(page.get_by_role("list", name="Triggers").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="I have kept it").click()
    assert post(world, url.removeprefix(world.url), b"", "")[0] == 200
    expect(page.get_by_role("switch", name="checkout in test")).to_have_attribute("aria-checked", "true")
    page.reload()
    expect(page.get_by_role("switch", name="checkout in test")).to_have_attribute("aria-checked", "false")


def test_a_flag_is_rolled_out_by_a_plan_guarded_and_stopped(world: World, opens: Opens) -> None:
    shop(world)
    flag(world)
    serve(world, 1)
    page = opens("cy", "/flags/shop/checkout?env=test")
    page.get_by_role("link", name="Rollout").click()
    checks = check_made(page)
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="New plan…").click()
    expect(dialog.get_by_label("What is rolled out")).to_have_value("0")
    dialog.get_by_label("Percent of step 1").fill("1")
    dialog.get_by_role("button", name="Start").click()
    expect(dialog.get_by_role("alert")).to_contain_text("'Bo keeps the old one'")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    checks.get_by_role("button", name="Delete").click()
    checks.get_by_role("button", name="Really delete").click()
    expect(checks.get_by_role("listitem")).to_have_count(0)
    page.get_by_role("button", name="New plan…").click()
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_have_count(0)
    plans = page.get_by_role("list", name="Rollouts by a plan")
    expect(plans).to_contain_text("Running")
    expect(plans.locator("[aria-current=step]")).to_have_text("10 %")
    pull_a_trigger(world, page)
    page.get_by_role("button", name="Stop and go back").click()
    expect(plans).to_contain_text("Stopped")
    assert state(world)["fallthrough"] == {"variation": 1}
    page.set_viewport_size({"width": 390, "height": 800})
    expect(plans).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []


def test_a_flag_gets_another_key_and_says_where_code_names_it(world: World, opens: Opens) -> None:
    shop(world)
    flag(world)
    refs = [{"key": "checkout", "path": "src/cart.ts", "line": 7, "text": "if (flags.checkout())"}]
    pushed = {
        "project": "shop",
        "repository": "acme/shop",
        "branch": "main",
        "commit": "c0ffee",
        "refs": refs,
    }
    call(world, "cy", "flags.refs_push", **pushed)
    targets = [{"variation": 0, "values": ["bo"]}]
    where = {"project": "shop", "key": "checkout", "environment": "test"}
    call(world, "cy", "flags.expire", **where, targets=targets, at="2040-01-01T00:00:00Z")
    page = opens("cy", "/flags/shop/checkout?env=test")
    expect(page.locator(".targeting")).to_contain_text("bo: until")
    page.get_by_label("Screens of checkout").get_by_role("link", name="Settings").click()
    expect(page.get_by_role("list", name="In your code")).to_contain_text("src/cart.ts:7")
    key = page.get_by_role("region", name="Key").get_by_role("textbox")
    key.fill("not a key")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("region", name="Key").get_by_role("alert")).to_contain_text("letters")
    key.fill("pay")
    page.keyboard.press("Enter")
    page.wait_for_url("**/flags/shop/pay/settings?env=test")
    aliases = page.get_by_role("list", name="Keys that it had")
    expect(aliases).to_contain_text("checkout")
    assert faults(page) == []
    page.get_by_role("button", name="Drop the alias checkout").click()
    expect(aliases).to_have_count(0)
    assert call(world, "cy", "flags.get", project="shop", key="pay")["aliases"] == []
