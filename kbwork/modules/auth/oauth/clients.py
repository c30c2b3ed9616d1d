"""Clients that register themselves (RFC 7591): what is kept of them, and where they may be sent back to."""

import json
import re
import unicodedata
from urllib.parse import urlsplit

from kbwork.base.dataclasses import replace
from kbwork.base.text import cleaned
from kbwork.core.ports.oauth import OAuthClient, OAuthError
from kbwork.core.seal import Seal
from kbwork.db.rows import OauthClientRow
from kbwork.db.tx import Read, Write

MOST_WAITING = 5000
"""Clients that nobody agreed to yet; the oldest of them make room for new ones."""
_MOST_URIS = 10
_MOST_CHARS = 2000
"""Of all redirect URIs together."""
_NAME_CHARS = 100
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PLAIN = re.compile(r"[!\"$-\[\]-~]+\Z")  # no fragment, and no sign that browsers take for a slash
_FORM = (
    "A redirect URI is https://host/path, or http:// with localhost, 127.0.0.1 or [::1] and any port,"
    " without user name and fragment."
)


def register(tx: Write, asked: OAuthClient) -> OAuthClient | OAuthError:
    """Note a client down, with a name that can be shown. Refuses redirect URIs that do not fit."""
    uris = tuple(dict.fromkeys(asked.redirect_uris))
    if not 1 <= len(uris) <= _MOST_URIS or sum(map(len, uris)) > _MOST_CHARS:
        text = f"A client has 1 to {_MOST_URIS} redirect URIs, of {_MOST_CHARS} characters together."
        return OAuthError("invalid_redirect_uri", text)
    if not all(map(_fits, uris)):
        return OAuthError("invalid_redirect_uri", _FORM)
    client = replace(asked, name=_name(asked.name, uris[0]), redirect_uris=uris, created_at=tx.now)
    _make_room(tx)
    tx.execute(
        "insert into oauth_client (id, name, redirect_uris, method, secret, created_at)"
        " values (:id, :name, :uris, :method, :secret, :now)",
        id=client.id,
        name=client.name,
        uris=json.dumps(uris),
        method=client.method,
        secret=Seal(tx.secret).seal(client.secret.encode(), _place(client.id)) if client.secret else None,
        now=tx.now,
    )
    return client


def client(tx: Read, ident: str) -> OAuthClient | None:
    """A client by its id."""
    row = tx.one("select * from oauth_client where id = :id", OauthClientRow, id=ident)
    if row is None:
        return None
    return OAuthClient(
        id=row["id"],
        name=row["name"],
        redirect_uris=tuple(json.loads(row["redirect_uris"])),
        method=row["method"],
        secret=_opened(tx, row),
        created_at=row["created_at"],
    )


def _opened(tx: Read, row: OauthClientRow) -> str | None:
    sealed = row["secret"]
    return (
        Seal(tx.secret).open(sealed, _place(row["id"]), "Register the client anew.").decode()
        if sealed is not None
        else None
    )


def _place(ident: str) -> str:
    return f"oauth-client:{ident}"


def _make_room(tx: Write) -> None:
    """Registering is for everybody: what nobody agreed to is bounded, and lasts the longer the less there is."""
    tx.execute(
        "delete from oauth_client where id in (select id from oauth_client where used_at is null"
        " order by created_at desc, id limit -1 offset :most)",
        most=MOST_WAITING - 1,
    )


def _fits(uri: str) -> bool:
    """Whether it is https, or http to the client's own machine."""
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        return False
    if not _PLAIN.match(uri) or "@" in parts.netloc or port == 0 or not parts.hostname:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


def _name(asked: str, uri: str) -> str:
    """What it calls itself on one line, without signs that turn or hide text; else the host it is sent back to."""
    shown = "".join(
        char for char in asked.replace("\0", "") if unicodedata.category(char) not in ("Cf", "Co", "Cs")
    )
    return " ".join(cleaned(shown).split())[:_NAME_CHARS].strip() or str(urlsplit(uri).hostname)
