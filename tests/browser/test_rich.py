"""Pages that are written as they will be read: what is typed, chosen and pasted, alone and by two at once."""

import base64
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, comes, intercept, opens
from tests.browser.axe import faults
from tests.browser.test_issue_page import PASTE, PICTURE
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import page, space
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

NASTY = (
    "---\ntitle: kept\n---\n\n* star\n*   far\n\n| a     |  b |\n|:------|---:|\n| 1     |  2 |\n\n"
    "<div align=center>\nraw\n</div>\n\nSee [[Rules]] and _WEB-1_, @bo.[^1]\n\n[^1]: A note.\n\n\n\nEnd\n"
)
STALE = {"type": "/problems/stale", "title": "It changed in between", "current": {}}


def writing(tab: Page) -> Any:
    """Begin to write, by the key."""
    expect(tab.get_by_role("button", name="Edit E")).to_be_visible()
    tab.keyboard.press("e")
    box = tab.locator(".ProseMirror")
    expect(box).to_be_focused()
    return box


def draft(world: World, ident: str) -> Any:
    return call(world, "cy", "pages.get", id=ident, draft=True)["body"]


def paste(tab: Page, **kinds: str) -> None:
    """What another program copied, in several forms."""
    tab.evaluate(
        """(kinds) => {
          const data = new DataTransfer();
          for (const [kind, text] of Object.entries(kinds)) data.setData(`text/${kind}`, text);
          const told = { clipboardData: data, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", told));
        }""",
        kinds,
    )


def offered(tab: Page, text: str, title: str) -> None:
    """Type what offers something, and take it."""
    tab.keyboard.type(text)
    option = tab.get_by_role("option", name=title).first
    expect(option).to_have_attribute("aria-selected", "true")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("option")).to_have_count(0)


def test_a_word_changes_the_block_that_it_is_in(world: World, opens: Opens) -> None:
    space(world)
    page(world, "Rules")
    ident = page(world, "Nasty", body=NASTY)
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    expect(box.locator("pre.source")).to_have_count(3)
    expect(box.locator(".named")).to_have_text(["[[Rules]]", "WEB-1", "@bo"])
    assert faults(tab) == []
    box.get_by_text("End", exact=True).click()
    tab.keyboard.press("End")
    tab.keyboard.type(" of it")
    comes(tab, lambda: draft(world, ident), NASTY.replace("End", "End of it"))
    tab.get_by_role("button", name="Markdown", exact=True).click()
    text = tab.get_by_role("textbox", name="Text of the page")
    expect(text).to_have_value(NASTY.replace("End", "End of it"))
    text.press("Control+End")
    tab.keyboard.type("\nMore")
    tab.get_by_role("button", name="Rich", exact=True).click()
    expect(box.locator("p").last).to_have_text("More")
    box.locator("td").last.click()
    tab.keyboard.press("End")
    tab.keyboard.type("2")
    comes(tab, lambda: "| 22 |" in draft(world, ident), True)
    wanted = NASTY.replace("End\n", "End of it\n\nMore")
    assert draft(world, ident) == wanted.replace("|  2 |", "| 22 |")  # its columns stay as wide as they were
    tab.keyboard.press("Control+Enter")
    expect(tab.get_by_role("article", name="Nasty").locator(".prose")).to_contain_text("22")


def test_forms_are_typed_and_chosen(world: World, opens: Opens) -> None:
    space(world)
    page(world, "Rules")
    ident = page(world, "Notes")
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    offered(tab, "/hea", "Heading 2")
    tab.keyboard.type("Plan\n- one\ntwo **bold** `code` \n")
    tab.keyboard.press("Tab")
    tab.keyboard.type("below\n")
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.type("[ ] todo\n\n")
    tab.keyboard.press("Control+b")
    tab.keyboard.type("loud")
    tab.keyboard.press("Control+b")
    offered(tab, " [[Ru", "Rules")
    offered(tab, " @bo", "Bo")
    tab.keyboard.type("end")
    wanted = "## Plan\n\n- one\n- two **bold** `code`\n  - below\n- [ ] todo\n\n**loud** [[Rules]] @bo end"
    comes(tab, lambda: draft(world, ident), wanted)
    box.get_by_role("checkbox", name="todo").click()
    comes(tab, lambda: draft(world, ident), wanted.replace("[ ]", "[x]"))
    box.get_by_text("loud").dblclick()
    expect(tab.get_by_role("button", name="Bold")).to_have_attribute("aria-pressed", "true")
    tab.keyboard.press("Control+k")
    expect(tab.get_by_role("dialog", name="Link").get_by_label("Address")).to_be_focused()
    tab.keyboard.type("https://a.example")
    tab.keyboard.press("Enter")
    expect(box).to_be_focused()
    comes(tab, lambda: "[**loud**](https://a.example) [[Rules]]" in draft(world, ident), True)
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("button", name="Edit E")).to_be_focused()


