"""Proposals of models in the web app: what they would change is read before somebody applies it."""

from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.app import Opens, intercept, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.ai.ai_calls import issue, switched_on
from tests.modules.ai.conftest import recorder, settings
from tests.modules.ai.recorder import Recorder
from tests.modules.ai.test_proposals import proposed, run
from tests.modules.calls import call
from tests.web.conftest import node

__all__ = ["node", "opens", "recorder", "settings"]

pytestmark = pytest.mark.long

BODY = "Vouchers are kept for a week.\n\nThe cart is kept for a day.\n"


def block(page: Page) -> Any:
    return page.get_by_role("region", name="Proposed by a model")


def writes(world: World, recorder: Recorder, op: str, input_: dict[str, Any], says: str) -> None:
    recorder.says = says
    done = run(world, task="prompt", instructions="Do it", then={"op": op, "input": input_})
    assert done["state"] == "done", done


def test_a_change_is_shown_beside_what_stands_there_and_applied(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    switched_on(world, recorder)
    issue(world, body=BODY)
    page = opens("cy", "/issues/WEB-1")
    expect(page.get_by_label("Description")).to_be_visible()
    expect(block(page)).to_have_count(0)
    proposed(world, recorder)
    inbox = opens("ana", "/inbox").get_by_role("region", name="Models propose, you decide")
    expect(inbox.get_by_role("link")).to_have_attribute("href", "/issues/WEB-1")  # hers, since nobody has it
    expect(block(page)).to_contain_text("Nobody has checked it.")
    expect(block(page).locator("del")).to_contain_text("No priority")
    expect(block(page).locator("ins")).to_contain_text("High")
    assert faults(page) == []
    assert call(world, "cy", "issues.get", key="WEB-1")["priority"] == "none"
    late: list[tuple[Route, APIResponse]] = []
    intercept(page, "**/ai.proposal_apply", lambda route: late.append((route, route.fetch())))
    block(page).get_by_role("button", name="Apply").click()
    expect(page.locator(".fields").get_by_role("button", name="Priority: High")).to_be_visible()
    page.keyboard.press("Control+z")  # it is seen before the answer comes
    [(asked, answer)] = late
    asked.fulfill(response=answer)
    expect(block(page)).to_have_count(0)
    expect(page.locator(".fields").get_by_role("button", name="Priority: No priority")).to_be_visible()


def test_texts_are_shown_by_what_differs_and_nothing_of_them_runs(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    switched_on(world, recorder)
    issue(world, body=BODY)
    page = opens("cy", "/issues/WEB-1")
    far = "![](https://elsewhere.example/seen.png)<script>alert(1)</script>"
    writes(
        world,
        recorder,
        "issues.update",
        {"key": "WEB-1", "body": "{{answer}}"},
        BODY.replace("a day", "a month"),
    )
    expect(block(page).locator("del")).to_have_text("removed day")
    expect(block(page).locator("ins")).to_have_text("added month")
    writes(
        world,
        recorder,
        "comments.create",
        {"subject": "WEB-1", "body": "{{answer}}", "internal": True},
        f"**Soon** {far}",
    )
    said = block(page).locator("blockquote")
    expect(said.locator("strong")).to_have_text("Soon")
    expect(block(page)).to_contain_text("Say to the team alone")
    expect(said.locator("img, script")).to_have_count(0)
    assert faults(page) == []
    block(page).get_by_role("button", name="Dismiss").first.click()
    expect(block(page).locator(".proposal")).to_have_count(1)
    assert call(world, "cy", "comments.list", subject="WEB-1") == []


def test_what_does_not_go_says_why_and_stays(world: World, recorder: Recorder, opens: Opens) -> None:
    switched_on(world, recorder)
    issue(world)
    writes(
        world,
        recorder,
        "issues.update",
        {"key": "WEB-1", "title": "Cart", "labels": ["{{answer}}"]},
        "nowhere",
    )
    page = opens("cy", "/issues/WEB-1")
    block(page).get_by_role("button", name="Apply").click()
    expect(block(page).locator(".wrong")).to_contain_text("It was applied, and did not go:")
    expect(block(page).get_by_role("button", name="Apply again")).to_be_enabled()
