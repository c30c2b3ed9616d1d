"""Our grants as the package `mcp` asks for them. Importing this imports that package.

Its handlers look first and change then; each change here judges anew, in one transaction. They compare times with the
machine's clock; what they are given has not ended by ours, so that no time of theirs is asked.
"""

import contextvars
import math
from collections.abc import Callable
from typing import TypeVar, cast

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    IdentityAssertionParams,
    RefreshToken,
    RegistrationError,
    RegistrationErrorCode,
    TokenError,
    TokenErrorCode,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl

from kbwork.base.caller import ANONYMOUS, Caller
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.ports.oauth import Method, OAuthClient, OAuthError, OAuthGrants, Tokens
from kbwork.db.tx import Read, Write

T = TypeVar("T")
GRANT_TYPES = ["authorization_code", "refresh_token"]
caller: contextvars.ContextVar[Caller] = contextvars.ContextVar("caller", default=ANONYMOUS)
"""Nobody, with the address of the request at hand."""
_DROPPED = (
    "client_uri",
    "logo_uri",
    "contacts",
    "tos_uri",
    "policy_uri",
    "jwks_uri",
    "jwks",
    "software_id",
    "software_version",
    "scope",
)
"""What is not kept, and so is not said to be registered."""


class Provider:
    """An `OAuthAuthorizationServerProvider` over the module that keeps grants."""

    def __init__(self, dispatcher: Dispatcher, connecting: OAuthGrants) -> None:
        self._database = dispatcher.database
        self._connecting = connecting

    async def _read(self, fn: Callable[[Read], T]) -> T:
        return await self._database.read(fn, caller.get(), name="oauth")

    async def _write(self, fn: Callable[[Write], T]) -> T:
        return await self._database.write(fn, caller.get())

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        found = await self._read(lambda tx: self._connecting.client(tx, client_id))
        if found is None:
            return None
        return OAuthClientInformationFull(
            client_id=found.id,
            client_secret=found.secret,
            client_name=found.name,
            client_id_issued_at=found.created_at,
            redirect_uris=[AnyUrl(uri) for uri in found.redirect_uris],
            token_endpoint_auth_method=found.method,
            grant_types=GRANT_TYPES,
        )

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Keep the client, and cut what is answered to what was kept. Raises RegistrationError."""
        asked = OAuthClient(
            id=client_info.client_id,
            name=client_info.client_name or "",
            redirect_uris=tuple(str(uri) for uri in client_info.redirect_uris or ()),
            method=cast(Method, client_info.token_endpoint_auth_method),
            secret=client_info.client_secret,
            created_at=0,
        )
        kept = await self._write(lambda tx: self._connecting.register(tx, asked))
        if isinstance(kept, OAuthError):
            raise RegistrationError(cast(RegistrationErrorCode, kept.error), kept.text)
        client_info.client_name = kept.name
        client_info.client_id_issued_at = kept.created_at
        client_info.grant_types = GRANT_TYPES
        client_info.response_types = ["code"]
        for field in _DROPPED:
            setattr(client_info, field, None)

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """The page /authorize of this site asks the person; no handler of the package leads here."""
        raise AuthorizeError("invalid_request", "Open /authorize in a browser.")

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        known = self._client(client)
        found = await self._read(lambda tx: self._connecting.code(tx, known, authorization_code))
        if found is None:
            return None
        return AuthorizationCode(
            code=authorization_code,
            scopes=list(found.scopes),
            expires_at=math.inf,
            client_id=client.client_id,
            code_challenge=found.challenge,
            redirect_uri=AnyUrl(found.redirect_uri),
            redirect_uri_provided_explicitly=True,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        known, code = self._client(client), authorization_code.code
        return _handed_out(await self._write(lambda tx: self._connecting.exchange(tx, known, code)))

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> RefreshToken | None:
        known = self._client(client)
        held = await self._read(lambda tx: self._connecting.holds(tx, known, refresh_token))
        if held is None:
            return None
        return RefreshToken(token=refresh_token, client_id=client.client_id, scopes=list(held))

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        known, token, wanted = self._client(client), refresh_token.token, tuple(sorted(set(scopes)))
        return _handed_out(await self._write(lambda tx: self._connecting.refresh(tx, known, token, wanted)))

    async def load_access_token(self, token: str) -> AccessToken | None:
        """A token of either sort that lives; asked for when one is to be revoked."""
        owner = await self._read(lambda tx: self._connecting.owner(tx, token))
        return AccessToken(token=token, client_id=owner, scopes=[]) if owner is not None else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End the grant that the token is of."""
        await self._write(lambda tx: self._connecting.revoke(tx, token.token))

    async def exchange_identity_assertion(
        self, client: OAuthClientInformationFull, params: IdentityAssertionParams
    ) -> OAuthToken:
        """No identity provider vouches for people here."""
        raise TokenError("unsupported_grant_type", "Sign in with a code.")

    def _client(self, client: OAuthClientInformationFull) -> OAuthClient:
        """The client as the module knows it; its id is what counts."""
        return OAuthClient(client.client_id, client.client_name or "", (), "none", None, 0)


def _handed_out(tokens: Tokens | OAuthError) -> OAuthToken:
    """Raises TokenError."""
    if isinstance(tokens, OAuthError):
        raise TokenError(cast(TokenErrorCode, tokens.error), tokens.text)
    return OAuthToken(
        access_token=tokens.access,
        refresh_token=tokens.refresh,
        expires_in=tokens.expires_in,
        scope=" ".join(tokens.scopes),
    )
