"""Templates of issues in Chromium: made in settings, and what a new issue begins with."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, choose, choose_command, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.test_sync import issue
from tests.web.conftest import node

__all__ = ["node", "opens"]

pytestmark = pytest.mark.long


def test_a_template_is_made_in_settings_and_changed(world: World, opens: Opens) -> None:
    page = opens("bo", "/settings/templates")
    page.get_by_role("button", name="New template").click()
    dialog = page.get_by_role("dialog")
    for label, text in (("Name", "Defect"), ("Text", "Seen by {{me.name}}"), ("Due", "{{when}}")):
        dialog.get_by_label(label, exact=True).fill(text)
    dialog.get_by_label("Type", exact=True).select_option("Bug")
    dialog.get_by_label("Priority", exact=True).select_option("High")
    dialog.get_by_label("Issues below it").fill("Write a test\nTell support")
    dialog.get_by_label("Other fields").fill('{"estimate": ')
    dialog.get_by_role("button", name="Make").click()
    expect(dialog.get_by_role("alert")).to_have_text("This is no JSON object.")
    dialog.get_by_label("Other fields").fill('{"source": "by hand"}')
    dialog.get_by_role("button", name="Make").click()
    expect(dialog.get_by_role("alert")).to_contain_text("There is no placeholder {{when}}")
    assert faults(page) == []
    dialog.get_by_label("Due", exact=True).fill("{{today+7d}}")
    dialog.get_by_role("button", name="Make").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Defect").click()
    dialog.get_by_label("Issues below it").fill("Tell support")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    [made] = call(world, "bo", "issues.templates")
    assert made["input"] == {
        "body": "Seen by {{me.name}}",
        "priority": "high",
        "due_date": "{{today+7d}}",
        "source": "by hand",
    }
    assert [(one["ref"], one["input"]["title"]) for one in made["children"]] == [("2", "Tell support")]


def test_a_checklist_is_made_in_settings_and_changed_by_two(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/checklists")
    page.get_by_role("button", name="New template").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Before release")
    dialog.get_by_label("Type", exact=True).select_option("Bug")
    dialog.get_by_role("button", name="Make").click()
    expect(dialog.get_by_role("alert")).to_be_visible()  # without a step it is none
    dialog.get_by_label("Steps").fill("Test it\nTell support")
    dialog.get_by_label("From the start").check()
    assert faults(page) == []
    dialog.get_by_role("button", name="Make").click()
    expect(dialog).to_have_count(0)
    [made] = call(world, "ana", "checklists.templates")
    assert (made["kind"], made["items"], made["auto"]) == ("bug", ["Test it", "Tell support"], True)
    page.get_by_role("button", name="Before release").click()
    dialog.get_by_label("Steps").fill("Test it\nTell support\nTell sales")
    call(world, "bo", "checklists.template_save", **made | {"name": "Before it goes out"})
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    [both] = call(world, "ana", "checklists.templates")
    assert (both["name"], both["items"][2]) == ("Before it goes out", "Tell sales")
    page.get_by_role("button", name="Before it goes out").click()
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").last.click()
    expect(page.get_by_text("There is no template of a checklist yet.")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name="Before it goes out")).to_be_visible()
    theirs = opens("cy", "/settings/checklists")
    theirs.get_by_role("button", name="Before it goes out").click()
    expect(theirs.get_by_role("dialog").get_by_label("Steps")).to_be_disabled()


def test_an_issue_gets_the_steps_of_a_template(world: World, opens: Opens) -> None:
    key = issue(world, type="bug")
    page = opens("cy", f"/issues/{key}")
    page.get_by_role("button", name="Checklist", exact=True).click()
    steps = page.get_by_role("region", name="Checklist")
    steps.get_by_role("button", name="From a template").click()
    expect(page.get_by_role("status").filter(has_text="There is no template of a checklist")).to_be_visible()
    for name, kind in (("Any task", "task"), ("Before release", "bug")):
        call(
            world,
            "ana",
            "checklists.template_save",
            name=name,
            kind=kind,
            items=[f"{name}: test", "Tell support"],
        )
    steps.get_by_role("button", name="From a template").click()
    expect(page.get_by_role("option")).to_have_text(["Before release", "Any task"])  # of its type first
    page.keyboard.press("Enter")
    expect(steps.get_by_role("checkbox")).to_have_count(2)
    expect(steps.get_by_role("checkbox", name="Before release: test")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Control+z")
    expect(steps.get_by_role("checkbox")).to_have_count(0)


def test_an_issue_begins_with_a_template_and_keeps_what_was_written(world: World, opens: Opens) -> None:
    call(
        world,
        "bo",
        "issues.template_save",
        name="Defect",
        type="bug",
        input={"title": "Title", "body": "Seen by {{me.name}}", "priority": "high", "assignees": ["@di"]},
        children=[{"ref": "test", "input": {"title": "Test for {{title}}", "type": "subtask"}}],
    )
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="New issue")
    title, body = dialog.get_by_label("Title"), dialog.get_by_label("Description")
    expect(title).to_be_focused()
    page.keyboard.type("The cart is slow")
    dialog.get_by_role("button", name="Template", exact=True).click()
    choose(page, "defect")
    expect(body).to_have_value("Seen by Cy Moss")
    expect(title).to_have_value("The cart is slow")
    expect(dialog).to_contain_text("“Defect” adds when it is made: 1 issue below it")
    expect(dialog.get_by_role("button", name="High")).to_be_visible()
    assert faults(page) == []
    dialog.get_by_role("button", name="Defect").click()
    choose(page, "no template")
    expect(body).to_have_value("")
    expect(title).to_have_value("The cart is slow")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("Control+k")
    choose_command(page, "New issue from template")
    expect(page.get_by_role("option", name="Defect")).to_be_visible()
    choose(page, "defect")
    expect(body).to_have_value("Seen by Cy Moss")
    dialog.get_by_role("button", name="Di Park").click()
    choose(page, "nobody")
    dialog.get_by_role("button", name="Create issue").click()
    expect(dialog).to_have_count(0)
    made = call(world, "cy", "issues.get", key="WEB-1")
    assert {name: made[name] for name in ("title", "type", "body", "priority", "assignees")} == {
        "title": "The cart is slow",
        "type": "bug",
        "body": "Seen by Cy Moss",
        "priority": "high",
        "assignees": [],
    }
    comes(page, lambda: call(world, "cy", "issues.get", key="WEB-2")["title"], "Test for The cart is slow")


def test_a_type_brings_its_template_and_takes_it_along(world: World, opens: Opens) -> None:
    for name, type_, text in (
        ("Defect", "bug", "What happened?"),
        ("Tale", "story", "As somebody I want"),
        ("Short", "bug", "In short"),
    ):
        call(
            world,
            "bo",
            "issues.template_save",
            name=name,
            type=type_,
            input={"body": text, "priority": "high"},
        )
    set_templates(world, opens("bo", "/settings/types"))
    page = opens("cy", "/projects/WEB")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="New issue")
    title, body = dialog.get_by_label("Title"), dialog.get_by_label("Description")
    expect(title).to_be_focused()
    page.keyboard.type("The cart is slow")
    expect(dialog.get_by_role("button", name="Template", exact=True)).to_be_visible()
    become(page, "Task", "bug")
    expect(body).to_have_value("What happened?")
    expect(dialog.get_by_role("button", name="Defect")).to_be_visible()
    become(page, "Bug", "story")
    expect(body).to_have_value("As somebody I want")
    become(page, "Story", "task")
    expect(body).to_have_value("")
    expect(dialog.get_by_role("button", name="No priority")).to_be_visible()
    expect(dialog.get_by_role("button", name="Template", exact=True)).to_be_visible()
    become(page, "Task", "bug")
    body.fill("What happened? It stood still.")
    become(page, "Bug", "story")  # nothing that somebody wrote is replaced
    expect(body).to_have_value("What happened? It stood still.")
    body.fill("")
    dialog.get_by_role("button", name="Defect").click()
    choose(page, "short")
    become(page, "Bug", "story")  # nor what they chose
    expect(body).to_have_value("In short")
    expect(title).to_have_value("The cart is slow")
    assert faults(page) == []
    dialog.get_by_role("button", name="Short").click()
    choose(page, "no template")
    become(page, "Story", "bug")
    dialog.get_by_role("button", name="Create issue").click()
    expect(dialog).to_have_count(0)
    made = call(world, "cy", "issues.get", key="WEB-1")
    assert (made["type"], made["body"], made["priority"]) == ("bug", "What happened?", "high")


def set_templates(world: World, page: Page) -> None:
    for kind, name in (("Bug", "Defect"), ("Story", "Tale")):
        page.get_by_role("button", name=kind, exact=True).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Template", exact=True).select_option(name)
        assert faults(page) == []
        dialog.get_by_role("button", name="Save").click()
        expect(dialog).to_have_count(0)
    held = {one["id"]: one["name"] for one in call(world, "bo", "issues.templates")}
    brought = {one["key"]: held.get(one["template"]) for one in call(world, "bo", "types.list")}
    assert {key: name for key, name in brought.items() if name} == {"bug": "Defect", "story": "Tale"}


def become(page: Page, before: str, after: str) -> None:
    page.get_by_role("dialog", name="New issue").get_by_role("button", name=before, exact=True).click()
    choose(page, after)
    expect(page.locator("dialog.popover")).to_have_count(0)
