"""Own fields in Chromium: shown and set on the page of an issue, and when an issue is made."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, opens, settled
from tests.browser.axe import faults
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
    box = page.locator("dialog form").locator("input, textarea")
    expect(box).to_be_focused()
    box.fill(text)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_value_of_each_kind_is_set_and_shown(world: World, opens: Opens) -> None:
    for kind in ("text", "paragraph", "number", "money", "bool", "date", "datetime", "duration", "rating", "url"):
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
        options=[{"name": "Europe", "options": [{"name": "Norway"}, {"name": "Spain"}]}],
    )
    field(world, "a_formula", "formula", formula="a_number * 2")
    team = call(world, "bo", "teams.create", name="Movers", handle="movers")["id"]
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
