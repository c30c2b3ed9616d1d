"""The words of signing in."""

from typing import Literal

from typing_extensions import TypedDict

from kbwork.base.events import DomainEvent
from kbwork.core.org_settings import OrgSummary
from kbwork.modules.keys import ApiKey
from kbwork.modules.members import Member

NOT_UNDONE = "signing in and what proves who somebody is are not taken back"

SecondFactor = Literal["totp", "recovery", "passkey"]
DeviceState = Literal["pending", "slow_down", "denied", "expired", "approved"]


class Login(TypedDict):
    """Signed in (`token` and `member`), or half way: `challenge` for `auth.login_verify` with one of `methods`.

    `token` is empty where the browser got it as a cookie.
    """

    token: str | None
    challenge: str | None
    methods: list[SecondFactor]
    member: Member | None


class LoginDone(TypedDict):
    """Signed in. `token` is empty where the browser got it as a cookie."""

    token: str
    member: Member


class Me(TypedDict):
    """Who the caller is and what they may do now. `via` is the key or agent, null for a session."""

    member: Member
    role: str
    scopes: list[str]
    teams: list[int]
    via: str | None
    org: OrgSummary
    modules: list[str]


class Elevated(TypedDict):
    """Until when the session counts as confirmed."""

    elevated_until: int


class Session(TypedDict):
    """A place where somebody is signed in. `place` is null: this server knows no map of addresses."""

    id: str
    kind: Literal["browser", "device", "app"]
    client: str
    address: str
    place: str | None
    current: bool
    elevated_until: int | None
    created_at: int
    last_seen_at: int
    expires_at: int


class AppGrant(TypedDict):
    """A client that somebody connected by OAuth."""

    id: int
    client: str
    scopes: list[str]
    created_at: int
    last_used_at: int | None


class SignInPolicy(TypedDict):
    """How people may sign in. `signup_domains` and `allowed_networks` are null for who is no admin, and for none."""

    require_2fa: bool
    password_min: int
    session_days: int
    methods: list[str]
    signup_domains: list[str] | None
    allowed_networks: list[str] | None


class DeviceStarted(TypedDict):
    """What a device shows (`user_code`, `verification_path`) and polls with. Times in seconds."""

    device_code: str
    user_code: str
    verification_path: str
    interval: int
    expires_in: int


class DeviceInfo(TypedDict):
    """Who asks to be let in, and what for: the scopes that an approval would give."""

    client: str
    scopes: list[str]
    created_at: int
    expires_at: int


class DevicePoll(TypedDict):
    """`token` is the key's secret, in the first answer after the approval only."""

    state: DeviceState
    token: str | None
    key: ApiKey | None


class TotpSecret(TypedDict):
    """A secret for an authenticator app: base32, and as an `otpauth://` address for a QR code."""

    secret: str
    uri: str


class RecoveryCodes(TypedDict):
    """Each signs in once in place of a code. Shown this once."""

    recovery_codes: list[str]


class AuthSignedIn(DomainEvent):
    kind = "auth.signed_in"
    audience = "audit"


class AuthFailed(DomainEvent):
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
