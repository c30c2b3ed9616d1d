"""A visit to every address of the app in Chromium, of the sample org and of an empty one: each says something, and
nothing to the console.
"""

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kbwork.base.clock import FixedClock
from kbwork.demo import build
from kbwork.modules.org.setup import new_setup_link
from kbwork.settings import LimitSettings, Settings
from tests.browser.app import answer_set_up
from tests.browser.chromium import visiting
from tests.browser.test_settings import MORE, PLACES, hear
from tests.conftest import NOW, World, serving
from tests.web.conftest import node

__all__ = ["node"]

pytestmark = pytest.mark.long

EVERYWHERE = (
    "/",
    "/issues",
    "/issues?layout=board",
    "/issues?layout=table",
    "/issues?layout=calendar",
    "/issues?layout=timeline",
    "/boards",
    "/inbox",
    "/inbox/settings",
    "/spaces",
    "/flags",
    "/requests",
    "/search",
    "/search?q=a+is:open",
    "/settings",
)
SAMPLE = (
    "/projects/SHOP", "/projects/SHOP/board", "/projects/OPS?group=assignee&sort=-due", "/views/1", "/sprints/2",
    "/sprints/2/board", "/sprints/1", "/sprints/2?show=report", "/projects/SHOP?group=sprint", "/projects/SHOP/table",
    "/sprints/2/calendar", "/projects/SHOP/timeline?group=assignee", "/boards/1",
    "/views/2?layout=board", "/spaces/HAND", "/spaces/HAND/tasks", "/spaces/HAND/upkeep", "/spaces/HAND/settings",
    "/requests/SHOP", "/requests/SHOP/done", "/requests/SHOP/open?peek=SHOP-75", "/settings/desk/SHOP",
    "/settings/desk/SHOP/types", "/settings/desk/SHOP/queues", "/settings/desk/SHOP/replies",
    "/settings/desk/SHOP/customers", "/settings/desk/SHOP/mail",
    "/pages/1", "/pages/HAND/how-we-release", "/pages/2/history",
    "/issues?tql=priority+in+(high,+urgent)", "/issues?tql=priority+in+(", "/projects/SHOP?peek=SHOP-72",
    "/issues/SHOP-1", "/issues/SHOP-72", "/issues/TRAIL-50", "/flags/shop", "/flags/shop?show=changes",
    "/flags/shop?show=segments", "/flags/shop?show=environments", "/flags/shop?show=compare",
    "/flags/shop/pay-by-invoice", "/flags/shop/pay-by-invoice/history", "/flags/shop/pay-by-invoice/compare",
    "/flags/shop/pay-by-invoice/settings", *(f"/settings/{place}" for place in PLACES), "/settings/projects/SHOP",
    *(f"/settings/{place}" for place in MORE if not place.startswith("projects/")),
)  # fmt: skip
LOST = (
    "/nowhere",
    "/issues/NO-1",
    "/projects/NO",
    "/views/99",
    "/boards/99",
    "/boards/none",
    "/sprints/99",
    "/flags/none",
    "/spaces/NONE",
    "/pages/999",
    "/pages/HAND/none",
    "/requests/NONE",
    "/settings/desk/NONE",
    "/settings/none",
)
WIDTHS = (1440, 320)
"""Of a desk, and of the smallest phone, which is a desk at 400 %, too."""
_GO = """path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"""
_ANYTHING = re.compile(r"\w")
_WIDER = """way => {
  const root = document.documentElement;
  root.dir = way;
  if (root.scrollWidth <= innerWidth) return [];
  const sticksOut = ({ left, right }) => right > innerWidth + 1 || left < -1;
  return [...document.querySelectorAll("body *")]
    .filter(it => sticksOut(it.getBoundingClientRect()))
    .map(it => `${it.tagName}.${it.className}`).slice(0, 3);
}"""
"""What sticks out where the page as a whole has to be scrolled sideways, lines running this way."""


