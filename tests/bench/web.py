"""How long people wait in the web app, in Chromium, beside what `--slow` makes of it: a fourth of the CPU, a slow line.

python -m tests.bench web --open 5000 --slow

Times are from the key or the address to the frame that shows it, in ms; `heap` and `rows` are of the page with all
issues.
"""

import argparse
import statistics
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from kbwork.contract.kbwork_client import Kbwork
from tests.bench import kill
from tests.bench.browsers import show
from tests.bench.grow import founded
from tests.bench.sync import grow_open
from tests.browser.chromium import installed, started

_ROUNDS = 40
_READS_MS = 600
_WRITES_MS = 4000
"""What came is written to the disk meanwhile."""
_COMPILES = 2
"""After so many starts the browser has kept what it compiled, as it has for whoever comes back a day later."""
_WHEEL = 6000
"""Pixels a second: a screen of 25 rows in an eighth of it."""
_WHEELS_MS = 2000
_FRAMES = ["benchmark", "cc", "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame"]
_LINE = {"offline": False, "latency": 40, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000}
"""10 Mbit in a second, 40 ms away."""
_WATCH = """
globalThis.shown = new Promise(well => {
  const look = () => {
    if (!document.querySelector(".row.issue")) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => well(performance.now())));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true });
});
globalThis.took = selector => new Promise(well => {
  const look = began => requestAnimationFrame(() => {
    if (selector && !document.querySelector(selector)) return look(began);
    setTimeout(() => well(performance.now() - began)); // this frame shows it, and is drawn first
  });
  addEventListener("keydown", event => look(event.timeStamp), { once: true, capture: true });
});
"""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench web")
    parser.add_argument("--open", type=int, default=5000, help="issues that are not done")
    parser.add_argument("--slow", action="store_true", help="a fourth of the CPU, 10 Mbit/s, 40 ms away")
    options = parser.parse_args(argv)
    path = installed()
    if path is None:
        parser.exit(1, "There is no Chromium on this machine.\n")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        token = founded(folder).owner
        grow_open(folder, options.open)
        server = kill.serve(folder, token)
        try:
            with started(path, measured=True) as browser:
                show(_measured(browser, server.url, token, slow=options.slow))
        finally:
            server.process.terminate()
            server.process.wait(timeout=30)


