"""Sign out."""

from kbwork.base.model import Empty, Ok
from kbwork.core.operations.declare import write
from kbwork.db.tx import Write
from kbwork.modules.auth import attempts
from kbwork.modules.auth.model import NOT_UNDONE, AuthSignedOut


@write(
    "auth.logout",
    scope="auth:write",
    words="log out, sign out, sign off, leave",
    people="session",
    essential=True,
    undo=NOT_UNDONE,
    emits=[AuthSignedOut],
    example={},
)
def logout(tx: Write, args: Empty) -> Ok:
    """End the session of this call, and its streams. A key is not a session (403): revoke it instead.

    A browser is known to your account no longer, and is limited like any other where a sign-in fails.
    """
    session = tx.caller.session
    row = tx.one("select client from session where id = :id", id=session)
    if row is not None:
        tx.delete("session", session)
        attempts.forget_device(tx, tx.caller.me())
        tx.emit(AuthSignedOut(subject=f"member:{tx.caller.me()}", payload={"client": row["client"]}))
    return Ok(ok=True)
