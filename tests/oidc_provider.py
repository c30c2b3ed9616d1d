"""A sign-in provider at the far end: real HTTP on loopback, real keys, and every way to lie that a test asks for."""

import base64
import hashlib
import hmac
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlsplit

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

CLIENT, SECRET = "kbwork at acme", "s3cret: of+acme"
_RSA = [rsa.generate_private_key(65537, 2048) for _ in range(2)]
_WEAK = rsa.generate_private_key(65537, 1024)


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Key:
    """A key that it signs with, and how it publishes it."""

    kid: str
    alg: str
    private: Any

    @property
    def published(self) -> dict[str, Any]:
        made = {"RS": RSAAlgorithm, "PS": RSAAlgorithm, "ES": ECAlgorithm, "Ed": OKPAlgorithm}[self.alg[:2]]
        shown: Any = made.to_jwk(self.private.public_key(), as_dict=True)  # type: ignore[attr-defined]  # each has it
        return {**shown, "kid": self.kid, "use": "sig", "alg": self.alg}


KEYS = {
    "rs": Key("rs", "RS256", _RSA[0]),
    "ps": Key("ps", "PS256", _RSA[0]),
    "es": Key("es", "ES256", ec.generate_private_key(ec.SECP256R1())),
    "ed": Key("ed", "EdDSA", ed25519.Ed25519PrivateKey.generate()),
    "new": Key("new", "RS256", _RSA[1]),
    "weak": Key("weak", "RS256", _WEAK),
}


@dataclass
class Granted:
    """A code that it gave out."""

    token: str
    challenge: str
    redirect_uri: str


@dataclass
class Provider:
    """One provider. `broken` maps a path to what is answered there instead; `asked` is what was asked, in order."""

    now: int
    published: list[str] = field(default_factory=lambda: ["rs", "ps", "es", "ed"])
    broken: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, Granted] = field(default_factory=dict)
    tokens: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._answer(self, None)

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                provider._answer(self, dict(parse_qsl(self.rfile.read(length).decode(), strict_parsing=True)))

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self.issuer = f"http://{self.place}/acme"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.ended = threading.Event()

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def consent(
        self, url: str, *, key: str = "rs", header: dict[str, Any] | None = None, **claims: Any
    ) -> str:
        """What somebody does there who agrees: answers the code. A claim of None is left out."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        said = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": "sub-cy",
            "nonce": asked["nonce"],
            "iat": self.now,
            "exp": self.now + 300,
            "email": "cy@acme.example",
            "email_verified": True,
            "name": "Cy of Acme",
            **claims,
        }
        if "max_age" in asked:  # OpenID Connect has it required then
            said = {"auth_time": self.now, **said}
        kept = {name: value for name, value in said.items() if value is not None}
        code = f"code-{len(self.codes)}"
        token = self.signed(kept, key, header or {})
        self.codes[code] = Granted(token, asked["code_challenge"], asked["redirect_uri"])
        return code

    def signed(self, claims: dict[str, Any], key: str, header: dict[str, Any]) -> str:
        """A token. `none` is signed by nobody, `hmac` with the published RSA key as if it were a secret."""
        if key == "none":
            parts = [{"alg": "none", "kid": "rs", **header}, claims]
            return ".".join(_b64(json.dumps(part).encode()) for part in parts) + "."
        if key == "hmac":
            form = serialization.PublicFormat.SubjectPublicKeyInfo
            public = KEYS["rs"].private.public_key().public_bytes(serialization.Encoding.PEM, form)
            parts = [{"alg": "HS256", "kid": "rs", **header}, claims]
            text = ".".join(_b64(json.dumps(part).encode()) for part in parts)
            return f"{text}.{_b64(hmac.new(public, text.encode(), hashlib.sha256).digest())}"
        used = KEYS[key]
        named = {name: value for name, value in {"kid": used.kid, **header}.items() if value is not None}
        if key == "weak":  # the package would warn, as it should
            text = ".".join(_b64(json.dumps(part).encode()) for part in ({"alg": used.alg, **named}, claims))
            signature = used.private.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
            return f"{text}.{_b64(signature)}"
        return jwt.encode(claims, used.private, used.alg, named)

    def _answer(self, request: BaseHTTPRequestHandler, form: dict[str, str] | None) -> None:
        path = urlsplit(request.path).path
        self.asked.append(path)
        if path in self.broken:
            self.broken[path](request, self)
            return
        if path == "/acme/.well-known/openid-configuration":
            self.send(request, 200, self._described() | self.document)
        elif path == "/keys":
            self.send(request, 200, {"keys": [KEYS[name].published for name in self.published]})
        elif path == "/token" and form is not None:
            self.send(request, *self._token(request, form))
        else:
            self.send(request, 404, {})

    def _described(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"http://{self.place}/authorize?tenant=acme",
            "token_endpoint": f"http://{self.place}/token",
            "jwks_uri": f"http://{self.place}/keys",
        }

    def _token(self, request: BaseHTTPRequestHandler, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        self.tokens.append(form)
        if not self._is_known(request.headers.get("authorization"), form):
            return 401, {"error": "invalid_client"}
        granted = self.codes.pop(form["code"], None)
        proof = _b64(hashlib.sha256(form["code_verifier"].encode()).digest())
        if granted is None or (proof, form["redirect_uri"]) != (granted.challenge, granted.redirect_uri):
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "unused", "token_type": "Bearer", "id_token": granted.token}

    def _is_known(self, authorization: str | None, form: dict[str, str]) -> bool:
        if authorization is None:
            return (form["client_id"], form.get("client_secret")) == (CLIENT, SECRET)
        name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        return (unquote_plus(name), unquote_plus(secret)) == (CLIENT, SECRET)

    @staticmethod
    def send(request: BaseHTTPRequestHandler, status: int, document: Any) -> None:
        body = json.dumps(document).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
