"""Spaces and pages in the web app: made, written by several at once, arranged, talked about and looked after."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app import Opens, choose, choose_command, comes, highlighted, intercept, opens, select
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import outline, page, space
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

LONG = (
    "# First day\n\n- [ ] Say hello @bo\n- [x] Get a key\n\n# Later\n\n"
    "See [[Rules]] and WEB-1, not UTF-8 or `WEB-2`.\n\n## Much later\n\nRest.\n"
)


def branch(tab: Page, title: str) -> Any:
    return tab.get_by_role("treeitem", name=title, exact=True)


def text_box(tab: Page) -> Any:
    box = tab.get_by_role("textbox", name="Text of the page")
    expect(box).to_be_focused()
    return box


def write(tab: Page) -> Any:
    """Begin to, by the key, as Markdown."""
    expect(tab.get_by_role("button", name="Edit E")).to_be_visible()
    tab.keyboard.press("e")
    if tab.evaluate("localStorage.getItem('kbwork.writing')") is None:
        tab.get_by_role("button", name="Markdown", exact=True).click()
    return text_box(tab)


def more(tab: Page, words: str) -> None:
    """What stands behind the three dots."""
    tab.get_by_role("button", name="More", exact=True).click()
    choose(tab, words)


def body(world: World, ident: str, **more: Any) -> Any:
    return call(world, "cy", "pages.get", id=ident, **more)["body"]


def press(tab: Page, name: str, key: str) -> None:
    """A key on a line of the tree, once that has the focus."""
    expect(branch(tab, name)).to_be_focused()
    tab.keyboard.press(key)


def test_a_space_is_made_filled_and_arranged_by_keys(world: World, opens: Opens) -> None:
    tab = opens("cy")
    tab.keyboard.press("g")
    tab.keyboard.press("p")
    expect(tab.get_by_text("Nothing is written down yet.")).to_be_visible()
    assert faults(tab) == []
    tab.locator(".top").get_by_role("button", name="New space").click()
    dialog = tab.get_by_role("dialog", name="New space")
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    tab.keyboard.type("Handbook")
    expect(dialog.get_by_label("Key")).to_have_value("HAND")
    assert faults(tab) == []
    dialog.get_by_role("button", name="Make space").click()
    expect(tab.get_by_role("heading", name="Handbook", level=1)).to_be_visible()
    for title in ("Welcome", "Rules"):
        tab.locator(".top").get_by_role("button", name="New page").click()
        dialog = tab.get_by_role("dialog", name="New page")
        expect(dialog.get_by_label("Title")).to_be_focused()
        tab.keyboard.type(title)
        dialog.get_by_label("Below").select_option("")
        tab.keyboard.press("Enter")
        text_box(tab).fill(f"Of {title}")
        tab.keyboard.press("Control+Enter")
        expect(tab.get_by_role("article", name=title).locator(".prose")).to_have_text(f"Of {title}")
        tab.get_by_role("navigation", name="Where it stands").get_by_role("link", name="Handbook").click()
    tab.keyboard.press("t")
    press(tab, "Welcome", "ArrowDown")
    press(tab, "Rules", "Alt+ArrowUp")
    comes(tab, lambda: outline(world), ["Rules", "Welcome"])
    press(tab, "Rules", "ArrowDown")
    press(tab, "Welcome", "Alt+ArrowRight")
    comes(tab, lambda: outline(world), [["Rules", ["Welcome"]]])
    expect(branch(tab, "Welcome")).to_have_attribute("aria-level", "2")
    press(tab, "Welcome", "ArrowLeft")
    press(tab, "Rules", "ArrowLeft")
    expect(branch(tab, "Rules")).to_have_attribute("aria-expanded", "false")
    assert faults(tab) == []
    branch(tab, "Rules").focus()  # the tree was not there while the page was narrow
    press(tab, "Rules", "ArrowRight")
    expect(branch(tab, "Rules")).to_have_attribute("aria-expanded", "true")
    branch(tab, "Welcome").drag_to(branch(tab, "Rules"), target_position={"x": 60, "y": 2})
    comes(tab, lambda: outline(world), ["Welcome", "Rules"])


def test_a_page_that_is_moved_stays_there_whatever_was_read_before(world: World, opens: Opens) -> None:
    space(world)
    for title in ("Rules", "Welcome"):
        page(world, title)
    tab = opens("cy", "/spaces/HAND")
    expect(branch(tab, "Rules")).to_be_visible()
    moves: list[Route] = []
    intercept(tab, "**/api/v1/pages.move", moves.append)
    tab.keyboard.press("t")
    press(tab, "Rules", "ArrowDown")
    with tab.expect_response("**/api/v1/spaces.tree") as read:
        press(tab, "Welcome", "Alt+ArrowRight")
        page(world, "News")
    read.value.finished()
    tab.evaluate("new Promise(well => requestAnimationFrame(() => requestAnimationFrame(well)))")
    assert branch(tab, "Welcome").get_attribute("aria-level") == "2"  # it was read before the server moved it
    moves[0].continue_()
    expect(branch(tab, "News")).to_be_visible()
    press(tab, "Welcome", "ArrowLeft")
    expect(branch(tab, "Rules")).to_be_focused()
    assert outline(world) == [["Rules", ["Welcome"]], "News"]


FEES = (
    "# Cards\n\nThe **fee** is paid by us.\n\n# Bills\n\nThe *fee* is paid by them, within\nten days.\n\n"
    "<details>\n<summary>More</summary>\n\nNothing else is due.\n\n</details>\n"
)


def test_words_of_a_page_are_spoken_about_and_found_again(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Fees", body=FEES)
    tab = opens("cy", f"/pages/{ident}")
    article = tab.get_by_role("article", name="Fees")
    expect(tab.locator(".remarks")).to_be_attached()
    tab.keyboard.press("Shift+M")
    expect(tab.get_by_role("status").filter(has_text="Select the words first")).to_be_visible()
    select(tab, "fee is paid", 1)
    expect(article.get_by_role("button", name="Comment on this")).to_be_visible()
    tab.keyboard.press("Shift+M")
    expect(article.get_by_role("button", name="Comment on this")).to_have_count(0)
    expect(tab.get_by_label("Write a comment")).to_be_focused()
    tab.keyboard.type("Since when?")
    expect(article.locator(".write")).to_contain_text("On: fee is paid")
    tab.reload()
    expect(tab.get_by_label("Write a comment")).to_have_value("Since when?")  # with what it is about
    expect(article.locator(".write")).to_contain_text("On: fee is paid")
    tab.get_by_label("Write a comment").press("Control+Enter")
    quote = article.locator(".thread").get_by_role("button", name="“fee is paid”")
    expect(quote).to_be_visible()
    expect(article.locator(".write .quoted")).to_have_count(0)
    [said] = call(world, "bo", "comments.list", subject=f"page:{ident}")
    anchor = json.loads(said["anchor"])
    assert (anchor["exact"], anchor["prefix"][-10:], anchor["suffix"][:9]) == (
        "fee is paid",
        "Bills The ",
        " by them,",
    )
    assert highlighted(tab) == ["fee is paid"]
    mark = article.get_by_role("button", name="Cy Moss on “fee is paid”")
    quote.press("Enter")
    expect(mark).to_be_focused()
    assert highlighted(tab, "remark-on") == ["fee is paid"]
    tab.keyboard.press("Enter")
    expect(article.locator(".said")).to_be_focused()
    call(world, "bo", "pages.update", id=ident, body=FEES.replace("# Cards", "# All the cards that we take"))
    expect(article.locator(".remarked > .prose")).to_contain_text("All the cards that we take")
    comes(tab, lambda: highlighted(tab), ["fee is paid"])
    call(world, "bo", "pages.update", id=ident, body="Nothing is to be paid.")
    expect(article.locator(".thread")).to_contain_text("These words are not in the text any more.")
    expect(article.locator(".thread .quoted")).to_contain_text("On: fee is paid")
    expect(mark).to_have_count(0)
    assert highlighted(tab) == []


def test_a_mark_in_a_text_leads_to_what_was_said_by_a_click_and_by_a_key(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Fees", body=FEES)
    for exact in ("within ten days", "Nothing else is due."):
        call(
            world,
            "bo",
            "comments.create",
            subject=f"page:{ident}",
            body="Why?",
            anchor=json.dumps({"exact": exact}),
        )
    call(world, "bo", "comments.create", subject=f"page:{ident}", body="Odd", anchor='{"exact": ""}')
    tab = opens("di", f"/pages/{ident}")
    article = tab.get_by_role("article", name="Fees")
    comes(tab, lambda: highlighted(tab), ["Nothing else is due.", "within\nten days"])
    marks = article.get_by_role("list", name="Comments on words").get_by_role("button")
    expect(marks).to_have_count(1)  # the other stands in a part that is folded
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        assert faults(tab) == []
    select(tab, "ten days")
    tab.evaluate("getSelection().collapseToStart()")
    tab.keyboard.press("Enter")
    first = article.locator(".said").first
    expect(first).to_be_focused()
    tab.evaluate("document.activeElement.blur()")
    spot = tab.evaluate(
        "(({ left, top }) => [left, top])([...CSS.highlights.get('remark')][0].getClientRects()[0])"
    )
    tab.mouse.click(spot[0] + 4, spot[1] + 4)
    expect(first).to_be_focused()
    article.get_by_role("button", name="“Nothing else is due.”").click()
    expect(marks).to_have_count(2)
    first.hover()
    article.get_by_role("button", name="Resolve").first.click()
    expect(marks).to_have_count(1)  # what is settled is not marked
    comes(tab, lambda: highlighted(tab), ["Nothing else is due."])
    tab.set_viewport_size({"width": 390, "height": 800})
    select(tab, "paid by us")
    button = article.get_by_role("button", name="Comment on this")
    box = button.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert faults(tab) == []
    button.click()
    expect(article.locator(".write")).to_contain_text("On: paid by us")
    article.get_by_role("button", name="Say it about the whole").click()
    expect(article.locator(".write .quoted")).to_have_count(0)


def test_a_page_is_read_ticked_and_talked_about(world: World, opens: Opens) -> None:
    space(world)
    welcome, rules = (
        page(world, "Welcome", body=LONG),
        page(world, "Rules", body="As [[HAND/welcome|before]]."),
    )
    tab = opens("cy", f"/pages/{rules}")
    tab.get_by_role("link", name="before", exact=True).click()
    article = tab.get_by_role("article", name="Welcome")
    expect(article.get_by_role("region", name="Pages that link here")).to_contain_text("Rules")
    expect(article.locator(".prose").get_by_role("link")).to_have_text(["Rules", "WEB-1"])
    tab.get_by_role("link", name="Much later").click()
    assert tab.url.endswith("/pages/HAND/welcome#much-later")
    box = article.get_by_role("checkbox", name="Say hello")
    box.focus()
    tab.keyboard.press("Space")
    expect(box).to_be_checked()
    comes(tab, lambda: "- [x] Say hello @bo" in body(world, welcome), True)
    tab.keyboard.press("m")
    expect(tab.get_by_label("Write a comment")).to_be_focused()
    tab.keyboard.type("Is *that* all?")
    tab.keyboard.press("Control+Enter")
    expect(article.locator(".said em")).to_have_text("that")
    said = call(world, "bo", "comments.list", subject=f"page:{welcome}")[0]
    call(world, "bo", "comments.create", subject=f"page:{welcome}", body="It is.", parent=said["id"])
    expect(article.locator(".replies")).to_contain_text("It is.")
    call(world, "bo", "pages.update", id=welcome, title="Welcome aboard")
    expect(tab.get_by_role("heading", name="Welcome aboard")).to_be_visible()
    expect(tab.get_by_role("button", name="Watch no more")).to_be_visible()  # whoever speaks hears of it
    tab.get_by_role("button", name="Watch no more").click()
    expect(tab.get_by_role("button", name="Watch", exact=True)).to_be_visible()
    tab.locator(".top").get_by_role("button", name="Star", exact=True).click()
    expect(tab.get_by_role("button", name="Take the star away")).to_be_visible()
    assert faults(tab) == []
    assert [one["subject"] for one in call(world, "cy", "stars.list")] == [f"page:{welcome}"]
    assert call(world, "cy", "pages.get", id=welcome)["watching"] is False


def test_a_draft_is_saved_as_one_writes_and_published_with_a_note(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="Be kind.\n")
    page(world, "Welcome")
    tab = opens("cy", f"/pages/{ident}")
    box = write(tab)
    tab.keyboard.press("Control+End")
    tab.keyboard.type("See [[Wel")
    expect(tab.get_by_role("option", name="Welcome")).to_be_visible()
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    assert faults(tab) == []
    comes(tab, lambda: body(world, ident, draft=True), "Be kind.\nSee [[Welcome]]")
    assert body(world, ident) == "Be kind.\n"
    tab.context.set_offline(True)
    tab.keyboard.type(" soon")
    expect(tab.get_by_text("Kept in this tab")).to_be_visible()
    tab.context.set_offline(False)
    comes(tab, lambda: body(world, ident, draft=True), "Be kind.\nSee [[Welcome]] soon")
    tab.reload()
    tab.get_by_role("button", name="Go on writing").click()
    expect(box).to_have_value("Be kind.\nSee [[Welcome]] soon")
    tab.get_by_role("button", name="Publish with a note…").click()
    dialog = tab.get_by_role("dialog")
    expect(dialog.get_by_label("What is new")).to_be_focused()
    tab.keyboard.type("Where to go")
    dialog.get_by_role("button", name="Publish").click()
    expect(tab.get_by_role("article").get_by_role("link", name="Welcome")).to_be_visible()
    write(tab).fill("Nothing.")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    tab.get_by_role("button", name="Discard changes").click()
    expect(tab.get_by_role("article").locator(".prose")).to_contain_text("Be kind.")
    tab.get_by_role("button", name="Take back").click()
    expect(box).to_have_value("Nothing.")
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("button", name="Edit E")).to_be_focused()


def test_versions_are_compared_and_one_comes_back(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="Be kind.\n")
    world.clock.advance(3_600)
    call(world, "bo", "pages.update", id=ident, body="Be kind.\nBe late.\n", note="Where to go")
    world.clock.advance(3_600)
    call(world, "cy", "pages.update", id=ident, body="Nothing.\n")
    tab = opens("cy", f"/pages/{ident}")
    expect(tab.get_by_role("button", name="Edit E")).to_be_visible()
    tab.keyboard.press("h")
    tab.get_by_role("button", name="Where to go").click()
    expect(tab.locator(".diff.added")).to_contain_text("added: Be late.")
    tab.get_by_label("with the page as it is now").check()
    expect(tab.locator(".diff.added")).to_contain_text("added: Nothing.")
    assert faults(tab) == []
    tab.get_by_role("button", name="Restore this version").click()
    expect(tab.get_by_role("article").locator(".prose")).to_contain_text("Be late.")
    assert body(world, ident) == "Be kind.\nBe late.\n"


def test_two_who_write_at_once_lose_nothing(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="One\n\nTwo\n\nThree\n")
    tab, other = opens("cy", f"/pages/{ident}"), opens("bo", f"/pages/{ident}")
    box = write(tab)
    expect(other.get_by_text("Cy Moss writes on this page right now.")).to_be_visible()
    version = call(world, "bo", "pages.get", id=ident)["version"]
    call(world, "bo", "pages.update", id=ident, body="One of them\n\nTwo\n\nThree\n", version=version)
    box.fill("One\n\nTwo\n\nThree of mine\n")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    tab.keyboard.press("Control+Enter")
    expect(tab.get_by_role("article").locator(".prose")).to_contain_text("Three of mine")
    assert body(world, ident) == "One of them\n\nTwo\n\nThree of mine\n"
    write(tab).fill("Mine\n")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    call(world, "bo", "pages.update", id=ident, body="Theirs\n")
    tab.keyboard.press("Control+Enter")
    both = tab.get_by_role("alert", name="Others changed the same place")
    expect(both).to_contain_text("Theirs")
    expect(both).to_contain_text("Mine")
    assert faults(tab) == []
    both.get_by_role("button", name="Keep mine").click()
    expect(other.get_by_role("article").locator(".prose")).to_have_text("Mine")
    found = call(world, "cy", "pages.get", id=ident)
    assert (found["body"], found["has_draft"]) == ("Mine\n", False)


def test_a_page_is_dressed_moved_and_put_away_from_its_menu(world: World, opens: Opens) -> None:
    space(world)
    top, ident = page(world, "Welcome"), page(world, "Rules", body="Be kind.")
    call(world, "ana", "labels.save", name="policy")
    tab = opens("ana", f"/pages/{ident}")
    tab.get_by_role("button", name="Add labels").click()
    choose(tab, "policy")
    tab.keyboard.press("Escape")
    expect(tab.locator(".facts")).to_contain_text("policy")
    more(tab, "mark as checked")
    choose(tab, "90 days")
    expect(tab.locator(".facts")).to_contain_text("Checked until")
    more(tab, "who sees")
    dialog = tab.get_by_role("dialog", name="Who sees and changes Rules")
    dialog.get_by_role("button", name="Who changes it: Add somebody").click()
    choose(tab, "Ana")
    assert faults(tab) == []
    dialog.get_by_role("button", name="Save").click()
    expect(tab.locator(".facts")).to_contain_text("Not everybody")
    more(tab, "lock")
    more(tab, "move")
    choose(tab, "Welcome")
    expect(tab.get_by_role("navigation", name="Where it stands")).to_contain_text("Welcome")
    with tab.expect_download() as coming:
        more(tab, "export")
        tab.get_by_role("dialog").get_by_label("Markdown").check()
        tab.get_by_role("button", name="Download").click()
    assert coming.value.suggested_filename == "rules.md"
    more(tab, "save as template")
    tab.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(tab.get_by_role("dialog")).to_have_count(0)
    more(tab, "delete")
    expect(tab.get_by_role("article", name="Welcome")).to_be_visible()
    comes(tab, lambda: outline(world), ["Welcome"])
    tab.get_by_role("button", name="Take back").click()
    comes(tab, lambda: outline(world), [["Welcome", ["Rules"]]])
    found = call(world, "ana", "pages.get", id=ident)
    assert (found["labels"], found["locked"], found["parent"]) == (["policy"], True, top)
    assert found["limits"] == {"view": [], "edit": [world.people["ana"].id]}
    assert "Rules" in [one["name"] for one in call(world, "cy", "pages.templates", space="HAND")]


def test_a_space_is_looked_after_and_found_from_anywhere(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="- [ ] Order the keys due:2027-01-01\n\nSee [[Nowhere]].")
    tab = opens("cy", "/issues")
    tab.keyboard.press("/")
    choose_command(tab, "Go to page")
    expect(tab.get_by_role("dialog", name="Go to a page")).to_be_visible()
    expect(tab.locator("dialog.palette input")).to_be_focused()
    tab.keyboard.type("rul")
    expect(tab.get_by_role("option", name="Rules")).to_be_visible()
    assert faults(tab) == []
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("article", name="Rules")).to_be_visible()
    tab.get_by_role("navigation", name="Where it stands").get_by_role("link", name="Handbook").click()
    tabs = tab.get_by_role("navigation", name="Handbook")
    tabs.get_by_role("link", name="Tasks").click()
    assert faults(tab) == []
    tab.get_by_role("checkbox", name="Order the keys").click()
    expect(tab.get_by_text("No open tasks.")).to_be_visible()
    assert body(world, ident).startswith("- [x] Order")
    tabs.get_by_role("link", name="Upkeep").click()
    expect(tab.get_by_role("region", name="Links that lead nowhere")).to_contain_text("[[Nowhere]]")
    assert faults(tab) == []
    tabs.get_by_role("link", name="Settings").click()
    tab.get_by_label("It opens with").select_option(label="Rules")
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("status").filter(has_text="Handbook saved")).to_be_visible()
    tab.get_by_role("button", name="Add somebody").click()
    choose(tab, "Guests")
    expect(tab.get_by_label("What Everybody with the role guest may do")).to_have_value("view")
    assert faults(tab) == []
    tabs.get_by_role("link", name="Overview").click()
    expect(tab.get_by_role("region", name="Rules")).to_contain_text("Order the keys")
    guest = opens("gus", f"/pages/{ident}")
    expect(guest.get_by_role("article", name="Rules")).to_be_visible()
    expect(guest.get_by_role("checkbox", name="Order the keys")).to_be_disabled()
    for name in ("Edit", "Add labels", "Comment", "New page below Rules"):
        expect(guest.get_by_role("button", name=name)).to_have_count(0)
    guest.keyboard.press("e")
    expect(guest.get_by_role("textbox")).to_have_count(0)


def test_what_the_server_refuses_is_as_it_was(world: World, opens: Opens) -> None:
    space(world)
    page(world, "Welcome")
    ident = page(world, "Rules", body="- [ ] Say hello\n")
    tab = opens("cy", f"/pages/{ident}")
    box = tab.get_by_role("checkbox", name="Say hello")
    expect(box).to_be_visible()
    expect(branch(tab, "Rules")).to_be_visible()
    intercept(tab, "**/api/v1/pages.update", lambda route: route.fulfill(status=403, json=REFUSED))
    intercept(tab, "**/api/v1/pages.move", lambda route: route.fulfill(status=409, json=REFUSED))
    box.click()
    expect(tab.get_by_role("status").filter(has_text="Not now.")).to_be_visible()
    expect(box).not_to_be_checked()
    tab.keyboard.press("t")
    branch(tab, "Rules").focus()
    tab.keyboard.press("Alt+ArrowRight")
    comes(tab, lambda: branch(tab, "Rules").get_attribute("aria-level"), "1")
    tab.unroute_all()
    assert outline(world) == ["Welcome", "Rules"]
    tab.context.set_offline(True)
    branch(tab, "Welcome").get_by_role("link").click()
    expect(tab.get_by_text("server does not answer")).to_be_visible()
    tab.context.set_offline(False)
    expect(tab.get_by_role("article", name="Welcome")).to_be_visible()
    tab.context.set_offline(True)
    branch(tab, "Rules").get_by_role("link").click()
    expect(tab.get_by_role("article", name="Rules")).to_be_visible()  # it was read before
    tab.context.set_offline(False)


REFUSED = {"type": "/problems/conflict", "title": "Conflict", "detail": "Not now."}
