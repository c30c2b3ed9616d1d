"""An S3-compatible store in this process, over a folder: it checks signatures and conditions by itself.

Signatures are those of version 4, checked by what the request says alone. `fault` makes it fail: `full`, `slow`,
`broken` or `refusing`; the file of that name in the folder tells the engine of tests of it.
"""

import hashlib
import hmac
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

KEY, SECRET, REGION, BUCKET = "AKIDEXAMPLE", "never-to-be-told-to-anybody", "eu-central-1", "kbwork-live"
SLOW_S = 4.0
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)"
)
_FAULTS = {
    "full": (507, "XMinioStorageFull"),
    "broken": (500, "InternalError"),
    "refusing": (403, "AccessDenied"),
}


class FakeStore:
    """Its one bucket is a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.url = ""
        self.lock = threading.Lock()
        (root / BUCKET).mkdir(parents=True)

    @property
    def fault(self) -> str:
        path = self.root / "fault"
        return path.read_text() if path.exists() else ""

    @fault.setter
    def fault(self, name: str) -> None:
        path = self.root / "fault"
        path.write_text(name) if name else path.unlink(missing_ok=True)


@contextmanager
def stored(root: Path) -> Iterator[FakeStore]:
    store = FakeStore(root)

    class StoreHandler(_Handler):
        pass

    StoreHandler.store = store
    server = ThreadingHTTPServer(("127.0.0.1", 0), StoreHandler)
    server.daemon_threads = True
    store.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield store
    server.shutdown()
    server.server_close()


class _Handler(BaseHTTPRequestHandler):
    store: FakeStore
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, headers, content = self._found(body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_DELETE = do_HEAD = do_POST = _answer  # noqa: N815 - so they are looked for

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def _found(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        fault = self.store.fault
        if fault == "slow":
            time.sleep(SLOW_S)
        refusal = self._refusal(body)
        if refusal is None and fault in _FAULTS and (fault != "full" or self.command == "PUT"):
            refusal = _FAULTS[fault]
        parts = urlsplit(self.path)
        bucket, _, path = unquote(parts.path).lstrip("/").partition("/")
        if refusal is None and bucket != BUCKET:
            refusal = (404, "NoSuchBucket")
        if refusal is not None:
            return _error(*refusal)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        folder = self.store.root / bucket
        with self.store.lock:
            if "list-type" in query:
                return 200, {"Content-Type": "application/xml"}, _listed(folder, query)
            if self.command == "POST":
                return 200, {}, _deleted(folder, body)
            return self._object(folder / path, body)

    def _object(self, path: Path, body: bytes) -> tuple[int, dict[str, str], bytes]:
        found = path.read_bytes() if path.is_file() else None
        if self.command == "PUT":
            return self._laid(path, found, body)
        if self.command == "DELETE":
            path.unlink(missing_ok=True)
            return 204, {}, b""
        if found is None:
            return _error(404, "NoSuchKey")
        told = {"ETag": _tag(found), "Last-Modified": "Fri, 27 Nov 2026 22:00:00 GMT"}
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked is None:
            return 200, told, found
        first, last = int(asked[1]), min(int(asked[2]), len(found) - 1)
        told["Content-Range"] = f"bytes {first}-{last}/{len(found)}"
        return 206, told, found[first : last + 1]

    def _laid(self, path: Path, found: bytes | None, body: bytes) -> tuple[int, dict[str, str], bytes]:
        wanted, fresh = self.headers.get("If-Match"), self.headers.get("If-None-Match") == "*"
        if wanted is not None and found is None:
            return _error(404, "NoSuchKey")
        if found is not None and (fresh or wanted not in (None, _tag(found))):
            return _error(412, "PreconditionFailed")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        return 200, {"ETag": _tag(body)}, b""

    def _refusal(self, body: bytes) -> tuple[int, str] | None:
        """What is wrong with the signature."""
        said = _AUTHORIZATION.fullmatch(self.headers.get("Authorization", ""))
        if said is None:
            return 403, "AccessDenied"
        ident, day, region, signed, signature = said.groups()
        if ident != KEY:
            return 403, "InvalidAccessKeyId"
        if region != REGION:
            return 400, "AuthorizationHeaderMalformed"
        digest = self.headers.get("x-amz-content-sha256", "")
        if digest not in (hashlib.sha256(body).hexdigest(), "UNSIGNED-PAYLOAD"):
            return 400, "XAmzContentSHA256Mismatch"
        parts = urlsplit(self.path)
        pairs = sorted(
            (quote(name, safe="-_.~"), quote(value, safe="-_.~"))
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        )
        names = signed.split(";")
        lines = [
            self.command,
            quote(unquote(parts.path), safe="/-_.~"),
            "&".join(f"{name}={value}" for name, value in pairs),
            *(f"{name}:{' '.join((self.headers.get(name) or '').split())}" for name in names),
            "",
            signed,
            digest,
        ]
        scope = f"{day}/{region}/s3/aws4_request"
        text = "\n".join(
            ["AWS4-HMAC-SHA256", self.headers.get("x-amz-date", ""), scope, _sha("\n".join(lines))]
        )
        key = f"AWS4{SECRET}".encode()
        for part in (*scope.split("/"), text):
            key = hmac.digest(key, part.encode(), "sha256")
        return None if hmac.compare_digest(key.hex(), signature) else (403, "SignatureDoesNotMatch")


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _tag(content: bytes) -> str:
    return f'"{hashlib.md5(content).hexdigest()}"'


def _error(status: int, code: str) -> tuple[int, dict[str, str], bytes]:
    said = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{code}</Message></Error>"
    return status, {"Content-Type": "application/xml"}, said.encode()


def _deleted(folder: Path, body: bytes) -> bytes:
    keys = re.findall(rb"<Key>[^<]+</Key>", body)
    for key in keys:
        (folder / key[5:-6].decode()).unlink(missing_ok=True)
    return b"<DeleteResult>%b</DeleteResult>" % b"".join(b"<Deleted>%b</Deleted>" % key for key in keys)


def _listed(folder: Path, query: dict[str, str]) -> bytes:
    prefix, delimiter, behind = (query.get(name, "") for name in ("prefix", "delimiter", "start-after"))
    keys = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    found, common = [], set()
    for key in keys:
        if not key.startswith(prefix) or key <= behind:
            continue
        rest = key.removeprefix(prefix)
        if delimiter and delimiter in rest:
            common.add(prefix + rest.partition(delimiter)[0] + delimiter)
        else:
            found.append(key)
    rows = [
        f"<Contents><Key>{escape(key)}</Key><Size>{(folder / key).stat().st_size}</Size>"
        "<LastModified>2026-11-27T22:00:00.000Z</LastModified></Contents>"
        for key in found
    ]
    rows += [f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(common)]
    return f"<ListBucketResult><IsTruncated>false</IsTruncated>{''.join(rows)}</ListBucketResult>".encode()
