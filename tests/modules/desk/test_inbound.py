"""The door for mail: the forms of three services and plain JSON, and what it does not take."""

import http.client
import json
import time
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from kbwork.api.inbound import mail_forms
from kbwork.core.mail import html_text, quotes
from tests.conftest import World
from tests.modules.calls import call
from tests.modules.desk.helpdesk import HelpDesk, open_desk

FORM = "application/x-www-form-urlencoded"
BOUNDARY = "xYzZY"
HEAD = "Received: by mx\nMessage-ID: <7@rivers.example>\nSubject: It is\n broken\n"


def post(world: World, path: str, body: bytes, kind: str, method: str = "POST") -> tuple[int, Any]:
    connection = http.client.HTTPConnection(urlsplit(world.url).netloc, timeout=20)
    try:
        connection.request(method, path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        connection.close()


def path_of(world: World, project: str = "WEB") -> str:
    return str(call(world, "ana", "desk.email_address", project=project)["path"])


def parts(fields: dict[str, str], charset: str = "utf-8", **files: bytes) -> tuple[bytes, str]:
    """As `multipart/form-data`."""
    found = []
    for name, value in fields.items():
        head = f'Content-Disposition: form-data; name="{name}"\r\n\r\n'
        found.append(head.encode() + value.encode(charset))
    for name, content in files.items():
        head = f'Content-Disposition: form-data; name="{name}"; filename="a.bin"\r\nContent-Type: image/png\r\n\r\n'
        found.append(head.encode() + content)
    body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + one + b"\r\n" for one in found)
    return body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"


def sendgrid(**more: str) -> dict[str, str]:
    return {
        "headers": HEAD,
        "from": "Rita Rívers <rita@rivers.example>",
        "to": "help@acme.example",
        "subject": "It is broken",
        "text": "Since Tuesday, naïvely\n",
        "html": "<p>Since Tuesday</p>",
        "envelope": '{"to":["help@acme.example"],"from":"rita@rivers.example"}',
        "charsets": '{"text":"utf-8","from":"utf-8","subject":"utf-8"}',
        "SPF": "pass",
        "attachments": "1",
    } | more


def mailgun(**more: str) -> dict[str, str]:
    return {
        "sender": "rita@rivers.example",
        "recipient": "help@acme.example",
        "from": "Rita Rívers <rita@rivers.example>",
        "subject": "It is broken",
        "body-plain": "Since Tuesday, naïvely",
        "stripped-text": "Since Tuesday, naïvely",
        "Message-Id": "<7@rivers.example>",
        "message-headers": '[["Message-Id", "<7@rivers.example>"], ["Subject", "It is broken"]]',
        "timestamp": "1800000000",
    } | more


def postmark(**more: Any) -> dict[str, Any]:
    return {
        "From": "rita@rivers.example",
        "FromFull": {"Email": "rita@rivers.example", "Name": "Rita Rívers", "MailboxHash": ""},
        "To": "help@acme.example",
        "Subject": "It is broken",
        "MessageID": "b7bc2f4a-e38e-4336-af7d-e6c392c2f817",
        "TextBody": "Since Tuesday, naïvely",
        "HtmlBody": "<p>Since Tuesday</p>",
        "Headers": [{"Name": "Message-ID", "Value": "<7@rivers.example>"}],
        "Attachments": [],
    } | more


BODIES = {
    "sendgrid": parts(sendgrid(), attachment1=b"\x89PNG" * 1000),
    "mailgun in parts": parts(mailgun(), attachment1=b"\0" * 1000),
    "mailgun": (urlencode(mailgun()).encode(), FORM),
    "postmark": (json.dumps(postmark()).encode(), "application/json; charset=utf-8"),
    "json": (
        json.dumps(
            {
                "from": "rita@rivers.example",
                "name": "Rita Rívers",
                "subject": "It is broken",
                "text": "Since Tuesday, naïvely",
                "message_id": "<7@rivers.example>",
            }
        ).encode(),
        "application/json",
    ),
}


@pytest.mark.parametrize("service", BODIES)
def test_mail_of_each_service_is_a_request_once(world: World, service: str) -> None:
    open_desk(world)
    path = path_of(world)
    body, kind = BODIES[service]
    assert post(world, path, body, kind) == (
        200,
        {"key": "WEB-1", "reply": "Your request is here: it is WEB-1.", "result": "created"},
    )
    assert post(world, path, body, kind) == (200, {"key": "WEB-1", "reply": "", "result": "ignored"})
    issue = call(world, "cy", "issues.get", key="WEB-1")
    assert (issue["title"], issue["body"]) == ("It is broken", "Since Tuesday, naïvely")
    assert [one["name"] for one in call(world, "cy", "desk.customers")] == ["Rita Rívers"]


