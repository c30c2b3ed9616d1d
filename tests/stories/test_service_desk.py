"""A service desk's week: mail comes in, is answered and approved, rules and channels hear of it, customers look in."""

import base64
import re
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from typing import Any

import pytest

from kbwork.contract.kbwork_client import Kbwork
from kbwork.settings import LimitSettings, MailSettings, OutboundSettings, Settings
from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.analytics.asked import report
from tests.modules.automation.rules import work
from tests.modules.calls import call, call_nobody, eventually, refused
from tests.modules.chat.platforms import Somebody, connected
from tests.modules.desk.helpdesk import Customer, open_desk
from tests.modules.desk.test_inbound import parts, path_of, post, sendgrid
from tests.modules.notifications.inboxes import told
from tests.modules.webhooks.receiver import Receiver
from tests.modules.workflows.sample_workflows import in_force
from tests.worker.test_mail import Inbox, listening

RITA, NAT = "rita@rivers.example", "nat@north.example"
NOTE = "Her third laptop this year, so ask before we send another."
FORBIDDEN = (NOTE, "third laptop", "Cy Moss", "@cy", "LAP-1", "Check the warranty")
"""What no customer may read anywhere."""
CREATED = {"kind": "event", "event": "issue.created"}
SQL = "select count(*) as requests from events where kind = 'desk.request_created'"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """In the place of Slack."""
    with closing(Receiver()) as made:
        yield made


@pytest.fixture
def postbox() -> Inbox:
    """What customers get by mail."""
    return Inbox()


@pytest.fixture
def settings(receiver: Receiver, postbox: Inbox) -> Iterator[Settings]:
    """With a mail server that takes everything."""
    with listening(postbox) as port:
        yield Settings(
            limits=LimitSettings(enabled=False),
            outbound=OutboundSettings(allow=(receiver.place,)),
            mail=MailSettings(
                host="127.0.0.1", port=port, security="none", sender="kbwork <kb@acme.example>"
            ),
        )


class Desk:
    """Ana keeps the desk, Cy answers, Bo approves; Rita and Nat are customers, who write mail."""

    def __init__(self, world: World, postbox: Inbox, receiver: Receiver) -> None:
        self.world, self.postbox, self.receiver = world, postbox, receiver
        self.me = {who: person.id for who, person in world.people.items()}
        self.began = world.database.seq
        self.chat: dict[str, Any] = {}
        self.key = self.other = ""

    def call(self, who: str, op: str, **value: Any) -> Any:
        return call(self.world, who, op, **value)

    def issue(self) -> dict[str, Any]:
        """Rita's request as an agent has it."""
        found: dict[str, Any] = self.call("cy", "issues.get", key=self.key)
        return found

    def mail(self, sender: str, subject: str, text: str, ident: str, **headers: str) -> dict[str, Any]:
        """What the mail service that posts a mail to the desk is answered."""
        more = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
        head = f"Received: by mx\nMessage-ID: <{ident}>\nSubject: {subject}\n{more}"
        address = re.sub(r".*<(.*)>", r"\1", sender)
        form = {"headers": head, "from": sender, "subject": subject, "text": text, "html": ""}
        form["envelope"] = f'{{"to":["help@acme.example"],"from":"{address}"}}'
        status, answer = post(self.world, path_of(self.world), *parts(sendgrid(**form)))
        assert status == 200
        found: dict[str, Any] = answer
        return found

    def letters(self, address: str) -> list[EmailMessage]:
        """What came to a customer, oldest first."""
        return [one for one in self.postbox.taken if one["To"] == address]

    def letter(self, address: str, number: int) -> EmailMessage:
        """The letter of this number, once it came: none comes beside."""
        self.world.advance(1)
        eventually(lambda: len(self.letters(address)) >= number)
        assert len(self.letters(address)) == number
        return self.letters(address)[-1]

    def channel(self) -> list[str]:
        return [str(one.body["text"]) for one in self.receiver.of("channel")]


def test_a_week_at_a_service_desk(world: World, postbox: Inbox, receiver: Receiver) -> None:
    desk = Desk(world, postbox, receiver)
    the_desk_opens(desk)
    rules_channels_and_reports_are_set_up(desk)
    two_mails_are_two_requests(desk)
    a_note_stays_inside_and_a_reply_goes_out(desk)
    the_customer_answers_in_the_thread(desk)
    somebody_approves_that_it_goes_on(desk)
    the_laptop_is_linked(desk)
    the_channel_has_heard_and_a_stranger_asks(desk)
    the_report_of_the_week_runs(desk)
    the_customer_looks_in_at_the_portal(desk)
    the_customer_looks_at_the_pages(desk)
    it_is_closed_and_opened_again(desk)
    nobody_was_mailed_what_stays_inside(desk)
    names_are_shown_once_the_desk_shows_them(desk)
    files_go_both_ways_and_an_answer_later(desk)