_SHUT = """() => {
  const held = "[role=grid], [role=treegrid], [role=tree], [role=listbox], [role=menu], [role=toolbar], [role=tablist]";
  const reached = it => it.tabIndex >= 0 && !it.disabled;
  const inReach = list => list !== null && [list, ...list.querySelectorAll("*")].some(reached);
  return [...document.querySelectorAll("button, a[href], input, select, textarea, [role=grid]")]
    .filter(it => it.checkVisibility() && !it.disabled && !reached(it) && !inReach(it.closest(held)))
    .map(it => it.outerHTML.slice(0, 120));
}"""
"""What only a mouse gets at: neither it nor the list that it is of is reached by keys."""
_SEEN_THROUGH = """() => [...document.querySelectorAll("main *, .peek, .rail")]
  .filter(it => it.clientHeight > 200 && it.scrollHeight > it.clientHeight + 1 && it.checkVisibility())
  .filter(it => /auto|scroll/.test(getComputedStyle(it).overflowY))
  .filter(it => !/^rgb\\(|^oklch\\([^/]*\\)$/.test(getComputedStyle(it).backgroundColor))
  .map(it => `${it.tagName}.${it.className}`)"""
"""What scrolls far without a ground of its own: it moves only when the page has time for each frame."""


def visit(page: Page, paths: Iterable[str]) -> None:
    """Look at each; nothing there is wider than the window, so that nobody has to scroll two ways to read, nothing is
    for mice alone, and what scrolls has a ground.
    """
    wide, shut, slow = [], [], []
    for path in paths:
        page.evaluate(_GO, path)
        expect(page.locator("main, article").first).to_have_text(_ANYTHING)
        expect(page.locator(".late-word")).to_have_count(0)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wide += [(path, width, way, it) for way in ("rtl", "ltr") for it in page.evaluate(_WIDER, way)]
            shut += [(path, width, it) for it in page.evaluate(_SHUT)]
            slow += [(path, width, it) for it in page.evaluate(_SEEN_THROUGH)]
    assert not wide, "\n".join(map(str, wide))
    assert not shut, "\n".join(map(str, shut))
    assert not slow, "\n".join(map(str, slow))


def assert_nothing_but_missing(said: list[str]) -> None:
    """A browser tells itself of each answer that something is not there."""
    assert [line for line in said if "404 (Not Found)" not in line] == []


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, build.Built]:
    """The sample org: made on a thread, since Chromium's own has a loop of asyncio while it runs."""
    folder = tmp_path_factory.mktemp("routes") / "data"
    with ThreadPoolExecutor(1) as thread:
        return folder, thread.submit(build.build, folder, FixedClock(NOW)).result()


def test_every_address_of_the_sample_org_is_shown(
    lived_in: tuple[Path, build.Built], node: str, chromium: Browser
) -> None:
    folder, built = lived_in
    world = World(folder, FixedClock(NOW), {})
    said: list[str] = []
    with (
        serving(world, Settings(limits=LimitSettings(enabled=False))),
        visiting(chromium, world.url) as visitor,
    ):
        visitor.sign_in(built.email, built.password)
        page = visitor.context.new_page()
        hear(page, said, refused=True)
        page.goto(world.url)
        visit(page, (*EVERYWHERE, *SAMPLE))
        assert said == []
        visit(page, LOST)
    assert_nothing_but_missing(said)


def test_every_address_of_an_empty_org_says_what_to_do(tmp_path: Path, node: str, chromium: Browser) -> None:
    world = World(tmp_path / "data", FixedClock(NOW), {})
    said: list[str] = []
    with serving(world, Settings()), visiting(chromium, world.url) as visitor:
        page = visitor.context.new_page()
        hear(page, said, refused=True)
        answer_set_up(page, f"{world.url}/setup?token={world.database.write_now(new_setup_link)}")
        page.get_by_label("Name of the project").clear()
        page.get_by_role("button", name="Create organisation").click()
        page.wait_for_url("**/settings/start")
        visit(page, (*EVERYWHERE, *(f"/settings/{place}" for place in PLACES)))
        assert said == []
        visit(page, LOST)
    assert_nothing_but_missing(said)
