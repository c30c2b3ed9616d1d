"""Files of mails that come in: kept with the request, within bounds, and named where they are not."""

import base64
import json
from typing import Any

import pytest

from tests.conftest import World
from tests.modules.calls import call, refused
from tests.modules.desk.helpdesk import Customer, HelpDesk, customer, open_desk
from tests.modules.desk.test_customers import letters
from tests.modules.desk.test_files import DATA, names
from tests.modules.desk.test_inbound import BOUNDARY, mailgun, path_of, post, postmark, sendgrid
from tests.modules.desk.test_intake import mail, token

TEXT = b"Number 17\n"
LOGO = b"\x89PNG\r\n\x1a\n" + b"\0" * 500
PHOTO = b"\x89PNG\r\n\x1a\n" + b"\1" * 40_000
SEEN = '<p>Since Tuesday</p><img src="cid:logo@x"><img src="cid:photo@x">'
Posted = tuple[bytes, str]


def form(fields: dict[str, str]) -> Posted:
    """As `multipart/form-data`, with a text, a logo of a signature and a picture in the text."""
    found = [f'Content-Disposition: form-data; name="{n}"\r\n\r\n{v}'.encode() for n, v in fields.items()]
    for field, name, kind, content in (
        ("attachment1", 'filename="../order.txt"', "text/plain", TEXT),
        ("attachment2", 'filename="logo.png"', "image/png", LOGO),
        ("attachment3", "filename*=UTF-8''ph%C3%B6to.png", "image/png", PHOTO),
    ):
        head = f'Content-Disposition: form-data; name="{field}"; {name}\r\nContent-Type: {kind}\r\n\r\n'
        found.append(head.encode() + content)
    body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + one + b"\r\n" for one in found)
    return body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def listed(*keys: str) -> list[dict[str, str]]:
    files = (
        ("../order.txt", "text/plain", TEXT, ""),
        ("logo.png", "image/png", LOGO, "cid:logo@x"),
        ("phöto.png", "image/png", PHOTO, "photo@x"),
    )
    return [
        dict(zip(keys, (name, kind, encoded(data), ident), strict=True)) for name, kind, data, ident in files
    ]


IDS = {"content-ids": '{"logo@x": "attachment2", "photo@x": "attachment3"}'}
MAP = {"content-id-map": '{"<logo@x>": "attachment2", "<photo@x>": "attachment3"}', "body-html": SEEN}
OWN = {"from": "rita@rivers.example", "name": "Rita Rívers", "subject": "It is broken", "html": SEEN}
BODIES: dict[str, Posted] = {
    "sendgrid": form(sendgrid(html=SEEN) | IDS),
    "mailgun": form(mailgun() | MAP),
    "postmark": (
        json.dumps(
            postmark(HtmlBody=SEEN, Attachments=listed("Name", "ContentType", "Content", "ContentID"))
        ).encode(),
        "application/json",
    ),
    "json": (
        json.dumps(
            OWN | {"text": "x", "files": listed("name", "content_type", "data", "content_id")}
        ).encode(),
        "application/json",
    ),
}


def sender(world: World) -> Customer:
    """Rita, who signs in to what she mailed."""
    found = call(world, "ana", "desk.customer_reset", id=1)
    client = world.key("ana")
    token = client.call("desk.portal_login", {"email": "rita@rivers.example", "password": found["password"]})[
        "token"
    ]
    return Customer(1, "rita@rivers.example", type(client)(world.url, token))


@pytest.mark.parametrize("service", BODIES)
def test_files_of_each_service_hang_on_the_request(world: World, service: str) -> None:
    open_desk(world)
    assert post(world, path_of(world), *BODIES[service])[1]["result"] == "created"
    found = call(world, "cy", "attachments.list", subject="issue:WEB-1")
    assert [(one["name"], one["content_type"], one["size"], one["created_by"]) for one in found] == [
        ("order.txt", "text/plain", len(TEXT), "customer:1"),
        ("phöto.png", "image/png", len(PHOTO), "customer:1"),
    ]
    rita = sender(world)
    assert names(rita, "WEB-1") == ["order.txt", "phöto.png"]
    assert rita.call("desk.portal_view_file", key="WEB-1", id=found[0]["id"])["data"] == DATA
    rita.client.close()


def file(name: str, content: bytes = TEXT, **more: Any) -> dict[str, Any]:
    return {"name": name, "data": encoded(content)} | more


