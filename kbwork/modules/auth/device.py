"""Device codes (RFC 8628): a program shows a code, a person who is signed in approves it, the program gets a key."""

import json
from typing import Annotated

from pydantic import Field

from kbwork.base import ids
from kbwork.base.errors import ElevationNeeded, InvalidInput, NotFound, RateLimited
from kbwork.base.model import Input, Name, Ok, Secret, Text
from kbwork.core.access import callers, scopes
from kbwork.core.operations.declare import read, write
from kbwork.core.operations.external import External
from kbwork.core.seal import Seal
from kbwork.db.rows import DeviceCodeRow
from kbwork.db.tx import Read, Write
from kbwork.modules import keys
from kbwork.modules.auth import attempts
from kbwork.modules.auth.model import (
    NOT_UNDONE,
    AuthDeviceApproved,
    DeviceInfo,
    DevicePoll,
    DeviceStarted,
)

LIVES_S = 600
INTERVAL_S = 5
WRONG_TRIES = 5
_CODE_CHARS = 9
_GRACE_S = 1  # the clock counts whole seconds: polls 5 s apart may look like 4
ScopeNames = Annotated[list[Text], Field(max_length=200)]


class AuthDeviceStart(Input):
    client: Name
    """What is shown to the person who approves."""
    scopes: ScopeNames | None = None
    """What the key should hold; left out: what the person's role reads and writes."""
    admin: bool = False
    """Whether it should hold the rights of an admin, too, where the person has them; without `scopes`."""


@write(
    "auth.device_start",
    scope="desk:public",
    words="sign in a command line, device login, log in from the terminal, get a user code",
    undo=NOT_UNDONE,
    example={"client": "kbwork command line", "scopes": ["issues:read", "issues:write"]},
)
def device_start(tx: Write, args: AuthDeviceStart) -> DeviceStarted:
    """Begin to sign a program in: show `user_code`, send the person to `verification_path`, and poll.

    The code lives ten minutes. Poll with `device_code` every `interval` seconds. A scope that does not exist is 422.
    With `admin` the person has to confirm who they are before they approve.
    """
    asked = _asked(args)
    device_code, user_code = ids.token("kbd_"), _new_code(tx)
    tx.insert(
        "device_code",
        digest=ids.digest(device_code),
        user_code=user_code,
        client=args.client[:200],
        scopes=json.dumps(asked) if asked is not None else None,
        state="pending",
        address=tx.caller.address,
        created_at=tx.now,
        expires_at=tx.now + LIVES_S,
    )
    return DeviceStarted(
        device_code=device_code,
        user_code=user_code,
        verification_path="/device",
        interval=INTERVAL_S,
        expires_in=LIVES_S,
    )


def _asked(args: AuthDeviceStart) -> list[str] | None:
    """None: what the person reads and writes. Raises InvalidInput."""
    if not args.admin:
        return scopes.check(args.scopes, "owner") if args.scopes else None
    if args.scopes:
        raise InvalidInput(
            "`admin` asks for every scope: leave `scopes` out, or name admin in it.", field="admin"
        )
    return sorted(scopes.of_role("owner"))


class AuthDevicePoll(Input):
    device_code: Secret
    """The secret that `auth.device_start` answered."""


@write(
    "auth.device_poll",
    scope="desk:public",
    words="has the code been approved, wait for approval of a sign-in",
    undo=NOT_UNDONE,
    example={"device_code": "kbd_from-auth-device-start"},
)
def device_poll(tx: Write, args: AuthDevicePoll) -> DevicePoll:
    """Ask whether the code was approved. The first answer after that holds the key's secret, no later one does.

    Asking faster than `interval` while it is pending answers `slow_down`: wait five seconds longer from then on.
    A code that was never given out, or is long gone, is 404.
    """
    row = tx.one(
        "select * from device_code where digest = :digest", DeviceCodeRow, digest=ids.digest(args.device_code)
    )
    if row is None:
        raise NotFound("There is no such device code: begin again with auth.device_start.")
    if row["state"] == "denied":
        return DevicePoll(state="denied", token=None, key=None)
    if row["state"] != "taken" and row["expires_at"] <= tx.now:
        return DevicePoll(state="expired", token=None, key=None)
    if row["state"] == "pending":
        return _pending(tx, row)
    token = None
    if row["granted"] is not None:
        token = Seal(tx.secret).open(row["granted"], _place(row), "Ask for a new code.").decode()
        tx.update("device_code", row["digest"], state="taken", granted=None)
    found = keys.shown(tx, "k.id = :key", key=row["key"])
    return DevicePoll(state="approved", token=token, key=found[0] if found else None)


class AuthDeviceInfo(Input):
    user_code: Secret
    """As the device shows it; dashes and case do not matter."""


@read(
    "auth.device_info",
    scope="auth:read",
    words="who asks with this code, check a device code",
    undo=NOT_UNDONE,
    example={"user_code": "BCD-FGH-JKL"},
)
async def device_info(out: External, args: AuthDeviceInfo) -> DeviceInfo:
    """Look at who asks to be let in with a code, before approving it. `scopes` is what an approval would give.

    A code that is wrong, used or older than ten minutes is 404; after five of them in ten minutes it is 429.
    """
    row = await out.write(lambda tx: _look(tx, args.user_code))
    if row is None:
        raise _unknown()
    return DeviceInfo(
        client=row["client"],
        scopes=_offered(out.caller.scopes, row),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
    )


