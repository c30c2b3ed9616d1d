"""Approvals in the web app: asking others, deciding in the inbox and on the issue, and moving it then."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Opens, choose, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.fields.sample_values import field
from tests.modules.notifications.inboxes import follow
from tests.modules.workflows.sample_workflows import in_force
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def made(world: World) -> None:
    call(world, "cy", "issues.create", project="WEB", title="The new price list")


def block(page: Page) -> Locator:
    return page.get_by_role("region", name="Approvals")


def lane(world: World) -> Any:
    return call(world, "cy", "issues.get", key="WEB-1")["lane"]


def test_one_asks_by_keys_and_another_agrees_in_the_inbox(world: World, opens: Opens) -> None:
    in_force(world, approvers=["@bo", "@di"], needed=2)
    made(world)
    page = opens("cy", "/issues/WEB-1")
    expect(page.get_by_label("Description")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("option", name="In progress")).to_contain_text("others have to agree")
    choose(page, "In progress")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 of these have to agree: Bo Tran, Di Park.")
    expect(dialog.get_by_label("What they should know")).to_be_focused()
    page.keyboard.type("Read by two of us")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("s")
    choose(page, "In progress")
    expect(dialog.get_by_label("What they should know")).to_have_value("Read by two of us")  # it was kept
    assert faults(page) == []
    page.keyboard.press("Control+Enter")
    expect(dialog).to_have_count(0)
    expect(block(page)).to_contain_text("Waits for others to agree that it moves to In progress")
    expect(block(page)).to_contain_text("Read by two of us")
    expect(block(page).get_by_role("button", name="Approve")).to_have_count(0)
    assert lane(world) == "todo"
    follow(world)
    bo = opens("bo", "/inbox")
    expect(bo.locator(".entry")).to_contain_text(
        "asks you to agree that it moves to In progress: Read by two of us"
    )
    bo.locator(".entry").click()
    expect(block(bo)).to_contain_text("It moves when 2 more agree.")
    block(bo).get_by_label("What you say to it").fill("Fine by me")
    assert faults(bo) == []
    bo.emulate_media(color_scheme="dark")
    assert faults(bo) == []
    block(bo).get_by_role("button", name="Approve").click()
    expect(block(bo)).to_contain_text("1 of 2 agree")
    expect(block(page)).to_contain_text("Bo Tran agrees: Fine by me")  # without asking for it
    call(world, "di", "approvals.decide", id=1, approve=True)
    expect(page.get_by_role("button", name="Status: In progress")).to_be_visible()
    expect(block(page)).to_contain_text("One earlier request")
    assert call(world, "cy", "approvals.list", key="WEB-1")[0]["state"] == "done"


def test_what_is_refused_is_told_and_asked_anew_or_taken_back(world: World, opens: Opens) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    call(world, "cy", "approvals.request", key="WEB-1", to_status="in_progress")
    page = opens("cy", "/issues/WEB-1")
    bo = opens("bo", "/issues/WEB-1")
    expect(block(bo)).to_contain_text("As soon as you agree it moves.")
    block(bo).get_by_label("What you say to it").fill("Not this week")
    bo.keyboard.press("Tab")
    bo.keyboard.press("Control+k")
    expect(bo.get_by_role("combobox")).to_be_focused()
    bo.keyboard.type("Reject WEB-1")
    bo.keyboard.press("Enter")
    expect(block(bo)).to_contain_text("One earlier request")
    block(page).get_by_text("One earlier request").click()
    expect(block(page)).to_contain_text("Refused to In progress")
    expect(block(page)).to_contain_text("Bo Tran refuses: Not this week")
    call(world, "cy", "approvals.request", key="WEB-1", to_status="in_progress")
    block(page).get_by_role("button", name="Take the request back").click()
    expect(block(page)).to_contain_text("2 earlier requests")
    block(bo).get_by_text("2 earlier requests").click()
    expect(block(bo)).to_contain_text("Taken back to In progress")
    assert lane(world) == "todo"


def test_what_others_agreed_to_is_moved_when_nothing_stands_against_it(world: World, opens: Opens) -> None:
    in_force(
        world, approvers=["@bo"], check=[{"field": "due", "op": "not_empty", "message": "Say until when"}]
    )
    made(world)
    call(world, "cy", "approvals.request", key="WEB-1", to_status="in_progress")
    bo = opens("bo", "/issues/WEB-1")
    block(bo).get_by_role("button", name="Approve").click()
    expect(bo.get_by_role("status").last).to_contain_text("it did not move: Say until when")
    expect(block(bo)).to_contain_text("Cy Moss can move it now.")
    page = opens("cy", "/issues/WEB-1")
    expect(block(page)).to_contain_text("Others agreed that it moves to In progress")
    call(world, "cy", "issues.update", key="WEB-1", due_date="2027-01-01")
    expect(page.get_by_role("button", name="Due")).to_contain_text("Jan 1")
    block(page).get_by_role("button", name="Move it now").click()
    expect(page.get_by_role("button", name="Status: In progress")).to_be_visible()
    settled(page)
    assert lane(world) == "in_progress"


def test_a_card_that_is_dropped_where_others_decide_stays_and_asks(world: World, opens: Opens) -> None:
    in_force(world, approvers=["@bo"])
    made(world)
    page = opens("cy", "/projects/WEB")
    page.get_by_role("button", name="Board", exact=True).click()
    card = row(page, "WEB-1")
    expect(card).to_be_visible()
    expect(page.get_by_role("button", name="New issue in")).to_have_count(
        1
    )  # to the others no way leads, or one is asked
    card.drag_to(page.get_by_role("region", name="In progress"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("One of these has to agree: Bo Tran.")
    dialog.get_by_role("button", name="Ask for approval").click()
    expect(page.get_by_role("status").last).to_contain_text("Asked for approval of WEB-1")
    expect(page.get_by_role("region", name="To do")).to_contain_text("WEB-1")
    assert (lane(world), call(world, "bo", "approvals.mine")[0]["key"]) == ("todo", "WEB-1")


def test_who_has_to_agree_is_said_in_settings(world: World, opens: Opens) -> None:
    flow = in_force(world)
    field(world, "owner", "member")
    page = opens("bo", f"/settings/workflows/{flow}")
    page.get_by_role("button", name="Start work").click()
    dialog = page.get_by_role("dialog", name="Start work")
    expect(dialog.get_by_label("How many of them")).to_have_count(0)
    add = dialog.get_by_label("Add who has to agree")
    for who in ("Cy Moss", "Di Park"):
        add.select_option(who)
    dialog.get_by_label("How many of them").fill("3")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text("From 1 to 2 of them can be needed.")
    assert faults(page) == []
    dialog.get_by_role("button", name="Take out Di Park").click()
    add.select_option("Whoever stands in Owner")
    dialog.get_by_label("How many of them").fill("2")
    dialog.get_by_label("Whoever asks may be one of them").check()
    dialog.get_by_label("Fields that must stay").fill("due")
    call(world, "ana", "workflows.save", **renamed(world, flow))  # another way, by somebody else
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("row", name="Start work")).to_contain_text(
        "2 of Cy Moss, Whoever stands in Owner must agree"
    )
    [way, other, _] = call(world, "bo", "workflows.get", id=flow)["transitions"]
    assert way["approvers"] == [world.people["cy"].id, "field:owner"]
    assert (way["needed"], way["self_approval"], way["watch"]) == (2, True, ["due"])
    assert other["name"] == "Be done"


def renamed(world: World, flow: int) -> dict[str, Any]:
    """The whole of a workflow, with another name of its second way."""
    now = call(world, "ana", "workflows.get", id=flow)
    first, second, third = now["transitions"]
    return {
        "id": flow,
        "name": now["name"],
        "start": now["start"],
        "lanes": [lane["key"] for lane in now["lanes"]],
        "transitions": [first, second | {"name": "Be done"}, third],
    }