def body_of(letter: EmailMessage) -> str:
    """All that a letter says, in text and in HTML."""
    return "\n".join(
        str(part.get_content()) for part in letter.walk() if part.get_content_maintype() == "text"
    )


def the_desk_opens(desk: Desk) -> None:
    open_desk(desk.world, reply_to="help@acme.example")
    assert desk.call("cy", "desk.list")[0]["show_agents"] is False
    in_force(desk.world, approvers=["@bo"])
    desk.call("bo", "assets.type_save", key="LAP", name="Laptop")
    made = desk.call("cy", "assets.create", name="Rita's laptop", type="LAP")
    assert (made["key"], made["status"]) == ("LAP-1", "active")


def rules_channels_and_reports_are_set_up(desk: Desk) -> None:
    items = ["Check the warranty", "Call back"]
    (template,) = desk.call("bo", "checklists.template_save", name="Broken", kind="bug", items=items)
    desk.call(
        "bo",
        "automation.save",
        name="What is broken is checked",
        trigger=CREATED,
        actions=[{"op": "checklists.apply", "input": {"key": "{{key}}", "template": template["id"]}}],
    )
    desk.chat = connected(desk.world)
    events = ["issue.created", "issue.updated", "comment.created"]
    channel = {"name": "#help", "events": events, "webhook_url": desk.receiver.url("channel")}
    desk.call("bo", "chat.subscription_save", connection=desk.chat["id"], **channel)
    weekly = {"name": "Requests", "sql": SQL, "every": "weekly", "recipients": ["@cy"]}
    made = desk.call("bo", "analytics.report_save", **weekly)
    assert (made["every"], made["last_run_at"]) == ("weekly", None)
    assert made["next_run_at"] > desk.world.clock.now()


def two_mails_are_two_requests(desk: Desk) -> None:
    came = desk.mail(f"Rita Rivers <{RITA}>", "My laptop broke", "It fell down.\n", "1@rivers.example")
    assert came == {"key": "WEB-1", "reply": "Your request is here: it is WEB-1.", "result": "created"}
    again = desk.mail(f"Rita Rivers <{RITA}>", "My laptop broke", "It fell down.\n", "1@rivers.example")
    assert (again["key"], again["result"]) == ("WEB-1", "ignored")
    desk.key = came["key"]
    desk.other = desk.mail(f"Nat North <{NAT}>", "Nat's own secret", "Hush.", "1@north.example")["key"]
    assert desk.other == "WEB-2"
    issue = desk.issue()
    assert (issue["title"], issue["body"], issue["lane"]) == ("My laptop broke", "It fell down.", "todo")
    assert issue["request"]["channel"] == "mail"
    assert [one["email"] for one in desk.call("cy", "desk.customers")] == [NAT, RITA]
    told_so = desk.letter(RITA, 1)
    assert told_so["Subject"] == "[WEB-1] My laptop broke"
    assert desk.letter(NAT, 1)["Subject"] == "[WEB-2] Nat's own secret"
    work(desk.world)
    checks = desk.call("cy", "checklists.list", key=desk.key)
    assert [one["text"] for one in checks["items"]] == ["Check the warranty", "Call back"]
    (ran, _) = desk.call("bo", "automation.log")
    assert ran["ok"] is True


def a_note_stays_inside_and_a_reply_goes_out(desk: Desk) -> None:
    desk.call("cy", "issues.assign", key=desk.key, assignees=["@cy"])
    desk.call("cy", "comments.create", subject=f"issue:{desk.key}", body=NOTE, internal=True)
    said = desk.call("cy", "desk.send_reply", key=desk.key, body="Does it **start**?")
    reply = desk.call("cy", "comments.list", subject=f"issue:{desk.key}")[-1]
    assert (reply["id"], reply["internal"], reply["author"]) == (said["id"], False, desk.me["cy"])
    letter = desk.letter(RITA, 2)
    assert letter["Subject"] == "[WEB-1] My laptop broke"
    assert letter["Reply-To"].startswith("help+r1.")
    assert "Web help wrote on your request WEB-1" in body_of(letter)
    assert "Does it" in body_of(letter)


