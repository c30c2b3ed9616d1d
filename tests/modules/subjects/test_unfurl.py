"""Unfurling a page elsewhere: what it says of itself, and everything that is not asked."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kbwork.app import open_data
from kbwork.base.clock import FixedClock
from kbwork.base.errors import InvalidInput, Problem, UpstreamFailed
from kbwork.core.operations.external import External
from kbwork.modules.subjects.unfurl import SubjectsUnfurl, unfurl
from kbwork.worker import addresses
from kbwork.worker.outbound import MOST_BYTES, Outbound
from tests.conftest import NOW, World
from tests.modules.calls import call, refused

PAGE = """<!doctype html><html><head><title>Plain &amp; simple</title>
<meta property="og:title" content="The  title"><meta name="description" content="What it is
about"><meta property="og:image" content="/picture.png"><meta property="og:site_name" content="Example">
</head><body><title>not this</title></body></html>"""
FAILED = "That page could not be read"


class Far:
    """A web server at the far end: what it answers by path, and what it was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        far = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                far.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                status, headers, body = far.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def html(self, path: str, text: str, status: int = 200) -> None:
        self.pages[path] = (status, {"Content-Type": "text/html; charset=utf-8"}, text.encode())

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


@pytest.fixture
def far() -> Iterator[Far]:
    made = Far()
    yield made
    made.close()


@pytest.fixture
def out(tmp_path: Path, far: Far) -> Iterator[External]:
    """What the operation is handed, with the far end as the operator's only exception."""
    database = open_data(tmp_path / "data", FixedClock(NOW))
    caller = Outbound([f"127.0.0.1:{far.port}"])
    from kbwork.base.caller import ANONYMOUS

    yield External(database, ANONYMOUS, lambda fn: fn, caller.fetch)
    database.close()


SILENT = {"title": None, "text": None, "image": None, "site": None}
"""What is told of a page that cannot be read, whatever the reason."""


def look(out: External, url: str) -> Any:
    return asyncio.run(unfurl(out, SubjectsUnfurl(url=url)))


def test_a_page_says_what_it_calls_itself(out: External, far: Far) -> None:
    far.html("/page?a=1", PAGE)
    assert look(out, f"http://127.0.0.1:{far.port}/page?a=1#part") == {
        "title": "The title",
        "text": "What it is about",
        "image": f"http://127.0.0.1:{far.port}/picture.png",
        "site": "Example",
    }
    ((path, headers),) = far.asked
    assert path == "/page?a=1"
    assert headers["host"] == f"127.0.0.1:{far.port}"
    assert "cookie" not in headers
    assert "authorization" not in headers


def test_a_page_without_a_description_has_its_title(out: External, far: Far) -> None:
    far.html("/", "<title>Plain &amp; simple</title><p>text")
    assert look(out, f"http://127.0.0.1:{far.port}") == {
        "title": "Plain & simple",
        "text": None,
        "image": None,
        "site": "127.0.0.1",
    }


def test_what_is_no_page_has_nothing_to_say(out: External, far: Far) -> None:
    far.pages["/a.pdf"] = (200, {"Content-Type": "application/pdf"}, b"%PDF <title>no</title>")
    far.pages["/a.png"] = (200, {"Content-Type": "image/png"}, b"\x89PNG")
    url = f"http://127.0.0.1:{far.port}"
    assert look(out, f"{url}/a.pdf")["title"] is None
    assert look(out, f"{url}/a.png")["image"] == f"{url}/a.png"


def test_a_picture_elsewhere_is_only_an_address_of_the_web(out: External, far: Far) -> None:
    for number, image in enumerate(
        ("javascript:alert(1)", "data:image/png;base64,AA", "http://u:p@x.example/a.png")
    ):
        far.html(f"/{number}", f"<meta property='og:image' content='{image}'>")
        assert look(out, f"http://127.0.0.1:{far.port}/{number}")["image"] is None


def test_only_the_beginning_of_a_page_is_read(out: External, far: Far) -> None:
    far.html("/", "<title>Long</title>" + "x" * (MOST_BYTES * 20))
    assert look(out, f"http://127.0.0.1:{far.port}/")["title"] == "Long"
    page = asyncio.run(out.fetch(f"http://127.0.0.1:{far.port}/"))
    assert len(page.body) == MOST_BYTES


