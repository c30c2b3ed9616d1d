"""Makes a picture smaller in a process of its own: whoever sent it may mean harm."""

import subprocess
import sys
from pathlib import Path

MOST_S = 10
_MAKER = Path(__file__).with_name("thumbnailer.py")


def made_smaller(data: bytes, width: int) -> bytes:
    """The picture in WebP; nothing where it cannot be read, or not within the limits."""
    try:
        done = subprocess.run(  # noqa: S603 - our own program, without a shell and without our environment
            [sys.executable, "-I", str(_MAKER), str(width)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MOST_S,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout if done.returncode == 0 else b""
