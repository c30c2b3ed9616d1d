"""Sign in, with a second factor where there is one."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from kbwork.base import ids
from kbwork.base.dataclasses import dataclass, replace
from kbwork.base.errors import Unauthenticated
from kbwork.base.model import Input, Secret, Text
from kbwork.core import org_settings
from kbwork.core.access import callers, identify, visibility
from kbwork.core.operations.declare import write
from kbwork.core.operations.external import External
from kbwork.db.rows import ChallengeRow, MemberRow
from kbwork.db.tx import Read, Row, Write
from kbwork.modules import members
from kbwork.modules.auth import attempts, ways_in
from kbwork.modules.auth.model import (
    NOT_UNDONE,
    AuthFailed,
    AuthSignedIn,
    Login,
    LoginDone,
)
from kbwork.modules.auth.passwords import verified
from kbwork.modules.auth.totp import factor

CHALLENGE_S = 600
CHALLENGE_TRIES = 5
_PURPOSE = "second factor"
_DAY_S = 86400
_ROW = "select m.*, c.password from member m left join credential c on c.member = m.id where "


class AuthLogin(Input):
    email: Text
    """Address of the account."""
    password: Secret
    """Password of the account."""
    remember: bool | None = None
    """Stay signed in as long as the policy lets you. Without it a browser's session ends after a day; a program's
    only where this is false."""


@write(
    "auth.login",
    scope="desk:public",
    words="log in, sign in, sign on with password",
    signs_in=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedIn, AuthFailed],
    example={"email": "ana@acme.example", "password": "correct horse battery", "remember": True},
)
async def login(out: External, args: AuthLogin) -> Login:
    """Sign in with e-mail and password. With a second factor it answers a `challenge` for `auth.login_verify`, or for
    `auth.passkey_begin` where `methods` has `passkey`.

    Wrong password, unknown address, deactivated, and not allowed by the policy are one 401. After ten failures on
    an account from one address, or fifty from an address, in 15 minutes it is 429 with `Retry-After` from there;
    after a hundred on an account each address has one. Browsers that this account signed in from before, and not
    out, are counted apart: they bear fifty failures on it together, and neither they nor others lock each other
    out. Where too many sign in at once it is 503 `busy`. The session is elevated for ten minutes. A browser gets it
    as a cookie.
    """
    account = attempts.account(args.email)

    def look(tx: Read) -> str | None:
        row = by_email(tx, args.email)
        attempts.require_room(tx, account, row["id"] if row is not None else None)
        return row["password"] if row is not None else None

    def judge(tx: Write) -> Login | None:
        row = by_email(tx, args.email)
        member = row["id"] if row is not None else None
        attempts.require_room(tx, account, member)
        if row is None or not right or row["password"] != stored or not may_sign_in(tx, row):
            attempts.failed(tx, account, member, "password")
            return None
        remembered = args.remember if args.remember is not None else not tx.caller.browser
        return admit(tx, row["id"], "password", remembered=remembered)

    stored = await out.read(look)
    right = await out.in_turn(verified, stored, args.password)
    answer = await out.conclude(judge)
    if answer is None:
        raise Unauthenticated("This address and password do not open anything here.")
    return answer


class AuthLoginVerify(Input):
    challenge: Secret
    """The challenge that `auth.login` answered."""
    code: Secret
    """Six digits from the authenticator app, or a recovery code."""


@write(
    "auth.login_verify",
    scope="desk:public",
    words="second factor at login, enter the six digit code, otp at sign in",
    signs_in=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedIn, AuthFailed],
    example={"challenge": "kbl_from-auth-login", "code": "123456"},
)
async def login_verify(out: External, args: AuthLoginVerify) -> LoginDone:
    """Finish a sign-in with a code. A code opens once; a challenge lives ten minutes and bears five wrong codes.

    A wrong code and a challenge that ended are one 401; failures count as those of `auth.login`, with its 429.
    """

    def judge(tx: Write) -> LoginDone | None:
        half = half_by_digest(tx, ids.digest(args.challenge))
        row = by_id(tx, half.member) if half is not None else None
        if half is None or row is None:
            return None
        account = attempts.account_of(row)
        attempts.require_room(tx, account, row["id"])
        method = factor.use(tx, row["id"], args.code) if may_sign_in(tx, row, half.method) else None
        if method is None:
            count_try(tx, half)
            attempts.failed(tx, account, row["id"], "code")
            return None
        end_half(tx, half)
        return open_session(tx, row["id"], method, remembered=half.remembered)

    answer = await out.conclude(judge)
    if answer is None:
        raise Unauthenticated(
            "This code does not fit, or the challenge ended: sign in again to get a new one."
        )
    return answer


@dataclass(frozen=True, slots=True)
class HalfWay:
    """A sign-in that waits for the second factor."""

    digest: bytes
    member: str
    method: str
    """How it began: the policy must take that still."""
    remembered: bool


def half_by_digest(tx: Read, digest: bytes) -> HalfWay | None:
    """The sign-in whose challenge has this digest, while it bears another try."""
    found = tx.one(
        "select * from challenge where digest = :digest and purpose = :purpose and expires_at > :now"
        " and tries < :most",
        ChallengeRow,
        digest=digest,
        purpose=_PURPOSE,
        now=tx.now,
        most=CHALLENGE_TRIES,
    )
    if found is None or found["member"] is None:
        return None
    data = json.loads(found["data"])
    return HalfWay(digest, found["member"], data.get("method", "password"), data["remembered"])


def count_try(tx: Write, half: HalfWay) -> None:
    """It was answered wrongly once more."""
    tx.execute("update challenge set tries = tries + 1 where digest = :digest", digest=half.digest)


def end_half(tx: Write, half: HalfWay) -> None:
    """It was answered, and is not again."""
    tx.execute("delete from challenge where digest = :digest", digest=half.digest)


def by_email(tx: Read, email: str) -> Row | None:
    """The member who has this address, with their password, whether they may sign in or not."""
    return tx.one(_ROW + "lower(m.email) = lower(:email)", email=email.strip())


def by_id(tx: Read, member: str) -> Row | None:
    """The same by the member's id."""
    return tx.one(_ROW + "m.id = :id", id=member)


