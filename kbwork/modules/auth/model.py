"""The words of signing in."""

from typing import Any, Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.core.org_settings import OrgSummary
from kbwork.modules.keys import ApiKey
from kbwork.modules.members import Member

NOT_UNDONE = "signing in and what proves who somebody is are not taken back"

SecondFactor = Literal["totp", "recovery", "passkey"]
Proof = Literal["password", "totp", "recovery", "passkey"]
DeviceState = Literal["pending", "slow_down", "denied", "expired", "approved"]


class Login(TypedDict):
    """Signed in (`token` and `member`), or half way: `challenge` for `auth.login_verify` with one of `methods`.

    `token` is empty where the browser got it as a cookie.
    """

    token: str | None
    """Secret of the session, for programs; empty for a browser, null while `challenge` is to be met."""
    challenge: str | None
    """Pass it to `auth.login_verify`; null: signed in."""
    methods: list[SecondFactor]
    """Second factors that meet the challenge; empty: signed in."""
    member: Member | None
    """Who signed in; null while `challenge` is to be met."""


class LoginDone(TypedDict):
    """Signed in. `token` is empty where the browser got it as a cookie."""

    token: str
    """Secret of the session, for programs; empty where a browser got it as a cookie."""
    member: Member
    """Who signed in."""


class Passkey(TypedDict):
    """A passkey of one's own."""

    id: str
    """Id of the passkey, for `auth.passkey_delete`."""
    name: str
    """What its owner calls it."""
    created_at: int
    """When it was added, in Unix seconds."""
    last_used_at: int | None
    """When it last signed in or confirmed, in Unix seconds; null: never."""


class PasskeyCeremony(TypedDict):
    """What a browser is asked to sign, and the word that names the question."""

    challenge: str
    """Pass it on with what the browser answers; good once, for five minutes."""
    options: dict[str, Any]
    """`publicKey` of `navigator.credentials.create` (to register) or `.get`, as JSON: what is bytes is base64url."""


class Me(TypedDict):
    """Who the caller is and what they may do now. `via` is the key or agent, null for a session."""

    member: Member
    """Whom the call acts as."""
    role: str
    """Their role in the org."""
    scopes: list[str]
    """What this call may do, such as `issues:write`."""
    teams: list[int]
    """Ids of their teams."""
    via: str | None
    """Key or agent that calls; null: a session."""
    org: OrgSummary
    """What everybody knows of the org."""
    modules: list[str]
    """Names of the modules whose operations this call may use."""
    proofs: list[Proof]
    """What you can prove with who you are, as `auth.elevate` asks; empty for a key, and where only a sign-in provider
    can say it."""
    linked: list[str]
    """Ids of the sign-in providers where an account lets you in, for auth.provider_unlink; empty for a key."""


class Elevated(TypedDict):
    """Until when the session counts as confirmed."""

    elevated_until: int
    """Until when it counts as confirmed, in Unix seconds."""


class Session(TypedDict):
    """A place where somebody is signed in. `place` is null: this server knows no map of addresses."""

    id: str
    """Id of the session, for `auth.session_revoke`."""
    kind: Literal["browser", "device", "app"]
    """What is signed in: a browser, a device or an app."""
    client: str
    """What it calls itself, such as the name of the browser."""
    address: str
    """Network address it signed in from."""
    place: str | None
    """Where that address is; always null."""
    current: bool
    """Whether this call came by it."""
    elevated_until: int | None
    """Until when it counts as confirmed, in Unix seconds; null: not confirmed."""
    created_at: int
    """When it began, in Unix seconds."""
    last_seen_at: int
    """When it was last used, in Unix seconds."""
    expires_at: int
    """When it ends, in Unix seconds."""


class AppGrant(TypedDict):
    """A client that somebody connected by OAuth."""

    id: int
    """Id of the grant, for `auth.grant_revoke`."""
    client: str
    """What the client calls itself."""
    scopes: list[str]
    """What it was given, such as `issues:read`."""
    created_at: int
    """When it was connected, in Unix seconds."""
    last_used_at: int | None
    """When it last called, in Unix seconds, late by a minute at most; null: never."""


