"""A code for a token: what this server asks a provider, and what it makes of the answer."""

import base64
import re
from typing import Any
from urllib.parse import quote_plus

from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, UpstreamFailed
from kbwork.core.operations.external import External, FetchedPage, ServiceCall
from kbwork.modules.auth.providers import discovery, id_tokens
from kbwork.modules.auth.providers.model import OidcSettings

_ERROR = re.compile(r"[a-z_]{1,60}\Z")


class CodeRefused(Exception):
    """The provider takes this code no more."""


@dataclass(frozen=True, slots=True)
class ProviderClient:
    """This server as a provider knows it."""

    settings: OidcSettings
    secret: str | None
    redirect_uri: str


async def id_token(
    out: External, found: discovery.Metadata, client: ProviderClient, code: str, verifier: str
) -> str:
    """The token for a code. Raises CodeRefused, or UpstreamFailed in words for who set it up."""
    page = await call(out, found, client, code, verifier)
    document = discovery.json_object(page.body, "token")
    if page.status != 200:
        error = error_of(document)
        if error == "invalid_grant":
            raise CodeRefused
        raise UpstreamFailed(
            f"The sign-in provider refused this server ({error}): an admin tries it with auth.provider_test."
        )
    token = document.get("id_token")
    if not isinstance(token, str):
        raise UpstreamFailed("The sign-in provider answered no id_token: its scopes should have openid.")
    return token


async def call(
    out: External, found: discovery.Metadata, client: ProviderClient, code: str, verifier: str
) -> FetchedPage:
    """What the token endpoint answers. Raises UpstreamFailed."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": client.redirect_uri,
        "client_id": client.settings.client_id,
        "code_verifier": verifier,
    }
    authorization = None
    if client.secret is not None and _in_form(found, client.settings):
        form["client_secret"] = client.secret
    elif client.secret is not None:
        pair = f"{quote_plus(client.settings.client_id)}:{quote_plus(client.secret)}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode()
    try:
        return await out.ask(found.token_endpoint, ServiceCall(form, authorization))
    except InvalidInput as refusal:
        raise UpstreamFailed(
            f"The sign-in provider's token endpoint is not asked: {refusal.detail}"
        ) from None


def _in_form(found: discovery.Metadata, settings: OidcSettings) -> bool:
    if settings.token_auth != "auto":  # noqa: S105 - a way to send the secret
        return settings.token_auth == "post"  # noqa: S105 - likewise
    return "client_secret_post" in found.token_auth and "client_secret_basic" not in found.token_auth


def error_of(document: dict[str, Any]) -> str:
    """The code of an OAuth error, as far as it is one."""
    error = document.get("error")
    return error if isinstance(error, str) and _ERROR.match(error) else "without saying why"


async def identity(
    out: External, found: discovery.Metadata, token: str, expected: id_tokens.ExpectedToken
) -> id_tokens.Identity:
    """Whom a token speaks of. Keys that are not known are asked for once. Raises NotTrusted, or UpstreamFailed."""
    held = await discovery.keys(out, found)
    assert held is not None
    try:
        return await out.thread(id_tokens.read, token, held.keys, expected)
    except id_tokens.UnknownKey:
        newer = await discovery.keys(out, found, missing=True)
        if newer is None:
            raise
        return await out.thread(id_tokens.read, token, newer.keys, expected)
