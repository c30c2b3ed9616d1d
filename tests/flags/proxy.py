"""A proxy on loopback: it forwards what is asked by a whole address, opens tunnels, and remembers what it was asked."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit


class Proxy:
    """Where it is, and the first lines and signs of who asked."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[str] = []
        self.who: set[str | None] = set()


class _Handler(StreamRequestHandler):
    rbufsize = 0  # what stands behind the head is for the far end
    proxy: Proxy

    def handle(self) -> None:
        method, address, _ = self.rfile.readline().decode().split(" ", 2)
        heads: list[bytes] = []
        who: str | None = None
        while (line := self.rfile.readline()).strip():
            name, _, value = line.decode().partition(":")
            if name.lower() == "proxy-authorization":
                who = value.strip()
            else:
                heads.append(line)
        self.proxy.asked.append(f"{method} {address}")
        self.proxy.who.add(who)
        if method == "CONNECT":
            host, _, port = address.partition(":")
            with socket.create_connection((host, int(port))) as far:
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                _relay(self.connection, far)
            return
        parts = urlsplit(address)
        with socket.create_connection((str(parts.hostname), int(parts.port or 80))) as far:
            far.sendall(f"{method} {parts.path} HTTP/1.1\r\n".encode() + b"".join(heads) + b"\r\n")
            _relay(self.connection, far)


def _relay(near: socket.socket, far: socket.socket) -> None:
    """Until one of them has nothing more to say."""
    other = {near: far, far: near}
    with suppress(OSError):
        while True:
            for one in select.select([near, far], [], [], 30)[0]:
                content = one.recv(65536)
                if not content:
                    return
                other[one].sendall(content)


@contextmanager
def proxied() -> Iterator[Proxy]:
    """A proxy on a port of its own."""
    proxy = Proxy()
    handler = type("Handler", (_Handler,), {"proxy": proxy})
    with ThreadingTCPServer(("127.0.0.1", 0), handler, bind_and_activate=True) as server:
        server.daemon_threads = True
        server.block_on_close = False
        proxy.url = f"http://ana:p%40ss@127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield proxy
        finally:
            server.shutdown()
