"""The words of sign-in providers."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.base.model import Input, Text

Kind = Literal["oidc", "saml", "ldap"]


_Scope = Annotated[Text, Field(pattern=r"^[\x21\x23-\x5b\x5d-\x7e]{1,200}$")]


class OidcSettings(Input):
    """What `settings` of a provider of the kind `oidc` holds."""

    issuer: Annotated[Text, Field(min_length=1, max_length=1000)]
    """Who signs its tokens, letter by letter as its discovery document says it."""
    client_id: Annotated[Text, Field(min_length=1, max_length=500)]
    """What this server is called there."""
    scopes: Annotated[list[_Scope], Field(max_length=20)] = Field(default=["openid", "email", "profile"])
    """What is asked for; `openid` always is."""
    token_auth: Literal["auto", "basic", "post"] = "auto"  # noqa: S105 - a way to send the secret
    """How the secret is sent: `auto` takes what the provider says."""
    link_by_email: bool = True
    """Whether a member is found by a verified address when they first come; else each links their own account."""
    trust_email: bool = False
    """Take its addresses for verified, also where it does not say so. Only where nobody chooses their own there."""
    trust_amr: bool = False
    """Where its token says `mfa` in `amr`, ask for no second factor here."""


class SignInProvider(TypedDict):
    """Where people sign in elsewhere. `settings` and `has_secret` are null for who is no admin."""

    id: str
    """Its short name, for `auth.oidc_start` and `methods` of the policy."""
    kind: Kind
    """What it speaks; always `oidc` in this version."""
    label: str
    """What its button says."""
    enabled: bool
    """Whether it is used."""
    create_members: bool
    """Whether people of `signup_domains` of the policy become members when they first come."""
    settings: dict[str, Any] | None
    """How it is reached; null: not told."""
    has_secret: bool | None
    """Whether a secret is kept, sealed; null: not told."""


Step = Literal["address", "discovery", "keys", "token endpoint"]


class TrialStep(TypedDict):
    """One step of a trial."""

    step: Step
    """What was tried."""
    ok: bool
    """Whether it went well."""
    detail: str
    """What was found, or what to mend."""


class ProviderTrial(TypedDict):
    """How far a sign-in would come."""

    ok: bool
    """Whether each step went well."""
    steps: list[TrialStep]
    """What was tried, in order; those behind one that failed are left out."""
    claims: dict[str, Any] | None
    """What it says of somebody; always null: nobody signs in for a trial."""


class OidcStarted(TypedDict):
    """Where to go to sign in."""

    url: str
    """The page of the provider, for the browser that asked."""


class LinkedProviders(TypedDict):
    """What is left of a member's accounts elsewhere."""

    linked: list[str]
    """Ids of the providers where an account lets them in."""


class AuthProviderSaved(DomainEvent):
    """A sign-in provider was made or changed. `secret` tells that another one is kept, or none, and never which."""

    kind = "auth.provider_saved"
    audience = "audit"


class AuthProviderDeleted(DomainEvent):
    kind = "auth.provider_deleted"
    audience = "audit"


class AuthLinked(DomainEvent):
    """A member comes in by a provider from now on. `how`: by their `email`, as a `new` member, or by `choice`."""

    kind = "auth.linked"
    audience = "audit"


class AuthUnlinked(DomainEvent):
    """The account of a member at a provider lets nobody in any more."""

    kind = "auth.unlinked"
    audience = "audit"
