"""The flag library in a page of another origin, whose policy forbids code that is made at run time."""

import gzip
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

import kbwork
from tests.api.sdk.requests import SNAPSHOT, ask, evaluate, sdk_key
from tests.browser.app import Opens, opens
from tests.conftest import World
from tests.modules.calls import call, eventually
from tests.modules.flags.flag_project import flag, patch, serve, shop
from tests.web.conftest import TESTS, flag_library, node, react_18

__all__ = ["flag_library", "node", "opens", "react_18"]

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


_HTML = "<!doctype html><title>Shop</title><div id=root><p>the old one</p></div>"
"""As a server renders it that has no flags of its own for the page: what the flag serves at first."""


class _Shop(BaseHTTPRequestHandler):
    scripts: ClassVar[dict[str, Path]] = {"/flags.js": LIBRARY}
    copied: ClassVar[str] = ""
    """A page as somebody copied it, which has its script in it."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        script = self.scripts.get(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html")
        if self.path != "/copied":
            policy = "script-src 'self'; require-trusted-types-for 'script'"
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        html = self.copied if self.path == "/copied" else _HTML
        self.wfile.write(script.read_bytes() if script else html.encode())


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


_BEGIN_IN_PIECES = """async (options) => {
  const { createClient } = await import("/lib/browser.js");
  window.flags = createClient({ context: { key: "ana", version: "1.9.0" }, ...options });
  const isReady = await flags.ready();
  return [isReady, flags.boolean("checkout", true)];
}"""


def test_what_a_page_does_not_need_at_once_is_fetched_behind_its_flags(
    world: World, chromium: Browser, elsewhere: str, flag_library: Path
) -> None:
    """While the road to a piece is broken, flags that do not need it are served, and answers wait to be counted."""
    shop(world)
    flag(world, client_side=True)
    serve(world, 1)
    options = {"clientId": sdk_key(world, "client"), "baseUrl": world.url}
    dist = flag_library / "node_modules" / "@kbwork" / "flags" / "dist"
    scripts = {f"/lib/{path.name}": path for path in dist.glob("*.js")}
    counts, operators = (_piece(scripts, word) for word in ("sendBeacon", "semVerLessThan:"))
    asked: list[str] = []
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.clock.install()
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        for path in (counts, operators):
            page.route(f"**{path}", lambda route: route.abort())
        _Shop.scripts |= scripts
        page.goto(elsewhere)
        assert page.evaluate(_BEGIN_IN_PIECES, options) == [True, False]
        assert page.evaluate("() => flags.flush(1)") is False
        assert operators not in asked
        newer = {"attribute": "version", "op": "semVerGreaterThan", "values": ["1.10.0"]}
        rules = [
            {"kind": "addRule", "clauses": [one], "variation": 0}
            for one in (newer, newer | {"op": "semVerLessThan"})
        ]
        with page.expect_request(f"**{operators}"):
            patch(world, "ana", "test", *rules)
        page.clock.fast_forward(5_000)
        page.wait_for_function("() => flags.booleanDetail('checkout', false).errorKind === 'EXCEPTION'")
        page.evaluate("() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
        page.unroute_all()
        page.clock.fast_forward(30_000)
        page.wait_for_function("() => flags.booleanDetail('checkout', false).ruleIndex === 1")
        # a page that nobody looks at gives them to the browser at once
        eventually(lambda: _counted(world, 1) == 1)
    finally:
        context.close()
        for name in scripts:
            del _Shop.scripts[name]


def _piece(scripts: dict[str, Path], word: str) -> str:
    """The path of the one with this in it."""
    (found,) = (path for path, file in scripts.items() if word in file.read_text(encoding="utf-8"))
    return found


@pytest.fixture(params=["18", "19"])
def react(request: pytest.FixtureRequest, node: str) -> Iterator[str]:
    """A page of this React, which the shop hands out."""
    folder: Path = request.getfixturevalue("react_18" if request.param == "18" else "flag_library")
    shutil.copy(TESTS / "page.mjs", folder)
    subprocess.run([node, TESTS / "bundle.mjs", "page.mjs", "bundled.js"], cwd=folder, check=True, timeout=60)
    _Shop.scripts["/page.js"] = folder / "bundled.js"
    yield request.param
    del _Shop.scripts["/page.js"]


def test_a_page_of_react_is_drawn_again_when_its_flag_changes(
    world: World, chromium: Browser, elsewhere: str, react: str
) -> None:
    """In strict mode, taken over from what a server rendered."""
    shop(world)
    flag(world, client_side=True)
    serve(world, 1)
    patch(
        world, "ana", "test", {"kind": "addTargets", "variation": 0, "contextKind": "user", "values": ["bo"]}
    )
    key = sdk_key(world, "client")
    bootstrap = gzip.decompress(ask(world, "GET", SNAPSHOT, key=key).body).decode()
    context = chromium.new_context()
    try:
        page = context.new_page()
        faults: list[str] = []
        page.on(
            "console", lambda told: faults.append(told.text) if told.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(elsewhere)
        page.evaluate("() => import('/page.js')")
        page.evaluate(
            "(options) => begin(options)", {"clientId": key, "baseUrl": world.url, "bootstrap": bootstrap}
        )
        assert page.evaluate("() => page.version").startswith(f"{react}.")
        page.wait_for_function("() => page.drawn() > 0 && page.client.status.connected")
        drawn = page.evaluate("() => page.drawn()")
        shown = page.get_by_role("paragraph")
        expect(shown).to_have_text("the old one")
        page.evaluate("() => page.shows('bo')")
        expect(shown).to_have_text("the new one")
        page.evaluate("() => page.shows('ana')")
        expect(shown).to_have_text("the old one")
        serve(world, 0)
        expect(shown).to_have_text("the new one")
        assert page.evaluate("() => page.drawn()") - drawn <= 2 * 5, "twice each time, as strict mode has it"
        page.evaluate("() => page.client.flush()")
        eventually(lambda: _counted(world, 0) > 0)
        page.evaluate("() => page.leave()")
        assert [told for told in faults if "favicon" not in told] == []
    finally:
        context.close()


def test_what_is_copied_for_a_page_and_a_program_is_heard_of(
    node: str, world: World, opens: Opens, elsewhere: str, flag_library: Path
) -> None:
    """In an org whose flags are asked for already."""
    shop(world, "test")
    flag(world, "asked", client_side=True)
    serve(world, 0, key="asked")
    assert evaluate(world, sdk_key(world), "asked").status == 200
    eventually(lambda: _counted(world, 0, "asked") == 1)
    page = opens("ana", "/flags/shop?show=environments")
    test = page.get_by_role("region", name="test", exact=True)
    expect(test).to_contain_text("Connected")
    test.get_by_role("button", name="New server key").click()
    expect(test).to_contain_text("Waiting for the first evaluation")
    test.get_by_role("button", name="JavaScript").click()
    (flag_library / "copied.mjs").write_text(test.locator("pre").inner_text())
    world.clock.advance(60)
    told = subprocess.run(
        [node, "copied.mjs"], cwd=flag_library, check=True, capture_output=True, text=True, timeout=60
    )
    assert told.stdout == "true\n"
    expect(test).to_contain_text("The first evaluation has arrived.", timeout=20_000)
    test.get_by_role("button", name="New client-side ID").click()
    expect(test).to_contain_text("Waiting for the first evaluation")
    _Shop.copied = test.locator("pre").inner_text()
    world.clock.advance(60)
    other = page.context.new_page()
    other.goto(f"{elsewhere}copied")
    expect(other.locator("body")).to_have_text("asked: true")
    expect(test).to_contain_text("The first evaluation has arrived.", timeout=20_000)


def _counted(world: World, variation: int, key: str = "checkout") -> int:
    asked = {"project": "shop", "key": key, "environment": "test"}
    series = call(world, "ana", "flags.insights", **asked)["series"]
    return sum(one["count"] for one in series if one["variation"] == variation)
