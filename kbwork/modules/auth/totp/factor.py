"""The second factor: set it up, confirm it, use it, take it away."""

import hashlib
import hmac

from kbwork.base import ids
from kbwork.base.errors import Conflict, InvalidInput, NotAllowed
from kbwork.base.model import Empty, Input, Ok, Secret, Text
from kbwork.core import org_settings
from kbwork.core.operations.declare import destructive, write
from kbwork.core.seal import Seal
from kbwork.db.rows import CredentialRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.auth.model import (
    NOT_UNDONE,
    AuthFactorAdded,
    AuthFactorRemoved,
    RecoveryCodes,
    SecondFactor,
    TotpSecret,
)
from kbwork.modules.auth.passkeys import stored
from kbwork.modules.auth.totp import one_time_codes

_RECOVERY_CODES = 10
_RECOVERY_CHARS = 12
_MEND = (
    "Recovery codes went with the old one, too: an admin takes the second factor away with auth.totp_disable,"
    " an owner's an owner; or the operator puts the old master.key back."
)


@write(
    "auth.totp_begin",
    scope="auth:write",
    words=(
        "set up two factor, enable 2fa, authenticator app, qr code, mfa, turn on second factor, "
        "start two step"
    ),
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    example={},
)
def totp_begin(tx: Write, args: Empty) -> TotpSecret:
    """Get a secret for an authenticator app; it counts once `auth.totp_confirm` got a code made with it.

    Asks for an elevated session. Beginning again makes a new secret; with a second factor in force it is 409.
    """
    me = tx.caller.me()
    row = _credential(tx, me)
    if row is not None and row["totp"] is not None:
        raise Conflict("You have a second factor already; take it away with auth.totp_disable first.")
    secret = ids.random_bytes(one_time_codes.SECRET_BYTES)
    sealed = Seal(tx.secret).seal(secret, _place(me))
    if row is None:
        tx.insert("credential", member=me, totp_pending=sealed, changed_at=tx.now)
    else:
        tx.update("credential", me, totp_pending=sealed)
    member = tx.one("select email, handle from member where id = :me", me=me)
    assert member is not None
    issuer = org_settings.get(tx, "org.name") or "kbwork"
    account = member["email"] or member["handle"]
    return TotpSecret(
        secret=one_time_codes.base32(secret), uri=one_time_codes.uri(secret, issuer=issuer, account=account)
    )


class AuthTotpConfirm(Input):
    code: Secret
    """Six digits from the authenticator app."""


@write(
    "auth.totp_confirm",
    scope="auth:write",
    words="finish setting up two factor, activate 2fa, recovery codes, confirm authenticator",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthFactorAdded],
    example={"code": "123456"},
)
def totp_confirm(tx: Write, args: AuthTotpConfirm) -> RecoveryCodes:
    """Put the second factor in force with a code from the app. Answers ten recovery codes, shown this once.

    Asks for an elevated session. A wrong code is 422; without `auth.totp_begin` before it is 409.
    """
    me = tx.caller.me()
    row = _credential(tx, me)
    if row is None or row["totp_pending"] is None:
        raise Conflict("There is nothing to confirm: call auth.totp_begin first.")
    secret = Seal(tx.secret).open(row["totp_pending"], _place(me), "Begin anew with auth.totp_begin.")
    step = one_time_codes.step_of(secret, _typed(args.code), tx.now, after=0)
    if step is None:
        raise InvalidInput(
            "This is not the present code; look at the clock of the device, too.", field="code"
        )
    tx.update(
        "credential", me, totp=row["totp_pending"], totp_pending=None, totp_step=step, changed_at=tx.now
    )
    tx.execute("delete from recovery_code where member = :me", me=me)
    codes = [ids.code(_RECOVERY_CHARS) for _ in range(_RECOVERY_CODES)]
    for code in codes:
        tx.execute(
            "insert into recovery_code (member, digest) values (:me, :digest)",
            me=me,
            digest=_digest(tx, me, code),
        )
    tx.emit(AuthFactorAdded(subject=f"member:{me}", payload={"method": "totp"}))
    return RecoveryCodes(recovery_codes=["-".join((code[:4], code[4:8], code[8:])) for code in codes])


class AuthTotpDisable(Input):
    member: Text | None = None
    """Whose factor to take away; for admins, left out: one's own."""


