"""Mail that is not from whom it says: by each of the roads that mail comes in, and what nobody is to believe of it."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from kbwork.api.inbound import mail_forms
from kbwork.core.mail import addresses, received
from kbwork.core.mail.authenticity import Authentic
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.helpdesk import HelpDesk, customer, open_desk
from tests.modules.desk.test_inbound import FORM, parts, path_of, post

CY = "Cy Moss <cy@acme.example>"
OURS = "mx.acme.example"
Posted = tuple[bytes, str]


def sendgrid(**more: str) -> Posted:
    envelope = {"to": ["in@acme.example"], "from": more.pop("envelope", "cy@acme.example")}
    headers = more.pop("headers", f"From: {more.get('from', CY)}\nMessage-ID: <1@x.example>\n")
    fields = {"from": CY, "to": "in@acme.example", "subject": "Idea", "text": "Sails", "headers": headers}
    return parts(fields | {"envelope": json.dumps(envelope)} | more)


def mailgun(*headers: tuple[str, str], sender: str = "cy@acme.example") -> Posted:
    listed = json.dumps([["Message-Id", "<1@x.example>"], ["From", CY], *headers])
    fields = {"from": CY, "sender": sender, "recipient": "in@acme.example", "subject": "Idea"}
    return urlencode(fields | {"body-plain": "Sails", "message-headers": listed}).encode(), FORM


def postmark(*headers: tuple[str, str], **more: Any) -> Posted:
    listed = [{"Name": name, "Value": value} for name, value in headers]
    found = {"From": "cy@acme.example", "To": "in@acme.example", "Subject": "Idea", "TextBody": "Sails"}
    return json.dumps(found | {"Headers": listed} | more).encode(), "application/json"


def plain(**more: Any) -> Posted:
    found = {"from": CY, "to": ["in@acme.example"], "subject": "Idea", "text": "Sails"}
    return json.dumps(found | more).encode(), "application/json"


def spf(result: str, envelope: str = "cy@acme.example") -> tuple[str, str]:
    told = f"{result} (says who) identity=mailfrom; client-ip=192.0.2.1; envelope-from={envelope}; receiver=x"
    return "Received-SPF", told


def signed(domain: str) -> tuple[str, str]:
    return "DKIM-Signature", f"v=1; a=rsa-sha256; d={domain}; s=one; bh=x; b=y"


EVIL = "eve@evil.example"
POSTED: list[tuple[Posted, Authentic]] = [
    (sendgrid(), None),
    (sendgrid(SPF="pass"), True),
    (sendgrid(SPF="pass", dkim="none", envelope="bounce@mail.acme.example"), True),
    (sendgrid(SPF="softfail", dkim="{@acme.example : pass}", envelope="x@lists.example"), True),
    (sendgrid(SPF="none", dkim="none"), None),
    (sendgrid(SPF="fail", dkim="none"), False),
    (sendgrid(SPF="fail"), False),
    (sendgrid(SPF="softfail", dkim="{@acme.example : fail}"), False),
    (sendgrid(SPF="pass", dkim="{@evil.example : pass}", envelope=EVIL), False),
    (sendgrid(SPF="pass", dkim="{@evil.example : pass, @acme.example : fail}", envelope=EVIL), False),
    (sendgrid(SPF="none", dkim="none", envelope=EVIL), False),
    (sendgrid(SPF="pass", dkim="{@notacme.example : pass}", envelope="x@notacme.example"), False),
    (mailgun(), None),
    (mailgun(("X-Mailgun-Spf", "Pass")), True),
    (mailgun(("X-Mailgun-Spf", "Neutral")), None),
    (mailgun(("X-Mailgun-Spf", "Fail")), False),
    (mailgun(("X-Mailgun-Spf", "SoftFail"), ("X-Mailgun-Spf", "Pass")), False),
    (mailgun(("X-Mailgun-Spf", "Pass"), sender=EVIL), False),
    (mailgun(("X-Mailgun-Dkim-Check-Result", "Pass"), signed("acme.example"), sender=EVIL), True),
    (mailgun(("X-Mailgun-Dkim-Check-Result", "Fail"), signed("acme.example")), False),
    (
        mailgun(
            ("X-Mailgun-Spf", "Pass"),
            ("X-Mailgun-Dkim-Check-Result", "Pass"),
            signed("evil.example"),
            signed("acme.example"),
            sender=EVIL,
        ),
        False,
    ),
    (postmark(), None),
    (postmark(spf("Pass")), True),
    (postmark(spf("Fail")), False),
    (postmark(spf("Fail"), spf("Pass")), False),  # the one below is their own
    (postmark(spf("None")), None),
    (postmark(spf("Pass", EVIL), ("X-Spam-Tests", "DKIM_SIGNED,DKIM_VALID,SPF_PASS")), False),
    (postmark(spf("Pass", EVIL), ("X-Spam-Tests", "DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU")), True),
    (postmark(("Authentication-Results", f"{OURS}; dmarc=fail header.from=acme.example")), False),
    (plain(), None),
    (
        plain(authentication_results=f"{OURS}; spf=fail; dmarc=fail (p=REJECT) header.from=acme.example"),
        False,
    ),
    (plain(authentication_results=[f"{OURS}; dmarc=fail", "mx; dmarc=pass"]), False),
    (plain(authentication_results=f"{OURS}; dmarc=pass header.from=evil.example"), False),
    (plain(authentication_results=f"{OURS}; dmarc=pass header.from=acme.example"), True),
    (plain(authentication_results=f"{OURS}; dmarc=none header.from=acme.example"), None),
    (plain(authentication_results=7), None),
]


@pytest.mark.parametrize(("posted", "authentic"), POSTED, ids=range(len(POSTED)))
def test_what_each_service_says_of_the_sender_is_read(posted: Posted, authentic: Authentic) -> None:
    assert mail_forms.read(*posted).get("authentic") is authentic


def head(*lines: str) -> bytes:
    return "\r\n".join([*lines, f"From: {CY}", "Subject: Idea", "", "Sails"]).encode()


@pytest.mark.parametrize(
    ("raw", "authentic"),
    [
        (head(), None),
        (head(f"Authentication-Results: {OURS}; dmarc=fail header.from=acme.example"), False),
        (head(f"Authentication-Results: {OURS}; dmarc=fail", "Authentication-Results: a; dmarc=pass"), False),
        (head(f"Authentication-Results: {OURS};\r\n spf=pass;\r\n dmarc = fail"), False),
        (head(f"Authentication-Results: {OURS}; dmarc/1=fail"), False),
        # Several servers of ours, or several programs of one, of which the topmost says nothing of it.
        (head("Authentication-Results: in; spf=pass", f"Authentication-Results: {OURS}; dmarc=fail"), False),
        (head(f"Authentication-Results: {OURS}; dmarc=pass", "Authentication-Results: a; dmarc=fail"), True),
        (head(f"Authentication-Results: {OURS}; dmarc=pass (dmarc=fail) header.from=acme.example"), True),
        (head(f"Authentication-Results: {OURS}; dmarc=pass header.from=evil.example"), False),
        (head(f"Authentication-Results: {OURS}; dmarc=none"), None),
        (head("Authentication-Results: dmarc=fail action=none header.from=acme.example"), False),
    ],
    ids=range(11),
)
def test_the_topmost_word_of_a_server_counts(raw: bytes, authentic: Authentic) -> None:
    assert received.parse(raw).authentic is authentic


TWO_WAYS = [
    "=?utf-8?q?Cy_=3Ccy=40acme.example=3E?= <eve@evil.example>",
    "=?utf-8?q?cy=40acme.example=2C?= <eve@evil.example>",
    "=?utf-8?q?cy=40acme.example_=28?= <eve@evil.example> =?utf-8?q?=29?=",
    "Cy <cy@acme.example> <eve@evil.example>",
    "cy@acme.example, eve@evil.example",
    "cy@acme.example (<eve@evil.example>)",
    "<@evil.example:cy@acme.example>",
    "eve@evil.example\r\nFrom: cy@acme.example",
    '"Cy <cy@acme.example>" <eve@evil.example>',
    'Cy" <cy@acme.example> <eve@evil.example>',
]


@pytest.mark.parametrize("sender", TWO_WAYS)
def test_a_sender_that_can_be_read_in_two_ways_is_no_member(sender: str) -> None:
    got = received.parse(f"From: {sender}\r\nSubject: Idea\r\n\r\nSails".encode())
    assert addresses.of_sender(got.sender)[1] in ("", EVIL)


@pytest.mark.parametrize(
    ("header", "name", "address"),
    [
        ("=?utf-8?q?Zo=C3=AB_Ray?= <zoe@acme.example>", "Zoë Ray", "zoe@acme.example"),
        ('"Moss, Cy \\"C\\"" <cy@acme.example>', "Moss, Cy C", "cy@acme.example"),
        ("cy@acme.example <cy@acme.example>", "", "cy@acme.example"),
        ("cy@acme.example (Cy)", "Cy", "cy@acme.example"),
        ("CY@acme.example", "", "CY@acme.example"),
    ],
)
def test_usual_senders_are_read(header: str, name: str, address: str) -> None:
    got = received.parse(f"From: {header}\r\n\r\nx".encode())
    assert addresses.of_sender(got.sender) == (name, address)


@pytest.fixture
def hook(world: World) -> str:
    asked = {"name": "Ideas", "protocol": "hook", "target": {"project": "WEB"}}
    return str(world.session("ana").call("mail.mailbox_save", asked)["hook_path"])


FORGED = [posted for posted, authentic in POSTED if authentic is False]


@pytest.mark.parametrize("posted", FORGED[::3], ids=range(len(FORGED[::3])))
def test_a_forged_mail_that_is_posted_does_nothing(world: World, hook: str, posted: Posted) -> None:
    status, told = post(world, hook, *posted)
    assert (status, told["result"]) == (200, "refused")
    assert call(world, "ana", "tql.run", tql="from issues")["rows"] == []


@pytest.mark.parametrize(
    "posted",
    [
        postmark(FromFull={"Email": EVIL, "Name": "Cy <cy@acme.example>"}),
        postmark(FromFull={"Email": EVIL, "Name": "cy@acme.example,"}),
        plain(**{"from": EVIL, "name": "cy@acme.example <"}),
        plain(**{"from": "Cy <cy@acme.example> <eve@evil.example>"}),
        sendgrid(**{"from": CY, "headers": f"From: =?utf-8?q?Cy_=3Ccy=40acme.example=3E?= <{EVIL}>\n"}),
        sendgrid(**{"from": CY, "headers": f"From: {EVIL}\nFrom: {CY}\n"}),
    ],
    ids=range(6),
)
def test_a_name_is_not_taken_for_an_address(world: World, hook: str, posted: Posted) -> None:
    assert post(world, hook, *posted)[1]["result"] in ("refused", "ignored")
    assert call(world, "ana", "tql.run", tql="from issues")["rows"] == []


def test_what_is_vouched_for_and_what_nobody_looked_at_are_taken(world: World, hook: str) -> None:
    for number, (posted, authentic) in enumerate(((sendgrid(SPF="pass"), True), (postmark(), None))):
        assert mail_forms.read(*posted).get("authentic") is authentic
        assert post(world, hook, *posted)[1]["result"] == "created"
        issue = call(world, "ana", "issues.get", key=f"WEB-{number + 1}")
        assert issue["reporter"] == world.people["cy"].id


@pytest.fixture
def help_desk(world: World) -> Iterator[HelpDesk]:
    open_desk(world)
    with customer(world, "rita") as rita, customer(world, "nat") as nat:
        yield HelpDesk(world, rita, nat)


def test_a_forged_mail_says_nothing_in_the_name_of_a_customer(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    asked = {"from": rita.email, "subject": f"Re: [{key}] x", "text": "Send it to Eve"}
    body = json.dumps(asked | {"authentication_results": f"{OURS}; dmarc=fail"}).encode()
    told = post(world, path_of(world), body, "application/json")[1]
    assert told == {"key": "", "reply": "It is not from whom it says.", "result": "ignored"}
    assert rita.thread(key)["comments"] == []
    assert len(rita.call("desk.portal_requests")) == 1
    assert (
        post(world, path_of(world), json.dumps(asked).encode(), "application/json")[1]["result"]
        == "commented"
    )


def test_no_header_holds_the_reader_up() -> None:
    for piece in ("a", "@", "a@", "(", '"', "\\", "<", "dmarc=", "(dmarc", "header.from="):
        long = piece * (100_000 // len(piece))
        raw = f"From: {long}\r\nAuthentication-Results: {long}\r\n".encode() * 20
        received.parse(raw + b"\r\nx")
        mail_forms.read(*sendgrid(headers=f"From: {long}\nX: y", dkim=long, **{"from": long}))
        mail_forms.read(*postmark(("Received-SPF", long), ("Authentication-Results", long)))
