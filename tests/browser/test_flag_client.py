"""The flag library in a page of another origin, whose policy forbids code that is made at run time."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import kbwork
from tests.api.sdk.requests import sdk_key
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop
from tests.web.conftest import node

__all__ = ["node"]

pytestmark = pytest.mark.long

LIBRARY = Path(kbwork.__file__).parent / "web" / "clients" / f"flags-{kbwork.__version__}.js"
_BEGIN = """async (options) => {
  const { createClient } = await import("/flags.js");
  window.flags = createClient({ cachePath: "flags", context: { key: "ana" }, ...options });
  const isReady = await flags.ready();
  return [isReady, flags.boolean("checkout", true), flags.booleanDetail("checkout", true).reason];
}"""
_IDENTIFY = """async () => {
  await flags.identify({ key: "bo" });
  return [flags.boolean("checkout", true), Object.keys(localStorage).length];
}"""


class _Shop(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        script = self.path == "/flags.js"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html")
        self.send_header("Content-Security-Policy", "script-src 'self'; require-trusted-types-for 'script'")
        self.end_headers()
        self.wfile.write(LIBRARY.read_bytes() if script else b"<!doctype html><title>Shop</title>")


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()
    thread.join(10)


def test_a_page_of_another_origin_follows_flags(
    node: str, world: World, chromium: Browser, elsewhere: str
) -> None:
    shop(world)
    flag(world, client_side=True)
    serve(world, 1)
    targets = {"kind": "addTargets", "variation": 1, "contextKind": "user", "values": ["bo"]}
    patch(world, "ana", "test", targets)
    options = {"clientId": sdk_key(world, "client"), "baseUrl": world.url}
    context = chromium.new_context()
    try:
        page = context.new_page()
        faults: list[str] = []
        page.on("console", lambda told: faults.append(told.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(elsewhere)
        assert page.evaluate(_BEGIN, options) == [True, False, "DEFAULT"]
        page.wait_for_function("() => flags.status.connected")
        serve(world, 0)
        page.wait_for_function("() => flags.booleanDetail('checkout', false).value")
        page.evaluate("() => flags.flush()")
        before = _counted(world, 1)
        assert page.evaluate(_IDENTIFY) == [False, 1]
        page.goto("about:blank")  # the browser sends what the page leaves behind
        eventually(lambda: _counted(world, 1) == before + 1)
        assert [told for told in faults if "favicon" not in told] == []
    finally:
        context.close()


def _counted(world: World, variation: int) -> int:
    asked = {"project": "shop", "key": "checkout", "environment": "test"}
    series = call(world, "ana", "flags.insights", **asked)["series"]
    return sum(one["count"] for one in series if one["variation"] == variation)
