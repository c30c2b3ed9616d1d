"""Programs of ours that are run beside the server, without a shell and without its environment: what somebody sent may
mean harm, and takes neither the server's time nor what it knows."""

import subprocess
import sys
from collections.abc import Mapping
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})


def answered(
    *argv: str, given: bytes, most_s: float, env: Mapping[str, str] = _NOTHING
) -> "subprocess.CompletedProcess[bytes]":
    """Run Python with these arguments: work for a thread. What it says of errors is dropped.

    Raises subprocess.TimeoutExpired, with what was answered until then, where it is killed for its time.
    """
    return subprocess.run(  # noqa: S603 - our own program, without a shell and without our environment
        [sys.executable, *argv],
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=most_s,
        env=dict(env),
        check=False,
    )
