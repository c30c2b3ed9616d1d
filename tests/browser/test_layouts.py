"""Tables, calendars and timelines of the web app in Chromium: worked on by mouse and by keys alone, with others at it,
and taken back where the server refuses.
"""

import datetime as dt
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.app import Opens, choose, choose_command, comes, intercept, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import NOW, World
from tests.modules.calls import call
from tests.modules.fields.sample_values import field
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

TODAY = dt.datetime.fromtimestamp(NOW, dt.UTC).date()


def day(after: int) -> str:
    return (TODAY + dt.timedelta(days=after)).isoformat()


def dates(world: World, key: str) -> tuple[str | None, str | None]:
    """As everybody else has them."""
    found = call(world, "bo", "issues.get", key=key)
    return found["start_date"], found["due_date"]


def cell(page: Page, key: str, column: str) -> Any:
    """One that can be changed, by what its column is called."""
    return row(page, key).get_by_role("button", name=re.compile(f"^{column}: "))


def head(page: Page, name: str) -> Any:
    return page.get_by_role("columnheader", name=name)


def on_day(page: Page, after: int) -> Any:
    """The day of the calendar so many days from today."""
    date = TODAY + dt.timedelta(days=after)
    return page.get_by_role("cell").filter(
        has=page.get_by_text(date.strftime(f"%A, %B {date.day}, %Y"), exact=True)
    )


def order(page: Page) -> list[str]:
    return page.locator(".row.issue .key").all_inner_texts()


def gone(page: Page) -> None:
    """Until nothing covers the rest: keys are its own meanwhile."""
    expect(page.locator("dialog")).to_have_count(0)


def test_a_table_keeps_the_cursor_of_the_list_and_is_sorted_by_its_heads(world: World, opens: Opens) -> None:
    one, two = issue(world, title="Basket"), issue(world, title="Address")
    page = opens("cy", "/projects/WEB?group=none")
    row(page, two).click(position={"x": 5, "y": 5})
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    page.keyboard.press("t")
    page.wait_for_url("**/projects/WEB/table?group=none")
    grid = page.get_by_role("grid")
    expect(grid.locator(".row.on .key")).to_have_text(two)  # where the cursor was in the list
    head(page, "Title").get_by_role("button").click()
    expect(head(page, "Title")).to_have_attribute("aria-sort", "ascending")
    comes(page, lambda: order(page), [two, one])
    head(page, "Title").get_by_role("button").click()
    comes(page, lambda: order(page), [one, two])
    assert "sort=-title" in page.url
    grid.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/issues/{two}")


