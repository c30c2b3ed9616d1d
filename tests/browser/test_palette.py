"""The palette and the keys of the web app in Chromium: every operation is run from there, and keys are one's own."""

import pytest
from playwright.sync_api import Page, expect

from kbwork.api.pages.docs.samples import samples
from tests.browser.app import Opens, choose, comes, intercept, opens, row
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.pages.wiki import page as page_made
from tests.modules.pages.wiki import space
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def ask_for(page: Page, op: str) -> None:
    page.keyboard.press("Control+k")
    page.locator("dialog input").fill(op)
    page.get_by_role("option").filter(has=page.get_by_text(op, exact=True)).click()


def test_any_operation_is_run_and_copied_for_every_client(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask_for(page, "issues.vote")
    dialog = page.get_by_role("dialog", name="Operation")
    expect(dialog.get_by_label("key", exact=True)).to_have_value(key)
    dialog.get_by_label("on", exact=True).select_option("yes")
    assert faults(page) == []
    for name, text in samples("issues.vote", {"key": key, "on": True}, confirm=False).items():
        page.get_by_role("button", name="Copy as").click()
        choose(page, name)
        page.wait_for_function(
            "text => navigator.clipboard.readText().then((found) => found === text)",
            arg=text.replace("'", '"') if name == "Python" else text,
        )
    dialog.get_by_role("button", name="Run").click()
    expect(dialog.get_by_label("Answer")).to_contain_text('"votes": 1')
    page.get_by_role("button", name="Close").click()
    assert [one["id"] for one in call(world, "cy", "issues.voters", key=key)] == [world.people["cy"].id]
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Taken back: Ran issues.vote")).to_be_visible()
    assert call(world, "cy", "issues.voters", key=key) == []
    ask_for(page, "labels.save")  # of leads and admins: refused in the server's words, nothing is lost
    dialog.get_by_label("name", exact=True).fill("slow")
    dialog.get_by_role("button", name="Run").click()
    expect(dialog.get_by_role("alert")).to_contain_text("kept by its leads")
    expect(dialog.get_by_label("name", exact=True)).to_have_value("slow")


def test_the_issues_that_one_looked_at_last_come_first(world: World, opens: Opens) -> None:
    first, second = issue(world, title="Basket"), issue(world, title="Checkout")
    page = opens("cy", f"/issues/{first}")
    page.goto(f"{world.url}/issues/{second}")
    expect(page.get_by_label("Title")).to_have_value("Checkout")
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Basket")
    expect(options.nth(1)).not_to_contain_text("Checkout")  # one is there already
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/issues/{first}")


def test_the_palette_keeps_the_focus_and_gives_it_back(world: World, opens: Opens) -> None:
    page = opens("cy", "/projects/WEB")
    button = page.get_by_role("button", name="Filter", exact=True)
    button.focus()
    page.keyboard.press("Control+k")
    field = page.locator("dialog.palette input")
    expect(field).to_be_focused()
    for press in ("Tab", "Shift+Tab"):
        page.keyboard.press(press)
        expect(field).to_be_focused()
    field.evaluate("field => field.blur()")
    expect(field).to_be_focused()
    link = page.get_by_role("link", name="Inbox").bounding_box()
    assert link is not None

    def is_back() -> None:
        expect(page.locator("dialog")).to_have_count(0)
        expect(button).to_be_focused()
        assert page.url.endswith("/projects/WEB")

    page.keyboard.press("Escape")
    is_back()
    page.keyboard.press("Control+k")
    page.mouse.click(link["x"] + 20, link["y"] + 10)  # beside it, which is no click on what lies there
    is_back()


def test_nobody_is_offered_what_they_may_not_run(world: World, opens: Opens) -> None:
    page = opens("cy", "/")
    page.keyboard.press("Control+k")
    page.locator("dialog input").fill("issues.create")
    expect(page.get_by_role("option").filter(has_text="issues.create").first).to_be_visible()
    page.locator("dialog input").fill("backups.create")
    expect(page.get_by_role("option")).to_have_text(["All that fits “backups.create”Search"])


def test_settings_are_found_from_anywhere_by_what_one_has_in_mind(world: World, opens: Opens) -> None:
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("Control+k")
    box = page.locator("dialog input")
    box.fill("wip limit")
    expect(page.get_by_role("option").first).to_contain_text("Settings: Lanes")
    box.fill("backup")
    expect(page.get_by_role("option").filter(has_text="Settings: ")).to_have_count(0)  # those are the admins'
    box.fill("wip limit")
    expect(page.get_by_role("option").first).to_contain_text("Settings: Lanes")
    assert faults(page) == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/settings/lanes")
    page.keyboard.press("Control+k")
    page.locator("dialog input").fill("api token")
    expect(page.get_by_role("option").filter(has_text="Settings: Your keys")).to_be_visible()


def test_files_and_pages_of_one_name_are_told_apart(world: World, opens: Opens) -> None:
    """By what they belong to, beside a mark of what they are; a long title cuts neither wholly away."""
    first = issue(world, title="Basket")
    long = issue(world, title=f"Checkout {'without an end ' * 20}")
    for key in (first, long):
        call(world, "cy", "attachments.add", subject=key, name="report.txt", data="YQ==")
    space(world)
    page_of = page_made(world, "Reports")
    page_made(world, "Report of May", parent=page_of)
    page_made(world, "Report of May")
    page = opens("cy", "/issues")
    page.keyboard.press("Control+k")
    page.keyboard.type("report")
    found = page.get_by_role("option")
    expect(found.filter(has_text="report.txt").filter(has_text=f"{first} Basket")).to_have_count(1)
    expect(found.filter(has_text="Report of May").filter(has_text="Handbook")).to_have_count(1)
    expect(found.filter(has_text="Report of May").filter(has_text="Reports")).to_have_count(1)
    wide = found.filter(has_text="report.txt").filter(has_text=long)
    name, place = (wide.locator(one).bounding_box() for one in (".grow", ".meta"))
    assert name is not None
    assert place is not None
    assert name["width"] > 200
    assert 100 < place["width"] < 300
    assert faults(page) == []


def test_help_leads_to_what_the_manual_says_of_the_screen(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    for path, manual in (
        (f"/issues/{key}", "issues"),
        ("/projects/WEB", "howto-app"),
        ("/boards", "howto-boards"),
        ("/inbox", "howto-notifications"),
        ("/spaces", "pages-app"),
        ("/flags", "flags-app"),
        ("/requests", "howto-desk"),
        ("/settings", "howto-settings"),
    ):
        page.goto(world.url + path)
        expect(page.locator(".top:not(.only-small), article").first).to_be_visible()
        page.keyboard.press("?")
        link = page.get_by_role("dialog").get_by_role("link", name="What the manual says of this screen")
        expect(link).to_have_attribute("href", f"/docs/{manual}")
        assert page.request.get(f"{world.url}/docs/{manual}").ok
    assert faults(page) == []


def test_keys_are_changed_and_those_of_one_letter_switched_off(world: World, opens: Opens) -> None:
    key = issue(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("?")
    page.get_by_role("button", name="Keys of “New issue”: C. Change them").click()
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Keys of “New issue”: N. Change them")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.reload()
    expect(row(page, key)).to_be_visible()
    page.keyboard.press("c")
    expect(page.locator("dialog")).to_have_count(0)
    page.keyboard.press("n")
    expect(page.get_by_role("dialog", name="New issue")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_label("Keys of one letter do something").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    page.keyboard.press("p")
    page.keyboard.press("x")
    expect(page.locator("dialog, .bulk")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/issues/{key}")
    page.keyboard.press("Control+k")
    expect(page.locator("dialog")).to_have_count(1)


def test_a_theme_is_chosen_and_kept(world: World, opens: Opens) -> None:
    page = opens("cy", "/issues")
    page.emulate_media(color_scheme="light")

    def looks(of: Page = page) -> tuple[str, str]:
        """(the scheme of fields and bars, whether the background is dark)."""
        found: list[str] = of.evaluate(
            "[getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor]"
        )
        return found[0], "dark" if float(found[1].removeprefix("oklch(").split()[0]) < 0.5 else "light"

    def shown(of: Page) -> str:
        """The end of the name of its first picture."""
        picture: str = of.locator("picture img").first.evaluate("({ currentSrc }) => currentSrc")
        return picture.rpartition("-")[2]

    def choose_theme(title: str) -> None:
        page.keyboard.press("Control+k")
        page.keyboard.type(title)
        page.get_by_role("option", name=title).first.click()

    assert looks() == ("light dark", "light")
    choose_theme("Dark theme")
    assert looks() == ("dark", "dark")
    page.reload()
    expect(page.get_by_role("grid")).to_be_visible()
    assert looks() == ("dark", "dark")
    intercept(page, "**/app/app-*.js", lambda route: route.abort())
    page.reload()
    assert looks() == ("dark", "dark")  # before the app draws anything
    page.unroute_all()
    page.reload()
    manual = page.context.new_page()
    manual.goto(f"{world.url}/docs/howto-app")
    assert looks(manual) == ("dark", "dark")
    comes(manual, lambda: shown(manual), "dark.webp")
    choose_theme("Light theme")
    expect(manual.locator("html")).to_have_css("color-scheme", "light")  # also where it was open already
    comes(manual, lambda: shown(manual), "light.webp")
    page.emulate_media(color_scheme="dark")
    assert looks() == ("light", "light")
    choose_theme("Theme of the system")
    assert looks() == ("light dark", "dark")
