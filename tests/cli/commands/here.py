"""A command line that runs in the process of the test: the code is the same, only starting Python is left out.

It is for folders that nobody serves, and that nobody is to be killed over: those take a process of their own.
"""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kbwork.cli.command_line import main


def kbwork_here(*argv: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run `kbwork` with these arguments and this text on its standard input."""
    words = [str(word) for word in argv]
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        for name in [name for name in os.environ if name.startswith("KBWORK_")]:
            patch.delenv(name)
        patch.setenv("NO_COLOR", "1")
        patch.setattr(sys, "stdin", io.StringIO(given))
        code = main(words)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
