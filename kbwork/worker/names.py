"""Addresses of names, looked up on threads of their own: a name server that never answers holds up nobody else."""

import asyncio
import contextlib
import socket
import threading

MOST = 64
"""Look-ups at once; each may take as long as the resolver of the system likes."""
_places = threading.BoundedSemaphore(MOST)


async def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a name. Raises OSError where it has none, or too many look-ups are under way."""
    if not _places.acquire(blocking=False):
        raise OSError("too many names are looked up")
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def settle(answer: list[str] | OSError | UnicodeError) -> None:
        if found.done():  # who asked has had enough
            return
        if isinstance(answer, list):
            found.set_result(answer)
        else:
            found.set_exception(answer)

    def look_up() -> None:
        answer: list[str] | OSError | UnicodeError
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer = [str(entry[4][0]) for entry in entries]
        except (OSError, UnicodeError) as error:
            answer = error
        finally:
            _places.release()
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, answer)

    threading.Thread(target=look_up, name="kbwork-name", daemon=True).start()
    return await found
