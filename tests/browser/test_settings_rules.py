"""Rules in the settings of the web app: written as a form, tried, and looked after by what came of their runs."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.automation.rules import issue, one, rule, work
from tests.modules.calls import call
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

SAY = {"op": "comments.create", "input": {"subject": "{{issue}}", "body": "Who looks at {{key}}?"}}


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def test_one_is_written_as_a_form_and_tried_before_it_is_on(world: World, opens: Opens) -> None:
    issue(world, priority="high")
    page = opens("bo", "/settings/rules")
    expect(page.get_by_text("There is no rule yet.")).to_be_visible()
    page.get_by_role("link", name="New rule").click()
    field(page, "Name").fill("Bugs are looked at")
    field(page, "Kind of event").fill("issue.created")
    query = field(page, "Only of issues that fit")
    query.press_sequentially("prio")
    expect(page.locator(".proposed .chip").first).to_have_text("priority")
    query.press("Tab")
    query.press_sequentially("= high")
    page.get_by_role("button", name="Add a condition").click()
    field(page, "Sort of condition 1").select_option("A field")
    field(page, "Field of condition 1").fill("title")
    field(page, "Comparison of condition 1").select_option("contains")
    field(page, "Value of condition 1").fill("Cart")
    field(page, "Add an action…").select_option("Say something on the issue")
    field(page, "body of operation 1").fill("Who looks at {{kee}}?")
    field(page, "It is on").uncheck()
    page.reload()
    expect(field(page, "body of operation 1")).to_have_value("Who looks at {{kee}}?")
    page.get_by_role("button", name="Make").click()
    expect(page.locator(".step .wrong")).to_contain_text("{{key}}")
    field(page, "body of operation 1").fill("Who looks at {{key}}?")
    expect(page.locator(".step .wrong")).to_have_count(0)
    field(page, "body of operation 1").press("Tab")
    page.get_by_role("button", name="Make").press("Enter")
    expect(page.get_by_role("heading", name="Bugs are looked at")).to_be_visible()
    (made,) = call(world, "bo", "automation.list")
    assert made["enabled"] is False
    assert (made["trigger"]["event"], made["trigger"]["tql"]) == ("issue.created", "priority = high")
    assert made["conditions"] == [{"field": "title", "op": "~", "value": "Cart"}]
    assert (made["actions"][0]["op"], made["actions"][0]["input"]) == (SAY["op"], SAY["input"])
    page.get_by_role("button", name="Would it have run?").click()
    expect(page.locator(".running")).to_contain_text("WEB-1")
    page.get_by_role("button", name="Switch on").click()
    expect(page.locator(".set-page .tag").first).to_have_text("On")
    assert faults(page) == []


def test_it_is_changed_by_two_and_its_log_says_why_it_failed(world: World, opens: Opens) -> None:
    made = rule(
        world, actions=[SAY, {"op": "issues.transition", "input": {"key": "{{key}}", "to_status": "nowhere"}}]
    )
    key = issue(world)
    work(world)
    where = call(world, "bo", "subjects.resolve", refs=[f"rule:{made['id']}"])[0]["path"]
    page = opens("bo", where)
    row = page.get_by_role("region", name="Runs").get_by_role("row").filter(has_text=key)
    expect(row).to_contain_text("Not done")
    expect(row).to_contain_text("nowhere")
    field(page, "Add an action…").select_option("Any operation")
    field(page, "Operation 3").fill("issues.updat")
    page.get_by_role("button", name="Move operation 3 up").click()
    save = page.get_by_role("button", name="Save")
    save.click()
    expect(page.locator(".step .wrong")).to_contain_text("Did you mean issues.update")
    expect(field(page, "Operation 2")).to_have_value("issues.updat")
    page.get_by_role("button", name="Take out operation 3").click()
    field(page, "Operation 2").fill("issues.update")
    field(page, "key of operation 2").fill("{{key}}")
    page.locator(".step").nth(1).get_by_text("more inputs").click()
    field(page, "priority of operation 2").fill("high")
    page.locator(".step").nth(1).get_by_text("When and how").click()
    field(page, "Query of operation 2").fill("parent = {{key}}")
    page.locator(".step").nth(1).get_by_label("Wait minutes before it").fill("5")
    page.locator(".step").nth(1).get_by_label("When it is refused").select_option(
        "The rest stands without it"
    )
    call(world, "ana", "automation.save", id=made["id"], actions=[SAY])
    save.click()
    expect(page.locator(".form .wrong")).to_have_text(
        "Somebody made this “something else” meanwhile. Save again to keep yours."
    )
    save.click()
    expect(page.locator(".form [role=status]")).to_have_text("Saved")
    assert one(world, made["id"])["actions"][1] == {
        "op": "issues.update",
        "input": {"key": "{{key}}", "priority": "high"},
        "each": "parent = {{key}}",
        "apply": False,
        "on_error": "go_on",
        "delay_minutes": 5,
    }


def test_a_button_is_pressed_and_others_read_whom_to_ask(world: World, opens: Opens) -> None:
    key = issue(world)
    raise_ = {"op": "issues.update", "input": {"key": key, "priority": "high"}}
    rule(world, name="Raise it", trigger={"kind": "button", "label": "Raise"}, actions=[raise_])
    page = opens("bo", "/settings/rules")
    page.get_by_role("button", name="Run Raise it now").click()
    comes(page, lambda: call(world, "bo", "issues.get", key=key)["priority"], "high")
    page.get_by_role("link", name="Raise it").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is no rule yet.")).to_be_visible()
    made = rule(world)
    other = opens("cy", f"/settings/rules/{made['id']}")
    expect(other.locator(".reason")).to_contain_text("Only admins change this. Ask")
    expect(field(other, "Name")).to_be_disabled()
    expect(other.get_by_text("What it is given is for admins.")).to_be_visible()
    expect(other.get_by_role("button", name="Would it have run?")).to_have_count(0)
    assert faults(other) == []


def test_a_request_sets_one_off_at_an_address_that_may_be_another(world: World, opens: Opens) -> None:
    page = opens("bo", "/settings/rules/new")
    field(page, "Name").fill("Builds that fail")
    field(page, "What sets it off").select_option("A request comes")
    expect(field(page, "Kind of event")).to_have_count(0)
    field(page, "Add an action…").select_option("Make an issue that comes after it")
    field(page, "project of operation 1").fill("WEB")
    field(page, "title of operation 1").fill("{{payload.build.name}} failed")
    page.get_by_role("button", name="Make").click()
    address = page.locator("section", has=page.get_by_role("heading", name="Where requests go"))
    shown = address.locator("code").inner_text()
    (made,) = call(world, "bo", "automation.list")
    assert shown == world.url + made["trigger"]["path"]
    assert faults(page) == []
    address.get_by_role("button", name="Another address").click()
    address.get_by_role("group").get_by_role("button", name="Another address").click()
    expect(address.locator("code")).not_to_have_text(shown)
    (made,) = call(world, "bo", "automation.list")
    answer = page.request.post(world.url + made["trigger"]["path"], data={"build": {"name": "shop"}})
    assert (answer.status, page.request.post(shown).status) == (200, 404)
    work(world)
    assert [one["title"] for one in call(world, "bo", "issues.list", project="WEB")["items"]] == [
        "shop failed"
    ]
    page.reload()
    expect(page.get_by_role("cell", name="a request")).to_be_visible()
