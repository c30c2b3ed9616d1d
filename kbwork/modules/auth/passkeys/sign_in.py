"""Sign in by a passkey, alone or as the second factor."""

from pydantic import JsonValue

from kbwork.base.errors import Unauthenticated
from kbwork.base.model import Input, Secret
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.tx import Read, Row, Write
from kbwork.modules.auth import attempts, login
from kbwork.modules.auth.model import NOT_UNDONE, AuthFailed, AuthSignedIn, LoginDone
from kbwork.modules.auth.passkeys import assertion, stored


class AuthPasskeyLogin(Input):
    challenge: Secret
    """The challenge that `auth.passkey_begin` answered."""
    response: dict[str, JsonValue]
    """What `navigator.credentials.get` answered, as JSON (`PublicKeyCredential.toJSON`)."""


@write(
    "auth.passkey_login",
    scope="desk:public",
    words="log in with a passkey, sign in with a security key, passwordless, fingerprint login",
    signs_in=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedIn, AuthFailed],
    example={"challenge": "kbl_from-passkey-begin", "response": {"type": "public-key"}},
)
async def passkey_login(out: External, args: AuthPasskeyLogin) -> LoginDone:
    """Sign in by a passkey, or finish a sign-in with it as the second factor: what it is, the challenge says.

    A passkey has verified who holds it, by PIN, finger or face, and so counts as two factors: no other is asked for. A
    browser's session that began with it lasts a day. Whatever does not fit is one 401, and uses the challenge up;
    failures count as those of auth.login, with its 429. A passkey that has signed less often than before may have been
    copied: it is refused, and the audit log says so.
    """

    def judge(tx: Write) -> LoginDone | None:
        row = shown.passkey
        holder = login.by_id(tx, row["member"]) if row is not None else None
        account = attempts.account_of(holder) if holder is not None else shown.account
        member = holder["id"] if holder is not None else None
        attempts.require_room(tx, account, member)
        asked = stored.answered(tx, args.challenge, "sign-in", "second factor")
        if asked is None:
            return None
        half = _half(tx, asked)
        refused = _refusal(tx, holder, asked, half, shown.user) or assertion.take(tx, shown)
        if refused is not None or holder is None:
            if half is not None:
                login.count_try(tx, half)
            told = {"reason": "clone"} if refused == "clone" else {}
            attempts.failed(tx, account, member, "passkey", **told)
            return None
        if half is not None:
            login.end_half(tx, half)
        remembered = half.remembered if half is not None else not tx.caller.browser
        return login.open_session(tx, holder["id"], "passkey", remembered=remembered)

    shown = await assertion.examine(out, args.challenge, args.response)
    answer = await out.conclude(judge)
    if answer is None:
        raise Unauthenticated("This passkey opens nothing here, or was asked too long ago: try again.")
    return answer


def _half(tx: Read, asked: stored.Question) -> login.HalfWay | None:
    """The sign-in that a passkey is to finish, where it is one and still waits."""
    return login.half_by_digest(tx, bytes.fromhex(asked.data["half"])) if "half" in asked.data else None


def _refusal(
    tx: Read, holder: Row | None, asked: stored.Question, half: login.HalfWay | None, user: str | None
) -> str | None:
    """Why its holder does not come in, whatever it signed; None where they may."""
    if holder is None:
        return "unknown"
    if asked.purpose == "sign-in":
        known = user == holder["id"]  # a passkey that names its holder is what was asked for
        return None if known and login.may_sign_in(tx, holder, "passkey") else "policy"
    if half is None or asked.member != holder["id"]:
        return "challenge"
    return None if login.may_sign_in(tx, holder, half.method) else "policy"