class AuthDeviceApprove(Input):
    user_code: Secret
    """As the device shows it; dashes and case do not matter."""
    approve: bool
    """false: the program is told that it was denied."""
    scopes: ScopeNames | None = None
    """What to give of what was asked for; left out: all of it that you hold."""


@write(
    "auth.device_approve",
    scope="auth:write",
    words="approve a device code, let the command line in, authorize a program",
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthDeviceApproved, keys.KeyCreated],
    example={"user_code": "BCD-FGH-JKL", "approve": True},
)
async def device_approve(out: External, args: AuthDeviceApprove) -> Ok:
    """Let a program in, or turn it away. Approving makes a personal key of yours, named after the client.

    The key gets what was asked for, as far as you hold it; where nothing was named, all that you read and write.
    `admin` asks for an elevated session (403). Scopes that were not asked for are 422. A code that is wrong, used or
    older than ten minutes is 404; after five of them in ten minutes it is 429.
    """
    answer = await out.conclude(lambda tx: _decide(tx, args))
    if answer is None:
        raise _unknown()
    return answer


def _decide(tx: Write, args: AuthDeviceApprove) -> Ok | None:
    row = _look(tx, args.user_code)
    if row is None:
        return None
    me = tx.caller.me()
    if not args.approve:
        tx.update("device_code", row["digest"], state="denied", approved_by=me)
        return Ok(ok=True)
    granted = _granted(tx, row, args.scopes)
    key, secret = callers.add_key(tx, me, {"name": row["client"], "scopes": granted})
    tx.update(
        "device_code",
        row["digest"],
        state="approved",
        approved_by=me,
        key=key,
        granted=Seal(tx.secret).seal(secret.encode(), _place(row)),
    )
    payload = {"client": row["client"], "scopes": granted, "key": key}
    tx.emit(AuthDeviceApproved(subject=f"member:{me}", payload=payload))
    tx.emit(keys.KeyCreated(subject=f"key:{key}", payload={"name": row["client"], "scopes": granted}))
    return Ok(ok=True)


def _look(tx: Write, user_code: str) -> DeviceCodeRow | None:
    """The code that waits for an answer, or None, which is counted: the caller must let this transaction stay."""
    account = ids.digest(f"device:{tx.caller.me()}")
    wrong = tx.column(
        "select at from attempt where account = :account and at > :since order by at desc limit :most",
        account=account,
        since=tx.now - LIVES_S,
        most=WRONG_TRIES,
    )
    if len(wrong) == WRONG_TRIES:
        wait_s = wrong[-1] + LIVES_S - tx.now
        raise RateLimited(
            f"Too many wrong codes; try again in {attempts.in_words(wait_s)}.", retry_after_s=wait_s
        )
    row = _waiting(tx, user_code)
    if row is None:
        tx.execute("insert into attempt (account, at) values (:account, :now)", account=account, now=tx.now)
    return row


def _unknown() -> NotFound:
    return NotFound("This code is wrong, used or older than ten minutes: look at the device again.")


def _waiting(tx: Read, typed: str) -> DeviceCodeRow | None:
    code = "".join(char for char in typed.upper() if char.isalnum())
    return tx.one(
        "select * from device_code where user_code = :code and state = 'pending' and expires_at > :now",
        DeviceCodeRow,
        code=_dashed(code),
        now=tx.now,
    )


def _pending(tx: Write, row: DeviceCodeRow) -> DevicePoll:
    last = row["polled_at"]
    if last is not None and tx.now - last < INTERVAL_S - _GRACE_S:
        return DevicePoll(state="slow_down", token=None, key=None)
    tx.execute(
        "update device_code set polled_at = :now where digest = :digest", now=tx.now, digest=row["digest"]
    )
    return DevicePoll(state="pending", token=None, key=None)


def _offered(held: frozenset[str], row: DeviceCodeRow) -> list[str]:
    """What an approval gives: what was asked for, or all reading and writing, as far as the caller holds it."""
    asked = json.loads(row["scopes"]) if row["scopes"] is not None else None
    if asked is None:
        return sorted(scope for scope in held if scope.endswith((":read", ":write")))
    return sorted(held.intersection(asked))


def _granted(tx: Read, row: DeviceCodeRow, chosen: list[str] | None) -> list[str]:
    """The scopes of the key. Raises InvalidInput or ElevationNeeded."""
    offered = _offered(tx.caller.scopes, row)
    granted = offered if chosen is None else sorted(set(chosen))
    for scope in granted:
        if scope not in offered:
            raise InvalidInput(
                f"The scope {scope!r} was not asked for, or you do not hold it.",
                field="scopes",
                allowed=offered,
            )
    if not granted:
        raise InvalidInput(
            "A key needs a scope; turn the program away instead.", field="scopes", allowed=offered
        )
    if "admin" in granted and tx.caller.elevated_until <= tx.now:
        raise ElevationNeeded("Confirm that it is you (auth.elevate), or leave `admin` out of the scopes.")
    return granted


def _new_code(tx: Read) -> str:
    while True:
        code = _dashed(ids.code(_CODE_CHARS))
        if tx.one("select 1 from device_code where user_code = :code", code=code) is None:
            return code


def _dashed(code: str) -> str:
    return "-".join(code[start : start + 3] for start in range(0, len(code), 3))


def _place(row: DeviceCodeRow) -> str:
    return f"device:{row['user_code']}"
