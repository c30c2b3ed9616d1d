"""What tests of the web app share: pages of it that stay silent, and what people find and choose there."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Route, expect

from tests.browser.chromium import PATIENCE_S
from tests.browser.conftest import SignedIn
from tests.conftest import PASSWORD, World

Opens = Callable[..., Page]
EXPECTED = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "401 (Unauthorized)",
    "403 (Forbidden)",
    "404 (Not Found)",
    "409 (Conflict)",
    "422 (Unprocessable",
    "502 (Bad Gateway)",
    "Service Worker registration blocked",
)


@pytest.fixture
def opens(node: str, world: World, arriving: SignedIn) -> Iterator[Opens]:
    """A page of the app that somebody looks at; whatever it says to the console is a fault, but for a lost network
    and what the server refuses: browsers tell of both.
    """
    said: list[str] = []

    def heard(told: ConsoleMessage) -> None:
        if told.type != "info" and not any(words in told.text for words in EXPECTED):
            said.append(f"{told.type}: {told.text}")

    def fell(error: Error) -> None:
        said.append(str(error))

    def open_(who: str, path: str = "/") -> Page:
        page = arriving(who).context.new_page()
        page.on("console", heard)
        page.on("pageerror", fell)
        page.goto(world.url + path)
        expect(page.locator(".top:not(.only-small), article").first).to_be_visible()
        page.wait_for_function("() => performance.getEntriesByName('whole').length")
        return page

    yield open_
    assert said == []


def answer_set_up(page: Page, link: str) -> None:
    """Open the link that a new server prints, and say who one is; nothing is sent yet."""
    page.goto(link)
    for label, text in (
        ("Organisation", "Acme"),
        ("Your name", "Ana Lund"),
        ("E-mail", "ana@acme.example"),
        ("Password", PASSWORD),
    ):
        page.get_by_label(label).fill(text)


def row(page: Page, key: str) -> Any:
    return page.locator(".row.issue, .card").filter(has=page.get_by_text(key, exact=True))


def choose(page: Page, words: str) -> None:
    """Type into the list of choices that is open, and take the first."""
    box = page.locator("dialog.popover input")
    expect(box).to_be_focused()
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def choose_command(page: Page, words: str) -> None:
    """Type into the palette that is open, and take the first, which has these words."""
    box = page.locator("dialog.palette input")
    expect(box).to_be_focused()
    page.keyboard.type(words)
    expect(page.get_by_role("option").first).to_contain_text(words)
    page.keyboard.press("Enter")


def comes(page: Page, read: Callable[[], object], wanted: object) -> None:
    """Until what is read is what is wanted: a screen is drawn, and a server told, a while after a key or a click."""
    end = time.monotonic() + PATIENCE_S
    while (found := read()) != wanted and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert found == wanted


_IS_OURS = """async () => {
  for (let tries = 0; tries < 500; tries++) if (await (await fetch("/healthz")).text() === "ours") return;
  throw new Error("requests go through");
}"""


def intercept(page: Page, where: str, take: Callable[[Route], object], *, times: int | None = None) -> None:
    """Take the requests of an open page to these addresses, from the next one on.

    Chromium says that it does before each of its processes knows: what a page sends within some milliseconds would go
    through.
    """
    page.route(where, lambda route: take(route), times=times)  # noqa: PLW0108 - Playwright marks what it calls, and no built-in
    page.route("**/healthz", lambda route: route.fulfill(body="ours"))
    page.evaluate(_IS_OURS)
    page.unroute("**/healthz")


@contextmanager
def unanswered(page: Page, op: str, button: Locator) -> Iterator[None]:
    """Send a call by a button; what is done within is done before it is answered."""
    held: list[Route] = []
    intercept(page, f"**/{op}", held.append, times=1)
    button.click()
    comes(page, lambda: len(held), 1)
    yield
    held[0].continue_()


_UNSENT = """() => new Promise((go, fail) => {
  const asked = indexedDB.open("kbwork");
  asked.onerror = () => fail(asked.error);
  asked.onsuccess = () => {
    const count = asked.result.transaction("change").objectStore("change").count();
    count.onsuccess = () => (asked.result.close(), go(count.result));
  };
})"""


def unsent(page: Page) -> int:
    """How many changes on the disk were not answered yet."""
    found: int = page.evaluate(_UNSENT)
    return found


def settled(page: Page) -> None:
    """Until everything that was changed there is on the server."""
    expect(page.locator(".waits")).to_have_count(0)
    comes(page, lambda: unsent(page), 0)


def pieces(page: Page) -> int:
    """How much of what is kept stands on the disk."""
    found: int = page.evaluate(
        """() => new Promise((well, ill) => {
          const opening = indexedDB.open("kbwork");
          opening.onerror = () => ill(opening.error);
          opening.onsuccess = () => {
            const db = opening.result;
            if (!db.objectStoreNames.contains("piece")) return well(0);
            const asked = db.transaction("piece").objectStore("piece").count();
            asked.onsuccess = () => { db.close(); well(asked.result); };
          };
        })"""
    )
    return found


def on_disk(page: Page) -> None:
    """Until what came first is written there, a second later: in one transaction, so that a part of it is all of it."""
    comes(page, lambda: pieces(page) > 1, True)


_SELECT = """([words, nth]) => {
  const root = document.querySelector(".remarked:has(.remarks) .prose:not(.plain-text)");
  if (!root) return false;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const text = nodes.map(({ data }) => data).join("");
  let from = text.indexOf(words);
  for (let count = 0; count < nth; count++) from = text.indexOf(words, from + 1);
  const spot = (at) => {
    for (const node of nodes) {
      if (at <= node.length) return [node, at];
      at -= node.length;
    }
  };
  getSelection().setBaseAndExtent(...spot(from), ...spot(from + words.length));
  return true;
}"""
_SELECT_WHEN_READ = f"""(asked) => {{
  const select = {_SELECT};
  window.selected = new Promise((resolve) => {{
    const watch = new MutationObserver(() => select(asked) && resolve(watch.disconnect()));
    watch.observe(document.body, {{ childList: true, subtree: true }});
  }});
}}"""


def select(page: Page, words: str, nth: int = 0) -> None:
    """Have words of the text that is read selected, as by keys in a browser that has a caret there."""
    assert page.evaluate(_SELECT, [words, nth]), "no text is read"


@contextmanager
def selected(page: Page, words: str, nth: int = 0) -> Iterator[None]:
    """Words of a text that is opened within are selected in the moment in which they come, before the page was drawn
    with them.
    """
    page.evaluate(_SELECT_WHEN_READ, [words, nth])
    yield
    page.evaluate("() => window.selected")


def highlighted(page: Page, name: str = "remark") -> list[str]:
    """The words that are marked in texts, in their order."""
    found: list[str] = page.evaluate("name => [...CSS.highlights.get(name) ?? []].map(String)", name)
    return sorted(found)
