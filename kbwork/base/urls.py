"""Addresses of other services, as callers write them."""

from urllib.parse import SplitResult, urlsplit

_PORTS = range(1, 65_536)


def parts_of(url: str) -> SplitResult | None:
    """The parts of an address that names a host, and no port that there is not; None for another."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    return parts if parts.hostname and (port is None or port in _PORTS) else None


def origin_of(parts: SplitResult) -> str:
    """What stands before the path, as it was written."""
    return f"{parts.scheme}://{parts.netloc}"
