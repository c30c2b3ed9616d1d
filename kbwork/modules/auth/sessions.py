"""Where somebody is signed in."""

from typing import Any

from kbwork.base.errors import NotAllowed, NotFound
from kbwork.base.model import Input, Text
from kbwork.core.access import callers
from kbwork.core.operations.declare import destructive, read
from kbwork.db.rows import SessionRow
from kbwork.db.tx import Read, Write
from kbwork.modules import members
from kbwork.modules.auth import attempts
from kbwork.modules.auth.model import NOT_UNDONE, AuthSignedOut, Session


class AuthSessions(Input):
    member: Text | None = None
    """Whose; for admins, left out: your own."""


@read(
    "auth.sessions",
    scope="auth:read",
    words="where am I logged in, active sessions, my devices, signed in browsers, open logins",
    cached=False,
    example={},
)
def sessions(tx: Read, args: AuthSessions) -> list[Session]:
    """List where you are signed in, newest first. Another's sessions are for admins (403)."""
    whose = tx.caller.me()
    if args.member is not None:
        whose = members.by_ref(tx, args.member, field="member")["id"]
    if whose != tx.caller.member and not _admin(tx):
        raise NotAllowed("Another's sessions are listed by admins; leave `member` out for your own.")
    return _shown(tx, whose)


class AuthSessionRevoke(Input):
    id: Text
    """A session's id, or `others`: all of yours but the one of this call."""


@destructive(
    "auth.session_revoke",
    scope="auth:write",
    words=(
        "log somebody out, kick out, end a session, log out everywhere, sign out another device, "
        "lost phone, stolen laptop"
    ),
    people="session",
    undo=NOT_UNDONE,
    emits=[AuthSignedOut],
    example={"id": "others"},
)
def session_revoke(tx: Write, args: AuthSessionRevoke) -> list[Session]:
    """End a session, and its streams; the next call with it is 401. Answers the sessions left of whose it was.

    Your own, and for admins everybody's, an owner's for owners only (403). To end that of this call is to sign out, as
    by auth.logout.
    """
    mine = tx.caller.me()
    if args.id == "others":
        ended = callers.end_sessions(tx, mine, but=tx.caller.session)
        if ended:
            tx.emit(AuthSignedOut(subject=f"member:{mine}", payload={"sessions": ended}))
        return _shown(tx, mine)
    row = tx.one(
        "select s.*, m.role from session s join member m on m.id = s.member where s.id = :id", id=args.id
    )
    if row is None or not (row["member"] == mine or _admin(tx)):
        raise NotFound(f"You have no session {args.id!r}; auth.sessions shows yours.")
    if row["member"] != mine and row["role"] == "owner" and tx.caller.role != "owner":
        raise NotAllowed("An owner's session is ended by an owner.")
    tx.delete("session", args.id)
    if row["id"] == tx.caller.session:
        attempts.forget_device(tx, mine)
    payload: dict[str, Any] = {"client": row["client"], "session": row["id"]}
    tx.emit(AuthSignedOut(subject=f"member:{row['member']}", payload=payload))
    return _shown(tx, row["member"])


def _admin(tx: Read) -> bool:
    return tx.caller.admin and "admin" in tx.caller.scopes


def _shown(tx: Read, member: str) -> list[Session]:
    """The sessions of a member that still live."""
    rows = tx.all(
        "select * from session where member = :member and expires_at > :now and idle_until > :now"
        " order by created_at desc, id",
        SessionRow,
        member=member,
        now=tx.trusted_now,
    )
    return [_one(tx, row) for row in rows]


def _one(tx: Read, row: SessionRow) -> Session:
    elevated_until = row["elevated_until"]
    return Session(
        id=row["id"],
        kind=row["kind"],
        client=row["client"],
        address=row["address"] or "",
        place=None,
        current=row["id"] == tx.caller.session,
        elevated_until=elevated_until if elevated_until is not None and elevated_until > tx.now else None,
        created_at=row["created_at"],
        last_seen_at=row["last_seen_at"],
        expires_at=min(row["expires_at"], row["idle_until"]),
    )
