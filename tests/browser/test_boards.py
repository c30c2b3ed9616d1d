"""Boards of the web app in Chromium: made, arranged, narrowed, and worked on, with limits that hold."""

import re
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.app import Opens, choose, comes, intercept, opens, row, settled
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.fields.sample_values import field
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def column(page: Page, name: str) -> Any:
    return page.get_by_role("region", name=name, exact=True)


def flow(world: World) -> int:
    """A board with a column that takes one issue."""
    made: int = call(world, "cy", "boards.save", name="Flow", project="WEB", tql="project = WEB")["id"]
    columns = [
        {"name": "Next", "lanes": ["backlog", "todo"]},
        {"name": "Doing", "lanes": ["in_progress"], "limit": 1, "hard": True},
        {"name": "Done", "lanes": ["done"]},
    ]
    call(world, "cy", "boards.columns_set", id=made, columns=columns)
    call(world, "cy", "boards.quick_filter_save", id=made, filters=[{"name": "Bugs", "tql": "type = bug"}])
    return made


def test_an_issue_begins_in_the_column_that_is_asked_for(world: World, opens: Opens) -> None:
    page = opens("cy", "/projects/WEB/board")
    doing = column(page, "In progress")
    doing.get_by_role("button", name="New issue in In progress").click()
    dialog = page.get_by_role("dialog", name="New issue")
    expect(dialog.get_by_role("button", name="In progress")).to_be_visible()
    assert faults(page) == []
    dialog.get_by_label("More", exact=False).check()
    page.get_by_label("Title", exact=True).fill("Basket")
    page.keyboard.press("Enter")
    expect(doing.locator(".card")).to_contain_text("Basket")
    dialog.get_by_role("button", name="In progress").click()
    page.get_by_role("option", name="To do").click()
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    page.get_by_label("Title", exact=True).fill("Checkout")
    page.keyboard.press("Enter")
    expect(column(page, "To do").locator(".card")).to_contain_text("Checkout")
    page.keyboard.press("Escape")
    page.goto(f"{world.url}/boards/{flow(world)}")
    column(page, "Next").get_by_role("button", name="New issue in Next").click()
    page.get_by_label("Title", exact=True).fill("Voucher")
    page.keyboard.press("Enter")
    expect(column(page, "Next").locator(".card").filter(has_text="Voucher")).to_be_visible()
    assert call(world, "cy", "issues.get", key="WEB-3")["status"] == "Backlog"


def test_on_a_phone_a_board_opens_where_its_work_is(world: World, opens: Opens) -> None:
    issue(world, title="Basket", status="in_progress")
    page = opens("cy", "/")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{world.url}/projects/WEB/board")
    expect(column(page, "In progress").locator(".card")).to_be_in_viewport(ratio=0.9)


