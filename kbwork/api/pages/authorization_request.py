"""What a client asks for at /authorize, judged before anybody is asked: nothing of it is taken on trust."""

import re
from typing import Any
from urllib.parse import urlencode, urlsplit

from kbwork.api.oauth.issuer import RESOURCE, Issuer, asked_modules
from kbwork.api.pages.request import Form, PageRequest
from kbwork.base.dataclasses import dataclass
from kbwork.base.errors import InvalidInput, NotFound
from kbwork.core.ports.oauth import OAuthClient, OAuthGrants

_MOST_CHARS = 2000
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_NAMES = (
    "response_type",
    "client_id",
    "redirect_uri",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "resource",
)
_LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?((?:[/?].*)?)\Z")


class InvalidAuthorizationRequest(Exception):
    """The client can be told what is wrong with its request: by the person's own click, never by itself.

    Whoever wishes can register a client, so a redirect without a click would send people to wherever it says.
    """

    def __init__(self, asked: "AuthorizationRequest", error: str, text: str) -> None:
        super().__init__(text)
        self.asked = asked
        self.error = error
        self.text = text


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A request that can be answered: its client is known, and so is where it is sent back to."""

    home: str
    client: OAuthClient
    fields: dict[str, str]
    """The parameters as they came, to come back with the form."""

    @property
    def redirect_uri(self) -> str:
        return self.fields["redirect_uri"]

    @property
    def place(self) -> str:
        """Where the person is sent back to, for them to judge."""
        parts = urlsplit(self.redirect_uri)
        local = _LOCAL.match(self.redirect_uri)
        return "a program on this computer" if local else parts.netloc

    @property
    def scopes(self) -> list[str] | None:
        """The scopes that it names; None where it leaves them to the person."""
        return self.fields["scope"].split() if self.fields.get("scope") else None

    @property
    def modules(self) -> list[str]:
        """The modules that it narrows itself to; none is all."""
        return asked_modules(self.home, self.fields["resource"]) or [] if "resource" in self.fields else []

    def back(self, **answer: str) -> str:
        """The address to send the person to, with the answer, the client's own state and who answers (RFC 9207)."""
        if "state" in self.fields:
            answer["state"] = self.fields["state"]
        joint = "&" if "?" in self.redirect_uri else "?"
        return f"{self.redirect_uri}{joint}{urlencode({**answer, 'iss': self.home})}"


async def read(visit: PageRequest, form: Form) -> AuthorizationRequest:
    """What is asked for.

    Raises InvalidAuthorizationRequest where the client may be told, and a Problem where it is not known which.
    """
    home = Issuer(visit.address, fixed=True).of(None)
    if home is None:
        raise NotFound("Programs are connected here over https only, or on the machine itself; keys work.")
    fields = {name: text for name in _NAMES if (text := _one(form, name))}
    client = None
    if "client_id" in fields:
        connecting = visit.extension(OAuthGrants)
        client = await visit.look(lambda tx: connecting.client(tx, fields["client_id"]))
    if client is None:
        raise NotFound("This program is not known here, or was forgotten: begin again there.")
    if not _registered(client, fields.get("redirect_uri", "")):
        raise InvalidInput(
            "The program asks to send you to an address that it did not register: nothing was given to it."
        )
    asked = AuthorizationRequest(home, client, fields)
    _judge(asked)
    return asked


def _one(form: Form, name: str) -> str:
    """A parameter, which stands at most once. Raises InvalidInput."""
    found = form.all(name)
    if len(found) > 1 or len("".join(found)) > _MOST_CHARS:
        raise InvalidInput(f"The address holds {name} twice, or too long: begin again in the program.")
    return found[0] if found else ""


def _registered(client: OAuthClient, uri: str) -> bool:
    """The very text that was registered; on the person's own machine any port (RFC 8252)."""
    if uri in client.redirect_uris:
        return True
    local = _LOCAL.match(uri)
    if local is None or (local[2] is not None and not 0 < int(local[2]) < 65536):
        return False
    same = [_LOCAL.match(known) for known in client.redirect_uris]
    return any(known is not None and (known[1], known[3]) == (local[1], local[3]) for known in same)


def _judge(asked: AuthorizationRequest) -> None:
    fields: dict[str, Any] = asked.fields
    if fields.get("response_type") != "code":
        raise InvalidAuthorizationRequest(
            asked, "unsupported_response_type", "It asks for another answer than a code."
        )
    if fields.get("code_challenge_method") != "S256" or not _CHALLENGE.match(
        fields.get("code_challenge", "")
    ):
        raise InvalidAuthorizationRequest(
            asked, "invalid_request", "It does not prove itself by PKCE with S256."
        )
    if "resource" in fields and asked_modules(asked.home, fields["resource"]) is None:
        text = f"It asks for something else than {asked.home}{RESOURCE}."
        raise InvalidAuthorizationRequest(asked, "invalid_target", text)
