"""What members can prove who they are with, and which of it the sign-in policy takes."""

from kbwork.base.errors import Conflict
from kbwork.core import org_settings
from kbwork.core.ports import mail
from kbwork.core.ports.sign_in import SignInWays
from kbwork.db.tx import Read
from kbwork.modules.auth.model import Proof, SecondFactor
from kbwork.modules.auth.passkeys import stored
from kbwork.modules.auth.passkeys.relying_party import relying_party
from kbwork.modules.auth.totp import factor


def second_factors(tx: Read, member: str) -> list[SecondFactor]:
    """What a member can answer a challenge with; empty: no second factor."""
    found = factor.in_force(tx, member)
    return [*found, "passkey"] if stored.of_member(tx, member) else found


def proofs(tx: Read, member: str) -> list[Proof]:
    """What a member can confirm with that it is them."""
    found: list[Proof] = ["password"] if _has_password(tx, member) else []
    return [*found, *second_factors(tx, member)]


def is_taken(tx: Read, method: str) -> bool:
    """Whether people come in so: the policy has it, and it is no provider that is switched off."""
    off = tx.value("select 1 from provider where id = :method and not enabled", method=method)
    return method in org_settings.get(tx, "auth.methods") and off is None


def of_member(tx: Read, member: str) -> list[str]:
    """The ways by which a member comes in, as the policy and this server stand."""
    held = _held(tx, member)
    if mail.sends(tx) and mail.reaches(tx.value("select email from member where id = :id", id=member)):
        held.add("link")
    return [method for method in org_settings.get(tx, "auth.methods") if method in held]


def linked(tx: Read, member: str) -> list[str]:
    """The providers that are on where an account is linked with a member's."""
    return tx.column(
        "select p.id from provider_link l join provider p on p.id = l.provider"
        " where l.member = :member and p.enabled and l.issuer = json_extract(p.settings, '$.issuer')"
        " order by p.created_at, p.id",
        member=member,
    )


def an_owner_can(tx: Read, methods: list[str]) -> bool:
    """Whether some owner could sign in by one of these, were no mail sent any more."""
    owners = tx.column("select id from member where role = 'owner' and state = 'active'")
    return any(_held(tx, owner).intersection(methods) for owner in owners)


def _held(tx: Read, member: str) -> set[str]:
    """The ways that rest on what a member has."""
    held = set(linked(tx, member))
    held |= {"password"} if _has_password(tx, member) else set()
    return held | {"passkey"} if stored.of_member(tx, member) else held


def _has_password(tx: Read, member: str) -> bool:
    found = tx.value("select password is not null from credential where member = :member", member=member)
    return bool(found)


def _offered(tx: Read) -> frozenset[str]:
    """What the policy takes; a passkey only where browsers have some for this server."""
    methods = frozenset(org_settings.get(tx, "auth.methods")) & {"password", "link", "passkey"}
    try:
        relying_party(tx)
    except Conflict:
        methods -= {"passkey"}
    return methods


OFFERED = SignInWays(home=__name__, offered=_offered)
