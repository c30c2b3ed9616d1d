"""The flags room in Chromium: teams give features to people, and nothing changes that nobody looked at."""

import json
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import Opens, comes, opens, unanswered
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.flags.flag_project import DAY_S, aged, flag, patch, shop, state
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

NASTY = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
ON = {"kind": "turnFlagOn"}


def line(page: Page, key: str) -> Locator:
    return page.locator(f".row.flag[id='flag-{key}']")


def switch(page: Page, name: str) -> Locator:
    return page.get_by_role("switch", name=name, exact=True)


def pending(page: Page) -> Locator:
    return page.get_by_label("Not saved yet")


def review(page: Page) -> Locator:
    pending(page).get_by_role("button", name="Review").click()
    return page.get_by_role("dialog")


def strict(world: World) -> None:
    """A shop whose production is critical and asks for approval."""
    shop(world)
    call(
        world,
        "ana",
        "flags.environment_save",
        project="shop",
        key="production",
        name="Production",
        critical=True,
        require_approval=True,
    )


def made_in_the_browser(opens: Opens) -> Page:
    """The page of a flag that was made there, after a refusal."""
    page = opens("cy", "/flags")
    expect(line(page, "banner")).to_be_visible()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("Banner")
    dialog.get_by_role("button", name="Make flag").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already")
    dialog.get_by_label("Name", exact=True).fill("New checkout")
    dialog.get_by_label("Description").fill("One page instead of four.")
    page.keyboard.press("Tab")
    dialog.get_by_role("button", name="Make flag").click()
    page.wait_for_url("**/flags/shop/new-checkout")
    return page


def begin_rule(page: Page, attribute: str) -> None:
    """The first rule of a flag, which asks for its attribute."""
    page.get_by_role("button", name="Add a rule").click()
    expect(pending(page)).to_contain_text("Rule 1 names no attribute")
    expect(page.locator(".rule .attribute")).to_be_focused()
    page.keyboard.type(attribute)


def order_two_rules(page: Page) -> None:
    """Two rules, of which the second goes first, and there and back by mouse, saved in a critical environment."""
    for words in ("first", "second"):
        page.get_by_role("button", name="Add a rule").press("Enter")
        expect(page.locator(".rule .attribute").last).to_be_focused()
        page.keyboard.type("plan")
        for _ in range(2):
            page.keyboard.press("Tab")
        page.keyboard.type(f"{words},")
    page.get_by_role("button", name="Move rule 2 of 2").press("ArrowUp")
    expect(page.locator(".rule").first).to_contain_text("second")
    page.get_by_role("button", name="Move rule 1 of 2").drag_to(page.locator(".rule").last)
    expect(page.locator(".rule").first).to_contain_text("first")
    page.get_by_role("button", name="Move rule 2 of 2").press("ArrowUp")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_contain_text("plan is second")
    page.get_by_role("dialog").get_by_label("Type production to confirm").fill("production")
    expect(page.get_by_role("dialog").get_by_role("button", name="Save", exact=True)).to_be_enabled()
    page.keyboard.press("Enter")


