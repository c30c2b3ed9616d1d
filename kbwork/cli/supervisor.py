"""What a supervisor such as systemd is told of a service: that it serves now, and that it stops."""

import contextlib
import os
import socket

SERVING, STOPPING = "READY=1", "STOPPING=1"


def tell(state: str) -> None:
    """Send it to the socket that the environment names (sd_notify); nothing where it names none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(state.encode(), address.replace("@", "\0", 1))
