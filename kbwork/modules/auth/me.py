"""Who the caller is and what they may do now."""

from kbwork.base.model import Empty
from kbwork.core import org_settings
from kbwork.core.operations.declare import read
from kbwork.db.rows import MemberRow
from kbwork.db.tx import Read
from kbwork.modules import members
from kbwork.modules.auth import ways_in
from kbwork.modules.auth.model import Me


@read(
    "auth.me",
    scope="auth:read",
    words=(
        "who am I, whoami, my permissions, what may I do, my scopes, my role, my account, "
        "what am I allowed, my access, which teams am I in"
    ),
    cached=False,
    example={},
)
def me(tx: Read, args: Empty) -> Me:
    """Who you are: your profile, role, teams, and the scopes and modules that this call could use.

    Of a key these are its own scopes, cut by what your role holds now.
    """
    caller = tx.caller
    row = tx.one("select * from member where id = :id", MemberRow, id=caller.me())
    assert row is not None
    member = members.shown(tx, [row])[0]
    hidden = org_settings.modules_off(tx)
    return Me(
        member=member,
        role=caller.role,
        scopes=sorted(caller.scopes),
        teams=member["teams"],
        via=caller.via,
        org=org_settings.summary(tx),
        modules=[module for module in tx.registry.modules if module not in hidden],
        proofs=ways_in.proofs(tx, caller.me()) if caller.session is not None else [],
        linked=ways_in.linked(tx, caller.me()) if caller.session is not None else [],
    )