def test_redirects_are_followed_three_times_and_each_is_checked(out: External, far: Far) -> None:
    url = f"http://127.0.0.1:{far.port}"
    for number in range(5):
        far.pages[f"/{number}"] = (302, {"Location": f"/{number + 1}"}, b"")
    far.html("/3", "<title>Arrived</title>")
    assert look(out, f"{url}/0")["title"] == "Arrived"
    far.pages["/3"] = (302, {"Location": "/4"}, b"")
    assert look(out, f"{url}/0") == SILENT


def test_a_redirect_into_a_private_network_is_not_followed(out: External, far: Far) -> None:
    canary = Far()
    try:
        canary.html("/", "<title>inner secret</title>")
        inner = f"127.0.0.1:{canary.port}"
        for target in (
            f"http://{inner}/",
            f"//{inner}/",
            f"http://u@{inner}/",
            f"http://localhost:{canary.port}/",
        ):
            far.pages["/go"] = (302, {"Location": target}, b"")
            assert look(out, f"http://127.0.0.1:{far.port}/go") == SILENT
        assert canary.asked == []
    finally:
        canary.close()


DISGUISES = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://localhost.:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://127.1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://0.0.0.0:{port}/",
    "http://0:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://①②⑦.0.0.1:{port}/",
    "http://127。0。0。1:{port}/",
    "http://example.com@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}@example.com/",
    "http://example.com\\@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}\n.example.com/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://168.63.129.16/machine",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "ftp://127.0.0.1:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "127.0.0.1:{port}",
    "http:///127.0.0.1:{port}/",
    "http://127.0.0.1:99999/",
    "",
]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_no_disguise_reaches_a_private_address(far: Far, disguise: str) -> None:
    far.html("/", "<title>inner secret</title>")
    with pytest.raises(Problem) as caught:
        asyncio.run(Outbound().fetch(disguise.format(port=far.port)))
    assert isinstance(caught.value, InvalidInput | UpstreamFailed)
    assert far.asked == []
    if isinstance(caught.value, UpstreamFailed):
        assert caught.value.detail == FAILED


def test_an_exception_holds_for_its_host_and_port_only(far: Far) -> None:
    far.html("/", "<title>inner</title>")
    other = Outbound([f"127.0.0.1:{far.port + 1}", f"10.0.0.1:{far.port}"])
    with pytest.raises(InvalidInput):
        asyncio.run(other.fetch(f"http://127.0.0.1:{far.port}/"))
    named = Outbound([f"LOCALHOST:{far.port}"])
    assert asyncio.run(named.fetch(f"http://localhost:{far.port}/")).status == 200


def test_what_goes_wrong_out_there_is_always_the_same(out: External, far: Far) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    guard = Outbound([f"127.0.0.1:{closed}", f"127.0.0.1:{far.port}"])
    details = set()
    for url in (f"http://127.0.0.1:{closed}/", f"https://127.0.0.1:{far.port}/", "http://a..b/"):
        with pytest.raises(UpstreamFailed) as caught:
            asyncio.run(guard.fetch(url))
        details.add(caught.value.detail)
    for status in (404, 500):
        far.html("/", "secret", status)
        assert look(out, f"http://127.0.0.1:{far.port}/") == SILENT
    assert details == {FAILED}


def test_a_page_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbwork.worker.outbound.DEADLINE_S", 0.2)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    ended = threading.Event()

    def drip() -> None:
        peer, _ = listener.accept()
        with peer:
            peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            while not ended.wait(0.02):
                try:
                    peer.sendall(b"x")
                except OSError:
                    return

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with pytest.raises(UpstreamFailed):
            asyncio.run(Outbound([f"127.0.0.1:{port}"]).fetch(f"http://127.0.0.1:{port}/"))
    finally:
        ended.set()
        thread.join(timeout=5)
        listener.close()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("64:ff9b::808:808", True),
        ("::ffff:8.8.8.8", True),
        ("2002:808:808::1", True),
        ("2002:a00:1::1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::1", False),
        ("::ffff:10.0.0.1", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
        ("fec0::1", False),
        ("ff02::1", False),
        ("2001:db8::1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("198.18.0.1", False),
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    found = addresses.literal(address)
    assert found is not None
    assert addresses.is_public(found) is public


def test_only_who_may_search_unfurls_and_private_addresses_are_refused(world: World) -> None:
    for who in ("cy", "gus"):
        with refused("invalid-input"):
            call(world, who, "subjects.unfurl", url="http://10.0.0.1/")
