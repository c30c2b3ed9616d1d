"""AI in the settings of the web app: what it may do, who offers models, for whom it writes, and what was used."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.ai.ai_calls import SECRET, complete, policy, switched_on
from tests.modules.ai.conftest import recorder, settings
from tests.modules.ai.recorder import Recorder
from tests.modules.calls import call
from tests.web.conftest import node

__all__ = ["node", "opens", "recorder", "settings"]

pytestmark = pytest.mark.long


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def test_it_is_switched_on_and_says_what_it_never_reads(world: World, opens: Opens) -> None:
    page = opens("bo", "/settings/ai")
    field(page, "AI is on").check()
    field(page, "What models never read").press_sequentially("project:SEC,project:NO")
    field(page, "Tokens of all in a month").fill("5000")
    page.reload()
    expect(page.locator(".tokens .chip")).to_have_text(["project:SEC", "project:NO"])
    field(page, "Tokens of all in a month").press("Enter")
    expect(page.locator(".form .wrong")).to_contain_text("project:NO")
    page.get_by_role("button", name="Take out project:NO").click()
    policy(world, excluded=[], monthly_tokens=7)
    save = page.get_by_role("button", name="Save")
    save.click()
    expect(page.locator(".form .wrong")).to_contain_text("Somebody made this “7” meanwhile.")
    save.click()
    expect(page.get_by_role("status").filter(has_text="What AI may do is changed.")).to_be_visible()
    found = call(world, "bo", "ai.policy")
    assert (found["enabled"], found["excluded"], found["monthly_tokens"]) == (True, ["project:SEC"], 5000)
    assert faults(page) == []


def test_a_provider_is_made_with_its_models_and_its_key(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    page = opens("bo", "/settings/ai")
    page.get_by_role("button", name="New provider").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Name", exact=True).fill("Our own")
    dialog.get_by_label("Address").fill("not an address")
    page.keyboard.press("Enter")
    expect(dialog.locator(".wrong")).to_be_visible()
    expect(dialog.get_by_label("Address")).to_have_value("not an address")
    dialog.get_by_label("Address").fill(f"http://{recorder.place}/v1")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Which models it has").click()
    expect(dialog.get_by_role("region", name="What it has")).to_contain_text("large")
    dialog.get_by_label("Models", exact=True).press_sequentially("small,large")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".form").first.locator("[role=status]")).to_have_text("Saved")
    dialog.get_by_label("Key of the vendor").fill(SECRET)
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text(f"One that ends in {SECRET[-4:]} is stored.")
    expect(dialog.get_by_label("Key of the vendor")).to_have_value("")
    assert faults(page) == []
    (made,) = call(world, "bo", "ai.policy")["providers"]
    assert (made["id"], made["models"], made["default_model"]) == ("our-own", ["small", "large"], "small")
    dialog.get_by_role("button", name="Forget the key").click()
    dialog.get_by_role("group", name="Forget").get_by_role("button", name="Forget the key").click()
    expect(dialog).to_contain_text("None is stored.")
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nobody yet.")).to_be_visible()


def test_a_reader_is_written_for_and_usage_is_counted(world: World, recorder: Recorder, opens: Opens) -> None:
    switched_on(world, recorder)
    complete(world)
    page = opens("bo", "/settings/ai")
    expect(page.get_by_role("region", name="Usage")).to_contain_text("Cy Moss")
    page.get_by_role("button", name="New reader").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("Name").fill("Support")
    dialog.get_by_label("How to write for them").fill("Say what customers notice.")
    dialog.get_by_role("button", name="Make").click()
    expect(dialog).to_have_count(0)
    assert "support" in [one["key"] for one in call(world, "bo", "ai.profiles")]
    page.get_by_role("button", name="Support").click()
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Support")).to_have_count(0)
    other = opens("cy", "/settings/ai")
    expect(other.locator(".reason")).to_contain_text("Only admins change this. Ask")
    expect(field(other, "AI is on")).to_be_disabled()
    expect(other.get_by_role("button", name="New provider")).to_have_count(0)
    assert faults(other) == []
