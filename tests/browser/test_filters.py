"""Filters of the web app in Chromium: chips and text say the same, find what the server finds, and become views."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, comes, opens, row
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

READ_HERE = (
    "open",
    "done",
    "not mine and open",
    "mine",
    "unassigned",
    "overdue",
    "blocked",
    "assignee = me()",
    "assignee in (@bo, empty)",
    "assignee != @bo",
    'status = "In progress"',
    'status in (todo, "In progress") and priority in (urgent, high)',
    "priority not in (none, low)",
    "label = 'Needs \"care\"'",
    "label != slow",
    "label is empty",
    "label is not empty open",
    "component in (Cart, empty)",
    "component is empty and not open",
    "type = bug",
    'type != "Bug"',
    "project = WEB",
    "project != web",
    "reporter = @bo",
    "PARENT is empty",
    "parent = WEB-1",
    "parent != WEB-1 and OPEN",
    'sprint = "Cart 7"',
    "sprint = openSprints()",
    "sprint != opensprints() and open",
    "sprint is empty",
    'sprint in (openSprints(), "Cart 8")',
    'sprint not in ("Cart 8", empty)',
)
"""Queries that the app reads itself, as people write them."""
LEFT_TO_THE_SERVER = (
    "priority = urgent or unassigned",
    "updated >= -7d",
    'title ~ "cart"',
    "due < 2027-01-01",
    "(open)",
    "open order by created",
)


def shown(page: Page) -> set[str]:
    """The keys of all rows, however they are grouped."""
    return set(page.locator(".row.issue .key").all_inner_texts())


def populate(world: World) -> None:
    call(world, "ana", "labels.save", name="slow")
    call(world, "ana", "labels.save", name='Needs "care"')
    call(world, "ana", "components.save", project="WEB", name="Cart")
    first = issue(world, title="Epic", type="epic")
    assert first == "WEB-1"
    issue(world, title="Below", parent=first, priority="urgent", labels=["slow"])
    issue(world, who="bo", title="Of bo", assignees=["@bo"], components=["Cart"], priority="high")
    issue(world, title="Mine", assignees=["me"], labels=['Needs "care"', "slow"], due_date="2026-01-05")
    issue(world, title="Both", assignees=["@bo", "me"], type="bug", labels=['Needs "care"'])
    begun, ended = issue(world, title="Begun", priority="low"), issue(world, title="Ended", type="bug")
    call(world, "cy", "issues.transition", key=begun, to_status="in_progress")
    call(world, "cy", "issues.transition", key=ended, to_status="done")
    call(world, "cy", "issues.relation_add", key="WEB-2", kind="blocks", to=[begun])
    call(world, "cy", "projects.create", key="TWO", name="Second")
    issue(world, project="TWO", title="Elsewhere")
    for name, keys in (("Cart 7", ["WEB-2", "WEB-3"]), ("Cart 8", ["WEB-4"])):
        made = call(world, "cy", "sprints.create", name=name, projects=["WEB"], end_date="2027-03-01")
        call(world, "cy", "sprints.add", id=made["id"], keys=keys)
        if name == "Cart 7":
            call(world, "cy", "sprints.start", id=made["id"])


def test_what_the_app_reads_itself_finds_what_the_server_finds(world: World, opens: Opens) -> None:
    populate(world)
    page = opens("cy", "/issues")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
    for tql in READ_HERE + LEFT_TO_THE_SERVER:
        del asked[:]
        page.evaluate(
            "tql => { history.pushState({}, '', `/issues?group=none&${new URLSearchParams({ tql })}`);"
            " dispatchEvent(new PopStateEvent('popstate')); }",
            tql,
        )
        result = call(world, "cy", "tql.run", tql=tql, fields=["key"], limit=50)
        more = page.get_by_role("button", name=re.compile(r"^Show \d+ done$"))
        page.wait_for_timeout(50 if tql in READ_HERE else 300)
        if more.count():
            more.click()
        found = {key for [key] in result["rows"]}
        expect(page.locator(".row.issue")).to_have_count(len(found))
        comes(page, lambda: shown(page), found)
        assert ("tql.run" in asked) == (tql in LEFT_TO_THE_SERVER), tql
        hide = page.get_by_role("button", name="Hide what is done")
        if hide.count():
            hide.click()


def test_chips_are_made_turned_and_saved_as_a_view_that_others_have(world: World, opens: Opens) -> None:
    populate(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("f")
    choose(page, "label")
    expect(page.locator("dialog li").filter(has_text="slow")).to_contain_text("2")
    choose(page, "slow")
    page.keyboard.press("Escape")
    expect(page.locator(".row.issue")).to_have_count(2)
    page.get_by_role("button", name="is", exact=True).click()
    expect(page.get_by_role("button", name="is not", exact=True)).to_be_visible()
    page.wait_for_url("**?tql=label+%21%3D+%22slow%22")
    expect(row(page, "WEB-2")).to_have_count(0)
    page.keyboard.press("f")
    choose(page, "unassigned")
    page.get_by_role("button", name="Display").click()
    choose(page, "group by: priority")
    expect(page.locator(".row.head .name")).to_have_text(["Low", "No priority"])
    comes(page, lambda: shown(page), {"WEB-1", "WEB-6"})  # WEB-7 is done
    assert faults(page) == []
    page.get_by_role("button", name="Save as view").click()
    page.get_by_label("Name").fill("Nobody's & quick")
    page.get_by_label("Everybody sees it").check()
    page.keyboard.press("Enter")
    page.wait_for_url("**/views/*")
    expect(page.get_by_role("heading", name="Nobody's & quick")).to_be_visible()
    comes(page, lambda: shown(page), {"WEB-1", "WEB-6"})
    [view] = call(world, "bo", "views.list")
    assert (view["tql"], view["group_by"], view["layout"], view["shared"]) == (
        'project = WEB and label != "slow" and unassigned',
        "priority",
        "list",
        True,
    )
    change_and_delete(world, page, view["id"])


def change_and_delete(world: World, page: Page, view: int) -> None:
    page.get_by_role("button", name="Board", exact=True).click()
    expect(page.locator(".card")).to_have_count(3)
    page.get_by_role("button", name="Save in this view").click()
    page.get_by_role("button", name="Save view").click()
    expect(page.get_by_role("button", name="Save in this view")).to_have_count(0)
    comes(page, lambda: call(world, "cy", "views.get", id=view)["layout"], "board")
    page.reload()
    expect(page.locator(".card")).to_have_count(3)
    page.get_by_role("button", name="More of this view").click()
    choose(page, "delete")
    page.wait_for_url("**/issues")
    expect(page.get_by_role("link", name="Nobody's & quick")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.get_by_role("link", name="Nobody's & quick")).to_be_visible()


def test_the_query_as_text_is_completed_checked_and_explained(world: World, opens: Opens) -> None:
    populate(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("Shift+F")
    box = page.get_by_role("textbox", name="Query")
    expect(box).to_be_focused()
    page.keyboard.type("open and asignee = @bo")
    expect(page.locator(".fault mark")).to_have_text("asignee")
    page.keyboard.press("Enter")  # what cannot be read is not shown
    page.get_by_role("button", name="Write “assignee”").click()
    expect(page.get_by_role("status").filter(has_text="Finds 2 issues.")).to_be_visible()
    page.get_by_text("Why is an issue in it, or not?").click()
    page.get_by_label("Key of the issue").fill("web-7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("WEB-7 is not in it:")).to_be_visible()
    expect(page.locator("dialog li.wrong")).to_have_count(2)
    assert faults(page) == []
    box.press("End")
    page.keyboard.type(" and prio")
    page.locator(".proposed button").first.wait_for()
    page.keyboard.press("Tab")
    expect(box).to_have_value(re.compile("and priority"))
    page.keyboard.type(" = high")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    comes(page, lambda: shown(page), {"WEB-3"})
    expect(page.locator(".filter-chip")).to_have_count(3)
    call(world, "bo", "issues.update", key="WEB-5", priority="high")
    expect(row(page, "WEB-5")).to_be_visible()


def test_of_many_one_sees_first_what_would_change(world: World, opens: Opens) -> None:
    keys = [issue(world, title=f"Number {at}") for at in range(22)]
    call(world, "cy", "issues.update", key=keys[0], priority="high")
    page = opens("cy", "/projects/WEB")
    expect(page.locator(".row.issue").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("p")
    choose(page, "high")
    expect(page.get_by_role("dialog", name="Change many issues")).to_contain_text(
        "21 of 22 issues will change."
    )
    assert faults(page) == []
    assert call(world, "cy", "tql.count", tql="priority = high")["count"] == 1
    page.get_by_role("button", name="Change 21 issues").click()
    expect(page.get_by_role("status").filter(has_text="21 issues changed.")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    assert call(world, "cy", "tql.count", tql="priority = high")["count"] == 22
    page.keyboard.press("Control+z")
    expect(page.get_by_role("status").filter(has_text="Taken back: Priority: High")).to_be_visible()
    assert call(world, "cy", "tql.count", tql="priority = high")["count"] == 1


def test_what_stayed_of_many_is_told_and_tried_again(world: World, opens: Opens) -> None:
    for at in range(21):
        issue(world, title=f"Number {at}")
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="viewer")
    kept = issue(world, project="SEC", title="Not theirs to change")
    page = opens("di", "/issues")
    expect(page.locator(".row.issue").first).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.press("p")
    choose(page, "high")
    dialog = page.get_by_role("dialog", name="Change many issues")
    expect(dialog).to_contain_text("21 of 22 issues will change.")
    expect(dialog).to_contain_text("1 issue stays: ")
    page.get_by_role("button", name="Change 21 issues").click()
    expect(dialog).to_contain_text("21 issues changed.")
    expect(dialog.locator("details p")).to_have_text(kept)
    assert faults(page) == []
    call(world, "cy", "projects.member_set", key="SEC", who="@di", role="member")
    dialog.get_by_role("button", name="Try 1 issue again").click()
    dialog.get_by_role("button", name="Change 1 issue").click()
    expect(dialog).to_have_count(0)
    assert call(world, "cy", "tql.count", tql="priority = high")["count"] == 22


def test_a_project_opens_with_the_view_that_its_lead_says(world: World, opens: Opens) -> None:
    call(world, "cy", "projects.create", key="TWO", name="Second")
    for title, more in (("Mine", {"assignees": ["me"]}), ("Late", {"priority": "high"}), ("Calm", {})):
        issue(world, project="TWO", title=title, **more)
    found = {"name": "Nobody's", "tql": "unassigned", "group_by": "priority", "project": "TWO"}
    view = call(world, "cy", "views.save", **found)["id"]
    theirs = opens("di", "/projects/TWO")
    comes(theirs, lambda: shown(theirs), {"TWO-1", "TWO-2", "TWO-3"})
    page = opens("cy", f"/views/{view}")
    page.get_by_role("button", name="More of this view").click()
    choose(page, "second (two) opens")
    expect(page.get_by_role("status").filter(has_text="Second opens with “Nobody's”")).to_be_visible()
    comes(theirs, lambda: shown(theirs), {"TWO-2", "TWO-3"})
    theirs.goto(f"{world.url}/projects/TWO")
    expect(theirs.get_by_role("heading", name="Second")).to_be_visible()
    expect(theirs.locator(".row.head .name")).to_have_text(["High", "No priority"])
    assert faults(theirs) == []
    theirs.keyboard.press("j")
    expect(theirs.locator(".row.on")).to_have_count(1)
    call(world, "cy", "projects.update", key="TWO", default_view=None)
    call(world, "cy", "issues.update", key="TWO-2", title="Later")
    expect(row(theirs, "TWO-2")).to_contain_text("Later")
    comes(theirs, lambda: shown(theirs), {"TWO-2", "TWO-3"})  # not under the row that they are at
    call(world, "cy", "projects.update", key="TWO", default_view=view)
    follow_and_leave(world, theirs)
    call(world, "cy", "views.delete", id=view)
    theirs.goto(f"{world.url}/projects/TWO")
    comes(theirs, lambda: shown(theirs), {"TWO-1", "TWO-2", "TWO-3"})
    expect(theirs.get_by_text("Nobody's")).to_have_count(0)


def follow_and_leave(world: World, page: Page) -> None:
    """What is changed there stands in the address with the view, which another filter goes before."""
    page.keyboard.press("v")
    page.keyboard.press("b")
    expect(page.locator(".card")).to_have_count(2)
    page.wait_for_url("**/projects/TWO?view=*&layout=board")
    page.reload()
    expect(page.locator(".card")).to_have_count(2)
    page.get_by_role("button", name="As the view has it").click()
    expect(page.locator(".row.head .name")).to_have_text(["High", "No priority"])
    page.get_by_role("button", name="All issues of the project").click()
    comes(page, lambda: shown(page), {"TWO-1", "TWO-2", "TWO-3"})
    page.get_by_role("button", name="Nobody's", exact=True).click()
    comes(page, lambda: shown(page), {"TWO-2", "TWO-3"})
    page.goto(f"{world.url}/projects/TWO?tql=mine+or+assignee+%3D+%40cy")
    comes(page, lambda: shown(page), {"TWO-1"})
    page.goto(f"{world.url}/projects/TWO/board")
    expect(page.locator(".card")).to_have_count(3)


def test_a_view_for_all_opens_some_projects_and_a_new_one_is_saved_from_it(
    world: World, opens: Opens
) -> None:
    for key in ("TWO", "THREE"):
        call(world, "cy", "projects.create", key=key, name="Same")
        issue(world, project=key, title="Open")
    issue(world, project="TWO", title="Urgent", priority="urgent")
    view = call(world, "cy", "views.save", name="Open ones", tql="open", shared=True)["id"]
    page = opens("cy", f"/views/{view}")
    page.get_by_role("button", name="More of this view").click()
    choose(page, "open a project")
    choose(page, "(two)")
    comes(page, lambda: call(world, "di", "projects.get", key="TWO")["default_view"], view)
    assert call(world, "di", "projects.get", key="THREE")["default_view"] is None
    page.goto(f"{world.url}/projects/TWO")
    expect(page.locator(".row.issue")).to_have_count(2)
    page.keyboard.press("f")
    choose(page, "priority")
    choose(page, "urgent")
    page.keyboard.press("Escape")
    expect(page.locator(".row.issue")).to_have_count(1)
    page.get_by_role("button", name="Save in this view").click()
    page.get_by_label("Save as a new view").check()
    page.get_by_label("Name").fill("Urgent ones")
    page.keyboard.press("Enter")
    page.wait_for_url("**/views/*")
    texts = {one["name"]: one["tql"] for one in call(world, "cy", "views.list")}
    assert texts == {"Open ones": "open", "Urgent ones": "project = TWO and open and priority = urgent"}
    page.goto(f"{world.url}/projects/TWO")
    page.get_by_role("button", name="More of this view").click()
    choose(page, "same (two) opens")
    expect(page.get_by_role("status").filter(has_text="Same opens with all of its issues")).to_be_visible()
    assert call(world, "di", "projects.get", key="TWO")["default_view"] is None
    page.keyboard.press("Control+z")
    comes(page, lambda: call(world, "di", "projects.get", key="TWO")["default_view"], view)
    page.goto(f"{world.url}/settings/projects/TWO")
    page.get_by_label("Its issues open with").select_option("All issues")
    page.get_by_role("button", name="Save", exact=True).first.click()
    comes(page, lambda: call(world, "di", "projects.get", key="TWO")["default_view"], None)