@pytest.mark.parametrize(
    "body",
    [
        parts(sendgrid(headers=HEAD + "Auto-Submitted: auto-replied\n")),
        parts(sendgrid(headers=HEAD + "List-Id: <news.example>\n")),
        parts(sendgrid(envelope='{"to":["help@acme.example"],"from":""}')),
        parts(mailgun(**{"message-headers": '[["Precedence", "bulk"]]'})),
        (
            json.dumps(postmark(Headers=[{"Name": "X-Autoreply", "Value": "yes"}])).encode(),
            "application/json",
        ),
        (json.dumps(postmark(Headers=[{"Name": "Return-Path", "Value": "<>"}])).encode(), "application/json"),
    ],
)
def test_what_programs_write_is_ignored(world: World, body: tuple[bytes, str]) -> None:
    """Among it our own letters, so that no two desks write to each other for ever."""
    open_desk(world)
    assert post(world, path_of(world), *body)[1]["result"] == "ignored"
    assert call(world, "cy", "desk.customers") == []


def test_a_text_in_another_charset_is_read(world: World) -> None:
    open_desk(world)
    fields = sendgrid(charsets='{"text":"iso-8859-1","from":"iso-8859-1"}')
    assert post(world, path_of(world), *parts(fields, "iso-8859-1"))[1]["result"] == "created"
    assert "naïvely" in call(world, "cy", "issues.get", key="WEB-1")["body"]


def test_the_path_opens_only_with_its_token(world: World) -> None:
    open_desk(world)
    path = path_of(world)
    body, kind = BODIES["json"]
    for wrong in (path[:-1], path + "x", "/in/email/", "/in/email/x", "/in/chat/1", "/in/"):
        status, problem = post(world, wrong, body, kind)
        assert (status, problem["type"]) == (404, "/problems/not-found"), wrong
    assert post(world, path, b"", kind, "GET")[0] == 405
    call(world, "ana", "desk.save", project="WEB", enabled=False)
    assert post(world, path, body, kind)[0] == 404


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"", "text/plain", 415),
        (b"[]", "application/json", 400),
        (b"{", "application/json", 400),
        (b"{}", "application/json", 422),
        (b"a=b", FORM, 422),
        (b"x", "multipart/form-data", 422),
        (b"&" * 2000 + b"a=b", FORM, 422),
        (f"--{BOUNDARY}".encode() * 2000, f"multipart/form-data; boundary={BOUNDARY}", 422),
    ],
)
def test_what_is_no_mail_is_refused(world: World, body: bytes, kind: str, status: int) -> None:
    open_desk(world)
    assert post(world, path_of(world), body, kind)[0] == status


def test_an_answer_by_mail_is_of_its_customer(help_desk: HelpDesk) -> None:
    world, rita = help_desk.world, help_desk.rita
    key = rita.ask()
    body = parts(
        sendgrid(
            subject=f"Re: [{key}] My order",
            text="",
            html="<div>By mail<br>&lt;b&gt;</div><script>no</script>",
        )
    )
    assert post(world, path_of(world), *body)[1]["result"] == "commented"
    assert rita.thread(key)["comments"][0]["body"] == "By mail\n<b>"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("<style>p{}</style>x<!-- y -->z", "xz"),
        ("1 < 2 <b>bold</b>", "1 < 2 bold"),
        ("<script>alert(1)", ""),
        ("<img src=x onerror=alert(1)>y", "y"),
        ("<p", ""),
        ("", ""),
    ],
)
def test_a_text_is_made_of_html(html: str, text: str) -> None:
    assert html_text.text_of(html) == text


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!--", "<p>", "&", "&#", "</", "<a b='", "<script>", "\n", " <"]
)
def test_hostile_mail_is_read_in_a_moment(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    body, kind = parts(sendgrid(text="", html=text, headers=text, subject=text, to=text))
    begun = time.thread_time()
    mail_forms.read(body, kind)
    assert time.thread_time() - begun < 2


@pytest.mark.parametrize("where", ["from", "to"])
def test_headers_with_comments_in_comments_are_no_mistake_of_ours(world: World, where: str) -> None:
    open_desk(world)
    deep = "(" * 900 + ")" * 900 + " rita@rivers.example"
    given = {"from": "rita@rivers.example", "to": "help@acme.example", "text": "x"} | {where: deep}
    body = json.dumps(given).encode()
    status, answer = post(world, path_of(world), body, "application/json")
    assert (status, answer["result"]) == (200, "created" if where == "to" else "ignored")


@pytest.mark.parametrize(
    "line", ["on x wrote" + " " * 980 + "x", "on x" + " wrote" * 160, "am schrieb " * 90]
)
def test_hostile_letters_are_cut_in_a_moment(line: str) -> None:
    text = f"Hello\n{line}\n> \n" * 100
    begun = time.thread_time()
    quotes.own_text(text)
    assert time.thread_time() - begun < 0.1


@pytest.mark.parametrize(
    "lead",
    ["On Monday Cy wrote:", "Le 3 mai Cy a écrit :", "On Monday Cy\nwrote: ", "On Monday Cy wrote\xa0:\n"],
)
def test_what_leads_to_a_quote_is_cut_with_it(lead: str) -> None:
    assert quotes.own_text(f"Number 17\n\n{lead}\n> Which order?") == "Number 17"
