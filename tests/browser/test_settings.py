"""The settings of the web app: what an admin does there is done, and whoever may not do it reads why."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.test_app import NASTY, Opens, node, opens
from tests.conftest import World
from tests.modules.calls import call

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long

TABLE = f"""Issue key,Summary,Status,Assignee,Due date,Team
OLD-7,"{NASTY.replace('"', '""')}",Doing,bo,2026-03-01,Web
OLD-9,Mend the cart,Open,Somebody Else,soon,Web
"""


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
    assert page.title() == "Settings · Acme"