def test_a_flag_is_made_and_rolled_out_by_two_people(world: World, opens: Opens) -> None:
    strict(world)
    flag(world, "banner")
    cy = made_in_the_browser(opens)
    expect(cy.get_by_role("button", name="production").first).to_have_attribute("aria-pressed", "true")
    cy.get_by_label("Everybody else", exact=True).first.select_option(label="Shares of several…")
    cy.get_by_label("Share of true").fill("25")
    expect(cy.get_by_label("Share of false")).to_have_value("75")
    begin_rule(cy, "email")
    cy.get_by_label("Operator").select_option(label="ends with")
    cy.get_by_label("Values of clause 1 of rule 1").last.fill("@acme.example")
    cy.keyboard.press("Enter")
    answers = cy.locator(".probe .answers")
    cy.locator(".probe").get_by_label("email").fill("cy@acme.example")
    expect(answers).to_contain_text("Targeting is off.")
    dialog = review(cy)
    expect(dialog).to_contain_text("Everybody else gets 25 % true, 75 % false instead of true.")
    expect(dialog).to_contain_text("Add a rule: if email ends with @acme.example, serve true.")
    expect(dialog.get_by_label("Save now")).to_be_disabled()
    expect(dialog).to_contain_text("Asks for one approval")
    expect(dialog.get_by_label("What it reaches")).to_contain_text("Low risk")
    dialog.get_by_label("Why, for those who approve").fill("After the talk with support")
    dialog.get_by_role("button", name="Ask for approval").click()
    expect(cy.get_by_role("status").last).to_contain_text("waits for approval")
    expect(pending(cy)).to_have_count(0)
    assert state(world, "production", "new-checkout")["rules"] == []
    cy.get_by_label("What waits").get_by_role("link").click()
    cy.wait_for_url("**/flags/shop/changes/*")
    expect(cy.get_by_role("button", name="Approve")).to_be_disabled()
    expect(cy.get_by_text("somebody else has to approve it")).to_be_visible()
    di = opens("di", cy.url.removeprefix(world.url))
    expect(di.locator(".flag-page")).to_contain_text("After the talk with support")
    expect(di.locator(".flag-page")).to_contain_text("0 of 1 approval")
    di.get_by_role("button", name="Approve").click()
    expect(di.locator(".flag-head")).to_contain_text("Applied")
    now = state(world, "production", "new-checkout")
    assert [(one["variation"], one["weight"]) for one in now["fallthrough"]["rollout"]["variations"]] == [
        (0, 25_000),
        (1, 75_000),
    ]
    assert now["rules"][0]["clauses"][0]["values"] == ["@acme.example"]
    assert now["on"] is False


def test_what_is_written_while_it_is_sent_stays(world: World, opens: Opens) -> None:
    strict(world)
    flag(world)
    call(world, "cy", "flags.segment_save", project="shop", environment="test", key="staff")
    change = patch(world, "cy", "production", ON)["change"]["id"]
    page = opens("di", f"/flags/shop/changes/{change}")
    say = page.get_by_label("What you say to it")
    say.fill("Who asked?")
    with unanswered(page, "flags.change_review", page.get_by_role("button", name="Comment")):
        say.fill("Who asked? And why?")
    expect(page.locator(".said")).to_contain_text("Who asked?")
    expect(say).to_have_value("Who asked? And why?")
    page.reload()
    expect(say).to_have_value("Who asked? And why?")
    page.get_by_role("button", name="Comment").click()
    expect(page.locator(".said")).to_have_count(2)
    expect(say).to_have_value("")
    page.goto(f"{world.url}/flags/shop/segments/test/staff")
    name = page.get_by_label("Name", exact=True)
    name.fill("Our people")
    with unanswered(page, "flags.segment_update", page.get_by_role("button", name="Save", exact=True)):
        name.fill("Our own people")
    expect(page.get_by_role("status").last).to_contain_text("staff")
    expect(page.locator(".pending")).to_contain_text("Our own people")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".pending")).to_have_count(0)
    page.goto(f"{world.url}/flags/shop/checkout/settings")
    about = page.get_by_label("Description", exact=True)
    about.fill("One page")
    with unanswered(page, "flags.update", page.get_by_role("button", name="Save", exact=True)):
        about.fill("One page instead of four")
    expect(page.get_by_role("status").last).to_contain_text("checkout")
    expect(about).to_have_value("One page instead of four")
    page.get_by_role("button", name="Save", exact=True).click()
    comes(
        page,
        lambda: call(world, "cy", "flags.get", project="shop", key="checkout")["description"],
        "One page instead of four",
    )


