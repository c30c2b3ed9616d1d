"""The pictures of the manual, made of the sample org: `python -m tests.browser.pictures` writes them anew."""

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, expect

import kbwork
from kbwork.api.pages.docs.markdown import PICTURE_SIZE
from kbwork.base.clock import FixedClock, SystemClock
from kbwork.demo import build
from kbwork.settings import LimitSettings, Settings
from tests.browser.chromium import clock_off_by, installed, started, visiting
from tests.conftest import NOW, World, serving

FOLDER = Path(kbwork.__file__).parent / "docs" / "pictures"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def _peek(page: Page) -> None:
    expect(page.locator(".row.issue").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(page.locator(".peek h1")).to_be_visible()


def _palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("invoice")
    expect(page.get_by_role("option").nth(3)).to_be_visible()


def _ask(page: Page) -> None:
    page.keyboard.press("Shift+F")
    page.keyboard.type("label = regression and assig")
    expect(page.get_by_text("Unknown word")).to_be_visible()


def _open(page: Page) -> None:
    expect(page.locator(".entry").first).to_be_visible()
    page.locator(".entry").filter(has_text="mentioned you").first.click()
    expect(page.locator(".about .said").first).to_be_visible()


def _calendar(page: Page) -> None:
    expect(page.locator(".day .entry").first).to_be_visible()


def _timeline(page: Page) -> None:
    expect(page.locator(".stretch").first).to_be_visible()


def _write_page(page: Page) -> None:
    page.get_by_role("link", name="Welcome to Fernhill").first.click()
    expect(page.locator("article h1")).to_be_visible()
    page.keyboard.press("e")
    text = page.get_by_role("textbox", name="Text")
    expect(text).to_be_focused()
    text.locator("li").nth(1).click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.type("/")
    expect(page.get_by_role("listbox")).to_be_visible()


def _report(page: Page) -> None:
    page.get_by_role("button", name="Report").click()
    expect(page.locator(".chart").first).to_be_visible()


def _request(page: Page) -> None:
    page.locator(".row.issue").first.click()
    expect(page.get_by_role("textbox", name="Write an internal note")).to_be_visible()


def _as_it_is(page: Page) -> None:
    expect(page.locator("main h1, main h2, .row, article").first).to_be_visible()


SCREENS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "my-work": ("/", _peek),
    "list": ("/issues?tql=priority+in+(high,+urgent)&group=assignees", _as_it_is),
    "board": ("/projects/SHOP/board", _as_it_is),
    "issue": ("/issues/SHOP-72", _as_it_is),
    "table": ("/projects/SHOP/table", _as_it_is),
    "calendar": ("/projects/SHOP/calendar", _calendar),
    "timeline": ("/sprints/2/timeline", _timeline),
    "boards": ("/boards/1", _as_it_is),
    "write": ("/spaces/HAND", _write_page),
    "sprint": ("/sprints/2", _report),
    "request": ("/requests", _request),
    "palette": ("/projects/SHOP", _palette),
    "query": ("/projects/SHOP", _ask),
    "inbox": ("/inbox", _open),
    "flags": ("/flags", _as_it_is),
    "flag": ("/flags/shop/pay-by-invoice", _as_it_is),
    "import": ("/settings/import", _as_it_is),
}
"""What each shows: where it is, and what is done there first."""


def main(only: list[str]) -> None:
    """Write the pictures with these names, or all."""
    path = installed()
    if path is None:
        raise SystemExit("There is no Chromium to make pictures with.")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        world = World(Path(made) / "data", FixedClock(NOW), {})
        built = build.build(world.folder, world.clock)
        with serving(world, Settings(limits=LimitSettings(enabled=False))), started(path) as browser:
            for theme in THEMES:
                _screens(browser, world.url, built, theme, only or list(SCREENS))


def _screens(
    browser: Browser, url: str, built: build.Built, theme: Literal["light", "dark"], names: list[str]
) -> None:
    with visiting(browser, url) as visitor:
        visitor.context.add_init_script(clock_off_by(NOW - SystemClock().now()))
        visitor.sign_in(built.email, built.password)
        width, height = PICTURE_SIZE
        for name in names:
            address, prepare = SCREENS[name]
            page = visitor.context.new_page()
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.goto(url + address)
            page.wait_for_function("() => performance.getEntriesByName('whole').length")
            prepare(page)
            page.wait_for_timeout(1000)
            _write(page.screenshot(animations="disabled", caret="hide"), FOLDER / f"{name}-{theme}.webp")
            page.close()


def _write(png: bytes, path: Path) -> None:
    Image.open(BytesIO(png)).save(path, quality=74, method=6)


if __name__ == "__main__":
    main(sys.argv[1:])
