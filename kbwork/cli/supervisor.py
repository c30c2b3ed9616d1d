"""What a supervisor such as systemd and a service have to say to each other: the sockets that it holds, that it serves
now, and that it stops."""

import contextlib
import os
import socket

_FIRST, _MOST = 3, 16
SERVING, STOPPING = "READY=1", "STOPPING=1"


def tell(state: str) -> None:
    """Send it to the socket that the environment names (sd_notify); nothing where it names none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address[:1] not in ("/", "@"):
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(state.encode(), address.replace("@", "\0", 1))


def hands_sockets() -> bool:
    """Whether it holds some for this process, which `sockets` takes."""
    return os.environ.get("LISTEN_PID") == str(os.getpid())


def sockets() -> list[socket.socket]:
    """Those on which it listens for this process (sd_listen_fds); none where it holds none. Raises ValueError for one
    that nobody listens on."""
    given = {name: os.environ.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")}
    if given["LISTEN_PID"] != str(os.getpid()) or not given["LISTEN_FDS"].isdigit():
        return []
    found = []
    for handle in range(_FIRST, _FIRST + min(int(given["LISTEN_FDS"]), _MOST)):
        os.set_inheritable(handle, False)
        sock = socket.socket(fileno=handle)
        if sock.type != socket.SOCK_STREAM or not sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            raise ValueError(f"descriptor {handle} of LISTEN_FDS is no socket that is listened on")
        sock.setblocking(False)
        found.append(sock)
    return found
