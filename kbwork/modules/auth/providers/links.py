"""Which member an account at a provider is of: by a link that is kept, at first by a verified address."""

from typing import Literal

from kbwork.core import org_settings
from kbwork.core.ports import mail
from kbwork.db.rows import ProviderRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.auth.providers import stored
from kbwork.modules.auth.providers.id_tokens import Identity

How = Literal["email", "new"]


class Refused(Exception):
    """Whoever it is does not come in; why stands in the audit log alone."""

    def __init__(self, reason: str, member: str | None = None, told: str | None = None) -> None:
        """`told` is for somebody who is signed in already; all others see the same words."""
        super().__init__(reason)
        self.reason = reason
        self.member = member
        self.told = told


def find(tx: Read, provider: str, identity: Identity) -> str | None:
    """The member whom this account is linked to."""
    found: str | None = tx.value(
        "select member from provider_link where provider = :provider and issuer = :issuer and subject = :subject",
        provider=provider,
        issuer=identity.issuer,
        subject=identity.subject,
    )
    return found


def of_another_account(tx: Read, provider: str, identity: Identity, member: str) -> bool:
    """Whether the member is linked to another account there: an address may have gone to somebody else."""
    found = tx.value(
        "select 1 from provider_link where provider = :provider and issuer = :issuer and member = :member"
        " and subject <> :subject",
        provider=provider,
        issuer=identity.issuer,
        member=member,
        subject=identity.subject,
    )
    return found is not None


def keep(tx: Write, provider: str, identity: Identity, member: str) -> None:
    """From now on this account lets this member in; it was used just now."""
    tx.execute(
        "insert into provider_link (provider, issuer, subject, member, created_at, last_used_at)"
        " values (:provider, :issuer, :subject, :member, :now, :now)"
        " on conflict (provider, issuer, subject) do update set last_used_at = :now",
        provider=provider,
        issuer=identity.issuer,
        subject=identity.subject,
        member=member,
        now=tx.now,
    )


def member_of(tx: Write, row: ProviderRow, identity: Identity) -> tuple[str, How | None]:
    """(the member, how they were found where it is the first time). Raises Refused."""
    linked = find(tx, row["id"], identity)
    if linked is not None:
        return linked, None
    email, settings = identity.email, stored.settings_of(row)
    if not mail.reaches(email):
        raise Refused("no address")
    if not (identity.verified or settings.trust_email):
        raise Refused("address not verified")
    known = members.by_address(tx, email)
    if known is None:
        return _new(tx, row, identity, email), "new"
    by_hand = (
        not settings.link_by_email or known["role"] == "owner"
    )  # an admin sets up whom they are found by
    if by_hand or of_another_account(tx, row["id"], identity, known["id"]):
        raise Refused("not linked", known["id"])
    return known["id"], "email"


def _new(tx: Write, row: ProviderRow, identity: Identity, email: str) -> str:
    """A member of the role that new ones have. Raises Refused where nobody of this domain joins by themselves."""
    domains = org_settings.get(tx, "auth.signup_domains") or []
    if not row["create_members"] or email.rpartition("@")[2].lower() not in domains:
        raise Refused("not a member")
    name = " ".join((identity.name or "").split()) or email.partition("@")[0]
    return members.join(tx, email, name, org_settings.get(tx, "org.default_role"))