def the_customer_answers_in_the_thread(desk: Desk) -> None:
    thread = desk.letters(RITA)[-1]
    names = f"{thread['References'] or ''} {thread['Message-ID']}".strip()
    text = "No, it is dark.\n\nOn Friday, Web help wrote:\n> Does it start?\n"
    came = desk.mail(f"Rita Rivers <{RITA}>", "Re: laptop", text, "2@rivers.example", References=names)
    assert (came["key"], came["result"]) == (desk.key, "commented")
    said = desk.call("cy", "comments.list", subject=f"issue:{desk.key}")
    assert [one["internal"] for one in said] == [True, False, False]
    assert said[-1]["author"] == desk.issue()["reporter"]
    assert said[-1]["body"] == "No, it is dark."
    assert f"issue:{desk.issue()['id']}" in str(told(desk.world, "cy"))
    foreign = desk.mail(f"Nat North <{NAT}>", "Re: laptop", "Mine too", "2@north.example", References=names)
    assert foreign["result"] == "created"  # who is none of its people starts a request of their own
    assert len(desk.call("cy", "comments.list", subject=f"issue:{desk.key}")) == 3


def somebody_approves_that_it_goes_on(desk: Desk) -> None:
    with refused("approval-needed"):
        desk.call("cy", "issues.transition", key=desk.key, to_status="in_progress")
    asked = desk.call(
        "cy", "approvals.request", key=desk.key, to_status="in_progress", note="She needs a new one"
    )
    assert (asked["state"], asked["approvers"]) == ("pending", [desk.me["bo"]])
    assert [reason for _, reason, _ in told(desk.world, "bo")] == ["approval"]
    with refused("not-allowed"):
        desk.call("cy", "approvals.decide", id=asked["id"], approve=True)
    done = desk.call("bo", "approvals.decide", id=asked["id"], approve=True, note="Order it")
    assert (done["moved"], done["request"]["state"]) == (True, "done")
    assert desk.issue()["lane"] == "in_progress"


def the_laptop_is_linked(desk: Desk) -> None:
    (linked,) = desk.call("cy", "issues.asset_link", key=desk.key, asset="LAP-1", on=True, role="broken")
    assert linked["key"] == "LAP-1"
    assert desk.call("cy", "assets.get", key="LAP-1")["issues"] == [desk.key]
    assert [one["key"] for one in desk.call("di", "assets.for_issue", issue=desk.key)] == ["LAP-1"]


def the_channel_has_heard_and_a_stranger_asks(desk: Desk) -> None:
    eventually(lambda: any("moved to In progress" in text for text in desk.channel()))
    heard = desk.channel()
    assert "My laptop broke" in heard[0]
    assert any("Does it" in text for text in heard)
    assert "third laptop" not in "".join(heard)
    stranger = Somebody(desk.world, desk.chat, "U9", "Sol")
    assert "laptop" not in stranger.hears(f"status {desk.key}")
    assert stranger.hears(f"status {desk.key}").replace(desk.key, "KEY") == stranger.hears(
        "status WEB-99"
    ).replace("WEB-99", "KEY")
    own = re.search(r"WEB.?-\d+", stranger.hears("create My mouse broke").replace("\\", ""))
    assert own is not None
    assert "My mouse broke" in stranger.hears(f"status {own[0]}")


def the_report_of_the_week_runs(desk: Desk) -> None:
    due = report(desk.world)["next_run_at"]
    desk.world.advance(due - desk.world.clock.now() + 1)
    eventually(lambda: report(desk.world)["last_run_at"])
    ran = report(desk.world)
    assert (ran["last_error"], ran["last_result"]) == (None, {"columns": ["requests"], "rows": [[4]]})
    assert ran["next_run_at"] == due + 7 * 86_400
    assert ("report:1", "report", ["report.ran"]) in told(desk.world, "cy")
    assert "report:1" not in str(told(desk.world, "di"))


def sign_in(desk: Desk, address: str) -> tuple[str, str]:
    """(token, password) of a customer who came by mail and is given a password."""
    (who,) = [one["id"] for one in desk.call("cy", "desk.customers") if one["email"] == address]
    password = desk.call("cy", "desk.customer_reset", id=who)["password"]
    return call_nobody(desk.world, "desk.portal_login", email=address, password=password)["token"], password


def the_customer_looks_in_at_the_portal(desk: Desk) -> None:
    token, _ = sign_in(desk, RITA)
    with Kbwork(desk.world.url, token) as client:
        rita = Customer(0, RITA, client)
        mine = rita.call("desk.portal_requests")
        assert [(one["key"], one["category"]) for one in mine] == [(desk.key, "in_progress")]
        thread = rita.thread(desk.key)
        assert [(one["author"], one["mine"]) for one in thread["comments"]] == [
            ("Web help", False),
            ("Rita Rivers", True),
        ]
        with refused("not-found"):
            rita.thread(desk.other)
        for op, value in (("issues.get", {"key": desk.key}), ("assets.get", {"key": "LAP-1"})):
            with refused("insufficient-scope"):
                rita.call(op, **value)
        assert rita.call("desk.portal_comment", key=desk.key, body="Is it ordered?") == {"ok": True}
        text = str([mine, thread, rita.call("desk.portal_me")])
    assert [word for word in (*FORBIDDEN, "Nat", desk.me["cy"]) if word in text] == []


