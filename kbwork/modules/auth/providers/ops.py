"""Sign-in providers: list, save, delete."""

import json
import re
from typing import Annotated, Any, cast

from pydantic import Field, JsonValue

from kbwork.base.errors import Conflict, InvalidInput, MasterKeyLost, NotFound, located
from kbwork.base.model import Empty, Input, Name, Text
from kbwork.core import org_settings
from kbwork.core.operations.declare import destructive, write
from kbwork.core.operations.validate import validate
from kbwork.core.seal import Seal
from kbwork.db.rows import ProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import policy, ways_in
from kbwork.modules.auth.model import NOT_UNDONE, AuthPolicyChanged
from kbwork.modules.auth.providers import stored
from kbwork.modules.auth.providers.addresses import require_address
from kbwork.modules.auth.providers.model import (
    AuthProviderDeleted,
    AuthProviderSaved,
    Kind,
    OidcSettings,
    SignInProvider,
)

MOST = 20
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}\Z")
_INSTEAD = {
    "saml": "SAML is not spoken here: take OpenID Connect (kind oidc), which the same provider nearly always has beside"
    " it, such as Entra ID, Okta, Keycloak or ADFS.",
    "ldap": "LDAP is not spoken here: put a provider such as Keycloak, Authentik or Dex before the directory, and save"
    " it as kind oidc.",
}


@write(
    "auth.providers",
    scope="desk:public",
    words="single sign on, sso, log in with google, microsoft login, okta, keycloak, identity providers",
    undo="a look changes nothing",
    example={},
)
def providers(tx: Read, args: Empty) -> list[SignInProvider]:
    """List the sign-in providers, oldest first: those that are used, and for admins all, with their settings."""
    return stored.shown(tx)


class AuthProviderSave(Input):
    id: Text
    """Short name, which makes a provider where it is new: 1 to 40 lower-case letters, digits and `-`."""
    kind: Kind
    """What it speaks: `oidc`. `saml` and `ldap` are refused with what to take instead."""
    label: Annotated[Name, Field(max_length=100)]
    """What its button says, such as the name of the company."""
    settings: dict[str, JsonValue]
    """All of `issuer`, `client_id`, and as far as they differ from what is usual `scopes`, `token_auth`,
    `link_by_email`, `trust_email` and `trust_amr`; see the manual."""
    secret: Annotated[str, Field(max_length=1024)] | None = None
    """The client secret, which is sealed and never shown; left out: the one that is kept, empty: none."""
    enabled: bool | None = None
    """Whether it is used; a new one is."""
    create_members: bool | None = None
    """Whether people of `signup_domains` of the policy become members when they first come; for a new one false."""


@write(
    "auth.provider_save",
    scope="admin",
    words="set up single sign on, configure sso, add google login, connect entra id, openid connect, saml, ldap",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthProviderSaved],
    example={
        "id": "acme",
        "kind": "oidc",
        "label": "Acme",
        "settings": {"issuer": "https://login.acme.example", "client_id": "kbwork"},
        "secret": "from-the-provider",
    },
)
def provider_save(tx: Write, args: AuthProviderSave) -> list[SignInProvider]:
    """Make a sign-in provider, or change one: `settings` as a whole, what else is left out stays. Nothing is asked
    there; auth.provider_test tries it.

    People use it when its id is among the `methods` of the policy, too. Asks for an elevated session. Another issuer
    clears the secret, unless a new one comes with it, and leaves links to accounts there without effect. Switching off
    what alone lets an owner in is 409, and so is a twenty-first provider.
    """
    settings = _judged(args)
    before = stored.find(tx, args.id)
    now: dict[str, Any] = {
        "label": args.label,
        "settings": settings.model_dump(),
        "enabled": _kept(args.enabled, before, "enabled", usual=True),
        "create_members": _kept(args.create_members, before, "create_members", usual=False),
    }
    secret = _secret(tx, args, before, settings)
    columns = {
        **now,
        "settings": json.dumps(now["settings"]),
        "enabled": int(now["enabled"]),
        "create_members": int(now["create_members"]),
        "secret": secret,
    }
    if before is None:
        if len(stored.every(tx)) >= MOST:
            raise Conflict(f"There are {MOST} providers, which is the most; delete one first.")
        tx.insert("provider", id=args.id, kind=args.kind, created_at=tx.now, **columns)
    else:
        tx.update("provider", args.id, **columns)
        was = stored.settings_of(before)
        if was.issuer != settings.issuer:
            stored.end_ways(tx, args.id)
        believed = now["enabled"] and settings.trust_amr and was.issuer == settings.issuer
        if was.trust_amr and not believed:
            stored.end_trust(tx)
    changes = _changes(before, now)
    _require_owner(tx, org_settings.get(tx, "auth.methods"))
    if changes or (before["secret"] if before is not None else None) != secret:
        told = {} if before is not None and before["secret"] == secret else {"secret": secret is not None}
        tx.emit(AuthProviderSaved(subject="org:1", payload={"provider": args.id, **told}, changes=changes))
    return stored.shown(tx)


