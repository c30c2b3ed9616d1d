"""What OAuth answers: the documents and endpoints, by the package `mcp`. Importing this imports that package."""

from typing import Any

from mcp.server.auth.handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.routes import cors_middleware
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata
from starlette.types import ASGIApp

from kbwork.api.oauth.issuer import RESOURCE
from kbwork.api.oauth.provider import GRANT_TYPES, Provider, caller
from kbwork.base.caller import Caller
from kbwork.base.dataclasses import dataclass
from kbwork.core.operations.dispatch import Dispatcher
from kbwork.core.ports.oauth import OAuthGrants

_METHODS = ["none", "client_secret_post", "client_secret_basic"]
_MANY_HOMES = 8


@dataclass(frozen=True, slots=True)
class Documents:
    """What clients read about this server before they sign in (RFC 9728, RFC 8414)."""

    resource: ASGIApp
    server: ASGIApp


class OAuthServer:
    """The endpoints that clients call without a person."""

    def __init__(self, dispatcher: Dispatcher, connecting: OAuthGrants, scopes: list[str]) -> None:
        """`scopes` are those that clients may ask for."""
        provider = Provider(dispatcher, connecting)
        clients = ClientAuthenticator(provider)
        posted = ["POST", "OPTIONS"]
        self.endpoints: dict[str, ASGIApp] = {
            "/token": cors_middleware(TokenHandler(provider, clients).handle, posted),
            "/register": cors_middleware(
                RegistrationHandler(provider, ClientRegistrationOptions(enabled=True)).handle, posted
            ),
            "/revoke": cors_middleware(RevocationHandler(provider, clients).handle, posted),
        }
        self._scopes = scopes
        self._documents: dict[str, Documents] = {}

    def documents(self, home: str) -> Documents:
        """The documents that name this address."""
        if home not in self._documents:
            if len(self._documents) >= _MANY_HOMES:
                self._documents.clear()
            self._documents[home] = self._described(home)
        return self._documents[home]

    def acting_for(self, who: Caller) -> None:
        """What the endpoints do until the end of this task, they do for this request."""
        caller.set(who)

    def _described(self, home: str) -> Documents:
        about: dict[str, Any] = {
            "resource": home + RESOURCE,
            "authorization_servers": [home],
            "scopes_supported": self._scopes,
            "resource_name": "kbwork",
            "resource_documentation": f"{home}/docs/howto-mcp",
        }
        server: dict[str, Any] = {
            "issuer": home,
            "authorization_endpoint": f"{home}/authorize",
            "token_endpoint": f"{home}/token",
            "registration_endpoint": f"{home}/register",
            "revocation_endpoint": f"{home}/revoke",
            "scopes_supported": self._scopes,
            "response_modes_supported": ["query"],
            "grant_types_supported": GRANT_TYPES,
            "token_endpoint_auth_methods_supported": _METHODS,
            "revocation_endpoint_auth_methods_supported": _METHODS,
            "service_documentation": f"{home}/docs/howto-mcp",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        read = ["GET", "OPTIONS"]
        resource = ProtectedResourceMetadataHandler(ProtectedResourceMetadata.model_validate(about))
        return Documents(
            resource=cors_middleware(resource.handle, read),
            server=cors_middleware(MetadataHandler(OAuthMetadata.model_validate(server)).handle, read),
        )