def test_a_table_is_worked_on_by_keys_and_by_clicks(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="slow")
    one, two = issue(world, title="Basket", priority="low"), issue(world, title="Address")
    page = opens("cy", "/projects/WEB/table")
    grid = page.get_by_role("grid")
    expect(row(page, two)).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("ArrowRight")
    expect(grid).to_have_attribute("aria-activedescendant", re.compile("-2$"))
    page.keyboard.press("F2")
    choose(page, "In progress")
    expect(cell(page, two, "Status")).to_contain_text("In progress")
    gone(page)
    page.keyboard.press("p")
    choose(page, "High")
    expect(cell(page, two, "Priority")).to_have_text("High")
    gone(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("F2")
    expect(page.get_by_role("textbox", name="Title")).to_be_focused()
    page.keyboard.type(" book")
    page.keyboard.press("Escape")
    gone(page)
    expect(grid).to_be_focused()
    page.keyboard.press("F2")
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Address book")  # it was kept
    page.keyboard.press("Enter")
    expect(row(page, two)).to_contain_text("Address book")
    gone(page)
    cell(page, one, "Labels").click()
    choose(page, "slow")
    page.keyboard.press("Escape")
    gone(page)
    settled(page)
    found = [call(world, "bo", "issues.get", key=key) for key in (one, two)]
    assert [(it["title"], it["labels"], it["priority"]) for it in found] == [
        ("Basket", ["slow"], "low"),
        ("Address book", [], "high"),
    ]
    assert found[1]["lane"] == "in_progress"
    call(world, "bo", "issues.update", key=two, estimate=3)
    expect(cell(page, two, "Estimate")).to_have_text("3")


def test_own_fields_are_columns_that_are_changed_in_place(world: World, opens: Opens) -> None:
    field(world, "effort", "number")
    field(world, "severity", "select", ["High", "Low"])
    one, two = issue(world, title="Basket"), issue(world, title="Address", values={"effort": 2.5})
    page = opens("cy", "/projects/WEB/table")
    row(page, one).locator(".key").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+O")
    for name in ("Effort", "Severity"):
        choose(page, name)
        page.locator("dialog.popover input").fill("")
    page.keyboard.press("Escape")
    expect(cell(page, two, "Effort")).to_have_text("2.5")
    cell(page, one, "Severity").click()
    choose(page, "High")
    expect(cell(page, one, "Severity")).to_have_text("High")
    cell(page, two, "Effort").click()
    page.get_by_label("Effort", exact=True).last.fill("four")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Effort", exact=True).last.fill("4")
    page.keyboard.press("Enter")
    expect(cell(page, two, "Effort")).to_have_text("4")
    settled(page)
    found = [call(world, "bo", "issues.get", key=key)["values"] for key in (one, two)]
    assert [(it.get("severity"), it.get("effort")) for it in found] == [("High", None), (None, 4)]
    call(world, "bo", "issues.update", key=one, values={"severity": "Low"})
    expect(cell(page, one, "Severity")).to_have_text("Low")
    assert faults(page) == []


def test_own_values_that_come_late_do_not_stand_over_newer_ones(world: World, opens: Opens) -> None:
    field(world, "effort", "number")
    key = issue(world, title="Basket", values={"effort": 1})
    page = opens("cy", "/projects/WEB/table")
    row(page, key).locator(".key").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+O")
    choose(page, "Effort")
    page.keyboard.press("Escape")
    expect(cell(page, key, "Effort")).to_have_text("1")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, route.fetch()))

    intercept(page, "**/api.batch", hold)
    call(world, "bo", "issues.update", key=key, values={"effort": 2})
    comes(page, lambda: len(late), 1)
    call(world, "bo", "issues.update", key=key, values={"effort": 3})
    expect(cell(page, key, "Effort")).to_have_text("3")
    [(asked, before)] = late
    with page.expect_response("**/api.batch"):
        asked.fulfill(response=before)
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 50)))")
    expect(cell(page, key, "Effort")).to_have_text("3")


def test_columns_are_kept_by_views_and_else_by_the_browser(world: World, opens: Opens) -> None:
    key = issue(world, title="Basket", estimate=3)
    view = call(
        world,
        "cy",
        "views.save",
        name="Sizes",
        tql="project = WEB",
        layout="table",
        columns=["key", "estimate"],
    )["id"]
    page = opens("cy", f"/views/{view}")
    expect(page.get_by_role("columnheader")).to_have_text(["Key", "Title", "Estimate", ""])
    page.get_by_role("button", name="Choose columns").click()
    choose(page, "parent")
    page.keyboard.press("Escape")
    expect(head(page, "Parent")).to_be_visible()
    page.get_by_role("button", name="Save in this view").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    comes(
        page,
        lambda: call(world, "cy", "views.get", id=view)["columns"],
        ["key", "title", "estimate", "parent"],
    )
    expect(page.get_by_role("button", name="Save in this view")).to_have_count(0)
    page.goto(f"{world.url}/projects/WEB/table")
    expect(head(page, "Status")).to_be_visible()
    expect(head(page, "Parent")).to_have_count(0)
    page.get_by_role("button", name="Choose columns").click()
    choose(page, "reporter")
    page.keyboard.press("Escape")
    row(page, key).locator(".key").click()
    page.keyboard.press("Escape")
    before = head(page, "Key").bounding_box()
    page.keyboard.press("Shift+ArrowRight")
    comes(page, lambda: head(page, "Key").bounding_box()["width"], before["width"] + 24)
    page.get_by_role("grid").evaluate("it => it.scrollLeft = 0")  # from where the columns are chosen
    grip = head(page, "Status").locator(".grip").bounding_box()
    wide = head(page, "Status").bounding_box()["width"]
    page.mouse.move(grip["x"] + 4, grip["y"] + 4)
    page.mouse.down()
    page.mouse.move(grip["x"] + 54, grip["y"] + 4, steps=3)
    page.mouse.up()
    comes(page, lambda: head(page, "Status").bounding_box()["width"], wide + 50)
    page.reload()
    expect(head(page, "Reporter")).to_be_visible()
    comes(page, lambda: head(page, "Status").bounding_box()["width"], wide + 50)
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_role("grid").evaluate("it => it.scrollLeft = 500")
    expect(row(page, key).locator(".title")).to_be_in_viewport()
    expect(row(page, key).locator(".key")).to_be_in_viewport()