def test_a_link_leads_where_people_mean(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Notes")
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    address = tab.get_by_role("dialog", name="Link").get_by_label("Address")
    for words, wanted in (
        ("example.com/a", "[example.com/a](https://example.com/a)"),
        ("a@b.example", "[a@b.example](mailto:a@b.example)"),
        ("guide.md", "[guide.md](guide.md)"),
    ):
        tab.keyboard.press("Control+a")
        tab.keyboard.press("Delete")
        tab.keyboard.press("Control+k")
        expect(address).to_be_focused()
        tab.keyboard.type(words)
        tab.keyboard.press("Enter")
        expect(box).to_be_focused()
        comes(tab, lambda: draft(world, ident), wanted)
    tab.keyboard.press("Control+a")
    tab.keyboard.press("Control+k")
    address.fill("javascript:alert(1)")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("alert")).to_contain_text("No link leads there")
    assert faults(tab) == []
    address.fill("docs.example")
    tab.keyboard.press("Enter")
    comes(tab, lambda: draft(world, ident), "[guide.md](https://docs.example)")


def test_a_table_is_made_and_changed_by_keys(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Notes")
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    offered(tab, "/tab", "Table")
    tab.keyboard.type("a")
    tab.keyboard.press("Tab")
    tab.keyboard.type("b|c")
    tab.keyboard.press("Tab")
    assert faults(tab) == []
    offered(tab, "/col", "Column to the right")
    tab.keyboard.press("Alt+F10")
    expect(tab.get_by_role("toolbar").get_by_role("button", name="Bold")).to_be_focused()
    tab.keyboard.press("ArrowLeft")
    expect(tab.get_by_role("button", name="Delete table")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(box).to_be_focused()
    tab.keyboard.type("1")
    tab.keyboard.press("Enter")
    tab.keyboard.type("2")
    table = "| a |  | b\\|c |\n| --- | --- | --- |\n| 1 |  |  |"
    comes(tab, lambda: draft(world, ident), f"{table}\n| 2 |  |  |")
    tab.get_by_role("button", name="Delete row").click()
    comes(tab, lambda: draft(world, ident), table)


def test_what_is_pasted_becomes_what_it_says(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Notes")
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    paste(tab, plain="# Top\n\n* a **b**\n")
    comes(tab, lambda: draft(world, ident), "# Top\n\n* a **b**")
    tab.keyboard.press("Control+End")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    paste(
        tab,
        html='<meta><h3 style="color:red" onclick="x()">Washed</h3><p>so\nso <b>b</b><script>x()</script>'
        '<img src="https://a.example/x.png" onerror="x()" alt="seen"></p>',
        plain="no",
    )
    wanted = "# Top\n\n* a **b**\n\n### Washed\n\nso so **b**[seen](https://a.example/x.png)"
    comes(tab, lambda: draft(world, ident), wanted)
    tab.keyboard.press("Enter")
    tab.evaluate(PASTE, ["dot.png", base64.b64encode(PICTURE).decode()])
    expect(box.locator("img[alt='dot.png']")).to_be_visible()
    comes(tab, lambda: "![dot.png](/files/" in draft(world, ident), True)
    tab.keyboard.press("Control+a")
    copied = tab.evaluate(
        """() => {
          const clipboardData = new DataTransfer();
          document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true }));
          return clipboardData.getData("text/plain");
        }"""
    )
    assert copied == draft(world, ident)


def test_two_at_once_come_to_the_same_text(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="One\n\nTwo\n\nThree\n")
    tab, other = opens("cy", f"/pages/{ident}"), opens("bo", f"/pages/{ident}")
    box, theirs = writing(tab), writing(other)
    box.get_by_text("One").click()
    tab.keyboard.press("End")
    theirs.get_by_text("Three").click()
    other.keyboard.press("End")
    tab.keyboard.type(" of mine")
    other.keyboard.type(" of theirs")
    both = "One of mine\n\nTwo\n\nThree of theirs\n"
    comes(tab, lambda: draft(world, ident), both)
    expect(box).to_contain_text("Three of theirs")
    expect(theirs).to_contain_text("One of mine")
    tab.keyboard.type("! ")
    other.keyboard.press("Control+Home")
    other.keyboard.type("b ")
    expect(box).to_contain_text("b One of mine!")
    tab.keyboard.type("so")
    wanted = "b One of mine! so\n\nTwo\n\nThree of theirs\n"
    comes(tab, lambda: draft(world, ident), wanted)
    expect(theirs).to_contain_text("b One of mine! so")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    tab.keyboard.press("Control+Enter")
    expect(tab.get_by_role("article", name="Rules").locator(".prose")).to_contain_text("b One of mine! so")


def test_one_without_a_network_and_one_in_markdown_lose_nothing(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="One\n\nTwo\n")
    tab, other = opens("cy", f"/pages/{ident}"), opens("bo", f"/pages/{ident}")
    box, _ = writing(tab), writing(other)
    other.get_by_role("button", name="Markdown", exact=True).click()
    text = other.get_by_role("textbox", name="Text of the page")
    expect(text).to_be_focused()
    other.keyboard.press("Control+End")
    other.keyboard.press("ArrowLeft")
    tab.keyboard.press("End")
    tab.keyboard.type(".")
    comes(tab, lambda: draft(world, ident), "One.\n\nTwo\n")
    tab.context.set_offline(True)
    tab.keyboard.type(" Far away")
    expect(tab.get_by_text("Kept in this tab")).to_be_visible()
    expect(text).to_have_value("One.\n\nTwo\n")
    other.keyboard.type("!")
    comes(tab, lambda: draft(world, ident), "One.\n\nTwo!\n")
    tab.context.set_offline(False)
    wanted = "One. Far away\n\nTwo!\n"
    comes(tab, lambda: draft(world, ident), wanted)
    expect(text).to_have_value(wanted)
    expect(box).to_contain_text("Two!")
    other.keyboard.type("?")
    comes(tab, lambda: draft(world, ident), wanted.replace("!", "!?"))
    expect(box).to_contain_text("Two!?")


def test_what_was_written_without_a_network_goes_on_behind_a_reload(world: World, opens: Opens) -> None:
    space(world)
    ident = page(world, "Rules", body="One\n\nTwo\n")
    tab = opens("cy", f"/pages/{ident}")
    box = writing(tab)
    tab.keyboard.type("A ")
    comes(tab, lambda: draft(world, ident), "A One\n\nTwo\n")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    # The document of the server is another one: what was written goes into that.
    intercept(tab, "**/api/v1/pages.sync_push", lambda route: route.fulfill(status=409, json=STALE), times=1)
    tab.keyboard.type("very ")
    comes(tab, lambda: draft(world, ident), "A very One\n\nTwo\n")
    expect(tab.get_by_text("Draft saved")).to_be_visible()
    intercept(tab, "**/api/v1/pages.sync_push", lambda route: route.abort())
    tab.keyboard.type("small ")
    expect(tab.get_by_text("Kept in this tab")).to_be_visible()
    call(world, "bo", "pages.update", id=ident, body="A very One\n\nTwo of them\n", draft=True)
    tab.reload()
    tab.unroute_all()
    tab.get_by_role("button", name="Go on writing").click()
    comes(tab, lambda: draft(world, ident), "A very small One\n\nTwo of them\n")
    expect(box).to_contain_text("Two of them")
    tab.get_by_label("Title of the page").fill("Laws")
    comes(tab, lambda: call(world, "cy", "pages.get", id=ident, draft=True)["title"], "Laws")
    assert draft(world, ident) == "A very small One\n\nTwo of them\n"


def test_a_description_is_written_so_where_one_wants(world: World, opens: Opens) -> None:
    key = issue(world, title="Cart", body="* one\n* two\n")
    tab = opens("cy", f"/issues/{key}")
    tab.get_by_role("region", name="Description").get_by_role("button", name="Edit").click()
    expect(tab.get_by_role("textbox", name="Description")).to_be_focused()
    tab.get_by_role("button", name="Write rich").click()
    expect(tab.locator(".ProseMirror")).to_be_focused()
    assert faults(tab) == []
    tab.keyboard.press("Control+End")
    tab.keyboard.type("!\n**three**")
    tab.keyboard.press("Control+Enter")
    expect(tab.get_by_role("region", name="Description").locator("strong")).to_have_text("three")
    comes(tab, lambda: call(world, "cy", "issues.get", key=key)["body"], "* one\n* two!\n* **three**\n")
    odd = issue(world, title="Over this the parser stumbles", body="1. a\n   >-\n]")
    tab.goto(f"{world.url}/issues/{odd}")
    expect(tab.get_by_role("region", name="Description").locator("pre")).to_have_text("1. a\n   >-\n]")
