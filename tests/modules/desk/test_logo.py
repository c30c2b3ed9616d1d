"""The picture of a desk: a file of its project, for whoever comes by while the desk is open."""

import base64
import urllib.error
import urllib.request

import pytest

from tests.api.pages.test_pages import Browser
from tests.conftest import World
from tests.modules.calls import call, call_nobody, refused
from tests.modules.desk.helpdesk import open_desk

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 50


def file(world: World, name: str = "a.png", content: bytes = PNG, subject: str = "project:WEB") -> str:
    data = base64.b64encode(content).decode()
    return str(call(world, "ana", "attachments.add", subject=subject, name=name, data=data)["id"])


def got(world: World, path: str) -> tuple[int, str, bytes]:
    try:
        with urllib.request.urlopen(world.url + path) as answer:
            return answer.status, answer.headers["content-type"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, "", b""


def test_a_logo_is_shown_on_the_portal_while_the_desk_is_open(world: World) -> None:
    open_desk(world)
    ident = file(world)
    assert call(world, "ana", "desk.save", project="WEB", logo=ident)["logo"] == ident
    assert call_nobody(world, "desk.portal_info")[0]["logo"] == "/desk-logos/WEB"
    page = Browser(world.url).get("/portal")
    assert '<img class="logo" src="/desk-logos/WEB" alt=""' in page.text
    assert got(world, "/desk-logos/WEB") == (200, "image/png", PNG)
    call(world, "ana", "desk.save", project="WEB", enabled=False)
    assert got(world, "/desk-logos/WEB")[0] == 404
    call(world, "ana", "desk.save", project="WEB", enabled=True)
    call(world, "ana", "attachments.delete", id=ident)
    assert [got(world, f"/desk-logos/{key}")[0] for key in ("WEB", "SEC", "", "a_x", "../WEB")] == [404] * 5
    call(world, "ana", "desk.save", project="WEB", name="Again")
    assert call(world, "ana", "desk.save", project="WEB", logo="")["logo"] is None


@pytest.mark.parametrize(
    ("name", "content", "subject"),
    [
        ("a.svg", b"<svg onload=alert(1)></svg>", "project:WEB"),
        ("a.png", b"<html></html>", "project:WEB"),
        ("a.png", PNG + b"\0" * 1024 * 1024, "project:WEB"),
        ("a.png", PNG, "issue:WEB-1"),
        ("a.png", PNG, "org:1"),
    ],
)
def test_what_is_no_picture_of_the_project_is_refused(
    world: World, name: str, content: bytes, subject: str
) -> None:
    open_desk(world)
    call(world, "ana", "issues.create", project="WEB", title="Ours")
    ident = file(world, name, content, subject)
    with refused("invalid-input"):
        call(world, "ana", "desk.save", project="WEB", logo=ident)