def test_what_a_view_computes_is_shown_and_kept(world: World, opens: Opens) -> None:
    one, two = issue(world, title="Basket", estimate=3), issue(world, title="Address")
    columns = ["key", "estimate * 2", "now() - created", "watcher"]
    world.clock.advance(3 * 86_400)
    sizes = {"name": "Sizes", "tql": "project = WEB", "layout": "table", "columns": columns}
    view = call(world, "cy", "views.save", **sizes)["id"]
    page = opens("cy", f"/views/{view}")
    heads = page.get_by_role("columnheader")
    expect(heads).to_have_text(["Key", "Title", "Estimate * 2", "Now() - created", "Watcher", ""])
    cells = row(page, one).get_by_role("gridcell")
    expect(cells.nth(2)).to_have_text("6")
    expect(cells.nth(3)).to_have_text("3 days")
    expect(cells.nth(4)).to_have_text("Cy Moss")
    expect(row(page, two).get_by_role("gridcell").nth(2)).to_have_text("")
    call(world, "bo", "issues.update", key=two, estimate=4)
    expect(row(page, two).get_by_role("gridcell").nth(2)).to_have_text("8")
    page.get_by_role("button", name="Choose columns").click()
    choose(page, "parent")  # what is computed stays beside it
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save in this view").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    comes(
        page,
        lambda: call(world, "cy", "views.get", id=view)["columns"],
        ["key", "title", *columns[1:], "parent"],
    )
    assert faults(page) == []
    page.goto(f"{world.url}/projects/WEB/table?columns=estimate+*+nonsense,priority")
    expect(cell(page, one, "Priority")).to_be_visible()
    expect(row(page, one).get_by_role("gridcell").nth(2)).to_have_text("")


def test_of_many_rows_of_a_table_few_are_there(world: World, opens: Opens) -> None:
    for _ in range(4):
        ops = [
            {"op": "issues.create", "input": {"project": "WEB", "title": f"Part {at}"}} for at in range(50)
        ]
        call(world, "cy", "api.batch", ops=ops)
    page = opens("cy", "/projects/WEB/table")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "202")
    assert page.locator(".row").count() <= 60
    page.get_by_role("grid").evaluate("it => it.scrollTop = 3600")
    expect(page.get_by_text("WEB-101", exact=True)).to_be_in_viewport()
    page.keyboard.press("v")
    page.keyboard.press("y")
    expect(page.locator(".timeline").get_by_text("WEB-101", exact=True)).to_be_in_viewport()
    page.keyboard.press("v")
    page.keyboard.press("t")
    page.locator(".table").focus()
    page.keyboard.press("k")  # from the end
    expect(page.locator(".row.on")).to_be_in_viewport()
    page.keyboard.press("v")
    page.keyboard.press("y")
    expect(page.locator(".timeline .row.on")).to_be_in_viewport()
    assert page.locator(".row").count() <= 60


