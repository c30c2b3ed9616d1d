"""Own fields in Chromium: shown and set on the page of an issue, and when an issue is made."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, choose_command, comes, on_disk, opens, row, settled
from tests.browser.axe import faults
from tests.browser.test_create import PASTE
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.fields.sample_values import field
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

MOMENT = 1_798_110_000


def chip(page: Page, key: str) -> Any:
    return page.locator(f"article.issue [data-own={key}]")


def add(page: Page, name: str) -> None:
    """Begin a field that is not there yet."""
    page.locator(".fields").get_by_role("button", name="Field", exact=True).click()
    choose(page, name)
    expect(page.get_by_role("dialog", name=name, exact=True)).to_be_visible()


def write(page: Page, text: str) -> None:
    """Into the form that is open, and save it."""
    form = page.locator("dialog form:has(> label.field)")
    box = form.locator("input, textarea")
    expect(box).to_be_focused()
    box.fill(text)
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)


def test_a_value_of_each_kind_is_set_and_shown(world: World, opens: Opens) -> None:
    for kind in (
        "text",
        "paragraph",
        "number",
        "money",
        "bool",
        "date",
        "datetime",
        "duration",
        "rating",
        "url",
    ):
        field(world, f"a_{kind}", kind)
    for kind in ("member", "members", "team", "issue", "asset"):
        field(world, f"a_{kind}", kind)
    field(world, "a_select", "select", ["High", "Low"])
    field(world, "a_multi_select", "multi_select", ["Red", "Green", "Blue"])
    field(world, "a_cascade", "cascade", [])
    call(
        world,
        "bo",
        "fields.options_set",
        key="a_cascade",
        options=[
            {"name": "Europe"},
            {"name": "Norway", "parent": "Europe"},
            {"name": "Spain", "parent": "Europe"},
        ],
    )
    field(world, "a_formula", "formula", formula="a_number * 2")
    team = call(world, "bo", "teams.save", name="Movers", handle="movers")["id"]
    call(world, "bo", "assets.type_save", key="LAP", name="Laptop", fields=[])
    asset = call(world, "bo", "assets.create", type="LAP", name="Old one", values={})["key"]
    other = issue(world, title="Something else")
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    for kind, text, shown in (
        ("text", "  Some <b>words</b> ", "A text: Some <b>words</b>"),
        ("number", "2,5", "A number: 2.5"),
        ("money", "12.5 eur", "A money: €12.50"),
        ("duration", "1h 30m", "A duration: 1 h 30 min"),
        ("url", "https://example.com/a", "A url: https://example.com/a"),
        ("datetime", "2026-12-24T09:30", "A datetime: Dec 24, 2026"),
        ("paragraph", "One\n\n* two", ""),
    ):
        add(page, f"A {kind}")
        write(page, text)
        if shown:
            expect(chip(page, f"a_{kind}")).to_contain_text(shown.split(": ")[1])
    for kind, words, shown in (
        ("bool", "yes", "Yes"),
        ("date", "24 dec", "Dec 24"),
        ("rating", "4 of", "4 of 5"),
        ("member", "Cy", "Cy"),
        ("team", "movers", "Movers"),
        ("issue", "something else", other),
        ("asset", "old", asset),
        ("select", "low", "Low"),
        ("cascade", "spain", "Europe / Spain"),
    ):
        add(page, f"A {kind}")
        page.keyboard.type(words)
        expect(page.get_by_role("option").first).to_contain_text(shown)
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_have_count(0)
        expect(chip(page, f"a_{kind}")).to_contain_text(shown)
    add(page, "A multi select")
    for words in ("blue", "red"):
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        page.get_by_role("combobox").fill("")
    page.keyboard.press("Escape")
    expect(chip(page, "a_multi_select")).to_contain_text("RedBlue")
    settled(page)
    values = call(world, "cy", "issues.get", key=key)["values"]
    me = world.people["cy"].id
    assert values.pop("a_datetime") % 60 == 0
    assert values == {
        "a_text": "Some <b>words</b>",
        "a_paragraph": "One\n\n* two",
        "a_number": 2.5,
        "a_money": {"amount": 12.5, "currency": "EUR"},
        "a_bool": True,
        "a_date": values["a_date"],
        "a_duration": 5400,
        "a_rating": 4,
        "a_url": "https://example.com/a",
        "a_member": me,
        "a_team": team,
        "a_issue": other,
        "a_asset": asset,
        "a_select": "Low",
        "a_multi_select": ["Red", "Blue"],
        "a_cascade": ["Europe", "Spain"],
        "a_formula": 5,
    }


def severity(world: World, **more: Any) -> None:
    field(world, "severity", "select", ["High", "Low", "Old"], **more)
    known = call(world, "bo", "fields.get", key="severity")["options"]
    options = [{"id": one["id"], "name": one["name"], "archived": one["name"] == "Old"} for one in known]
    call(world, "bo", "fields.options_set", key="severity", options=options)


def laid_out(world: World, **more: Any) -> None:
    layout: dict[str, Any] = {"create": [], "edit": [], "required": []}
    call(world, "bo", "fields.layout_save", project="WEB", type="task", **layout | more)


def held(world: World, key: str) -> dict[str, Any]:
    return dict(call(world, "cy", "issues.get", key=key)["values"])


def test_what_is_refused_is_told_where_it_is_written_and_is_not_lost(world: World, opens: Opens) -> None:
    field(world, "code", "text", pattern="^[A-Z]+$", description="Of the case, in capitals")
    field(world, "cost", "money")
    key = issue(world, values={"code": "OLD"})
    page = opens("cy", f"/issues/{key}")
    chip(page, "code").click()
    box = page.get_by_role("textbox", name="Code")
    expect(box).to_be_focused()
    expect(page.get_by_text("Of the case, in capitals")).to_be_visible()
    box.fill("small")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Code should fit the pattern ^[A-Z]+$")
    expect(box).to_have_value("small")
    expect(box).to_have_attribute("aria-invalid", "true")
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(chip(page, "code")).to_be_focused()
    expect(chip(page, "code")).to_contain_text("OLD")
    expect(page.get_by_role("alert")).to_have_count(0)
    chip(page, "code").press("Enter")
    expect(box).to_have_value("small")  # closed, not thrown away
    box.fill("NEW")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(chip(page, "code")).to_contain_text("NEW")
    settled(page)
    assert held(world, key) == {"code": "NEW"}


def test_a_value_is_taken_back_and_cleared(world: World, opens: Opens) -> None:
    field(world, "code", "text")
    field(world, "cost", "money")
    key = issue(world, values={"code": "OLD"})
    page = opens("cy", f"/issues/{key}")
    add(page, "Cost")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("with its currency")
    page.get_by_role("button", name="Cancel").click()
    add(page, "Cost")
    expect(page.get_by_role("textbox", name="Cost")).to_have_value("")
    write(page, "1,250 eur")
    expect(chip(page, "cost")).to_contain_text("€1,250.00")
    chip(page, "code").click()
    write(page, "NEW")
    expect(chip(page, "code")).to_contain_text("NEW")
    settled(page)
    page.keyboard.press("Control+z")
    expect(chip(page, "code")).to_contain_text("OLD")
    chip(page, "code").click()
    box = page.get_by_role("textbox", name="Code")
    expect(box).to_have_value("OLD")
    box.fill("")
    page.keyboard.press("Enter")
    expect(chip(page, "code")).to_have_count(0)
    settled(page)
    assert held(world, key) == {"cost": {"amount": 1250, "currency": "EUR"}}
    expect(page.locator(".change").last).to_contain_text("cleared Code")


def test_a_field_is_set_by_keys_alone(world: World, opens: Opens) -> None:
    severity(world)
    field(world, "notes", "paragraph")
    laid_out(world, edit=["severity", "notes"], create=["severity"], required=["severity"])
    key = issue(world, values={"severity": "Low"})
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("j")
    page.keyboard.press("Space")  # beside the list
    expect(chip(page, "severity")).to_contain_text("Low")
    page.keyboard.press("Control+k")
    page.locator("dialog.palette input").fill("change severity")
    expect(page.get_by_role("option").first).to_contain_text("Change Severity")
    page.keyboard.press("Enter")
    expect(page.locator("dialog.popover input")).to_be_focused()
    expect(page.get_by_role("option")).to_have_text(["High", "Low✓", "None"])  # none that is archived
    choose(page, "high")
    expect(chip(page, "severity")).to_contain_text("High")
    chip(page, "severity").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".fields").get_by_role("button", name="Field", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    choose(page, "notes")
    box = page.get_by_role("textbox", name="Notes")
    expect(box).to_be_focused()
    page.keyboard.type("One\n\n* two")
    page.keyboard.press("Control+Enter")
    region = page.get_by_role("region", name="Notes")
    expect(region.get_by_role("listitem")).to_have_text("two")
    expect(page.locator(".change").last).to_contain_text(
        "Cy Moss changed Severity from Low to High, changed Notes"
    )
    assert faults(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    comes(page, lambda: page.evaluate("document.documentElement.scrollWidth"), 320)
    settled(page)
    assert held(world, key) == {"severity": "High", "notes": "One\n\n* two"}


def test_two_people_set_the_same_field(world: World, opens: Opens) -> None:
    severity(world)
    field(world, "code", "text")
    key = issue(world, values={"severity": "Low", "code": "one"})
    page = opens("cy", f"/issues/{key}")
    expect(chip(page, "severity")).to_contain_text("Low")
    call(world, "bo", "issues.update", key=key, values={"severity": "High"})
    expect(chip(page, "severity")).to_contain_text("High")  # at once
    chip(page, "code").click()
    box = page.get_by_role("textbox", name="Code")
    expect(box).to_be_focused()
    box.fill("mine")
    call(world, "bo", "issues.update", key=key, values={"code": "theirs"})
    expect(page.get_by_text("Somebody else changed this meanwhile.")).to_be_visible()
    expect(box).to_have_value("mine")
    page.keyboard.press("Enter")
    expect(chip(page, "code")).to_contain_text("mine")
    settled(page)
    assert held(world, key) == {"severity": "High", "code": "mine"}
    page.context.set_offline(True)
    chip(page, "severity").click()
    choose(page, "low")
    expect(page.locator(".offline")).to_contain_text("1 change waits")
    expect(chip(page, "severity")).to_contain_text("Low")
    chip(page, "code").click()
    expect(box).to_be_focused()
    box.fill("offline")
    page.keyboard.press("Enter")
    expect(page.locator(".offline")).to_contain_text("2 changes wait")
    expect(chip(page, "code")).to_contain_text("offline")
    call(world, "bo", "issues.update", key=key, values={"severity": None})
    page.context.set_offline(False)
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text(f"Severity of {key} Bo Tran changed Severity meanwhile")
    expect(chip(page, "severity")).to_have_count(0)
    expect(chip(page, "code")).to_contain_text("offline")
    trouble.get_by_role("button", name="Keep mine").click()
    expect(chip(page, "severity")).to_contain_text("Low")
    settled(page)
    assert held(world, key) == {"severity": "Low", "code": "offline"}


def test_fields_that_become_others_are_shown_so_at_once(world: World, opens: Opens) -> None:
    severity(world)
    field(world, "code", "text")
    key = issue(world, values={"severity": "Low", "code": "A1"})
    page = opens("cy", f"/issues/{key}")
    expect(chip(page, "severity")).to_contain_text("Low")
    known = call(world, "bo", "fields.get", key="severity")["options"]
    options = [{"id": one["id"], "name": one["name"].replace("Low", "Small")} for one in known]
    call(world, "bo", "fields.options_set", key="severity", options=options)
    expect(chip(page, "severity")).to_contain_text("Small")
    laid_out(world, edit=["severity"])
    expect(chip(page, "code")).to_have_count(0)
    chip(page, "severity").click()
    choose(page, "none")
    expect(chip(page, "severity")).to_have_count(0)
    laid_out(world, edit=["severity", "code"], required=["severity"])
    expect(chip(page, "code")).to_contain_text("A1")
    expect(chip(page, "severity")).to_contain_text("(required)")


def test_a_change_of_type_asks_for_what_the_type_must_have(world: World, opens: Opens) -> None:
    severity(world)
    field(world, "code", "text")
    layout = {"create": ["severity", "code"], "edit": [], "required": ["severity", "code"]}
    call(world, "bo", "fields.layout_save", project="WEB", type="bug", **layout)
    laid_out(world)
    key = issue(world)
    page = opens("cy", f"/issues/{key}")
    expect(page.locator(".fields").get_by_role("button", name="Field", exact=True)).to_be_visible()
    page.keyboard.press("Shift+T")
    choose(page, "bug")
    expect(page.get_by_role("alert")).to_contain_text("Severity and Code must be given here.")
    expect(page.locator(".fields").get_by_role("button", name="Type: Task")).to_be_visible()
    chip(page, "severity").click()
    choose(page, "high")
    expect(page.get_by_role("alert")).to_contain_text("Code must be given here.")
    expect(chip(page, "severity")).to_contain_text("High")
    chip(page, "code").click()
    write(page, "A1")
    expect(page.locator(".fields").get_by_role("button", name="Type: Bug")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    settled(page)
    found = call(world, "cy", "issues.get", key=key)
    assert (found["type"], found["values"]) == ("bug", {"severity": "High", "code": "A1"})
    expect(chip(page, "code")).to_contain_text("A1")


def test_who_may_not_change_an_issue_reads_its_fields(world: World, opens: Opens) -> None:
    severity(world)
    field(world, "notes", "paragraph")
    key = issue(world, values={"severity": "Low", "notes": "Look here"})
    call(world, "bo", "projects.member_set", key="WEB", who="@gus", role="viewer")
    page = opens("gus", f"/issues/{key}")
    expect(chip(page, "severity")).to_contain_text("Low")
    expect(page.get_by_text("Look here")).to_be_visible()
    expect(page.locator("button[data-own]")).to_have_count(0)
    page.keyboard.press("Control+k")
    page.locator("dialog.palette input").fill("change severity")
    expect(page.get_by_role("option", name=re.compile("^Change Severity"))).to_have_count(0)


def ask_when_it_is_high(world: World) -> None:
    """Tasks need a severity, and a reason where it is high."""
    severity(world)
    field(world, "code", "text", pattern="^[A-Z]+$")
    field(world, "reason", "text")
    field(world, "seldom", "text")
    rule = {
        "if": {"field": "severity", "op": "=", "value": "High"},
        "show": ["reason"],
        "require": ["reason"],
    }
    laid_out(
        world,
        create=["code", "severity", "reason"],
        edit=["severity", "seldom"],
        required=["severity"],
        rules=[
            rule,
            {"if": {"field": "priority", "op": "=", "value": "urgent"}, "set": {"severity": "High"}},
        ],
    )


def test_a_new_issue_is_asked_for_what_its_project_needs(world: World, opens: Opens) -> None:
    ask_when_it_is_high(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    page.keyboard.type("A new one")
    dialog = page.get_by_role("dialog", name="New issue")
    own = dialog.locator("[data-own]")
    expect(own).to_have_text(["Code: ", "Severity * (required): "])
    page.keyboard.press("Control+Enter")
    expect(dialog.get_by_role("alert")).to_have_text("Severity is required here")
    asked = dialog.locator("[data-own=severity]")
    expect(asked).to_be_focused()
    assert faults(page) == []
    page.keyboard.press("Enter")
    choose(page, "high")
    expect(asked).to_contain_text("High")
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(own).to_have_count(3)
    expect(own.last).to_contain_text("Reason * (required)")
    dialog.locator("[data-own=code]").click()
    write(page, "small")
    page.keyboard.press("Escape")  # what was said is there again
    expect(dialog).to_have_count(0)
    page.keyboard.press("c")
    expect(asked).to_contain_text("High")
    expect(dialog.get_by_label("Title")).to_have_value("A new one")
    dialog.get_by_role("button", name="Create issue").click()
    expect(dialog.get_by_role("alert")).to_have_text("Code should fit the pattern ^[A-Z]+$")
    dialog.locator("[data-own=code]").click()
    write(page, "BIG")
    dialog.locator("[data-own=reason]").click()
    write(page, "Since")
    dialog.get_by_role("button", name="Create issue").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("WEB-1 created")).to_be_visible()
    assert held(world, "WEB-1") == {"code": "BIG", "severity": "High", "reason": "Since"}
    page.keyboard.press("c")
    expect(dialog).to_be_visible()
    expect(asked).not_to_contain_text("High")


def test_a_rule_fills_in_a_new_issue_and_asks_for_more(world: World, opens: Opens) -> None:
    ask_when_it_is_high(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="New issue")
    own = dialog.locator("[data-own]")
    expect(own).to_have_count(2)
    page.keyboard.type("Now")
    dialog.get_by_role("button", name="No priority").click()
    choose(page, "urgent")
    expect(own.nth(1)).to_contain_text("High")
    expect(own.last).to_contain_text("Reason * (required)")
    own.last.click()
    write(page, "It is on fire")
    dialog.get_by_role("button", name="Create issue").click()
    expect(page.get_by_text("WEB-1 created")).to_be_visible()
    assert held(world, "WEB-1") == {"severity": "High", "reason": "It is on fire"}


def test_several_issues_of_a_list_hold_the_same(world: World, opens: Opens) -> None:
    ask_when_it_is_high(world)
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    expect(page.get_by_placeholder("What is to be done?")).to_be_focused()
    page.evaluate(PASTE, "First\nSecond")
    make = page.get_by_role("button", name="Make 2 issues")
    make.click()
    expect(page.get_by_role("alert")).to_contain_text("Severity must be given here")
    page.locator("dialog [data-own=severity]").click()
    choose(page, "low")
    make.click()
    expect(page.get_by_text("2 issues made")).to_be_visible()
    assert [held(world, key) for key in ("WEB-1", "WEB-2")] == [{"severity": "Low"}] * 2


def test_what_was_set_without_a_network_is_there_at_the_next_visit(world: World, opens: Opens) -> None:
    severity(world)
    key = issue(world, values={"severity": "Low"})
    page = opens("cy", f"/issues/{key}")
    expect(chip(page, "severity")).to_contain_text("Low")
    on_disk(page)
    page.context.route("**/api/v1/sync.push", lambda route: route.abort())
    chip(page, "severity").click()
    choose(page, "high")
    expect(page.locator(".offline")).to_contain_text("1 change waits")
    page.reload()
    expect(chip(page, "severity")).to_contain_text("High")
    assert held(world, key) == {"severity": "Low"}
    page.context.unroute("**/api/v1/sync.push")
    settled(page)
    assert held(world, key) == {"severity": "High"}


def test_a_field_of_all_that_are_selected_is_set_as_was_seen_before(world: World, opens: Opens) -> None:
    field(world, "severity", "select", ["High", "Low"], types=["bug"])
    field(world, "code", "text", pattern="^[A-Z]+$")
    bug, task = issue(world, title="Wrong", type="bug"), issue(world, title="New", type="task")
    page = opens("cy", "/projects/WEB")
    expect(row(page, bug)).to_be_visible()
    page.keyboard.press("Control+a")
    bar = page.get_by_role("toolbar", name="2 selected")
    bar.get_by_role("button", name="Field", exact=True).click()
    choose(page, "severity")
    choose(page, "high")
    dialog = page.get_by_role("dialog", name="Change many issues")
    expect(dialog).to_contain_text("1 of 2 issues will change.")
    expect(dialog).to_contain_text("No field here is called")
    expect(dialog).to_contain_text(task)
    assert faults(page) == []
    dialog.get_by_role("button", name="Change 1 issue").click()
    expect(dialog).to_contain_text("1 issue changed.")
    dialog.get_by_role("button", name="Close").click()
    assert [held(world, key) for key in (bug, task)] == [{"severity": "High"}, {}]
    page.keyboard.press("Control+k")
    choose_command(page, "Change Code of all that are selected")
    write(page, "lower")
    expect(dialog).to_contain_text("0 of 2 issues will change.")  # each stays, for what is said
    expect(dialog.get_by_role("button", name="Change 0 issues")).to_be_disabled()
    dialog.get_by_role("button", name="Cancel").click()
    page.keyboard.press("Control+k")
    choose_command(page, "Change Code of all that are selected")
    expect(page.get_by_role("textbox", name="Code")).to_have_value("lower")
    write(page, "UPPER")
    dialog.get_by_role("button", name="Change 2 issues").click()
    expect(dialog).to_have_count(0)
    assert [held(world, key)["code"] for key in (bug, task)] == ["UPPER"] * 2
    page.keyboard.press("Control+z")
    expect(page.get_by_text("Taken back: Code: UPPER")).to_be_visible()
    assert held(world, task) == {}
