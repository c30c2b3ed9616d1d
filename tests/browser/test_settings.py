"""The settings of the web app: what an admin does there is done, and whoever may not do it reads why."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from kbwork.base.clock import FixedClock
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import Settings
from tests.browser.app import EXPECTED, Opens, answer_set_up, choose_command, comes, unanswered
from tests.browser.axe import begin, by_looks, by_markup, faults
from tests.browser.chromium import visiting
from tests.browser.conftest import SignedIn
from tests.browser.test_app import NASTY
from tests.conftest import PASSWORD, World, serving
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node"]

pytestmark = pytest.mark.long

TABLE = f"""Issue key,Summary,Status,Assignee,Due date,Team
OLD-7,"{NASTY.replace('"', '""')}",Doing,bo,2026-03-01,Web
OLD-9,Mend the cart,Open,Somebody Else,soon,Web
"""
PLACES = (
    "start", "org", "import", "members", "invites", "teams", "projects", "types", "lanes", "workflows", "fields",
    "labels", "components", "templates", "checklists", "desk", "rules", "reports", "webhooks", "chats", "mail", "ai",
    "sign-in", "programs", "audit", "backups", "trash", "jobs", "health",
)  # fmt: skip
ADMINS = {"import", "reports", "webhooks", "mail", "audit", "backups", "health"}
"""Which others do not even see."""
MORE = (
    "projects/WEB",
    "workflows/1",
    "import/new/csv",
    "import/new/gitlab",
    "rules/new",
    "reports/new",
    "webhooks/new",
)


@pytest.fixture
def opens(node: str, world: World, arriving: SignedIn) -> Iterator[Opens]:
    """A page of the app; what it says to the console is a fault, but for what Chromium says of each refusal where some
    are `refused`."""
    said: list[str] = []

    def open_(who: str, path: str, *, refused: bool = False) -> Page:
        page = arriving(who).context.new_page()
        hear(page, said, refused=refused)
        page.goto(world.url + path)
        return page

    yield open_
    assert said == []


def hear(page: Page, said: list[str], *, refused: bool = False) -> None:
    """Note what the page says to the console."""

    def heard(told: ConsoleMessage) -> None:
        expected = any(words in told.text for words in EXPECTED)
        if told.type != "info" and not expected and not (refused and "status of 422 " in told.text):
            said.append(told.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: said.append(str(error)))


def heading(page: Page) -> str:
    """The name of the page that is there, once it is."""
    shown = page.locator(".settings .set-page h2").first
    expect(shown).to_be_visible()
    expect(page.locator(".settings .late-word")).to_have_count(0)
    return shown.inner_text()


def test_a_table_comes_in_as_its_columns_are_mapped_and_is_taken_back(
    world: World, opens: Opens, tmp_path: Path
) -> None:
    file = tmp_path / "old.csv"
    file.write_text(TABLE)
    page = opens("ana", "/settings/import")
    page.get_by_role("link", name="Table (CSV)").click()
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_label("Key of the project").fill("imp")
    page.get_by_role("button", name="Send and read it").click()
    expect(
        page.get_by_text("OLD-7 · OLD-9")
    ).to_be_visible()  # the first rows, beside what their column holds
    expect(page.locator(".losses")).to_contain_text("cells of the column Due date")
    team = page.get_by_label("What Team holds")
    expect(team).to_have_value("values")
    team.select_option("Labels")
    expect(page.locator(".losses")).not_to_contain_text("Team")
    page.get_by_label("What becomes of Open", exact=True).select_option("Backlog")
    page.get_by_role("button", name="Try it without writing").click()
    expect(page.get_by_role("heading", name="What would come in")).to_be_visible()
    assert call(world, "ana", "projects.list", q="IMP") == []
    page.get_by_role("button", name="Bring it in").click()
    expect(page.get_by_role("heading", name="What came in")).to_be_visible()
    found = {one["key"]: one for one in call(world, "ana", "issues.list", project="IMP")["items"]}
    assert {key: (one["title"], one["lane"], one["labels"]) for key, one in found.items()} == {
        "IMP-7": (NASTY, "in_progress", ["Web"]),
        "IMP-9": ("Mend the cart", "backlog", ["Web"]),
    }
    page.get_by_role("button", name="Take it back").click()
    page.get_by_role("button", name="Remove what came in").click()
    expect(page.get_by_role("heading", name="What was removed")).to_be_visible()
    assert call(world, "ana", "projects.list", q="IMP") == []
    page.get_by_role("link", name="← Import").click()
    expect(page.get_by_role("row", name="From a table into IMP")).to_contain_text("Taken back")
    expect(page).to_have_title("Settings · Acme")


def test_a_project_of_a_file_is_named_before_anything_comes_in(
    world: World, opens: Opens, tmp_path: Path
) -> None:
    """What is proposed after the name of the file stands first, and says whether it is new."""
    file = tmp_path / "web.csv"
    file.write_text("Id,Title\n7,Fix the till\n")
    page = opens("ana", "/settings/import/new/csv")
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_role("button", name="Send and read it").click()
    key, name = page.get_by_label("Key of web here"), page.get_by_label("Name of web here")
    expect(key).to_have_value("WEB2")
    expect(name).to_have_value("web")
    expect(page.locator(".set-section h3").nth(1)).to_have_text("Projects")
    row = page.get_by_role("row").filter(has=key)
    expect(row).to_contain_text("A new project")
    key.fill("web")
    key.press("Tab")
    expect(row).to_contain_text("Goes into Website, which is here")
    expect(name).to_have_count(0)
    key.fill("shop")
    key.press("Tab")
    expect(row).to_contain_text("A new project")
    name.fill(NASTY)
    name.press("Tab")
    expect(key).to_be_enabled()
    page.reload()
    expect(name).to_have_value(NASTY)
    expect(key).to_have_value("SHOP")
    page.get_by_role("button", name="Try it without writing").click()
    expect(page.get_by_role("heading", name="What would come in")).to_be_visible()
    page.get_by_role("button", name="Bring it in").click()
    expect(page.get_by_role("heading", name="What came in")).to_be_visible()
    assert call(world, "ana", "projects.get", key="SHOP")["name"] == NASTY


def test_a_new_org_has_a_board_after_three_questions_and_each_of_its_settings_opens(
    tmp_path: Path, clock: FixedClock, chromium: Browser
) -> None:
    world = World(tmp_path / "data", clock, {})
    said: list[str] = []
    with serving(world, Settings()), visiting(chromium, world.url) as visitor:
        page = visitor.context.new_page()
        hear(page, said, refused=True)
        answer_set_up(page, f"{world.url}/setup?token={world.database.write_now(new_setup_link)}")
        page.get_by_label("A sample").check()
        page.get_by_role("button", name="Create organisation").click()
        expect(page.locator(".board .card").first).to_be_visible()
        expect(page.locator(".board")).to_contain_text("Pay without an account")
        page.goto(f"{world.url}/settings")
        done = page.locator(".checks li.done")
        expect(done).to_have_text(
            [
                "Make the first project doneIssues live in projects. Its key begins their names: WEB-1.",
                "Write down the first issue donePress C anywhere; a title is enough.",
            ]
        )
        page.get_by_role("button", name="Remove the sample").click()
        page.get_by_label("Write SAMPLE").fill("WEB")
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator("dialog .wrong")).to_be_visible()  # in the words of the server, at its field
        page.get_by_label("Write SAMPLE").fill("SAMPLE")
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.get_by_role("status").filter(has_text="SAMPLE deleted")).to_be_visible()
        expect(done).to_have_count(0)
        for place in PLACES:
            page.goto(f"{world.url}/settings/{place}")
            assert heading(page)
    assert said == []


def test_somebody_is_asked_in_by_a_link_and_joins(world: World, opens: Opens, chromium: Browser) -> None:
    page = opens("ana", "/settings/invites", refused=True)
    page.get_by_label("Addresses").fill("new@acme.example\nnot an address")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator(".form .wrong").first).to_be_visible()
    expect(page.get_by_label("Addresses")).to_have_value("new@acme.example\nnot an address")
    page.reload()
    expect(page.get_by_label("Addresses")).to_have_value("new@acme.example\nnot an address")
    page.get_by_label("Addresses").fill("new@acme.example, newer@acme.example")
    page.get_by_label("Website").check()
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator(".fresh")).to_contain_text("2 invites are made.")
    expect(page.locator(".fresh")).to_contain_text("These addresses lead nowhere on other machines.")
    link = page.locator(".fresh code").first.inner_text()
    with visiting(chromium, world.url) as visitor:
        newcomer = visitor.context.new_page()
        newcomer.goto(link)
        newcomer.get_by_label("Your name").fill(NASTY)
        newcomer.get_by_label("Password").fill(PASSWORD)
        newcomer.get_by_role("button").last.click()
        newcomer.wait_for_url(f"{world.url}/")
    page.get_by_role("link", name="Members").click()
    row = page.get_by_role("row").filter(has_text="new@acme.example")
    expect(row).to_contain_text(NASTY)
    row.get_by_role("button").click()
    page.locator("dialog").get_by_label("Role").select_option("Guest")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog [role=status]")).to_have_text("Saved")
    page.get_by_role("button", name="Deactivate").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(row).to_have_count(0)
    found = call(world, "ana", "members.get", id="new@acme.example")
    assert (found["role"], found["state"]) == ("guest", "deactivated")
    expect(page).to_have_title("Settings · Acme")


def test_a_label_is_changed_by_two_and_the_last_change_is_taken_back(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/labels")
    page.get_by_role("button", name="New label").click()
    page.get_by_label("Name").fill(NASTY)
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    row = page.get_by_role("row").filter(has_text="onerror")
    expect(row).to_have_count(1)
    row.get_by_role("button").click()
    call(world, "bo", "labels.save", id=call(world, "ana", "labels.list")[0]["id"], name="Theirs")
    page.get_by_label("Name").fill("Mine")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("row").filter(has_text="Theirs")).to_have_count(1)
    expect(page).to_have_title("Settings · Acme")


def test_a_lane_is_made_and_issues_go_there_by_a_way_of_the_workflow(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/lanes")
    page.get_by_role("button", name="New lane").click()
    page.get_by_label("Name").fill("Waits for a customer")
    page.get_by_label("Stage").select_option("In work")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row").filter(has_text="Waits for a customer")).to_have_count(1)
    page.get_by_role("button", name="Move Waits for a customer up").click()
    expect(page.get_by_role("row").last).not_to_contain_text("Waits")

    page.get_by_role("link", name="Workflows").click()
    page.get_by_role("link", name="Standard").click()
    page.get_by_label("Waits for a customer").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".graph")).to_contain_text("Waits for a c…")
    page.get_by_role("button", name="Waits for a customer", exact=True).click()
    for lane in ("any lane", "To do"):
        page.get_by_role("group", name="From").get_by_label(lane).click()
    page.get_by_label("Leads").check()
    page.locator("dialog").get_by_role("button", name="Save").click()
    way = page.get_by_role("row").filter(has_text="Waits for a customer")
    expect(way).to_contain_text("To do → Waits for a customer")
    expect(way).to_contain_text("only Leads")
    page.get_by_label("An issue").fill(issue(world))
    page.get_by_label("As whom").select_option("Cy Moss")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator(".checks li").filter(has_text="Waits for a customer")).to_contain_text("Shut")
    (flow,) = call(world, "ana", "workflows.list")
    assert [(way["from"], way["to"], way["who"]) for way in flow["transitions"]][-1] == (
        ["todo"],
        "waits_for_a_customer",
        ["lead"],
    )


def test_an_own_field_has_options_that_are_renamed(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/fields")
    page.get_by_role("button", name="New field").click()
    page.get_by_label("Name").fill("Severity")
    page.get_by_label("Kind").select_option("One of a list")
    page.get_by_role("button", name="Make").click()
    page.get_by_label("Options").fill("High\nLow")
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator("dialog [role=status]").last).to_have_text("Saved")
    page.get_by_label("Options").fill("Severe\nLow")
    with page.expect_response("**/fields.options_set"):
        page.get_by_role("button", name="Save").last.click()
    expect(page.locator("dialog [role=status]").last).to_have_text("Saved")
    field = call(world, "ana", "fields.get", key="severity")
    assert [(one["name"], one["archived"]) for one in field["options"]] == [("Severe", False), ("Low", False)]


def test_a_button_that_is_pressed_twice_does_it_once(world: World, opens: Opens) -> None:
    before = len(call(world, "ana", "workflows.list"))
    page = opens("ana", "/settings/workflows")
    page.get_by_role("button", name="New workflow").dblclick()
    page.wait_for_url("**/settings/workflows/*")
    expect(page.get_by_role("status").filter(has_text="Workflow made")).to_have_count(1)
    assert len(call(world, "ana", "workflows.list")) == before + 1


def test_what_is_typed_while_a_form_is_saved_stays(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/org")
    form = page.locator(".form").first
    name, save = page.get_by_label("Name", exact=True), form.get_by_role("button", name="Save")
    name.fill("Acme Tools")
    with unanswered(page, "org.update", save):
        name.fill("Acme")  # as it was before
    expect(page.get_by_role("status").filter(has_text="Settings of the organisation")).to_be_visible()
    expect(form.locator(".acts [role=status]")).to_have_text("Not saved yet")
    expect(name).to_have_value("Acme")
    name.fill("Acme and more")
    save.click()
    expect(form.locator(".acts [role=status]")).to_have_text("Saved")
    assert call(world, "ana", "org.get")["name"] == "Acme and more"


def test_two_who_change_the_same_setting_are_told_and_a_proof_is_asked_where_it_is_due(
    world: World, opens: Opens
) -> None:
    page = opens("ana", "/settings/org", refused=True)
    name = page.get_by_label("Name", exact=True)
    expect(name).to_have_value("Acme")
    name.fill("Acme Tools")
    call(world, "bo", "org.update", name="Acme Works")
    save = page.locator(".form").first.get_by_role("button", name="Save")
    save.click()
    expect(page.locator(".form .wrong")).to_have_text(
        "Somebody made this “Acme Works” meanwhile. Save again to keep yours."
    )
    save.click()
    expect(page.get_by_role("status").filter(has_text="Settings of the organisation")).to_be_visible()
    assert call(world, "ana", "org.get")["name"] == "Acme Tools"
    page.get_by_role("button", name="Take back").click()
    expect(name).to_have_value("Acme Works")
    world.clock.advance(3600)  # who they are was proved an hour ago
    page.get_by_role("link", name="Sign-in").click()
    page.get_by_label("Characters of a new password").fill("14")
    page.get_by_role("button", name="Save").click()
    page.get_by_label("Your password").fill("wrong")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("dialog .wrong")).to_be_visible()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("status").filter(has_text="The sign-in policy is changed.")).to_be_visible()
    assert call(world, "ana", "auth.policy")["password_min"] == 14


def test_who_is_no_admin_reads_why_and_whom_to_ask(world: World, opens: Opens) -> None:
    page = opens("cy", "/settings/org")
    reason = page.locator(".reason")
    expect(reason).to_contain_text("Only admins change this. Ask")
    expect(reason).to_contain_text("Ana")
    expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    for place in sorted(ADMINS):
        page.goto(f"{world.url}/settings/{place}")
        expect(reason).to_contain_text("Only admins see this.")
    for place in set(PLACES) - ADMINS:
        page.goto(f"{world.url}/settings/{place}")
        assert heading(page)
        expect(page.locator(".trouble")).to_have_count(0)


def test_each_page_of_settings_is_for_everybody_who_sees_or_hears_it(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="slow")
    page = opens("ana", "/settings")
    begin(page)
    found = {}
    for place in (*PLACES, *MORE):
        page.evaluate(
            "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
            f"/settings/{place}",
        )
        heading(page)
        page.set_viewport_size({"width": 1280, "height": 800})
        found[place] = by_markup(page) + by_looks(page)
    assert {place: faults for place, faults in found.items() if faults} == {}


def test_the_audit_log_is_searched_followed_and_taken_along(world: World, opens: Opens) -> None:
    for who, name in (("bo", "slow"), ("ana", "fast")):
        call(world, who, "labels.save", name=name)
    page = opens("ana", "/settings/audit")
    begin(page)
    entries = page.get_by_role("region", name="Audit log").locator("tbody tr")
    saved = entries.filter(has_text="label.saved")
    expect(saved).to_have_count(2)
    page.get_by_label("By whom").select_option(label="Bo Tran")
    expect(saved).to_have_count(1)
    page.get_by_label("By whom").select_option(label="Anybody")
    page.get_by_label("About").select_option(label="label")
    expect(saved).to_have_count(2)
    expect(entries).to_have_count(2)
    page.get_by_label("Live").check()
    late = call(world, "bo", "labels.save", name="late")
    expect(saved).to_have_count(3)
    saved.first.get_by_role("button").click()
    dialog = page.get_by_role("dialog", name="label.saved")
    expect(dialog.locator("pre")).to_contain_text("late")
    assert by_markup(page) == []
    page.keyboard.press("Escape")
    call(world, "bo", "labels.save", id=late["id"], name="later")
    expect(saved).to_have_count(4)
    saved.first.get_by_role("button").click()
    expect(dialog.get_by_role("row", name="name late later")).to_be_visible()
    assert by_markup(page) + by_looks(page) == []
    page.keyboard.press("Escape")
    with page.expect_download() as told:
        page.get_by_role("button", name="Export").click()
    lines = told.value.path().read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["label.saved"] * 4


def test_a_change_is_taken_back_from_its_entry_of_the_audit_log(world: World, opens: Opens) -> None:
    call(world, "ana", "labels.save", name="old")
    world.clock.advance(86_401)
    made = call(world, "ana", "labels.save", name="slow")
    call(world, "bo", "labels.save", name="fast")
    call(world, "ana", "labels.save", id=made["id"], name="slower")
    page = opens("ana", "/settings/audit")
    begin(page)
    page.get_by_label("About").select_option(label="label")
    entries = page.get_by_role("region", name="Audit log").locator("tbody tr")
    expect(entries).to_have_count(4)
    dialog = page.get_by_role("dialog", name="label.saved")
    back = dialog.get_by_role("region", name="Undo this")
    entries.nth(1).get_by_role("button").click()
    expect(back).to_contain_text("a change is taken back by whoever made it")
    expect(back.get_by_role("button")).to_have_count(0)
    page.keyboard.press("Escape")
    entries.nth(2).get_by_role("button").click()
    expect(back).to_contain_text("name was changed since")
    expect(back.get_by_role("button", name="All the same")).to_be_visible()
    assert by_markup(page) + by_looks(page) == []
    page.keyboard.press("Escape")
    entries.nth(0).get_by_role("button").click()
    expect(back).to_contain_text("This would be taken back:")
    expect(back.get_by_role("listitem")).to_contain_text("Make a label, or change one")
    assert by_markup(page) + by_looks(page) == []
    back.get_by_role("button", name="Undo this").press("Enter")
    expect(back.get_by_role("status")).to_contain_text("Taken back")
    expect(entries).to_have_count(5)
    assert sorted(one["name"] for one in call(world, "ana", "labels.list")) == ["fast", "old", "slow"]
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    entries.nth(1).get_by_role("button").click()
    expect(back).to_contain_text("it was taken back already")
    page.set_viewport_size({"width": 390, "height": 800})
    assert by_markup(page) + by_looks(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    entries.last.get_by_role("button").click()
    expect(back).to_contain_text("older than 24 hours")


_WIDE = """() => [...document.querySelectorAll(".set-page *")].filter((it) => {
  const { width, right } = it.getBoundingClientRect();
  const { scrollWidth, clientWidth } = it.closest(".table") ?? it;
  if (it.matches("td, tbody th")) return width > 240 && scrollWidth > clientWidth;
  return right > innerWidth + 1 && !it.closest(".table, .graph, pre, .tokens");
}).map((it) => `${it.tagName}.${it.className}`)"""
"""Cells that push others out of sight, and what sticks out where nothing can be scrolled."""


def test_long_names_make_no_table_of_settings_wide_on_a_phone(world: World, opens: Opens) -> None:
    long = "Regal" * 20
    for op, value in (
        ("labels.save", {}),
        ("components.save", {"project": "WEB"}),
        ("lanes.save", {"key": "long", "category": "in_progress"}),
        ("types.save", {"key": "long"}),
        ("teams.save", {}),
        ("fields.save", {"key": "long", "kind": "text", "on": "issue"}),
        ("projects.update", {"key": "WEB"}),
        ("issues.template_save", {"project": "WEB", "type": "task", "input": {"title": long}}),
        ("checklists.template_save", {"kind": "task", "items": [long]}),
        ("webhooks.save", {"url": f"https://a.example/{long}", "events": ["issue.created"]}),
        ("keys.create", {"scopes": ["issues:read"]}),
        ("members.update", {"id": "@bo"}),
        ("members.update", {"id": "@ana"}),
    ):
        call(world, "ana", op, name=long, **value)
    page = opens("ana", "/settings")
    page.set_viewport_size({"width": 390, "height": 800})
    wide = {}
    for place in (*PLACES, *MORE):
        page.evaluate(
            "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
            f"/settings/{place}",
        )
        heading(page)
        wide[place] = page.evaluate(_WIDE)
    assert {place: found for place, found in wide.items() if found} == {}


def test_on_a_phone_the_places_come_first_and_words_find_them(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings")
    page.set_viewport_size({"width": 390, "height": 800})
    find = page.get_by_label("Find a setting")
    find.fill("saml")
    expect(page.locator(".places .place")).to_have_text(["Sign-in"])
    find.press("Enter")
    comes(page, lambda: heading(page), "Sign-in")
    expect(find).to_be_hidden()
    page.get_by_role("link", name="All settings").click()
    expect(find).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Control+k")
    choose_command(page, "Settings: Backups")
    page.get_by_role("button", name="Back up now").click()
    expect(page.get_by_role("row").filter(has_text="By hand")).to_have_count(1)
    page.get_by_label("Taken").select_option("Each day")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The schedule is changed.")).to_be_visible()
    assert call(world, "ana", "backups.list")["schedule"]["every"] == "daily"


def test_each_setting_says_what_programs_call_it(world: World, opens: Opens) -> None:
    page = opens("cy", "/settings/projects/WEB")
    fold = page.get_by_text("API and command line")
    expect(page.get_by_text("kbwork projects update …")).to_be_hidden()
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("kbwork projects update …")).to_be_visible()
    assert faults(page) == []
    told = page.get_by_role("link", name="projects.update", exact=True)
    with page.context.expect_page() as opened:
        told.click()
    expect(opened.value.get_by_role("heading", name="projects.update")).to_be_visible()
    page.goto(f"{world.url}/settings/trash")
    expect(page.get_by_text("kbwork trash restore …")).to_be_hidden()
    fold.click()
    expect(page.get_by_text("kbwork trash restore …")).to_be_visible()