def may_sign_in(tx: Read, row: Row, method: str = "password") -> bool:
    """Whether the account is in use and the policy lets it in from here, in this way."""
    networks = org_settings.get(tx, "auth.allowed_networks") or []
    return (
        row["state"] == "active"
        and (row["guest_until"] is None or row["guest_until"] > tx.now)
        and ways_in.is_taken(tx, method)
        and identify.in_networks(tx.caller.address, tuple(networks))
    )


def admit(tx: Write, member: str, method: str, *, remembered: bool, proved: bool = False) -> Login:
    """Sign a member in, or ask for the second factor where one is in force and was not `proved` elsewhere."""
    methods = ways_in.second_factors(tx, member) if not proved else []
    if methods:
        data = {"remembered": remembered, "method": method}
        challenge = add_challenge(tx, _PURPOSE, member, data, CHALLENGE_S)
        return Login(token=None, challenge=challenge, methods=methods, member=None)
    return Login(
        challenge=None, methods=[], **open_session(tx, member, method, remembered=remembered, proved=proved)
    )


def add_challenge(tx: Write, purpose: str, member: str | None, data: dict[str, Any], lives_s: int) -> str:
    """Something that a token opens once, for a while; answers the token, which is kept as a hash alone."""
    token = ids.token("kbl_")
    tx.execute(
        "insert into challenge (digest, purpose, member, data, created_at, expires_at)"
        " values (:digest, :purpose, :member, :data, :now, :until)",
        digest=ids.digest(token),
        purpose=purpose,
        member=member,
        data=json.dumps(data),
        now=tx.now,
        until=tx.now + lives_s,
    )
    return token


@contextlib.contextmanager
def in_name_of(tx: Write, member: str) -> Iterator[None]:
    """What is told inside was done by a member who just proved who they are."""
    nobody = tx.caller
    tx.caller = replace(nobody, member=member, kind="human", via=None)
    try:
        yield
    finally:
        tx.caller = nobody


def open_session(tx: Write, member: str, method: str, *, remembered: bool, proved: bool = False) -> LoginDone:
    """Open a session and tell the audit log, where whoever signed in is the actor."""
    client = attempts.client(tx)
    token = callers.add_session(
        tx,
        member,
        kind="browser" if tx.caller.browser else "app",
        client=client,
        lives_s=None if remembered else _DAY_S,
    )
    if proved:
        tx.execute("update session set factor = 1 where digest = :digest", digest=ids.digest(token))
    attempts.remember_device(tx, member)
    with in_name_of(tx, member):
        tx.emit(AuthSignedIn(subject=f"member:{member}", payload={"method": method, "client": client}))
    row = tx.one("select * from member where id = :id", MemberRow, id=member)
    assert row is not None
    return LoginDone(token=token, member=members.shown(visibility.as_member(tx, member), [row])[0])
