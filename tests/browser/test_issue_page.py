"""The page of an issue in Chromium: what hangs on it, what was said and changed, and how it is written."""

import base64
import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app import (
    Opens,
    choose,
    comes,
    highlighted,
    intercept,
    opens,
    selected,
    settled,
    unanswered,
)
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="
)
NASTY = '<img src=x onerror="document.title=1">**bold**'
PASTE = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], name, { type: "image/png" }));
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def beginnings(page: Page) -> list[str]:
    """With what each line of the activity begins."""
    return [text.split()[0] for text in page.locator(".comments > li").all_inner_texts()]


def test_what_hangs_on_an_issue_is_made_and_taken_off_there(world: World, opens: Opens) -> None:
    key, other = issue(world, title="Cart", type="epic"), issue(world, title="The other one")
    page = opens("cy", f"/issues/{key}")
    page.get_by_role("button", name="Checklist").click()
    expect(page.locator("input:focus")).to_be_visible()
    page.keyboard.type("Write a test")
    page.keyboard.press("Enter")
    page.keyboard.type("Mend it")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Mend it", exact=True)).to_be_visible()
    page.get_by_label("Write a test", exact=True).check()
    expect(page.get_by_text("1 of 2")).to_be_visible()
    page.get_by_role("button", name="Relate to an issue").click()
    choose(page, "blocked by")
    choose(page, "other")
    expect(page.get_by_role("region", name="Related")).to_contain_text(f"{other}The other one")
    page.get_by_role("button", name="Add one below").click()
    page.keyboard.type("A part of it")
    page.keyboard.press("Enter")
    page.set_input_files("input[type=file]", {"name": "dot.png", "mimeType": "image/png", "buffer": PICTURE})
    expect(page.get_by_role("button", name="dot.png", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("region", name="Below it")).to_contain_text("A part of it")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        assert faults(page) == []
    found = call(world, "cy", "issues.get", key=key, **{"with": ["relations", "children", "checklist"]})
    assert [(one["text"], one["done"]) for one in found["checklist"]["items"]] == [
        ("Write a test", True),
        ("Mend it", False),
    ]
    assert [(one["kind"], one["direction"], one["issue"]["key"]) for one in found["relations"]] == [
        ("blocks", "in", other)
    ]
    assert [one["title"] for one in found["children"]] == ["A part of it"]
    page.get_by_role("button", name="Delete dot.png").click()
    page.get_by_role("button", name=f"Relate it to {other} no more").click()
    expect(page.get_by_role("region", name="Related")).to_have_count(0)
    expect(page.get_by_role("region", name="Files")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.get_by_role("region", name="Related")).to_be_visible()


def test_rooms_keep_their_looks_to_themselves(world: World, opens: Opens) -> None:
    key = issue(world)
    for text in ("Write a test", "Mend it"):
        call(world, "cy", "checklists.add", key=key, text=text)
    page = opens("cy", f"/issues/{key}")
    drawn = "it => [it, it.parentElement].map(one => JSON.stringify(one.getBoundingClientRect()))"
    looks = page.locator(".check").first.evaluate(drawn)
    for room in ("Settings", "Flags", "Inbox"):
        page.locator(".rail").get_by_role("link", name=room).click()
        expect(page.locator(".late-word")).to_have_count(0)
        expect(page.locator("main h1")).to_have_text(room)
        page.go_back()
        expect(page.locator(".check")).to_have_count(2)
        comes(page, lambda: page.locator(".check").first.evaluate(drawn), looks)


def test_people_talk_in_threads_and_see_what_was_changed_between(world: World, opens: Opens) -> None:
    key = issue(world, title="Cart")
    said = call(world, "bo", "comments.create", subject=f"issue:{key}", body="Since when?")
    page = opens("cy", f"/issues/{key}")
    page.get_by_text("Since when?").hover()
    page.get_by_role("button", name="Reply").click()
    page.keyboard.type("Since Monday, says @b")
    expect(page.get_by_role("option", name="Bo")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".replies")).to_contain_text("Since Monday, says @bo")
    page.get_by_text("Since when?").hover()
    page.get_by_role("button", name="React").first.click()
    choose(page, "hooray")
    expect(page.get_by_role("button", name="🎉 by Cy")).to_have_text("🎉 1")
    page.keyboard.press("m")
    page.get_by_label("Internal note").check()
    expect(page.get_by_text("guests and customers never do")).to_be_visible()
    page.get_by_role("textbox", name="Write an internal note").fill(NASTY)
    page.get_by_role("button", name="Add internal note").click()
    expect(page.locator(".thread.internal strong").last).to_have_text("bold")
    call(world, "bo", "issues.update", key=key, priority="urgent", title="The cart")
    expect(page.locator(".change")).to_contain_text("Bo Tran changed priority from No priority to Urgent")
    comments = call(world, "cy", "comments.list", subject=f"issue:{key}")
    assert [(one["author"], one["parent"], one["internal"]) for one in comments][1:] == [
        (world.people["cy"].id, said["id"], False),
        (world.people["cy"].id, None, True),
    ]
    page.get_by_text("Since when?").hover()
    page.get_by_role("button", name="Resolve").first.click()
    expect(page.get_by_text("Resolved by Cy Moss: Since when?")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Hide what was changed").click()
    expect(page.locator(".change")).to_have_count(0)
    page.get_by_role("button", name="Show what was changed").focus()
    page.get_by_role("button", name="Show what was changed").press("Enter")
    intercept(page, "**/api/v1/api.batch", lambda route: route.abort())  # said, and then the network is gone
    page.get_by_role("textbox", name="Write an internal note").fill("The last word")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("textbox", name="Write an internal note")).to_have_value("")
    expect(page.get_by_role("status").filter(has_text="not sent")).to_have_count(0)
    page.unroute_all()
    expect(page.locator(".said", has_text="The last word")).to_be_visible()


