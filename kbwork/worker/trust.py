"""Whom connections to the outside believe: the certificate authorities of this machine."""

import ssl
from functools import cache


@cache
def client_context() -> ssl.SSLContext:
    """The one context that checks certificates; the first call reads all authorities, so it belongs on a thread."""
    return ssl.create_default_context()