def the_customer_looks_at_the_pages(desk: Desk) -> None:
    _, password = sign_in(desk, RITA)
    browser = Browser(desk.world.url)
    page = browser.get("/portal/signin")
    home = browser.follow(browser.fill(page, "/portal/signin", email=RITA, password=password))
    assert (home.path, desk.key in home.words) == ("/portal", True)
    request = browser.get(f"/portal/requests/{desk.key}")
    assert "Is it ordered?" in request.words
    assert "<strong>start</strong>" in request.text
    for seen in (home, request):
        assert [word for word in (*FORBIDDEN, "Nat", desk.other) if word in seen.text] == []
    foreign, unknown = (browser.get(f"/portal/requests/{key}") for key in (desk.other, "WEB-99"))
    assert (foreign.status, foreign.text.replace(desk.other, "K")) == (
        404,
        unknown.text.replace("WEB-99", "K"),
    )


def it_is_closed_and_opened_again(desk: Desk) -> None:
    letters = len(desk.letters(RITA))
    desk.call("cy", "desk.send_reply", key=desk.key, body="A new one is on its way.", status="done")
    assert "on its way" in body_of(desk.letter(RITA, letters + 1))
    assert desk.issue()["outcome"] == "completed"
    token, _ = sign_in(desk, RITA)
    with Kbwork(desk.world.url, token) as client:
        rita = Customer(0, RITA, client)
        assert rita.thread(desk.key)["request"]["category"] == "done"
        opened = rita.call("desk.portal_transition", key=desk.key, action="reopen", note="It came broken")
    assert opened["category"] == "todo"
    assert [one["body"] for one in desk.call("cy", "comments.list", subject=f"issue:{desk.key}")][-2:] == [
        "A new one is on its way.",
        "It came broken",
    ]


def names_are_shown_once_the_desk_shows_them(desk: Desk) -> None:
    """What was looked for above would have been found."""
    desk.call("ana", "desk.save", project="WEB", show_agents=True)
    token, _ = sign_in(desk, RITA)
    with Kbwork(desk.world.url, token) as client:
        authors = [one["author"] for one in Customer(0, RITA, client).thread(desk.key)["comments"]]
    assert {"Cy Moss", "Rita Rivers"} == set(authors)


def nobody_was_mailed_what_stays_inside(desk: Desk) -> None:
    customers = [one for one in desk.postbox.taken if one["To"] in (RITA, NAT)]
    text = "".join(body_of(one) + str(one.items()) for one in customers)
    assert [word for word in FORBIDDEN if word in text] == []
    assert "Nat's own secret" not in "".join(body_of(one) for one in desk.letters(RITA))
    kinds = [kind for kind, subject in desk.world.events_since(desk.began) if subject == "issue:1"]
    told_of = ("desk.request_created", "checklist.added", "desk.replied", "approval.approved", "asset.linked")
    assert [kind for kind in told_of if kind not in kinds] == []


def files_go_both_ways_and_an_answer_later(desk: Desk) -> None:
    token, _ = sign_in(desk, RITA)
    data = base64.b64encode(b"Number 17").decode()
    file = desk.call("cy", "attachments.add", subject=f"issue:{desk.key}", name="label.txt", data=data)["id"]
    letters = len(desk.letters(RITA))
    at = desk.world.clock.now() + 3600
    later = {"key": desk.key, "body": "Stick this on it.", "attachments": [file], "send_at": at}
    note = desk.call("cy", "desk.send_reply", **later)["id"]
    with Kbwork(desk.world.url, token) as client:
        rita = Customer(0, RITA, client)
        rita.call("desk.portal_upload", key=desk.key, name="broken.txt", data=data)
        before = rita.thread(desk.key)
        assert (
            [one["name"] for one in before["files"]],
            note in [one["id"] for one in before["comments"]],
        ) == (
            ["broken.txt"],
            False,
        )
        desk.world.advance(3600)
        said = body_of(desk.letter(RITA, letters + 1))
        assert "With files, on the portal: label.txt" in said
        after = rita.thread(desk.key)
        assert [one["name"] for one in after["files"]] == ["label.txt", "broken.txt"]
        assert (after["comments"][-1]["id"], after["comments"][-1]["body"]) == (note, "Stick this on it.")
