"""Asking a model about what one looks at: by the server's key, or by one's own, which the server never sees."""

from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import Opens, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.ai.ai_calls import SECRET, issue, policy, provider, switched_on
from tests.modules.ai.conftest import recorder, settings
from tests.modules.ai.recorder import Recorder
from tests.modules.calls import call
from tests.web.conftest import node

__all__ = ["node", "opens", "recorder", "settings"]

pytestmark = pytest.mark.long

ASK_ANOTHER = """([place]) => new Promise((tell) => {
  const worker = new Worker("/asker.js");
  worker.onmessage = ({ data }) => tell(data);
  worker.postMessage({ kind: "openai", base_url: `http://${place}/v1`, model: "m", system: "", prompt: "all of it" });
})"""


def asking(page: Page, title: str = "WEB-1") -> Any:
    page.get_by_role("button", name="More").click()
    page.get_by_role("option", name="Ask a model").click()
    return page.get_by_role("dialog", name=f"Ask a model about {title}")


def test_an_issue_is_summed_up_and_explained_by_the_server(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    issue(world, body="Vouchers are kept for a week.")
    page = opens("cy", "/issues/WEB-1")
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("option", name="Copy link")).to_be_visible()
    expect(page.get_by_role("option", name="Ask a model")).to_have_count(0)
    page.keyboard.press("Escape")
    switched_on(world, recorder)
    call(world, "bo", "ai.profile_save", key="boss", label="The boss", instructions="In one line.")
    page.reload()
    expect(page.get_by_label("Description")).to_be_visible()
    recorder.says = "Vouchers are **lost**. ![seen](https://evil.example/pixel.gif)"
    dialog = asking(page)
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.locator("blockquote strong")).to_have_text("lost")
    expect(dialog.locator("blockquote img")).to_have_count(0)
    expect(dialog).to_contain_text("Local, small. Nobody has checked it.")
    dialog.get_by_label("Model").select_option("large")
    dialog.get_by_role("button", name="Explain it").click()
    expect(dialog).to_contain_text("Local, large. Nobody has checked it.")
    assert [one.body["model"] for one in recorder.asked] == ["small", "large"]
    assert "In one line." in recorder.asked[1].text
    dialog.get_by_text("What the model is told").click()
    expect(dialog.locator("pre")).to_contain_text("Vouchers are kept for a week.")
    assert faults(page) == []
    policy(world, excluded=["issue:WEB-1"])
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert len(recorder.asked) == 2


def test_the_answer_is_not_waited_for_by_who_leaves_or_stops(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    switched_on(world, recorder)
    issue(world)
    page = opens("cy", "/issues/WEB-1")
    recorder.acts += [recorder.never]
    dialog = asking(page)
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog).to_contain_text("Local is asked…")
    dialog.get_by_role("button", name="Stop").click()
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.locator("blockquote")).to_have_text("Vouchers are lost.")


@pytest.mark.parametrize(("kind", "header"), [("openai", "authorization"), ("anthropic", "x-api-key")])
def test_a_key_of_ones_own_goes_from_the_browser_to_the_provider_alone(
    world: World, recorder: Recorder, opens: Opens, kind: str, header: str
) -> None:
    policy(world, browser_keys=True, org_keys=False)
    provider(world, recorder, kind=kind, needs_key=True, browser=True)
    issue(world, body="Vouchers are kept for a week.")
    page = opens("cy", "/issues/WEB-1")
    dialog = asking(page)
    expect(dialog.get_by_role("button", name="Sum it up")).to_be_disabled()
    dialog.get_by_label("Your key of Local").fill(SECRET)
    dialog.get_by_role("button", name="Keep it").click()
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.locator("blockquote")).to_have_text("Vouchers are lost.")
    (asked,) = recorder.asked
    assert asked.headers[header].removeprefix("Bearer ") == SECRET
    assert asked.headers["origin"] == world.url
    assert "cookie" not in asked.headers
    assert "Vouchers are kept for a week." in asked.text
    recorder.acts += [recorder.sends(b'{"error": {"message": "No credit is left."}}'), recorder.hangs_up]
    assert call(world, "bo", "ai.usage") == []
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.get_by_role("alert")).to_have_text("Local answered something that cannot be read.")
    dialog.get_by_role("button", name="Sum it up").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This browser did not reach Local")
    assert faults(page) == []
    assert page.evaluate("JSON.stringify(localStorage)").count(SECRET) == 1
    # Where admins put another address, a key is not sent there.
    with closing(Recorder()) as other:
        provider(world, other, kind=kind, needs_key=True, browser=True)
        page.keyboard.press("Escape")
        dialog = asking(page)
        expect(dialog.get_by_label("Your key of Local")).to_be_visible()
        assert other.asked == []


def test_what_asks_models_reaches_nobody_else(world: World, recorder: Recorder, opens: Opens) -> None:
    policy(world, browser_keys=True)
    provider(world, recorder, browser=True)
    page = opens("cy", "/issues")
    assert page.evaluate(ASK_ANOTHER, [recorder.place]) == {"text": "Vouchers are lost."}
    with closing(Recorder()) as other:
        assert page.evaluate(ASK_ANOTHER, [other.place]) == {"why": "unreached"}
        assert other.asked == []
    policy(world, browser_keys=False)
    assert page.evaluate(ASK_ANOTHER, [recorder.place]) == {"why": "unreached"}
    assert len(recorder.asked) == 1


def test_a_key_of_ones_own_is_forgotten_when_one_says_so_and_at_the_end(
    world: World, recorder: Recorder, opens: Opens
) -> None:
    policy(world, browser_keys=True)
    provider(world, recorder, needs_key=True, browser=True)
    page = opens("cy", "/settings/ai")
    section = page.locator("section", has=page.get_by_role("heading", name="Keys of my own"))
    for _ in range(2):
        section.get_by_label("Your key of Local").fill(SECRET)
        section.get_by_role("button", name="Keep it").click()
        expect(section).to_contain_text("This browser has a key of Local.")
        section.get_by_role("button", name="Forget my key").click()
        assert SECRET not in page.evaluate("JSON.stringify(localStorage)")
    section.get_by_label("Your key of Local").fill(SECRET)
    page.keyboard.press("Enter")
    expect(section).to_contain_text("This browser has a key of Local.")
    page.keyboard.press("ControlOrMeta+k")
    page.keyboard.type("sign out")
    page.keyboard.press("Enter")
    page.wait_for_url("**/signin**")
    assert SECRET not in page.evaluate("JSON.stringify(localStorage)")
