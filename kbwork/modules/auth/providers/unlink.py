"""Take an account at a sign-in provider away from a member."""

from kbwork.base.errors import Conflict, NotAllowed, NotFound
from kbwork.base.model import Input, Text
from kbwork.core import org_settings
from kbwork.core.operations.declare import destructive
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.auth import ways_in
from kbwork.modules.auth.model import NOT_UNDONE
from kbwork.modules.auth.providers.model import AuthUnlinked, LinkedProviders


class AuthProviderUnlink(Input):
    provider: Text
    """Id of the provider."""
    member: Text | None = None
    """Whose account to take away; for admins, left out: one's own."""


@destructive(
    "auth.provider_unlink",
    scope="auth:write",
    words="disconnect my google account, unlink sso, remove linked account, somebody else's account lets them in as me",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthUnlinked],
    example={"provider": "acme"},
)
def provider_unlink(tx: Write, args: AuthProviderUnlink) -> LinkedProviders:
    """Take the account at a provider away that lets you in, as `linked` of auth.me lists it. Answers those left.

    Asks for an elevated session. An admin takes away another's, an owner's only an owner (403). Refused with 409 where
    no other way to sign in would be left to you that the policy takes, and where none would be left to any owner. Where
    members are found by their address, whoever has it there is linked again when they next come. Sessions that began
    so go on: auth.session_revoke ends them.
    """
    member = _whose(tx, args.member)
    gone = tx.execute(
        "delete from provider_link where provider = :provider and member = :member",
        provider=args.provider,
        member=member,
    )
    if not gone:
        raise NotFound(f"No account is linked at {args.provider!r}; auth.me lists yours as `linked`.")
    if member == tx.caller.member and not ways_in.of_member(tx, member):
        raise Conflict("Nothing else lets you in, as the sign-in policy stands: add a passkey first.")
    if not ways_in.an_owner_can(tx, org_settings.get(tx, "auth.methods")):
        raise Conflict("No owner could sign in then: let one set a password or add a passkey first.")
    tx.execute(
        "delete from challenge where member = :member and json_extract(data, '$.method') = :provider",
        member=member,
        provider=args.provider,
    )
    tx.emit(AuthUnlinked(subject=f"member:{member}", payload={"provider": args.provider}))
    return LinkedProviders(linked=ways_in.linked(tx, member))


def _whose(tx: Read, ref: str | None) -> str:
    """The member whose account goes. Raises NotAllowed, or InvalidInput for one that is not known."""
    me = tx.caller.me()
    row = members.by_ref(tx, ref, field="member") if ref is not None else None
    if row is None or row["id"] == me:
        return me
    if not (tx.caller.admin and "admin" in tx.caller.scopes):
        raise NotAllowed("Another's account is taken away by an admin.")
    if row["role"] == "owner" and tx.caller.role != "owner":
        raise NotAllowed("An owner's account is taken away by an owner.")
    return str(row["id"])
