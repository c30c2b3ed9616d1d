"""A small team's desk in the web app: set up in the settings, its queues worked off, its customers answered."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, comes, opens, row
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call, call_nobody
from tests.modules.desk.conftest import help_desk
from tests.modules.desk.helpdesk import HelpDesk, open_desk
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["help_desk", "node", "opens"]

pytestmark = pytest.mark.long


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def said(page: Page, words: str) -> Any:
    return page.get_by_role("status").filter(has_text=words)


def test_a_desk_is_opened_and_set_up(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/desk")
    expect(page.get_by_text("There is no service desk yet.")).to_be_visible()
    field(page, "Project").select_option("Website")
    page.get_by_role("button", name="Open a desk").click()
    page.wait_for_url("**/settings/desk/WEB")
    expect(page.get_by_role("link", name="Requests", exact=True).first).to_be_visible()  # in the rail
    field(page, "Introduction").fill("Ask us about the shop.")
    field(page, "Ask how it went when a request is closed").check()
    field(page, "Languages").fill("not a language")
    field(page, "Languages").press("Tab")
    page.reload()
    expect(field(page, "Introduction")).to_have_value("Ask us about the shop.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".form .set", has_text="Languages").locator(".wrong")).to_be_visible()
    page.get_by_role("button", name="Take out not a language").click()
    call(world, "ana", "desk.save", project="WEB", intro="Write to us.")  # by somebody else, meanwhile
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".form .wrong")).to_contain_text("Write to us.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".form [role=status]")).to_have_text("Saved")
    (desk,) = call(world, "ana", "desk.list")
    assert (desk["intro"], desk["survey"], desk["languages"]) == ("Ask us about the shop.", True, [])
    assert faults(page) == []
    page.get_by_role("link", name="Mail", exact=True).last.click()
    page.get_by_role("button", name="Show the address").click()
    before = page.locator(".copied code").inner_text()
    page.get_by_role("button", name="Give it another address").click()
    page.get_by_role("group").get_by_role("button", name="Give it another address").click()
    expect(page.locator(".copied code")).not_to_have_text(before)
    other = opens("cy", "/settings/desk/WEB")
    expect(other.locator(".reason")).to_contain_text("Only admins change this.")
    expect(other.get_by_role("link", name="Replies")).to_be_visible()


def test_what_may_be_asked_for_is_a_form(world: World, opens: Opens) -> None:
    open_desk(world)
    page = opens("ana", "/settings/desk/WEB/types")
    page.get_by_role("button", name="New request").click()
    field(page, "Name").fill("A question")
    field(page, "Issue type that it becomes").select_option("Task")
    for at, wanted in enumerate(("Priority", "Description"), 1):
        page.get_by_role("button", name="Add a question").click()
        page.get_by_label(f"Question {at}: asks for").select_option(wanted)
    page.get_by_label("Question 2: words").fill("What would you like to know?")
    page.get_by_label("Question 2: must be answered").check()
    page.get_by_label("Question 2: asked").select_option("If “Priority” is")
    page.get_by_label("Question 2: answer before it").select_option("high")
    assert faults(page) == []
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog .wrong")).to_contain_text("has a type 'A question' already")
    field(page, "Name").fill("An urgent question")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog")).to_have_count(0)
    made = call(world, "ana", "desk.request_types", project="WEB")[-1]
    assert [(one["field"], one["required"]) for one in made["fields"]] == [
        ("priority", False),
        ("description", True),
    ]
    assert made["fields"][1]["show_if"] == {"field": "priority", "op": "=", "value": "high"}
    page.get_by_role("button", name="Move An urgent question up").click()
    comes(
        page,
        lambda: [one["name"] for one in call(world, "ana", "desk.request_types", project="WEB")],
        ["Something is broken", "An urgent question", "A question"],
    )
    said(page, "is moved").get_by_role("button", name="Take back").click()
    comes(page, lambda: call(world, "ana", "desk.request_types", project="WEB")[-1]["name"], made["name"])
    page.get_by_role("link", name="Queues").click()
    page.get_by_role("button", name="New queue").click()
    field(page, "Name").fill("Urgent")
    field(page, "Query").fill("priority =")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog .wrong")).to_be_visible()
    field(page, "Query").fill("priority = urgent")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog")).to_have_count(0)
    assert [one["name"] for one in call(world, "ana", "desk.queues", project="WEB")] == ["Urgent"]


def test_replies_are_kept_and_customers_shut_out(help_desk: HelpDesk, world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/desk/WEB/replies")
    page.get_by_role("button", name="New reply").click()
    field(page, "Name").fill("Sorry for the wait")
    field(page, "Text").fill("Hello {{customer.nam}}")
    field(page, "Shortcut").fill("sorry")
    field(page, "Everybody at the desk has it").check()
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog .wrong")).to_contain_text("Did you mean")
    field(page, "Text").fill("Hello {{customer.first_name}}")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog")).to_have_count(0)
    (kept,) = call(world, "cy", "desk.replies", project="WEB")
    assert (kept["shortcut"], kept["shared"], kept["project"]) == ("sorry", True, "WEB")
    page.get_by_role("link", name="Customers").click()
    rita = page.get_by_role("row").filter(has_text="rita@rivers.example")
    rita.get_by_role("button", name="Block", exact=True).click()
    rita.get_by_role("button", name="Block Rita Rivers").click()
    expect(rita.get_by_text("Blocked", exact=True)).to_be_visible()
    page.get_by_label("Blocked alone").check()
    assert faults(page) == []
    page.get_by_role("button", name="Let Rita Rivers in").click()
    expect(page.get_by_text("Nothing has these words.")).to_be_visible()


def test_queues_are_worked_off_by_keys(help_desk: HelpDesk, world: World, opens: Opens) -> None:
    first, second = help_desk.rita.ask("My order did not come"), help_desk.nat.ask("Where is my parcel?")
    plain = issue(world, title="Sweep the shop")
    call(world, "ana", "issues.update", key=plain, priority="urgent")
    call(
        world,
        "ana",
        "desk.queue_save",
        project="WEB",
        name="Urgent",
        tql="priority = urgent",
        order="created",
    )
    page = opens("cy", "/requests")
    expect(row(page, first)).to_contain_text("Rita Rivers")
    expect(row(page, second)).to_contain_text("Our turn")
    here = page.get_by_role("navigation", name="Queues").get_by_role("link", name="Waits for us")
    expect(here).to_contain_text("2")
    assert faults(page) == []
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator(".peek article")).to_contain_text("Request of")
    expect(page.locator(".peek .card")).to_contain_text("No other request")
    key = page.locator(".peek article").get_attribute("aria-label")
    assert key in (first, second)
    call(world, "cy", "desk.send_reply", key=key, body="It comes today.")
    expect(here).to_contain_text("1")
    expect(row(page, key)).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    expect(page).to_have_url(f"{world.url}/requests/WEB/unassigned")
    expect(row(page, key)).to_contain_text("Their turn")
    page.get_by_role("link", name="Urgent").click()
    expect(row(page, plain)).to_be_visible()
    expect(page.locator(".row.issue")).to_have_count(1)
    page.keyboard.press("n")
    box = page.locator("dialog")
    expect(box.get_by_label("Customer")).to_be_focused()
    box.get_by_label("Title").fill("He asks for an invoice")
    box.get_by_role("button", name="Make the request").click()
    expect(box.locator(".wrong")).to_be_visible()
    box.get_by_label("Customer").fill("nat@rivers.example")
    box.get_by_role("button", name="Make the request").click()
    expect(box).to_have_count(0)
    page.get_by_role("link", name="All open").click()
    expect(page.locator(".row.issue")).to_have_count(3)
    guest = opens("gus", "/requests")
    expect(guest.get_by_text("You work at no service desk.")).to_be_visible()


def test_a_reply_is_kept_words_and_goes_later(help_desk: HelpDesk, world: World, opens: Opens) -> None:
    call(world, "ana", "desk.save", project="WEB", survey=True)
    key, other = help_desk.rita.ask("My order did not come"), help_desk.rita.ask("A second one")
    call(world, "cy", "issues.transition", key=other, to_status="done")
    survey = help_desk.rita.thread(other)["survey"]["token"]
    call_nobody(world, "desk.portal_survey", token=survey, score=4)
    call(
        world, "cy", "desk.reply_save", name="Sorry", text="Hello {{customer.first_name}}.", shortcut="sorry"
    )
    page = opens("cy", f"/issues/{key}")
    card = page.get_by_role("region", name="Customer")
    card.get_by_text("1 other request").click()
    expect(card.get_by_role("link", name="A second one")).to_have_attribute("href", f"/issues/{other}")
    page.get_by_role("button", name="Reply to Rita Rivers").click()
    reply = page.get_by_label("Reply to Rita Rivers", exact=True)
    reply.press_sequentially("/sor")
    expect(page.get_by_role("option", name="Sorry")).to_be_visible()
    page.keyboard.press("Enter")
    expect(reply).to_have_value("Hello Rita.")
    page.get_by_role("button", name="Send later").click()
    page.get_by_role("option", name="Tomorrow at 9:00").click()
    assert faults(page) == []
    page.get_by_role("button", name="Send to Rita Rivers").click()
    later = card.get_by_role("group", name="Goes later")
    expect(later).to_contain_text("Hello Rita.")
    assert help_desk.rita.thread(key)["comments"] == []
    later.get_by_role("button", name="Take back").click()
    expect(later).to_have_count(0)
    assert call(world, "cy", "desk.waiting_replies", project="WEB") == []
    card.get_by_role("button", name="Who sees it").click()
    page.get_by_label("Add somebody").fill("nat@rivers.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Takes part")).to_contain_text("Nat Rivers")
    page.get_by_role("button", name="Close").click()
    expect(card).to_contain_text("Takes part: Nat Rivers")
    card.get_by_role("link", name="A second one").click()
    expect(card.get_by_role("img", name="Rated 4 of 5")).to_be_visible()
    page = opens("ana", f"/issues/{key}")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("option", name="This is spam").click()
    said(page, f"{key} is in the trash").get_by_role("button", name="Take back").click()
    expect(said(page, f"{key} is back")).to_be_visible()
    assert help_desk.rita.thread(key)["request"]["key"] == key