def test_a_calendar_moves_what_is_due_and_tells_others(world: World, opens: Opens) -> None:
    one, two = issue(world, title="Dated", due_date=day(0)), issue(world, title="Undated")
    issue(world, title="Begun", start_date=day(-2), due_date=day(1))
    many = [issue(world, title=f"Part {at}", due_date=day(-3)) for at in range(12)]
    page, other = opens("cy", "/projects/WEB/calendar"), opens("bo", "/issues?layout=calendar")
    expect(on_day(page, 0).locator(".card")).to_contain_text("Dated")
    expect(on_day(page, -2)).to_contain_text("starts Begun")
    aside = page.get_by_role("region", name="Without a date")
    row(page, two).drag_to(on_day(page, 4))
    expect(on_day(page, 4)).to_contain_text("Undated")
    expect(on_day(other, 4)).to_contain_text("Undated")
    expect(aside.locator(".card")).to_have_count(0)
    on_day(page, 0).get_by_role("link", name="Dated").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(on_day(page, 1)).to_contain_text("Dated")
    page.keyboard.press("Shift+ArrowDown")
    expect(on_day(page, 8).get_by_role("link", name="Dated")).to_be_focused()
    on_day(page, 8).locator(".card").drag_to(aside)
    expect(aside).to_contain_text("Dated")
    settled(page)
    assert (dates(world, one), dates(world, two)) == ((None, None), (None, day(4)))
    page.keyboard.press("Control+z")
    expect(on_day(page, 8)).to_contain_text("Dated")
    on_day(page, -3).get_by_role("button", name="more").click()
    expect(on_day(page, -3).locator(".card")).to_have_count(len(many))
    on_day(page, -3).get_by_role("button", name="Fewer").click()
    assert faults(page) == []
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", name="February 2027")).to_be_visible()
    page.keyboard.press("t")
    page.keyboard.press("2")
    expect(page.get_by_role("cell")).to_have_count(7)
    assert all(box["width"] > 80 for it in page.get_by_role("cell").all() if (box := it.bounding_box()))
    page.keyboard.press("3")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(
        on_day(page, -3).get_by_role("button", name="6 more")
    ).to_be_visible()  # there is room for more than one


def test_what_is_refused_in_the_calendar_says_of_what_it_is(world: World, opens: Opens) -> None:
    begun = issue(world, title="Begun", start_date=day(-2), due_date=day(1))
    page = opens("cy", "/projects/WEB/calendar")
    on_day(page, 1).locator(".card").filter(has_text="Begun").drag_to(on_day(page, -4))  # before it starts
    refused = on_day(page, 1).locator(".refused")
    expect(refused).to_be_visible()
    title = on_day(page, 1).locator(".card").filter(has_text="Begun").locator(".title")
    assert title.evaluate("it => it.clientWidth") > 30  # what it is of can be read
    assert dates(world, begun) == (day(-2), day(1))
    assert faults(page) == []
    refused.click()
    choose(page, "Leave")
    expect(refused).to_have_count(0)


def test_a_day_of_the_calendar_has_room_for_several_on_a_phone(world: World, opens: Opens) -> None:
    for at in range(12):
        issue(world, title=f"Part {at}", due_date=day(-3))
    page = opens("cy", "/projects/WEB/calendar")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(on_day(page, -3).get_by_role("button", name="6 more")).to_be_visible()
    expect(on_day(page, -3).locator(".card")).to_have_count(6)


def test_a_calendar_without_dates_says_what_to_do(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB/calendar")
    expect(page.locator(".hint")).to_contain_text("drag an issue onto a day")
    page.keyboard.press("j")
    page.keyboard.press("Shift+ArrowRight")
    expect(on_day(page, 0)).to_contain_text("Cart")
    expect(page.locator(".hint")).to_have_count(0)
    settled(page)
    assert dates(world, key) == (None, day(0))


def pull(page: Page, what: Any, pixels: int, x: float | None = None) -> None:
    """From its middle, or from a place at its height."""
    box = what.bounding_box()
    x, y = box["x"] + box["width"] / 2 if x is None else x, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + pixels, y, steps=4)
    page.mouse.up()


