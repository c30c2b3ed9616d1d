"""The sign-in policy of the org."""

import re
from typing import Annotated, Any

from pydantic import Field

from kbwork.base.errors import Conflict, InvalidInput
from kbwork.base.model import Empty, Input, Int, Text
from kbwork.core import org_settings
from kbwork.core.access import callers, identify
from kbwork.core.operations.declare import read, write
from kbwork.core.ports import mail
from kbwork.db.tx import Read, Write
from kbwork.modules.auth import ways_in
from kbwork.modules.auth.model import NOT_UNDONE, AuthPolicyChanged, SignInPolicy

METHODS = ("password", "link", "passkey")
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}\Z")
_FIELDS = ("require_2fa", "password_min", "session_days", "methods", "signup_domains", "allowed_networks")


@read(
    "auth.policy",
    scope="auth:read",
    words=("password rules, sign-in rules, is two factor required, allowed networks, security settings"),
    example={},
)
def policy(tx: Read, args: Empty) -> SignInPolicy:
    """How people may sign in here. Domains and networks are told to admins only."""
    return _shown(tx)


class AuthPolicySet(Input):
    require_2fa: bool | None = None
    """Who has no second factor can then only set one up."""
    password_min: Annotated[Int, Field(ge=8, le=128)] | None = None
    """Characters that a new password holds at least."""
    session_days: Annotated[Int, Field(ge=1, le=365)] | None = None
    """Days after which a session ends, used or not; sessions that are open are shortened too."""
    methods: Annotated[list[Text], Field(max_length=20)] | None = None
    """Ways to sign in: `password`, `passkey`, `link`, by mail, and ids of sign-in providers. One by which an owner can
    come in must stay."""
    signup_domains: Annotated[list[Text], Field(max_length=100)] | None = None
    """Mail domains whose people may join by themselves; an empty list: none."""
    allowed_networks: Annotated[list[Text], Field(max_length=100)] | None = None
    """Networks to sign in and call from, such as `203.0.113.0/24`; an empty list: everywhere."""


@write(
    "auth.policy_set",
    scope="admin",
    words=(
        "enforce two factor authentication, require 2fa, mfa for everybody, password length, "
        "session length, restrict ip addresses, security policy, signup domain, sso"
    ),
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthPolicyChanged],
    example={"password_min": 12, "session_days": 30},
)
def policy_set(tx: Write, args: AuthPolicySet) -> SignInPolicy:
    """Change the sign-in policy; fields that are not named stay. It holds for every open session at once.

    Refused with 409 where it would shut you out: `require_2fa` while you have no second factor, networks that do not
    hold the address you call from; and `link` among `methods` while this server sends no mail. A passkey counts as the
    second factor. `methods` by which no owner could come in (a link alone does not count, as mail may fail), or with
    one that is not there, is 422. Without `passkey` passkeys are a second factor only.
    """
    wanted = args.filled(*_FIELDS)
    if "methods" in wanted:
        wanted["methods"] = _methods(tx, wanted["methods"])
    if "signup_domains" in wanted:
        wanted["signup_domains"] = _domains(wanted["signup_domains"]) or None
    if "allowed_networks" in wanted:
        wanted["allowed_networks"] = _networks(tx, wanted["allowed_networks"]) or None
    if args.require_2fa and not ways_in.second_factors(tx, tx.caller.me()):
        raise Conflict(
            "Set up a second factor of your own first (auth.totp_begin, or a passkey): this would shut you out."
        )
    changes: dict[str, Any] = {}
    for field, value in wanted.items():
        before = org_settings.get(tx, f"auth.{field}")
        if before != value:
            org_settings.put(tx, f"auth.{field}", value)
            changes[field] = (before, value)
    if "session_days" in changes:
        _shorten(tx, changes["session_days"][1])
    if changes:
        tx.emit(AuthPolicyChanged(subject="org:1", changes=changes))
    return _shown(tx)


def _shown(tx: Read) -> SignInPolicy:
    told = tx.caller.admin
    return SignInPolicy(
        require_2fa=org_settings.get(tx, "auth.require_2fa"),
        password_min=org_settings.get(tx, "auth.password_min"),
        session_days=org_settings.get(tx, "auth.session_days"),
        methods=org_settings.get(tx, "auth.methods"),
        signup_domains=org_settings.get(tx, "auth.signup_domains") if told else None,
        allowed_networks=org_settings.get(tx, "auth.allowed_networks") if told else None,
    )


def _methods(tx: Read, asked: list[str]) -> list[str]:
    known = [*METHODS, *tx.column("select id from provider order by created_at, id")]
    for method in asked:
        if method not in known:
            raise InvalidInput(
                f"There is no way to sign in called {method!r}; auth.provider_save makes one of a provider.",
                field="methods",
                allowed=known,
            )
    if not ways_in.an_owner_can(tx, asked):
        raise InvalidInput(
            "No owner could come in by these: one of them needs a way that is theirs, such as `password`, or `passkey`"
            " where they have one. A mailed link alone does not count, as mail may fail.",
            field="methods",
        )
    if "link" in asked and "link" not in org_settings.get(tx, "auth.methods") and not mail.sends(tx):
        raise Conflict(
            "This server sends no mail: an admin names a server by mail.sender_set, or its operator as mail.host."
        )
    return list(dict.fromkeys(asked))


def _domains(asked: list[str]) -> list[str]:
    found = [text.strip().removeprefix("@").lower() for text in asked]
    for domain in found:
        if not _DOMAIN.match(domain):
            raise InvalidInput(
                f"{domain!r} is no mail domain; write it as acme.example.", field="signup_domains"
            )
    return list(dict.fromkeys(found))


def _networks(tx: Read, asked: list[str]) -> list[str]:
    found = callers.networks(asked, "allowed_networks")
    if not identify.in_networks(tx.caller.address, tuple(found)):
        raise Conflict(
            f"You call from {tx.caller.address or 'an unknown address'}, which none of these networks holds:"
            " this would shut you out."
        )
    return found


def _shorten(tx: Write, days: int) -> None:
    """End open sessions no later than new ones would. The change of the settings ends what is cached of them."""
    tx.execute("update session set expires_at = min(expires_at, created_at + :lives_s)", lives_s=days * 86400)