class SignInPolicy(TypedDict):
    """How people may sign in. `signup_domains` and `allowed_networks` are null for who is no admin, and for none."""

    require_2fa: bool
    """Whether everybody needs a second factor."""
    password_min: int
    """Characters that a new password holds at least."""
    session_days: int
    """Days after which a session ends, used or not."""
    methods: list[str]
    """Ways to sign in: `password`, `passkey`, `link` by mail, and ids of sign-in providers."""
    signup_domains: list[str] | None
    """Mail domains whose people may join by themselves; null: none, or not told."""
    allowed_networks: list[str] | None
    """Networks to sign in and call from; null: everywhere, or not told."""


class DeviceStarted(TypedDict):
    """What a device shows (`user_code`, `verification_path`) and polls with. Times in seconds."""

    device_code: str
    """Secret to poll with; not to be shown."""
    user_code: str
    """Code to show to the person."""
    verification_path: str
    """Path of the page where the person approves."""
    interval: int
    """Seconds between two polls."""
    expires_in: int
    """Seconds that the code lives."""


class DeviceInfo(TypedDict):
    """Who asks to be let in, and what for: the scopes that an approval would give."""

    client: str
    """What the program calls itself."""
    scopes: list[str]
    """What an approval would give."""
    created_at: int
    """When it asked, in Unix seconds."""
    expires_at: int
    """When the code ends, in Unix seconds."""


class DevicePoll(TypedDict):
    """`token` is the key's secret, in the first answer after the approval only."""

    state: DeviceState
    """How far it is; `slow_down`: ask less often."""
    token: str | None
    """Secret of the key, in the first answer after the approval; else null."""
    key: ApiKey | None
    """The key that was made; null: none yet."""


class TotpSecret(TypedDict):
    """A secret for an authenticator app: base32, and as an `otpauth://` address for a QR code."""

    secret: str
    """The secret in base32, to type."""
    uri: str
    """The secret as an `otpauth://` address, for a QR code."""


class RecoveryCodes(TypedDict):
    """Each signs in once in place of a code. Shown this once."""

    recovery_codes: list[str]
    """Ten codes, each of which signs in once."""


class AuthSignedIn(DomainEvent):
    kind = "auth.signed_in"
    audience = "audit"


class AuthFailed(DomainEvent):
    """`reason` is `clone` where a passkey has signed less often than it did before: there may be two of it."""

    kind = "auth.failed"
    audience = "audit"


class AuthSignedOut(DomainEvent):
    kind = "auth.signed_out"
    audience = "audit"


class AuthPasswordChanged(DomainEvent):
    """`how` is `change` where the present one was known, else by whom the link came: `mail` or `command`."""

    kind = "auth.password_changed"
    audience = "audit"


class AuthLinkSent(DomainEvent):
    """A link was made for a member. `purpose` is what it opens, `by` who hands it over: `mail` or `command`."""

    kind = "auth.link_sent"
    audience = "audit"


class AuthFactorAdded(DomainEvent):
    kind = "auth.factor_added"
    audience = "audit"


class AuthFactorRemoved(DomainEvent):
    kind = "auth.factor_removed"
    audience = "audit"


class AuthDeviceApproved(DomainEvent):
    kind = "auth.device_approved"
    audience = "audit"


class AuthGranted(DomainEvent):
    """Somebody agreed to connect a client by OAuth."""

    kind = "auth.granted"
    audience = "audit"


class AuthGrantRevoked(DomainEvent):
    """What a connected client may do has ended. `reason` where nobody asked for it here."""

    kind = "auth.grant_revoked"
    audience = "audit"


class AuthPolicyChanged(DomainEvent):
    kind = "auth.policy_changed"
    audience = "audit"
