"""A store for buckets of S3, in this process: it takes whatever key it is shown."""

import logging
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from moto.server import ThreadedMotoServer


@contextmanager
def stored(bucket: str) -> Iterator[str]:
    """Its address; it has this one bucket."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    url = f"http://{host}:{port}"
    credential = "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request"
    request = urllib.request.Request(f"{url}/{bucket}", method="PUT", headers={"Authorization": credential})
    urllib.request.urlopen(request, timeout=20).close()
    yield url
    running.stop()