def test_a_segment_is_deleted_once_somebody_else_agrees(world: World, opens: Opens) -> None:
    strict(world)
    call(world, "cy", "flags.segment_save", project="shop", environment="production", key="staff")
    cy = opens("cy", "/flags/shop/segments/production/staff")
    cy.get_by_role("button", name="Delete", exact=True).click()
    cy.get_by_role("button", name="Really delete").click()
    told = cy.get_by_role("status").last
    expect(told).to_contain_text("waits for approval")
    expect(cy.get_by_role("button", name="Delete", exact=True)).to_be_visible()
    told.get_by_role("button", name="Open").click()
    cy.wait_for_url("**/flags/shop/changes/*")
    expect(cy.locator(".flag-page")).to_contain_text("Delete it.")
    di = opens("di", cy.url.removeprefix(world.url))
    di.get_by_role("button", name="Approve").click()
    expect(di.locator(".flag-head")).to_contain_text("Applied")
    assert call(world, "cy", "flags.segments", project="shop", environment="production") == []


def test_flags_are_switched_by_keys_alone_and_by_name_where_it_is_critical(
    world: World, opens: Opens
) -> None:
    shop(world)
    call(world, "ana", "flags.environment_save", project="shop", key="production", critical=True)
    for key in ("banner", "checkout"):
        flag(world, key)
    page = opens("cy", "/flags/shop?env=test")
    expect(line(page, "checkout")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("t")
    expect(switch(page, "checkout in test")).to_have_attribute("aria-checked", "true")
    expect(page.get_by_role("status").last).to_contain_text("checkout is on in test")
    page.get_by_role("button", name="Undo").click()
    expect(switch(page, "checkout in test")).to_have_attribute("aria-checked", "false")
    page.locator(".list").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**env=production")
    page.keyboard.press("t")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Turn targeting on.")
    save = dialog.get_by_role("button", name="Save", exact=True)
    expect(dialog.get_by_label("What it reaches")).to_be_visible()
    expect(save).to_be_disabled()
    dialog.get_by_label("Type production to confirm").focus()
    page.keyboard.type("production")
    page.keyboard.press("Enter")
    expect(switch(page, "checkout in production")).to_have_attribute("aria-checked", "true")
    expect(page.locator(".list")).to_be_focused()
    assert state(world, "production")["on"] is True
    page.keyboard.press("Enter")
    page.wait_for_url("**/flags/shop/checkout")
    order_two_rules(page)
    expect(pending(page)).to_have_count(0)
    assert [one["clauses"][0]["values"] for one in state(world, "production")["rules"]] == [
        ["second"],
        ["first"],
    ]


def test_what_somebody_else_saved_meanwhile_is_told_and_both_changes_stay(world: World, opens: Opens) -> None:
    shop(world, "test")
    flag(world)
    page = opens("cy", "/flags/shop/checkout")
    page.get_by_label("Keys of user that get true").last.fill("ana")
    page.keyboard.press("Enter")
    expect(pending(page)).to_contain_text("1 change not saved")
    page.reload()  # it is kept in the tab
    expect(pending(page)).to_contain_text("1 change not saved")
    patch(world, "bo", "test", ON, {"kind": "addTargets", "variation": 0, "values": ["bo"]})
    dialog = review(page)
    expect(dialog).to_contain_text("Somebody saved this meanwhile.")
    expect(dialog.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    dialog.get_by_role("button", name="Put mine onto theirs").click()
    expect(page.get_by_label("Keys of user that get true").first).to_contain_text("bo")
    dialog = review(page)
    expect(dialog.get_by_label("What it reaches")).to_be_visible()
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(pending(page)).to_have_count(0)
    now = state(world)
    assert now["on"] is True
    assert now["targets"] == [{"contextKind": "user", "variation": 0, "values": ["bo", "ana"]}]
    page.get_by_role("link", name="History").click()
    versions = page.locator(".history .lines > li")
    expect(versions).to_have_count(3)
    expect(versions.first).to_contain_text("+ ana")
    versions.nth(1).get_by_role("button", name="Compare and restore").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("No longer serve true by name to user ana.")
    dialog.get_by_role("button", name="Make it this again").click()
    expect(versions).to_have_count(4)
    assert state(world)["targets"][0]["values"] == ["bo"]


def test_history_says_what_came_to_a_long_list_and_makes_it_what_it_was(world: World, opens: Opens) -> None:
    shop(world)
    flag(world)
    keys = [f"u{n}" for n in range(500)]
    add = {"kind": "addTargets", "variation": 0}
    patch(world, "cy", "test", add | {"values": keys})
    patch(world, "cy", "test", add | {"values": ["ana"]})
    page = opens("cy", "/flags/shop/checkout/history?env=test")
    versions = page.locator(".history .lines > li")
    expect(versions).to_have_count(3)
    expect(versions.first.locator(".sentences > li")).to_have_text(["By name: + ana"])
    versions.nth(1).get_by_role("button", name="Compare and restore").click()
    page.get_by_role("dialog").get_by_role("button", name="Make it this again").click()
    expect(versions).to_have_count(4)
    expect(versions.first).to_contain_text("\u2212 ana")
    assert state(world)["targets"][0]["values"] == keys


def test_an_admin_sets_everything_up_and_sees_the_first_evaluation(world: World, opens: Opens) -> None:
    page = opens("ana", "/flags")
    assert faults(page) == []
    page.get_by_role("button", name="New flag project").click()
    page.get_by_label("Name", exact=True).fill("Web shop")
    page.get_by_role("button", name="Make project").click()
    page.wait_for_url("**/flags/web-shop")
    page.get_by_role("button", name="New flag").last.click()
    page.get_by_label("Name", exact=True).fill("Stop orders")
    page.get_by_label("Begin as").select_option(label="Kill switch: on until something must stop")
    page.get_by_role("button", name="Make flag").click()
    page.wait_for_url("**/flags/web-shop/stop-orders")
    page.get_by_role("link", name="Segments").click()
    page.get_by_role("button", name="New segment").click()
    page.get_by_label("Name", exact=True).fill("Beta testers")
    page.get_by_role("dialog").get_by_role("button", name="New segment").click()
    page.wait_for_url("**/segments/production/beta-testers")
    page.get_by_label("In it, by name").last.fill("ana,bo,")
    expect(page.locator(".pending")).to_contain_text("Take in ana, bo.")
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_disabled()
    page.get_by_label("Type production to confirm").fill("production")
    save.click()
    expect(page.locator(".pending")).to_have_count(0)
    page.get_by_role("link", name="Environments").click()
    test = page.get_by_role("region", name="Test", exact=True)
    expect(test).to_contain_text("No program has asked yet")
    test.get_by_role("button", name="New server key").dblclick()  # some press everything twice
    expect(test.locator("pre")).to_contain_text("pip install ")
    test.get_by_role("button", name="curl").click()
    expect(test.get_by_label("SDK keys").locator("li")).to_have_count(1)
    secret = test.locator(".secret").text_content() or ""
    expect(test.locator("pre")).to_contain_text(f"Bearer {secret}")
    asked = urllib.request.Request(
        f"{world.url}/ofrep/v1/evaluate/flags/stop-orders",
        json.dumps({"context": {"targetingKey": "ana"}}).encode(),
        {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(asked) as answer:
        assert answer.status == 200
    expect(test).to_contain_text("The first evaluation has arrived.", timeout=20_000)
    test.get_by_role("button", name="I have kept it").click()
    expect(page.get_by_text(secret)).to_have_count(0)
    segment = call(
        world, "ana", "flags.segment_get", project="web-shop", environment="production", key="beta-testers"
    )
    assert segment["included"] == ["ana", "bo"]


def full(world: World) -> int:
    """A shop with a flag that has everything, in names that are none. Answers the change that waits."""
    strict(world)
    flag(world, name=NASTY, description=NASTY, tags=[NASTY[:40]], template="release")
    flag(world, "stop", template="kill-switch")
    segment = {"project": "shop", "environment": "test", "key": "staff", "name": NASTY, "included": [NASTY]}
    call(world, "cy", "flags.segment_save", **segment)
    rule = {
        "kind": "addRule",
        "description": NASTY,
        "clauses": [
            {"attribute": NASTY, "op": "in", "values": [NASTY]},
            {"op": "segmentMatch", "values": ["staff"]},
        ],
        "rollout": {"variations": [{"variation": 0, "weight": 1_500}, {"variation": 1, "weight": 98_500}]},
    }
    patch(
        world,
        "cy",
        "test",
        ON,
        rule,
        {"kind": "addTargets", "variation": 1, "values": [NASTY]},
        comment=NASTY,
    )
    later: dict[str, Any] = {"project": "shop", "key": "checkout", "environment": "test"}
    call(
        world,
        "cy",
        "flags.schedule_create",
        **later,
        instructions=[{"kind": "turnFlagOff"}],
        run_at="2040-01-01T00:00:00Z",
    )
    made = patch(world, "cy", "production", ON, comment=NASTY)
    return int(made["change"]["id"])


def test_what_differs_is_copied_at_a_time_and_what_is_stale_gets_its_issue(
    world: World, opens: Opens
) -> None:
    shop(world, work_project="WEB")
    flag(world)
    aged(world, 20 * DAY_S)
    patch(world, "cy", "test", ON)
    page = opens("cy", "/flags/shop/checkout/compare")
    expect(page.locator("tr.differs")).to_have_count(1)
    page.get_by_role("button", name="Copy test → production…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("At a time").check()
    expect(dialog.get_by_role("button", name="Schedule")).to_be_disabled()
    dialog.get_by_label("When").fill("2030-05-01T09:00")
    dialog.get_by_role("button", name="Schedule").click()
    expect(dialog).to_have_count(0)
    [planned] = call(world, "cy", "flags.get", project="shop", key="checkout")["schedules"]
    assert (planned["environment"], planned["instructions"]) == ("production", [ON])
    assert not state(world, "production")["on"]
    page.goto(f"{world.url}/flags/shop?show=compare")
    page.get_by_role("button", name="Copy checkout to production").click()
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    comes(page, lambda: state(world, "production")["on"], True)
    expect(page.get_by_text("They are alike.")).to_be_visible()
    call(world, "cy", "flags.schedule_delete", project="shop", key="checkout", id=planned["id"])
    page.goto(f"{world.url}/flags/shop?state=stale")
    expect(line(page, "checkout")).to_contain_text("Stale")
    page.goto(f"{world.url}/flags/shop/checkout/settings")
    page.get_by_role("button", name="Open the clean-up issue").click()
    expect(page.get_by_role("status").filter(has_text="WEB-1 says how it is removed.")).to_be_visible()
    assert "checkout" in call(world, "cy", "issues.get", key="WEB-1")["title"]


def test_every_screen_is_clean_for_all_and_says_no_name_as_markup(world: World, opens: Opens) -> None:
    change = full(world)
    page = opens("ana", "/flags/shop?env=test")
    for path, shown in (
        ("?env=test", ".row.flag"),
        ("/checkout?env=test", ".rule"),
        ("/checkout/history?env=test", ".history .lines > li"),
        ("/checkout/compare", ".side-by-side"),
        ("/checkout/settings", ".settings-of"),
        ("?show=changes", ".lines > li"),
        (f"/changes/{change}", ".decide"),
        ("?show=segments&env=test", ".lines > li"),
        ("/segments/test/staff", ".segment-page .chips"),
        ("?show=environments", ".sdk"),
        ("?show=compare", ".lines > li"),
    ):
        page.goto(f"{world.url}/flags/shop{path}")
        expect(page.locator(shown).first).to_be_visible()
        assert faults(page) == [], path
    page.goto(f"{world.url}/flags/shop/checkout?env=production")
    switch(page, f"{' '.join(NASTY.split())} in Production").click()
    expect(page.get_by_role("dialog").get_by_label("What it reaches")).to_be_visible()
    assert faults(page) == []
    assert "owned" not in page.title()
    assert page.locator("img[src=x]").count() == 0
