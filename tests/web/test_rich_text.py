"""What the editor of the app does with texts, run by Node: what nobody touched stays as it was."""

import os
import re
import subprocess

from tests.web.conftest import ROOT

APP = ROOT / "static" / "app"


def test_what_nobody_touched_stays_as_it_was(node: str) -> None:
    files = [str(path) for path in sorted((APP / "test").glob("*.test.mjs"))]
    done = subprocess.run(
        [node, "--test", "--test-concurrency=2", "--test-reporter=spec", "--test-timeout=60000", *files],
        cwd=APP,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.findall(r"pass (\d+)", done.stdout)[-1]) > 25, done.stdout
