"""How programs are connected by OAuth 2.1: what the door and the consent page ask of the module that keeps grants."""

from collections.abc import Callable
from typing import Literal

from kbwork.base.dataclasses import dataclass
from kbwork.core.ports.extension import Extension
from kbwork.db.tx import Read, Write

Method = Literal["none", "client_secret_post", "client_secret_basic"]
"""How a client proves at the token endpoint that it is the one that registered."""


@dataclass(frozen=True, slots=True)
class OAuthError:
    """Refused in the words of OAuth: `error` is a code of RFC 6749 or 7591, the text is for whoever mends it."""

    error: str
    text: str


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """A program that registered itself. Its name is what it calls itself: nobody vouches for it."""

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    method: Method
    secret: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Consent:
    """What somebody gives to a client, for the request that it made."""

    client: OAuthClient
    redirect_uri: str
    challenge: str
    scopes: tuple[str, ...]
    modules: tuple[str, ...] | None
    """None is all of them, those to come too."""


@dataclass(frozen=True, slots=True)
class Code:
    """What stands behind an authorization code."""

    redirect_uri: str
    challenge: str
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A pair of tokens, as they are handed out once."""

    access: str
    refresh: str
    scopes: tuple[str, ...]
    expires_in: int
    """Seconds that the access token lives."""


@dataclass(frozen=True, kw_only=True)
class OAuthGrants(Extension):
    """What the module that keeps grants does. A `OAuthError` is answered, not raised: what it ended stays ended."""

    register: Callable[[Write, OAuthClient], OAuthClient | OAuthError]
    """Note a client down; answers what is kept of it."""
    client: Callable[[Read, str], OAuthClient | None]
    consent: Callable[[Write, Consent], str]
    """Give what the caller, who is signed in, may give; answers the code. Raises a Problem."""
    code: Callable[[Read, OAuthClient, str], Code | None]
    """The code of this client, used or not, while it lives."""
    exchange: Callable[[Write, OAuthClient, str], Tokens | OAuthError]
    """Tokens for a code, once. A code that comes again ends what came of it."""
    holds: Callable[[Read, OAuthClient, str], tuple[str, ...] | None]
    """The scopes of a refresh token of this client, used or not, while it lives."""
    refresh: Callable[[Write, OAuthClient, str, tuple[str, ...]], Tokens | OAuthError]
    """Tokens for a refresh token, once. One that comes again ends the grant."""
    owner: Callable[[Read, str], str | None]
    """The id of the client that holds this token, of either sort, of a grant that lives."""
    revoke: Callable[[Write, str], None]
    """End the grant of a token, whichever it is; of no such token, nothing."""
