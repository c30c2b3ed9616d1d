"""Mail in the settings of the web app: by which server it goes, what waits, what is read, how letters are worded."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kbwork.core.mail import suppression
from kbwork.settings import LimitSettings, OutboundSettings, Settings
from tests.browser.app import Opens, comes, opens
from tests.browser.axe import faults
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.mail.conftest import FarEnd, far
from tests.modules.mail.far_mailbox import PASSWORD, FarMailbox, open_mailbox
from tests.modules.mail.test_mailbox import letter
from tests.modules.mail.test_sender import outbox, queue, save, sends
from tests.web.conftest import node

__all__ = ["far", "node", "opens"]

pytestmark = pytest.mark.long


@pytest.fixture
def box() -> Iterator[FarMailbox]:
    with open_mailbox("imap") as found:
        yield found


@pytest.fixture
def settings(far: FarEnd, box: FarMailbox) -> Settings:
    allowed = (f"127.0.0.1:{far.port}", f"127.0.0.1:{box.port}")
    return Settings(limits=LimitSettings(enabled=False), outbound=OutboundSettings(allow=allowed))


def field(page: Page, label: str) -> Any:
    return page.locator(".form").get_by_label(label, exact=True)


def test_a_mail_server_is_tried_by_a_letter_before_it_is_saved(
    world: World, far: FarEnd, opens: Opens
) -> None:
    page = opens("ana", "/settings/mail")
    expect(page.locator(".set-section .reason")).to_contain_text("No mail goes out.")
    field(page, "Mail server").fill("127.0.0.1")
    field(page, "Port").fill(str(far.port))
    field(page, "Connection").select_option("Not secured")
    field(page, "Address that mail comes from").fill("work@acme.example")
    field(page, "Text under every letter").fill("Acme, Woolwich")
    field(page, "Send a test letter to").fill("ana@acme.example")
    far.data_answer = "554 Not now"
    field(page, "Send a test letter to").press("Enter")
    expect(page.locator(".form .wrong")).to_contain_text("554 Not now")
    page.reload()
    expect(field(page, "Text under every letter")).to_have_value("Acme, Woolwich")
    far.data_answer = "250 Taken"
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="The mail server said:")).to_be_visible()
    assert call(world, "ana", "mail.sender")["source"] == "saved"
    assert [str(one["To"]) for one in far.taken][-1] == "ana@acme.example"
    expect(page.get_by_text(f"Mail goes by 127.0.0.1:{far.port}.")).to_be_visible()
    assert faults(page) == []
    other = opens("cy", "/settings/mail")
    expect(other.locator(".reason")).to_contain_text("Only admins see this. Ask")


def test_letters_go_again_or_never_and_addresses_are_released(
    world: World, far: FarEnd, opens: Opens
) -> None:
    save(world, far)
    sends(world)
    far.data_answer = "554 Not now"
    queue(world, subject="The first")
    queue(world, subject="The second")
    world.database.write_now(lambda tx: suppression.suppress(tx, "di@acme.example", "550 No such user"))
    page = opens("ana", "/settings/mail/outbox")
    comes(page, lambda: [one["state"] for one in outbox(world)], ["failed", "failed"])
    page.get_by_label("Letters that stand so").select_option("Given up")
    row = page.get_by_role("row").filter(has_text="The first")
    expect(row).to_contain_text("The mail server said 554 Not now")
    assert faults(page) == []
    row.get_by_role("button", name="Drop").click()
    row.get_by_role("group", name="Drop").get_by_role("button", name="Drop").click()
    expect(page.get_by_role("status").filter(has_text="The letter is dropped.")).to_be_visible()
    far.data_answer = "250 Taken"
    page.get_by_label("Letters that stand so").select_option("All letters")
    page.get_by_role("row").filter(has_text="The second").get_by_role(
        "button", name="Send the letter"
    ).click()
    comes(page, lambda: outbox(world)[0]["state"], "sent")
    page.get_by_role("button", name="Release di@acme.example").click()
    expect(page.get_by_text("There is none.")).to_be_visible()
    assert call(world, "ana", "mail.suppressed") == []


def test_a_mailbox_is_made_tested_and_read(world: World, box: FarMailbox, opens: Opens) -> None:
    box.put(letter())
    page = opens("ana", "/settings/mail/mailboxes")
    page.get_by_role("button", name="New mailbox").click()
    field(page, "Name").fill("Shop")
    field(page, "Mail server").fill("10.0.0.1")
    field(page, "Port").fill(str(box.port))
    field(page, "Who signs in there").fill("shop")
    field(page, "Password").fill(PASSWORD)
    field(page, "Connection").select_option("Not secured")
    field(page, "Project").select_option("Website")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog .wrong")).to_be_visible()
    field(page, "Mail server").fill("127.0.0.1")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Test Shop").click()
    expect(page.get_by_role("status").filter(has_text="1 wait.")).to_be_visible()
    page.get_by_role("button", name="Read Shop now").click()
    comes(page, lambda: len(call(world, "ana", "issues.list", project="WEB")["items"]), 1)
    assert faults(page) == []


def test_a_mail_service_posts_to_an_address_that_is_shown_once(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/mail/mailboxes")
    page.get_by_role("button", name="New mailbox").click()
    field(page, "Name").fill("Shop")
    field(page, "How it is read").select_option("A mail service posts it")
    field(page, "Project").select_option("Website")
    field(page, "Who is heard").fill("not an address")
    page.get_by_role("button", name="Make").click()
    expect(page.locator("dialog .wrong")).to_be_visible()
    expect(field(page, "Who is heard")).to_have_value("not an address")
    field(page, "Who is heard").fill("acme.example")
    page.get_by_role("button", name="Make").click()
    expect(page.locator(".fresh code")).to_contain_text("/in/")
    (made,) = call(world, "ana", "mail.mailboxes")
    assert (made["target"], made["allow"]) == ({"project": "WEB"}, ["acme.example"])
    page.get_by_role("button", name="Shop", exact=True).click()
    assert faults(page) == []
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("group", name="Delete").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No mailbox is read.")).to_be_visible()


def test_letters_are_worded_and_have_their_built_in_text_again(world: World, opens: Opens) -> None:
    page = opens("ana", "/settings/mail/letters")
    page.get_by_label("Language").fill("de")
    page.get_by_label("Language").press("Tab")
    page.get_by_role("button", name="auth.sign_in").click()
    expect(page.locator("dialog")).to_contain_text("{{link}} has to stand in it")
    before = field(page, "Text").input_value()
    field(page, "Subject").fill("Anmelden bei {{org}}")
    field(page, "Text").fill("Hallo {{nam}}, {{link}}")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog .wrong")).to_contain_text("There is no variable 'nam' here.")
    field(page, "Text").fill("Hallo {{name}}, {{link}}")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog .form [role=status]")).to_have_text("Saved")
    assert faults(page) == []
    page.get_by_role("button", name="Back to the built-in text").click()
    page.get_by_role("group", name="Back to").get_by_role("button", name="Back to the built-in text").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="auth.sign_in").click()
    expect(field(page, "Text")).to_have_value(before)
