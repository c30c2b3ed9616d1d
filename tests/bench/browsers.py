"""What two people see in Chromium: how soon issues are there, what they took on the wire, how late changes come.

python -m tests.bench browsers --open 5000 --changes 50

The first tab writes by `fetch`, the second follows the stream; both are on this machine, and share its clock.
"""

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.bench import kill
from tests.bench.grow import founded
from tests.bench.sync import grow_open
from tests.browser.chromium import Tab, Wire, installed, started, visiting


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench browsers")
    parser.add_argument("--open", type=int, default=5000, help="issues that are not done")
    parser.add_argument("--changes", type=int, default=50, help="changes that the other is to see")
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
                show(_measured(browser, server.url, token, options.changes))
        finally:
            server.process.terminate()
            server.process.wait(timeout=30)


def _measured(browser: Browser, url: str, token: str, changes: int) -> dict[str, float]:
    with visiting(browser, url) as one, visiting(browser, url) as other:
        for visitor in (one, other):
            visitor.context.set_extra_http_headers({"Authorization": f"Bearer {token}"})
        writer = one.follow()
        page = other.context.new_page()
        wire = Wire(page)
        page.goto(f"{url}/docs")
        began = time.perf_counter()
        page.evaluate("keeper.follow()")
        reader = Tab(page)
        reader.until("issue", "issues => Object.keys(issues).length > 0")
        took = time.perf_counter() - began
        issues = list(reader.kept("issue").items())
        late = [_late_ms(writer, reader, number, *issue) for number, issue in enumerate(issues[:changes])]
        return {
            "issues": len(issues),
            "kB": wire.bytes_of("/sync.snapshot") / 1000,
            "kept after s": took,
            "median ms": statistics.median(late),
            "last ms": max(late),
        }


def show(figures: dict[str, float]) -> None:
    for name, figure in figures.items():
        print(f"{name:>14} {figure:10.1f}")
    print(json.dumps(figures))


def _late_ms(writer: Tab, reader: Tab, number: int, ident: str, row: dict[str, Any]) -> float:
    """From before the call in one browser until it is in the store of the other."""
    title = f"Changed for the {number}th time"
    began: float = writer.page.evaluate(
        "async ([key, title]) => { const at = performance.timeOrigin + performance.now();"
        " await keeper.call('issues.update', { key, title }); return at; }",
        [row["key"], title],
    )
    return reader.until_one("issue", ident, f"issue => issue.title === {title!r}") - began
