"""How long it takes to look into what somebody sent: by a program that is started, and by one that is copied.

`programs [--rounds N]`: N of each in a round, 20 unless given; both ways in turns, twice. The first copy, which imports
what the next ones find there, does not count.
"""

import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from PIL import Image

from kbwork.app import open_data
from kbwork.base.clock import SystemClock
from kbwork.core import own_programs
from tests.bench import http
from tests.modules.test_attachments import pdf

Case = tuple[str, tuple[str, ...], bytes]
"""(module, arguments, what it is given)."""
_TURNS = 2


def _picture(width: int, height: int) -> bytes:
    found = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(found, "PNG")
    return found.getvalue()


def _cases(file: Path) -> dict[str, Case]:
    query = "select kind, count(*) from events group by kind"
    asked = {"file": str(file), "sql": query, "look": True, "seconds": 2, "rows": 1000, "bytes": 4_000_000}
    thumbnailer = "kbwork.sentfiles.thumbnailer"
    return {
        "a query over the events": ("kbwork.db.sandbox.query", (), json.dumps(asked).encode()),
        "a page out of a file": ("kbwork.pagefiles.reader", ("md", "Title"), b"# Words\n\nMore words."),
        "a page of an answer of GitLab": ("kbwork.modules.imports.fetch.page_content", (), b"[]"),
        "a picture of 300 x 200": (thumbnailer, ("64",), _picture(300, 200)),
        "a picture of 1600 x 1000": (thumbnailer, ("320",), _picture(1600, 1000)),
        "a PDF of a page": ("kbwork.sentfiles.pdf_text", (), pdf("Vouchers of the year")),
    }


def _started(case: Case) -> int:
    module, argv, given = case
    command = [sys.executable, "-P", "-m", module, *argv]
    return subprocess.run(command, input=given, capture_output=True, env={}, check=False).returncode


def _copied(case: Case) -> int:
    module, argv, given = case
    return own_programs.run(module, *argv, given=given).returncode


def _median_ms(run: Callable[[Case], int], case: Case, rounds: int) -> float:
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        assert run(case) == 0, case[0]
        took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took)


def main(arguments: list[str]) -> None:
    """Print the medians."""
    rounds = http.number(arguments, "--rounds", 20)
    found: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder, closing(open_data(Path(folder), SystemClock())):
        for name, case in _cases(Path(folder) / "kbwork.db").items():
            _copied(case)
            turns = [
                (_median_ms(_started, case, rounds), _median_ms(_copied, case, rounds)) for _ in range(_TURNS)
            ]
            found[name] = min(one for one, _ in turns), min(one for _, one in turns)
    print(f"{'ms, median':32} {'started':>8} {'copied':>8}")
    for name, (one, other) in found.items():
        print(f"{name:32} {one:8.1f} {other:8.1f}")
    print(json.dumps({name: round(one / other, 1) for name, (one, other) in found.items()}))
