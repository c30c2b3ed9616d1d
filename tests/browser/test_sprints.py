"""Sprints in the web app: planned by keys, started, worked through on a board, completed and carried over."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app import Opens, choose, choose_command, comes, intercept, opens, row, settled
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


def test_how_a_sprint_goes_is_drawn_with_what_the_ones_before_got_done(world: World, opens: Opens) -> None:
    days = {"start_date": "2027-01-15", "end_date": "2027-01-28"}
    before = sprint(world, name="Cart 6", **days)
    keys = [issue(world, title=title, estimate=2) for title in TITLES]
    call(world, "cy", "sprints.add", id=before["id"], keys=keys[:1])
    call(world, "cy", "sprints.start", id=before["id"])
    call(world, "cy", "issues.transition", key=keys[0], to_status="done")
    call(world, "cy", "sprints.complete", id=before["id"], unfinished="backlog")
    now = sprint(world, **days)
    call(world, "cy", "sprints.add", id=now["id"], keys=keys[1:])
    call(world, "cy", "sprints.start", id=now["id"])
    late = issue(world, title="A refund in parts", estimate=3, sprint=now["id"])
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Report").click()
    report = page.get_by_role("region", name="How the sprint goes")
    expect(report.get_by_role("img", name="Burn-down in points: 7 of 7 left.")).to_be_visible()
    expect(report).to_contain_text("1 issue came in since it started: " + late)
    expect(report.get_by_role("img", name="Cart 6: 2 of 2")).to_be_visible()
    expect(report).to_contain_text("2 points got done on average.")
    call(world, "bo", "issues.transition", key=keys[1], to_status="done")
    expect(report.get_by_role("img", name="Burn-down in points: 5 of 7 left.")).to_be_visible()
    report.get_by_role("button", name="Burn-up").click()
    expect(report.get_by_role("img", name="Burn-up in points")).to_be_visible()
    report.get_by_text("As a table").first.click()
    expect(report.get_by_role("row").nth(1)).to_contain_text("527")
    assert faults(page) == []
    page.reload()
    expect(report.get_by_role("img").first).to_be_visible()  # the address says it


def test_a_day_of_a_sprint_says_who_put_in_and_took_out_what(world: World, opens: Opens) -> None:
    keys = [
        issue(world, title=title, estimate=points) for title, points in zip(TITLES, (1, 2, 3), strict=True)
    ]
    now = sprint(world, start_date="2027-01-15", end_date="2027-01-28")
    call(world, "cy", "sprints.add", id=now["id"], keys=keys[:2])
    call(world, "cy", "sprints.start", id=now["id"])
    world.clock.advance(86_400)
    call(world, "bo", "sprints.add", id=now["id"], keys=keys[2:])
    world.clock.advance(86_400)
    call(world, "di", "sprints.remove", id=now["id"], keys=keys[:1])
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Report").click()
    report = page.get_by_role("region", name="How the sprint goes")
    days = report.get_by_role("slider", name="Day by day")
    about = report.locator(".of-day")
    expect(about).to_have_count(0)
    days.focus()
    expect(days).to_have_attribute(
        "aria-valuetext", f"Jan 17: 5 of 5 left, \u22121; Di Park took out {keys[0]} Vouchers (1)"
    )
    expect(about).to_contain_text(f"Di Park took out {keys[0]} Vouchers (1)")
    page.keyboard.press("ArrowLeft")
    expect(days).to_have_attribute(
        "aria-valuetext", f"Jan 16: 6 of 6 left, +3; Bo Tran put in {keys[2]} Receipts (3)"
    )
    expect(about).to_contain_text(f"Bo Tran put in {keys[2]} Receipts (3)")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page) == []
    page.keyboard.press("Home")
    expect(about).to_contain_text("3 of 3 left")
    page.keyboard.press("Escape")
    expect(about).to_have_count(0)
    box = report.locator(".chart polygon.change").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(about).to_contain_text("Bo Tran put in")
    days.blur()
    page.mouse.move(0, 0)
    expect(about).to_have_count(0)
    report.get_by_text("As a table").first.click()
    cell = report.get_by_role("row").filter(has_text="Jan 17").get_by_role("cell").last
    expect(cell).to_have_text(f"Di Park took out {keys[0]} (1)")
    page.set_viewport_size({"width": 390, "height": 800})
    assert faults(page) == []
    cell.get_by_role("link", name=keys[0]).click()
    expect(page.get_by_role("article", name=keys[0])).to_be_visible()


def test_when_a_sprint_would_be_done_is_drawn_as_a_range(world: World, opens: Opens) -> None:
    for name, points, days in (("Cart 5", 4, 2), ("Cart 6", 6, 6)):
        before = sprint(world, name=name, end_date="2027-02-28")
        key = issue(world, title=name, estimate=points, sprint=before["id"])
        call(world, "cy", "sprints.start", id=before["id"])
        world.clock.advance(days * 86_400)
        call(world, "cy", "issues.transition", key=key, to_status="done")
        call(world, "cy", "sprints.complete", id=before["id"], unfinished="backlog")
    now = sprint(world, start_date="2027-01-23", end_date="2027-01-28")
    issue(world, title="Refunds", estimate=6, sprint=now["id"])
    call(world, "cy", "sprints.start", id=now["id"])
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Report").click()
    report = page.get_by_role("region", name="How the sprint goes")
    said = "All is done between Jan 26 and Jan 29, most likely on Jan 27, at the pace of the sprints before."
    expect(report).to_contain_text(said)
    expect(report.locator("polyline.ahead title")).to_have_text(
        ["At the best pace: Jan 26", "At the usual pace: Jan 27", "At the slowest pace: Jan 29"]
    )
    report.get_by_role("button", name="Burn-up").click()
    expect(report.locator(".chart polyline.ahead")).to_have_count(3)
    page.set_viewport_size({"width": 390, "height": 800})
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page) == []
    call(world, "cy", "sprints.complete", id=now["id"], unfinished="backlog")
    expect(report).not_to_contain_text("All is done")


def test_who_can_do_how_much_is_said_while_a_sprint_is_planned(world: World, opens: Opens) -> None:
    now = sprint(world)
    call(world, "cy", "sprints.capacity_set", id=now["id"], capacity={"@bo": 8})
    key = issue(world, title="Vouchers", estimate=5, assignees=["@cy"])
    call(world, "cy", "sprints.add", id=now["id"], keys=[key])
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Change").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Who can do how much", exact=True).click()
    box = dialog.get_by_label("How much Cy Moss can do")
    box.fill("3")
    expect(dialog).to_contain_text("2 too much")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    head(page).get_by_role("button", name="Change").click()
    expect(box).to_have_value("3")  # it was kept
    dialog.get_by_label("Add somebody").select_option("Di Park")
    dialog.get_by_label("How much Di Park can do").fill("6.5")
    assert faults(page) == []
    call(world, "cy", "sprints.capacity_set", id=now["id"], capacity={"@bo": 4})
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    expect(dialog).to_have_count(1)
    held = call(world, "cy", "sprints.get", id=now["id"])["capacity"]
    assert held == {world.people[who].id: amount for who, amount in (("bo", 4), ("cy", 3), ("di", 6.5))}


def test_what_is_written_while_it_is_saved_is_still_to_be_saved(world: World, opens: Opens) -> None:
    now = call(world, "cy", "sprints.create", name="Now", projects=["WEB"])
    call(world, "cy", "sprints.capacity_set", id=now["id"], capacity={"@bo": 8, "@cy": 8})
    page = opens("cy", f"/sprints/{now['id']}")
    head(page).get_by_role("button", name="Change").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Who can do how much", exact=True).click()
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    intercept(page, "**/sprints.capacity_set", hold)
    dialog.get_by_label("How much Cy Moss can do").fill("3")
    page.keyboard.press("Enter")
    comes(page, lambda: len(late), 1)
    bo = dialog.get_by_label("How much Bo Tran can do")
    bo.fill("5")
    late[0].continue_()
    comes(page, lambda: call(world, "cy", "sprints.get", id=now["id"])["capacity"][world.people["cy"].id], 3)
    page.keyboard.press("Escape")
    head(page).get_by_role("button", name="Change").click()
    expect(bo).to_have_value("5")


def test_sprints_make_themselves_as_settings_say(world: World, opens: Opens) -> None:
    page = opens("cy", "/settings/projects/WEB")
    form = page.locator("section").filter(has_text="Sprints that make themselves")
    form.get_by_label("Weeks that each takes").fill("2")
    form.get_by_label("Begins on").select_option("Monday")
    form.get_by_label("Each starts by itself").check()
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Sprints make themselves from now on.")).to_be_visible()
    made = call(world, "cy", "sprints.list")[0]["cadence"]
    assert (made["weeks"], made["starts_on"], made["auto_start"], made["ahead"]) == (2, 1, True, 1)
    assert faults(page) == []
    page.reload()
    expect(form.get_by_label("Weeks that each takes")).to_have_value("2")
