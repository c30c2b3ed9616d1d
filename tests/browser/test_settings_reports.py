"""Reports in the settings of the web app: asked, kept, run by hand, and the history as a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.analytics.asked import report, save
from tests.modules.calls import call
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

KINDS = "select 'bug' as kind, 3 as number union all select '=1+1', null"


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def test_a_question_is_asked_by_keys_and_kept_as_a_report(world: World, opens: Opens, tmp_path: Path) -> None:
    page = opens("bo", "/settings/reports")
    expect(page.get_by_text("There is no report yet.")).to_be_visible()
    query = page.get_by_label("Query in SQL")
    query.fill("select lost from events")
    query.press("Control+Enter")
    expect(page.locator(".content .wrong")).to_contain_text("no such column: lost")
    page.reload()
    expect(query).to_have_value("select lost from events")
    query.fill(KINDS)
    query.press("Control+Enter")
    found = page.get_by_role("region", name="What was found")
    expect(found.get_by_role("row")).to_have_text(["kindnumber", "bug3", "=1+1"])
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Save as CSV").click()
    downloaded.value.save_as(tmp_path / "found.csv")
    assert (tmp_path / "found.csv").read_text().split() == ["kind,number", "bug,3", "'=1+1,"]
    assert faults(page) == []
    page.get_by_role("button", name="Keep as a report").click()
    expect(field(page, "Query in SQL").last).to_have_value(KINDS)
    field(page, "Name").fill("Kinds")
    field(page, "Runs").select_option("Each Monday at 8:00")
    field(page, "Who is told").press_sequentially("team:admins,m_nobody")
    page.get_by_role("button", name="Make").click()
    expect(page.locator(".form .wrong")).to_contain_text("m_nobody")
    page.get_by_role("button", name="Take out m_nobody").click()
    page.get_by_role("button", name="Make").click()
    expect(page.get_by_role("heading", name="Kinds")).to_be_visible()
    expect(page.locator(".tokens .chip")).to_have_text(["All admins"])
    page.get_by_role("button", name="Run now").click()
    expect(page.get_by_role("region", name="What was found").get_by_role("row")).to_have_count(3)
    assert (report(world)["every"], report(world)["recipients"]) == ("weekly", ["team:admins"])
    assert faults(page) == []


def test_why_it_failed_is_said_and_two_who_change_it_are_told(world: World, opens: Opens) -> None:
    slow = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
    made = save(world, sql=slow)
    where = call(world, "bo", "subjects.resolve", refs=[f"report:{made['id']}"])[0]["path"]
    page = opens("bo", where)
    page.get_by_role("button", name="Run now").click()
    expect(page.locator(".trouble")).to_contain_text("Its last run found nothing:")
    page.get_by_role("link", name="← Reports").click()
    expect(page.get_by_role("row").filter(has_text="Kinds")).to_contain_text("Failed")
    page.get_by_role("link", name="Kinds").click()
    field(page, "Name").fill("Mine")
    save(world, "ana", id=made["id"], name="Theirs", sql=slow)
    button = page.get_by_role("button", name="Save", exact=True)
    button.click()
    expect(page.locator(".form .wrong")).to_contain_text("Somebody made this “Theirs” meanwhile.")
    button.click()
    expect(page.locator(".form .acts [role=status]")).to_have_text("Saved")
    assert report(world)["name"] == "Mine"
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is no report yet.")).to_be_visible()


def test_events_come_as_a_file_and_others_read_whom_to_ask(
    world: World, opens: Opens, tmp_path: Path
) -> None:
    call(world, "ana", "issues.create", project="WEB", title="Cart")
    page = opens("bo", "/settings/reports")
    field(page, "First day").fill("2030-01-02")
    field(page, "Last day").fill("2030-01-01")
    page.get_by_role("button", name="Export").click()
    expect(page.locator(".form .wrong")).to_contain_text("The first day is behind the last.")
    field(page, "First day").fill("2020-01-01")
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Export").click()
    downloaded.value.save_as(tmp_path / "events.ndjson")
    kinds = [json.loads(line)["kind"] for line in (tmp_path / "events.ndjson").read_text().splitlines()]
    assert "issue.created" in kinds
    other = opens("cy", "/settings/reports")
    expect(other.locator(".reason")).to_contain_text("Only admins see this. Ask")