def _kept(given: bool | None, before: ProviderRow | None, field: str, *, usual: bool) -> bool:
    if given is not None:
        return given
    return bool(before[field]) if before is not None else usual


def _judged(args: AuthProviderSave) -> OidcSettings:
    if not _ID.match(args.id) or args.id in policy.METHODS:
        raise InvalidInput(
            f"{args.id!r} is no id for a provider: take 1 to 40 lower-case letters, digits and `-`, and none of"
            f" {', '.join(policy.METHODS)}.",
            field="id",
        )
    if args.kind in _INSTEAD:
        raise InvalidInput(_INSTEAD[args.kind], field="kind", allowed=["oidc"])
    with located("settings"):
        settings = cast(OidcSettings, validate(OidcSettings, args.settings))
        require_address(settings.issuer, "issuer")
        if "?" in settings.issuer:
            raise InvalidInput("An issuer has no `?`.", field="issuer")
    settings.scopes = list(dict.fromkeys(["openid", *settings.scopes]))
    return settings


def _secret(
    tx: Read, args: AuthProviderSave, before: ProviderRow | None, settings: OidcSettings
) -> bytes | None:
    """The secret to keep, sealed: one that was kept for another address is not sent to this one."""
    if args.secret:
        if before is not None and _opens(tx, before) == args.secret:
            return before["secret"]
        return Seal(tx.secret).seal(args.secret.encode(), stored.place(args.id))
    same = before is not None and stored.settings_of(before).issuer == settings.issuer
    return before["secret"] if before is not None and same and args.secret is None else None


def _opens(tx: Read, row: ProviderRow) -> str | None:
    """The secret that is kept; None also where another master key sealed it, which a new one mends."""
    try:
        return stored.secret_of(tx, row)
    except MasterKeyLost:
        return None


def _changes(before: ProviderRow | None, now: dict[str, Any]) -> dict[str, Any]:
    was = {
        "label": before["label"] if before is not None else None,
        "settings": json.loads(before["settings"]) if before is not None else None,
        "enabled": bool(before["enabled"]) if before is not None else None,
        "create_members": bool(before["create_members"]) if before is not None else None,
    }
    return {name: (was[name], now[name]) for name in now if was[name] != now[name]}


def _require_owner(tx: Read, methods: list[str]) -> None:
    if not ways_in.an_owner_can(tx, methods):
        raise Conflict(
            "No owner could sign in then: put `password` or `passkey` among the methods of the policy first."
        )


class AuthProviderDelete(Input):
    id: Text
    """Id of the provider."""


@destructive(
    "auth.provider_delete",
    scope="admin",
    words="remove single sign on, disconnect sso, delete identity provider",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthProviderDeleted, AuthPolicyChanged],
    example={"id": "acme"},
)
def provider_delete(tx: Write, args: AuthProviderDelete) -> list[SignInProvider]:
    """Delete a sign-in provider, with its secret and what it knew members by; it leaves the methods of the policy.

    Asks for an elevated session. Refused with 409 where no owner could sign in without it. Sessions that began there
    go on; where its word was taken for a second factor, it counts no more.
    """
    row = stored.find(tx, args.id)
    if row is None:
        raise NotFound(f"There is no sign-in provider {args.id!r}; auth.providers lists them.")
    if stored.settings_of(row).trust_amr:
        stored.end_trust(tx)
    stored.end_ways(tx, args.id)
    tx.execute("delete from provider_link where provider = :id", id=args.id)
    tx.delete("provider", args.id)
    before = org_settings.get(tx, "auth.methods")
    methods = [method for method in before if method != args.id]
    _require_owner(tx, methods)
    if methods != before:
        org_settings.put(tx, "auth.methods", methods)
        tx.emit(AuthPolicyChanged(subject="org:1", changes={"methods": (before, methods)}))
    tx.emit(AuthProviderDeleted(subject="org:1", payload={"provider": args.id}))
    return stored.shown(tx)