@destructive(
    "auth.totp_disable",
    scope="auth:write",
    words="turn off two factor, reset 2fa, remove mfa, lost authenticator, disable second factor",
    people="session",
    elevated=True,
    undo=NOT_UNDONE,
    emits=[AuthFactorRemoved],
    example={},
)
def totp_disable(tx: Write, args: AuthTotpDisable) -> Ok:
    """Take the second factor away, with its recovery codes. Asks for an elevated session.

    An admin resets another's, an owner's only an owner (403): all of it then, their passkeys, too, so that whoever lost
    their devices comes in by password or link. Your own passkeys stay (auth.passkey_delete). Without a factor nothing
    changes. Where the policy asks for one, whoever has none can only set one up.
    """
    member = _whose(tx, args.member)
    if member == tx.caller.member:
        _take_codes(tx, member)
    else:
        take_away(tx, member)
    return Ok(ok=True)


def take_away(tx: Write, member: str, **told: str) -> None:
    """Take a member's second factors away, passkeys among them, whoever asks; what is `told` of it stands in the
    events."""
    _take_codes(tx, member, **told)
    for row in stored.of_member(tx, member):
        tx.delete("passkey", row["id"])
        tx.execute("delete from challenge where member = :member", member=member)
        payload = {"method": "passkey", "passkey": row["id"], "name": row["name"], **told}
        tx.emit(AuthFactorRemoved(subject=f"member:{member}", payload=payload))


def _take_codes(tx: Write, member: str, **told: str) -> None:
    row = _credential(tx, member)
    if row is None or (row["totp"] is None and row["totp_pending"] is None):
        return
    tx.update("credential", member, totp=None, totp_pending=None, changed_at=tx.now)
    tx.execute("delete from recovery_code where member = :member", member=member)
    tx.execute("delete from challenge where member = :member", member=member)
    if row["totp"] is not None:
        tx.emit(AuthFactorRemoved(subject=f"member:{member}", payload={"method": "totp", **told}))


def in_force(tx: Read, member: str) -> list[SecondFactor]:
    """What of an authenticator app a member can answer a challenge with; empty: they have none."""
    row = _credential(tx, member)
    if row is None or row["totp"] is None:
        return []
    left = tx.one("select 1 from recovery_code where member = :member and used_at is null", member=member)
    return ["totp", "recovery"] if left is not None else ["totp"]


def use(tx: Write, member: str, code: str) -> SecondFactor | None:
    """Judge a code and use it up; None where it is wrong or was used."""
    row = _credential(tx, member)
    if row is None or row["totp"] is None:
        return None
    typed = _typed(code)
    secret = Seal(tx.secret).open(row["totp"], _place(member), _MEND)
    step = one_time_codes.step_of(secret, typed, tx.now, after=row["totp_step"])
    if step is not None:
        tx.execute("update credential set totp_step = :step where member = :member", step=step, member=member)
        return "totp"
    used = tx.execute(
        "update recovery_code set used_at = :now where member = :member and digest = :digest and used_at is null",
        now=tx.now,
        member=member,
        digest=_digest(tx, member, typed),
    )
    return "recovery" if used else None


def _whose(tx: Read, ref: str | None) -> str:
    """The member whose factor goes. Raises NotAllowed, or InvalidInput for one that is not known."""
    me = tx.caller.me()
    if ref is None:
        return me
    row = members.by_ref(tx, ref, field="member")
    if row["id"] == me:
        return me
    if not (tx.caller.admin and "admin" in tx.caller.scopes):
        raise NotAllowed("Another's second factor is reset by an admin.")
    if row["role"] == "owner" and tx.caller.role != "owner":
        raise NotAllowed("An owner's second factor is reset by an owner.")
    return str(row["id"])


def _credential(tx: Read, member: str) -> CredentialRow | None:
    return tx.one("select * from credential where member = :member", CredentialRow, member=member)


def _place(member: str) -> str:
    return f"totp:{member}"


def _typed(code: str) -> str:
    return "".join(code.replace("-", "").split()).upper()


def _digest(tx: Read, member: str, code: str) -> bytes:
    """What is stored of a recovery code: keyed, since a code has too little chance in it for a bare hash."""
    return hmac.new(tx.secret, f"recovery\0{member}\0{_typed(code)}".encode(), hashlib.sha256).digest()