def test_a_timeline_is_pulled_and_drawn_and_moved_by_keys(world: World, opens: Opens) -> None:
    one = issue(world, title="Planned", start_date=day(0), due_date=day(6))
    two = issue(world, title="Not planned")
    page, other = opens("cy", "/projects/WEB/timeline?group=priority"), opens("bo", "/projects/WEB/timeline")
    expect(page.locator(".row.head")).to_contain_text("No priority")
    page.get_by_role("button", name="Days", exact=True).click()
    bar = row(page, one).locator(".stretch")
    expect(bar).to_contain_text("Jan 15")
    pull(page, bar, 2 * 34)
    expect(bar).to_contain_text(re.compile("Jan 17 . Jan 23"))
    expect(row(other, one).locator(".stretch")).to_contain_text(re.compile("Jan 17 . Jan 23"))
    pull(page, bar.locator(".end.behind"), 34)
    pull(page, bar.locator(".end.before"), -34)
    settled(page)
    assert dates(world, one) == (day(1), day(9))
    line = row(page, two).locator(".along")
    expect(line.locator(".stretch")).to_have_count(0)
    pull(page, line, 3 * 34, x=800)
    expect(line.locator(".stretch")).to_be_visible()
    settled(page)
    start, due = (dt.date.fromisoformat(it or "") for it in dates(world, two))
    assert due - start == dt.timedelta(days=3)
    page.keyboard.press("Control+z")
    expect(line.locator(".stretch")).to_have_count(0)
    row(page, one).locator(".names .key").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Alt+Shift+ArrowRight")
    page.keyboard.press("Control+Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    expect(bar).to_contain_text(re.compile("Jan 23 . Feb 2"))
    settled(page)
    assert dates(world, one) == (day(8), day(18))
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Months")).to_have_attribute("aria-pressed", "true")
    assert faults(page) == []


def blocks(world: World, key: str, other: str) -> int:
    """That one blocks another; the id of the relation."""
    relations = call(world, "bo", "issues.relation_add", key=key, kind="blocks", to=[other])
    return int(next(it["id"] for it in relations if it["issue"]["key"] == other))


def test_a_timeline_draws_what_blocks_what(world: World, opens: Opens) -> None:
    one = issue(world, title="Plan", start_date=day(0), due_date=day(4))
    two = issue(world, title="Build", start_date=day(6), due_date=day(9))
    three = issue(world, title="Sell", start_date=day(1), due_date=day(12))
    undated = issue(world, title="Some day")
    blocks(world, one, two)
    blocks(world, undated, two)
    page = opens("cy", "/projects/WEB/timeline?group=none&sort=title")
    lines = page.locator(".ties g")
    expect(lines).to_have_count(1)
    bars = [row(page, key).locator(".stretch").bounding_box() for key in (one, two)]
    path = lines.locator("path").first.bounding_box()
    assert path is not None
    assert path["x"] == pytest.approx(bars[0]["x"] + bars[0]["width"], abs=4)
    assert path["x"] + path["width"] == pytest.approx(bars[1]["x"], abs=4)
    middles = [bar["y"] + bar["height"] / 2 for bar in bars]
    assert (path["y"], path["y"] + path["height"]) == pytest.approx((min(middles), max(middles)), abs=4)
    names = row(page, two).locator(".names")
    expect(names).to_contain_text(f"blocked by {one}, {undated}")
    expect(row(page, one).locator(".names")).not_to_contain_text("blocked by")
    early = page.locator(".ties .early")
    expect(early).to_have_count(0)
    relation = blocks(world, two, three)  # as others do it
    expect(lines).to_have_count(2)
    expect(early).to_have_count(1)
    expect(row(page, three).locator(".names")).to_contain_text(
        f"blocked by {two}; starts before {two} is due"
    )
    assert faults(page) == []
    call(world, "bo", "issues.update", key=three, start_date=day(9))
    expect(early).to_have_count(0)
    call(world, "bo", "issues.relation_delete", id=relation)
    expect(lines).to_have_count(1)
    call(world, "bo", "issues.transition", key=one, to_status="done")
    expect(lines).to_have_count(0)
    expect(names).to_contain_text(f"blocked by {undated}")


def test_a_timeline_that_cannot_ask_what_blocks_what_has_no_lines(world: World, opens: Opens) -> None:
    one = issue(world, title="Plan", start_date=day(0), due_date=day(4))
    two = issue(world, title="Build", start_date=day(6), due_date=day(9))
    blocks(world, one, two)
    page = opens("cy", "/projects/WEB")
    expect(row(page, two)).to_be_visible()
    intercept(page, "**/issues.graph", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.keyboard.press("v")
        page.keyboard.press("y")
    expect(row(page, two).locator(".stretch")).to_be_visible()
    expect(page.locator(".ties g")).to_have_count(0)
    page.unroute("**/issues.graph")
    call(world, "bo", "issues.update", key=one, title="Planned")
    expect(page.locator(".ties g")).to_have_count(1)


def test_of_many_lines_of_a_timeline_few_are_there(world: World, opens: Opens) -> None:
    keys = [f"WEB-{at}" for at in range(1, 151)]
    for some in (keys[:50], keys[50:100], keys[100:]):
        dates = {"start_date": day(0), "due_date": day(3)}
        made = [{"op": "issues.create", "input": {"project": "WEB", "title": key, **dates}} for key in some]
        call(world, "cy", "api.batch", ops=made)
    for some in (keys[:50], keys[50:100], keys[100:149]):
        tied = [
            {
                "op": "issues.relation_add",
                "input": {"key": key, "kind": "blocks", "to": [f"WEB-{int(key[4:]) + 1}"]},
            }
            for key in some
        ]
        call(world, "cy", "api.batch", ops=tied)
    page = opens("cy", "/projects/WEB/timeline?group=none")
    lines = page.locator(".ties g")
    comes(page, lambda: 20 <= lines.count() <= page.locator(".row").count() + 2, True)
    assert page.locator(".ties .early").count() == lines.count()
    page.get_by_role("grid").evaluate("it => it.scrollTop = it.scrollHeight / 2")
    here = row(page, "WEB-75")
    expect(here.locator(".names")).to_contain_text("blocked by WEB-74; starts before WEB-74 is due")
    comes(page, lambda: 20 <= lines.count() <= page.locator(".row").count() + 2, True)
    box, tie = here.locator(".stretch").bounding_box(), lines.first.bounding_box()
    assert tie is not None
    assert abs(tie["x"] - box["x"]) < 40


def test_what_one_does_not_see_blocks_nothing_on_a_timeline(world: World, opens: Opens) -> None:
    hidden = call(
        world, "cy", "issues.create", project="SEC", title="Canary", start_date=day(0), due_date=day(3)
    )
    key = issue(world, title="Build", start_date=day(6), due_date=day(9))
    call(world, "cy", "issues.relation_add", key=hidden["key"], kind="blocks", to=[key])
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    page = opens("gus", "/projects/WEB")
    with page.expect_response("**/issues.graph") as asked:
        page.get_by_role("button", name="Timeline", exact=True).click()
    assert hidden["key"] not in asked.value.text()
    expect(row(page, key).locator(".stretch")).to_be_visible()
    expect(row(page, key).locator(".names")).not_to_contain_text("blocked by")


def heads(page: Page) -> list[str]:
    """Those of groups, with how many each has."""
    found: list[str] = page.locator(".row.head").evaluate_all(
        "rows => rows.map(it => [...it.querySelectorAll('.name, .meta, .hidden')].map(at => at.textContent).join(' '))"
    )
    return found


def test_groups_stand_within_groups_and_are_folded_by_keys(world: World, opens: Opens) -> None:
    ana, bo = world.people["ana"].id, world.people["bo"].id
    one = issue(world, title="Basket", assignees=[ana], priority="high")
    two = issue(world, title="Address", assignees=[ana])
    three = issue(world, title="Voucher", assignees=[bo], priority="high")
    page = opens("cy", "/projects/WEB?group=assignee")
    page.get_by_role("button", name="Display").click()
    choose(page, "then by: priority")
    page.wait_for_url("**?group=assignee&subgroup=priority")
    gone(page)
    outer = page.locator(".row.head:not(.inner) .name").all_inner_texts()
    assert [name.split()[0] for name in outer] == ["Ana", "Bo"]
    within = [f"within {name}" for name in outer]
    whole = [
        f"{outer[0]} 2",
        f"High 1 {within[0]}",
        f"No priority 1 {within[0]}",
        f"{outer[1]} 1",
        f"High 1 {within[1]}",
    ]
    comes(page, lambda: heads(page), whole)
    assert order(page) == [one, two, three]
    assert faults(page) == []
    grid = page.get_by_role("grid")
    page.keyboard.press("j")
    expect(row(page, one)).to_have_class(re.compile(r"\bon\b"))
    page.keyboard.press("z")
    comes(page, lambda: order(page), [two, three])
    head = page.locator(".row.head.on")
    expect(head.get_by_role("button")).to_have_attribute("aria-expanded", "false")
    expect(grid).to_have_attribute("aria-activedescendant", head.get_attribute("id") or "")
    page.keyboard.press("j")
    expect(row(page, two)).to_have_class(re.compile(r"\bon\b"))
    page.keyboard.press("k")
    page.keyboard.press("Shift+Z")
    comes(page, lambda: heads(page), [f"{whole[0]} folded", *whole[3:]])
    assert order(page) == [three]
    page.keyboard.press("v")
    page.keyboard.press("t")
    expect(page.locator(".table .row.head.on .name")).to_have_text(outer[0])  # where it was
    assert faults(page) == []
    page.locator(".table").focus()
    page.keyboard.press("Enter")
    comes(page, lambda: order(page), [two, three])  # the inner one is folded still
    page.locator(".row.head.inner").first.click()
    comes(page, lambda: order(page), [one, two, three])


def test_what_is_changed_by_a_key_goes_to_another_group_within_its_group(world: World, opens: Opens) -> None:
    one, two = issue(world, title="Basket", priority="high"), issue(world, title="Address", type="bug")
    page = opens("cy", "/projects/WEB?group=type&subgroup=priority&sort=title")
    split = ["Bug 1", "No priority 1 within Bug", "Task 1", "High 1 within Task"]
    comes(page, lambda: sorted(heads(page)), sorted(split))
    row(page, two).locator(".key").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+T")
    choose(page, "Task")
    whole = ["Task 2", "High 1 within Task", "No priority 1 within Task"]
    comes(page, lambda: heads(page), whole)
    gone(page)
    page.keyboard.press("p")
    choose(page, "High")
    comes(page, lambda: heads(page), ["Task 2", "High 2 within Task"])
    assert order(page) == [two, one]
    page.get_by_role("button", name="Display").click()
    choose(page, "narrow rows")
    comes(page, lambda: page.locator(".row.head.inner").evaluate("it => it.offsetHeight"), 28)
    assert faults(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    expect(page.locator(".row.head.inner .name")).to_be_in_viewport()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_view_keeps_the_groups_within_its_groups(world: World, opens: Opens) -> None:
    call(world, "bo", "labels.save", name="slow")
    issue(world, title="Basket", priority="high", labels=["slow"])
    issue(world, title="Address", priority="high")
    kept = {"name": "Slow", "tql": "project = WEB", "group_by": "priority", "subgroup_by": "label"}
    view = call(world, "cy", "views.save", **kept)["id"]
    page = opens("cy", f"/views/{view}")
    comes(page, lambda: heads(page), ["High 2", "slow 1 within High", "No labels 1 within High"])
    page.get_by_role("button", name="Display").click()
    choose(page, "then by: nothing")
    comes(page, lambda: heads(page), ["High 2"])
    assert "subgroup=none" in page.url
    gone(page)
    page.get_by_role("button", name="Display").click()
    choose(page, "then by: type")
    page.get_by_role("button", name="Save in this view").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    comes(page, lambda: call(world, "cy", "views.get", id=view)["subgroup_by"], "type")
    expect(page.get_by_role("button", name="Save in this view")).to_have_count(0)
    assert "subgroup" not in page.url
    comes(page, lambda: heads(page), ["High 2", "Task 2 within High"])
    gone(page)
    page.keyboard.press("v")
    page.keyboard.press("c")
    expect(page.get_by_role("region", name="Without a date").locator(".card")).to_have_count(2)


def test_of_many_groups_few_rows_are_there(world: World, opens: Opens) -> None:
    for at in range(4):
        call(world, "bo", "labels.save", name=f"part {at}")
        ops = [
            {
                "op": "issues.create",
                "input": {"project": "WEB", "title": f"Part {n}", "labels": [f"part {at}"]},
            }
            for n in range(50)
        ]
        call(world, "cy", "api.batch", ops=ops)
    page = opens("cy", "/projects/WEB?group=status&subgroup=label")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "205")
    assert page.locator(".row").count() <= 60
    grid.focus()
    page.keyboard.press("k")  # from the end
    expect(page.locator(".row.issue.on")).to_be_in_viewport()
    page.keyboard.press("z")
    expect(grid).to_have_attribute("aria-rowcount", "155")
    expect(page.locator(".row.head.on")).to_be_in_viewport()
    page.keyboard.press("Shift+Z")
    expect(grid).to_have_attribute("aria-rowcount", "1")
    page.keyboard.press("z")
    expect(grid).to_have_attribute("aria-rowcount", "155")
    page.keyboard.press("v")
    page.keyboard.press("y")
    timeline = page.locator(".timeline")
    timeline.focus()
    for _ in range(25):
        page.keyboard.press("j")
    expect(timeline.locator(".row.on")).to_be_in_viewport()
    assert page.locator(".row").count() <= 60


def test_rows_stand_as_close_as_somebody_wants_them(world: World, opens: Opens) -> None:
    key = issue(world, title="First")
    issue(world, title="Second")
    page = opens("cy", "/projects/WEB")

    def heights() -> list[float]:
        found: list[float] = page.locator(".row.issue").evaluate_all(
            "rows => rows.map(it => it.offsetHeight)"
        )
        return found

    assert heights() == [36, 36]
    page.get_by_role("button", name="Display").click()
    choose(page, "narrow rows")
    comes(page, heights, [28, 28])
    tops = page.locator(".row").evaluate_all("rows => rows.map(it => it.getBoundingClientRect().top)")
    assert {round(after - before) for before, after in pairwise(tops)} == {28}
    assert faults(page) == []
    page.goto(f"{world.url}/projects/WEB/table")
    expect(row(page, key)).to_be_visible()
    assert heights() == [28, 28]
    page.set_viewport_size({"width": 390, "height": 800})
    comes(page, heights, [36, 36])  # fingers need the room


def test_each_of_two_keys_in_one_frame_moves_the_cursor_of_a_board(world: World, opens: Opens) -> None:
    issue(world, title="First")
    second = issue(world, title="Second")
    call(world, "cy", "issues.transition", key=second, to_status="in_progress")
    page = opens("cy", "/projects/WEB/board")
    expect(page.locator(".card")).to_have_count(2)
    page.evaluate(
        "async () => { for (const key of ['j', 'ArrowRight']) {"
        " document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));"
        " await new Promise(drawn => setTimeout(drawn)); } }"
    )
    expect(page.locator(".card a:focus")).to_have_text("Second")
    expect(page.locator(".card.on")).to_contain_text("Second")


def test_lines_run_from_right_to_left_for_who_reads_so(world: World, opens: Opens) -> None:
    first, second = issue(world, title="First"), issue(world, title="Second")
    call(world, "cy", "issues.transition", key=second, to_status="in_progress")
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("Control+k")
    choose_command(page, "from right to left")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    key, title = (row(page, first).locator(name).bounding_box() for name in (".key", ".title"))
    assert key is not None
    assert title is not None
    assert title["x"] + title["width"] <= key["x"]
    assert faults(page) == []
    page.goto(f"{world.url}/projects/WEB/board")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")  # which is so before there is a board
    expect(page.locator(".card")).to_have_count(2)
    page.keyboard.press("j")
    expect(page.locator(".card.on")).to_contain_text("First")
    page.keyboard.press("ArrowLeft")  # what follows stands there
    expect(page.locator(".card.on")).to_contain_text("Second")
    page.keyboard.press("Shift+ArrowRight")
    settled(page)
    assert call(world, "cy", "issues.get", key=second)["lane"] == "todo"
