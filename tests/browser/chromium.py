"""Chromium with people in it: each has a browser of their own, with tabs that keep issues by `keeper.js`."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

PATIENCE_S = 20
"""So long a screen is waited for on a machine that has other things to do, too."""
KEEPER = Path(__file__).with_name("keeper.js")
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_ARGS = ("--renderer-process-limit=1", "--in-process-gpu")
"""All tabs of somebody in one process: to begin one costs as much as what a short story does in it."""
_INTERPRETED = "--js-flags=--no-opt --no-maglev --no-sparkplug --single-threaded"
"""Scripts are never compiled, nor on threads beside: no story is long enough to earn that back, a sixth of it all."""


def installed() -> str | None:
    """Path of the system's Chromium; None where there is none. The one that never has a window costs a quarter less."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


@contextmanager
def started(path: str, *, measured: bool = False) -> Iterator[Browser]:
    """Chromium without a window. Root may not have its sandbox, and what it shows here is our own. One that is
    `measured` compiles scripts, as that of people does.
    """
    args = _ARGS if measured else (*_ARGS, _INTERPRETED)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, chromium_sandbox=os.geteuid() != 0, args=args
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Tab:
    """One that keeps issues."""

    page: Page

    def call(self, op: str, **value: Any) -> Any:
        """Run an operation as whoever is signed in, from the page."""
        return self.page.evaluate("([op, value]) => keeper.call(op, value)", [op, value])

    def until(self, kind: str, check: str) -> None:
        """Wait until this holds of the things of a kind, by their ids. `check`: a function in JavaScript."""
        self.page.evaluate(f"keeper.until(() => keeper.kept({kind!r}), {check})")

    def until_one(self, kind: str, ident: str, check: str) -> float:
        """Wait until this holds of one thing: when it came to, in ms of the clock."""
        found: float = self.page.evaluate(f"keeper.until(() => keeper.one({kind!r}, {ident}), {check})")
        return found

    def kept(self, kind: str) -> dict[str, dict[str, Any]]:
        """The things that are kept, by their ids."""
        found: dict[str, dict[str, Any]] = self.page.evaluate("kind => keeper.kept(kind)", kind)
        return found

    def noted(self, what: str) -> Any:
        return self.page.evaluate("what => keeper.noted[what]", what)


class Wire:
    """What a page has received, as it came over the wire, with its heads."""

    def __init__(self, page: Page) -> None:
        self._urls: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._came)

    def bytes_of(self, end: str) -> int:
        """Of all answers from addresses that end so."""
        return sum(size for ident, size in self._sizes.items() if self._urls[ident].endswith(end))

    def _asked(self, told: dict[str, Any]) -> None:
        self._urls[told["requestId"]] = told["request"]["url"]

    def _came(self, told: dict[str, Any]) -> None:
        self._sizes[told["requestId"]] = told["encodedDataLength"]


@dataclass
class Visitor:
    """Somebody's browser."""

    url: str
    context: BrowserContext

    def sign_in(self, email: str, password: str, then: str = "/connect") -> Tab:
        """By the form; the tab is on the page behind it."""
        page = self.context.new_page()
        page.goto(f"{self.url}/signin?next={then}")
        page.fill("input[name=email]", email)
        page.fill("input[name=password]", password)
        page.click("form[action='/signin'] button")
        page.wait_for_url(f"{self.url}{then}")
        return Tab(page)

    def follow(self) -> Tab:
        """One tab more, which follows what happens; it has its store when this returns."""
        page = self.context.new_page()
        page.goto(f"{self.url}/connect")
        page.evaluate("keeper.follow()")
        tab = Tab(page)
        tab.until("lane", "lanes => Object.keys(lanes).length > 0")
        return tab


def clock_off_by(seconds: float) -> str:
    """A script by which a page has a clock that is ahead, or behind where it is negative."""
    return f"""(() => {{
  const True = Date, off = {round(seconds * 1000)};
  globalThis.Date = class extends True {{
    constructor(...given) {{ if (given.length) super(...given); else super(True.now() + off); }}
    static now() {{ return True.now() + off; }}
  }};
}})()"""


class Emptied:
    """Browsers that were used and are as new again: to begin one costs as much as a short story does.

    What they keep is what they would fetch again, and what was made of it.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: list[BrowserContext] = []

    @contextmanager
    def visiting(self, url: str) -> Iterator[Visitor]:
        """One for as long as somebody uses it."""
        context = self._free.pop() if self._free else self._begun()
        try:
            yield Visitor(url, context)
        except BaseException:
            context.close()
            raise
        self._empty(context, url)
        self._free.append(context)

    def _begun(self) -> BrowserContext:
        """It keeps a tab with nothing in it, by which it is emptied."""
        context = self._browser.new_context(service_workers="block")
        context.add_init_script(path=KEEPER)
        context.new_page()
        return context

    def _empty(self, context: BrowserContext, url: str) -> None:
        blank, *used = context.pages
        for page in used:
            page.close()
        context.unroute_all()
        context.set_offline(offline=False)
        context.clear_permissions()
        context.clear_cookies()
        session = context.new_cdp_session(blank)
        session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
        session.detach()


@contextmanager
def visiting(browser: Browser, url: str, *, with_worker: bool = False) -> Iterator[Visitor]:
    """A browser with nothing in it, as on another machine. `with_worker`: the app may begin without a network."""
    context = browser.new_context(service_workers="allow" if with_worker else "block")
    context.add_init_script(path=KEEPER)
    try:
        yield Visitor(url, context)
    finally:
        context.close()