def test_words_of_a_description_are_spoken_about_also_while_the_network_is_gone(
    world: World, opens: Opens
) -> None:
    key = issue(world, title="Cart", body="The total is wrong.\n\n- the total of vouchers\n- the rest")
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator(".remarks")).to_be_attached()
    page.keyboard.press("Space")
    expect(page.locator(".remarks")).to_have_count(0)
    with selected(page, "total", 1):
        page.keyboard.press("Space")
    page.keyboard.press("/")
    expect(page.locator("dialog.palette input")).to_be_focused()
    page.keyboard.type("Comment on this")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Write a comment")).to_be_focused()
    page.keyboard.type("Of which?")
    intercept(page, "**/api/v1/comments.create", lambda route: route.abort())
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Not sent")).to_be_visible()
    expect(page.locator(".write .quoted")).to_contain_text("On: total")  # it stays with the words
    page.unroute("**/api/v1/comments.create")
    page.get_by_label("Internal note").check()
    page.get_by_role("textbox", name="Write an internal note").press("Control+Enter")
    expect(page.locator(".thread.internal .quoted")).to_contain_text("On: “total”")
    [said] = call(world, "bo", "comments.list", subject=f"issue:{key}")
    anchor = json.loads(said["anchor"])
    assert (said["internal"], anchor["exact"], anchor["suffix"][:12]) == (True, "total", " of vouchers")
    assert highlighted(page) == ["total"]
    page.get_by_role("button", name="Cy Moss on “total”").click()
    expect(page.locator(".said")).to_be_focused()
    assert faults(page) == []
    call(world, "bo", "issues.update", key=key, body="All is well.")
    expect(page.locator(".thread")).to_contain_text("These words are not in the text any more.")