def _measured(browser: Browser, url: str, token: str, *, slow: bool) -> dict[str, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_extra_http_headers({"Authorization": f"Bearer {token}"})
    context.add_init_script(_WATCH)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    if slow:
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", _LINE)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(f"{url}/issues")
    found = {"cold": _shown(page)}
    page.wait_for_timeout(_WRITES_MS)
    for _ in range(_COMPILES):
        _warm(page)
    found["warm"] = statistics.median(_warm(page) for _ in range(5))
    moves = [_took(page, "j") for _ in range(_ROUNDS)]
    found |= {"move": statistics.median(moves), "move worst": max(moves)}
    found["peek"] = statistics.median(_peeks(page) for _ in range(5))
    found["peek read"] = statistics.median(_peeks(page, _READS_MS) for _ in range(5))
    found["palette"] = statistics.median(_opens(page) for _ in range(5))
    page.locator(".filter").focus()
    letters = [_took(page, letter) for letter in "orders"]
    found |= {"filter worst": max(letters)}
    page.keyboard.press("Escape")
    found |= {"change": _change(page, url, token)}
    return found | _scroll(page, tools) | _weight(page, tools)


def _shown(page: Page) -> float:
    found: float = page.evaluate("shown")
    return found


def _warm(page: Page) -> float:
    page.reload()
    took = _shown(page)
    page.wait_for_timeout(_WRITES_MS)
    return took


def _took(page: Page, key: str, until: str = "") -> float:
    """From a key to the frame behind it; `until` something is there."""
    page.evaluate("selector => { globalThis.last = took(selector); }", until)
    page.keyboard.press(key)
    found: float = page.evaluate("last")
    return found


def _peeks(page: Page, reads_ms: float = 0) -> float:
    """`reads_ms`: so long somebody reads the title before they open it."""
    page.keyboard.press("j")
    page.wait_for_timeout(reads_ms)
    took = _took(page, "Space", ".peek section[aria-label=Description]")
    page.keyboard.press("Escape")
    page.wait_for_timeout(_READS_MS)  # what stands beside an issue comes behind it
    return took


def _opens(page: Page) -> float:
    took = _took(page, "Control+k", "dialog.palette input:focus")
    page.keyboard.press("Escape")
    page.wait_for_timeout(100)
    return took


def _change(page: Page, url: str, token: str) -> float:
    """What somebody else changed, from their call to the screen: the last of ten."""
    key = page.locator(".row.issue .key").first.text_content() or ""
    other = Kbwork(url, token)
    took: list[float] = []
    for number in range(10):
        title = f"Changed for the {number}th time"
        seen = (
            "[...document.querySelectorAll('.row.issue .title')].some(one => one.textContent.includes(title))"
        )
        page.evaluate(
            "title => { globalThis.came = new Promise(well => { const began = performance.now();"
            f" const look = () => {seen} ? well(performance.now() - began) : requestAnimationFrame(look);"
            " look(); }); }",
            title,
        )
        other.call("issues.update", {"key": key, "title": title})
        took.append(page.evaluate("came"))
    return max(took)


def _scroll(page: Page, tools: CDPSession) -> dict[str, float]:
    """What a wheel shows that goes fast through the list: frames, and those with gaps in them."""
    events = _traced(
        page,
        lambda: tools.send(
            "Input.synthesizeScrollGesture",
            {
                "x": 700,
                "y": 500,
                "gestureSourceType": "mouse",
                "speed": _WHEEL,
                "yDistance": -_WHEEL * _WHEELS_MS // 1000,
            },
        ),
    )
    threads: dict[tuple[int, int], list[float]] = {}
    for one in events:
        if one["name"] == "DrawFrame":
            threads.setdefault((one["pid"], one["tid"]), []).append(one["ts"] / 1000)
    drawn: list[float] = max(
        (sorted(times) for times in threads.values()), key=len
    )  # of the page; the browser around it draws as well
    # Nothing has to be drawn before it moves and once it stands.
    drawn = [at for at in drawn if drawn[1] <= at <= drawn[1] + _WHEELS_MS]
    gaps = sorted(after - before for before, after in pairwise(drawn))
    reports = [one["args"].get("frame_reporter", {}) for one in events if one["name"] == "PipelineReporter"]
    return {
        "frames/s": 1000 * len(drawn) / _WHEELS_MS,
        "frame 95 %": gaps[len(gaps) * 95 // 100],
        "with gaps": sum(one.get("has_missing_content", False) for one in reports),
    }


def _traced(page: Page, act: Callable[[], object]) -> list[dict[str, Any]]:
    """What the browser tells of its frames meanwhile."""
    assert page.context.browser is not None
    tracing = page.context.browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    over: list[bool] = []
    tracing.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    tracing.on("Tracing.tracingComplete", lambda _: over.append(True))
    tracing.send(
        "Tracing.start", {"traceConfig": {"includedCategories": _FRAMES}, "transferMode": "ReportEvents"}
    )
    act()
    tracing.send("Tracing.end")
    for _ in range(100):
        page.wait_for_timeout(100)
        if over:
            return events
    raise TimeoutError("the browser's trace did not end within ten seconds")


def _weight(page: Page, tools: CDPSession) -> dict[str, float]:
    tools.send("HeapProfiler.collectGarbage")
    used: dict[str, Any] = tools.send("Runtime.getHeapUsage")
    rows: int = page.evaluate("document.querySelectorAll('.row').length")
    return {"heap MB": used["usedSize"] / 1e6, "rows": rows}
