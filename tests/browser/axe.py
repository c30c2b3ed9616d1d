"""What axe finds wrong with a page, for people who do not see it or see it badly, in both themes."""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

_BY_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]
"""Rules that ask how it looks, which takes long; what others ask is the same in each theme."""
_LOOKS: tuple[tuple[Literal["light", "dark"], int], ...] = (("light", 1280), ("dark", 390))


def begin(page: Page) -> None:
    """It is in the page from now on."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)


def by_markup(page: Page) -> list[str]:
    return _asked(page, {"rules": {rule: {"enabled": False} for rule in _BY_LOOKS}})


def by_looks(page: Page) -> list[str]:
    """Light and wide, dark and narrow."""
    found: list[str] = []
    for theme, width in _LOOKS:
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": 800})
        found += _asked(page, {"runOnly": _BY_LOOKS})
    return found


def faults(page: Page) -> list[str]:
    """All of it, of a page as it stands; it is light and wide again behind it."""
    begin(page)
    found = by_markup(page) + by_looks(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


def _asked(page: Page, options: dict[str, Any]) -> list[str]:
    """Violations alone are told: what else axe finds is long."""
    frame = "new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))"
    told = "fault.nodes.map(node => `${fault.id} ${node.target} ${node.failureSummary}`)"
    asked = (
        f"(await axe.run({{ resultTypes: ['violations'], ...options }})).violations.flatMap(fault => {told})"
    )
    found: list[str] = page.evaluate(f"async options => {{ await {frame}; return {asked}; }}", options)
    return found