def test_a_comment_sent_before_it_is_known_who_reads_it_goes_then(world: World, opens: Opens) -> None:
    issue(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("j")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    intercept(page, "**/api/v1/api.batch", hold, times=1)
    page.keyboard.press("Space")
    page.keyboard.press("m")
    expect(page.get_by_label("Write a comment")).to_be_focused()
    page.keyboard.type("Seen *twice* today.")
    page.keyboard.press("Control+Enter")
    comes(page, lambda: len(held) > 0, True)
    held[0].continue_()
    expect(page.locator(".said em")).to_have_text("twice")
    expect(page.get_by_label("Write a comment")).to_have_value("")


def test_a_comment_is_edited_and_what_is_new_since_one_looked_is_marked(world: World, opens: Opens) -> None:
    key = issue(world)
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Frist")
    page = opens("cy", f"/issues/{key}")
    page.get_by_text("Frist").hover()
    page.locator(".said").get_by_role("button", name="Edit").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("First")
    page.keyboard.press("Escape")
    page.reload()  # it is not lost
    expect(page.get_by_role("textbox", name="Edit")).to_have_value("First")
    edit = page.get_by_role("textbox", name="Edit")
    with unanswered(page, "comments.update", page.get_by_role("button", name="Save")):
        edit.fill("First of")
    expect(page.locator(".said")).to_contain_text("edited")
    assert call(world, "cy", "comments.list", subject=f"issue:{key}")[0]["body"] == "First"
    expect(edit).to_have_value("First of")  # what was written on is not lost
    edit.fill("First")
    edit.press("Control+Enter")
    expect(page.locator(".said .prose")).to_have_text("First")
    page.goto(f"{world.url}/issues")
    world.clock.advance(60)
    call(world, "bo", "comments.create", subject=f"issue:{key}", body="Second")
    page.goto(f"{world.url}/issues/{key}")
    expect(page.get_by_text("New since you looked last")).to_be_visible()
    comes(page, lambda: beginnings(page)[-2:], ["New", "BT"])  # behind it, what Bo Tran said
    page.locator(".said", has_text="First").hover()
    page.locator(".said", has_text="First").get_by_role("button", name="Delete").click()
    expect(page.locator(".said")).to_have_count(1)


def test_texts_are_written_with_pictures_lists_and_forms(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    page.get_by_role("region", name="Description").get_by_role("button", name="Edit").click()
    box = page.get_by_role("textbox", name="Description")
    page.keyboard.type("/ta")
    expect(page.get_by_role("option", name="Task list")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type("one")
    page.keyboard.press("Enter")
    page.keyboard.type("two")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # an empty item ends the list
    page.keyboard.type("bold")
    for _ in range(4):
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Control+b")
    expect(box).to_have_value("- [ ] one\n- [ ] two\n**bold**")
    page.keyboard.press("End")
    page.evaluate(PASTE, ["shot.png", base64.b64encode(PICTURE).decode()])
    expect(page.get_by_role("button", name="shot.png", exact=True)).to_be_visible()
    page.get_by_role("region", name="Activity").click()
    page.reload()  # what is not saved is there again
    box.press("Control+Enter")
    picture = page.get_by_role("region", name="Description").get_by_role("img", name="shot.png")
    expect(picture).to_be_visible()
    comes(page, lambda: picture.evaluate("it => it.complete && it.naturalWidth"), 1)
    [file] = call(world, "cy", "attachments.list", subject=f"issue:{key}")
    body = call(world, "cy", "issues.get", key=key)["body"]
    assert body == f"- [ ] one\n- [ ] two\n**bold**\n![shot.png](/files/{file['id']}?w=1280)\n"


def test_who_may_only_look_changes_nothing_there(world: World, opens: Opens) -> None:
    key = issue(world)
    call(world, "cy", "checklists.add", key=key, text="Mend it")
    call(world, "cy", "comments.create", subject=f"issue:{key}", body="Look")
    call(world, "ana", "projects.member_set", key="WEB", who="@gus", role="viewer")
    page = opens("gus", f"/issues/{key}")
    expect(page.get_by_text("Look", exact=True)).to_be_visible()
    expect(page.get_by_label("Mend it", exact=True)).to_be_disabled()
    for name in ("Add one below", "Relate to an issue", "Attach files", "Reply", "React", "Edit", "Delete"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_a_description_that_others_changed_meanwhile_is_not_written_over(world: World, opens: Opens) -> None:
    key = issue(world, body="Theirs and mine")
    page = opens("cy", f"/issues/{key}")
    page.get_by_role("region", name="Description").get_by_role("button", name="Edit").click()
    box = page.get_by_role("textbox", name="Description")
    box.fill("Mine")
    intercept(page, "**/api/v1/api.batch", lambda route: route.abort())  # what they wrote is on its way
    call(world, "bo", "issues.update", key=key, body="Theirs", priority="high")
    expect(page.locator(".fields")).to_contain_text("High")
    page.keyboard.press("Escape")
    expect(box).to_have_value("Mine")
    box.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Description")
    assert call(world, "cy", "issues.get", key=key)["body"] == "Theirs"
    page.unroute_all()
    page.get_by_role("alert").get_by_role("button", name="Keep mine").click()
    settled(page)
    assert call(world, "cy", "issues.get", key=key)["body"] == "Mine"


def test_what_a_description_said_before_is_compared_and_comes_back(world: World, opens: Opens) -> None:
    key = issue(world, title="Cart", body="The cart is empty.")
    page = opens("cy", f"/issues/{key}")
    about = page.get_by_role("region", name="Description")
    about.get_by_role("button", name="Earlier").click()
    dialog = page.get_by_role("dialog", name="What it said before")
    expect(dialog).to_contain_text("Nobody wrote over it yet.")
    dialog.get_by_role("button", name="Close").click()
    call(world, "bo", "issues.update", key=key, body="The cart is full.", title="Basket")
    call(world, "bo", "issues.update", key=key, body="The cart is full of tea.")
    expect(about).to_contain_text("full of tea")
    about.get_by_role("button", name="Earlier").click()
    expect(dialog.locator("ins")).to_have_text(re.compile("of tea"))
    dialog.get_by_label("As it was written by").select_option(index=1)
    expect(dialog.locator("del").first).to_contain_text("Cart")
    expect(dialog.locator("del").last).to_contain_text("empty")
    page.set_viewport_size({"width": 390, "height": 800})
    assert faults(page) == []
    dialog.get_by_role("button", name="Bring it back").click()
    expect(dialog).to_have_count(0)
    expect(about).to_contain_text("The cart is empty.")
    found = call(world, "bo", "issues.get", key=key)
    assert (found["title"], found["body"]) == ("Cart", "The cart is empty.")
    page.keyboard.press("Control+z")
    expect(about).to_contain_text("full of tea")


def test_what_is_written_into_an_item_stays_while_others_tick(world: World, opens: Opens) -> None:
    key = issue(world, title="Ship it")
    call(world, "ana", "checklists.add", key=key, text="Write the test\nMend it")
    page = opens("cy", f"/issues/{key}")
    line = page.get_by_label("Item “Write the test”")
    line.fill("Write two tests")
    call(world, "bo", "checklists.update", id=2, done=True)
    expect(page.get_by_label("Mend it", exact=True)).to_be_checked()
    expect(line).to_have_value("Write two tests")
    page.keyboard.press("Escape")
    expect(line).to_have_value("Write the test")
    line.fill("Write two tests")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Write two tests", exact=True)).to_be_visible()
    items = call(world, "cy", "checklists.list", key=key)["items"]
    assert [(one["text"], one["done"]) for one in items] == [("Write two tests", False), ("Mend it", True)]


def test_who_else_is_at_an_issue_and_writes_there_is_shown(world: World, opens: Opens) -> None:
    key = issue(world, title="Cart")
    page, other = opens("cy", f"/issues/{key}"), opens("bo", f"/issues/{key}")
    others = page.locator("article .others")
    expect(others).to_contain_text("Bo Tran looks at it")
    other.keyboard.press("m")
    expect(others).to_contain_text("Bo Tran writes a comment")
    expect(others.locator(".other.replying")).to_be_visible()
    assert faults(page) == []
    other.keyboard.press("Escape")
    expect(others).to_contain_text("Bo Tran looks at it")
    other.goto(f"{world.url}/issues")
    expect(others).not_to_contain_text("Bo Tran")
