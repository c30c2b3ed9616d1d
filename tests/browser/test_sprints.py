"""Sprints in the web app: planned by keys, started, worked through on a board, completed and carried over."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, choose_command, comes, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def sprint(world: World, **more: Any) -> Any:
    return call(world, "cy", "sprints.create", **{"name": "Cart 7", "projects": ["WEB"]} | more)


def head(page: Page) -> Any:
    return page.get_by_role("region", name="About the sprint")


def place(page: Page, name: str) -> Any:
    return page.get_by_role("navigation").get_by_role("link", name=name)


TITLES = ("Vouchers", "Gift cards", "Receipts")


def test_a_sprint_is_made_and_filled_by_keys(world: World, opens: Opens) -> None:
    keys = [issue(world, title=title) for title in TITLES]
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("/")
    choose_command(page, "New sprint")
    dialog = page.get_by_role("dialog", name="New sprint")
    expect(dialog.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Cart 7")
    expect(dialog.get_by_role("checkbox", name="Website")).to_be_checked()
    dialog.get_by_label("What it is for").fill("Whoever pays knows what they pay")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("/")
    choose_command(page, "New sprint")
    expect(dialog.get_by_label("Name")).to_have_value("Cart 7")  # it was kept
    assert faults(page) == []
    dialog.get_by_role("button", name="Make sprint").click()
    expect(page.get_by_role("heading", name="Cart 7", level=1)).to_be_visible()
    expect(head(page)).to_contain_text("Whoever pays knows what they pay")
    [made] = call(world, "cy", "sprints.list")
    page.goto(f"{world.url}/projects/WEB")
    for key in keys:
        row(page, key).hover()
        row(page, key).get_by_role("checkbox").check()
    page.keyboard.press("Shift+S")
    choose(page, "Cart 7")
    settled(page)
    assert {one["key"] for one in call(world, "cy", "issues.list", sprint=made["id"])["items"]} == set(keys)


def test_a_sprint_is_started_worked_through_and_completed(world: World, opens: Opens) -> None:
    keys = [issue(world, title=title) for title in TITLES]
    now = sprint(world)
    later = sprint(world, name="Cart 8")
    call(world, "cy", "sprints.add", id=now["id"], keys=keys)
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Start").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 issues are its plan")
    dialog.get_by_role("button", name="Start sprint").click()
    expect(head(page)).to_contain_text("Runs")
    expect(dialog).to_have_count(0)
    page.keyboard.press("c")
    expect(dialog.get_by_role("button", name="Cart 7")).to_be_visible()
    dialog.get_by_label("Title").fill("A refund in parts")
    dialog.get_by_role("button", name="Create issue").click()
    expect(head(page)).to_contain_text("0 of 4 issues done · 1 came in since it started")
    page.get_by_role("button", name="Board", exact=True).click()
    row(page, keys[0]).click()
    page.keyboard.press("s")
    choose(page, "done")
    expect(head(page)).to_contain_text("1 of 4 issues done")
    settled(page)
    head(page).get_by_role("button", name="Complete").click()
    expect(dialog).to_contain_text("1 issue done, 3 not.")
    expect(dialog.get_by_role("radio", name="into Cart 8, the next one")).to_be_checked()
    assert faults(page) == []
    dialog.get_by_role("button", name="Complete sprint").click()
    expect(head(page)).to_contain_text("Done")
    expect(place(page, "Cart 7")).to_have_count(0)
    assert len(call(world, "cy", "issues.list", sprint=later["id"])["items"]) == 3
    page.keyboard.press("Control+z")
    expect(head(page)).to_contain_text("Runs")


def test_issues_are_filtered_and_grouped_by_sprint_and_hear_of_others(world: World, opens: Opens) -> None:
    now = sprint(world, start_date="2026-06-01", end_date="2026-06-14")
    keys = [issue(world, title=title) for title in ("Vouchers", "Gift cards", "Receipts")]
    call(world, "cy", "sprints.add", id=now["id"], keys=keys[:2])
    call(world, "cy", "sprints.start", id=now["id"])
    page = opens("cy", "/projects/WEB?group=sprint")
    expect(page.locator(".row.head").first).to_contain_text("Cart 7")
    expect(page.locator(".row.head").last).to_contain_text("No sprint")
    page.keyboard.press("f")
    choose(page, "sprint")
    choose(page, "the one that runs")
    page.keyboard.press("Escape")
    expect(row(page, keys[2])).to_have_count(0)
    expect(page.locator(".filter-chip")).to_contain_text("The one that runs")
    assert "openSprints" in page.url
    call(world, "bo", "sprints.add", id=now["id"], keys=[keys[2]])
    expect(row(page, keys[2])).to_be_visible()
    row(page, keys[0]).click()
    chip = page.locator(".fields").get_by_role("button", name="Sprint: Cart 7")
    expect(chip).to_be_visible()
    chip.click()
    choose(page, "no sprint")
    expect(chip).to_have_count(0)
    comes(page, lambda: call(world, "cy", "issues.get", key=keys[0])["sprint"], None)


def test_whoever_may_not_keep_it_is_told_so(world: World, opens: Opens) -> None:
    now = sprint(world, projects=["SEC"])
    page = opens("di", f"/sprints/{now['id']}")
    expect(page.get_by_role("heading", name="Cart 7", level=1)).to_be_visible()
    head(page).get_by_role("button", name="Start").click()
    page.get_by_role("dialog").get_by_role("button", name="Start sprint").click()
    expect(page.get_by_role("alert")).to_contain_text("kept by the members and leads of its projects")