def test_a_board_is_made_and_arranged(world: World, opens: Opens) -> None:
    issue(world, title="Basket")
    page = opens("cy", "/boards")
    expect(page.locator("main")).to_contain_text("There is no board yet besides those of projects.")
    expect(page.locator(".boards").get_by_role("link", name="Website WEB")).to_have_attribute(
        "href", "/projects/WEB/board"
    )
    page.get_by_role("button", name="New board").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_be_focused()
    page.keyboard.type("Shop floor")
    dialog.get_by_label("On the project").select_option("WEB")
    dialog.get_by_role("button", name="Make board").click()
    expect(page.get_by_role("heading", name="Shop floor", level=1)).to_be_visible()
    expect(row(page, "WEB-1")).to_contain_text("Basket")
    dialog = settings(page)
    doing = dialog.get_by_role("group", name="Column In progress")
    doing.get_by_label("At most").fill("2")
    doing.get_by_label("Column In progress").last.fill("Doing")
    dialog.get_by_role("button", name="Quick filter").click()
    dialog.get_by_label("Name of the filter").fill("Bugs")
    dialog.get_by_label("Query of the filter").fill("type = nonsense")
    assert faults(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Query of the filter").fill("type = bug")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(column(page, "Doing")).to_contain_text("0 of 2")
    page.get_by_role("button", name="Bugs").click()
    expect(row(page, "WEB-1")).to_have_count(0)
    [made] = call(world, "cy", "boards.list")
    assert [(it["name"], it["limit"]) for it in made["columns"] if it["limit"]] == [("Doing", 2)]
    assert [it["tql"] for it in made["quick_filters"]] == ["type = bug"]


def settings(page: Page) -> Any:
    """The dialog of a board's settings, opened."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("option", name="Columns and filters").click()
    return page.get_by_role("dialog", name="Columns and filters")


def test_two_who_set_up_a_board_at_once_lose_nothing(world: World, opens: Opens) -> None:
    issue(world)
    board = flow(world)
    page = opens("cy", f"/boards/{board}")
    dialog = settings(page)
    dialog.get_by_role("group", name="Column Next").get_by_label("At most").fill("7")
    dialog.get_by_label("Name", exact=True).fill("Mine")
    page.keyboard.press("Escape")  # what is written stays
    theirs = call(world, "ana", "boards.get", id=board)
    theirs["columns"][2]["name"] = "Shipped"
    columns = [*theirs["columns"], {"name": "Waiting", "lanes": ["in_review"]}]
    call(world, "ana", "boards.columns_set", id=board, columns=columns)
    dialog = settings(page)
    expect(dialog.get_by_role("group", name="Column Waiting")).to_be_visible()
    expect(dialog.get_by_role("group", name="Column Next").get_by_label("At most")).to_have_value("7")
    call(world, "ana", "boards.save", id=board, name="Theirs", tql="project = WEB", swimlanes="priority")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Name: somebody made this “Theirs” meanwhile. Save again to keep yours."
    )
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Mine")
    expect(dialog.get_by_label("Rows by")).to_have_value("priority")
    assert faults(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    now = call(world, "ana", "boards.get", id=board)
    assert (now["name"], now["swimlanes"]) == ("Mine", "priority")
    assert [(it["name"], it["limit"]) for it in now["columns"]] == [
        ("Next", 7),
        ("Doing", 1),
        ("Shipped", None),
        ("Waiting", None),
    ]
    assert [it["name"] for it in now["quick_filters"]] == ["Bugs"]


def test_cards_show_what_a_board_chose_and_are_coloured(world: World, opens: Opens) -> None:
    field(world, "effort", "number")
    call(world, "ana", "labels.save", name="slow", color="#cc3333")
    key = issue(world, title="First", estimate=3, values={"effort": 2.5}, labels=["slow"], priority="high")
    other = issue(world, title="Second", due_date="2027-02-01")
    board = flow(world)
    page = opens("cy", f"/boards/{board}")
    expect(row(page, other)).to_contain_text("Feb 1")
    expect(page.locator(".stripe")).to_have_count(0)
    dialog = settings(page)
    for title in ("Estimate", "Effort"):
        dialog.get_by_label("Add a field…").select_option(label=title)
    dialog.get_by_role("button", name="Move Effort up").click()
    dialog.get_by_label("Colour by").select_option(label="Labels")
    assert faults(page) == []
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(row(page, key).locator(".fact")).to_have_text(["Effort: 2.5", "Estimate: 3", re.compile("slow")])
    expect(row(page, other).locator(".fact, .due")).to_have_count(0)
    expect(page.locator(".stripe")).to_have_count(1)
    colour = row(page, key).locator(".stripe").evaluate("it => getComputedStyle(it).backgroundColor")
    assert colour == "rgb(204, 51, 51)"
    call(world, "bo", "issues.update", key=key, values={"effort": 4})
    expect(row(page, key).locator(".fact").first).to_have_text("Effort: 4")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page) == []
    made = call(world, "cy", "boards.get", id=board)
    assert (made["card_fields"], made["color_by"]) == (["cf.effort", "estimate"], "label")
    page.reload()
    expect(row(page, key).locator(".fact")).to_have_count(3)


def test_cards_of_a_board_are_dropped_as_far_as_its_limits_let_them(world: World, opens: Opens) -> None:
    one, two, three = (issue(world, title=title) for title in ("First", "Second", "Third"))
    board = flow(world)
    page, other = opens("cy", f"/boards/{board}"), opens("bo", f"/boards/{board}")
    row(page, one).drag_to(column(page, "Doing"))
    expect(column(page, "Doing").locator(".key")).to_have_text([one])
    expect(column(other, "Doing").locator(".key")).to_have_text([one])
    settled(page)
    page.keyboard.press("Control+z")
    expect(column(page, "Next").locator(".card")).to_have_count(3)
    row(page, one).drag_to(column(page, "Doing"))
    expect(column(page, "Doing")).to_contain_text("1 of 1")
    settled(page)
    box, to = row(page, two).bounding_box(), column(page, "Doing").bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 24, steps=3)
    expect(column(page, "Doing")).to_have_class(re.compile("shut"))
    expect(column(page, "Doing")).to_contain_text("takes 1 issues at most")
    page.mouse.move(to["x"] + 40, to["y"] + 200, steps=3)
    page.mouse.up()
    expect(column(page, "Next").locator(".card")).to_have_count(2)
    row(page, two).get_by_role("link").focus()
    page.keyboard.press("Shift+ArrowRight")  # the limit is the server's to hold
    expect(row(page, two).locator(".refused")).to_be_visible()
    expect(column(page, "Next").locator(".card")).to_have_count(2)
    row(page, three).get_by_role("link").focus()
    page.keyboard.press("Shift+ArrowUp")
    expect(column(page, "Next").locator(".key")).to_have_text([three, two])
    expect(page.get_by_role("status").filter(has_text=f"{three}: Next, 1 of 2")).to_have_count(1)  # read out
    settled(page)
    shown = call(world, "bo", "boards.view", id=board)["columns"]
    assert [[it["key"] for it in part["issues"]] for part in shown] == [[three, two], [one], []]
    assert faults(page) == []


def is_held(page: Page, key: str) -> None:
    """Whoever moved a card sees it and has the cursor on it, wherever in its column it stands now."""
    card = row(page, key)
    expect(card).to_be_in_viewport(ratio=0.9)
    expect(card).to_have_class(re.compile(r"\bon\b"))
    expect(card.get_by_role("link")).to_be_focused()


@pytest.mark.parametrize("made", [False, True])
def test_a_card_that_is_moved_out_of_sight_is_brought_into_it(world: World, opens: Opens, made: bool) -> None:
    """By key it goes behind cards that are not drawn, by mouse behind the last that is."""
    one = issue(world, title="First", status="todo")
    there = [issue(world, title=f"Part {at}", status="in_progress") for at in range(52)]
    last, other = (issue(world, title=title, status="todo") for title in ("Last", "Other"))
    path = "/projects/WEB/board"
    if made:
        board = call(world, "cy", "boards.save", name="Flow", project="WEB", tql="project = WEB")["id"]
        path = f"/boards/{board}"
    page = opens("cy", path)
    page.set_viewport_size({"width": 1280, "height": 520})
    doing, todo = column(page, "In progress"), column(page, "To do")
    row(page, last).get_by_role("link").focus()
    page.keyboard.press("Shift+ArrowRight")
    is_held(page, last)
    expect(todo.locator(".card")).to_have_count(2)
    settled(page)
    page.wait_for_timeout(800)  # what the server says of the board comes behind that
    is_held(page, last)
    assert call(world, "cy", "issues.get", key=last)["status"] == "In progress"
    page.keyboard.press("ArrowUp")
    is_held(page, there[49])
    to = doing.bounding_box()
    row(page, other).drag_to(doing, target_position={"x": 60, "y": to["height"] - 6})
    expect(todo.locator(".card")).to_have_count(1)
    is_held(page, other)
    settled(page)
    row(page, one).drag_to(row(page, other))
    is_held(page, one)
    page.keyboard.press("Shift+ArrowLeft")
    is_held(page, one)
    expect(todo.locator(".card")).to_have_count(1)


def test_one_goes_straight_from_a_board_to_its_copy_and_back(world: World, opens: Opens) -> None:
    key = issue(world)
    board = call(world, "cy", "boards.save", name="Flow", tql="project = WEB")["id"]
    page = opens("cy", f"/boards/{board}")
    expect(row(page, key)).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    choose(page, "Copy")
    expect(page.get_by_role("heading", name="Copy of Flow")).to_be_visible()
    expect(row(page, key)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Flow", exact=True)).to_be_visible()
    expect(row(page, key)).to_be_visible()


def test_rows_of_a_board_give_what_is_dropped_into_them_their_value(world: World, opens: Opens) -> None:
    one = issue(world, title="First", assignees=["@bo"])
    issue(world, title="Second", assignees=["@cy"])
    board = flow(world)
    call(world, "cy", "boards.save", id=board, name="Flow", tql="project = WEB", swimlanes="assignee")
    page = opens("cy", f"/boards/{board}")
    mine = column(page, "Cy Moss")
    expect(mine.locator(".card")).to_have_count(1)
    row(page, one).drag_to(mine.get_by_role("region", name="Doing"))
    expect(mine.get_by_role("region", name="Doing").locator(".key")).to_have_text([one])
    settled(page)
    comes(page, lambda: call(world, "bo", "issues.get", key=one)["assignees"], [world.people["cy"].id])
    page.goto(f"{world.url}/boards/99")
    expect(page.locator(".empty")).to_be_visible()


def test_what_is_shown_more_of_a_column_stands_in_its_rows_and_stays(world: World, opens: Opens) -> None:
    keys = [issue(world, title=f"Part {at}", assignees=["@bo"]) for at in range(52)]
    board = flow(world)
    call(world, "cy", "boards.save", id=board, name="Flow", tql="project = WEB", swimlanes="assignee")
    page = opens("cy", f"/boards/{board}")
    first = column(page, "Bo Tran").get_by_role("region", name="Next")
    expect(first.locator(".card")).to_have_count(50)
    first.get_by_role("button", name="Show more").click()
    expect(first.locator(".card")).to_have_count(52)
    expect(first.get_by_role("button", name="Show more")).to_have_count(0)
    with page.expect_response("**/boards.view"):
        call(world, "bo", "issues.update", key=keys[0], title="Part of it")
    expect(row(page, keys[0])).to_contain_text("Part of it")
    expect(first.locator(".card")).to_have_count(52)


def test_an_answer_from_before_takes_no_card_out_of_the_row_it_was_dropped_into(
    world: World, opens: Opens
) -> None:
    one = issue(world, title="First", assignees=["@bo"])
    issue(world, title="Second", assignees=["@cy"])
    board = flow(world)
    call(world, "cy", "boards.save", id=board, name="Flow", tql="project = WEB", swimlanes="assignee")
    page = opens("cy", f"/boards/{board}")
    mine = column(page, "Cy Moss")
    expect(mine.locator(".card")).to_have_count(1)
    late: list[tuple[Route, APIResponse]] = []
    intercept(page, "**/boards.view", lambda route: late.append((route, route.fetch())))
    page.evaluate("dispatchEvent(new Event('focus'))")
    comes(page, lambda: len(late), 1)
    row(page, one).drag_to(mine.get_by_role("region", name="Next"))
    expect(mine.locator(".card")).to_have_count(2)
    [(asked, before), *_] = late
    asked.fulfill(response=before)
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 50)))")
    expect(mine.locator(".card")).to_have_count(2)
    page.unroute_all(behavior="ignoreErrors")
    settled(page)
    comes(page, lambda: call(world, "bo", "issues.get", key=one)["assignees"], [world.people["cy"].id])


def test_long_names_make_no_screen_of_boards_wider_than_it_is(world: World, opens: Opens) -> None:
    long = "<img src=x onerror=alert(1)> " + "Regal" * 24
    board = call(world, "cy", "boards.save", name=long, project="WEB", tql="project = WEB")["id"]
    call(world, "cy", "boards.columns_set", id=board, columns=[{"name": long, "lanes": ["todo"]}])
    call(world, "cy", "boards.quick_filter_save", id=board, filters=[{"name": long, "tql": "type = bug"}])
    call(
        world,
        "bo",
        "issues.template_save",
        name=long,
        project="WEB",
        type="task",
        input={"title": "{{title}} " + long},
    )
    page = opens("cy", f"/boards/{board}")
    page.set_viewport_size({"width": 390, "height": 800})
    wide = "it => it.scrollWidth - it.clientWidth"
    expect(column(page, long)).to_be_visible()
    assert page.locator("html").evaluate(wide) == 0
    assert column(page, long).bounding_box()["width"] <= 320
    page = opens("cy", "/projects/WEB")
    page.set_viewport_size({"width": 390, "height": 800})
    page.keyboard.press("c")
    page.get_by_role("dialog").get_by_role("button", name="Template").click()
    choose(page, "Regal")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("adds when it is made")
    assert dialog.evaluate(wide) == 0
    assert page.locator("html").evaluate(wide) == 0