def test_files_come_with_what_is_said_and_others_are_told_their_names(mailed: World) -> None:
    open_desk(mailed)
    with customer(mailed, "rita") as rita, customer(mailed, "nat") as nat:
        key = rita.ask()
        call(mailed, "cy", "desk.requester_set", key=key, add=[nat.email])
        path = token(mailed)
        seq = mailed.database.seq
        found = mail(
            mailed, path, rita.email, subject=f"Re: [{key}]", text="See it", files=[file("order.txt")]
        )
        assert found["result"] == "commented"
        assert [kind for kind, _ in mailed.events_since(seq)] == [
            "attachment.added",
            "comment.created",
            "desk.replied",
        ] or [kind for kind, _ in mailed.events_since(seq)] == ["attachment.added", "comment.created"]
        assert names(nat, key) == ["order.txt"]
        assert "With files, on the portal: order.txt" in letters(mailed, nat.email)[-1]["text"]
        found = mail(mailed, path, rita.email, subject=f"Re: [{key}]", text="", files=[file("more.txt")])
        assert (found["result"], rita.thread(key)["comments"][-1]["body"]) == (
            "commented",
            "(files without a text)",
        )
        assert names(rita, key) == ["order.txt", "more.txt"]


def test_what_is_not_taken_is_named(help_desk: HelpDesk) -> None:
    world = help_desk.world
    call(world, "ana", "org.update", allowed_files=[".txt", "image/*"])
    sent = [
        file("run.exe"),
        {"name": "bad.txt", "data": "no base64!"},
        file("big.txt", b"x" * (10 * 1024 * 1024 + 1)),
        file("page.png", b"<html><script>alert(1)</script></html>"),
        file("..", TEXT),
        file("a.txt"),
    ]
    key = mail(world, token(world), help_desk.rita.email, files=sent)["key"]
    assert names(help_desk.rita, key) == ["a.txt"]
    text = help_desk.rita.thread(key)["description"]
    assert text.startswith("Since Tuesday\n\nFiles of the mail that were not taken: ")
    for name in (
        "run.exe (",
        "bad.txt (it cannot be read)",
        "big.txt (larger than 10 MB)",
        "page.png (",
        "file (",
    ):
        assert name in text
    many = mail(world, token(world), help_desk.rita.email, files=[file(f"{n}.txt") for n in range(21)])["key"]
    assert len(names(help_desk.rita, many)) == 20
    assert "20.txt (a mail brings 20 at most)" in help_desk.rita.thread(many)["description"]


def test_a_request_and_a_day_hold_so_much(help_desk: HelpDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    world, rita = help_desk.world, help_desk.rita
    monkeypatch.setattr("kbwork.modules.desk.requests.files.MOST", 2)
    sent = [file(f"{number}.txt") for number in range(3)]
    key = mail(world, token(world), rita.email, files=sent)["key"]
    assert names(rita, key) == ["0.txt", "1.txt"]
    mail(world, token(world), rita.email, subject=f"Re: [{key}]", text="More", files=[file("3.txt")])
    assert "3.txt (2 files hang on the request)" in rita.thread(key)["comments"][0]["body"]
    monkeypatch.setattr("kbwork.modules.desk.requests.files.MOST_DAY_BYTES", 35)
    other = mail(world, token(world), rita.email, files=sent)["key"]
    assert names(rita, other) == ["0.txt"]
    world.advance(86401)
    other = mail(world, token(world), rita.email, files=sent)["key"]
    assert names(rita, other) == ["0.txt", "1.txt"]


def test_files_of_who_is_not_heard_are_kept_by_nobody(help_desk: HelpDesk) -> None:
    world, rita, nat = help_desk.world, help_desk.rita, help_desk.nat
    key = rita.ask()
    call(world, "ana", "desk.save", project="WEB", open_signup=False)
    assert mail(world, token(world), "eve@evil.example", files=[file("a.txt")])["result"] == "ignored"
    assert mail(world, token(world), nat.email, subject=f"[{key}]", files=[file("a.txt")])["key"] != key
    assert names(rita, key) == []
    with refused("not-found"):
        nat.call("desk.portal_request", key=key)
    call(world, "ana", "issues.lock", key=key, on=True)
    found = mail(world, token(world), rita.email, subject=f"Re: [{key}]", text="More", files=[file("a.txt")])
    assert (found["result"], names(rita, key), names(rita, found["key"])) == ("created", [], ["a.txt"])
