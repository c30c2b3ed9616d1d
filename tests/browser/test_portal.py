"""The customer portal in Chromium, without scripts: how somebody asks for help, reads the answer and answers back."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call

pytestmark = pytest.mark.long

EMAIL = "rita@rivers.example"
NASTY = "<img src=x onerror=alert(1)> & co"


@pytest.fixture
def page(chromium: Browser, world: World) -> Iterator[Page]:
    """A browser in which no script of a page runs: those that look for faults come from elsewhere."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    try:
        yield context.new_page()
    finally:
        context.close()


def opened(world: World) -> str:
    """A desk with two things to ask for and an article; answers the password of a customer."""
    call(world, "ana", "spaces.save", key="HELP", name="Help", kind="kb", visibility="org")
    call(
        world,
        "ana",
        "pages.create",
        space="HELP",
        title="Return a parcel",
        body="Print the *label* within 30 days.",
    )
    call(
        world,
        "ana",
        "desk.save",
        project="WEB",
        name="Help desk",
        intro="We answer within a day.",
        kb_space="HELP",
        open_signup=True,
    )
    field = [{"field": "description", "label": "What happened", "required": True}]
    saved = {"project": "WEB", "issue_type": "task", "fields": field}
    call(world, "ana", "desk.request_type_save", name="Something is wrong", description=NASTY, **saved)
    call(world, "ana", "desk.request_type_save", name="Ask a question", **saved)
    return str(call(world, "ana", "desk.customer_add", email=EMAIL, name="Rita Rivers")["password"])


def sign_in(page: Page, url: str, password: str) -> None:
    page.goto(f"{url}/portal/signin")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def looked_at(page: Page, chromium: Browser) -> list[str]:
    """The faults of what is shown, on a desk and a phone, light and dark, by scripts in a browser of their own."""
    with closing(
        chromium.new_context(storage_state=page.context.storage_state(), bypass_csp=True)
    ) as context:
        other = context.new_page()
        other.set_viewport_size({"width": 390, "height": 800})
        other.goto(page.url)
        assert other.evaluate("document.documentElement.scrollWidth") == 390
        return [f"{page.url}: {fault}" for fault in faults(other)]


def test_somebody_asks_for_help_and_reads_the_answer(world: World, chromium: Browser, page: Page) -> None:
    password = opened(world)
    sign_in(page, world.url, password)
    expect(page.get_by_text("We answer within a day.")).to_be_visible()
    expect(page.get_by_text(NASTY)).to_be_visible()
    found = looked_at(page, chromium)
    page.get_by_role("link", name="Something is wrong").click()
    page.get_by_label("In short").fill(f"The cart {NASTY}")
    found += looked_at(page, chromium)
    page.get_by_label("What happened").fill("It is *empty*.\n\n<script>alert(1)</script>")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name=f"The cart {NASTY}")).to_be_visible()
    expect(page.locator("em")).to_have_text("empty")
    note = {"subject": "issue:WEB-1", "body": "She is difficult", "internal": True}
    call(world, "cy", "comments.create", **note)
    call(world, "cy", "desk.send_reply", key="WEB-1", body="Which **browser**?")
    page.reload()
    expect(page.locator("strong", has_text="browser")).to_be_visible()
    expect(page.get_by_text("difficult")).to_have_count(0)
    found += looked_at(page, chromium)
    page.get_by_label("Your answer").fill("The one of my phone")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("The one of my phone")).to_be_visible()
    said = call(world, "cy", "comments.list", subject="issue:WEB-1")[-1]
    assert (said["body"], said["author"], said["internal"]) == ("The one of my phone", "customer:1", False)
    page.goto(f"{world.url}/portal")
    expect(page.get_by_role("link", name="The cart")).to_be_visible()
    found += looked_at(page, chromium)
    assert found == []


def test_an_article_is_the_answer(world: World, chromium: Browser, page: Page) -> None:
    opened(world)
    page.goto(f"{world.url}/portal/articles?desk=WEB&q=how+do+I+return+a+parcel")
    page.get_by_role("link", name="Return a parcel").click()
    expect(page.locator("em")).to_have_text("label")
    found = looked_at(page, chromium)
    for path in ("/portal", "/portal/signin", "/portal/signup", "/portal/forgot"):
        page.goto(world.url + path)
        found += looked_at(page, chromium)
    assert "\n".join(found) == ""
    assert call(world, "ana", "desk.deflection_stats", project="WEB")["viewed"] == 2  # the look at it, too


def test_somebody_shares_a_request_sends_a_file_and_says_how_it_went(
    world: World, chromium: Browser, page: Page
) -> None:
    password = opened(world)
    call(world, "ana", "desk.save", project="WEB", survey=True, languages=["en", "de"])
    sign_in(page, world.url, password)
    page.get_by_role("link", name="Ask a question").click()
    page.get_by_label("In short").fill("Where is it?")
    page.get_by_label("What happened").fill("It did not come.")
    page.get_by_role("button", name="Send").click()
    page.get_by_label("Share it with a colleague").fill("lou@lake.example")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("lou@lake.example")).to_be_visible()
    page.get_by_label("Send a file").set_input_files(
        {"name": "order.txt", "mimeType": "text/plain", "buffer": b"Number 17"}
    )
    page.get_by_role("button", name="Send the file").click()
    expect(page.get_by_role("link", name="order.txt")).to_be_visible()
    found = looked_at(page, chromium)
    call(world, "cy", "issues.transition", key="WEB-1", to_status="done")
    page.reload()
    page.get_by_role("link", name="How did it go?").click()
    found += looked_at(page, chromium)
    page.get_by_label("Very good").check()
    page.get_by_label("What else").fill("Quick")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    page.goto(f"{world.url}/portal/account")
    page.get_by_label("Language").select_option("de")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    found += looked_at(page, chromium)
    assert "\n".join(found) == ""
    assert call(world, "cy", "desk.satisfaction", project="WEB")["rows"][0]["average"] == 5
